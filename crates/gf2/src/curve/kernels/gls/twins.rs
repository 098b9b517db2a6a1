//! Arithmetic on two elements at once, in the lanes of a backend with two lanes or one after the other. All
//! functions are constant time.
use crate::field::tower::Quadratic;
use crate::field::{BinaryField, KernelField, Operand};
use carryless_lanes::Clmul;

/// An element of the quadratic extension of F in each lane.
type Vectors<F, S> = <Quadratic<F> as Operand>::Vectors<S>;

/// Two elements. With two lanes, both vectors are the same and have an element in each lane; with one
/// lane, each vector has one.
pub(in crate::curve) type Twins<F, S> = [Vectors<F, S>; 2];

/// Loads two elements that lie side by side in memory.
#[inline(always)]
pub(in crate::curve) fn load<F: BinaryField, S: Clmul>(s: S, src: &[u64]) -> Twins<F, S> {
    let first = Quadratic::<F>::load(s, src);
    // `const`, so that each backend compiles only its own arm.
    if const { S::K == 1 } {
        [first, Quadratic::<F>::load(s, &src[Quadratic::<F>::WORDS..])]
    } else {
        [first; 2]
    }
}

/// Makes two elements canonical and writes them side by side, as [`load`] reads them.
#[inline(always)]
pub(in crate::curve) fn store<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>, out: &mut [u64]) {
    Quadratic::<F>::store(s, a[0], out);
    if const { S::K == 1 } {
        Quadratic::<F>::store(s, a[1], &mut out[Quadratic::<F>::WORDS..]);
    }
}

/// The element with these words, twice.
#[inline(always)]
pub(in crate::curve) fn both<F: BinaryField, S: Clmul>(s: S, words: &[u64]) -> Twins<F, S> {
    [Quadratic::<F>::constant(s, words); 2]
}

/// The element 0 in both places.
#[inline(always)]
pub(in crate::curve) fn zero<F: BinaryField, S: Clmul>(s: S) -> Twins<F, S> {
    [Quadratic::<F>::bit(s, 0); 2]
}

/// The element 1 in both places.
#[inline(always)]
pub(in crate::curve) fn one<F: BinaryField, S: Clmul>(s: S) -> Twins<F, S> {
    [Quadratic::<F>::bit(s, 1); 2]
}

/// The sums of the first elements and of the second ones.
#[inline(always)]
pub(in crate::curve) fn add<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>, b: Twins<F, S>) -> Twins<F, S> {
    let first = Quadratic::<F>::add(s, a[0], b[0]);
    if const { S::K == 1 } { [first, Quadratic::<F>::add(s, a[1], b[1])] } else { [first; 2] }
}

/// The products of the first elements and of the second ones.
#[inline(always)]
pub(in crate::curve) fn mul<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>, b: Twins<F, S>) -> Twins<F, S> {
    let first = Quadratic::<F>::mul(s, a[0], b[0]);
    if const { S::K == 1 } { [first, Quadratic::<F>::mul(s, a[1], b[1])] } else { [first; 2] }
}

/// The products a b of both pairs, with c d added to the second one. With one lane, only the second element of
/// c and d is used.
#[inline(always)]
pub(in crate::curve) fn mul_add_second<F: BinaryField, S: Clmul>(
    s: S,
    [a, b]: [Twins<F, S>; 2],
    [c, d]: [Twins<F, S>; 2],
) -> Twins<F, S> {
    if const { S::K == 1 } {
        return [Quadratic::<F>::mul(s, a[0], b[0]), Quadratic::<F>::mul_add_mul(s, a[1], b[1], c[1], d[1])];
    }
    // With two lanes the first element of c is replaced by 0, so that the same instructions serve both. The
    // product by it in lane 0 is idle work, but costs no time of its own.
    let c = blend::<F, S>(s, zero::<F, S>(s), c);
    [Quadratic::<F>::mul_add_mul(s, a[0], b[0], c[0], d[0]); 2]
}

/// The squares of both elements.
#[inline(always)]
pub(in crate::curve) fn square<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>) -> Twins<F, S> {
    let first = Quadratic::<F>::square(s, a[0]);
    if const { S::K == 1 } { [first, Quadratic::<F>::square(s, a[1])] } else { [first; 2] }
}

/// The products of both elements by u: sums only.
#[inline(always)]
pub(in crate::curve) fn times_u<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>) -> Twins<F, S> {
    let first = Quadratic::<F>::times_u(s, a[0]);
    if const { S::K == 1 } { [first, Quadratic::<F>::times_u(s, a[1])] } else { [first; 2] }
}

/// The products of both elements by an element of the base field with a single word, the lower word of every lane.
#[inline(always)]
pub(in crate::curve) fn times_word<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>, b: S::X) -> Twins<F, S> {
    let first = Quadratic::<F>::times_word(s, a[0], b);
    if const { S::K == 1 } { [first, Quadratic::<F>::times_word(s, a[1], b)] } else { [first; 2] }
}

/// The conjugates of both elements over the base field.
#[inline(always)]
pub(in crate::curve) fn conjugate<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>) -> Twins<F, S> {
    let first = Quadratic::<F>::conjugate(s, a[0]);
    if const { S::K == 1 } { [first, Quadratic::<F>::conjugate(s, a[1])] } else { [first; 2] }
}

/// The first element (`which` is 0) or the second one (1), twice.
#[inline(always)]
pub(in crate::curve) fn repeat<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>, which: usize) -> Twins<F, S> {
    if const { S::K == 1 } { [a[which]; 2] } else { [Quadratic::<F>::repeat(s, a[0], which); 2] }
}

/// Exchanges the two elements: a move between lanes, or nothing with one lane.
#[inline(always)]
pub(in crate::curve) fn swap<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>) -> Twins<F, S> {
    if const { S::K == 1 } { [a[1], a[0]] } else { [Quadratic::<F>::lanes_from(s, 1, a[0], a[0]); 2] }
}

/// The first element of `a`, and the second one of `b`.
#[inline(always)]
pub(in crate::curve) fn blend<F: BinaryField, S: Clmul>(s: S, a: Twins<F, S>, b: Twins<F, S>) -> Twins<F, S> {
    if const { S::K == 1 } {
        return [a[0], b[1]];
    }
    [Quadratic::<F>::select(s, s.load_lanes(&[0, 0, !0, !0], 2), a[0], b[0]); 2]
}

/// Selects without branches: `b` where the mask has ones, `a` where it has zeros.
#[inline(always)]
pub(in crate::curve) fn select<F: BinaryField, S: Clmul>(
    s: S,
    mask: S::X,
    a: Twins<F, S>,
    b: Twins<F, S>,
) -> Twins<F, S> {
    let first = Quadratic::<F>::select(s, mask, a[0], b[0]);
    if const { S::K == 1 } { [first, Quadratic::<F>::select(s, mask, a[1], b[1])] } else { [first; 2] }
}
