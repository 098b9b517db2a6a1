//! How many operations each kernel asks for, and that they are what the papers say.
use super::{CUT26, CUT44, brw};
use crate::choose::plan::FirstProduct;
use crate::eval::brw::rows::Rows;
use crate::eval::horner::{GROUPS, Keys, group, last_rows};
use crate::eval::p1305::batch;
use crate::eval::p1305::window::{Table, add_row, load_row, next_window, prepare, rows, times};
use crate::field::groups::MAX_G;
use crate::field::p1305::lanes26::{self, Key, Radix26};
use crate::field::p1305::lanes44::Radix44;
use crate::field::p1305::word44::{self, Multiplier};
use crate::field::p1305::word64::{self, Clamped};
use crate::field::{Field, LaneField};
use crate::papers::packed::{self, PackedKey, pack, reduce};
use crate::papers::packed_first::first_product;
use crate::papers::packed_rows::{Gammas, balanced, with_tail};
use carryless_lanes::{Count, Lanes, Portable, Shuffle32, Tally};
use core::cell::Cell;
use std::boxed::Box;
use std::vec;

/// The portable backend of `N` lanes, counted for the rest of the test.
pub(super) type Counted<const N: usize> = Count<'static, Portable<N>>;

/// The operations that `kernel` executes on the portable backend of `N` lanes.
pub(super) fn count<const N: usize>(kernel: impl FnOnce(Counted<N>)) -> Tally {
    after::<N, ()>(|_| (), |s, ()| kernel(s))
}

/// What `kernel` does beyond what `set_up` did.
pub(super) fn after<const N: usize, T>(
    set_up: impl FnOnce(Counted<N>) -> T,
    kernel: impl FnOnce(Counted<N>, T),
) -> Tally {
    let tally: &'static Cell<Tally> = Box::leak(Box::default());
    let s = Count::new(Portable::<N>, tally);
    let ready = set_up(s);
    let before = tally.get();
    kernel(s, ready);
    tally.get() - before
}

pub(super) fn fe<const N: usize>() -> [[u64; N]; 5] {
    CUT26.map(|top| [top; N])
}

fn key<S: Lanes>(s: S) -> Key<S> {
    Key::splat(s, CUT26)
}

pub(super) fn multiplication<const N: usize>() -> Tally {
    after::<N, _>(key, |s, key| {
        lanes26::mul(s, fe(), &key);
    })
}

pub(super) fn carry<const N: usize>() -> Tally {
    count::<N>(|s| {
        lanes26::carry(s, fe());
    })
}

pub(super) fn rows_of<const N: usize, const G: usize>() -> Tally {
    after::<N, _>(
        |s| [key(s); G],
        |s, keys| {
            group(Radix26(s), fe(), &[0; 16 * 8 * MAX_G], &keys);
        },
    )
}

pub(super) fn rows_of_ifma<const G: usize>() -> Tally {
    after::<8, _>(
        |s| [Radix44(s).key([[1; 8]; 3]); G],
        |s, keys| {
            group(Radix44(s), [[1; 8]; 3], &[0; 16 * 8 * MAX_G], &keys);
        },
    )
}

pub(super) fn two_last_rows<const N: usize>() -> Tally {
    after::<N, _>(
        |s| [key(s); 2],
        |s, keys| {
            last_rows(Radix26(s), fe(), &[0; 16 * 8][..16 * N], &keys);
        },
    )
}

pub(super) fn window_row<const N: usize>() -> Tally {
    count::<N>(|s| {
        let keys = load_row(s, &Table::EMPTY.rows, 0);
        add_row(s, fe(), keys, s.load(&[0; 64]));
    })
}

pub(super) fn window<const N: usize>() -> Tally {
    after::<N, _>(key, |s, step| {
        next_window(s, &Table::EMPTY, &step, fe(), &[0; 16 * 32][..8 * N * rows(N)]);
    })
}

pub(super) fn whole_table<const N: usize>() -> Tally {
    after::<N, _>(key, |s, gamma| prepare(s, fe(), times(s, gamma), &mut Table::EMPTY.clone()))
}

pub(super) fn keys<const N: usize, const G: usize>() -> Tally {
    count::<N>(|s| {
        Keys::<_, G>::new(Radix26(s), fe());
    })
}

pub(super) fn word64_step() -> Tally {
    after::<1, _>(
        |s| Clamped::new(s, [3, 4]),
        |s, k| {
            word64::step(s, [1, 2, 3], &k, [4, 5], 1);
        },
    )
}

