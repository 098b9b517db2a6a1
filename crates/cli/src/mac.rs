//! What a key file's 32 bytes give: the keys of the file MAC, the key's name and its checksum. docs/file-mac.md.
use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
use carryless_aead::hchacha20;
use carryless_hash::Cpu;
use carryless_lanes::clear_stack;
use std::ops::{Deref, DerefMut};
use zeroize::Zeroizing;

/// The 32 bytes that a key file holds. They are on the heap from the beginning, so that a move leaves no copy; wiped when dropped.
#[derive(Clone)]
pub(crate) struct MasterKey(Box<Zeroizing<[u8; 32]>>);

impl MasterKey {
    /// 32 zeros, to be filled.
    pub(crate) fn zeroed() -> Self {
        MasterKey(Box::default())
    }

    /// The key of these bytes, for tests: the caller's copy stays.
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

/// Puts a value with a key on the heap, where a move leaves no copy, and clears the stack where it was made.
pub(crate) fn boxed<T>(make: impl FnOnce() -> T) -> Box<T> {
    let value = Box::new(make());
    clear_stack::<4096>();
    value
}

/// Identifies a key without giving anything of it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyId(pub(crate) [u8; 8]);

/// What a master key gives for one algorithm.
pub(crate) struct Keys {
    /// How tags are made.
    pub(crate) algorithm: Algorithm,
    /// Authenticates the contents of files.
    pub(crate) file: Box<FileMac>,
    /// Authenticates manifests.
    pub(crate) manifest: Box<FileMac>,
    /// The name of the master key.
    pub(crate) id: KeyId,
}

impl Keys {
    /// Derives everything from the master key; the hash will run on `cpu`.
    pub(crate) fn derive(master: &MasterKey, algorithm: Algorithm, cpu: Cpu) -> Self {
        let mac = |subject| boxed(|| FileMac::on(cpu, algorithm, subject, master));
        Self { algorithm, file: mac(Subject::File), manifest: mac(Subject::Manifest), id: KeyId::of(master) }
    }
}

impl KeyId {
    /// The name of a master key, whatever it is used for.
    pub(crate) fn of(master: &MasterKey) -> Self {
        Self(derived(master, b"carryless key-id"))
    }
}

/// Four bytes that a damaged key file will not have by chance.
pub(crate) fn key_checksum(master: &MasterKey) -> [u8; 4] {
    derived(master, b"carryless keysum")
}

/// Bytes that are not secret, under a label of their own.
fn derived<const N: usize>(master: &MasterKey, label: &[u8; 16]) -> [u8; N] {
    let bytes = hchacha20(master, label);
    std::array::from_fn(|i| bytes[i])
}
