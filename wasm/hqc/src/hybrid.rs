//! The draft hybrid of HQC-1 and X25519, whose decapsulation keys are seeds.
use super::{array, random};
use carryless_hqc::Hqc1;
use carryless_hqc::hybrid::{DecapsulationKey, EncapsulationKey, PostQuantum, SEED_BYTES, X25519_BYTES};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

/// The name of the set in JavaScript.
pub(super) const NAME: &str = "hqc-1-x25519-draft";

/// As `generateKeyPair`.
pub(super) fn generate_key_pair() -> Result<Array, JsError> {
    let seed = random(SEED_BYTES)?;
    Ok(Array::of2(&array(&from_seed(&seed)?.encapsulation_key().to_bytes()), &array(&seed)))
}

/// As `encapsulate`.
pub(super) fn encapsulate(encapsulation_key: &[u8]) -> Result<Array, JsError> {
    let key = EncapsulationKey::<Hqc1>::from_bytes(encapsulation_key)?;
    let (ciphertext, secret) = key.encapsulate_deterministic(&random(Hqc1::RANDOMNESS + X25519_BYTES)?)?;
    Ok(Array::of2(&array(&ciphertext), &array(secret.as_slice())))
}

/// As `decapsulate`.
pub(super) fn decapsulate(decapsulation_key: &[u8], ciphertext: &[u8]) -> Result<Uint8Array, JsError> {
    Ok(array(from_seed(decapsulation_key)?.decapsulate(ciphertext)?.as_slice()))
}

fn from_seed(seed: &[u8]) -> Result<DecapsulationKey<Hqc1>, JsError> {
    let wrong = || {
        let found = seed.len();
        JsError::new(&format!("a decapsulation key of the hybrid has {SEED_BYTES} bytes, not {found}"))
    };
    Ok(DecapsulationKey::from_seed(seed.try_into().map_err(|_| wrong())?))
}
