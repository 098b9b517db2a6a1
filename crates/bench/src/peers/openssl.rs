//! OpenSSL: its assembly called directly and forced to each path that this CPU can run, and the public EVP
//! interface.
//!
//! The direct calls leave out the copying and wiping around the assembly, so they are as fast as OpenSSL can
//! be.
#![allow(unsafe_code)]
use crate::input::{Input, Key, Tag};
use crate::subject::{Mode, OneByOne, Prepared, Runner, Subject, Work};
use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

// The crate is linked for its build script alone, which compiles libcrypto.
use openssl_sys as _;

type Blocks = unsafe extern "C" fn(state: *mut State, input: *const u8, length: usize, pad_bit: c_uint);
type Emit = unsafe extern "C" fn(state: *mut State, tag: *mut u8, nonce: *const u8);

/// The two functions of a path, which `poly1305_init` chooses.
#[derive(Clone, Copy)]
#[repr(C)]
struct Path {
    blocks: Blocks,
    emit: Emit,
}

/// The assembly's state: 192 opaque bytes. The first 20 are the accumulator; the next 4 say whether it has
/// radix 2^26, in which case the key's powers are ready too. The assembly reads words of 8 bytes, so these
/// must be written as such.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct State([u64; 24]);

/// Words of CPUID by which the library chooses its path.
type Capability = [u32; 10];

unsafe extern "C" {
    static mut OPENSSL_ia32cap_P: Capability;
    fn poly1305_init(state: *mut State, key: *const u8, path: *mut Path) -> c_int;
    fn poly1305_blocks(state: *mut State, input: *const u8, length: usize, pad_bit: c_uint);
    fn poly1305_emit(state: *mut State, tag: *mut u8, nonce: *const u8);
    fn EVP_MAC_fetch(library: *mut c_void, name: *const c_char, properties: *const c_char) -> *mut c_void;
    fn EVP_MAC_CTX_new(mac: *mut c_void) -> *mut c_void;
    fn EVP_MAC_init(ctx: *mut c_void, key: *const u8, length: usize, params: *const c_void) -> c_int;
    fn EVP_MAC_update(ctx: *mut c_void, data: *const u8, length: usize) -> c_int;
    fn EVP_MAC_final(ctx: *mut c_void, out: *mut u8, written: *mut usize, size: usize) -> c_int;
}

// Word 1 of the capability is ECX of CPUID leaf 1, word 2 is EBX of leaf 7.
const AVX: u32 = 1 << 28;
const AVX2: u32 = 1 << 5;
/// Bits of AVX-512 F, BW and VL in word 2 of the capability.
const AVX512: u32 = 1 << 16 | 1 << 30 | 1 << 31;
const AVX512IFMA: u32 = 1 << 21;

/// A path of the library: the vector bits to set in words 1 and 2 of the capability. All other vector bits are cleared.
#[derive(Clone, Copy)]
struct Forced {
    backend: &'static str,
    word1: u32,
    word2: u32,
}

const PATHS: [Forced; 4] = [
    Forced { backend: "scalar", word1: 0, word2: 0 },
    Forced { backend: "avx2", word1: AVX, word2: AVX2 },
    Forced { backend: "avx512", word1: AVX, word2: AVX2 | AVX512 },
    Forced { backend: "avx512ifma", word1: AVX, word2: AVX2 | AVX512 | AVX512IFMA },
];

/// A subject for each path that this CPU can run, and one for the EVP interface, which has no prepared key.
pub(super) fn subjects(mode: Mode) -> Vec<Subject> {
    let mut all = Vec::new();
    for path in PATHS.into_iter().filter(Forced::is_available) {
        let name = format!("openssl/{}", path.backend);
        match mode {
            // OpenSSL has no call for many messages, so a batch is one call for each.
            Mode::OneShot | Mode::Batch | Mode::Latency => {
                all.push(Subject::new(name, path.backend, On(path, OneByOne(mac))))
            }
            // The AVX-512 paths lay out their powers differently from what `Ready` assumes.
            Mode::Prepared if path.word2 & AVX512 != 0 => {}
            Mode::Prepared => {
                all.push(Subject::new(name, path.backend, On(path, Prepared(Ready::new, Ready::mac))))
            }
        }
    }
    if mode != Mode::Prepared {
        all.push(Subject::new("openssl/evp", "any", On(Forced::none(), OneByOne(evp()))));
    }
    all
}

impl Forced {
    /// The path that the library itself chooses: the capability stays as it is.
    fn none() -> Forced {
        Forced { backend: "any", word1: u32::MAX, word2: u32::MAX }
    }

    fn is_available(&self) -> bool {
        let has512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        (self.word2 & AVX2 == 0 || is_x86_feature_detected!("avx2"))
            && (self.word2 & AVX512 == 0 || has512)
            && (self.word2 & AVX512IFMA == 0 || is_x86_feature_detected!("avx512ifma"))
    }

