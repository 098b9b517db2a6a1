//! Parameter sets: ring, code and weights, which all profiles share.
use crate::array::Array;
use crate::code::tables::{BUFFER, Tables, tables};
use carryless_lanes::ClmulCpu;

/// Room for a prepared operand, in words for each word of the operand. Plans whose prepared operands are
/// larger multiply operands as they are.
const PREPARED: usize = 6;

pub(crate) mod sealed {
    use super::{BUFFER, ClmulCpu};

    /// Seals [`ParameterSet`](super::ParameterSet), and holds the kernels of a set. `code/reed_solomon.rs`
    /// implements it for each set by functions that are not generic: they are compiled in this crate, and not
    /// again in every crate that names a scheme.
    pub trait Sealed {
        /// Replaces the K message symbols at the start of the buffer by the parity symbols.
        fn encode(cpu: ClmulCpu, symbols: &mut [u8; BUFFER]);
        /// Corrects the N1 received symbols in place. `state` is zero.
        fn decode(cpu: ClmulCpu, symbols: &mut [u8; BUFFER], state: &mut [u8; BUFFER]);
    }
}

/// A parameter set: a ring, a code and weights. The sizes of all arrays follow from them.
pub trait ParameterSet: sealed::Sealed + Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Degree n of the ring F2\[X\] / (X^n - 1), a prime.
    const N: usize;
    /// Symbols of a Reed-Solomon codeword.
    const N1: usize;
    /// Number of copies of each Reed-Muller codeword of 128 bits: 3 or 5.
    const COPIES: usize;
    /// Bytes of a message, which are symbols of the Reed-Solomon code; also bytes of sigma.
    const K: usize;
    /// Hamming weight of x and y.
    const W: usize;
    /// Hamming weight of r1, r2 and e.
    const W_R: usize;

    /// Symbol errors that the Reed-Solomon code corrects.
    const DELTA: usize = (Self::N1 - Self::K) / 2;
    /// Constants of the Reed-Solomon code.
    #[doc(hidden)]
    const TABLES: Tables;
    /// Words of 64 bits in a ring element.
    const WORDS: usize = Self::N.div_ceil(64);
    /// Bytes of a ring element.
    const RING_BYTES: usize = Self::N.div_ceil(8);
    /// Words of 64 bits in v, a codeword of the concatenated code.
    const CODE_WORDS: usize = Self::N1 * Self::COPIES * 2;
    /// Bytes of v in a ciphertext: 16 for each copy of each symbol.
    const CODE_BYTES: usize = 8 * Self::CODE_WORDS;
    /// Mask of the bits in the last word of a ring element that belong to coefficients.
    const TOP_MASK: u64 = !0 >> (64 * Self::WORDS - Self::N);
    /// Bytes of the stream for one of r1, r2 and e, at most: 4 for each position, rounded up to whole words of 64 bits.
    const SAMPLE_BYTES: usize = (4 * Self::W_R).next_multiple_of(8);
    /// Bytes of the stream of y and x that are computed in advance.
    ///
    /// They cover four blocks of W candidates for 2 W positions in the rejection samplers; more are needed
    /// with probability below 2^-128. They also cover both samples of profile `2023`, of 4 W bytes each.
    const KEY_STREAM_BYTES: usize = 4 * (4 * Self::W).next_multiple_of(8);

    /// A ring element: coefficient i is bit i % 64 of word i / 64. Bits from n on are zero unless
    /// an unchecked import set them.
    type Ring: Array<u64>;
    /// Product of two ring elements before its reduction modulo X^n - 1.
    type Product: Array<u64>;
    /// Space for a prepared factor and the scratch of its products.
    type Scratch: Array<u64>;
    /// A ring element prepared for several products, in the format of the plan.
    type Prepared: Array<u64>;
    /// A codeword of the concatenated code: copies of symbol i begin at word `2 * COPIES * i`.
    type Code: Array<u64>;
    /// A message m of K bytes. Sigma has the same type.
    type Message: Array<u8>;
    /// A Reed-Solomon codeword of N1 symbols, parity symbols first.
    type Symbols: Array<u8>;
    /// Support of r1, r2 or e: W_R positions below n.
    type ErrorSupport: Array<u32>;
    /// Support of x or y: W positions below n.
    type KeySupport: Array<u32>;
    /// W candidates of three bytes each, for the positions of x or y.
    type KeyBlock: Array<u8>;
    /// The stream of which r1, r2 and e are sampled.
    type ErrorStream: Array<u8>;
    /// The beginning of the stream of which x and y are sampled.
    type KeyStream: Array<u8>;
    /// A ring element as bytes, little-endian: coefficient i is bit i % 8 of byte i / 8.
    type RingBytes: Array<u8>;
}

/// Defines each parameter set as a unit struct, with arrays of the sizes that follow from its numbers.
///
/// `scratch` is the room for a factor and the scratch of its products, in words for each word of an operand.
/// A test shows that it suffices for all plans that costs select.
macro_rules! parameter_sets {
    ($($(#[$doc:meta])* $name:ident: n $n:literal, n1 $n1:literal, copies $copies:literal, k $k:literal, w $w:literal, w_r $w_r:literal, scratch $scratch:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl ParameterSet for $name {
            const N: usize = $n;
            const N1: usize = $n1;
            const COPIES: usize = $copies;
            const K: usize = $k;
            const W: usize = $w;
            const W_R: usize = $w_r;
            const TABLES: Tables = tables!($n1, $k);

            type Ring = [u64; Self::WORDS];
            type Product = [u64; 2 * Self::WORDS];
            type Scratch = [u64; $scratch * Self::WORDS];
            type Prepared = [u64; PREPARED * Self::WORDS];
            type Code = [u64; Self::CODE_WORDS];
            type Message = [u8; Self::K];
            type Symbols = [u8; Self::N1];
            type ErrorSupport = [u32; Self::W_R];
            type KeySupport = [u32; Self::W];
            type KeyBlock = [u8; 3 * Self::W];
            type ErrorStream = [u8; 3 * Self::SAMPLE_BYTES];
            type KeyStream = [u8; Self::KEY_STREAM_BYTES];
            type RingBytes = [u8; Self::RING_BYTES];
        }
    )*};
}

parameter_sets! {
    // 2 generates the units modulo each prime n, so that X^n - 1 has no irreducible factors but X - 1 and the
    // cofactor.
    /// HQC-1 and hqc-128: security category 1.
    Category1: n 17_669, n1 46, copies 3, k 16, w 66, w_r 75, scratch 24;
    /// HQC-3 and hqc-192: security category 3.
    Category3: n 35_851, n1 56, copies 5, k 24, w 100, w_r 114, scratch 24;
    /// HQC-5 and hqc-256: security category 5.
    Category5: n 57_637, n1 90, copies 5, k 32, w 131, w_r 149, scratch 22;
}
