//! Inverses of all elements of slices, by Montgomery's trick in every place of some vectors.
use super::Small;
use super::units::{Job, MOST, Unit, exceeds, load_at, or, store_at};
use carryless_lanes::{Bytes, ClmulCpu};
use zeroize::Zeroize;

/// Vectors of products that advance together: one waits for the product before, several do not.
const VECTORS: usize = 4;
/// Their units, on the widest vectors.
const STATE: usize = MOST * VECTORS;

impl Small {
    /// Sets `out[i]` to 1 / `a[i]`, or to 0 if `a[i]` is 0: three products for each element, and the inverses of up to 256 bytes of elements, which
    /// `invert` finds in place: none of them is 0.
    ///
    /// Returns false, and leaves `out` meaningless, if an element has bits from z^m on, as [`products`](Small::products).
    pub(in super::super) fn inverses<T: Unit>(
        &self,
        cpu: ClmulCpu,
        a: &[T],
        out: &mut [T],
        invert: impl FnOnce(&mut [T]),
    ) -> bool {
        let mut state = [T::default(); STATE];
        let places = T::run(self, cpu, Rise { field: self, a, products: &mut state, out });
        if let Some(places) = places {
            // Places after the last element have the product 1.
            invert(&mut state[..places.min(a.len())]);
            T::run(self, cpu, Fall { field: self, a, inverses: &state, out });
        }
        state.zeroize();
        places.is_some()
    }
}

/// 1 in every element that is 0, 0 in the others.
#[inline(always)]
fn ones_for_zeros<S: Bytes, const BITS: u32>(s: S, x: S::X) -> S::X {
    let mut zero = s.zero_bytes(x);
    // An element is 0 if all its bytes are: those of its other half, then of its other quarter.
    if BITS >= 16 {
        zero = s.and(zero, s.shuffle(zero, s.splat([0x0607_0405_0203_0001, 0x0e0f_0c0d_0a0b_0809])));
    }
    if BITS >= 32 {
        zero = s.and(zero, s.shuffle(zero, s.splat([0x0504_0706_0100_0302, 0x0d0c_0f0e_0908_0b0a])));
    }
    if BITS >= 64 {
        zero = s.and(zero, s.shuffle(zero, s.splat([0x0302_0100_0706_0504, 0x0b0a_0908_0f0e_0d0c])));
    }
    s.and(zero, ones::<S, BITS>(s))
}

/// 1 in every element.
#[inline(always)]
fn ones<S: Bytes, const BITS: u32>(s: S) -> S::X {
    s.splat([u64::MAX / (u64::MAX >> (64 - BITS)); 2])
}

/// The first pass: sets each vector of `out` to the products of those `VECTORS` before it, `2 VECTORS` before it and so on, and `products`
/// to those of all. Returns their number of units, or `None` if an element has bits from z^m on.
struct Rise<'a, T> {
    field: &'a Small,
    a: &'a [T],
    products: &'a mut [T],
    out: &'a mut [T],
}

impl<T: Unit> Job<T> for Rise<'_, T> {
    type Out = Option<usize>;
    #[inline(always)]
    fn run<S: Bytes, const BITS: u32, const BY_MATRIX: bool>(self, s: S) -> Option<usize> {
        let (step, mut bits) = (S::K * T::LANE, s.zero());
        let mut products = [ones::<S, BITS>(s); VECTORS];
        for row in (0..self.a.len()).step_by(VECTORS * step) {
            for (i, product) in products.iter_mut().enumerate() {
                let x = load_at(s, self.a, row + i * step);
                bits = or(s, bits, x);
                store_at(s, *product, self.out, row + i * step);
                // 1 in place of 0, by a sum and not a branch.
                let x = s.xor(x, ones_for_zeros::<S, BITS>(s, x));
                *product = self.field.mul::<S, BITS, BY_MATRIX>(s, *product, x);
            }
        }
        for (i, product) in products.into_iter().enumerate() {
            store_at(s, product, self.products, i * step);
        }
        (!exceeds::<S, BITS>(s, self.field, bits)).then_some(VECTORS * step)
    }
}

/// The second pass, from the last row to the first: the inverse of a product by the product before is an element's inverse, and by the
/// element it is the inverse of that product.
struct Fall<'a, T> {
    field: &'a Small,
    a: &'a [T],
    inverses: &'a [T],
    out: &'a mut [T],
}

impl<T: Unit> Job<T> for Fall<'_, T> {
    type Out = ();
    #[inline(always)]
    fn run<S: Bytes, const BITS: u32, const BY_MATRIX: bool>(self, s: S) {
        let step = S::K * T::LANE;
        let mut inverses = [s.zero(); VECTORS];
        for (i, inverse) in inverses.iter_mut().enumerate() {
            *inverse = load_at(s, self.inverses, i * step);
        }
        for row in (0..self.a.len()).step_by(VECTORS * step).rev() {
            for (i, inverse) in inverses.iter_mut().enumerate() {
                let at = row + i * step;
                let (x, before) = (load_at(s, self.a, at), load_at(s, self.out, at));
                let zeros = ones_for_zeros::<S, BITS>(s, x);
                // The inverse of the 1 that stands for 0 becomes 0 again.
                let found = s.xor(self.field.mul::<S, BITS, BY_MATRIX>(s, *inverse, before), zeros);
                store_at(s, found, self.out, at);
                *inverse = self.field.mul::<S, BITS, BY_MATRIX>(s, *inverse, s.xor(x, zeros));
            }
        }
    }
}
