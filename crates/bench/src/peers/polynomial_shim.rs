//! Polynomials of libraries with a shim, such as NTL. The header `polynomials.h` declares the functions that are
//! called.
#![allow(unsafe_code)]
use super::shim::{Call, Held, Shim};
use crate::algebra::{Operation as _, subject};
use crate::input::Input;
use crate::polynomials::case::{Case, Modulus, Operation};
use crate::subject::{Runner, Subject, Work};
use anyhow::Result;
use carryless_gf2::algebra::Poly;
use std::ffi::{CString, c_char};
use std::path::PathBuf;
use std::rc::Rc;

/// Libraries with polynomials that are loaded by path.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct PolynomialShims {
    /// NTL's polynomials, by a shared library made of crates/bench/shims/ntl_polynomials.cpp
    /// (crates/bench/PEERS.md); named after its file
    #[arg(long, value_name = "FILE")]
    ntl: Vec<PathBuf>,
}

/// The function that makes a call. Arguments: operation, words of each polynomial, f, a, b, exponent. It returns null
/// if the library lacks the operation.
type New = unsafe extern "C" fn(*const c_char, u64, *const u64, *const u64, *const u64, u64) -> Call;

/// A library with polynomials that was loaded.
pub(crate) type PolynomialShim = Shim<New>;

impl PolynomialShims {
    /// Loads all libraries that are named.
    ///
    /// # Errors
    /// If a file is no such library, or two have one name.
    pub(crate) fn load(&self) -> Result<Vec<PolynomialShim>> {
        // SAFETY: the type is that of polynomials.h.
        unsafe { Shim::load_all("polynomials", self.ntl.iter()) }
    }
}

impl PolynomialShim {
    /// The operations with a modulus that the library has.
    pub(crate) fn subjects(&self, modulus: &Rc<Modulus>) -> Vec<(Operation, Subject)> {
        let one = |&operation: &Operation| {
            let work = Modular { shim: self.clone(), modulus: modulus.clone(), operation };
            // A call on zeros shows whether the library has the operation.
            work.call(&Case { a: Poly::zero(), b: Poly::zero(), exponent: 0 })?;
            Some(subject(&self.name, operation, "any", work))
        };
        modulus.operations.iter().filter_map(one).collect()
    }
}

struct Modular {
    shim: PolynomialShim,
    modulus: Rc<Modulus>,
    operation: Operation,
}

impl Modular {
    /// A call on the operands of a case; `None` if the library lacks the operation.
    fn call(&self, case: &Case) -> Option<Held> {
        let words = self.modulus.words();
        let [f, a, b] = [&self.modulus.f, &case.a, &case.b].map(|poly| {
            let mut padded = poly.words().to_vec();
            // The header passes one length, so a short operand would make the library read beyond it.
            assert!(padded.len() <= words, "no operand is longer than f");
            padded.resize(words, 0);
            padded
        });
        // For a library, a product of operands of unequal sizes is a product.
        let operation =
            if self.operation == Operation::Unequal { Operation::Product } else { self.operation };
        let operation = CString::new(operation.name()).expect("names have no zeros");
        let (f, a, b) = (f.as_ptr(), a.as_ptr(), b.as_ptr());
        // SAFETY: the name ends with zero, each polynomial has `words` words, and results have at most those that
        // the header allows them.
        unsafe {
            let call = (self.shim.new)(operation.as_ptr(), words as u64, f, a, b, case.exponent);
            self.shim.hold(call, self.modulus.result_words(self.operation))
        }
    }
}

impl Work for Modular {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &self.modulus, input);
        let call = self.call(&case).expect("it was there before");
        call.runner(move |words| case.normal(self.operation, &self.modulus, words))
    }
}

#[cfg(test)]
mod tests {
    use super::super::shim::Calls;
    use super::*;
    use crate::algebra::Structure;
    use crate::input::Fill;
    use carryless_reference::gf2;
    use std::ffi::CStr;

    /// A stand-in for a library, in Rust: it has squares of two words, and knows no inverse.
    struct Own {
        name: &'static CStr,
        a: [u64; 2],
        result: Vec<u64>,
    }

    unsafe extern "C" fn new(
        operation: *const c_char,
        words: u64,
        _: *const u64,
        a: *const u64,
        _: *const u64,
        _: u64,
    ) -> Call {
        // SAFETY: as polynomials.h has it; f of degree 66 has two words.
        let (operation, a) = unsafe { (CStr::from_ptr(operation), [*a, *a.add(1)]) };
        assert_eq!(words, 2);
        let known = [c"square", c"invert"].into_iter().find(|name| *name == operation);
        known.map_or(std::ptr::null_mut(), |name| {
            Box::into_raw(Box::new(Own { name, a, result: vec![] })).cast()
        })
    }

    unsafe extern "C" fn run(call: Call, _: u64) {
        // SAFETY: it is one of `new`'s.
        let own = unsafe { &mut *call.cast::<Own>() };
        own.result = if own.name == c"square" { gf2::square(&own.a) } else { own.a.to_vec() };
    }

    unsafe extern "C" fn result(call: Call, words: *mut u64) {
        // SAFETY: it is one of `new`'s.
        let own = unsafe { &*call.cast::<Own>() };
        // SAFETY: there is room for a result of this operation.
        unsafe { words.copy_from_nonoverlapping(own.result.as_ptr(), own.result.len()) };
    }

    unsafe extern "C" fn free(call: Call) {
        // SAFETY: it is one of `new`'s.
        drop(unsafe { Box::from_raw(call.cast::<Own>()) });
    }

    #[test]
    fn a_library_has_what_it_makes_a_call_of_right_or_wrong() {
        let shim = PolynomialShim { name: "own".into(), new, calls: Calls { run, result, free } };
        let modulus = Modulus::sparse(&[66, 3, 0]);
        let subjects = shim.subjects(&modulus);
        let names: Vec<&str> = subjects.iter().map(|(_, subject)| subject.name.as_str()).collect();
        assert_eq!(names, ["own/square", "own/invert"]);
        for fill in [Fill::Ones, Fill::Random(1)] {
            let input = Input::new(modulus.message(), 1, fill);
            let is_right = |of: &(Operation, Subject)| of.1.tags(&input) == [modulus.expected(of.0, &input)];
            assert!(is_right(&subjects[0]) && !is_right(&subjects[1]));
        }
    }

    #[test]
    fn what_is_no_such_library_is_named() {
        let shims = PolynomialShims { ntl: vec!["no-such-file.so".into()] };
        let error = format!("{:#}", shims.load().err().expect("it is no library"));
        assert!(error.starts_with("no-such-file.so: "), "{error}");
    }
}
