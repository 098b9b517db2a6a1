//! Authenticated encryption: messages sealed in place, without associated data, under a key that is ready.
//!
//! Each call gets the same nonce, which is made ready before, and the buffer that the last call left: the
//! contents do not change the time. Tags are verified after the first call.
mod ours;

use crate::input::{Input, Key, Tag};
use crate::subject::{Runner, Work};
use carryless_reference::Aead;
use std::hint::black_box;

pub use ours::ours;
#[cfg(feature = "rustcrypto")]
pub(crate) use ours::seal;

/// Lengths in bytes that are measured if none are named, as text for [`crate::lengths::list`].
// 1350 bytes is a common payload of a QUIC packet, and 16384 the longest record of TLS.
pub const LENGTHS: &str = "64,256,1350,16384,1m";

/// Length of the longest nonce in bytes, that of XChaCha20.
const NONCE: usize = 24;

/// The nonce for a key. AEADs with shorter nonces take its first bytes.
fn nonce(key: &Key) -> [u8; NONCE] {
    // A nonce made of the key needs no input of its own. Nothing is kept secret here, so it may depend on the
    // key.
    let mut nonce = [0; NONCE];
    nonce.copy_from_slice(&key[..NONCE]);
    nonce
}

/// The tag of a message, computed in big integers.
pub fn reference(aead: Aead, key: &Key, message: &[u8]) -> Tag {
    aead.seal(key, &nonce(key)[..aead.nonce_len()], b"", message).1
}

/// Seals messages in place. The first function makes the key ready, outside the timing; the second seals a
/// buffer with it and a nonce.
pub(crate) struct Sealing<P, F>(pub(crate) P, pub(crate) F);

impl<K, P: Fn(&Key) -> K, F: Fn(&mut K, &[u8; NONCE], &mut [u8], &mut Tag)> Work for Sealing<P, F>
where
    K: 'static,
{
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        // A copy of each message, because sealing overwrites it.
        let one = |(key, message): (&Key, &[u8])| ((self.0)(key), nonce(key), message.to_vec());
        let mut messages: Vec<(K, [u8; NONCE], Vec<u8>)> =
            input.keys().iter().zip(input.messages()).map(one).collect();
        Box::new(move |tags, times| {
            for _ in 0..times {
                for (tag, (key, nonce, buffer)) in tags.iter_mut().zip(&mut messages) {
                    // An opaque nonce keeps the compiler from moving work that depends on it alone out of the
                    // loop.
                    (self.1)(key, black_box(nonce), black_box(&mut buffer[..]), tag);
                }
            }
        })
    }
}
