//! Tables of a linear map for each four neighbouring coefficients: paper 004's method for a^(2^k) and
//! half-traces.
use crate::bits;
use crate::field::arithmetic::{load, write};
use crate::field::blocks::add;
use crate::field::shape::BlockArray as _;
use crate::field::{BinaryField, Element, Field, FieldWords, Shape};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use carryless_lanes::{Clmul, ClmulCpu, SliceKernel};
use core::fmt;
use core::marker::PhantomData;
use ctutils::{CtEq, CtSelect};

/// A linear map of a field by table: for each four neighbouring powers of z, the images of all 16 sums of them.
/// The table has 16 ceil(m / 4) elements, 30 kB for 233 bits.
///
/// It exists to repeat the comparison of paper 004. [`LinearMap`](crate::field::LinearMap)
/// is smaller, and constant time.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use carryless_gf2::field::{Element, Field, Gf233};
/// use carryless_gf2::papers::NibbleTable;
///
/// let field = Field::<Gf233>::new();
/// let a = Element::from_words([1, 2, 3, 4]).expect("at most 233 bits");
/// let twice = NibbleTable::frobenius(&field, 2);
/// assert_eq!(twice.apply_vartime(&a), a.square().square());
/// assert_eq!(twice.apply(&a), a.square().square());
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct NibbleTable<F, M> {
    cpu: ClmulCpu,
    rows: M,
    of: PhantomData<F>,
}

/// The number of elements of the table for `coefficients` coefficients: 16 for each four of them.
const fn entries(coefficients: usize) -> usize {
    16 * coefficients.div_ceil(4)
}

/// Fills the table: row j has the 16 sums of the images of coefficients 4 j to 4 j + 3, entry u the one
/// for the bits of u.
fn fill<F: BinaryField>(
    rows: &mut [FieldWords<F>],
    coefficients: usize,
    mut image: impl FnMut(usize) -> Element<F>,
) {
    for (j, row) in rows.chunks_exact_mut(16).enumerate() {
        row[0] = Element::<F>::zero().to_words();
        for t in 0..4 {
            let term = if 4 * j + t < coefficients { image(4 * j + t) } else { Element::zero() };
            // Entries from 2^t on are those below plus the image of term t, so each costs one addition.
            for u in 0..1 << t {
                row[u + (1 << t)] = row[u];
                let sum = row[u + (1 << t)].as_mut().iter_mut();
                sum.zip(term.as_words()).for_each(|(sum, word)| *sum ^= word);
            }
        }
    }
}

impl<F: BinaryField> NibbleTable<F, ()> {
    /// The number of elements in the table of a map.
    pub const LEN: usize = entries(F::DEGREE);
}

impl<F: BinaryField, M> NibbleTable<F, M>
where
    M: AsRef<[FieldWords<F>]> + AsMut<[FieldWords<F>]>,
{
    /// The map whose image of z^i is `image(i)`, for i from 0 to m - 1. Its table is in the first elements of `memory`.
    ///
    /// # Panics
    /// If `memory` has fewer elements than [`LEN`](NibbleTable::LEN).
    #[track_caller]
    pub fn from_images_in(field: &Field<F>, mut memory: M, image: impl FnMut(usize) -> Element<F>) -> Self {
        fill(first_of(memory.as_mut(), NibbleTable::<F, ()>::LEN), F::DEGREE, image);
        NibbleTable { cpu: field.cpu(), rows: memory, of: PhantomData }
    }

    /// The map a -> a^(2^k). Making it takes k mod m squarings of z, and m products. k is public.
    ///
    /// # Panics
    /// If `memory` has fewer elements than [`LEN`](NibbleTable::LEN).
    #[track_caller]
    pub fn frobenius_in(field: &Field<F>, memory: M, k: usize) -> Self {
        let image_of_z = (0..k % F::DEGREE).fold(Element::z(), |power, _| field.square(&power));
        let mut next = Element::one();
        Self::from_images_in(field, memory, |_| {
            // The images 1, g, g^2, ... for g = z^(2^k): the map is a homomorphism, so z^i goes to g^i.
            let image = next;
            next = field.mul(&next, &image_of_z);
            image
        })
    }
}

#[track_caller]
fn first_of<T>(memory: &mut [T], len: usize) -> &mut [T] {
    assert!(memory.len() >= len, "the table takes {len} elements");
    &mut memory[..len]
}

