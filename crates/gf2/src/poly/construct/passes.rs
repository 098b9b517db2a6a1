//! Passes over slices of words between the levels of a construction: sums and folds. Linear in the size, constant
//! time.
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// `out = a + b`, for as many words as `out` has. Panics if `a` or `b` is shorter.
#[inline(always)]
pub(super) fn xor<S: Clmul>(s: S, out: &mut [u64], a: &[u64], b: &[u64]) {
    let (n, step) = (out.len(), 2 * S::K);
    let whole = n - n % step;
    let (words, last) = out.split_at_mut(whole);
    let (a, b) = (&a[..n], &b[..n]);
    // Iterators over whole vectors: one check of lengths here, none in the loop.
    let pieces = words.chunks_exact_mut(step).zip(a.chunks_exact(step)).zip(b.chunks_exact(step));
    for ((out, a), b) in pieces {
        s.store(s.xor(s.load(a), s.load(b)), out);
    }
    for ((out, a), b) in last.iter_mut().zip(&a[whole..]).zip(&b[whole..]) {
        *out = a ^ b;
    }
}

/// The words of vector `i` of `words`: up to `2K`, fewer or none at the end.
#[inline(always)]
pub(super) fn vector<S: Clmul>(words: &[u64], i: usize) -> &[u64] {
    let n = words.len();
    &words[n.min(2 * S::K * i)..n.min(2 * S::K * (i + 1))]
}

/// Words that start a cache line, so that no vector crosses one: that takes twice the time.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Lines<const N: usize>(pub(super) [u64; N]);

/// At most N words, with zeros on top. N counts whole vectors.
#[inline(always)]
pub(super) fn padded<S: Clmul, const N: usize>(s: S, words: &[u64]) -> Lines<N> {
    let mut whole = Lines([0; N]);
    for (i, out) in whole.0.chunks_exact_mut(2 * S::K).enumerate() {
        s.store(s.load_part(vector::<S>(words, i)), out);
    }
    whole
}

/// `out += a`, for as many words as `out` has. Panics if `a` is shorter.
#[inline(always)]
pub(super) fn accumulate<S: Clmul>(s: S, out: &mut [u64], a: &[u64]) {
    let (n, step) = (out.len(), 2 * S::K);
    let whole = n - n % step;
    let (words, last) = out.split_at_mut(whole);
    for (out, a) in words.chunks_exact_mut(step).zip(a[..n].chunks_exact(step)) {
        s.store(s.xor(s.load(out), s.load(a)), out);
    }
    for (out, a) in last.iter_mut().zip(&a[whole..n]) {
        *out ^= a;
    }
}

/// `out = a + b + c`, for as many words as `out` has. Panics if one is shorter.
#[inline(always)]
fn xor3<S: Clmul>(s: S, out: &mut [u64], a: &[u64], b: &[u64], c: &[u64]) {
    xor(s, out, a, b);
    accumulate(s, out, c);
}

/// Copies of slices: each is cut off at the end of its room, or has zeros after it.
///
/// It copies whole vectors, because vectors read them again. A load waits long for stores of its parts, and a copy of
/// bytes stores parts.
struct Copies<'a, const N: usize>([(&'a mut [u64], &'a [u64]); N]);

impl<const N: usize> ClmulKernel for Copies<'_, N> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        for (out, a) in self.0 {
            copy_words(s, out, a);
        }
    }
}

/// `out = a`, cut off at the end of `out`, or with zeros after it.
#[inline(always)]
fn copy_words<S: Clmul>(s: S, out: &mut [u64], a: &[u64]) {
    let (n, step) = (a.len().min(out.len()), 2 * S::K);
    let whole = n - n % step;
    let (head, mut tail) = out.split_at_mut(whole);
    let (a, mut rest) = a[..n].split_at(whole);
    for (out, a) in head.chunks_exact_mut(step).zip(a.chunks_exact(step)) {
        s.store(s.load(a), out);
    }
    // The words that fill no vector, then zeros.
    while tail.len() >= step {
        let (next, after) = tail.split_at_mut(step);
        s.store(s.load_part(rest), next);
        (tail, rest) = (after, &[]);
    }
    if !tail.is_empty() {
        s.store_part(s.load_part(rest), tail);
    }
}

