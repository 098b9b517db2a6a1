//! Where the operands and results of products in lanes are.
use carryless_lanes::Clmul;

/// Operands and results of `K` products.
pub(crate) struct Job<'a, L = usize> {
    pub(crate) a: &'a [u64],
    pub(crate) b: &'a [u64],
    pub(crate) out: &'a mut [u64],
    /// Of `a`, of `b`, of `out`.
    pub(crate) layout: [L; 3],
}

/// How `K` polynomials of as many blocks lie in a slice.
pub(crate) trait Layout: Copy {
    /// The words from the first block of a polynomial to block `i`.
    fn offset<S: Clmul>(self, i: usize) -> usize;
    /// The first blocks of all.
    fn load<S: Clmul, const N: usize>(self, s: S, words: &[u64]) -> [S::X; N];
    /// The inverse.
    fn store<S: Clmul, const N: usize>(self, s: S, x: [S::X; N], out: &mut [u64]);
}

/// One after the other, this many words apart.
impl Layout for usize {
    #[inline(always)]
    fn offset<S: Clmul>(self, i: usize) -> usize {
        2 * i
    }
    #[inline(always)]
    fn load<S: Clmul, const N: usize>(self, s: S, words: &[u64]) -> [S::X; N] {
        s.load_blocks(words, self)
    }
    #[inline(always)]
    fn store<S: Clmul, const N: usize>(self, s: S, x: [S::X; N], out: &mut [u64]) {
        s.store_blocks(x, out, self);
    }
}

/// Block i of all of them is vector i, so that no load and no store moves lanes.
#[derive(Clone, Copy)]
pub(crate) struct Interleaved;

impl Layout for Interleaved {
    #[inline(always)]
    fn offset<S: Clmul>(self, i: usize) -> usize {
        2 * S::K * i
    }
    #[inline(always)]
    fn load<S: Clmul, const N: usize>(self, s: S, words: &[u64]) -> [S::X; N] {
        // One check of the length for all loads.
        let words = &words[..2 * S::K * N];
        let (mut blocks, mut i) = ([s.zero(); N], 0);
        while i < N {
            blocks[i] = s.load(&words[2 * S::K * i..]);
            i += 1;
        }
        blocks
    }
    #[inline(always)]
    fn store<S: Clmul, const N: usize>(self, s: S, x: [S::X; N], out: &mut [u64]) {
        let out = &mut out[..2 * S::K * N];
        let mut i = 0;
        while i < N {
            s.store(x[i], &mut out[2 * S::K * i..]);
            i += 1;
        }
    }
}
