//! Products in fields of up to 32 bits, with one element in every half of every lane.
use crate::algebra::Poly;
use crate::field::map::rows_of_byte;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use zeroize::Zeroize;

/// A field with an f of degree m up to 32.
#[derive(Clone, Copy)]
pub(super) struct Small {
    degree: u32,
    f: u64,
    /// The Barrett constant z^(2m) div f, of degree m.
    quotient: u64,
    /// For m up to 8 the 8 x 8 bit matrix of h -> h z^m mod f, for a byte h; else 0.
    matrix: u64,
}

impl Small {
    /// The constants of f, or none if its degree is above 32.
    pub(super) fn new(f: &Poly) -> Option<Small> {
        let degree = f.degree().filter(|degree| *degree <= 32)?;
        let (quotient, _) = Poly::monomial(2 * degree).div_rem(f)?;
        let image = |j| Poly::monomial(degree + j).rem(f).and_then(|rest| rest.words().first().copied());
        let columns = (0..if degree <= 8 { 8 } else { 0 }).map(|j| rows_of_byte(image(j).unwrap_or(0)) << j);
        Some(Small {
            degree: degree as u32,
            f: f.words()[0],
            quotient: quotient.words()[0],
            matrix: columns.fold(0, |matrix, column| matrix | column),
        })
    }

    /// Sets `out[i]` to `a[i] b[i]`; if `b` has one word, to `a[i] b[0]`. Results are canonical.
    ///
    /// Returns false, and leaves `out` meaningless, if an operand has bits from z^m on. The time is the same in
    /// both cases, but the answer is public.
    pub(super) fn products(&self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
        cpu.affine().call(Products { field: self, a, b, out }) >> self.degree == 0
    }

    /// c mod f, canonical, for c of fewer than 2m bits in every half.
    #[inline(always)]
    fn reduce<S: Clmul, const BY_MATRIX: bool>(&self, s: S, c: S::X) -> S::X {
        if BY_MATRIX { self.reduce_by_matrix(s, c) } else { self.reduce_by_products(s, c) }
    }

    /// [`reduce`](Small::reduce) for m up to 8: one bit matrix maps the bits from z^m on.
    #[inline(always)]
    fn reduce_by_matrix<S: Clmul>(&self, s: S, c: S::X) -> S::X {
        // c div z^m has at most m - 1 <= 7 bits, one byte, and the byte of the matrix product is below z^m.
        let above = s.affine(s.shr(c, self.degree), s.splat([self.matrix; 2]));
        s.xor(above, s.and(c, s.splat([(1 << self.degree) - 1; 2])))
    }

    /// [`reduce`](Small::reduce) by two products (Barrett). The quotient is exact, because polynomials
    /// over F2 have no carries.
    #[inline(always)]
    fn reduce_by_products<S: Clmul>(&self, s: S, c: S::X) -> S::X {
        let (f, quotient) = (s.splat([self.f, 0]), s.splat([self.quotient, 0]));
        // c has fewer than 2 m bits, so high has fewer than m. M and f have degree m <= 32: both products
        // have degree 2 m - 1 <= 63 at most, and fit a half. The bits of c + q f from z^m on are 0, so the
        // result is canonical.
        let high = s.shr(c, self.degree);
        let q = low_halves(s, s.mul_ll(high, quotient), s.mul_hl(high, quotient));
        let q = s.shr(q, self.degree);
        s.xor(c, low_halves(s, s.mul_ll(q, f), s.mul_hl(q, f)))
    }
}

/// The kernel for all products. It returns the OR of all operands, which shows bits from z^m on.
struct Products<'a> {
    field: &'a Small,
    a: &'a [u64],
    b: &'a [u64],
    out: &'a mut [u64],
}

impl ClmulKernel for Products<'_> {
    type Out = u64;
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) -> u64 {
        if S::AFFINE && self.field.degree <= 8 { self.each::<S, true>(s) } else { self.each::<S, false>(s) }
    }
}

impl Products<'_> {
    /// Runs the kernel with one way to reduce. It is a constant and not a closure, which would not be inlined
    /// and so would be compiled without the backend's instructions.
    #[inline(always)]
    fn each<S: Clmul, const BY_MATRIX: bool>(self, s: S) -> u64 {
        let Products { field, a, b, out } = self;
        // Two elements for each lane. The OR of all operands is collected on the way, and tested once at the
        // end.
        let group = 2 * S::K;
        let whole = a.len() / group * group;
        let (alone, one) = (b.len() == 1, s.splat([b[0]; 2]));
        let mut bits = s.zero();
        for at in (0..whole).step_by(group) {
            let x = s.load(&a[at..at + group]);
            let y = if alone { one } else { s.load(&b[at..at + group]) };
            // No early exit at an operand with bits from z^m on: the time shows nothing, only the answer
            // does.
            bits = or(s, bits, or(s, x, y));
            s.store(field.reduce::<S, BY_MATRIX>(s, product(s, x, y)), &mut out[at..at + group]);
        }
        // The last words, fewer than a vector, go through a zero-padded vector.
        let (x, y) = (s.load_part(&a[whole..]), if alone { one } else { s.load_part(&b[whole..]) });
        bits = or(s, bits, or(s, x, y));
        let mut words = [0; 8];
        s.store(field.reduce::<S, BY_MATRIX>(s, product(s, x, y)), &mut words);
        out[whole..].copy_from_slice(&words[..a.len() - whole]);
        words.zeroize();
        s.store(bits, &mut words);
        let all = words.iter().fold(0, |all, word| all | word);
        words.zeroize();
        all
    }
}

/// The products of halves of at most 32 bits: they fit 64 bits again.
#[inline(always)]
fn product<S: Clmul>(s: S, a: S::X, b: S::X) -> S::X {
    // Two products of words for two elements. Each has at most 63 bits, so nothing is above the low half.
    low_halves(s, s.mul_ll(a, b), s.mul_hh(a, b))
}

/// The low half of `a` and the low half of `b`, as the low and the high half.
#[inline(always)]
fn low_halves<S: Clmul>(s: S, a: S::X, b: S::X) -> S::X {
    s.straddle(s.swap(a), b)
}

/// The bitwise OR, by the operations that every backend has. The compiler makes one instruction of it.
#[inline(always)]
fn or<S: Clmul>(s: S, a: S::X, b: S::X) -> S::X {
    s.xor(s.and(a, b), s.xor(a, b))
}
