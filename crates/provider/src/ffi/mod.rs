//! Everything that touches OpenSSL, and all `unsafe` code of this crate.
//!
//! SAFETY comments here rely on OpenSSL: it passes pointers that it got from the provider or that its documentation
//! describes, frees an object once, and uses no object of an operation in two threads at a time.
#![allow(unsafe_code)]
pub(crate) mod abi;
mod context;
mod core;
mod decoder;
mod encoder;
mod entry;
mod guard;
mod kem;
mod keymgmt;
pub(crate) mod libcrypto;
mod params;

use std::ffi::c_int;

/// The structure of a key file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// SubjectPublicKeyInfo, of a public key.
    Public,
    /// PKCS #8's PrivateKeyInfo, of a private key.
    Private,
}

/// Returns whether a form has what is selected. No selection means that OpenSSL guesses.
fn does_selection(form: Form, selection: c_int) -> bool {
    let private = selection & abi::OSSL_KEYMGMT_SELECT_PRIVATE_KEY != 0;
    let public = selection & abi::OSSL_KEYMGMT_SELECT_PUBLIC_KEY != 0;
    match form {
        Form::Private => private || selection == 0,
        // Who asks for a private key wants no file without it.
        Form::Public => !private && public || selection == 0,
    }
}
