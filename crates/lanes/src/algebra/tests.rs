//! The analyses themselves: what they say holds for what [`Portable`] computes.
use super::{Algebra, AlgebraArena, Symbol, Term};
use crate::range::Range;
use crate::{Lanes, Portable, Words};
use num_bigint::BigInt;
use std::collections::HashMap;
use std::format;
use std::vec::Vec;

/// A small generator of test numbers (xorshift64*); its words have all widths.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.word() >> 8) as usize % n
    }

    /// A word of random width, often at the edge.
    fn weird(&mut self) -> u64 {
        let top = u64::MAX >> self.below(64);
        match self.below(4) {
            0 => top,
            1 => top / 2 + 1,
            2 => 0,
            _ => self.word() & top,
        }
    }
}

/// The value of a polynomial when the inputs have the given values: carries are computed from their meaning.
struct Evaluation<'a> {
    arena: &'a AlgebraArena,
    values: HashMap<Symbol, BigInt>,
}

impl Evaluation<'_> {
    fn term(&mut self, term: Term) -> BigInt {
        let poly = self.arena.get(term.poly);
        poly.evaluate(&mut |symbol| self.symbol(symbol))
    }

    fn symbol(&mut self, symbol: Symbol) -> BigInt {
        if let Some(value) = self.values.get(&symbol) {
            return value.clone();
        }
        let (id, k) = self.arena.polys.borrow().meaning[&symbol];
        let whole = self.arena.get(id).evaluate(&mut |symbol| self.symbol(symbol));
        let value = whole >> k;
        self.values.insert(symbol, value.clone());
        value
    }
}

/// A value on both backends.
type Pair = (Term, u64);

/// One operation on both backends, unless it may overflow.
fn operate(random: &mut Random, s: Algebra<'_, 2>, (a, x): Pair, (b, y): Pair) -> Option<Pair> {
    let (r, p) = (s.arena, Portable::<2>);
    let (ra, rb) = (a.range, b.range);
    let k = [1, 7, 12, 26, 31, 32, 33, 44, 52][random.below(9)];
    let half = |t: Term, x: u64| (r.low_bits(t, 32), x & 0xffff_ffff);
    Some(match random.below(11) {
        0 if ra.add(rb).is_ok() => (r.add(a, b), x + y),
        1 if ra.concat(rb).is_ok() => (r.concat(a, b), x | y),
        2 if ra.shl(k).is_ok() => (r.shl(a, k), x << k),
        3 => (r.shr(a, k), x >> k),
        4 => (r.low_bits(a, k), x & ((1 << k) - 1)),
        5 | 6 => {
            let ((a, x), (b, y)) = (half(a, x), half(b, y));
            (r.mul32(a, b), x * y)
        }
        7 => (r.side_by_side(a, b), x & 0xffff_ffff | y & !0xffff_ffff),
        8 => {
            let (c, z) = (r.low_bits(a, 52), x & ((1 << 52) - 1));
            let (d, w) = (r.low_bits(b, 52), y & ((1 << 52) - 1));
            let high = random.below(2) == 1;
            let product = u128::from(z) * u128::from(w);
            let want = if high { product >> 52 } else { product & ((1 << 52) - 1) };
            (r.madd52(s.word(0), c, d, high), want as u64)
        }
        9 => {
            let (d, e) = (Words::mul(s, a, b), Words::mul(p, x, y));
            if random.below(2) == 0 { (s.low(d), p.low(e)) } else { (s.high(d), p.high(e)) }
        }
        10 => {
            let (d, e) = (Words::mul(s, a, b), Words::mul(p, x, y));
            let ((d, carry), (e, c)) = (s.add_carry(d, s.wide(b, a)), p.add_carry(e, p.wide(y, x)));
            [(carry, c), (s.low(d), p.low(e)), (s.high(d), p.high(e))][random.below(3)]
        }
        _ => return None,
    })
}

/// One operation on two limbs in a lane, where a carry between them is always near.
fn operate_on_halves(random: &mut Random, s: Algebra<'_, 2>, (a, x): Pair, (b, y): Pair) -> Option<Pair> {
    let (r, k) = (s.arena, [1, 2, 26, 32][random.below(4)]);
    Some(match random.below(7) {
        0 | 1 if a.range.add(b.range).is_ok() => (r.add(a, b), x + y),
        2 | 3 if a.range.shl(k).is_ok() => (r.shl(a, k), x << k),
        4 => (r.side_by_side(a, b), x & 0xffff_ffff | y & !0xffff_ffff),
        5 => (r.shr(a, 32), x >> 32),
        6 => (r.low_bits(a, 32 + k % 32), x & ((1 << (32 + k % 32)) - 1)),
        _ => return None,
    })
}

