//! Universal hashes: keys that are ready for many messages, and messages in pieces.
use crate::kind::{CARRYLESS_KIND_UNIVERSAL, CARRYLESS_KIND_UNIVERSAL_STREAM};
use crate::memory::{Input, Output, Region, apart};
use crate::state::{self, Opaque};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_hash::decbrwhash1305::Streams;
use carryless_hash::polyhash1271::PolyHash1271;
use carryless_hash::polyhash1305::PolyHash1305;
use carryless_hash::{Key1271, decbrwhash1271, decbrwhash1305, polyhash1271, polyhash1305};
use std::ffi::c_void;
use zeroize::Zeroizing;

/// A universal hash: polyHash1305, over 2^130 - 5.
pub const CARRYLESS_UNIVERSAL_POLYHASH1305: u32 = 1;
/// A universal hash: polyHash1271, over 2^127 - 1, whose keys have two zero bits at the top.
pub const CARRYLESS_UNIVERSAL_POLYHASH1271: u32 = 2;
/// A universal hash: c-decBRWHash1305 of c streams, over 2^130 - 5.
pub const CARRYLESS_UNIVERSAL_DECBRWHASH1305: u32 = 3;
/// A universal hash: c-decBRWHash1271 of c streams, over 2^127 - 1, whose keys have two zero bits at the top.
pub const CARRYLESS_UNIVERSAL_DECBRWHASH1271: u32 = 4;

/// Bytes of the secret key of a universal hash, a number, least significant byte first.
pub const CARRYLESS_UNIVERSAL_KEY_LEN: usize = 16;
/// Bytes of the digest of a universal hash, a number, least significant byte first.
pub const CARRYLESS_UNIVERSAL_DIGEST_LEN: usize = 16;

/// A key of a universal hash, ready for many messages. Threads may share it.
///
/// A digest is NO tag: who sees one can compute the key. Add a one-time mask, or encrypt it.
pub struct carryless_universal {
    _private: [u8; 0],
}

/// A message of a universal hash that comes in pieces.
pub struct carryless_universal_stream {
    _private: [u8; 0],
}

impl Opaque for carryless_universal {
    type Value = Key;
    const KIND: u32 = CARRYLESS_KIND_UNIVERSAL;
}

impl Opaque for carryless_universal_stream {
    type Value = Stream;
    const KIND: u32 = CARRYLESS_KIND_UNIVERSAL_STREAM;
}

type Digest = Zeroizing<[u8; CARRYLESS_UNIVERSAL_DIGEST_LEN]>;

/// A hash and its key, as C gives them.
#[derive(Clone, Copy)]
struct Choice<'a> {
    algorithm: u32,
    streams: u32,
    key: &'a [u8; CARRYLESS_UNIVERSAL_KEY_LEN],
}

impl Choice<'_> {
    /// The streams of decBRWHash; polyHash has none.
    fn streams(self) -> Result<Streams, Status> {
        let number = usize::try_from(self.streams).map_err(|_| Status::Unsupported)?;
        Streams::try_from(number).map_err(|_| Status::Unsupported)
    }

    fn no_streams(self) -> Result<(), Status> {
        if self.streams == 0 { Ok(()) } else { Err(Status::Unsupported) }
    }

    fn key1271(self) -> Result<Key1271, Status> {
        Key1271::new(self.key).map_err(|_| Status::Value)
    }
}

/// A key with its powers.
#[allow(clippy::large_enum_variant, reason = "a state lies where C wants it, not on the heap")]
#[derive(Clone)]
pub(crate) enum Key {
    PolyHash1305(polyhash1305::PreparedKey),
    PolyHash1271(polyhash1271::PreparedKey),
    DecBrwHash1305(decbrwhash1305::PreparedKey),
    DecBrwHash1271(decbrwhash1271::PreparedKey),
}