pub(super) fn word44_step() -> Tally {
    after::<1, _>(
        |s| Multiplier::new(s, CUT44),
        |s, k| {
            let m = word44::split(s, [4, 5], 1);
            word44::step(s, CUT44, m, &k);
        },
    )
}

pub(super) fn word44_two() -> Tally {
    after::<1, _>(
        |s| Multiplier::new(s, CUT44),
        |s, k| {
            let (a, b) = (word44::split(s, [4, 5], 1), word44::split(s, [6, 7], 1));
            word44::step_two(s, CUT44, a, b, &k, &k);
        },
    )
}

fn batch_step<const N: usize>() -> Tally {
    let bytes = [0; 16 * 8];
    after::<N, _>(
        |s| batch::Key::new(s, batch::words(s, &bytes)),
        |s, key| {
            let m = batch::words(s, &bytes);
            batch::horner(s, [[1; N]; 5], m, [1; N], &key);
        },
    )
}

fn packed_key<S: Shuffle32>(s: S) -> PackedKey<S> {
    PackedKey::of_lane0(s, lanes26::in_lane(s, CUT26, 0))
}

pub(super) fn packed_multiplication<const N: usize>() -> Tally {
    after::<N, _>(
        |s| (pack(s, fe()), packed_key(s)),
        |s, (t, key)| {
            packed::mul(s, t, &key);
        },
    )
}

pub(super) fn packed_reduction<const N: usize>() -> Tally {
    count::<N>(|s| {
        reduce(s, fe());
    })
}

pub(super) fn packed_first_multiplication<const N: usize>(rho: usize, first: FirstProduct) -> Tally {
    after::<N, _>(packed_key, |s, key| {
        first_product(s, fe(), rho, &key, first);
    })
}

/// All of a message with its key powers ready: balanced, and by Goll and Gueron's algorithm.
fn packed_message<const N: usize, const LAMBDA: usize>(len: usize, first: FirstProduct) -> [Tally; 2] {
    let bytes = vec![0; len];
    let keys = |s| ([packed_key(s); LAMBDA], key(s));
    [
        after::<N, _>(keys, |s, (gammas, last)| {
            balanced(s, Gammas::Ready(gammas), &last, CUT26, &bytes, first);
        }),
        after::<N, _>(keys, |s, (gammas, last)| {
            with_tail(s, Gammas::Ready(gammas), &last, CUT26, &bytes);
        }),
    ]
}

/// BRW of `n` rows by Algorithm 1 with leaves of 2^t - 1 rows.
pub(super) fn brw_rows<const N: usize, F: LaneField>(
    field: fn(Counted<N>) -> F,
    n: usize,
    t: usize,
) -> Tally {
    let bytes = vec![0; 16 * N * n];
    count::<N>(|s| {
        let rows = Rows::new(&bytes, 16 * N, 0, 8 * N);
        let powers = [F::limbs(F::Element::from_word(3)); 12];
        let _ = brw::evaluate(field(s), t, &powers, rows, None, false);
    })
}

/// Decimated Horner of `rows` rows, with powers at hand.
pub(super) fn horner_rows<const G: usize>(rows: usize) -> Tally {
    let bytes = vec![0; 64 * rows];
    after::<4, _>(
        |s| Keys::<_, G>::new(Radix26(s), fe()),
        |s, keys| {
            keys.evaluate(Radix26(s), Some(CUT26), &bytes);
        },
    )
}

/// Radix 2^32: 20 products and 15 sums for a clamped key.
#[test]
fn a_batch_step_is_what_it_says() {
    for tally in [batch_step::<2>(), batch_step::<4>(), batch_step::<8>()] {
        let (message, carry) = (5, 6 + 1);
        assert_eq!((tally.mul32, tally.add, tally.unpack), (20, 15 + message + carry, 2));
    }
}

/// Paper 000 section 3.4 and paper 003 Table 1: 25 `_mm256_mul_epu32` and 20 `_mm256_add_epi64`. The shuffles of the
/// packed layout (9 + 4) are not needed where each limb has a register.
#[test]
fn a_multiplication_is_that_of_papers_000_and_003() {
    let want = Tally { mul32: 25, add: 20, ..Tally::default() };
    assert_eq!([multiplication::<2>(), multiplication::<4>(), multiplication::<8>()], [want; 3]);
}

