//! Poly1305 of many messages: decides which of them share a kernel call.
//!
//! A kernel takes one message per lane, 2N at a time, and works as long as the longest of them. So messages of
//! similar length go together, and groups whose lengths still differ too much are hashed one by one. All of this
//! depends on lengths only, which are public.
use super::batch::Batch;
use super::evaluate::{mac_of_one, tag_of};
use super::steps::WIDEST;
use crate::base::blocks::BLOCK;
use crate::base::tag::Tag;
use crate::base::wipe::wipe;
use crate::choose::{BATCH_SORTED_FROM_BLOCKS, BATCH_TO_BLOCKS};
use carryless_lanes::Cpu;

/// Messages that are sorted together by length. An index fits in a byte.
const WINDOW: usize = 128;

/// Writes the tag of each message under its own one-time key. The three slices have equal length.
pub(crate) fn mac_batch(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    // Without vectors there are no lanes to fill.
    if matches!(cpu, Cpu::Portable(_)) {
        return one_by_one(cpu, keys, msgs, tags);
    }
    for ((keys, msgs), tags) in keys.chunks(WINDOW).zip(msgs.chunks(WINDOW)).zip(tags.chunks_mut(WINDOW)) {
        window(cpu, keys, msgs, tags);
    }
}

/// Writes the tags one message at a time, each by the kernel for its length.
fn one_by_one(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    for ((key, msg), tag) in keys.iter().zip(msgs).zip(tags) {
        *tag = tag_of(mac_of_one(cpu, key, msg));
    }
}

/// Blocks of 16 bytes in a message, the last of which may be short.
fn blocks(msg: &[u8]) -> usize {
    msg.len().div_ceil(BLOCK)
}

/// Writes the tags of up to [`WINDOW`] messages, grouped by similar length.
fn window(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    let width = 2 * cpu.lanes();
    let first = msgs.first().map_or(0, |msg| blocks(msg));
    let mut order = [0; WINDOW];
    let rest = if first < BATCH_TO_BLOCKS && msgs.iter().all(|msg| blocks(msg) == first) {
        // Equal lengths need no sorting and no copies: the kernel works on the slices directly, and only the
        // remainder is grouped.
        // The kernel leaves a remainder of fewer than 2N messages, which the groups below take.
        let whole = msgs.len() / width * width;
        cpu.plain_vectors().call(Batch { keys, msgs, tags }, || ());
        for (i, place) in (whole..msgs.len()).zip(&mut order) {
            *place = i as u8;
        }
        &order[..msgs.len() - whole]
    } else {
        if msgs.iter().map(|msg| blocks(msg)).sum::<usize>() < BATCH_SORTED_FROM_BLOCKS * msgs.len() {
            return one_by_one(cpu, keys, msgs, tags);
        }
        by_blocks(msgs, &mut order);
        &order[..msgs.len()]
    };
    for group in rest.chunks(width) {
        mac_group(cpu, group, keys, msgs, tags);
    }
}

/// Writes the indices of the messages to `order`, fewest blocks first: a counting sort in two passes.
fn by_blocks(msgs: &[&[u8]], order: &mut [u8; WINDOW]) {
    // First starts[k + 1] counts the messages of k blocks; after the sums starts[k] is the place of the next of
    // them.
    let mut starts = [0; BATCH_TO_BLOCKS + 2];
    for msg in msgs {
        starts[blocks(msg).min(BATCH_TO_BLOCKS) + 1] += 1;
    }
    for k in 0..BATCH_TO_BLOCKS {
        starts[k + 1] += starts[k];
    }
    for (i, msg) in msgs.iter().enumerate() {
        // All longer messages share the last bucket: they are hashed one by one, in any order.
        let place = &mut starts[blocks(msg).min(BATCH_TO_BLOCKS)];
        order[*place] = i as u8;
        *place += 1;
    }
}

/// Writes the tags of at most 2N messages, ordered by length, in one kernel call or one by one.
fn mac_group(cpu: Cpu, group: &[u8], keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    let width = 2 * cpu.lanes();
    let (mut group_keys, mut group_msgs): ([_; WIDEST], [&[u8]; WIDEST]) = ([[0; 32]; WIDEST], [&[]; WIDEST]);
    let mut group_tags = [Tag::from([0; 16]); WIDEST];
    // Idle lanes repeat the last message, the longest, so they cost no extra steps. Their tags are dropped.
    for lane in 0..width {
        let i = usize::from(group[lane.min(group.len() - 1)]);
        // Copied side by side: the kernel takes slices in the order of its lanes.
        group_keys[lane] = keys[i];
        group_msgs[lane] = msgs[i];
    }
    if together_pays(&group_msgs[..group.len()]) {
        let (keys, msgs, tags) = (&group_keys[..width], &group_msgs[..width], &mut group_tags[..width]);
        cpu.plain_vectors().call(Batch { keys, msgs, tags }, || ());
    } else {
        one_by_one(cpu, &group_keys[..group.len()], &group_msgs, &mut group_tags);
    }
    // The copies hold one-time keys, which the caller cannot wipe.
    wipe(&mut group_keys, [0; 32]);
    // `zip` ends with the group, which drops the tags of idle lanes.
    for (&i, tag) in group.iter().zip(group_tags) {
        tags[usize::from(i)] = tag;
    }
}

/// True if one kernel call for all these messages costs less than hashing them one by one. `msgs` ascend by length.
///
/// Costs are in units of one block of a message hashed alone. A step of all lanes costs about 4.5, and the work
/// before and after the steps 14. The work before and after the blocks of a message hashed alone costs 2.
fn together_pays(msgs: &[&[u8]]) -> bool {
    let longest = msgs.last().map_or(0, |msg| blocks(msg));
    let total: usize = msgs.iter().map(|msg| blocks(msg)).sum();
    // Both sides are doubled to stay in integers: 4.5 longest + 14 <= total + 2 messages.
    longest < BATCH_TO_BLOCKS && 9 * longest + 28 <= 2 * total + 4 * msgs.len()
}
