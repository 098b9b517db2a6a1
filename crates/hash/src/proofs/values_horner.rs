//! The decimated Horner as it is called equals its formula, for whole messages of a few rows.
use super::bounds_lanes::CARRIED;
use super::{CUT26, assert_same, for_lanes, message, spec, symbols, value, values_of};
use crate::field1305::horner::{Keys, evaluate};
use crate::field1305::lanes26::{self, Fe, Key, block_of_lane};
use crate::proofs::values_lanes::short_block;
use carryless_lanes::{Algebra, AlgebraArena, Lanes, Poly};
use std::format;
use std::vec::Vec;

/// What stands for tau^e.
pub(super) fn power(e: usize) -> Poly {
    let limbs: Vec<Poly> = (0..5).map(|i| Poly::symbol(&format!("tau^{e}.{i}"))).collect();
    Poly::from_limbs(&limbs, 26)
}

/// The limbs that stand for tau^e.
pub(super) fn power_limbs(arena: &AlgebraArena, e: usize) -> [u64; 5] {
    symbols(arena, &format!("tau^{e}"), core::array::from_fn(|i| CARRIED[i].max(CUT26[i])))
}

/// tau^(N - b) times tau^above in the lane of block b.
pub(super) fn power_lanes<S: Lanes>(arena: &AlgebraArena, s: S, above: usize) -> Fe<S> {
    let mut t = [[0; 8]; 5];
    for lane in 0..S::N {
        let limbs = power_limbs(arena, above + S::N - block_of_lane(S::N, lane));
        for (limb, word) in t.iter_mut().zip(limbs) {
            limb[lane] = word;
        }
    }
    lanes26::load(s, &t)
}

fn named_keys<'a, const N: usize, const G: usize>(
    arena: &'a AlgebraArena,
    s: Algebra<'a, N>,
) -> Keys<Algebra<'a, N>, G> {
    Keys {
        gamma: core::array::from_fn(|i| Key::splat(s, power_limbs(arena, N * (i + 1)))),
        last: core::array::from_fn(|i| Key::new(s, power_lanes(arena, s, N * i))),
    }
}

/// Every g; first rows of one block to N; between first and last row none to g + 1 others; whole and short last blocks;
/// from any h. (More groups are right because one is, for any value before it: `values_lanes::delayed_reduction`.)
fn whole_messages<const N: usize>() {
    messages_with::<N, 1>();
    messages_with::<N, 2>();
    messages_with::<N, 3>();
    messages_with::<N, 4>();
}

fn messages_with<const N: usize, const G: usize>() {
    for middle in 0..=G + 1 {
        for first in [1, N, (middle + 2 * G) % N + 1] {
            let l = first + N * (middle + 1);
            one_message::<N, G>(l, [16, 8, 3, 15, 1, 9][(G + l) % 6]);
        }
    }
}

fn one_message<const N: usize, const G: usize>(l: usize, tail: usize) {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let h = symbols(&arena, "h", CUT26);
    let mut bytes = [0; 16 * 56];
    let whole = 16 * (l - 1);
    let mut c = message(&arena, "m", &mut bytes[..whole]);
    c.push(short_block(&arena, &mut bytes[whole..whole + tail]));
    let lanes = evaluate(s, &named_keys::<N, G>(&arena, s), h, &bytes[..whole + tail]);
    let got = value(&arena, lanes26::fold(arena.machine::<1>(), &lanes, N), 64);
    assert_same(&got, &spec::horner(N, G, &arena.value(&h, 26), &c, power));
}

/// From the lane powers tau^N .. tau the set-up makes the powers that the formula names: the value of each key is a
/// product of powers whose exponents add up to it. (A key times one is its value.)
fn set_up<const N: usize>() {
    set_up_of::<N, 1>();
    set_up_of::<N, 2>();
    set_up_of::<N, 3>();
    set_up_of::<N, 4>();
}

fn set_up_of<const N: usize, const G: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let mut one = lanes26::in_lane(s, [0; 5], 0);
    one[0] = Lanes::splat(s, 1);
    let of = |key: &Key<_>| values_of(&arena, s, lanes26::mul(s, lanes26::limbs(s, one), key));
    let keys = Keys::<_, G>::new(s, power_lanes(&arena, s, 0));
    for lane in 0..N {
        let low = power(N - block_of_lane(N, lane));
        assert_same(&of(&keys.last[0])[lane], &low);
        assert_same(&of(&keys.last[1])[lane], &(&low * &power(N)));
        let mut gamma = Poly::constant(1);
        for key in &keys.gamma {
            gamma = gamma * power(N);
            assert_same(&of(key)[lane], &gamma);
        }
    }
}

for_lanes! {
    equals_its_formula = whole_messages;
    keys_are_the_named_powers = set_up;
}
