//! liboqs, whose HQC is of profile NR since version 0.16.
#![allow(unsafe_code)]
use super::loaded::{Buffers, Kem, Library};
use anyhow::{Result, ensure};
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Mutex;

/// A KEM of the library, `OQS_KEM *` in oqs/kem.h.
type Handle = *const c_void;
type Keypair = unsafe extern "C" fn(Handle, *mut u8, *mut u8) -> c_int;
type Encaps = unsafe extern "C" fn(Handle, *mut u8, *mut u8, *const u8) -> c_int;
type Decaps = unsafe extern "C" fn(Handle, *mut u8, *const u8, *const u8) -> c_int;
type Random = extern "C" fn(*mut u8, usize);

struct Liboqs {
    sets: Vec<(&'static str, Handle)>,
    keypair: Keypair,
    encaps: Encaps,
    decaps: Decaps,
}

// Earlier versions name them HQC-128, HQC-192 and HQC-256, and have other bytes.
const SETS: [&str; 3] = ["HQC-1", "HQC-3", "HQC-5"];

/// The random bytes of a call, and how many were handed out. They begin again when all are taken, so that
/// calls get the same ones.
static RANDOM: Mutex<(Vec<u8>, usize)> = Mutex::new((Vec::new(), 0));

extern "C" fn random(out: *mut u8, count: usize) {
    // C code calls this function, so it must not panic. Bytes are valid whichever panic left them behind.
    let mut random = RANDOM.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (bytes, taken) = &mut *random;
    for i in 0..count {
        let byte = if bytes.is_empty() { 0 } else { bytes[*taken % bytes.len()] };
        // SAFETY: liboqs asks for `count` bytes at `out`.
        unsafe { out.add(i).write(byte) };
        *taken += 1;
    }
}

/// Loads liboqs for the rest of the program, and makes it take its random bytes from this module.
///
/// # Errors
/// If it is not liboqs, or has no HQC under the names of today.
pub(super) fn load(file: &Path) -> Result<Library> {
    // SAFETY: liboqs sets itself up when it is loaded; the types are those of oqs/kem.h and oqs/rand.h, and
    // it is never unloaded.
    unsafe {
        let library = Box::leak(Box::new(libloading::Library::new(file.canonicalize()?)?));
        let new: unsafe extern "C" fn(*const c_char) -> Handle = *library.get(b"OQS_KEM_new\0")?;
        let custom: unsafe extern "C" fn(Random) = *library.get(b"OQS_randombytes_custom_algorithm\0")?;
        let init: unsafe extern "C" fn() = *library.get(b"OQS_init\0")?;
        let (keypair, encaps, decaps) = (
            *library.get(b"OQS_KEM_keypair\0")?,
            *library.get(b"OQS_KEM_encaps\0")?,
            *library.get(b"OQS_KEM_decaps\0")?,
        );
        // In this order, so that nothing in `init` can replace the generator.
        init();
        custom(random);
        let handle = |set| {
            let name = CString::new(set).expect("names have no zeros");
            (set, new(name.as_ptr()))
        };
        let sets: Vec<_> = SETS.map(handle).into_iter().filter(|(_, handle)| !handle.is_null()).collect();
        ensure!(!sets.is_empty(), "this liboqs has no HQC-1, HQC-3 or HQC-5");
        Ok(Library::new("liboqs", Liboqs { sets, keypair, encaps, decaps }))
    }
}

impl Liboqs {
    fn handle(&self, set: &str) -> Handle {
        self.sets.iter().find(|(name, _)| *name == set).map_or(std::ptr::null(), |(_, handle)| *handle)
    }
}

impl Kem for Liboqs {
    fn has(&self, set: &str) -> bool {
        !self.handle(set).is_null()
    }

    fn is_nr(&self) -> bool {
        true
    }

    fn choose(&self, bytes: &[u8]) {
        *RANDOM.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = (bytes.to_vec(), 0);
    }

    // No status is checked here and below: `verified` notices a call that failed.
    fn keygen(&self, set: &str, buffers: &mut Buffers) {
        // SAFETY: the set is there, and the buffers are larger than what it writes.
        unsafe { (self.keypair)(self.handle(set), buffers.public.as_mut_ptr(), buffers.secret.as_mut_ptr()) };
    }

    fn encaps(&self, set: &str, buffers: &mut Buffers) {
        let Buffers { public, ciphertext, shared, .. } = buffers;
        // SAFETY: as before, and there is a key.
        unsafe {
            (self.encaps)(self.handle(set), ciphertext.as_mut_ptr(), shared.as_mut_ptr(), public.as_ptr());
        }
    }

    fn decaps(&self, set: &str, buffers: &mut Buffers) {
        let Buffers { secret, ciphertext, shared, .. } = buffers;
        // SAFETY: as before, and there is a ciphertext.
        unsafe {
            (self.decaps)(self.handle(set), shared.as_mut_ptr(), ciphertext.as_ptr(), secret.as_ptr());
        }
    }
}
