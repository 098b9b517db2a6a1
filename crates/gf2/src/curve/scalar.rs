//! Integers modulo the order n of a curve's generator.
use super::words::{SCALAR_WORDS, words_of};
use super::{BinaryCurve, inversion};
use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
#[cfg(feature = "alloc")]
use crypto_bigint::WrappingSub;
use crypto_bigint::modular::{FixedMontyForm, MontyParams};
use crypto_bigint::{AddMod, Integer, Limb, NegMod, NonZero, Odd, SubMod, Uint, Unsigned, Word};
use ctutils::{Choice, CtEq, CtLt, CtOption, CtSelect};
use zeroize::Zeroize;

/// The unsigned integers of `crypto-bigint` that hold the order of a curve.
pub trait ScalarUint: Unsigned + Copy + Zeroize {
    /// The inverse 1 / k modulo an odd n, or none if k and n are not coprime. Constant time.
    fn invert_modulo(&self, n: &Odd<Self>) -> CtOption<Self>;
    /// The product k l modulo n, for k and l below n, in constant time. It takes two of Montgomery's products:
    /// k R, then (k R) l / R.
    fn mul_modulo(&self, other: &Self, n: &MontyParams<Self>) -> Self;
}

impl<const LIMBS: usize> ScalarUint for Uint<LIMBS> {
    fn invert_modulo(&self, n: &Odd<Self>) -> CtOption<Self> {
        self.invert_odd_mod(n)
    }
    fn mul_modulo(&self, other: &Self, n: &MontyParams<Self>) -> Self {
        // Only one factor is converted, because R cancels: (k R) l / R = k l. Nothing has to be converted back.
        (FixedMontyForm::new(self, n) * FixedMontyForm::from_montgomery(*other, n)).to_montgomery()
    }
}

/// An integer modulo n, the order of the generator of C. It is always reduced, from 0 to n - 1.
///
/// All operations are constant time, including comparison with `==`. `Debug` prints no digits.
#[derive(Clone, Copy)]
pub struct Scalar<C: BinaryCurve>(C::Uint);

/// The reason why bytes do not encode a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScalarError {
    /// The number of bytes is not ceil(log2 n / 8).
    Length {
        /// The number of bytes of a scalar, ceil(log2 n / 8).
        expected: usize,
        /// The number of bytes given.
        found: usize,
    },
    /// The number is n or more, so it is not reduced.
    Range,
}

impl fmt::Display for ScalarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScalarError::Length { expected, found } => {
                write!(f, "a scalar has {expected} bytes, not {found}")
            }
            ScalarError::Range => write!(f, "a scalar is below the order of the curve"),
        }
    }
}

impl core::error::Error for ScalarError {}

impl<C: BinaryCurve> Scalar<C> {
    /// The number of bytes of a scalar: ceil(log2 n / 8).
    pub const BYTES: usize = C::ORDER_BITS.div_ceil(8) as usize;

    /// The scalar 0, the identity of addition.
    #[must_use]
    pub fn zero() -> Self {
        Scalar(C::Uint::from(0_u64))
    }

    /// The scalar 1, the identity of multiplication.
    #[must_use]
    pub fn one() -> Self {
        Scalar::from_u64(1)
    }

    /// The scalar k modulo n. That is k itself where n has more than 64 bits, as on all curves of this library.
    #[must_use]
    pub fn from_u64(k: u64) -> Self {
        // Named curves have larger orders, but those of tests may be below k.
        Scalar(C::Uint::from(k) % Self::modulus())
    }

    /// The scalar with these bytes, most significant first (big endian, as in SEC 1).
    ///
    /// # Errors
    /// [`ScalarError`] if the number of bytes is not [`BYTES`](Scalar::BYTES), or if the number is not below n.
    /// Whether it is, is public.
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, ScalarError> {
        let mut scalar = Self::zero();
        scalar.set_be_bytes(bytes)?;
        Ok(scalar)
    }

    /// [`from_be_bytes`](Scalar::from_be_bytes) in place, which leaves no copy of a secret on the stack. After
    /// an error the scalar is 0.
    ///
    /// # Errors
    /// [`ScalarError`] if the number of bytes is not [`BYTES`](Scalar::BYTES), or if the number is not below n.
    pub fn set_be_bytes(&mut self, bytes: &[u8]) -> Result<(), ScalarError> {
        // First: `read` adds bits to zeros, and every error leaves 0.
        *self = Self::zero();
        if bytes.len() != Self::BYTES {
            return Err(ScalarError::Length { expected: Self::BYTES, found: bytes.len() });
        }
        Self::read(bytes, &mut self.0);
        // Only the outcome of the comparison decides a branch. Bytes of the number itself never do.
        if self.0.ct_lt(&C::ORDER).to_bool() {
            return Ok(());
        }
        self.zeroize();
        Err(ScalarError::Range)
    }

    /// The number of up to [`BYTES`](Scalar::BYTES) bytes, most significant first, reduced modulo n.
    ///
    /// # Panics
    /// If there are more bytes.
    #[must_use]
    #[track_caller]
    pub fn reduce_be_bytes(bytes: &[u8]) -> Self {
        assert!(bytes.len() <= Self::BYTES, "a scalar has {} bytes", Self::BYTES);
        let mut number = C::Uint::from(0_u64);
        Self::read(bytes, &mut number);
        Scalar(number % Self::modulus())
    }

