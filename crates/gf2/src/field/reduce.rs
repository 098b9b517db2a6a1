//! Reduction modulo f = z^m + the sum of z^e, in registers. The exponents e, those of the tail, are below m.
//!
//! A product of two elements of W words, canonical or not, has up to 128 W - 1 bits. [`reduce`] brings it to 64 W bits,
//! not to m bits. The part to be folded then consists of whole words, which need no shift before z^(64 W) is replaced by
//! the sum of z^(e + 64 W - m). [`canonical`] brings 64 W bits to m, once for each element that is stored.
//!
//! Everything here is straight-line code with shift counts known at compile time, so its time does not depend
//! on elements.
use super::BinaryField;
use super::blocks::{Blocks, Double, add, load_constant};
use super::shape::{BlockArray as _, Shape};
use super::unroll::unroll;
use carryless_lanes::Clmul;

/// The 128 bits of `c` from bit `at` on, in every lane, with zeros outside of `c`. `at` is public and may be negative. If
/// it is constant, this costs at most four instructions: two shifts, a sum, and one to join two halves of blocks.
#[inline(always)]
pub(crate) fn window<S: Clmul>(s: S, c: &[S::X], at: isize) -> S::X {
    // Shifts and masks, not `div_euclid`: LLVM evaluates them while it inlines and drops the branches at once. With
    // calls of `div_euclid` curves take almost twice as long to compile.
    let (word, bit) = (at >> 6, (at & 63) as u32);
    if bit == 0 {
        pair(s, c, word)
    } else {
        // Each half is shifted on its own, so the bits that cross from the next higher word are added
        // separately.
        s.xor(s.shr(pair(s, c, word), bit), s.shl(pair(s, c, word + 1), 64 - bit))
    }
}

/// Words `word` and `word + 1` of `c` as one block, with zeros outside of `c`.
#[inline(always)]
fn pair<S: Clmul>(s: S, c: &[S::X], word: isize) -> S::X {
    let i = word >> 1;
    if word & 1 == 0 { block(s, c, i) } else { s.straddle(block(s, c, i), block(s, c, i + 1)) }
}

/// Block i of `c`, or zero outside of `c`.
#[inline(always)]
fn block<S: Clmul>(s: S, c: &[S::X], i: isize) -> S::X {
    if 0 <= i && (i as usize) < c.len() { c[i as usize] } else { s.zero() }
}

/// The parameters of a [`fold`]: it removes the bits from `AT` on, of which there are at most `ABOVE`.
trait Cut<F: BinaryField> {
    const AT: usize;
    const ABOVE: usize;
    /// The distance from m to the next exponent of f: the least number of places by which folded bits move down.
    const GAP: usize = F::DEGREE - F::TAIL[0];
    /// How many of the terms H, T(H), T(T(H)), ... of the quotient can be nonzero. [`fold`] defines H and T.
    const TERMS: usize = Self::ABOVE.div_ceil(Self::GAP);
    /// Whether all odd bits are 0, in the input and in the quotient. Then no bit crosses a word boundary
    /// in a shift by one.
    const EVEN: bool = false;
    /// The number of terms after H, or 0 where [`by_products`] replaces the fold.
    const FURTHER: usize = if Self::TERMS > MAX_TERMS { 0 } else { Self::TERMS.saturating_sub(1) };
    /// An upper bound for the number of bits of term t.
    #[inline(always)]
    fn bits(t: usize) -> usize {
        Self::ABOVE.saturating_sub(t * Self::GAP)
    }
}

/// The most quotient terms for which [`fold`] is used. With more terms, two products by constants are faster.
const MAX_TERMS: usize = 5;

/// Reduces a product, of at most 128 W - 1 bits, to 64 W bits.
struct OfProduct;

impl<F: BinaryField> Cut<F> for OfProduct {
    const AT: usize = 64 * F::Shape::WORDS;
    const ABOVE: usize = 64 * F::Shape::WORDS - 1;
}

