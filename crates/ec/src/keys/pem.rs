//! Text around DER (RFC 7468).
use super::KeyError;
use der::SecretDocument;
use der::pem::{LineEnding, PemLabel};
use zeroize::Zeroizing;

/// How blocks begin.
const BEGIN: &str = "-----BEGIN ";
/// Files of `openssl ecparam -genkey` begin with the name of the curve in a block of its own.
const BEGIN_PARAMETERS: &str = "-----BEGIN EC PARAMETERS-----";
const END_PARAMETERS: &str = "-----END EC PARAMETERS-----";

/// Label and bytes of a text that has one block.
pub(super) fn decode(text: &str) -> Result<(&str, SecretDocument), KeyError> {
    SecretDocument::from_pem(without_parameters(text)).map_err(KeyError::Pem)
}

/// The text behind the block of parameters, if that is the first one. No search reaches the lines of a secret key: its time would depend on them.
fn without_parameters(text: &str) -> &str {
    let first_block = text.find(BEGIN).map_or("", |at| &text[at..]);
    if first_block.starts_with(BEGIN_PARAMETERS)
        && let Some((_, key)) = first_block.split_once(END_PARAMETERS)
    {
        return key.trim_ascii_start();
    }
    text
}

/// The text of a document.
pub(super) fn encode<T: PemLabel>(
    der: &SecretDocument,
) -> Result<Zeroizing<alloc::string::String>, KeyError> {
    der.to_pem(T::PEM_LABEL, LineEnding::LF).map_err(KeyError::Pem)
}
