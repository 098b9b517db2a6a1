//! Which messages of a batch share a kernel call.
//!
//! A kernel takes as many messages as it has lanes and works as long as the longest of them. So messages of similar
//! length go together, and where they still differ too much, one by one is better. All of this depends on lengths
//! only.
use crate::blocks::BLOCK;
use crate::evaluate::clamp;
use crate::field1305::batch::{Batch, WIDEST, Width};
use crate::poly1305::{mac_on, split};
use crate::tag::Tag;
use carryless_lanes::Cpu;

/// Messages among which similar lengths are looked for.
const WINDOW: usize = 128;

/// From this many blocks on the kernels for one long message are as fast.
const LONG: usize = 128;

/// The tags of `msgs`, each under its own one-time key. The slices have one length.
pub(crate) fn mac_batch(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    // Without vectors there are no lanes to fill.
    if matches!(cpu, Cpu::Portable(_)) {
        return one_by_one(cpu, keys, msgs, tags);
    }
    for ((keys, msgs), tags) in keys.chunks(WINDOW).zip(msgs.chunks(WINDOW)).zip(tags.chunks_mut(WINDOW)) {
        let mut order: [u8; WINDOW] = core::array::from_fn(|i| i as u8);
        let order = &mut order[..msgs.len()];
        if !msgs.is_sorted_by_key(|msg| blocks(msg)) {
            order.sort_unstable_by_key(|&i| blocks(msgs[usize::from(i)]));
        }
        if msgs.first().map(|m|blocks(m)) == msgs.last().map(|m|blocks(m)) {
            cpu.call(Batch { keys, msgs, tags, order });
            continue;
        }
        for group in order.chunks(cpu.call(Width)) {
            mac_group(cpu, group, keys, msgs, tags);
        }
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

/// The messages whose indices `group` lists: at most as many as the kernel takes.
fn mac_group(cpu: Cpu, group: &[u8], keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    let total: usize = group.iter().map(|&i| blocks(msgs[usize::from(i)])).sum();
    let longest = group.last().map_or(0, |&i| blocks(msgs[usize::from(i)]));
    if longest >= LONG || !together_pays(group.len(), total, longest) {
        for &i in group {
            let i = usize::from(i);
            tags[i] = mac_on(cpu, &keys[i], msgs[i]);
        }
        return;
    }
    cpu.call(Batch { keys, msgs, tags, order: group });
}

/// Whether lanes that run for the longest message cost less than the blocks themselves.
///
/// A step of all lanes takes about as long as two or three blocks one by one, and so do the first and the last
/// operations of each message that is done alone.
fn together_pays(messages: usize, total: usize, longest: usize) -> bool {
    3 * (longest + 1) <= total + messages
}
