//! The radices of `LaneField`, so that one proof serves all of them, over both primes.
use super::bounds_lanes::CARRIED;
use super::{CUT26, CUT44, Join, TOP_IN, TOP_OUT, join, message, ones};
use crate::base::block_rows::lane_of_block;
use crate::field::lane_sums::store_pairs;
use crate::field::p1271;
use crate::field::p1305::element::{self, Element, Row};
use crate::field::p1305::lanes26;
use crate::field::p1305::lanes44;
use crate::field::{Field, LaneField};
use crate::papers::{self, lanes32 as four_limbs};
use carryless_lanes::{AlgebraArena, Difference, Ifma, Interval, Poly, Range, Words};
use std::format;
use std::vec::Vec;

/// What a proof has to know about a prime.
pub(super) trait Prime {
    /// The residue in words that kernels exchange.
    type Element: Field;
    /// p = 2^m - delta.
    const M: u32;
    const DELTA: u64;
    /// The greatest words of an element that comes in; the third may be missing.
    const ELEMENT: [u64; 3];

    /// The message blocks as the specification has them, each with its pad.
    fn message(arena: &AlgebraArena, name: &str, bytes: &mut [u8]) -> Vec<Poly>;
    /// The words of a fold are those of an element, and freeze.
    fn freezes<W: Words<W = Range>>(s: W, words: &[Range]);
}

pub(super) enum P1305 {}

impl Prime for P1305 {
    type Element = Element;
    const M: u32 = 130;
    const DELTA: u64 = 5;
    const ELEMENT: [u64; 3] = [u64::MAX, u64::MAX, TOP_IN];

    fn message(arena: &AlgebraArena, name: &str, bytes: &mut [u8]) -> Vec<Poly> {
        message(arena, name, bytes)
    }
    fn freezes<W: Words<W = Range>>(s: W, words: &[Range]) {
        let [w0, w1, w2] = *words else { panic!("three words") };
        // Equal, not at most: a documented bound that is wider than need be fails, too.
        assert_eq!(w2.hi(), TOP_OUT);
        assert_eq!(element::freeze(s, [w0, w1, w2])[2].hi(), 3);
    }
}

pub(super) enum P1271 {}

impl Prime for P1271 {
    type Element = p1271::element::Element;
    const M: u32 = 127;
    const DELTA: u64 = 1;
    const ELEMENT: [u64; 3] = [u64::MAX, (1 << 63) + ones(40), 0];

    fn message(arena: &AlgebraArena, name: &str, bytes: &mut [u8]) -> Vec<Poly> {
        let words = arena.fill15(name, bytes);
        let pad = Poly::constant(1).times_power_of_two(120);
        words.chunks_exact(2).map(|w| Poly::from_limbs(w, 64) + &pad).collect()
    }
    fn freezes<W: Words<W = Range>>(s: W, words: &[Range]) {
        let [w0, w1] = *words else { panic!("two words") };
        assert!(w1.hi() <= Self::ELEMENT[1], "{w1:?}");
        assert_eq!(p1271::element::freeze(s, [w0, w1])[1].hi(), ones(63));
    }
}

/// What a proof has to know about a radix beside its operations.
pub(super) trait Radix {
    /// The prime of the field whose elements have these limbs.
    type Prime: Prime;
    /// The arithmetic of this radix on backend `S`.
    type Over<S: Ifma>: LaneField<Element = <Self::Prime as Prime>::Element, Limbs = Self::Limbs>;
    /// The limbs of one element, lowest first.
    type Limbs: Copy + AsRef<[u64]> + for<'a> TryFrom<&'a [u64]>;
    /// Bits from a limb to the next one.
    const BITS: u32;
    /// The greatest limbs of an element that comes in.
    const CUT: Self::Limbs;
    /// The greatest limbs that a carry leaves of products of key powers, and of rows.
    const CARRIED: Self::Limbs;
    /// The greatest limbs that a carry leaves of any sums that the kernels make.
    const WIDE_CARRIED: Self::Limbs;
    /// The greatest limbs that a fold takes: those of a carry, unless the radix has a cheaper reduction for it.
    const FOLDED: Self::Limbs = Self::CARRIED;
    /// The greatest limbs of the powers and weights of BRW, which come from products of words.
    const POWER: Self::Limbs = Self::CUT;
    /// The greatest limbs of the accumulator after groups of up to eight rows.
    const GROUP: Self::Limbs;
    /// The greatest limbs after a long group of 16 rows, where the radix has long groups.
    const LONG_GROUP: Self::Limbs = Self::CARRIED;
    /// No limb of a first row, where an incoming value joins a block, is greater.
    const ROW: u64;
    /// Bytes of a message block: 16 or 15.
    const BLOCK: usize = <<Self::Prime as Prime>::Element as Field>::BLOCK;

