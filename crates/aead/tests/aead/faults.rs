//! Every changed input is refused, and no plaintext is released. `open` tests that the buffers have not
//! changed.
use crate::common::{ALL, bytes, key_and_nonce, open, quick, seal};
use carryless_aead::aead::{Aead, AeadInOut, Error, KeyInit, Payload, XChaCha20Poly1305};
use carryless_hash::Cpu;

/// Flips one bit in each byte of ciphertext, tag, nonce, associated data and key.
#[test]
fn each_byte_changed() {
    let lengths: &[usize] = if quick() { &[70] } else { &[1, 70, 300] };
    for (aead, &len) in ALL.iter().flat_map(|aead| lengths.iter().map(move |len| (*aead, len))) {
        let (key, nonce) = key_and_nonce(aead, 1);
        let (ad, msg) = (bytes(2, 21), bytes(3, len));
        for cpu in Cpu::available() {
            let (ct, tag) = seal(aead, cpu, &key, &nonce, &ad, &msg);
            assert_eq!(open(aead, cpu, &key, &nonce, &ad, (&ct, &tag)).as_ref(), Ok(&msg));
            let parts = [ct.len(), 16, nonce.len(), ad.len(), 32];
            for (part, i) in
                parts.into_iter().enumerate().flat_map(|(part, n)| (0..n).map(move |i| (part, i)))
            {
                let (mut ct, mut tag, mut nonce, mut ad, mut key) =
                    (ct.clone(), tag, nonce.clone(), ad.clone(), key);
                let changed: [&mut [u8]; 5] = [&mut ct, &mut tag, &mut nonce, &mut ad, &mut key];
                changed.into_iter().nth(part).expect("a part")[i] ^= 1 << (i % 8);
                let opened = open(aead, cpu, &key, &nonce, &ad, (&ct, &tag));
                assert_eq!(opened, Err(Error), "{aead:?}, part {part}, byte {i}, {}", cpu.name());
            }
        }
    }
}

/// Truncates ciphertext and associated data, appends zeros, and moves bytes from one to the other. The MAC
/// must bind both lengths.
#[test]
fn lengths_changed() {
    for aead in ALL {
        let (key, nonce) = key_and_nonce(aead, 4);
        let (ad, msg) = (bytes(5, 40), bytes(6, 100));
        for cpu in Cpu::available() {
            let (ct, tag) = seal(aead, cpu, &key, &nonce, &ad, &msg);
            let refused = |ad: &[u8], ct: &[u8]| {
                assert_eq!(
                    open(aead, cpu, &key, &nonce, ad, (ct, &tag)),
                    Err(Error),
                    "{aead:?}, {}",
                    cpu.name()
                );
            };
            (0..ct.len()).for_each(|len| refused(&ad, &ct[..len]));
            (0..ad.len()).for_each(|len| refused(&ad[..len], &ct));
            (1..40).for_each(|n| refused(&ad, &[&ct[..], &vec![0; n]].concat()));
            (1..40).for_each(|n| refused(&[&ad[..], &vec![0; n]].concat(), &ct));
            (1..40).for_each(|n| refused(&[&ad[..], &ct[..n]].concat(), &ct[n..]));
            (1..40).for_each(|n| refused(&ad[..n], &[&ad[n..], &ct].concat()));
            refused(&ct, &ad);
        }
    }
}

/// Truncates a message that carries its tag at the end, also to fewer bytes than a tag has.
#[test]
fn truncated_messages() {
    let cipher = XChaCha20Poly1305::new(&[1; 32].into());
    let nonce = [2; 24].into();
    let sealed = cipher.encrypt(&nonce, Payload { msg: b"a message", aad: b"ad" }).expect("short enough");
    for len in 0..sealed.len() {
        let msg = &sealed[..len];
        assert_eq!(cipher.decrypt(&nonce, Payload { msg, aad: b"ad" }), Err(Error), "{len} bytes");
        let mut buffer = msg.to_vec();
        assert_eq!(cipher.decrypt_in_place(&nonce, b"ad", &mut buffer), Err(Error));
        assert_eq!(buffer, msg);
    }
    assert_eq!(
        cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"ad" }).as_deref(),
        Ok(&b"a message"[..])
    );
}
