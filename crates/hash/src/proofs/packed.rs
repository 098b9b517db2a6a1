//! The packed layout of papers 000 and 003: no overflow over any number of rows, the value, and that proofs of it can
//! fail.
use super::bounds_lanes::{CARRIED, any_powers, fold_and_freeze};
use super::radix::R26;
use super::values_horner::{power_lanes, power_limbs, power26};
use super::values_lanes::short_block;
use super::{
    CUT26, assert_same, fixpoint, join, lanes_of, message, ones, same, spec, symbols, value, values_of,
};
use crate::field1305::lanes26::{self, Key, Radix26, block_of_lane, lane_of_block};
use crate::field1305::packed::{
    Keys, MAX_LAMBDA, PackedKey, Three, add_rows, evaluate, mul, pack, reduce, unpack,
};
use crate::field1305::packed_first;
use crate::horner::first_row;
use carryless_lanes::{AlgebraArena, Ifma, IntervalArena, Lanes, Poly, Range, Shuffle32};
use std::vec::Vec;

/// Limbs of T, as the documentation of `packed` has them.
const LIMB: u64 = (1 << 26) + (1 << 7);

/// Limbs in front of a product.
const WIDE: [u64; 5] = [ones(28); 5];

/// The greatest limb; a low half that lost bits could be anything.
fn top<const N: usize>(t: [[Range; N]; 3]) -> u64 {
    let halves = t[0].iter().chain(&t[1]).map(|lane| {
        let (low, high) = lane.half_bounds();
        u64::from(low.max(high))
    });
    halves.chain(t[2].iter().map(Range::hi)).max().unwrap()
}

/// Any key, any value to start from, any first row by either first product, any number of groups of any size up to
/// LAMBDA, a whole or a short last row; then the lanes are added, packed and frozen.
fn any_rows<const N: usize, const LAMBDA: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let (h, bytes) = (CUT26.map(|top| arena.upto(top)), [0; 16 * 8 * MAX_LAMBDA]);
    let keys = Keys::<_, LAMBDA>::new(s, any_powers::<R26, N>(&arena, s));
    let mut firsts = Vec::new();
    for gamma in &keys.gamma {
        for rho in 1..=N {
            let d0 = first_row(Radix26(s), h, &bytes[..16 * rho], rho);
            firsts.extend([mul(s, pack(s, d0), gamma), packed_first::mul(s, d0, rho, gamma)]);
        }
    }
    let first = firsts.into_iter().reduce(join).unwrap();
    let after = |d: [[Range; N]; 5]| {
        let sizes = (1..=LAMBDA).flat_map(|rows| [16 * N * rows, 16 * N * rows - 5]);
        sizes.map(|size| add_rows(s, d, &bytes[..size], &keys.gamma)).reduce(join).unwrap()
    };
    let t = fixpoint(after(first), |t| {
        keys.gamma.iter().map(|gamma| after(mul(s, t, gamma))).reduce(join).unwrap()
    });
    assert!(top(t) < LIMB, "{t:x?}");
    let out = lanes26::carry(s, lanes26::mul(s, unpack(s, t), &keys.last));
    fold_and_freeze::<R26, N>(&arena, s, out);
}

#[test]
fn any_number_of_rows() {
    any_rows::<4, 1>();
    any_rows::<4, 2>();
    any_rows::<4, 3>();
    any_rows::<8, 1>();
    any_rows::<8, 2>();
    any_rows::<8, 3>();
}

/// A key with the limbs in lane 0, as `Keys` makes it.
fn packed_key<S: Shuffle32>(s: S, limbs: [u64; 5]) -> PackedKey<S> {
    PackedKey::of_lane0(s, lanes26::in_lane(s, limbs, 0))
}

/// The elements in the lanes of three vectors.
fn values_of_three<S: Lanes>(arena: &AlgebraArena, s: S, t: Three<S>) -> [Poly; 8] {
    let mut words = [[0; 8]; 5];
    for (limb, words) in unpack(s, t).into_iter().zip(&mut words) {
        s.store(s.mul32(limb, s.limb(s.splat(1))), words);
    }
    core::array::from_fn(|lane| arena.value(&words.map(|limb| limb[lane]), 26))
}

/// h r in every lane, and the residue of any sums after a reduction.
fn products<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let (h, hv) = lanes_of(&arena, s, "h", WIDE);
    let r = symbols(&arena, "r", CARRIED);
    let product = values_of(&arena, s, mul(s, pack(s, h), &packed_key(s, r)));
    let (d, dv) = lanes_of(&arena, s, "d", [ones(58) - ones(33); 5]);
    let reduced = values_of_three(&arena, s, reduce(s, d));
    for i in 0..N {
        assert_same(&product[i], &(&hv[i] * &arena.value(&r, 26)));
        assert_same(&reduced[i], &dv[i]);
    }
}

/// h r in the lanes of the last rho blocks, nothing in the others, whatever is there.
fn first_products<const N: usize>() {
    for rho in 1..=N {
        let arena = AlgebraArena::new();
        let s = arena.machine::<N>();
        let (h, hv) = lanes_of(&arena, s, "h", WIDE);
        let r = symbols(&arena, "r", CARRIED);
        let got = values_of(&arena, s, packed_first::mul(s, h, rho, &packed_key(s, r)));
        for block in 0..N {
            let i = lane_of_block(N, block);
            let used = if block < N - rho { Poly::default() } else { hv[i].clone() };
            assert_same(&got[i], &(used * arena.value(&r, 26)));
        }
    }
}

