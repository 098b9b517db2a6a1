//! k P for a fixed P, by a signed comb with [`TEETH`] teeth and [`TABLES`] tables.
//!
//! An odd k below 2^D is the sum of D digits 1 or -1 times powers of two: digit i is 1 if bit i + 1 of k is set, the last digit is 1. With D = TEETH d, d = TABLES e,
//! the digits of column c are those at c, c + d, c + 2 d, ...; table v has all sums 2^(v e)(P +- 2^d P +- 2^2d P +- ...), of which one or its negative is the
//! part of column v e + j. Round j, from e - 1 down to 0, doubles and adds one entry of each table.
//!
//! Where the formulas for P + Q hold: before an addition of 2^(v e) t, t being odd, the sum so far is u P with an integer u = 2 (odd) + multiples of 2^e, or 2^e
//! times something in the first round, so that u is not +-2^(v e) t. In all rounds but the last |u| + |2^(v e) t| < n, and they are not congruent either. In the
//! last round they may be, for k near n: it adds by formulas that are complete.
use super::lambda::{LambdaAffine, add, double};
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// Digits of a column.
pub(super) const TEETH: u32 = 5;
/// Columns that share a doubling.
pub(super) const TABLES: u32 = 2;
/// Entries of a table: the first tooth has a plus.
pub(super) const ENTRIES: usize = 1 << (TEETH - 1);

/// e: how many rounds there are for k of so many bits.
pub(super) const fn rounds(bits: u32) -> u32 {
    bits.div_ceil(TEETH * TABLES)
}

/// X, L, Z of k P.
pub(super) struct Comb<'a, F> {
    /// The curve's a.
    pub(super) a: &'a [u64],
    /// x and lambda of all entries of the first table, then those of the second one.
    pub(super) tables: &'a [u64],
    /// k, which is odd and below 2^bits, by its words.
    pub(super) k: &'a [u64],
    pub(super) bits: u32,
    pub(super) out: [&'a mut [u64]; 3],
    pub(super) of: PhantomData<F>,
}

impl<F: KernelField> ClmulKernel for Comb<'_, F> {
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
            sum = add::<F, S>(s, a, sum, self.entry(s, v, j), j == 0);
        }
        for (out, coordinate) in self.out.into_iter().zip(sum) {
            F::store(s, coordinate, out);
        }
    }
}

impl<F: KernelField> Comb<'_, F> {
    /// The part of column v e + j, in constant time: every entry of the table is read.
    #[inline(always)]
    fn entry<S: Clmul>(&self, s: S, v: u32, j: u32) -> LambdaAffine<F::Vectors<S>> {
        let column = v * rounds(self.bits) + j;
        let negative = self.digit(column) ^ 1;
        let mut index = 0;
        for tooth in 1..TEETH {
            let digit = self.digit(column + tooth * TABLES * rounds(self.bits));
            index |= (digit ^ negative ^ 1) << (tooth - 1);
        }
        let table = &self.tables[v as usize * 2 * ENTRIES * F::WORDS..];
        let mut entry = [F::bit(s, 0); 2];
        for i in 0..ENTRIES {
            let mask = s.splat([equal(i as u64, index); 2]);
            let (x, l) =
                (F::load(s, &table[2 * i * F::WORDS..]), F::load(s, &table[(2 * i + 1) * F::WORDS..]));
            entry = [F::select(s, mask, entry[0], x), F::select(s, mask, entry[1], l)];
        }
        // lambda(-P) = lambda(P) + 1.
        [entry[0], F::add(s, entry[1], F::bit(s, negative))]
    }

    /// 1 or 0 for the digits 1 and -1. How many there are is public.
    #[inline(always)]
    fn digit(&self, i: u32) -> u64 {
        if i + 1 == TEETH * TABLES * rounds(self.bits) {
            return 1;
        }
        match self.k.get((i + 1) as usize / 64) {
            Some(word) => word >> ((i + 1) % 64) & 1,
            None => 0,
        }
    }
}

/// Ones if they are equal, for numbers below 2^63.
#[inline(always)]
fn equal(a: u64, b: u64) -> u64 {
    ((a ^ b).wrapping_sub(1) as i64 >> 63) as u64
}
