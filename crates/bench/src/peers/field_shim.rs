//! Fields GF(2^m) of libraries with a shim, such as NTL and RELIC. The header `fields.h` declares the
//! functions that are called.
#![allow(unsafe_code)]
use super::shim::{Call, Held, Shim};
use crate::algebra::{Operation as _, subject};
use crate::input::Input;
use crate::paper004::operation::{Case, Operation, Parameters, without_lowest_bit};
use crate::subject::{Runner, Subject, Work};
use anyhow::Result;
use std::ffi::{CString, c_char, c_int};
use std::path::PathBuf;

/// Libraries with fields that are loaded by path.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FieldShims {
    /// NTL's fields, by a shared library made of crates/bench/shims/ntl.cpp (crates/bench/PEERS.md); named after
    /// its file
    #[arg(long, value_name = "FILE")]
    ntl: Vec<PathBuf>,
    /// RELIC's field, by a shared library made of crates/bench/shims/relic.c; one for each build of RELIC,
    /// named after its file
    #[arg(long, value_name = "FILE")]
    relic: Vec<PathBuf>,
}

/// The function that makes a call. Arguments: operation, exponents of f with -1 after them, a, b. It returns
/// null if the library lacks the operation.
type New = unsafe extern "C" fn(*const c_char, *const c_int, *const u64, *const u64) -> Call;

/// A library with fields that was loaded.
pub(crate) type FieldShim = Shim<New>;

impl FieldShims {
    /// Loads all libraries that are named.
    ///
    /// # Errors
    /// If a file is no such library, or two have one name.
    pub(crate) fn load(&self) -> Result<Vec<FieldShim>> {
        // SAFETY: the type is that of fields.h.
        unsafe { Shim::load_all("fields", self.ntl.iter().chain(&self.relic)) }
    }
}

impl FieldShim {
    /// The operations that the library has in a field; none in extensions, which the header cannot describe.
    pub(crate) fn subjects(&self, field: Parameters) -> Vec<(Operation, Subject)> {
        let one = |operation| {
            let work = InField { shim: self.clone(), field, operation };
            // A call on zeros shows whether the library has the operation in this field.
            work.call(&vec![0; field.words()], &vec![0; field.words()])?;
            Some(subject(&self.name, operation, "any", work))
        };
        if field.is_extension { vec![] } else { Operation::all().filter_map(one).collect() }
    }
}

struct InField {
    shim: FieldShim,
    field: Parameters,
    operation: Operation,
}

impl InField {
    /// A call on two elements; `None` if the library lacks the operation or the field.
    fn call(&self, a: &[u64], b: &[u64]) -> Option<Held> {
        let exponents = self.field.exponents().into_iter().map(|exponent| exponent as c_int);
        let exponents: Vec<c_int> = exponents.chain([-1]).collect();
        let operation = CString::new(self.operation.name()).expect("names have no zeros");
        // The header passes no lengths, so a short element would make the library read beyond it.
        assert!(a.len() == self.field.words() && b.len() == self.field.words(), "elements of the field");
        // SAFETY: the name ends with zero, the exponents with -1, and the elements have the words of the
        // field, as results have.
        unsafe {
            let call = (self.shim.new)(operation.as_ptr(), exponents.as_ptr(), a.as_ptr(), b.as_ptr());
            self.shim.hold(call, self.field.words())
        }
    }
}

impl Work for InField {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &self.field, input);
        let call = self.call(&case.a[0], &case.b[0]).expect("it was there before");
        call.runner(|words| match self.operation {
            Operation::Solve => without_lowest_bit(&words),
            _ => words,
        })
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

    const AES: Parameters = Parameters { name: "Gf8", degree: 8, tail: &[4, 3, 1, 0], is_extension: false };

    /// A stand-in for a library, in Rust: it has squares modulo a polynomial of degree 8.
    struct Own {
        f: u64,
        a: u64,
    }

    unsafe extern "C" fn new(
        operation: *const c_char,
        exponents: *const c_int,
        a: *const u64,
        _: *const u64,
    ) -> Call {
        // SAFETY: as fields.h has it.
        let (name, a) = unsafe { (CStr::from_ptr(operation), *a) };
        // SAFETY: -1 ends the exponents.
        let exponents = (0..).map(|i| unsafe { *exponents.add(i) }).take_while(|exponent| *exponent >= 0);
        let f = exponents.fold(0, |f, exponent| f | 1 << exponent);
        if name != c"square" { std::ptr::null_mut() } else { Box::into_raw(Box::new(Own { f, a })).cast() }
    }

    unsafe extern "C" fn run(call: Call, times: u64) {
        // SAFETY: it is one of `new`'s.
        let own = unsafe { &mut *call.cast::<Own>() };
        for _ in 0..times {
            own.a = gf2::div_rem(&gf2::square(&[own.a]), &[own.f]).1.first().copied().unwrap_or(0);
        }
    }

    unsafe extern "C" fn result(call: Call, words: *mut u64) {
        // SAFETY: it is one of `new`'s, and there is room for a word.
        unsafe { *words = (*call.cast::<Own>()).a };
    }

    unsafe extern "C" fn free(call: Call) {
        // SAFETY: it is one of `new`'s.
        drop(unsafe { Box::from_raw(call.cast::<Own>()) });
    }

    #[test]
    fn a_library_has_what_it_makes_a_call_of() {
        let shim = FieldShim { name: "own".into(), new, calls: Calls { run, result, free } };
        let subjects = shim.subjects(AES);
        let names: Vec<&str> = subjects.iter().map(|(_, subject)| subject.name.as_str()).collect();
        assert_eq!(names, ["own/square"]);
        for fill in [Fill::Ones, Fill::Random(1)] {
            let input = Input::new(AES.message(), 1, fill);
            // Calls after the first one take its result, and change no digest.
            assert_eq!(subjects[0].1.tags_after(&input, 3), [AES.expected(Operation::Square, &input)]);
        }
    }

    #[test]
    fn what_is_no_such_library_is_named() {
        let load = |file: &str| {
            let shims = FieldShims { ntl: vec![file.into()], relic: vec![] };
            format!("{:#}", shims.load().err().expect("it is no library with fields"))
        };
        assert!(load("no-such-file.so").starts_with("no-such-file.so: "));
        let own = std::env::current_exe().expect("a test has a file");
        assert!(load(&own.display().to_string()).contains(&*own.to_string_lossy()));
    }
}
