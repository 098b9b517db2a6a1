//! Echelon forms and inverses over GF(2) by the method of four Russians (Arlazarov, Dinic, Kronrod, Faradzev, 1970): sums of
//! rows from tables.
use super::swap_rows;
use alloc::vec;
use alloc::vec::Vec;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::ops::Range;

/// Entries of a table, one for each sum of eight rows.
const SUMS: usize = 256;

/// Words of a row that tables hold at once: eight tables of as many fill 256 KiB, within a level-2 cache.
const STRIPE: usize = 16;

/// Rows that are added to others, by their number in a mask. Those that are missing are zeros.
pub(super) type Sources<'a> = [Option<&'a [u64]>; 64];

/// Room for eight tables.
pub(super) struct Tables {
    cpu: ClmulCpu,
    words: Vec<u64>,
}

impl Tables {
    /// Room for rows of `stride` words.
    pub(super) fn new(cpu: ClmulCpu, stride: usize) -> Tables {
        Tables { cpu, words: vec![0; 8 * SUMS * STRIPE.min(stride)] }
    }

    /// Adds to each of the rows, of `stride` words, those sources that its mask selects, in the words of a range.
    pub(super) fn add_selected(
        &mut self,
        sources: &Sources<'_>,
        rows: &mut [u64],
        stride: usize,
        range: Range<usize>,
        masks: &[u64],
    ) {
        for at in range.clone().step_by(STRIPE) {
            let words = at..range.end.min(at + STRIPE);
            let tables = &mut self.words[..8 * SUMS * words.len()];
            for (group, table) in sources.chunks_exact(8).zip(tables.chunks_exact_mut(SUMS * words.len())) {
                fill(group, words.clone(), table);
            }
            self.cpu.call(AddSums { tables, masks, rows, stride, words });
        }
    }
}

/// Writes the sums of all subsets of eight rows, of which entry s has row i if s has bit i.
fn fill(group: &[Option<&[u64]>], words: Range<usize>, table: &mut [u64]) {
    let width = words.len();
    table[..width].fill(0);
    for sum in 1..SUMS {
        let (done, rest) = table.split_at_mut(sum * width);
        // The sum without its lowest row is in the table already.
        let before = &done[(sum & (sum - 1)) * width..][..width];
        match group[sum.trailing_zeros() as usize] {
            Some(row) => {
                for ((out, a), b) in rest[..width].iter_mut().zip(before).zip(&row[words.clone()]) {
                    *out = a ^ b;
                }
            }
            None => rest[..width].copy_from_slice(before),
        }
    }
}

/// Adds to each row an entry of each table: byte t of its mask says which of table t.
struct AddSums<'a> {
    tables: &'a [u64],
    masks: &'a [u64],
    rows: &'a mut [u64],
    stride: usize,
    words: Range<usize>,
}

impl ClmulKernel for AddSums<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let (vector, width) = (2 * S::K, self.words.len());
        for (row, &mask) in self.rows.chunks_exact_mut(self.stride).zip(self.masks) {
            if mask == 0 {
                continue;
            }
            let row = &mut row[self.words.clone()];
            let bytes = mask.to_le_bytes();
            let sum =
                |table: usize| &self.tables[(table * SUMS + usize::from(bytes[table])) * width..][..width];
            let sums: [&[u64]; 8] = core::array::from_fn(sum);
            let mut i = 0;
            while i + vector <= width {
                let mut x = s.load(&row[i..]);
                for sum in sums {
                    x = s.xor(x, s.load(&sum[i..]));
                }
                s.store(x, &mut row[i..]);
                i += vector;
            }
            for (i, word) in row.iter_mut().enumerate().skip(i) {
                *word = sums.iter().fold(*word, |word, sum| word ^ sum[i]);
            }
        }
    }
}

/// Makes the first `columns` columns of rows of `stride` words a reduced row echelon form; returns the columns with pivots. Calls
/// `proceed` before each word of columns.
pub(super) fn eliminate<E>(
    cpu: ClmulCpu,
    words: &mut [u64],
    stride: usize,
    columns: usize,
    mut proceed: impl FnMut() -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    let (mut pivots, mut tables) = (vec![], Tables::new(cpu, stride));
    for first in (0..columns).step_by(64) {
        proceed()?;
        let (word, done) = (first / 64, pivots.len());
        let mut block = Block::new(cpu, words, [stride, word], done);
        for bit in 0..64.min(columns - first) {
            if block.pivot(words, bit, pivots.len()).is_some() {
                pivots.push(first + bit);
            }
        }
        words.chunks_exact_mut(stride).zip(&block.column).for_each(|(row, &updated)| row[word] = updated);
        block.add(&mut tables, words, done..pivots.len(), word + 1..stride);
    }
    Ok(pivots)
}

