//! The file MAC: hash, then encrypt the digest with a pseudo-random function. docs/file-mac.md has the argument.
//!
//! tag = first 16 bytes of HChaCha20(k2, polyHash1305(k1, message)). No nonce: the tag is a function of key and
//! message, and the digest, which must stay secret, never leaves this module's callers unencrypted.
use carryless_hash::polyhash1305::{NotWholeBlocks, PreparedKey, Segment};
use carryless_hash::{Cpu, Tag};
use chacha20::{R20, hchacha};
use zeroize::{Zeroize as _, Zeroizing};

/// The 32 bytes that a key file holds.
pub(crate) type MasterKey = Zeroizing<[u8; 32]>;

/// Identifies a key without giving anything of it away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyId(pub(crate) [u8; 8]);

/// A key of the MAC, ready to use: powers of k1, and k2.
pub(crate) struct MacKey {
    hash: PreparedKey,
    prf_key: Zeroizing<[u8; 32]>,
}

/// What a master key gives: the two MAC keys and its name.
pub(crate) struct Keys {
    /// Authenticates the contents of files.
    pub(crate) file: MacKey,
    /// Authenticates manifests.
    pub(crate) manifest: MacKey,
    /// The name of the master key.
    pub(crate) id: KeyId,
}

impl Keys {
    /// Derives everything from the master key; the hash will run on `cpu`.
    pub(crate) fn derive(master: &MasterKey, cpu: Cpu) -> Self {
        let mac_key = |hash: &[u8; 16], encrypt: &[u8; 16]| MacKey {
            hash: PreparedKey::on(cpu, &Zeroizing::new(first(&prf(master, hash)))),
            prf_key: prf(master, encrypt),
        };
        Self {
            file: mac_key(b"carryless file-1", b"carryless file-2"),
            manifest: mac_key(b"carryless mani-1", b"carryless mani-2"),
            id: KeyId(first(&prf(master, b"carryless key-id"))),
        }
    }
}

impl MacKey {
    /// The hash under k1; its digests are as secret as k1.
    pub(crate) fn hash(&self) -> &PreparedKey {
        &self.hash
    }

    /// The tag of a message of which this is the hash.
    pub(crate) fn tag_of_segment(&self, whole: &Segment) -> Tag {
        self.encrypt(&Zeroizing::new(whole.digest()))
    }

    /// The tag of a message in memory.
    pub(crate) fn tag(&self, message: &[u8]) -> Tag {
        self.encrypt(&Zeroizing::new(self.hash.digest(message)))
    }

    fn encrypt(&self, digest: &[u8; 16]) -> Tag {
        Tag::from(first(&prf(&self.prf_key, digest)))
    }
}

/// A message that arrives in pieces, all of them whole 16-byte blocks except the last.
pub(crate) struct Message<'k> {
    key: &'k MacKey,
    so_far: Segment,
}

impl<'k> Message<'k> {
    /// The empty message.
    pub(crate) fn new(key: &'k MacKey) -> Self {
        Self { key, so_far: key.hash.segment(b"") }
    }

    /// Appends a piece.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), NotWholeBlocks> {
        self.so_far = self.key.hash.join(&self.so_far, &self.key.hash.segment(piece))?;
        Ok(())
    }

    /// The hash of what was appended, to be joined with other parts.
    pub(crate) fn segment(self) -> Segment {
        self.so_far
    }

    /// The tag of the whole message.
    pub(crate) fn tag(&self) -> Tag {
        self.key.tag_of_segment(&self.so_far)
    }
}

/// Four bytes that a damaged key file will not have by chance.
pub(crate) fn key_checksum(master: &MasterKey) -> [u8; 4] {
    first(&prf(master, b"carryless keysum"))
}

/// HChaCha20: a pseudo-random function from 16 bytes to 32.
fn prf(key: &[u8; 32], input: &[u8; 16]) -> Zeroizing<[u8; 32]> {
    let mut out = hchacha::<R20>(key.into(), input.into());
    let copy = Zeroizing::new(out.into());
    out.as_mut_slice().zeroize();
    copy
}

fn first<const N: usize>(bytes: &[u8; 32]) -> [u8; N] {
    std::array::from_fn(|i| bytes[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::hex;

    /// draft-irtf-cfrg-xchacha-03, section 2.2.1.
    #[test]
    fn hchacha20_of_the_draft() {
        let key = std::array::from_fn(|i| i as u8);
        let input = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0, 0x31, 0x41, 0x59, 0x27];
        let expected = "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc";
        assert_eq!(hex(&*prf(&key, &input)), expected);
    }

    #[test]
    fn subkeys_differ_and_the_empty_message_has_a_keyed_tag() {
        let tags = |byte| {
            let keys = Keys::derive(&Zeroizing::new([byte; 32]), Cpu::detect());
            (
                keys.id,
                keys.file.tag(b""),
                keys.manifest.tag(b""),
                keys.file.tag(b"\0"),
                keys.file.tag(b"\0\0"),
            )
        };
        let (id1, file1, manifest1, zero1, zeros1) = tags(1);
        let (id2, file2, ..) = tags(2);
        assert!(id1 != id2 && file1 != file2);
        assert!(file1 != manifest1 && file1 != zero1 && zero1 != zeros1);
    }
}