/// Reduces the square of an element to 64 W bits. Before the reduction, a square has only even bits.
struct OfSquare;

impl<F: BinaryField> Cut<F> for OfSquare {
    const AT: usize = <OfProduct as Cut<F>>::AT;
    const ABOVE: usize = <OfProduct as Cut<F>>::ABOVE;
    const EVEN: bool = {
        // The quotient keeps to even bits if every distance m - e that can move a bit into it is even.
        let (mut even, mut i) = (true, 0);
        while i < F::TAIL.len() {
            let down = F::DEGREE - F::TAIL[i];
            even &= down % 2 == 0 || down >= <OfProduct as Cut<F>>::ABOVE;
            i += 1;
        }
        even
    };
}

/// Reduces an element of 64 W bits to the canonical one of m bits.
struct OfElement;

impl<F: BinaryField> Cut<F> for OfElement {
    const AT: usize = F::DEGREE;
    const ABOVE: usize = 64 * F::Shape::WORDS - F::DEGREE;
}

/// The remainder of c modulo f z^(AT - m): at most AT bits, for a c of at most AT + ABOVE bits.
///
/// Let H = c div z^AT, and let T(x) be the sum of x div z^(m - e) over the exponents e of the tail. The
/// quotient by f z^(AT - m) is G = H + T(H) + T(T(H)) + ..., which ends as soon as a term is 0. For most f a product
/// has two to five terms, and an element of 64 W bits one. The remainder is c + the sum of G z^(AT - m + e), cut at z^AT.
/// Costs 3 to 5 instructions for each block and exponent.
#[inline(always)]
fn fold<F: BinaryField, C: Cut<F>, S: Clmul>(s: S, c: &[S::X]) -> Blocks<F, S> {
    // For example f = z^233 + z^74 + 1 with W = 4. A product has ABOVE = 255 bits from AT = 256 on, and GAP is
    // 159. There are two terms: H, and T(H) = H div z^159 + H div z^233 of 96 bits. f z^23 has the exponents 97
    // and 23 below 256, so the remainder is c + G z^97 + G z^23.
    //
    // H is read in place, block by block; bits beyond `ABOVE` do not exist.
    let mut term = F::Shape::blocks(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        if 128 * i < C::ABOVE {
            term.as_mut()[i] = window(s, c, (C::AT + 128 * i) as isize);
        }
    });
    // Invariant: quotient = H + T(H) + ..., up to and including `term`. Terms shrink by GAP bits each. `bits`
    // bounds their lengths by constants, so no empty block is computed.
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
            // Only blocks that the shifted quotient can reach are touched; the others stay as they are in c.
            if 128 * i + 128 > up && 128 * i < up + C::ABOVE {
                let at = 128 * i as isize - up as isize;
                // A shift by one place never crosses a word here, because every top bit is 0 (`EVEN`): one
                // shift suffices.
                let moved = if C::EVEN && at & 63 == 63 {
                    s.shl(pair(s, quotient.as_ref(), (at >> 6) + 1), 1)
                } else {
                    window(s, quotient.as_ref(), at)
                };
                sum = s.xor(sum, moved);
            }
        });
        // The multiple of f cancels all bits from AT on, so they are masked instead of computed. The mask
        // concerns the block in which AT lies: the blocks of `out` end with it.
        let cut = C::AT < 128 * i + 128;
        out.as_mut()[i] = if cut { s.and(sum, s.splat(below(C::AT - 128 * i))) } else { sum };
    });
    out
}

/// T(x) for an x of at most `bits` bits. The result has at most `left` bits.
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

/// A mask of 128 bits whose lowest `bits` bits are ones.
const fn below(bits: usize) -> [u64; 2] {
    match bits {
        0..64 => [(1 << bits) - 1, 0],
        64 => [!0, 0],
        _ => [!0, (1 << (bits - 64)) - 1],
    }
}

