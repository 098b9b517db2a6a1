//! ECDSA of OpenSSL: `ECDSA_do_verify` and `ECDSA_do_sign`. The nonces of the latter are random.
use super::{Crypto, Ptr};
use crate::calls::repeat;
use crate::curves::case::{Operation, Parameters};
use crate::curves::signing::Signing;
use crate::input::Input;
use crate::subject::{Runner, Work};
use std::ffi::c_int;
use std::hint::black_box;
use std::rc::Rc;

/// Functions of the library for ECDSA, besides those of [`Crypto`].
#[derive(Clone, Copy)]
struct Functions {
    key_new: unsafe extern "C" fn(c_int) -> Ptr,
    key_free: unsafe extern "C" fn(Ptr),
    set_private: unsafe extern "C" fn(Ptr, Ptr) -> c_int,
    /// Arguments: key, x, y. The key copies the numbers.
    set_public: unsafe extern "C" fn(Ptr, Ptr, Ptr) -> c_int,
    signature_new: unsafe extern "C" fn() -> Ptr,
    signature_free: unsafe extern "C" fn(Ptr),
    /// Arguments: signature, r, s. The signature then owns the numbers.
    set_numbers: unsafe extern "C" fn(Ptr, Ptr, Ptr) -> c_int,
    /// Arguments: hash, its length in bytes, signature, key. Returns 1 if the signature is right, 0 if it is wrong.
    verify: unsafe extern "C" fn(*const u8, c_int, Ptr, Ptr) -> c_int,
    /// Arguments: hash, its length in bytes, key. Returns a new signature, or null.
    sign: unsafe extern "C" fn(*const u8, c_int, Ptr) -> Ptr,
}

impl Functions {
    fn of(crypto: &Crypto) -> Option<Functions> {
        let library = crypto.library;
        // SAFETY: the types are those of the library's header, and it is never unloaded.
        unsafe {
            Some(Functions {
                key_new: *library.get(b"EC_KEY_new_by_curve_name\0").ok()?,
                key_free: *library.get(b"EC_KEY_free\0").ok()?,
                set_private: *library.get(b"EC_KEY_set_private_key\0").ok()?,
                set_public: *library.get(b"EC_KEY_set_public_key_affine_coordinates\0").ok()?,
                signature_new: *library.get(b"ECDSA_SIG_new\0").ok()?,
                signature_free: *library.get(b"ECDSA_SIG_free\0").ok()?,
                set_numbers: *library.get(b"ECDSA_SIG_set0\0").ok()?,
                verify: *library.get(b"ECDSA_do_verify\0").ok()?,
                sign: *library.get(b"ECDSA_do_sign\0").ok()?,
            })
        }
    }
}

/// The work of signing or verifying on a curve.
pub(super) struct Ecdsa {
    crypto: Crypto,
    functions: Functions,
    nid: c_int,
    operation: Operation,
    curve: Parameters,
}

impl Ecdsa {
    /// The work of an operation; `None` if the library lacks ECDSA.
    pub(super) fn new(crypto: Crypto, nid: c_int, operation: Operation, curve: &Parameters) -> Option<Ecdsa> {
        let functions = Functions::of(&crypto)?;
        Some(Ecdsa { crypto, functions, nid, operation, curve: curve.clone() })
    }
}

impl Work for Ecdsa {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let signing = Signing::new(&self.curve, input);
        // Two closures share the key. The library frees it with the last of them.
        let key = Rc::new(Key::new(self, &signing));
        let (again, hash) = (key.clone(), signing.hash);
        // OpenSSL's nonces are random. So signatures differ, and one must pass its own verification instead.
        if self.operation == Operation::Sign {
            return repeat(
                move || key.sign(black_box(&hash)),
                move |signature| vec![u64::from(again.verify(&hash, signature))],
            );
        }
        let signature = Rc::new(Signature::new(self, &signing));
        let given = signature.clone();
        repeat(
            move || key.verify(black_box(&hash), &given),
            move |is_right| {
                vec![u64::from(*is_right), u64::from(again.verify(&signing.other_hash(), &signature))]
            },
        )
    }
}

/// A key pair in the library's form.
struct Key<'a>(&'a Ecdsa, Ptr);

impl<'a> Key<'a> {
    fn new(work: &'a Ecdsa, signing: &Signing) -> Key<'a> {
        let Ecdsa { crypto, functions, nid, .. } = work;
        let d = crypto.scalar(&signing.d);
        let [x, y] = signing.q.each_ref().map(|words| crypto.element(words));
        // SAFETY: the curve is known; the key copies the numbers, each of which is freed once.
        let (key, done) = unsafe {
            let key = (functions.key_new)(*nid);
            assert!(!key.is_null(), "no memory");
            let done = (functions.set_private)(key, d) == 1 && (functions.set_public)(key, x, y) == 1;
            [d, x, y].into_iter().for_each(|number| (crypto.bn_free)(number));
            (key, done)
        };
        assert!(done, "libcrypto takes the key");
        Key(work, key)
    }

    fn verify(&self, hash: &[u8; 32], signature: &Signature) -> bool {
        // SAFETY: key and signature are live, and the hash has the length given.
        let answer =
            unsafe { (self.0.functions.verify)(hash.as_ptr(), hash.len() as c_int, signature.1, self.1) };
        // -1 is an error in the library and says nothing about the signature.
        assert!(answer >= 0, "libcrypto fails to verify");
        answer == 1
    }

    fn sign(&self, hash: &[u8; 32]) -> Signature<'a> {
        // SAFETY: the key is live, and the hash has the length given.
        let signature = unsafe { (self.0.functions.sign)(hash.as_ptr(), hash.len() as c_int, self.1) };
        assert!(!signature.is_null(), "libcrypto fails to sign");
        Signature(self.0, signature)
    }
}

impl Drop for Key<'_> {
    fn drop(&mut self) {
        // SAFETY: it is freed once.
        unsafe { (self.0.functions.key_free)(self.1) };
    }
}

/// A signature in the library's form.
struct Signature<'a>(&'a Ecdsa, Ptr);

impl<'a> Signature<'a> {
    /// The signature that the reference makes of the hash, for verification.
    fn new(work: &'a Ecdsa, signing: &Signing) -> Signature<'a> {
        let Ecdsa { crypto, functions, curve, .. } = work;
        let [r, s] = signing.signature(curve).map(|number| crypto.scalar(&number));
        // SAFETY: it is new, and owns the numbers.
        let (signature, done) = unsafe {
            let signature = (functions.signature_new)();
            assert!(!signature.is_null(), "no memory");
            (signature, (functions.set_numbers)(signature, r, s))
        };
        assert_eq!(done, 1, "libcrypto takes the signature");
        Signature(work, signature)
    }
}

impl Drop for Signature<'_> {
    fn drop(&mut self) {
        // SAFETY: it is freed once.
        unsafe { (self.0.functions.signature_free)(self.1) };
    }
}
