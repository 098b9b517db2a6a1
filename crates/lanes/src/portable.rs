//! The backend of plain integers. It runs on every target and defines the result of every operation.
//!
//! With debug assertions, as in tests, operations on lanes are calls. Inlined, eight lanes make eight copies of
//! each, and kernels of a thousand operations take minutes to compile.
use crate::traits::{Ifma, Lanes, Shuffle32, Words};

/// The backend of plain integers, `N` lanes wide (2, 4 or 8). As [`Words`] it is the CPU's 64-bit arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Portable<const N: usize>;

/// The array of `f` for every lane `i`. A macro, because closures in kernels lose the target feature.
macro_rules! each {
    ($n:ident, $i:ident => $f:expr) => {{
        let mut r = [0u64; $n];
        let mut $i = 0;
        while $i < $n {
            r[$i] = $f;
            $i += 1;
        }
        r
    }};
}

const LOW32: u64 = 0xffff_ffff;
const LOW52: u64 = (1 << 52) - 1;

/// Word `i` of a row of 15-byte blocks, two words each: eight bytes, or seven with a zero on top. Panics
/// if `src` is too short.
#[inline(always)]
pub(crate) fn word15(src: &[u8], i: usize) -> u64 {
    let block = &src[15 * (i / 2)..15 * (i / 2) + 15];
    let (low, high) = block.split_at(8);
    // Zeros first: an odd word fills seven of its bytes.
    let mut word = [0; 8];
    if i.is_multiple_of(2) {
        word.copy_from_slice(low)
    } else {
        word[..7].copy_from_slice(high)
    }
    u64::from_le_bytes(word)
}

