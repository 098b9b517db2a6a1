//! A family: functions that give the same bytes, so that they can be measured against each other.
use crate::f2x::Operation;
use crate::input::{Key, Tag};
use crate::subject::{Mode, Subject};

/// A library's subjects in a mode; none if it has no such call.
pub type Peer = fn(Mode) -> Vec<Subject>;

/// The function in big integers, which no subject shares code with.
pub type Reference = fn(&Key, &[u8]) -> Tag;

/// A set of functions that give the same bytes.
#[derive(Debug)]
pub struct Family {
    /// As on the command line and in records.
    pub name: &'static str,
    /// Other names that the command line takes.
    pub(crate) aliases: &'static [&'static str],
    /// What `--help` says of it.
    pub(crate) about: &'static str,
    /// What every subject must agree with.
    pub reference: Reference,
    /// This library's subjects in a mode.
    pub(crate) ours: Peer,
    /// Lengths that are measured when none are named.
    pub lengths: &'static str,
    /// What gf2x can do of it. Figures of such a family are shown for a product, not for a byte.
    pub operation: Option<Operation>,
    /// Whether it is a hash or a one-time MAC of a key and a message: its calls can wait for each other, and other libraries' Poly1305 stands
    /// beside it.
    pub(crate) is_hash: bool,
    /// Other libraries that compute it.
    pub(crate) peers: &'static [Peer],
    /// Other functions, to compare with.
    pub(crate) others: Peer,
}

impl Family {
    /// This library's subjects; none if it has no such call. Operands of products and keys of AEADs are made before they are timed, so that
    /// these cannot wait for each other.
    pub fn ours(&self, mode: Mode) -> Vec<Subject> {
        if mode == Mode::Latency && !self.is_hash {
            return vec![];
        }
        (self.ours)(mode)
    }

    /// The subjects of other libraries in this build that compute it.
    pub fn peers(&self, mode: Mode) -> Vec<Subject> {
        self.peers.iter().flat_map(|subjects| subjects(mode)).collect()
    }

    /// Whether other libraries' Poly1305 computes this family, or is only compared with it.
    pub fn compares_with_poly1305(&self) -> bool {
        self.is_hash
    }

    /// Other functions, to compare with.
    pub fn others(&self, mode: Mode) -> Vec<Subject> {
        (self.others)(mode)
    }
}
