//! The segments of k P: several in the lanes of a backend, or one after the other.
use super::digits::{DIGITS, Digits, STEP};
use crate::curve::lambda::{LambdaAffine, add, frobenius};
use crate::curve::paired::ROW;
use crate::curve::table::{Table, look_up};
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::marker::PhantomData;

/// The number of bits of a digit's index.
const BITS: usize = DIGITS.ilog2() as usize;

/// The kernel of the segments. It writes X, L, Z of segments side by side, beginning with the one in lane 0.
///
/// Each segment is the sum of tau^(4 i) d\[i\] P over its `count` digits d\[i\]. A digit costs twelve squares,
/// a look-up and an addition. The signs of tau need no care, because tau^4 = phi^4.
pub struct Segments<'a, F> {
    /// The words of x and lambda of P times each digit.
    pub(in crate::curve) table: [[&'a [u64]; 2]; DIGITS],
    pub(in crate::curve) digits: &'a Digits,
    pub(in crate::curve) count: u32,
    /// The number of the segment in lane 0.
    pub(in crate::curve) first: u32,
    pub(in crate::curve) out: &'a mut [[u64; ROW]; 3],
    pub(in crate::curve) of: PhantomData<F>,
}

impl<F: KernelField> ClmulKernel for Segments<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        const { assert!(S::K * F::WORDS < ROW) };
        let mut i = self.count - 1;
        let [x, l] = self.point(s, i);
        let mut sum = [x, l, F::bit(s, 1)];
        // Horner's rule. The sum is never infinity, and never plus or minus the point added: see the module
        // `koblitz`.
        // Invariant: sum = the sum of tau^(4 (j - i)) d[j] P over the digits j >= i of each lane's segment.
        // The first digit is loaded, not added, so a segment takes `count` - 1 additions (eight products, two
        // squares).
        while i > 0 {
            i -= 1;
            for _ in 0..STEP {
                sum = frobenius::<F, S>(s, sum);
            }
            sum = add::<F, S>(s, sum, self.point(s, i));
        }
        let at = self.first as usize * F::WORDS;
        for (out, coordinate) in self.out.iter_mut().zip(sum) {
            F::store(s, coordinate, &mut out[at..]);
        }
    }
}

impl<F: KernelField> Segments<'_, F> {
    /// Runs the kernel for all `segments` segments, in lanes or one after the other.
    #[inline]
    pub(in crate::curve) fn run_all(self, cpu: ClmulCpu, segments: u32) {
        if let Err(Segments { table, digits, count, out, of, .. }) = cpu.several_lanes().call(self) {
            for first in 0..segments {
                cpu.one_lane().call(Segments::<F> { table, digits, count, first, out: &mut *out, of });
            }
        }
    }

    /// The product of P and digit i of the segment in each lane, in constant time: the whole table is read.
    #[inline(always)]
    fn point<S: Clmul>(&self, s: S, i: u32) -> LambdaAffine<F::Vectors<S>> {
        let (mut negative, mut bits) = ([0; 8], [[0; 8]; BITS]);
        // Every lane looks up in the same table by masks of its own, as each has another segment.
        for lane in 0..S::K {
            let (sign, number) = self.digits.get(((self.first + lane as u32) * self.count + i) as usize);
            negative[2 * lane..][..2].copy_from_slice(&[sign; 2]);
            for (i, bits) in bits.iter_mut().enumerate() {
                bits[2 * lane..][..2].copy_from_slice(&[(number >> i & 1).wrapping_neg(); 2]);
            }
        }
        let mut masks = [s.zero(); BITS];
        for (mask, bits) in masks.iter_mut().zip(&bits) {
            *mask = s.load_lanes(bits, 2);
        }
        look_up::<F, S, BITS>(s, self, s.load_lanes(&negative, 2), masks)
    }
}

impl<F: KernelField> Table<F> for Segments<'_, F> {
    #[inline(always)]
    fn load<S: Clmul>(&self, s: S, entry: usize) -> LambdaAffine<F::Vectors<S>> {
        let [x, l] = self.table[entry];
        [F::constant(s, x), F::constant(s, l)]
    }
}
