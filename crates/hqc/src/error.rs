//! Errors of imports. They name parameter set and profile.
use crate::profile::Profile;
use crate::scheme::Scheme;
use core::fmt;

/// What was to be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An encapsulation key.
    EncapsulationKey,
    /// A decapsulation key.
    DecapsulationKey,
    /// The seed of a decapsulation key.
    Seed,
    /// A ciphertext.
    Ciphertext,
}

/// What is wrong with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defect {
    /// There are too many of them, or too few.
    Length {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// In the last byte of s, bits behind the coefficient of X^(n-1) are set.
    Padding,
    /// The key is not the one that its seed gives.
    Seed,
}

/// Why bytes are no key or ciphertext of a scheme.
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

    /// The array of those bytes.
    pub(crate) fn array<K: Scheme, A: crate::array::Array<u8>>(kind: Kind, bytes: &[u8]) -> Result<A, Error> {
        let mut array = A::zeroed();
        let expected = array.as_ref().len();
        if bytes.len() != expected {
            return Err(Error::new::<K>(kind, Defect::Length { expected, found: bytes.len() }));
        }
        array.as_mut().copy_from_slice(bytes);
        Ok(array)
    }

    /// The name of the parameter set.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// The name of the profile.
    #[must_use]
    pub fn profile(&self) -> &'static str {
        self.profile
    }

    /// What was to be imported.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What is wrong.
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
