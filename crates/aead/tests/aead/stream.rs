//! STREAM over each AEAD: chunks open in their order and in no other.
use crate::common::bytes;
use carryless_aead::aead::array::ArraySize;
use carryless_aead::aead::stream::{
    Decryptor, DecryptorBE32, DecryptorLE31, Encryptor, EncryptorBE32, EncryptorLE31, NewStream,
    StreamPrimitive,
};
use carryless_aead::aead::{
    AeadCore, AeadInOut, ChaCha20Poly1305, KeyInit, XChaCha20DecBrw1305, XChaCha20Poly1305,
};
use std::ops::Sub;

const CHUNK: usize = 100;

/// A test for one AEAD and one flavour of STREAM. `$prefix` is the length of the nonce without the 5 or 4
/// bytes of counter and last-chunk flag.
macro_rules! flavour {
    ($test:ident, $Aead:ty, $Encryptor:ident, $Decryptor:ident, $prefix:literal) => {
        #[test]
        fn $test() {
            let (key, prefix) = ([3; 32].into(), [5; $prefix].into());
            check(
                || $Encryptor::<$Aead>::new(&key, &prefix),
                || $Decryptor::<$Aead>::new(&key, &prefix),
                || $Decryptor::<$Aead>::new(&key, &[6; $prefix].into()),
            );
        }
    };
}

flavour!(chacha20_poly1305_be32, ChaCha20Poly1305, EncryptorBE32, DecryptorBE32, 7);
flavour!(chacha20_poly1305_le31, ChaCha20Poly1305, EncryptorLE31, DecryptorLE31, 8);
flavour!(xchacha20_poly1305_be32, XChaCha20Poly1305, EncryptorBE32, DecryptorBE32, 19);
flavour!(xchacha20_poly1305_le31, XChaCha20Poly1305, EncryptorLE31, DecryptorLE31, 20);
flavour!(xchacha20_decbrw1305_be32, XChaCha20DecBrw1305, EncryptorBE32, DecryptorBE32, 19);
flavour!(xchacha20_decbrw1305_le31, XChaCha20DecBrw1305, EncryptorLE31, DecryptorLE31, 20);

/// Opens all chunks of a message, the last one as its end. `None` if any of them is refused or there is none.
fn open<A, S>(mut decryptor: Decryptor<A, S>, chunks: &[Vec<u8>]) -> Option<Vec<u8>>
where
    A: AeadInOut,
    S: StreamPrimitive<A>,
    A::NonceSize: Sub<S::NonceOverhead>,
    <A::NonceSize as Sub<S::NonceOverhead>>::Output: ArraySize,
{
    let (last, others) = chunks.split_last()?;
    let mut message = Vec::new();
    for chunk in others {
        message.extend(decryptor.decrypt_next(&chunk[..]).ok()?);
    }
    message.extend(decryptor.decrypt_last(&last[..]).ok()?);
    Some(message)
}

fn check<A, S>(
    encryptor: impl Fn() -> Encryptor<A, S>,
    decryptor: impl Fn() -> Decryptor<A, S>,
    other: impl Fn() -> Decryptor<A, S>,
) where
    A: AeadInOut + KeyInit + AeadCore,
    S: NewStream<A>,
    A::NonceSize: Sub<S::NonceOverhead>,
    <A::NonceSize as Sub<S::NonceOverhead>>::Output: ArraySize,
{
    let message = bytes(9, 4 * CHUNK + 7);
    let (mut sealing, mut chunks) = (encryptor(), Vec::new());
    let pieces: Vec<&[u8]> = message.chunks(CHUNK).collect();
    let (last, others) = pieces.split_last().expect("chunks");
    for piece in others {
        chunks.push(sealing.encrypt_next(*piece).expect("short enough"));
    }
    chunks.push(sealing.encrypt_last(*last).expect("short enough"));
    assert_eq!(open(decryptor(), &chunks), Some(message));
    assert_eq!(open(other(), &chunks), None, "another prefix");
    for i in 0..chunks.len() {
        for j in 0..i {
            let mut swapped = chunks.clone();
            swapped.swap(i, j);
            assert_eq!(open(decryptor(), &swapped), None, "{i} and {j} permuted");
        }
        let without = [&chunks[..i], &chunks[i + 1..]].concat();
        assert_eq!(open(decryptor(), &without), None, "{i} dropped");
        let doubled = [&chunks[..=i], &chunks[i..]].concat();
        assert_eq!(open(decryptor(), &doubled), None, "{i} doubled");
        assert_eq!(open(decryptor(), &chunks[..i]), None, "cut before {i}");
        for byte in [0, chunks[i].len() / 2, chunks[i].len() - 1] {
            let mut changed = chunks.clone();
            changed[i][byte] ^= 1;
            assert_eq!(open(decryptor(), &changed), None, "{i}, byte {byte} changed");
        }
    }
}
