//! gf2x, as shared libraries that are loaded when the program runs: the system's, and others by path.
#![allow(unsafe_code)]
use crate::f2x::{Operation, Products};
use crate::subject::Subject;
use anyhow::{Context, Result, ensure};
use libloading::{Library, Symbol};
use std::ffi::{OsStr, c_int, c_ulong};
use std::path::PathBuf;
use std::ptr::null_mut;

/// Memory that gf2x reuses from call to call, `struct gf2x_mul_pool_s` in gf2x.h.
#[repr(C)]
struct Pool {
    stk: *mut c_ulong,
    stk_size: usize,
}

type MulR = unsafe extern "C" fn(
    c: *mut u64,
    a: *const u64,
    a_words: c_ulong,
    b: *const u64,
    b_words: c_ulong,
    pool: *mut Pool,
) -> c_int;
type PoolClear = unsafe extern "C" fn(pool: *mut Pool);

/// Libraries that the user names, besides the system's.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Libraries {
    /// A libgf2x.so to measure besides the system's, as gf2x/native; a second one is gf2x/native2, and so on
    #[arg(long = "gf2x", value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Functions of a library, which is never unloaded.
#[derive(Clone, Copy)]
struct Gf2x {
    mul_r: MulR,
    pool_clear: PoolClear,
    /// Whether it is `crates/gf2x-compat` of this project in gf2x's place.
    is_ours: bool,
}

impl Libraries {
    /// Whether the user names no library.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The names of subjects whose code has no carry-less products, as far as the file shows. Our own library
    /// in gf2x's place does not count.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn without_clmul(&self) -> Result<Vec<String>> {
        let mut all = vec![];
        let system = Gf2x::load("libgf2x.so.3".as_ref()).ok().filter(|gf2x| !gf2x.is_ours);
        // The library was loaded above and is never unloaded, so its mapping can be found.
        if let Some(file) = system.and_then(|_| mapped("libgf2x.so.3"))
            && !has_clmul(&std::fs::read(file)?)
        {
            all.push(String::from("gf2x/system"));
        }
        for (i, file) in self.files.iter().enumerate() {
            if !has_clmul(&std::fs::read(file).with_context(|| file.display().to_string())?) {
                all.push(format!("gf2x/{}", native(i)));
            }
        }
        Ok(all)
    }

    /// The subjects `gf2x/system`, if the loader finds it, and `gf2x/native` for the libraries that are named.
    ///
    /// # Errors
    /// If a file is no such library.
    pub fn subjects(&self, operation: Operation) -> Result<Vec<Subject>> {
        // The system's library comes first: once a named one is loaded, the loader could take it for the bare
        // name.
        let system = Gf2x::load("libgf2x.so.3".as_ref()).ok().map(|gf2x| ("system".into(), gf2x));
        let mut all: Vec<(String, Gf2x)> = system.into_iter().collect();
        for (i, file) in self.files.iter().enumerate() {
            let file = file.canonicalize().with_context(|| file.display().to_string())?;
            let gf2x = Gf2x::load(file.as_os_str()).with_context(|| file.display().to_string())?;
            all.push((native(i), gf2x));
        }
        Ok(all.into_iter().map(|(name, gf2x)| gf2x.subject(&name, operation)).collect())
    }
}

/// The variant in the name of the named library at index `i`.
fn native(i: usize) -> String {
    if i == 0 { "native".into() } else { format!("native{}", i + 1) }
}

/// Encodings of PCLMULQDQ up to the byte that names the registers: the whole one without VEX prefix, and the
/// first two bytes of one with it.
const PCLMULQDQ: [u8; 4] = [0x66, 0x0f, 0x3a, 0x44];
// Encodings with registers from 8 on begin differently and are not counted.
const VEX: [u8; 2] = [0xc4, 0xe3];

/// Whether the code of a library has carry-less products: at least four of their encodings, because other
/// bytes may form one by chance.
fn has_clmul(code: &[u8]) -> bool {
    let plain = code.windows(4).filter(|bytes| **bytes == PCLMULQDQ);
    let vex =
        code.windows(4).filter(|bytes| (bytes[0], bytes[1], bytes[3]) == (VEX[0], VEX[1], PCLMULQDQ[3]));
    plain.count() + vex.count() >= 4
}

/// The file that the loader mapped for a library's name; `None` if the system does not tell.
fn mapped(name: &str) -> Option<PathBuf> {
    // The sixth word of a line is the path of the file that is mapped there.
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let path =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).find(|path| path.contains(name))?;
    Some(path.into())
}

