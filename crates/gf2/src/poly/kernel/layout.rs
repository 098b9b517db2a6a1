//! Where the operands and results of `K` products lie in slices, K being the lanes of the backend.
use carryless_lanes::Clmul;

/// The operands and results of `K` products, one in each lane.
pub(crate) struct Job<'a, L = usize> {
    pub(crate) a: &'a [u64],
    pub(crate) b: &'a [u64],
    pub(crate) out: &'a mut [u64],
    /// The layouts of `a`, of `b` and of `out`, in this order.
    pub(crate) layout: [L; 3],
}

/// How `K` polynomials of equal size lie in a slice. A block has two words.
pub(crate) trait Layout: Copy {
    /// Distance in words from block 0 to block `i` of the same polynomial.
    fn offset<S: Clmul>(self, i: usize) -> usize;
    /// Loads the first N blocks of all `K` polynomials: lane j of vector i has block i of polynomial j. Panics
    /// if `words` is too short.
    fn load<S: Clmul, const N: usize>(self, s: S, words: &[u64]) -> [S::X; N];
    /// Stores what [`load`](Layout::load) loads. Words between the polynomials stay as they are. Panics
    /// if `out` is too short.
    fn store<S: Clmul, const N: usize>(self, s: S, x: [S::X; N], out: &mut [u64]);
}

/// One polynomial after the other, this many words apart. With one lane the distance is not used.
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

/// Vector i has block i of all `K` polynomials, so no load and no store moves lanes.
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
        // One check of the length for all stores.
        let out = &mut out[..2 * S::K * N];
        let mut i = 0;
        while i < N {
            s.store(x[i], &mut out[2 * S::K * i..]);
            i += 1;
        }
    }
}
