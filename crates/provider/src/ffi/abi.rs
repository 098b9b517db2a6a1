//! OpenSSL's binary interface of providers, written out from `openssl/core.h`, `core_dispatch.h` and `core_names.h`.
//!
//! Names and values are OpenSSL's, so that a search in its headers finds them. They have not changed since 3.0.
#![allow(non_camel_case_types)]
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// A function of a table, under a number that the operation defines. A table ends with number 0.
#[repr(C)]
pub(crate) struct OSSL_DISPATCH {
    pub(crate) function_id: c_int,
    pub(crate) function: *const c_void,
}

/// An algorithm: its names, separated by colons, its properties and its functions.
#[repr(C)]
pub(crate) struct OSSL_ALGORITHM {
    pub(crate) algorithm_names: *const c_char,
    pub(crate) property_definition: *const c_char,
    pub(crate) implementation: *const OSSL_DISPATCH,
    pub(crate) algorithm_description: *const c_char,
}

/// A number with a text: here, a reason of errors.
#[repr(C)]
pub(crate) struct OSSL_ITEM {
    pub(crate) id: c_uint,
    pub(crate) ptr: *const c_void,
}

/// A named value that is passed in or out. A list ends with a null key.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct OSSL_PARAM {
    pub(crate) key: *const c_char,
    pub(crate) data_type: c_uint,
    pub(crate) data: *mut c_void,
    pub(crate) data_size: usize,
    pub(crate) return_size: usize,
}

/// The callback that takes a list of parameters.
pub(crate) type OSSL_CALLBACK = unsafe extern "C" fn(*const OSSL_PARAM, *mut c_void) -> c_int;

// SAFETY: the pointers in constant tables lead to constants, which threads may share.
unsafe impl Sync for OSSL_DISPATCH {}
// SAFETY: as above.
unsafe impl Sync for OSSL_PARAM {}
// SAFETY: as above; those in a provider's context lead to strings and tables that live as long as it and never change.
unsafe impl Sync for OSSL_ALGORITHM {}
// SAFETY: as above.
unsafe impl Send for OSSL_ALGORITHM {}
// SAFETY: as above.
unsafe impl Sync for OSSL_ITEM {}

impl OSSL_DISPATCH {
    pub(crate) const END: OSSL_DISPATCH = OSSL_DISPATCH { function_id: 0, function: null() };

    /// `function` must have the signature that OpenSSL's header gives for this number.
    pub(crate) const fn new(function_id: c_int, function: *const c_void) -> OSSL_DISPATCH {
        OSSL_DISPATCH { function_id, function }
    }
}

impl OSSL_ALGORITHM {
    pub(crate) const END: OSSL_ALGORITHM = OSSL_ALGORITHM {
        algorithm_names: null(),
        property_definition: null(),
        implementation: null(),
        algorithm_description: null(),
    };
}

/// `OSSL_PARAM_UNMODIFIED`: the value of `return_size` before a parameter is answered.
const OSSL_PARAM_UNMODIFIED: usize = usize::MAX;

impl OSSL_PARAM {
    pub(crate) const END: OSSL_PARAM = OSSL_PARAM::describe_raw(null(), 0);

    const fn describe_raw(key: *const c_char, data_type: c_uint) -> OSSL_PARAM {
        OSSL_PARAM { key, data_type, data: null_mut(), data_size: 0, return_size: OSSL_PARAM_UNMODIFIED }
    }

    /// An entry of a list that says which parameters a function knows.
    pub(crate) const fn describe(key: &'static std::ffi::CStr, data_type: c_uint) -> OSSL_PARAM {
        OSSL_PARAM::describe_raw(key.as_ptr(), data_type)
    }

    /// An entry that passes `data_size` bytes at `data`.
    pub(crate) const fn pass(
        key: &'static std::ffi::CStr,
        data_type: c_uint,
        data: *const c_void,
        data_size: usize,
    ) -> OSSL_PARAM {
        let mut param = OSSL_PARAM::describe(key, data_type);
        param.data = data.cast_mut();
        param.data_size = data_size;
        param
    }
}

/// Declares numbers of functions.
macro_rules! numbers {
    ($($name:ident = $number:expr;)*) => { $(pub(crate) const $name: c_int = $number;)* };
}

// What OpenSSL offers a provider.
numbers! {
    OSSL_FUNC_CORE_GET_PARAMS = 2;
    OSSL_FUNC_CORE_NEW_ERROR = 5;
    OSSL_FUNC_CORE_SET_ERROR_DEBUG = 6;
    OSSL_FUNC_CORE_VSET_ERROR = 7;
    OSSL_FUNC_BIO_READ_EX = 42;
    OSSL_FUNC_BIO_WRITE_EX = 43;
}

