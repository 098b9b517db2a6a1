//! Opening of ciphertexts on every backend: it succeeds exactly if the reference does, and a buffer that is
//! refused stays unchanged.
#![no_main]
#![forbid(unsafe_code)]
use carryless_aead::aead::{AeadInOut, ChaCha20Poly1305, Nonce, XChaCha20DecBrw1305, XChaCha20Poly1305};
use carryless_fuzz::Input;
use carryless_hash::Cpu;
use carryless_reference::Aead;
use libfuzzer_sys::fuzz_target;

/// A ciphertext as a receiver gets it, which may have been changed.
struct Received<'a> {
    nonce: &'a [u8],
    ad: &'a [u8],
    ciphertext: &'a [u8],
    tag: &'a [u8; 16],
    /// The message according to the reference; `None` if it refuses the ciphertext.
    message: Option<&'a [u8]>,
}

fn open<A: AeadInOut>(aead: &A, received: &Received<'_>) {
    let nonce = Nonce::<A>::try_from(received.nonce).expect("a nonce");
    let tag = (&received.tag[..]).try_into().expect("16 bytes");
    let mut buffer = received.ciphertext.to_vec();
    let opened = aead.decrypt_inout_detached(&nonce, received.ad, (&mut buffer[..]).into(), &tag);
    assert_eq!(opened.is_ok(), received.message.is_some());
    assert_eq!(buffer, received.message.unwrap_or(received.ciphertext));
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (key, nonce): ([u8; 32], [u8; 24]) = (input.array(), input.array());
    let (choice, place, change, ad_len) = (input.byte(), input.byte(), input.byte(), input.byte());
    let aead =
        [Aead::ChaCha20Poly1305, Aead::XChaCha20Poly1305, Aead::XChaCha20DecBrw1305][usize::from(choice % 3)];
    let (nonce, ad) = (&nonce[..aead.nonce_len()], input.bytes(ad_len.into()));
    let (mut ciphertext, mut tag) = aead.seal(&key, nonce, ad, input.rest());
    // Changes one byte of ciphertext or tag, or nothing if `change` is 0.
    let place = usize::from(place) % (ciphertext.len() + 16);
    match place.checked_sub(ciphertext.len()) {
        None => ciphertext[place] ^= change,
        Some(place) => tag[place] ^= change,
    }
    let message = aead.open(&key, nonce, ad, &ciphertext, &tag);
    assert_eq!(message.is_some(), change == 0);
    let received = Received { nonce, ad, ciphertext: &ciphertext, tag: &tag, message: message.as_deref() };
    for cpu in Cpu::available() {
        match aead {
            Aead::ChaCha20Poly1305 => open(&ChaCha20Poly1305::on(cpu, &key), &received),
            Aead::XChaCha20Poly1305 => open(&XChaCha20Poly1305::on(cpu, &key), &received),
            Aead::XChaCha20DecBrw1305 => open(&XChaCha20DecBrw1305::on(cpu, &key), &received),
        }
    }
});
