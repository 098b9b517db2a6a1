//! k P for a fixed P, by a signed comb with [`TEETH`] teeth in two halves of [`TABLES`] tables each.
//!
//! An odd k below 2^D is the sum of D digits 1 or -1 times powers of two: digit i is 1 if bit i + 1 of k is set, the last digit is 1. With D = TEETH d, d = 2 TABLES e,
//! the digits of column c are those at c, c + d, c + 2 d, ...; table t of all has the sums 2^(t e)(P +- 2^d P +- 2^2d P +- ...), of which one or its negative is the
//! part of column t e + j. Round j, from e - 1 down to 0, doubles and adds one entry of each table of the half. The halves are independent: they run in two lanes, or
//! one after the other.
//!
//! Where the formulas for P + Q hold: the sum of a half is u times 2^(TABLES half e) P. Before an addition of 2^(v e) t, t being odd, u is 2 (odd) + multiples of 2^e, or 2^e
//! times something in the first round, so that u is not +-2^(v e) t. And |u| + |2^(v e) t| is at most the largest sum of a half: if that is below n,
//! [`has_no_exceptions`], they are not congruent either. It is for all curves but small ones, whose additions are complete instead.
use super::lambda::{LambdaAffine, add, add_complete, double};
use super::paired::ROW;
use super::table::{Table, look_up};
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// Digits of a column.
pub(super) const TEETH: u32 = 5;
/// Columns of a half that share a doubling.
pub(super) const TABLES: u32 = 2;
/// Entries of a table: the first tooth has a plus.
pub(super) const ENTRIES: usize = 1 << (TEETH - 1);
/// Parts of k P that are computed independently, each with its own tables.
pub(super) const HALVES: u32 = 2;

/// e: how many rounds there are for k of so many bits.
pub(super) const fn rounds(bits: u32) -> u32 {
    bits.div_ceil(TEETH * HALVES * TABLES)
}

/// d: from one digit of a column to the next.
const fn distance(bits: u32) -> u32 {
    HALVES * TABLES * rounds(bits)
}

/// Whether n is larger than any sum of a half. n has `bits` bits, of which the first `leading_ones` are ones. The sum is below
/// 2^((TEETH - 1) d + TABLES e), and if n is as long, below its first TABLES e + 1 ones.
pub(super) const fn has_no_exceptions(bits: u32, leading_ones: u32) -> bool {
    let half = TABLES * rounds(bits);
    let sum_bits = (TEETH - 1) * distance(bits) + half;
    sum_bits < bits || sum_bits == bits && leading_ones > half
}

/// X, L, Z of the parts of k P by the halves, side by side: of both on a machine with two lanes, otherwise of one. With
/// `COMPLETE` the additions have no exceptions; that is for one lane.
pub(super) struct Comb<'a, F, const COMPLETE: bool> {
    /// The curve's a.
    pub(super) a: &'a [u64],
    /// Of each table of a half, of each entry, x and lambda: one for each half side by side. A word follows.
    pub(super) tables: &'a [u64],
    /// k, which is odd and below 2^bits, by its words.
    pub(super) k: &'a [u64],
    pub(super) bits: u32,
    /// The half in lane 0.
    pub(super) half: u32,
    pub(super) out: &'a mut [[u64; ROW]; 3],
    pub(super) of: PhantomData<F>,
}

impl<F: KernelField, const COMPLETE: bool> ClmulKernel for Comb<'_, F, COMPLETE> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let a = F::constant(s, self.a);
        let (e, last) = (rounds(self.bits), TABLES - 1);
        let [x, l] = self.entry(s, last, e - 1);
        let mut sum = [x, l, F::bit(s, 1)];
        let mut step = TABLES * e - 1;
        while step > 0 {
            step -= 1;
            let (j, v) = (step / TABLES, step % TABLES);
            if v == last {
                sum = double::<F, S>(s, a, sum);
            }
            let [x, l] = self.entry(s, v, j);
            sum = if const { COMPLETE } {
                add_complete::<F, S>(s, a, sum, [x, l, F::bit(s, 1)])
            } else {
                add::<F, S>(s, sum, [x, l])
            };
        }
        let at = self.half as usize * F::WORDS;
        for (out, coordinate) in self.out.iter_mut().zip(sum) {
            F::store(s, coordinate, &mut out[at..]);
        }
    }
}

impl<F: KernelField, const COMPLETE: bool> Comb<'_, F, COMPLETE> {
    /// The part of column v e + j of the half, in constant time: every entry of the table is read.
    #[inline(always)]
    fn entry<S: Clmul>(&self, s: S, v: u32, j: u32) -> LambdaAffine<F::Vectors<S>> {
        let (negative, masks) = self.index(s, v * rounds(self.bits) + j);
        look_up::<F, S, { TEETH as usize - 1 }>(s, &HalfTable { comb: self, v }, negative, masks)
    }

    /// Ones where the part of a column is the negative of an entry, and ones for the bits of that entry's number.
    #[inline(always)]
    fn index<S: Clmul>(&self, s: S, column: u32) -> (S::X, [S::X; TEETH as usize - 1]) {
        let half = TABLES * rounds(self.bits);
        let mut digits = [[0; 4]; TEETH as usize];
        for lane in 0..S::K {
            let first = column + (self.half + lane as u32) * half;
            let negative = !self.digit(first);
            digits[0][2 * lane..][..2].copy_from_slice(&[negative; 2]);
            for tooth in 1..TEETH {
                let digit = self.digit(first + tooth * distance(self.bits));
                digits[tooth as usize][2 * lane..][..2].copy_from_slice(&[!(digit ^ negative); 2]);
            }
        }
        let mut masks = [s.zero(); TEETH as usize - 1];
        for (mask, digits) in masks.iter_mut().zip(&digits[1..]) {
            *mask = s.load_lanes(digits, 2);
        }
        (s.load_lanes(&digits[0], 2), masks)
    }

    /// Ones or 0 for the digits 1 and -1. How many there are is public.
    #[inline(always)]
    fn digit(&self, i: u32) -> u64 {
        if i + 1 == TEETH * distance(self.bits) {
            return !0;
        }
        match self.k.get((i + 1) as usize / 64) {
            Some(word) => (word >> ((i + 1) % 64) & 1).wrapping_neg(),
            None => 0,
        }
    }
}

/// Table v of the half in each lane.
struct HalfTable<'a, 'b, F, const COMPLETE: bool> {
    comb: &'a Comb<'b, F, COMPLETE>,
    v: u32,
}

impl<F: KernelField, const COMPLETE: bool> Table<F> for HalfTable<'_, '_, F, COMPLETE> {
    #[inline(always)]
    fn load<S: Clmul>(&self, s: S, entry: usize) -> LambdaAffine<F::Vectors<S>> {
        let Comb { tables, half, .. } = *self.comb;
        let row = HALVES as usize * F::WORDS;
        let at = 2 * (self.v as usize * ENTRIES + entry) * row + half as usize * F::WORDS;
        [F::load(s, &tables[at..]), F::load(s, &tables[at + row..])]
    }
}
