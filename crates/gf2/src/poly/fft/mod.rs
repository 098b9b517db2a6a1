//! Long products by an additive Fourier transform.
//!
//! With Y = X^s the operands are polynomials in Y, with coefficients of s bits. These lie in the ring
//! F2\[x\]/q(x^m), s = m deg(q) / 2, in which a product of two does not wrap. The ring contains the field
//! F2\[z\]/q(z), z = x^m, of 2^8 or 2^16 points. Both operands are evaluated on points. Each point then takes one
//! product of 2s bits, by a chain of the usual constructions. Interpolation gives the coefficients of the product.
//!
//! Evaluation multiplies ring elements by points only. An element is 8 or 16 rows of m bits, as it lies in memory,
//! and a point is a matrix over F2 that sums rows: no carry-less product, no permutation, whole vectors
//! ([`butterfly`]). With a Cantor basis the transform needs one such product for two points and level. There are as
//! many levels as the number of points has bits, which need not be a power of two ([`transform`]).
mod basis;
mod butterfly;
mod field;
mod transform;

use super::construct::{add_to, copy, products, products_scratch};
use super::costs::Costs;
use super::pieces::Pieces;
use super::ring::Ring;
use super::threads;
use basis::Way;
use carryless_lanes::ClmulCpu;
use field::{Cantor, Field};
use transform::Transform;

/// Operands of fewer words are never transformed, which saves the comparison: a third of a plan's time.
const FEWEST_WORDS: usize = 512;

/// A product of two operands of given sizes by a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fft {
    ring: Ring,
    /// The number of points: one for every coefficient of the product.
    points: usize,
}

impl Fft {
    /// The transform for operands of this many words, if the ring has as many points.
    pub(super) fn new(ring: Ring, sizes: [usize; 2]) -> Option<Fft> {
        // An empty operand counts as one coefficient, 0, so that there is a point.
        let [a, b] = sizes.map(|words| words.div_ceil(ring.words()).max(1));
        // A product of polynomials with a and b coefficients has a + b - 1, and needs as many points.
        let points = a + b - 1;
        (points <= ring.points()).then_some(Fft { ring, points })
    }

    /// The cheapest transform for operands of this many words, if one costs less than `pieces`.
    pub(super) fn cheaper(costs: &Costs<'_>, sizes: [usize; 2], pieces: &Pieces) -> Option<Fft> {
        if sizes[0].min(sizes[1]) < FEWEST_WORDS {
            return None;
        }
        // Rings with too few points drop out.
        let ffts = Ring::ALL.into_iter().filter_map(|ring| Fft::new(ring, sizes));
        let cheapest = ffts.map(|fft| (fft.cost(costs), fft)).min_by_key(|&(cost, _)| cost)?;
        (cheapest.0 < pieces.cost(costs)).then_some(cheapest.1)
    }

    /// The time of a product in picoseconds, by a table of costs.
    pub(super) fn cost(self, costs: &Costs<'_>) -> u64 {
        costs.of_transform(self.ring, self.points)
    }

    pub(super) fn ring(self) -> Ring {
        self.ring
    }

    pub(super) fn points(self) -> usize {
        self.points
    }

    /// The words of the values of one operand, with points up to a power of two.
    fn words(self) -> usize {
        2 * self.ring.words() * self.points.next_power_of_two()
    }

    /// The number of carry-less products of words.
    pub(super) fn clmuls(self) -> usize {
        self.points * self.ring.chain().clmuls()
    }

    /// The words of scratch that [`mul`](Fft::mul) takes on `k` lanes: the values of both operands, products of `k`
    /// points, and that of a product.
    pub(super) fn scratch_words(self, k: usize) -> usize {
        2 * self.words() + 4 * k * self.ring.words() + products_scratch(&self.ring.chain(), k)
    }

