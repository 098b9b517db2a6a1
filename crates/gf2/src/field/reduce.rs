//! Reduction modulo f = z^m + the sum of z^e, in registers.
//!
//! Within a kernel elements of W words are polynomials of up to 64 W bits, not m: then what a product has above is whole words, and no bit
//! moves to come to its place. z^(64 W) = the sum of z^(e + 64 W - m). An element becomes canonical, m bits, when it is stored.
use super::BinaryField;
use super::blocks::{Blocks, Double, add, load_constant};
use super::shape::Shape;
use super::unroll::unroll;
use carryless_lanes::Clmul;

/// The 128 bits of `c` from bit `at` on, zeros where it has none. `at` is public; as a constant it costs up to five instructions.
#[inline(always)]
pub(super) fn window<S: Clmul>(s: S, c: &[S::X], at: isize) -> S::X {
    let (word, bit) = (at.div_euclid(64), at.rem_euclid(64) as u32);
    if bit == 0 {
        pair(s, c, word)
    } else {
        s.xor(s.shr(pair(s, c, word), bit), s.shl(pair(s, c, word + 1), 64 - bit))
    }
}

/// The words `word` and `word + 1` of `c`.
#[inline(always)]
fn pair<S: Clmul>(s: S, c: &[S::X], word: isize) -> S::X {
    let i = word.div_euclid(2);
    if word.rem_euclid(2) == 0 { block(s, c, i) } else { s.straddle(block(s, c, i), block(s, c, i + 1)) }
}

/// Block i, zero outside of `c`.
#[inline(always)]
fn block<S: Clmul>(s: S, c: &[S::X], i: isize) -> S::X {
    if 0 <= i && (i as usize) < c.len() { c[i as usize] } else { s.zero() }
}

/// What [`fold`] takes away: bits from `AT` on, of which there are `ABOVE`.
trait Cut<F: BinaryField> {
    const AT: usize;
    const ABOVE: usize;
    /// m - e for the largest e: by how much bits come down at least.
    const GAP: usize = F::DEGREE - F::TAIL[0];
    /// The terms of the quotient.
    const TERMS: usize = Self::ABOVE.div_ceil(Self::GAP);
    /// Whether the bits with odd numbers are 0, and remain so in the quotient: then none of them crosses to another word when it moves up by one.
    const EVEN: bool = false;
    /// The terms after H, where this is the way to do it.
    const FURTHER: usize = if Self::TERMS > MOST_TERMS { 0 } else { Self::TERMS.saturating_sub(1) };
    /// The bits of term t.
    #[inline(always)]
    fn bits(t: usize) -> usize {
        Self::ABOVE.saturating_sub(t * Self::GAP)
    }
}

/// With more terms two products by constants are faster.
const MOST_TERMS: usize = 5;

/// A product of 128 W - 1 bits, for a remainder of 64 W.
struct OfProduct;

impl<F: BinaryField> Cut<F> for OfProduct {
    const AT: usize = 64 * F::Shape::WORDS;
    const ABOVE: usize = 64 * F::Shape::WORDS - 1;
}

/// A square, which has only bits with even numbers.
struct OfSquare;

impl<F: BinaryField> Cut<F> for OfSquare {
    const AT: usize = <OfProduct as Cut<F>>::AT;
    const ABOVE: usize = <OfProduct as Cut<F>>::ABOVE;
    const EVEN: bool = {
        let (mut even, mut i) = (true, 0);
        while i < F::TAIL.len() {
            let down = F::DEGREE - F::TAIL[i];
            even &= down % 2 == 0 || down >= <OfProduct as Cut<F>>::ABOVE;
            i += 1;
        }
        even
    };
}

/// An element of 64 W bits, for one of m.
struct OfElement;

impl<F: BinaryField> Cut<F> for OfElement {
    const AT: usize = F::DEGREE;
    const ABOVE: usize = 64 * F::Shape::WORDS - F::DEGREE;
}

