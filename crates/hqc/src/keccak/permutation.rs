//! Keccak-f\[1600\], written once for a single state in words and for several states in vectors.
//!
//! In vectors, vector i holds word i of every state. They are the wide vectors of [`Clmul`]: the KEM has a
//! [`ClmulCpu`] for its products anyway. They are whole registers even where products have one lane, so that
//! AVX2 permutes four states. The operations of [`Lanes`](carryless_lanes::Lanes) are for integers; their
//! bounds have no meaning for logic.
//!
//! Constant time: only logic and rotations by constants.
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, Portable, Words};

/// Words of a state: word 5 y + x is the lane (x, y) of FIPS 202.
pub(super) const WORDS: usize = 25;
const ROUNDS: usize = 24;

/// Bytes of the longest block: the first 17 words of a state. Functions with shorter blocks fill up with zeros.
pub(super) const BLOCK_BYTES: usize = 136;
/// A block that is added to a state before the permutation. Words are little-endian.
pub type Block = [u8; BLOCK_BYTES];

/// Rotation distances of rho (FIPS 202, section 3.2.2), for word 5 y + x.
const OFFSETS: [u32; WORDS] = {
    let (mut offsets, mut x, mut y, mut t) = ([0; WORDS], 1, 0, 0);
    // Word (0, 0) keeps 0. The walk (x, y) -> (y, 2 x + 3 y) meets each other word once.
    while t < 24 {
        offsets[5 * y + x] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

/// Round constants of iota (FIPS 202, section 3.2.5): bit 2^j - 1 of constant i is output 7 i + j of
/// a linear feedback shift register.
const CONSTANTS: [u64; ROUNDS] = {
    let (mut constants, mut register, mut i) = ([0; ROUNDS], 1_u16, 0);
    while i < 7 * ROUNDS {
        constants[i / 7] |= (register as u64 & 1) << ((1 << (i % 7)) - 1);
        register <<= 1;
        // Modulo X^8 + X^6 + X^5 + X^4 + 1.
        register ^= (register >> 8) * 0b1_0111_0001;
        i += 1;
    }
    constants
};

/// The operations on words that the permutation needs.
trait Bits: Copy {
    /// A word of one state, or the same word of several states.
    type W: Copy;
    fn splat(self, word: u64) -> Self::W;
    fn xor(self, a: Self::W, b: Self::W) -> Self::W;
    fn xor3(self, a: Self::W, b: Self::W, c: Self::W) -> Self::W;
    /// Returns `a ^ (!b & c)`, the step chi.
    fn xor_andnot(self, a: Self::W, b: Self::W, c: Self::W) -> Self::W;
    fn rotl(self, a: Self::W, bits: u32) -> Self::W;
}

/// A single state, in 64-bit words.
#[derive(Clone, Copy)]
struct One;

impl Bits for One {
    type W = u64;
    #[inline(always)]
    fn splat(self, word: u64) -> u64 {
        word
    }
    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn xor3(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ b ^ c
    }
    #[inline(always)]
    fn xor_andnot(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ (!b & c)
    }
    #[inline(always)]
    fn rotl(self, a: u64, bits: u32) -> u64 {
        // Otherwise the compiler joins the shifts of neighbouring words in vectors.
        Portable::<1>.settle_word(a.rotate_left(bits))
    }
}

/// Several states, in the words of wide vectors.
#[derive(Clone, Copy)]
struct Many<S>(S);

impl<S: Clmul> Bits for Many<S> {
    type W = S::Wide;
    #[inline(always)]
    fn splat(self, word: u64) -> S::Wide {
        self.0.splat_wide(word)
    }
    #[inline(always)]
    fn xor(self, a: S::Wide, b: S::Wide) -> S::Wide {
        self.0.xor_wide(a, b)
    }
    #[inline(always)]
    fn xor3(self, a: S::Wide, b: S::Wide, c: S::Wide) -> S::Wide {
        self.0.xor3_wide(a, b, c)
    }
    #[inline(always)]
    fn xor_andnot(self, a: S::Wide, b: S::Wide, c: S::Wide) -> S::Wide {
        self.0.xor_andnot_wide(a, b, c)
    }
    #[inline(always)]
    fn rotl(self, a: S::Wide, bits: u32) -> S::Wide {
        self.0.rotl_wide(a, bits)
    }
}

/// Returns word (`X`, `Y`) after theta, rho and pi. It comes from column X + 3 Y and row X; `d` is what
/// theta adds to that column.
#[inline(always)]
fn moved<M: Bits, const X: usize, const Y: usize>(m: M, a: &[M::W; WORDS], d: &[M::W; 5]) -> M::W {
    let column = const { (X + 3 * Y) % 5 };
    // Pi takes word (x, y) to (y, 2 x + 3 y). Solved for the source of (X, Y): x = X + 3 Y and y = X modulo
    // 5.
    let from = const { (X + 3 * Y) % 5 + 5 * X };
    m.rotl(m.xor(a[from], d[column]), const { OFFSETS[(X + 3 * Y) % 5 + 5 * X] })
}

/// Returns row `Y` after chi.
#[inline(always)]
fn row<M: Bits, const Y: usize>(m: M, a: &[M::W; WORDS], d: &[M::W; 5]) -> [M::W; 5] {
    let b0 = moved::<M, 0, Y>(m, a, d);
    let b1 = moved::<M, 1, Y>(m, a, d);
    let b2 = moved::<M, 2, Y>(m, a, d);
    let b3 = moved::<M, 3, Y>(m, a, d);
    let b4 = moved::<M, 4, Y>(m, a, d);
    [
        m.xor_andnot(b0, b1, b2),
        m.xor_andnot(b1, b2, b3),
        m.xor_andnot(b2, b3, b4),
        m.xor_andnot(b3, b4, b0),
        m.xor_andnot(b4, b0, b1),
    ]
}

/// Returns the sum of column `X`, the parity that theta uses.
#[inline(always)]
fn column<M: Bits, const X: usize>(m: M, a: &[M::W; WORDS]) -> M::W {
    m.xor3(m.xor3(a[X], a[X + 5], a[X + 10]), a[X + 15], a[X + 20])
}

/// Computes one round: theta, rho, pi, chi and iota.
#[inline(always)]
fn round<M: Bits>(m: M, a: &[M::W; WORDS], constant: u64) -> [M::W; WORDS] {
    // Straight-line code with constant indices, so that the state stays in registers. Ten sums of three words for
    // the parities; five of two words, with five rotations, for `d`; 25 sums, rotations and steps of chi.
    let (c0, c1, c2, c3, c4) = (
        column::<M, 0>(m, a),
        column::<M, 1>(m, a),
        column::<M, 2>(m, a),
        column::<M, 3>(m, a),
        column::<M, 4>(m, a),
    );
    // d[x] is the parity of column x - 1, plus that of column x + 1 rotated by one.
    let d = [
        m.xor(c4, m.rotl(c1, 1)),
        m.xor(c0, m.rotl(c2, 1)),
        m.xor(c1, m.rotl(c3, 1)),
        m.xor(c2, m.rotl(c4, 1)),
        m.xor(c3, m.rotl(c0, 1)),
    ];
    // Each row of the result takes one word of every row of the state, so all of `a` is needed until the last
    // one.
    let [a0, a1, a2, a3, a4] = row::<M, 0>(m, a, &d);
    let [b0, b1, b2, b3, b4] = row::<M, 1>(m, a, &d);
    let [c0, c1, c2, c3, c4] = row::<M, 2>(m, a, &d);
    let [d0, d1, d2, d3, d4] = row::<M, 3>(m, a, &d);
    let [e0, e1, e2, e3, e4] = row::<M, 4>(m, a, &d);
    // Iota changes word (0, 0) only.
    let a0 = m.xor(a0, m.splat(constant));
    [a0, a1, a2, a3, a4, b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, d0, d1, d2, d3, d4, e0, e1, e2, e3, e4]
}

/// Computes all 24 rounds of the permutation.
#[inline(always)]
fn rounds<M: Bits>(m: M, mut a: [M::W; WORDS]) -> [M::W; WORDS] {
    let mut i = 0;
    while i < ROUNDS {
        a = round(m, &a, CONSTANTS[i]);
        i += 1;
    }
    a
}

/// Adds a block to a state and permutes it, in 64-bit words on any processor. Constant time.
#[inline(never)]
pub fn permute(state: &mut [u64; 25], block: &Block) {
    // 17 words. The others of the state, among them the capacity, receive nothing.
    let words = block.as_chunks().0;
    for (state, word) in state.iter_mut().zip(words) {
        *state ^= u64::from_le_bytes(*word);
    }
    *state = rounds(One, *state);
}

/// Kernel of [`permute_many`]: as many interleaved states as a wide vector has words, and a block of each.
struct Permute<'a> {
    states: &'a mut [u64],
    blocks: &'a [&'a Block],
}

