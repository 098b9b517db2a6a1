//! ChaCha20-Poly1305 and XChaCha20-Poly1305 for JavaScript. aead.js checks the arguments before it calls these functions.
#![forbid(unsafe_code)]

use carryless_aead::aead::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, XChaCha20Poly1305};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use zeroize::Zeroizing;

/// A key of one of the ciphers.
enum Cipher {
    Ietf(ChaCha20Poly1305),
    Extended(XChaCha20Poly1305),
}

/// A key of an AEAD. JavaScript has a class for each cipher.
#[wasm_bindgen(js_name = Aead)]
pub struct Aead(Cipher);

fn new<C: KeyInit>(key: &[u8]) -> Result<C, JsError> {
    C::new_from_slice(key).map_err(|_| JsError::new(&format!("a key has 32 bytes, this one {}", key.len())))
}

fn nonce<C: AeadInOut>(bytes: &[u8]) -> Result<&Nonce<C>, JsError> {
    let wrong = |_| format!("a nonce has {} bytes, this one {}", size_of::<Nonce<C>>(), bytes.len());
    bytes.try_into().map_err(|error| JsError::new(&wrong(error)))
}

fn seal<C: AeadInOut>(cipher: &C, iv: &[u8], message: Vec<u8>, data: &[u8]) -> Result<Vec<u8>, JsError> {
    // Wiped after an error.
    let mut message = Zeroizing::new(message);
    let sealed = cipher.encrypt_in_place(nonce::<C>(iv)?, data, &mut *message);
    sealed.map_err(|_| JsError::new("message is too long"))?;
    Ok(std::mem::take(&mut *message))
}

fn open<C: AeadInOut>(cipher: &C, iv: &[u8], sealed: Vec<u8>, data: &[u8]) -> Result<Uint8Array, JsError> {
    let mut message = Zeroizing::new(sealed);
    let opened = cipher.decrypt_in_place(nonce::<C>(iv)?, data, &mut *message);
    opened.map_err(|_| {
        JsError::new("sealed is not authentic: it, the key, the nonce or the data is another")
    })?;
    // A copy for JavaScript, so that the module's is wiped.
    Ok(Uint8Array::from(message.as_slice()))
}

#[wasm_bindgen(js_class = Aead)]
impl Aead {
    /// A key of 32 bytes for nonces of 24 bytes if `extended`, else of 12. Throws if the key has another length.
    #[wasm_bindgen(constructor)]
    pub fn new(extended: bool, key: Vec<u8>) -> Result<Aead, JsError> {
        let key = Zeroizing::new(key);
        Ok(Aead(if extended { Cipher::Extended(new(&key)?) } else { Cipher::Ietf(new(&key)?) }))
    }

    /// The ciphertext of a message, and the tag of 16 bytes. Throws if the nonce has another length.
    pub fn seal(&self, nonce: &[u8], message: Vec<u8>, data: &[u8]) -> Result<Vec<u8>, JsError> {
        match &self.0 {
            Cipher::Ietf(cipher) => seal(cipher, nonce, message, data),
            Cipher::Extended(cipher) => seal(cipher, nonce, message, data),
        }
    }

    /// The message of what `seal` gave. Throws if that is not authentic, or the nonce has another length.
    pub fn open(&self, nonce: &[u8], sealed: Vec<u8>, data: &[u8]) -> Result<Uint8Array, JsError> {
        match &self.0 {
            Cipher::Ietf(cipher) => open(cipher, nonce, sealed, data),
            Cipher::Extended(cipher) => open(cipher, nonce, sealed, data),
        }
    }
}