/// Reduces a product of at most 128 W - 1 bits to 64 W bits, congruent modulo f but not canonical. Constant time.
///
/// Inlined on backends with carry-less products. On the others a call costs little beside a product
/// and keeps the code small.
#[inline(always)]
pub(crate) fn reduce<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    // No branch at run time: the condition is a constant of the backend.
    if const { S::CARRYLESS } { reduce_inlined::<F, S>(s, c) } else { reduce_outlined::<F, S>(s, c) }
}

/// [`reduce`] for the square of an element: all odd bits of `c` must be 0. For some f this saves shifts.
#[inline(always)]
pub(super) fn reduce_square<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    if const { S::CARRYLESS && <OfSquare as Cut<F>>::EVEN && <OfProduct as Cut<F>>::TERMS <= MAX_TERMS } {
        fold::<F, OfSquare, S>(s, c.as_ref())
    } else {
        reduce::<F, S>(s, c)
    }
}

/// [`reduce`] as a function of its own, for backends without carry-less products: see [`Shape::multiply`].
#[inline(never)]
fn reduce_outlined<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    reduce_inlined::<F, S>(s, c)
}

/// [`reduce`] by the method that f and the backend decide.
#[inline(always)]
fn reduce_inlined<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    // All conditions are constants of f and the backend: one of three methods is compiled. Most f take the
    // fold, with two to five terms. Pentanomials whose exponents are all small, such as those of 163, 251,
    // 283 and 571 bits, take a word. `Gf128Polyval` and the public fields of up to 16 bits take products.
    if const { S::CARRYLESS && takes_word::<F>() } {
        by_word::<F, S>(s, c.as_ref())
    } else if const { <OfProduct as Cut<F>>::TERMS > MAX_TERMS } {
        by_products::<F, S>(s, c)
    } else {
        fold::<F, OfProduct, S>(s, c.as_ref())
    }
}

/// Whether to reduce by products with T = z^(64 W) mod f z^(64 W - m). This pays if T fits one word and f has
/// more than three terms, for which shifts take longer.
const fn takes_word<F: BinaryField>() -> bool {
    64 * F::Shape::WORDS - F::DEGREE + F::TAIL[0] < 64 && F::TAIL.len() > 2 && F::Shape::WORDS > 1
}

/// [`reduce`] by W + 1 carry-less products, for a T of one word.
///
/// With H = c div z^(64 W), c + H (z^(64 W) + T) is congruent to c and has at most deg T bits above 64 W. Those
/// bits fit one word; they are multiplied by T once more, after which nothing is left above.
#[inline(always)]
fn by_word<F: BinaryField, S: Clmul>(s: S, c: &[S::X]) -> Blocks<F, S> {
    // For example z^192 = z^29 (z^7 + z^6 + z^3 + 1) for m = 163: T = z^36 + z^35 + z^32 + z^29, one word.
    let (t, words) = (s.splat([F::TAIL_SHIFTED.as_ref()[0], 0]), F::Shape::WORDS);
    // Word i of H times T: up to 127 bits. W such products, and one more at the end.
    let times_t = |i: usize| match words + i {
        at if at % 2 == 0 => s.mul_ll(c[at / 2], t),
        at => s.mul_hl(c[at / 2], t),
    };
    let (mut out, mut below) = (F::Shape::blocks(s.zero()), s.zero());
    // `below` is the product of the previous odd word, whose upper half belongs to this block.
    unroll!(i < F::Shape::BLOCKS, {
        let low = times_t(2 * i);
        let high = if 2 * i + 1 < words { times_t(2 * i + 1) } else { s.zero() };
        let sum = s.xor(s.xor(c[i], low), s.straddle(below, high));
        out.as_mut()[i] = if 2 * i + 1 < words { sum } else { s.and(sum, s.splat([!0, 0])) };
        below = if 2 * i + 1 < words { high } else { low };
    });
    // The upper half of `below` is what reached word W: it folds into word 0. It has at most deg T <= 63
    // bits, so its product by T has fewer than 128 and nothing reaches word W again.
    out.as_mut()[0] = s.xor(out.as_ref()[0], s.mul_hl(below, t));
    out
}

