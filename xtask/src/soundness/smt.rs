//! Terms of SMT-LIB: words of any width and flags, folded where they are constants.
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// A constant, or the name of a definition in the script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term<C> {
    Const(C),
    Name(Rc<str>),
}

/// A word of `width` bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub width: u32,
    pub term: Term<u128>,
}

/// A condition: a constant, or the name of a `Bool` in the script.
pub(crate) type Flag = Term<bool>;

impl Word {
    pub(crate) fn constant(width: u32, value: u128) -> Word {
        Word { width, term: Term::Const(value & ones(width)) }
    }

    pub(crate) fn as_constant(&self) -> Option<u128> {
        if let Term::Const(value) = self.term { Some(value) } else { None }
    }
}

/// The greatest word of that width.
pub(crate) fn ones(width: u32) -> u128 {
    // No word is empty: a width of 0 would make the shift overflow.
    u128::MAX >> (128 - width)
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.term {
            Term::Const(value) => write!(f, "(_ bv{value} {})", self.width),
            Term::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Const(value) => write!(f, "{value}"),
            Term::Name(name) => f.write_str(name),
        }
    }
}

/// Definitions, one a line; every term that is not constant has a name.
#[derive(Default)]
pub(crate) struct Script {
    lines: Vec<String>,
    /// The free words, which a counterexample gives values.
    pub inputs: Vec<Rc<str>>,
    counts: BTreeMap<Rc<str>, Count>,
    /// The operands of conjunctions and negations by their names, for [`split`](Script::split).
    parts: BTreeMap<Rc<str>, Parts>,
}

#[derive(Clone)]
enum Parts {
    And(Flag, Flag),
    Not(Flag),
}

/// A count of zeros, and the word that has ones exactly where the counted zeros are. Proofs about a shift by
/// the count are out of z3's reach; with the ones in place of the number they are easy.
#[derive(Clone)]
struct Count {
    leading: bool,
    resized: bool,
    ones: Word,
}

impl Script {
    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Declares a free word. Its name begins with `name`, which counterexamples show, and ends in a unique number.
    pub(crate) fn fresh(&mut self, width: u32, name: &str) -> Word {
        let name: Rc<str> = format!("{name}.{}", self.lines.len()).into();
        self.lines.push(format!("(declare-const {name} (_ BitVec {width}))"));
        self.inputs.push(name.clone());
        Word { width, term: Term::Name(name) }
    }

    fn define(&mut self, sort: &str, text: &str) -> Rc<str> {
        // Every definition adds one line, so the number of lines is unique.
        let name = format!("t{}", self.lines.len());
        self.lines.push(format!("(define-fun {name} () {sort} {text})"));
        name.into()
    }

    fn word(&mut self, width: u32, text: String) -> Word {
        Word { width, term: Term::Name(self.define(&format!("(_ BitVec {width})"), &text)) }
    }

    fn flag(&mut self, text: String) -> Flag {
        Term::Name(self.define("Bool", &text))
    }

    pub(crate) fn not(&mut self, a: &Flag) -> Flag {
        match a {
            Term::Const(value) => Term::Const(!value),
            Term::Name(_) => {
                let not = self.flag(format!("(not {a})"));
                self.consists(&not, Parts::Not(a.clone()));
                not
            }
        }
    }

    pub(crate) fn and(&mut self, a: &Flag, b: &Flag) -> Flag {
        match (a, b) {
            (Term::Const(true), other) | (other, Term::Const(true)) => other.clone(),
            (Term::Const(false), _) | (_, Term::Const(false)) => Term::Const(false),
            _ if a == b => a.clone(),
            _ => {
                let both = self.flag(format!("(and {a} {b})"));
                self.consists(&both, Parts::And(a.clone(), b.clone()));
                both
            }
        }
    }

    fn consists(&mut self, flag: &Flag, of: Parts) {
        if let Term::Name(name) = flag {
            self.parts.insert(name.clone(), of);
        }
    }

    fn parts(&self, flag: &Flag) -> Option<Parts> {
        if let Term::Name(name) = flag { self.parts.get(name).cloned() } else { None }
    }

    /// Flags whose conjunction is this one, each far easier to prove by itself. Conjunctions are taken apart,
    /// also on the right of implications.
    pub(crate) fn split(&mut self, flag: &Flag) -> Vec<Flag> {
        match self.parts(flag) {
            Some(Parts::And(a, b)) => [self.split(&a), self.split(&b)].concat(),
            Some(Parts::Not(inner)) => match self.parts(&inner) {
                Some(Parts::Not(same)) => self.split(&same),
                // An implication is written as not (a and not b).
                Some(Parts::And(a, not_b)) => match self.parts(&not_b) {
                    Some(Parts::Not(b)) => {
                        let all = self.split(&b);
                        all.into_iter().map(|part| self.implies(&a, &part)).collect()
                    }
                    _ => vec![flag.clone()],
                },
                None => vec![flag.clone()],
            },
            None => vec![flag.clone()],
        }
    }

