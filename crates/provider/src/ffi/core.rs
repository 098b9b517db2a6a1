//! OpenSSL's functions for providers: errors, settings and BIOs.
use super::abi::*;
use super::params::text_pointer;
use crate::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use zeroize::Zeroizing;

/// The most bytes of a key file. The longest, of HQC-5, has less than 8 KiB.
const MAX_DER: usize = 1 << 16;

type GetParams = unsafe extern "C" fn(*const c_void, *mut OSSL_PARAM) -> c_int;
type NewError = unsafe extern "C" fn(*const c_void);
type SetErrorDebug = unsafe extern "C" fn(*const c_void, *const c_char, c_int, *const c_char);
type VsetError = unsafe extern "C" fn(*const c_void, c_uint, *const c_char, *mut c_void);
type ReadEx = unsafe extern "C" fn(*mut c_void, *mut c_void, usize, *mut usize) -> c_int;
type WriteEx = unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut usize) -> c_int;

/// The functions, and the handle that they take.
pub(crate) struct Core {
    handle: *const c_void,
    get_params: Option<GetParams>,
    new_error: Option<NewError>,
    set_error_debug: Option<SetErrorDebug>,
    vset_error: Option<VsetError>,
    read_ex: Option<ReadEx>,
    write_ex: Option<WriteEx>,
}

// SAFETY: OpenSSL allows its handle and functions in all threads.
unsafe impl Send for Core {}
// SAFETY: as above.
unsafe impl Sync for Core {}

impl Core {
    /// Takes the functions from the table that OpenSSL passes when it loads the provider.
    ///
    /// # Safety
    /// `handle` and `functions` are those that OpenSSL passed, and `functions` is not null.
    pub(crate) unsafe fn new(handle: *const c_void, functions: *const OSSL_DISPATCH) -> Core {
        let find = |id: c_int| {
            let mut entry = functions;
            // SAFETY: the table can be read up to its end, whose number is 0.
            unsafe {
                while (*entry).function_id != 0 && (*entry).function_id != id {
                    entry = entry.add(1);
                }
                (*entry).function
            }
        };
        // SAFETY: under each number stands null or a function with the signature that OpenSSL's header gives,
        // which is the type here. `Option` of a function has the size of a pointer, and `None` is null.
        unsafe {
            Core {
                handle,
                get_params: std::mem::transmute::<*const c_void, Option<GetParams>>(find(
                    OSSL_FUNC_CORE_GET_PARAMS,
                )),
                new_error: std::mem::transmute::<*const c_void, Option<NewError>>(find(
                    OSSL_FUNC_CORE_NEW_ERROR,
                )),
                set_error_debug: std::mem::transmute::<*const c_void, Option<SetErrorDebug>>(find(
                    OSSL_FUNC_CORE_SET_ERROR_DEBUG,
                )),
                vset_error: std::mem::transmute::<*const c_void, Option<VsetError>>(find(
                    OSSL_FUNC_CORE_VSET_ERROR,
                )),
                read_ex: std::mem::transmute::<*const c_void, Option<ReadEx>>(find(OSSL_FUNC_BIO_READ_EX)),
                write_ex: std::mem::transmute::<*const c_void, Option<WriteEx>>(find(OSSL_FUNC_BIO_WRITE_EX)),
            }
        }
    }

    /// Returns the address of one of libcrypto's functions, which tells where libcrypto is.
    pub(crate) fn address(&self) -> *const c_void {
        self.get_params.map_or(std::ptr::null(), |function| function as *const c_void)
    }

