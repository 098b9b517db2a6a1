//! The keys derived from the 32 bytes of a key file: those of the file MAC, the key id and the checksum. See
//! book/src/formats.md.
use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
use carryless_aead::hchacha20;
use carryless_hash::Cpu;
use carryless_lanes::clear_stack;
use std::ops::{Deref, DerefMut};
use zeroize::Zeroizing;

/// The 32 bytes of a key file. They lie on the heap from the beginning, so that a move leaves
/// no copy. Wiped when dropped.
#[derive(Clone)]
pub(crate) struct MasterKey(Box<Zeroizing<[u8; 32]>>);

impl MasterKey {
    /// Returns 32 zeros, to be filled in place.
    pub(crate) fn zeroed() -> Self {
        MasterKey(Box::default())
    }

    /// Returns the key of these bytes, for tests. The caller's copy is not wiped.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        MasterKey(Box::new(Zeroizing::new(bytes)))
    }
}

impl Deref for MasterKey {
    type Target = [u8; 32];
    fn deref(&self) -> &[u8; 32] {
        &self.0
    }
}

impl DerefMut for MasterKey {
    fn deref_mut(&mut self) -> &mut [u8; 32] {
        &mut self.0
    }
}

/// Puts a value that contains a key on the heap, where a move leaves no copy. Clears the stack on which it was made.
pub(crate) fn boxed<T>(make: impl FnOnce() -> T) -> Box<T> {
    // Building the value may leave its keys on the stack before it reaches the heap.
    let value = Box::new(make());
    clear_stack::<4096>();
    value
}

/// Identifies a key in manifests without revealing it: 8 bytes derived under a label of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyId(pub(crate) [u8; 8]);

/// The keys derived from a master key for one algorithm.
pub(crate) struct Keys {
    /// The algorithm of all tags, including the MAC of the manifest.
    pub(crate) algorithm: Algorithm,
    /// MAC of the contents of files.
    pub(crate) file: Box<FileMac>,
    /// MAC of manifests. It has a key of its own, so that the tag of a file authenticates no
    /// manifest with the same bytes.
    pub(crate) manifest: Box<FileMac>,
    /// Id of the master key, as manifests name it.
    pub(crate) id: KeyId,
}

impl Keys {
    /// Derives all keys from the master key, for hashing on `cpu`.
    pub(crate) fn derive(master: &MasterKey, algorithm: Algorithm, cpu: Cpu) -> Self {
        let mac = |subject| boxed(|| FileMac::on(cpu, algorithm, subject, master));
        Self { algorithm, file: mac(Subject::File), manifest: mac(Subject::Manifest), id: KeyId::of(master) }
    }
}

impl KeyId {
    /// Returns the id of a master key, which does not depend on the algorithm.
    pub(crate) fn of(master: &MasterKey) -> Self {
        Self(derived(master, b"carryless key-id"))
    }
}

/// Returns the checksum of a key file, which fits a damaged key with probability 2^-32.
pub(crate) fn key_checksum(master: &MasterKey) -> [u8; 4] {
    derived(master, b"carryless keysum")
}

/// Derives public bytes under a label: the first ones of HChaCha20, a pseudorandom function of the key.
fn derived<const N: usize>(master: &MasterKey, label: &[u8; 16]) -> [u8; N] {
    // `bytes` wipes itself. Only the first N of them become public.
    let bytes = hchacha20(master, label);
    std::array::from_fn(|i| bytes[i])
}
