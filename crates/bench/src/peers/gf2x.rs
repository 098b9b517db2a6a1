//! gf2x, as shared libraries that are loaded when the program runs: the system's, and others by their files.
#![allow(unsafe_code)]
use crate::f2x::{Operation, Products};
use crate::subject::Subject;
use anyhow::{Context, Result, ensure};
use libloading::{Library, Symbol};
use std::ffi::{OsStr, c_int, c_ulong};
use std::path::PathBuf;
use std::ptr::null_mut;

/// `struct gf2x_mul_pool_s`.
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

/// Libraries besides the system's.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Libraries {
    /// A libgf2x.so to measure besides the system's, as gf2x/native; a second one is gf2x/native2, and so on
    #[arg(long = "gf2x", value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What is called of a library; the library stays loaded.
#[derive(Clone, Copy)]
struct Gf2x {
    mul_r: MulR,
    pool_clear: PoolClear,
    /// Whether it is not gf2x, but ours in its place.
    is_ours: bool,
}

impl Libraries {
    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// `gf2x/system` where the loader finds it, and the files' as `gf2x/native`.
    ///
    /// # Errors
    /// If a file is no such library.
    pub fn subjects(&self, operation: Operation) -> Result<Vec<Subject>> {
        // The system's comes first: by its bare name the loader would take a file that it has loaded under it.
        let system = Gf2x::load("libgf2x.so.3".as_ref()).ok().map(|gf2x| ("system".into(), gf2x));
        let mut all: Vec<(String, Gf2x)> = system.into_iter().collect();
        for (i, file) in self.files.iter().enumerate() {
            let file = file.canonicalize().with_context(|| file.display().to_string())?;
            let gf2x = Gf2x::load(file.as_os_str()).with_context(|| file.display().to_string())?;
            all.push((if i == 0 { "native".into() } else { format!("native{}", i + 1) }, gf2x));
        }
        Ok(all.into_iter().map(|(name, gf2x)| gf2x.subject(&name, operation)).collect())
    }
}

impl Gf2x {
    fn load(file: &OsStr) -> Result<Gf2x> {
        ensure!(size_of::<c_ulong>() == 8, "its words have not 64 bits");
        // SAFETY: gf2x does nothing when it is loaded; the types are those of its header, which all versions from 1.2 on share.
        // The library is never unloaded, so that its functions may be kept.
        unsafe {
            let library = Box::leak(Box::new(Library::new(file)?));
            let mul_r: Symbol<MulR> = library.get(b"gf2x_mul_r\0")?;
            let pool_clear: Symbol<PoolClear> = library.get(b"gf2x_mul_pool_clear\0")?;
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

    /// A call with a pool of its own, so that nothing is allocated in it. gf2x knows no squares and no products modulo X^n - 1: it
    /// multiplies, and the sum of the two parts is a loop over words.
    fn call(self, operation: Operation, bits: usize) -> impl FnMut(&[u64], &[u64], &mut [u64]) + 'static {
        let mut scratch = Held { gf2x: self, pool: Pool { stk: null_mut(), stk_size: 0 } };
        let mut whole = vec![0; 2 * bits.div_ceil(64)];
        move |a, b, out| match operation {
            Operation::Mul | Operation::MulShort(_) => scratch.mul(a, b, out),
            Operation::Square => scratch.mul(a, a, out),
            Operation::MulModXn1 => {
                scratch.mul(a, b, &mut whole);
                fold(&whole, bits, out);
            }
        }
    }
}

/// A library with a pool.
struct Held {
    gf2x: Gf2x,
    pool: Pool,
}

impl Held {
    #[inline]
    fn mul(&mut self, a: &[u64], b: &[u64], out: &mut [u64]) {
        assert_eq!(out.len(), a.len() + b.len(), "room for a product");
        // SAFETY: operands and product have the words said, and the pool is this library's own.
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

/// c mod X^n - 1, n not a multiple of 64.
fn fold(c: &[u64], n: usize, out: &mut [u64]) {
    let (words, shift) = (n / 64, n % 64);
    for (i, out) in out.iter_mut().enumerate() {
        *out = c[i] ^ c[words + i] >> shift ^ c.get(words + i + 1).map_or(0, |next| next << (64 - shift));
    }
    *out.last_mut().expect("n is not zero") &= !(!0 << shift);
}
