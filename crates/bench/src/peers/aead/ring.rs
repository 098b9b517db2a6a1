//! The crate ring, by its public interface.
use crate::aead::Sealing;
use crate::input::{Key, Tag};
use crate::subject::{Mode, Subject};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

pub(super) fn subjects(mode: Mode) -> Vec<Subject> {
    // This key takes its nonce from the caller. ring's other keys draw nonces from a sequence.
    let new = |key: &Key| LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key).expect("32 bytes"));
    match mode {
        Mode::OneShot => vec![Subject::new("ring", "any", Sealing(new, seal))],
        _ => vec![],
    }
}

fn seal(key: &mut LessSafeKey, nonce: &[u8; 24], buffer: &mut [u8], tag: &mut Tag) {
    let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).expect("12 bytes");
    let result = key.seal_in_place_separate_tag(nonce, Aad::empty(), buffer).expect("short enough");
    tag.copy_from_slice(result.as_ref());
}
