//! The provider as a whole: its beginning and end, its algorithms, and its groups of TLS.
use super::Form;
use super::abi::*;
use super::context::{Algorithms, Provider};
use super::core::Core;
use super::guard::{borrow, boxed, free, guarded, provider};
use super::libcrypto::Libcrypto;
use super::params::{Answers, List};
use super::{decoder, encoder, kem, keymgmt};
use crate::error::{Error, REASONS};
use crate::groups::{GROUPS, Numbers, security_bits};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::Arc;

/// Builds the provider from what OpenSSL passes.
///
/// # Safety
/// The arguments are those of `OSSL_provider_init`.
unsafe fn build(handle: *const c_void, functions: *const OSSL_DISPATCH) -> Result<Provider, Error> {
    // SAFETY: the caller's promise.
    let core = unsafe { Core::new(handle, functions) };
    // SAFETY: the caller's promise; the address is that of a function of libcrypto.
    let libcrypto = unsafe { Libcrypto::find(core.address(), handle, functions) };
    let numbers = GROUPS.iter().map(|group| Numbers::of(group, |name| core.setting(name)));
    let numbers = numbers.collect::<Result<Vec<_>, _>>().inspect_err(|error| core.raise(error))?;
    let [mut keys, mut kems, mut encoders, mut decoders] = std::array::from_fn(|_| Algorithms::default());
    for (index, (group, numbers)) in GROUPS.iter().zip(&numbers).enumerate() {
        if group.classical.is_some() && libcrypto.is_none() {
            continue;
        }
        let names = names(index, numbers);
        keys.add(&names, "provider=carryless", keymgmt::FUNCTIONS[index]);
        kems.add(&names, "provider=carryless", kem::FUNCTIONS);
        if numbers.oid.is_none() {
            continue;
        }
        for (form, structure) in [(Form::Private, "PrivateKeyInfo"), (Form::Public, "SubjectPublicKeyInfo")] {
            for (pem, output) in [(false, "der"), (true, "pem")] {
                let properties = format!("provider=carryless,output={output},structure={structure}");
                encoders.add(&names, &properties, encoder::functions(form, pem));
            }
            let properties = format!("provider=carryless,input=der,structure={structure}");
            decoders.add(&names, &properties, decoder::functions(index, form));
        }
    }
    let [keymgmt, kem, encoders, decoders] = [keys, kems, encoders, decoders].map(Algorithms::end);
    Ok(Provider { core, libcrypto, numbers, keymgmt, kem, encoders, decoders })
}

/// Returns the names of an algorithm: of HQC alone that of the standard, that of TLS, and its object identifier,
/// by which OpenSSL finds the decoder of a file.
fn names(index: usize, numbers: &Numbers) -> CString {
    let group = &GROUPS[index];
    let names = match numbers.oid {
        Some(oid) => format!("{}:{}:{oid}", group.scheme.name(), group.name),
        None => group.name.into(),
    };
    CString::new(names).unwrap_or_default()
}

const FUNCTIONS: &[OSSL_DISPATCH] = &[
    OSSL_DISPATCH::new(OSSL_FUNC_PROVIDER_TEARDOWN, teardown as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, get_reason_strings as *const c_void),
    OSSL_DISPATCH::new(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, get_capabilities as *const c_void),
    OSSL_DISPATCH::END,
];

/// The entry that OpenSSL looks for when it loads a provider. Returns 1, or 0 if the configuration is wrong.
///
/// # Safety
/// The arguments are OpenSSL's.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn OSSL_provider_init(
    handle: *const c_void,
    functions: *const OSSL_DISPATCH,
    out: *mut *const OSSL_DISPATCH,
    context: *mut *mut c_void,
) -> c_int {
    guarded(None, || {
        // SAFETY: the caller's promise.
        let provider = Arc::new(unsafe { build(handle, functions)? });
        // SAFETY: the caller's promise: both can be written.
        unsafe { (*out, *context) = (FUNCTIONS.as_ptr(), boxed(provider)) };
        Ok(1)
    })
}

unsafe extern "C" fn teardown(context: *mut c_void) {
    // SAFETY: OpenSSL calls this once, with the context that it was given.
    unsafe { free::<Arc<Provider>>(context) }
}

