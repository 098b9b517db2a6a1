//! Kernels: straight-line products of up to 512 bits, by name.
//!
//! Every kernel is bilinear: it has sums, moves, and carry-less products with one operand from each side, as the
//! analysis `Bilinear` shows. So it is right on all inputs if it is right on all pairs of monomials, and the tests
//! try them all (`proofs`).
mod block;
pub(crate) mod layout;
pub(crate) mod leaf;
#[cfg(test)]
pub(super) mod proofs;
pub(crate) mod row;
#[cfg(test)]
mod row_proofs;
mod split;

use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use layout::Job;
use leaf::{Mul, Products};
pub(crate) use split::{HALF_LAST, KARATSUBA, SCHOOLBOOK, WHOLE_LAST};

/// A kernel by the name that paper 002 (section 2.2, appendices B and C) or this library gave it.
///
/// The paper's kernels fill a vector of four lanes with the products of ONE pair of operands and move
/// blocks between lanes for it. Here a lane is a product of its own, so that no block moves; methods and
/// numbers of products are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamedKernel {
    /// 64 bits: one carry-less product.
    Mul64,
    /// 128 bits, schoolbook: 4 products.
    Sb128,
    /// 128 bits, Karatsuba: 3 products, more sums.
    Karat128,
    /// 256 bits, schoolbook at 256 and 128: 16 (SB256, 4 in a vector of four lanes).
    Sb256,
    /// 256 bits, schoolbook over Karatsuba at 128: 12 (Karat256, 3 in a vector of four lanes).
    Karat256,
    /// 256 bits, Karatsuba over schoolbook at 128: 12, fewer sums and moves. Not in the paper.
    KaratSb256,
    /// 256 bits, Karatsuba at both levels: 9 (the paper's AVX2 kernel).
    KaratKarat256,
    /// 384 bits, Karatsuba for three parts over Karatsuba at 128: 18. Not in the paper.
    Karat384,
    /// 512 bits, schoolbook throughout: 64 (SB512).
    Sb512,
    /// 512 bits, Karatsuba over schoolbook: 48 (karat_mult_1_512_SB).
    KaratMult1Sb512,
    /// 512 bits, Karatsuba over schoolbook at 256 over Karatsuba at 128: 36 (karat_mult_1_512).
    KaratMult1At512,
    /// 512 bits, Karatsuba at 512 and 256 over schoolbook at 128: 36. Not in the paper.
    KaratKaratSb512,
    /// 512 bits, Karatsuba throughout: 27 (mul512 of Drucker, Gueron and Kostic).
    Mul512,
}

/// The kernel for operands of one word, half a lane; the product has two words. Several lanes compute the same product.
pub(super) struct Word<'a>(pub(super) &'a [u64], pub(super) &'a [u64], pub(super) &'a mut [u64]);

impl ClmulKernel for Word<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // A zero upper half makes a whole lane, so that no load reads past a word.
        let (a, b) = ([self.0[0], 0], [self.1[0], 0]);
        s.store_lanes(s.mul_ll(s.load_lanes(&a, 0), s.load_lanes(&b, 0)), self.2, 0);
    }
}

