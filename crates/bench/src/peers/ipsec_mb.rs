//! Intel's IPsec-MB. Its Poly1305 functions are called directly, from a shared library that exports them.
//!
//! The functions are hidden in versions 1.3 to 2.0. To export them (with nasm and cmake):
//!
//! ```sh
//! git clone https://github.com/intel/intel-ipsec-mb && cd intel-ipsec-mb && cmake -B build && cmake --build build
//! echo '#define F(f) void f(void *); void ipsec_##f(void *job) { f(job); }
//!   F(poly1305_mac_scalar) F(poly1305_mac_fma_avx2) F(poly1305_mac_plain_avx512) F(poly1305_mac_fma_avx512)' > export.c
//! gcc -O2 -shared -fPIC -o ipsec.so export.c $(find build/lib -name 'poly*.o')
//! ```
#![allow(unsafe_code)]
use crate::input::{Key, Tag};
use crate::subject::{Mode, OneByOne, Subject};
use anyhow::{Context, Result, ensure};
use libloading::Library;
use std::path::Path;
use std::ptr::null;

/// A job of IPsec-MB 1.3 to 2.0 (`IMB_JOB`, 200 bytes): the fields that the functions read, and filler between them.
#[repr(C)]
struct Job {
    keys: [u64; 3],
    source: *const u8,
    cipher: [u64; 3],
    offset: u64,
    length: u64,
    iv: [u64; 2],
    tag: *mut u8,
    tag_length: u64,
    key: *const u8,
    rest: [u64; 11],
}

type Mac = unsafe extern "C" fn(job: *mut Job);

/// Names of the functions in the library, and the variants in the names of their subjects.
const FUNCTIONS: [(&str, &str); 4] = [
    ("ipsec_poly1305_mac_scalar", "scalar"),
    ("ipsec_poly1305_mac_fma_avx2", "avx-ifma"),
    ("ipsec_poly1305_mac_plain_avx512", "avx512"),
    ("ipsec_poly1305_mac_fma_avx512", "avx512ifma"),
];

/// A subject for each function that the library exports and this CPU can run. There is none for a prepared key.
///
/// # Errors
/// If the file is no such library.
pub(super) fn subjects(file: &Path, mode: Mode) -> Result<Vec<Subject>> {
    if mode == Mode::Prepared {
        return Ok(vec![]);
    }
    let path = file.canonicalize().with_context(|| file.display().to_string())?;
    // SAFETY: the library only looks at the CPU when it is loaded; it is never unloaded, so that its
    // functions may be kept.
    let library = unsafe { Library::new(path) }.with_context(|| file.display().to_string())?;
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: the type is that of all four functions.
    let find = |symbol: &str| unsafe { library.get::<Mac>(symbol.as_bytes()) }.ok().map(|mac| *mac);
    let found: Vec<_> = FUNCTIONS.iter().filter_map(|&(symbol, name)| Some((find(symbol)?, name))).collect();
    ensure!(
        !found.is_empty(),
        "{}: none of {} is exported",
        file.display(),
        FUNCTIONS.map(|f| f.0).join(", ")
    );
    let subject = |(mac, backend): (Mac, &str)| {
        Subject::new(
            format!("ipsec-mb/{backend}"),
            backend,
            OneByOne(move |key: &Key, m: &[u8], tag: &mut Tag| {
                call(mac, key, m, tag);
            }),
        )
    };
    Ok(found.into_iter().filter(|(_, backend)| is_available(backend)).map(subject).collect())
}

#[cfg(target_arch = "x86_64")]
fn is_available(backend: &str) -> bool {
    let avx512 = || is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
    match backend {
        "avx-ifma" => is_x86_feature_detected!("avxifma"),
        "avx512" => avx512(),
        "avx512ifma" => avx512() && is_x86_feature_detected!("avx512ifma"),
        // Only the scalar code is left, which needs no vectors.
        _ => true,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_available(_: &str) -> bool {
    false
}

#[inline(always)]
fn call(mac: Mac, key: &Key, message: &[u8], tag: &mut Tag) {
    let mut job = Job {
        keys: [0; 3],
        source: message.as_ptr(),
        cipher: [0; 3],
        offset: 0,
        length: message.len() as u64,
        iv: [0; 2],
        tag: tag.as_mut_ptr(),
        tag_length: tag.len() as u64,
        key: key.as_ptr(),
        rest: [0; 11],
    };
    // The pointer of an empty slice refers to no memory.
    if message.is_empty() {
        job.source = null();
    }
    // SAFETY: the job has the library's layout; key, message and tag have the lengths given, and the CPU has
    // the instructions.
    unsafe { mac(&mut job) };
}
