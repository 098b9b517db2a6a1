//! Fields GF(2^m) of libraries that the user has built together with one of the files in `crates/bench/shims`: NTL's `GF2E`, which is C++, and
//! RELIC's, whose functions are macros that depend on how it was built. `fields.h` there says what is called.
#![allow(unsafe_code)]
use crate::algebra::{OURS, Operation as _, subject};
use crate::f2x::digest;
use crate::input::Input;
use crate::paper004::operation::{Case, Operation, Parameters, without_lowest_bit};
use crate::subject::{Runner, Subject, Work};
use anyhow::{Context, Result, ensure};
use libloading::Library;
use std::collections::BTreeSet;
use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::take;
use std::path::{Path, PathBuf};

/// Libraries by path.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Shims {
    /// NTL's fields, by a shared library made of crates/bench/shims/ntl.cpp (docs/benchmarks.md); named after its file
    #[arg(long, value_name = "FILE")]
    ntl: Vec<PathBuf>,
    /// RELIC's field, by a shared library made of crates/bench/shims/relic.c; one for each build of RELIC, named after its file
    #[arg(long, value_name = "FILE")]
    relic: Vec<PathBuf>,
}

impl Shims {
    /// Loads all.
    ///
    /// # Errors
    /// If a file is no such library, or two have one name.
    pub(crate) fn load(&self) -> Result<Vec<Shim>> {
        let mut names = BTreeSet::from([OURS.to_owned(), "openssl".into(), "crrl".into()]);
        let all = self.ntl.iter().chain(&self.relic).map(|file| {
            let shim = Shim::load(file).with_context(|| file.display().to_string())?;
            let is_new = names.insert(shim.name.clone());
            ensure!(is_new, "{}: another library is named {} too", file.display(), shim.name);
            Ok(shim)
        });
        all.collect()
    }
}

type Call = *mut c_void;
/// Operation, exponents, two elements.
type New = unsafe extern "C" fn(*const c_char, *const c_int, *const u64, *const u64) -> Call;

/// What is called of a library, which stays loaded.
#[derive(Clone)]
pub(crate) struct Shim {
    name: String,
    new: New,
    run: unsafe extern "C" fn(Call, u64),
    result: unsafe extern "C" fn(Call, *mut u64),
    free: unsafe extern "C" fn(Call),
}

impl Shim {
    fn load(file: &Path) -> Result<Shim> {
        let file = file.canonicalize()?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // SAFETY: NTL and RELIC do nothing but set themselves up when they are loaded; the types are those of fields.h, and the library is
        // never unloaded.
        unsafe {
            let library = Box::leak(Box::new(Library::new(file)?));
            Ok(Shim {
                name,
                new: *library.get(b"fields_new\0")?,
                run: *library.get(b"fields_run\0")?,
                result: *library.get(b"fields_result\0")?,
                free: *library.get(b"fields_free\0")?,
            })
        }
    }

    /// The operations that the library has in a field.
    pub(crate) fn subjects(&self, field: Parameters) -> Vec<(Operation, Subject)> {
        let one = |&operation: &Operation| {
            let work = InField { shim: self.clone(), field, operation };
            work.call(&vec![0; field.words()], &vec![0; field.words()])?;
            Some(subject(&self.name, operation, "any", work))
        };
        Operation::ALL.iter().filter_map(one).collect()
    }
}

struct InField {
    shim: Shim,
    field: Parameters,
    operation: Operation,
}

impl InField {
    /// A call on two elements, if the library has the operation.
    fn call(&self, a: &[u64], b: &[u64]) -> Option<Held<'_>> {
        let Parameters { degree, tail, .. } = self.field;
        let exponents = [degree].into_iter().chain(tail.iter().copied()).map(|exponent| exponent as c_int);
        let exponents: Vec<c_int> = exponents.chain([-1]).collect();
        let operation = CString::new(self.operation.name()).expect("names have no zeros");
        assert!(a.len() == self.field.words() && b.len() == self.field.words(), "elements of the field");
        // SAFETY: the name ends with zero, the exponents with -1, and the elements have the words of the field.
        let call = unsafe { (self.shim.new)(operation.as_ptr(), exponents.as_ptr(), a.as_ptr(), b.as_ptr()) };
        (!call.is_null()).then(|| Held { work: self, call })
    }
}

impl Work for InField {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &self.field, input);
        let mut call = self.call(&case.a[0], &case.b[0]).expect("it was there before");
        let mut fresh = true;
        Box::new(move |tags, times| {
            if take(&mut fresh) {
                call.run(1);
                let words = call.result();
                tags[0] = digest(&match self.operation {
                    Operation::Solve => without_lowest_bit(&words),
                    _ => words,
                });
            }
            call.run(times.into());
        })
    }
}

/// A call with its operands.
struct Held<'a> {
    work: &'a InField,
    call: Call,
}

impl Held<'_> {
    fn run(&mut self, times: u64) {
        // SAFETY: the call is live.
        unsafe { (self.work.shim.run)(self.call, times) };
    }

    fn result(&self) -> Vec<u64> {
        let mut words = vec![0; self.work.field.words()];
        // SAFETY: the call is live, and `words` has the length of an element, which is what the library writes.
        unsafe { (self.work.shim.result)(self.call, words.as_mut_ptr()) };
        words
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: it is freed once.
        unsafe { (self.work.shim.free)(self.call) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Structure;
    use crate::input::Fill;
    use carryless_reference::gf2;
    use std::ffi::CStr;

    const AES: Parameters = Parameters { name: "Gf8", degree: 8, tail: &[4, 3, 1, 0] };

    /// A library in Rust with squares modulo a polynomial of degree 8.
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
        let shim = Shim { name: "own".into(), new, run, result, free };
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
            let shims = Shims { ntl: vec![file.into()], relic: vec![] };
            format!("{:#}", shims.load().err().expect("it is no library with fields"))
        };
        assert!(load("no-such-file.so").starts_with("no-such-file.so: "));
        let own = std::env::current_exe().expect("a test has a file");
        assert!(load(&own.display().to_string()).contains(&*own.to_string_lossy()));
    }
}