    /// Puts an error on OpenSSL's queue.
    pub(crate) fn raise(&self, error: &Error) {
        let (Some(new), Some(debug), Some(set)) = (self.new_error, self.set_error_debug, self.vset_error)
        else {
            return;
        };
        // The text is a format of C. It has no directives, as every percent sign is doubled.
        let text = error.to_string().replace('%', "%%").replace('\0', " ");
        let text = CString::new(text).unwrap_or_default();
        // Without directives no argument is read, but the C library may copy the list of arguments: a place of
        // zeros larger than the list of any platform. Where lists are passed by value, they are a pointer.
        let mut arguments = [0_usize; 8];
        // SAFETY: the signatures are OpenSSL's, and the strings end with a zero byte.
        unsafe {
            new(self.handle);
            debug(self.handle, c"carryless".as_ptr(), 0, c"".as_ptr());
            set(self.handle, error.reason(), text.as_ptr(), arguments.as_mut_ptr().cast());
        }
    }

    /// Returns a value of the provider's section in the configuration.
    pub(crate) fn setting(&self, name: &str) -> Option<String> {
        let name = CString::new(name).ok()?;
        let mut value = std::ptr::null();
        let mut params = text_pointer(&name, &mut value);
        // SAFETY: the list has the form that OpenSSL documents, and `value` outlives the call.
        let found = unsafe { self.get_params?(self.handle, params.as_mut_ptr()) };
        if found != 1 || value.is_null() {
            return None;
        }
        // SAFETY: OpenSSL wrote a pointer to a string that ends with a zero byte.
        unsafe { CStr::from_ptr(value) }.to_str().ok().map(String::from)
    }

    /// Reads one structure of DER, and not a byte more. `None` if the next bytes are no structure that is a key.
    ///
    /// # Errors
    /// If OpenSSL does not offer its function.
    ///
    /// # Safety
    /// OpenSSL passed `bio`.
    pub(crate) unsafe fn read_der(&self, bio: *mut c_void) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
        let mut der = Zeroizing::new(Vec::with_capacity(MAX_DER));
        // SAFETY: the caller's promise.
        if !unsafe { self.read(bio, 2, &mut der)? } || der[0] != 0x30 {
            return Ok(None);
        }
        let len = match usize::from(der[1]) {
            short @ 0..=0x7f => short,
            long @ 0x81..=0x83 => {
                // SAFETY: the caller's promise.
                if !unsafe { self.read(bio, long - 0x80, &mut der)? } {
                    return Ok(None);
                }
                der[2..].iter().fold(0, |len, &byte| len << 8 | usize::from(byte))
            }
            _ => return Ok(None),
        };
        if len > MAX_DER - der.len() {
            return Ok(None);
        }
        // SAFETY: the caller's promise.
        Ok(unsafe { self.read(bio, len, &mut der)? }.then_some(der))
    }

    /// Appends `len` bytes of a BIO, which must fit without a reallocation. `false` if it ends before.
    unsafe fn read(&self, bio: *mut c_void, len: usize, to: &mut Vec<u8>) -> Result<bool, Error> {
        let read_ex = self.read_ex.ok_or(Error::Bio)?;
        let (mut at, end) = (to.len(), to.len() + len);
        to.resize(end, 0);
        while at < end {
            let (rest, mut done) = (&mut to[at..], 0);
            // SAFETY: `rest` can be written for its length, and the caller promises the BIO.
            if unsafe { read_ex(bio, rest.as_mut_ptr().cast(), rest.len(), &mut done) } != 1 || done == 0 {
                return Ok(false);
            }
            at += done.min(end - at);
        }
        Ok(true)
    }

    /// Writes all bytes to a BIO.
    ///
    /// # Errors
    /// If it does not take them.
    ///
    /// # Safety
    /// OpenSSL passed `bio`.
    pub(crate) unsafe fn write(&self, bio: *mut c_void, mut bytes: &[u8]) -> Result<(), Error> {
        let write_ex = self.write_ex.ok_or(Error::Bio)?;
        while !bytes.is_empty() {
            let mut done = 0;
            // SAFETY: `bytes` can be read for their length, and the caller promises the BIO.
            if unsafe { write_ex(bio, bytes.as_ptr().cast(), bytes.len(), &mut done) } != 1 || done == 0 {
                return Err(Error::Bio);
            }
            bytes = bytes.get(done..).unwrap_or_default();
        }
        Ok(())
    }
}
