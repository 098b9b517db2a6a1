//! HQC for a set that is known only at run time, in profile `nr`: no other is compiled.
use alloc::vec;
use alloc::vec::Vec;
use carryless_hqc::SchemeId;
use carryless_hqc::any::{AnyDecapsulationKey, FromSeed, PublicFromBytes};
use rustls::crypto::GetRandomFailed;
use rustls::{Error, PeerMisbehaved};
use zeroize::Zeroizing;

pub(crate) const INVALID_KEY_SHARE: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

/// Generates a key by the system's generator.
pub(crate) fn generate(scheme: SchemeId) -> Result<AnyDecapsulationKey, Error> {
    let made = scheme.dispatch_nr(FromSeed(&random(scheme.sizes().seed)?)).ok_or_else(other_profile)?;
    made.map_err(|error| Error::General(alloc::format!("{error}")))
}

/// Appends a new shared secret to `secret`, and the ciphertext that carries it to `share`. Both have room for it.
pub(crate) fn encapsulate(
    scheme: SchemeId,
    key: &[u8],
    share: &mut Vec<u8>,
    secret: &mut Vec<u8>,
) -> Result<(), Error> {
    let key = scheme.dispatch_nr(PublicFromBytes(key)).ok_or_else(other_profile)?;
    let (key, sizes) = (key.map_err(|_| INVALID_KEY_SHARE)?, scheme.sizes());
    let random = random(sizes.randomness)?;
    let (ciphertext, shared) = (append(share, sizes.ciphertext), append(secret, sizes.shared_secret));
    key.encapsulate(&random, ciphertext, shared).map_err(|_| INVALID_KEY_SHARE)
}

/// Appends the shared secret of the server's ciphertext to `secret`, which has room for it.
pub(crate) fn decapsulate(
    key: &AnyDecapsulationKey,
    ciphertext: &[u8],
    secret: &mut Vec<u8>,
) -> Result<(), Error> {
    let shared = append(secret, key.scheme().sizes().shared_secret);
    key.decapsulate(ciphertext, shared).map_err(|_| INVALID_KEY_SHARE)
}

/// Appends `bytes` zeros, and returns them.
fn append(to: &mut Vec<u8>, bytes: usize) -> &mut [u8] {
    let start = to.len();
    to.resize(start + bytes, 0);
    &mut to[start..]
}

fn random(bytes: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut random = Zeroizing::new(vec![0; bytes]);
    getrandom::fill(&mut random).map_err(|_| GetRandomFailed)?;
    Ok(random)
}

fn other_profile() -> Error {
    Error::General("groups have HQC of profile nr only".into())
}
