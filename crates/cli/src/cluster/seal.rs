//! Encryption of tasks and results between client and workers. Both are bound to their run, a result also to
//! its task.
//!
//! ```text
//! k             = HChaCha20(HChaCha20(K, "carryless part-1"), run)
//! sealed task   = "cltask-2" || nonce || XChaCha20-Poly1305(k, nonce, ad: "cltask-2", message: the task)
//! sealed result = index || nonce || XChaCha20-Poly1305(k, nonce, ad: the task, message: the result)
//! ```
//!
//! K is the master key, and `run` the 16 random bytes of the run; ad is the associated data. The index of the
//! task has 8 bytes, little-endian. The nonce has 24 random bytes, the tag at the end 16.
//!
//! No task is accepted as a result, and no result as a task: a task has at least 24 bytes, so that their
//! associated data differ.
//!
//! Of n tasks and results in a run two have the same nonce with probability at most n^2 / 2^193. A forgery of l blocks of 16
//! bytes, associated data and text together, succeeds with at most l 2^-103 (Poly1305, RFC 8439). Add the advantages
//! against HChaCha20, with the labels and the runs, and against ChaCha20, with tasks and results. Order and number of runs
//! of a task are not covered: a task may be sent again, and gives the same result.
use anyhow::{Context as _, Result, anyhow, bail};
use carryless_aead::aead::inout::InOutBuf;
use carryless_aead::aead::{AeadInOut, Nonce, XChaCha20Poly1305};
use carryless_aead::hchacha20;
use carryless_hash::Cpu;
use zeroize::Zeroizing;

use crate::mac::{MasterKey, boxed};
use crate::name::escape;
use crate::random;

/// Identifies a run, and determines its key. It is random, so that tasks and results of other runs are refused.
pub type RunId = [u8; 16];

/// Version of the format, with which a sealed task begins. Client and workers must have the same one.
pub const FORMAT: &str = "cltask-2";
/// Beginning of the format's name in every version.
const FORMAT_NAME: &str = "cltask-";

const LABEL: &[u8; 16] = b"carryless part-1";
/// Bytes before the nonce: the format of a task, or the index of a result's task.
const HEAD: usize = 8;
const NONCE: usize = 24;
/// Bytes of a tag, here and in a list of results.
pub(super) const TAG: usize = 16;

/// The key for tasks and results of one run. Wiped when dropped.
pub(super) struct Seal(Box<XChaCha20Poly1305>);

impl Seal {
    /// Derives the key of a run from the master key.
    pub(super) fn new(master: &MasterKey, run: &RunId) -> Self {
        Seal(boxed(|| XChaCha20Poly1305::on(Cpu::detect(), &hchacha20(&hchacha20(master, LABEL), run))))
    }

    /// Encrypts a task, under a random nonce.
    pub(super) fn seal_task(&self, task: &[u8]) -> Result<Vec<u8>> {
        self.encrypt(FORMAT.as_bytes(), FORMAT.as_bytes(), task)
    }

    /// Decrypts a task. Fails if it is not one of this run.
    pub(super) fn open_task(&self, sealed: &[u8]) -> Result<Vec<u8>> {
        check_format(sealed)?;
        self.decrypt(FORMAT.as_bytes(), sealed)
            .context("a task that is not of this run: changed, or of another run or key")
    }

    /// Encrypts the result of a task, which becomes its associated data.
    pub(super) fn seal(&self, index: u64, task: &[u8], result: &[u8]) -> Result<Vec<u8>> {
        self.encrypt(&index.to_le_bytes(), task, result)
    }

    /// Decrypts a result. Fails if it is not the result of this task in this run.
    pub(super) fn open(&self, task: &[u8], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        // A result may contain parts, which are secret. A task has only names, sizes and identities of
        // objects.
        self.decrypt(task, sealed)
            .map(Zeroizing::new)
            .context("a result that is not that of its task: changed, or of another run")
    }

