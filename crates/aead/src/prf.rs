//! The pseudorandom function of this crate: HChaCha20.
use chacha20::{R20, hchacha};
use zeroize::{Zeroize as _, Zeroizing};

use crate::wipe::clear_frames_of_a_block;

/// HChaCha20 (draft-irtf-cfrg-xchacha-03, section 2.2): a key of 32 bytes and an input of 16 give 32 bytes. Byte
/// orders are those of the draft. Constant time.
///
/// Without the key its outputs look random. They are words of a ChaCha20 block minus constants and input, which are
/// public, so distinguishing them from random bytes distinguishes ChaCha20's output. Use it to derive keys from a
/// master key, with a different label of 16 bytes for each.
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
    // The array of the `chacha20` crate does not wipe itself, so the copy is wiped and its stack frames are
    // cleared.
    out.as_mut_slice().zeroize();
    clear_frames_of_a_block();
    copy
}

/// The first 16 bytes of [`hchacha20`]: a derived key, a mask or a tag.
pub(crate) fn half(key: &[u8; 32], input: &[u8; 16]) -> Zeroizing<[u8; 16]> {
    let whole = hchacha20(key, input);
    // Copied byte by byte into its place: the other half is wiped with `whole`.
    Zeroizing::new(core::array::from_fn(|i| whole[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::String;

    /// The example of draft-irtf-cfrg-xchacha-03, section 2.2.1.
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
