//! Keys of AEADs: what they leave in memory, and their sizes.
use carryless_aead::aead::{ChaCha20Poly1305, XChaCha20DecBrw1305, XChaCha20Poly1305};

#[cfg(not(miri))]
#[test]
fn nothing_of_a_key_is_left() {
    use carryless_aead::aead::{AeadInOut, Nonce};
    use carryless_hash::Cpu;
    use std::fmt::Debug;
    use zeroize::{Zeroize, ZeroizeOnDrop};

    fn check<A>(what: &str, on: impl Fn(&[u8; 32]) -> A)
    where
        A: AeadInOut + Clone + Zeroize + ZeroizeOnDrop + Debug,
    {
        let tag = |aead: A| {
            let tag = aead.encrypt_inout_detached(&Nonce::<A>::default(), b"", (&mut [0; 100][..]).into());
            tag.expect("short enough")[..].try_into().expect("16 bytes")
        };
        let key = |seed| *carryless_aead::hchacha20(&[seed as u8; 32], b"a key for a test");
        carryless_residue::check(what, key, on, |_, _| (), tag);
    }
    let cpu = Cpu::detect();
    check("ChaCha20Poly1305", |key| ChaCha20Poly1305::on(cpu, key));
    check("XChaCha20Poly1305", |key| XChaCha20Poly1305::on(cpu, key));
    check("XChaCha20DecBrw1305", |key| XChaCha20DecBrw1305::on(cpu, key));
}

#[test]
fn sizes_are_as_documented() {
    assert!(size_of::<ChaCha20Poly1305>() <= 40);
    assert!(size_of::<XChaCha20Poly1305>() <= 40);
    assert!(size_of::<XChaCha20DecBrw1305>() <= 40);
}