    fn over<S: Ifma>(s: S) -> Self::Over<S>;
    /// Limb j of lane i is `t[j][i]`.
    fn load<S: Ifma>(s: S, t: &[[u64; 8]]) -> Fe<Self, S>;
    fn store<S: Ifma>(s: S, h: Fe<Self, S>) -> Vec<[u64; 8]>;
    /// Powers, from words: element b in the lane of block b.
    fn in_lanes<S: Ifma>(s: S, elements: &[[u64; 3]; 8]) -> Fe<Self, S>;
    /// The sum of all lanes and of `more`, in words of radix 2^64, as a fold of this radix computes it.
    fn fold<S: Ifma, W: Words>(s: S, h: Fe<Self, S>, w: W, more: Option<Self::Limbs>) -> Vec<W::W>;
    fn sets<'a, const N: usize>(h: Fe<Self, Interval<'a, N>>) -> Vec<[Range; N]>;
    fn of_sets<'a, const N: usize>(sets: &[[Range; N]]) -> Fe<Self, Interval<'a, N>>;
    /// Sets that hold both sums; and whether `a` did not hold `b`.
    fn join_sums<'a, const N: usize>(
        a: Sums<Self, Interval<'a, N>>,
        b: Sums<Self, Interval<'a, N>>,
    ) -> (Sums<Self, Interval<'a, N>>, bool);
}

/// An element per lane of a backend.
pub(super) type Fe<R, S> = <<R as Radix>::Over<S> as LaneField>::Fe;

/// A sum of products per lane of a backend.
pub(super) type Sums<R, S> = <<R as Radix>::Over<S> as LaneField>::Sums;

/// A multiplier per lane of a backend.
pub(super) type Key<R, S> = <<R as Radix>::Over<S> as LaneField>::Key;

/// The words of elements as a row of 2^130 - 5.
fn row1305(elements: &[[u64; 3]; 8], n: usize) -> Row {
    let mut row = Row { words: [0; 16], tops: [0; 8] };
    for (b, [w0, w1, w2]) in elements.iter().take(n).enumerate() {
        // The two low words lie in the order of blocks, as in memory; the upper words go to the lanes at once.
        row.words[2 * b] = *w0;
        row.words[2 * b + 1] = *w1;
        row.tops[lane_of_block(n, b)] = *w2;
    }
    row
}

/// The words of elements one after the other.
fn row1271(elements: &[[u64; 3]; 8], _: usize) -> [u64; 16] {
    core::array::from_fn(|i| elements[i / 2][i % 2])
}

macro_rules! radix {
    (
        $Prime:ident, $Over:ident in $($module:ident)::+, stored by $memory:ident, $k:literal limbs, $cut:expr,
        $row:ident $in_lanes:path
    ) => {
        type Prime = $Prime;
        type Over<S: Ifma> = $($module)::+::$Over<S>;
        type Limbs = [u64; $k];
        const CUT: [u64; $k] = $cut;

        fn over<S: Ifma>(s: S) -> $($module)::+::$Over<S> {
            $($module)::+::$Over(s)
        }
        fn load<S: Ifma>(s: S, t: &[[u64; 8]]) -> Fe<Self, S> {
            $memory::load(s, t.try_into().expect("all limbs"))
        }
        fn store<S: Ifma>(s: S, h: Fe<Self, S>) -> Vec<[u64; 8]> {
            $memory::store(s, h).to_vec()
        }
        fn in_lanes<S: Ifma>(s: S, elements: &[[u64; 3]; 8]) -> Fe<Self, S> {
            $in_lanes(s, &$row(elements, S::N))
        }
        fn fold<S: Ifma, W: Words>(s: S, h: Fe<Self, S>, w: W, more: Option<Self::Limbs>) -> Vec<W::W> {
            $($module)::+::fold(w, &store_pairs(s, h), S::N, more).to_vec()
        }
        fn sets<'a, const N: usize>(h: Fe<Self, Interval<'a, N>>) -> Vec<[Range; N]> {
            h.to_vec()
        }
        fn of_sets<'a, const N: usize>(sets: &[[Range; N]]) -> Fe<Self, Interval<'a, N>> {
            sets.try_into().expect("all limbs")
        }
        fn join_sums<'a, const N: usize>(
            a: Sums<Self, Interval<'a, N>>,
            b: Sums<Self, Interval<'a, N>>,
        ) -> (Sums<Self, Interval<'a, N>>, bool) {
            let both = join(a, b);
            (both, !both.same(&a))
        }
    };
}

