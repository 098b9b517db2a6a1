//! Products of matrices over GF(2): the method of four Russians, below the recursion of Strassen and Winograd.
use alloc::vec;
use alloc::vec::Vec;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::ops::Range;

/// Rows and columns from which the recursion pays: seven products of half the size and fifteen sums cost less than eight
/// products.
const RECURSE_FROM: usize = 4096;

/// Rows of the same number of words, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) words: &'a [u64],
    /// Words of a row.
    pub(super) stride: usize,
}

impl Rows<'_> {
    fn count(&self) -> usize {
        self.words.len() / self.stride.max(1)
    }

    /// The transpose of the matrix of words, read and written a cache line at a time.
    fn transpose_words(&self) -> Vec<u64> {
        let (count, mut out) = (self.count(), vec![0; self.words.len()]);
        for (top, rows) in self.words.chunks(LINE * self.stride).enumerate() {
            for left in (0..self.stride).step_by(LINE) {
                for k in left..self.stride.min(left + LINE) {
                    let column = &mut out[k * count + top * LINE..];
                    column
                        .iter_mut()
                        .zip(rows.iter().skip(k).step_by(self.stride))
                        .for_each(|(to, from)| *to = *from);
                }
            }
        }
        out
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

/// The product a b of matrices that are not empty, as rows as long as b's. Missing rows of b count as zeros. `proceed` is called
/// before each product by the method of four Russians, and its first error ends all.
pub(super) fn product<E>(
    cpu: ClmulCpu,
    a: &Rows<'_>,
    b: &Rows<'_>,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<u64>, E> {
    let least = a.count().min(64 * a.stride).min(64 * b.stride);
    if least < RECURSE_FROM {
        proceed().map(|()| four_russians(cpu, a, b))
    } else {
        strassen(cpu, a, b, proceed)
    }
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
fn strassen<E>(
    cpu: ClmulCpu,
    a: &Rows<'_>,
    b: &Rows<'_>,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<u64>, E> {
    let [rows, inner_words, column_words] = [a.count(), a.stride, b.stride].map(|n| n.div_ceil(2));
    let [a11, a12, a21, a22] = a.quarters([rows, inner_words]);
    let [b11, b12, b21, b22] = b.quarters([64 * inner_words, column_words]);
    let mut times = |a: &[u64], b: &[u64]| {
        product(
            cpu,
            &Rows { words: a, stride: inner_words },
            &Rows { words: b, stride: column_words },
            proceed,
        )
    };
    let s1 = sum(&a21, &a22);
    let s2 = sum(&s1, &a11);
    let t1 = sum(&b12, &b11);
    let t2 = sum(&b22, &t1);
    let p1 = times(&a11, &b11)?;
    let u2 = sum(&p1, &times(&s2, &t2)?);
    let p5 = times(&s1, &t1)?;
    let u3 = sum(&u2, &times(&sum(&a11, &a21), &sum(&b22, &b12))?);
    let c11 = sum(&p1, &times(&a12, &b21)?);
    let c12 = sum(&sum(&u2, &p5), &times(&sum(&a12, &s2), &b22)?);
    let c21 = sum(&u3, &times(&a22, &sum(&t2, &b21))?);
    Ok(join([c11, c12, c21, sum(&u3, &p5)], column_words, [a.count(), b.stride]))
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

/// The product by the method of four Russians.
fn four_russians(cpu: ClmulCpu, a: &Rows<'_>, b: &Rows<'_>) -> Vec<u64> {
    let mut out = vec![0; a.count() * b.stride];
    cpu.call(Stripes {
        masks: &a.transpose_words(),
        b,
        rows: &mut vec![0; b.count().next_multiple_of(64) * LINE],
        sums: &mut vec![0; a.count() * LINE],
        tables: &mut Tables([0; TABLES]),
        out: &mut out,
    });
    out
}

/// Words of a cache line.
const LINE: usize = 8;

/// Words of all tables: 26 KiB, within a level-1 cache of 32.
const TABLES: usize = 3328;

/// The tables. Aligned, so that no entry lies in two cache lines.
#[repr(align(64))]
struct Tables([u64; TABLES]);

/// The product a b, a cache line of columns at a time. For each 64 rows of b tables of sums are made, from which each row of
/// the result adds the sums that its 64 entries of a select. A table has the sums of 5 to 7 rows, so that all tables fit into
/// a level-1 cache.
struct Stripes<'a> {
    /// The words of a by columns.
    masks: &'a [u64],
    b: &'a Rows<'a>,
    /// Room for a line of each row of b, with zeros for those behind the last.
    rows: &'a mut [u64],
    /// Room for a line of each row of the result.
    sums: &'a mut [u64],
    tables: &'a mut Tables,
    out: &'a mut [u64],
}

impl ClmulKernel for Stripes<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Stripes { masks, b: &Rows { words: b, stride }, rows, sums, tables, out } = self;
        let (vector, padded, count) = (2 * S::K, rows.len() / LINE, sums.len() / LINE);
        // A line is read and written at once, and its vectors are kept apart: the cache then holds no words but those in use.
        for from in (0..stride).step_by(LINE) {
            let words = from..stride.min(from + LINE);
            for (i, row) in b.chunks_exact(stride).enumerate() {
                for (k, from) in row[words.clone()].chunks(vector).enumerate() {
                    rows[(k * padded + i) * vector..][..from.len()].copy_from_slice(from);
                }
            }
            sums.fill(0);
            let rows = rows.chunks_exact(padded * vector).take(words.len().div_ceil(vector));
            for (rows, sums) in rows.zip(sums.chunks_exact_mut(count * vector)) {
                for (rows, masks) in rows.chunks_exact(64 * vector).zip(masks.chunks_exact(count)) {
                    fill(s, rows, tables);
                    add(s, tables, masks, sums);
                }
            }
            for (i, row) in out.chunks_exact_mut(stride).enumerate() {
                for (k, to) in row[words.clone()].chunks_mut(vector).enumerate() {
                    to.copy_from_slice(&sums[(k * count + i) * vector..][..to.len()]);
                }
            }
        }
    }
}

