//! Bytes and 16-bit numbers on plain integers, which defines the result of every operation. A word holds eight
//! bytes or four numbers; all are computed at once.
use super::{Bytes, BytesBackend, BytesKernel, Factor};
use crate::clmul::soft::lanes;
use crate::clmul::{Clmul, Soft};

/// The number 1 in every byte of a word; a product with it copies a byte to all places.
const BYTES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const TOP: u64 = 0x80 * BYTES;
/// The highest bit of every 16-bit number.
const TOP_WORDS: u64 = 0x8000_8000_8000_8000;
/// Bit e of byte e is one, all others are zero.
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// Sums of all fields of a word at once; `top` has the highest bit of each field. No carry leaves a field.
#[inline(always)]
fn add(a: u64, b: u64, top: u64) -> u64 {
    // Without the highest bits, a carry stops there; their own sum is an XOR.
    ((a & !top) + (b & !top)) ^ ((a ^ b) & top)
}

/// Differences of all fields of a word at once; `top` has the highest bit of each field. No borrow leaves a field.
#[inline(always)]
fn sub(a: u64, b: u64, top: u64) -> u64 {
    // With the highest bit set in a and clear in b, no field borrows; the XOR then corrects that bit.
    ((a | top) - (b & !top)) ^ ((a ^ !b) & top)
}

/// All ones in every byte whose highest bit is one, zeros in the others. The multiplication cannot carry.
#[inline(always)]
fn sign(a: u64) -> u64 {
    (a >> 7 & BYTES) * 0xff
}

/// All ones in every byte that is zero. Adding 0x7f to the low seven bits of a byte reaches its highest bit unless
/// they are zero, and never carries.
#[inline(always)]
fn zero(a: u64) -> u64 {
    sign(!(((a & !TOP) + !TOP) | a))
}

/// All ones in every signed 16-bit number of `a` that is less than that of `b`.
#[inline(always)]
fn less(a: u64, b: u64) -> u64 {
    // With the sign bit inverted, the order is that of unsigned numbers. Such a number is less if the difference
    // borrows, by the usual formula for the borrow out of the highest bit.
    let (a, b) = (a ^ TOP_WORDS, b ^ TOP_WORDS);
    let borrows = (!a & b | (!a | b) & sub(a, b, TOP_WORDS)) & TOP_WORDS;
    (borrows >> 15) * 0xffff
}

/// Signed 16-bit numbers divided by 2^bits and rounded down; `bits` is public and below 16.
#[inline(always)]
fn sar(a: u64, bits: u32) -> u64 {
    // An unsigned shift, masked to its field. The sign bit is now at 15 - bits: (x ^ sign) - sign extends it.
    let kept = 0xffff >> bits;
    let (shifted, sign) = (a >> bits & (kept | kept << 16 | kept << 32 | kept << 48), TOP_WORDS >> bits);
    sub(shifted ^ sign, sign, TOP_WORDS)
}

/// Eight products of bytes in the field of AES: Horner's rule over the bits of b, masks instead of branches.
#[inline]
fn mul(a: u64, b: u64) -> u64 {
    let (mut product, mut bit) = (0u64, 8);
    while bit > 0 {
        bit -= 1;
        // At most 0x1b in each byte, so the multiplication carries nothing across bytes.
        let reduce = (product >> 7 & BYTES) * 0x1b;
        // The highest bits are cleared before the shift, so that none moves into the next byte.
        product = (product & !TOP) << 1 ^ reduce ^ a & ((b >> bit & BYTES) * 0xff);
    }
    product
}

/// The vector of `f` for every half `$h` of every lane `$i`. Without loops, as in [`lanes`].
macro_rules! halves {
    ($k:ident, $i:ident, $h:ident => $f:expr) => {{
        let mut out = [[0u64; 2]; $k];
        lanes!($k, $i => out[$i] = {
            let $h: usize = 0;
            let low = $f;
            let $h: usize = 1;
            [low, $f]
        });
        out
    }};
}

