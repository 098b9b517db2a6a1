//! aws-lc, as the crate `aws-lc-sys` builds it.
#![allow(unsafe_code)]
use crate::input::{Key, Tag};
use crate::subject::{Mode, OneByOne, Prepared, Subject};
use aws_lc_sys::{CRYPTO_poly1305_finish, CRYPTO_poly1305_init, CRYPTO_poly1305_update, poly1305_state};

pub(super) fn subjects(mode: Mode) -> Vec<Subject> {
    vec![match mode {
        Mode::OneShot | Mode::Batch | Mode::Latency => Subject::new("aws-lc", "any", OneByOne(mac)),
        Mode::Prepared => Subject::new("aws-lc", "any", Prepared(prepare, prepared_mac)),
    }]
}

/// The library's state. The library aligns its data inside these bytes by their address, so a copy is valid
/// only at the same distance from a multiple of 64.
#[derive(Clone)]
#[repr(C, align(64))]
struct State(poly1305_state);

fn prepare(key: &Key) -> State {
    // SAFETY: the state is plain bytes, for which zeros are valid.
    let mut state: State = unsafe { core::mem::zeroed() };
    // SAFETY: the state is live and writable, the key has 32 bytes.
    unsafe { CRYPTO_poly1305_init(&mut state.0, key.as_ptr()) };
    state
}

fn mac(key: &Key, message: &[u8], tag: &mut Tag) {
    finish(&mut prepare(key), message, tag);
}

fn prepared_mac(ready: &State, _: &Key, message: &[u8], tag: &mut Tag) {
    // A tag uses up the state, so each message takes a copy.
    finish(&mut ready.clone(), message, tag);
}

fn finish(state: &mut State, message: &[u8], tag: &mut Tag) {
    // SAFETY: the state was initialised, the message has the length given, the tag 16 bytes.
    unsafe {
        CRYPTO_poly1305_update(&mut state.0, message.as_ptr(), message.len());
        CRYPTO_poly1305_finish(&mut state.0, tag.as_mut_ptr());
    }
}