/// c modulo f X^(AT - m): at most AT bits, for c of at most AT + ABOVE bits.
///
/// With H = c div X^AT and T(x) = the sum of x div X^(m - e) over e, the quotient by f X^(AT - m) is H + T(H) + T(T(H)) + ..., a sum of
/// as many terms as it takes until nothing is left: a few for sparse f. The remainder is c + the sum of G X^(AT - m + e), below X^AT.
#[inline(always)]
fn fold<F: BinaryField, C: Cut<F>, S: Clmul>(s: S, c: &[S::X]) -> Blocks<F, S> {
    let mut term = F::Shape::blocks(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        if 128 * i < C::ABOVE {
            term.as_mut()[i] = window(s, c, (C::AT + 128 * i) as isize);
        }
    });
    let mut quotient = term;
    unroll!(t < C::FURTHER, {
        term = next_term::<F, S>(s, term, C::bits(t), C::bits(t + 1));
        quotient = add::<F, S>(s, quotient, term);
    });
    let mut out = F::Shape::blocks(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        let mut sum = c[i];
        unroll!(e < F::TAIL.len(), {
            let up = C::AT - F::DEGREE + F::TAIL[e];
            if 128 * i + 128 > up && 128 * i < up + C::ABOVE {
                let at = 128 * i as isize - up as isize;
                let moved = if C::EVEN && at.rem_euclid(64) == 63 {
                    s.shl(pair(s, quotient.as_ref(), at.div_euclid(64) + 1), 1)
                } else {
                    window(s, quotient.as_ref(), at)
                };
                sum = s.xor(sum, moved);
            }
        });
        let cut = C::AT < 128 * i + 128;
        out.as_mut()[i] = if cut { s.and(sum, s.splat(below(C::AT - 128 * i))) } else { sum };
    });
    out
}

/// T(x) for x of `bits` bits: no more than `left`.
#[inline(always)]
fn next_term<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>, bits: usize, left: usize) -> Blocks<F, S> {
    let mut next = F::Shape::blocks(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        if 128 * i < left {
            unroll!(e < F::TAIL.len(), {
                let from = F::DEGREE - F::TAIL[e] + 128 * i;
                if from < bits {
                    next.as_mut()[i] = s.xor(next.as_ref()[i], window(s, x.as_ref(), from as isize));
                }
            });
        }
    });
    next
}

/// Ones in the lowest `bits` of 128.
const fn below(bits: usize) -> [u64; 2] {
    match bits {
        0..64 => [(1 << bits) - 1, 0],
        64 => [!0, 0],
        _ => [!0, (1 << (bits - 64)) - 1],
    }
}

/// From 128 W - 1 bits to 64 W.
#[inline(always)]
pub(super) fn reduce<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    if const { S::CARRYLESS } { reduce_inlined::<F, S>(s, c) } else { reduce_outlined::<F, S>(s, c) }
}

/// [`reduce`] for a square.
#[inline(always)]
pub(super) fn reduce_square<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    if const { S::CARRYLESS && <OfSquare as Cut<F>>::EVEN && <OfProduct as Cut<F>>::TERMS <= MOST_TERMS } {
        fold::<F, OfSquare, S>(s, c.as_ref())
    } else {
        reduce::<F, S>(s, c)
    }
}

/// Outlined as products are, [`Shape::multiply`].
#[inline(never)]
fn reduce_outlined<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    reduce_inlined::<F, S>(s, c)
}

#[inline(always)]
fn reduce_inlined<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    if const { S::CARRYLESS && takes_word::<F>() } {
        by_word::<F, S>(s, c.as_ref())
    } else if const { <OfProduct as Cut<F>>::TERMS > MOST_TERMS } {
        by_products::<F, S>(s, c)
    } else {
        fold::<F, OfProduct, S>(s, c.as_ref())
    }
}

/// Whether products by T = z^(64 W) modulo f z^(64 W - m) are the better way: T is one word, and f has so many terms that shifts take longer.
const fn takes_word<F: BinaryField>() -> bool {
    64 * F::Shape::WORDS - F::DEGREE + F::TAIL[0] < 64 && F::TAIL.len() > 2 && F::Shape::WORDS > 1
}