impl ClmulKernel for Permute<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // Cut to the exact lengths once; the loads below then need no checks.
        let states = &mut self.states[..WORDS * S::WIDE];
        let blocks = &self.blocks[..S::WIDE];
        // Lists of words instead of loops: the compiler would not unroll those, and keep the state in memory.
        macro_rules! state {
            ($($absorbed:literal)*; $($kept:literal)*) => {
                [
                    $(s.xor_wide(s.load_wide(&states[S::WIDE * $absorbed..]), word_of_each(s, blocks, $absorbed)),)*
                    $(s.load_wide(&states[S::WIDE * $kept..]),)*
                ]
            };
        }
        let a = state!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; 17 18 19 20 21 22 23 24);
        let a = rounds(Many(s), a);
        let mut i = 0;
        while i < WORDS {
            s.store_wide(a[i], &mut states[S::WIDE * i..]);
            i += 1;
        }
    }
}

/// Returns word i of each block as a vector, assembled in a register. A vector load right after stores of
/// single words would have to wait for the cache.
#[inline(always)]
fn word_of_each<S: Clmul>(s: S, blocks: &[&Block], i: usize) -> S::Wide {
    let (mut words, mut j) = ([0; 8], 0);
    while j < S::WIDE {
        words[j] = u64::from_le_bytes(blocks[j].as_chunks().0[i]);
        j += 1;
    }
    s.load_wide(&words)
}

/// Adds a block to each of several interleaved states and permutes them all. Constant time.
///
/// The number of states is [`ClmulCpu::wide_words`]. Word i of state j is word `i * wide_words + j` of `states`.
///
/// # Panics
/// If there are fewer states or blocks.
pub fn permute_many(cpu: ClmulCpu, states: &mut [u64], blocks: &[&Block]) {
    cpu.call(Permute { states, blocks });
}
