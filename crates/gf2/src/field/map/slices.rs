//! Linear maps of many elements at once, bytewise: one vector holds byte j of 16 K elements.
use super::super::arithmetic::{load, write};
use super::super::element::Element;
use super::super::reduce::canonical;
use super::super::shape::BlockArray as _;
use super::super::unroll::unroll;
use super::super::{BinaryField, FieldWords, Shape, lanes};
use super::LinearMap;
use super::layout::rows_of_byte;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::fmt;
use core::marker::PhantomData;
use zeroize::Zeroize;

/// A [`LinearMap`] for long slices, with a larger table. Constant time.
///
/// Elements are transposed in groups of 16 for each lane, so that one vector holds the same byte of all of
/// them. Each byte of the image is then a sum of products of bytes and 8 x 8 bit matrices, and a matrix stays
/// in its register for the whole group.
///
/// With GFNI a product is one instruction, and the table takes 7.7 kB for 233 bits. Without, it is two look-ups
/// of four bits in registers, with tables of 31 kB for 233 bits and 166 kB for 571. The map pays from a few
/// elements on; an incomplete last group takes the time of a whole one.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use carryless_gf2::field::{Field, Gf233, LinearMap, SliceMap};
///
/// let field = Field::<Gf233>::new();
/// let map = SliceMap::new(&LinearMap::frobenius(&field, 1));
/// let (a, mut images, mut squares) = ([[1, 2, 3, 4]; 100], [[0; 4]; 100], [[0; 4]; 100]);
/// map.apply_slice(&a, &mut images);
/// field.square_slice(&a, &mut squares);
/// assert_eq!(images, squares);
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct SliceMap<F, M> {
    cpu: ClmulCpu,
    table: M,
    of: PhantomData<F>,
}

/// The number of bytes of an image that are summed up together, each in a register.
const ROWS: usize = 8;
/// The number of bytes of the longest element, rounded up to whole blocks.
const MAX_BYTES: usize = 160;

/// The number of words for one byte of the image and one byte of the argument: a matrix, or 16 products
/// by each of its halves.
const fn entry_words(affine: bool) -> usize {
    if affine { 1 } else { 4 }
}

/// The index of the entry for byte `row` of the image and byte `column` of the argument, in the order
/// in which the kernel reads.
fn entry<F: BinaryField>(row: usize, column: usize) -> usize {
    (row / ROWS * F::BYTES + column) * ROWS + row % ROWS
}

impl<F: BinaryField> SliceMap<F, ()> {
    /// The number of 64-bit words of the table of a map on this backend.
    #[must_use]
    pub fn words(cpu: ClmulCpu) -> usize {
        entry_words(cpu.has_affine()) * F::BYTES.next_multiple_of(ROWS) * F::BYTES
    }
}

impl<F: BinaryField, M> SliceMap<F, M>
where
    M: AsRef<[u64]> + AsMut<[u64]>,
{
    /// The same map as `map`, on the same backend, with its table in the first words of `memory`.
    ///
    /// # Panics
    /// If `memory` has fewer words than [`words`](SliceMap::words).
    #[track_caller]
    pub fn new_in<N: AsRef<[u64]>>(map: &LinearMap<F, N>, mut memory: M) -> Self {
        let words = SliceMap::<F, ()>::words(map.cpu);
        assert!(memory.as_mut().len() >= words, "the table of a map of this field takes {words} words");
        fill(map, map.cpu.has_affine(), &mut memory.as_mut()[..words]);
        SliceMap { cpu: map.cpu, table: memory, of: PhantomData }
    }
}

/// Fills a table, column by column, with the images of z^0 to z^(m - 1) under `map`.
fn fill<F: BinaryField, N: AsRef<[u64]>>(map: &LinearMap<F, N>, affine: bool, table: &mut [u64]) {
    table.fill(0);
    for i in 0..F::DEGREE {
        let (mut power, mut image) = (FieldWords::<F>::default(), [FieldWords::<F>::default()]);
        power.as_mut()[i / 64] = 1 << (i % 64);
        map.apply_slice(&[power], &mut image);
        add_column::<F>(table, affine, i, image[0].as_ref());
    }
}

/// The table for backends with 8 x 8 bit matrices, which this CPU may lack.
#[cfg(test)]
pub(super) fn with_matrices<F: BinaryField, N: AsRef<[u64]>>(map: &LinearMap<F, N>) -> std::vec::Vec<u64> {
    let mut table = std::vec![0; F::BYTES.next_multiple_of(ROWS) * F::BYTES];
    fill(map, true, &mut table);
    table
}

