//! Which messages of a batch share a kernel call.
//!
//! A kernel takes as many messages as it has lanes and works as long as the longest of them. So messages of similar
//! length go together, and where they still differ too much, one by one is better. All of this depends on lengths
//! only.
use crate::blocks::BLOCK;
use crate::choose::{BATCH_SORTED_FROM_BLOCKS, BATCH_TO_BLOCKS};
use crate::field1305::batch::Batch;
use crate::field1305::steps::WIDEST;
use crate::poly1305::mac_on;
use crate::tag::Tag;
use carryless_lanes::Cpu;

/// Messages among which similar lengths are looked for.
const WINDOW: usize = 128;

/// The tags of `msgs`, each under its own one-time key. The slices have one length.
pub(crate) fn mac_batch(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    // Without vectors there are no lanes to fill.
    if matches!(cpu, Cpu::Portable(_)) {
        return one_by_one(cpu, keys, msgs, tags);
    }
    for ((keys, msgs), tags) in keys.chunks(WINDOW).zip(msgs.chunks(WINDOW)).zip(tags.chunks_mut(WINDOW)) {
        window(cpu, keys, msgs, tags);
    }
}

fn one_by_one(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    for ((key, msg), tag) in keys.iter().zip(msgs).zip(tags) {
        *tag = mac_on(cpu, key, msg);
    }
}

fn blocks(msg: &[u8]) -> usize {
    msg.len().div_ceil(BLOCK)
}

/// Up to [`WINDOW`] messages, those of similar length together.
fn window(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    let width = 2 * cpu.lanes();
    let first = msgs.first().map_or(0, |msg| blocks(msg));
    let mut order = [0; WINDOW];
    let rest = if first < BATCH_TO_BLOCKS && msgs.iter().all(|msg| blocks(msg) == first) {
        let whole = msgs.len() / width * width;
        cpu.call_lanes(Batch { keys, msgs, tags }, || ());
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

/// The indices of the messages, shortest first.
fn by_blocks(msgs: &[&[u8]], order: &mut [u8; WINDOW]) {
    // starts[k + 1] counts the messages of k blocks, then starts[k] is the place of the next of them.
    let mut starts = [0; BATCH_TO_BLOCKS + 2];
    for msg in msgs {
        starts[blocks(msg).min(BATCH_TO_BLOCKS) + 1] += 1;
    }
    for k in 0..BATCH_TO_BLOCKS {
        starts[k + 1] += starts[k];
    }
    for (i, msg) in msgs.iter().enumerate() {
        let place = &mut starts[blocks(msg).min(BATCH_TO_BLOCKS)];
        order[*place] = i as u8;
        *place += 1;
    }
}

/// At most as many messages as the kernel takes, shortest first, together or one by one.
fn mac_group(cpu: Cpu, group: &[u8], keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    let width = 2 * cpu.lanes();
    let (mut group_keys, mut group_msgs): ([_; WIDEST], [&[u8]; WIDEST]) = ([[0; 32]; WIDEST], [&[]; WIDEST]);
    let mut group_tags = [Tag::from([0; 16]); WIDEST];
    // Lanes left over repeat the last message.
    for lane in 0..width {
        let i = usize::from(group[lane.min(group.len() - 1)]);
        group_keys[lane] = keys[i];
        group_msgs[lane] = msgs[i];
    }
    if together_pays(&group_msgs[..group.len()]) {
        let (keys, msgs, tags) = (&group_keys[..width], &group_msgs[..width], &mut group_tags[..width]);
        cpu.call_lanes(Batch { keys, msgs, tags }, || ());
    } else {
        one_by_one(cpu, &group_keys[..group.len()], &group_msgs, &mut group_tags);
    }
    for (&i, tag) in group.iter().zip(group_tags) {
        tags[usize::from(i)] = tag;
    }
}

/// Whether lanes that run for the longest message cost less than the messages one by one, shortest first.
///
/// Measured in blocks done one by one: a step of all lanes costs about 4.5, what precedes and follows the steps 14,
/// and what precedes and follows the blocks of a message 2.
fn together_pays(msgs: &[&[u8]]) -> bool {
    let longest = msgs.last().map_or(0, |msg| blocks(msg));
    let total: usize = msgs.iter().map(|msg| blocks(msg)).sum();
    longest < BATCH_TO_BLOCKS && 9 * longest + 28 <= 2 * total + 4 * msgs.len()
}