/// Paper 000 section 3.5: seven carries, each a shift, a mask and a sum; one of them times five, which is a product
/// there and a shift and a sum here.
#[test]
fn a_reduction_is_that_of_paper_000() {
    let want = Tally { shift: 7 + 1, mask: 7, add: 7 + 1, ..Tally::default() };
    assert_eq!([carry::<2>(), carry::<4>(), carry::<8>()], [want; 3]);
}

/// Paper 000 section 3.4 and paper 003 Table 1, in the papers' layout: 25 `_mm256_mul_epu32`, 20 `_mm256_add_epi64`,
/// 9 `_mm256_permutevar8x32_epi32` and 4 `_mm256_permute4x64_epi64`.
#[test]
fn a_packed_multiplication_is_that_of_papers_000_and_003() {
    let want = Tally { mul32: 25, add: 20, permute: 9 + 4, low32: 16, limb: 1, ..Tally::default() };
    assert_eq!([packed_multiplication::<4>(), packed_multiplication::<8>()], [want; 2]);
}

/// Paper 000 section 3.5: seven times a shift, a sum and a mask, five times a carry as a product, and
/// two blends of shifted vectors.
#[test]
fn a_packed_reduction_is_that_of_paper_000() {
    let carries = Tally { mul32: 1, limb: 2, splat: 1, add: 7, shift: 7, mask: 7, ..Tally::default() };
    let want = carries + Tally { shift: 2, blend: 2, ..Tally::default() };
    assert_eq!([packed_reduction::<4>(), packed_reduction::<8>()], [want; 2]);
}

/// Papers 000 section 4.4 and 003 section 4.1: 7 and 13 products in cases 1 and 2, and on eight lanes the fewest in all eight
/// cases. In registers three blocks of eight go as four, and more than half of a row as usual.
#[test]
fn a_first_multiplication_is_that_of_papers_000_and_003() {
    use FirstProduct::{Fewest, InRegisters, Usual};
    let four = |first| [1, 2, 3, 4].map(|rho| packed_first_multiplication::<4>(rho, first).mul32);
    let eight =
        |first| [1, 2, 3, 4, 5, 6, 7, 8].map(|rho| packed_first_multiplication::<8>(rho, first).mul32);
    assert_eq!([four(InRegisters), four(Fewest), four(Usual)], [[7, 13, 25, 25], [7, 13, 19, 25], [25; 4]]);
    assert_eq!(eight(InRegisters), [4, 7, 13, 13, 25, 25, 25, 25]);
    assert_eq!(eight(Fewest), [4, 7, 10, 13, 16, 19, 22, 25]);
    assert_eq!(eight(Usual), [25; 8]);
}

/// Paper 000 section 4.4 has 7 products and 7 sums in case 1, and 16 shuffles of operands that 8 sets have put
/// together. Here nothing is set, and there are 23 shuffles.
#[test]
fn the_sums_of_case_1_are_those_of_paper_000() {
    let tally = packed_first_multiplication::<4>(1, FirstProduct::InRegisters);
    assert_eq!((tally.mul32, tally.add), (7, 7));
    assert_eq!(tally.permute + tally.unpack + tally.blend, 23);
}

/// Paper 003, Algorithm 2 with section 3.2: the first multiplication by its case, one of 25 for every later row and for the
/// lane powers, and a reduction, with its product, for lambda rows.
#[test]
fn a_packed_message_takes_the_first_multiplication_of_its_case() {
    for rows in 0..=7_usize {
        let reductions = |lambda: usize| rows.div_ceil(lambda) as u32;
        let later = |first: u32| if rows == 0 { 25 } else { first + 25 * rows as u32 };
        for (rho, first) in (1..).zip([7, 13, 25, 25]) {
            let (len, in_registers) = (16 * (rho + 4 * rows) - 3, FirstProduct::InRegisters);
            let [one, four] =
                [packed_message::<4, 1>(len, in_registers), packed_message::<4, 4>(len, in_registers)];
            assert_eq!([one[0].mul32, four[0].mul32], [1, 4].map(|lambda| later(first) + reductions(lambda)));
        }
        for (rho, first) in (1..).zip([4, 7, 10, 13, 16, 19, 22, 25]) {
            let [got, _] = packed_message::<8, 2>(16 * (rho + 8 * rows), FirstProduct::Fewest);
            assert_eq!(got.mul32, later(first) + reductions(2));
        }
    }
}