/// `out = a`, cut off at the end of `out`, or with zeros after it.
#[inline]
pub(crate) fn copy(cpu: ClmulCpu, out: &mut [u64], a: &[u64]) {
    cpu.call(Copies([(out, a)]));
}

/// Two copies as by [`copy`], in one call of a kernel: for the operands of a product, where a call takes as long.
#[inline]
pub(crate) fn copy_both(cpu: ClmulCpu, first: (&mut [u64], &[u64]), second: (&mut [u64], &[u64])) {
    cpu.call(Copies([first, second]));
}

/// The kernel for `out = a + b`; fields are a, b and out.
struct Add<'a>(&'a [u64], &'a [u64], &'a mut [u64]);

impl ClmulKernel for Add<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        xor(s, self.2, self.0, self.1);
    }
}

/// `out = a + b`, for as many words as the shortest of the three has.
#[inline]
pub(super) fn add(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
    let n = out.len().min(a.len()).min(b.len());
    cpu.call(Add(a, b, &mut out[..n]));
}

/// The kernel for `out += a`; fields are out and a.
struct AddTo<'a>(&'a mut [u64], &'a [u64]);

impl ClmulKernel for AddTo<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        accumulate(s, self.0, self.1);
    }
}

/// `out += a`, for as many words as the shorter of the two has.
#[inline]
pub(crate) fn add_to(cpu: ClmulCpu, out: &mut [u64], a: &[u64]) {
    let n = out.len().min(a.len());
    cpu.call(AddTo(&mut out[..n], a));
}

/// The kernel for the sums of halves of Karatsuba's method: both operands of several products.
pub(super) struct Sums<'a> {
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
    /// Distances in words between the operands of products, in `a` and in `b`.
    pub(super) strides: [usize; 2],
    /// The number of products. Given, because a division to find it takes as long as the sums.
    pub(super) count: usize,
    /// The words of a half of an operand.
    pub(super) half: usize,
    /// The sums A0 + A1, `half` words for each product, one after the other.
    pub(super) sum_a: &'a mut [u64],
    /// The sums B0 + B1, as for a.
    pub(super) sum_b: &'a mut [u64],
}

impl ClmulKernel for Sums<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Sums { a, b, strides, count, half, sum_a, sum_b } = self;
        for i in 0..count {
            let (low, high) = a[i * strides[0]..][..2 * half].split_at(half);
            xor(s, &mut sum_a[i * half..][..half], low, high);
            let (low, high) = b[i * strides[1]..][..2 * half].split_at(half);
            xor(s, &mut sum_b[i * half..][..half], low, high);
        }
    }
}

/// The kernel for the last step of Karatsuba's method, for several products: from R0, R1 (side by side in `out`)
/// and R2 to R0 + (R0 + R1 + R2) X^h + R1 X^(2h).
pub(super) struct Fold<'a> {
    pub(super) out: &'a mut [u64],
    /// The distance in words between the products in `out`.
    pub(super) stride: usize,
    /// The number of products that are folded.
    pub(super) count: usize,
    /// The words of a half operand, h = 64 `half`: R0, R1 and R2 have twice as many.
    pub(super) half: usize,
    /// The products R2, `2 half` words each, one after the other.
    pub(super) middle: &'a [u64],
}

impl ClmulKernel for Fold<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Fold { out, stride, count, half: h, middle } = self;
        for i in 0..count {
            let (low, high) = out[i * stride..][..4 * h].split_at_mut(2 * h);
            let ((l0, l1), (h0, h1)) = (low.split_at_mut(h), high.split_at_mut(h));
            let (m0, m1) = middle[i * 2 * h..][..2 * h].split_at(h);
            fold(s, l0, l1, h0, h1, m0, m1);
        }
    }
}

