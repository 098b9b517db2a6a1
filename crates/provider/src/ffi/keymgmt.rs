//! Key management: `OSSL_FUNC_keymgmt_*`.
use super::abi::*;
use super::context::Provider;
use super::guard::{borrow, borrow_mut, boxed, free, guarded, provider};
use super::params::{Answers, List, Params};
use crate::error::Error;
use crate::groups::{GROUPS, category, security_bits};
use crate::keys::{Key, Private};
use std::ffi::{CStr, c_int, c_void};
use std::ops::Deref;
use std::sync::Arc;
use zeroize::Zeroizing;

const PUB: &CStr = c"pub";
const PRIV: &CStr = c"priv";
const SEED: &CStr = c"seed";
const ENCODED_PUBLIC_KEY: &CStr = c"encoded-pub-key";
const GROUP: &CStr = c"group";

/// What OpenSSL holds as a key: a share in the key and in its provider.
#[derive(Clone)]
pub(crate) struct KeyData {
    key: Arc<Key>,
    provider: Arc<Provider>,
}

impl KeyData {
    pub(crate) fn new(key: Key, provider: &Arc<Provider>) -> KeyData {
        KeyData { key: Arc::new(key), provider: provider.clone() }
    }

    pub(crate) fn provider(&self) -> &Provider {
        &self.provider
    }

    fn set_public(&self, bytes: &[u8]) -> Result<(), Error> {
        self.key.set_public(self.provider.libcrypto.as_ref(), bytes)
    }

    /// Whether the key has all that a selection names.
    fn has(&self, selection: c_int) -> bool {
        (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY == 0 || self.has_public())
            && (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY == 0 || self.has_private())
    }
}

impl Deref for KeyData {
    type Target = Key;
    fn deref(&self) -> &Key {
        &self.key
    }
}

/// A key that is about to be generated.
struct Generation {
    provider: Arc<Provider>,
    index: usize,
    selection: c_int,
    seed: Option<Zeroizing<Vec<u8>>>,
}

impl Generation {
    fn set(&mut self, params: Params<'_>) -> Result<(), Error> {
        let expected = GROUPS[self.index].name;
        match params.text(GROUP)? {
            // TLS repeats the name of the group here.
            Some(name) if !name.eq_ignore_ascii_case(expected) => {
                return Err(Error::Parameter(format!("the group is {expected}, not {name}")));
            }
            _ => {}
        }
        if let Some(seed) = params.octets(SEED)? {
            self.seed = Some(Zeroizing::new(seed.to_vec()));
        }
        Ok(())
    }
}

/// Functions that depend on the algorithm: OpenSSL does not tell them which one it is.
struct Of<const INDEX: usize>;

impl<const INDEX: usize> Of<INDEX> {
    const FUNCTIONS: &'static [OSSL_DISPATCH] = &[
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_NEW, Self::empty as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GEN_INIT, Self::gen_init as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, gen_set_template as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, gen_set_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, gen_settable_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GEN, generate as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, gen_cleanup as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_LOAD, load as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_FREE, key_free as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_SET_PARAMS, set_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, settable_params as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_HAS, has as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_VALIDATE, validate as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_MATCH, matches as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_IMPORT, import as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, key_types as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_EXPORT, export as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, key_types as *const c_void),
        OSSL_DISPATCH::new(OSSL_FUNC_KEYMGMT_DUP, dup as *const c_void),
        OSSL_DISPATCH::END,
    ];

    unsafe extern "C" fn empty(context: *mut c_void) -> *mut c_void {
        // SAFETY: OpenSSL passes the context.
        let Some(provider) = (unsafe { provider(context) }) else { return std::ptr::null_mut() };
        guarded(None, || Ok(boxed(KeyData::new(Key::empty(&GROUPS[INDEX]), &provider))))
    }

    unsafe extern "C" fn gen_init(
        context: *mut c_void,
        selection: c_int,
        params: *const OSSL_PARAM,
    ) -> *mut c_void {
        // SAFETY: OpenSSL passes the context and a list.
        let (Some(provider), params) = (unsafe { (provider(context), Params::new(params)) }) else {
            return std::ptr::null_mut();
        };
        guarded(Some(&provider), || {
            let mut generation =
                Generation { provider: provider.clone(), index: INDEX, selection, seed: None };
            generation.set(params)?;
            Ok(boxed(generation))
        })
    }
}

/// The tables, in the order of [`GROUPS`].
pub(crate) const FUNCTIONS: [&[OSSL_DISPATCH]; GROUPS.len()] = [
    Of::<0>::FUNCTIONS,
    Of::<1>::FUNCTIONS,
    Of::<2>::FUNCTIONS,
    Of::<3>::FUNCTIONS,
    Of::<4>::FUNCTIONS,
    Of::<5>::FUNCTIONS,
    Of::<6>::FUNCTIONS,
    Of::<7>::FUNCTIONS,
];