/// Five limbs of 26 bits.
pub(super) struct R26;

impl Radix for R26 {
    const BITS: u32 = 26;
    const CARRIED: [u64; 5] = [ones(26), (1 << 26) + (1 << 7), ones(26), ones(26), (1 << 26) + (1 << 7)];
    const WIDE_CARRIED: [u64; 5] = CARRIED;
    const FOLDED: [u64; 5] = [(1 << 58) + (1 << 55); 5];
    const POWER: [u64; 5] = [ones(26), 1 << 26, ones(26), 1 << 26, ones(27)];
    const GROUP: [u64; 5] = [ones(26), (1 << 26) + (1 << 8), ones(26), ones(26), (1 << 26) + (1 << 8)];
    const ROW: u64 = ones(28);
    radix!(P1305, Radix26 in lanes26, stored by lanes26, 5 limbs, CUT26, row1305 lanes26::row_in_lanes);
}

/// Three limbs of 44 bits.
pub(super) struct R44;

impl Radix for R44 {
    const BITS: u32 = 44;
    const CARRIED: [u64; 3] = [(1 << 44) + (1 << 22), (1 << 44) + (1 << 12), (1 << 42) + (1 << 12)];
    const WIDE_CARRIED: [u64; 3] = [(1 << 44) + (1 << 27), (1 << 44) + (1 << 17), (1 << 42) + (1 << 17)];
    const FOLDED: [u64; 3] = [1 << 56; 3];
    const POWER: [u64; 3] = [(1 << 44) + (1 << 8), (1 << 44) + (1 << 8), ones(43)];
    const GROUP: [u64; 3] = [(1 << 44) + (1 << 22), (1 << 44) + (1 << 15), (1 << 42) + (1 << 15)];
    const LONG_GROUP: [u64; 3] = [(1 << 44) + (1 << 19), (1 << 44) + (1 << 18), (1 << 42) + (1 << 17)];
    const ROW: u64 = ones(46);
    radix!(P1305, Radix44 in lanes44, stored by lanes44, 3 limbs, CUT44, row1305 lanes44::row_in_lanes);
}

/// Five limbs of 26 bits modulo 2^127 - 1.
pub(super) struct R26Of1271;

impl Radix for R26Of1271 {
    const BITS: u32 = 26;
    const CARRIED: [u64; 5] = [ones(26), (1 << 26) + (1 << 7), ones(26), ones(26), (1 << 23) + (1 << 7)];
    const WIDE_CARRIED: [u64; 5] =
        [ones(26), (1 << 26) + (1 << 15), ones(26), ones(26), (1 << 23) + (1 << 12)];
    const FOLDED: [u64; 5] = R26::FOLDED;
    const GROUP: [u64; 5] = [ones(26), (1 << 26) + (1 << 8), ones(26), ones(26), (1 << 23) + (1 << 8)];
    const ROW: u64 = ones(28);
    radix!(
        P1271, Radix26 in p1271::lanes26, stored by lanes26, 5 limbs,
        [ones(26), ones(26), ones(26), ones(26), 1 << 23], row1271 p1271::lanes26::row_in_lanes
    );
}

/// Three limbs of 43 bits.
pub(super) struct R43;

impl Radix for R43 {
    const BITS: u32 = 43;
    const CARRIED: [u64; 3] = [(1 << 43) + (1 << 17), (1 << 43) + (1 << 12), (1 << 41) + (1 << 14)];
    const WIDE_CARRIED: [u64; 3] = [(1 << 43) + (1 << 21), (1 << 43) + (1 << 18), (1 << 41) + (1 << 19)];
    const FOLDED: [u64; 3] = R44::FOLDED;
    const GROUP: [u64; 3] = [(1 << 43) + (1 << 17), (1 << 43) + (1 << 16), (1 << 41) + (1 << 16)];
    const LONG_GROUP: [u64; 3] = [(1 << 43) + (1 << 18), (1 << 43) + (1 << 17), (1 << 41) + (1 << 17)];
    const ROW: u64 = ones(45);
    radix!(
        P1271, Radix43 in p1271::lanes43, stored by lanes44, 3 limbs,
        [ones(43), ones(43), (1 << 41) + ones(18)], row1271 p1271::lanes43::row_in_lanes
    );
}

/// Four limbs of 32 bits.
pub(super) struct R32;

