//! k P for a fixed P, by a signed comb with five teeth, or six for long k, and [`TABLES`] tables, in two halves of two tables each, or on four lanes in four parts of one.
//!
//! An odd k below 2^D is the sum of D digits 1 or -1 times powers of two: digit i is 1 if bit i + 1 of k is set, the last digit is 1. With D = T d for T teeth, d = TABLES e,
//! the digits of column c are those at c, c + d, c + 2 d, ...; table t has the sums 2^(t e)(P +- 2^d P +- 2^2d P +- ...), of which one or its negative is the
//! part of column t e + j. Round j, from e - 1 down to 0, doubles and adds one entry of each table of the part. The parts are independent: they run in lanes, or
//! one after the other.
//!
//! Where the formulas for P + Q hold: the sum of a part is u times 2^(t e) P, t being its first table. Before an addition of 2^(v e) w, w being odd, u is 2 (odd) + multiples of 2^e, or 2^e
//! times something in the first round, so that u is not +-2^(v e) w. And |u| + |2^(v e) w| is at most the largest sum of a half: if that is below n,
//! [`has_no_exceptions`], they are not congruent either. It is for all curves but small ones, whose additions are complete instead. Two of four parts become a half in the
//! same way, the sum of one being odd and that of the other a multiple of 2^e, both times the same power of two.
use super::lambda::{LambdaAffine, add, add_complete, add_projective, double};
use super::paired::ROW;
use super::table::{Table, look_up};
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// Tables of all parts.
pub(super) const TABLES: u32 = 4;
/// Parts of k P whose sum is made outside of the kernel.
pub(super) const HALVES: u32 = 2;

/// Words of all tables in a row: two of an element of each.
pub(super) const ROW_WORDS: usize = 2 * TABLES as usize;

/// Digits of a column, for k of so many bits. A tooth more makes tables twice as long, which pays where a round takes much longer than their scan.
pub(super) const fn teeth(bits: u32) -> u32 {
    if bits > 256 { 6 } else { 5 }
}

/// The parts of k P that are computed independently, on a machine with so many lanes.
const fn parts_of(lanes: usize) -> u32 {
    if lanes as u32 > HALVES { lanes as u32 } else { HALVES }
}

/// The table in a place of a row. Half p has the tables 2 p and 2 p + 1; the first ones of both stand side by side, then the second ones.
pub(super) const fn table_at(place: u32) -> u32 {
    place % HALVES * (TABLES / HALVES) + place / HALVES
}

/// e: how many rounds there are for k of so many bits.
pub(super) const fn rounds(bits: u32) -> u32 {
    bits.div_ceil(teeth(bits) * TABLES)
}

/// d: from one digit of a column to the next.
const fn distance(bits: u32) -> u32 {
    TABLES * rounds(bits)
}

/// Whether n is larger than any sum of a half. n has `bits` bits, of which the first `leading_ones` are ones. The sum is below
/// 2^((T - 1) d + 2 e), and if n is as long, below its first 2 e + 1 ones.
pub(super) const fn has_no_exceptions(bits: u32, leading_ones: u32) -> bool {
    let half = TABLES / HALVES * rounds(bits);
    let sum_bits = (teeth(bits) - 1) * distance(bits) + half;
    sum_bits < bits || sum_bits == bits && leading_ones > half
}

/// X, L, Z of the halves of k P, side by side: of both on a machine with lanes, otherwise of one. The numbers of a table's entries have `BITS` bits, one for each tooth
/// but the first, which has a plus. With `COMPLETE` the additions have no exceptions; that is for one lane.
pub(super) struct Comb<'a, F, const BITS: usize, const COMPLETE: bool> {
    /// The curve's a.
    pub(super) a: &'a [u64],
    /// Of each entry, x and lambda of all tables in rows of [`ROW_WORDS`], two words of each table in its [place](table_at).
    pub(super) tables: &'a [u64],
    /// k, which is odd and below 2^bits, by its words.
    pub(super) k: &'a [u64],
    pub(super) bits: u32,
    /// The half in lane 0.
    pub(super) half: u32,
    pub(super) out: &'a mut [[u64; ROW]; 3],
    pub(super) of: PhantomData<F>,
}

