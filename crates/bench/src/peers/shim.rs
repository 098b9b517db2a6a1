//! Libraries that the user has built together with files in `crates/bench/shims`: C++, or functions that are macros and depend on how the library was
//! built. One header there declares the calls for fields, a second one those for curves; both have calls that are made, run and freed in the same way.
#![allow(unsafe_code)]
use crate::algebra::OURS;
use crate::f2x::digest;
use crate::subject::Runner;
use anyhow::{Context, Result, ensure};
use libloading::Library;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::mem::take;
use std::path::{Path, PathBuf};

/// An operation of the library with its operands.
pub(crate) type Call = *mut c_void;

/// What is called of a library, which stays loaded.
#[derive(Clone)]
pub(crate) struct Shim<New> {
    /// That of its file.
    pub(super) name: String,
    /// Makes a call, or null if the library has no such operation.
    pub(super) new: New,
    pub(super) calls: Calls,
}

/// What both headers have.
#[derive(Clone, Copy)]
pub(super) struct Calls {
    pub(super) run: unsafe extern "C" fn(Call, u64),
    pub(super) result: unsafe extern "C" fn(Call, *mut u64),
    pub(super) free: unsafe extern "C" fn(Call),
}

impl<New: Copy> Shim<New> {
    /// Loads all.
    ///
    /// # Safety
    /// `New` is the type of `PREFIX_new` in the header with this prefix.
    ///
    /// # Errors
    /// If a file is no such library, or two have one name.
    pub(super) unsafe fn load_all<'a>(
        prefix: &str,
        files: impl Iterator<Item = &'a PathBuf>,
    ) -> Result<Vec<Shim<New>>> {
        let mut names = BTreeSet::from([OURS.to_owned(), "openssl".into(), "crrl".into()]);
        let all = files.map(|file| {
            // SAFETY: the caller vouches for the type.
            let shim = unsafe { Shim::load(prefix, file) }.with_context(|| file.display().to_string())?;
            let is_new = names.insert(shim.name.clone());
            ensure!(is_new, "{}: another library is named {} too", file.display(), shim.name);
            Ok(shim)
        });
        all.collect()
    }

    /// # Safety
    /// That of [`load_all`](Shim::load_all).
    unsafe fn load(prefix: &str, file: &Path) -> Result<Shim<New>> {
        let file = file.canonicalize()?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let symbol = |name: &str| format!("{prefix}_{name}\0");
        // SAFETY: NTL and RELIC do nothing but set themselves up when they are loaded; the types are those of the header, and the library is
        // never unloaded.
        unsafe {
            let library = Box::leak(Box::new(Library::new(file)?));
            let calls = Calls {
                run: *library.get(symbol("run").as_bytes())?,
                result: *library.get(symbol("result").as_bytes())?,
                free: *library.get(symbol("free").as_bytes())?,
            };
            Ok(Shim { name, new: *library.get::<New>(symbol("new").as_bytes())?, calls })
        }
    }

    /// A call that `new` has made, unless it is null.
    ///
    /// # Safety
    /// It is one of this library, its results have `words` words, and nothing else frees it.
    pub(super) unsafe fn hold(&self, call: Call, words: usize) -> Option<Held> {
        (!call.is_null()).then(|| Held { calls: self.calls, call, words })
    }
}

/// A call with its operands.
pub(super) struct Held {
    calls: Calls,
    call: Call,
    words: usize,
}

impl Held {
    /// Repeats it. The tag is the digest of what `words` makes of the first result.
    pub(super) fn runner<'a>(mut self, words: impl Fn(Vec<u64>) -> Vec<u64> + 'a) -> Runner<'a> {
        let mut fresh = true;
        Box::new(move |tags, times| {
            if take(&mut fresh) {
                self.run(1);
                tags[0] = digest(&words(self.result()));
            }
            self.run(times.into());
        })
    }

    /// What the library knows it by.
    #[cfg(all(test, feature = "curves"))]
    pub(super) fn address(&self) -> Call {
        self.call
    }

    fn run(&mut self, times: u64) {
        // SAFETY: the call is live.
        unsafe { (self.calls.run)(self.call, times) };
    }

    fn result(&self) -> Vec<u64> {
        let mut words = vec![0; self.words];
        // SAFETY: the call is live, and `words` is as long as its results.
        unsafe { (self.calls.result)(self.call, words.as_mut_ptr()) };
        words
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: it is freed once.
        unsafe { (self.calls.free)(self.call) };
    }
}