impl Key {
    fn new(choice: Choice<'_>) -> Result<Key, Status> {
        match choice.algorithm {
            CARRYLESS_UNIVERSAL_POLYHASH1305 => {
                choice.no_streams()?;
                Ok(Key::PolyHash1305(polyhash1305::PreparedKey::new(choice.key)))
            }
            CARRYLESS_UNIVERSAL_POLYHASH1271 => {
                choice.no_streams()?;
                Ok(Key::PolyHash1271(polyhash1271::PreparedKey::new(&choice.key1271()?)))
            }
            CARRYLESS_UNIVERSAL_DECBRWHASH1305 => {
                Ok(Key::DecBrwHash1305(decbrwhash1305::PreparedKey::new(choice.streams()?, choice.key)))
            }
            CARRYLESS_UNIVERSAL_DECBRWHASH1271 => {
                let (streams, key) = (choice.streams()?, choice.key1271()?);
                Ok(Key::DecBrwHash1271(decbrwhash1271::PreparedKey::new(streams, &key)))
            }
            _ => Err(Status::Unsupported),
        }
    }

    fn digest(&self, message: &[u8]) -> Digest {
        Zeroizing::new(match self {
            Key::PolyHash1305(key) => key.digest(message),
            Key::PolyHash1271(key) => key.digest(message),
            Key::DecBrwHash1305(key) => key.digest(message),
            Key::DecBrwHash1271(key) => key.digest(message),
        })
    }
}

/// Writes the enum of streams: polyHash over both primes, and decBRWHash for each number of streams.
macro_rules! streams {
    ($($streams:ident: $of1305:ident, $of1271:ident, $count:literal;)*) => {
        /// A message that is hashed in pieces, under a hash that is chosen at run time.
        #[derive(Clone)]
        pub(crate) enum Stream {
            PolyHash1305(PolyHash1305),
            PolyHash1271(PolyHash1271),
            $( $of1305(decbrwhash1305::Hasher<$count>), $of1271(decbrwhash1271::Hasher<$count>), )*
        }

        impl Stream {
            fn new(choice: Choice<'_>) -> Result<Stream, Status> {
                match choice.algorithm {
                    CARRYLESS_UNIVERSAL_POLYHASH1305 => {
                        choice.no_streams()?;
                        Ok(Stream::PolyHash1305(PolyHash1305::new(choice.key)))
                    }
                    CARRYLESS_UNIVERSAL_POLYHASH1271 => {
                        choice.no_streams()?;
                        Ok(Stream::PolyHash1271(PolyHash1271::new(&choice.key1271()?)))
                    }
                    CARRYLESS_UNIVERSAL_DECBRWHASH1305 => Ok(match choice.streams()? {
                        $( Streams::$streams => Stream::$of1305(decbrwhash1305::Hasher::new(choice.key)), )*
                    }),
                    CARRYLESS_UNIVERSAL_DECBRWHASH1271 => Ok(match choice.streams()? {
                        $( Streams::$streams => Stream::$of1271(decbrwhash1271::Hasher::new(&choice.key1271()?)), )*
                    }),
                    _ => Err(Status::Unsupported),
                }
            }

            fn update(&mut self, message: &[u8]) {
                match self {
                    Stream::PolyHash1305(stream) => stream.update(message),
                    Stream::PolyHash1271(stream) => stream.update(message),
                    $( Stream::$of1305(stream) => stream.update(message),
                       Stream::$of1271(stream) => stream.update(message), )*
                }
            }

            fn digest(&self) -> Digest {
                Zeroizing::new(match self {
                    Stream::PolyHash1305(stream) => stream.digest(),
                    Stream::PolyHash1271(stream) => stream.digest(),
                    $( Stream::$of1305(stream) => stream.digest(),
                       Stream::$of1271(stream) => stream.digest(), )*
                })
            }

            fn reset(&mut self) {
                match self {
                    Stream::PolyHash1305(stream) => stream.reset(),
                    Stream::PolyHash1271(stream) => stream.reset(),
                    $( Stream::$of1305(stream) => stream.reset(),
                       Stream::$of1271(stream) => stream.reset(), )*
                }
            }
        }
    };
}

streams! {
    One: One1305, One1271, 1;
    Two: Two1305, Two1271, 2;
    Three: Three1305, Three1271, 3;
    Four: Four1305, Four1271, 4;
    Eight: Eight1305, Eight1271, 8;
    Sixteen: Sixteen1305, Sixteen1271, 16;
}