#[cfg(feature = "alloc")]
impl<F: BinaryField> NibbleTable<F, Vec<FieldWords<F>>> {
    /// [`from_images_in`](NibbleTable::from_images_in), with the table on the heap.
    #[must_use]
    pub fn from_images(field: &Field<F>, image: impl FnMut(usize) -> Element<F>) -> Self {
        Self::from_images_in(field, vec![FieldWords::<F>::default(); NibbleTable::<F, ()>::LEN], image)
    }

    /// [`frobenius_in`](NibbleTable::frobenius_in), with the table on the heap.
    #[must_use]
    pub fn frobenius(field: &Field<F>, k: usize) -> Self {
        Self::frobenius_in(field, vec![FieldWords::<F>::default(); NibbleTable::<F, ()>::LEN], k)
    }
}

impl<F: BinaryField, M: AsRef<[FieldWords<F>]>> NibbleTable<F, M> {
    /// The image of a, by one look-up for each four coefficients. Not constant time: addresses depend on a.
    #[must_use]
    pub fn apply_vartime(&self, a: &Element<F>) -> Element<F> {
        let rows = &self.rows.as_ref()[..NibbleTable::<F, ()>::LEN];
        sum_of_rows::<F, LookUps<F>>(self.cpu, a.as_words(), rows)
    }

    /// The image of a in constant time: reads all 16 entries of each row and selects one by masks.
    #[must_use]
    pub fn apply(&self, a: &Element<F>) -> Element<F> {
        let rows = &self.rows.as_ref()[..NibbleTable::<F, ()>::LEN];
        sum_of_rows::<F, Selections<F>>(self.cpu, a.as_words(), rows)
    }
}

impl<F: BinaryField, M> fmt::Debug for NibbleTable<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NibbleTable<{}>({})", F::NAME, self.cpu.name())
    }
}

/// The sum of one entry of each row, chosen by the nibbles in order: by look-ups or by masks, as `P` does.
fn sum_of_rows<F: BinaryField, P: SliceKernel>(
    cpu: ClmulCpu,
    nibbles: &[u64],
    rows: &[FieldWords<F>],
) -> Element<F> {
    let mut out = Element::zero();
    cpu.one_lane().compile::<P>().call(nibbles, F::Shape::flat(rows), out.words_mut());
    out
}

/// Nibble i of `words`: bits 4 i to 4 i + 3.
#[inline(always)]
fn nibble(words: &[u64], i: usize) -> u64 {
    words[i / 16] >> (4 * (i % 16)) & 15
}

/// The sum of one entry of each row, that with the index which four bits of the first operand
/// form. Addresses depend on them.
struct LookUps<F>(PhantomData<F>);

impl<F: BinaryField> SliceKernel for LookUps<F> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, nibbles: &[u64], rows: &[u64], out: &mut [u64]) {
        let mut sum = F::Shape::blocks(s.zero());
        for (i, row) in rows.chunks_exact(16 * F::Shape::WORDS).enumerate() {
            let at = nibble(nibbles, i) as usize * F::Shape::WORDS;
            sum = add::<F, S>(s, sum, load::<F, S>(s, &row[at..]));
        }
        // The sum of canonical elements is canonical: no reduction.
        write::<F, S>(s, sum, out);
    }
}

/// The same sum as [`LookUps`] in constant time: every entry is read, and masked unless its index matches.
struct Selections<F>(PhantomData<F>);

impl<F: BinaryField> SliceKernel for Selections<F> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, nibbles: &[u64], rows: &[u64], out: &mut [u64]) {
        let mut sum = F::Shape::blocks(s.zero());
        for (i, row) in rows.chunks_exact(16 * F::Shape::WORDS).enumerate() {
            let wanted = nibble(nibbles, i);
            for (u, entry) in (0..).zip(row.chunks_exact(F::Shape::WORDS)) {
                // One mask of the 16 is all ones.
                let mask = s.splat([0_u64.ct_select(&u64::MAX, wanted.ct_eq(&u)); 2]);
                let mut chosen = load::<F, S>(s, entry);
                chosen.as_mut().iter_mut().for_each(|block| *block = s.and(*block, mask));
                sum = add::<F, S>(s, sum, chosen);
            }
        }
        write::<F, S>(s, sum, out);
    }
}

