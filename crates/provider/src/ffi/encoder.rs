//! Key files are written: `OSSL_FUNC_encoder_*`.
use super::Form;
use super::abi::*;
use super::context::Provider;
use super::guard::{borrow, boxed, free, guarded, provider};
use super::keymgmt::KeyData;
use super::params::Params;
use crate::error::Error;
use crate::groups::GROUPS;
use carryless_hqc::key_file::{PrivateFile, PrivateForm, PublicFile, private_to_pem, public_to_pem};
use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;

/// `OSSL_ENCODER_PARAM_CIPHER`: the cipher of an encrypted private key.
const CIPHER: &CStr = c"cipher";

/// Functions of a form, in DER or PEM.
struct Of<const PRIVATE: bool, const PEM: bool>;

/// Returns the functions that write a form in DER or PEM.
pub(crate) fn functions(form: Form, pem: bool) -> &'static [OSSL_DISPATCH] {
    match (form, pem) {
        (Form::Public, false) => Of::<false, false>::FUNCTIONS,
        (Form::Public, true) => Of::<false, true>::FUNCTIONS,
        (Form::Private, false) => Of::<true, false>::FUNCTIONS,
        (Form::Private, true) => Of::<true, true>::FUNCTIONS,
    }
}

impl<const PRIVATE: bool, const PEM: bool> Of<PRIVATE, PEM> {
    const FUNCTIONS: &'static [OSSL_DISPATCH] = &[
        OSSL_DISPATCH::new(OSSL_FUNC_ENCODER_NEWCTX, new as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_ENCODER_FREECTX, encoder_free as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_ENCODER_SET_CTX_PARAMS, set_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, settable_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_ENCODER_DOES_SELECTION, Self::does_selection as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_ENCODER_ENCODE, Self::encode as *const c_void),
        OSSL_DISPATCH::END,
    ];
    const FORM: Form = if PRIVATE { Form::Private } else { Form::Public };

    unsafe extern "C" fn does_selection(_: *mut c_void, selection: c_int) -> c_int {
        super::does_selection(Self::FORM, selection).into()
    }

    unsafe extern "C" fn encode(
        encoder: *mut c_void,
        out: *mut c_void,
        key: *const c_void,
        abstract_key: *const OSSL_PARAM,
        _: c_int,
        _: *const c_void,
        _: *mut c_void,
    ) -> c_int {
        // SAFETY: OpenSSL passes what `new` returned, and a key of this provider unless the abstract one is there.
        let (Some(provider), key) = (unsafe { (borrow::<Arc<Provider>>(encoder), borrow::<KeyData>(key)) })
        else {
            return 0;
        };
        guarded(Some(provider), || {
            if !abstract_key.is_null() {
                return Err(Error::Unsupported("only the provider's own keys are encoded"));
            }
            let key = key.ok_or(Error::Null)?;
            let numbers = GROUPS.iter().zip(&provider.numbers).find(|(group, _)| *group == key.group);
            let oid = numbers.and_then(|(_, numbers)| numbers.oid);
            let oid = oid.ok_or(Error::Unsupported("hybrid keys have no file format"))?;
            let document = match Self::FORM {
                Form::Public => PublicFile::write(oid, &key.public_bytes()?)?,
                Form::Private => PrivateFile::write(oid, PrivateForm::Seed, key.seed()?, &[])?,
            };
            let text = match Self::FORM {
                _ if !PEM => None,
                Form::Public => Some(public_to_pem(&document)?),
                Form::Private => Some(private_to_pem(&document)?),
            };
            let bytes = text.as_ref().map_or(document.as_bytes(), |text| text.as_bytes());
            // SAFETY: OpenSSL passes the BIO.
            unsafe { provider.core.write(out, bytes)? };
            Ok(1)
        })
    }
}

unsafe extern "C" fn new(context: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL passes the context.
    let Some(provider) = (unsafe { provider(context) }) else { return std::ptr::null_mut() };
    guarded(None, || Ok(boxed(provider)))
}

unsafe extern "C" fn encoder_free(encoder: *mut c_void) {
    // SAFETY: OpenSSL passes what `new` returned, for the last time.
    unsafe { free::<Arc<Provider>>(encoder) }
}

/// Refuses a cipher. Without this function OpenSSL would write the private key unencrypted.
unsafe extern "C" fn set_params(encoder: *mut c_void, params: *const OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes what `new` returned, and a list.
    let (Some(provider), params) = (unsafe { (borrow::<Arc<Provider>>(encoder), Params::new(params)) })
    else {
        return 0;
    };
    guarded(Some(provider), || match params.text(CIPHER)? {
        None => Ok(1),
        Some(_) => Err(Error::Unsupported("encrypt the key by openssl pkcs8 -topk8")),
    })
}

unsafe extern "C" fn settable_params(_: *mut c_void) -> *const OSSL_PARAM {
    const LIST: &[OSSL_PARAM] = &[OSSL_PARAM::describe(CIPHER, OSSL_PARAM_UTF8_STRING), OSSL_PARAM::END];
    LIST.as_ptr()
}