/// Makes a state from the choice of C.
///
/// # Safety
/// The promise of the caller in C.
unsafe fn place<O: Opaque>(
    (algorithm, streams): (u32, u32),
    (key, key_len): (*const u8, usize),
    (memory, memory_len): (*mut c_void, usize),
    out: *mut *mut O,
    make: fn(Choice<'_>) -> Result<O::Value, Status>,
) -> Result<(), Status> {
    let inputs = [Region::new(key.addr(), key_len)];
    let make = || {
        let key = Input::exact(key, key_len, CARRYLESS_UNIVERSAL_KEY_LEN)?;
        // SAFETY: the promise to this function; nothing is written while the key is read.
        make(Choice { algorithm, streams, key: unsafe { key.array()? } })
    };
    // SAFETY: the promise to this function.
    unsafe { state::place(memory, memory_len, out, &inputs, make) }
}

/// Makes a key of 16 bytes ready, for one of CARRYLESS_UNIVERSAL_POLYHASH* with `streams` 0, or CARRYLESS_UNIVERSAL_DECBRWHASH* with 1, 2, 3, 4, 8 or 16
/// streams, each of which is another hash. CARRYLESS_STATUS_VALUE if the key does not fit the hash. It is made in `memory`, as carryless_layout asks for, or on
/// the heap if `memory` is null and `memory_len` 0. Ends with carryless_free.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_universal_new(
    algorithm: u32,
    streams: u32,
    key: *const u8,
    key_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    hash: *mut *mut carryless_universal,
) -> carryless_status {
    // SAFETY: the caller's promise.
    call(|| unsafe { place((algorithm, streams), (key, key_len), (memory, memory_len), hash, Key::new) })
}

/// The digest of a message, in 16 bytes, as secret as the key.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `hash` came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_universal_digest(
    hash: *const carryless_universal,
    message: *const u8,
    message_len: usize,
    digest: *mut u8,
    digest_len: usize,
) -> carryless_status {
    call(|| {
        let message = Input::new(message, message_len)?;
        let digest = Output::exact(digest, digest_len, CARRYLESS_UNIVERSAL_DIGEST_LEN)?;
        apart(digest.region, &[message.region, state::region(hash)])?;
        // SAFETY: the caller's promise; the digest is apart from the rest.
        unsafe { digest.write(&*state::get(hash)?.digest(message.slice())) }
    })
}

/// A message that comes in pieces; arguments as of carryless_universal_new.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_universal_stream_new(
    algorithm: u32,
    streams: u32,
    key: *const u8,
    key_len: usize,
    memory: *mut c_void,
    memory_len: usize,
    stream: *mut *mut carryless_universal_stream,
) -> carryless_status {
    // SAFETY: the caller's promise.
    call(|| unsafe { place((algorithm, streams), (key, key_len), (memory, memory_len), stream, Stream::new) })
}

/// Appends `message` to the bytes so far. The digest does not depend on how a message is cut into pieces.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say; `stream` came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_universal_stream_update(
    stream: *mut carryless_universal_stream,
    message: *const u8,
    message_len: usize,
) -> carryless_status {
    // SAFETY: the caller's promise.
    call(|| unsafe { state::append(stream, message, message_len, Stream::update) })
}

/// The digest of all bytes so far, in 16 bytes, as secret as the key. More may follow.
///
/// # Safety
/// `digest` is null or leads to `digest_len` bytes; `stream` came from this library, and no other thread changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_universal_stream_digest(
    stream: *const carryless_universal_stream,
    digest: *mut u8,
    digest_len: usize,
) -> carryless_status {
    call(|| {
        let digest = Output::exact(digest, digest_len, CARRYLESS_UNIVERSAL_DIGEST_LEN)?;
        apart(digest.region, &[state::region(stream)])?;
        // SAFETY: the caller's promise; the two are apart.
        unsafe {
            let stream = state::get(stream)?;
            digest.write(&*state::on_copies::<carryless_universal_stream, _>(|| stream.digest()))
        }
    })
}

/// Back to the start, for another message under the same key.
///
/// # Safety
/// `stream` is null or came from this library, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_universal_stream_reset(
    stream: *mut carryless_universal_stream,
) -> carryless_status {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { state::get_mut(stream)?.reset() };
        Ok(())
    })
}
