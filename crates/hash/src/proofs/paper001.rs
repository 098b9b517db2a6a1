//! Tables 2, 3 and 4 of paper 001: products, reductions and key material, counted in the kernels and compared with the
//! paper's formulas.
use super::counts::{brw_rows, carry, count, horner_rows, keys, multiplication};
use crate::eval::brw::DecBrw;
use crate::eval::brw::ready::Ready;
use crate::eval::horner::{GROUPS, Keys};
use crate::field::LaneField;
use crate::field::groups::MAX_G;
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes26::Radix26;
use carryless_lanes::{Kernel, Portable, Tally};
use carryless_reference::{
    brw_cost, decbrwhash_cost, decbrwhash_key_bytes, decbrwhash_vector_cost, polyhash_key_bytes,
    polyhash_vector_cost,
};
use std::vec;

/// Products and reductions, where cutting the rows takes so many masks. A reduction takes seven.
fn products(tally: Tally, cuts: usize) -> (u64, u64) {
    let (product, reduction) = (multiplication::<4>().mul32, carry::<4>().mask);
    let masks = tally.mask - cuts as u32;
    assert_eq!((tally.mul32 % product, masks % reduction), (0, 0));
    (u64::from(tally.mul32 / product), u64::from(masks / reduction))
}

/// Tables 2 and 3, polyHash: a product for a row, a reduction for g of them, and g - 1 products for the powers of gamma. Ours
/// saves the reduction between the last two rows, and leaves that of the last product to words, as the paper does; rows
/// that fill no group are reduced one by one; and for g = 1 it makes one power more, that of the last row but one.
#[test]
fn polyhash() {
    for rows in 2..40 {
        let counted = [
            horner_rows::<1>(rows),
            horner_rows::<2>(rows),
            horner_rows::<3>(rows),
            horner_rows::<4>(rows),
            horner_rows::<MAX_G>(rows),
        ];
        for (g, tally) in GROUPS.map(|g| g as u64).into_iter().zip(counted) {
            let (multiplications, reductions) = polyhash_vector_cost(4 * rows as u64, 4, g);
            let alone = (rows as u64 - 2) % g;
            assert_eq!(
                products(tally, 4 * rows),
                (multiplications, reductions + alone - 1),
                "{rows} rows, g = {g}"
            );
        }
    }
    let prepared = [keys::<4, 1>(), keys::<4, 2>(), keys::<4, 3>(), keys::<4, 4>(), keys::<4, MAX_G>()];
    assert_eq!(prepared.map(|tally| tally.mul32 / 25), [1, 2 - 1, 3 - 1, 4 - 1, 8 - 1]);
}

/// Theorem 2, and through it Tables 2 and 3 for the BRW hashes: floor(n / 2) products and 1 + floor(n / 4) reductions for n
/// rows, for every t; and all other operations are the same for every t, too, but for constants that a larger leaf begins with.
#[test]
fn streams() {
    let work = |tally| Tally { splat: 0, limb: 0, ..tally };
    for n in 3..200 {
        let cost = brw_cost(n as u64);
        assert_eq!(decbrwhash_vector_cost(4 * n as u64, 4), (cost.multiplications, cost.reductions));
        let small = brw_rows::<4, _>(Radix26, n, 2);
        // A row takes four masks, the third of a whole group two.
        let cuts = 4 * n - 2 * (n / 4);
        assert_eq!(products(small, cuts), (cost.multiplications, cost.reductions), "{n} rows");
        for t in 3..=5 {
            assert_eq!(work(brw_rows::<4, _>(Radix26, n, t)), work(small), "{n} rows, t = {t}");
        }
    }
}

/// Vector products of 4-decBRWHash of `l` blocks in four lanes, from the message on.
fn whole_message(l: usize, t: usize) -> u64 {
    let msg = vec![0; 16 * l];
    let tau = Element::from_bytes(&[7; 16]);
    // Squares and weights are made in lanes, too; with powers at hand only the products of the message are left.
    let ready = &Ready::new(tau, l.div_ceil(4).ilog2() as usize);
    let hash = DecBrw { tau, ready: Some(ready), msg: &msg, bits: 128 * l as u64, c: 4, t, saved: None };
    let tally = count::<4>(|s| {
        let _ = hash.run(s);
    });
    u64::from(tally.mul32 / 25)
}

/// Table 3 for whole messages, one product more than for the streams alone: the streams meet their powers lane by
/// lane, where the paper takes c - 1 products for Q_(c+1) and one for tau Q_(c+1), in words. With L tau in words Table
/// 2's products are all there.
#[test]
fn whole_messages() {
    for l in 9..300 {
        let (multiplications, _) = decbrwhash_vector_cost(l as u64, 4);
        for t in 2..=5 {
            assert_eq!(whole_message(l, t), multiplications + 1, "{l} blocks, t = {t}");
        }
        let in_lanes = 4 * (multiplications + 1);
        assert_eq!(decbrwhash_cost(l as u64, 4).multiplications, in_lanes + 1, "{l} blocks");
    }
}

/// Bytes of the powers that decimated Horner keeps in four lanes, for g = 1 to 4.
pub(super) fn horner_key_bytes() -> [usize; 4] {
    type F = Radix26<Portable<4>>;
    [size_of::<Keys<F, 1>>(), size_of::<Keys<F, 2>>(), size_of::<Keys<F, 3>>(), size_of::<Keys<F, 4>>()]
}

/// Bytes of the powers that c-decBRWHash of `l` blocks keeps in lanes: tau^(2^j) for j up to lg n + 1, the last of them
/// tau^d, and tau^2 D^i for each stream.
pub(super) fn brw_key_bytes(l: u64, c: u64) -> usize {
    let rows = l.div_ceil(c);
    let powers = rows.ilog2() as usize + 2;
    (powers + c as usize) * size_of::<<Radix26<Portable<4>> as LaneField>::Limbs>()
}

/// Table 4a: 288 bytes for a power with its multiples by five; the paper's vector of the last row has no multiples (160
/// bytes), ours has them, and so has that of the last row but one. Table 4b, with tau: 160 bytes a power, 40 here.
#[test]
fn key_material() {
    for (g, bytes) in (1..).zip(horner_key_bytes()) {
        assert_eq!(bytes as u64 + 160, polyhash_key_bytes(g) + 2 * 288);
    }
    for l in 1..600 {
        let ours = brw_key_bytes(l, 4) as u64;
        assert_eq!(4 * (ours - 40 - 4 * 40), decbrwhash_key_bytes(l), "{l} blocks");
    }
}
