//! The algorithms in 64-bit words as they are composed: `Words64` of both primes on the analyses, not only its operations.
use super::brw::{ENTRIES, any_groups, brw, evaluate};
use super::radix::{P1271, P1305, Prime};
use super::{Join, TOP_IN, fixpoint, join, ones, spec};
use crate::choose::plan::WORD_GROUPS_MOST;
use crate::eval::brw::rows::Rows;
use crate::eval::horner::{self, Keys};
use crate::field::groups::MAX_G;
use crate::field::p1271::{element as element1271, word64};
use crate::field::p1305::{element as element1305, words64};
use crate::field::{Field, LaneField};
use crate::papers::words::group as group_of_words;
use carryless_lanes::{AlgebraArena, Interval, IntervalArena, Poly, Range, Words};
use std::format;
use std::vec;
use std::vec::Vec;

impl Join for words64::Sums<Interval<'_, 1>> {
    fn join(self, other: Self) -> Self {
        words64::Sums {
            low: self.low.join(other.low),
            middle: self.middle.join(other.middle),
            top: join(self.top, other.top),
        }
    }
    fn same(&self, other: &Self) -> bool {
        self.low == other.low && self.middle == other.middle && self.top == other.top
    }
}

impl Join for word64::Sums<Interval<'_, 1>> {
    fn join(self, other: Self) -> Self {
        word64::Sums { low: self.low.join(other.low), high: join(self.high, other.high) }
    }
    fn same(&self, other: &Self) -> bool {
        self.low == other.low && self.high == other.high
    }
}

/// Arithmetic of a prime in words, on any scalar backend.
trait InWords: Prime {
    type Over<S: Words>: LaneField<Element = Self::Element, Limbs = Self::Words>;
    type Words: Copy + AsRef<[u64]> + for<'a> TryFrom<&'a [u64]>;
    /// The greatest words of a key power.
    const POWER: Self::Words;

    fn over<S: Words>(s: S) -> Self::Over<S>;
    fn words(element: Self::Element) -> Self::Words;
    /// The words of a value between two steps.
    fn raw(value: <Self::Over<Interval<'_, 1>> as LaneField>::Fe) -> Vec<Range>;
    /// Fills `bytes` with blocks of any value.
    fn fill(arena: &IntervalArena, bytes: &mut [u8]);
    /// Sets that hold both sums, and whether `a` did not hold `b`, as in
    /// [`Radix::join_sums`](super::radix::Radix::join_sums).
    fn join_sums<'a>(
        a: Sums<Self, Interval<'a, 1>>,
        b: Sums<Self, Interval<'a, 1>>,
    ) -> (Sums<Self, Interval<'a, 1>>, bool);
}

type Sums<P, S> = <<P as InWords>::Over<S> as LaneField>::Sums;

macro_rules! in_words {
    ($Prime:ident, $words:ident, $element:ident, $n:literal words, $power:expr, $fill:ident) => {
        impl InWords for $Prime {
            type Over<S: Words> = $words::Words64<S>;
            type Words = [u64; $n];
            const POWER: [u64; $n] = $power;

            fn over<S: Words>(s: S) -> $words::Words64<S> {
                $words::Words64(s)
            }
            fn words(element: $element::Element) -> [u64; $n] {
                element.0
            }
            fn raw(value: <Self::Over<Interval<'_, 1>> as LaneField>::Fe) -> Vec<Range> {
                value.to_vec()
            }
            fn fill(arena: &IntervalArena, bytes: &mut [u8]) {
                arena.$fill(bytes);
            }
            fn join_sums<'a>(
                a: Sums<Self, Interval<'a, 1>>,
                b: Sums<Self, Interval<'a, 1>>,
            ) -> (Sums<Self, Interval<'a, 1>>, bool) {
                let both = join(a, b);
                (both, !both.same(&a))
            }
        }
    };
}

in_words!(P1305, words64, element1305, 3 words, [u64::MAX, u64::MAX, TOP_IN], fill);
in_words!(P1271, word64, element1271, 2 words, [u64::MAX, (1 << 63) + ones(40)], fill15);

/// The words of an element from a function of their index.
fn words<P: InWords>(of: impl Fn(usize) -> u64) -> P::Words {
    let words: Vec<u64> = (0..P::POWER.as_ref().len()).map(of).collect();
    P::Words::try_from(&words).unwrap_or(P::POWER)
}

fn any_power<P: InWords>(arena: &IntervalArena) -> P::Words {
    words::<P>(|i| arena.upto(P::POWER.as_ref()[i]))
}

