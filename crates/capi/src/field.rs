//! Fields GF(2^m).
use crate::kind::CARRYLESS_KIND_FIELD;
use crate::memory::{Input, Output, Region, apart};
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_gf2::field::DynField;
use std::ffi::c_void;

/// GF(2^m) = F2[z]/f. Threads may share it.
///
/// Elements are ceil(m / 64) words, least significant first: bit i of word j is the coefficient of z^(64 j + i). Functions take arrays of elements, one
/// after the other, whose lengths are given in words; an array of one is an element. CARRYLESS_STATUS_VALUE if an operand has bits from z^m on. All run in
/// constant time with respect to elements.
pub struct carryless_field {
    _private: [u8; 0],
}

impl Opaque for carryless_field {
    type Value = DynField;
    const KIND: u32 = CARRYLESS_KIND_FIELD;
}

/// The field whose f is the sum of these powers of z, in any order: irreducible, of degree 1 to 1279, with any number of terms. It is made in `memory`, as
/// carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0; the exponents are always kept on the heap. Ends with carryless_free.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_new(
    exponents: *const usize,
    exponents_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    field: *mut *mut carryless_field,
) -> carryless_status {
    call(|| {
        let bytes = exponents_len.saturating_mul(size_of::<usize>());
        let inputs = [Region::new(exponents.addr(), bytes)];
        let make = || {
            let exponents = Input::new(exponents, exponents_len)?;
            // SAFETY: the caller's promise; nothing is written while the exponents are read.
            DynField::from_exponents(unsafe { exponents.slice() }).map_err(|_| Status::Value)
        };
        // SAFETY: the caller's promise.
        unsafe { state::place(memory, memory_len, field, &inputs, make) }
    })
}

/// m, and the words of an element.
///
/// # Safety
/// Pointers are null, or can be written; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_degree(
    field: *const carryless_field,
    degree: *mut usize,
    words: *mut usize,
) -> carryless_status {
    call(|| {
        let (degree, words) = (Output::one(degree)?, Output::one(words)?);
        apart(degree.region, &[words.region, state::region(field)])?;
        apart(words.region, &[state::region(field)])?;
        // SAFETY: the caller's promise; the three are apart.
        unsafe {
            let field = state::get(field)?;
            degree.write(&[field.degree()])?;
            words.write(&[field.words()])
        }
    })
}

/// Whether no element of the array has bits from z^m on. Only this answer is public.
fn reduced(field: &DynField, array: &[u64]) -> bool {
    let top = array.chunks_exact(field.words()).fold(0, |all, element| all | element[field.words() - 1]);
    match field.degree() % u64::BITS as usize {
        0 => true,
        used => top >> used == 0,
    }
}

/// Calls `operation` for each element of N arrays and of the output, all of `words` words.
///
/// # Safety
/// The promise of the caller in C.
unsafe fn each<const N: usize>(
    field: *const carryless_field,
    inputs: [*const u64; N],
    (out, words): (*mut u64, usize),
    operation: impl Fn(&DynField, [&[u64]; N], &mut [u64]),
) -> Result<(), Status> {
    let mut arrays: [&[u64]; N] = [&[]; N];
    let out = Output::new(out, words)?;
    apart(out.region, &[state::region(field)])?;
    for (array, start) in arrays.iter_mut().zip(inputs) {
        let input = Input::new(start, words)?;
        apart(out.region, &[input.region])?;
        // SAFETY: the caller's promise; the output is apart from it.
        *array = unsafe { input.slice() };
    }
    // SAFETY: the caller's promise; the output is apart from the rest.
    let (field, out) = unsafe { (state::get(field)?, out.slice()) };
    // Nothing is written before this check, so a wrong length leaves the output as it was.
    if !words.is_multiple_of(field.words()) {
        return Err(Status::Length);
    }
    if !arrays.iter().all(|array| reduced(field, array)) {
        return Err(Status::Value);
    }
    state::on_copies::<carryless_field, _>(|| {
        for (i, out) in out.chunks_exact_mut(field.words()).enumerate() {
            let at = i * field.words();
            operation(field, arrays.map(|array| &array[at..at + out.len()]), out);
        }
    });
    Ok(())
}

