//! A formal field: what an algorithm written over `LaneField` computes, as a polynomial in tau and in the blocks.
//!
//! `values_lanes`, `words1305` and `words1271` prove that the operations of each radix are those of the field. Here the
//! algorithms run on those operations alone: the same source that a vector backend runs, with symbols for blocks. The result is
//! compared with the definition term by term over the integers, so it is right over every field and for all keys and messages
//! of that length. Blocks have `B` bytes, and a message names its blocks by the numbers in them.
use crate::base::block_rows::{block_of_lane, lane_of_block};
use crate::eval::powers::Powers;
use crate::field::groups::{LONG_G, LongGroups, OneRow};
use crate::field::{Field, LaneField, squares, squares_in_words};
use core::array::from_fn;
use core::cell::RefCell;
use core::fmt;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;
use std::vec::Vec;

/// A power of tau and the blocks that are multiplied, in order.
type Monomial = (u64, Vec<u32>);

/// Coefficients, none of them zero.
type Terms = BTreeMap<Monomial, i128>;

std::thread_local! {
    // Here and not in the elements, because `Field` asks for `Copy`.
    static ALL: RefCell<Vec<Rc<Terms>>> = const { RefCell::new(Vec::new()) };
}

/// A polynomial, by its number in this thread's register; 0 is zero.
#[derive(Clone, Copy, Default)]
pub(super) struct Formal<const B: usize>(u32);

impl<const B: usize> zeroize::DefaultIsZeroes for Formal<B> {}

impl<const B: usize> Formal<B> {
    pub(super) const ZERO: Self = Formal(0);

    /// Forgets all polynomials: none of them may be used any more.
    pub(super) fn forget() {
        ALL.with_borrow_mut(Vec::clear);
    }

    fn of(terms: Terms) -> Self {
        if terms.is_empty() {
            return Self::ZERO;
        }
        ALL.with_borrow_mut(|all| {
            all.push(Rc::new(terms));
            Formal(u32::try_from(all.len()).expect("fewer polynomials"))
        })
    }

    fn terms(self) -> Rc<Terms> {
        match self.0 {
            0 => Rc::default(),
            number => ALL.with_borrow(|all| all[number as usize - 1].clone()),
        }
    }

    /// The polynomial tau^e, with coefficient 1 and no other symbol.
    pub(super) fn tau_to(e: u64) -> Self {
        Self::of(Terms::from([((e, Vec::new()), 1)]))
    }

    fn symbol(number: u32) -> Self {
        Self::of(Terms::from([((0, [number].into()), 1)]))
    }

    /// The pad of a block of `len` bytes.
    pub(super) fn pad(len: usize) -> Self {
        // From the top down, so that no block has the number of a pad.
        Self::symbol(u32::MAX - len as u32)
    }

    /// The block that is named by these bytes, zeros after them; block number 0 is zero.
    pub(super) fn block(bytes: &[u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(B)];
        let number = bytes.iter().rev().fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
        match u32::try_from(number).expect("a block number") {
            0 => Self::ZERO,
            number => Self::symbol(number),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        if self.0 == 0 || other.0 == 0 {
            // Zero has the number 0, so OR picks the other one.
            return Formal(self.0 | other.0);
        }
        let mut sum = (*self.terms()).clone();
        for (monomial, c) in &*other.terms() {
            add_term(&mut sum, monomial.clone(), *c);
        }
        Self::of(sum)
    }

    pub(super) fn times(self, other: Self) -> Self {
        let mut product = Terms::new();
        let (a, b) = (self.terms(), other.terms());
        for ((e, blocks), c) in &*a {
            for ((f, more), d) in &*b {
                let mut all = [blocks.as_slice(), more].concat();
                // Blocks commute: in order, equal products are equal keys of the map.
                all.sort_unstable();
                add_term(&mut product, (e + f, all), c * d);
            }
        }
        Self::of(product)
    }

    /// A message whose blocks have numbers of their own, `len` bytes long.
    pub(super) fn message(len: usize) -> Vec<u8> {
        // Numbers begin with 1, as 0 is the zero block, and take the first four bytes.
        let block = |i: usize| from_fn::<u8, B, _>(|j| if j < 4 { ((i + 1) >> (8 * j)) as u8 } else { 0 });
        let mut bytes: Vec<u8> = (0..len.div_ceil(B)).flat_map(block).collect();
        bytes.truncate(len);
        bytes
    }
}

fn add_term(terms: &mut Terms, monomial: Monomial, c: i128) {
    match terms.entry(monomial) {
        Entry::Vacant(place) => {
            place.insert(c);
        }
        Entry::Occupied(mut place) => {
            *place.get_mut() += c;
            // No coefficient is zero, so that equality is that of maps.
            if *place.get() == 0 {
                place.remove();
            }
        }
    }
}

impl<const B: usize> PartialEq for Formal<B> {
    fn eq(&self, other: &Self) -> bool {
        self.terms() == other.terms()
    }
}

impl<const B: usize> fmt::Debug for Formal<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.terms();
        write!(f, "{} terms: {:?}", terms.len(), terms.iter().take(20).collect::<Vec<_>>())
    }
}

