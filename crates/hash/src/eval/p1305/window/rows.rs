//! Rows and columns of the table between memory and vectors.
use super::{ROW_LIMBS, WIDEST};
use crate::field::p1305::lanes26::{self, Fe, Limbs};
use carryless_lanes::Lanes;

/// x 2^k for k <= 18 and limbs below 2^29. All limbs carry once and at the same time, which leaves them below
/// 2^26 + 2^24: small enough for a factor, so a full carry chain is saved.
#[inline(always)]
pub(crate) fn shifted<S: Lanes>(s: S, x: Fe<S>, k: u32) -> Fe<S> {
    [
        // What leaves limb 4 at the top has the weight 2^130 = 5 and enters limb 0.
        s.add(low_shifted(s, x[0], k), lanes26::times5(s, s.shr(x[4], 26 - k))),
        s.add(low_shifted(s, x[1], k), s.shr(x[0], 26 - k)),
        s.add(low_shifted(s, x[2], k), s.shr(x[1], 26 - k)),
        s.add(low_shifted(s, x[3], k), s.shr(x[2], 26 - k)),
        s.add(low_shifted(s, x[4], k), s.shr(x[3], 26 - k)),
    ]
}

/// The low 26 bits of x 2^k: the mask comes before the shift.
#[inline(always)]
fn low_shifted<S: Lanes>(s: S, x: S::V, k: u32) -> S::V {
    s.shl(s.low_bits(x, 26 - k), k)
}

/// Interleaves the even lanes of two elements, limb by limb.
#[inline(always)]
pub(super) fn unpack_lo<S: Lanes>(s: S, a: Fe<S>, b: Fe<S>) -> Fe<S> {
    [
        // Line by line, here and below: closures over vectors lose the CPU feature where they are not inlined.
        s.unpack_lo(a[0], b[0]),
        s.unpack_lo(a[1], b[1]),
        s.unpack_lo(a[2], b[2]),
        s.unpack_lo(a[3], b[3]),
        s.unpack_lo(a[4], b[4]),
    ]
}

/// Interleaves the odd lanes of two elements, limb by limb.
#[inline(always)]
pub(super) fn unpack_hi<S: Lanes>(s: S, a: Fe<S>, b: Fe<S>) -> Fe<S> {
    [
        s.unpack_hi(a[0], b[0]),
        s.unpack_hi(a[1], b[1]),
        s.unpack_hi(a[2], b[2]),
        s.unpack_hi(a[3], b[3]),
        s.unpack_hi(a[4], b[4]),
    ]
}

/// Writes the multiplicands of row `row`, those for low halves first.
#[inline(always)]
pub(super) fn store_row<S: Lanes>(s: S, low: Limbs<S>, high: Limbs<S>, rows: &mut [u64], row: usize) {
    let w = S::LIMB_WORDS;
    // One slice of the length of a row: the offsets in it are constants of the backend.
    let out = &mut rows[row * ROW_LIMBS * w..(row + 1) * ROW_LIMBS * w];
    s.store_limb(low[0], out);
    s.store_limb(low[1], &mut out[w..]);
    s.store_limb(low[2], &mut out[2 * w..]);
    s.store_limb(low[3], &mut out[3 * w..]);
    s.store_limb(low[4], &mut out[4 * w..]);
    s.store_limb(high[0], &mut out[5 * w..]);
    s.store_limb(high[1], &mut out[6 * w..]);
    s.store_limb(high[2], &mut out[7 * w..]);
    s.store_limb(high[3], &mut out[8 * w..]);
    s.store_limb(high[4], &mut out[9 * w..]);
}

/// Loads the multiplicands of row `row`: those for low halves, those for high halves. `row` is public.
#[inline(always)]
pub(crate) fn load_row<S: Lanes>(s: S, rows: &[u64], row: usize) -> (Limbs<S>, Limbs<S>) {
    let w = S::LIMB_WORDS;
    let src = &rows[row * ROW_LIMBS * w..(row + 1) * ROW_LIMBS * w];
    let (low, high) = src.split_at(5 * w);
    (load_limbs(s, low), load_limbs(s, high))
}

/// Loads five multiplicands in this backend's layout.
#[inline(always)]
fn load_limbs<S: Lanes>(s: S, src: &[u64]) -> Limbs<S> {
    let w = S::LIMB_WORDS;
    let src = &src[..5 * w];
    [
        s.load_limb(src),
        s.load_limb(&src[w..]),
        s.load_limb(&src[2 * w..]),
        s.load_limb(&src[3 * w..]),
        s.load_limb(&src[4 * w..]),
    ]
}

/// Writes five columns of 64-bit sums, N words each.
#[inline(always)]
pub(super) fn store_columns<S: Lanes>(s: S, d: Fe<S>, out: &mut [u64; 5 * WIDEST]) {
    s.store(d[0], out);
    s.store(d[1], &mut out[S::N..]);
    s.store(d[2], &mut out[2 * S::N..]);
    s.store(d[3], &mut out[3 * S::N..]);
    s.store(d[4], &mut out[4 * S::N..]);
}

/// Loads the columns that `store_columns` wrote.
#[inline(always)]
pub(crate) fn load_columns<S: Lanes>(s: S, src: &[u64; 5 * WIDEST]) -> Fe<S> {
    [
        s.load_words(src),
        s.load_words(&src[S::N..]),
        s.load_words(&src[2 * S::N..]),
        s.load_words(&src[3 * S::N..]),
        s.load_words(&src[4 * S::N..]),
    ]
}
