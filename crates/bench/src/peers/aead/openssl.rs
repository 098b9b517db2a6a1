//! OpenSSL by its public interface: a context for each key, and a call that sets the nonce of each message.
#![allow(unsafe_code)]
use crate::aead::Sealing;
use crate::input::{Key, Tag};
use crate::subject::{Mode, Subject};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

// The crate is linked for its build script alone, which compiles libcrypto.
use openssl_sys as _;

unsafe extern "C" {
    fn EVP_CIPHER_CTX_new() -> *mut c_void;
    fn EVP_CIPHER_CTX_free(context: *mut c_void);
    fn EVP_chacha20_poly1305() -> *const c_void;
    fn EVP_EncryptInit_ex(
        context: *mut c_void,
        cipher: *const c_void,
        engine: *mut c_void,
        key: *const u8,
        nonce: *const u8,
    ) -> c_int;
    fn EVP_EncryptUpdate(
        context: *mut c_void,
        out: *mut u8,
        written: *mut c_int,
        input: *const u8,
        length: c_int,
    ) -> c_int;
    fn EVP_EncryptFinal_ex(context: *mut c_void, out: *mut u8, written: *mut c_int) -> c_int;
    fn EVP_CIPHER_CTX_ctrl(
        context: *mut c_void,
        control: c_int,
        number: c_int,
        pointer: *mut c_void,
    ) -> c_int;
}

/// The control that reads the tag after sealing, `EVP_CTRL_AEAD_GET_TAG` in evp.h.
const GET_TAG: c_int = 0x10;

/// A context that has its cipher and key.
struct Context(*mut c_void);

impl Context {
    fn new(key: &Key) -> Context {
        // SAFETY: the documented null defaults; the cipher takes 32 bytes of key. Both results are checked.
        let (context, done) = unsafe {
            let context = EVP_CIPHER_CTX_new();
            assert!(!context.is_null(), "libcrypto has no memory");
            let cipher = EVP_chacha20_poly1305();
            (context, EVP_EncryptInit_ex(context, cipher, null_mut(), key.as_ptr(), null()))
        };
        assert_eq!(done, 1, "libcrypto knows no ChaCha20-Poly1305");
        Context(context)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: `new` made it, and nobody else has it.
        unsafe { EVP_CIPHER_CTX_free(self.0) };
    }
}

pub(super) fn subjects(mode: Mode) -> Vec<Subject> {
    match mode {
        Mode::OneShot => vec![Subject::new("openssl", "any", Sealing(Context::new, seal))],
        _ => vec![],
    }
}

fn seal(context: &mut Context, nonce: &[u8; 24], buffer: &mut [u8], tag: &mut Tag) {
    let (bytes, mut written) = (buffer.as_mut_ptr(), 0);
    let length = c_int::try_from(buffer.len()).expect("at most 1 GiB is measured");
    // SAFETY: the context is live and has its key; it reads 12 bytes of the nonce, reads and writes `length`
    // bytes of the buffer, in place, as documented, and writes 16 bytes of the tag.
    let done = unsafe {
        // Null keeps the cipher and the key, so that only the nonce changes. Every call returns 1 for
        // success.
        EVP_EncryptInit_ex(context.0, null(), null_mut(), null(), nonce.as_ptr())
            & EVP_EncryptUpdate(context.0, bytes, &mut written, bytes, length)
            & EVP_EncryptFinal_ex(context.0, bytes, &mut written)
            & EVP_CIPHER_CTX_ctrl(context.0, GET_TAG, 16, tag.as_mut_ptr().cast())
    };
    assert_eq!(done, 1, "EVP_Encrypt fails");
}