#[test]
fn products_and_reductions() {
    products::<4>();
    products::<8>();
}

#[test]
fn first_products_of_all_cases() {
    first_products::<4>();
    first_products::<8>();
}

fn named_keys<S: Shuffle32 + Ifma, const LAMBDA: usize>(arena: &AlgebraArena, s: S) -> Keys<S, LAMBDA> {
    Keys {
        gamma: core::array::from_fn(|i| packed_key(s, power_limbs::<R26>(arena, S::N * (i + 1)))),
        last: Key::new(s, power_lanes::<R26, _>(arena, s, 0)),
    }
}

/// First rows of every length, one row after them to LAMBDA + 1, whole and short last blocks, from any h. (More groups
/// are right because one is, for any value before it.)
fn whole_messages<const N: usize, const LAMBDA: usize>() {
    for rows in 1..=LAMBDA + 1 {
        for rho in 1..=N {
            one_message::<N, LAMBDA>(rho + N * rows, [16, 8, 3, 15, 1, 9][(rows + rho) % 6]);
        }
    }
}

fn one_message<const N: usize, const LAMBDA: usize>(l: usize, tail: usize) {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let h = symbols(&arena, "h", CUT26);
    let mut bytes = [0; 16 * 8 * (MAX_LAMBDA + 2)];
    let whole = 16 * (l - 1);
    let mut c = message(&arena, "m", &mut bytes[..whole]);
    c.push(short_block(&arena, &mut bytes[whole..whole + tail]));
    let lanes = evaluate(s, &named_keys::<_, LAMBDA>(&arena, s), h, &bytes[..whole + tail]);
    let got = value(&arena, lanes26::fold(arena.machine::<1>(), &lanes, N), 64);
    assert_same(&got, &spec::packed(N, LAMBDA, &arena.value(&h, 26), &c, power26));
}

#[test]
fn equals_its_formula() {
    whole_messages::<4, 1>();
    whole_messages::<4, 2>();
    whole_messages::<4, 3>();
    whole_messages::<8, 1>();
    whole_messages::<8, 2>();
    whole_messages::<8, 3>();
}

/// From the lane powers tau^N .. tau the set-up makes the powers that the formula names. (A key times one is its
/// value.)
fn set_up<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let mut one = lanes26::in_lane(s, [0; 5], 0);
    one[0] = Lanes::splat(s, 1);
    let keys = Keys::<_, MAX_LAMBDA>::new(s, power_lanes::<R26, _>(&arena, s, 0));
    let last = values_of(&arena, s, lanes26::mul(s, lanes26::limbs(s, one), &keys.last));
    for (lane, last) in last.iter().enumerate().take(N) {
        assert_same(last, &power26(N - block_of_lane(N, lane)));
    }
    let mut want = Poly::constant(1);
    for gamma in &keys.gamma {
        want = want * power26(N);
        for got in [mul(s, pack(s, one), gamma), packed_first::mul(s, one, N, gamma)] {
            values_of(&arena, s, got)[..N].iter().for_each(|got| assert_same(got, &want));
        }
    }
}

#[test]
fn keys_are_the_named_powers() {
    set_up::<4>();
    set_up::<8>();
}

/// Faults that the identities must notice: limbs packed in another order, words of the key exchanged, a block too few.
#[test]
fn faults_are_noticed() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<4>();
    let (h, hv) = lanes_of(&arena, s, "h", WIDE);
    let r = symbols(&arena, "r", CARRIED);
    let (key, lane) = (packed_key(s, r), lane_of_block(4, 2));
    let want = &hv[lane] * &arena.value(&r, 26);
    let proved = |product| same(&values_of(&arena, s, product)[lane], &want).is_ok();

    let [h0, h1, h2, h3, h4] = h;
    assert!(proved(mul(s, pack(s, h), &key)));
    assert!(!proved(mul(s, pack(s, [h0, h1, h3, h2, h4]), &key)));

    assert!(proved(packed_first::mul(s, h, 2, &key)));
    assert!(!proved(packed_first::mul(s, h, 1, &key)));
    let mut exchanged = key;
    exchanged.words.swap(0, 1);
    assert!(proved(packed_first::mul(s, h, 3, &key)));
    assert!(!proved(packed_first::mul(s, h, 3, &exchanged)));
    let exchanged = packed_key(s, [r[0], r[1], r[3], r[2], r[4]]);
    assert!(!proved(packed_first::mul(s, h, 2, &exchanged)));
}

/// A limb of 33 bits does not fit its half: the reduction's proof must not pass over it.
#[test]
fn a_limb_that_loses_bits_is_noticed() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<4>();
    let (t, tv) = lanes_of(&arena, s, "t", [ones(33), ones(26), ones(26), ones(26), ones(26)]);
    assert!(same(&values_of_three(&arena, s, pack(s, t))[0], &tv[0]).is_err());
}

/// Four rows of limbs with 29 bits before a reduction: the carry times five is no multiplicand any more.
#[test]
#[should_panic(expected = "the limb may exceed 32 bits")]
fn too_many_rows_without_a_reduction() {
    let arena = IntervalArena::new();
    let s = arena.machine::<4>();
    let key = PackedKey::of_lane0(s, CUT26.map(|top| [Range::upto(top); 4]));
    let d = mul(s, pack(s, [[Range::upto(ones(29)); 4]; 5]), &key);
    reduce(s, (0..3).fold(d, |sum, _| lanes26::add(s, sum, d)));
}