/// Paper 003, Algorithm 1, with the tail of 000 section 3.3: one multiplication a row, of which the last is by the lane powers, and
/// one for each part of the tail, 3 of them at most on four lanes; the balanced algorithm has one more row instead.
#[test]
fn the_tail_takes_as_many_packings_as_paper_000_says() {
    for (tail, parts) in [
        (0, 0),
        (1, 1),
        (15, 1),
        (16, 1),
        (17, 2),
        (31, 2),
        (32, 1),
        (33, 2),
        (47, 2),
        (48, 2),
        (49, 3),
        (63, 3),
    ] {
        for rows in 0..4 {
            let [_, with_tail] = packed_message::<4, 1>((64 * rows + tail).max(1), FirstProduct::Usual);
            let parts = if rows + tail == 0 { 1 } else { parts };
            let reductions = (rows as u32).saturating_sub(1);
            assert_eq!(with_tail.mul32, 25 * (rows as u32 + parts) + reductions, "{tail} bytes");
        }
    }
    let [balanced, with_tail] = packed_message::<4, 1>(64 * 2 + 49, FirstProduct::Usual);
    assert_eq!((balanced.mul32, with_tail.mul32), (25 * 3 + 2, 25 * 5 + 1));
}

/// Paper 001 Table 3: one unreduced multiplication a row and one reduction for g rows, whatever the message.
#[test]
fn delayed_reduction_is_that_of_paper_001() {
    let groups =
        [rows_of::<4, 1>(), rows_of::<4, 2>(), rows_of::<4, 3>(), rows_of::<4, 4>(), rows_of::<4, MAX_G>()];
    let row = rows_of::<4, 1>() - multiplication::<4>() - carry::<4>();
    for (g, group) in GROUPS.map(|g| g as u32).into_iter().zip(groups) {
        assert_eq!((group.mul32, group.load), (25 * g, 2 * g));
        // What is not loading a row is a reduction: five shifts a row.
        assert_eq!(group.shift - g * row.shift, carry::<4>().shift);
        assert_eq!(group.mask - g * row.mask, carry::<4>().mask);
    }
}

/// Radix 2^44: eighteen multiply-adds a row, nine operations to cut it; a carry for g rows.
#[test]
fn a_row_of_52_bit_multiply_adds_is_what_it_says() {
    let cut = Tally { load: 2, unpack: 2, shift: 3, mask: 2, concat: 2, ..Tally::default() };
    // h << 8 twice and 20 2^8 h by two shifts, three carries at once, one of them around by a multiply-add. The last row
    // is where the sum begins.
    let carry = Tally { shift: 7, mask: 3, add: 6, madd52: 1, ..Tally::default() };
    let groups = [
        rows_of_ifma::<1>(),
        rows_of_ifma::<2>(),
        rows_of_ifma::<3>(),
        rows_of_ifma::<4>(),
        rows_of_ifma::<MAX_G>(),
    ];
    for (g, tally) in GROUPS.map(|g| g as u32).into_iter().zip(groups) {
        let rows = (0..g).fold(carry, |sum, _| sum + cut);
        assert_eq!(tally, Tally { madd52: rows.madd52 + 18 * g, splat: tally.splat, ..rows });
    }
}

/// A row of the window: N/2 blocks for 10 products, 10 sums, one load and one shift (`high32`; `low32` is free).
#[test]
fn a_window_is_what_it_says() {
    let row = Tally { load: 1, load_limb: 10, low32: 1, high32: 1, mul32: 10, add: 10, ..Tally::default() };
    assert_eq!([window_row::<2>(), window_row::<4>(), window_row::<8>()], [row; 3]);
    let state = Tally { mul32: 25, add: 25, limb: 5, load_words: 5, ..carry_and() };
    for (whole, rows) in [(window::<2>(), 16), (window::<4>(), 16), (window::<8>(), 8)] {
        let all = (0..rows).fold(state, |sum, _| sum + row);
        assert_eq!(whole, Tally { add: all.add + 8, ..all });
    }
}

fn carry_and() -> Tally {
    Tally { add: 0, ..carry::<4>() }
}

/// Four 64-bit products a block for clamped keys, nine for any key.
#[test]
fn scalar_steps() {
    assert_eq!((word64_step().mul, word44_step().mul, word44_two().mul), (6, 9, 18));
}
