//! The additive transform: from coefficients to the values on the first points of a subspace, and back, for any
//! number of points.
//!
//! Take a block of 2^(k+1) points, v being the first, and f = l + s_k h. On its first half s_k is t = s_k(v), so f
//! has the values of l + t h. On the second half s_k is t + 1, so f has those of l + (t + 1) h.
//! That is one product for two points and level; t depends on the number of the block only.
//!
//! The product of operands has as many coefficients as both together, less one, and takes as many points. Forward,
//! everything beyond them is left out. Backward, a block has known first values and known last coefficients. If the
//! left half is all known, it gives l + t h, and so l + (t + 1) h where h is known: the right half is a block of the
//! same kind. Otherwise h is known, so l + t h is known where l is, and the left half is a block of that kind.
use super::butterfly::{Element, Level, Step};
use super::field::{Cantor, Field};
use crate::poly::threads::{self, LEAST_WORDS, join};
use carryless_lanes::ClmulCpu;

/// The largest block in words that is transformed level by level: half of a first-level cache. Larger blocks are
/// halved, so that their parts stay in the cache.
const WORDS_AT_ONCE: usize = 2048;

/// The words of elements in their order in memory, 4 G W for each.
fn words<const G: usize, const W: usize>(elements: &[Element<G, W>]) -> &[u64] {
    elements.as_flattened().as_flattened().as_flattened()
}

/// A transform over a ring, on a backend.
#[derive(Clone, Copy)]
pub(super) struct Transform<const G: usize, const W: usize>(pub(super) ClmulCpu);

