//! The file MAC: one-shot, in pieces, and in parts that are hashed apart.
use crate::kind::{CARRYLESS_KIND_FILE_MAC, CARRYLESS_KIND_FILE_MAC_PARTS, CARRYLESS_KIND_FILE_MAC_STREAM};
use crate::memory::{Input, Output, Region, apart};
use crate::poly1305::compare;
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_aead::file_mac::{Algorithm, FileMac, Part, Parts, Stream, Subject, WrongPart};
use std::ffi::c_void;

/// Bytes of the secret key of a file MAC. A key serves any number of messages.
pub const CARRYLESS_FILE_MAC_KEY_LEN: usize = 32;
/// Bytes of the message that a part covers; the last one may be shorter.
pub const CARRYLESS_FILE_MAC_PART: usize = 1 << 20;
/// Bytes of a part outside of the library.
pub const CARRYLESS_FILE_MAC_PART_LEN: usize = 96;

const _: () = assert!(
    CARRYLESS_FILE_MAC_PART == carryless_aead::file_mac::PART
        && CARRYLESS_FILE_MAC_PART_LEN == Part::SECRET_BYTES
);

/// An algorithm: 4-decbrwhash1305-hchacha20, which new programs take.
pub const CARRYLESS_FILE_MAC_DECBRWHASH1305: u32 = 0;
/// An algorithm: polyhash1305-hchacha20, whose tags differ from those of the other one.
pub const CARRYLESS_FILE_MAC_POLYHASH1305: u32 = 1;

/// A subject: the contents of a file, or any message.
pub const CARRYLESS_FILE_MAC_FILE: u32 = 0;
/// A subject: a list of files. Its tags differ from those of a file with the same bytes.
pub const CARRYLESS_FILE_MAC_MANIFEST: u32 = 1;

/// A key, ready for many messages. Threads may share it.
pub struct carryless_file_mac {
    _private: [u8; 0],
}

/// A message that comes in pieces.
pub struct carryless_file_mac_stream {
    _private: [u8; 0],
}

/// A message whose parts are hashed apart.
pub struct carryless_file_mac_parts {
    _private: [u8; 0],
}

impl Opaque for carryless_file_mac {
    type Value = FileMac;
    const KIND: u32 = CARRYLESS_KIND_FILE_MAC;
}

impl Opaque for carryless_file_mac_stream {
    type Value = Stream;
    const KIND: u32 = CARRYLESS_KIND_FILE_MAC_STREAM;
}

impl Opaque for carryless_file_mac_parts {
    type Value = Parts;
    const KIND: u32 = CARRYLESS_KIND_FILE_MAC_PARTS;
}

impl From<WrongPart> for Status {
    fn from(wrong: WrongPart) -> Status {
        match wrong {
            WrongPart::TooLong | WrongPart::MessageTooLong => Status::Length,
            WrongPart::Invalid => Status::Value,
            _ => Status::Order,
        }
    }
}

/// Makes a key of 32 bytes ready, for one of CARRYLESS_FILE_MAC_DECBRWHASH1305 and _POLYHASH1305 and one of CARRYLESS_FILE_MAC_FILE and _MANIFEST: in
/// `memory`, as carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0. Ends with carryless_free.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_new(
    algorithm: u32,
    subject: u32,
    key: *const u8,
    key_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    mac: *mut *mut carryless_file_mac,
) -> carryless_status {
    call(|| {
        let make = || {
            let algorithm = match algorithm {
                CARRYLESS_FILE_MAC_DECBRWHASH1305 => Algorithm::DecBrwHash1305,
                CARRYLESS_FILE_MAC_POLYHASH1305 => Algorithm::PolyHash1305,
                _ => return Err(Status::Unsupported),
            };
            let subject = match subject {
                CARRYLESS_FILE_MAC_FILE => Subject::File,
                CARRYLESS_FILE_MAC_MANIFEST => Subject::Manifest,
                _ => return Err(Status::Unsupported),
            };
            let key = Input::exact(key, key_len, CARRYLESS_FILE_MAC_KEY_LEN)?;
            // SAFETY: the caller's promise; nothing is written while the key is read.
            Ok(FileMac::new(algorithm, subject, unsafe { key.array()? }))
        };
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, mac, &[Region::new(key.addr(), key_len)], make) }
    })
}

/// The tag of a message, in 16 bytes.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_tag(
    mac: *const carryless_file_mac,
    message: *const u8,
    message_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let (message, tag) = (Input::new(message, message_len)?, Output::exact(tag, tag_len, 16)?);
        apart(tag.region, &[message.region, state::region(mac)])?;
        // SAFETY: the caller's promise; the tag is apart from the rest.
        unsafe {
            let (mac, message) = (state::get(mac)?, message.slice());
            tag.write(state::on_copies::<carryless_file_mac, _>(|| mac.tag(message)).as_bytes())
        }
    })
}