/// The half-trace for odd m by algorithm 3 of paper 004. Even powers of z are replaced by powers of half the
/// exponent, then odd ones are looked up four at a time. The table has 16 ceil((m - 1) / 8) elements, half
/// of those of a [`NibbleTable`].
#[derive(Clone, Copy)]
pub struct HalfTraceTable<F, M> {
    cpu: ClmulCpu,
    rows: M,
    /// H(1), which is (m + 1) / 2 mod 2.
    of_one: u64,
    of: PhantomData<F>,
}

impl<F: BinaryField> HalfTraceTable<F, ()> {
    /// The number of elements in the table.
    pub const LEN: usize = entries(F::DEGREE / 2);
}

impl<F: BinaryField, M> HalfTraceTable<F, M>
where
    M: AsRef<[FieldWords<F>]> + AsMut<[FieldWords<F>]>,
{
    /// Prepares the half-trace, with its table in the first elements of `memory`.
    ///
    /// # Panics
    /// If m is even, or if `memory` has fewer elements than [`LEN`](HalfTraceTable::LEN).
    #[track_caller]
    pub fn new_in(field: &Field<F>, mut memory: M) -> Self {
        assert!(F::DEGREE % 2 == 1, "there is a half-trace for odd m only");
        // Row j serves the coefficients of z^(8 j + 1), z^(8 j + 3), z^(8 j + 5) and z^(8 j + 7).
        let mut power = Element::z();
        let square = field.square(&power);
        fill(first_of(memory.as_mut(), HalfTraceTable::<F, ()>::LEN), F::DEGREE / 2, |_| {
            let image = field.solve_unchecked(&power);
            power = field.mul(&power, &square);
            image
        });
        let of_one = F::DEGREE.div_ceil(2) as u64 & 1;
        HalfTraceTable { cpu: field.cpu(), rows: memory, of_one, of: PhantomData }
    }
}

#[cfg(feature = "alloc")]
impl<F: BinaryField> HalfTraceTable<F, Vec<FieldWords<F>>> {
    /// Prepares the half-trace, with its table on the heap.
    ///
    /// # Panics
    /// If m is even: a half-trace exists for odd m only.
    #[must_use]
    #[track_caller]
    pub fn new(field: &Field<F>) -> Self {
        Self::new_in(field, vec![FieldWords::<F>::default(); HalfTraceTable::<F, ()>::LEN])
    }
}

impl<F: BinaryField, M: AsRef<[FieldWords<F>]>> HalfTraceTable<F, M> {
    /// The half-trace of c, which is the value of [`Field::solve_unchecked`]. Not constant time: addresses depend on c.
    #[must_use]
    pub fn apply_vartime(&self, c: &Element<F>) -> Element<F> {
        let mut odd = c.to_words();
        let constant = odd.as_ref()[0] & 1;
        odd.as_mut()[0] ^= constant;
        // H(x^2) = H(x)^2 = H(x) + x + Tr(x). So every even power z^(2 i) may be replaced by z^i, if
        // z^i + Tr(z^i) is added to the result. Each round halves the largest even exponent; in the end only
        // odd powers are left.
        let mut added = Element::<F>::zero();
        let mut left = F::DEGREE - 1;
        while left > 1 {
            let halves = gather::<F>(&odd, 0);
            for i in 0..F::Shape::WORDS {
                odd.as_mut()[i] = odd.as_ref()[i] & !EVEN ^ halves.as_ref()[i];
                added.words_mut()[i] ^= halves.as_ref()[i];
            }
            left /= 2;
        }
        let rows = &self.rows.as_ref()[..HalfTraceTable::<F, ()>::LEN];
        let mut sum = sum_of_rows::<F, LookUps<F>>(self.cpu, gather::<F>(&odd, 1).as_ref(), rows);
        sum += added;
        sum.words_mut()[0] ^= u64::from(added.trace().to_u8()) ^ constant & self.of_one;
        sum
    }
}

impl<F: BinaryField, M> fmt::Debug for HalfTraceTable<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HalfTraceTable<{}>({})", F::NAME, self.cpu.name())
    }
}

/// The bits at even places of a word.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The coefficients at even places (`from` is 0) or at odd ones (1), packed: coefficient 2 i + `from` becomes bit i.
fn gather<F: BinaryField>(a: &FieldWords<F>, from: u32) -> FieldWords<F> {
    let mut out = FieldWords::<F>::default();
    for (i, word) in a.as_ref().iter().enumerate() {
        out.as_mut()[i / 2] |= bits::gather(word >> from) << (32 * (i % 2));
    }
    out
}