impl<const B: usize> Field for Formal<B> {
    const BLOCK: usize = B;
    type Words = FormalLanes<1, B>;
    const WORDS: FormalLanes<1, B> = FormalLanes;
    type Loose = Self;
    const LOOSE_ZERO: Self = Formal::ZERO;

    fn from_word(x: u64) -> Self {
        Self::of(if x == 0 { Terms::new() } else { Terms::from([(Monomial::default(), x.into())]) })
    }
    fn product(self, other: Self) -> Self {
        self.times(other)
    }
    fn sum(self, other: Self) -> Self {
        self.plus(other)
    }
    fn low_bits(self) -> u128 {
        // Only keys are compared by their digests: equal polynomials have equal ones.
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(&*self.terms(), &mut hasher);
        std::hash::Hasher::finish(&hasher).into()
    }
    fn residue(self) -> [u64; 3] {
        unreachable!("no segment leaves a proof")
    }
    fn from_residue(_: [u64; 3]) -> Self {
        unreachable!("no segment enters a proof")
    }
    fn copied(self) -> Self {
        self
    }
    fn loose(self) -> Self {
        self
    }
    fn loose_product(a: Self, b: Self) -> Self {
        a.times(b)
    }
    fn loose_square(a: Self) -> Self {
        a.times(a)
    }
}

/// Formal arithmetic in `N` lanes: elements are polynomials instead of residues.
#[derive(Clone, Copy)]
pub(super) struct FormalLanes<const N: usize, const B: usize>;

impl<const N: usize, const B: usize> FormalLanes<N, B> {
    fn block_of(lane: usize) -> usize {
        if N == 1 { 0 } else { block_of_lane(N, lane) }
    }

    /// Where the block of a lane begins in a row whose halves lie apart.
    fn place(lane: usize, odd_offset: usize) -> usize {
        match Self::block_of(lane) {
            b if b < N.div_ceil(2) => b * B,
            b => odd_offset + (b - N / 2) * B,
        }
    }

    fn each(
        a: [Formal<B>; N],
        b: [Formal<B>; N],
        f: impl Fn(Formal<B>, Formal<B>) -> Formal<B>,
    ) -> [Formal<B>; N] {
        from_fn(|i| f(a[i], b[i]))
    }
}

impl<const N: usize, const B: usize> LongGroups for FormalLanes<N, B> {
    type Long = [Formal<B>; N];
    type LongKeys = [Formal<B>; LONG_G];
    type Stored = [Formal<B>; N];

    const NO_KEYS: [Formal<B>; LONG_G] = [Formal::ZERO; LONG_G];

    fn long_keys(self, powers: &[Self::Fe], keys: &mut [Formal<B>; LONG_G]) {
        *keys = from_fn(|i| powers[i / N][i % N]);
    }
    fn as_long(self, a: Self::Fe) -> Self::Long {
        a
    }
    fn long_add(self, d: Self::Long, h: Self::Fe, keys: &[Formal<B>; LONG_G], power: usize) -> Self::Long {
        Self::each(d, h.map(|h| h.times(keys[power - 1])), Formal::plus)
    }
    fn long_carry(self, d: Self::Long) -> Self::Fe {
        d
    }
    fn stored(self, a: Self::Fe) -> Self::Stored {
        a
    }
    fn load(self, stored: &Self::Stored) -> Self::Fe {
        *stored
    }
}

impl<const N: usize, const B: usize> OneRow for FormalLanes<N, B> {
    fn only_row(self, msg: &[u8]) -> Self::Fe {
        let empty = N - msg.len().div_ceil(B);
        from_fn(|lane| match Self::block_of(lane).checked_sub(empty) {
            None => Formal::ZERO,
            Some(b) => {
                let block = &msg[b * B..];
                let block = &block[..block.len().min(B)];
                Formal::block(block).plus(Formal::pad(block.len()))
            }
        })
    }
}

impl<const N: usize, const B: usize> LaneField for FormalLanes<N, B> {
    const N: usize = N;
    // The loops that vector backends run.
    const COMPACT: bool = false;
    // Two lanes make all of the first powers in words, four and eight lanes half of them.
    const MADD52: bool = N == 4;
    type Element = Formal<B>;
    type Limbs = [Formal<B>; 1];
    type Fe = [Formal<B>; N];
    type Sums = [Formal<B>; N];
    type Key = [Formal<B>; N];

