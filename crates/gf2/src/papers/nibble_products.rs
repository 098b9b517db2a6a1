//! The product algorithms of paper 004 for processors without carry-less multiplication.
//!
//! Both take one operand four bits at a time and index a table with these bits. The reduction is that of all
//! products. For a few fields (`Gf128Polyval`, m below 32) it multiplies carry-less words.
use crate::field::arithmetic::{load, nibbles, store};
use crate::field::blocks::{Blocks, Double, add_double};
use crate::field::reduce::{reduce, window};
use crate::field::shape::BlockArray as _;
use crate::field::unroll::unroll;
use crate::field::{BinaryField, Element, Shape};
use carryless_lanes::{Clmul, ClmulCpu, SliceKernel};
use core::marker::PhantomData;

/// The product a b, canonical, by López and Dahab's comb with windows of four bits (algorithm 1 of paper 004).
/// Runs on the backend with one lane. Not constant time: time and addresses depend on a.
///
/// ```
/// use carryless_gf2::field::{Element, Gf251};
/// use carryless_gf2::papers::{mul_by_comb_vartime, mul_by_shuffles_vartime};
///
/// let (a, b) = (Element::<Gf251>::z().pow(1000), Element::z().pow(77));
/// let cpu = carryless_gf2::ClmulCpu::detect();
/// assert_eq!(mul_by_comb_vartime(cpu, &a, &b), a * b);
/// assert_eq!(mul_by_shuffles_vartime(cpu, &a, &b), a * b);
/// ```
#[must_use]
pub fn mul_by_comb_vartime<F: BinaryField>(cpu: ClmulCpu, a: &Element<F>, b: &Element<F>) -> Element<F> {
    product::<F, Comb<F>>(cpu, a, b)
}

/// The product a b, canonical, in split form (algorithm 2 of paper 004). Byte shuffles look up the products of
/// four bits of a and four bits of every byte of b at once; Karatsuba's formula on the halves of bytes needs
/// three of them. Runs on the backend with one lane. Not constant time: time and addresses depend on a.
#[must_use]
pub fn mul_by_shuffles_vartime<F: BinaryField>(cpu: ClmulCpu, a: &Element<F>, b: &Element<F>) -> Element<F> {
    product::<F, Shuffles<F>>(cpu, a, b)
}

fn product<F: BinaryField, P: SliceKernel>(cpu: ClmulCpu, a: &Element<F>, b: &Element<F>) -> Element<F> {
    let mut out = Element::zero();
    cpu.one_lane().compile::<P>().call(a.as_words(), b.as_words(), out.words_mut());
    out
}

/// Multiples of b by small factors, from which both algorithms sum up the product byte by byte of a.
trait Multiples<F: BinaryField, S: Clmul> {
    /// Adds the multiple of b by some bits of `byte` to `sum`, times X^(128 at).
    fn add(&self, s: S, sum: &mut Double<F, S>, byte: u8, at: usize);
}

/// The sum of X^(8 i) times the multiple by byte i of a, not reduced.
///
/// Each pass takes the bytes at the same place of all words of one parity, and shifts the sum by 8 bits first: eight
/// passes for the odd words, then eight for the even ones. The last eight shifts move the contributions of the odd
/// words to their place, 64 bits above those of the even words. So the words of a need 16 shifts in all.
#[inline(always)]
fn by_bytes<F: BinaryField, S: Clmul>(s: S, a: &[u64], multiples: &impl Multiples<F, S>) -> Double<F, S> {
    let (mut sum, mut i) = (F::Shape::double(s.zero()), 0);
    while i < 16 {
        let (odd, byte) = (1 - i / 8, 7 - i % 8);
        sum = byte_up::<F, S>(s, sum);
        unroll!(pair < F::Shape::BLOCKS, {
            if 2 * pair + odd < F::Shape::WORDS {
                multiples.add(s, &mut sum, a[2 * pair + odd].to_le_bytes()[byte], pair);
            }
        });
        i += 1;
    }
    sum
}

