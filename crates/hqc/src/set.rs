//! Parameter sets: the ring, the code and the weights. The same in all profiles.
use crate::array::Array;
use crate::code::tables::{Tables, tables};

/// The operands of a product that comes again take up to so many times their words; plans that want more take them unprepared.
const PREPARED: usize = 6;

mod sealed {
    pub trait Sealed {}
}

/// A parameter set: a ring, a code and weights. The sizes of arrays follow from them.
pub trait ParameterSet: sealed::Sealed + Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Degree of the ring F2\[X\] / (X^N - 1), a prime.
    const N: usize;
    /// Symbols of a Reed-Solomon codeword.
    const N1: usize;
    /// Copies of each Reed-Muller codeword of 128 bits.
    const COPIES: usize;
    /// Bytes of a message, which are symbols of the Reed-Solomon code; also bytes of sigma.
    const K: usize;
    /// Weight of x and y.
    const W: usize;
    /// Weight of r1, r2 and e.
    const W_R: usize;

    /// Symbol errors that the Reed-Solomon code corrects.
    const DELTA: usize = (Self::N1 - Self::K) / 2;
    /// Constants of the Reed-Solomon code.
    #[doc(hidden)]
    const TABLES: Tables;
    /// Words of a ring element.
    const WORDS: usize = Self::N.div_ceil(64);
    /// Bytes of a ring element.
    const RING_BYTES: usize = Self::N.div_ceil(8);
    /// Words of v, a codeword of the concatenated code.
    const CODE_WORDS: usize = Self::N1 * Self::COPIES * 2;
    /// Bytes of v.
    const CODE_BYTES: usize = 8 * Self::CODE_WORDS;
    /// The bits that the last word of a ring element has.
    const TOP_MASK: u64 = !0 >> (64 * Self::WORDS - Self::N);
    /// Bytes of the stream that one of r1, r2 and e takes at most: words of 32 bits, in whole words of 64.
    const SAMPLE_BYTES: usize = (4 * Self::W_R).next_multiple_of(8);
    /// Bytes that y and x take at most of their stream, except with probability below 2^-128: four blocks of W candidates, in whole words of 64 bits, for
    /// 2 W positions.
    const KEY_STREAM_BYTES: usize = 4 * (4 * Self::W).next_multiple_of(8);

    /// A ring element: coefficient i is bit i % 64 of word i / 64.
    type Ring: Array<u64>;
    /// A product of two ring elements before it is reduced.
    type Product: Array<u64>;
    /// A factor and the scratch of its products.
    type Scratch: Array<u64>;
    /// A ring element that is multiplied again and again.
    type Prepared: Array<u64>;
    /// A codeword of the concatenated code.
    type Code: Array<u64>;
    /// A message; also sigma.
    type Message: Array<u8>;
    /// A Reed-Solomon codeword.
    type Symbols: Array<u8>;
    /// Positions of r1, r2 or e.
    type ErrorSupport: Array<u32>;
    /// Positions of x or y.
    type KeySupport: Array<u32>;
    /// Candidates for the positions of x or y.
    type KeyBlock: Array<u8>;
    /// The stream of r1, r2 and e.
    type ErrorStream: Array<u8>;
    /// The stream of x and y.
    type KeyStream: Array<u8>;
    /// The bytes of a ring element.
    type RingBytes: Array<u8>;
}

/// Defines parameter sets. `scratch` is room for a factor and the scratch of its products, in words for each word of an operand. A test shows that it is enough
/// for all plans.
macro_rules! parameter_sets {
    ($($(#[$doc:meta])* $name:ident: n $n:literal, n1 $n1:literal, copies $copies:literal, k $k:literal, w $w:literal, w_r $w_r:literal, scratch $scratch:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl sealed::Sealed for $name {}

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
    /// HQC-1 and hqc-128: security category 1.
    Category1: n 17_669, n1 46, copies 3, k 16, w 66, w_r 75, scratch 24;
    /// HQC-3 and hqc-192: security category 3.
    Category3: n 35_851, n1 56, copies 5, k 24, w 100, w_r 114, scratch 24;
    /// HQC-5 and hqc-256: security category 5.
    Category5: n 57_637, n1 90, copies 5, k 32, w 131, w_r 149, scratch 22;
}
