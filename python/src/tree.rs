//! Trees of files: the manifests of the command, by its library.
use crate::input::Bytes;
use carryless_aead::file_mac::Algorithm;
use carryless_cli::tree::{self, Counters, Finding, Key, Options, Symlinks};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

create_exception!(
    carryless,
    TreeError,
    PyRuntimeError,
    "A tree could not be tagged, or a manifest is none by this key. The reason is that of the command."
);

/// How often signals are looked for and progress is told.
const INTERVAL: Duration = Duration::from_millis(100);

/// Runs `work` in a thread of its own, without the GIL. Meanwhile `progress(files, of, bytes)` is called; what it raises, and a signal, ends the work.
fn watched<R: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<Counters>) -> R + Send,
) -> PyResult<R> {
    let counters = Arc::new(Counters::default());
    let tell = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        progress
            .map_or(Ok(()), |call| call.call1((counters.files(), counters.of(), counters.bytes())).map(drop))
    };
    std::thread::scope(|scope| {
        let (done, wait) = mpsc::channel();
        let worker = &counters;
        let thread = scope.spawn(move || {
            let result = work(worker);
            let _ = done.send(());
            result
        });
        let wait = Mutex::new(wait);
        let ended = loop {
            let message = py.detach(|| wait.lock().ok().map(|wait| wait.recv_timeout(INTERVAL)));
            let told = tell(py);
            if told.is_err() {
                counters.stop();
            }
            match message {
                Some(Err(RecvTimeoutError::Timeout)) if told.is_ok() => {}
                _ => break told,
            }
        };
        let result = py.detach(|| thread.join());
        ended?;
        result.map_err(|_| PyRuntimeError::new_err("a thread of the library panicked"))
    })
}

fn key(object: &Bound<'_, PyAny>) -> PyResult<Key> {
    match Bytes::new(object) {
        Ok(bytes) => Ok(Key::new(&*bytes.array("a key")?)),
        Err(_) => Key::from_file(&object.extract::<PathBuf>()?).map_err(failed),
    }
}

/// The reason of an error, with what led to it.
fn failed(error: impl std::fmt::Display) -> PyErr {
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

/// Tags files and folders and writes the manifest, whole or not at all: that of `carryless tag`. Returns how many entries it has.
#[pyfunction]
#[pyo3(signature = (
    paths, key, manifest, *, base = PathBuf::from("."), threads = None, label = None, algorithm = None, symlinks = "record", skip_special = false,
    include = Vec::new(), exclude = Vec::new(), gitignore = false, overwrite = false, progress = None
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
    overwrite: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<usize> {
    let key = self::key(key)?;
    let mut options = Options::default();
    (options.base, options.threads, options.label) = (base, threads, label);
    options.algorithm = algorithm
        .map_or(Ok(Algorithm::default()), Algorithm::named)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    options.symlinks = self::symlinks(symlinks)?;
    (options.include, options.exclude) = (include, exclude);
    (options.gitignore, options.skip_special, options.overwrite) = (gitignore, skip_special, overwrite);
    watched(py, progress, |counters| tree::tag(&paths, &key, &manifest, &options, counters))?.map_err(failed)
}

/// A name, its status and a reason.
type Found<'py> = (Bound<'py, PyBytes>, &'static str, Option<String>);

/// Compares files with a manifest, as `carryless verify` does: for every name that it records or covers its bytes, `ok`, `changed`, `missing`, `new` or `error`,
/// and the reason of an error.
#[pyfunction]
#[pyo3(signature = (
    manifest, key, paths = Vec::new(), *, base = PathBuf::from("."), threads = None, label = None, skip_special = false, progress = None
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
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Found<'py>>> {
    let key = self::key(key)?;
    let mut options = Options::default();
    (options.base, options.threads, options.label, options.skip_special) =
        (base, threads, label, skip_special);
    let findings =
        watched(py, progress, |counters| tree::verify(&manifest, &key, &paths, &options, counters))?;
    let found = |finding: Finding| (PyBytes::new(py, &finding.name), finding.status.word(), finding.message);
    Ok(findings.map_err(failed)?.into_iter().map(found).collect())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TreeError", module.py().get_type::<TreeError>())?;
    module.add_function(wrap_pyfunction!(tag_tree, module)?)?;
    module.add_function(wrap_pyfunction!(verify_tree, module)?)
}
