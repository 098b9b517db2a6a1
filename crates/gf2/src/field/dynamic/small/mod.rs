//! Fields of up to 32 bits, on vectors of many elements.
//!
//! An element takes 8, 16, 32 or 64 bits of memory, its storage. Kernels multiply it in a slot of 32 bits for m up to
//! 16 in packed storage, otherwise of 64: so a product, of fewer than 2 m bits, fits its slot.
mod inverses;
mod products;
mod units;
mod values;

use crate::algebra::Poly;
use crate::field::map::rows_of_byte;
use carryless_lanes::Bytes;
pub(super) use units::Unit;

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

/// Bits of a slot for elements of this storage.
const fn slot(bits: u32) -> u32 {
    if bits <= 16 { 32 } else { 64 }
}

/// A word whose slots all have the same bits, which fit the slot.
const fn in_slots(bits: u32, word: u64) -> u64 {
    if slot(bits) == 32 { word << 32 | word } else { word }
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

    /// Bits of packed storage: 8, 16 or 32, the least that has room for m.
    pub(super) fn packed_bits(&self) -> u32 {
        self.degree.next_power_of_two().max(8)
    }

    /// Products of elements below z^m, each in storage of `BITS` bits. Canonical.
    #[inline(always)]
    fn mul<S: Bytes, const BITS: u32, const BY_MATRIX: bool>(&self, s: S, a: S::X, b: S::X) -> S::X {
        let (mut products, mut at) = (s.zero(), 0);
        while at < slot(BITS) {
            let c = product::<S, BITS>(s, slots::<S, BITS>(s, a, at), slots::<S, BITS>(s, b, at));
            let reduced = self.reduce::<S, BITS, BY_MATRIX>(s, c);
            products = s.xor(products, if at == 0 { reduced } else { s.shl(reduced, at) });
            at += BITS;
        }
        products
    }

    /// c mod f, canonical, for c of fewer than 2m bits in every slot.
    #[inline(always)]
    fn reduce<S: Bytes, const BITS: u32, const BY_MATRIX: bool>(&self, s: S, c: S::X) -> S::X {
        if BY_MATRIX {
            self.reduce_by_matrix::<S, BITS>(s, c)
        } else {
            self.reduce_by_products::<S, BITS>(s, c)
        }
    }

    /// [`reduce`](Small::reduce) for m up to 8: one bit matrix maps the bits from z^m on.
    #[inline(always)]
    fn reduce_by_matrix<S: Bytes, const BITS: u32>(&self, s: S, c: S::X) -> S::X {
        // c div z^m has at most m - 1 <= 7 bits, one byte, and the byte of the matrix product is below z^m.
        let above = s.affine(self.quotient_by_power::<S, BITS>(s, c), s.splat([self.matrix; 2]));
        s.xor(above, s.and(c, s.splat([in_slots(BITS, (1 << self.degree) - 1); 2])))
    }

    /// [`reduce`](Small::reduce) by two products (Barrett). The quotient is exact, because polynomials
    /// over F2 have no carries.
    #[inline(always)]
    fn reduce_by_products<S: Bytes, const BITS: u32>(&self, s: S, c: S::X) -> S::X {
        let (f, quotient) = (s.splat([self.f, 0]), s.splat([self.quotient, 0]));
        // c has fewer than 2 m bits, so high has fewer than m. M and f have degree m: both products have degree
        // 2 m - 2 at most, and fit a slot. The bits of c + q f from z^m on are 0, so the result is canonical.
        let high = self.quotient_by_power::<S, BITS>(s, c);
        let q = s.low_halves(s.mul_ll(high, quotient), s.mul_hl(high, quotient));
        let q = self.quotient_by_power::<S, BITS>(s, q);
        s.xor(c, s.low_halves(s.mul_ll(q, f), s.mul_hl(q, f)))
    }

    /// c div z^m in every slot, for c of fewer than 2m bits.
    #[inline(always)]
    fn quotient_by_power<S: Bytes, const BITS: u32>(&self, s: S, c: S::X) -> S::X {
        let high = s.shr(c, self.degree);
        // With several slots in a half, the lowest bits of one came into the slot below.
        if slot(BITS) == 64 {
            high
        } else {
            s.and(high, s.splat([in_slots(BITS, (1 << (self.degree - 1)) - 1); 2]))
        }
    }
}

/// The elements at bit `at` of every slot, alone in their slots.
#[inline(always)]
fn slots<S: Bytes, const BITS: u32>(s: S, a: S::X, at: u32) -> S::X {
    if BITS == 64 {
        return a;
    }
    let moved = if at == 0 { a } else { s.shr(a, at) };
    s.and(moved, s.splat([in_slots(BITS, (1 << BITS) - 1); 2]))
}

/// The products of elements of fewer than half as many bits as their slots have.
#[inline(always)]
fn product<S: Bytes, const BITS: u32>(s: S, a: S::X, b: S::X) -> S::X {
    // Of a half with one slot, the product fits the low half.
    let (low, high) = (s.mul_ll(a, b), s.mul_hh(a, b));
    let lows = s.low_halves(low, high);
    if slot(BITS) == 64 {
        return lows;
    }
    // (a0 + a1 X^32)(b0 + b1 X^32): a0 b0 is in the lowest slot, then come mixed products, then a1 b1 in the high half.
    s.xor(s.and(lows, s.splat([0xffff_ffff; 2])), s.shl(s.high_halves(low, high), 32))
}
