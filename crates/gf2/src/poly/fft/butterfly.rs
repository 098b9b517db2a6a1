//! The steps of the transform (butterflies): sums, and products of ring elements with points.
use super::field::{Cantor, Field, Matrix, twiddle};
use carryless_lanes::{Clmul, ClmulKernel};

/// An element of F2\[x\]/q(x^m), m = 64 W: coordinate j, m bits, is the coefficient of z^j, z = x^m.
///
/// In memory it is the polynomial in x, and every point is a polynomial in z, so multiplication
/// by a point sums coordinates.
pub(super) type Element<const G: usize, const W: usize> = [[[u64; W]; 4]; G];

/// All 16 sums of four vectors; bits of the index say which are summed. Entry 0 is zero.
type Table<S> = [<S as Clmul>::Wide; 16];

/// Fills a table with the sums of four rows, 11 additions; entry 0 is left as it is. (No closures in kernels: they
/// would lose the backend's features.)
#[inline(always)]
fn fill<S: Clmul, const W: usize>(s: S, table: &mut Table<S>, rows: &[[u64; W]; 4], i: usize) {
    let mut row = 0;
    while row < 4 {
        let vector = s.load_wide(&rows[row][i..]);
        // Invariant: the entries below 2^row are the sums of the rows before.
        table[1 << row] = vector;
        let mut j = 1;
        while j < 1 << row {
            table[1 << row | j] = s.xor_wide(table[j], vector);
            j += 1;
        }
        row += 1;
    }
}

/// One butterfly on two elements: `step` says which sums. A vector's width of all rows is done after the other.
#[inline(always)]
fn butterfly<S: Clmul, const G: usize, const W: usize>(
    s: S,
    step: Step,
    t: &Matrix<G>,
    tables: &mut [Table<S>; G],
    l: &mut Element<G, W>,
    h: &mut Element<G, W>,
) {
    for i in (0..W).step_by(S::WIDE) {
        // h = (l + t h) + (l + (t + 1) h) comes first, then l; `Evaluate` takes the steps in reverse.
        if step == Step::Interpolate {
            for (h, l) in h.as_flattened_mut().iter_mut().zip(l.as_flattened()) {
                s.store_wide(s.xor_wide(s.load_wide(&h[i..]), s.load_wide(&l[i..])), &mut h[i..]);
            }
        }
        // G tables of 11 sums, then G sums for each of the 4 G rows: 44 + 64 for 2^16 points, 22 + 16 for
        // 2^8.
        for (table, h) in tables.iter_mut().zip(&*h) {
            fill(s, table, h, i);
        }
        let rows = l.as_flattened_mut().iter_mut().zip(h.as_flattened_mut());
        for ((l, h), t) in rows.zip(t.as_flattened()) {
            // l + t h: each row of t h is one table entry for each group of four rows of h ("four Russians"). The
            // index is a part of t, which is public.
            let mut sum = s.load_wide(&l[i..]);
            for (table, which) in tables.iter().zip(t) {
                sum = s.xor_wide(sum, which.of(table));
            }
            s.store_wide(sum, &mut l[i..]);
            if step == Step::Evaluate {
                s.store_wide(s.xor_wide(s.load_wide(&h[i..]), sum), &mut h[i..]);
            }
        }
    }
}

/// `a += b`: the butterfly on a block where t = 0.
#[inline(always)]
fn add<S: Clmul, const G: usize, const W: usize>(s: S, a: &mut Element<G, W>, b: &Element<G, W>) {
    for (a, b) in a.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
        for i in (0..W).step_by(S::WIDE) {
            s.store_wide(s.xor_wide(s.load_wide(&a[i..]), s.load_wide(&b[i..])), &mut a[i..]);
        }
    }
}

/// The kind of a step on a block of points, from coefficients l and h in the lower and upper half of the
/// elements to values, or back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// From f = l + s h to its values on both halves of the block: l + t h and l + (t + 1) h.
    Evaluate,
    /// From the values on both halves back to l and h: the inverse of `Evaluate`.
    Interpolate,
    /// Replaces l by the values on the first half only, l + t h; its own inverse.
    Multiply,
}

/// The kernel of one step on consecutive blocks of equal size.
pub(super) struct Level<'a, const G: usize, const W: usize> {
    pub(super) step: Step,
    /// The number of the first block, counting blocks of its size.
    pub(super) block: usize,
    /// Elements of the first half of the first block, or all.
    pub(super) low: &'a mut [Element<G, W>],
    /// As many elements of its second half, at the same places.
    pub(super) high: &'a mut [Element<G, W>],
    /// Whole blocks after the first, whose `low` and `high` are then whole halves. Empty for one block.
    pub(super) rest: &'a mut [Element<G, W>],
}

impl<'a, const G: usize, const W: usize> Level<'a, G, W> {
    /// The step on all blocks of 2 `half` elements of `points`, the first being number `block`.
    pub(super) fn blocks(step: Step, block: usize, half: usize, points: &'a mut [Element<G, W>]) -> Self {
        let (first, rest) = points.split_at_mut(2 * half);
        let (low, high) = first.split_at_mut(half);
        Level { step, block, low, high, rest }
    }
}

impl<const G: usize, const W: usize> ClmulKernel for Level<'_, G, W>
where
    Cantor: Field<G>,
{
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Level { step, mut block, mut low, mut high, mut rest } = self;
        // Else the last vector of a row would reach into the next row.
        assert!(W.is_multiple_of(S::WIDE), "rows of whole vectors");
        let Some(any) = low.first() else { return };
        // A vector XOR itself is zero: the first entry of all tables. `fill` never writes it, so the tables
        // are made once for all butterflies of the kernel.
        let mut tables = [[s.xor_wide(s.load_wide(&any[0][0]), s.load_wide(&any[0][0])); 16]; G];
        let half = low.len();
        loop {
            // t belongs to the block, so its matrix is made once for `half` butterflies.
            let t = twiddle::<G>(block);
            for (l, h) in low.iter_mut().zip(&mut *high) {
                // In block 0, t is 0: no product.
                if block != 0 {
                    butterfly(s, step, &t, &mut tables, l, h);
                } else if step != Step::Multiply {
                    add(s, h, l);
                }
            }
            if rest.is_empty() {
                return;
            }
            let (first, others) = rest.split_at_mut(2 * half);
            ((low, high), rest) = (first.split_at_mut(half), others);
            block += 1;
        }
    }
}
