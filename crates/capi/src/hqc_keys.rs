//! Keys of HQC that are ready for many operations.
use crate::hqc::{buffers, scheme};
use crate::kind::{CARRYLESS_KIND_HQC_DECAPSULATION_KEY, CARRYLESS_KIND_HQC_ENCAPSULATION_KEY};
use crate::memory::{Input, Output, Region, apart};
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status};
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey, FromBytes, PublicFromBytes};
use std::ffi::c_void;

/// An encapsulation key of HQC with what every encapsulation needs computed once. Threads may share it.
///
/// The state holds a pointer to 29 to 95 KB on the heap, which copies share.
pub struct carryless_hqc_encapsulation_key {
    _private: [u8; 0],
}

/// A decapsulation key of HQC with what every decapsulation needs computed once. Threads may share it.
///
/// The state holds a pointer to 42 to 139 KB on the heap, which copies share. They are wiped when the last copy is freed.
pub struct carryless_hqc_decapsulation_key {
    _private: [u8; 0],
}

impl Opaque for carryless_hqc_encapsulation_key {
    type Value = AnyEncapsulationKey;
    const KIND: u32 = CARRYLESS_KIND_HQC_ENCAPSULATION_KEY;
}

impl Opaque for carryless_hqc_decapsulation_key {
    type Value = AnyDecapsulationKey;
    const KIND: u32 = CARRYLESS_KIND_HQC_DECAPSULATION_KEY;
}

/// Makes an encapsulation key ready for many messages: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and
/// `memory_len` 0. Ends with carryless_free. CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_encapsulation_key_new(
    scheme: u32,
    bytes: *const u8,
    bytes_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    key: *mut *mut carryless_hqc_encapsulation_key,
) -> carryless_status {
    call(|| {
        let make = || {
            // SAFETY: the caller's promise; nothing is written while the key is read.
            let bytes = unsafe { Input::new(bytes, bytes_len)?.slice() };
            Ok(self::scheme(scheme)?.dispatch(PublicFromBytes(bytes))?.expand())
        };
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, key, &[Region::new(bytes.addr(), bytes_len)], make) }
    })
}

/// Makes a decapsulation key ready for many ciphertexts: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and
/// `memory_len` 0. Ends with carryless_free. CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_decapsulation_key_new(
    scheme: u32,
    bytes: *const u8,
    bytes_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    key: *mut *mut carryless_hqc_decapsulation_key,
) -> carryless_status {
    call(|| {
        let make = || {
            // SAFETY: the caller's promise; nothing is written while the key is read.
            let bytes = unsafe { Input::new(bytes, bytes_len)?.slice() };
            Ok(self::scheme(scheme)?.dispatch(FromBytes(bytes))?.expand())
        };
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, key, &[Region::new(bytes.addr(), bytes_len)], make) }
    })
}

/// carryless_hqc_encapsulate with a key that is ready.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `key` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_encapsulate_with(
    key: *const carryless_hqc_encapsulation_key,
    randomness: *const u8,
    randomness_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: usize,
    shared_secret: *mut u8,
    shared_secret_len: usize,
) -> carryless_status {
    call(|| {
        let outputs = [(ciphertext, ciphertext_len), (shared_secret, shared_secret_len)];
        let state = state::region(key);
        for (start, len) in outputs {
            apart(Output::new(start, len)?.region, &[state])?;
        }
        // SAFETY: the caller's promise; the outputs are apart from the rest.
        unsafe {
            let ([randomness], [ciphertext, secret]) = buffers([(randomness, randomness_len)], outputs)?;
            Ok(state::get(key)?.encapsulate(randomness, ciphertext, secret)?)
        }
    })
}

/// carryless_hqc_decapsulate with a key that is ready.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `key` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_decapsulate_with(
    key: *const carryless_hqc_decapsulation_key,
    ciphertext: *const u8,
    ciphertext_len: usize,
    shared_secret: *mut u8,
    shared_secret_len: usize,
) -> carryless_status {
    call(|| {
        let outputs = [(shared_secret, shared_secret_len), (std::ptr::null_mut(), 0)];
        apart(Output::new(shared_secret, shared_secret_len)?.region, &[state::region(key)])?;
        // SAFETY: the caller's promise; the output is apart from the rest.
        unsafe {
            let ([ciphertext], [secret, _]) = buffers([(ciphertext, ciphertext_len)], outputs)?;
            Ok(state::get(key)?.decapsulate(ciphertext, secret)?)
        }
    })
}
