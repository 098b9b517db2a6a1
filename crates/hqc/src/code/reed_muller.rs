//! Duplicated first-order Reed-Muller codes of 128 bits.
//!
//! Bit j of the codeword of a symbol, whose bits are b_0 to b_7, is b_7 plus the sum of the b_i for which bit i of j is one. The decoder counts for each j the copies
//! in which bit j is one, and takes the Hadamard transform F of these 128 numbers, F(0) less 64 for each copy: the symbol's low bits are the first t
//! with the largest |F(t)|, and its highest bit tells whether F(t) > 0.
#[cfg(test)]
mod tests;

use carryless_lanes::{Bytes, BytesKernel, ClmulCpu};

/// Words of a copy.
const COPY: usize = 2;

/// The codewords of the symbols, each `copies` times, in `2 copies` words.
///
/// # Panics
/// If `out` has another length.
pub fn encode(symbols: &[u8], copies: usize, out: &mut [u64]) {
    /// Word i has bit i of its own index in every place: what b_0 to b_5 add to both words.
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
        let low = ROWS.iter().enumerate().fold(bit(7), |sum, (i, row)| sum ^ bit(i) & row);
        let high = low ^ bit(6);
        block.chunks_exact_mut(COPY).for_each(|copy| copy.copy_from_slice(&[low, high]));
    }
}

/// The symbols whose codewords, `copies` times each, are next to `received`; of several, the one with the smallest low seven bits.
///
/// # Panics
/// If `received` has not `2 copies` words for each symbol, or `copies` is neither 3 nor 5, or there are fewer than four symbols.
pub fn decode(cpu: ClmulCpu, received: &[u64], copies: usize, symbols: &mut [u8]) {
    assert_eq!(received.len(), symbols.len() * COPY * copies, "words of the codewords");
    assert!(symbols.len() >= 4, "as many symbols as vectors have lanes");
    match copies {
        3 => cpu.call_bytes(Decode::<3> { received, symbols }),
        5 => cpu.call_bytes(Decode::<5> { received, symbols }),
        _ => panic!("three or five copies"),
    }
}

/// Decodes as many blocks at once as there are lanes, each in a lane.
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
            // Where fewer blocks than lanes are left, some are decoded again.
            let start = first.min(self.symbols.len() - B::K);
            let counts = counts::<B, COPIES>(b, &self.received[COPY * COPIES * start..]);
            let peaks = peaks(b, transform(b, counts));
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

