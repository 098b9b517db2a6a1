//! Each kernel with a fault: the proofs must notice, or they prove nothing.
use super::bounds_lanes::CARRIED;
use super::radix::{R26, R26Of1271, R43, R44, Radix, message_of};
use super::values_horner::{folded, named_keys, power};
use super::{CUT26, CUT44, fixpoint, lanes_of, message, ones, same, spec, symbols, terms, value, values_of};
use crate::field::LaneField;
use crate::field::p1305::lanes26::{self, Fe, Key, Radix26};
use crate::field::p1305::lanes44::Key44;
use crate::field::p1305::word44::{self, Multiplier};
use crate::field::p1305::word64::{self, Clamped};
use carryless_lanes::{AlgebraArena, IntervalArena, Lanes, Range, Words};

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    FourTimes,
    NoLastCarry,
    JoinedByOr,
}

/// A copy of `lanes26::carry` with a planted fault, which the proofs must detect.
fn carry<S: Lanes>(s: S, [d0, d1, d2, d3, d4]: Fe<S>, fault: Fault) -> Fe<S> {
    let d4 = s.add(d4, s.shr(d3, 26));
    let d1 = s.add(d1, s.shr(d0, 26));
    let (d3, d0) = (s.low_bits(d3, 26), s.low_bits(d0, 26));
    let c = s.shr(d4, 26);
    let d0 = s.add(d0, if fault == Fault::FourTimes { s.shl(c, 2) } else { lanes26::times5(s, c) });
    let d2 = s.add(d2, s.shr(d1, 26));
    let (d4, d1) = (s.low_bits(d4, 26), s.low_bits(d1, 26));
    let d1 = s.add(d1, s.shr(d0, 26));
    let d3 = s.add(d3, s.shr(d2, 26));
    let (d0, d2) = (s.low_bits(d0, 26), s.low_bits(d2, 26));
    if fault == Fault::NoLastCarry {
        return [d0, d1, d2, d3, d4];
    }
    let top = s.shr(d3, 26);
    let d4 = if fault == Fault::JoinedByOr { s.concat(d4, top) } else { s.add(d4, top) };
    [d0, d1, d2, s.low_bits(d3, 26), d4]
}

fn carried_residue_is_kept(fault: Fault) -> bool {
    let arena = AlgebraArena::new();
    let s = arena.backend::<4>();
    let (d, dv) = lanes_of(&arena, s, "d", [ones(62); 5]);
    (0..4).all(|i| same(&values_of(&arena, s, carry(s, d, fault))[i], &dv[i]).is_ok())
}

#[test]
fn a_carry_times_four() {
    assert!(carried_residue_is_kept(Fault::None));
    assert!(!carried_residue_is_kept(Fault::FourTimes));
}

fn loop_bound(fault: Fault) {
    let arena = IntervalArena::new();
    let s = arena.backend::<4>();
    let key = Key::splat(s, CUT26.map(|top| arena.upto(top)));
    let start = CUT26.map(|top| [Range::upto(top); 4]);
    let row = Radix26(s).row(&[0; 64], 32);
    fixpoint(start, |a| {
        let sum = lanes26::add(s, a, row);
        carry(s, lanes26::mul(s, lanes26::limbs(s, sum), &key), fault)
    });
}

#[test]
fn the_copy_is_bounded() {
    loop_bound(Fault::None);
}

#[test]
#[should_panic(expected = "may exceed")]
fn a_missing_last_carry() {
    loop_bound(Fault::NoLastCarry);
}

/// The defect of three published AVX kernels: a carried limb has 26 bits and a little.
#[test]
#[should_panic(expected = "the operands may share a set bit")]
fn a_limb_joined_by_or() {
    loop_bound(Fault::JoinedByOr);
}

/// A delayed reduction that goes on for too long: 64 rows of limbs with 29 bits.
#[test]
#[should_panic(expected = "the sum may exceed 64 bits")]
fn too_many_rows_without_a_carry() {
    let arena = IntervalArena::new();
    let s = arena.backend::<4>();
    let key = Key::splat(s, CUT26.map(|top| arena.upto(top)));
    let limbs = [[Range::upto(ones(29)); 4]; 5];
    let start = lanes26::mul(s, limbs, &key);
    // A row adds up to 21 products of 29 and 26 bits to a limb, one and four times 5.
    (0..64).fold(start, |d, _| lanes26::mul_add(s, d, limbs, &key));
}

