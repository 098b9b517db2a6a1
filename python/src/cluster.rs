//! Runs over several processes: the classes under `carryless.cluster`, over the library of the command.
use crate::add_class;
use crate::input::Bytes;
use crate::tree::{Found, failed, found, key, options, watched};
use carryless_aead::file_mac::Algorithm;
use carryless_cli::cluster::{FORMAT, Listed, PART_BYTES, Reading, Session, Worker};
use carryless_cli::tree::{Counters, Key, Options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An object of a task: name, size in bytes, and identity.
type Object<'py> = (Bound<'py, PyBytes>, u64, Bound<'py, PyBytes>);

/// A value that several Python threads may use, until `take` consumes it. It is in a box, because keys need
/// more than the alignment of a Python object.
struct Shared<T>(Mutex<Option<Box<T>>>);

impl<T: Send> Shared<T> {
    fn new(value: T) -> Self {
        Shared(Mutex::new(Some(Box::new(value))))
    }

    /// Locks the value. Code that holds this lock must never wait for the GIL, or two threads could wait for
    /// each other.
    fn lock(&self) -> MutexGuard<'_, Option<Box<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `run` on the value without the GIL. Raises ValueError if the value has been taken.
    fn with<R: Send>(&self, py: Python<'_>, run: impl FnOnce(&mut T) -> R + Send) -> PyResult<R> {
        // The GIL is released before the lock is taken: see `lock`.
        py.detach(|| self.lock().as_mut().map(|value| run(value))).ok_or_else(ended)
    }

    fn take(&self, py: Python<'_>) -> PyResult<T> {
        py.detach(|| self.lock().take()).map(|value| *value).ok_or_else(ended)
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("it has ended")
}

/// A run on the side of the client, which lists, plans, joins and ends it.
#[pyclass(frozen, module = "carryless._carryless")]
struct ClusterSession {
    session: Shared<Session>,
    listed: Mutex<Vec<Listed>>,
    errors: Mutex<Vec<(Vec<u8>, String)>>,
}

impl ClusterSession {
    fn new(session: Session) -> Self {
        ClusterSession { session: Shared::new(session), listed: Mutex::default(), errors: Mutex::default() }
    }
}

#[pymethods]
impl ClusterSession {
    #[staticmethod]
    #[pyo3(signature = (
        paths, key, manifest, *, local, base, label = None, algorithm = None, symlinks = "record", skip_special = false, include = Vec::new(),
        exclude = Vec::new(), gitignore = false, one_file_system = false, overwrite = false, allow_empty = false
    ))]
    fn to_tag(
        paths: Vec<PathBuf>,
        key: &Bound<'_, PyAny>,
        manifest: PathBuf,
        local: bool,
        base: PathBuf,
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
    ) -> PyResult<Self> {
        let mut options = options(algorithm, symlinks)?;
        (options.base, options.label) = (base, label);
        (options.include, options.exclude) = (include, exclude);
        (options.gitignore, options.one_file_system) = (gitignore, one_file_system);
        (options.skip_special, options.overwrite, options.allow_empty) =
            (skip_special, overwrite, allow_empty);
        Session::to_tag(&paths, &self::key(key)?, &manifest, options, local).map(Self::new).map_err(failed)
    }

    #[staticmethod]
    #[pyo3(signature = (manifest, key, *, base, label = None, skip_special = false, allow_empty = false))]
    fn to_verify(
        manifest: PathBuf,
        key: &Bound<'_, PyAny>,
        base: PathBuf,
        label: Option<String>,
        skip_special: bool,
        allow_empty: bool,
    ) -> PyResult<Self> {
        let mut options = Options::default();
        (options.base, options.label) = (base, label);
        (options.skip_special, options.allow_empty) = (skip_special, allow_empty);
        Session::to_verify(&manifest, &self::key(key)?, options).map(Self::new).map_err(failed)
    }

    /// Returns what workers need: the algorithm's name, the id of the run, and its scope.
    fn setup<'py>(&self, py: Python<'py>) -> PyResult<(&'static str, Bound<'py, PyBytes>, String)> {
        let (algorithm, run, scope) =
            self.session.with(py, |session| (session.algorithm(), *session.run_id(), session.scope()))?;
        Ok((algorithm.name(), PyBytes::new(py, &run), scope))
    }

    /// Returns the names below which objects are to be listed.
    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let roots = self.session.with(py, |session| session.roots().to_vec())?;
        Ok(roots.iter().map(|root| PyBytes::new(py, root)).collect())
    }

    /// Lists the files below the paths of the run. A signal ends it.
    fn list_files(&self, py: Python<'_>) -> PyResult<()> {
        let work = |counters: &Arc<Counters>| {
            self.session.lock().as_mut().map(|session| session.list_files(counters))
        };
        // The walk is stopped by counters, which `watched` sets on a signal.
        watched(py, None, work)?.ok_or_else(ended)?.map_err(failed)
    }

    /// Adds objects that were listed, as (name, size, identity).
    fn add_objects(&self, objects: Vec<(Vec<u8>, u64, Vec<u8>)>) {
        let listed = objects.into_iter().map(|(name, size, identity)| Listed {
            name: name.into(),
            size,
            identity: identity.into(),
        });
        // This lock is only held for moments and never while a thread waits for the GIL, so the GIL may be
        // kept.
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).extend(listed);
    }

    /// Adds a name that could not be listed, and the reason.
    fn add_error(&self, name: Vec<u8>, reason: String) {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).push((name, reason));
    }

    /// Makes the listing of all objects and errors that were added.
    fn list_objects(&self, py: Python<'_>) -> PyResult<()> {
        let objects = std::mem::take(&mut *self.listed.lock().unwrap_or_else(PoisonError::into_inner));
        let errors = std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner));
        self.session.with(py, |session| session.list_objects(objects, errors))?.map_err(failed)
    }

    fn plan(&self, py: Python<'_>, threads: usize) -> PyResult<u64> {
        self.session.with(py, |session| session.plan(threads))?.map_err(failed)
    }

    fn task<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Bound<'py, PyBytes>> {
        let task = self.session.with(py, |session| session.task(index))?.map_err(failed)?;
        Ok(PyBytes::new(py, &task))
    }

    fn join(&self, py: Python<'_>, sealed: &Bound<'_, PyBytes>) -> PyResult<()> {
        // A bytes object never changes, so it may be read without the GIL.
        let sealed = sealed.as_bytes();
        self.session.with(py, |session| session.join(sealed))?.map_err(failed)
    }

    /// Returns the bytes that were read by tasks whose results are joined.
    fn bytes_read(&self, py: Python<'_>) -> PyResult<u64> {
        self.session.with(py, |session| session.bytes())
    }

    /// Ends the run. Returns the number of entries and, after a verification, the findings.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<(usize, Vec<Found<'py>>)> {
        // `finish` consumes the session. Calls after it find nothing, and raise ValueError.
        let session = self.session.take(py)?;
        let finished = py.detach(|| session.finish()).map_err(failed)?;
        Ok((finished.entries, finished.findings.into_iter().map(|finding| found(py, finding)).collect()))
    }
}

