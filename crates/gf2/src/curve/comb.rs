//! k P for a fixed P, by a signed comb with [`TABLES`] tables. The comb has five teeth, or six for long k. It
//! is computed in two halves of two tables each, or on four lanes in four parts of one table each.
//!
//! *Digits.* An odd k below 2^D is a sum of D digits 1 or -1 times powers of two. Digit i is 1 if bit i + 1 of
//! k is set; the last digit is 1. Let D = T d for T teeth, and d = TABLES e. Column c consists of the T digits
//! at c, c + d, c + 2 d, ... Table t holds the sums 2^(t e) (P +- 2^d P +- 2^2d P +- ...). One of them, or its
//! negative, is the contribution of column t e + j.
//!
//! *Rounds.* Round j, from e - 1 down to 0, doubles the sum and adds one entry of each table of the part. The
//! parts are independent: they run in lanes, or one after the other.
//!
//! *No exceptions.* The formula for P + Q requires different points. The sum of a part is u 2^(t e) P, where t
//! is its first table. Before an addition of 2^(v e) w with an odd w, u is twice an odd number plus multiples
//! of 2^e, or in the first round a multiple of 2^e. So u is not +-2^(v e) w. Moreover |u| + |2^(v e) w| is at
//! most the largest sum of a half. If that is below n ([`has_no_exceptions`]), the two are not congruent modulo
//! n either. This holds for all public curves; the small ones of tests use complete additions. Two of four
//! parts become a half in the same way: up to a power of two, one sum is odd and the other one a multiple of
//! 2^e.
use super::lambda::{LambdaAffine, add, add_complete, add_projective, double};
use super::paired::ROW;
use super::table::{Table, look_up};
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::marker::PhantomData;

/// The number of tables of all parts together.
pub(super) const TABLES: u32 = 4;
/// The number of parts of k P whose sum is computed outside of the kernel.
pub(super) const HALVES: u32 = 2;

/// The number of words of a row: two words of an element of each table.
pub(super) const ROW_WORDS: usize = 2 * TABLES as usize;

/// The number T of digits of a column, for k of `bits` bits. One tooth more doubles the tables, which pays
/// where a round takes much longer than scanning them.
pub(super) const fn teeth(bits: u32) -> u32 {
    if bits > 256 { 6 } else { 5 }
}

/// The number of parts that are computed independently, on a backend with `lanes` lanes.
const fn parts_of(lanes: usize) -> u32 {
    if lanes as u32 > HALVES { lanes as u32 } else { HALVES }
}

/// The table whose words are at this place of a row. Half p has the tables 2 p and 2 p + 1. The first tables of
/// both halves lie side by side, then the second ones.
pub(super) const fn table_at(place: u32) -> u32 {
    place % HALVES * (TABLES / HALVES) + place / HALVES
}

/// The number e of rounds, for k of `bits` bits.
pub(super) const fn rounds(bits: u32) -> u32 {
    bits.div_ceil(teeth(bits) * TABLES)
}

/// The distance d between the digits of a column, for k of `bits` bits.
const fn distance(bits: u32) -> u32 {
    TABLES * rounds(bits)
}

/// Whether n exceeds every sum of a half, where n has `bits` bits, of which the first `leading_ones` are ones.
///
/// The sums are below 2^((T - 1) d + 2 e). If n has just as many bits, its leading ones decide: the sums are
/// below the number whose first 2 e + 1 bits are ones and whose other bits are 0.
pub(super) const fn has_no_exceptions(bits: u32, leading_ones: u32) -> bool {
    // A half has 2 e columns of T digits. If all are 1, its sum is
    // (2^(2 e) - 1)(1 + 2^d + ... + 2^((T - 1) d)), without the power of two of its first table. d = 4 e
    // makes that less than 2^((T - 1) d + 2 e).
    let half = TABLES / HALVES * rounds(bits);
    let sum_bits = (teeth(bits) - 1) * distance(bits) + half;
    sum_bits < bits || sum_bits == bits && leading_ones > half
}

/// The additions of a comb, the const parameter `COMPLETE`: right for all points, equal ones and infinity too.
pub(super) const COMPLETE_SUMS: bool = true;
/// The additions of a comb are right for what [`has_no_exceptions`] says never occurs, and take less.
pub(super) const INCOMPLETE_SUMS: bool = false;

/// The kernel of the comb. It computes X, L, Z of the halves of k P side by side: of both on a backend
/// with lanes, otherwise of one.
///
/// An entry's index in its table has `BITS` bits, one for each tooth but the first, whose sign is always plus.
/// With `COMPLETE` the additions have no exceptions; that is for one lane only.
pub struct Comb<'a, F, const BITS: usize, const COMPLETE: bool> {
    /// The words of the curve's coefficient a.
    pub(super) a: &'a [u64],
    /// For each entry x and lambda of all tables, in rows of [`ROW_WORDS`] words: two words of
    /// each table, at its [place](table_at).
    pub(super) tables: &'a [u64],
    /// The words of k, which is odd and below 2^bits.
    pub(super) k: &'a [u64],
    pub(super) bits: u32,
    /// The number of the half in lane 0.
    pub(super) half: u32,
    pub(super) out: &'a mut [[u64; ROW]; 3],
    pub(super) of: PhantomData<F>,
}