    fn limbs(element: Formal<B>) -> [Formal<B>; 1] {
        [element]
    }
    fn small_multiple(element: Formal<B>, by: u64) -> [Formal<B>; 1] {
        [Formal::from_word(by).times(element)]
    }
    fn from_loose(element: Formal<B>) -> [Formal<B>; 1] {
        [element]
    }
    // As each radix has it: one lane makes its powers in the words that take blocks.
    fn squares(tau: Formal<B>, known: &[Formal<B>], powers: &mut [[Formal<B>; 1]]) {
        if N > 1 { squares::<Self>(tau, known, powers) } else { squares_in_words(tau, known, powers) }
    }
    fn in_lane(self, [x]: [Formal<B>; 1], lane: usize) -> Self::Fe {
        from_fn(|i| if i == lane { x } else { Formal::ZERO })
    }
    fn everywhere(self, [x]: [Formal<B>; 1]) -> Self::Fe {
        [x; N]
    }
    fn in_lanes(self, elements: &[Formal<B>; 8]) -> Self::Fe {
        from_fn(|lane| elements[Self::block_of(lane)])
    }
    fn arrange(self, limbs: &[[Formal<B>; 1]]) -> Self::Fe {
        from_fn(|lane| limbs[Self::block_of(lane)][0])
    }
    fn scatter(self, h: Self::Fe) -> [Formal<B>; 8] {
        from_fn(|b| match b {
            _ if N == 1 => h[0],
            b if b < N => h[lane_of_block(N, b)],
            _ => Formal::ZERO,
        })
    }
    fn for_fold(self, d: Self::Sums) -> Self::Fe {
        d
    }
    fn fold(self, h: Self::Fe) -> Formal<B> {
        h.into_iter().fold(Formal::ZERO, Formal::plus)
    }
    fn mixed(self, a: Self::Fe, kept: &[u64; 8], others: &[u64; 8]) -> Self::Fe {
        from_fn(|i| if kept[i] == u64::MAX { a[i] } else { Formal::from_word(others[i]) })
    }
    fn close(self, d: Self::Sums, [more]: [Formal<B>; 1]) -> Formal<B> {
        self.fold(d).plus(more)
    }
    fn key(self, r: Self::Fe) -> Self::Key {
        r
    }
    fn lane0(self, r: Self::Fe) -> Self::Fe {
        [r[0]; N]
    }
    fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums {
        Self::each(h, *r, Formal::times)
    }
    fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums {
        Self::each(d, self.mul(h, r), Formal::plus)
    }
    fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums {
        Self::each(a, b, Formal::plus)
    }
    fn as_sums(self, a: Self::Fe) -> Self::Sums {
        a
    }
    fn carry(self, d: Self::Sums) -> Self::Fe {
        d
    }
    fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
        Self::each(a, b, Formal::plus)
    }
    fn alternate(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
        from_fn(|i| if i % 2 == 0 { a[i] } else { b[i - 1] })
    }
    fn odds(self, a: Self::Fe) -> Self::Fe {
        from_fn(|i| a[(i - i % 2 + 1).min(N - 1)])
    }
    fn row(self, bytes: &[u8], odd_offset: usize) -> Self::Fe {
        from_fn(|lane| Formal::block(&bytes[Self::place(lane, odd_offset)..][..B]))
    }
    fn short_row(self, rest: &[u8], odd_offset: usize) -> Self::Fe {
        from_fn(|lane| Formal::block(rest.get(Self::place(lane, odd_offset)..).unwrap_or(&[])))
    }
    fn whole_row(self, row: &[u8]) -> Self::Fe {
        self.row(row, N / 2 * B).map(|block| block.plus(Formal::pad(B)))
    }
    fn first_row(self, head: &[u8]) -> Self::Fe {
        let empty = N - head.len() / B;
        from_fn(|lane| match Self::block_of(lane).checked_sub(empty) {
            None => Formal::ZERO,
            Some(b) => Formal::block(&head[b * B..][..B]).plus(Formal::pad(B)),
        })
    }
    fn last_row(self, last: &[u8]) -> Self::Fe {
        let row = self.short_row(last, N / 2 * B);
        from_fn(|lane| {
            let len = (last.len() - Self::block_of(lane) * B).min(B);
            row[lane].plus(Formal::pad(len))
        })
    }
}

/// The powers of tau: made when they are needed, or ready.
pub(super) struct FormalBase<const B: usize> {
    pub(super) ready: Vec<Formal<B>>,
}

impl<const B: usize> Powers for FormalBase<B> {
    type Element = Formal<B>;

    fn tau(&self) -> Formal<B> {
        Formal::tau_to(1)
    }
    fn ready(&self) -> &[Formal<B>] {
        &self.ready
    }
}
