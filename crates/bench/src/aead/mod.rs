//! Authenticated encryption: messages sealed in place, without associated data, under a key that is ready.
//!
//! Each call takes the same nonce, which is part of what is made ready, and the buffer that the last call left: what the bytes are does not
//! change the time. Tags are verified after the first call.
mod ours;

use crate::input::{Input, Key, Tag};
use crate::subject::{Runner, Work};
use carryless_reference::Aead;
use std::hint::black_box;

pub use ours::ours;
#[cfg(feature = "rustcrypto")]
pub(crate) use ours::seal;

/// Lengths that are measured when none are named.
pub const LENGTHS: &str = "64,256,1350,16384,1m";

/// Bytes of the longest nonce.
const NONCE: usize = 24;

/// The nonce of a key's message, of which AEADs with shorter ones take the first bytes.
fn nonce(key: &Key) -> [u8; NONCE] {
    let mut nonce = [0; NONCE];
    nonce.copy_from_slice(&key[..NONCE]);
    nonce
}

/// The tag in big integers.
pub fn reference(aead: Aead, key: &Key, message: &[u8]) -> Tag {
    aead.seal(key, &nonce(key)[..aead.nonce_len()], b"", message).1
}

/// A key made ready by the first function; then the second seals a buffer in place with it and a nonce.
pub(crate) struct Sealing<P, F>(pub(crate) P, pub(crate) F);

impl<K, P: Fn(&Key) -> K, F: Fn(&mut K, &[u8; NONCE], &mut [u8], &mut Tag)> Work for Sealing<P, F>
where
    K: 'static,
{
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let one = |(key, message): (&Key, &[u8])| ((self.0)(key), nonce(key), message.to_vec());
        let mut messages: Vec<(K, [u8; NONCE], Vec<u8>)> =
            input.keys().iter().zip(input.messages()).map(one).collect();
        Box::new(move |tags, times| {
            for _ in 0..times {
                for (tag, (key, nonce, buffer)) in tags.iter_mut().zip(&mut messages) {
                    (self.1)(key, black_box(nonce), black_box(&mut buffer[..]), tag);
                }
            }
        })
    }
}
