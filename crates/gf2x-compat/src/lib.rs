//! The C interface of gf2x 1.3, with the products of `carryless-gf2` behind it: built as a shared library, it takes the place
//! of `libgf2x.so.3` (`book/src/libgf2x.md`).
//!
//! Polynomials are arrays of `unsigned long`, least significant first. Sizes are public, contents are secret: no branch and no
//! address depends on them, and scratch is wiped before it is freed. A panic ends the process, as it does in every
//! `extern "C"` function; none is known.
//!
//! It is a binding to C, so it has `unsafe` code: slices from what the caller points to, nothing else.
#![allow(non_camel_case_types, non_upper_case_globals)]
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod job;
mod plans;
#[allow(unsafe_code)]
mod pool;
mod scratch;

use job::{Job, MAX_WORDS};
pub use pool::gf2x_mul_pool_s;
use std::ffi::{c_char, c_int, c_long, c_ulong};

/// Returned by `gf2x_mul` for a product of more than 2^31 words.
pub const GF2X_ERROR_INVALID_ARGUMENTS: c_int = -1;

/// Returned by `gf2x_mul` if there is no memory for its scratch.
pub const GF2X_ERROR_OUT_OF_MEMORY: c_int = -2;

/// The version of gf2x whose interface this is: 1.3.0.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub static gf2x_lib_version_code: c_int = 10300;

/// In gf2x, which licence its code is under. Here, that this is other code.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub static gf2x_toom_gpl_status: &[u8; 24] = b"not gf2x, but carryless\0";

/// The version of this library, as text: a program finds by this symbol that it runs on this library.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn carryless_gf2x_version() -> *const c_char {
    concat!("carryless ", env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// `c = a b`, of `an` and `bn` words; `c` has room for `an + bn`. Returns 0, or one of the errors above, and then leaves `c` alone.
///
/// More is allowed than gf2x allows: `c` may overlap `a` and `b` in any way, and a size may be zero (the product is zero, and a
/// pointer to no words may be null).
///
/// # Safety
/// `a` and `b` can be read for `an` and `bn` words, and `c` can be written for `an + bn`, while nobody else writes to these.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gf2x_mul(
    c: *mut c_ulong,
    a: *const c_ulong,
    an: c_ulong,
    b: *const c_ulong,
    bn: c_ulong,
) -> c_int {
    // SAFETY: the caller's promise; no pool.
    unsafe { gf2x_mul_r(c, a, an, b, bn, std::ptr::null_mut()) }
}

/// The product, with scratch from a pool if the caller has one.
///
/// # Safety
/// As of [`gf2x_mul`]; `pool` is null, or was initialised by [`gf2x_mul_pool_init`] and no other call uses it meanwhile.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gf2x_mul_r(
    c: *mut c_ulong,
    a: *const c_ulong,
    an: c_ulong,
    b: *const c_ulong,
    bn: c_ulong,
    pool: *mut gf2x_mul_pool_s,
) -> c_int {
    let Some(job) = Job::new(c, (a, an), (b, bn)) else { return GF2X_ERROR_INVALID_ARGUMENTS };
    if job.is_short() {
        // SAFETY: the caller promises that the job's words are there.
        unsafe { job.run_short() };
        return 0;
    }
    let plan = job.plan();
    let words = job.scratch_words(&plan);
    // SAFETY: as above, and that the pool is one.
    let done = unsafe {
        match pool.as_mut() {
            None => scratch::with(words, |scratch| job.run(&plan, scratch)),
            Some(pool) => pool.scratch(words).map(|scratch| job.run(&plan, scratch)),
        }
    };
    done.map_or(GF2X_ERROR_OUT_OF_MEMORY, |()| 0)
}

/// Makes an empty pool, which allocates nothing before a product asks for scratch.
///
/// # Safety
/// `pool` can be written. What it held before is forgotten, not freed.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gf2x_mul_pool_init(pool: *mut gf2x_mul_pool_s) {
    // SAFETY: the caller's promise.
    unsafe { pool.write(gf2x_mul_pool_s::EMPTY) };
}

/// Wipes and frees the memory of a pool. Afterwards it is empty and can be used again.
///
/// # Safety
/// `pool` was initialised by [`gf2x_mul_pool_init`], and no other call uses it meanwhile.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gf2x_mul_pool_clear(pool: *mut gf2x_mul_pool_s) {
    // SAFETY: the caller's promise.
    unsafe { (*pool).clear() };
}

/// The words of scratch that [`gf2x_mul_toom`] takes for operands of `n` words; the greatest number if no product is that long.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn gf2x_toomspace(n: c_long) -> c_long {
    match c_ulong::try_from(n).unwrap_or(0) {
        0 => 0,
        n if n > MAX_WORDS / 2 => c_long::MAX,
        n => plans::plan(n as usize, n as usize).scratch_words() as c_long,
    }
}

/// `c = a b`, both of `n` words, in the caller's scratch and without any allocation; nothing if that is too long.
/// The caller wipes the scratch.
///
/// # Safety
/// `a` and `b` can be read for `n` words, `c` can be written for `2 n` and `stk` for [`gf2x_toomspace`] of `n`, while nobody else
/// writes to these; `c` and `stk` overlap nothing.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gf2x_mul_toom(
    c: *mut c_ulong,
    a: *const c_ulong,
    b: *const c_ulong,
    n: c_long,
    stk: *mut c_ulong,
) {
    let n = c_ulong::try_from(n).unwrap_or(0);
    let Some(job) = Job::new(c, (a, n), (b, n)) else { return };
    // SAFETY: the caller promises that the job's words are there, and the scratch, which a plan writes before it reads.
    unsafe {
        if job.is_short() {
            job.run_short();
        } else {
            let plan = job.plan();
            let words = job.scratch_words(&plan);
            job.run(&plan, std::slice::from_raw_parts_mut(stk.cast(), words));
        }
    }
}
