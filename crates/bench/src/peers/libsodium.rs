//! The system's libsodium, which pkg-config finds when the bench is built.
#![allow(unsafe_code)]
use crate::input::{Key, Tag};
use crate::subject::{Mode, OneByOne, Prepared, Subject};
use std::ffi::{c_int, c_ulonglong};

/// `crypto_onetimeauth_poly1305_state` of the library: 256 opaque bytes, aligned to 16.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct State([u8; 256]);

unsafe extern "C" {
    fn sodium_init() -> c_int;
    fn crypto_onetimeauth_poly1305(
        out: *mut u8,
        input: *const u8,
        length: c_ulonglong,
        key: *const u8,
    ) -> c_int;
    fn crypto_onetimeauth_poly1305_init(state: *mut State, key: *const u8) -> c_int;
    fn crypto_onetimeauth_poly1305_update(state: *mut State, input: *const u8, length: c_ulonglong) -> c_int;
    fn crypto_onetimeauth_poly1305_final(state: *mut State, out: *mut u8) -> c_int;
}

pub(super) fn subjects(mode: Mode) -> Vec<Subject> {
    // SAFETY: takes no argument, and may be called any number of times; it chooses the implementation.
    let ready = unsafe { sodium_init() };
    // 1 means that the library was initialised before.
    assert!(ready >= 0, "libsodium does not start");
    vec![match mode {
        Mode::OneShot | Mode::Batch | Mode::Latency => Subject::new("libsodium", "any", OneByOne(mac)),
        Mode::Prepared => Subject::new("libsodium", "any", Prepared(prepare, prepared_mac)),
    }]
}

fn mac(key: &Key, message: &[u8], tag: &mut Tag) {
    // SAFETY: the tag has 16 bytes, the key 32, and the message the length given.
    unsafe {
        crypto_onetimeauth_poly1305(tag.as_mut_ptr(), message.as_ptr(), message.len() as u64, key.as_ptr())
    };
}

fn prepare(key: &Key) -> State {
    let mut state = State([0; 256]);
    // SAFETY: the state has the size and alignment that the library asks for, the key 32 bytes.
    unsafe { crypto_onetimeauth_poly1305_init(&mut state, key.as_ptr()) };
    state
}

fn prepared_mac(ready: &State, _: &Key, message: &[u8], tag: &mut Tag) {
    // A tag uses up the state, so each message takes a copy.
    let mut state = *ready;
    // SAFETY: the state was initialised, the message has the length given, the tag 16 bytes.
    unsafe {
        crypto_onetimeauth_poly1305_update(&mut state, message.as_ptr(), message.len() as u64);
        crypto_onetimeauth_poly1305_final(&mut state, tag.as_mut_ptr());
    }
}
