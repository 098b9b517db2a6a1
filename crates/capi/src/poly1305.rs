//! Poly1305.
use crate::kind::CARRYLESS_KIND_POLY1305;
use crate::memory::{Input, Output, Region, apart};
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_hash::{Tag, poly1305};
use std::ffi::c_void;

/// Bytes of a one-time key.
pub const CARRYLESS_POLY1305_KEY_LEN: usize = 32;
/// Bytes of a tag, of Poly1305 and of the file MAC.
pub const CARRYLESS_TAG_LEN: usize = 16;

/// Poly1305 of a message that comes in pieces.
pub struct carryless_poly1305 {
    _private: [u8; 0],
}

impl Opaque for carryless_poly1305 {
    type Value = poly1305::Poly1305;
    const KIND: u32 = CARRYLESS_KIND_POLY1305;
}

/// An error if two tags differ; they are compared in constant time.
pub(crate) fn compare(computed: Tag, given: &[u8; 16]) -> Result<(), Status> {
    if computed == Tag::from(*given) { Ok(()) } else { Err(Status::Mismatch) }
}

/// The tag of a message under a one-time key of 32 bytes (RFC 8439), in 16 bytes. A key serves one message.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly1305_mac(
    key: *const u8,
    key_len: usize,
    message: *const u8,
    message_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let (key, message) = (Input::exact(key, key_len, 32)?, Input::new(message, message_len)?);
        let tag = Output::exact(tag, tag_len, 16)?;
        apart(tag.region, &[key.region, message.region])?;
        // SAFETY: the caller's promise; the tag is apart from the rest.
        unsafe { tag.write(poly1305::mac(key.array()?, message.slice()).as_bytes()) }
    })
}

/// CARRYLESS_STATUS_OK if the tag belongs to the message under the key, and CARRYLESS_STATUS_MISMATCH if not; compares in constant time.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly1305_verify(
    key: *const u8,
    key_len: usize,
    message: *const u8,
    message_len: usize,
    tag: *const u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let (key, message) = (Input::exact(key, key_len, 32)?, Input::new(message, message_len)?);
        let tag = Input::exact(tag, tag_len, 16)?;
        // SAFETY: the caller's promise.
        unsafe { compare(poly1305::mac(key.array()?, message.slice()), tag.array()?) }
    })
}

/// The tags of `count` messages, each under its own one-time key: faster than one by one for short messages. `keys` are 32 bytes for each message and
/// `tags` 16, one after the other; message i has `message_lens[i]` bytes.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `messages` and `message_lens` to `count` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly1305_batch(
    keys: *const u8,
    keys_len: usize,
    messages: *const *const u8,
    message_lens: *const usize,
    count: usize,
    tags: *mut u8,
    tags_len: usize,
) -> carryless_status {
    call(|| {
        let (keys, tags) = (Input::new(keys, keys_len)?, Output::new(tags, tags_len)?);
        let (messages, lens) = (Input::new(messages, count)?, Input::new(message_lens, count)?);
        if Some(keys_len) != count.checked_mul(CARRYLESS_POLY1305_KEY_LEN)
            || Some(tags_len) != count.checked_mul(CARRYLESS_TAG_LEN)
        {
            return Err(Status::Length);
        }
        apart(tags.region, &[keys.region, messages.region, lens.region])?;
        let (mut inputs, mut computed) = (Vec::new(), Vec::new());
        inputs.try_reserve_exact(count).map_err(|_| Status::Memory)?;
        computed.try_reserve_exact(count).map_err(|_| Status::Memory)?;
        computed.resize(count, Tag::from([0; CARRYLESS_TAG_LEN]));
        // SAFETY: the caller's promise; nothing is written before all tags are computed.
        let (keys, starts, lens) = unsafe { (keys.slice(), messages.slice(), lens.slice()) };
        for (&start, &len) in starts.iter().zip(lens) {
            let message = Input::new(start, len)?;
            apart(tags.region, &[message.region])?;
            // SAFETY: as above.
            inputs.push(unsafe { message.slice() });
        }
        poly1305::mac_batch(keys.as_chunks().0, &inputs, &mut computed);
        // SAFETY: the caller's promise; the tags are apart from the rest.
        let (tags, _) = unsafe { tags.slice() }.as_chunks_mut();
        for (out, tag) in tags.iter_mut().zip(&computed) {
            *out = tag.to_bytes();
        }
        Ok(())
    })
}

/// A message that comes in pieces, under a one-time key of 32 bytes: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null
/// and `memory_len` 0. Ends with carryless_free.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly1305_new(
    key: *const u8,
    key_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    state: *mut *mut carryless_poly1305,
) -> carryless_status {
    call(|| {
        let inputs = [Region::new(key.addr(), key_len)];
        let make = || {
            let key = Input::exact(key, key_len, CARRYLESS_POLY1305_KEY_LEN)?;
            // SAFETY: the caller's promise; nothing is written while the key is read.
            Ok(poly1305::Poly1305::new(unsafe { key.array()? }))
        };
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, state, &inputs, make) }
    })
}

/// Appends `message` to the bytes so far. The tag does not depend on how a message is cut into pieces.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `state` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly1305_update(
    state: *mut carryless_poly1305,
    message: *const u8,
    message_len: usize,
) -> carryless_status {
    // SAFETY: the caller's promise.
    call(|| unsafe { state::append(state, message, message_len, poly1305::Poly1305::update) })
}

/// The tag of all bytes, in 16 bytes. The state is finished then, because a key serves one message: it may only be freed.
///
/// # Safety
/// `tag` is null or leads to `tag_len` bytes; `state` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly1305_finish(
    state: *mut carryless_poly1305,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let tag = Output::exact(tag, tag_len, 16)?;
        apart(tag.region, &[state::region(state)])?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe { tag.write(state::finish(state, |mac| mac.finalize())?.as_bytes()) }
    })
}

/// Compares the tag of all bytes in constant time, as carryless_poly1305_verify does. The state is finished then.
///
/// # Safety
/// `tag` is null or leads to `tag_len` bytes; `state` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly1305_finish_verify(
    state: *mut carryless_poly1305,
    tag: *const u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let tag = Input::exact(tag, tag_len, 16)?;
        // The state is wiped before the tag is read.
        apart(tag.region, &[state::region(state)])?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe { compare(state::finish(state, |mac| mac.finalize())?, tag.array()?) }
    })
}