// What a provider offers.
numbers! {
    OSSL_FUNC_PROVIDER_TEARDOWN = 1024;
    OSSL_FUNC_PROVIDER_GETTABLE_PARAMS = 1025;
    OSSL_FUNC_PROVIDER_GET_PARAMS = 1026;
    OSSL_FUNC_PROVIDER_QUERY_OPERATION = 1027;
    OSSL_FUNC_PROVIDER_GET_REASON_STRINGS = 1029;
    OSSL_FUNC_PROVIDER_GET_CAPABILITIES = 1030;

    OSSL_OP_KEYMGMT = 10;
    OSSL_OP_KEM = 14;
    OSSL_OP_ENCODER = 20;
    OSSL_OP_DECODER = 21;
}

numbers! {
    OSSL_FUNC_KEYMGMT_NEW = 1;
    OSSL_FUNC_KEYMGMT_GEN_INIT = 2;
    OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE = 3;
    OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS = 4;
    OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS = 5;
    OSSL_FUNC_KEYMGMT_GEN = 6;
    OSSL_FUNC_KEYMGMT_GEN_CLEANUP = 7;
    OSSL_FUNC_KEYMGMT_LOAD = 8;
    OSSL_FUNC_KEYMGMT_FREE = 10;
    OSSL_FUNC_KEYMGMT_GET_PARAMS = 11;
    OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS = 12;
    OSSL_FUNC_KEYMGMT_SET_PARAMS = 13;
    OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS = 14;
    OSSL_FUNC_KEYMGMT_HAS = 21;
    OSSL_FUNC_KEYMGMT_VALIDATE = 22;
    OSSL_FUNC_KEYMGMT_MATCH = 23;
    OSSL_FUNC_KEYMGMT_IMPORT = 40;
    OSSL_FUNC_KEYMGMT_IMPORT_TYPES = 41;
    OSSL_FUNC_KEYMGMT_EXPORT = 42;
    OSSL_FUNC_KEYMGMT_EXPORT_TYPES = 43;
    OSSL_FUNC_KEYMGMT_DUP = 44;

    OSSL_KEYMGMT_SELECT_PRIVATE_KEY = 0x01;
    OSSL_KEYMGMT_SELECT_PUBLIC_KEY = 0x02;
    OSSL_KEYMGMT_SELECT_KEYPAIR = 0x03;
}

numbers! {
    OSSL_FUNC_KEM_NEWCTX = 1;
    OSSL_FUNC_KEM_ENCAPSULATE_INIT = 2;
    OSSL_FUNC_KEM_ENCAPSULATE = 3;
    OSSL_FUNC_KEM_DECAPSULATE_INIT = 4;
    OSSL_FUNC_KEM_DECAPSULATE = 5;
    OSSL_FUNC_KEM_FREECTX = 6;
    OSSL_FUNC_KEM_DUPCTX = 7;
    OSSL_FUNC_KEM_SET_CTX_PARAMS = 10;
    OSSL_FUNC_KEM_SETTABLE_CTX_PARAMS = 11;
}

numbers! {
    OSSL_FUNC_ENCODER_NEWCTX = 1;
    OSSL_FUNC_ENCODER_FREECTX = 2;
    OSSL_FUNC_ENCODER_SET_CTX_PARAMS = 5;
    OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS = 6;
    OSSL_FUNC_ENCODER_DOES_SELECTION = 10;
    OSSL_FUNC_ENCODER_ENCODE = 11;

    OSSL_FUNC_DECODER_NEWCTX = 1;
    OSSL_FUNC_DECODER_FREECTX = 2;
    OSSL_FUNC_DECODER_DOES_SELECTION = 10;
    OSSL_FUNC_DECODER_DECODE = 11;

    OSSL_OBJECT_PKEY = 2;
}

pub(crate) const OSSL_PARAM_INTEGER: c_uint = 1;
pub(crate) const OSSL_PARAM_UNSIGNED_INTEGER: c_uint = 2;
pub(crate) const OSSL_PARAM_UTF8_STRING: c_uint = 4;
pub(crate) const OSSL_PARAM_OCTET_STRING: c_uint = 5;
pub(crate) const OSSL_PARAM_UTF8_PTR: c_uint = 6;

/// `TLS1_3_VERSION` of `openssl/prov_ssl.h`.
pub(crate) const TLS1_3_VERSION: c_int = 0x0304;
