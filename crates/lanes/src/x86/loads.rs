//! Loads of 15-byte blocks and of parts of vectors. They read no byte outside of the slice.
use core::arch::x86_64::*;

/// Two blocks of 15 bytes, a zero byte after each. No load passes the end of the second block, and
/// none begins before the first.
///
/// # Safety
/// The CPU has AVX2, and 30 bytes can be read at `src`.
#[inline(always)]
pub(super) unsafe fn load15_ymm(src: *const u8) -> __m256i {
    // SAFETY: the caller's promise; the second load ends at 14 + 16 = 30.
    unsafe {
        // Bytes 0 to 15 and 14 to 29: the second load begins one byte early, because byte 30 may be unreadable.
        let bytes = _mm256_loadu2_m128i(src.add(14).cast(), src.cast());
        // Bytes 0 to 14 of the first half, 1 to 15 of the second; 0x80 makes a zero.
        let first = _mm_set_epi64x(0x800e_0d0c_0b0a_0908_u64 as i64, 0x0706_0504_0302_0100);
        let second = _mm_set_epi64x(0x800f_0e0d_0c0b_0a09_u64 as i64, 0x0807_0605_0403_0201);
        _mm256_shuffle_epi8(bytes, _mm256_set_m128i(second, first))
    }
}

/// Four blocks of 15 bytes, a zero byte after each, by [`load15_ymm`] twice.
///
/// # Safety
/// The CPU has AVX-512F, and 60 bytes can be read at `src`.
#[inline(always)]
pub(super) unsafe fn load15_zmm(src: *const u8) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        // AVX-512F implies AVX2. Without VBMI no shuffle of bytes crosses lanes, so each half is shuffled
        // alone.
        let (first, second) = (load15_ymm(src), load15_ymm(src.add(30)));
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
    }
}

/// Four blocks of 15 bytes, a zero byte after each, by one masked load and one shuffle across the whole register.
///
/// # Safety
/// The CPU has AVX-512F and AVX-512 VBMI, and 60 bytes can be read at `src`.
#[inline(always)]
pub(super) unsafe fn load15_vbmi(src: *const u8) -> __m512i {
    /// Place 16 k + j gets byte 15 k + j. The mask zeroes place 15 of each block.
    const INDEX: [u8; 64] = {
        let (mut index, mut i) = ([0; 64], 0);
        while i < 64 {
            index[i] = (15 * (i / 16) + i % 16) as u8;
            i += 1;
        }
        index
    };
    // SAFETY: the caller's promise; 15 words of 32 bits are 60 bytes.
    unsafe {
        // The load is masked to 15 words of 32 bits: bytes from 60 on are not read and do not fault.
        let index = _mm512_loadu_si512(INDEX.as_ptr().cast());
        _mm512_maskz_permutexvar_epi8(
            0x7fff_7fff_7fff_7fff,
            index,
            _mm512_maskz_loadu_epi32(0x7fff, src.cast()),
        )
    }
}

/// Loads `count` words into the lanes `from .. from + count`, and zero into the others.
///
/// # Safety
/// The CPU has AVX2, `from + count` is at most 4, and `count` words can be read at `src`.
#[inline(always)]
pub(crate) unsafe fn load_part_ymm(src: *const u8, from: usize, count: usize) -> __m256i {
    // A window of four at 4 - from has `from` zeros, then ones; one at 8 - (from + count) has from + count ones,
    // then zeros. Their AND selects the lanes. Addresses depend on lengths only.
    static EDGES: [i64; 12] = [0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0];
    // SAFETY: the caller's promise. Words before `src` and after the last one are masked, which reads nothing there.
    unsafe {
        // Whether lane i is at least `from`, and whether it is less than `from + count`.
        let begun = _mm256_loadu_si256(EDGES.as_ptr().add(4 - from).cast());
        let not_ended = _mm256_loadu_si256(EDGES.as_ptr().add(8 - from - count).cast());
        _mm256_maskload_epi64(src.wrapping_sub(8 * from).cast(), _mm256_and_si256(begun, not_ended))
    }
}

/// Loads `count` words into the lanes `from .. from + count` of eight, and zero into the others.
///
/// # Safety
/// The CPU has AVX-512F, `from + count` is at most 8, and `count` words can be read at `src`.
#[inline(always)]
pub(crate) unsafe fn load_part_zmm(src: *const u8, from: usize, count: usize) -> __m512i {
    let (low, wanted) = part_masks(from, count);
    // SAFETY: the caller's promise. Masked words are not read.
    unsafe {
        let words = _mm512_maskz_loadu_epi64(low, src.cast());
        if from == 0 { words } else { _mm512_maskz_expand_epi64(wanted, words) }
    }
}

/// Stores the first `count` words of `x`.
///
/// # Safety
/// The CPU has AVX2, `count` is at most 4, and `count` words can be written at `out`.
#[inline(always)]
pub(crate) unsafe fn store_part_ymm(x: __m256i, out: *mut u64, count: usize) {
    static EDGE: [i64; 8] = [-1, -1, -1, -1, 0, 0, 0, 0];
    // SAFETY: the caller's promise; the window has four words, as `count` is at most 4. Masked words are not written.
    unsafe {
        let mask = _mm256_loadu_si256(EDGE.as_ptr().add(4 - count).cast());
        _mm256_maskstore_epi64(out.cast(), mask, x);
    }
}

/// Stores the first `count` words of `x`.
///
/// # Safety
/// The CPU has AVX-512F, `count` is at most 8, and `count` words can be written at `out`.
#[inline(always)]
pub(crate) unsafe fn store_part_zmm(x: __m512i, out: *mut u64, count: usize) {
    let (mask, _) = part_masks(0, count);
    // SAFETY: the caller's promise. Masked words are not written.
    unsafe { _mm512_mask_storeu_epi64(out.cast(), mask, x) }
}

/// As [`load_part_ymm`], but with AVX-512VL, where a load takes its mask as a number of one bit for each lane.
///
/// # Safety
/// The CPU has AVX-512F and VL, `from + count` is at most 4, and `count` words can be read at `src`.
#[inline(always)]
pub(crate) unsafe fn load_part_vl(src: *const u8, from: usize, count: usize) -> __m256i {
    let (low, wanted) = part_masks(from, count);
    // SAFETY: as above.
    unsafe {
        let words = _mm256_maskz_loadu_epi64(low, src.cast());
        if from == 0 { words } else { _mm256_maskz_expand_epi64(wanted, words) }
    }
}

/// Masks of the first `count` lanes and of the lanes `from .. from + count`.
///
/// A load from before `src`, with the words there masked, would need no move to the upper lanes. But it takes hundreds
/// of cycles where a message begins at the start of a page and the page before it is not mapped.
#[inline(always)]
fn part_masks(from: usize, count: usize) -> (u8, u8) {
    let low = (1_u32 << count) - 1;
    (low as u8, (low << from) as u8)
}
