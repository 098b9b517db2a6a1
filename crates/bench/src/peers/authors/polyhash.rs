//! The authors' polyHash1305, in words and with AVX2. It writes the padding of a short last block into the
//! message itself.
#![allow(unsafe_code)]
use super::{Aligned, LONGEST, load};
use crate::f2x::word;
use crate::family::Family;
use crate::input::{Input, Key, first};
use crate::subject::{Mode, Runner, Subject, Work};
use anyhow::{Context, Result};
use std::hint::black_box;
use std::path::Path;

/// The kind of code in a library.
#[derive(Clone, Copy)]
pub(super) enum Code {
    /// 64-bit words with mulx and adx.
    Maax,
    /// AVX2 vectors of four lanes.
    Avx2,
}

/// The kind of code that a file's name tells, given without its parameter; `None` if the file is of another family.
pub(super) fn code(name: &str, family: &Family) -> Option<Code> {
    match name.strip_prefix(family.name)? {
        "-maax" => Some(Code::Maax),
        "-avx2" => Some(Code::Avx2),
        _ => None,
    }
}

/// Number of words for the powers: 32 powers of three words each, or 43 vectors of four words.
const POWERS: usize = 4 * 43;

type Hash = unsafe extern "C" fn(h: *mut u8, m: *mut u8, powers: *const u64, bits: u64);
type KeyPowers = unsafe extern "C" fn(powers: *mut u64, blocks: u64);
type VectorPowers = unsafe extern "C" fn(powers: *mut u64, key: *const u64, blocks: u64);

/// How the powers of a key are computed, which depends on the library.
#[derive(Clone, Copy)]
enum Make {
    /// The code takes the key alone, without further powers.
    Key,
    /// The function finds the key in the first words of `powers`. It is called for more than two blocks.
    Words(KeyPowers),
    /// The function gets the key as an argument of its own.
    Vectors(VectorPowers),
}

struct PolyHash {
    hash: Hash,
    make: Make,
    prepared: bool,
}

pub(super) fn subject(file: &Path, code: Code, g: &str, mode: Mode) -> Result<Subject> {
    let library = load(file)?;
    let name = b"poly1305_keypowers";
    // SAFETY: the types are those of the published headers; the library is never unloaded.
    let (hash, make) = unsafe {
        let hash = *library.get::<Hash>(b"poly1305").context("no function poly1305")?;
        let make = match code {
            Code::Maax if g == "g1" => Make::Key,
            Code::Maax => Make::Words(*library.get::<KeyPowers>(name)?),
            Code::Avx2 => Make::Vectors(*library.get::<VectorPowers>(name)?),
        };
        (hash, make)
    };
    let (code, backend) = match code {
        Code::Maax => ("maax", "any"),
        Code::Avx2 => ("avx2", "avx2"),
    };
    let work = PolyHash { hash, make, prepared: mode == Mode::Prepared };
    let subject = Subject::new(format!("authors/{code}-{g}"), backend, work);
    // On crafted messages the published code loses carries (data/errata.md).
    Ok(subject.for_lengths(1..=LONGEST).on_random_input())
}

impl PolyHash {
    fn make(&self, powers: &mut Aligned, key: &[u64; 2], blocks: u64) {
        let powers = powers.words_mut();
        match self.make {
            // SAFETY: there is room for the powers of the largest g, which is all that is made of any number
            // of blocks.
            Make::Words(make) if blocks > 2 => unsafe { make(powers.as_mut_ptr(), blocks) },
            // SAFETY: the same; the key has 16 bytes.
            Make::Vectors(make) => unsafe { make(powers.as_mut_ptr(), key.as_ptr(), blocks) },
            _ => {}
        }
    }
}

impl Work for PolyHash {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let (blocks, bits) = (input.length().div_ceil(16) as u64, 8 * input.length() as u64);
        let words_of = |key: &Key| [word(&first(key)[..8]), word(&first(key)[8..])];
        let keys: Vec<[u64; 2]> = input.keys().iter().map(words_of).collect();
        // Room behind the message for the padding that the code writes, and for the rest of a row.
        let padded = |message: &[u8]| {
            let words: Vec<u64> = message.chunks(8).map(word).collect();
            Aligned::holding(&words, words.len() + 16)
        };
        let mut messages: Vec<Aligned> = input.messages().into_iter().map(padded).collect();
        let mut powers: Vec<Aligned> = keys.iter().map(|key| Aligned::holding(key, POWERS)).collect();
        for (powers, key) in powers.iter_mut().zip(&keys) {
            self.make(powers, key, blocks);
        }
        Box::new(move |tags, times| {
            for _ in 0..times {
                let all = tags.iter_mut().zip(&mut powers).zip(&keys).zip(&mut messages);
                for (((tag, powers), key), message) in all {
                    let (powers, message) = (black_box(powers), black_box(message));
                    if !self.prepared {
                        self.make(powers, key, blocks);
                    }
                    let message = message.words_mut().as_mut_ptr().cast();
                    // SAFETY: the powers are made; 128 bytes follow the message; the tag has 16 bytes.
                    unsafe { (self.hash)(tag.as_mut_ptr(), message, powers.words().as_ptr(), bits) };
                }
            }
        })
    }
}
