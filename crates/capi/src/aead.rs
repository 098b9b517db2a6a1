//! Authenticated encryption with associated data.
use crate::memory::{Input, Output, apart};
use crate::poly1305::CARRYLESS_TAG_LEN;
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_aead::aead::array::typenum::Unsigned as _;
use carryless_aead::aead::inout::InOutBuf;
use carryless_aead::aead::{
    AeadCore, AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, XChaCha20DecBrw1305, XChaCha20Poly1305,
};
use carryless_lanes::cleared;

/// An AEAD: ChaCha20-Poly1305 (RFC 8439), with nonces of 12 bytes, which should be counters.
pub const CARRYLESS_AEAD_CHACHA20POLY1305: u32 = 1;
/// An AEAD: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03), with nonces of 24 bytes, which may be random.
pub const CARRYLESS_AEAD_XCHACHA20POLY1305: u32 = 2;
/// An AEAD: XChaCha20-decBRW1305, with nonces of 24 bytes. It is no standard, and no other library opens its messages.
pub const CARRYLESS_AEAD_XCHACHA20DECBRW1305: u32 = 3;

/// Bytes of the secret key of an AEAD. It serves many messages, each with a nonce of its own.
pub const CARRYLESS_AEAD_KEY_LEN: usize = 32;

/// Code that is generic over the AEAD, which C gives as a number.
trait Visitor {
    type Output;
    fn visit<A: AeadInOut + KeyInit>(self) -> Self::Output;
}

fn dispatch<V: Visitor>(algorithm: u32, visitor: V) -> Result<V::Output, Status> {
    Ok(match algorithm {
        CARRYLESS_AEAD_CHACHA20POLY1305 => visitor.visit::<ChaCha20Poly1305>(),
        CARRYLESS_AEAD_XCHACHA20POLY1305 => visitor.visit::<XChaCha20Poly1305>(),
        CARRYLESS_AEAD_XCHACHA20DECBRW1305 => visitor.visit::<XChaCha20DecBrw1305>(),
        _ => return Err(Status::Unsupported),
    })
}

/// The bytes of a nonce of an AEAD, one of CARRYLESS_AEAD_*POLY1305 and CARRYLESS_AEAD_XCHACHA20DECBRW1305.
///
/// # Safety
/// `nonce_len` is null, or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_aead_nonce_len(algorithm: u32, nonce_len: *mut usize) -> carryless_status {
    struct Len;
    impl Visitor for Len {
        type Output = usize;
        fn visit<A: AeadCore>(self) -> usize {
            A::NonceSize::USIZE
        }
    }
    call(|| {
        let nonce_len = Output::one(nonce_len)?;
        // SAFETY: the caller's promise.
        unsafe { nonce_len.write(&[dispatch(algorithm, Len)?]) }
    })
}

/// A text and its nonce and associated data.
struct Message<'a> {
    key: &'a [u8; CARRYLESS_AEAD_KEY_LEN],
    nonce: &'a [u8],
    ad: &'a [u8],
    text: InOutBuf<'a, 'a, u8>,
}

impl Message<'_> {
    /// Runs `work` with the cipher. Copies of the key on the stack are wiped.
    fn with<A: AeadInOut + KeyInit, R>(
        self,
        work: impl FnOnce(&A, &Nonce<A>, &[u8], InOutBuf<'_, '_, u8>) -> Result<R, Status>,
    ) -> Result<R, Status> {
        let nonce = <&Nonce<A>>::try_from(self.nonce).map_err(|_| Status::Length)?;
        cleared::<1024, _>(|| {
            let cipher = A::new_from_slice(self.key).map_err(|_| Status::Length)?;
            work(&cipher, nonce, self.ad, self.text)
        })
    }
}

/// The text that is read and the one that is written: both at one place, or apart, and as long.
///
/// # Safety
/// The promise of the caller in C, and nothing else refers to them while the buffer lives.
unsafe fn text<'a>(input: Input<u8>, output: Output<u8>) -> Result<InOutBuf<'a, 'a, u8>, Status> {
    if input.region != output.region {
        apart(output.region, &[input.region])?;
    }
    // SAFETY: the promise; both are equal or apart.
    unsafe { output.in_out(input) }
}