/// The number of rows whose sums are in a table: 7 with one lane, 6 with two, 5 with four.
const fn rows_of_table<S: Clmul>() -> usize {
    7 - S::K.ilog2() as usize
}

/// Writes the tables: one after the other, entry i the sum of those rows whose bit of i is 1.
#[inline(always)]
fn fill<S: Clmul>(s: S, rows: &[u64], tables: &mut Tables) {
    let vector = 2 * S::K;
    let tables = tables.0.chunks_exact_mut(vector << rows_of_table::<S>());
    for (table, rows) in tables.zip(rows.chunks(vector * rows_of_table::<S>())) {
        let mut filled = vector;
        for row in rows.chunks_exact(vector) {
            let (old, new) = table.split_at_mut(filled);
            let row = s.load(row);
            for (old, new) in old.chunks_exact(vector).zip(new.chunks_exact_mut(vector)) {
                s.store(s.xor(s.load(old), row), new);
            }
            filled *= 2;
        }
    }
}

/// Adds to the vector of each row an entry of each table, which the bits of its mask select.
#[inline(always)]
fn add<S: Clmul>(s: S, tables: &Tables, masks: &[u64], sums: &mut [u64]) {
    let (vector, bits) = (2 * S::K, rows_of_table::<S>());
    for (sum, &mask) in sums.chunks_exact_mut(vector).zip(masks) {
        let (mut x, mut table) = (s.load(sum), 0);
        while table < 64_usize.div_ceil(bits) {
            let entry = (mask >> (table * bits)) as usize & ((1 << bits) - 1);
            x = s.xor(x, s.load(&tables.0[(table << bits | entry) * vector..]));
            table += 1;
        }
        s.store(x, sum);
    }
}
