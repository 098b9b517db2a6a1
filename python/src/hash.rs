//! Hashes and MACs in the manner of `hashlib`: one class, whatever the algorithm.
use crate::add_class;
use crate::error::TagMismatch;
use crate::input::{Bytes, array, objects};
use carryless_aead::file_mac::{Algorithm, FileMac, Stream as FileStream, Subject};
use carryless_aead::wegman_carter::{Nonce, Stream as NonceStream, WegmanCarter};
use carryless_hash::decbrwhash1305::Streams;
use carryless_hash::poly1305::Poly1305;
use carryless_hash::polyhash1271::PolyHash1271;
use carryless_hash::polyhash1305::PolyHash1305;
// The functions of this module have the names of its modules.
use carryless_hash::{self as lib, Key1271, Tag};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};
use zeroize::Zeroizing;

/// Bytes of every digest and tag.
const SIZE: usize = 16;
/// Streams of decbrwhash* where none are given.
const STREAMS: usize = 4;

/// The state of any algorithm, for a message that comes in pieces.
trait State: Send {
    fn update(&mut self, message: &[u8]);
    fn digest(&self) -> [u8; SIZE];
    fn copy(&self) -> Box<dyn State>;
}

macro_rules! states {
    ($($state:ty, [$($generic:tt)*]: |$this:ident| $digest:expr;)*) => { $(
        impl<$($generic)*> State for $state {
            fn update(&mut self, message: &[u8]) {
                <$state>::update(self, message);
            }
            fn digest(&self) -> [u8; SIZE] {
                let $this = self;
                $digest.into()
            }
            fn copy(&self) -> Box<dyn State> {
                Box::new(self.clone())
            }
        }
    )* };
}

states! {
    // A tag ends a stream, where `digest` and `tag` do not: so a copy is ended.
    Poly1305, []: |state| state.clone().finalize();
    PolyHash1305, []: |state| PolyHash1305::digest(state);
    PolyHash1271, []: |state| PolyHash1271::digest(state);
    lib::decbrwhash1305::Hasher<C>, [const C: usize]: |state| lib::decbrwhash1305::Hasher::digest(state);
    lib::decbrwhash1271::Hasher<C>, [const C: usize]: |state| lib::decbrwhash1271::Hasher::digest(state);
    FileStream, []: |state| state.tag();
    NonceStream, []: |state| state.clone().finalize();
}

/// Calls a constructor of `Hasher<C>` for the C of the streams.
macro_rules! hasher {
    ($module:ident, $streams:expr, $key:expr) => {
        match $streams {
            Streams::One => Box::new(lib::$module::Hasher::<1>::new($key)) as Box<dyn State>,
            Streams::Two => Box::new(lib::$module::Hasher::<2>::new($key)),
            Streams::Three => Box::new(lib::$module::Hasher::<3>::new($key)),
            Streams::Four => Box::new(lib::$module::Hasher::<4>::new($key)),
            Streams::Eight => Box::new(lib::$module::Hasher::<8>::new($key)),
            Streams::Sixteen => Box::new(lib::$module::Hasher::<16>::new($key)),
        }
    };
}

