//! The code that the authors of papers 001 and 002 published, compiled by the user to shared libraries in one
//! folder.
//!
//! | file | function | what it computes |
//! |---|---|---|
//! | `polyhash1305-maax-gG.so` | `poly1305(h, m, powers, bits)`, `poly1305_keypowers(powers, blocks)` if G > 1 | polyHash with a carry for G blocks, in words (001's reference \[19\]) |
//! | `polyhash1305-avx2-gG.so` | the same, with `poly1305_keypowers(powers, key, blocks)` | polyHash with a carry for G rows of four blocks (paper 001) |
//! | `decbrwhash1305-tT.so`, `decbrwhash1271-tT.so` | `decbrwhash1305`, `decbrwhash1305_keypowers` (or 1271) | 4-decBRWHash with leaves of 2^T - 1 rows (paper 001) |
//! | `NAME-BITS.so` | `product(c, a, b, words)` | a product in F2\[X\] of operands of BITS bits each (paper 002, bitpolymul2) |
//!
//! To compile paper 001's code for each t and g of the folders' names:
//!
//! ```sh
//! flags="-O3 -march=native -shared -fPIC -I../include -Wl,-z,notext,-z,noexecstack,-Bsymbolic"
//! for name in dec-BRWHash vec-polyHash polyHash; do git clone https://github.com/kn-cs/$name; done
//! (cd dec-BRWHash/dec-BRWHash1305/*-t3/source && gcc $flags -o FOLDER/decbrwhash1305-t3.so decbrwhash1305.c *.S -lm)
//! (cd vec-polyHash/vec-poly1305/*-g4x4/source && gcc $flags -o FOLDER/polyhash1305-avx2-g4.so poly1305.c *.S)
//! (cd polyHash/poly1305/intel64-maax-*-g8/source && gcc $flags -o FOLDER/polyhash1305-maax-g8.so poly1305.c *.S)
//! ```
//!
//! Paper 002's needs gf2x's header, for AVX-512 `-march=tigerlake`, and a library for each size:
//!
//! ```sh
//! git clone https://github.com/arithcrypto/AVX512PolynomialMultiplication && cd AVX512PolynomialMultiplication/Karatsuba
//! flags="-O3 -fno-strict-aliasing -march=native -shared -fPIC -fgnu89-inline"
//! (cd KaratRec && gcc $flags -DSIZE_N=8192 -DAVX2 -Wl,--defsym,product=karatRec fonctions.c -o FOLDER/karatrec-avx2-8192.so)
//! ```
//!
//! Other folders of the repository have another function and other sizes. `-DT_3W=4096 -Wl,--defsym,product=toom_3_mult` in `Toom3KaratRec`
//! makes `toom3-avx2-11904.so`: 3 T - 384 bits for T of `-DT_3W=T`. `Toom3Karat3` has 9 T - 384 bits, `Toom3Karat5` 15 T - 384
//! for `-DT_5W=T`. With GCC 12 these T are right: KaratRec from 1024 (AVX-512: 8192), Karat3 from 2048, Karat5 from 1024
//! (`crates/bench/data/errata.md`).
//!
//! bitpolymul2 has every size, one file for each:
//!
//! ```sh
//! git clone https://github.com/fast-crypto-lab/bitpolymul2 && cd bitpolymul2
//! gcc -O3 -march=native -std=gnu99 -shared -fPIC -Wl,--defsym,product=bitpolymul_2_64 $(ls *.c | grep -v gen_code) \
//!     -o FOLDER/bitpolymul2-65536.so
//! ```
#![allow(unsafe_code)]
use crate::f2x::{Operands, Operation, digest, word};
use crate::family::Family;
use crate::input::{Input, Key, first, first126};
use crate::subject::{Mode, Runner, Subject, Work};
use anyhow::{Context, Result, bail, ensure};
use libloading::Library;
use std::ffi::c_int;
use std::hint::black_box;
use std::path::Path;

mod polyhash;

