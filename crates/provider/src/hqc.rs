//! HQC for a set that is known only at run time, in profile `nr`, that of the groups of TLS: no other is compiled.
use crate::error::Error;
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey, FromBytes, FromSeed, PublicFromBytes};
use carryless_hqc::key_file::{KeyFileError, PrivateFile};
use carryless_hqc::{DecapsulationKey, Scheme, SchemeId, SchemeVisitor};
use zeroize::Zeroizing;

fn dispatch<V: SchemeVisitor>(scheme: SchemeId, visitor: V) -> Result<V::Output, Error> {
    scheme.dispatch_nr(visitor).ok_or(Error::Unsupported("the provider has HQC of profile nr only"))
}

/// Imports an encapsulation key.
///
/// # Errors
/// If the bytes are no key of the set.
pub(crate) fn public(scheme: SchemeId, bytes: &[u8]) -> Result<AnyEncapsulationKey, Error> {
    Ok(dispatch(scheme, PublicFromBytes(bytes))??)
}

/// Imports a decapsulation key in full length.
///
/// # Errors
/// If the bytes are no key of the set, or not the one that the seed in them gives.
pub(crate) fn from_bytes(scheme: SchemeId, bytes: &[u8]) -> Result<AnyDecapsulationKey, Error> {
    Ok(dispatch(scheme, FromBytes(bytes))??)
}

/// Makes the key of a seed.
///
/// # Errors
/// If the seed has the wrong length.
pub(crate) fn from_seed(scheme: SchemeId, seed: &[u8]) -> Result<AnyDecapsulationKey, Error> {
    Ok(dispatch(scheme, FromSeed(seed))??)
}

/// Reads the key of a file, whose object identifier the caller has compared with that of the set.
///
/// # Errors
/// If the file is malformed, or its parts are not of one key.
pub(crate) fn from_file(scheme: SchemeId, file: &PrivateFile<'_>) -> Result<AnyDecapsulationKey, Error> {
    struct Read<'a>(&'a PrivateFile<'a>);
    impl SchemeVisitor for Read<'_> {
        type Output = Result<AnyDecapsulationKey, KeyFileError>;
        fn visit<K: Scheme>(self) -> Self::Output {
            DecapsulationKey::<K>::from_private_file(self.0).map(Into::into)
        }
    }
    Ok(dispatch(scheme, Read(file))??)
}

/// Returns a key in full length. Secret.
///
/// # Errors
/// None: the buffer has the length of the key.
pub(crate) fn bytes(key: &AnyDecapsulationKey) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut bytes = Zeroizing::new(vec![0; key.scheme().sizes().decapsulation_key]);
    key.to_bytes_into(&mut bytes)?;
    Ok(bytes)
}

/// Returns random bytes of the system, which are wiped when dropped.
///
/// # Errors
/// If the system gives none.
pub(crate) fn random(len: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut bytes = Zeroizing::new(vec![0; len]);
    getrandom::fill(&mut bytes).map_err(|_| Error::Random)?;
    Ok(bytes)
}