impl<const K: usize> Bytes for Soft<K> {
    #[inline(always)]
    fn load_bytes(self, src: &[u8]) -> Self::X {
        let words = src[..16 * K].as_chunks::<8>().0;
        halves!(K, i, h => u64::from_le_bytes(words[2 * i + h]))
    }
    #[inline(always)]
    fn store_bytes(self, x: Self::X, out: &mut [u8]) {
        let words = out[..16 * K].as_chunks_mut::<8>().0;
        lanes!(K, i => [words[2 * i], words[2 * i + 1]] = [x[i][0].to_le_bytes(), x[i][1].to_le_bytes()]);
    }
    #[inline(always)]
    fn first_byte(self, a: Self::X) -> Self::X {
        self.splat([(a[0][0] & 0xff) * BYTES; 2])
    }
    #[inline(always)]
    fn bytes_down(self, a: Self::X, next: Self::X) -> Self::X {
        // Lane i of `above` is lane i + 1 of `a`, and behind the last lane the first one of `next`.
        let above = self.lanes_from(1, a, next);
        halves!(K, i, h => a[i][h] >> 8 | (if h == 0 { a[i][1] } else { above[i][0] }) << 56)
    }
    #[inline(always)]
    fn low_halves(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => if h == 0 { a[i][0] } else { b[i][0] })
    }
    #[inline(always)]
    fn high_halves(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => if h == 0 { a[i][1] } else { b[i][1] })
    }
    #[inline(always)]
    fn zero_bytes(self, a: Self::X) -> Self::X {
        halves!(K, i, h => zero(a[i][h]))
    }
    #[inline(always)]
    fn sign_bytes(self, a: Self::X) -> Self::X {
        halves!(K, i, h => sign(a[i][h]))
    }
    #[inline(always)]
    fn spread_bits(self, a: Self::X, byte: usize) -> Self::X {
        halves!(K, i, h => !zero(((a[i][h] >> (8 * byte) & 0xff) * BYTES) & DIAGONAL))
    }
    #[inline(always)]
    fn add_bytes(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => add(a[i][h], b[i][h], TOP))
    }
    #[inline(always)]
    fn sub_bytes(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => sub(a[i][h], b[i][h], TOP))
    }
    #[inline(always)]
    fn add_words(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => add(a[i][h], b[i][h], TOP_WORDS))
    }
    #[inline(always)]
    fn sub_words(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => sub(a[i][h], b[i][h], TOP_WORDS))
    }
    #[inline(always)]
    fn max_words(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => a[i][h] ^ (a[i][h] ^ b[i][h]) & less(a[i][h], b[i][h]))
    }
    #[inline(always)]
    fn min_words(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => b[i][h] ^ (a[i][h] ^ b[i][h]) & less(a[i][h], b[i][h]))
    }
    #[inline(always)]
    fn sar_words(self, a: Self::X, bits: u32) -> Self::X {
        halves!(K, i, h => sar(a[i][h], bits))
    }
    #[inline(always)]
    fn factor(self, a: Self::X) -> Factor<Self::X> {
        // No tables: `scale` multiplies by the byte itself.
        Factor { low: a, high: self.zero() }
    }
    #[inline(always)]
    fn scale(self, x: Self::X, factor: Factor<Self::X>) -> Self::X {
        // The bit-by-bit product for all bytes: compilers turn a mask from one bit of a word into a branch, but not
        // masks from one bit of each byte.
        self.mul_bytes(x, factor.low)
    }
    #[inline(always)]
    fn map_bytes<const MATRIX: u64>(self, x: Self::X) -> Self::X {
        self.affine(x, self.splat([MATRIX; 2]))
    }
    #[inline(always)]
    fn mul_bytes(self, a: Self::X, b: Self::X) -> Self::X {
        halves!(K, i, h => mul(a[i][h], b[i][h]))
    }
}

impl<const K: usize> BytesBackend for Soft<K> {
    #[inline(always)]
    fn call<T: BytesKernel>(self, kernel: T) -> T::Out {
        // Not inlined where the backend is chosen: there the kernel would take registers from the other backends'
        // calls.
        #[inline(never)]
        fn run<const K: usize, T: BytesKernel>(backend: Soft<K>, kernel: T) -> T::Out {
            kernel.run(backend)
        }
        run(self, kernel)
    }
}
