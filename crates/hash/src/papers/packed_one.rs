//! The first vecMult on eight lanes where only the last has a block: 4 products of vectors, with moves in
//! registers.
//!
//! The five limbs of h r come in lanes 0 to 4 from products of h0, h1, h2 and h3, one vector each. The products of
//! h4 use lanes 5 to 7 of the first two of them. K and g0 are those of `packed_first`.
use super::packed::PackedKey;
use crate::field::p1305::lanes26::Fe;
use carryless_lanes::Shuffle32;

/// Constant indices of halves and masks of lanes. The block is in lane 7.
mod at {
    /// h0 h2 h1 h3 are halves 12 to 15, h4 is half 0. For i = 0 to 3: h_i in lanes 0 to 4, h4 in lanes 5 to 7.
    pub(super) const LIMBS: [[u32; 16]; 4] = [limb(12), limb(14), limb(13), limb(15)];
    /// K_(4-i+k) in lanes k = 0 to 4. For h4: K_0, K_1, K_2 in lanes 5 to 7 of i = 0, and K_3, K_4 in lanes 5 and
    /// 6 of i = 1.
    pub(super) const KEYS: [[u32; 16]; 4] = [key(0, 0), key(1, 3), key(2, 0), key(3, 0)];
    /// Moves h4 from lane 7 to lane 0.
    pub(super) const TOP: [u32; 16] = [14; 16];
    /// Moves lanes 5, 6, 7 to lanes 0, 1, 2; and lanes 5, 6 to lanes 3, 4.
    pub(super) const BACK: [[u32; 16]; 2] =
        [lanes([5, 6, 7, 0, 0, 0, 0, 0]), lanes([0, 0, 0, 5, 6, 0, 0, 0])];
    /// Moves lane k, limb k of the result, to lane 7.
    pub(super) const LAST: [[u32; 16]; 5] =
        [lanes([0; 8]), lanes([1; 8]), lanes([2; 8]), lanes([3; 8]), lanes([4; 8])];
    /// Masks of lanes: 6 and 7; 0; 0 to 2; 3 and 4; 7.
    pub(super) const BLOCK: [u64; 8] = only(6, 8);
    pub(super) const FIRST: [u64; 8] = only(0, 1);
    pub(super) const THREE: [u64; 8] = only(0, 3);
    pub(super) const TWO: [u64; 8] = only(3, 5);
    pub(super) const PLACE: [u64; 8] = only(7, 8);

    const fn limb(half: u32) -> [u32; 16] {
        [half, 0, half, 0, half, 0, half, 0, half, 0, 0, 0, 0, 0, 0, 0]
    }

    const fn key(i: u32, extra: u32) -> [u32; 16] {
        let (mut index, mut k) = ([0; 16], 0);
        while k < 5 {
            index[2 * k as usize] = half_of_word(4 - i + k);
            k += 1;
        }
        while k < 8 {
            index[2 * k as usize] = half_of_word(k - 5 + extra);
            k += 1;
        }
        index
    }

    /// The half of g0 that holds word j of K; 5r1, word 0, follows the first eight.
    const fn half_of_word(j: u32) -> u32 {
        if j == 0 { 8 } else { (j + 4) % 8 }
    }

    const fn lanes(from: [u32; 8]) -> [u32; 16] {
        let (mut index, mut lane) = ([0; 16], 0);
        while lane < 8 {
            (index[2 * lane], index[2 * lane + 1]) = (2 * from[lane], 2 * from[lane] + 1);
            lane += 1;
        }
        index
    }

    const fn only(from: usize, to: usize) -> [u64; 8] {
        let (mut mask, mut lane) = ([0; 8], from);
        while lane < to {
            mask[lane] = u64::MAX;
            lane += 1;
        }
        mask
    }
}

/// h r in lane 7, not carried; zero in the other lanes, whatever they held.
#[inline(always)]
pub(crate) fn one_of_eight<S: Shuffle32>(s: S, [h0, h1, h2, h3, h4]: Fe<S>, r: &PackedKey<S>) -> Fe<S> {
    // Lanes 6 and 7 of `odd` hold the block's h0, h2 and h1, h3; with h4 in lane 0 all five limbs share one vector.
    let odd = s.blend32(s.unpack_hi(h0, h1), s.shl(s.unpack_hi(h2, h3), 32));
    // Only lanes with a block count; masks clear the others before anything is added to them.
    let top = s.select(s.permute32(h4, &at::TOP), s.load_words(&at::FIRST));
    let limbs = s.concat(s.select(odd, s.load_words(&at::BLOCK)), top);
    let (p0, p1) = (product(s, limbs, r, 0), product(s, limbs, r, 1));
    let (p2, p3) = (product(s, limbs, r, 2), product(s, limbs, r, 3));
    // Lanes 0 to 4 now hold the sums over h0 .. h3 for limbs 0 to 4; lanes 5 to 7 hold junk that the mask below
    // removes.
    let d = s.add(s.add(p0, p1), s.add(p2, p3));
    // The products of h4 belong to limbs 0 to 2 and 3 to 4.
    let three = s.select(s.permute32(p0, &at::BACK[0]), s.load_words(&at::THREE));
    let two = s.select(s.permute32(p1, &at::BACK[1]), s.load_words(&at::TWO));
    let d = s.add(d, s.concat(three, two));
    let place = s.load_words(&at::PLACE);
    [
        s.select(s.permute32(d, &at::LAST[0]), place),
        s.select(s.permute32(d, &at::LAST[1]), place),
        s.select(s.permute32(d, &at::LAST[2]), place),
        s.select(s.permute32(d, &at::LAST[3]), place),
        s.select(s.permute32(d, &at::LAST[4]), place),
    ]
}

/// The products h_i K_(4-i), h_i K_(5-i), .. in lanes 0 to 4, and products of h4 in lanes 5 to 7.
#[inline(always)]
fn product<S: Shuffle32>(s: S, limbs: S::V, r: &PackedKey<S>, i: usize) -> S::V {
    let (limb, key) = (s.permute32(limbs, &at::LIMBS[i]), s.permute32(r.g0, &at::KEYS[i]));
    s.mul32(s.low32(limb), s.low32(key))
}
