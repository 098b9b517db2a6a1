//! Integers modulo the order of a curve's generator.
use super::words::{MOST_WORDS, words_of};
use super::{BinaryCurve, inversion};
use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
#[cfg(feature = "alloc")]
use crypto_bigint::WrappingSub;
use crypto_bigint::modular::{FixedMontyForm, MontyParams};
use crypto_bigint::{AddMod, Integer, Limb, NegMod, NonZero, Odd, SubMod, Uint, Unsigned, Word};
use ctutils::{Choice, CtEq, CtLt, CtOption, CtSelect};
use zeroize::Zeroize;

/// Unsigned integers of crypto-bigint that hold the order of a curve.
pub trait ScalarUint: Unsigned + Copy + Zeroize {
    /// 1 / k modulo an odd n; none if they are not coprime.
    fn invert_modulo(&self, n: &Odd<Self>) -> CtOption<Self>;
    /// k l modulo n, for k and l below n: two of Montgomery's products, k R and (k R) l / R.
    fn mul_modulo(&self, other: &Self, n: &MontyParams<Self>) -> Self;
}

impl<const LIMBS: usize> ScalarUint for Uint<LIMBS> {
    fn invert_modulo(&self, n: &Odd<Self>) -> CtOption<Self> {
        self.invert_odd_mod(n)
    }
    fn mul_modulo(&self, other: &Self, n: &MontyParams<Self>) -> Self {
        (FixedMontyForm::new(self, n) * FixedMontyForm::from_montgomery(*other, n)).to_montgomery()
    }
}

/// An integer modulo n, the order of the generator of C. All operations are constant time, comparison with `==` included; `Debug` prints no digit.
#[derive(Clone, Copy)]
pub struct Scalar<C: BinaryCurve>(C::Uint);

/// Why bytes are no scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScalarError {
    /// Not ceil(log2 n / 8) bytes.
    Length {
        /// ceil(log2 n / 8).
        expected: usize,
        /// What there was.
        found: usize,
    },
    /// The number is n or more.
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
    /// How many bytes a scalar has: ceil(log2 n / 8).
    pub const BYTES: usize = C::ORDER_BITS.div_ceil(8) as usize;

    /// 0.
    #[must_use]
    pub fn zero() -> Self {
        Scalar(C::Uint::from(0_u64))
    }

    /// 1.
    #[must_use]
    pub fn one() -> Self {
        Scalar::from_u64(1)
    }

    /// k modulo n, for an n of more than 64 bits: k.
    #[must_use]
    pub fn from_u64(k: u64) -> Self {
        Scalar(C::Uint::from(k) % Self::modulus())
    }

    /// The scalar with these bytes, most significant first (SEC 1).
    ///
    /// # Errors
    /// [`ScalarError`] if there are not [`BYTES`](Scalar::BYTES) of them, or the number is not below n. Whether it is, is public.
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, ScalarError> {
        let mut scalar = Self::zero();
        scalar.set_be_bytes(bytes)?;
        Ok(scalar)
    }

    /// [`from_be_bytes`](Scalar::from_be_bytes) where the scalar stays, so that no copy of a secret is left where it was made. 0 after an error.
    ///
    /// # Errors
    /// As [`from_be_bytes`](Scalar::from_be_bytes).
    pub fn set_be_bytes(&mut self, bytes: &[u8]) -> Result<(), ScalarError> {
        *self = Self::zero();
        if bytes.len() != Self::BYTES {
            return Err(ScalarError::Length { expected: Self::BYTES, found: bytes.len() });
        }
        Self::read(bytes, &mut self.0);
        if self.0.ct_lt(&C::ORDER).to_bool() {
            return Ok(());
        }
        self.zeroize();
        Err(ScalarError::Range)
    }

    /// The number of up to [`BYTES`](Scalar::BYTES) bytes, most significant first, modulo n.
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

    /// Adds the number of these bytes to 0.
    fn read(bytes: &[u8], number: &mut C::Uint) {
        for (i, byte) in bytes.iter().rev().enumerate() {
            let limb = &mut number.as_mut_limbs()[i / Limb::BYTES];
            limb.0 |= Word::from(*byte) << (8 * (i % Limb::BYTES));
        }
    }

    /// Writes what [`from_be_bytes`](Scalar::from_be_bytes) reads.
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

    /// The words, least significant first.
    #[allow(clippy::wrong_self_convention, reason = "by reference, a secret is not copied once more")]
    pub(super) fn to_words(&self) -> [u64; MOST_WORDS] {
        words_of(&self.0)
    }

    /// The number below n with these words.
    #[allow(clippy::unnecessary_cast, reason = "limbs have 32 bits on some targets")]
    fn from_words(words: &[u64; MOST_WORDS]) -> Self {
        let mut number = C::Uint::from(0_u64);
        for (i, limb) in number.as_mut_limbs().iter_mut().enumerate() {
            let bit = i * Limb::BITS as usize;
            limb.0 = (words[bit / 64] >> (bit % 64)) as Word;
        }
        Scalar(number)
    }

    /// The words of k if it is odd, otherwise those of n - k, which is odd: n for k = 0.
    #[cfg(feature = "alloc")]
    pub(super) fn odd_representative(&self) -> [u64; MOST_WORDS] {
        // Wrapping, because the operator would branch on a borrow, though there is none.
        words_of(&WrappingSub::wrapping_sub(&C::ORDER, &self.0).ct_select(&self.0, self.is_odd()))
    }

    /// 1 / k modulo n; none if k is zero.
    #[must_use]
    pub fn invert(&self) -> CtOption<Self> {
        self.0.invert_modulo(&Self::odd_modulus()).map(Scalar)
    }

    /// 1 / k modulo n; none if k is zero. Its time depends on k, which must be public, as in a signature.
    #[must_use]
    pub fn invert_vartime(&self) -> CtOption<Self> {
        let inverse = inversion::invert_vartime(&self.to_words(), &words_of(&C::ORDER), C::ORDER_BITS);
        let number = Self::from_words(&inverse.unwrap_or_default());
        CtOption::new(number, Choice::from_u8_lsb(u8::from(inverse.is_some())))
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        self.0.ct_eq(&C::Uint::from(0_u64))
    }

    /// Whether it is odd.
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
