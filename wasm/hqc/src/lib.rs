//! The KEM HQC for JavaScript, in profile NR. hqc.js checks the arguments before it calls these functions.
#![forbid(unsafe_code)]

use carryless_hqc::{
    Ciphertext, DecapsulationKey, EncapsulationKey, Hqc1, Hqc3, Hqc5, Scheme, SchemeVisitor,
};
use getrandom::SysRng;
use js_sys::{Array, Uint8Array};
use rand_core::UnwrapErr;
use wasm_bindgen::prelude::*;
use zeroize::Zeroizing;

/// Runs the code for one of the parameter sets. Other profiles are left out, because each set takes a third
/// of the module.
fn dispatch<T, V: SchemeVisitor<Output = Result<T, JsError>>>(set: &str, visitor: V) -> Result<T, JsError> {
    match set {
        "hqc-1" => visitor.visit::<Hqc1>(),
        "hqc-3" => visitor.visit::<Hqc3>(),
        "hqc-5" => visitor.visit::<Hqc5>(),
        _ => Err(JsError::new(&format!("no set {set:?}: there are hqc-1, hqc-3 and hqc-5"))),
    }
}

/// A copy for JavaScript. It does not pass through a buffer that would be freed without being wiped.
fn array(bytes: &[u8]) -> Uint8Array {
    Uint8Array::from(bytes)
}

/// A key pair of the set `hqc-1`, `hqc-3` or `hqc-5`, from the random numbers of the platform: the encapsulation key, and the secret
/// decapsulation key.
///
/// Throws if there is no such set, or no source of random numbers.
#[wasm_bindgen(js_name = generateKeyPair)]
pub fn generate_key_pair(set: &str) -> Result<Array, JsError> {
    struct Generate;
    impl SchemeVisitor for Generate {
        type Output = Result<Array, JsError>;
        fn visit<K: Scheme>(self) -> Self::Output {
            let key = DecapsulationKey::<K>::try_generate_from_rng(&mut SysRng)?;
            let public = array(key.encapsulation_key().as_bytes().as_ref());
            Ok(Array::of2(&public, &array((*key.to_bytes()).as_ref())))
        }
    }
    dispatch(set, Generate)
}

/// A new shared secret for the holder of a key: the ciphertext, which is sent, and the secret of 32 bytes.
///
/// Throws if there is no such set, or the key is not one of this set.
#[wasm_bindgen]
pub fn encapsulate(set: &str, encapsulation_key: &[u8]) -> Result<Array, JsError> {
    struct Encapsulate<'a>(&'a [u8]);
    impl SchemeVisitor for Encapsulate<'_> {
        type Output = Result<Array, JsError>;
        fn visit<K: Scheme>(self) -> Self::Output {
            let key = EncapsulationKey::<K>::from_bytes(self.0)?;
            let (ciphertext, secret) = key.encapsulate_with_rng(&mut UnwrapErr(SysRng));
            Ok(Array::of2(&array(ciphertext.as_bytes().as_ref()), &array(secret.as_bytes().as_ref())))
        }
    }
    dispatch(set, Encapsulate(encapsulation_key))
}

/// The shared secret of a ciphertext, 32 bytes. One that was changed gives another secret, and no error.
///
/// Throws if there is no such set, the key is not one of this set, or the ciphertext has another length.
#[wasm_bindgen]
pub fn decapsulate(set: &str, decapsulation_key: Vec<u8>, ciphertext: &[u8]) -> Result<Uint8Array, JsError> {
    struct Decapsulate<'a>(&'a [u8], &'a [u8]);
    impl SchemeVisitor for Decapsulate<'_> {
        type Output = Result<Uint8Array, JsError>;
        fn visit<K: Scheme>(self) -> Self::Output {
            let key = DecapsulationKey::<K>::from_bytes(self.0)?;
            let secret = key.decapsulate(&Ciphertext::<K>::from_bytes(self.1)?);
            Ok(array(secret.as_bytes().as_ref()))
        }
    }
    // The vector is the module's copy of the key. That of JavaScript is its caller's to wipe.
    dispatch(set, Decapsulate(&Zeroizing::new(decapsulation_key), ciphertext))
}