/// The words are those of an element, and freeze.
fn assert_freezes<P: InWords>(arena: &IntervalArena, element: P::Element) {
    let ranges: Vec<Range> = P::words(element).as_ref().iter().map(|&word| arena.range_of(word)).collect();
    P::freezes(arena.backend::<1>(), &ranges);
}

/// BRW of any number of rows, then any number of streams, and the length: the end of `DecBrw::evaluate`.
fn brw_bounds<P: InWords>() {
    let arena = IntervalArena::new();
    let w = P::over(arena.backend::<1>());
    let powers = vec![any_power::<P>(&arena); ENTRIES + 3];
    let power = w.everywhere(powers[0]);
    let mut bytes = vec![0; 256 * P::Element::BLOCK];
    P::fill(&arena, &mut bytes);
    any_groups(w, &powers, w.as_sums(power), &bytes, P::join_sums, |q| {
        assert_freezes::<P>(&arena, w.fold(q));
        let mut value = q;
        // Sixteen streams at most, joined by Horner's rule.
        for _ in 0..16 {
            value = w.carry(w.mul_add(w.as_sums(q), value, &w.key(power)));
        }
        let sum = w.mul_add(w.mul(power, &w.key(power)), value, &w.key(power));
        assert_freezes::<P>(&arena, w.close(sum, powers[0]));
    });
}

/// Decimated Horner of one lane: any number of groups of any size.
fn horner_bounds<P: InWords, const G: usize>() {
    let arena = IntervalArena::new();
    let w = P::over(arena.backend::<1>());
    let block = P::Element::BLOCK;
    let mut bytes = vec![0; MAX_G * block];
    P::fill(&arena, &mut bytes);
    let (low, h) = (w.everywhere(any_power::<P>(&arena)), any_power::<P>(&arena));
    let keys = Keys::<_, G>::new(w, low);
    let value = |a| P::words(w.fold(a)).as_ref().iter().map(|&word| arena.range_of(word)).collect::<Vec<_>>();
    // In one lane modulo 2^127 - 1 `fold` changes nothing, so that sums with a block go through it, too.
    let start = value(horner::first_row(w, Some(h), &bytes[..block], 1));
    fixpoint(start, |a| {
        let a = w.everywhere(words::<P>(|i| arena.word(a[i])));
        let one = value(horner::group::<_, 1>(w, a, &bytes, &[keys.gamma[0]]));
        let all = value(horner::group::<_, G>(w, a, &bytes, &keys.gamma));
        assert_freezes::<P>(&arena, w.fold(horner::last_rows(w, a, &bytes[..block], &keys.last)));
        join(one, all)
    });
    for blocks in 2..=3 * G + 1 {
        let mut msg = vec![0; block * blocks];
        P::fill(&arena, &mut msg);
        assert_freezes::<P>(&arena, w.fold(keys.evaluate(w, Some(h), &msg)));
    }
}

/// One carry for up to as many blocks as may share one, from any value that is no greater than a power may be, leaves such a value: so any
/// number of groups may follow each other. (Any two words and the pad behind them hold a short block with the pad in it, too.)
fn grouped_bounds<P: InWords>() {
    let arena = IntervalArena::new();
    let w = P::over(arena.backend::<1>());
    let mut bytes = vec![0; WORD_GROUPS_MOST * P::Element::BLOCK];
    P::fill(&arena, &mut bytes);
    let keys = [w.key(w.everywhere(any_power::<P>(&arena))); WORD_GROUPS_MOST];
    let any = w.everywhere(any_power::<P>(&arena));
    for blocks in 1..=WORD_GROUPS_MOST {
        let after = group_of_words(w, &keys, any, &bytes[..P::Element::BLOCK * blocks]);
        assert_freezes::<P>(&arena, w.fold(after));
        let within = |(word, &most): (Range, &u64)| word.hi() <= most;
        assert!(P::raw(after).into_iter().zip(P::POWER.as_ref()).all(within), "{blocks} blocks");
    }
}

/// A group of words is h tau^n + C_1 tau^n + ... + C_n tau.
fn grouped_value<P: InWords>() {
    for n in [1, 2, 3, 4, 5, 8] {
        let arena = AlgebraArena::new();
        let w = P::over(arena.backend::<1>());
        let keys = core::array::from_fn::<_, WORD_GROUPS_MOST, _>(|i| {
            w.key(w.everywhere(named::<P>(&arena, &format!("tau^{}", i + 1))))
        });
        let h = named::<P>(&arena, "h");
        let mut bytes = vec![0; P::Element::BLOCK * n];
        let blocks = P::message(&arena, "m", &mut bytes);
        let terms = blocks.iter().zip((1..=n).rev()).map(|(block, e)| block * power::<P>(e));
        let want = terms.fold(arena.value(h.as_ref(), 64) * power::<P>(n), |sum, term| sum + term);
        let got = group_of_words(w, &keys, w.everywhere(h), &bytes);
        assert_same::<P>(&arena, w.fold(got), &want);
    }
}

