//! Duplicated first-order Reed-Muller codes RM(1, 7): 8 bits to 128 bits, repeated three or five times.
//!
//! Let b_0 to b_7 be the bits of a symbol, the lowest first. Bit j of its codeword is b_7 plus the sum of those b_i, for i
//! below 7, for which bit i of j is one. Bit j is bit j mod 64 of word j / 64.
//!
//! The decoder counts, for each j, the copies in which bit j is one. F(t) is the sum of (-1)^(t.j) times count j over all
//! j, where t.j is the parity of t AND j; F(0) is 64 less for each copy. The low seven bits of the symbol are the first t
//! with the largest |F(t)|. The highest bit is one if F(t) > 0.
//!
//! Encoder and decoder take constant time: symbols, received words and the number of errors are secret.
#[cfg(test)]
mod tests;

use carryless_lanes::{Bytes, BytesKernel, ClmulCpu};

/// Words of 64 bits in one copy of a codeword.
const COPY: usize = 2;

/// Encodes each symbol as `copies` adjacent codewords, so each symbol fills `2 * copies` words of `out`. Constant time.
/// Panics if `out` has another length.
pub fn encode(symbols: &[u8], copies: usize, out: &mut [u64]) {
    /// Bit j of row i is bit i of j: what b_i adds to each word, for i from 0 to 5.
    const ROWS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    assert_eq!(out.len(), symbols.len() * COPY * copies, "words of the codewords");
    for (&symbol, block) in symbols.iter().zip(out.chunks_exact_mut(COPY * copies)) {
        let bit = |i: usize| u64::from(symbol >> i & 1).wrapping_neg();
        // Masks instead of branches: the symbol is part of the message. Bits 0 to 5 of the index run through
        // the places of a word, so each b_i adds the same row to both words.
        let low = ROWS.iter().enumerate().fold(bit(7), |sum, (i, row)| sum ^ bit(i) & row);
        // Bit 6 of the index is zero throughout the low word and one throughout the high word.
        let high = low ^ bit(6);
        block.chunks_exact_mut(COPY).for_each(|copy| copy.copy_from_slice(&[low, high]));
    }
}

/// Decodes each block of `copies` codewords to the symbol whose codeword is nearest to `received`. Constant time.
///
/// Of several symbols at the same distance, the one with the smallest low seven bits wins, as in the reference code. Panics
/// unless `copies` is 3 or 5, `received` has `2 * copies` words for each symbol, and there are at least four symbols.
pub fn decode(cpu: ClmulCpu, received: &[u64], copies: usize, symbols: &mut [u8]) {
    assert_eq!(received.len(), symbols.len() * COPY * copies, "words of the codewords");
    assert!(symbols.len() >= 4, "as many symbols as vectors have lanes");
    match copies {
        // The number of copies is constant in each kernel, so that its loops unroll.
        3 => cpu.bytes().call(Decode::<3> { received, symbols }),
        5 => cpu.bytes().call(Decode::<5> { received, symbols }),
        _ => panic!("three or five copies"),
    }
}

/// Decodes one block in each 128-bit lane of a vector, all lanes at once.
struct Decode<'a, const COPIES: usize> {
    received: &'a [u64],
    symbols: &'a mut [u8],
}

impl<const COPIES: usize> BytesKernel for Decode<'_, COPIES> {
    type Out = ();
    #[inline(always)]
    fn run<B: Bytes>(self, b: B) {
        let mut first = 0;
        while first < self.symbols.len() {
            // The last vector overlaps the one before it if fewer blocks than lanes are left: those blocks
            // are decoded twice. This avoids a separate path for the rest.
            let start = first.min(self.symbols.len() - B::K);
            let counts = counts::<B, COPIES>(b, &self.received[COPY * COPIES * start..]);
            let peaks = peaks(b, transform(b, counts));
            // Room for the widest vector, four lanes of two words.
            let mut words = [0; 8];
            b.store(peaks, &mut words);
            let mut lane = 0;
            while lane < B::K {
                self.symbols[start + lane] = symbol([words[2 * lane], words[2 * lane + 1]]);
                lane += 1;
            }
            first += B::K;
        }
    }
}