    /// `out = a b`, for operands of the sizes of [`new`](Fft::new). Overwrites all of `out`, as
    /// many words as both operands.
    pub(super) fn mul(self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        threads::enter(self.words(), || {
            let (values, scratch) = scratch.split_at_mut(self.words());
            let left = &mut scratch[..self.words()];
            // Neither operand needs the other, and each has its own room for values.
            threads::join(self.words(), || self.prepare(cpu, b, values), || self.prepare(cpu, a, left));
            self.mul_values(cpu, values, out, scratch);
        });
    }

    /// `out = a b` for the values of b, with those of a at the beginning of `scratch`.
    fn mul_values(self, cpu: ClmulCpu, values: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        match self.ring {
            Ring::P8R256 => self.mul_in_ring::<2, 4>(cpu, values, out, scratch),
            Ring::P8R512 => self.mul_in_ring::<2, 8>(cpu, values, out, scratch),
            Ring::P16R256 => self.mul_in_ring::<4, 4>(cpu, values, out, scratch),
            Ring::P16R512 => self.mul_in_ring::<4, 8>(cpu, values, out, scratch),
        }
    }

    /// Multiplies point by point, and interpolates.
    fn mul_in_ring<const G: usize, const W: usize>(
        self,
        cpu: ClmulCpu,
        values: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) where
        Cantor: Field<G>,
    {
        let (left, scratch) = scratch.split_at_mut(self.words());
        self.multiply::<G, W>(cpu, left, values, scratch);
        self.coefficients::<G, W>(cpu, left, out);
    }

    /// The number of words of a prepared operand: its values.
    pub(super) fn prepared_words(self) -> usize {
        self.words()
    }

    /// Prepares an operand: its values on all points, [`prepared_words`](Fft::prepared_words) words.
    pub(super) fn prepare(self, cpu: ClmulCpu, b: &[u64], values: &mut [u64]) {
        match self.ring {
            Ring::P8R256 => self.values::<2, 4>(cpu, b, values),
            Ring::P8R512 => self.values::<2, 8>(cpu, b, values),
            Ring::P16R256 => self.values::<4, 4>(cpu, b, values),
            Ring::P16R512 => self.values::<4, 8>(cpu, b, values),
        }
    }

    /// `out = a b`, for the prepared values of b.
    pub(super) fn mul_prepared(
        self,
        cpu: ClmulCpu,
        a: &[u64],
        values: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) {
        threads::enter(self.words(), || {
            self.prepare(cpu, a, &mut scratch[..self.words()]);
            self.mul_values(cpu, values, out, scratch);
        });
    }

    /// Writes the values of an operand at all points to `values`. Words after them are overwritten, too, and undefined.
    fn values<const G: usize, const W: usize>(self, cpu: ClmulCpu, a: &[u64], values: &mut [u64])
    where
        Cantor: Field<G>,
    {
        let size = self.ring.words();
        let pieces = a.len().div_ceil(size);
        values[..a.len()].copy_from_slice(a);
        // The transform reads coefficients up to a power of two, so all words above the operand must be zero.
        values[a.len()..].fill(0);
        // The pieces are coefficients in Y; missing ones up to a power of two are zero. The basis is changed
        // before they are spread: sums of pieces of s bits are half as long as those of elements.
        let n = pieces.next_power_of_two().ilog2();
        basis::change(cpu, Way::FromPowers, &mut values[..pieces * size], n, size);
        // Spreads the pieces: each becomes the lower half of its element, whose upper half is zero. From the top,
        // so that none is overwritten.
        for i in (1..pieces).rev() {
            values.copy_within(i * size..(i + 1) * size, 2 * i * size);
            values[(2 * i - 1) * size..2 * i * size].fill(0);
        }
        Transform::<G, W>(cpu).evaluate(0, elements(values), self.points);
    }

