//! RustCrypto's `poly1305`. Its default build finds the vector unit at run time. With `-C target-cpu=native`
//! it is another program, which is measured under another name.
use crate::input::{Key, Tag};
use crate::subject::{Mode, OneByOne, Prepared, Subject};
use poly1305::{Poly1305, universal_hash::KeyInit};

/// The name in subjects. It says whether this program was compiled with AVX2.
const NAME: &str = if cfg!(target_feature = "avx2") { "rustcrypto/native" } else { "rustcrypto" };

pub(super) fn subjects(mode: Mode) -> Vec<Subject> {
    vec![match mode {
        // The crate has no call for many messages, so a batch is one call for each.
        Mode::OneShot | Mode::Batch | Mode::Latency => Subject::new(NAME, "any", OneByOne(mac)),
        Mode::Prepared => {
            Subject::new(NAME, "any", Prepared(|key: &Key| Poly1305::new(key.into()), prepared_mac))
        }
    }]
}

fn mac(key: &Key, message: &[u8], tag: &mut Tag) {
    *tag = Poly1305::new(key.into()).compute_unpadded(message).into();
}

fn prepared_mac(ready: &Poly1305, _: &Key, message: &[u8], tag: &mut Tag) {
    // `compute_unpadded` consumes the state, so each message takes a copy.
    *tag = ready.clone().compute_unpadded(message).into();
}