/// Counts for each bit the copies in which it is one, less `COPIES / 2` rounded down. The counts are bytes.
///
/// In each lane, vector v holds bits 8 v to 8 v + 7 in its low half, and bits 8 v + 64 to 8 v + 71 in its high half.
#[inline(always)]
fn counts<B: Bytes, const COPIES: usize>(b: B, received: &[u64]) -> [B::X; 8] {
    let (mut copies, mut i) = ([b.zero(); COPIES], 0);
    while i < COPIES {
        copies[i] = b.load_lanes(&received[COPY * i..], COPY * COPIES);
        i += 1;
    }
    // Three copies take one full adder, five take two and the sum of both carries.
    let (sum, carry) = full_adder(b, copies[0], copies[1], copies[2]);
    // The counts bit-sliced, the lowest bit first: full adders add all 128 positions of a lane at once.
    let bits = match COPIES {
        3 => [sum, carry, b.zero()],
        _ => {
            let (sum, second) = full_adder(b, sum, copies[3], copies[4]);
            [sum, b.xor(carry, second), b.and(carry, second)]
        }
    };
    // Calls are written out: the compiler would keep a loop rolled, and `v` would not be a constant.
    [
        count::<B, COPIES>(b, &bits, 0),
        count::<B, COPIES>(b, &bits, 1),
        count::<B, COPIES>(b, &bits, 2),
        count::<B, COPIES>(b, &bits, 3),
        count::<B, COPIES>(b, &bits, 4),
        count::<B, COPIES>(b, &bits, 5),
        count::<B, COPIES>(b, &bits, 6),
        count::<B, COPIES>(b, &bits, 7),
    ]
}

/// Computes vector `v` of [`counts`] from the bit-sliced counts: `bits[i]` has bit i of all counts.
#[inline(always)]
fn count<B: Bytes, const COPIES: usize>(b: B, bits: &[B::X; 3], v: usize) -> B::X {
    // `spread_bits` gives -1 for a one, so a subtraction adds one.
    let start = b.splat_byte((COPIES as u8 / 2).wrapping_neg());
    let ones = b.sub_bytes(start, b.spread_bits(bits[0], v));
    let twos = b.and(b.spread_bits(bits[1], v), b.splat_byte(2));
    let count = b.add_bytes(ones, twos);
    if COPIES > 3 {
        let fours = b.and(b.spread_bits(bits[2], v), b.splat_byte(4));
        b.add_bytes(count, fours)
    } else {
        count
    }
}

/// Adds three bits in each position. Returns the sum bit and the carry.
#[inline(always)]
fn full_adder<B: Bytes>(b: B, x: B::X, y: B::X, z: B::X) -> (B::X, B::X) {
    // Three operations for 128 positions of each lane.
    let differ = b.xor(x, y);
    // If x = y, the carry is x; otherwise it is z.
    (b.xor(differ, z), b.select(differ, x, z))
}

