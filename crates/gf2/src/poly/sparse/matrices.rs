//! From exponents to coefficients by products of bit matrices.
//!
//! An exponent is read as fields of bits, the lowest first:
//!
//! ```text
//! bit (3 bits) | byte (3) | word (log2 W) | row (2) | block (3) | tier (3) | area
//! ```
//!
//! W is the number of words of a vector, which is a row of `out`. A block has four rows, a tier eight blocks, an
//! area eight tiers. For a field f of an exponent let [f = v] be the number 1 or 0. A coefficient of `out` is the
//! sum over the exponents of the products of [f = v] over all fields, v being those of its place. Exponents are
//! taken in groups of eight, and in every group
//!
//! ```text
//! X_row:   the bytes of a vector,        bits [byte = ..][word = ..][row = row] of the eight exponents
//! M_block: the rows of an 8 x 8 matrix,  bits [bit = ..][block = block][tier = tier][area = area]
//! ```
//!
//! A row of `out` is the sum over the groups of the product of X_row by M_block ([`Clmul::affine`]).
//!
//! [f = v] for all v and all exponents of a group is an 8 x 8 matrix, too: the powers 2^f by a look-up among eight,
//! transposed by a product. X and M consist of its bytes, spread over words.
use carryless_lanes::Clmul;
use zeroize::optimization_barrier;

/// The largest number of words of a vector, and of groups of a batch.
const MAX_GROUPS: usize = 8;
/// The number of rows (vectors of `out`) of a block.
const ROWS: usize = 4;
/// The number 1 in every byte of a word.
const BYTES: u64 = 0x0101_0101_0101_0101;
/// The word whose byte j is 2^j: a table of powers, and the operand that transposes a matrix of powers.
const ASCENDING: u64 = 0x8040_2010_0804_0201;
/// The word whose byte j is 2^(7 - j): the operand that transposes into descending order.
const DESCENDING: u64 = 0x0102_0408_1020_4080;

/// For each v, the indices for a shuffle that spreads byte v of each word over the word.
const SPREAD: [[u64; 2]; 8] = {
    let (mut bytes, mut v) = ([[0; 2]; 8], 0);
    while v < 8 {
        bytes[v] = [BYTES * v as u64, BYTES * (8 + v as u64)];
        v += 1;
    }
    bytes
};

/// The exponents of a batch, and the matrices made of them; all are secret. Aligned, because a vector that lies in
/// two lines of the cache takes two accesses.
#[repr(align(64))]
struct Batch {
    exponents: [u32; 8 * MAX_GROUPS],
    /// The lowest byte of each exponent, the next one, and the one after it.
    bytes: [[u8; 8 * MAX_GROUPS]; 3],
    /// The matrices of the field `byte` of all groups; below, those of `word` and `row`.
    byte: [u64; MAX_GROUPS],
    word: [u64; MAX_GROUPS],
    row: [u64; MAX_GROUPS],
    /// The matrices M of all groups, for one block of `out`.
    matrices: [u64; MAX_GROUPS],
    /// A buffer for the last block, of which `out` has only a part.
    block: [u64; ROWS * MAX_GROUPS],
}

impl Batch {
    const EMPTY: Batch = Batch {
        exponents: [0; 8 * MAX_GROUPS],
        bytes: [[0; 8 * MAX_GROUPS]; 3],
        byte: [0; MAX_GROUPS],
        word: [0; MAX_GROUPS],
        row: [0; MAX_GROUPS],
        matrices: [0; MAX_GROUPS],
        block: [0; ROWS * MAX_GROUPS],
    };