impl Gf2x {
    fn load(file: &OsStr) -> Result<Gf2x> {
        ensure!(size_of::<c_ulong>() == 8, "its words have not 64 bits");
        // SAFETY: gf2x does nothing when it is loaded; the types are those of its header, which all versions
        // from 1.2 on share. The library is never unloaded, so that its functions may be kept.
        unsafe {
            let library = Box::leak(Box::new(Library::new(file)?));
            let mul_r: Symbol<MulR> = library.get(b"gf2x_mul_r\0")?;
            let pool_clear: Symbol<PoolClear> = library.get(b"gf2x_mul_pool_clear\0")?;
            // gf2x exports no such symbol.
            let is_ours = library.get::<*const ()>(b"carryless_gf2x_version\0").is_ok();
            Ok(Gf2x { mul_r: *mul_r, pool_clear: *pool_clear, is_ours })
        }
    }

    fn subject(self, name: &str, operation: Operation) -> Subject {
        let library = if self.is_ours { "carryless-gf2x" } else { "gf2x" };
        Subject::new(
            format!("{library}/{name}"),
            "any",
            Products(operation, move |bits| self.call(operation, bits)),
        )
    }

    /// The call of an operation. It has its own pool, so that nothing is allocated in it. gf2x has no squares and no
    /// products modulo X^n - 1: both are a product here, and for the latter a loop over words adds the two halves.
    fn call(self, operation: Operation, bits: usize) -> impl FnMut(&[u64], &[u64], &mut [u64]) + 'static {
        let mut scratch = Held { gf2x: self, pool: Pool { stk: null_mut(), stk_size: 0 } };
        let mut whole = vec![0; 2 * bits.div_ceil(64)];
        move |a, b, out| match operation {
            Operation::Mul | Operation::MulShort(_) => scratch.mul(a, b, out),
            Operation::Square => scratch.mul(a, a, out),
            Operation::MulModXn1(_) => {
                scratch.mul(a, b, &mut whole);
                fold(&whole, bits, out);
            }
        }
    }
}

/// A library with a pool for its products.
struct Held {
    gf2x: Gf2x,
    pool: Pool,
}

impl Held {
    #[inline]
    fn mul(&mut self, a: &[u64], b: &[u64], out: &mut [u64]) {
        assert_eq!(out.len(), a.len() + b.len(), "room for a product");
        // SAFETY: operands and product have the numbers of words given, and the pool is this library's own.
        let done = unsafe {
            let (a_words, b_words) = (a.len() as c_ulong, b.len() as c_ulong);
            (self.gf2x.mul_r)(out.as_mut_ptr(), a.as_ptr(), a_words, b.as_ptr(), b_words, &mut self.pool)
        };
        assert_eq!(done, 0, "gf2x fails");
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the pool is this library's own.
        unsafe { (self.gf2x.pool_clear)(&mut self.pool) };
    }
}

/// Reduces c modulo X^n - 1: the coefficients of X^i and X^(n + i) are added.
fn fold(c: &[u64], n: usize, out: &mut [u64]) {
    let (words, shift) = (n / 64, n % 64);
    // A shift by 64 - 0 bits would overflow.
    if shift == 0 {
        out.iter_mut().enumerate().for_each(|(i, out)| *out = c[i] ^ c[words + i]);
        return;
    }
    // A product of 2 n - 1 coefficients may end in the word before the last one read.
    for (i, out) in out.iter_mut().enumerate() {
        *out = c[i] ^ c[words + i] >> shift ^ c.get(words + i + 1).map_or(0, |next| next << (64 - shift));
    }
    // The last word still has coefficients from n on. They were added to the first ones above.
    *out.last_mut().expect("n is not zero") &= !(!0 << shift);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coefficients of X^i and X^(n + i) are added.
    #[test]
    fn products_are_folded_for_every_n() {
        for n in [63, 64, 65, 127, 128, 130] {
            let words = usize::div_ceil(n, 64);
            let product: Vec<u64> =
                (1..=2 * words as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut out = vec![7; words];
            fold(&product, n, &mut out);
            let bits = |words: &[u64], i: usize| words.get(i / 64).map_or(0, |word| word >> (i % 64) & 1);
            for i in 0..n {
                let want = bits(&product, i) ^ bits(&product, n + i);
                assert_eq!(bits(&out, i), want, "n = {n}, coefficient {i}");
            }
        }
    }

    #[test]
    fn carry_less_products_are_found_in_code() {
        let plain = [&[0x90; 7][..], &[0x66, 0x0f, 0x3a, 0x44, 0xc1, 0x11]].concat().repeat(4);
        let vex = [0xc4, 0xe3, 0x79, 0x44, 0xc1, 0x00].repeat(5);
        assert!(has_clmul(&plain) && has_clmul(&vex));
        // 13 bytes fewer leave three encodings, which may be there by chance.
        assert!(!has_clmul(&plain[13..]) && !has_clmul(&[0x44; 4000]) && !has_clmul(&[]));
    }
}