    /// Adds the number of these bytes, most significant first, to `number`, which must be 0.
    fn read(bytes: &[u8], number: &mut C::Uint) {
        for (i, byte) in bytes.iter().rev().enumerate() {
            let limb = &mut number.as_mut_limbs()[i / Limb::BYTES];
            // Bytes are placed, not added: each falls on zero bits, because `number` was 0.
            limb.0 |= Word::from(*byte) << (8 * (i % Limb::BYTES));
        }
    }

    /// Writes the scalar as [`BYTES`](Scalar::BYTES) bytes, most significant
    /// first, as [`from_be_bytes`](Scalar::from_be_bytes) reads them.
    ///
    /// # Panics
    /// If `out` has not [`BYTES`](Scalar::BYTES) bytes.
    #[track_caller]
    pub fn write_be_bytes(&self, out: &mut [u8]) {
        assert_eq!(out.len(), Self::BYTES, "a scalar has {} bytes", Self::BYTES);
        for (i, out) in out.iter_mut().rev().enumerate() {
            *out = (self.0.as_limbs()[i / Limb::BYTES].0 >> (8 * (i % Limb::BYTES))) as u8;
        }
    }

    /// The 64-bit words of the scalar, least significant first, padded with zeros.
    #[allow(clippy::wrong_self_convention, reason = "by reference, a secret is not copied once more")]
    pub(super) fn to_words(&self) -> [u64; SCALAR_WORDS] {
        words_of(&self.0)
    }

    /// The scalar with these words, which must be a number below n.
    #[allow(clippy::unnecessary_cast, reason = "limbs have 32 bits on some targets")]
    fn from_words(words: &[u64; SCALAR_WORDS]) -> Self {
        let mut number = C::Uint::from(0_u64);
        for (i, limb) in number.as_mut_limbs().iter_mut().enumerate() {
            let bit = i * Limb::BITS as usize;
            limb.0 = (words[bit / 64] >> (bit % 64)) as Word;
        }
        Scalar(number)
    }

    /// The words of an odd number that is k or -k modulo n: k if it is odd, otherwise n - k. For k = 0 it is n.
    #[cfg(feature = "alloc")]
    pub(super) fn odd_representative(&self) -> [u64; SCALAR_WORDS] {
        // Wrapping, because the operator `-` would branch on a borrow, which never occurs here.
        words_of(&WrappingSub::wrapping_sub(&C::ORDER, &self.0).ct_select(&self.0, self.is_odd()))
    }

    /// The inverse 1 / k modulo n, or none if k is zero. Constant time.
    #[must_use]
    pub fn invert(&self) -> CtOption<Self> {
        self.0.invert_modulo(&Self::odd_modulus()).map(Scalar)
    }

    /// The inverse 1 / k modulo n, or none if k is zero. Not constant time: k must be public, as in
    /// the verification of a signature.
    #[must_use]
    pub fn invert_vartime(&self) -> CtOption<Self> {
        // For k = 0 the greatest common divisor is n, so there is no inverse.
        let inverse = inversion::invert_vartime(&self.to_words(), &words_of(&C::ORDER), C::ORDER_BITS);
        // The inverse is from 0 to n - 1, as a `Scalar` must be.
        let number = Self::from_words(&inverse.unwrap_or_default());
        CtOption::new(number, Choice::from_u8_lsb(u8::from(inverse.is_some())))
    }

    /// Whether the scalar is zero, in constant time.
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        self.0.ct_eq(&C::Uint::from(0_u64))
    }

    /// Whether the number from 0 to n - 1 is odd, in constant time.
    #[must_use]
    pub fn is_odd(&self) -> Choice {
        self.0.is_odd()
    }

    fn odd_modulus() -> Odd<C::Uint> {
        Odd::new(C::ORDER).expect("the order of a curve is odd")
    }

    fn modulus() -> NonZero<C::Uint> {
        NonZero::new(C::ORDER).expect("the order of a curve is not 0")
    }
}

impl<C: BinaryCurve> CtEq for Scalar<C> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl<C: BinaryCurve> CtSelect for Scalar<C> {
    fn ct_select(&self, other: &Self, choice: Choice) -> Self {
        Scalar(self.0.ct_select(&other.0, choice))
    }
}

impl<C: BinaryCurve> PartialEq for Scalar<C> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl<C: BinaryCurve> Eq for Scalar<C> {}

impl<C: BinaryCurve> Default for Scalar<C> {
    fn default() -> Self {
        Self::zero()
    }
}

impl<C: BinaryCurve> Neg for Scalar<C> {
    type Output = Self;
    fn neg(self) -> Self {
        Scalar(self.0.neg_mod(&Self::modulus()))
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident, $assign:ident $in_place:ident: $method:ident by $modulus:expr;)*) => { $(
        impl<C: BinaryCurve> $operator for Scalar<C> {
            type Output = Self;
            fn $function(self, other: Self) -> Self {
                Scalar(self.0.$method(&other.0, &$modulus))
            }
        }

        impl<C: BinaryCurve> $assign for Scalar<C> {
            fn $in_place(&mut self, other: Self) {
                *self = self.$function(other);
            }
        }
    )* };
}

operators! {
    Add add, AddAssign add_assign: add_mod by Self::modulus();
    Sub sub, SubAssign sub_assign: sub_mod by Self::modulus();
    Mul mul, MulAssign mul_assign: mul_modulo by C::MONTGOMERY;
}

impl<C: BinaryCurve> fmt::Debug for Scalar<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scalar<{}>(..)", C::NAME)
    }
}

impl<C: BinaryCurve> Zeroize for Scalar<C> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