/// Folds one product in place. R0 = (l0, l1), R1 = (h0, h1) and R2 = (m0, m1) are given in halves of equal length.
/// l1 becomes l1 + h0 + l0 + m0, and h0 becomes l1 + h0 + h1 + m1.
#[inline(always)]
pub(super) fn fold<S: Clmul>(
    s: S,
    l0: &[u64],
    l1: &mut [u64],
    h0: &mut [u64],
    h1: &[u64],
    m0: &[u64],
    m1: &[u64],
) {
    let (n, step) = (l1.len(), 2 * S::K);
    let whole = n - n % step;
    // Cut to one length here, so that no loop below checks it again.
    let (l0, h0, h1, m0, m1) = (&l0[..n], &mut h0[..n], &h1[..n], &m0[..n], &m1[..n]);
    let middle = m0.chunks_exact(step).zip(m1.chunks_exact(step));
    let sides = l0.chunks_exact(step).zip(h1.chunks_exact(step));
    let inner = l1.chunks_exact_mut(step).zip(h0.chunks_exact_mut(step));
    for (((l1, h0), (l0, h1)), (m0, m1)) in inner.zip(sides).zip(middle) {
        // Both results contain l1 + h0: five sums for each vector instead of six, and no copy of R0 or R1.
        let shared = s.xor(s.load(l1), s.load(h0));
        let low = s.xor(s.load(l0), s.load(m0));
        let high = s.xor(s.load(h1), s.load(m1));
        s.store(s.xor(shared, low), l1);
        s.store(s.xor(shared, high), h0);
    }
    for i in whole..n {
        let shared = l1[i] ^ h0[i];
        l1[i] = shared ^ l0[i] ^ m0[i];
        h0[i] = shared ^ h1[i] ^ m1[i];
    }
}

/// [`fold`] of R0 = `low`, R1 and R2 = `middle`, whole vectors in each half. `high` is what the product has of the place
/// of R1, more than a half less a vector: words beyond it are zero.
#[inline(always)]
pub(super) fn fold_partial<S: Clmul>(s: S, low: &mut [u64], r1: &[u64], middle: &[u64], high: &mut [u64]) {
    let (n, step) = (low.len() / 2, 2 * S::K);
    let ((l0, l1), (m0, m1), (h0, h1)) = (low.split_at_mut(n), middle.split_at(n), r1.split_at(n));
    let mut i = 0;
    while i < n {
        let shared = s.xor(s.load(&l1[i..]), s.load(&h0[i..]));
        let lower = s.xor(s.load(&l0[i..]), s.load(&m0[i..]));
        let upper = s.xor(s.load(&h1[i..]), s.load(&m1[i..]));
        s.store(s.xor(shared, lower), &mut l1[i..]);
        store_at(s, s.xor(shared, upper), high, i);
        i += step;
    }
    while i < high.len() {
        store_at(s, s.load(&r1[i..]), high, i);
        i += step;
    }
}

/// Stores the words of `x` that `out` has room for from word `i` on: none if it is shorter.
#[inline(always)]
fn store_at<S: Clmul>(s: S, x: S::X, out: &mut [u64], i: usize) {
    let n = out.len();
    s.store_part(x, &mut out[n.min(i)..n.min(i + 2 * S::K)]);
}

