//! Our AEADs as subjects, on every backend.
use super::Sealing;
use crate::input::{Key, Tag};
use crate::ours::Ours;
use crate::subject::Subject;
use carryless_aead::aead::{
    AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, XChaCha20DecBrw1305, XChaCha20Poly1305,
};
use carryless_hash::Cpu;
use carryless_reference::Aead;

/// Subjects that seal by one of our AEADs, on the best backend and on each backend of this CPU.
pub fn ours(aead: Aead) -> Ours {
    match aead {
        Aead::ChaCha20Poly1305 => subjects(ChaCha20Poly1305::on),
        Aead::XChaCha20Poly1305 => subjects(XChaCha20Poly1305::on),
        Aead::XChaCha20DecBrw1305 => subjects(XChaCha20DecBrw1305::on),
    }
}

fn subjects<A: AeadInOut + KeyInit + 'static>(on: fn(Cpu, &Key) -> A) -> Ours {
    let best = Subject::new(
        "carryless/best",
        Cpu::detect().name(),
        // `new`, not `on` with the detected backend: callers get their AEAD from `new`, so its choice is
        // measured.
        Sealing(|key: &Key| A::new(key[..].try_into().expect("a key has 32 bytes")), seal),
    );
    let of = |cpu: Cpu| {
        let work = Sealing(move |key: &Key| on(cpu, key), seal);
        Subject::new(format!("carryless/{}", cpu.name()), cpu.name(), work)
    };
    // The key is ready before every call, so a mode for prepared keys would repeat these figures.
    Ours::one_shot([best].into_iter().chain(Cpu::available().map(of)).collect())
}

/// Seals by the trait `AeadInOut`, which the AEADs of RustCrypto have as well.
pub(crate) fn seal<A: AeadInOut>(aead: &mut A, nonce: &[u8; 24], buffer: &mut [u8], tag: &mut Tag) {
    let nonce = Nonce::<A>::from_fn(|i| nonce[i]);
    // RFC 8439 limits a message to 256 GiB, and a run measures at most 1 GiB.
    let result = aead.encrypt_inout_detached(&nonce, b"", buffer.into()).expect("short enough");
    tag.copy_from_slice(&result);
}
