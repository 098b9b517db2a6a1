//! Straight-line products of fixed size (leaves): one product in each lane of the backend.
use super::layout::{Job, Layout};
use super::split::{HALF_LAST, KARATSUBA, WHOLE_LAST, mul1, mul2, mul3, mul4, mul5};
use carryless_lanes::{Clmul, ClmulKernel};

/// The method for blocks of 512, 256 and 128 bits, each [`KARATSUBA`] or [`SCHOOLBOOK`](super::split::SCHOOLBOOK).
/// All leaves are constant time: no branch and no address depends on an operand.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mul<const K512: bool, const K256: bool, const K128: bool>;

/// A method for products of N blocks by N blocks of 128 bits, `M = 2 N`, in every lane.
pub(crate) trait Leaf<const N: usize, const M: usize>: Copy {
    /// The product in registers, lowest block first. Operands may have any degree below 128 N.
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
        mul2::<S, K256, K128, WHOLE_LAST>(s, a, b)
    }
}

impl<const K512: bool, const K256: bool, const K128: bool> Leaf<3, 6> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 3], b: [S::X; 3]) -> [S::X; 6] {
        // Three parts have one method above 128 bits, so the other flags do not matter.
        mul3::<S, K128, WHOLE_LAST>(s, a, b)
    }
}

impl<const K512: bool, const K256: bool, const K128: bool> Leaf<4, 8> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 4], b: [S::X; 4]) -> [S::X; 8] {
        mul4::<S, K512, K256, K128, WHOLE_LAST>(s, a, b)
    }
}

impl<const K512: bool, const K256: bool, const K128: bool> Leaf<5, 10> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 5], b: [S::X; 5]) -> [S::X; 10] {
        // Five blocks are always split in three and two, so the flag for 512 bits does not matter.
        mul5::<S, K256, K128, WHOLE_LAST>(s, a, b)
    }
}

/// Karatsuba's method at all levels, for operands of 2N - 1 words: the last half block must be zero. It saves the
/// products with that half: 6 instead of 9 for N = 2, 14 of 18, 23 of 27, 38 of 42.
#[derive(Clone, Copy, Default)]
pub(crate) struct Odd;

impl Leaf<2, 4> for Odd {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 2], b: [S::X; 2]) -> [S::X; 4] {
        mul2::<S, KARATSUBA, KARATSUBA, HALF_LAST>(s, a, b)
    }
}

impl Leaf<3, 6> for Odd {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 3], b: [S::X; 3]) -> [S::X; 6] {
        mul3::<S, KARATSUBA, HALF_LAST>(s, a, b)
    }
}

impl Leaf<4, 8> for Odd {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 4], b: [S::X; 4]) -> [S::X; 8] {
        mul4::<S, KARATSUBA, KARATSUBA, KARATSUBA, HALF_LAST>(s, a, b)
    }
}

impl Leaf<5, 10> for Odd {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 5], b: [S::X; 5]) -> [S::X; 10] {
        mul5::<S, KARATSUBA, KARATSUBA, HALF_LAST>(s, a, b)
    }
}

/// Operands of one word each: one product, whose upper block is zero.
impl Leaf<1, 2> for Odd {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 1], b: [S::X; 1]) -> [S::X; 2] {
        [s.mul_ll(a[0], b[0]), s.zero()]
    }
}

/// One level of Karatsuba's method above products of 5 blocks: R0 + (R0 + R1 + R2) Y + R1 Y^2 with Y = X^640, where
/// R2 is the product of the sums.
impl<const K512: bool, const K256: bool, const K128: bool> Leaf<10, 20> for Mul<K512, K256, K128> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: [S::X; 10], b: [S::X; 10]) -> [S::X; 20] {
        // Three products of five blocks at 42 products of words each: 126.
        let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
        let (r0, r1): ([S::X; 10], [S::X; 10]) = (self.product(s, a0, b0), self.product(s, a1, b1));
        let r2: [S::X; 10] = self.product(s, add(s, a0, a1), add(s, b0, b1));
        let mut out = [s.zero(); 20];
        out[..10].copy_from_slice(&r0);
        out[10..].copy_from_slice(&r1);
        let mut i = 0;
        while i < 10 {
            // r0 and r1 are copies, so `out` may change where they overlap the middle.
            out[5 + i] = s.xor(out[5 + i], s.xor(r2[i], s.xor(r0[i], r1[i])));
            i += 1;
        }
        out
    }
}

