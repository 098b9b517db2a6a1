//! Secret inputs of the cases of `carryless-hqc`.
use crate::secret::{array, message, publish};
use crate::valgrind::{declassify, poison};
use carryless_gf2::ClmulCpu;
use carryless_hqc::{Array, Ciphertext, DecapsulationKey, EncapsulationKey, Scheme};
use rand_core::{Infallible, TryCryptoRng, TryRng};

/// A generator whose random numbers are secrets.
pub(super) struct Secrets;

impl TryRng for Secrets {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(array()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(array()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(&message(bytes.len()));
        Ok(())
    }
}

impl TryCryptoRng for Secrets {}

/// A secret array of the type's length, such as a seed or a message.
pub(super) fn secret<A: Array<u8>>() -> A {
    let mut bytes = A::zeroed();
    let len = bytes.as_ref().len();
    bytes.as_mut().copy_from_slice(&message(len));
    bytes
}

pub(super) fn publish_bytes(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    declassify(&mut bytes[..]);
    publish(bytes);
}

pub(super) fn secret_key<K: Scheme>(cpu: ClmulCpu) -> DecapsulationKey<K> {
    DecapsulationKey::from_seed_on(cpu, &secret())
}

/// The encapsulation key of a secret key, made public.
pub(super) fn public_key<K: Scheme>(key: &DecapsulationKey<K>) -> EncapsulationKey<K> {
    let mut bytes = *key.encapsulation_key().as_bytes();
    declassify(bytes.as_mut());
    EncapsulationKey::from_bytes_on(key.encapsulation_key().backend(), bytes.as_ref())
        .expect("it was made by us")
}

/// The bytes of a decapsulation key. The encapsulation key in them is public, everything else secret.
pub(super) fn key_bytes<K: Scheme>(cpu: ClmulCpu) -> Vec<u8> {
    let key = secret_key::<K>(cpu);
    let mut bytes = (*key.to_bytes()).as_ref().to_vec();
    declassify(&mut bytes[..]);
    let public = public_key(&key);
    let public = public.as_bytes().as_ref();
    // All bytes are public during the search, and all but the encapsulation key are secret after it.
    let at = bytes.windows(public.len()).position(|part| part == public).expect("it is part of the key");
    poison(&mut bytes[..at]);
    poison(&mut bytes[at + public.len()..]);
    bytes
}

/// A valid ciphertext, the same ciphertext with one bit changed, and one that no encapsulation makes.
pub(super) fn ciphertexts<K: Scheme>(key: &DecapsulationKey<K>) -> [Ciphertext<K>; 3] {
    let (valid, _) = public_key(key).encapsulate_deterministic(&secret(), &array());
    let mut changed = *valid.as_bytes();
    changed.as_mut()[5] ^= 8;
    let of = |bytes: K::CiphertextBytes| Ciphertext::from_bytes(bytes.as_ref()).expect("a ciphertext");
    [valid, of(changed), of(secret())]
}