/// Encrypts a message and computes its tag. `ciphertext` has as many bytes as `message`, and may be the same buffer; the tag, 16 bytes, is apart from both,
/// such as directly behind the ciphertext. A nonce serves one message under a key: two messages under one nonce reveal both and let anyone forge.
/// A message has at most 2^38 - 64 bytes.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_aead_seal(
    algorithm: u32,
    key: *const u8,
    key_len: usize,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    message: *const u8,
    message_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> carryless_status {
    struct Seal<'a>(Message<'a>);
    impl Visitor for Seal<'_> {
        type Output = Result<[u8; CARRYLESS_TAG_LEN], Status>;
        fn visit<A: AeadInOut + KeyInit>(self) -> Self::Output {
            self.0.with::<A, _>(|cipher, nonce, ad, text| {
                // The only error is a length.
                let tag = cipher.encrypt_inout_detached(nonce, ad, text).map_err(|_| Status::Length)?;
                tag.as_slice().try_into().map_err(|_| Status::Internal)
            })
        }
    }
    call(|| {
        let key = Input::exact(key, key_len, CARRYLESS_AEAD_KEY_LEN)?;
        let (nonce, ad) = (Input::new(nonce, nonce_len)?, Input::new(ad, ad_len)?);
        let (message, ciphertext) =
            (Input::new(message, message_len)?, Output::new(ciphertext, ciphertext_len)?);
        let tag = Output::exact(tag, tag_len, CARRYLESS_TAG_LEN)?;
        apart(ciphertext.region, &[key.region, nonce.region, ad.region])?;
        apart(tag.region, &[key.region, nonce.region, ad.region, message.region, ciphertext.region])?;
        // SAFETY: the caller's promise; outputs are apart from the rest, except the message where that is the ciphertext.
        unsafe {
            let text = text(message, ciphertext)?;
            let message = Message { key: key.array()?, nonce: nonce.slice(), ad: ad.slice(), text };
            tag.write(&dispatch(algorithm, Seal(message))??)
        }
    })
}

/// Decrypts a message if its tag is right, and otherwise returns CARRYLESS_STATUS_MISMATCH and writes nothing; compares in constant time. `message` has as many
/// bytes as `ciphertext`, and may be the same buffer.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_aead_open(
    algorithm: u32,
    key: *const u8,
    key_len: usize,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    tag: *const u8,
    tag_len: usize,
    message: *mut u8,
    message_len: usize,
) -> carryless_status {
    struct Open<'a>(Message<'a>, &'a [u8; CARRYLESS_TAG_LEN]);
    impl Visitor for Open<'_> {
        type Output = Result<(), Status>;
        fn visit<A: AeadInOut + KeyInit>(self) -> Result<(), Status> {
            let tag = self.1.as_slice().try_into().map_err(|_| Status::Internal)?;
            self.0.with::<A, _>(|cipher, nonce, ad, text| {
                // No message that is too long was sealed, so that is a wrong tag, too.
                cipher.decrypt_inout_detached(nonce, ad, text, tag).map_err(|_| Status::Mismatch)
            })
        }
    }
    call(|| {
        let key = Input::exact(key, key_len, CARRYLESS_AEAD_KEY_LEN)?;
        let (nonce, ad) = (Input::new(nonce, nonce_len)?, Input::new(ad, ad_len)?);
        let (ciphertext, message) =
            (Input::new(ciphertext, ciphertext_len)?, Output::new(message, message_len)?);
        let tag = Input::exact(tag, tag_len, CARRYLESS_TAG_LEN)?;
        apart(message.region, &[key.region, nonce.region, ad.region, tag.region])?;
        // SAFETY: the caller's promise; the message is apart from the rest, except the ciphertext where that is the message.
        unsafe {
            let text = text(ciphertext, message)?;
            let message = Message { key: key.array()?, nonce: nonce.slice(), ad: ad.slice(), text };
            dispatch(algorithm, Open(message, tag.array()?))?
        }
    })
}