fn power<P: InWords>(e: usize) -> Poly {
    let words: Vec<Poly> =
        (0..P::POWER.as_ref().len()).map(|i| Poly::symbol(&format!("tau^{e}.{i}"))).collect();
    Poly::from_limbs(&words, 64)
}

fn named<P: InWords>(arena: &AlgebraArena, name: &str) -> P::Words {
    words::<P>(|i| arena.symbol(&format!("{name}.{i}"), P::POWER.as_ref()[i]))
}

#[track_caller]
fn assert_same<P: InWords>(arena: &AlgebraArena, got: P::Element, want: &Poly) {
    if let Err(difference) = arena.value(P::words(got).as_ref(), 64).equal_modulo(want, P::M, P::DELTA) {
        panic!("{difference}");
    }
}

/// The stream and its end, by leaves of 2^t - 1 rows: q tau^2 + L tau.
fn brw_value<P: InWords>(n: usize, t: usize) {
    let arena = AlgebraArena::new();
    let w = P::over(arena.backend::<1>());
    let powers: Vec<P::Words> = (0..6).map(|j| named::<P>(&arena, &format!("tau^{}", 1 << j))).collect();
    let mut bytes = vec![0; P::Element::BLOCK * n];
    // `message` gives blocks the pad of polyHash, which BRW does not have.
    let pad = Poly::constant(1).times_power_of_two(8 * P::Element::BLOCK as u32);
    let blocks: Vec<Poly> = P::message(&arena, "m", &mut bytes).iter().map(|block| block - &pad).collect();
    let q = evaluate(w, t, &powers, Rows::new(&bytes, P::Element::BLOCK, 0, 0), None, false);
    let want = brw(&blocks, &|j| power::<P>(1 << j));
    assert_same::<P>(&arena, w.fold(q), &want);
    // The end does not depend on the number of rows, and polynomials of many rows take long.
    if n <= 4 {
        let length = named::<P>(&arena, "L");
        let sum = w.mul(w.everywhere(length), &w.key(w.everywhere(powers[0])));
        let sum = w.mul_add(sum, q, &w.key(w.everywhere(powers[1])));
        let all = want * power::<P>(2) + arena.value(length.as_ref(), 64) * power::<P>(1);
        assert_same::<P>(&arena, w.close(sum, words::<P>(|_| 0)), &all);
    }
}

fn horner_value<P: InWords, const G: usize>() {
    // The first and the last block, and up to two groups between them.
    for l in 2..=2 * G + 2 {
        let arena = AlgebraArena::new();
        let w = P::over(arena.backend::<1>());
        let key = |e: usize| w.key(w.everywhere(named::<P>(&arena, &format!("tau^{e}"))));
        let keys = Keys { gamma: core::array::from_fn::<_, G, _>(|i| key(i + 1)), last: [key(1), key(2)] };
        let h = named::<P>(&arena, "h");
        let mut bytes = vec![0; P::Element::BLOCK * l];
        let blocks = P::message(&arena, "m", &mut bytes);
        let want = spec::horner(1, G, &arena.value(h.as_ref(), 64), &blocks, power::<P>);
        assert_same::<P>(&arena, w.fold(keys.evaluate(w, Some(h), &bytes)), &want);
    }
}

#[test]
fn brw_any_number_of_groups() {
    brw_bounds::<P1305>();
    brw_bounds::<P1271>();
}

#[test]
fn brw_equals_its_definition() {
    for (n, t) in [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (7, 3), (8, 2), (8, 3), (9, 3), (12, 2)] {
        brw_value::<P1305>(n, t);
        brw_value::<P1271>(n, t);
    }
    brw_value::<P1271>(16, 4);
}

#[test]
fn horner_any_number_of_groups() {
    horner_bounds::<P1271, 1>();
    horner_bounds::<P1271, 2>();
    horner_bounds::<P1271, 3>();
    horner_bounds::<P1271, 4>();
    horner_bounds::<P1271, MAX_G>();
}

#[test]
fn horner_equals_its_formula() {
    horner_value::<P1271, 1>();
    horner_value::<P1271, 2>();
    horner_value::<P1271, 3>();
    horner_value::<P1271, 4>();
    horner_value::<P1271, MAX_G>();
}

#[test]
fn grouped_words_never_overflow() {
    grouped_bounds::<P1305>();
    grouped_bounds::<P1271>();
}

#[test]
fn grouped_words_equal_their_formula() {
    grouped_value::<P1305>();
    grouped_value::<P1271>();
}