fn streams(number: usize) -> PyResult<Streams> {
    Streams::try_from(number).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn algorithm(name: Option<&str>) -> PyResult<Algorithm> {
    name.map_or(Ok(Algorithm::default()), Algorithm::named)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

fn key1271(key: &Bound<'_, PyAny>) -> PyResult<Key1271> {
    Key1271::new(&*array(key, "a key")?).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A keyed hash or MAC on its way, as objects of `hashlib` are.
#[pyclass(frozen, module = "carryless")]
pub(crate) struct Hash {
    name: &'static str,
    state: Mutex<Box<dyn State>>,
}

impl Hash {
    fn start(
        py: Python<'_>,
        name: &'static str,
        mut state: Box<dyn State>,
        data: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if let Some(data) = data {
            // No other thread knows the state yet, so it needs no lock.
            Bytes::new(data)?.run(py, |message| state.update(message));
        }
        Ok(Hash { name, state: Mutex::new(state) })
    }

    /// Locks the state. Code that holds the lock never takes the GIL, so threads may wait for the lock with
    /// the GIL. No operation panics half-way, so a poisoned lock is usable.
    fn lock(&self) -> MutexGuard<'_, Box<dyn State>> {
        // Who holds the lock never waits for the GIL, so no deadlock if who waits for the lock holds the GIL.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Hash {
    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// Bytes of a digest: 16.
    #[getter]
    fn digest_size(&self) -> usize {
        SIZE
    }

    /// Appends bytes. How a message is cut does not matter.
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        Bytes::new(data)?.run(py, |message| self.lock().update(message));
        Ok(())
    }

    /// The digest of all bytes so far. More may follow.
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        // Rust's copy is wiped. The bytes object is Python's, and is not.
        let digest = Zeroizing::new(self.lock().digest());
        PyBytes::new(py, &*digest)
    }

    /// The digest in hexadecimal digits.
    fn hexdigest(&self) -> String {
        Tag::from(self.lock().digest()).to_string()
    }

    /// Another object in the same state.
    fn copy(&self) -> Hash {
        Hash { name: self.name, state: Mutex::new(self.lock().copy()) }
    }

    /// Raises TagMismatch unless the digest of all bytes so far is this one; compares in constant time.
    fn verify(&self, tag: &Bound<'_, PyAny>) -> PyResult<()> {
        check(self.lock().digest().into(), tag)
    }

    fn __repr__(&self) -> String {
        format!("<carryless.{} object>", self.name)
    }
}

/// Raises TagMismatch unless `found` equals the tag, compared in constant time.
fn check(found: Tag, tag: &Bound<'_, PyAny>) -> PyResult<()> {
    let tag = Tag::from(*array::<SIZE>(tag, "a tag")?);
    if found == tag { Ok(()) } else { Err(TagMismatch::new_err("the tag does not match")) }
}

/// The algorithms that are a state made of a key of 16 or 32 bytes: a function that starts one, and one for a message at once.
macro_rules! algorithms {
    ($($(#[$doc:meta])* $name:ident, $digest:ident, |$key:ident: $key_type:ty| $read:expr, ($($option:ident: $option_type:ty = $default:expr => $choice:expr)?),
        $state:expr, |$message:ident| $at_once:expr;)*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
            #[pyo3(signature = (key, data = None, $(*, $option = $default)?))]
            pub(crate) fn $name(py: Python<'_>, key: &Bound<'_, PyAny>, data: Option<&Bound<'_, PyAny>>, $($option: $option_type)?) -> PyResult<Hash> {
                $(let $option = $choice?;)?
                let $key: $key_type = { let $key = key; $read? };
                Hash::start(py, stringify!($name), $state, data)
            }

            /// The digest of a message at once.
            #[pyfunction]
            #[pyo3(signature = (key, data, $(*, $option = $default)?))]
            pub(crate) fn $digest<'py>(py: Python<'py>, key: &Bound<'py, PyAny>, data: &Bound<'py, PyAny>, $($option: $option_type)?) -> PyResult<Bound<'py, PyBytes>> {
                $(let $option = $choice?;)?
                let $key: $key_type = { let $key = key; $read? };
                let digest: [u8; SIZE] = Bytes::new(data)?.run(py, |$message| $at_once).into();
                Ok(PyBytes::new(py, &digest))
            }
        )*

        /// All functions of these algorithms.
        pub(crate) fn add_algorithms(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($name, module)?)?;
                module.add_function(wrap_pyfunction!($digest, module)?)?;
            )*
            Ok(())
        }
    };
}

