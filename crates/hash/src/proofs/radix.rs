//! The radices of `LaneField`, so that one proof serves all of them.
use super::bounds_lanes::CARRIED;
use super::{CUT26, CUT44, ones};
use crate::field1305::element::Element;
use crate::field1305::lanes26::{self, Radix26};
use crate::field1305::lanes44::{self, Radix44};
use crate::field1305::powers::{self, Row};
use crate::lane_field::LaneField;
use carryless_lanes::{AlgebraArena, Ifma, Interval, Poly, Range, Words};
use std::format;
use std::vec::Vec;

/// What a proof has to know about a radix beside its operations.
pub(super) trait Radix {
    /// Arithmetic on machine `S`.
    type Over<S: Ifma>: LaneField<Element = Element, Limbs = Self::Limbs>;
    /// An array of limbs.
    type Limbs: Copy + AsRef<[u64]> + for<'a> TryFrom<&'a [u64]>;
    /// Bits from a limb to the next one.
    const BITS: u32;
    /// The greatest limbs of an element that comes in.
    const CUT: Self::Limbs;
    /// The greatest limbs that a carry leaves of products of key powers, and of rows.
    const CARRIED: Self::Limbs;
    /// The greatest limbs that a carry leaves of any sums that the kernels make.
    const WIDE_CARRIED: Self::Limbs;
    /// No limb of these is greater when a block is added.
    const WITH_BLOCK: u64;
    /// The same for any first row, where an incoming value joins a block.
    const ROW: u64;

    fn over<S: Ifma>(s: S) -> Self::Over<S>;
    /// Limb j of lane i is `t[j][i]`.
    fn load<S: Ifma>(s: S, t: &[[u64; 8]]) -> Fe<Self, S>;
    fn store<S: Ifma>(s: S, h: Fe<Self, S>) -> Vec<[u64; 8]>;
    /// Powers, from words.
    fn in_lanes<S: Ifma>(s: S, row: &Row) -> Fe<Self, S>;
    /// The sum of the first `n` stored lanes and of `more`, in words of radix 2^64.
    fn fold<W: Words>(w: W, lanes: &[[u64; 8]], n: usize, more: Self::Limbs) -> [W::W; 3];
    /// Limbs of zero: words that are numbers, not symbols.
    const ZERO: Self::Limbs;
    fn sets<'a, const N: usize>(h: Fe<Self, Interval<'a, N>>) -> Vec<[Range; N]>;
    fn of_sets<'a, const N: usize>(sets: &[[Range; N]]) -> Fe<Self, Interval<'a, N>>;
}

/// An element per lane of a machine.
pub(super) type Fe<R, S> = <<R as Radix>::Over<S> as LaneField>::Fe;

/// A multiplier per lane of a machine.
pub(super) type Key<R, S> = <<R as Radix>::Over<S> as LaneField>::Key;

macro_rules! radix {
    ($(#[$doc:meta])* $R:ident: $module:ident::$Over:ident, $k:literal limbs, $cut:ident, $in_lanes:path) => {
        type Over<S: Ifma> = $Over<S>;
        type Limbs = [u64; $k];
        const CUT: [u64; $k] = $cut;
        const ZERO: [u64; $k] = [0; $k];

        fn over<S: Ifma>(s: S) -> $Over<S> {
            $Over(s)
        }
        fn load<S: Ifma>(s: S, t: &[[u64; 8]]) -> Fe<$R, S> {
            $module::load(s, t.try_into().expect("all limbs"))
        }
        fn store<S: Ifma>(s: S, h: Fe<$R, S>) -> Vec<[u64; 8]> {
            $module::store(s, h).to_vec()
        }
        fn in_lanes<S: Ifma>(s: S, row: &Row) -> Fe<$R, S> {
            $in_lanes(s, row)
        }
        fn fold<W: Words>(w: W, lanes: &[[u64; 8]], n: usize, more: [u64; $k]) -> [W::W; 3] {
            $module::fold(w, lanes.try_into().expect("all limbs"), n, more)
        }
        fn sets<'a, const N: usize>(h: Fe<$R, Interval<'a, N>>) -> Vec<[Range; N]> {
            h.to_vec()
        }
        fn of_sets<'a, const N: usize>(sets: &[[Range; N]]) -> Fe<$R, Interval<'a, N>> {
            sets.try_into().expect("all limbs")
        }
    };
}

/// Five limbs of 26 bits.
pub(super) struct R26;

impl Radix for R26 {
    const BITS: u32 = 26;
    const CARRIED: [u64; 5] = [ones(26), (1 << 26) + (1 << 7), ones(26), ones(26), (1 << 26) + (1 << 7)];
    const WIDE_CARRIED: [u64; 5] = CARRIED;
    const WITH_BLOCK: u64 = (1 << 27) + (1 << 7);
    const ROW: u64 = ones(28);
    radix!(R26: lanes26::Radix26, 5 limbs, CUT26, powers::in_lanes);
}

/// Three limbs of 44 bits.
pub(super) struct R44;

impl Radix for R44 {
    const BITS: u32 = 44;
    const CARRIED: [u64; 3] = [(1 << 44) + (1 << 22), ones(44), ones(42)];
    const WIDE_CARRIED: [u64; 3] = [(1 << 44) + (1 << 27), ones(44), ones(42)];
    const WITH_BLOCK: u64 = (1 << 45) + (1 << 22);
    const ROW: u64 = ones(46);
    radix!(R44: lanes44::Radix44, 3 limbs, CUT44, lanes44::in_lanes);
}

/// All limbs, by their number.
pub(super) fn limbs<R: Radix>(of: impl FnMut(usize) -> u64) -> R::Limbs {
    let limbs: Vec<u64> = (0..R::CUT.as_ref().len()).map(of).collect();
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