impl<F: KernelField, const BITS: usize, const COMPLETE: bool> ClmulKernel for Comb<'_, F, BITS, COMPLETE> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        const { assert!(S::K * F::WORDS < ROW) };
        let a = F::constant(s, self.a);
        let (e, tables) = (rounds(self.bits), TABLES / parts_of(S::K));
        let [x, l] = self.entry(s, tables - 1, e - 1);
        let mut sum = [x, l, F::bit(s, 1)];
        let mut step = tables * e - 1;
        while step > 0 {
            step -= 1;
            let (j, v) = (step / tables, step % tables);
            if v == tables - 1 {
                sum = double::<F, S>(s, a, sum);
            }
            let [x, l] = self.entry(s, v, j);
            sum = if const { COMPLETE } {
                add_complete::<F, S>(s, a, sum, [x, l, F::bit(s, 1)])
            } else {
                add::<F, S>(s, sum, [x, l])
            };
        }
        if const { S::K > HALVES as usize } {
            // Tables 0 and 2 in the lower lanes, 1 and 3 in the upper ones.
            let [x, l, z] = sum;
            let upper = [
                F::lanes_from(s, S::K / 2, x, x),
                F::lanes_from(s, S::K / 2, l, l),
                F::lanes_from(s, S::K / 2, z, z),
            ];
            sum = add_projective::<F, S>(s, sum, upper);
        }
        let at = self.half as usize * F::WORDS;
        for (out, coordinate) in self.out.iter_mut().zip(sum) {
            F::store(s, coordinate, &mut out[at..]);
        }
    }
}

impl<F: KernelField, const BITS: usize, const COMPLETE: bool> Comb<'_, F, BITS, COMPLETE> {
    /// What column j of table v of each part adds, in constant time: every entry of the table is read.
    #[inline(always)]
    fn entry<S: Clmul>(&self, s: S, v: u32, j: u32) -> LambdaAffine<F::Vectors<S>> {
        let place = v * parts_of(S::K) + self.half;
        let (negative, masks) = self.index(s, place, j);
        look_up::<F, S, BITS>(s, &Tables { comb: self, place }, negative, masks)
    }

    /// Ones where column j of the table in each lane adds the negative of an entry, and ones for the bits of that entry's number.
    #[inline(always)]
    fn index<S: Clmul>(&self, s: S, place: u32, j: u32) -> (S::X, [S::X; BITS]) {
        let mut signs = [0; 8];
        let mut digits = [[0; 8]; BITS];
        for lane in 0..S::K {
            let first = table_at(place + lane as u32) * rounds(self.bits) + j;
            let negative = !self.digit(first);
            signs[2 * lane..][..2].copy_from_slice(&[negative; 2]);
            for (digits, tooth) in digits.iter_mut().zip(1..) {
                let digit = self.digit(first + tooth * distance(self.bits));
                digits[2 * lane..][..2].copy_from_slice(&[!(digit ^ negative); 2]);
            }
        }
        let mut masks = [s.zero(); BITS];
        for (mask, digits) in masks.iter_mut().zip(&digits) {
            *mask = s.load_lanes(digits, 2);
        }
        (s.load_lanes(&signs, 2), masks)
    }

    /// Ones or 0 for the digits 1 and -1. How many there are is public.
    #[inline(always)]
    fn digit(&self, i: u32) -> u64 {
        if i + 1 == (BITS as u32 + 1) * distance(self.bits) {
            return !0;
        }
        match self.k.get((i + 1) as usize / 64) {
            Some(word) => (word >> ((i + 1) % 64) & 1).wrapping_neg(),
            None => 0,
        }
    }
}

/// A table in each lane, from this place of a row on.
struct Tables<'a, 'b, F, const BITS: usize, const COMPLETE: bool> {
    comb: &'a Comb<'b, F, BITS, COMPLETE>,
    place: u32,
}

impl<F: KernelField, const BITS: usize, const COMPLETE: bool> Table<F> for Tables<'_, '_, F, BITS, COMPLETE> {
    #[inline(always)]
    fn load<S: Clmul>(&self, s: S, entry: usize) -> LambdaAffine<F::Vectors<S>> {
        let coordinate = F::WORDS.div_ceil(2) * ROW_WORDS;
        let at = 2 * entry * coordinate + 2 * self.place as usize;
        let [x, l] = [at, at + coordinate].map(|at| &self.comb.tables[at..]);
        [F::load_rows(s, x, ROW_WORDS), F::load_rows(s, l, ROW_WORDS)]
    }
}