/// The subjects of those libraries in `folder` that compute a family's function.
///
/// # Errors
/// If the folder cannot be read, or a library in it lacks its function. A folder without such a library is no error.
pub(super) fn subjects(folder: &Path, family: &'static Family, mode: Mode) -> Result<Vec<Subject>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "so"));
    // A folder has no order, but the columns of tables need one.
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some((name, last)) = stem.rsplit_once('-') else {
            bail!("{}: its name is not NAME-BITS.so or FUNCTION-tT.so", file.display());
        };
        let polyhash = polyhash::code(name, family);
        let subject = match (family.operation, last.parse::<usize>(), polyhash) {
            (Some(Operation::Mul), Ok(bits), _) if mode == Mode::OneShot => product(&file, name, bits),
            (None, Err(_), Some(code)) if one_key(mode) => polyhash::subject(&file, code, last, mode),
            (None, Err(_), None) if name == family.name && one_key(mode) => hash(&file, name, last, mode),
            // The library computes a different function, or has no call of this mode.
            _ => continue,
        };
        all.push(subject.with_context(|| file.display().to_string())?);
    }
    Ok(all)
}

/// Whether a call of the mode has one message and one key, fresh or prepared.
fn one_key(mode: Mode) -> bool {
    matches!(mode, Mode::OneShot | Mode::Prepared)
}

/// Loads a library, which is never unloaded.
fn load(file: &Path) -> Result<&'static Library> {
    // The loader searches the system's folders for a name without a slash.
    let file = file.canonicalize()?;
    // Functions are copied out of the library, so it must stay in memory.
    // SAFETY: the published code does nothing when it is loaded.
    Ok(Box::leak(Box::new(unsafe { Library::new(file)? })))
}

/// Words after operands and products that the published code may touch, because its vectors have up to 512 bits.
const SPARE: usize = 8;

/// Writes the product of `a` and `b`, of `words` words each, to `c`.
type Product = unsafe extern "C" fn(c: *mut u64, a: *const u64, b: *const u64, words: c_int) -> c_int;

/// The subject of a product of fixed size, for operands of more than half of `bits`. They are filled
/// with zeros before the timing.
fn product(file: &Path, name: &str, bits: usize) -> Result<Subject> {
    // The published functions have their size compiled in, hence one library for each.
    let words = bits / 64;
    ensure!(bits > 0 && bits.is_multiple_of(64), "{bits} bits do not fill words of 64");
    // SAFETY: the type is what the module's documentation asks for; the library is never unloaded.
    let product: Product = unsafe { *load(file)?.get(b"product\0")? };
    let subject = Subject::new(format!("authors/{name}-{bits}"), "any", Padded { product, words });
    Ok(subject.for_lengths(bits / 16 + 1..=bits / 8))
}

/// The work of a product whose operands have a fixed number of words.
struct Padded {
    product: Product,
    words: usize,
}

impl Work for Padded {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let bits = Operation::Mul.bits(input.length());
        let padded = |operand: &[u64]| Aligned::holding(operand, self.words + SPARE);
        let operands = input.keys().iter().zip(input.messages()).map(|(key, message)| {
            let Operands { a, b } = Operands::new(bits, key, message);
            [padded(&a), padded(&b)]
        });
        let operands: Vec<[Aligned; 2]> = operands.collect();
        let mut out = Aligned::holding(&[], 2 * self.words + SPARE);
        let call = move |[a, b]: &[Aligned; 2], out: &mut Aligned| {
            let (a, b, out) = (black_box(a).words(), black_box(b).words(), black_box(out).words_mut());
            // SAFETY: the three buffers have the numbers of words given and a vector after them, are aligned to
            // a vector, and do not overlap.
            unsafe { (self.product)(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), self.words as c_int) };
        };
        // The digest is taken of the first call, as for our products.
        let mut fresh = true;
        Box::new(move |tags, times| {
            if std::mem::take(&mut fresh) {
                for (tag, operands) in tags.iter_mut().zip(&operands) {
                    call(operands, &mut out);
                    // The words beyond are products of the padding, and 0.
                    *tag = digest(&out.words()[..2 * bits.div_ceil(64)]);
                }
            }
            for _ in 0..times {
                operands.iter().for_each(|operands| call(operands, &mut out));
            }
        })
    }
}

/// Words that begin at a multiple of 64 bytes, as the published code requires.
struct Aligned {
    words: Vec<u64>,
    start: usize,
    length: usize,
}

