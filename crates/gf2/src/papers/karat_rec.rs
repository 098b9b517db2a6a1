//! KaratRec (paper 002, Algorithm 1) over a kernel of the caller's choice, to compare kernels as the paper's Tables
//! 4 and 14 do.
use crate::poly::construct::karat::{Below, karat2, karat2_lanes, karat4};
use crate::poly::kernel::layout::Job;
use crate::poly::sizes::{enough, lengths, unwrap};
use crate::poly::{NamedKernel, PlanMismatch, SizeError};
use carryless_lanes::ClmulCpu;

/// The largest number of levels: operands of up to 2^20 times those of the kernel.
const LEVELS: usize = 20;

/// Products by Karatsuba's method at every level down to a kernel, with one kernel in each lane at once. No kernel
/// covers more than one level, where [`Plan`](crate::poly::Plan) has kernels that fuse two.
///
/// ```
/// use carryless_gf2::{ClmulCpu, papers::KaratRec, poly::NamedKernel};
///
/// let method = KaratRec::new(ClmulCpu::detect(), NamedKernel::KaratMult1Sb512, 2)?;
/// let (mut product, mut scratch) = ([0; 64], vec![0; method.scratch_words()]);
/// method.mul(&[3; 32], &[5; 32], &mut product, &mut scratch);
/// assert_eq!((method.words(), method.clmuls(), product[0]), (32, 9 * 48, 15));
/// # Ok::<(), carryless_gf2::poly::PlanMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KaratRec {
    cpu: ClmulCpu,
    over: Over,
}

impl KaratRec {
    /// The method with this many levels over a kernel. Operands have 2^levels times the words of the kernel.
    ///
    /// # Errors
    /// [`PlanMismatch`] for more than 20 levels, and for [`NamedKernel::Mul64`], which multiplies one word
    /// and not the blocks of lanes.
    pub fn new(cpu: ClmulCpu, kernel: NamedKernel, levels: usize) -> Result<KaratRec, PlanMismatch> {
        if levels > LEVELS || kernel == NamedKernel::Mul64 {
            return Err(PlanMismatch);
        }
        Ok(KaratRec { cpu, over: Over { kernel, levels } })
    }

    /// The backend on which this method runs.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// The number of words of an operand; a product has twice as many.
    #[must_use]
    pub fn words(&self) -> usize {
        self.over.words()
    }

    /// The number of carry-less products of words.
    #[must_use]
    pub fn clmuls(&self) -> usize {
        3_usize.pow(self.over.levels as u32) * self.over.kernel.clmuls()
    }

    /// The words of scratch that [`mul`](KaratRec::mul) takes.
    #[must_use]
    pub fn scratch_words(&self) -> usize {
        self.over.scratch_words(self.cpu.lanes())
    }

    /// `out = a b`, in constant time. Overwrites all of `out`, and leaves sums and products of parts
    /// of the operands in `scratch`.
    ///
    /// # Panics
    /// If `a` or `b` has not [`words`](KaratRec::words), `out` not twice as many,
    /// or `scratch` less than [`scratch_words`](KaratRec::scratch_words).
    #[track_caller]
    pub fn mul(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul(a, b, out, scratch));
    }

    /// [`mul`](KaratRec::mul), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    pub fn try_mul(
        &self,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        let words = self.words();
        lengths(&[(a, words), (b, words), (out, 2 * words)])?;
        enough(scratch, self.scratch_words())?;
        self.over.product(self.cpu, a, b, out, scratch);
        Ok(())
    }
}

/// The method below a level: a kernel under this many levels of Karat2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Over {
    kernel: NamedKernel,
    levels: usize,
}

impl Over {
    /// The words of an operand.
    fn words(self) -> usize {
        self.kernel.words() << self.levels
    }

    /// The method this many levels further down.
    fn below(self, levels: usize) -> Over {
        Over { levels: self.levels - levels, ..self }
    }