impl<const N: usize> Lanes for Portable<N> {
    const N: usize = N;
    const LIMB_WORDS: usize = N;
    const COMPACT: bool = true;
    type V = [u64; N];
    type L = [u64; N];

    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn splat(self, x: u64) -> [u64; N] {
        [x; N]
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load(self, src: &[u8]) -> [u64; N] {
        // Cut once to the length of a vector, so that the loop needs no bounds checks.
        let (words, _) = src[..8 * N].as_chunks::<8>();
        each!(N, i => u64::from_le_bytes(words[i]))
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load_words(self, src: &[u64]) -> [u64; N] {
        let src = &src[..N];
        each!(N, i => src[i])
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load15(self, src: &[u8]) -> [u64; N] {
        each!(N, i => word15(src, i))
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store(self, v: [u64; N], out: &mut [u64]) {
        out[..N].copy_from_slice(&v);
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn limb(self, v: [u64; N]) -> [u64; N] {
        // Cuts without a check, as `vpmuludq` reads its operands. The analyses refuse a limb above 32 bits.
        self.low32(v)
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn low32(self, v: [u64; N]) -> [u64; N] {
        each!(N, i => v[i] & LOW32)
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn high32(self, v: [u64; N]) -> [u64; N] {
        each!(N, i => v[i] >> 32)
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_limb(self, l: [u64; N], out: &mut [u64]) {
        self.store(l, out);
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load_limb(self, src: &[u64]) -> [u64; N] {
        self.low32(self.load_words(src))
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul32(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        // Factors below 2^32, so the product cannot wrap.
        each!(N, i => (a[i] & LOW32) * (b[i] & LOW32))
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        // Wraps, as vectors do. The analyses refuse a sum that may wrap.
        each!(N, i => a[i].wrapping_add(b[i]))
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shr(self, a: [u64; N], k: u32) -> [u64; N] {
        each!(N, i => a[i] >> k)
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shl(self, a: [u64; N], k: u32) -> [u64; N] {
        each!(N, i => a[i] << k)
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn low_bits(self, a: [u64; N], k: u32) -> [u64; N] {
        each!(N, i => a[i] & ((1 << k) - 1))
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn select(self, a: [u64; N], mask: [u64; N]) -> [u64; N] {
        // Any mask is taken here; the analyses refuse one that is neither zero nor all ones.
        each!(N, i => a[i] & mask[i])
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn concat(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        // A shared bit would be lost without a carry. Only the analyses check for it.
        each!(N, i => a[i] | b[i])
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unpack_lo(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        each!(N, i => if i % 2 == 0 { a[i] } else { b[i - 1] })
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unpack_hi(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        each!(N, i => if i % 2 == 0 { a[i + 1] } else { b[i] })
    }
}

impl<const N: usize> Ifma for Portable<N> {
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn madd52lo(self, acc: [u64; N], a: [u64; N], b: [u64; N]) -> [u64; N] {
        // The low 52 bits of a product depend on its low 64 bits only.
        each!(N, i => acc[i].wrapping_add((a[i] & LOW52).wrapping_mul(b[i] & LOW52) & LOW52))
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn madd52hi(self, acc: [u64; N], a: [u64; N], b: [u64; N]) -> [u64; N] {
        each!(N, i => {
            let product = u128::from(a[i] & LOW52) * u128::from(b[i] & LOW52);
            // Factors of 52 bits have a product of 104, so the upper half has 52 bits as well.
            acc[i].wrapping_add((product >> 52) as u64)
        })
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        each!(N, i => a[i].wrapping_sub(b[i]))
    }
}

impl<const N: usize> Shuffle32 for Portable<N> {
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn permute32(self, a: [u64; N], index: &[u32; 16]) -> [u64; N] {
        each!(N, i => {
            // The final shift by 32 drops what lies above the chosen half.
            let (lo, hi) = (index[2 * i] as usize, index[2 * i + 1] as usize);
            (a[lo / 2] >> (32 * (lo % 2)) & LOW32) | (a[hi / 2] >> (32 * (hi % 2))) << 32
        })
    }
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blend32(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        each!(N, i => a[i] & LOW32 | b[i] & !LOW32)
    }
}

/// Returns `x` unchanged, hidden from the optimiser. It costs no instruction.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn hide(mut x: u64) -> u64 {
    // SAFETY: the template is a comment; the register comes out as it went in.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// The identity: on other targets, and in Miri, the optimiser may choose its instructions.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline(always)]
fn hide(x: u64) -> u64 {
    x
}

impl<const N: usize> Words for Portable<N> {
    type W = u64;
    type D = u128;

    #[inline(always)]
    fn word(self, x: u64) -> u64 {
        x
    }
    #[inline(always)]
    fn to_memory(self, a: u64) -> u64 {
        a
    }
    #[inline(always)]
    fn mul(self, a: u64, b: u64) -> u128 {
        u128::from(a) * u128::from(b)
    }
    #[inline(always)]
    fn widen(self, a: u64) -> u128 {
        a.into()
    }
    #[inline(always)]
    fn wide(self, low: u64, high: u64) -> u128 {
        u128::from(low) | u128::from(high) << 64
    }
    #[inline(always)]
    fn add(self, a: u128, b: u128) -> u128 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn add_carry(self, a: u128, b: u128) -> (u128, u64) {
        let (sum, carry) = a.overflowing_add(b);
        (sum, carry.into())
    }
    #[inline(always)]
    fn add_word(self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn settle(self, a: u128) -> u128 {
        // Word by word, since a register operand of `asm!` has 64 bits.
        u128::from(hide(a as u64)) | u128::from(hide((a >> 64) as u64)) << 64
    }
    #[inline(always)]
    fn settle_word(self, a: u64) -> u64 {
        hide(a)
    }
    #[inline(always)]
    fn low(self, a: u128) -> u64 {
        a as u64
    }
    #[inline(always)]
    fn high(self, a: u128) -> u64 {
        (a >> 64) as u64
    }
    #[inline(always)]
    fn shr_wide(self, a: u128, k: u32) -> u64 {
        // Two shifts and a sum: the double shift that compilers prefer takes six operations on AMD's processors.
        // The result fits, so for k = 0 the high word is zero and its shift by 64 - k, modulo 64, does no harm.
        (a as u64 >> k) + hide(((a >> 64) as u64).wrapping_shl(64 - k))
    }
    #[inline(always)]
    fn shr(self, a: u64, k: u32) -> u64 {
        a >> k
    }
    #[inline(always)]
    fn shl(self, a: u64, k: u32) -> u64 {
        a << k
    }
    #[inline(always)]
    fn low_bits(self, a: u64, k: u32) -> u64 {
        a & ((1 << k) - 1)
    }
    #[inline(always)]
    fn concat(self, a: u64, b: u64) -> u64 {
        a | b
    }
}