impl Aligned {
    /// A buffer of `length` words, which begins with `words` and is zero after them.
    fn holding(words: &[u64], length: usize) -> Aligned {
        // A vector of words begins at a multiple of 8 bytes, so that seven words suffice to reach one of 64.
        let mut all = vec![0; length + 8];
        let start = all.as_ptr().align_offset(64);
        all[start..start + words.len()].copy_from_slice(words);
        Aligned { words: all, start, length }
    }

    fn words(&self) -> &[u64] {
        &self.words[self.start..self.start + self.length]
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.start..self.start + self.length]
    }
}

type Hash = unsafe extern "C" fn(h: *mut u8, m: *const u8, powers: *const u64, rows: u64, bits: u64);
/// Computes the powers for that many rows. The key is the first two of `powers`.
type KeyPowers = unsafe extern "C" fn(powers: *mut u64, levels: u64, rows: u64);

/// Number of words for the key, and for the powers of 16 levels in five limbs of four lanes each.
const POWERS: usize = 4 * (1 + 5 * 17);

/// Length in bytes of the longest message that the published code takes.
const LONGEST: usize = 4 << 20;

/// The work of 4-decBRWHash, whose powers are computed in each call unless `prepared`.
struct DecBrw {
    hash: Hash,
    key_powers: KeyPowers,
    key: fn(&Key) -> [u8; 16],
    block: usize,
    prepared: bool,
}

fn hash(file: &Path, name: &str, t: &str, mode: Mode) -> Result<Subject> {
    let (key, block): (fn(&Key) -> [u8; 16], _) = match name {
        "decbrwhash1305" => (|key| *first(key), 16),
        _ => (first126, 15),
    };
    let library = load(file)?;
    // SAFETY: the types are those of the published headers; the library is never unloaded.
    let work = unsafe {
        let hash = *library.get::<Hash>(name.as_bytes())?;
        let key_powers = *library.get::<KeyPowers>(format!("{name}_keypowers").as_bytes())?;
        DecBrw { hash, key_powers, key, block, prepared: mode == Mode::Prepared }
    };
    // On crafted messages the published code loses carries (data/errata.md).
    Ok(Subject::new(format!("authors/{t}"), "avx2", work).for_lengths(1..=LONGEST).on_random_input())
}

impl DecBrw {
    fn powers(&self, key: &Key, rows: u64) -> Aligned {
        let key = u128::from_le_bytes((self.key)(key));
        let mut powers = Aligned::holding(&[key as u64, (key >> 64) as u64], POWERS);
        // SAFETY: there is room for the powers of all lengths up to LONGEST.
        unsafe { (self.key_powers)(powers.words_mut().as_mut_ptr(), u64::from(rows.ilog2()), rows) };
        powers
    }
}

impl Work for DecBrw {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        // A row has a block of each of the four streams.
        let rows = input.length().div_ceil(4 * self.block) as u64;
        let bits = 8 * input.length() as u64;
        // The code reads whole rows, and 16 bytes for each block of 15.
        let padded = |message: &[u8]| {
            let words: Vec<u64> = message.chunks(8).map(word).collect();
            Aligned::holding(&words, words.len() + 16)
        };
        let messages: Vec<Aligned> = input.messages().into_iter().map(padded).collect();
        let mut powers: Vec<Aligned> = input.keys().iter().map(|key| self.powers(key, rows)).collect();
        Box::new(move |tags, times| {
            for _ in 0..times {
                for ((tag, powers), message) in tags.iter_mut().zip(&mut powers).zip(&messages) {
                    let (powers, message) = (black_box(powers), black_box(message));
                    // SAFETY: the powers are made or there is room for them; zeros follow the message to the
                    // end of its row; the tag has 16 bytes.
                    unsafe {
                        if !self.prepared {
                            (self.key_powers)(powers.words_mut().as_mut_ptr(), u64::from(rows.ilog2()), rows);
                        }
                        let (message, powers) = (message.words().as_ptr().cast(), powers.words().as_ptr());
                        (self.hash)(tag.as_mut_ptr(), message, powers, rows, bits);
                    }
                }
            }
        })
    }
}
