//! Trees of files: the manifests of the command, by its library.
use crate::input::Bytes;
use carryless_aead::file_mac::Algorithm;
use carryless_cli::tree::{self, Counters, Finding, Key, Options, Symlinks, Version};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

create_exception!(
    carryless.tree,
    TreeError,
    PyRuntimeError,
    "A tree could not be tagged, or a manifest is none by this key. The reason is that of the command."
);

create_exception!(
    carryless.tree,
    UnguardedWarning,
    PyUserWarning,
    "Files were read while nothing would have told of a program that writes to them: no lease could be had. `twice=True` reads these twice."
);

/// Time between two checks for signals and calls of `progress`.
const INTERVAL: Duration = Duration::from_millis(100);

/// Calls a Python function with the number of bytes read since its last call.
struct Progress<'a, 'py> {
    call: Option<&'a Bound<'py, PyAny>>,
    told: u64,
}

impl Progress<'_, '_> {
    fn tell(&mut self, bytes: u64) -> PyResult<()> {
        let more = bytes - std::mem::replace(&mut self.told, bytes);
        // Called with new bytes only, so that an idle disk does not make Python code run.
        if let (Some(call), 1..) = (self.call, more) {
            call.call1((more,))?;
        }
        Ok(())
    }
}

/// Runs `work` on a thread of its own, without the GIL. An exception of `progress`, or a signal, ends the
/// work.
pub(crate) fn watched<R: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<Counters>) -> R + Send,
) -> PyResult<R> {
    let counters = Arc::new(Counters::default());
    let mut progress = Progress { call: progress, told: 0 };
    std::thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        let worker = counters.clone();
        let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
            // Dropped when the work is done or panics, which wakes the waiting thread.
            let _done = done;
            work(&worker)
        })?;
        // A lock lets another thread use the receiver, as `detach` requires.
        let wait = Mutex::new(wait);
        let mut running = true;
        let mut ended = Ok(());
        while running && ended.is_ok() {
            let pause = || {
                wait.lock().is_ok_and(|wait| wait.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout))
            };
            running = py.detach(pause);
            ended = py.check_signals().and_then(|()| progress.tell(counters.bytes()));
        }
        if ended.is_err() {
            counters.stop();
        }
        // Joined even after an exception: the thread borrows from this frame.
        let result = py.detach(|| thread.join());
        // The exception comes first. The result of the stopped work is only "interrupted".
        ended?;
        result.map_err(|_| PyRuntimeError::new_err("a thread of the library panicked"))
    })
}

pub(crate) fn key(object: &Bound<'_, PyAny>) -> PyResult<Key> {
    // Bytes are always a key, never a path. A str or a Path has no buffer.
    if let Ok(bytes) = Bytes::new(object) {
        return Ok(Key::new(&*bytes.array("a key")?));
    }
    let neither = |_| PyTypeError::new_err("a key is 32 bytes, or the path of a key file");
    let path = object.extract::<PathBuf>().map_err(neither)?;
    object.py().detach(|| Key::from_file(&path)).map_err(failed)
}

/// Makes a TreeError with an error and its causes.
pub(crate) fn failed(error: impl std::fmt::Display) -> PyErr {
    TreeError::new_err(format!("{error:#}"))
}

fn symlinks(policy: &str) -> PyResult<Symlinks> {
    match policy {
        "record" => Ok(Symlinks::Record),
        "follow" => Ok(Symlinks::Follow),
        "skip" => Ok(Symlinks::Skip),
        _ => Err(PyValueError::new_err(format!("record, follow or skip, not {policy}"))),
    }
}

/// Default options with an algorithm and a policy for links, by their names.
pub(crate) fn options(algorithm: Option<&str>, symlinks: &str) -> PyResult<Options> {
    let mut options = Options::default();
    options.algorithm = algorithm
        .map_or(Ok(Algorithm::default()), Algorithm::named)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    options.symlinks = self::symlinks(symlinks)?;
    Ok(options)
}

/// Issues an UnguardedWarning if files were read without a lease.
fn warn(py: Python<'_>, unguarded: u64) -> PyResult<()> {
    if unguarded == 0 {
        return Ok(());
    }
    let text = format!(
        "files on which no lease could be had: {unguarded}; a writer may go unnoticed there (twice=True)"
    );
    PyErr::warn(py, &py.get_type::<UnguardedWarning>(), &CString::new(text)?, 1)
}

/// Runs `work` as [`watched`] does. Its error becomes a TreeError, and files that were read unguarded cause a
/// warning.
fn reported<R: Send, E: std::fmt::Display + Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<Counters>) -> Result<R, E> + Send,
) -> PyResult<R> {
    let counted = |counters: &Arc<Counters>| (work(counters), counters.unguarded());
    let (result, unguarded) = watched(py, progress, counted)?;
    // After an error nothing was written or verified, so a warning would not matter.
    let result = result.map_err(failed)?;
    warn(py, unguarded)?;
    Ok(result)
}