algorithms! {
    /// Poly1305 (RFC 8439). The key, 32 bytes, serves ONE message: two tags under one key give it away.
    poly1305, poly1305_digest, |key: Zeroizing<[u8; 32]>| array(key, "a key"), (),
        Box::new(Poly1305::new(&key)), |message| lib::poly1305::mac(&key, message);
    /// polyHash1305 (paper 001), with a key of 16 bytes. NOT a MAC: a digest that others see gives the key away.
    polyhash1305, polyhash1305_digest, |key: Zeroizing<[u8; 16]>| array(key, "a key"), (),
        Box::new(PolyHash1305::new(&key)), |message| lib::polyhash1305::digest(&key, message);
    /// c-decBRWHash1305 (paper 001) with 1, 2, 3, 4, 8 or 16 streams and a key of 16 bytes. NOT a MAC: a digest that others see gives the key away.
    decbrwhash1305, decbrwhash1305_digest, |key: Zeroizing<[u8; 16]>| array(key, "a key"),
        (streams: usize = STREAMS => self::streams(streams)),
        hasher!(decbrwhash1305, streams, &key), |message| lib::decbrwhash1305::digest(streams, &key, message);
    /// polyHash1271, with a key of 16 bytes, a number below 2^126. NOT a MAC: a digest that others see gives the key away.
    polyhash1271, polyhash1271_digest, |key: Key1271| key1271(key), (),
        Box::new(PolyHash1271::new(&key)), |message| lib::polyhash1271::digest(&key, message);
    /// c-decBRWHash1271 with 1, 2, 3, 4, 8 or 16 streams and a key of 16 bytes, a number below 2^126. NOT a MAC: a digest that others see gives the key away.
    decbrwhash1271, decbrwhash1271_digest, |key: Key1271| key1271(key),
        (streams: usize = STREAMS => self::streams(streams)),
        hasher!(decbrwhash1271, streams, &key), |message| lib::decbrwhash1271::digest(streams, &key, message);
    /// The MAC of `carryless tag` for files and other messages, with a long-lived key of 32 bytes and no nonce.
    file_mac, file_mac_digest, |key: Zeroizing<[u8; 32]>| array(key, "a key"),
        (algorithm: Option<&str> = None => self::algorithm(algorithm)),
        Box::new(FileMac::new(algorithm, Subject::File, &key).stream()),
        |message| FileMac::new(algorithm, Subject::File, &key).tag(message);
}

/// The MAC of Wegman and Carter with a long-lived key of 32 bytes and a nonce of 16, which serves ONE message: two under one nonce give the key away.
#[pyfunction]
#[pyo3(signature = (key, nonce, data = None))]
pub(crate) fn wegman_carter(
    py: Python<'_>,
    key: &Bound<'_, PyAny>,
    nonce: &Bound<'_, PyAny>,
    data: Option<&Bound<'_, PyAny>>,
) -> PyResult<Hash> {
    let (key, nonce) = (array(key, "a key")?, Nonce::from_bytes(*array(nonce, "a nonce")?));
    Hash::start(py, "wegman_carter", Box::new(WegmanCarter::new(&key).stream(&nonce)), data)
}

/// The tag of a message at once, by the MAC of Wegman and Carter.
#[pyfunction]
pub(crate) fn wegman_carter_digest<'py>(
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
    nonce: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (key, nonce) = (array(key, "a key")?, Nonce::from_bytes(*array(nonce, "a nonce")?));
    let tag = Bytes::new(data)?.run(py, |message| WegmanCarter::new(&key).tag(&nonce, message));
    Ok(PyBytes::new(py, tag.as_bytes()))
}

/// The Poly1305 tags of many messages, each under a key of its own.
#[pyfunction]
pub(crate) fn poly1305_batch<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let (keys, messages) = (objects(keys, "keys")?, objects(messages, "messages")?);
    let secrets = keys.iter().map(Bytes::new).collect::<PyResult<Vec<_>>>()?;
    let bytes = messages.iter().map(Bytes::new).collect::<PyResult<Vec<_>>>()?;
    if keys.len() != messages.len() {
        return Err(PyValueError::new_err(format!("{} keys for {} messages", keys.len(), messages.len())));
    }
    // `mac_batch` takes keys side by side, so they are copied here, and the copy is wiped.
    let mut all = Zeroizing::new(vec![[0; 32]; keys.len()]);
    for (key, secret) in all.iter_mut().zip(&secrets) {
        *key = *secret.array("a key")?;
    }
    let mut tags = vec![Tag::from([0; SIZE]); keys.len()];
    Bytes::run_all(py, &bytes, |messages| lib::poly1305::mac_batch(&all, messages, &mut tags));
    Ok(tags.iter().map(|tag| PyBytes::new(py, tag.as_bytes())).collect())
}

/// A function that computes digests under a prepared key.
type Digest = Box<dyn Fn(&[u8]) -> [u8; SIZE] + Send + Sync>;

