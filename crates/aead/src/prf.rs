//! The pseudo-random function on which everything here rests.
use chacha20::{R20, hchacha};
use zeroize::{Zeroize as _, Zeroizing};

use crate::wipe::clear_frames_of_a_block;

/// HChaCha20 (draft-irtf-cfrg-xchacha-03, section 2.2): 16 bytes to 32 bytes under a key of 32, byte orders as there.
///
/// Its outputs look random to whoever lacks the key: they are words of a ChaCha20 block less constants and input, all of
/// which are public, so telling them from random bytes would be telling ChaCha20's. Derives keys from a master key, with
/// a label of 16 bytes for each, and encrypts digests.
///
/// ```
/// let master = [7; 32];
/// let signing = carryless_aead::hchacha20(&master, b"my program key-1");
/// assert_ne!(*signing, *carryless_aead::hchacha20(&master, b"my program key-2"));
/// ```
#[must_use]
pub fn hchacha20(key: &[u8; 32], input: &[u8; 16]) -> Zeroizing<[u8; 32]> {
    let mut out = hchacha::<R20>(key.into(), input.into());
    let copy = Zeroizing::new(out.into());
    out.as_mut_slice().zeroize();
    clear_frames_of_a_block();
    copy
}

/// [`hchacha20`], and of the result the first 16 bytes.
pub(crate) fn half(key: &[u8; 32], input: &[u8; 16]) -> Zeroizing<[u8; 16]> {
    let whole = hchacha20(key, input);
    Zeroizing::new(core::array::from_fn(|i| whole[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::String;

    /// draft-irtf-cfrg-xchacha-03, section 2.2.1.
    #[test]
    fn hchacha20_of_the_draft() {
        let key = core::array::from_fn(|i| i as u8);
        let input = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0, 0x31, 0x41, 0x59, 0x27];
        let expected = "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc";
        let got: String = hchacha20(&key, &input).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(got, expected);
        assert!(expected.starts_with(&got[..32]) && half(&key, &input)[..] == hchacha20(&key, &input)[..16]);
    }
}