/// The product x X^8, by byte shuffles. The top eight bits of x are lost.
#[inline(always)]
fn byte_up<F: BinaryField, S: Clmul>(s: S, x: Double<F, S>) -> Double<F, S> {
    let up = s.splat([0x0605_0403_0201_0080, 0x0e0d_0c0b_0a09_0807]);
    let top = s.splat([0x8080_8080_8080_800f, 0x8080_8080_8080_8080]);
    let mut out = F::Shape::double(s.shuffle(x.as_ref()[0], up));
    unroll!(i < F::Shape::BLOCKS, {
        if i > 0 {
            out.as_mut()[2 * i] = byte_up_block(s, x.as_ref(), 2 * i, up, top);
        }
        out.as_mut()[2 * i + 1] = byte_up_block(s, x.as_ref(), 2 * i + 1, up, top);
    });
    out
}

/// Block i of x X^8: 15 bytes of block i, above the top byte of block i - 1.
#[inline(always)]
fn byte_up_block<S: Clmul>(s: S, x: &[S::X], i: usize, up: S::X, top: S::X) -> S::X {
    s.xor(s.shuffle(x[i], up), s.shuffle(x[i - 1], top))
}

/// The product x X^bits for `bits` below 64. The bits that leave the top block are lost.
#[inline(always)]
fn bits_up<F: BinaryField, S: Clmul>(s: S, x: Double<F, S>, bits: isize) -> Double<F, S> {
    let mut out = x;
    unroll!(i < F::Shape::BLOCKS, {
        out.as_mut()[2 * i] = window(s, x.as_ref(), 256 * i as isize - bits);
        out.as_mut()[2 * i + 1] = window(s, x.as_ref(), 256 * i as isize + 128 - bits);
    });
    out
}

/// Algorithm 1: a comb of two tables of 16 multiples.
struct Comb<F>(PhantomData<F>);

impl<F: BinaryField> SliceKernel for Comb<F> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let b = load::<F, S>(s, b);
        let mut wide = F::Shape::double(s.zero());
        unroll!(i < F::Shape::BLOCKS, {
            wide.as_mut()[i] = b.as_ref()[i];
        });
        // Two tables of 16 entries serve both nibbles of a byte. So shifts by whole bytes suffice, which are
        // shuffles.
        let high = bits_up::<F, S>(s, wide, 4);
        let table = Table::<F, S> { low: multiples::<F, S>(s, wide), high: multiples::<F, S>(s, high) };
        store::<F, S>(s, reduce::<F, S>(s, by_bytes::<F, S>(s, a, &table)), out);
    }
}

/// The multiples u b and u b X^4 for all u of four bits: the tables T0 and T1 of the paper.
struct Table<F: BinaryField, S: Clmul> {
    low: [Double<F, S>; 16],
    high: [Double<F, S>; 16],
}

/// The multiples u b for all u of four bits, where u is the index. One shift and one sum for each two.
#[inline(always)]
fn multiples<F: BinaryField, S: Clmul>(s: S, b: Double<F, S>) -> [Double<F, S>; 16] {
    let (mut table, mut u) = ([F::Shape::double(s.zero()); 16], 1);
    table[1] = b;
    while u < 8 {
        // 2 u b is u b shifted by one bit, and (2 u + 1) b is that plus b: seven shifts and seven sums. A
        // multiple has up to three bits more than b, or seven for the upper nibble, so the table has
        // unreduced polynomials.
        table[2 * u] = bits_up::<F, S>(s, table[u], 1);
        table[2 * u + 1] = add_double::<F, S>(s, table[2 * u], b);
        u += 1;
    }
    table
}