impl Radix for R32 {
    const BITS: u32 = 32;
    const CARRIED: [u64; 4] = [ones(32), ones(32), ones(32), 1 << 31];
    const WIDE_CARRIED: [u64; 4] = Self::CARRIED;
    const GROUP: [u64; 4] = Self::CARRIED;
    const ROW: u64 = ones(32);
    radix!(
        P1271, Radix32 in papers::lanes32, stored by four_limbs, 4 limbs,
        [ones(32), ones(32), ones(32), (1 << 31) + ones(8)], row1271 papers::lanes32::row_in_lanes
    );
}

impl<const N: usize> Join for lanes44::Sums<Interval<'_, N>> {
    fn join(self, other: Self) -> Self {
        lanes44::Sums { low: join(self.low, other.low), high: join(self.high, other.high) }
    }
    fn same(&self, other: &Self) -> bool {
        self.low.same(&other.low) && self.high.same(&other.high)
    }
}

/// Whether both are the same modulo the radix's prime.
pub(super) fn same<R: Radix>(got: &Poly, want: &Poly) -> Result<(), Difference> {
    got.equal_modulo(want, R::Prime::M, R::Prime::DELTA)
}

/// Panics with the terms that differ modulo the radix's prime.
#[track_caller]
pub(super) fn assert_same<R: Radix>(got: &Poly, want: &Poly) {
    if let Err(difference) = same::<R>(got, want) {
        panic!("{difference}");
    }
}

/// The message blocks as the specification has them.
pub(super) fn message_of<R: Radix>(arena: &AlgebraArena, name: &str, bytes: &mut [u8]) -> Vec<Poly> {
    R::Prime::message(arena, name, bytes)
}

/// The number that a fold of the lanes and of `more` gives.
pub(super) fn folded<R: Radix, S: Ifma>(
    arena: &AlgebraArena,
    s: S,
    h: Fe<R, S>,
    more: Option<R::Limbs>,
) -> Poly {
    let words = R::fold(s, h, arena.backend::<1>(), more);
    let words: Vec<u64> = words.into_iter().map(|word| arena.word_of(word)).collect();
    arena.value(&words, 64)
}

/// All limbs, by their number.
pub(super) fn limbs<R: Radix>(of: impl FnMut(usize) -> u64) -> R::Limbs {
    let limbs: Vec<u64> = (0..R::CUT.as_ref().len()).map(of).collect();
    // There are as many limbs, so the default is never taken. `expect` would need an error type with `Debug`.
    R::Limbs::try_from(&limbs).unwrap_or(R::CUT)
}

/// Words that stand for limbs `name.0`, `name.1`, .. of at most `tops`.
pub(super) fn symbols<R: Radix>(arena: &AlgebraArena, name: &str, tops: R::Limbs) -> R::Limbs {
    limbs::<R>(|i| arena.symbol(&format!("{name}.{i}"), tops.as_ref()[i]))
}

/// The number that limbs stand for.
pub(super) fn value<R: Radix>(arena: &AlgebraArena, limbs: R::Limbs) -> Poly {
    arena.value(limbs.as_ref(), R::BITS)
}

/// The greater limb of both, limb by limb.
pub(super) fn greater<R: Radix>(a: R::Limbs, b: R::Limbs) -> R::Limbs {
    limbs::<R>(|i| a.as_ref()[i].max(b.as_ref()[i]))
}

/// An element in every lane, with limbs `name lane.limb`; and their values.
pub(super) fn lanes_of<R: Radix, S: Ifma>(
    arena: &AlgebraArena,
    s: S,
    name: &str,
    tops: R::Limbs,
) -> (Fe<R, S>, [Poly; 8]) {
    let limbs: [R::Limbs; 8] = core::array::from_fn(|i| symbols::<R>(arena, &format!("{name}{i}"), tops));
    (load::<R, S>(s, limbs), limbs.map(|limbs| value::<R>(arena, limbs)))
}

/// Element i in lane i.
pub(super) fn load<R: Radix, S: Ifma>(s: S, elements: [R::Limbs; 8]) -> Fe<R, S> {
    let count = R::CUT.as_ref().len();
    let t: Vec<[u64; 8]> = (0..count).map(|j| elements.map(|element| element.as_ref()[j])).collect();
    R::load(s, &t)
}

/// The elements in the lanes.
pub(super) fn values_of<R: Radix, S: Ifma>(arena: &AlgebraArena, s: S, h: Fe<R, S>) -> [Poly; 8] {
    let t = R::store(s, h);
    core::array::from_fn(|lane| {
        let limbs: Vec<u64> = t.iter().map(|limb| limb[lane]).collect();
        arena.value(&limbs, R::BITS)
    })
}
