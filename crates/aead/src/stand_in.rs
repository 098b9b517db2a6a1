//! Until `carryless_hash::decbrwhash1305` has prepared keys and streams: the same API, without their speed and with a
//! stream that collects the message. To be deleted with the `mod` line in lib.rs; `crate::stand_in` becomes
//! `carryless_hash::decbrwhash1305`.
extern crate alloc;

use alloc::vec::Vec;
use carryless_hash::Cpu;
use carryless_hash::decbrwhash1305::{Streams, digest_on};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A key, ready for many messages.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct PreparedKey {
    key: [u8; 16],
    #[zeroize(skip)]
    machine: (Cpu, Streams),
}

impl PreparedKey {
    /// Prepares a key on a machine of the caller's choice.
    pub(crate) fn on(cpu: Cpu, streams: Streams, key: &[u8; 16]) -> Self {
        Self { key: *key, machine: (cpu, streams) }
    }

    /// The digest of `msg`.
    pub(crate) fn digest(&self, msg: &[u8]) -> [u8; 16] {
        digest_on(self.machine.0, self.machine.1, &self.key, msg)
    }
}

/// The hash of a message that comes in pieces.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct DecBrwHash1305 {
    key: PreparedKey,
    message: Vec<u8>,
}

impl DecBrwHash1305 {
    /// Starts on a machine of the caller's choice.
    pub(crate) fn on(cpu: Cpu, streams: Streams, key: &[u8; 16]) -> Self {
        Self { key: PreparedKey::on(cpu, streams, key), message: Vec::new() }
    }

    /// Appends bytes.
    pub(crate) fn update(&mut self, msg: &[u8]) {
        self.message.extend_from_slice(msg);
    }

    /// The digest of all bytes so far.
    pub(crate) fn finalize(self) -> [u8; 16] {
        self.key.digest(&self.message)
    }
}