    /// Fills the batch with the exponents, minus `base`. Bit `bits` marks those that are not below 2^`bits` then,
    /// and the places without an exponent.
    #[inline(always)]
    fn take<S: Clmul>(&mut self, exponents: &[u32], base: u32, bits: u32) {
        let count = exponents.len();
        self.exponents[..count].copy_from_slice(exponents);
        let mut i = 0;
        while i < 8 * words::<S>() {
            let e = self.exponents[i].wrapping_sub(base);
            let above = e >> bits;
            // Branch-free test for zero: the highest bit of x or of -x is set unless x is zero.
            let outside = (above | above.wrapping_neg()) >> 31 << bits;
            let e = e & ((1 << bits) - 1) | outside;
            self.bytes[0][i] = e as u8;
            self.bytes[1][i] = (e >> 8) as u8;
            self.bytes[2][i] = (e >> 16) as u8;
            i += 1;
        }
        self.bytes[bits as usize / 8][count..].fill(1 << (bits % 8));
    }

    /// The matrices of the field of `bits` bits from bit `at` on, for all groups: byte v of a word has the bits
    /// [f = v]. If `order` is [`DESCENDING`], byte 7 - v has them. No bit is set for a field of 8 or more.
    #[inline(always)]
    fn one_hot<S: Clmul>(&self, s: S, at: u32, bits: u32, order: u64) -> S::X {
        let (byte, shift) = (at as usize / 8, at % 8);
        let mask = (1 << bits) - 1;
        // The field may straddle two bytes. Shifts act on whole words, so masks remove what came from the
        // neighbours.
        let low = s.shr(load(s, &self.bytes[byte]), shift);
        let mut field = s.and(low, s.splat([BYTES * (mask & 0xff >> shift); 2]));
        if shift + bits > 8 {
            let high = s.shl(load(s, &self.bytes[byte + 1]), 8 - shift);
            field = s.xor(field, s.and(high, s.splat([BYTES * (mask & 0xff << (8 - shift)); 2])));
        }
        // The bytes from 8 on of the table are zero.
        let powers = s.shuffle(s.splat([ASCENDING, 0]), field);
        s.affine(s.splat([order; 2]), powers)
    }
}

/// The number of words of a vector: groups of a batch.
#[inline(always)]
const fn words<S: Clmul>() -> usize {
    2 * S::K
}

/// Loads one vector of the bytes of a batch, word i being group i.
#[inline(always)]
fn load<S: Clmul>(s: S, bytes: &[u8; 8 * MAX_GROUPS]) -> S::X {
    let (mut out, mut i) = ([0; MAX_GROUPS], 0);
    while i < words::<S>() {
        out[i] = u64::from_le_bytes(bytes.as_chunks().0[i]);
        i += 1;
    }
    s.load(&out)
}

/// Byte v of each word of `x`, spread over the whole word.
#[inline(always)]
fn spread<S: Clmul>(s: S, x: S::X, v: usize) -> S::X {
    s.shuffle(x, s.splat(SPREAD[v]))
}

/// `out` = the sum of X^e over all exponents. Overwrites all of `out`; constant time.
#[inline(always)]
pub(super) fn sum<S: Clmul>(s: S, exponents: &[u32], out: &mut [u64]) {
    out.fill(0);
    let mut batch = Batch::EMPTY;
    // The number of bits of the fields below the area. Every area takes all exponents, and those of others are
    // marked.
    let bits = 14 + words::<S>().trailing_zeros();
    let areas = (u32::MAX >> bits) + 1;
    for (out, area) in out.chunks_mut(1 << (bits - 6)).zip(0..areas) {
        for exponents in exponents.chunks(8 * words::<S>()) {
            batch.take::<S>(exponents, area << bits, bits);
            // The groups whose X fits the registers: four with 32 registers, two with 16.
            if S::K == 4 {
                add::<S, 4>(s, &mut batch, exponents.len().div_ceil(8), out);
            } else {
                add::<S, 2>(s, &mut batch, exponents.len().div_ceil(8), out);
            }
        }
    }
    // Wiped as a whole: word by word takes as long as a batch.
    batch = Batch::EMPTY;
    optimization_barrier(&batch);
}

