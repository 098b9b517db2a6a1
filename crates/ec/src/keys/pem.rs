//! PEM, the text encoding of DER (RFC 7468).
use super::KeyError;
use alloc::vec;
use alloc::vec::Vec;
use der::SecretDocument;
use der::pem::{LineEnding, PemLabel};
use zeroize::Zeroizing;

/// The beginning of the first line of every block.
const BEGIN: &str = "-----BEGIN ";
/// `openssl ecparam -genkey` writes a block with the name of the curve before the key.
const BEGIN_PARAMETERS: &str = "-----BEGIN EC PARAMETERS-----";
const END_PARAMETERS: &str = "-----END EC PARAMETERS-----";

/// Decodes a text with one block. Returns its label and its bytes, which are wiped when dropped, also those of a text that is
/// refused: `SecretDocument::from_pem` frees them as they are.
pub(super) fn decode(text: &str) -> Result<(&str, Zeroizing<Vec<u8>>), KeyError> {
    let text = without_parameters(text);
    let mut bytes = Zeroizing::new(vec![0; text.len()]);
    let decoded = der::pem::decode(text.as_bytes(), &mut bytes);
    let (label, len) =
        decoded.map(|(label, der)| (label, der.len())).map_err(|error| KeyError::Pem(error.into()))?;
    bytes.truncate(len);
    Ok((label, bytes))
}

/// Returns the text after the block of parameters, if that is the first block.
///
/// No search visits the lines of a secret key, as its time would depend on them.
fn without_parameters(text: &str) -> &str {
    // Both searches end before the key: one at the first block, the other at the end of the parameters.
    let first_block = text.find(BEGIN).map_or("", |at| &text[at..]);
    if first_block.starts_with(BEGIN_PARAMETERS)
        && let Some((_, key)) = first_block.split_once(END_PARAMETERS)
    {
        return key.trim_ascii_start();
    }
    text
}

/// Encodes a document as PEM with the label of `T`. The text is wiped when dropped.
pub(super) fn encode<T: PemLabel>(
    der: &SecretDocument,
) -> Result<Zeroizing<alloc::string::String>, KeyError> {
    der.to_pem(T::PEM_LABEL, LineEnding::LF).map_err(KeyError::Pem)
}
