//! leancrypto, whose HQC is that of 2025-02-19: other bytes than those of every profile here, but the same
//! code and products.
#![allow(unsafe_code)]
use super::loaded::{Buffers, Kem, Library};
use anyhow::Result;
use std::ffi::{c_int, c_void};
use std::path::Path;

/// Keys, ciphertexts and secrets are structs of the library. Each begins with its type.
type Keypair = unsafe extern "C" fn(*mut u8, *mut u8, *mut c_void, c_int) -> c_int;
type Encaps = unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int;
type Decaps = unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int;

struct Leancrypto {
    keypair: Keypair,
    encaps: Encaps,
    decaps: Decaps,
    /// The library's own random generator, the pointer `lc_seeded_rng`.
    random: *mut c_void,
}

/// Loads leancrypto for the rest of the program.
///
/// # Errors
/// If it is not leancrypto, or was built without HQC.
pub(super) fn load(file: &Path) -> Result<Library> {
    // SAFETY: leancrypto sets itself up when it is loaded; the types are those of lc_hqc.h and lc_rng.h, and
    // it is never unloaded.
    unsafe {
        let library = Box::leak(Box::new(libloading::Library::new(file.canonicalize()?)?));
        let random: *mut *mut c_void = *library.get(b"lc_seeded_rng\0")?;
        let kem = Leancrypto {
            keypair: *library.get(b"lc_hqc_keypair\0")?,
            encaps: *library.get(b"lc_hqc_enc\0")?,
            decaps: *library.get(b"lc_hqc_dec\0")?,
            random: *random,
        };
        Ok(Library::new("leancrypto", kem))
    }
}

/// The value of `enum lc_hqc_type` in lc_hqc.h for a parameter set.
fn number(set: &str) -> c_int {
    match set {
        "HQC-5" => 1,
        "HQC-3" => 2,
        _ => 3,
    }
}

impl Kem for Leancrypto {
    // `load` has found HQC, and leancrypto has all three sets of it.
    fn has(&self, _: &str) -> bool {
        true
    }

    fn is_nr(&self) -> bool {
        false
    }

    /// Does nothing: the library draws its own random bytes.
    fn choose(&self, _: &[u8]) {}

    // No status is checked here and below: `verified` notices a call that failed.
    fn keygen(&self, set: &str, Buffers { public, secret, .. }: &mut Buffers) {
        // SAFETY: the buffers are larger than the structs, and aligned for them.
        unsafe { (self.keypair)(public.as_mut_ptr(), secret.as_mut_ptr(), self.random, number(set)) };
    }

    fn encaps(&self, _: &str, Buffers { public, ciphertext, shared, .. }: &mut Buffers) {
        // SAFETY: as before; there is a key, which says of which type it is.
        unsafe { (self.encaps)(ciphertext.as_mut_ptr(), shared.as_mut_ptr(), public.as_ptr()) };
    }

    fn decaps(&self, _: &str, Buffers { secret, ciphertext, shared, .. }: &mut Buffers) {
        // SAFETY: as before; there is a ciphertext of that type.
        unsafe { (self.decaps)(shared.as_mut_ptr(), ciphertext.as_ptr(), secret.as_ptr()) };
    }
}