/// [`reduce`] for any f, by Barrett's method: two products by constants.
///
/// With n = 64 W, f' = f z^(n - m), H = c div z^n and M = z^(2n) div f', the quotient c div f' is H M div z^n.
/// It is exact: over F2 there are no carries, so Barrett's estimate needs no correction. M and f' have degree
/// n, and the constants leave out their leading terms z^n; the products by z^n are the additions below.
#[inline(always)]
fn by_products<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>) -> Blocks<F, S> {
    let mut high = F::Shape::blocks(s.zero());
    // H = c div z^n. H M is H z^n plus H times the constant, so its quotient by z^n is H plus the upper half of
    // the product.
    // Two products of W words each, beside the one that made c: Barrett's method triples the cost of a
    // product.
    upper::<F, S>(s, c, &mut high);
    let mut quotient = F::Shape::blocks(s.zero());
    let product = F::Shape::multiply(s, high, load_constant::<F, S>(s, F::BARRETT.as_ref()));
    upper::<F, S>(s, product, &mut quotient);
    quotient = add::<F, S>(s, quotient, high);
    // The remainder is c + quotient f'. Only its lower n bits are wanted, so the constant without z^n suffices.
    let product = F::Shape::multiply(s, quotient, load_constant::<F, S>(s, F::TAIL_SHIFTED.as_ref()));
    let mut out = F::Shape::blocks(s.zero());
    // The lower W words of c + quotient f'. The upper words cancel and are not computed.
    unroll!(i < F::Shape::BLOCKS, {
        let sum = s.xor(c.as_ref()[i], product.as_ref()[i]);
        let odd = 2 * i + 1 == F::Shape::WORDS;
        out.as_mut()[i] = if odd { s.and(sum, s.splat([!0, 0])) } else { sum };
    });
    out
}

/// Words W to 2 W - 1 of a product: its quotient by z^(64 W).
#[inline(always)]
fn upper<F: BinaryField, S: Clmul>(s: S, c: Double<F, S>, out: &mut Blocks<F, S>) {
    unroll!(i < F::Shape::BLOCKS, {
        out.as_mut()[i] = window(s, c.as_ref(), (64 * F::Shape::WORDS + 128 * i) as isize);
    });
}

/// The canonical element, of m bits, that is congruent to x of 64 W bits modulo f. It is 0 for every multiple of f.
/// Constant time.
#[inline(always)]
pub(super) fn canonical<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>) -> Blocks<F, S> {
    // The number of folded bits, 64 W - m, is a constant of at most 63: usually one term of the quotient. Tests
    // for 0 compare words after this, because a multiple of f need not be 0 before.
    if const { <OfElement as Cut<F>>::ABOVE == 0 } {
        x
    } else if const { <OfElement as Cut<F>>::TERMS > MAX_TERMS } {
        canonical_by_products::<F, S>(s, x)
    } else {
        fold::<F, OfElement, S>(s, x.as_ref())
    }
}

/// [`canonical`] for any f: (x z^(n - m)) mod (f z^(n - m)) is (x mod f) z^(n - m), for n = 64 W. So x is
/// shifted up, reduced by [`by_products`] and shifted down.
#[inline(always)]
fn canonical_by_products<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>) -> Blocks<F, S> {
    let up = <OfElement as Cut<F>>::ABOVE as isize;
    let (mut c, mut out) = (F::Shape::double(s.zero()), x);
    unroll!(i < F::Shape::BLOCKS, {
        let j = F::Shape::BLOCKS + i;
        c.as_mut()[i] = window(s, x.as_ref(), 128 * i as isize - up);
        c.as_mut()[j] = window(s, x.as_ref(), 128 * j as isize - up);
    });
    // c = x z^(n - m) has up to 2 n - m bits, which a product of two elements may have too.
    let rest = by_products::<F, S>(s, c);
    unroll!(i < F::Shape::BLOCKS, {
        out.as_mut()[i] = window(s, rest.as_ref(), 128 * i as isize + up);
    });
    out
}
