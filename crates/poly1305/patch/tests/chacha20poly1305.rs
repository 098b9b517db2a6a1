//! RustCrypto's chacha20poly1305 on the packages for `[patch]`: the patch is in force, and ciphertexts are as RFC 8439 defines them.
use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};

/// This workspace has one package poly1305, which does not come from a registry.
#[test]
fn the_patch_is_in_force() {
    let lock = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"));
    let packages: Vec<_> =
        lock.split("[[package]]").filter(|text| text.contains("name = \"poly1305\"")).collect();
    assert_eq!(packages.len(), 1);
    assert!(!packages[0].contains("source ="), "{}", packages[0]);
    assert!(packages[0].contains("carryless-poly1305"), "{}", packages[0]);
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex")).collect()
}

/// The example of RFC 8439, section 2.8.2. With one byte changed, ciphertext or tag, it must be refused.
#[test]
fn ciphertext_of_the_rfc() {
    let key: [u8; 32] = std::array::from_fn(|i| 0x80 + i as u8);
    let nonce: [u8; 12] = hex("070000004041424344454647").try_into().expect("12 bytes");
    let aad = hex("50515253c0c1c2c3c4c5c6c7");
    let msg = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
    let want = hex(
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36\
         92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691",
    );
    let aead = ChaCha20Poly1305::new(&key.into());
    let nonce = (&nonce).into();
    let sealed = aead.encrypt(nonce, Payload { msg, aad: &aad }).expect("short");
    assert_eq!(sealed, want);
    assert_eq!(aead.decrypt(nonce, Payload { msg: &sealed, aad: &aad }).expect("its tag"), msg);
    for i in 0..sealed.len() {
        let mut other = sealed.clone();
        other[i] ^= 1;
        assert!(aead.decrypt(nonce, Payload { msg: &other, aad: &aad }).is_err());
    }
}

/// ChaCha20-Poly1305 by its definition, with Poly1305 in big integers.
fn by_definition(key: &[u8; 32], nonce: &[u8; 12], msg: &[u8], aad: &[u8]) -> Vec<u8> {
    let mut stream = vec![0; 64 + msg.len()];
    ChaCha20::new(key.into(), nonce.into()).apply_keystream(&mut stream);
    let mut out: Vec<u8> = msg.iter().zip(&stream[64..]).map(|(a, b)| a ^ b).collect();
    let pad = |bytes: &[u8]| [bytes, &[0; 16][..(16 - bytes.len() % 16) % 16]].concat();
    let lengths = [aad.len() as u64, msg.len() as u64].map(u64::to_le_bytes).concat();
    let authenticated = [pad(aad), pad(&out), lengths].concat();
    let one_time: [u8; 32] = stream[..32].try_into().expect("32 bytes");
    out.extend(carryless_reference::poly1305(&one_time, &authenticated));
    out
}

#[test]
fn all_lengths_are_as_defined() {
    let (key, nonce) = ([0x42; 32], [7; 12]);
    let bytes: Vec<u8> = (0..20_000_u32).map(|i| ((i * i) >> 3) as u8).collect();
    let aead = ChaCha20Poly1305::new(&key.into());
    for len in (0..600).chain([1_023, 4_096, 4_097, 20_000]) {
        let (msg, aad) = (&bytes[..len], &bytes[..len % 70]);
        let sealed = aead.encrypt(&nonce.into(), Payload { msg, aad }).expect("short");
        assert_eq!(sealed, by_definition(&key, &nonce, msg, aad), "{len} bytes");
    }
}

#[test]
fn xchacha_round_trips() {
    let aead = XChaCha20Poly1305::new(&[0x42; 32].into());
    let nonce = [9; 24].into();
    let sealed = aead.encrypt(&nonce, &b"message"[..]).expect("short");
    assert_eq!(aead.decrypt(&nonce, &sealed[..]).expect("its tag"), b"message");
}