impl<F: KernelField, const BITS: usize, const COMPLETE: bool> ClmulKernel for Comb<'_, F, BITS, COMPLETE> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // One row of `out` has room for an element of every lane, and for the word that a store of lanes may
        // touch.
        const { assert!(S::K * F::WORDS < ROW) };
        let a = F::constant(s, self.a);
        // The sum begins with the first entry, so infinity never occurs. An entry is affine, hence Z = 1.
        // A part of t tables takes e - 1 doublings (five products, four squares), t e - 1 additions (eight
        // products, two squares) and t e scans of a table.
        let (e, tables) = (rounds(self.bits), TABLES / parts_of(S::K));
        let [x, l] = self.entry(s, tables - 1, e - 1);
        let mut sum = [x, l, F::bit(s, 1)];
        let mut step = tables * e - 1;
        while step > 0 {
            step -= 1;
            // Invariant at the end of a step: sum = the sum of 2^(j' - j) times the entries of all columns j'
            // and tables v' added so far. Tables of a round are added from the last one down, and the
            // doubling comes before the first of them. The number of steps depends on the bits of n alone.
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
            // The lower lanes have the sums by tables 0 and 2, the upper ones those by 1 and 3: fold the
            // upper half onto the lower. The sums of tables 0 and 1 are an odd multiple of P and a multiple
            // of 2^e P, so they differ by more than the sign, and `add_projective` serves. The upper lanes of
            // the result are not read.
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

impl<F: KernelField, const BITS: usize> Comb<'_, F, BITS, INCOMPLETE_SUMS> {
    /// Runs the comb for both halves, in lanes or one after the other.
    #[inline]
    pub(super) fn run_halves(self, cpu: ClmulCpu) {
        if let Err(comb) = cpu.several_lanes().call(self) {
            comb.run_in_turn(cpu);
        }
    }
}

impl<F: KernelField, const BITS: usize, const COMPLETE: bool> Comb<'_, F, BITS, COMPLETE> {
    /// Runs the comb for one half after the other, on one lane.
    pub(super) fn run_in_turn(self, cpu: ClmulCpu) {
        let Comb { a, tables, k, bits, out, of, .. } = self;
        for half in 0..HALVES {
            cpu.one_lane().call(Comb::<F, BITS, COMPLETE> { a, tables, k, bits, half, out: &mut *out, of });
        }
    }

    /// The contribution of column j of table v of each part, in constant time: every entry of the table is read.
    #[inline(always)]
    fn entry<S: Clmul>(&self, s: S, v: u32, j: u32) -> LambdaAffine<F::Vectors<S>> {
        // One scan serves a table of every lane: 2^BITS entries of two coordinates, whatever the index is.
        let place = v * parts_of(S::K) + self.half;
        let (negative, masks) = self.index(s, place, j);
        look_up::<F, S, BITS>(s, &Tables { comb: self, place }, negative, masks)
    }

    /// Masks for column j of the table in each lane: ones where the negative of an entry is added, and ones for
    /// each set bit of the index of that entry. The first digit of a column is its sign; a bit of the index is
    /// set where a digit differs from the first one.
    #[inline(always)]
    fn index<S: Clmul>(&self, s: S, place: u32, j: u32) -> (S::X, [S::X; BITS]) {
        let mut signs = [0; 8];
        let mut digits = [[0; 8]; BITS];
        for lane in 0..S::K {
            // Column t e + j of table t. Words of k are read at public places; only masks are made from them.
            // Masks fill both words of a lane, as a selection takes 128 bits.
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

    /// All ones for digit i = 1, and 0 for -1. Digits beyond the bits of k are -1, the last one is 1;
    /// where these are is public.
    #[inline(always)]
    fn digit(&self, i: u32) -> u64 {
        if i + 1 == (BITS as u32 + 1) * distance(self.bits) {
            return !0;
        }
        // With s_i for digit i, the sum of 2^i (s_i + 1) / 2 is (k + 2^D - 1) / 2. For an odd k this is
        // floor(k / 2) + 2^(D - 1): bits 1 to D - 1 of k, and then a one.
        match self.k.get((i + 1) as usize / 64) {
            Some(word) => (word >> ((i + 1) % 64) & 1).wrapping_neg(),
            None => 0,
        }
    }
}

/// The tables of a kernel as a [`Table`]: a different one in each lane, from place `place` of a row on.
struct Tables<'a, 'b, F, const BITS: usize, const COMPLETE: bool> {
    comb: &'a Comb<'b, F, BITS, COMPLETE>,
    place: u32,
}

impl<F: KernelField, const BITS: usize, const COMPLETE: bool> Table<F> for Tables<'_, '_, F, BITS, COMPLETE> {
    #[inline(always)]
    fn load<S: Clmul>(&self, s: S, entry: usize) -> LambdaAffine<F::Vectors<S>> {
        // The words of all tables at the same entry lie in rows, so one load serves all lanes. The address
        // depends on the entry number, which runs through all entries.
        let coordinate = F::WORDS.div_ceil(2) * ROW_WORDS;
        let at = 2 * entry * coordinate + 2 * self.place as usize;
        let [x, l] = [at, at + coordinate].map(|at| &self.comb.tables[at..]);
        [F::load_rows(s, x, ROW_WORDS), F::load_rows(s, l, ROW_WORDS)]
    }
}
