//! The analysis of values: a backend of polynomials that proves that a kernel computes the right value, for all
//! inputs at once.
mod backend;
mod poly;
#[cfg(test)]
mod tests;

pub use poly::{Difference, Poly};

use crate::range::{Range, Wide};
use crate::tagged_words::{TaggedWords, Word, is_plain, refuse};
use core::cell::RefCell;
use core::panic::Location;
use poly::Symbol;
use std::collections::HashMap;
use std::format;
use std::rc::Rc;
use std::vec::Vec;

/// A lane of [`Algebra`]: the word as a polynomial in the inputs and carries, and the range it is in.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    range: Range,
    poly: Id,
}

/// A sum of 128 bits of [`Algebra`]: its polynomial and the range it is in.
#[derive(Clone, Copy, Debug)]
pub struct WideTerm {
    range: Wide,
    poly: Id,
}

/// A polynomial by its number in the arena. Equal polynomials have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Id(usize);

/// All polynomials of an arena, and what is known of their quotients by powers of two.
#[derive(Default)]
struct Polys {
    all: Vec<Rc<Poly>>,
    ids: HashMap<Rc<Poly>, Id>,
    /// The polynomial of `floor(poly / 2^k)`, where it has been needed or is known.
    shifted: HashMap<(Id, u32), Id>,
    /// The high one of two limbs in a lane, or none once `floor(poly / 2^k)` for k of 32 or more has got a name.
    /// The first entry stays, so that names and limbs cannot refer to each other in a circle.
    halves: HashMap<Id, Option<Id>>,
    /// The meaning of symbols that name a quotient: `floor(poly / 2^k)` for the pair here.
    meaning: HashMap<Symbol, (Id, u32)>,
}

/// The memory of an [`Algebra`] analysis: polynomials, and the `u64` that stand for them in slices.
///
/// The words it hands out follow the rules of [`crate::IntervalArena`]: copy them, never compute with them.
pub struct AlgebraArena {
    words: TaggedWords<Term>,
    polys: RefCell<Polys>,
}

impl Default for AlgebraArena {
    fn default() -> Self {
        Self::new()
    }
}

impl AlgebraArena {
    /// A memory without polynomials, in which no word stands for one yet.
    pub fn new() -> Self {
        AlgebraArena { words: TaggedWords::new(), polys: RefCell::default() }
    }