/// In how many copies each bit is one, less `COPIES / 2`. Vector v has the bits 8 v to 8 v + 7 in the low half of each lane, those of 64 more in the high half.
#[inline(always)]
fn counts<B: Bytes, const COPIES: usize>(b: B, received: &[u64]) -> [B::X; 8] {
    let (mut copies, mut i) = ([b.zero(); COPIES], 0);
    while i < COPIES {
        copies[i] = b.load_lanes(&received[COPY * i..], COPY * COPIES);
        i += 1;
    }
    let (sum, carry) = full_adder(b, copies[0], copies[1], copies[2]);
    // The bits of the counts, the lowest one first.
    let bits = match COPIES {
        3 => [sum, carry, b.zero()],
        _ => {
            let (sum, second) = full_adder(b, sum, copies[3], copies[4]);
            [sum, b.xor(carry, second), b.and(carry, second)]
        }
    };
    // Eight calls instead of a loop, which the compiler would keep.
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

/// Vector `v` of [`counts`].
#[inline(always)]
fn count<B: Bytes, const COPIES: usize>(b: B, bits: &[B::X; 3], v: usize) -> B::X {
    // A mask is -1.
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

/// The bits of the sum of three bits.
#[inline(always)]
fn full_adder<B: Bytes>(b: B, x: B::X, y: B::X, z: B::X) -> (B::X, B::X) {
    let differ = b.xor(x, y);
    (b.xor(differ, z), b.select(differ, x, z))
}

/// The transform of numbers in -2 to 3, times 64, as 16-bit numbers. Where F(t) is: the vector's number has the bits 0, 2, 4 and 3 of t, the word's number in the lane
/// the bits 1, 5 and 6, the highest one first.
///
/// Five of seven steps are on bytes: sums of 32 numbers are in -64 to 96.
#[inline(always)]
fn transform<B: Bytes>(b: B, mut x: [B::X; 8]) -> [B::X; 16] {
    // Pairs of vectors one by one: the compiler would keep a loop over 512 bits, and with it the vectors in memory.
    macro_rules! butterflies {
        ($step:ident: $($i:literal $j:literal),*) => { $((x[$i], x[$j]) = $step(b, x[$i], x[$j]);)* };
    }
    // Bits 3, 4 and 5 of the index are in the number of the vector.
    butterflies!(of_bytes: 0 1, 2 3, 4 5, 6 7);
    butterflies!(of_bytes: 0 2, 1 3, 4 6, 5 7);
    butterflies!(of_bytes: 0 4, 1 5, 2 6, 3 7);
    // Bit 6, then bit 2, are the highest bit of the byte's number in the lane, and change places with that of the vector's.
    butterflies!(of_zipped: 0 4, 1 5, 2 6, 3 7);
    butterflies!(of_zipped: 0 4, 1 5, 2 6, 3 7);
    let mut y = [b.zero(); 16];
    macro_rules! in_words {
        ($($i:literal $j:literal),*) => {$(
            // Bit 1 is the highest, and becomes that of the number of 16 vectors; bit 0 is the highest of the word's number then.
            (y[$i], y[$j]) = of_widened(b, x[$i]);
            (y[$i], y[$j]) = of_halves(b, y[$i], y[$j]);
        )*};
    }
    in_words!(0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
    y
}

/// Sums and differences of bytes.
#[inline(always)]
fn of_bytes<B: Bytes>(b: B, low: B::X, high: B::X) -> (B::X, B::X) {
    (b.add_bytes(low, high), b.sub_bytes(low, high))
}

/// Of the lower bytes of two lanes and their upper ones.
#[inline(always)]
fn of_zipped<B: Bytes>(b: B, low: B::X, high: B::X) -> (B::X, B::X) {
    of_bytes(b, b.zip_low(low, high), b.zip_high(low, high))
}

/// Of the lower bytes of a lane and its upper ones, times 64 as 16-bit numbers. A byte in the upper part of a word is 256 times the number.
#[inline(always)]
fn of_widened<B: Bytes>(b: B, x: B::X) -> (B::X, B::X) {
    let low = b.sar_words(b.zip_low(b.zero(), x), 2);
    let high = b.sar_words(b.zip_high(b.zero(), x), 2);
    (b.add_words(low, high), b.sub_words(low, high))
}

/// Of the lower halves of two lanes and their upper ones, 16-bit numbers.
#[inline(always)]
fn of_halves<B: Bytes>(b: B, x: B::X, y: B::X) -> (B::X, B::X) {
    let (low, high) = (b.low_halves(x, y), b.high_halves(x, y));
    (b.add_words(low, high), b.sub_words(low, high))
}

/// For each lane the largest 64 F(t) + 127 - t in the low half, as 16 bits, and the largest -64 F(t) + 127 - t in the high half. Above the former there are 64 times
/// the parity that all F have.
///
/// Each orders peaks of one sign by their height, then by t: heights differ by multiples of 128.
#[inline(always)]
fn peaks<B: Bytes>(b: B, mut f: [B::X; 16]) -> B::X {
    // Counts were less by COPIES / 2 rounded down, so that F(0) lacks 64 times one half for each of 128 numbers.
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
    let negated = b.sub_words(top, smallest);
    // Largest of the eight words of each, in four, two, one.
    let both = b.max_words(b.low_halves(largest, negated), b.high_halves(largest, negated));
    let both = b.max_words(both, b.shr(both, 32));
    let both = b.max_words(both, b.shr(both, 16));
    let word = b.splat([0xffff; 2]);
    let parity = b.shl(b.and(f[0], b.splat([64, 0])), 16);
    b.xor(b.and(both, word), parity)
}

/// F(t) + `top` - t and F(t) + t for the numbers F of vector `I`.
#[inline(always)]
fn with_places<B: Bytes, const I: usize>(b: B, f: B::X, top: B::X) -> (B::X, B::X) {
    let t = b.splat(const { places(I) });
    (b.add_words(f, b.sub_words(top, t)), b.add_words(f, t))
}

/// One in each of four words.
const ALL: u64 = 0x0001_0001_0001_0001;

/// The t of the numbers in a vector of [`transform`]: the bits t_0 t_2 t_4 t_3 are the number of the vector, t_1 t_5 t_6 that of the word in the lane.
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

/// The symbol of a lane of [`peaks`].
#[inline(always)]
fn symbol([low, high]: [u64; 2]) -> u8 {
    let (up, down) = (i32::from(low as i16), i32::from(high as i16));
    let positive = (down - up) >> 31;
    let peak = down ^ (down ^ up) & positive;
    // 64 times an odd number is no multiple of 128.
    let t = (127 - (peak - (low >> 16) as i32)) & 127;
    t as u8 | positive as u8 & 128
}