unsafe extern "C" fn gettable_params(_: *mut c_void) -> *const OSSL_PARAM {
    const LIST: &[OSSL_PARAM] = &[
        OSSL_PARAM::describe(c"name", OSSL_PARAM_UTF8_PTR),
        OSSL_PARAM::describe(c"version", OSSL_PARAM_UTF8_PTR),
        OSSL_PARAM::describe(c"buildinfo", OSSL_PARAM_UTF8_PTR),
        OSSL_PARAM::describe(c"status", OSSL_PARAM_INTEGER),
        OSSL_PARAM::END,
    ];
    LIST.as_ptr()
}

/// The version, with the zero byte that C needs.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

unsafe extern "C" fn get_params(context: *mut c_void, params: *mut OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes the context and a list.
    let (context, mut answers) = unsafe { (provider(context), Answers::new(params)) };
    guarded(context.as_deref(), || {
        answers.constant(c"name", c"carryless HQC provider")?;
        answers.constant(c"version", VERSION)?;
        answers.constant(c"buildinfo", c"HQC profile nr, as in liboqs 0.16")?;
        answers.number(c"status", 1)?;
        Ok(1)
    })
}

unsafe extern "C" fn query_operation(
    context: *mut c_void,
    operation: c_int,
    no_store: *mut c_int,
) -> *const OSSL_ALGORITHM {
    // SAFETY: OpenSSL passes the context, and a place for a number or null.
    let (context, no_store) = unsafe { (borrow::<Arc<Provider>>(context), no_store.as_mut()) };
    if let Some(no_store) = no_store {
        *no_store = 0;
    }
    let Some(provider) = context else { return std::ptr::null() };
    match operation {
        OSSL_OP_KEYMGMT => provider.keymgmt.as_ptr(),
        OSSL_OP_KEM => provider.kem.as_ptr(),
        OSSL_OP_ENCODER => provider.encoders.as_ptr(),
        OSSL_OP_DECODER => provider.decoders.as_ptr(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn get_reason_strings(_: *mut c_void) -> *const OSSL_ITEM {
    static ITEMS: [OSSL_ITEM; REASONS.len() + 1] = {
        let mut items = [const { OSSL_ITEM { id: 0, ptr: std::ptr::null() } }; REASONS.len() + 1];
        let mut i = 0;
        while i < REASONS.len() {
            items[i] = OSSL_ITEM { id: i as c_uint + 1, ptr: REASONS[i].as_ptr().cast() };
            i += 1;
        }
        items
    };
    ITEMS.as_ptr()
}

unsafe extern "C" fn get_capabilities(
    context: *mut c_void,
    capability: *const c_char,
    callback: Option<OSSL_CALLBACK>,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: OpenSSL passes the context.
    let Some(provider) = (unsafe { provider(context) }) else { return 0 };
    guarded(Some(&provider), || {
        if capability.is_null() {
            return Ok(0);
        }
        // SAFETY: OpenSSL passes a string.
        let capability = unsafe { CStr::from_ptr(capability) };
        if !capability.to_bytes().eq_ignore_ascii_case(b"TLS-GROUP") {
            return Ok(0);
        }
        for (group, numbers) in GROUPS.iter().zip(&provider.numbers) {
            if group.classical.is_some() && provider.libcrypto.is_none() {
                continue;
            }
            let name = CString::new(group.name).unwrap_or_default();
            let (id, bits) = (numbers.code_point.into(), security_bits(group.scheme) as c_uint);
            let list = List::new()
                .text(c"tls-group-name", &name)
                .text(c"tls-group-name-internal", &name)
                .text(c"tls-group-alg", &name)
                .uint(c"tls-group-id", &id)
                .uint(c"tls-group-sec-bits", &bits)
                // From TLS 1.3 on, and in no version of DTLS.
                .int(c"tls-min-tls", &TLS1_3_VERSION)
                .int(c"tls-max-tls", &0)
                .int(c"tls-min-dtls", &-1)
                .int(c"tls-max-dtls", &-1)
                .uint(c"tls-group-is-kem", &1)
                .end();
            // SAFETY: OpenSSL passes the callback with its argument.
            if unsafe { list.send(callback, argument)? } != 1 {
                return Ok(0);
            }
        }
        Ok(1)
    })
}
