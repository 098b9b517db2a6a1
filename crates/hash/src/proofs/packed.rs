//! The packed layout of papers 000 and 003: no overflow over any number of rows, the value, and that proofs of it can
//! fail.
use super::bounds_lanes::{CARRIED, any_powers, assert_at_most, fold_and_freeze};
use super::radix::R26;
use super::values_horner::{power_lanes, power_limbs, power26};
use super::values_lanes::short_block;
use super::{
    CUT26, assert_same, fixpoint, join, lanes_of, message, ones, same, spec, symbols, value, values_of,
};
use crate::base::block_rows::{block_of_lane, lane_of_block};
use crate::choose::plan::{FirstProduct, MAX_LAMBDA};
use crate::field::lane_sums::store_pairs;
use crate::field::p1305::lanes26::{self, Key};
use crate::papers::packed::{PackedKey, Three, mul, pack, reduce, unpack};
use crate::papers::packed_first::{fewest, first_product, in_registers, in_registers_pays};
use crate::papers::packed_rows::{Gammas, add_rows, balanced, head_row, times_lane_powers, with_tail};
use carryless_lanes::{AlgebraArena, Ifma, IntervalArena, Lanes, Poly, Range, Shuffle32};
use std::vec::Vec;

/// The bound of limbs of T, as the documentation of `packed` has it.
const fn limb(lambda: usize) -> u64 {
    (1 << 26) + if lambda < 4 { 1 << 7 } else { 1 << 8 }
}

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

/// Any key, any value to start from, any first row by every first product, any number of groups of any size up to
/// LAMBDA, a whole or a short last row; then the lanes are added, packed and frozen.
fn any_rows<const N: usize, const LAMBDA: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let (h, bytes) = (CUT26.map(|top| arena.upto(top)), [0; 16 * 8 * MAX_LAMBDA]);
    let powers = any_powers::<R26, N>(&arena, s);
    let gammas: [PackedKey<_>; LAMBDA] = Gammas::OfLane0(powers).multipliers(s);
    let mut firsts = Vec::new();
    // The first product takes the power of the group behind it, which may have any size.
    for gamma in &gammas {
        for rho in 1..=N {
            let d0 = head_row(s, h, &bytes[..16 * rho], rho);
            firsts.extend(FirstProduct::ALL.map(|first| first_product(s, d0, rho, gamma, first)));
        }
    }
    let first = firsts.into_iter().reduce(join).unwrap();
    let after = |d: [[Range; N]; 5]| {
        // Groups of every size, whole or with a short last block.
        let sizes = (1..=LAMBDA).flat_map(|rows| [16 * N * rows, 16 * N * rows - 5]);
        sizes.map(|size| add_rows(s, d, &bytes[..size], &gammas)).reduce(join).unwrap()
    };
    let t =
        fixpoint(after(first), |t| gammas.iter().map(|gamma| after(mul(s, t, gamma))).reduce(join).unwrap());
    assert!(top(t) < limb(LAMBDA), "{t:x?}");
    let out = times_lane_powers(s, unpack(s, t), &Key::new(s, powers));
    assert_at_most(&out.to_vec(), &CARRIED);
    fold_and_freeze::<R26, N>(&arena, s, out, None);
}

#[test]
fn any_number_of_rows() {
    any_rows::<4, 1>();
    any_rows::<4, 2>();
    any_rows::<4, 3>();
    any_rows::<4, 4>();
    any_rows::<8, 1>();
    any_rows::<8, 2>();
    any_rows::<8, 3>();
    any_rows::<8, 4>();
}