/// The last step of Karat3 for one product. `low` has R0 and R1 one after the other, `mixed` R01, R02 and R12; a part
/// has P words, whole vectors, Q = 2P. `high` is what the product has of the place of R2: words beyond it are zero.
#[inline(always)]
pub(super) fn fold_thirds<S: Clmul, const P: usize, const Q: usize>(
    s: S,
    low: &mut [u64],
    Lines(r2): &Lines<Q>,
    mixed: &[Lines<Q>; 3],
    high: &mut [u64],
) {
    let ((o0, o1), (o2, o3)) = {
        let (r0, r1) = low.split_at_mut(Q);
        (r0.split_at_mut(P), r1.split_at_mut(P))
    };
    let ([Lines(m0), Lines(m1), Lines(m2)], step) = (mixed, 2 * S::K);
    let mut i = 0;
    while i < P {
        let at = |words: &[u64], i: usize| s.load(&words[i..]);
        let (x0, x1, y0, y1) = (at(o0, i), at(o1, i), at(o2, i), at(o3, i));
        let (z0, z1) = (at(r2, i), at(r2, P + i));
        // The low and the high parts of c1, c2 and c3, where R0 + c1 Y + c2 Y^2 + c3 Y^3 + R2 Y^4 is the product.
        let (sum0, sum1) = (s.xor(x0, y0), s.xor(x1, y1));
        let (c1_low, c1_high) = (s.xor(sum0, at(m0, i)), s.xor(sum1, at(m0, P + i)));
        let (c2_low, c2_high) = (s.xor(s.xor(sum0, z0), at(m1, i)), s.xor(s.xor(sum1, z1), at(m1, P + i)));
        let (c3_low, c3_high) = (s.xor(s.xor(y0, z0), at(m2, i)), s.xor(s.xor(y1, z1), at(m2, P + i)));
        s.store(s.xor(x1, c1_low), &mut o1[i..]);
        s.store(s.xor(c1_high, c2_low), &mut o2[i..]);
        s.store(s.xor(c2_high, c3_low), &mut o3[i..]);
        store_at(s, s.xor(c3_high, z0), high, i);
        store_at(s, z1, high, P + i);
        i += step;
    }
}

/// The kernel for the part of m-way Karatsuba that the products R_i of equal parts give, e words a part: (sum of
/// R_i Y^i)(1 + Y + .. + Y^(m - 1)), Y = X^(64 e).
///
/// With U = sum of R_i Y^i, of m + 1 parts, part t of the result is U_0 + .. + U_t below Y^m, and U_(t - m + 1) +
/// .. + U_m from there on.
pub(super) struct Windows<'a> {
    /// The whole product, `2 m e` words; all are written.
    pub(super) out: &'a mut [u64],
    /// The products R_0, R_1, .., `2 e` words each, one after the other.
    pub(super) equal: &'a [u64],
    /// The words e of a part.
    pub(super) part: usize,
}

impl ClmulKernel for Windows<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Windows { out, equal, part: e } = self;
        // Two sums for each word of a part but the outer two. The middle part, t = m - 1, is the sum of U_0
        // to U_(m - 1); the parts above leave out the lowest terms one by one, and so are summed from the
        // top.
        let m = equal.len() / (2 * e);
        // Part t of U is part 2t of the products (the low part of R_t) plus part 2t - 1 (the high part of R_(t - 1)).
        // Each window is its neighbour plus one part of U: from the bottom up below Y^m, from the top down above.
        // Both recursions start from an outer window, which is one part of U.
        out[..e].copy_from_slice(&equal[..e]);
        for t in 1..m {
            let (before, out) = out[(t - 1) * e..][..2 * e].split_at_mut(e);
            let (high, low) = equal[(2 * t - 1) * e..][..2 * e].split_at(e);
            xor3(s, out, before, high, low);
        }
        out[(2 * m - 1) * e..][..e].copy_from_slice(&equal[(2 * m - 1) * e..][..e]);
        for t in (m..2 * m - 1).rev() {
            let (out, after) = out[t * e..][..2 * e].split_at_mut(e);
            let (high, low) = equal[(2 * (t + 1 - m) - 1) * e..][..2 * e].split_at(e);
            xor3(s, out, after, high, low);
        }
    }
}
