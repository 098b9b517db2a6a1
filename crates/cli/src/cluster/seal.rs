//! Results of workers, encrypted and bound to the task that they are of.
//!
//! ```text
//! k      = HChaCha20(HChaCha20(K, "carryless part-1"), run)        K: the master key; run: 16 random bytes for each run
//! sealed = index || nonce || XChaCha20-Poly1305(k, nonce, associated data: the task, message: the result)
//! ```
//!
//! The index of the task has 8 bytes, little-endian; the nonce has 24 random ones; the tag of 16 stands at the end. docs/cluster.md has the bound.
use anyhow::{Context as _, Result, anyhow};
use carryless_aead::aead::inout::InOutBuf;
use carryless_aead::aead::{AeadInOut, Nonce, XChaCha20Poly1305};
use carryless_aead::hchacha20;
use carryless_hash::Cpu;
use zeroize::Zeroizing;

use crate::mac::MasterKey;

/// What names a run and makes its key: random, so that results of other runs are refused.
pub type RunId = [u8; 16];

const LABEL: &[u8; 16] = b"carryless part-1";
const INDEX: usize = 8;
const NONCE: usize = 24;
const TAG: usize = 16;

/// The key for the results of one run.
pub(super) struct Seal(XChaCha20Poly1305);

impl Seal {
    pub(super) fn new(master: &MasterKey, run: &RunId) -> Self {
        Seal(XChaCha20Poly1305::on(Cpu::detect(), &hchacha20(&hchacha20(master, LABEL), run)))
    }

    /// Encrypts the result of a task.
    pub(super) fn seal(&self, index: u64, task: &[u8], result: &[u8]) -> Result<Vec<u8>> {
        let mut sealed = vec![0; INDEX + NONCE + result.len() + TAG];
        let (head, body) = sealed.split_at_mut(INDEX + NONCE);
        let (text, tag) = body.split_at_mut(result.len());
        head[..INDEX].copy_from_slice(&index.to_le_bytes());
        getrandom::fill(&mut head[INDEX..]).context("the system gives no random numbers")?;
        let nonce = nonce(&head[INDEX..]);
        // From one buffer to the other: what is not encrypted never lies where the result is handed out.
        let buffers = InOutBuf::new(result, text).map_err(|_| anyhow!("a result too long"))?;
        let computed = self.0.encrypt_inout_detached(&nonce, task, buffers);
        tag.copy_from_slice(&computed.map_err(|_| anyhow!("a result too long"))?);
        Ok(sealed)
    }

    /// Decrypts a result, if it is that of the task.
    pub(super) fn open(&self, task: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let refused = || anyhow!("a result that is not that of its task: changed, or of another run");
        let length = sealed.len().checked_sub(INDEX + NONCE + TAG).with_context(refused)?;
        let (head, body) = sealed.split_at(INDEX + NONCE);
        let (text, tag) = body.split_at(length);
        let mut result = Zeroizing::new(text.to_vec());
        let tag: &[u8; TAG] = tag.try_into()?;
        let nonce = nonce(&head[INDEX..]);
        self.0
            .decrypt_inout_detached(&nonce, task, (&mut result[..]).into(), &(*tag).into())
            .map_err(|_| refused())?;
        Ok(result)
    }
}

/// The index that a sealed result names. Nothing vouches for it until the result is opened.
pub(super) fn index(sealed: &[u8]) -> Option<u64> {
    sealed.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

fn nonce(bytes: &[u8]) -> Nonce<XChaCha20Poly1305> {
    let mut nonce = [0; NONCE];
    nonce.copy_from_slice(bytes);
    nonce.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_result_of_the_task_opens() {
        let master = MasterKey::new([7; 32]);
        let seal = Seal::new(&master, &[1; 16]);
        let sealed = seal.seal(5, b"task", b"result").expect("short");
        assert_eq!((index(&sealed), sealed.len()), (Some(5), 48 + 6));
        assert_eq!(seal.open(b"task", &sealed).expect("ours")[..], b"result"[..]);
        assert!(!sealed.windows(6).any(|part| part == b"result"));
        assert!(seal.open(b"Task", &sealed).is_err());
        assert!(Seal::new(&master, &[2; 16]).open(b"task", &sealed).is_err());
        assert!(Seal::new(&MasterKey::new([8; 32]), &[1; 16]).open(b"task", &sealed).is_err());
        for bit in 8 * INDEX..8 * sealed.len() {
            let mut other = sealed.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(seal.open(b"task", &other).is_err(), "{bit}");
        }
        for length in 0..sealed.len() {
            assert!(seal.open(b"task", &sealed[..length]).is_err(), "{length}");
        }
        assert_ne!(sealed, seal.seal(5, b"task", b"result").expect("short"));
    }
}