    /// Encrypts `text` under a random nonce: returns `front`, the nonce, the ciphertext and the tag.
    fn encrypt(&self, front: &[u8], associated: &[u8], text: &[u8]) -> Result<Vec<u8>> {
        let mut sealed = vec![0; HEAD + NONCE + text.len() + TAG];
        let (head, body) = sealed.split_at_mut(HEAD + NONCE);
        let (encrypted, tag) = body.split_at_mut(text.len());
        head[..HEAD].copy_from_slice(front);
        random::fill(&mut head[HEAD..])?;
        let nonce = nonce(&head[HEAD..]);
        // Encrypts from one buffer to the other, so that the plaintext never lies in the memory of the
        // result.
        let buffers = InOutBuf::new(text, encrypted).map_err(|_| anyhow!("a text too long"))?;
        let computed = self.0.encrypt_inout_detached(&nonce, associated, buffers);
        tag.copy_from_slice(&computed.map_err(|_| anyhow!("a text too long"))?);
        Ok(sealed)
    }

    /// Decrypts and authenticates. `None` if the bytes were not sealed with this associated data.
    fn decrypt(&self, associated: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (head, body) = sealed.split_at_checked(HEAD + NONCE)?;
        let (encrypted, tag) = body.split_last_chunk::<TAG>()?;
        // Decrypted in place after the tag is verified: of a forgery this holds only ciphertext.
        let mut text = encrypted.to_vec();
        let nonce = nonce(&head[HEAD..]);
        self.0.decrypt_inout_detached(&nonce, associated, (&mut text[..]).into(), &(*tag).into()).ok()?;
        Some(text)
    }
}

/// Fails unless the bytes begin as a task of this format. Names both formats if it is a different one.
fn check_format(sealed: &[u8]) -> Result<()> {
    let format = sealed.get(..HEAD).context("the bytes are no task")?;
    if format == FORMAT.as_bytes() {
        return Ok(());
    }
    if !format.starts_with(FORMAT_NAME.as_bytes()) {
        bail!("the bytes are no task");
    }
    bail!(
        "a task of the format {}, and this worker reads {FORMAT}: client and workers need one version of carryless",
        escape(format)
    )
}

/// Returns the index of the task to which a sealed result claims to belong. It is authentic only
/// after the result is opened.
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
        for bit in 8 * HEAD..8 * sealed.len() {
            let mut other = sealed.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(seal.open(b"task", &other).is_err(), "{bit}");
        }
        for length in 0..sealed.len() {
            assert!(seal.open(b"task", &sealed[..length]).is_err(), "{length}");
        }
        assert_ne!(sealed, seal.seal(5, b"task", b"result").expect("short"));
    }

    #[test]
    fn only_tasks_of_the_run_open() {
        let (master, task) = (MasterKey::new([7; 32]), &[9; 24][..]);
        let seal = Seal::new(&master, &[1; 16]);
        let sealed = seal.seal_task(task).expect("short");
        assert_eq!((&sealed[..8], sealed.len()), (&b"cltask-2"[..], 48 + 24));
        assert_eq!(seal.open_task(&sealed).expect("ours"), task);
        assert!(!sealed.windows(8).any(|part| part == &task[..8]));
        for other in [Seal::new(&master, &[2; 16]), Seal::new(&MasterKey::new([8; 32]), &[1; 16])] {
            let error = other.open_task(&sealed).expect_err("of another run or key").to_string();
            assert!(error.starts_with("a task that is not of this run"), "{error}");
        }
        for bit in 0..8 * sealed.len() {
            let mut other = sealed.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(seal.open_task(&other).is_err(), "{bit}");
        }
        for length in 0..sealed.len() {
            assert!(seal.open_task(&sealed[..length]).is_err(), "{length}");
        }
        // A task is not accepted as a result, nor a result as a task.
        assert!(seal.open(task, &sealed).is_err());
        let mut result = seal.seal(5, task, b"result").expect("short");
        result[..HEAD].copy_from_slice(FORMAT.as_bytes());
        assert!(seal.open_task(&result).is_err());
    }

    #[test]
    fn other_formats_are_named() {
        let seal = Seal::new(&MasterKey::new([7; 32]), &[1; 16]);
        let error = seal.open_task(b"cltask-1and more").expect_err("an old task").to_string();
        assert!(error.contains("cltask-1, and this worker reads cltask-2"), "{error}");
        for bytes in [&b""[..], b"cltask", b"something else"] {
            assert_eq!(seal.open_task(bytes).expect_err("no task").to_string(), "the bytes are no task");
        }
    }
}