/// The same by W + 1 carry-less products: with H = c div z^(64 W), c + H (z^(64 W) + T) has at most deg T bits more than 64 W, and these are
/// multiplied by T once more.
#[inline(always)]
fn by_word<F: BinaryField, S: Clmul>(s: S, c: &[S::X]) -> Blocks<F, S> {
    let (t, words) = (s.splat([F::TAIL_SHIFTED.as_ref()[0], 0]), F::Shape::WORDS);
    // Word i of H, times T.
    let times_t = |i: usize| match words + i {
        at if at % 2 == 0 => s.mul_ll(c[at / 2], t),
        at => s.mul_hl(c[at / 2], t),
    };
    let (mut out, mut below) = (F::Shape::blocks(s.zero()), s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        let low = times_t(2 * i);
        let high = if 2 * i + 1 < words { times_t(2 * i + 1) } else { s.zero() };
        let sum = s.xor(s.xor(c[i], low), s.straddle(below, high));
        out.as_mut()[i] = if 2 * i + 1 < words { sum } else { s.and(sum, s.splat([!0, 0])) };
        below = if 2 * i + 1 < words { high } else { low };
    });
    out.as_mut()[0] = s.xor(out.as_ref()[0], s.mul_hl(below, t));
    out
}

/// The same for any f (Barrett): with n = 64 W, f' = f X^(n - m), H = c div X^n and M = X^(2n) div f', the quotient c div f' is H M div X^n;
/// both M and f' have degree n, whose products by X^n are sums.
#[inline(always)]
fn by_products<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    let mut high = F::Shape::blocks(s.zero());
    upper::<F, S>(s, c, &mut high);
    let mut quotient = F::Shape::blocks(s.zero());
    let product = F::Shape::multiply(s, high, load_constant::<F, S>(s, F::BARRETT.as_ref()));
    upper::<F, S>(s, product, &mut quotient);
    quotient = add::<F, S>(s, quotient, high);
    let product = F::Shape::multiply(s, quotient, load_constant::<F, S>(s, F::TAIL_SHIFTED.as_ref()));
    let mut out = F::Shape::blocks(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        let sum = s.xor(c.as_ref()[i], product.as_ref()[i]);
        let odd = 2 * i + 1 == F::Shape::WORDS;
        out.as_mut()[i] = if odd { s.and(sum, s.splat([!0, 0])) } else { sum };
    });
    out
}

/// The words from W on.
#[inline(always)]
fn upper<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>, out: &mut Blocks<F, S>) {
    unroll!(i < F::Shape::BLOCKS, {
        out.as_mut()[i] = window(s, c.as_ref(), (64 * F::Shape::WORDS + 128 * i) as isize);
    });
}

/// From 64 W bits to m.
#[inline(always)]
pub(super) fn canonical<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>) -> Blocks<F, S> {
    if const { <OfElement as Cut<F>>::ABOVE == 0 } {
        x
    } else if const { <OfElement as Cut<F>>::TERMS > MOST_TERMS } {
        canonical_by_products::<F, S>(s, x)
    } else {
        fold::<F, OfElement, S>(s, x.as_ref())
    }
}

/// The same for any f: x X^(n - m) modulo f X^(n - m) is the remainder times X^(n - m).
#[inline(always)]
fn canonical_by_products<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>) -> Blocks<F, S> {
    let up = <OfElement as Cut<F>>::ABOVE as isize;
    let (mut c, mut out) = (F::Shape::double(s.zero()), x);
    unroll!(i < F::Shape::BLOCKS, {
        let j = F::Shape::BLOCKS + i;
        c.as_mut()[i] = window(s, x.as_ref(), 128 * i as isize - up);
        c.as_mut()[j] = window(s, x.as_ref(), 128 * j as isize - up);
    });
    let rest = by_products::<F, S>(s, c);
    unroll!(i < F::Shape::BLOCKS, {
        out.as_mut()[i] = window(s, rest.as_ref(), 128 * i as isize + up);
    });
    out
}