/// Adds the first `groups` groups of the batch to an area of `out`, G groups at a time.
#[inline(always)]
fn add<S: Clmul, const G: usize>(s: S, batch: &mut Batch, groups: usize, out: &mut [u64]) {
    let row_at = 6 + words::<S>().trailing_zeros();
    // Fields of all groups at once, one word for each group: the bits of `word` and `row` depend on the width of
    // vectors.
    s.store(batch.one_hot(s, 3, 3, ASCENDING), &mut batch.byte);
    s.store(batch.one_hot(s, 6, row_at - 6, ASCENDING), &mut batch.word);
    s.store(batch.one_hot(s, row_at, 2, ASCENDING), &mut batch.row);
    let bit = batch.one_hot(s, 0, 3, DESCENDING);
    let block = batch.one_hot(s, row_at + 2, 3, ASCENDING);
    // Four bits, with the bit that marks exponents outside: it makes the field 8 or more.
    let tier = batch.one_hot(s, row_at + 5, 4, ASCENDING);
    let words_of_block = ROWS * words::<S>();
    let (whole, rest) = out.split_at_mut(out.len() - out.len() % words_of_block);
    let mut first = 0;
    while first < groups {
        let x = vectors::<S, G>(s, batch, first);
        // X does not depend on the block, so it stays in registers for all blocks of the area.
        for (out, d) in whole.chunks_exact_mut(words_of_block).zip(0..) {
            matrices(s, bit, block, tier, d, &mut batch.matrices);
            add_block(s, x, &batch.matrices[first..], out);
        }
        if !rest.is_empty() {
            matrices(s, bit, block, tier, whole.len() / words_of_block, &mut batch.matrices);
            batch.block[..rest.len()].copy_from_slice(rest);
            add_block(s, x, &batch.matrices[first..], &mut batch.block);
            rest.copy_from_slice(&batch.block[..rest.len()]);
        }
        first += G;
    }
}

/// The matrices M of all groups for block `d` of the area.
#[inline(always)]
fn matrices<S: Clmul>(s: S, bit: S::X, block: S::X, tier: S::X, d: usize, out: &mut [u64; MAX_GROUPS]) {
    let here = s.and(spread(s, block, d % 8), spread(s, tier, d / 8 % 8));
    s.store(s.and(bit, here), out);
}

/// The vectors X of G groups from `first` on, for the four rows of a block.
#[inline(always)]
fn vectors<S: Clmul, const G: usize>(s: S, batch: &Batch, first: usize) -> [[S::X; ROWS]; G] {
    // Indices for a shuffle: word w gets byte w of the matrix of `word` in all of its bytes.
    const PLACES: [u64; MAX_GROUPS] =
        [0, BYTES, 2 * BYTES, 3 * BYTES, 4 * BYTES, 5 * BYTES, 6 * BYTES, 7 * BYTES];
    let (mut x, mut g) = ([[s.zero(); ROWS]; G], 0);
    while g < G {
        let here = s.shuffle(s.splat([batch.word[first + g]; 2]), s.load(&PLACES));
        let place = s.and(s.splat([batch.byte[first + g]; 2]), here);
        let (rows, mut row) = (s.splat([batch.row[first + g]; 2]), 0);
        while row < ROWS {
            x[g][row] = s.and(place, spread(s, rows, row));
            row += 1;
        }
        g += 1;
    }
    x
}

/// Adds the products of X by M of G groups to the four rows of a block.
#[inline(always)]
fn add_block<S: Clmul, const G: usize>(s: S, x: [[S::X; ROWS]; G], matrices: &[u64], out: &mut [u64]) {
    let (mut m, mut g) = ([s.zero(); G], 0);
    while g < G {
        m[g] = s.splat([matrices[g]; 2]);
        g += 1;
    }
    let mut row = 0;
    while row < ROWS {
        let out = &mut out[row * words::<S>()..];
        // One load and one store of a row for G products by matrices: G groups share them.
        let (mut sum, mut g) = (s.load(out), 0);
        while g < G {
            // Two at a time: backends with sums of three need one instruction for both.
            let pair = s.xor(s.affine(x[g][row], m[g]), s.affine(x[g + 1][row], m[g + 1]));
            sum = s.xor(sum, pair);
            g += 2;
        }
        s.store(sum, out);
        row += 1;
    }
}