/// Messages of up to three rows, whole and short, by both algorithms. What rows leave in the lanes is what `any_rows`
/// ends with, for any number of them, so that the tail is proved for all.
fn whole_algorithms<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let (h, bytes) = (CUT26.map(|top| arena.upto(top)), [0; 16 * 8 * 3]);
    let powers = any_powers::<R26, N>(&arena, s);
    let last = Key::new(s, powers);
    for len in (1..=16 * 3 * N).filter(|len| [0, 1, 5, 8, 15].contains(&(len % 16))) {
        let by_tail = with_tail::<_, 2>(s, Gammas::OfLane0(powers), &last, h, &bytes[..len]);
        let by_zeros =
            balanced::<_, 2>(s, Gammas::OfLane0(powers), &last, h, &bytes[..len], FirstProduct::Usual);
        for out in [by_tail, by_zeros] {
            assert_at_most(&out.to_vec(), &CARRIED);
            fold_and_freeze::<R26, N>(&arena, s, out, None);
        }
    }
}

#[test]
fn tails_and_short_messages() {
    whole_algorithms::<4>();
    whole_algorithms::<8>();
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
    let s = arena.backend::<N>();
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

/// h r in the lanes of the last rho blocks, nothing in the others: whatever is there, or, for three blocks of eight in
/// registers, if the block before them is zero.
fn first_products<const N: usize>() {
    for rho in 1..=N {
        let arena = AlgebraArena::new();
        let s = arena.backend::<N>();
        let (h, hv) = lanes_of(&arena, s, "h", WIDE);
        let r = symbols(&arena, "r", CARRIED);
        let key = packed_key(s, r);
        let check = |got| {
            let got = values_of(&arena, s, got);
            for block in 0..N {
                let i = lane_of_block(N, block);
                let used = if block < N - rho { Poly::default() } else { hv[i].clone() };
                assert_same(&got[i], &(used * arena.value(&r, 26)));
            }
        };
        check(fewest(s, h, rho, &key));
        if in_registers_pays(N, rho) {
            let used = s.load_words(&core::array::from_fn::<_, 8, _>(|lane| {
                let used = lane < N && block_of_lane(N, lane) >= N - rho;
                if rho.is_power_of_two() || used { u64::MAX } else { 0 }
            }));
            check(in_registers(s, h.map(|limb| s.select(limb, used)), rho, &key));
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

/// gamma, gamma^2, .. by name.
fn named<S: Shuffle32 + Ifma, const LAMBDA: usize>(arena: &AlgebraArena, s: S) -> [PackedKey<S>; LAMBDA] {
    core::array::from_fn(|i| packed_key(s, power_limbs::<R26>(arena, S::N * (i + 1))))
}

/// First rows of every length, no row after them to LAMBDA + 1, whole and short last blocks, from any h, by both
/// algorithms. (More groups are right because one is, for any value before it.)
fn whole_messages<const N: usize, const LAMBDA: usize>() {
    for rows in 0..=LAMBDA + 1 {
        for rho in 1..=N {
            one_message::<N, LAMBDA>(rho + N * rows, [16, 8, 3, 15, 1, 9][(rows + rho) % 6]);
        }
    }
}

fn one_message<const N: usize, const LAMBDA: usize>(l: usize, tail: usize) {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let h = symbols(&arena, "h", CUT26);
    let mut bytes = [0; 16 * 8 * (MAX_LAMBDA + 2)];
    let whole = 16 * (l - 1);
    let mut c = message(&arena, "m", &mut bytes[..whole]);
    c.push(short_block(&arena, &mut bytes[whole..whole + tail]));
    let (gammas, last) = (named::<_, LAMBDA>(&arena, s), Key::new(s, power_lanes::<R26, _>(&arena, s, 0)));
    let (hv, msg) = (arena.value(&h, 26), &bytes[..whole + tail]);
    let is = |lanes, want: &Poly| {
        let pairs = store_pairs(s, lanes);
        assert_same(&value(&arena, lanes26::fold(arena.backend::<1>(), &pairs, N, None), 64), want);
    };
    let want = spec::packed(N, LAMBDA, &hv, &c, power26);
    // Later rows are the same after any first product.
    let firsts = if l > 2 * N { &FirstProduct::ALL[1..2] } else { &FirstProduct::ALL[..] };
    for &first in firsts {
        is(balanced(s, Gammas::Ready(gammas), &last, h, msg, first), &want);
    }
    let want = spec::goll_gueron(N, LAMBDA, &hv, (&c, tail < 16), power26);
    is(with_tail(s, Gammas::Ready(gammas), &last, h, msg), &want);
}

#[test]
fn equals_its_formula() {
    whole_messages::<4, 1>();
    whole_messages::<4, 2>();
    whole_messages::<4, 3>();
    whole_messages::<4, 4>();
}

/// The polynomials of many rows are large: of four rows for a reduction one group after a first row of one block.
#[test]
fn equals_its_formula_on_eight_lanes() {
    whole_messages::<8, 1>();
    whole_messages::<8, 2>();
    one_message::<8, 4>(1 + 8 * 4, 15);
}

#[test]
fn equals_its_formula_on_eight_lanes_with_three_rows() {
    whole_messages::<8, 3>();
}

/// From the lane powers tau^N .. tau the set-up makes the powers that the formula names. (A key times one is its
/// value.)
fn set_up<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let mut one = lanes26::in_lane(s, [0; 5], 0);
    one[0] = Lanes::splat(s, 1);
    let powers = power_lanes::<R26, _>(&arena, s, 0);
    let last = values_of(&arena, s, lanes26::mul(s, lanes26::limbs(s, one), &Key::new(s, powers)));
    for (lane, last) in last.iter().enumerate().take(N) {
        assert_same(last, &power26(N - block_of_lane(N, lane)));
    }
    let mut want = Poly::constant(1);
    let gammas: [PackedKey<_>; MAX_LAMBDA] = Gammas::OfLane0(powers).multipliers(s);
    for gamma in &gammas {
        want = want * power26(N);
        for got in [mul(s, pack(s, one), gamma), fewest(s, one, N, gamma)] {
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
    let s = arena.backend::<4>();
    let (h, hv) = lanes_of(&arena, s, "h", WIDE);
    let r = symbols(&arena, "r", CARRIED);
    let (key, lane) = (packed_key(s, r), lane_of_block(4, 2));
    let want = &hv[lane] * &arena.value(&r, 26);
    let proved = |product| same(&values_of(&arena, s, product)[lane], &want).is_ok();

    let [h0, h1, h2, h3, h4] = h;
    assert!(proved(mul(s, pack(s, h), &key)));
    assert!(!proved(mul(s, pack(s, [h0, h1, h3, h2, h4]), &key)));

    assert!(proved(fewest(s, h, 2, &key)));
    assert!(!proved(fewest(s, h, 1, &key)));
    let mut exchanged = key;
    exchanged.words.swap(0, 1);
    assert!(proved(fewest(s, h, 3, &key)));
    assert!(!proved(fewest(s, h, 3, &exchanged)));
    let exchanged = packed_key(s, [r[0], r[1], r[3], r[2], r[4]]);
    assert!(!proved(fewest(s, h, 2, &exchanged)));
}

/// A limb of 33 bits does not fit its half: the reduction's proof must not pass over it.
#[test]
fn a_limb_that_loses_bits_is_noticed() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<4>();
    let (t, tv) = lanes_of(&arena, s, "t", [ones(33), ones(26), ones(26), ones(26), ones(26)]);
    assert!(same(&values_of_three(&arena, s, pack(s, t))[0], &tv[0]).is_err());
}

/// Four rows of limbs with 29 bits before a reduction: the carry times five is no multiplicand any more.
#[test]
#[should_panic(expected = "the limb may exceed 32 bits")]
fn too_many_rows_without_a_reduction() {
    let arena = IntervalArena::new();
    let s = arena.backend::<4>();
    let key = PackedKey::of_lane0(s, CUT26.map(|top| [Range::upto(top); 4]));
    let d = mul(s, pack(s, [[Range::upto(ones(29)); 4]; 5]), &key);
    reduce(s, (0..3).fold(d, |sum, _| lanes26::add(s, sum, d)));
}
