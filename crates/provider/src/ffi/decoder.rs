//! Key files are read: `OSSL_FUNC_decoder_*`.
use super::Form;
use super::abi::*;
use super::context::Provider;
use super::guard::{borrow, boxed, free, guarded, provider};
use super::keymgmt::KeyData;
use super::params::List;
use crate::error::Error;
use crate::groups::GROUPS;
use crate::keys::{Key, Private};
use carryless_hqc::key_file::{PrivateFile, PublicFile};
use std::ffi::{CString, c_int, c_void};
use std::sync::Arc;

/// Functions of a form, for the algorithm with this index in [`GROUPS`].
struct Of<const INDEX: usize, const PRIVATE: bool>;

/// Returns the functions that read a form of a key. Only HQC alone has a form.
pub(crate) fn functions(index: usize, form: Form) -> &'static [OSSL_DISPATCH] {
    fn of<const INDEX: usize>(form: Form) -> &'static [OSSL_DISPATCH] {
        match form {
            Form::Public => Of::<INDEX, false>::FUNCTIONS,
            Form::Private => Of::<INDEX, true>::FUNCTIONS,
        }
    }
    match index {
        0 => of::<0>(form),
        3 => of::<3>(form),
        _ => of::<6>(form),
    }
}

impl<const INDEX: usize, const PRIVATE: bool> Of<INDEX, PRIVATE> {
    const FUNCTIONS: &'static [OSSL_DISPATCH] = &[
        OSSL_DISPATCH::new(OSSL_FUNC_DECODER_NEWCTX, new as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_DECODER_FREECTX, decoder_free as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_DECODER_DOES_SELECTION, Self::does_selection as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_DECODER_DECODE, Self::decode as *const c_void),
        OSSL_DISPATCH::END,
    ];
    const FORM: Form = if PRIVATE { Form::Private } else { Form::Public };

    unsafe extern "C" fn does_selection(_: *mut c_void, selection: c_int) -> c_int {
        super::does_selection(Self::FORM, selection).into()
    }

    /// Returns 1 without a call of the callback if the data are not this key: then OpenSSL tries another decoder.
    unsafe extern "C" fn decode(
        decoder: *mut c_void,
        input: *mut c_void,
        _: c_int,
        callback: Option<OSSL_CALLBACK>,
        argument: *mut c_void,
        _: *const c_void,
        _: *mut c_void,
    ) -> c_int {
        // SAFETY: OpenSSL passes what `new` returned.
        let Some(provider) = (unsafe { borrow::<Arc<Provider>>(decoder) }) else { return 0 };
        guarded(Some(provider), || {
            // SAFETY: OpenSSL passes the BIO.
            let Some(der) = (unsafe { provider.core.read_der(input)? }) else { return Ok(1) };
            match Self::key(provider, &der)? {
                // SAFETY: OpenSSL passes the callback with its argument.
                Some(key) => unsafe { hand_over(KeyData::new(key, provider), callback, argument) },
                None => Ok(1),
            }
        })
    }

    fn key(provider: &Provider, der: &[u8]) -> Result<Option<Key>, Error> {
        let Some(oid) = provider.numbers[INDEX].oid else { return Ok(None) };
        let key = Key::empty(&GROUPS[INDEX]);
        match Self::FORM {
            Form::Public => {
                let Ok(file) = PublicFile::parse(der) else { return Ok(None) };
                if file.identifier() != oid {
                    return Ok(None);
                }
                key.set_public(provider.libcrypto.as_ref(), file.key()?)?;
            }
            Form::Private => {
                let Ok(file) = PrivateFile::parse(der) else { return Ok(None) };
                if file.identifier() != oid {
                    return Ok(None);
                }
                key.set_private(Private::File(&file), None)?;
            }
        }
        Ok(Some(key))
    }
}

/// Sends a key to OpenSSL, which takes it over by `OSSL_FUNC_keymgmt_load` or leaves it to be freed here.
///
/// # Safety
/// OpenSSL passed `callback` with `argument`.
unsafe fn hand_over(
    key: KeyData,
    callback: Option<OSSL_CALLBACK>,
    argument: *mut c_void,
) -> Result<c_int, Error> {
    let name = CString::new(key.group.name).unwrap_or_default();
    let mut pointer = boxed(key);
    // The reference is the address of the pointer, which `load` sets to null.
    let place = &raw mut pointer;
    let list = List::new()
        .int(c"type", &OSSL_OBJECT_PKEY)
        .text(c"data-type", &name)
        .place(c"reference", place.cast(), size_of::<*mut c_void>())
        .end();
    // SAFETY: the caller's promise.
    let result = unsafe { list.send(callback, argument) };
    // SAFETY: the pointer is null, or still that of the key; it is read through the place that `load` wrote.
    unsafe { free::<KeyData>(place.read_volatile()) };
    result
}

unsafe extern "C" fn new(context: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL passes the context.
    let Some(provider) = (unsafe { provider(context) }) else { return std::ptr::null_mut() };
    guarded(None, || Ok(boxed(provider)))
}

unsafe extern "C" fn decoder_free(decoder: *mut c_void) {
    // SAFETY: OpenSSL passes what `new` returned, for the last time.
    unsafe { free::<Arc<Provider>>(decoder) }
}
