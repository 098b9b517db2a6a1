//! Tests that states and functions leave nothing of a key in the caller's memory, on the heap or on the
//! stack.
#![cfg(all(target_os = "linux", feature = "file-mac"))]

#[cfg(feature = "field")]
mod fields;
#[cfg(feature = "hqc")]
mod hqc;

use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
use carryless_capi::{
    CARRYLESS_FILE_MAC_DECBRWHASH1305, CARRYLESS_FILE_MAC_FILE, CARRYLESS_FILE_MAC_PART_LEN, carryless_copy,
    carryless_file_mac, carryless_file_mac_new, carryless_file_mac_part, carryless_file_mac_parts_new,
    carryless_file_mac_parts_push, carryless_file_mac_parts_tag, carryless_file_mac_stream,
    carryless_file_mac_stream_new, carryless_file_mac_stream_tag, carryless_file_mac_stream_update,
    carryless_file_mac_tag, carryless_file_mac_verify, carryless_free, carryless_poly1305,
    carryless_poly1305_finish, carryless_poly1305_new, carryless_poly1305_update, carryless_status,
};
use carryless_residue::{Secrets, Watched};
use std::ffi::c_void;
use std::ptr::null_mut;
use zeroize::Zeroize as _;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Memory of the caller for a state, aligned as states are. With `None` the state is on the heap.
#[repr(align(64))]
struct Memory([u8; 16 << 10]);

impl Memory {
    fn of(memory: &mut Option<Box<Memory>>) -> (*mut c_void, usize) {
        memory.as_mut().map_or((null_mut(), 0), |memory| (memory.0.as_mut_ptr().cast(), memory.0.len()))
    }
}

/// Runs `operation` with the state in the caller's memory, then on the heap. The caller's memory is searched
/// while it still exists.
fn in_both(secrets: &Secrets, what: &str, operation: impl Fn(&mut Option<Box<Memory>>) + Sync) {
    for in_memory in [true, false] {
        let what = format!("{what}, {}", if in_memory { "memory of the caller" } else { "heap" });
        let mut memory = in_memory.then(|| Box::new(Memory([0; 16 << 10])));
        secrets.assert_gone(&what, || operation(&mut memory));
    }
}

fn secrets() -> Secrets {
    Secrets::new(|record| {
        let key = *carryless_aead::hchacha20(&[9; 32], b"a key for a test");
        record("key", &key);
        for digit in b'3'..=b'6' {
            let mut label = *b"carryless file-?";
            label[15] = digit;
            record(&format!("key {}", digit as char), &*carryless_aead::hchacha20(&key, &label));
        }
        record("hash key", &carryless_aead::hchacha20(&key, b"carryless wegm-1")[..16]);
        record("mask key", &*carryless_aead::hchacha20(&key, b"carryless wegm-2"));
        let mac = FileMac::new(Algorithm::DecBrwHash1305, Subject::File, &key);
        record("digest", &mac.part(0, &[7; 5000]).to_secret_bytes()[40..56]);
    })
}

fn ok(status: carryless_status) {
    assert_eq!(status, carryless_status::Ok);
}

fn file_mac(secrets: &Secrets, (memory, len): (*mut c_void, usize)) -> *mut carryless_file_mac {
    let (key, mut mac) = (secrets.reveal("key"), null_mut());
    // SAFETY: the pointers lead to what their lengths say.
    ok(unsafe {
        carryless_file_mac_new(
            CARRYLESS_FILE_MAC_DECBRWHASH1305,
            CARRYLESS_FILE_MAC_FILE,
            key.as_ptr(),
            key.len(),
            memory,
            len,
            &raw mut mac,
        )
    });
    mac
}

