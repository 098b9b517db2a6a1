//! Keyed BLAKE3, truncated: another function, which a user might take for a MAC of long messages.
use crate::input::{Key, Tag};
use crate::subject::{Mode, OneByOne, Subject};
use anyhow::{Result, ensure};

pub(super) fn subjects(mode: Mode) -> Vec<Subject> {
    let subject = || Subject::new("blake3", "any", OneByOne(mac)).other_function(check);
    // BLAKE3 has no powers of a key that could be made ready.
    (mode != Mode::Prepared).then(subject).into_iter().collect()
}

fn mac(key: &Key, message: &[u8], tag: &mut Tag) {
    *tag = *blake3::keyed_hash(key, message).as_bytes().first_chunk().expect("a hash has 32 bytes");
}

/// Checks the first keyed vector of BLAKE3's `test_vectors.json`, which has no input.
fn check() -> Result<()> {
    let expected = 0x92b2_b756_04ed_3c76_1f9d_6f62_392c_8a92_u128.to_be_bytes();
    let mut tag = [0; 16];
    mac(b"whats the Elvish word for friend", b"", &mut tag);
    ensure!(tag == expected, "blake3 fails its test vector");
    Ok(())
}