impl<const G: usize, const W: usize> Transform<G, W>
where
    Cantor: Field<G>,
{
    /// Evaluates in place, for the points of block number `block` among the blocks of `f.len()` points, a
    /// power of two. `f` has coefficients in the transform's basis, and gets the values at the first `count`
    /// points; the others are undefined.
    pub(super) fn evaluate(self, block: usize, f: &mut [Element<G, W>], count: usize) {
        if count == 0 || f.len() == 1 {
            return;
        }
        let half = f.len() / 2;
        if words(f).len() <= WORDS_AT_ONCE {
            for level in (0..f.len().ilog2()).rev() {
                // Blocks of a level are numbered by their own size. The first one in this block of 2 half points has
                // the number 2 half block / 2^(level + 1).
                self.blocks(Step::Evaluate, (block * half) >> level, 1 << level, f);
            }
            return;
        }
        // If no point of the second half is wanted, its values are not computed. A step costs a product by t
        // and two sums for each pair of elements. `Multiply` takes one sum less, and the levels below the
        // second half are left out.
        let (low, high) = f.split_at_mut(half);
        self.halves(if count > half { Step::Evaluate } else { Step::Multiply }, block, low, high);
        join(
            words(high).len(),
            || self.evaluate(2 * block, low, count.min(half)),
            || self.evaluate(2 * block + 1, high, count.saturating_sub(half)),
        );
    }

    /// Interpolates in place, the inverse of `evaluate`. The first `count` elements of `f` are values at the
    /// first points of the block, the others the coefficients of the same places; all become coefficients.
    pub(super) fn interpolate(self, block: usize, f: &mut [Element<G, W>], count: usize) {
        if count == 0 || f.len() == 1 {
            return;
        }
        let half = f.len() / 2;
        // All points have values, and the block fits the cache: from the lowest level up.
        if count == f.len() && words(f).len() <= WORDS_AT_ONCE {
            for level in 0..f.len().ilog2() {
                self.blocks(Step::Interpolate, (block * half) >> level, 1 << level, f);
            }
            return;
        }
        let (low, high) = f.split_at_mut(half);
        if count < half {
            // All of h is known. Where l is known, make it l + t h; interpolate this half from its values and
            // these; then add t h again, which gives all of l.
            self.halves(Step::Multiply, block, &mut low[count..], &mut high[count..]);
            self.interpolate(2 * block, low, count);
            self.halves(Step::Multiply, block, low, high);
        } else {
            // The first half has all values of l + t h, hence its coefficients. Added to h where that is known,
            // they give the coefficients of l + (t + 1) h.
            let known = count - half;
            if known == half {
                // Nothing of h is known: neither half needs the other.
                join(
                    words(high).len(),
                    || self.interpolate(2 * block, low, half),
                    || self.interpolate(2 * block + 1, high, half),
                );
            } else {
                self.interpolate(2 * block, low, half);
                let sums = high[known..].as_flattened_mut().as_flattened_mut().as_flattened_mut();
                threads::add(self.0, sums, words(&low[known..]));
                self.interpolate(2 * block + 1, high, known);
            }
            self.halves(Step::Interpolate, block, low, high);
        }
    }

    /// One step on the halves of block number `block`, or on the same part of each.
    fn halves(self, step: Step, block: usize, low: &mut [Element<G, W>], high: &mut [Element<G, W>]) {
        if words(low).len() < 2 * LEAST_WORDS {
            return self.run(Level { step, block, low, high, rest: &mut [] });
        }
        // A step works on each pair of elements alone, so a long one can be cut anywhere and shared by threads.
        let middle = low.len() / 2;
        let ((a, b), (c, d)) = (low.split_at_mut(middle), high.split_at_mut(middle));
        join(words(a).len(), || self.halves(step, block, a, c), || self.halves(step, block, b, d));
    }

    /// One step on all blocks of 2 `half` elements of `points`, the first being number `block`.
    fn blocks(self, step: Step, block: usize, half: usize, points: &mut [Element<G, W>]) {
        self.run(Level::blocks(step, block, half, points));
    }

    fn run(self, level: Level<'_, G, W>) {
        // A row of W words has room for W / 2 lanes.
        let cpu = self.0.with_lanes(self.0.lanes().min(W / 2));
        cpu.call(level);
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::tests::{betas, point, product, vanishing};
    use super::*;
    use std::vec;
    use std::vec::Vec;

    /// Numbers of points for tests: around a power of two, in the middle, and so many that every beta is met. Those
    /// that fit the field are tested.
    const COUNTS: [usize; 15] =
        [1, 2, 3, 17, 60, 61, 100, 128, 129, 255, 256, 1000, 5000, 20_000, (1 << 16) - 3];

    fn counts<const G: usize>() -> impl Iterator<Item = usize> {
        let quick = std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1");
        let most = if cfg!(miri) {
            3
        } else if quick {
            256
        } else {
            1 << (4 * G)
        };
        COUNTS.into_iter().filter(move |&count| count <= most)
    }

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        *state ^ *state >> 29
    }

    /// The rows of `f` times a field element: 64 columns, each a field element.
    fn times<const G: usize>(rows: &[u64], by: u16) -> Vec<u64>
    where
        Cantor: Field<G>,
    {
        let mut out = vec![0; 4 * G];
        for (c, row) in rows.iter().enumerate() {
            let column = product::<G>(by, 1 << c);
            for (r, out) in out.iter_mut().enumerate() {
                *out ^= row * u64::from(column >> r & 1);
            }
        }
        out
    }

    /// X_k at a point: the product of the s_j, j the bits of k.
    fn basis<const G: usize>(k: usize, at: u16) -> u16
    where
        Cantor: Field<G>,
    {
        let bits = (0..4 * G).filter(|j| k >> j & 1 == 1);
        bits.fold(1, |x, j| product::<G>(x, vanishing::<G>(j, at)))
    }

    /// A few coefficients anywhere: the values are those of the definition, at all points or at some hundred of many.
    fn values_are_those_of_the_definition<const G: usize, const W: usize>(cpu: ClmulCpu)
    where
        Cantor: Field<G>,
    {
        let mut state = 7;
        for count in counts::<G>() {
            let mut f = vec![[[[0; W]; 4]; G]; count.next_power_of_two()];
            let places = [0, 1 % count, count / 2, count - 1, random(&mut state) as usize % count];
            let mut terms = Vec::new();
            for place in places {
                let element = f[place].as_flattened_mut();
                for row in element.iter_mut() {
                    row[0] = random(&mut state);
                    row[W - 1] = row[0];
                }
            }
            for (i, place) in places.iter().enumerate().filter(|(i, place)| !places[..*i].contains(place)) {
                let rows: Vec<u64> = f[*place].as_flattened().iter().map(|row| row[0]).collect();
                terms.push((places[i], rows));
            }
            Transform::<G, W>(cpu).evaluate(0, &mut f, count);
            for i in (0..count).step_by(1 + count / 1000).chain([count - 1]) {
                let at = point::<G>(betas::<G>(), 0, i);
                let mut wanted = vec![0; 4 * G];
                for (k, rows) in &terms {
                    let value = times::<G>(rows, basis::<G>(*k, at));
                    wanted.iter_mut().zip(value).for_each(|(sum, word)| *sum ^= word);
                }
                for (row, wanted) in f[i].as_flattened().iter().zip(wanted) {
                    assert_eq!([row[0], row[W - 1]], [wanted; 2], "point {i} of {count} on {}", cpu.name());
                    assert!(row[1..W - 1].iter().all(|&word| word == 0));
                }
            }
        }
    }

    #[test]
    fn values() {
        for cpu in ClmulCpu::available() {
            values_are_those_of_the_definition::<2, 4>(cpu);
        }
        values_are_those_of_the_definition::<2, 8>(ClmulCpu::detect());
        values_are_those_of_the_definition::<4, 4>(ClmulCpu::detect());
    }

    /// All coefficients, some above the points known and not zero: back from the values to them.
    fn there_and_back<const G: usize, const W: usize>(cpu: ClmulCpu)
    where
        Cantor: Field<G>,
    {
        let mut state = 11;
        for count in counts::<G>() {
            let mut f = vec![[[[0; W]; 4]; G]; count.next_power_of_two()];
            for element in &mut f {
                element.as_flattened_mut().iter_mut().for_each(|row| row.fill(random(&mut state)));
            }
            let coefficients = f.clone();
            Transform::<G, W>(cpu).evaluate(0, &mut f, count);
            f[count..].copy_from_slice(&coefficients[count..]);
            Transform::<G, W>(cpu).interpolate(0, &mut f, count);
            assert!(f == coefficients, "{count} points on {}", cpu.name());
        }
    }

    #[test]
    fn values_give_their_coefficients() {
        for cpu in ClmulCpu::available() {
            there_and_back::<2, 4>(cpu);
        }
        there_and_back::<4, 4>(ClmulCpu::detect());
        there_and_back::<4, 8>(ClmulCpu::detect());
    }
}
