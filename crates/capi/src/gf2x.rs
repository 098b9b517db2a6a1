//! Polynomials over F2 as public values: products, division, common divisors, inverses, factors and irreducible polynomials.
use crate::memory::{Input, Output, Region, apart};
use crate::poly::{Words, WordsMut};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_gf2::algebra::Poly;
use std::ffi::c_void;

/// A function that a long computation calls between its steps with the `context` of the call. If it returns another number than 0, the computation ends with
/// CARRYLESS_STATUS_STOPPED. It must return. A null pointer stands for none.
pub type carryless_gf2x_proceed = Option<unsafe extern "C" fn(context: *mut c_void) -> i32>;

/// A function that receives an irreducible factor with the `context` of the call. The words are there until it returns, and it must return.
pub type carryless_gf2x_receive = Option<
    unsafe extern "C" fn(context: *mut c_void, factor: *const u64, factor_words: usize, multiplicity: usize),
>;

/// Asks the caller whether to go on.
fn go_on(proceed: carryless_gf2x_proceed, context: *mut c_void) -> Result<(), Status> {
    match proceed {
        // SAFETY: the caller's promise; the context is the caller's own.
        Some(proceed) if unsafe { proceed(context) } != 0 => Err(Status::Stopped),
        _ => Ok(()),
    }
}

/// The polynomial in a buffer.
///
/// # Safety
/// The promise of the caller in C.
unsafe fn read(input: Input<u64>) -> Poly {
    // SAFETY: the promise to this function.
    Poly::from_words(unsafe { input.slice() })
}

/// An output and the words that it must have.
type Wanted = (WordsMut, usize);

/// Writes what `compute` makes of N operands, with zeros above it. Outputs must have the words that they say, which are enough, or 0.
///
/// # Safety
/// The promise of the caller in C.
unsafe fn results<const N: usize, const M: usize>(
    operands: [Words; N],
    outputs: [Wanted; M],
    compute: impl FnOnce([Poly; N]) -> Result<[Poly; M], Status>,
) -> Result<(), Status> {
    let mut regions = [Region::new(0, 0); N];
    let mut polys = [const { Poly::zero() }; N];
    for (i, (start, len)) in operands.into_iter().enumerate() {
        let input = Input::new(start, len)?;
        regions[i] = input.region;
        // SAFETY: the caller's promise; nothing is written yet.
        polys[i] = unsafe { read(input) };
    }
    let mut places = [None; M];
    for (i, ((start, len), _)) in outputs.into_iter().enumerate() {
        let place = Output::new(start, len)?;
        apart(place.region, &regions)?;
        for other in places[..i].iter().flatten() {
            let other: &Output<u64> = other;
            apart(place.region, &[other.region])?;
        }
        places[i] = Some(place);
    }
    if outputs.iter().any(|((_, len), wanted)| len != wanted) {
        return Err(Status::Length);
    }
    let computed = compute(polys)?;
    for ((place, poly), (_, wanted)) in places.into_iter().flatten().zip(computed).zip(outputs) {
        let mut words = poly.into_words();
        words.resize(wanted, 0);
        // SAFETY: the caller's promise.
        unsafe { place.write(&words)? };
    }
    Ok(())
}

/// The product of a and b. `out` has as many words as both together. Operands are public; carryless_poly_mul takes secret ones.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_mul(
    a: *const u64,
    a_words: usize,
    b: *const u64,
    b_words: usize,
    out: *mut u64,
    out_words: usize,
) -> carryless_status {
    call(|| {
        let wanted = a_words.checked_add(b_words).ok_or(Status::Length)?;
        // SAFETY: the caller's promise.
        unsafe { results([(a, a_words), (b, b_words)], [((out, out_words), wanted)], |[a, b]| Ok([&a * &b])) }
    })
}

/// Division with remainder: a = quotient d + remainder, where the remainder has a lower degree than d; CARRYLESS_STATUS_VALUE if d is 0. `quotient` has as
/// many words as a, and `remainder` as many as d; one that is not wanted is null with 0 words. Operands are public.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_div_rem(
    a: *const u64,
    a_words: usize,
    d: *const u64,
    d_words: usize,
    quotient: *mut u64,
    quotient_words: usize,
    remainder: *mut u64,
    remainder_words: usize,
) -> carryless_status {
    // A null output of no words is one that nobody wants.
    let wanted = |start: *mut u64, len, wanted| ((start, len), if start.is_null() { 0 } else { wanted });
    let outputs = [wanted(quotient, quotient_words, a_words), wanted(remainder, remainder_words, d_words)];
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            results([(a, a_words), (d, d_words)], outputs, |[a, d]| match quotient.is_null() {
                // A remainder alone is faster by a divisor of few terms.
                true => Ok([Poly::zero(), a.rem(&d).ok_or(Status::Value)?]),
                false => a.div_rem(&d).map(<[Poly; 2]>::from).ok_or(Status::Value),
            })
        }
    })
}

