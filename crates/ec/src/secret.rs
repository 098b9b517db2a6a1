//! Secret keys: generation, import and export.
use crate::PublicKey;
use alloc::boxed::Box;
use alloc::vec;
use carryless_gf2::curve::{BinaryCurve, Curve, Scalar, ScalarError};
use core::fmt;
use ctutils::CtEq;
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A secret key: a number d with 1 <= d < n. Wiped when dropped. `==` takes constant time, and
/// `Debug` prints the curve only.
///
/// d lies on the heap from the beginning, so that moving the key leaves no copy.
#[derive(Clone)]
pub struct SecretKey<C: BinaryCurve>(Box<Scalar<C>>);

/// The reason why bytes or a number are no secret key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretKeyError {
    /// The bytes are not a number below n in ceil(log2 n / 8) bytes.
    Scalar(ScalarError),
    /// The number is 0, whose public key would be infinity.
    Zero,
}

impl fmt::Display for SecretKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretKeyError::Scalar(error) => write!(f, "no secret key: {error}"),
            SecretKeyError::Zero => write!(f, "no secret key: the number is 0"),
        }
    }
}

impl core::error::Error for SecretKeyError {}

impl From<ScalarError> for SecretKeyError {
    fn from(error: ScalarError) -> Self {
        SecretKeyError::Scalar(error)
    }
}

impl<C: BinaryCurve> SecretKey<C> {
    /// Number of bytes of a key: ceil(log2 n / 8).
    pub const BYTES: usize = Scalar::<C>::BYTES;

    /// Generates a key, uniformly distributed from 1 to n - 1.
    #[must_use]
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        // The error type of an infallible generator has no values.
        match Self::try_generate(rng) {
            Ok(key) => key,
            Err(never) => match never {},
        }
    }

    /// Generates a key, uniformly distributed from 1 to n - 1.
    ///
    /// It draws numbers of as many bits as n has until one is a key, on average at most twice. The numbers
    /// rejected are independent of the key, so the time reveals nothing.
    ///
    /// # Errors
    /// Returns the error of the random number generator.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = Zeroizing::new(vec![0; Self::BYTES]);
        loop {
            rng.try_fill_bytes(&mut bytes)?;
            // Clears the bits above those of n. Reducing a number modulo n instead would make some keys more
            // likely than others.
            bytes[0] &= u8::MAX >> (8 * Self::BYTES as u32 - C::ORDER_BITS);
            if let Ok(key) = Self::from_bytes(&bytes) {
                return Ok(key);
            }
        }
    }

    /// Reads a key, most significant byte first, in constant time.
    ///
    /// # Errors
    /// [`SecretKeyError`] if there are not [`BYTES`](SecretKey::BYTES) bytes, or they are no number d with 1
    /// <= d < n. Whether they are is public.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SecretKeyError> {
        // Filled in its place on the heap: the stack gets no copy, and a refused number is wiped with the
        // key.
        let mut key = SecretKey(Box::new(Scalar::zero()));
        key.0.set_be_bytes(bytes)?;
        key.refuse_zero()
    }

    /// Makes a key of the scalar d. The caller must wipe its own copy
    /// of d; [`from_bytes`](SecretKey::from_bytes) leaves none.
    ///
    /// # Errors
    /// [`SecretKeyError::Zero`] if d is 0, which is public.
    pub fn from_scalar(d: Scalar<C>) -> Result<Self, SecretKeyError> {
        SecretKey(Box::new(d)).refuse_zero()
    }

    /// Returns an error if d is 0. Whether it is, is public.
    fn refuse_zero(self) -> Result<Self, SecretKeyError> {
        if self.0.is_zero().to_bool() { Err(SecretKeyError::Zero) } else { Ok(self) }
    }

    /// Returns the key, most significant byte first, as [`from_bytes`](SecretKey::from_bytes)
    /// reads it. Wiped when dropped.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<alloc::vec::Vec<u8>> {
        let mut bytes = Zeroizing::new(vec![0; Self::BYTES]);
        self.0.write_be_bytes(&mut bytes);
        bytes
    }

    /// Returns the scalar d. Copies of it are not wiped: that is up to the caller.
    #[must_use]
    pub fn as_scalar(&self) -> &Scalar<C> {
        &self.0
    }

    /// Computes the public key d G, by a product in constant time.
    #[must_use]
    pub fn public_key(&self) -> PublicKey<C> {
        self.public_key_on(&Curve::new())
    }

    /// Computes the public key d G, on the backend of the caller's choice.
    #[must_use]
    pub fn public_key_on(&self, curve: &Curve<C>) -> PublicKey<C> {
        // n is prime and d is not 0, so d G has order n and needs no validation.
        PublicKey::of_multiple(curve.mul_base(&self.0))
    }
}

impl<C: BinaryCurve> CtEq for SecretKey<C> {
    fn ct_eq(&self, other: &Self) -> ctutils::Choice {
        self.0.ct_eq(&other.0)
    }
}

impl<C: BinaryCurve> PartialEq for SecretKey<C> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl<C: BinaryCurve> Eq for SecretKey<C> {}

impl<C: BinaryCurve> Drop for SecretKey<C> {
    fn drop(&mut self) {
        // The box frees its memory without clearing it.
        self.0.zeroize();
    }
}

impl<C: BinaryCurve> ZeroizeOnDrop for SecretKey<C> {}

impl<C: BinaryCurve> fmt::Debug for SecretKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey<{}>(..)", C::NAME)
    }
}