/// A worker of a run, with its keys. It cannot be pickled.
#[pyclass(frozen, module = "carryless._carryless")]
struct ClusterWorker(Arc<Worker>);

#[pymethods]
impl ClusterWorker {
    #[new]
    fn new(key: &Bound<'_, PyAny>, algorithm: &str, run: &Bound<'_, PyAny>, scope: &str) -> PyResult<Self> {
        let key = Key::new(&*Bytes::new(key)?.array("a key")?);
        let run = *Bytes::new(run)?.array("the id of a run")?;
        let algorithm =
            Algorithm::named(algorithm).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(ClusterWorker(Arc::new(Worker::new(&key, algorithm, &run, scope).map_err(failed)?)))
    }

    /// Reads the files of a task below a folder of this computer, and returns its sealed result.
    fn read_files<'py>(
        &self,
        py: Python<'py>,
        base: PathBuf,
        task: &Bound<'_, PyBytes>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        // As above: nothing writes to a bytes object.
        let task = task.as_bytes();
        let sealed = py.detach(|| self.0.read_files(&base, task)).map_err(failed)?;
        Ok(PyBytes::new(py, &sealed))
    }

    /// Begins a task whose objects the caller reads.
    fn begin(&self, task: &Bound<'_, PyBytes>) -> PyResult<ClusterReading> {
        Ok(ClusterReading(Shared::new(self.0.begin(task.as_bytes()).map_err(failed)?)))
    }
}

/// A task in progress, to which the caller passes its objects one after the other.
#[pyclass(frozen, module = "carryless._carryless")]
struct ClusterReading(Shared<Reading>);

#[pymethods]
impl ClusterReading {
    /// Returns the objects to be read, in this order, as (name, size, identity).
    fn objects<'py>(&self, py: Python<'py>) -> PyResult<Vec<Object<'py>>> {
        let objects = self.0.with(py, |reading| reading.objects().to_vec())?;
        let object = |object: Listed| {
            (PyBytes::new(py, &object.name), object.size, PyBytes::new(py, &object.identity))
        };
        Ok(objects.into_iter().map(object).collect())
    }

    /// Returns offset and length in bytes if only a part of the only object is read, else None.
    fn range(&self, py: Python<'_>) -> PyResult<Option<(u64, u64)>> {
        self.0.with(py, |reading| reading.range())
    }

    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        // Short data keep the GIL, and wait with it for the lock. That is safe, since no holder of the lock
        // waits for the GIL.
        let updated =
            Bytes::new(data)?.run(py, |bytes| self.0.lock().as_mut().map(|reading| reading.update(bytes)));
        updated.ok_or_else(ended)?.map_err(failed)
    }

    /// Ends the current object, which had this identity after it was read.
    fn end(&self, py: Python<'_>, identity: &Bound<'_, PyBytes>) -> PyResult<()> {
        let identity = identity.as_bytes();
        self.0.with(py, |reading| reading.end(identity))?.map_err(failed)
    }

    /// Ends the current object as a failure, for this reason.
    fn fail(&self, py: Python<'_>, reason: &Bound<'_, PyString>) -> PyResult<()> {
        let reason = reason.to_string_lossy().into_owned();
        self.0.with(py, |reading| reading.fail(&reason))?.map_err(failed)
    }

    fn seal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let reading = self.0.take(py)?;
        let sealed = py.detach(|| reading.seal()).map_err(failed)?;
        Ok(PyBytes::new(py, &sealed))
    }
}

/// Returns the 32 bytes of a key, which is given as bytes or as the path of a key file.
#[pyfunction]
fn cluster_key<'py>(py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &*self::key(key)?.to_secret_bytes()))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CLUSTER_PART", PART_BYTES)?;
    // Clients refuse workers with another version: the form of tasks may differ.
    module.add("CLUSTER_VERSION", format!("{}, tasks {FORMAT}", env!("CARGO_PKG_VERSION")))?;
    add_class::<ClusterSession>(module)?;
    add_class::<ClusterWorker>(module)?;
    add_class::<ClusterReading>(module)?;
    module.add_function(wrap_pyfunction!(cluster_key, module)?)
}
