//! What the provider keeps between its load and its teardown.
use super::abi::*;
use super::core::Core;
use super::libcrypto::Libcrypto;
use crate::groups::Numbers;
use std::ffi::{CStr, CString};
use std::sync::Arc;

/// What the provider keeps from its load to its teardown.
pub(crate) struct Provider {
    pub(crate) core: Core,
    /// For hybrids. `None` if libcrypto exports nothing; then the provider has HQC alone.
    pub(crate) libcrypto: Option<Arc<Libcrypto>>,
    /// In the order of [`GROUPS`].
    pub(crate) numbers: Vec<Numbers>,
    pub(crate) keymgmt: Algorithms,
    pub(crate) kem: Algorithms,
    pub(crate) encoders: Algorithms,
    pub(crate) decoders: Algorithms,
}

/// A table of algorithms with the strings to which it points.
#[derive(Default)]
pub(crate) struct Algorithms {
    table: Vec<OSSL_ALGORITHM>,
    strings: Vec<CString>,
}

impl Algorithms {
    /// Appends an algorithm.
    pub(crate) fn add(&mut self, names: &CStr, properties: &str, implementation: &'static [OSSL_DISPATCH]) {
        // The text has no zero byte: it is made of constants.
        let (names, properties) = (names.to_owned(), CString::new(properties).unwrap_or_default());
        self.table.push(OSSL_ALGORITHM {
            algorithm_names: names.as_ptr(),
            property_definition: properties.as_ptr(),
            implementation: implementation.as_ptr(),
            algorithm_description: c"HQC by carryless, profile nr".as_ptr(),
        });
        // A `CString` is a pointer to its text, which does not move with it.
        self.strings.extend([names, properties]);
    }

    /// Ends the table.
    pub(crate) fn end(mut self) -> Self {
        self.table.push(OSSL_ALGORITHM::END);
        self
    }

    /// Returns the address of the table for OpenSSL, valid as long as this.
    pub(crate) fn as_ptr(&self) -> *const OSSL_ALGORITHM {
        self.table.as_ptr()
    }
}
