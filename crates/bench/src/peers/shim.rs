//! Libraries that the user has built together with a file in `crates/bench/shims`. They are C++, or their
//! functions are macros that depend on how the library was built.
//!
//! One header there declares the calls for fields, another those for curves. In both, calls are made, run and
//! freed in the same way.
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

/// An operation with its operands, which the library has allocated.
pub(crate) type Call = *mut c_void;

/// Functions of a library, which is never unloaded.
#[derive(Clone)]
pub(crate) struct Shim<New> {
    /// The library's name in subjects: that of its file without the extension.
    pub(super) name: String,
    /// Makes a call; null if the library lacks the operation.
    pub(super) new: New,
    pub(super) calls: Calls,
}

/// The functions that both headers declare: run a call some number of times, read its result, free it.
#[derive(Clone, Copy)]
pub(super) struct Calls {
    pub(super) run: unsafe extern "C" fn(Call, u64),
    pub(super) result: unsafe extern "C" fn(Call, *mut u64),
    pub(super) free: unsafe extern "C" fn(Call),
}

impl<New: Copy> Shim<New> {
    /// Loads the libraries in these files.
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
        // Names of subjects that come from elsewhere. A file of such a name would mix its figures with
        // theirs.
        let mut names = BTreeSet::from([OURS.to_owned(), "openssl".into(), "crrl".into()]);
        let all = files.map(|file| {
            // SAFETY: the caller vouches for the type.
            let shim = unsafe { Shim::load(prefix, file) }.with_context(|| file.display().to_string())?;
            // Figures are found by name, so two libraries of one name would be mixed.
            let is_new = names.insert(shim.name.clone());
            ensure!(is_new, "{}: another library is named {} too", file.display(), shim.name);
            Ok(shim)
        });
        all.collect()
    }

    /// # Safety
    /// `New` is the type of `PREFIX_new` in the header with this prefix.
    unsafe fn load(prefix: &str, file: &Path) -> Result<Shim<New>> {
        let file = file.canonicalize()?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let symbol = |name: &str| format!("{prefix}_{name}\0");
        // SAFETY: NTL and RELIC do nothing but set themselves up when they are loaded; the types are those of
        // the header, and the library is never unloaded.
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

    /// Takes over a call that `new` has made; `None` if it is null.
    ///
    /// # Safety
    /// The call is of this library, its results have `words` words, and nothing else frees it.
    pub(super) unsafe fn hold(&self, call: Call, words: usize) -> Option<Held> {
        (!call.is_null()).then(|| Held { calls: self.calls, call, words })
    }
}

/// A call with its operands, which is freed when dropped.
pub(super) struct Held {
    calls: Calls,
    call: Call,
    words: usize,
}

impl Held {
    /// Repeats the call. The tag is the digest of the first result, after `words` has normalised it.
    pub(super) fn runner<'a>(mut self, words: impl Fn(Vec<u64>) -> Vec<u64> + 'a) -> Runner<'a> {
        let mut fresh = true;
        Box::new(move |tags, times| {
            if take(&mut fresh) {
                self.run(1);
                tags[0] = digest(&words(self.result()));
            }
            // The library repeats the call itself, as our loops do, so that no call between languages is
            // timed.
            self.run(times.into());
        })
    }

    /// The pointer by which the library identifies the call.
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
