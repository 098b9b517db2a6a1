//! Text around DER (RFC 7468).
use super::KeyError;
use der::SecretDocument;
use der::pem::{LineEnding, PemLabel};
use zeroize::Zeroizing;

/// Files of `openssl ecparam -genkey` begin with the name of the curve in a block of its own.
const END_OF_PARAMETERS: &str = "-----END EC PARAMETERS-----";

/// Label and bytes of a text that has one block.
pub(super) fn decode(text: &str) -> Result<(&str, SecretDocument), KeyError> {
    let text = text.split_once(END_OF_PARAMETERS).map_or(text, |(_, key)| key.trim_ascii_start());
    SecretDocument::from_pem(text).map_err(KeyError::Pem)
}

/// The text of a document.
pub(super) fn encode<T: PemLabel>(
    der: &SecretDocument,
) -> Result<Zeroizing<alloc::string::String>, KeyError> {
    der.to_pem(T::PEM_LABEL, LineEnding::LF).map_err(KeyError::Pem)
}
