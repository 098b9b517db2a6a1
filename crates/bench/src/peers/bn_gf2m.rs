//! Fields GF(2^m) of OpenSSL (`BN_GF2m`), from the `libcrypto.so.3` that the loader finds.
#![allow(unsafe_code)]
use crate::algebra::{Operation as _, subject};
use crate::f2x::digest;
use crate::input::Input;
use crate::paper004::operation::{Case, Operation, Parameters, without_lowest_bit};
use crate::subject::{Runner, Subject, Work};
use libloading::Library;
use std::ffi::{c_int, c_void};
use std::mem::take;
use std::ptr::null_mut;

type Bn = *mut c_void;
type Context = *mut c_void;
/// A function of one operand. Arguments: result, a, exponents of f, context.
type Unary = unsafe extern "C" fn(Bn, Bn, *const c_int, Context) -> c_int;
/// A function of two operands. Arguments: result, a, b, exponents of f, context.
type Binary = unsafe extern "C" fn(Bn, Bn, Bn, *const c_int, Context) -> c_int;

/// Functions of the library, which is never unloaded.
#[derive(Clone, Copy)]
struct Crypto {
    bn_new: unsafe extern "C" fn() -> Bn,
    bn_free: unsafe extern "C" fn(Bn),
    ctx_new: unsafe extern "C" fn() -> Context,
    ctx_free: unsafe extern "C" fn(Context),
    read: unsafe extern "C" fn(*const u8, c_int, Bn) -> Bn,
    write: unsafe extern "C" fn(Bn, *mut u8, c_int) -> c_int,
    mul: Binary,
    square: Unary,
    sqrt: Unary,
    solve: Unary,
    invert: Unary,
}

/// The largest degree m that is inverted. Above `OPENSSL_ECC_MAX_FIELD_BITS` the library's function fails.
const MAX_TO_INVERT: usize = 661;

/// Operations of OpenSSL's `BN_GF2m` in a field; none if OpenSSL is not installed, or in an extension.
pub(crate) fn subjects(field: Parameters) -> Vec<(Operation, Subject)> {
    // The loader keeps one copy, however often the library is opened.
    let Some(crypto) = Crypto::load().filter(|_| !field.is_extension) else { return vec![] };
    let operations =
        [Operation::Product, Operation::Square, Operation::Sqrt, Operation::Solve, Operation::Invert];
    let has = |operation: &Operation| *operation != Operation::Invert || field.degree <= MAX_TO_INVERT;
    let one = |operation| {
        let work = BnGf2m { crypto, field, operation };
        subject("openssl", operation, "any", work)
    };
    operations.into_iter().filter(has).map(one).collect()
}

impl Crypto {
    fn load() -> Option<Crypto> {
        // SAFETY: the library does nothing but set itself up when it is loaded, and is never unloaded; the
        // types are those of its header.
        unsafe {
            let library = Box::leak(Box::new(Library::new("libcrypto.so.3").ok()?));
            Some(Crypto {
                bn_new: *library.get(b"BN_new\0").ok()?,
                bn_free: *library.get(b"BN_clear_free\0").ok()?,
                ctx_new: *library.get(b"BN_CTX_new\0").ok()?,
                ctx_free: *library.get(b"BN_CTX_free\0").ok()?,
                read: *library.get(b"BN_lebin2bn\0").ok()?,
                write: *library.get(b"BN_bn2lebinpad\0").ok()?,
                mul: *library.get(b"BN_GF2m_mod_mul_arr\0").ok()?,
                square: *library.get(b"BN_GF2m_mod_sqr_arr\0").ok()?,
                sqrt: *library.get(b"BN_GF2m_mod_sqrt_arr\0").ok()?,
                solve: *library.get(b"BN_GF2m_mod_solve_quad_arr\0").ok()?,
                invert: *library.get(b"BN_GF2m_mod_inv_arr\0").ok()?,
            })
        }
    }
}

struct BnGf2m {
    crypto: Crypto,
    field: Parameters,
    operation: Operation,
}

impl Work for BnGf2m {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &self.field, input);
        let mut call = Call::new(self, &case.a[0], &case.b[0]);
        let mut fresh = true;
        Box::new(move |tags, times| {
            if take(&mut fresh) {
                call.run();
                let words = call.result();
                tags[0] = digest(&match self.operation {
                    Operation::Solve => without_lowest_bit(&words),
                    _ => words,
                });
            }
            for _ in 0..times {
                // A call of foreign code is opaque to the compiler, so it needs no black_box.
                call.run();
            }
        })
    }
}

/// Operands in the library's form, and a call on them. The result replaces a, so that calls wait for each
/// other; for solutions it does not, because a solution may have none itself.
struct Call<'a> {
    work: &'a BnGf2m,
    exponents: Vec<c_int>,
    a: Bn,
    b: Bn,
    out: Bn,
    context: Context,
}

impl<'a> Call<'a> {
    fn new(work: &'a BnGf2m, a: &[u64], b: &[u64]) -> Call<'a> {
        let exponents = work.field.exponents().into_iter().map(|exponent| exponent as c_int);
        // The library's lists of exponents end with -1.
        let exponents = exponents.chain([-1]).collect();
        let read = |words: &[u64]| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            // SAFETY: `bytes` has the length given; null asks for a new number.
            unsafe { (work.crypto.read)(bytes.as_ptr(), bytes.len() as c_int, null_mut()) }
        };
        let (a, b) = (read(a), read(b));
        // SAFETY: both functions make something new.
        let (new, context) = unsafe { ((work.crypto.bn_new)(), (work.crypto.ctx_new)()) };
        assert!([a, b, new, context].iter().all(|made| !made.is_null()), "libcrypto has no memory");
        // A solution does not replace c.
        let out = if work.operation == Operation::Solve { new } else { a };
        if out == a {
            // SAFETY: nobody holds it.
            unsafe { (work.crypto.bn_free)(new) };
        }
        Call { work, exponents, a, b, out, context }
    }

    fn run(&mut self) {
        let Call { work: BnGf2m { crypto, operation, .. }, a, b, out, context, .. } = *self;
        let f = self.exponents.as_ptr();
        // SAFETY: numbers and context are live; the exponents end with -1; results may lie in an operand.
        let done = unsafe {
            match operation {
                Operation::Product => (crypto.mul)(out, a, b, f, context),
                Operation::Square => (crypto.square)(out, a, f, context),
                Operation::Sqrt => (crypto.sqrt)(out, a, f, context),
                Operation::Solve => (crypto.solve)(out, a, f, context),
                Operation::Invert => (crypto.invert)(out, a, f, context),
                // `subjects` makes no other operation. 0 fails the assertion below.
                _ => 0,
            }
        };
        assert_eq!(done, 1, "libcrypto fails: {}", operation.name());
    }

    /// The result in words of 64 bits, as many as an element of the field has.
    fn result(&self) -> Vec<u64> {
        let mut bytes = vec![0; 8 * self.work.field.words()];
        // SAFETY: `bytes` has the length given.
        unsafe { (self.work.crypto.write)(self.out, bytes.as_mut_ptr(), bytes.len() as c_int) };
        bytes.chunks(8).map(crate::f2x::word).collect()
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let crypto = &self.work.crypto;
        // SAFETY: each is freed once; `out` may be `a`.
        unsafe {
            if self.out != self.a {
                (crypto.bn_free)(self.out);
            }
            (crypto.bn_free)(self.a);
            (crypto.bn_free)(self.b);
            (crypto.ctx_free)(self.context);
        }
    }
}