/// An algorithm with prepared keys: its name, the option that it takes or "", and how a key is prepared.
type Prepared = (&'static str, &'static str, fn(&Bound<'_, PyAny>, Streams, Algorithm) -> PyResult<Digest>);

const PREPARED: [Prepared; 5] = [
    ("polyhash1305", "", |key, _, _| {
        let key = lib::polyhash1305::PreparedKey::new(&*array(key, "a key")?);
        Ok(Box::new(move |message| key.digest(message)))
    }),
    ("polyhash1271", "", |key, _, _| {
        let key = lib::polyhash1271::PreparedKey::new(&key1271(key)?);
        Ok(Box::new(move |message| key.digest(message)))
    }),
    ("decbrwhash1305", "streams", |key, streams, _| {
        let key = lib::decbrwhash1305::PreparedKey::new(streams, &*array(key, "a key")?);
        Ok(Box::new(move |message| key.digest(message)))
    }),
    ("decbrwhash1271", "streams", |key, streams, _| {
        let key = lib::decbrwhash1271::PreparedKey::new(streams, &key1271(key)?);
        Ok(Box::new(move |message| key.digest(message)))
    }),
    ("file_mac", "algorithm", |key, _, algorithm| {
        let key = FileMac::new(algorithm, Subject::File, &*array(key, "a key")?);
        Ok(Box::new(move |message| key.tag(message).into()))
    }),
];

/// A key with what is computed from it once, for many messages: of polyhash1305, polyhash1271, decbrwhash1305, decbrwhash1271 or file_mac. `streams` (4) is an
/// option of decbrwhash*, `algorithm` of file_mac; a TypeError where another algorithm is given one.
#[pyclass(frozen, module = "carryless")]
pub(crate) struct PreparedKey {
    name: &'static str,
    digest: Digest,
}

#[pymethods]
impl PreparedKey {
    #[new]
    #[pyo3(signature = (name, key, *, streams = None, algorithm = None))]
    fn new(
        name: &str,
        key: &Bound<'_, PyAny>,
        streams: Option<usize>,
        algorithm: Option<&str>,
    ) -> PyResult<Self> {
        let Some((name, option, make)) = PREPARED.iter().find(|(known, ..)| *known == name) else {
            let known = PREPARED.map(|(known, ..)| known).join(", ");
            let why = format!("no algorithm with prepared keys is called {name:?}; there are {known}");
            return Err(PyValueError::new_err(why));
        };
        // An option that is ignored would give another digest than its caller expects.
        for (given, wrong) in [("streams", streams.is_some()), ("algorithm", algorithm.is_some())] {
            if wrong && given != *option {
                return Err(PyTypeError::new_err(format!("{name} takes no {given}")));
            }
        }
        let digest = make(key, self::streams(streams.unwrap_or(STREAMS))?, self::algorithm(algorithm)?)?;
        Ok(PreparedKey { name, digest })
    }

    /// The name of the algorithm.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// The digest of a message.
    fn digest<'py>(&self, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &Bytes::new(data)?.run(py, |message| (self.digest)(message))))
    }

    /// The digests of many messages.
    fn batch<'py>(
        &self,
        py: Python<'py>,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let messages = objects(messages, "messages")?;
        let bytes = messages.iter().map(Bytes::new).collect::<PyResult<Vec<_>>>()?;
        let digests = Bytes::run_all(py, &bytes, |messages| -> Vec<_> {
            messages.iter().map(|message| (self.digest)(message)).collect()
        });
        Ok(digests.iter().map(|digest| PyBytes::new(py, digest)).collect())
    }

    /// Raises TagMismatch unless the digest of the message is this one; compares in constant time.
    fn verify(&self, py: Python<'_>, data: &Bound<'_, PyAny>, tag: &Bound<'_, PyAny>) -> PyResult<()> {
        check(Bytes::new(data)?.run(py, |message| (self.digest)(message)).into(), tag)
    }

    fn __repr__(&self) -> String {
        format!("<carryless.PreparedKey of {}>", self.name)
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<Hash>(module)?;
    add_class::<PreparedKey>(module)?;
    add_algorithms(module)?;
    module.add_function(wrap_pyfunction!(wegman_carter, module)?)?;
    module.add_function(wrap_pyfunction!(wegman_carter_digest, module)?)?;
    module.add_function(wrap_pyfunction!(poly1305_batch, module)?)
}
