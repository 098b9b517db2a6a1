//! The error of imports. It names the parameter set and the profile, as two profiles have values of the same
//! sizes.
use crate::profile::Profile;
use crate::scheme::Scheme;
use core::fmt;

/// The type of value that an import expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An encapsulation key: the seed of h, then s.
    EncapsulationKey,
    /// A decapsulation key in full length.
    DecapsulationKey,
    /// The seed of a decapsulation key, from which the key is derived.
    Seed,
    /// A ciphertext: u, v and the salt.
    Ciphertext,
    /// The random bytes of an encapsulation: the message, then the salt.
    Randomness,
    /// A shared secret.
    SharedSecret,
}

/// The reason why an import refused the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defect {
    /// The number of bytes is wrong.
    Length {
        /// Bytes that the value has in this scheme.
        expected: usize,
        /// Bytes that were passed to the import.
        found: usize,
    },
    /// In the last byte of s, bits above the coefficient of X^(n-1) are set.
    Padding,
    /// The key differs from the one that the seed in it gives.
    Seed,
}

/// The error of an import: the bytes are no valid value of a scheme. It contains none of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    scheme: &'static str,
    profile: &'static str,
    kind: Kind,
    defect: Defect,
}

impl Error {
    pub(crate) fn new<K: Scheme>(kind: Kind, defect: Defect) -> Error {
        Error { scheme: K::NAME, profile: K::Profile::NAME, kind, defect }
    }

    /// Copies the bytes to an array of type `A`. Fails with [`Defect::Length`] unless their number fits.
    pub(crate) fn array<K: Scheme, A: crate::array::Array<u8>>(kind: Kind, bytes: &[u8]) -> Result<A, Error> {
        let mut array = A::zeroed();
        let expected = array.as_ref().len();
        // Lengths are public, and a slice of another length would panic below.
        if bytes.len() != expected {
            return Err(Error::new::<K>(kind, Defect::Length { expected, found: bytes.len() }));
        }
        array.as_mut().copy_from_slice(bytes);
        Ok(array)
    }

    /// Returns an error unless `found` is the expected number of bytes.
    #[cfg(feature = "any")]
    pub(crate) fn length<K: Scheme>(kind: Kind, expected: usize, found: usize) -> Result<(), Error> {
        if expected == found {
            Ok(())
        } else {
            Err(Error::new::<K>(kind, Defect::Length { expected, found }))
        }
    }

    /// Returns the name of the parameter set, such as `HQC-1`.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// Returns the name of the profile, such as `nr`.
    #[must_use]
    pub fn profile(&self) -> &'static str {
        self.profile
    }

    /// Returns the type of value that the import expected.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the reason why the import refused the bytes.
    #[must_use]
    pub fn defect(&self) -> Defect {
        self.defect
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::EncapsulationKey => "encapsulation key",
            Kind::DecapsulationKey => "decapsulation key",
            Kind::Seed => "seed",
            Kind::Ciphertext => "ciphertext",
            Kind::Randomness => "randomness",
            Kind::SharedSecret => "shared secret",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { scheme, profile, kind, defect } = self;
        write!(f, "not a valid {kind} of {scheme}, profile {profile}: ")?;
        match defect {
            Defect::Length { expected, found } => write!(f, "{found} bytes instead of {expected}"),
            Defect::Padding => f.write_str("the unused bits of the last byte are not zero"),
            Defect::Seed => f.write_str("the key is not the one that its seed gives"),
        }
    }
}

impl core::error::Error for Error {}
