//! Products of polynomials over F2.
use crate::kind::CARRYLESS_KIND_POLY_PLAN;
use crate::memory::{Input, Output, apart};
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_gf2::poly::{Modulus, Plan, SizeError};
use std::ffi::c_void;

/// How a product of given sizes is computed. Threads may share it.
///
/// A polynomial is an array of words, least significant first: bit i of word j is the coefficient of X^(64 j + i). Contents are secret: no branch and no address
/// depends on them; sizes are public. Products write into `scratch`, which the caller wipes.
pub struct carryless_poly_plan {
    _private: [u8; 0],
}

impl Opaque for carryless_poly_plan {
    type Value = Plan;
    const KIND: u32 = CARRYLESS_KIND_POLY_PLAN;
}

impl From<SizeError> for Status {
    fn from(error: SizeError) -> Status {
        match error {
            SizeError::Modulus => Status::Value,
            _ => Status::Length,
        }
    }
}

/// The plan for operands of these sizes, in words: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0. Ends
/// with carryless_free.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly_plan_new(
    a_words: usize,
    b_words: usize,
    memory: *mut c_void,
    memory_len: usize,
    plan: *mut *mut carryless_poly_plan,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, plan, &[], || Ok(Plan::try_new(a_words, b_words)?)) }
    })
}

/// The words of scratch that products and preparations take, and those of a prepared operand. Products modulo X^n - 1 take the words of a product more.
///
/// # Safety
/// Pointers are null, or can be written; `plan` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly_plan_words(
    plan: *const carryless_poly_plan,
    scratch_words: *mut usize,
    prepared_words: *mut usize,
) -> carryless_status {
    call(|| {
        let (scratch, prepared) = (Output::one(scratch_words)?, Output::one(prepared_words)?);
        apart(scratch.region, &[prepared.region, state::region(plan)])?;
        apart(prepared.region, &[state::region(plan)])?;
        // SAFETY: the caller's promise; the three are apart.
        unsafe {
            let plan = state::get(plan)?;
            scratch.write(&[plan.scratch_words()])?;
            prepared.write(&[plan.prepared_words()])
        }
    })
}

/// The arguments of a product.
struct Job<'a> {
    plan: &'a Plan,
    a: &'a [u64],
    b: &'a [u64],
    out: &'a mut [u64],
    scratch: &'a mut [u64],
}

/// A buffer of words in C: where it begins, and how many.
pub(crate) type Words = (*const u64, usize);
pub(crate) type WordsMut = (*mut u64, usize);

impl Job<'_> {
    /// Checks that everything is there and apart, then runs `product`, which checks the lengths.
    ///
    /// # Safety
    /// The promise of the caller in C.
    unsafe fn run(
        plan: *const carryless_poly_plan,
        [a, b]: [Words; 2],
        [out, scratch]: [WordsMut; 2],
        product: impl FnOnce(Job<'_>) -> Result<(), SizeError>,
    ) -> Result<(), Status> {
        let [a, b] = [Input::new(a.0, a.1)?, Input::new(b.0, b.1)?];
        let [out, scratch] = [Output::new(out.0, out.1)?, Output::new(scratch.0, scratch.1)?];
        let inputs = [a.region, b.region, state::region(plan)];
        // Inputs are read only, so they may overlap each other; nothing may overlap an output.
        apart(out.region, &inputs)?;
        apart(scratch.region, &inputs)?;
        apart(out.region, &[scratch.region])?;
        // SAFETY: the caller's promise; outputs are apart from each other and from the rest.
        unsafe {
            let (plan, out, scratch) = (state::get(plan)?, out.slice(), scratch.slice());
            Ok(product(Job { plan, a: a.slice(), b: b.slice(), out, scratch })?)
        }
    }
}

/// `out = a b`: as many words as the plan has for each operand, `out` as many as both together.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `plan` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly_mul(
    plan: *const carryless_poly_plan,
    a: *const u64,
    a_words: usize,
    b: *const u64,
    b_words: usize,
    out: *mut u64,
    out_words: usize,
    scratch: *mut u64,
    scratch_words: usize,
) -> carryless_status {
    let (inputs, outputs) = ([(a, a_words), (b, b_words)], [(out, out_words), (scratch, scratch_words)]);
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { Job::run(plan, inputs, outputs, |job| job.plan.try_mul(job.a, job.b, job.out, job.scratch)) }
    })
}

/// Prepares a second operand that comes again, for plans of the same sizes in the same version of the library. It is as secret as the operand.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `plan` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly_prepare(
    plan: *const carryless_poly_plan,
    b: *const u64,
    b_words: usize,
    prepared: *mut u64,
    prepared_words: usize,
    scratch: *mut u64,
    scratch_words: usize,
) -> carryless_status {
    let (inputs, outputs) =
        // There is no first operand: 0 words, which are not read.
        ([(std::ptr::null(), 0), (b, b_words)], [(prepared, prepared_words), (scratch, scratch_words)]);
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { Job::run(plan, inputs, outputs, |job| job.plan.try_prepare(job.b, job.out, job.scratch)) }
    })
}

/// `out = a b` for an operand b that carryless_poly_prepare prepared.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `plan` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly_mul_prepared(
    plan: *const carryless_poly_plan,
    a: *const u64,
    a_words: usize,
    prepared: *const u64,
    prepared_words: usize,
    out: *mut u64,
    out_words: usize,
    scratch: *mut u64,
    scratch_words: usize,
) -> carryless_status {
    let (inputs, outputs) =
        ([(a, a_words), (prepared, prepared_words)], [(out, out_words), (scratch, scratch_words)]);
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            Job::run(plan, inputs, outputs, |job| {
                job.plan.try_mul_prepared(job.a, job.b, job.out, job.scratch)
            })
        }
    })
}

/// `out = a b mod X^n - 1`, for a plan, operands and `out` of ceil(n / 64) words. Scratch is that of carryless_poly_plan_words and the words of a product.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `plan` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly_mul_mod_xn_1(
    plan: *const carryless_poly_plan,
    n: usize,
    a: *const u64,
    a_words: usize,
    b: *const u64,
    b_words: usize,
    out: *mut u64,
    out_words: usize,
    scratch: *mut u64,
    scratch_words: usize,
) -> carryless_status {
    let (inputs, outputs) = ([(a, a_words), (b, b_words)], [(out, out_words), (scratch, scratch_words)]);
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            Job::run(plan, inputs, outputs, |job| {
                job.plan.try_mul_mod_xn_1(n, job.a, job.b, job.out, job.scratch)
            })
        }
    })
}

/// `out = a b mod X^n - 1` for an operand b that carryless_poly_prepare prepared.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `plan` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_poly_mul_mod_xn_1_prepared(
    plan: *const carryless_poly_plan,
    n: usize,
    a: *const u64,
    a_words: usize,
    prepared: *const u64,
    prepared_words: usize,
    out: *mut u64,
    out_words: usize,
    scratch: *mut u64,
    scratch_words: usize,
) -> carryless_status {
    let (inputs, outputs) =
        ([(a, a_words), (prepared, prepared_words)], [(out, out_words), (scratch, scratch_words)]);
    call(|| {
        let exponents = [n, 0];
        let modulus = Modulus::new(&exponents).ok_or(Status::Value)?;
        // SAFETY: the caller's promise.
        unsafe {
            Job::run(plan, inputs, outputs, |job| {
                job.plan.try_mul_mod_prepared(modulus, job.a, job.b, job.out, job.scratch)
            })
        }
    })
}
