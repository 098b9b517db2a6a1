//! The three AEADs behind one interface, which the reference's enum selects, and deterministic inputs.
use carryless_aead::aead::inout::InOutBuf;
use carryless_aead::aead::{
    AeadInOut, ChaCha20Poly1305, Error, Nonce, XChaCha20DecBrw1305, XChaCha20Poly1305,
};
use carryless_hash::Cpu;
use carryless_reference::Aead as Reference;

/// Every AEAD under test, as the reference names it.
pub(crate) const ALL: [Reference; 3] =
    [Reference::ChaCha20Poly1305, Reference::XChaCha20Poly1305, Reference::XChaCha20DecBrw1305];

/// A ciphertext and its tag.
pub(crate) type Sealed = (Vec<u8>, [u8; 16]);

/// Encrypts from one buffer to another and in place, and tests that both give the same. Returns ciphertext
/// and tag. The output buffer holds `0x55` before, so that a byte not written shows.
fn seal_by<A: AeadInOut>(aead: &A, nonce: &[u8], ad: &[u8], msg: &[u8]) -> Sealed {
    let nonce = Nonce::<A>::try_from(nonce).expect("a nonce");
    let mut out = vec![0x55; msg.len()];
    let buffers = InOutBuf::new(msg, &mut out).expect("equal lengths");
    let tag = aead.encrypt_inout_detached(&nonce, ad, buffers).expect("short enough");
    let mut in_place = msg.to_vec();
    let again = aead.encrypt_inout_detached(&nonce, ad, (&mut in_place[..]).into()).expect("short enough");
    assert!(in_place == out && again == tag, "in place and out of place");
    (out, tag[..].try_into().expect("16 bytes"))
}

/// Decrypts in place and from one buffer to another, and tests that both give the same. If the tag is
/// refused, neither buffer may have changed.
fn open_by<A: AeadInOut>(
    aead: &A,
    nonce: &[u8],
    ad: &[u8],
    ct: &[u8],
    tag: &[u8; 16],
) -> Result<Vec<u8>, Error> {
    let nonce = Nonce::<A>::try_from(nonce).expect("a nonce");
    let tag = (&tag[..]).try_into().expect("16 bytes");
    let (mut out, mut in_place) = (vec![0x55; ct.len()], ct.to_vec());
    let buffers = InOutBuf::new(ct, &mut out).expect("equal lengths");
    let result = aead.decrypt_inout_detached(&nonce, ad, buffers, &tag);
    assert_eq!(aead.decrypt_inout_detached(&nonce, ad, (&mut in_place[..]).into(), &tag), result);
    match result {
        Ok(()) => assert!(in_place == out, "in place and out of place"),
        Err(_) => {
            assert!(in_place == ct && out.iter().all(|&byte| byte == 0x55), "released before verification")
        }
    }
    result.map(|()| out)
}

/// Calls a function above with the AEAD that `$which` names: each is a type of its own.
macro_rules! call {
    ($which:expr, $cpu:expr, $key:expr, $function:ident $arguments:tt) => {
        match $which {
            Reference::ChaCha20Poly1305 => call!(ChaCha20Poly1305, $cpu, $key; $function $arguments),
            Reference::XChaCha20Poly1305 => call!(XChaCha20Poly1305, $cpu, $key; $function $arguments),
            Reference::XChaCha20DecBrw1305 => call!(XChaCha20DecBrw1305, $cpu, $key; $function $arguments),
        }
    };
    ($Aead:ty, $cpu:expr, $key:expr; $function:ident ($($argument:expr),*)) => {
        $function(&<$Aead>::on($cpu, $key), $($argument),*)
    };
}

pub(crate) fn seal(aead: Reference, cpu: Cpu, key: &[u8; 32], nonce: &[u8], ad: &[u8], msg: &[u8]) -> Sealed {
    call!(aead, cpu, key, seal_by(nonce, ad, msg))
}

pub(crate) fn open(
    aead: Reference,
    cpu: Cpu,
    key: &[u8; 32],
    nonce: &[u8],
    ad: &[u8],
    (ct, tag): (&[u8], &[u8; 16]),
) -> Result<Vec<u8>, Error> {
    call!(aead, cpu, key, open_by(nonce, ad, ct, tag))
}

/// `len` bytes that are the same in every run and differ between seeds. They are not random.
pub(crate) fn bytes(seed: usize, len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 131 + (i >> 8) * 17 + seed * 59 + (seed >> 3)) as u8).collect()
}

/// A key and a nonce for `seed`. The nonce has 12 or 24 bytes, as the AEAD requires.
pub(crate) fn key_and_nonce(aead: Reference, seed: usize) -> ([u8; 32], Vec<u8>) {
    (bytes(seed, 32).try_into().expect("32 bytes"), bytes(seed + 1, aead.nonce_len()))
}

/// Whether `CARRYLESS_QUICK` is set: it shrinks the tests for emulators.
pub(crate) fn quick() -> bool {
    std::env::var_os("CARRYLESS_QUICK").is_some()
}
