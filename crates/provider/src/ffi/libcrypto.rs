//! The classical halves of hybrids, computed by the libcrypto that loaded the provider.
//!
//! Its functions are looked up at run time, not linked. So one file serves every libcrypto from 3.0 to 4.x, whatever
//! its file is called, and never brings a second one into the process.
use super::abi::*;
use super::params::List;
use crate::error::Error;
use crate::groups::openssl_names;
use carryless_hqc::tls::Classical;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// `OSSL_PKEY_PARAM_GROUP_NAME`
const GROUP: &CStr = c"group";
/// `OSSL_PKEY_PARAM_PUB_KEY`
const PUB: &CStr = c"pub";
/// `OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY`
const ENCODED_PUBLIC_KEY: &CStr = c"encoded-pub-key";
/// `EVP_PKEY_PUBLIC_KEY`: the public key and the parameters.
const EVP_PKEY_PUBLIC_KEY: c_int = 0x86;
/// The first byte of an uncompressed point, the only form that TLS 1.3 allows.
const UNCOMPRESSED: u8 = 4;

/// Declares the functions of libcrypto that are used, and looks them up.
macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case)]
        struct Functions {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Returns `None` unless the library exports all of them.
            ///
            /// # Safety
            /// `library` is a handle of `dlopen` for a libcrypto from 3.0 on.
            unsafe fn find(library: *mut c_void) -> Option<Functions> {
                Some(Functions {
                    $($name: {
                        // SAFETY: the name ends with a zero byte, and the handle is valid.
                        let address = unsafe { libc::dlsym(library, concat!(stringify!($name), "\0").as_ptr().cast()) };
                        if address.is_null() {
                            return None;
                        }
                        // SAFETY: libcrypto's function of this name has this signature.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(address) }
                    },)*
                })
            }
        }
    };
}

functions! {
    OSSL_LIB_CTX_new_child: fn(*const c_void, *const OSSL_DISPATCH) -> *mut c_void;
    OSSL_LIB_CTX_free: fn(*mut c_void);
    EVP_PKEY_CTX_new_from_name: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
    EVP_PKEY_CTX_new_from_pkey: fn(*mut c_void, *mut c_void, *const c_char) -> *mut c_void;
    EVP_PKEY_CTX_free: fn(*mut c_void);
    EVP_PKEY_CTX_set_params: fn(*mut c_void, *const OSSL_PARAM) -> c_int;
    EVP_PKEY_keygen_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_generate: fn(*mut c_void, *mut *mut c_void) -> c_int;
    EVP_PKEY_fromdata_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_fromdata: fn(*mut c_void, *mut *mut c_void, c_int, *const OSSL_PARAM) -> c_int;
    EVP_PKEY_get_octet_string_param: fn(*mut c_void, *const c_char, *mut u8, usize, *mut usize) -> c_int;
    EVP_PKEY_derive_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_derive_set_peer: fn(*mut c_void, *mut c_void) -> c_int;
    EVP_PKEY_derive: fn(*mut c_void, *mut u8, *mut usize) -> c_int;
    EVP_PKEY_free: fn(*mut c_void);
}

/// libcrypto, with a context of the provider's own that has the application's other providers.
pub(crate) struct Libcrypto {
    functions: Functions,
    context: *mut c_void,
}

// SAFETY: OpenSSL allows library contexts and its functions in all threads.
unsafe impl Send for Libcrypto {}
// SAFETY: as above.
unsafe impl Sync for Libcrypto {}

impl Libcrypto {
    /// Finds the library that has the function at `address`. `None` if it does not export what hybrids need, as in a
    /// program that links it statically.
    ///
    /// # Safety
    /// `address` is in libcrypto, and `handle` and `core` are those that it passed to the provider.
    pub(crate) unsafe fn find(
        address: *const c_void,
        handle: *const c_void,
        core: *const OSSL_DISPATCH,
    ) -> Option<Arc<Libcrypto>> {
        // SAFETY: an all-zero `Dl_info` is valid, and `dladdr` takes any address.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: as above.
        if unsafe { libc::dladdr(address, &mut info) } == 0 || info.dli_fname.is_null() {
            return None;
        }
        // The library is loaded, so this only makes a handle. It stays open: closing it would gain nothing.
        // SAFETY: `dladdr` gave the name.
        let named = unsafe { libc::dlopen(info.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD) };
        // The name of a program is no library's. Its own symbols are those of the null name.
        // SAFETY: the null name is allowed.
        let library = if named.is_null() { unsafe { libc::dlopen(null(), libc::RTLD_NOW) } } else { named };
        // SAFETY: the library is libcrypto, or a program that contains it.
        let functions = unsafe { Functions::find(library)? };
        // SAFETY: the caller's promise.
        let context = unsafe { (functions.OSSL_LIB_CTX_new_child)(handle, core) };
        (!context.is_null()).then(|| Arc::new(Libcrypto { functions, context }))
    }