    /// The words of scratch for k lanes and operands of n words. `Below::lanes` takes 2 k n for a level, k n
    /// for the next one and so on: less than 4 k n. `karat4` takes 5 n, and below it 4 n for four lanes of n
    /// / 4 words, or what one product of n / 4 words takes. `karat2` takes 2 n, and below it 4 n for two
    /// lanes of n / 2, or what one product takes.
    fn scratch_words(self, k: usize) -> usize {
        let n = self.words();
        match (self.levels, k) {
            (0, _) => 0,
            (2.., 4) => 5 * n + (4 * n).max(self.below(2).scratch_words(k)),
            (_, 2..) => 2 * n + (4 * n).max(self.below(1).scratch_words(k)),
            (_, _) => 4 * n,
        }
    }
}

impl Below for Over {
    fn lanes(self, cpu: ClmulCpu, n: usize, job: Job<'_>, scratch: &mut [u64]) {
        match self.levels {
            0 => self.kernel.products(cpu, job),
            _ => karat2_lanes(cpu, self.below(1), n, job, scratch),
        }
    }

    fn product(self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        match (self.levels, cpu.lanes()) {
            // Two levels fill four lanes and one level fills two; else one lane does all levels.
            (2.., 4) => karat4(cpu, self.below(2), a, b, out, scratch),
            (1.., 2..) => karat2(cpu, self.below(1), a, b, out, scratch),
            _ => self.lanes(cpu.with_lanes(1), a.len(), Job { a, b, out, layout: [0; 3] }, scratch),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_reference::gf2::mul;
    use std::vec;
    use std::vec::Vec;

    fn words(count: usize, seed: u64) -> Vec<u64> {
        (1..=count as u64).map(|i| (i ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
    }

    /// Every kernel below up to four levels on every backend: random operands, all ones, and single bits
    /// at the ends of halves.
    #[test]
    fn every_kernel_on_every_backend() {
        let most = if cfg!(miri) { 1 } else { 4 };
        for (&kernel, levels) in
            NamedKernel::ALL[1..].iter().flat_map(|kernel| (0..=most).map(move |l| (kernel, l)))
        {
            let n = kernel.words() << levels;
            let mut bits = vec![0; n];
            (bits[0], bits[n / 2], bits[n - 1]) = (1, 1 << 63 | 1, 1 << 63);
            let pairs = [(words(n, 1), words(n, 2)), (vec![u64::MAX; n], words(n, 3)), (words(n, 4), bits)];
            for (a, b) in pairs {
                let want = mul(&a, &b);
                for cpu in ClmulCpu::available() {
                    let method = KaratRec::new(cpu, kernel, levels).expect("few levels");
                    // Ones, so that a word that is read before it is written shows.
                    let mut scratch = vec![u64::MAX; method.scratch_words()];
                    let mut out = vec![u64::MAX; 2 * n];
                    method.mul(&a, &b, &mut out, &mut scratch);
                    assert_eq!(out, want, "{kernel:?}, {levels} levels, {}", cpu.name());
                }
            }
        }
    }

    #[test]
    fn refuses() {
        let cpu = ClmulCpu::detect();
        assert_eq!(KaratRec::new(cpu, NamedKernel::Mul64, 1), Err(PlanMismatch));
        assert_eq!(KaratRec::new(cpu, NamedKernel::Mul512, 21), Err(PlanMismatch));
        let method = KaratRec::new(cpu, NamedKernel::Mul512, 1).expect("one level");
        let (a, mut out, mut scratch) = ([1; 16], [7; 32], vec![0; method.scratch_words()]);
        assert!(method.try_mul(&a[1..], &a, &mut out, &mut scratch).is_err());
        assert!(method.try_mul(&a, &a, &mut out[1..], &mut scratch).is_err());
        assert!(method.try_mul(&a, &a, &mut out, &mut scratch[1..]).is_err() && out == [7; 32]);
    }
}