#[test]
fn key_limbs_exchanged() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<4>();
    let (h, hv) = lanes_of(&arena, s, "h", CARRIED);
    let r = symbols(&arena, "r", CUT26);
    let want = &hv[0] * &arena.value(&r, 26);
    let times =
        |key| values_of(&arena, s, lanes26::mul(s, lanes26::limbs(s, h), &Key::splat(s, key)))[0].clone();
    assert!(same(&times(r), &want).is_ok());
    assert!(same(&times([r[0], r[2], r[1], r[3], r[4]]), &want).is_err());
}

/// Powers at the wrong place: the last two rows exchanged, or two powers of gamma.
fn powers_exchanged<R: Radix>() {
    for fault in 0..3 {
        let arena = AlgebraArena::new();
        let s = arena.backend::<4>();
        let mut keys = named_keys::<R, 4, 3>(&arena, s);
        match fault {
            1 => keys.last.swap(0, 1),
            2 => keys.gamma.swap(0, 2),
            _ => (),
        }
        let h = super::radix::symbols::<R>(&arena, "h", R::CUT);
        let mut bytes = [0; 16 * 17];
        let bytes = &mut bytes[..R::BLOCK * 17];
        let c = message_of::<R>(&arena, "m", bytes);
        let got = folded::<R, 4, 3>(&arena, s, &keys, h, bytes);
        let want = spec::horner(4, 3, &super::radix::value::<R>(&arena, h), &c, power::<R>);
        assert_eq!(super::radix::same::<R>(&got, &want).is_ok(), fault == 0, "fault {fault}");
    }
}

#[test]
fn powers_exchanged_in_either_radix() {
    powers_exchanged::<R26>();
    powers_exchanged::<R44>();
    powers_exchanged::<R26Of1271>();
    powers_exchanged::<R43>();
}

/// 20 r must fit a multiplicand of 52 bits.
#[test]
#[should_panic(expected = "52 bits")]
fn a_key_that_is_too_wide_for_52_bits() {
    let arena = IntervalArena::new();
    let s = arena.backend::<8>();
    let f = R44::over(s);
    let r: [[Range; 8]; 3] = [[Range::upto(1 << 48); 8]; 3];
    let _ = f.mul(r, &Key44::new(s, r));
}

#[test]
fn a_block_without_its_pad() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<2>();
    let mut bytes = [0; 32];
    let c = message(&arena, "m", &mut bytes);
    assert!(same(&values_of(&arena, s, Radix26(s).row(&bytes, 16))[0], &c[0]).is_err());
}

#[test]
fn word64_with_a_wrong_multiple() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let (h, m) = (terms(&arena, "h", [u64::MAX, u64::MAX, 6]), terms(&arena, "m", [u64::MAX; 2]));
    let [r0, q] = terms(&arena, "r", [0x0fff_fffc_0fff_ffff, 0x03ff_ffff_03ff_ffff]);
    let r1 = Words::shl(s, q, 2);
    let want = value(&arena, h, 64) * value(&arena, [r0, r1], 64) + value(&arena, m, 64);
    let proved = |k: &Clamped<_>| {
        let out = word64::step(s, h, k, m, s.word(0));
        same(&value(&arena, out, 64), &want).is_ok()
    };
    assert!(proved(&Clamped::new(s, [r0, r1])));
    // Right is r1 + r1/4: r1 is a multiple of 4, and 2^130 is 5 modulo p.
    assert!(!proved(&Clamped { r0, r1, s1: s.add_word(r1, Words::shr(s, r1, 1)) }));
}

#[test]
fn word44_with_sixteen_times() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let [h, m, r] = ["h", "m", "r"].map(|name| terms(&arena, name, CUT44));
    let [hv, mv, rv] = [h, m, r].map(|limbs| value(&arena, limbs, 44));
    let k = Multiplier::new(s, r);
    let proved =
        |k: &Multiplier<_>| same(&value(&arena, word44::step(s, h, m, k), 44), &((&hv + &mv) * &rv)).is_ok();
    assert!(proved(&k));
    // Right is 20 times r[2]: 2^132 is 4 times 2^130, and that is 5 modulo p.
    assert!(!proved(&Multiplier { s2: Words::shl(s, r[2], 4), ..k }));
}

/// 5 r must fit a multiplicand.
#[test]
#[should_panic(expected = "the limb may exceed 32 bits")]
fn a_key_that_is_too_wide() {
    let arena = IntervalArena::new();
    let _ = Key::new(arena.backend::<2>(), [[Range::upto(1 << 30); 2]; 5]);
}