    /// Makes the library take this path from now on, by writing to its capability.
    fn enter(&self) {
        // The library's own words, read once before the first of them is overwritten.
        static OWN: OnceLock<Capability> = OnceLock::new();
        let words = &raw mut OPENSSL_ia32cap_P;
        // SAFETY: the library has this many words, filled at its start; the harness has one thread.
        let own = OWN.get_or_init(|| unsafe { words.read_volatile() });
        let mut forced = *own;
        // Only the bits of vectors change, so that the library sees this CPU in all other respects.
        if self.backend != "any" {
            forced[1] = own[1] & !AVX | self.word1;
            forced[2] = own[2] & !(AVX2 | AVX512 | AVX512IFMA) | self.word2;
        }
        // SAFETY: as above, and no vector bit is set that this CPU lacks (`is_available`).
        unsafe { words.write_volatile(forced) }
    }
}

/// Work that enters a path before each sample, because other subjects leave the library on theirs.
struct On<W>(Forced, W);

impl<W: Work> Work for On<W> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        self.0.enter();
        let mut runner = self.1.ready(input);
        Box::new(move |tags, times| {
            self.0.enter();
            runner(tags, times);
        })
    }
}

/// Initialises a state as `Poly1305_Init` does, without its copying, and returns the functions of the chosen path.
#[inline(always)]
fn start(state: *mut State, key: &Key) -> Path {
    // `poly1305_init` leaves the path as it is where the library has these functions only.
    let mut path = Path { blocks: poly1305_blocks, emit: poly1305_emit };
    // SAFETY: state and path are live and of the assembly's layout, the key has 32 bytes.
    unsafe { poly1305_init(state, key.as_ptr(), &mut path) };
    path
}

/// Hashes the message and writes the tag as `Poly1305_Update` and `Poly1305_Final` do,
/// without their copying and wiping.
#[inline(always)]
fn finish(state: *mut State, path: Path, key: &Key, message: &[u8], tag: &mut Tag) {
    let (blocks, rest) = message.split_at(message.len() & !15);
    // SAFETY: the state was started, on this path; whole blocks of 16 bytes are handed over; the tag has 16
    // bytes and the nonce is the last 16 of the key.
    unsafe {
        if !blocks.is_empty() {
            (path.blocks)(state, blocks.as_ptr(), blocks.len(), 1);
        }
        if !rest.is_empty() {
            let mut block = [0; 16];
            block[..rest.len()].copy_from_slice(rest);
            // A short block carries its padding bit itself, hence the 0 in the call.
            block[rest.len()] = 1;
            (path.blocks)(state, block.as_ptr(), 16, 0);
        }
        (path.emit)(state, tag.as_mut_ptr(), key[16..].as_ptr());
    }
}

fn mac(key: &Key, message: &[u8], tag: &mut Tag) {
    let mut state = MaybeUninit::uninit();
    let path = start(state.as_mut_ptr(), key);
    finish(state.as_mut_ptr(), path, key, message, tag);
}

/// A key whose powers are ready. OpenSSL's assembly can keep them, although its API does not offer this.
struct Ready {
    state: UnsafeCell<State>,
    path: Path,
    has_powers: bool,
}

impl Ready {
    /// Initialises a state. On a vector path a message of 256 zero bytes makes the assembly compute the powers.
    fn new(key: &Key) -> Ready {
        let mut state = State([0; 24]);
        let path = start(&mut state, key);
        // SAFETY: as in `finish`.
        unsafe { (path.blocks)(&mut state, [0; 256].as_ptr(), 256, 1) };
        let has_powers = state.0[2] >> 32 == 1;
        Ready { state: UnsafeCell::new(state), path, has_powers }
    }

    /// Clears the accumulator and computes the tag. Vectors are used from 128 bytes on, as on the one-shot path.
    fn mac(&self, key: &Key, message: &[u8], tag: &mut Tag) {
        // `Prepared` shares the key, but the assembly writes to its state. Hence the cell.
        let state = self.state.get();
        let vectors = u64::from(self.has_powers && message.len() >= 128) << 32;
        // SAFETY: nobody else holds the state during this call (one thread, no re-entry).
        unsafe { (&mut (*state).0)[..3].copy_from_slice(&[0, 0, vectors]) };
        finish(state, self.path, key, message, tag);
    }
}

/// The public interface. Its context is allocated once and initialised for each key.
fn evp() -> impl Fn(&Key, &[u8], &mut Tag) {
    // SAFETY: a terminated name and the documented null defaults; both results are checked.
    let context = unsafe {
        let algorithm = EVP_MAC_fetch(null_mut(), c"POLY1305".as_ptr(), null());
        if algorithm.is_null() { null_mut() } else { EVP_MAC_CTX_new(algorithm) }
    };
    assert!(!context.is_null(), "libcrypto knows no POLY1305");
    move |key, message, tag| {
        let mut written = 0;
        // SAFETY: the context is live for the rest of the program; key, message and tag have the lengths
        // given.
        let done = unsafe {
            EVP_MAC_init(context, key.as_ptr(), key.len(), null())
                & EVP_MAC_update(context, message.as_ptr(), message.len())
                & EVP_MAC_final(context, tag.as_mut_ptr(), &mut written, tag.len())
        };
        assert!(done == 1 && written == 16, "EVP_MAC fails");
    }
}
