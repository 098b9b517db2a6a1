//! Errors, and the reasons under which OpenSSL's error queue shows them.
use carryless_hqc::key_file::KeyFileError;
use std::ffi::CStr;
use std::fmt;

/// The reason why a call failed. It contains no secret.
#[derive(Debug, PartialEq)]
pub(crate) enum Error {
    /// The bytes are no valid value of the parameter set.
    Hqc(carryless_hqc::Error),
    /// A value has the wrong length, in bytes.
    Length { what: &'static str, expected: usize, found: usize },
    /// An output buffer is too short, in bytes.
    Buffer { what: &'static str, needed: usize, found: usize },
    /// The operation needs a part of the key that is not there.
    Missing(&'static str),
    /// The key has its parts already, and keys do not change.
    KeyIsSet,
    /// The private key, its seed and the public key are not of one key.
    Mismatch,
    /// A parameter has the wrong type or value, or does not belong to this algorithm.
    Parameter(String),
    /// libcrypto refused a step of the classical half.
    Classical(&'static str),
    /// The file is malformed, or its parts are not of one key.
    File(KeyFileError),
    /// The provider does not do this.
    Unsupported(&'static str),
    /// The system gives no random bytes.
    Random,
    /// OpenSSL could not read or write a BIO.
    Bio,
    /// OpenSSL passed no object where one is needed.
    Null,
    /// A panic, which is a defect of the provider.
    Panic,
}

/// Reasons as OpenSSL prints them, in the order of their numbers from 1 on.
pub(crate) const REASONS: [&CStr; 10] = [
    c"invalid key or ciphertext",
    c"wrong length",
    c"output buffer too short",
    c"part of the key is missing",
    c"keys cannot be changed",
    c"invalid parameter",
    c"classical half failed",
    c"invalid encoding",
    c"not supported",
    c"internal error",
];

impl Error {
    /// Returns the number of the reason, counted from 1 in [`REASONS`].
    pub(crate) fn reason(&self) -> u32 {
        match self {
            Error::Hqc(_) | Error::Mismatch | Error::File(KeyFileError::Key(_) | KeyFileError::Mismatch) => 1,
            Error::Length { .. } => 2,
            Error::Buffer { .. } => 3,
            Error::Missing(_) => 4,
            Error::KeyIsSet => 5,
            Error::Parameter(_) => 6,
            Error::Classical(_) => 7,
            Error::File(_) => 8,
            Error::Unsupported(_) => 9,
            Error::Random | Error::Bio | Error::Null | Error::Panic => 10,
        }
    }

    /// Returns `Ok` if `found` is the expected number of bytes of `what`.
    pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
        if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Hqc(error) => error.fmt(f),
            Error::Length { what, expected, found } => {
                write!(f, "the {what} has {found} bytes instead of {expected}")
            }
            Error::Buffer { what, needed, found } => {
                write!(f, "the buffer of the {what} has {found} bytes, and {needed} are needed")
            }
            Error::Missing(what) => write!(f, "the key has no {what}"),
            Error::KeyIsSet => f.write_str("the key has its value already"),
            Error::Mismatch => f.write_str("the private key, its seed and the public key are not of one key"),
            Error::Parameter(what) => f.write_str(what),
            Error::Classical(step) => write!(f, "libcrypto failed to {step}"),
            Error::File(error) => error.fmt(f),
            Error::Unsupported(what) => f.write_str(what),
            Error::Random => f.write_str("the system gives no random bytes"),
            Error::Bio => f.write_str("a BIO cannot be read or written"),
            Error::Null => f.write_str("an argument is null"),
            Error::Panic => f.write_str("a panic, which is a defect of the provider"),
        }
    }
}

impl From<carryless_hqc::Error> for Error {
    fn from(error: carryless_hqc::Error) -> Error {
        Error::Hqc(error)
    }
}

impl From<KeyFileError> for Error {
    fn from(error: KeyFileError) -> Error {
        Error::File(error)
    }
}
