//! The KEM HQC for JavaScript. hqc.js checks the arguments before it calls these functions.
#![forbid(unsafe_code)]

mod hybrid;

use carryless_hqc::SchemeId;
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey, FromBytes, FromSeed, PublicFromBytes};
use carryless_hqc::key_file::PrivateForm;
use js_sys::{Array, JsString, Uint8Array};
use wasm_bindgen::prelude::*;
use zeroize::Zeroizing;

/// The name of a set in JavaScript, such as `hqc-1`, or `hqc-1-v5` in profile `v5`.
fn name(id: SchemeId) -> String {
    let suffix = if id.profile() == "v5" { "-v5" } else { "" };
    id.name().to_ascii_lowercase() + suffix
}

/// A set of the functions: one of HQC, or the hybrid.
enum Set {
    Hqc(SchemeId),
    Hybrid,
}

impl Set {
    fn find(set: &str) -> Result<Set, JsError> {
        if set == hybrid::NAME { Ok(Set::Hybrid) } else { scheme(set).map(Set::Hqc) }
    }
}

fn scheme(set: &str) -> Result<SchemeId, JsError> {
    SchemeId::ALL.iter().find(|id| name(**id) == set).copied().ok_or_else(|| {
        let known: Vec<_> = SchemeId::ALL.iter().map(|id| name(*id)).collect();
        let (known, hybrid) = (known.join(", "), hybrid::NAME);
        JsError::new(&format!("no set {set:?}: there are {known}; {hybrid} for keys as bytes"))
    })
}

/// A copy for JavaScript. It does not pass through a buffer that would be freed without being wiped.
fn array(bytes: &[u8]) -> Uint8Array {
    Uint8Array::from(bytes)
}

/// Random bytes of the platform, wiped when dropped.
fn random(len: usize) -> Result<Zeroizing<Vec<u8>>, JsError> {
    let mut bytes = Zeroizing::new(vec![0; len]);
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

fn full(key: &AnyDecapsulationKey) -> Result<Uint8Array, JsError> {
    let mut bytes = Zeroizing::new(vec![0; key.scheme().sizes().decapsulation_key]);
    key.to_bytes_into(&mut bytes)?;
    Ok(array(&bytes))
}

/// The ciphertext, which is sent, and the secret.
fn encapsulated(key: &AnyEncapsulationKey) -> Result<Array, JsError> {
    let sizes = key.scheme().sizes();
    let (mut ciphertext, mut secret) =
        (vec![0; sizes.ciphertext], Zeroizing::new(vec![0; sizes.shared_secret]));
    key.encapsulate(&random(sizes.randomness)?, &mut ciphertext, &mut secret)?;
    Ok(Array::of2(&array(&ciphertext), &array(&secret)))
}

fn decapsulated(key: &AnyDecapsulationKey, ciphertext: &[u8]) -> Result<Uint8Array, JsError> {
    let mut secret = Zeroizing::new(vec![0; key.scheme().sizes().shared_secret]);
    key.decapsulate(ciphertext, &mut secret)?;
    Ok(array(&secret))
}

/// A key pair of a set, from the random numbers of the platform: the encapsulation key, and the secret decapsulation key.
///
/// Throws if there is no such set, or no source of random numbers.
#[wasm_bindgen(js_name = generateKeyPair)]
pub fn generate_key_pair(set: &str) -> Result<Array, JsError> {
    let id = match Set::find(set)? {
        Set::Hqc(id) => id,
        Set::Hybrid => return hybrid::generate_key_pair(),
    };
    let key = id.dispatch(FromSeed(&random(id.sizes().seed)?))?;
    let decapsulation_key = full(&key)?;
    Ok(Array::of2(&array(key.encapsulation_key().as_bytes()), &decapsulation_key))
}

/// A new shared secret for the holder of a key: the ciphertext, which is sent, and the secret.
///
/// Throws if there is no such set, or the key is not one of this set.
#[wasm_bindgen]
pub fn encapsulate(set: &str, encapsulation_key: &[u8]) -> Result<Array, JsError> {
    match Set::find(set)? {
        Set::Hqc(id) => encapsulated(&id.dispatch(PublicFromBytes(encapsulation_key))?),
        Set::Hybrid => hybrid::encapsulate(encapsulation_key),
    }
}

/// The shared secret of a ciphertext. One that was changed gives another secret, and no error.
///
/// Throws if there is no such set, the key is not one of this set, or the ciphertext has another length.
#[wasm_bindgen]
pub fn decapsulate(set: &str, decapsulation_key: Vec<u8>, ciphertext: &[u8]) -> Result<Uint8Array, JsError> {
    // The vector is the module's copy of the key. That of JavaScript is its caller's to wipe.
    let bytes = Zeroizing::new(decapsulation_key);
    match Set::find(set)? {
        Set::Hqc(id) => decapsulated(&id.dispatch(FromBytes(&bytes))?, ciphertext),
        Set::Hybrid => hybrid::decapsulate(&bytes, ciphertext),
    }
}

/// `EncapsulationKey` of hqc.js, whose types describe the methods.
#[wasm_bindgen]
pub struct EncapsulationKey(AnyEncapsulationKey);

#[wasm_bindgen]
impl EncapsulationKey {
    /// Throws if there is no such set, or the key is not one of this set.
    #[wasm_bindgen(constructor)]
    pub fn new(set: &str, key: &[u8]) -> Result<EncapsulationKey, JsError> {
        Ok(EncapsulationKey(scheme(set)?.dispatch(PublicFromBytes(key))?.expand()))
    }

    /// Throws if the text has no key.
    #[wasm_bindgen(js_name = fromPem)]
    pub fn from_pem(text: &str) -> Result<EncapsulationKey, JsError> {
        Ok(EncapsulationKey(AnyEncapsulationKey::from_public_key_pem(text)?.expand()))
    }

    /// Throws if the structure has no key.
    #[wasm_bindgen(js_name = fromDer)]
    pub fn from_der(der: &[u8]) -> Result<EncapsulationKey, JsError> {
        Ok(EncapsulationKey(AnyEncapsulationKey::from_public_key_der(der)?.expand()))
    }

    /// The name of the set.
    #[wasm_bindgen(getter)]
    pub fn set(&self) -> String {
        name(self.0.scheme())
    }

    /// The bytes of the key.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Uint8Array {
        array(self.0.as_bytes())
    }

    /// Throws if the profile has no object identifiers.
    #[wasm_bindgen(js_name = toPem)]
    pub fn to_pem(&self) -> Result<String, JsError> {
        Ok(self.0.to_public_key_pem()?.to_string())
    }

    /// Throws if the profile has no object identifiers.
    #[wasm_bindgen(js_name = toDer)]
    pub fn to_der(&self) -> Result<Uint8Array, JsError> {
        Ok(array(self.0.to_public_key_der()?.as_bytes()))
    }

    /// Throws if there is no source of random numbers.
    pub fn encapsulate(&self) -> Result<Array, JsError> {
        encapsulated(&self.0)
    }
}

