//! What a key file's 32 bytes give: the keys of the file MAC, the key's name and its checksum. docs/file-mac.md.
use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
use carryless_aead::hchacha20;
use carryless_hash::Cpu;
use zeroize::Zeroizing;

/// The 32 bytes that a key file holds.
pub(crate) type MasterKey = Zeroizing<[u8; 32]>;

/// Identifies a key without giving anything of it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyId(pub(crate) [u8; 8]);

/// What a master key gives for one algorithm.
pub(crate) struct Keys {
    /// How tags are made.
    pub(crate) algorithm: Algorithm,
    /// Authenticates the contents of files.
    pub(crate) file: FileMac,
    /// Authenticates manifests.
    pub(crate) manifest: FileMac,
    /// The name of the master key.
    pub(crate) id: KeyId,
}

impl Keys {
    /// Derives everything from the master key; the hash will run on `cpu`.
    pub(crate) fn derive(master: &MasterKey, algorithm: Algorithm, cpu: Cpu) -> Self {
        let mac = |subject| FileMac::on(cpu, algorithm, subject, master);
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
