//! The values that the KEM outputs: ciphertexts and shared secrets.
use crate::array::Array;
use crate::error::{Error, Kind};
use crate::profile::Profile;
use crate::scheme::Scheme;
use crate::secret::{Home, home, wipe};
use core::fmt;
use ctutils::{Choice, CtEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A ciphertext: u, v and 16 bytes of salt. Every string of the right length is a valid ciphertext.
#[derive(Clone, Copy)]
pub struct Ciphertext<K: Scheme>(pub(crate) K::CiphertextBytes);

impl<K: Scheme> Ciphertext<K> {
    /// Imports a ciphertext from its bytes.
    ///
    /// # Errors
    /// If the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        // Unused bits of u pass here. Decapsulation rejects such a ciphertext as any other wrong one, without a
        // sign.
        Error::array::<K, _>(Kind::Ciphertext, bytes).map(Ciphertext)
    }

    /// Returns the bytes of the ciphertext: u, v, then the salt.
    #[must_use]
    pub fn as_bytes(&self) -> &K::CiphertextBytes {
        &self.0
    }
}

impl<K: Scheme> AsRef<[u8]> for Ciphertext<K> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<K: Scheme> PartialEq for Ciphertext<K> {
    fn eq(&self, other: &Self) -> bool {
        // Ciphertexts are public: the comparison may stop at the first difference.
        self.as_ref() == other.as_ref()
    }
}

impl<K: Scheme> Eq for Ciphertext<K> {}

impl<K: Scheme> fmt::Debug for Ciphertext<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("Ciphertext", f)
    }
}

/// A shared secret. Wiped when dropped, and compared in constant time.
///
/// With the feature `alloc` it lies on the heap, and a move leaves no copy of it.
pub struct SharedSecret<K: Scheme>(pub(crate) Home<K::SharedSecretBytes>);

impl<K: Scheme> SharedSecret<K> {
    pub(crate) fn zeroed() -> Self {
        SharedSecret(home(Array::zeroed()))
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let array: &mut K::SharedSecretBytes = &mut self.0;
        array.as_mut()
    }

    /// Returns the bytes of the secret, which are uniformly distributed and can serve as a symmetric key.
    #[must_use]
    pub fn as_bytes(&self) -> &K::SharedSecretBytes {
        &self.0
    }
}

impl<K: Scheme> AsRef<[u8]> for SharedSecret<K> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes().as_ref()
    }
}

impl<K: Scheme> Clone for SharedSecret<K> {
    fn clone(&self) -> Self {
        // Copies from place to place. Cloning the array would pass it over the stack.
        let mut copy = Self::zeroed();
        copy.bytes_mut().copy_from_slice(self.as_ref());
        copy
    }
}

impl<K: Scheme> CtEq for SharedSecret<K> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.as_ref().ct_eq(other.as_ref())
    }
}

impl<K: Scheme> PartialEq for SharedSecret<K> {
    fn eq(&self, other: &Self) -> bool {
        // All bytes are compared before the result becomes a `bool`, which is public.
        self.ct_eq(other).to_bool()
    }
}

impl<K: Scheme> Eq for SharedSecret<K> {}

impl<K: Scheme> Zeroize for SharedSecret<K> {
    fn zeroize(&mut self) {
        wipe(self.bytes_mut());
    }
}

impl<K: Scheme> Drop for SharedSecret<K> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<K: Scheme> ZeroizeOnDrop for SharedSecret<K> {}

impl<K: Scheme> fmt::Debug for SharedSecret<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("SharedSecret", f)
    }
}

/// Prints the name of the type, the parameter set and the profile, but none of the bytes.
pub(crate) fn debug<K: Scheme>(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{name} {{ {}, profile {}, .. }}", K::NAME, K::Profile::NAME)
}