/// Hadamard transform of the vectors of [`counts`], bytes from -2 to 3. Results are 64 F(t) as 16-bit numbers, without the
/// correction of F(0).
///
/// The place of F(t) encodes t, the highest bit first. The number of the vector has bits 0, 2, 4 and 3 of t.
/// The number of the word in its lane has bits 1, 5 and 6.
///
/// Five of the seven steps compute on bytes: a sum of 32 such numbers, half of which may be subtracted, lies in -80 to 96
/// and cannot overflow.
#[inline(always)]
fn transform<B: Bytes>(b: B, mut x: [B::X; 8]) -> [B::X; 16] {
    // Pairs of vectors are written out: the compiler keeps a loop over 512-bit vectors rolled, and the
    // vectors in memory.
    macro_rules! butterflies {
        ($step:ident: $($i:literal $j:literal),*) => { $((x[$i], x[$j]) = $step(b, x[$i], x[$j]);)* };
    }
    // Bits 3, 4 and 5 of the index number the vectors, so these steps pair whole vectors.
    butterflies!(of_bytes: 0 1, 2 3, 4 5, 6 7);
    butterflies!(of_bytes: 0 2, 1 3, 4 6, 5 7);
    butterflies!(of_bytes: 0 4, 1 5, 2 6, 3 7);
    // Bit 6, then bit 2, is the highest bit of the byte's number in the lane. Zipping two vectors exchanges
    // it with the highest bit of the vector's number.
    butterflies!(of_zipped: 0 4, 1 5, 2 6, 3 7);
    butterflies!(of_zipped: 0 4, 1 5, 2 6, 3 7);
    // From here on numbers have 16 bits and the factor 64. |F(t)| is at most 128 times 3, so 64 F(t) is at
    // most 24,576 in absolute value and the two last steps cannot overflow.
    let mut y = [b.zero(); 16];
    macro_rules! in_words {
        ($($i:literal $j:literal),*) => {$(
            // Now bit 1 is the highest; widening moves it to the highest bit of the number of 16 vectors. Bit
            // 0 then is the highest of the word's number.
            (y[$i], y[$j]) = of_widened(b, x[$i]);
            (y[$i], y[$j]) = of_halves(b, y[$i], y[$j]);
        )*};
    }
    in_words!(0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
    y
}

/// One butterfly on bytes: sums and differences of two vectors.
#[inline(always)]
fn of_bytes<B: Bytes>(b: B, low: B::X, high: B::X) -> (B::X, B::X) {
    (b.add_bytes(low, high), b.sub_bytes(low, high))
}

/// One butterfly between the lower and the upper bytes of each lane, for two vectors.
#[inline(always)]
fn of_zipped<B: Bytes>(b: B, low: B::X, high: B::X) -> (B::X, B::X) {
    of_bytes(b, b.zip_low(low, high), b.zip_high(low, high))
}

/// One butterfly between the lower and the upper bytes of each lane. Results are 16-bit numbers, times 64.
///
/// Zipping with zero puts each byte into the upper half of a word, which multiplies it by 256. The arithmetic
/// shift by 2 leaves 64.
#[inline(always)]
fn of_widened<B: Bytes>(b: B, x: B::X) -> (B::X, B::X) {
    let low = b.sar_words(b.zip_low(b.zero(), x), 2);
    let high = b.sar_words(b.zip_high(b.zero(), x), 2);
    (b.add_words(low, high), b.sub_words(low, high))
}

/// One butterfly between the lower and the upper halves of each lane, for two vectors of 16-bit numbers.
#[inline(always)]
fn of_halves<B: Bytes>(b: B, x: B::X, y: B::X) -> (B::X, B::X) {
    let (low, high) = (b.low_halves(x, y), b.high_halves(x, y));
    (b.add_words(low, high), b.sub_words(low, high))
}

/// Finds the peaks of both signs in each lane.
///
/// Bits 0 to 15 of the low half are the largest 64 F(t) + 127 - t, those of the high half the largest -64
/// F(t) + 127 - t. Bits 16 to 31 of the low half are 64 times the parity that all F of the lane share.
///
/// One maximum thus compares height first and then the smaller t: heights of one lane differ by multiples of 128.
#[inline(always)]
fn peaks<B: Bytes>(b: B, mut f: [B::X; 16]) -> B::X {
    // `counts` subtracts `COPIES / 2` rounded down, so that half a copy is still missing. It affects F(0)
    // only: 128 numbers times one half, times 64.
    f[0] = b.sub_words(f[0], b.splat([64 * 64, 0]));
    let top = b.splat([127 * ALL; 2]);
    let (mut largest, mut smallest) = with_places::<B, 0>(b, f[0], top);
    macro_rules! compare {
        ($($i:literal)*) => {$(
            let (up, down) = with_places::<B, $i>(b, f[$i], top);
            (largest, smallest) = (b.max_words(largest, up), b.min_words(smallest, down));
        )*};
    }
    compare!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    // With F(0) corrected, |F(t)| is at most 320: 64 |F(t)| + 127 stays below 2^15. smallest = the least 64
    // F(t) + t, so 127 minus it is the largest -64 F(t) + 127 - t.
    let negated = b.sub_words(top, smallest);
    // Eight words of each sign are left: reduce them to four, two and one. The two signs share a vector, one
    // in each half of a lane.
    let both = b.max_words(b.low_halves(largest, negated), b.high_halves(largest, negated));
    let both = b.max_words(both, b.shr(both, 32));
    let both = b.max_words(both, b.shr(both, 16));
    let word = b.splat([0xffff; 2]);
    let parity = b.shl(b.and(f[0], b.splat([64, 0])), 16);
    b.xor(b.and(both, word), parity)
}

/// Returns F(t) + `top` - t and F(t) + t for all numbers of vector `I`. A minimum of the
/// second gives the negative peak.
#[inline(always)]
fn with_places<B: Bytes, const I: usize>(b: B, f: B::X, top: B::X) -> (B::X, B::X) {
    let t = b.splat(const { places(I) });
    (b.add_words(f, b.sub_words(top, t)), b.add_words(f, t))
}

/// The number one in each of the four 16-bit words of a word.
const ALL: u64 = 0x0001_0001_0001_0001;

/// Returns t for each number in vector `vector` of [`transform`], in the layout described there.
const fn places(vector: usize) -> [u64; 2] {
    let v = vector as u64;
    let (mut words, mut i) = ([ALL * (v >> 3 | (v >> 2 & 1) << 2 | (v >> 1 & 1) << 4 | (v & 1) << 3); 2], 0);
    while i < 8 {
        let t = (i as u64 >> 2) << 1 | (i as u64 >> 1 & 1) << 5 | (i as u64 & 1) << 6;
        words[i / 4] |= t << (16 * (i % 4));
        i += 1;
    }
    words
}

/// The symbol of one lane from the result of [`peaks`], its low and high half. Constant time.
#[inline(always)]
fn symbol([low, high]: [u64; 2]) -> u8 {
    // `positive` is all ones if the positive peak is the higher one. A select without a branch: the symbol is
    // secret.
    let (up, down) = (i32::from(low as i16), i32::from(high as i16));
    let positive = (down - up) >> 31;
    let peak = down ^ (down ^ up) & positive;
    // All F of a lane have the same parity. If it is odd, 64 F(t) is no multiple of 128; subtracting the
    // parity term leaves 127 - t.
    let t = (127 - (peak - (low >> 16) as i32)) & 127;
    t as u8 | positive as u8 & 128
}
