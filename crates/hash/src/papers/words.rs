//! Delayed reduction in 64-bit words: one carry for g blocks, with the powers tau to tau^g (paper 001's `maax` code
//! with g of 1 to 32).
//!
//! ```text
//! (h + C_1) tau^n + C_2 tau^(n-1) + ... + C_n tau    for groups of n = g blocks, and a first one of 1 to g
//! ```
use crate::choose::plan::WORD_GROUPS_MOST;
use crate::eval::powers::fill_powers;
use crate::field::{Field, LaneField};

/// Evaluates h tau^l + C_1 tau^l + ... + C_l tau in one lane, for g of 1 to [`WORD_GROUPS_MOST`]. `ready` holds
/// powers of tau in order; they are used if there are min(g, l) of them. The result is below 2p.
#[inline(always)]
pub(crate) fn grouped<F: LaneField>(
    f: F,
    (tau, ready): (F::Element, &[F::Element]),
    h: F::Element,
    msg: &[u8],
    g: usize,
) -> F::Element {
    let blocks = msg.len().div_ceil(F::Element::BLOCK);
    if blocks == 0 {
        return h;
    }
    let most = blocks.min(g);
    let mut made = [tau; WORD_GROUPS_MOST];
    let powers = match ready.get(..most) {
        Some(powers) => powers,
        None => {
            fill_powers(&mut made[..most]);
            &made[..most]
        }
    };
    // Entries from `most` on keep tau. No group is long enough to read them.
    let mut keys = [f.key(f.everywhere(F::limbs(tau))); WORD_GROUPS_MOST];
    for (key, power) in keys.iter_mut().zip(powers) {
        *key = f.key(f.everywhere(F::limbs(*power)));
    }
    // The first group takes 1 to g blocks, so that all others have g.
    let first = ((blocks - 1) % g + 1) * F::Element::BLOCK;
    let (first, rest) = msg.split_at(first.min(msg.len()));
    let mut value = group(f, &keys, f.everywhere(F::limbs(h)), first);
    for blocks in rest.chunks(g * F::Element::BLOCK) {
        value = group(f, &keys, value, blocks);
    }
    f.fold(value)
}

/// Absorbs a group of 1 to g blocks with one carry. The last block may be short if it ends the message. Before
/// and after, `value` is carried.
#[inline(always)]
pub(crate) fn group<F: LaneField>(
    f: F,
    keys: &[F::Key; WORD_GROUPS_MOST],
    value: F::Fe,
    blocks: &[u8],
) -> F::Fe {
    let mut blocks = blocks.chunks(F::Element::BLOCK);
    // `keys` ascend, so the first block of n meets tau^n.
    let mut keys = keys[..blocks.len()].iter().rev();
    let (Some(first), Some(key)) = (blocks.next(), keys.next()) else { return value };
    // The value joins the first block, whose power is the highest: one product for both.
    let mut sum = f.mul(f.add(value, block(f, first)), key);
    for (bytes, key) in blocks.zip(keys) {
        sum = f.mul_add(sum, block(f, bytes), key);
    }
    f.carry(sum)
}

/// Loads a block of 1 to BLOCK bytes with its pad.
#[inline(always)]
fn block<F: LaneField>(f: F, bytes: &[u8]) -> F::Fe {
    if bytes.len() == F::Element::BLOCK { f.whole_row(bytes) } else { f.last_row(bytes) }
}