#[test]
fn states_leave_nothing() {
    let secrets = &secrets();
    in_both(secrets, "file MAC", |memory| {
        let mac = file_mac(secrets, Memory::of(memory));
        secrets.assert_visible("key 5", true);
        // SAFETY: it came from this library.
        ok(unsafe { carryless_free(mac.cast()) });
        secrets.assert_visible("key 5", false);
    });
    in_both(secrets, "a copy", |memory| {
        let (mac, mut copy) = (file_mac(secrets, (null_mut(), 0)), null_mut());
        let (memory, len) = Memory::of(memory);
        // SAFETY: they came from this library; the memory is as long as said.
        unsafe {
            ok(carryless_copy(mac.cast(), memory, len, &raw mut copy));
            ok(carryless_free(mac.cast()));
            secrets.assert_visible("key 5", true);
            ok(carryless_free(copy));
        }
    });
    in_both(secrets, "stream", |memory| {
        let mac = file_mac(secrets, (null_mut(), 0));
        let (memory, len) = Memory::of(memory);
        let (message, mut tag) = ([7; 5000], [0; 16]);
        let mut stream: *mut carryless_file_mac_stream = null_mut();
        // SAFETY: they came from this library; the memory is as long as said.
        unsafe {
            ok(carryless_file_mac_stream_new(mac, memory, len, &raw mut stream));
            ok(carryless_free(mac.cast()));
            ok(carryless_file_mac_stream_update(stream, message.as_ptr(), message.len()));
            ok(carryless_file_mac_stream_tag(stream, tag.as_mut_ptr(), tag.len()));
            ok(carryless_free(stream.cast()));
        }
    });
    in_both(secrets, "Poly1305", |memory| {
        let (key, message, mut tag) = (secrets.reveal("key"), [7; 5000], [0; 16]);
        let (memory, len) = Memory::of(memory);
        let mut state: *mut carryless_poly1305 = null_mut();
        // SAFETY: the pointers lead to what their lengths say.
        unsafe {
            ok(carryless_poly1305_new(key.as_ptr(), key.len(), memory, len, &raw mut state));
            drop(key);
            ok(carryless_poly1305_update(state, message.as_ptr(), message.len()));
            ok(carryless_poly1305_finish(state, tag.as_mut_ptr(), tag.len()));
            // The state is finished but not freed, and already holds nothing of the key.
            secrets.assert_visible("key", false);
            ok(carryless_free(state.cast()));
        }
    });
}

/// The digest in a part and in a tag is as secret as the key.
#[test]
fn digests_leave_nothing() {
    let secrets = &secrets();
    // Each function is the last of its operation: what follows could overwrite what it leaves on the stack.
    let after_part = |what: &str, then: &(dyn Fn(*mut carryless_file_mac, &mut [u8]) + Sync)| {
        secrets.assert_gone(what, || {
            let mac = file_mac(secrets, (null_mut(), 0));
            let (message, mut part) = ([7; 5000], [0; CARRYLESS_FILE_MAC_PART_LEN]);
            let (text, out) = (message.as_ptr(), part.as_mut_ptr());
            // SAFETY: they came from this library; the buffers are as long as said.
            ok(unsafe { carryless_file_mac_part(mac, 0, text, message.len(), out, part.len()) });
            then(mac, &mut part);
            part.zeroize();
            // SAFETY: as above.
            ok(unsafe { carryless_free(mac.cast()) });
        });
    };
    let push = |mac: *mut carryless_file_mac, part: &mut [u8], tag: bool| {
        let (mut parts, mut bytes) = (null_mut(), [0; 16]);
        // SAFETY: as above.
        unsafe {
            ok(carryless_file_mac_parts_new(mac, null_mut(), 0, &raw mut parts));
            ok(carryless_file_mac_parts_push(parts, mac, part.as_ptr(), part.len()));
            if tag {
                ok(carryless_file_mac_parts_tag(parts, bytes.as_mut_ptr(), 16));
            }
            ok(carryless_free(parts.cast()));
        }
    };
    after_part("a part", &|_, _| ());
    after_part("a part that was pushed", &|mac, part| push(mac, part, false));
    after_part("the tag of parts", &|mac, part| push(mac, part, true));
    let of_message = |what: &str, verify: bool| {
        secrets.assert_gone(what, || {
            let mac = file_mac(secrets, (null_mut(), 0));
            let (message, mut tag) = ([7; 5000], [0; 16]);
            // SAFETY: as above.
            unsafe {
                ok(carryless_file_mac_tag(mac, message.as_ptr(), message.len(), tag.as_mut_ptr(), 16));
                if verify {
                    ok(carryless_file_mac_verify(mac, message.as_ptr(), message.len(), tag.as_ptr(), 16));
                }
                ok(carryless_free(mac.cast()));
            }
        });
    };
    of_message("a tag", false);
    of_message("a tag that is compared", true);
}