    /// Generates a key pair.
    ///
    /// # Errors
    /// If no provider of the application has the algorithm, or it fails.
    pub(crate) fn generate(self: &Arc<Self>, curve: Classical) -> Result<Exchange, Error> {
        const STEP: Error = Error::Classical("generate a key");
        let (context, group) = (self.context_of(curve)?, openssl_names(curve).1);
        let params = group.map(|group| List::new().text(GROUP, group).end());
        let mut key = null_mut();
        // SAFETY: the context is valid, and the list ends with a null key.
        let done = unsafe {
            (self.functions.EVP_PKEY_keygen_init)(context.0) > 0
                && params
                    .is_none_or(|list| (self.functions.EVP_PKEY_CTX_set_params)(context.0, list.as_ptr()) > 0)
                && (self.functions.EVP_PKEY_generate)(context.0, &mut key) > 0
        };
        let mut key =
            Exchange { libcrypto: self.clone(), curve, key, public: vec![0; curve.public_key_bytes()] };
        if !done {
            return Err(STEP);
        }
        let (place, mut len) = (&mut key.public, 0);
        // SAFETY: the key is valid, and the place can be written for its length.
        let done = unsafe {
            let name = ENCODED_PUBLIC_KEY.as_ptr();
            (self.functions.EVP_PKEY_get_octet_string_param)(
                key.key,
                name,
                place.as_mut_ptr(),
                place.len(),
                &mut len,
            )
        };
        if done > 0 && len == place.len() { Ok(key) } else { Err(STEP) }
    }

    /// Imports a public key, and checks that it is one.
    ///
    /// # Errors
    /// If it has the wrong length, is no point of the curve, or no provider has the algorithm.
    pub(crate) fn import(self: &Arc<Self>, curve: Classical, bytes: &[u8]) -> Result<Exchange, Error> {
        const STEP: Error = Error::Classical("import a public key");
        Error::check_length("classical public key", curve.public_key_bytes(), bytes.len())?;
        let (context, group) = (self.context_of(curve)?, openssl_names(curve).1);
        let mut list = List::new().octets(PUB, bytes);
        if let Some(group) = group {
            if bytes[0] != UNCOMPRESSED {
                return Err(STEP);
            }
            list = list.text(GROUP, group);
        }
        let (list, mut key) = (list.end(), null_mut());
        // SAFETY: the context is valid, and the list ends with a null key.
        let done = unsafe {
            (self.functions.EVP_PKEY_fromdata_init)(context.0) > 0
                && (self.functions.EVP_PKEY_fromdata)(context.0, &mut key, EVP_PKEY_PUBLIC_KEY, list.as_ptr())
                    > 0
        };
        let key = Exchange { libcrypto: self.clone(), curve, key, public: bytes.to_vec() };
        if done { Ok(key) } else { Err(STEP) }
    }

    fn context_of(&self, curve: Classical) -> Result<Context<'_>, Error> {
        // SAFETY: the library context is valid, and the name ends with a zero byte.
        let context = unsafe {
            (self.functions.EVP_PKEY_CTX_new_from_name)(self.context, openssl_names(curve).0.as_ptr(), null())
        };
        Context::new(context, &self.functions)
    }
}

impl Drop for Libcrypto {
    fn drop(&mut self) {
        // SAFETY: this is the only owner, and nothing uses the context any more.
        unsafe { (self.functions.OSSL_LIB_CTX_free)(self.context) }
    }
}

/// An `EVP_PKEY_CTX`.
struct Context<'a>(*mut c_void, &'a Functions);

impl<'a> Context<'a> {
    fn new(context: *mut c_void, functions: &'a Functions) -> Result<Self, Error> {
        if context.is_null() {
            Err(Error::Classical("find the algorithm"))
        } else {
            Ok(Context(context, functions))
        }
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        unsafe { (self.1.EVP_PKEY_CTX_free)(self.0) }
    }
}

/// A classical key: an `EVP_PKEY`, with its public key as TLS sends it.
pub(crate) struct Exchange {
    libcrypto: Arc<Libcrypto>,
    curve: Classical,
    key: *mut c_void,
    public: Vec<u8>,
}

// SAFETY: OpenSSL allows keys in all threads, as long as none changes them, and nothing here does.
unsafe impl Send for Exchange {}
// SAFETY: as above.
unsafe impl Sync for Exchange {}

impl Exchange {
    pub(crate) fn public(&self) -> &[u8] {
        &self.public
    }

    /// Generates a key on the same curve.
    ///
    /// # Errors
    /// Those of [`Libcrypto::generate`].
    pub(crate) fn generate(&self) -> Result<Exchange, Error> {
        self.libcrypto.generate(self.curve)
    }

    /// Imports a public key on the same curve.
    ///
    /// # Errors
    /// Those of [`Libcrypto::import`].
    pub(crate) fn import(&self, bytes: &[u8]) -> Result<Exchange, Error> {
        self.libcrypto.import(self.curve, bytes)
    }

    /// Writes the shared secret of this private key and a public key on the same curve.
    ///
    /// # Errors
    /// If the public key is refused: of X25519 and X448, one that makes the secret zero.
    pub(crate) fn derive(&self, peer: &Exchange, secret: &mut [u8]) -> Result<(), Error> {
        let (functions, mut len) = (&self.libcrypto.functions, secret.len());
        // SAFETY: the library context and the key are valid.
        let context =
            unsafe { (functions.EVP_PKEY_CTX_new_from_pkey)(self.libcrypto.context, self.key, null()) };
        let context = Context::new(context, functions)?;
        // SAFETY: the context and the peer's key are valid, and `secret` can be written for `len` bytes.
        let done = unsafe {
            (functions.EVP_PKEY_derive_init)(context.0) > 0
                && (functions.EVP_PKEY_derive_set_peer)(context.0, peer.key) > 0
                && (functions.EVP_PKEY_derive)(context.0, secret.as_mut_ptr(), &mut len) > 0
        };
        if done && len == secret.len() { Ok(()) } else { Err(Error::Classical("derive the secret")) }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // SAFETY: this is the only owner. Null is allowed, and the private key is wiped.
        unsafe { (self.libcrypto.functions.EVP_PKEY_free)(self.key) }
    }
}