/// Adds the image of z^column to a table.
fn add_column<F: BinaryField>(table: &mut [u64], affine: bool, column: usize, image: &[u64]) {
    // Mask t has byte u set exactly if bit t of u is 1: the nibbles u to whose image the coefficient
    // contributes.
    const WITH_BIT: [[u64; 2]; 4] =
        [[0xff00_ff00_ff00_ff00; 2], [0xffff_0000_ffff_0000; 2], [0xffff_ffff_0000_0000; 2], [0, u64::MAX]];
    for row in 0..F::BYTES {
        let byte = image[row / 8] >> (8 * (row % 8)) & 0xff;
        let words = &mut table[entry_words(affine) * entry::<F>(row, column / 8)..];
        if affine {
            words[0] |= rows_of_byte(byte) << (column % 8);
        } else {
            for (word, mask) in words[column % 8 / 4 * 2..].iter_mut().zip(WITH_BIT[column % 4]) {
                *word ^= (byte * 0x0101_0101_0101_0101) & mask;
            }
        }
    }
}

#[cfg(feature = "alloc")]
impl<F: BinaryField> SliceMap<F, Box<[u64]>> {
    /// The same map as `map`, on the same backend, with its table on the heap.
    #[must_use]
    pub fn new<N: AsRef<[u64]>>(map: &LinearMap<F, N>) -> Self {
        Self::new_in(map, vec![0; SliceMap::<F, ()>::words(map.cpu)].into_boxed_slice())
    }
}

impl<F: BinaryField, M: AsRef<[u64]>> SliceMap<F, M> {
    /// Sets `out[i]` to the image of `a[i]`. The words of `a` may have bits from z^m on; those of
    /// `out` have none. Constant time.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn apply_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        F::apply_bytewise(self.cpu, self.table.as_ref(), a, out);
    }
}

/// Applies a map to all elements of `a`, by the table of a [`SliceMap`].
#[inline]
pub(in super::super) fn apply_bytewise<F: BinaryField>(
    cpu: ClmulCpu,
    table: &[u64],
    a: &[FieldWords<F>],
    out: &mut [FieldWords<F>],
) {
    cpu.affine().call(ApplyMany::<F> { table, a, out });
}

impl<F: BinaryField, M> fmt::Debug for SliceMap<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SliceMap<{}>({})", F::NAME, self.cpu.name())
    }
}

pub(super) struct ApplyMany<'a, F: BinaryField> {
    pub(super) table: &'a [u64],
    pub(super) a: &'a [FieldWords<F>],
    pub(super) out: &'a mut [FieldWords<F>],
}

impl<F: BinaryField> ClmulKernel for ApplyMany<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // There is room for the longest element; shorter ones use the first vectors only.
        let zeros = [s.zero(); MAX_BYTES];
        let mut planes = Planes { low: zeros, high: zeros, images: zeros };
        let (a, out, group) = (self.a, self.out, 16 * S::K);
        // The last element goes through a copy, because lanes are loaded and stored with the word after them.
        let mut rest = [Element::<F>::zero().to_words(); 16 * lanes::MAX_LANES + 1];
        let mut at = 0;
        while at < a.len() {
            let whole = at + group < a.len();
            let len = if whole { group } else { a.len() - at };
            if !whole {
                rest[..len].copy_from_slice(&a[at..]);
            }
            planes.read::<F>(s, F::Shape::flat(if whole { &a[at..] } else { &rest }));
            planes.map::<F>(s, self.table);
            planes.write::<F>(s, F::Shape::flat_mut(if whole { &mut out[at..] } else { &mut rest }));
            if !whole {
                out[at..].copy_from_slice(&rest[..len]);
                F::Shape::flat_mut(&mut rest).zeroize();
            }
            at += len;
        }
    }
}

/// A group of 16 K elements, transposed: vector j of `low` has byte j of each. Without 8 x 8 matrices it has
/// the lower half of that byte, and `high` has the upper half. `images` has the bytes of the images.
struct Planes<S: Clmul> {
    low: [S::X; MAX_BYTES],
    high: [S::X; MAX_BYTES],
    images: [S::X; MAX_BYTES],
}

