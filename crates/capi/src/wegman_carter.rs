//! The MAC of Wegman and Carter: one-shot and in pieces.
use crate::kind::{CARRYLESS_KIND_WEGMAN_CARTER, CARRYLESS_KIND_WEGMAN_CARTER_STREAM};
use crate::memory::{Input, Output, Region, apart};
use crate::poly1305::{CARRYLESS_TAG_LEN, compare};
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status};
use carryless_aead::wegman_carter::{Nonce, Stream, WegmanCarter};
use std::ffi::c_void;

/// Bytes of the secret key of the Wegman-Carter MAC. A key serves any number of messages.
pub const CARRYLESS_WEGMAN_CARTER_KEY_LEN: usize = 32;
/// Bytes of a nonce of the Wegman-Carter MAC.
pub const CARRYLESS_WEGMAN_CARTER_NONCE_LEN: usize = 16;

/// A key of the Wegman-Carter MAC, ready for many messages. Threads may share it.
///
/// A nonce serves ONE message under a key: two messages under one nonce give the key away. It may be a counter, or random.
pub struct carryless_wegman_carter {
    _private: [u8; 0],
}

/// A message of the Wegman-Carter MAC that comes in pieces.
pub struct carryless_wegman_carter_stream {
    _private: [u8; 0],
}

impl Opaque for carryless_wegman_carter {
    type Value = WegmanCarter;
    const KIND: u32 = CARRYLESS_KIND_WEGMAN_CARTER;
}

impl Opaque for carryless_wegman_carter_stream {
    type Value = Stream;
    const KIND: u32 = CARRYLESS_KIND_WEGMAN_CARTER_STREAM;
}

/// Makes a key of 32 bytes ready: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0. Ends with
/// carryless_free.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_wegman_carter_new(
    key: *const u8,
    key_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    mac: *mut *mut carryless_wegman_carter,
) -> carryless_status {
    call(|| {
        let inputs = [Region::new(key.addr(), key_len)];
        let make = || {
            let key = Input::exact(key, key_len, CARRYLESS_WEGMAN_CARTER_KEY_LEN)?;
            // SAFETY: the caller's promise; nothing is written while the key is read.
            Ok(WegmanCarter::new(unsafe { key.array()? }))
        };
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, mac, &inputs, make) }
    })
}

/// The tag of a message under a nonce of 16 bytes, in 16 bytes.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_wegman_carter_tag(
    mac: *const carryless_wegman_carter,
    nonce: *const u8,
    nonce_len: usize,
    message: *const u8,
    message_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let nonce = Input::exact(nonce, nonce_len, CARRYLESS_WEGMAN_CARTER_NONCE_LEN)?;
        let message = Input::new(message, message_len)?;
        let tag = Output::exact(tag, tag_len, CARRYLESS_TAG_LEN)?;
        apart(tag.region, &[nonce.region, message.region, state::region(mac)])?;
        // SAFETY: the caller's promise; the tag is apart from the rest.
        unsafe {
            let nonce = Nonce::from_bytes(*nonce.array()?);
            tag.write(state::get(mac)?.tag(&nonce, message.slice()).as_bytes())
        }
    })
}

/// Compares the tag of a message in constant time: CARRYLESS_STATUS_OK or CARRYLESS_STATUS_MISMATCH.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_wegman_carter_verify(
    mac: *const carryless_wegman_carter,
    nonce: *const u8,
    nonce_len: usize,
    message: *const u8,
    message_len: usize,
    tag: *const u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let nonce = Input::exact(nonce, nonce_len, CARRYLESS_WEGMAN_CARTER_NONCE_LEN)?;
        let message = Input::new(message, message_len)?;
        let tag = Input::exact(tag, tag_len, CARRYLESS_TAG_LEN)?;
        // SAFETY: the caller's promise.
        unsafe {
            let nonce = Nonce::from_bytes(*nonce.array()?);
            compare(state::get(mac)?.tag(&nonce, message.slice()), tag.array()?)
        }
    })
}

/// A message that comes in pieces, under the nonce of the whole message. It has copies of the keys, so that `mac` may be freed before it.
///
/// # Safety
/// As of carryless_wegman_carter_new; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_wegman_carter_stream_new(
    mac: *const carryless_wegman_carter,
    nonce: *const u8,
    nonce_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    stream: *mut *mut carryless_wegman_carter_stream,
) -> carryless_status {
    call(|| {
        let inputs = [state::region(mac), Region::new(nonce.addr(), nonce_len)];
        let make = || {
            let nonce = Input::exact(nonce, nonce_len, CARRYLESS_WEGMAN_CARTER_NONCE_LEN)?;
            // SAFETY: the caller's promise; `place` keeps these and the stream apart.
            unsafe { Ok(state::get(mac)?.stream(&Nonce::from_bytes(*nonce.array()?))) }
        };
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, stream, &inputs, make) }
    })
}

/// Appends `message` to the bytes so far. The tag does not depend on how a message is cut into pieces.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `stream` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_wegman_carter_stream_update(
    stream: *mut carryless_wegman_carter_stream,
    message: *const u8,
    message_len: usize,
) -> carryless_status {
    // SAFETY: the caller's promise.
    call(|| unsafe { state::append(stream, message, message_len, Stream::update) })
}

/// The tag of all bytes, in 16 bytes. The stream is finished then, because a nonce serves one message: it may only be freed.
///
/// # Safety
/// `tag` is null or leads to `tag_len` bytes; `stream` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_wegman_carter_stream_finish(
    stream: *mut carryless_wegman_carter_stream,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let tag = Output::exact(tag, tag_len, CARRYLESS_TAG_LEN)?;
        apart(tag.region, &[state::region(stream)])?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe { tag.write(state::finish(stream, Stream::finalize)?.as_bytes()) }
    })
}

/// Compares the tag of all bytes in constant time, as carryless_wegman_carter_verify does. The stream is finished then.
///
/// # Safety
/// `tag` is null or leads to `tag_len` bytes; `stream` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_wegman_carter_stream_finish_verify(
    stream: *mut carryless_wegman_carter_stream,
    tag: *const u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let tag = Input::exact(tag, tag_len, CARRYLESS_TAG_LEN)?;
        // The state is wiped before the tag is read.
        apart(tag.region, &[state::region(stream)])?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe { compare(state::finish(stream, Stream::finalize)?, tag.array()?) }
    })
}