/// Compares the tag of a message in constant time: CARRYLESS_STATUS_OK or CARRYLESS_STATUS_MISMATCH.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_verify(
    mac: *const carryless_file_mac,
    message: *const u8,
    message_len: usize,
    tag: *const u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let (message, tag) = (Input::new(message, message_len)?, Input::exact(tag, tag_len, 16)?);
        // SAFETY: the caller's promise.
        unsafe {
            let (mac, message) = (state::get(mac)?, message.slice());
            compare(state::on_copies::<carryless_file_mac, _>(|| mac.tag(message)), tag.array()?)
        }
    })
}

/// A message that comes in pieces. It has copies of the keys, so that `mac` may be freed before it.
///
/// # Safety
/// As of carryless_file_mac_new; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_stream_new(
    mac: *const carryless_file_mac,
    memory: *mut c_void,
    memory_len: usize,
    stream: *mut *mut carryless_file_mac_stream,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise; `place` keeps the two apart.
        unsafe {
            state::place(memory, memory_len, stream, &[state::region(mac)], || Ok(state::get(mac)?.stream()))
        }
    })
}

/// Appends `message` to the bytes so far. The tag does not depend on how a message is cut into pieces.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `stream` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_stream_update(
    stream: *mut carryless_file_mac_stream,
    message: *const u8,
    message_len: usize,
) -> carryless_status {
    // SAFETY: the caller's promise.
    call(|| unsafe { state::append(stream, message, message_len, Stream::update) })
}

/// The tag of all bytes so far, in 16 bytes. More may follow.
///
/// # Safety
/// `tag` is null or leads to `tag_len` bytes; `stream` came from this library, and no other thread changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_stream_tag(
    stream: *const carryless_file_mac_stream,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let tag = Output::exact(tag, tag_len, 16)?;
        apart(tag.region, &[state::region(stream)])?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe {
            let stream = state::get(stream)?;
            tag.write(state::on_copies::<carryless_file_mac_stream, _>(|| stream.tag()).as_bytes())
        }
    })
}

/// Back to the start, for another message under the same key.
///
/// # Safety
/// `stream` is null or came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_stream_reset(
    stream: *mut carryless_file_mac_stream,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { state::get_mut(stream)?.reset() };
        Ok(())
    })
}

/// The hash of part `index` of a message, counted from 0: CARRYLESS_FILE_MAC_PART bytes, or what is left for the last part. It is written as
/// CARRYLESS_FILE_MAC_PART_LEN bytes, which are as secret as the key: encrypt and authenticate them where others can read or write them.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_part(
    mac: *const carryless_file_mac,
    index: u64,
    message: *const u8,
    message_len: usize,
    part: *mut u8,
    part_len: usize,
) -> carryless_status {
    call(|| {
        let message = Input::new(message, message_len)?;
        let part = Output::exact(part, part_len, CARRYLESS_FILE_MAC_PART_LEN)?;
        apart(part.region, &[message.region, state::region(mac)])?;
        if message_len > CARRYLESS_FILE_MAC_PART {
            return Err(Status::Length);
        }
        // SAFETY: the caller's promise; the part is apart from the rest.
        unsafe {
            let (mac, message) = (state::get(mac)?, message.slice());
            state::on_copies::<carryless_file_mac, _>(|| {
                part.write(&*mac.part(index, message).to_secret_bytes())
            })
        }
    })
}

/// A message whose parts are hashed apart, of which there are none so far.
///
/// # Safety
/// As of carryless_file_mac_new; `mac` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_parts_new(
    mac: *const carryless_file_mac,
    memory: *mut c_void,
    memory_len: usize,
    parts: *mut *mut carryless_file_mac_parts,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise; `place` keeps the two apart.
        unsafe {
            state::place(memory, memory_len, parts, &[state::region(mac)], || Ok(state::get(mac)?.parts()))
        }
    })
}

/// Appends the next part. CARRYLESS_STATUS_ORDER if it is not the next one, or belongs to another key, algorithm or subject; CARRYLESS_STATUS_VALUE if the bytes
/// are no part.
///
/// # Safety
/// As of carryless_file_mac_tag; no other thread uses `parts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_parts_push(
    parts: *mut carryless_file_mac_parts,
    mac: *const carryless_file_mac,
    part: *const u8,
    part_len: usize,
) -> carryless_status {
    call(|| {
        let part = Input::exact(part, part_len, CARRYLESS_FILE_MAC_PART_LEN)?;
        apart(state::region(parts), &[part.region, state::region(mac)])?;
        // SAFETY: the caller's promise; the three are apart.
        unsafe {
            let part = state::get(mac)?.part_from_secret_bytes(part.slice())?;
            Ok(state::get_mut(parts)?.push(&part)?)
        }
    })
}

/// The tag of the parts so far, in 16 bytes: that of the message in one piece. More may follow.
///
/// # Safety
/// `tag` is null or leads to `tag_len` bytes; `parts` came from this library, and no other thread changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_file_mac_parts_tag(
    parts: *const carryless_file_mac_parts,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    call(|| {
        let tag = Output::exact(tag, tag_len, 16)?;
        apart(tag.region, &[state::region(parts)])?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe { tag.write(state::get(parts)?.tag().as_bytes()) }
    })
}