unsafe extern "C" fn gen_set_template(_: *mut c_void, _: *mut c_void) -> c_int {
    // A key of the same group, which has no parameters to take over.
    1
}

unsafe extern "C" fn gen_set_params(generation: *mut c_void, params: *const OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes what `gen_init` returned, and a list.
    let (Some(generation), params) = (unsafe { (borrow_mut::<Generation>(generation), Params::new(params)) })
    else {
        return 0;
    };
    let provider = generation.provider.clone();
    guarded(Some(&provider), || generation.set(params).map(|()| 1))
}

unsafe extern "C" fn gen_settable_params(_: *mut c_void, _: *mut c_void) -> *const OSSL_PARAM {
    const LIST: &[OSSL_PARAM] = &[
        OSSL_PARAM::describe(GROUP, OSSL_PARAM_UTF8_STRING),
        OSSL_PARAM::describe(SEED, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::END,
    ];
    LIST.as_ptr()
}

unsafe extern "C" fn generate(
    generation: *mut c_void,
    _: Option<OSSL_CALLBACK>,
    _: *mut c_void,
) -> *mut c_void {
    // SAFETY: OpenSSL passes what `gen_init` returned.
    let Some(generation) = (unsafe { borrow::<Generation>(generation) }) else { return std::ptr::null_mut() };
    guarded(Some(&generation.provider), || {
        let (group, provider) = (&GROUPS[generation.index], &generation.provider);
        // TLS servers ask for the parameters only, and set the client's public key afterwards.
        let key = if generation.selection & OSSL_KEYMGMT_SELECT_KEYPAIR == 0 {
            Key::empty(group)
        } else {
            let seed = generation.seed.as_ref().map(|seed| seed.as_slice());
            Key::generate(group, provider.libcrypto.as_ref(), seed)?
        };
        Ok(boxed(KeyData::new(key, provider)))
    })
}

unsafe extern "C" fn gen_cleanup(generation: *mut c_void) {
    // SAFETY: OpenSSL passes what `gen_init` returned, for the last time.
    unsafe { free::<Generation>(generation) }
}

/// Takes over the key that a decoder made. Its reference is the address of a pointer, which becomes null.
unsafe extern "C" fn load(reference: *const c_void, len: usize) -> *mut c_void {
    if reference.is_null() || len != size_of::<*mut c_void>() {
        return std::ptr::null_mut();
    }
    // SAFETY: this provider's decoder made the reference, and nobody else uses it.
    unsafe { std::mem::replace(&mut *reference.cast_mut().cast::<*mut c_void>(), std::ptr::null_mut()) }
}

unsafe extern "C" fn key_free(key: *mut c_void) {
    // SAFETY: OpenSSL passes a key of this provider, for the last time.
    unsafe { free::<KeyData>(key) }
}

unsafe extern "C" fn get_params(key: *mut c_void, params: *mut OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes a key of this provider, and a list.
    let (Some(key), mut answers) = (unsafe { (borrow::<KeyData>(key), Answers::new(params)) }) else {
        return 0;
    };
    guarded(Some(key.provider()), || {
        let scheme = key.group.scheme;
        // No standard says what the bits of an HQC key are; those of the public key tell most.
        answers.number(c"bits", 8 * scheme.sizes().encapsulation_key)?;
        answers.number(c"security-bits", security_bits(scheme))?;
        answers.number(c"security-category", category(scheme))?;
        answers.number(c"max-size", key.group.server_share_bytes())?;
        if key.has_public() && (answers.wants(ENCODED_PUBLIC_KEY) || answers.wants(PUB)) {
            let bytes = key.public_bytes()?;
            answers.octets(ENCODED_PUBLIC_KEY, &bytes)?;
            answers.octets(PUB, &bytes)?;
        }
        if answers.wants(PRIV) {
            answers.octets(PRIV, &key.private_bytes()?)?;
        }
        if answers.wants(SEED) {
            answers.octets(SEED, key.seed()?)?;
        }
        Ok(1)
    })
}

unsafe extern "C" fn gettable_params(_: *mut c_void) -> *const OSSL_PARAM {
    const LIST: &[OSSL_PARAM] = &[
        OSSL_PARAM::describe(c"bits", OSSL_PARAM_INTEGER),
        OSSL_PARAM::describe(c"security-bits", OSSL_PARAM_INTEGER),
        OSSL_PARAM::describe(c"security-category", OSSL_PARAM_INTEGER),
        OSSL_PARAM::describe(c"max-size", OSSL_PARAM_INTEGER),
        OSSL_PARAM::describe(ENCODED_PUBLIC_KEY, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::describe(PUB, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::describe(PRIV, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::describe(SEED, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::END,
    ];
    LIST.as_ptr()
}

unsafe extern "C" fn set_params(key: *mut c_void, params: *const OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes a key of this provider, and a list.
    let (Some(key), params) = (unsafe { (borrow::<KeyData>(key), Params::new(params)) }) else { return 0 };
    guarded(Some(key.provider()), || {
        if let Some(bytes) = params.octets(ENCODED_PUBLIC_KEY)? {
            key.set_public(bytes)?;
        }
        Ok(1)
    })
}

unsafe extern "C" fn settable_params(_: *mut c_void) -> *const OSSL_PARAM {
    const LIST: &[OSSL_PARAM] =
        &[OSSL_PARAM::describe(ENCODED_PUBLIC_KEY, OSSL_PARAM_OCTET_STRING), OSSL_PARAM::END];
    LIST.as_ptr()
}

unsafe extern "C" fn has(key: *const c_void, selection: c_int) -> c_int {
    // SAFETY: OpenSSL passes a key of this provider.
    unsafe { borrow::<KeyData>(key) }.is_some_and(|key| key.has(selection)).into()
}

unsafe extern "C" fn validate(key: *const c_void, selection: c_int, _: c_int) -> c_int {
    // Imports check everything, also that a key and its seed belong together, so a key that is there is valid.
    // SAFETY: OpenSSL passes a key of this provider.
    unsafe { has(key, selection) }
}

unsafe extern "C" fn matches(one: *const c_void, other: *const c_void, selection: c_int) -> c_int {
    // SAFETY: OpenSSL passes two keys of this provider.
    let (Some(one), Some(other)) = (unsafe { (borrow::<KeyData>(one), borrow::<KeyData>(other)) }) else {
        return 0;
    };
    guarded(Some(one.provider()), || {
        if one.group != other.group {
            return Ok(0);
        }
        // Equal public keys have equal private ones.
        let compare = selection & OSSL_KEYMGMT_SELECT_KEYPAIR != 0;
        Ok((!compare || one.public_bytes()? == other.public_bytes()?).into())
    })
}

unsafe extern "C" fn import(key: *mut c_void, selection: c_int, params: *const OSSL_PARAM) -> c_int {
    // SAFETY: OpenSSL passes a key of this provider, and a list.
    let (Some(key), params) = (unsafe { (borrow::<KeyData>(key), Params::new(params)) }) else { return 0 };
    guarded(Some(key.provider()), || {
        let public = params.octets(PUB)?;
        let (mut private, mut seed) = (None, None);
        if selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY != 0 {
            (private, seed) = (params.octets(PRIV)?, params.octets(SEED)?);
        }
        match (seed, private, public) {
            (Some(seed), Some(full), _) => key.set_private(Private::Both { seed, full }, public)?,
            (Some(seed), None, _) => key.set_private(Private::Seed(seed), public)?,
            (None, Some(private), _) => key.set_private(Private::Full(private), public)?,
            (None, None, Some(public)) => key.set_public(public)?,
            (None, None, None) => return Err(Error::Missing("public or private key among its parameters")),
        }
        Ok(1)
    })
}

unsafe extern "C" fn export(
    key: *const c_void,
    selection: c_int,
    callback: Option<OSSL_CALLBACK>,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: OpenSSL passes a key of this provider.
    let Some(key) = (unsafe { borrow::<KeyData>(key) }) else { return 0 };
    guarded(Some(key.provider()), || {
        let (public, private);
        let mut list = List::new();
        if selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY != 0 {
            public = key.public_bytes()?;
            list = list.octets(PUB, &public);
        }
        if selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY != 0 {
            private = key.private_bytes()?;
            list = list.octets(PRIV, &private).octets(SEED, key.seed()?);
        }
        // SAFETY: OpenSSL passes the callback with its argument.
        unsafe { list.end().send(callback, argument) }
    })
}

unsafe extern "C" fn key_types(selection: c_int) -> *const OSSL_PARAM {
    const LIST: &[OSSL_PARAM] = &[
        OSSL_PARAM::describe(PUB, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::describe(PRIV, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::describe(SEED, OSSL_PARAM_OCTET_STRING),
        OSSL_PARAM::END,
    ];
    if selection & OSSL_KEYMGMT_SELECT_KEYPAIR != 0 { LIST.as_ptr() } else { std::ptr::null() }
}

unsafe extern "C" fn dup(key: *const c_void, selection: c_int) -> *mut c_void {
    // SAFETY: OpenSSL passes a key of this provider.
    let Some(key) = (unsafe { borrow::<KeyData>(key) }) else { return std::ptr::null_mut() };
    guarded(Some(key.provider()), || {
        let copy = match selection & OSSL_KEYMGMT_SELECT_KEYPAIR {
            0 => Key::empty(key.group),
            OSSL_KEYMGMT_SELECT_PUBLIC_KEY if key.has_public() => {
                key.to_public(key.provider.libcrypto.as_ref())?
            }
            // Keys do not change, so a copy may share them, unless their parts are still to be set.
            _ if key.has_public() => return Ok(boxed(key.clone())),
            _ => Key::empty(key.group),
        };
        Ok(boxed(KeyData::new(copy, &key.provider)))
    })
}