/// `DecapsulationKey` of hqc.js, whose types describe the methods.
#[wasm_bindgen]
pub struct DecapsulationKey(AnyDecapsulationKey);

#[wasm_bindgen]
impl DecapsulationKey {
    /// Throws if there is no such set, or the key is not one of this set.
    #[wasm_bindgen(constructor)]
    pub fn new(set: &str, key: Vec<u8>) -> Result<DecapsulationKey, JsError> {
        let bytes = Zeroizing::new(key);
        Ok(DecapsulationKey(scheme(set)?.dispatch(FromBytes(&bytes))?.expand()))
    }

    /// Throws if the text has no key.
    #[wasm_bindgen(js_name = fromPem)]
    pub fn from_pem(text: String) -> Result<DecapsulationKey, JsError> {
        let text = Zeroizing::new(text);
        Ok(DecapsulationKey(AnyDecapsulationKey::from_pkcs8_pem(&text)?.expand()))
    }

    /// Throws if the structure has no key.
    #[wasm_bindgen(js_name = fromDer)]
    pub fn from_der(der: Vec<u8>) -> Result<DecapsulationKey, JsError> {
        let der = Zeroizing::new(der);
        Ok(DecapsulationKey(AnyDecapsulationKey::from_pkcs8_der(&der)?.expand()))
    }

    /// The name of the set.
    #[wasm_bindgen(getter)]
    pub fn set(&self) -> String {
        name(self.0.scheme())
    }

    /// The public key.
    #[wasm_bindgen(js_name = encapsulationKey)]
    pub fn encapsulation_key(&self) -> EncapsulationKey {
        EncapsulationKey(self.0.encapsulation_key().expand())
    }

    /// The bytes of the key, which are secret.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Result<Uint8Array, JsError> {
        full(&self.0)
    }

    /// Throws if there is no such form, or the profile has no object identifiers.
    #[wasm_bindgen(js_name = toPem)]
    pub fn to_pem(&self, form: &str) -> Result<JsString, JsError> {
        // A copy for JavaScript, as in `array`.
        Ok(JsString::from(self.0.to_pkcs8_pem(self::form(form)?)?.as_str()))
    }

    /// Throws if there is no such form, or the profile has no object identifiers.
    #[wasm_bindgen(js_name = toDer)]
    pub fn to_der(&self, form: &str) -> Result<Uint8Array, JsError> {
        Ok(array(self.0.to_pkcs8_der(self::form(form)?)?.as_bytes()))
    }

    /// Throws if the ciphertext has another length.
    pub fn decapsulate(&self, ciphertext: &[u8]) -> Result<Uint8Array, JsError> {
        decapsulated(&self.0, ciphertext)
    }
}

fn form(name: &str) -> Result<PrivateForm, JsError> {
    match name {
        "seed" => Ok(PrivateForm::Seed),
        "expanded" => Ok(PrivateForm::Expanded),
        "both" => Ok(PrivateForm::Both),
        _ => Err(JsError::new(&format!("no form {name:?}: there are seed, expanded and both"))),
    }
}