/// Tags files and folders and writes the manifest, whole or not at all: that of `carryless tag --manifest-version 1`. Returns how many entries it has.
///
/// paths: files and folders, relative to `base`. key: 32 bytes, or the path of a key file. label: a text that verify_tree must be given again.
/// threads: from 1 to 1024; None is one for each processor. progress: called with the number of bytes that were read since the last call.
/// overwrite: replace an existing manifest, and nothing else. allow_empty: write a manifest without entries. twice: read a file twice if no lease on it can
/// be had, and take unequal readings for a change; without it an UnguardedWarning says how many such files there were.
///
/// Raises TreeError for what cannot be read or written, ValueError for a key of another length or an unknown algorithm.
#[pyfunction]
#[pyo3(signature = (
    paths, key, manifest, *, base = PathBuf::from("."), threads = None, label = None, algorithm = None, symlinks = "record", skip_special = false,
    include = Vec::new(), exclude = Vec::new(), gitignore = false, one_file_system = false, overwrite = false, allow_empty = false,
    twice = false, progress = None
))]
fn tag_tree(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    key: &Bound<'_, PyAny>,
    manifest: PathBuf,
    base: PathBuf,
    threads: Option<usize>,
    label: Option<String>,
    algorithm: Option<&str>,
    symlinks: &str,
    skip_special: bool,
    include: Vec<String>,
    exclude: Vec<String>,
    gitignore: bool,
    one_file_system: bool,
    overwrite: bool,
    allow_empty: bool,
    twice: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<usize> {
    let key = self::key(key)?;
    let mut options = self::options(algorithm, symlinks)?;
    // As clusters, which write this version.
    options.version = Version::V1;
    (options.base, options.threads, options.label) = (base, threads, label);
    (options.include, options.exclude) = (include, exclude);
    (options.gitignore, options.one_file_system) = (gitignore, one_file_system);
    (options.skip_special, options.overwrite) = (skip_special, overwrite);
    (options.allow_empty, options.twice) = (allow_empty, twice);
    reported(py, progress, |counters| tree::tag(&paths, &key, &manifest, &options, counters))
}

/// A finding for Python: the bytes of a name, its status, and the reason of an error or the old name of what was moved or copied.
pub(crate) type Found<'py> = (Bound<'py, PyBytes>, &'static str, Option<String>);

pub(crate) fn found(py: Python<'_>, finding: Finding) -> Found<'_> {
    let from = finding.from.map(|name| format!("from {}", String::from_utf8_lossy(&name)));
    (PyBytes::new(py, &finding.name), finding.status.word(), finding.message.or(from))
}

/// Compares files with a manifest, as `carryless verify` does. Returns, for every name that the manifest records or covers, its bytes, a status (`ok`
/// or another word of `carryless verify`) and a text or None: the reason of an error, or `from` and the old name of what was moved or copied. What differs
/// raises no exception.
///
/// paths: only these and what lies below them; all if there are none. allow_empty: a manifest without entries is no error. base, key, label, threads, twice,
/// progress: those of tag_tree.
///
/// Raises TreeError if the manifest is none by this key and label, has no entries, or was changed.
#[pyfunction]
#[pyo3(signature = (
    manifest, key, paths = Vec::new(), *, base = PathBuf::from("."), threads = None, label = None, skip_special = false,
    allow_empty = false, twice = false, progress = None
))]
fn verify_tree<'py>(
    py: Python<'py>,
    manifest: PathBuf,
    key: &Bound<'py, PyAny>,
    paths: Vec<PathBuf>,
    base: PathBuf,
    threads: Option<usize>,
    label: Option<String>,
    skip_special: bool,
    allow_empty: bool,
    twice: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Found<'py>>> {
    let key = self::key(key)?;
    let mut options = Options::default();
    (options.base, options.threads, options.label, options.skip_special) =
        (base, threads, label, skip_special);
    (options.allow_empty, options.twice) = (allow_empty, twice);
    let findings =
        reported(py, progress, |counters| tree::verify(&manifest, &key, &paths, &options, counters))?;
    Ok(findings.into_iter().map(|finding| found(py, finding)).collect())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TreeError", module.py().get_type::<TreeError>())?;
    module.add("UnguardedWarning", module.py().get_type::<UnguardedWarning>())?;
    module.add_function(wrap_pyfunction!(tag_tree, module)?)?;
    module.add_function(wrap_pyfunction!(verify_tree, module)?)
}