/// A range and one of its members.
fn input(random: &mut Random, packed: bool) -> (Range, u64) {
    let mut ordered = |limit: u64| {
        let (a, b, c) = (random.weird().min(limit), random.weird().min(limit), random.weird().min(limit));
        let mut v = [a, b, c];
        v.sort_unstable();
        v
    };
    if packed {
        let ([a, x, b], [c, y, d]) = (ordered(0xffff_ffff), ordered(0x1_ffff));
        let halves = Range::halves((a as u32, b as u32), (c as u32, d as u32));
        // A limb alone may be a bit too wide.
        if d % 3 == 0 { (Range::between(2 * a, 2 * b), 2 * x) } else { (halves, y << 32 | x) }
    } else {
        let [a, x, b] = ordered(u64::MAX);
        (Range::between(a, b), x)
    }
}

/// Random programs: each value lies in its range, and its polynomial has its value.
#[test]
fn ranges_and_polynomials_hold_what_portable_computes() {
    let programs = if cfg!(miri) { 3 } else { 6000 };
    let mut random = Random(0x1305);
    for program in 0..programs {
        let arena = AlgebraArena::new();
        let s = arena.backend::<2>();
        let packed = program % 2 == 0;
        let mut inputs = HashMap::new();
        let mut values: Vec<Pair> = Vec::new();
        for i in 0..3 {
            let (range, x) = input(&mut random, packed);
            let term = s.word(arena.symbol_in(&format!("input{i}"), range));
            if let Some(symbol) = arena.get(term.poly).as_symbol() {
                inputs.insert(symbol, x.into());
            }
            values.push((term, x));
        }
        let mut evaluation = Evaluation { arena: &arena, values: inputs };
        for _ in 0..12 {
            let (a, b) = (values[random.below(values.len())], values[random.below(values.len())]);
            let operation = if packed { operate_on_halves } else { operate };
            let Some((term, x)) = operation(&mut random, s, a, b) else { continue };
            assert!(term.range.contains(x), "program {program}: {x:#x} is not in {:?}", term.range);
            assert_eq!(evaluation.term(term), x.into(), "program {program}: {:?}", arena.get(term.poly));
            // Products of products grow fast: larger polynomials are compared, but are no later operands.
            if arena.get(term.poly).terms() < 200 {
                values.push((term, x));
            }
        }
    }
}

/// However a word is cut, the pieces fit together.
#[test]
fn cuts_telescope() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<2>();
    let x = s.splat(arena.symbol("x", u64::MAX));
    let mask = |v, k| Lanes::low_bits(s, v, k);
    let shr = |v, k| Lanes::shr(s, v, k);
    let one = [mask(x, 26), mask(shr(x, 26), 26), shr(x, 52)];
    let two = [mask(x, 26), shr(mask(x, 52), 26), shr(shr(x, 20), 32)];
    let three = [mask(mask(x, 44), 26), mask(shr(mask(x, 60), 26), 26), shr(shr(shr(x, 5), 27), 20)];
    for cut in [one, two, three] {
        let words = cut.map(|limb| arena.word_of(limb[1]));
        assert_eq!(arena.value(&words, 26), super::Poly::symbol("x"));
        assert_eq!(words.map(|word| arena.poly(word)), one.map(|limb| (*arena.get(limb[0].poly)).clone()));
    }
}

/// A join keeps what both sets allow, and nothing is forgotten that `contains` relies on.
#[test]
fn joins_contain_both() {
    let mut random = Random(8439);
    for _ in 0..2000 {
        let (a, b) = (random.weird(), random.weird());
        let joined = Range::constant(a).join(Range::halves((0, b as u32), (7, 7 + (b >> 40) as u32)));
        assert!(joined.contains(a) && joined.contains(7 << 32 | b & 0xffff_ffff), "{joined:?}");
        assert!(Range::upto(a).contains(a / 3) && !Range::between(a / 2, a).contains(a.wrapping_add(1)));
    }
}

/// A sum gives its high part back exactly if the low part ends below it.
#[test]
fn a_limb_that_is_too_wide_is_not_cut_off() {
    for (width, apart) in [(31, true), (32, true), (33, false), (34, false)] {
        let arena = AlgebraArena::new();
        let s = arena.backend::<2>();
        let low = s.word(arena.symbol("low", (1 << width) - 1));
        let high = s.word(arena.symbol("high", 0xffff));
        let top = arena.shr(arena.add(arena.shl(high, 32), low), 32);
        assert_eq!(top.poly == high.poly, apart, "{width} bits");
    }
}
