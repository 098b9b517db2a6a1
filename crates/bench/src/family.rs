//! A family: functions that give the same bytes and are measured against each other.
use crate::f2x::Operation;
use crate::input::Reference;
use crate::subject::{Mode, Subject};

/// Makes a library's subjects for a mode; none if it has no such call.
pub type Peer = fn(Mode) -> Vec<Subject>;

/// A set of functions that give the same bytes.
#[derive(Debug)]
pub struct Family {
    /// The name on the command line and in records.
    pub name: &'static str,
    /// Other names that the command line accepts.
    pub(crate) aliases: &'static [&'static str],
    /// The description of the family in `--help`.
    pub(crate) about: &'static str,
    /// The function that every subject must agree with.
    pub reference: Reference,
    /// Makes this library's subjects for a mode.
    pub(crate) ours: Peer,
    /// Lengths that are measured if none are named, as text for [`crate::lengths::list`].
    pub lengths: &'static str,
    /// The operation in F2\[X\], of which gf2x may have subjects; `None` for hashes and AEADs. Figures of
    /// such a family are shown for a product, not for a byte.
    pub operation: Option<Operation>,
    /// Whether it is a hash or a one-time MAC of a key and a message. Its calls can then wait for each other,
    /// and other libraries' Poly1305 is measured with it.
    pub(crate) is_hash: bool,
    /// Makers of the subjects of other libraries that compute it.
    pub(crate) peers: &'static [Peer],
    /// Other functions that are measured with it, to compare.
    pub(crate) others: Peer,
}

impl Family {
    /// This library's subjects; none if it has no such call. Products and AEADs have no latency mode: their
    /// operands and keys are made before the timing, so their calls cannot wait for each other.
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

    /// Whether other libraries' Poly1305 is measured with this family, as the same function or to compare.
    pub fn compares_with_poly1305(&self) -> bool {
        self.is_hash
    }

    /// Other functions that are measured with it, to compare.
    pub fn others(&self, mode: Mode) -> Vec<Subject> {
        (self.others)(mode)
    }
}
