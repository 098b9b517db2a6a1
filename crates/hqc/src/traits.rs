//! Implements the traits of the crate `kem` for schemes whose sizes `hybrid-array` has: those of profiles NR
//! and V5.
//!
//! Decapsulation keys are created from their seed and exported as it, as these traits recommend.
use crate::array::Array as _;
use crate::decapsulation::DecapsulationKey;
use crate::encapsulation::EncapsulationKey;
use crate::scheme::{Hqc1, Hqc1V5, Hqc3, Hqc3V5, Hqc5, Hqc5V5, Scheme};
use crate::values::Ciphertext;
use ::kem::common::array::sizes::{U32, U2241, U4433, U4514, U7237, U8978, U14421};
use ::kem::common::array::{Array, ArraySize};
use ::kem::{
    Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, KeyExport, KeyInit, KeySizeUser,
    SharedKey, TryKeyInit,
};
use rand_core::{CryptoRng, TryCryptoRng};

/// The sizes of a scheme as types of `hybrid-array`.
pub trait KemSizes: Scheme {
    /// Size of an encapsulation key, in bytes.
    type EncapsulationKeySize: ArraySize;
    /// Size of a ciphertext, in bytes.
    type CiphertextSize: ArraySize;
}

macro_rules! kems {
    ($($name:ident: $key:ty, $ciphertext:ty;)*) => {$(
        impl KemSizes for $name {
            type EncapsulationKeySize = $key;
            type CiphertextSize = $ciphertext;
        }

        impl Kem for $name {
            type DecapsulationKey = DecapsulationKey<$name>;
            type EncapsulationKey = EncapsulationKey<$name>;
            type SharedKeySize = U32;
            type CiphertextSize = $ciphertext;
        }
    )*};
}

kems! {
    Hqc1: U2241, U4433;
    Hqc3: U4514, U8978;
    Hqc5: U7237, U14421;
    Hqc1V5: U2241, U4433;
    Hqc3V5: U4514, U8978;
    Hqc5V5: U7237, U14421;
}

/// Copies bytes to the array type that the other crate expects. Both lengths are equal.
fn convert<A: AsMut<[u8]>>(mut to: A, from: &[u8]) -> A {
    to.as_mut().copy_from_slice(from);
    to
}

impl<K: KemSizes> KeySizeUser for EncapsulationKey<K> {
    type KeySize = K::EncapsulationKeySize;
}

impl<K: KemSizes> TryKeyInit for EncapsulationKey<K> {
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::from_bytes(key).map_err(|_| InvalidKey)
    }
}

impl<K: KemSizes> KeyExport for EncapsulationKey<K> {
    fn to_bytes(&self) -> Key<Self> {
        convert(Array::default(), self.as_bytes().as_ref())
    }
}

impl<K> Encapsulate for EncapsulationKey<K>
where
    K: KemSizes + Kem<EncapsulationKey = Self, CiphertextSize = <K as KemSizes>::CiphertextSize>,
{
    type Kem = K;

    fn encapsulate_with_rng<R>(&self, rng: &mut R) -> (::kem::Ciphertext<K>, SharedKey<K>)
    where
        R: CryptoRng + ?Sized,
    {
        let (ciphertext, secret) = Self::encapsulate_with_rng(self, rng);
        // `secret` is wiped when it goes out of scope; the array that the trait returns is not.
        (convert(Array::default(), ciphertext.as_ref()), convert(Array::default(), secret.as_ref()))
    }
}

impl<K: KemSizes> KeySizeUser for DecapsulationKey<K> {
    type KeySize = U32;
}

impl<K: KemSizes> KeyInit for DecapsulationKey<K> {
    fn new(seed: &Key<Self>) -> Self {
        // The caller's array stays as it is; this copy is wiped.
        let seed = zeroize::Zeroizing::new(convert(K::Seed::zeroed(), seed));
        Self::from_seed(&seed)
    }
}

impl<K: KemSizes> KeyExport for DecapsulationKey<K> {
    fn to_bytes(&self) -> Key<Self> {
        convert(Array::default(), self.as_seed().as_ref())
    }
}

impl<K: KemSizes> Generate for DecapsulationKey<K> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::try_generate_from_rng(rng)
    }
}

impl<K: KemSizes + Kem<EncapsulationKey = EncapsulationKey<K>>> Decapsulator for DecapsulationKey<K> {
    type Kem = K;

    fn encapsulation_key(&self) -> &EncapsulationKey<K> {
        self.encapsulation_key()
    }
}

impl<K> Decapsulate for DecapsulationKey<K>
where
    K: KemSizes + Kem<EncapsulationKey = EncapsulationKey<K>>,
{
    fn decapsulate(&self, ciphertext: &::kem::Ciphertext<K>) -> SharedKey<K> {
        let ciphertext = Ciphertext(convert(K::CiphertextBytes::zeroed(), ciphertext));
        // The trait returns a plain array, which the caller must wipe. The secret itself is wiped here.
        convert(Array::default(), self.decapsulate(&ciphertext).as_ref())
    }
}