impl NamedKernel {
    /// All kernels, in ascending order of their sizes.
    pub const ALL: &'static [NamedKernel] = &[
        NamedKernel::Mul64,
        NamedKernel::Sb128,
        NamedKernel::Karat128,
        NamedKernel::Sb256,
        NamedKernel::Karat256,
        NamedKernel::KaratSb256,
        NamedKernel::KaratKarat256,
        NamedKernel::Karat384,
        NamedKernel::Sb512,
        NamedKernel::KaratMult1Sb512,
        NamedKernel::KaratMult1At512,
        NamedKernel::KaratKaratSb512,
        NamedKernel::Mul512,
    ];

    /// Number of words (64 bits) of an operand; a product has twice as many.
    #[must_use]
    pub const fn words(self) -> usize {
        match self {
            NamedKernel::Mul64 => 1,
            NamedKernel::Sb128 | NamedKernel::Karat128 => 2,
            NamedKernel::Sb256
            | NamedKernel::Karat256
            | NamedKernel::KaratSb256
            | NamedKernel::KaratKarat256 => 4,
            NamedKernel::Karat384 => 6,
            _ => 8,
        }
    }

    /// Number of carry-less products of 64 x 64 bits in one product.
    #[must_use]
    pub const fn clmuls(self) -> usize {
        match self {
            NamedKernel::Mul64 => 1,
            NamedKernel::Sb128 => 4,
            NamedKernel::Karat128 => 3,
            NamedKernel::Sb256 => 16,
            NamedKernel::Karat256 | NamedKernel::KaratSb256 => 12,
            NamedKernel::KaratKarat256 => 9,
            NamedKernel::Karat384 => 18,
            NamedKernel::Sb512 => 64,
            NamedKernel::KaratMult1Sb512 => 48,
            NamedKernel::KaratMult1At512 | NamedKernel::KaratKaratSb512 => 36,
            NamedKernel::Mul512 => 27,
        }
    }

    /// `out = a b`, in constant time. Overwrites all words of `out`. A kernel computes one product, so
    /// it runs on one lane.
    ///
    /// # Panics
    /// If `a` or `b` has not [`words`](NamedKernel::words) words, or `out` not twice as many.
    pub fn mul(self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
        let words = self.words();
        assert_eq!((a.len(), b.len(), out.len()), (words, words, 2 * words), "sizes of the kernel");
        self.run_on(cpu.with_lanes(1), Job { a, b, out, layout: [0; 3] });
    }
}

#[cfg(feature = "research-kernels")]
impl NamedKernel {
    /// One product in each lane of the backend, at the distances of the job. Not for
    /// [`Mul64`](NamedKernel::Mul64), which fills no lane.
    pub(crate) fn products(self, cpu: ClmulCpu, job: Job<'_>) {
        self.run_on(cpu, job);
    }
}

/// Where a kernel's code runs: on a backend of the CPU, or (in tests) on an analysis.
trait Target {
    fn run_on<K: ClmulKernel<Out = ()>>(self, kernel: K);
}

impl Target for ClmulCpu {
    #[inline]
    fn run_on<K: ClmulKernel<Out = ()>>(self, kernel: K) {
        self.call(kernel);
    }
}

impl NamedKernel {
    fn run_on<D: Target>(self, target: D, job: Job<'_>) {
        // Blocks, then the methods at 512, 256 and 128 bits.
        macro_rules! enter {
            ($n:literal, $k512:ident, $k256:ident, $k128:ident) => {
                target.run_on(Products::<_, _, $n, { 2 * $n }>(Mul::<$k512, $k256, $k128>, job))
            };
        }
        match self {
            NamedKernel::Mul64 => target.run_on(Word(job.a, job.b, job.out)),
            NamedKernel::Sb128 => enter!(1, SCHOOLBOOK, SCHOOLBOOK, SCHOOLBOOK),
            NamedKernel::Karat128 => enter!(1, SCHOOLBOOK, SCHOOLBOOK, KARATSUBA),
            NamedKernel::Sb256 => enter!(2, SCHOOLBOOK, SCHOOLBOOK, SCHOOLBOOK),
            NamedKernel::Karat256 => enter!(2, SCHOOLBOOK, SCHOOLBOOK, KARATSUBA),
            NamedKernel::KaratSb256 => enter!(2, SCHOOLBOOK, KARATSUBA, SCHOOLBOOK),
            NamedKernel::KaratKarat256 => enter!(2, SCHOOLBOOK, KARATSUBA, KARATSUBA),
            NamedKernel::Karat384 => enter!(3, KARATSUBA, KARATSUBA, KARATSUBA),
            NamedKernel::Sb512 => enter!(4, SCHOOLBOOK, SCHOOLBOOK, SCHOOLBOOK),
            NamedKernel::KaratMult1Sb512 => enter!(4, KARATSUBA, SCHOOLBOOK, SCHOOLBOOK),
            NamedKernel::KaratMult1At512 => enter!(4, KARATSUBA, SCHOOLBOOK, KARATSUBA),
            NamedKernel::KaratKaratSb512 => enter!(4, KARATSUBA, KARATSUBA, SCHOOLBOOK),
            NamedKernel::Mul512 => enter!(4, KARATSUBA, KARATSUBA, KARATSUBA),
        }
    }
}