    pub(crate) fn or(&mut self, a: &Flag, b: &Flag) -> Flag {
        // By De Morgan's law, so that `split` meets only two kinds of parts.
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(&a, &b);
        self.not(&neither)
    }

    /// Whether `b` holds where `a` does.
    pub(crate) fn implies(&mut self, a: &Flag, b: &Flag) -> Flag {
        let not = self.not(b);
        let broken = self.and(a, &not);
        self.not(&broken)
    }

    pub(crate) fn all(&mut self, flags: &[Flag]) -> Flag {
        flags.iter().fold(Term::Const(true), |sum, flag| self.and(&sum, flag))
    }

    /// The comparison `op` (`bvule`, `bvult`, `=`: unsigned) of two words of the same width.
    pub(crate) fn compare(&mut self, op: &str, a: &Word, b: &Word) -> Flag {
        assert_eq!(a.width, b.width, "{op}");
        match (op, a.as_constant(), b.as_constant()) {
            ("=", Some(a), Some(b)) => Term::Const(a == b),
            ("bvult", Some(a), Some(b)) => Term::Const(a < b),
            ("bvule", Some(a), Some(b)) => Term::Const(a <= b),
            ("=" | "bvule", ..) if a == b => Term::Const(true),
            _ => self.flag(format!("({op} {a} {b})")),
        }
    }

    pub(crate) fn equal(&mut self, a: &Word, b: &Word) -> Flag {
        self.compare("=", a, b)
    }

    pub(crate) fn at_most(&mut self, a: &Word, b: &Word) -> Flag {
        self.compare("bvule", a, b)
    }

    /// The operation `op` (`bvand`, `bvadd`, ...) on two words of the same width, modulo 2^width.
    pub(crate) fn binary(&mut self, op: &str, a: &Word, b: &Word) -> Word {
        assert_eq!(a.width, b.width, "{op}");
        if let Some(shifted) = self.shifted_ones(op, a, b) {
            return shifted;
        }
        let constants = a.as_constant().zip(b.as_constant());
        match constants.and_then(|(x, y)| fold(op, x, y, a.width)) {
            Some(value) => Word::constant(a.width, value),
            None => self.word(a.width, format!("({op} {a} {b})")),
        }
    }

    /// The word with all bits inverted: 2^width - 1 - a, which is also the most that can be added without a carry.
    pub(crate) fn complement(&mut self, a: &Word) -> Word {
        self.binary("bvxor", a, &Word::constant(a.width, u128::MAX))
    }

    /// The lesser of two words. The minimum of two counts of zeros, or of one and a constant, is
    /// again remembered as a count.
    pub(crate) fn min(&mut self, a: &Word, b: &Word) -> Word {
        let less = self.at_most(a, b);
        let min = self.choose(&less, a, b);
        let ones = match (self.count(a), self.count(b), b.as_constant()) {
            (Some(a), Some(b), _) if a.leading == b.leading => {
                Some((a.leading, self.binary("bvand", &a.ones, &b.ones)))
            }
            (Some(a), None, Some(most)) if !a.leading && most < u128::from(a.ones.width) => {
                let most = Word::constant(a.ones.width, (1 << most) - 1);
                Some((false, self.binary("bvand", &a.ones, &most)))
            }
            _ => None,
        };
        self.remember(&min, ones);
        min
    }

    /// The counts of trailing zeros in 32 bits, each with the word that has ones in their place.
    pub(crate) fn trailing(&self) -> Vec<(Word, Word)> {
        let counts = self.counts.iter().filter(|(_, count)| !count.leading && !count.resized);
        counts
            .map(|(name, count)| (Word { width: 32, term: Term::Name(name.clone()) }, count.ones.clone()))
            .collect()
    }

    fn count(&self, word: &Word) -> Option<Count> {
        if let Term::Name(name) = &word.term { self.counts.get(name).cloned() } else { None }
    }

    fn remember(&mut self, word: &Word, ones: Option<(bool, Word)>) {
        if let (Term::Name(name), Some((leading, ones))) = (&word.term, ones) {
            self.counts.insert(name.clone(), Count { leading, resized: word.width != 32, ones });
        }
    }

    /// All ones, shifted by a count of zeros, written without a shift; `None` if the operands are others.
    fn shifted_ones(&mut self, op: &str, a: &Word, by: &Word) -> Option<Word> {
        let Count { leading, ones, .. } = self.count(by)?;
        let is_known = a.as_constant() == Some(self::ones(a.width)) && ones.width == a.width;
        (is_known && op == if leading { "bvlshr" } else { "bvshl" }).then(|| self.complement(&ones))
    }