/// Replaces a square matrix of n rows by the inverse with exchanged columns; returns the place of each column: column i is
/// column `places[i]` of the inverse. `None` if there is no inverse.
///
/// This is the elimination of (A | I), where column i of the right half belongs to the row that becomes pivot i. Until row i is
/// a pivot, that column has a single 1. So the right half fits into the columns of A that are done. On `None` the words have no
/// meaning.
pub(super) fn invert(cpu: ClmulCpu, words: &mut [u64], n: usize) -> Option<Vec<usize>> {
    let stride = n.div_ceil(64);
    let (mut places, mut tables): (Vec<usize>, _) = ((0..n).collect(), Tables::new(cpu, stride));
    for first in (0..n).step_by(64) {
        let (word, end) = (first / 64, n.min(first + 64));
        let mut block = Block::new(cpu, words, [stride, word], first);
        for i in first..end {
            let found = block.pivot(words, i - first, i)?;
            places.swap(i, found);
        }
        block.add(&mut tables, words, first..end, 0..word);
        block.add(&mut tables, words, first..end, word + 1..stride);
        words.chunks_exact_mut(stride).zip(&block.sums).for_each(|(row, &sum)| row[word] = sum);
    }
    Some(places)
}

/// The columns of one word, while their pivots are searched. Of each row only this word is kept up to date, with a mask of
/// the pivot rows that are to be added to its other words.
struct Block {
    cpu: ClmulCpu,
    stride: usize,
    /// The number of pivots in the words before.
    done: usize,
    /// The word of each row, up to date.
    column: Vec<u64>,
    /// For each row the pivot rows of this block that are to be added to it: bit i is row `done + i`, as it was when it
    /// became a pivot.
    masks: Vec<u64>,
    /// Each row as a sum of rows as they were before this block: bit i is the row that became pivot `done + i`. Rows that are
    /// no pivots contain themselves, which no bit says.
    sums: Vec<u64>,
}

impl Block {
    fn new(cpu: ClmulCpu, words: &[u64], [stride, word]: [usize; 2], done: usize) -> Block {
        let column: Vec<u64> = words.chunks_exact(stride).map(|row| row[word]).collect();
        let zeros = vec![0; column.len()];
        Block { cpu, stride, done, masks: zeros.clone(), sums: zeros, column }
    }

    /// Looks for a pivot in the column of this bit, in the rows from number `row` on, exchanges it with row `row`, and clears
    /// the column in all other rows. Returns where it was, or `None` if there is none.
    fn pivot(&mut self, words: &mut [u64], bit: usize, row: usize) -> Option<usize> {
        let found = (row..self.column.len()).find(|&row| self.column[row] >> bit & 1 != 0)?;
        if found != row {
            swap_rows(words, self.stride, row, found);
            [&mut self.column, &mut self.masks, &mut self.sums]
                .into_iter()
                .for_each(|all| all.swap(row, found));
        }
        self.complete(words, row);
        let source = 1 << (row - self.done);
        self.sums[row] |= source;
        let pivot = [self.column[row], source, self.sums[row]];
        let Block { column, masks, sums, .. } = self;
        self.cpu.call(Clear { bit, pivot, column, masks, sums });
        // The pivot was added to itself, too.
        (self.column[row], self.masks[row], self.sums[row]) = (pivot[0], 0, pivot[2]);
        Some(found)
    }

    /// Brings all words of a row up to date, so that it can be added to others. Its word of this block is in `column`.
    fn complete(&mut self, words: &mut [u64], row: usize) {
        let (pivots, rest) = words.split_at_mut(row * self.stride);
        let mut mask = self.masks[row];
        while mask != 0 {
            let pivot = &pivots[(self.done + mask.trailing_zeros() as usize) * self.stride..][..self.stride];
            rest[..self.stride].iter_mut().zip(pivot).for_each(|(word, add)| *word ^= add);
            mask &= mask - 1;
        }
    }

    /// Adds the pivot rows, which have these numbers, to the words of a range of all rows.
    fn add(&self, tables: &mut Tables, words: &mut [u64], pivots: Range<usize>, range: Range<usize>) {
        // Pivots are among the rows.
        let copies = words[pivots.start * self.stride..pivots.end * self.stride].to_vec();
        let mut sources = [None; 64];
        sources
            .iter_mut()
            .zip(copies.chunks_exact(self.stride))
            .for_each(|(source, row)| *source = Some(row));
        tables.add_selected(&sources, words, self.stride, range, &self.masks);
    }
}

/// Adds the pivot to all rows that have the bit: to the word, the mask and the sum of each.
struct Clear<'a> {
    bit: usize,
    pivot: [u64; 3],
    column: &'a mut [u64],
    masks: &'a mut [u64],
    sums: &'a mut [u64],
}

impl ClmulKernel for Clear<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let [word, mask, sum] = self.pivot;
        for ((words, masks), sums) in self.column.iter_mut().zip(self.masks).zip(self.sums) {
            // All ones if the row has the bit.
            let add = (*words >> self.bit & 1).wrapping_neg();
            *words ^= word & add;
            *masks ^= mask & add;
            *sums ^= sum & add;
        }
    }
}
