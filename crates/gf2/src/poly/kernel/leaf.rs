//! Straight-line products of fixed size: as many at once as the machine has lanes.
use super::split::{mul1, mul2, mul3, mul4};
use carryless_lanes::{Clmul, ClmulKernel};

/// Which method multiplies halves of 512, 256 and 128 bits: Karatsuba's if true, else schoolbook.
#[derive(Clone, Copy)]
pub(crate) struct Mul<const K512: bool, const K256: bool, const K128: bool>;

/// The product of N blocks of 128 bits each, `M = 2 N` blocks, in every lane.
pub(crate) trait Leaf<const N: usize, const M: usize>: Copy {
    fn product<S: Clmul>(self, s: S, a: [S::X; N], b: [S::X; N]) -> [S::X; M];
}

impl<const K512: bool, const K256: bool, const K128: bool> Leaf<1, 2> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 1], b: [S::X; 1]) -> [S::X; 2] {
        mul1::<S, K128>(s, a, b)
    }
}

impl<const K512: bool, const K256: bool, const K128: bool> Leaf<2, 4> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 2], b: [S::X; 2]) -> [S::X; 4] {
        mul2::<S, K256, K128>(s, a, b)
    }
}

impl<const K512: bool, const K256: bool, const K128: bool> Leaf<3, 6> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 3], b: [S::X; 3]) -> [S::X; 6] {
        mul3::<S, K128>(s, a, b)
    }
}

impl<const K512: bool, const K256: bool, const K128: bool> Leaf<4, 8> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 4], b: [S::X; 4]) -> [S::X; 8] {
        mul4::<S, K512, K256, K128>(s, a, b)
    }
}

/// Operands and place of `K` products: product i has its words at `i * stride` of each slice.
pub(crate) struct Strided<'a> {
    pub(crate) a: &'a [u64],
    pub(crate) b: &'a [u64],
    pub(crate) out: &'a mut [u64],
    /// Of `a`, of `b`, of `out`.
    pub(crate) stride: [usize; 3],
}

/// N blocks of every lane.
#[inline(always)]
pub(super) fn load<S: Clmul, const N: usize>(s: S, src: &[u64], stride: usize) -> [S::X; N] {
    let src = &src[..(S::K - 1) * stride + 2 * N];
    let mut blocks = [s.load_lanes(src, stride); N];
    let mut i = 1;
    while i < N {
        blocks[i] = s.load_lanes(&src[2 * i..], stride);
        i += 1;
    }
    blocks
}

/// Writes N blocks of every lane.
#[inline(always)]
pub(super) fn store<S: Clmul, const N: usize>(s: S, blocks: [S::X; N], out: &mut [u64], stride: usize) {
    let out = &mut out[..(S::K - 1) * stride + 2 * N];
    let mut i = 0;
    while i < N {
        s.store_lanes(blocks[i], &mut out[2 * i..], stride);
        i += 1;
    }
}

/// Sums, block by block.
#[inline(always)]
fn add<S: Clmul, const N: usize>(s: S, a: [S::X; N], b: [S::X; N]) -> [S::X; N] {
    let mut sum = a;
    let mut i = 0;
    while i < N {
        sum[i] = s.xor(a[i], b[i]);
        i += 1;
    }
    sum
}

/// `K` products of N blocks.
pub(crate) struct Products<'a, L, const N: usize, const M: usize>(pub(crate) L, pub(crate) Strided<'a>);

impl<L: Leaf<N, M>, const N: usize, const M: usize> ClmulKernel for Products<'_, L, N, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Products(leaf, Strided { a, b, out, stride }) = self;
        store(s, leaf.product(s, load(s, a, stride[0]), load(s, b, stride[1])), out, stride[2]);
    }
}

/// `K` products of 2N blocks, one level of KaratRec (paper 002, Algorithm 1) above a leaf of N blocks:
/// R0 + (R0 + R1 + R2) X^h + R1 X^(2h), h = 128 N, R0 = A0 B0, R1 = A1 B1, R2 = (A0 + A1)(B0 + B1).
pub(crate) struct Karat<'a, L, const N: usize, const M: usize>(pub(crate) L, pub(crate) Strided<'a>);

impl<L: Leaf<N, M>, const N: usize, const M: usize> ClmulKernel for Karat<'_, L, N, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Karat(leaf, Strided { a, b, out, stride: [sa, sb, so] }) = self;
        let (a0, b0): ([S::X; N], [S::X; N]) = (load(s, a, sa), load(s, b, sb));
        store(s, leaf.product(s, a0, b0), out, so);
        let (a1, b1): ([S::X; N], [S::X; N]) = (load(s, &a[2 * N..], sa), load(s, &b[2 * N..], sb));
        store(s, leaf.product(s, a1, b1), &mut out[2 * M..], so);
        let (a0, b0): ([S::X; N], [S::X; N]) = (load(s, a, sa), load(s, b, sb));
        let (a1, b1): ([S::X; N], [S::X; N]) = (load(s, &a[2 * N..], sa), load(s, &b[2 * N..], sb));
        let r2 = leaf.product(s, add(s, a0, a1), add(s, b0, b1));
        let mut i = 0;
        while i < N {
            let shared = s.xor(s.load_lanes(&out[M + 2 * i..], so), s.load_lanes(&out[2 * M + 2 * i..], so));
            let low = s.xor(s.xor(shared, s.load_lanes(&out[2 * i..], so)), r2[i]);
            let high = s.xor(s.xor(shared, s.load_lanes(&out[3 * M + 2 * i..], so)), r2[N + i]);
            s.store_lanes(low, &mut out[M + 2 * i..], so);
            s.store_lanes(high, &mut out[2 * M + 2 * i..], so);
            i += 1;
        }
    }
}