#[inline(always)]
/// The low and the high five of ten blocks.
fn halves<X: Copy>(x: [X; 10]) -> [[X; 5]; 2] {
    [[x[0], x[1], x[2], x[3], x[4]], [x[5], x[6], x[7], x[8], x[9]]]
}

/// The sums a + b over F2, block by block.
#[inline(always)]
pub(crate) fn add<S: Clmul, const N: usize>(s: S, a: [S::X; N], b: [S::X; N]) -> [S::X; N] {
    let mut sum = a;
    let mut i = 0;
    while i < N {
        sum[i] = s.xor(a[i], b[i]);
        i += 1;
    }
    sum
}

/// A method for `K` products of N blocks, `M = 2 N`, from memory to memory.
pub(crate) trait Lanes<const N: usize, const M: usize>: Copy {
    /// Writes all blocks of the products. Panics if a slice is shorter than its layout needs.
    fn products<S: Clmul, L: Layout>(self, s: S, job: Job<'_, L>);
}

impl<T: Leaf<N, M>, const N: usize, const M: usize> Lanes<N, M> for T {
    #[inline(always)]
    fn products<S: Clmul, L: Layout>(self, s: S, job: Job<'_, L>) {
        let Job { a, b, out, layout: [la, lb, lo] } = job;
        lo.store(s, self.product(s, la.load(s, a), lb.load(s, b)), out);
    }
}

/// One level of KaratRec (paper 002, Algorithm 1) above a leaf of H blocks, h = 128 H. Three products R0 = A0 B0,
/// R1 = A1 B1 and R2 = (A0 + A1)(B0 + B1) make R0 + (R0 + R1 + R2) X^h + R1 X^(2h).
#[derive(Clone, Copy, Default)]
pub(crate) struct Karat<L, const H: usize>(pub(crate) L);

impl<T: Leaf<H, N>, const H: usize, const N: usize, const M: usize> Lanes<N, M> for Karat<T, H> {
    #[inline(always)]
    fn products<S: Clmul, L: Layout>(self, s: S, job: Job<'_, L>) {
        let Job { a, b, out, layout: [la, lb, lo] } = job;
        let (a0, b0): ([S::X; H], [S::X; H]) = (la.load(s, a), lb.load(s, b));
        lo.store(s, self.0.product(s, a0, b0), out);
        // R0 and R1 go to memory at once: the registers cannot hold them beside the operands. A middle term
        // of N blocks stays in registers until it is added.
        let (a_high, b_high) = (&a[la.offset::<S>(H)..], &b[lb.offset::<S>(H)..]);
        let (a1, b1): ([S::X; H], [S::X; H]) = (la.load(s, a_high), lb.load(s, b_high));
        lo.store(s, self.0.product(s, a1, b1), &mut out[lo.offset::<S>(N)..]);
        let mut middle = self.0.product(s, add(s, a0, a1), add(s, b0, b1));
        // R0 and R1 lie side by side. The middle term covers the high half of R0 and the low half of R1, and both
        // of its halves contain their sum: H sums fewer.
        let (r0, r1): ([S::X; N], [S::X; N]) = (lo.load(s, out), lo.load(s, &out[lo.offset::<S>(N)..]));
        let mut i = 0;
        while i < H {
            let shared = s.xor(r0[H + i], r1[i]);
            middle[i] = s.xor(middle[i], s.xor(shared, r0[i]));
            middle[H + i] = s.xor(middle[H + i], s.xor(shared, r1[H + i]));
            i += 1;
        }
        lo.store(s, middle, &mut out[lo.offset::<S>(H)..]);
    }
}

/// The kernel for `K` products by a method W, with a layout.
pub(crate) struct Products<'a, L, W, const N: usize, const M: usize>(pub(crate) W, pub(crate) Job<'a, L>);

impl<L: Layout, W: Lanes<N, M>, const N: usize, const M: usize> ClmulKernel for Products<'_, L, W, N, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        self.0.products(s, self.1);
    }
}
