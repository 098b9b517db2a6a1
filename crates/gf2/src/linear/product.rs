//! Products of matrices over GF(2): the method of four Russians, below the recursion of Strassen and Winograd.
use super::russians::{STRIPE, Tables};
use alloc::vec;
use alloc::vec::Vec;
use carryless_lanes::ClmulCpu;
use core::ops::Range;

/// Rows and columns from which the recursion pays: seven products of half the size and fifteen sums cost less than eight
/// products.
const RECURSE_FROM: usize = 4096;

/// Rows of the same number of words, one after the other.
pub(super) struct Rows<'a> {
    pub(super) words: &'a [u64],
    /// Words of a row.
    pub(super) stride: usize,
}

impl Rows<'_> {
    fn count(&self) -> usize {
        self.words.len() / self.stride.max(1)
    }

    /// The entries in some rows and words of columns, with zeros where there are none.
    fn part(&self, rows: Range<usize>, columns: Range<usize>) -> Vec<u64> {
        let mut part = vec![0; rows.len() * columns.len()];
        let found = columns.start.min(self.stride)..columns.end.min(self.stride);
        let from = self.words.chunks_exact(self.stride).skip(rows.start);
        for (to, from) in part.chunks_exact_mut(columns.len()).zip(from) {
            to[..found.len()].copy_from_slice(&from[found.clone()]);
        }
        part
    }

    /// The quarters, two above and two below, all of the same shape, with zeros at the ends of odd numbers.
    fn quarters(&self, [rows, columns]: [usize; 2]) -> [Vec<u64>; 4] {
        let (above, below) = (0..rows, rows..2 * rows);
        let (left, right) = (0..columns, columns..2 * columns);
        [
            self.part(above.clone(), left.clone()),
            self.part(above, right.clone()),
            self.part(below.clone(), left),
            self.part(below, right),
        ]
    }
}

/// The product a b, as rows of the length of b's. Row i of b belongs to column i of a; those that b does not have are
/// zeros.
pub(super) fn product(cpu: ClmulCpu, a: &Rows<'_>, b: &Rows<'_>) -> Vec<u64> {
    let least = a.count().min(64 * a.stride).min(64 * b.stride);
    if least < RECURSE_FROM { russians(cpu, a, b) } else { strassen(cpu, a, b) }
}

/// One level of Winograd's form of Strassen's method (1971), where sums and differences are the same:
///
/// ```text
/// S1 = A21 + A22   S2 = S1 + A11   S3 = A11 + A21   S4 = A12 + S2
/// T1 = B12 + B11   T2 = B22 + T1   T3 = B22 + B12   T4 = T2 + B21
/// P1 = A11 B11   P2 = A12 B21   P3 = S4 B22   P4 = A22 T4   P5 = S1 T1   P6 = S2 T2   P7 = S3 T3
/// U2 = P1 + P6   U3 = U2 + P7   U4 = U2 + P5
/// C11 = P1 + P2   C12 = U4 + P3   C21 = U3 + P4   C22 = U3 + P5
/// ```
fn strassen(cpu: ClmulCpu, a: &Rows<'_>, b: &Rows<'_>) -> Vec<u64> {
    let [rows, inner, columns] = [a.count().div_ceil(2), a.stride.div_ceil(2), b.stride.div_ceil(2)];
    let [a11, a12, a21, a22] = a.quarters([rows, inner]);
    let [b11, b12, b21, b22] = b.quarters([64 * inner, columns]);
    let times = |a: &[u64], b: &[u64]| {
        product(cpu, &Rows { words: a, stride: inner }, &Rows { words: b, stride: columns })
    };
    let s1 = sum(&a21, &a22);
    let s2 = sum(&s1, &a11);
    let t1 = sum(&b12, &b11);
    let t2 = sum(&b22, &t1);
    let p1 = times(&a11, &b11);
    let u2 = sum(&p1, &times(&s2, &t2));
    let p5 = times(&s1, &t1);
    let u3 = sum(&u2, &times(&sum(&a11, &a21), &sum(&b22, &b12)));
    let c11 = sum(&p1, &times(&a12, &b21));
    let c12 = sum(&sum(&u2, &p5), &times(&sum(&a12, &s2), &b22));
    let c21 = sum(&u3, &times(&a22, &sum(&t2, &b21)));
    join([c11, c12, c21, sum(&u3, &p5)], columns, [a.count(), b.stride])
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// The matrix of these quarters, whose rows have `columns` words, without the zeros at its ends.
fn join(quarters: [Vec<u64>; 4], columns: usize, [count, stride]: [usize; 2]) -> Vec<u64> {
    let [c11, c12, c21, c22] = quarters;
    let mut out = Vec::with_capacity(count * stride);
    let above = c11.chunks_exact(columns).zip(c12.chunks_exact(columns));
    let below = c21.chunks_exact(columns).zip(c22.chunks_exact(columns));
    for (left, right) in above.chain(below).take(count) {
        out.extend_from_slice(left);
        out.extend_from_slice(&right[..stride - columns]);
    }
    out
}

/// The product by sums of 64 rows of b at a time. A stripe of the result stays in the cache while all rows of b are added.
fn russians(cpu: ClmulCpu, a: &Rows<'_>, b: &Rows<'_>) -> Vec<u64> {
    let (count, mut out) = (a.count(), vec![0; a.count() * b.stride]);
    // The words of a by columns, as they are read.
    let masks: Vec<u64> = (0..a.stride)
        .flat_map(|k| a.words.iter().skip(k).step_by(a.stride))
        .copied()
        .collect();
    let mut tables = Tables::new(cpu, b.stride);
    let mut stripe = vec![0; count * STRIPE.min(b.stride)];
    for from in (0..b.stride).step_by(STRIPE) {
        let words = from..b.stride.min(from + STRIPE);
        let width = words.len();
        let stripe = &mut stripe[..count * width];
        stripe.fill(0);
        for (masks, rows) in masks.chunks_exact(count.max(1)).zip(b.words.chunks(64 * b.stride)) {
            let mut sources = [None; 64];
            let rows = rows.chunks_exact(b.stride).map(|row| Some(&row[words.clone()]));
            sources.iter_mut().zip(rows).for_each(|(source, row)| *source = row);
            tables.add_selected(&sources, stripe, width, 0..width, masks);
        }
        for (out, sums) in out.chunks_exact_mut(b.stride).zip(stripe.chunks_exact(width)) {
            out[words.clone()].copy_from_slice(sums);
        }
    }
    out
}
