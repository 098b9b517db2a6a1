//! Encapsulation and decapsulation: `OSSL_FUNC_kem_*`.
use super::abi::*;
use super::context::Provider;
use super::guard::{borrow, borrow_mut, boxed, free, guarded, provider};
use super::keymgmt::KeyData;
use super::params::Params;
use crate::error::Error;
use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;
use zeroize::Zeroizing;

/// `OSSL_KEM_PARAM_IKME`: the randomness of one encapsulation, for tests. The message, then the salt.
const IKME: &CStr = c"ikme";

/// An operation: its key, and the randomness of the next encapsulation if that is given.
#[derive(Clone)]
struct Operation {
    provider: Arc<Provider>,
    key: Option<KeyData>,
    random: Option<Zeroizing<Vec<u8>>>,
}

impl Operation {
    fn set(&mut self, params: Params<'_>) -> Result<(), Error> {
        if let Some(random) = params.octets(IKME)? {
            self.random = Some(Zeroizing::new(random.to_vec()));
        }
        Ok(())
    }

    fn key(&self) -> Result<&KeyData, Error> {
        self.key.as_ref().ok_or(Error::Null)
    }
}

/// The table, which is the same for all algorithms: keys know theirs.
pub(crate) const FUNCTIONS: &[OSSL_DISPATCH] = &[
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_NEWCTX, new as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_FREECTX, operation_free as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_DUPCTX, dup as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_ENCAPSULATE_INIT, init as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_ENCAPSULATE, encapsulate as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_DECAPSULATE_INIT, init as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_DECAPSULATE, decapsulate as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_SET_CTX_PARAMS, set_params as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_KEM_SETTABLE_CTX_PARAMS, settable_params as *const c_void),
    OSSL_DISPATCH::END,
];

unsafe extern "C" fn new(context: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL passes the context.
    let Some(provider) = (unsafe { provider(context) }) else { return std::ptr::null_mut() };
    guarded(None, || Ok(boxed(Operation { provider, key: None, random: None })))
}

unsafe extern "C" fn operation_free(operation: *mut c_void) {
    // SAFETY: OpenSSL passes what `new` or `dup` returned, for the last time.
    unsafe { free::<Operation>(operation) }
}

unsafe extern "C" fn dup(operation: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL passes what `new` or `dup` returned.
    let Some(operation) = (unsafe { borrow::<Operation>(operation) }) else { return std::ptr::null_mut() };
    guarded(None, || Ok(boxed(operation.clone())))
}

unsafe extern "C" fn init(operation: *mut c_void, key: *mut c_void, params: *const OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes what `new` or `dup` returned, a key of this provider, and a list.
    let (Some(operation), Some(key), params) =
        (unsafe { (borrow_mut::<Operation>(operation), borrow::<KeyData>(key), Params::new(params)) })
    else {
        return 0;
    };
    guarded(Some(key.provider()), || {
        operation.key = Some(key.clone());
        operation.random = None;
        operation.set(params)?;
        Ok(1)
    })
}

unsafe extern "C" fn set_params(operation: *mut c_void, params: *const OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes what `new` or `dup` returned, and a list.
    let (Some(operation), params) = (unsafe { (borrow_mut::<Operation>(operation), Params::new(params)) })
    else {
        return 0;
    };
    let provider = operation.provider.clone();
    guarded(Some(&provider), || operation.set(params).map(|()| 1))
}

unsafe extern "C" fn settable_params(_: *mut c_void, _: *mut c_void) -> *const OSSL_PARAM {
    const LIST: &[OSSL_PARAM] = &[OSSL_PARAM::describe(IKME, OSSL_PARAM_OCTET_STRING), OSSL_PARAM::END];
    LIST.as_ptr()
}

unsafe extern "C" fn encapsulate(
    operation: *mut c_void,
    ciphertext: *mut u8,
    ciphertext_len: *mut usize,
    secret: *mut u8,
    secret_len: *mut usize,
) -> c_int {
    // SAFETY: OpenSSL passes what `new` or `dup` returned, and places for lengths or null.
    let (Some(operation), ciphertext_len, secret_len) =
        (unsafe { (borrow_mut::<Operation>(operation), ciphertext_len.as_mut(), secret_len.as_mut()) })
    else {
        return 0;
    };
    let provider = operation.provider.clone();
    guarded(Some(&provider), || {
        let group = operation.key()?.group;
        let lengths = (group.server_share_bytes(), group.secret_bytes());
        if ciphertext.is_null() {
            answer_length(ciphertext_len, lengths.0);
            answer_length(secret_len, lengths.1);
            return Ok(1);
        }
        // SAFETY: OpenSSL's caller promises buffers of the lengths that it gives, which do not overlap.
        let (ciphertext, secret) = unsafe {
            (
                output("ciphertext", ciphertext, ciphertext_len, lengths.0)?,
                output("shared secret", secret, secret_len, lengths.1)?,
            )
        };
        // Not before the buffers are known to suffice: the next call would draw other randomness than the caller set.
        let random = operation.random.take();
        operation.key()?.encapsulate(random.as_ref().map(|random| random.as_slice()), ciphertext, secret)?;
        Ok(1)
    })
}

unsafe extern "C" fn decapsulate(
    operation: *mut c_void,
    secret: *mut u8,
    secret_len: *mut usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
) -> c_int {
    // SAFETY: OpenSSL passes what `new` or `dup` returned, and a place for a length or null.
    let (Some(operation), secret_len) = (unsafe { (borrow::<Operation>(operation), secret_len.as_mut()) })
    else {
        return 0;
    };
    guarded(Some(&operation.provider), || {
        let key = operation.key()?;
        let len = key.group.secret_bytes();
        if secret.is_null() {
            answer_length(secret_len, len);
            return Ok(1);
        }
        if ciphertext.is_null() {
            return Err(Error::Null);
        }
        // SAFETY: OpenSSL's caller promises buffers of the lengths that it gives, which do not overlap.
        let (ciphertext, secret) = unsafe {
            (
                std::slice::from_raw_parts(ciphertext, ciphertext_len),
                output("shared secret", secret, secret_len, len)?,
            )
        };
        key.decapsulate(ciphertext, secret)?;
        Ok(1)
    })
}

fn answer_length(place: Option<&mut usize>, len: usize) {
    if let Some(place) = place {
        *place = len;
    }
}

/// Returns the first `needed` bytes of a buffer, and writes this number where its length stood.
///
/// # Safety
/// The buffer can be written for the length that is given.
unsafe fn output<'a>(
    what: &'static str,
    buffer: *mut u8,
    len: Option<&mut usize>,
    needed: usize,
) -> Result<&'a mut [u8], Error> {
    let len = len.ok_or(Error::Null)?;
    if buffer.is_null() {
        return Err(Error::Null);
    }
    if *len < needed {
        return Err(Error::Buffer { what, needed, found: *len });
    }
    *len = needed;
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts_mut(buffer, needed) })
}
