//! RustCrypto's `chacha20poly1305`, which finds the vector units at run time unless the build fixes them.
use crate::aead::{Sealing, seal};
use crate::input::Key;
use crate::subject::{Mode, Subject};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, XChaCha20Poly1305};

/// The name in subjects. It says whether this program was compiled with AVX2.
const NAME: &str = if cfg!(target_feature = "avx2") { "rustcrypto/native" } else { "rustcrypto" };

pub(super) fn chacha20_poly1305(mode: Mode) -> Vec<Subject> {
    subjects::<ChaCha20Poly1305>(mode)
}

pub(super) fn xchacha20_poly1305(mode: Mode) -> Vec<Subject> {
    subjects::<XChaCha20Poly1305>(mode)
}

fn subjects<A: AeadInOut + KeyInit + 'static>(mode: Mode) -> Vec<Subject> {
    if mode != Mode::OneShot {
        return vec![];
    }
    let new = |key: &Key| A::new(key[..].try_into().expect("a key has 32 bytes"));
    vec![Subject::new(NAME, "any", Sealing(new, seal))]
}
