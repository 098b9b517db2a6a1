//! Poly1305 and the file MAC for JavaScript. mac.js checks the arguments before it calls these functions.
#![forbid(unsafe_code)]

use carryless_aead::file_mac::{self, Algorithm, Subject};
use carryless_hash::{Tag, poly1305};
use wasm_bindgen::prelude::*;
use zeroize::Zeroizing;

/// A key of 32 bytes. What JavaScript passed is wiped; its own copy is beyond reach.
fn key(bytes: Vec<u8>) -> Result<Zeroizing<[u8; 32]>, JsError> {
    // Wiped on the error path, too.
    let bytes = Zeroizing::new(bytes);
    let key = bytes.as_slice().try_into().map(Zeroizing::new);
    key.map_err(|_| JsError::new(&format!("a key has 32 bytes, this one {}", bytes.len())))
}

/// Whether the tag is right, in constant time; one of another length is not.
fn matches(tag: &[u8], computed: Tag) -> bool {
    // `==` of tags takes constant time; the length of a tag is public.
    Tag::try_from(tag).is_ok_and(|tag| tag == computed)
}

/// The tag of a message, 16 bytes: Poly1305 of RFC 8439. A key serves one message.
///
/// Throws if the key has not 32 bytes.
#[wasm_bindgen(js_name = poly1305)]
pub fn poly1305_of(secret: Vec<u8>, message: &[u8]) -> Result<Vec<u8>, JsError> {
    Ok(poly1305::mac(&*key(secret)?, message).as_ref().to_vec())
}

/// Whether `tag` is the message's, compared in constant time.
///
/// Throws if the key has not 32 bytes.
#[wasm_bindgen(js_name = poly1305Verify)]
pub fn poly1305_verify(secret: Vec<u8>, message: &[u8], tag: &[u8]) -> Result<bool, JsError> {
    Ok(matches(tag, poly1305::mac(&*key(secret)?, message)))
}

/// Poly1305 of a message in pieces.
#[wasm_bindgen(js_name = Poly1305)]
pub struct Poly1305(poly1305::Poly1305);

#[wasm_bindgen(js_class = Poly1305)]
impl Poly1305 {
    /// Begins a message. Throws if the key has not 32 bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(secret: Vec<u8>) -> Result<Poly1305, JsError> {
        Ok(Poly1305(poly1305::Poly1305::new(&*key(secret)?)))
    }

    /// Takes the next piece, of any length.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The tag of what came so far, 16 bytes; more may follow.
    pub fn digest(&self) -> Vec<u8> {
        self.0.clone().finalize().as_ref().to_vec()
    }

    /// Whether `tag` is that of what came so far, in constant time.
    pub fn verify(&self, tag: &[u8]) -> bool {
        matches(tag, self.0.clone().finalize())
    }
}

/// The MAC of the command `carryless tag`: one key for any number of files, without a nonce. Equal files have equal tags.
#[wasm_bindgen(js_name = FileMac)]
pub struct FileMac(file_mac::FileMac);

#[wasm_bindgen(js_class = FileMac)]
impl FileMac {
    /// The MAC under a key of 32 bytes. `algorithm` is `4-decbrwhash1305-hchacha20`, the default, or `polyhash1305-hchacha20`.
    ///
    /// Throws if the key has not 32 bytes, or there is no such algorithm.
    #[wasm_bindgen(constructor)]
    pub fn new(secret: Vec<u8>, algorithm: Option<String>) -> Result<FileMac, JsError> {
        let algorithm = algorithm.map_or(Ok(Algorithm::default()), |name| Algorithm::named(&name))?;
        Ok(FileMac(file_mac::FileMac::new(algorithm, Subject::File, &*key(secret)?)))
    }

    /// The tag of a file's contents, 16 bytes.
    pub fn tag(&self, contents: &[u8]) -> Vec<u8> {
        self.0.tag(contents).as_ref().to_vec()
    }

    /// Whether `tag` is that of the contents, compared in constant time.
    pub fn verify(&self, contents: &[u8], tag: &[u8]) -> bool {
        matches(tag, self.0.tag(contents))
    }

    /// Begins a file that comes in pieces. The stream copies the keys, so that this MAC may be freed before
    /// it.
    pub fn stream(&self) -> FileMacStream {
        FileMacStream(self.0.stream())
    }
}

/// The file MAC of contents in pieces. It keeps the key, and a state of fixed size.
#[wasm_bindgen(js_name = FileMacStream)]
pub struct FileMacStream(file_mac::Stream);

#[wasm_bindgen(js_class = FileMacStream)]
impl FileMacStream {
    /// Takes the next piece, of any length.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The tag of what came so far, 16 bytes; more may follow.
    pub fn tag(&self) -> Vec<u8> {
        self.0.tag().as_ref().to_vec()
    }

    /// Whether `tag` is that of what came so far, in constant time.
    pub fn verify(&self, tag: &[u8]) -> bool {
        matches(tag, self.0.tag())
    }
}