    /// `left = left right` in the ring, point by point.
    fn multiply<const G: usize, const W: usize>(
        self,
        cpu: ClmulCpu,
        left: &mut [u64],
        right: &[u64],
        scratch: &mut [u64],
    ) where
        Cantor: Field<G>,
    {
        let size = 2 * self.ring.words();
        // Only these have values. What lies above, up to the power of two, is undefined.
        let (left, right) = (&mut left[..self.points * size], &right[..self.points * size]);
        threads::zip(left, right, size * cpu.lanes(), scratch, &|left, right, scratch| {
            self.multiply_points::<G, W>(cpu, left, right, scratch);
        });
    }

    /// The products of [`multiply`](Fft::multiply), as many at once as there are lanes.
    fn multiply_points<const G: usize, const W: usize>(
        self,
        cpu: ClmulCpu,
        left: &mut [u64],
        right: &[u64],
        scratch: &mut [u64],
    ) where
        Cantor: Field<G>,
    {
        // An element has `size` words, an unreduced product of two twice as many.
        let size = 2 * self.ring.words();
        let chain = self.ring.chain();
        let (values, scratch) = scratch.split_at_mut(2 * size * cpu.lanes());
        let lanes = size * cpu.lanes();
        for (left, right) in left.chunks_mut(lanes).zip(right.chunks(lanes)) {
            let values = &mut values[..2 * left.len()];
            // Up to one point in each lane. The ring's elements are polynomials in x, so a chain multiplies
            // them as they are.
            products(&chain, cpu, left, right, values, scratch);
            for (left, value) in left.chunks_exact_mut(size).zip(values.chunks_exact_mut(2 * size)) {
                reduce::<G, W>(value);
                left.copy_from_slice(&value[..size]);
            }
        }
    }

    /// Interpolates: `out` becomes the polynomial with these values on all points, at Y = X^s.
    fn coefficients<const G: usize, const W: usize>(self, cpu: ClmulCpu, values: &mut [u64], out: &mut [u64])
    where
        Cantor: Field<G>,
    {
        let size = self.ring.words();
        // The product has no more coefficients than points: the others are known, and zero.
        values[2 * size * self.points..].fill(0);
        Transform::<G, W>(cpu).interpolate(0, elements(values), self.points);
        let coefficients = &mut values[..2 * size * self.points];
        let n = self.points.next_power_of_two().ilog2();
        basis::change(cpu, Way::ToPowers, coefficients, n, 2 * size);
        // Coefficients have 2s bits and are s bits apart, so the upper half of one is added to the lower half of the next.
        threads::each(out, size, &|i, out| {
            copy(cpu, out, coefficients.get(2 * size * i..).unwrap_or_default());
            if let Some(before) = i.checked_sub(1) {
                add_to(cpu, out, &coefficients[2 * size * before + size..]);
            }
        });
    }
}

/// The same words as elements of the ring; a rest that fills no element is left out.
fn elements<const G: usize, const W: usize>(words: &mut [u64]) -> &mut [butterfly::Element<G, W>] {
    words.as_chunks_mut::<W>().0.as_chunks_mut::<4>().0.as_chunks_mut::<G>().0
}

/// Reduces a product: its lower half becomes the remainder modulo q(x^m). z^(4 G) is the sum of the powers in the tail.
fn reduce<const G: usize, const W: usize>(product: &mut [u64])
where
    Cantor: Field<G>,
{
    let rows = product.as_chunks_mut::<W>().0;
    // From the top, as the tail may reach rows that are reduced later. The upper half is not cleared. z^(4 G)
    // moves a row by whole rows, so nothing is shifted: four sums of a row for each row of the upper half.
    for i in (4 * G..8 * G).rev() {
        let row = rows[i];
        for power in Cantor::TAIL {
            for (sum, word) in rows[i - 4 * G + power].iter_mut().zip(row) {
                *sum ^= word;
            }
        }
    }
}

impl core::fmt::Display for Fft {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Fft<{:?}>({} points, {})", self.ring, self.points, self.ring.chain())
    }
}