impl<S: Clmul> Planes<S> {
    #[inline(always)]
    /// Loads a group, makes it canonical and transposes it.
    fn read<F: BinaryField>(&mut self, s: S, a: &[u64]) {
        for t in 0..16 {
            // Lane l of vector t has element t K + l of the group. The table has columns for m bits, so
            // elements must be canonical.
            let x = canonical::<F, S>(s, load::<F, S>(s, &a[t * S::K * F::Shape::WORDS..]));
            unroll!(i < F::Shape::BLOCKS, {
                self.low[16 * i + t] = x.as_ref()[i];
            });
        }
        let mask = s.splat([0x0f0f_0f0f_0f0f_0f0f; 2]);
        for i in 0..F::Shape::BLOCKS {
            transpose(s, &mut self.low[16 * i..]);
        }
        if !S::AFFINE {
            for j in 0..F::BYTES {
                self.high[j] = s.and(s.shr(self.low[j], 4), mask);
                self.low[j] = s.and(self.low[j], mask);
            }
        }
    }

    /// Computes the bytes of all images, [`ROWS`] at a time. Bytes beyond those of an element become zero.
    #[inline(always)]
    fn map<F: BinaryField>(&mut self, s: S, table: &[u64]) {
        // Eight sums stay in registers while all bytes of the argument pass by; the table is read in order,
        // once. For 16 K elements that is (m / 8)^2 products by a matrix, whatever the map is.
        let words = entry_words(S::AFFINE) * ROWS;
        let groups = table.chunks_exact(words * F::BYTES);
        for (i, columns) in groups.enumerate() {
            let mut sums = [s.zero(); ROWS];
            for (j, entries) in columns.chunks_exact(words).enumerate() {
                self.add_products(s, j, entries, &mut sums);
            }
            self.images[ROWS * i..ROWS * (i + 1)].copy_from_slice(&sums);
        }
        // The transposition needs whole groups of 16 bytes.
        for image in &mut self.images[F::BYTES.next_multiple_of(ROWS)..16 * F::Shape::BLOCKS] {
            *image = s.zero();
        }
    }

    /// Adds the products of byte j and the matrices of its column to `sums`.
    #[inline(always)]
    fn add_products(&self, s: S, j: usize, entries: &[u64], sums: &mut [S::X; ROWS]) {
        let (low, high) = (self.low[j], self.high[j]);
        for (sum, words) in sums.iter_mut().zip(entries.chunks_exact(entry_words(S::AFFINE))) {
            *sum = if S::AFFINE {
                s.xor(*sum, s.affine(low, s.splat([words[0]; 2])))
            } else {
                // Without GFNI a matrix is two tables of 16 bytes in registers, so no address depends on an
                // element.
                let of_low = s.shuffle(s.splat([words[0], words[1]]), low);
                s.xor(*sum, s.xor(of_low, s.shuffle(s.splat([words[2], words[3]]), high)))
            };
        }
    }

    /// Transposes the images back and writes them; they are canonical.
    #[inline(always)]
    fn write<F: BinaryField>(&mut self, s: S, out: &mut [u64]) {
        for i in 0..F::Shape::BLOCKS {
            transpose(s, &mut self.images[16 * i..]);
        }
        for t in 0..16 {
            let mut x = F::Shape::blocks(s.zero());
            unroll!(i < F::Shape::BLOCKS, {
                x.as_mut()[i] = self.images[16 * i + t];
            });
            write::<F, S>(s, x, &mut out[t * S::K * F::Shape::WORDS..]);
        }
    }
}

/// Transposes a 16 x 16 matrix of bytes in every lane: byte j of vector i becomes byte i of vector j.
///
/// Each of four steps interleaves vectors i and i + 8, which rotates the eight bits of the index pair
/// (i, j) by one place.
#[inline(always)]
fn transpose<S: Clmul>(s: S, vectors: &mut [S::X]) {
    let mut x = [s.zero(); 16];
    x.copy_from_slice(&vectors[..16]);
    let mut step = 0;
    while step < 4 {
        // The nibbles of the index pair (i, j) rotate by one bit in each round, so four rounds exchange i and
        // j. 64 interleavings in all.
        let before = x;
        let mut i = 0;
        while i < 8 {
            x[2 * i] = s.zip_low(before[i], before[i + 8]);
            x[2 * i + 1] = s.zip_high(before[i], before[i + 8]);
            i += 1;
        }
        step += 1;
    }
    vectors[..16].copy_from_slice(&x);
}