/// The greatest common divisor of a and b, 0 for 0 and 0, and the factors of least degree with gcd = u a + v b. All three have as many words as the
/// longer of a and b. Operands are public: the time depends on their coefficients.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_xgcd(
    a: *const u64,
    a_words: usize,
    b: *const u64,
    b_words: usize,
    gcd: *mut u64,
    gcd_words: usize,
    u: *mut u64,
    u_words: usize,
    v: *mut u64,
    v_words: usize,
) -> carryless_status {
    let outputs = [(gcd, gcd_words), (u, u_words), (v, v_words)].map(|out| (out, a_words.max(b_words)));
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            results([(a, a_words), (b, b_words)], outputs, |[a, b]| {
                let bezout = a.xgcd_vartime(&b);
                Ok([bezout.g, bezout.u, bezout.v])
            })
        }
    })
}

/// The greatest common divisor of a and b, 0 for 0 and 0. `out` has as many words as the longer of them. Operands are public: the time depends on their
/// coefficients.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_gcd(
    a: *const u64,
    a_words: usize,
    b: *const u64,
    b_words: usize,
    out: *mut u64,
    out_words: usize,
) -> carryless_status {
    let operands = [(a, a_words), (b, b_words)];
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            results(operands, [((out, out_words), a_words.max(b_words))], |[a, b]| Ok([a.gcd_vartime(&b)]))
        }
    })
}

/// The inverse of a modulo f; CARRYLESS_STATUS_VALUE if there is none or f is 0. `out` has as many words as f. Operands are public.
///
/// # Safety
/// Pointers are as those of carryless_gf2x_gcd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_inverse_mod(
    a: *const u64,
    a_words: usize,
    f: *const u64,
    f_words: usize,
    out: *mut u64,
    out_words: usize,
) -> carryless_status {
    let operands = [(a, a_words), (f, f_words)];
    call(|| {
        // SAFETY: the caller's promise.
        unsafe {
            results(operands, [((out, out_words), f_words)], |[a, f]| {
                Ok([a.inverse_mod_vartime(&f).ok_or(Status::Value)?])
            })
        }
    })
}

/// Whether a is irreducible: `irreducible` becomes 1 or 0. Degrees above 100,000 may take minutes.
///
/// # Safety
/// As of carryless_gf2x_gcd; `proceed` is null or can be called with `context`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_is_irreducible(
    a: *const u64,
    a_words: usize,
    proceed: carryless_gf2x_proceed,
    context: *mut c_void,
    irreducible: *mut u8,
) -> carryless_status {
    call(|| {
        let (a, irreducible) = (Input::new(a, a_words)?, Output::one(irreducible)?);
        apart(irreducible.region, &[a.region])?;
        // SAFETY: the caller's promise.
        let a = unsafe { read(a) };
        let answer = a.try_is_irreducible_vartime(|| go_on(proceed, context))?;
        // SAFETY: the caller's promise.
        unsafe { irreducible.write(&[u8::from(answer)]) }
    })
}

/// An irreducible polynomial of degree n: the trinomial X^n + X^k + 1 with the least k, or else the pentanomial with the least exponents; X for n = 1.
/// CARRYLESS_STATUS_VALUE for n = 0. `out` has n / 64 + 1 words.
///
/// # Safety
/// `out` is null or leads to `out_words` words; `proceed` is null or can be called with `context`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_find_irreducible(
    n: usize,
    proceed: carryless_gf2x_proceed,
    context: *mut c_void,
    out: *mut u64,
    out_words: usize,
) -> carryless_status {
    call(|| {
        let find = |[]: [Poly; 0]| {
            Ok([Poly::try_find_irreducible_vartime(n, || go_on(proceed, context))?.ok_or(Status::Value)?])
        };
        // SAFETY: the caller's promise.
        unsafe { results([], [((out, out_words), n / 64 + 1)], find) }
    })
}

/// Factors a: when all irreducible factors are known, `receive` gets each with its multiplicity, in ascending order. CARRYLESS_STATUS_VALUE for a = 0.
///
/// # Safety
/// As of carryless_gf2x_is_irreducible; `receive` is null or can be called with `context`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_gf2x_factor(
    a: *const u64,
    a_words: usize,
    proceed: carryless_gf2x_proceed,
    receive: carryless_gf2x_receive,
    context: *mut c_void,
) -> carryless_status {
    call(|| {
        let (a, receive) = (Input::new(a, a_words)?, receive.ok_or(Status::Null)?);
        // SAFETY: the caller's promise.
        let a = unsafe { read(a) };
        let factors = a.try_factor_vartime(|| go_on(proceed, context))?.ok_or(Status::Value)?;
        for (factor, multiplicity) in &factors {
            // SAFETY: the caller's promise; the words live until the call returns.
            unsafe { receive(context, factor.words().as_ptr(), factor.words().len(), *multiplicity) };
        }
        Ok(())
    })
}