    /// The backend with `N` lanes over this memory.
    pub fn backend<const N: usize>(&self) -> Algebra<'_, N> {
        Algebra { arena: self }
    }

    /// A word that stands for the input `name`, any number of `0..=hi`.
    pub fn symbol(&self, name: &str, hi: u64) -> u64 {
        self.symbol_in(name, Range::upto(hi))
    }

    /// A word that stands for the input `name`, any member of `range`.
    pub fn symbol_in(&self, name: &str, range: Range) -> u64 {
        self.words.tag(self.term(range, Poly::symbol(name)))
    }

    /// Fills `message` with symbols: word `i` is any word, called `name` and `i` (as in `m0`, `m1`). Panics if the
    /// length is not a multiple of eight. Returns the symbols.
    pub fn fill(&self, name: &str, message: &mut [u8]) -> Vec<Poly> {
        let (words, rest) = message.as_chunks_mut::<8>();
        assert!(rest.is_empty(), "a symbol takes a whole word");
        let fill = |(i, word): (usize, &mut [u8; 8])| {
            let name = format!("{name}{i}");
            *word = self.symbol(&name, u64::MAX).to_le_bytes();
            Poly::symbol(&name)
        };
        words.iter_mut().enumerate().map(fill).collect()
    }

    /// [`fill`](Self::fill) for blocks of 15 bytes, as [`load15`](crate::Lanes::load15) reads them: the words of a
    /// block have 64 and 56 bits. Panics if the length is not a multiple of 15.
    pub fn fill15(&self, name: &str, message: &mut [u8]) -> Vec<Poly> {
        let (blocks, rest) = message.as_chunks_mut::<15>();
        assert!(rest.is_empty(), "a block takes 15 bytes");
        let mut symbols = Vec::new();
        for block in blocks {
            let (low, high) = block.split_at_mut(8);
            for (bytes, bits) in [(low, 64), (high, 56)] {
                // Numbers count words, two for each block, as in `fill`.
                let name = format!("{name}{}", symbols.len());
                let term = self.term(Range::upto(u64::MAX >> (64 - bits)), Poly::symbol(&name));
                let word = self.words.tag_of(bits, term).to_le_bytes();
                bytes.copy_from_slice(&word[..bytes.len()]);
                symbols.push(Poly::symbol(&name));
            }
        }
        symbols
    }

    /// Accepts `x` as a constant although its bits look random.
    pub fn constant(&self, x: u64) -> u64 {
        self.words.announce(x, self.constant_term(x));
        x
    }

    /// The lane or scalar word that a word in memory stands for. Panics if it is neither a word of this
    /// arena nor a plain constant.
    #[track_caller]
    pub fn term_of(&self, word: u64) -> Term {
        match self.words.find(word) {
            Word::Tagged(term) => term,
            Word::Constant(x) => self.constant_term(x),
            Word::Unknown(x) => refuse(x),
        }
    }

    /// A word that stands for a lane or a scalar word. A plain constant stands for itself.
    pub fn word_of(&self, term: Term) -> u64 {
        match term.range.as_constant() {
            Some(x) if is_plain(x) => x,
            // A constant that is not plain is tagged, too. Written as it is, the next load would refuse it.
            _ => self.words.tag(term),
        }
    }

    /// The polynomial that a word in memory stands for. Panics if it is neither a word of this
    /// arena nor a plain constant.
    #[track_caller]
    pub fn poly(&self, word: u64) -> Poly {
        (*self.get(self.term_of(word).poly)).clone()
    }

    /// The range of a word in memory. Panics as [`poly`](Self::poly) does.
    #[track_caller]
    pub fn range_of(&self, word: u64) -> Range {
        self.term_of(word).range
    }

    /// The value of limbs in memory: the sum of `words[i] * 2^(radix i)`, as a polynomial.
    #[track_caller]
    pub fn value(&self, words: &[u64], radix: u32) -> Poly {
        let mut limbs = Vec::new();
        for &word in words {
            limbs.push(self.poly(word));
        }
        Poly::from_limbs(&limbs, radix)
    }

    fn constant_term(&self, x: u64) -> Term {
        Term { range: Range::constant(x), poly: self.id(Poly::constant(x.into())) }
    }

    /// A lane with this range and polynomial. A range of one member replaces the polynomial by that constant.
    fn term(&self, range: Range, poly: Poly) -> Term {
        match range.as_constant() {
            Some(x) => self.constant_term(x),
            None => Term { range, poly: self.id(poly) },
        }
    }

    fn get(&self, id: Id) -> Rc<Poly> {
        self.polys.borrow().all[id.0].clone()
    }

    /// The number of a polynomial, a new one if it is not yet in the arena.
    fn id(&self, poly: Poly) -> Id {
        let polys = &mut *self.polys.borrow_mut();
        if let Some(&id) = polys.ids.get(&poly) {
            return id;
        }
        // Numbers are never reused, so an `Id` in a term stays valid as long as the arena.
        let (id, poly) = (Id(polys.all.len()), Rc::new(poly));
        polys.all.push(poly.clone());
        polys.ids.insert(poly, id);
        id
    }

    /// Remembers that `floor(poly / 2^k)` is `quotient`.
    fn learn(&self, poly: Id, k: u32, quotient: Id) {
        // An earlier form stays: terms that were made from it must still cancel against later ones.
        self.polys.borrow_mut().shifted.entry((poly, k)).or_insert(quotient);
    }

    /// The quotient `floor(poly / 2^k)`, if it has been learnt.
    fn known(&self, poly: Id, k: u32) -> Option<Id> {
        self.polys.borrow().shifted.get(&(poly, k)).copied()
    }

    /// Remembers that a lane holds two limbs, of which this is the high one.
    fn learn_halves(&self, poly: Id, high: Id) {
        self.polys.borrow_mut().halves.entry(poly).or_insert(Some(high));
    }

    /// The high limb, if the lane is known to hold two.
    fn high_limb(&self, poly: Id) -> Option<Id> {
        self.polys.borrow().halves.get(&poly).copied().flatten()
    }

    /// The quotient `floor(poly / 2^k)`, written so that equal ways to cut a word give equal polynomials.
    ///
    /// Each step is an identity of integers: `floor(x / 2^(j+k)) = floor(floor(x / 2^j) / 2^k)` and
    /// `floor((2^k a + b) / 2^k) = a + floor(b / 2^k)`. What cannot be simplified becomes a new symbol.
    #[track_caller]
    fn floor(&self, id: Id, k: u32) -> Id {
        if k == 0 {
            return id;
        }
        if let Some(known) = self.known(id, k) {
            return known;
        }
        // The low limb is below 2^32, so from 32 bits on only the high one counts.
        if let Some(high) = self.high_limb(id).filter(|_| k >= 32) {
            return self.floor(high, k - 32);
        }
        let poly = self.get(id);
        if let Some(c) = poly.as_constant() {
            return self.id(Poly::from_bigint(c >> k));
        }
        // A carry is itself a quotient: both shifts together are one. Else divide by the smallest power that splits
        // terms off, so that every order of cuts passes the same steps.
        let meaning = poly.as_symbol().and_then(|s| self.polys.borrow().meaning.get(&s).copied());
        let quotient = if let Some((whole, j)) = meaning {
            self.floor(whole, j + k)
        } else if let Some(j) = poly.least_even_exponent().filter(|&j| j < k) {
            self.floor(self.floor(id, j), k - j)
        } else {
            let (a, b) = poly.split(k);
            if a == Poly::default() {
                self.name_floor(id, k, Location::caller())
            } else {
                let b = self.floor(self.id(b), k);
                self.id(a + &*self.get(b))
            }
        };
        self.learn(id, k, quotient);
        quotient
    }

    /// Names a quotient that cannot be simplified by a new symbol, with the kernel's file and line as a remark.
    fn name_floor(&self, id: Id, k: u32, at: &Location<'_>) -> Id {
        let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
        let symbol = Symbol::fresh(&format!(">>{k} at {file}:{}", at.line()));
        let mut polys = self.polys.borrow_mut();
        polys.meaning.insert(symbol, (id, k));
        if k >= 32 {
            polys.halves.entry(id).or_insert(None);
        }
        // `id` borrows the arena as well, which would panic while this borrow lasts.
        drop(polys);
        self.id(Poly::of(symbol))
    }
}

/// The backend of polynomials: a lane is an integer polynomial in the inputs and in the
/// carries, together with its [`Range`].
///
/// `add`, `mul32` and `shl` act on polynomials. `x >> k` is a new symbol `c`, one for each `(x, k)`, and the low
/// `k` bits of `x` are `x - 2^k c`. Let the output, as a polynomial, equal the specified one modulo p,
/// coefficient by coefficient. Then the carries have cancelled, and the kernel is right for **all** values of its
/// inputs: an identity of polynomials holds whatever numbers the symbols are. A wrong limb, weight or carry
/// leaves a coefficient ([`Poly::equal_modulo`] shows it).
///
/// The ranges are those of [`crate::Interval`], so every overflow panics here too, and the integer identities
/// are never used where the backend would have wrapped. Assumptions: the same as there, and that each input symbol
/// is inside the range it was given. Bytes must hold words of the arena ([`AlgebraArena::fill`]) or plain
/// constants: a load that cuts a filled word in two is refused.
///
/// Two 32-bit limbs in one lane stay apart as long as the ranges show that no carry passes between them. A
/// `select` needs a constant mask.
#[derive(Clone, Copy)]
pub struct Algebra<'a, const N: usize> {
    arena: &'a AlgebraArena,
}