    /// `a` if `flag`, else `b`.
    pub(crate) fn choose(&mut self, flag: &Flag, a: &Word, b: &Word) -> Word {
        assert_eq!(a.width, b.width, "the branches differ in width");
        match flag {
            Term::Const(true) => a.clone(),
            Term::Const(false) => b.clone(),
            Term::Name(_) if a == b => a.clone(),
            Term::Name(_) => self.word(a.width, format!("(ite {flag} {a} {b})")),
        }
    }

    /// The same number in `width` bits, or its low bits.
    pub(crate) fn resize(&mut self, a: &Word, width: u32) -> Word {
        let resized = self.resized(a, width);
        // Counts fit in any width that they come to.
        let count = self.count(a).map(|count| (count.leading, count.ones));
        self.remember(&resized, count);
        resized
    }

    fn resized(&mut self, a: &Word, width: u32) -> Word {
        match (&a.term, width.cmp(&a.width)) {
            (Term::Const(value), _) => Word::constant(width, *value),
            (_, std::cmp::Ordering::Equal) => a.clone(),
            (_, std::cmp::Ordering::Less) => self.word(width, format!("((_ extract {} 0) {a})", width - 1)),
            (_, std::cmp::Ordering::Greater) => {
                self.word(width, format!("((_ zero_extend {}) {a})", width - a.width))
            }
        }
    }

    /// The condition that bit `i` is set; 0 is the least significant bit.
    pub(crate) fn bit(&mut self, a: &Word, i: u32) -> Flag {
        match a.as_constant() {
            Some(value) => Term::Const(value >> i & 1 == 1),
            None => self.flag(format!("(= ((_ extract {i} {i}) {a}) #b1)")),
        }
    }

    /// The number of zeros below the lowest one, or with `leading` above the highest; a word of 32 bits, as in Rust.
    pub(crate) fn zeros(&mut self, a: &Word, leading: bool) -> Word {
        let count = self.counted(a, leading);
        let ones = self.ones_in_place_of_zeros(a, leading);
        self.remember(&count, Some((leading, ones)));
        count
    }

    /// The word with ones exactly where the zeros are that [`zeros`](Script::zeros) counts.
    pub(crate) fn ones_in_place_of_zeros(&mut self, a: &Word, leading: bool) -> Word {
        if !leading {
            // (a - 1) & !a: the subtraction turns exactly the trailing zeros into ones, for 0 all bits.
            let below = self.binary("bvsub", a, &Word::constant(a.width, 1));
            let not = self.complement(a);
            return self.binary("bvand", &below, &not);
        }
        // Every bit below the highest one becomes 1 too, so only leading zeros are left.
        let (mut smeared, mut by) = (a.clone(), 1);
        while by < a.width {
            let shifted = self.binary("bvlshr", &smeared, &Word::constant(a.width, by.into()));
            smeared = self.binary("bvor", &smeared, &shifted);
            by *= 2;
        }
        self.complement(&smeared)
    }

    /// The number of zeros as a chain of choices, without the ones that [`zeros`](Script::zeros) remembers with it.
    pub(crate) fn counted(&mut self, a: &Word, leading: bool) -> Word {
        let mut count = Word::constant(32, a.width.into());
        for i in 0..a.width {
            // The last bit to be looked at decides: the highest for leading zeros, the lowest for trailing ones.
            let (place, zeros) =
                if leading { (i, a.width - 1 - i) } else { (a.width - 1 - i, a.width - 1 - i) };
            let bit = self.bit(a, place);
            count = self.choose(&bit, &Word::constant(32, zeros.into()), &count);
        }
        count
    }
}

/// The operation on constants; `None` if it is not one of these. Shifts by the width or more give 0, as in SMT-LIB.
fn fold(op: &str, a: u128, b: u128, width: u32) -> Option<u128> {
    let shifted = |by: u128, value: Option<u128>| if by < width.into() { value } else { Some(0) };
    match op {
        "bvand" => Some(a & b),
        "bvor" => Some(a | b),
        "bvxor" => Some(a ^ b),
        // Sums, differences and products may wrap at 128 bits: the caller keeps the low `width` bits.
        "bvadd" => Some(a.wrapping_add(b)),
        "bvsub" => Some(a.wrapping_sub(b)),
        "bvmul" => Some(a.wrapping_mul(b)),
        "bvshl" => shifted(b, a.checked_shl(b as u32)),
        "bvlshr" => shifted(b, a.checked_shr(b as u32)),
        _ => None,
    }
}