/// `out = a + b`, element by element; every array has `words` words.
///
/// # Safety
/// Pointers are null, or lead to as many words as are given; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_add(
    field: *const carryless_field,
    a: *const u64,
    b: *const u64,
    out: *mut u64,
    words: usize,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { each(field, [a, b], (out, words), |field, [a, b], out| field.add(a, b, out)) }
    })
}

/// `out = a b`, element by element.
///
/// # Safety
/// `a`, `b` and `out` are null, or lead to `words` words; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_mul(
    field: *const carryless_field,
    a: *const u64,
    b: *const u64,
    out: *mut u64,
    words: usize,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { each(field, [a, b], (out, words), |field, [a, b], out| field.mul(a, b, out)) }
    })
}

/// `out = a^(2^k)`, element by element, by k mod m squarings, where m is the degree; k is public. A square has k = 1.
///
/// # Safety
/// `a` and `out` are null, or lead to `words` words; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_frobenius(
    field: *const carryless_field,
    a: *const u64,
    k: usize,
    out: *mut u64,
    words: usize,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { each(field, [a], (out, words), |field, [a], out| field.frobenius(a, k, out)) }
    })
}

/// `out = sqrt(a)`, element by element: every element has one square root.
///
/// # Safety
/// `a` and `out` are null, or lead to `words` words; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_sqrt(
    field: *const carryless_field,
    a: *const u64,
    out: *mut u64,
    words: usize,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { each(field, [a], (out, words), |field, [a], out| field.sqrt(a, out)) }
    })
}

/// `out = 1 / a`, element by element, and 0 for 0.
///
/// # Safety
/// `a` and `out` are null, or lead to `words` words; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_invert(
    field: *const carryless_field,
    a: *const u64,
    out: *mut u64,
    words: usize,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { each(field, [a], (out, words), |field, [a], out| field.invert_or_zero(a, out)) }
    })
}

/// x with x^2 + x = c, element by element, where the trace of c is 0; where it is 1 there is no solution and something else is written. The other solution is
/// x + 1.
///
/// # Safety
/// `c` and `out` are null, or lead to `words` words; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_solve(
    field: *const carryless_field,
    c: *const u64,
    out: *mut u64,
    words: usize,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { each(field, [c], (out, words), |field, [c], out| field.solve_unchecked(c, out)) }
    })
}

/// `out = a^e`, element by element, for one exponent of `e_words` words, least significant first. It is public; 0^0 is 1.
///
/// # Safety
/// Pointers are null, or lead to `words` words, `e` to `e_words`; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_pow(
    field: *const carryless_field,
    a: *const u64,
    e: *const u64,
    e_words: usize,
    out: *mut u64,
    words: usize,
) -> carryless_status {
    call(|| {
        let e = Input::new(e, e_words)?;
        // `each` checks the length of `out` later. Until then it may be any number, and the longest possible
        // slice stands for it.
        apart(Region::new(out.addr(), words.saturating_mul(8).min(isize::MAX as usize)), &[e.region])?;
        // SAFETY: the caller's promise; the output is apart from the exponent.
        unsafe {
            let e = e.slice();
            each(field, [a], (out, words), |field, [a], out| field.pow(a, e, out))
        }
    })
}

/// The traces of elements, 0 or 1 in a byte each: `traces_len` is the number of elements.
///
/// # Safety
/// `a` is null or leads to `words` words, `traces` to `traces_len` bytes; `field` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_field_trace(
    field: *const carryless_field,
    a: *const u64,
    words: usize,
    traces: *mut u8,
    traces_len: usize,
) -> carryless_status {
    call(|| {
        let (a, traces) = (Input::new(a, words)?, Output::new(traces, traces_len)?);
        apart(traces.region, &[a.region, state::region(field)])?;
        // SAFETY: the caller's promise; the traces are apart from the rest.
        let (field, a, traces) = unsafe { (state::get(field)?, a.slice(), traces.slice()) };
        if Some(a.len()) != traces.len().checked_mul(field.words()) {
            return Err(Status::Length);
        }
        if !reduced(field, a) {
            return Err(Status::Value);
        }
        state::on_copies::<carryless_field, _>(|| {
            for (trace, a) in traces.iter_mut().zip(a.chunks_exact(field.words())) {
                *trace = field.trace(a).to_u8();
            }
        });
        Ok(())
    })
}
