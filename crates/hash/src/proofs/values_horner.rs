//! Decimated Horner, end to end, equals its formula, for whole messages of a few rows.
use super::radix::{
    Fe, Key, R26, Radix, assert_same, greater, limbs, load, message_of, symbols, value, values_of,
};
use super::values_lanes::short_block_of;
use super::{for_radices, spec};
use crate::base::block_rows::block_of_lane;
use crate::eval::horner::Keys;
use crate::field::LaneField;
use crate::field::groups::MAX_G;
use carryless_lanes::{Algebra, AlgebraArena, Ifma, Poly};
use std::format;
use std::vec::Vec;

/// The polynomial in symbolic limbs that stands for tau^e.
pub(super) fn power<R: Radix>(e: usize) -> Poly {
    let limbs: Vec<Poly> =
        (0..R::CUT.as_ref().len()).map(|i| Poly::symbol(&format!("tau^{e}.{i}"))).collect();
    Poly::from_limbs(&limbs, R::BITS)
}

/// The limbs that stand for tau^e.
pub(super) fn power_limbs<R: Radix>(arena: &AlgebraArena, e: usize) -> R::Limbs {
    // Powers come from words, cut, or from products, carried: a symbol stands for either.
    symbols::<R>(arena, &format!("tau^{e}"), greater::<R>(R::CARRIED, R::CUT))
}

/// tau^(N - b) times tau^above in the lane of block b.
pub(super) fn power_lanes<R: Radix, S: Ifma>(arena: &AlgebraArena, s: S, above: usize) -> Fe<R, S> {
    let exponent = |lane| above + S::N - block_of_lane(S::N, lane);
    let zero = limbs::<R>(|_| 0);
    load::<R, S>(
        s,
        core::array::from_fn(|lane| if lane < S::N { power_limbs::<R>(arena, exponent(lane)) } else { zero }),
    )
}

/// The multiplier that has the symbolic limbs of tau^e in every lane.
pub(super) fn power_key<R: Radix, S: Ifma>(arena: &AlgebraArena, s: S, e: usize) -> Key<R, S> {
    R::over(s).key(load::<R, S>(s, [power_limbs::<R>(arena, e); 8]))
}

/// The keys of an evaluation.
pub(super) type NamedKeys<'a, R, const N: usize, const G: usize> =
    Keys<<R as Radix>::Over<Algebra<'a, N>>, G>;

pub(super) fn named_keys<'a, R: Radix, const N: usize, const G: usize>(
    arena: &'a AlgebraArena,
    s: Algebra<'a, N>,
) -> NamedKeys<'a, R, N, G> {
    Keys {
        gamma: core::array::from_fn(|i| power_key::<R, _>(arena, s, N * (i + 1))),
        last: core::array::from_fn(|i| R::over(s).key(power_lanes::<R, _>(arena, s, N * i))),
    }
}

/// Every g; first rows of one block to N; between first and last row none to g + 1 others; whole and short last blocks;
/// from any h. (More groups are right because one is, for any value before it: `values_lanes::delayed_reduction`.)
fn whole_messages<R: Radix, const N: usize>() {
    messages_with::<R, N, 1>();
    messages_with::<R, N, 2>();
    messages_with::<R, N, 3>();
    messages_with::<R, N, 4>();
    messages_with::<R, N, MAX_G>();
}

fn messages_with<R: Radix, const N: usize, const G: usize>() {
    for middle in 0..=G + 1 {
        // One block, a whole row, and a number between them that changes with the rows in the middle.
        for first in [1, N, (middle + 2 * G) % N + 1] {
            let l = first + N * (middle + 1);
            one_message::<R, N, G>(l, [16, 8, 3, 15, 1, 9][(G + l) % 6]);
        }
    }
}

fn one_message<R: Radix, const N: usize, const G: usize>(l: usize, tail: usize) {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let h = symbols::<R>(&arena, "h", R::CUT);
    let mut bytes = [0; 16 * 8 * (MAX_G + 3)];
    let (whole, tail) = (R::BLOCK * (l - 1), tail.min(R::BLOCK));
    let mut c = message_of::<R>(&arena, "m", &mut bytes[..whole]);
    c.push(short_block_of::<R>(&arena, &mut bytes[whole..whole + tail]));
    let got = folded::<R, N, G>(&arena, s, &named_keys::<R, N, G>(&arena, s), h, &bytes[..whole + tail]);
    assert_same::<R>(&got, &spec::horner(N, G, &value::<R>(&arena, h), &c, power::<R>));
}

/// The value of a message.
pub(super) fn folded<'a, R: Radix, const N: usize, const G: usize>(
    arena: &'a AlgebraArena,
    s: Algebra<'a, N>,
    keys: &NamedKeys<'a, R, N, G>,
    h: R::Limbs,
    msg: &[u8],
) -> Poly {
    super::radix::folded::<R, _>(arena, s, keys.evaluate(R::over(s), Some(h), msg), None)
}

/// From the lane powers tau^N .. tau the set-up makes the powers that the formula names: the value of each key is a
/// product of powers whose exponents add up to it. (A key times one is its value.)
fn set_up<R: Radix, const N: usize>() {
    set_up_of::<R, N, 1>();
    set_up_of::<R, N, 2>();
    set_up_of::<R, N, 3>();
    set_up_of::<R, N, 4>();
    set_up_of::<R, N, MAX_G>();
}

fn set_up_of<R: Radix, const N: usize, const G: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let one = load::<R, _>(s, [limbs::<R>(|i| u64::from(i == 0)); 8]);
    let of = |key: &Key<R, _>| values_of::<R, _>(&arena, s, f.carry(f.mul(one, key)));
    let keys = Keys::<_, G>::new(f, power_lanes::<R, _>(&arena, s, 0));
    let gamma_1 = power::<R>(N);
    for lane in 0..N {
        let low = power::<R>(N - block_of_lane(N, lane));
        assert_same::<R>(&of(&keys.last[0])[lane], &low);
        assert_same::<R>(&of(&keys.last[1])[lane], &(&low * &gamma_1));
        let mut gamma = Poly::constant(1);
        for key in &keys.gamma {
            gamma = &gamma * &gamma_1;
            assert_same::<R>(&of(key)[lane], &gamma);
        }
    }
}

/// The names of powers in radix 2^26, for the window.
pub(super) fn power26(e: usize) -> Poly {
    power::<R26>(e)
}

for_radices! {
    equals_its_formula = whole_messages;
    keys_are_the_named_powers = set_up;
}