impl<F: BinaryField, S: Clmul> Multiples<F, S> for Table<F, S> {
    #[inline(always)]
    fn add(&self, s: S, sum: &mut Double<F, S>, byte: u8, at: usize) {
        let low = self.low[usize::from(byte & 15)].as_ref();
        let high = self.high[usize::from(byte >> 4)].as_ref();
        let sum = sum.as_mut();
        unroll!(i < F::Shape::BLOCKS, {
            sum[at + i] = s.xor(sum[at + i], s.xor(low[i], high[i]));
        });
        // For even W, a multiple exceeds the blocks of b by up to seven bits. For odd W they fit the last
        // block.
        if F::Shape::WORDS.is_multiple_of(2) {
            let i = F::Shape::BLOCKS;
            sum[at + i] = s.xor(sum[at + i], s.xor(low[i], high[i]));
        }
    }
}

/// Algorithm 2: products of nibbles by byte shuffles, three times by Karatsuba's formula.
struct Shuffles<F>(PhantomData<F>);

impl<F: BinaryField> SliceKernel for Shuffles<F> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let b = load::<F, S>(s, b);
        let (mut low, mut high, mut both) = (b, b, b);
        unroll!(i < F::Shape::BLOCKS, {
            let [l, h] = nibbles(s, b.as_ref()[i]);
            (low.as_mut()[i], high.as_mut()[i], both.as_mut()[i]) = (l, h, s.xor(l, h));
        });
        let low = by_bytes::<F, S>(s, a, &Sparse::<F, S, LOW> { b: low });
        let high = by_bytes::<F, S>(s, a, &Sparse::<F, S, HIGH> { b: high });
        let both = by_bytes::<F, S>(s, a, &Sparse::<F, S, BOTH> { b: both });
        // a_H b_H X^8 + [(a_H + a_L)(b_H + b_L) + a_H b_H + a_L b_L] X^4 + a_L b_L.
        let middle = add_double::<F, S>(s, both, add_double::<F, S>(s, low, high));
        let outer = add_double::<F, S>(s, low, byte_up::<F, S>(s, high));
        let product = add_double::<F, S>(s, outer, bits_up::<F, S>(s, middle, 4));
        store::<F, S>(s, reduce::<F, S>(s, product), out);
    }
}

/// A polynomial with nonzero bits in the lower halves of its bytes only. It is multiplied by the lower half
/// of a byte of a, by the upper half, or by their sum, as `PART` says. Products of two nibbles have seven
/// bits, so no byte overflows.
struct Sparse<F: BinaryField, S: Clmul, const PART: u8> {
    b: Blocks<F, S>,
}

const LOW: u8 = 0;
const HIGH: u8 = 1;
const BOTH: u8 = 2;

impl<F: BinaryField, S: Clmul, const PART: u8> Multiples<F, S> for Sparse<F, S, PART> {
    #[inline(always)]
    fn add(&self, s: S, sum: &mut Double<F, S>, byte: u8, at: usize) {
        let u = match PART {
            LOW => byte & 15,
            HIGH => byte >> 4,
            _ => (byte ^ byte >> 4) & 15,
        };
        // The row depends on a, hence `_vartime`. Within a row, the shuffle looks up 16 nibbles of b at once.
        let table = s.load(&PRODUCTS[usize::from(u)]);
        let sum = sum.as_mut();
        unroll!(i < F::Shape::BLOCKS, {
            sum[at + i] = s.xor(sum[at + i], s.shuffle(table, self.b.as_ref()[i]));
        });
    }
}

/// The products of all pairs of nibbles: byte v of row u is u v.
static PRODUCTS: [[u64; 2]; 16] = {
    let (mut rows, mut i) = ([[0; 2]; 16], 0);
    while i < 16 * 16 * 4 {
        let (u, v, bit) = (i / 64, i / 4 % 16, i % 4);
        if u >> bit & 1 == 1 {
            rows[u][v / 8] ^= (v as u64) << (bit + 8 * (v % 8));
        }
        i += 1;
    }
    rows
};