#[cfg(feature = "wegman-carter")]
#[test]
fn wegman_carter_leaves_nothing() {
    use carryless_capi::{
        carryless_wegman_carter_new, carryless_wegman_carter_stream_finish,
        carryless_wegman_carter_stream_new, carryless_wegman_carter_stream_update,
        carryless_wegman_carter_tag,
    };

    let secrets = &secrets();
    in_both(secrets, "Wegman-Carter", |memory| {
        let (key, message, mut tag) = (secrets.reveal("key"), [7; 5000], [0; 16]);
        let (mut mac, mut stream) = (null_mut(), null_mut());
        let (memory, len) = Memory::of(memory);
        // SAFETY: the pointers lead to what their lengths say.
        unsafe {
            let (text, text_len, out) = (message.as_ptr(), message.len(), tag.as_mut_ptr());
            ok(carryless_wegman_carter_new(key.as_ptr(), key.len(), null_mut(), 0, &raw mut mac));
            drop(key);
            secrets.assert_visible("mask key", true);
            ok(carryless_wegman_carter_tag(mac, text, 16, text, text_len, out, 16));
            ok(carryless_wegman_carter_stream_new(mac, text, 16, memory, len, &raw mut stream));
            ok(carryless_free(mac.cast()));
            secrets.assert_visible("mask key", false);
            ok(carryless_wegman_carter_stream_update(stream, text, text_len));
            ok(carryless_wegman_carter_stream_finish(stream, out, 16));
            ok(carryless_free(stream.cast()));
        }
    });
}

#[cfg(feature = "universal")]
#[test]
fn universal_hashes_leave_nothing() {
    use carryless_capi::{
        CARRYLESS_UNIVERSAL_DECBRWHASH1305, CARRYLESS_UNIVERSAL_POLYHASH1305, carryless_universal_digest,
        carryless_universal_new, carryless_universal_stream_digest, carryless_universal_stream_new,
        carryless_universal_stream_update,
    };

    let secrets = &secrets();
    for (algorithm, streams) in
        [(CARRYLESS_UNIVERSAL_POLYHASH1305, 0), (CARRYLESS_UNIVERSAL_DECBRWHASH1305, 4)]
    {
        in_both(secrets, "universal hash", |memory| {
            let (key, message, mut digest) = (secrets.reveal("hash key"), [7; 5000], [0; 16]);
            let (mut hash, mut stream) = (null_mut(), null_mut());
            let (memory, len) = Memory::of(memory);
            // SAFETY: the pointers lead to what their lengths say.
            unsafe {
                let (key_start, key_len) = (key.as_ptr(), key.len());
                let (text, text_len, out) = (message.as_ptr(), message.len(), digest.as_mut_ptr());
                ok(carryless_universal_new(
                    algorithm,
                    streams,
                    key_start,
                    key_len,
                    null_mut(),
                    0,
                    &raw mut hash,
                ));
                ok(carryless_universal_digest(hash, text, text_len, out, 16));
                ok(carryless_free(hash.cast()));
                ok(carryless_universal_stream_new(
                    algorithm,
                    streams,
                    key_start,
                    key_len,
                    memory,
                    len,
                    &raw mut stream,
                ));
                drop(key);
                ok(carryless_universal_stream_update(stream, text, text_len));
                ok(carryless_universal_stream_digest(stream, out, 16));
                ok(carryless_free(stream.cast()));
            }
        });
    }
}

#[cfg(feature = "aead")]
#[test]
fn aead_leaves_nothing() {
    use carryless_capi::{
        CARRYLESS_AEAD_CHACHA20POLY1305, CARRYLESS_AEAD_XCHACHA20DECBRW1305, carryless_aead_nonce_len,
        carryless_aead_open, carryless_aead_seal,
    };

    let secrets = &secrets();
    for algorithm in CARRYLESS_AEAD_CHACHA20POLY1305..=CARRYLESS_AEAD_XCHACHA20DECBRW1305 {
        secrets.assert_gone("AEAD", || {
            let (key, nonce) = (secrets.reveal("key"), [7; 24]);
            let (mut text, mut tag, mut nonce_len) = ([7; 5000], [0; 16], 0);
            // SAFETY: the pointers lead to what their lengths say.
            unsafe {
                ok(carryless_aead_nonce_len(algorithm, &raw mut nonce_len));
                let (key, nonce, place, len) = (key.as_ptr(), nonce.as_ptr(), text.as_mut_ptr(), text.len());
                let tag = tag.as_mut_ptr();
                ok(carryless_aead_seal(
                    algorithm, key, 32, nonce, nonce_len, nonce, 5, place, len, place, len, tag, 16,
                ));
                ok(carryless_aead_open(
                    algorithm, key, 32, nonce, nonce_len, nonce, 5, place, len, tag, 16, place, len,
                ));
            }
        });
    }
}
