//! Lists of parameters: those that OpenSSL passes, those that it wants answered, and those that are sent to it.
use super::abi::*;
use crate::error::Error;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;

/// Parameters that OpenSSL passes in.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a>(&'a [OSSL_PARAM]);

impl<'a> Params<'a> {
    /// # Safety
    /// `first` is null or the first entry of a list that ends with a null key. The list and its data can be read for `'a`.
    pub(crate) unsafe fn new(first: *const OSSL_PARAM) -> Params<'a> {
        // SAFETY: the caller's promise.
        Params(unsafe { std::slice::from_raw_parts(non_null(first), count(first)) })
    }

    /// Returns the bytes under this key, if it is there. A value of no bytes is there: whoever passes an empty key or seed
    /// must not get a random one.
    ///
    /// # Errors
    /// If the value is not bytes.
    pub(crate) fn octets(&self, key: &CStr) -> Result<Option<&'a [u8]>, Error> {
        self.bytes(key, OSSL_PARAM_OCTET_STRING)
    }

    /// Returns the text under this key, if it is there. An empty text counts as not there.
    ///
    /// # Errors
    /// If the value is not text in UTF-8.
    pub(crate) fn text(&self, key: &CStr) -> Result<Option<&'a str>, Error> {
        let bytes = self.bytes(key, OSSL_PARAM_UTF8_STRING)?;
        let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else { return Ok(None) };
        // OpenSSL may count the zero byte at the end.
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        let text = std::str::from_utf8(&bytes[..end]);
        text.map(Some).map_err(|_| wrong(key))
    }

    fn bytes(&self, key: &CStr, data_type: c_uint) -> Result<Option<&'a [u8]>, Error> {
        // SAFETY: the list has only entries with a key.
        let Some(param) = self.0.iter().find(|param| unsafe { is(param, key) }) else { return Ok(None) };
        if param.data_type != data_type {
            return Err(wrong(key));
        }
        if param.data.is_null() {
            return Ok(Some(&[]));
        }
        // SAFETY: the promise given to `new`.
        Ok(Some(unsafe { std::slice::from_raw_parts(param.data.cast(), param.data_size) }))
    }
}

/// Parameters that OpenSSL wants answered.
pub(crate) struct Answers<'a>(&'a mut [OSSL_PARAM]);

impl Answers<'_> {
    /// # Safety
    /// As for [`Params::new`], and the list and its data can be written.
    pub(crate) unsafe fn new(first: *mut OSSL_PARAM) -> Self {
        // SAFETY: the caller's promise.
        Answers(unsafe { std::slice::from_raw_parts_mut(non_null(first).cast_mut(), count(first)) })
    }

    /// Whether this key is asked for.
    pub(crate) fn wants(&mut self, key: &CStr) -> bool {
        self.find(key).is_some()
    }

    /// Answers a number, if it is asked for.
    ///
    /// # Errors
    /// If its place is for another type.
    pub(crate) fn number(&mut self, key: &CStr, value: usize) -> Result<(), Error> {
        let Some(param) = self.find(key) else { return Ok(()) };
        let signed = param.data_type == OSSL_PARAM_INTEGER || param.data_type == OSSL_PARAM_UNSIGNED_INTEGER;
        // The numbers of this provider are below 2^31, so signs do not matter.
        match param.data_size {
            4 if signed => write(param, key, &(value as u32).to_ne_bytes()),
            8 if signed => write(param, key, &(value as u64).to_ne_bytes()),
            _ => Err(wrong(key)),
        }
    }

    /// Answers bytes, if they are asked for. If there is no place for them, only their number is answered.
    ///
    /// # Errors
    /// If the place is for another type, or too short.
    pub(crate) fn octets(&mut self, key: &CStr, value: &[u8]) -> Result<(), Error> {
        let Some(param) = self.find(key) else { return Ok(()) };
        if param.data_type != OSSL_PARAM_OCTET_STRING {
            return Err(wrong(key));
        }
        write(param, key, value)
    }

    /// Answers a constant text by a pointer to it, if it is asked for.
    ///
    /// # Errors
    /// If its place is for another type.
    pub(crate) fn constant(&mut self, key: &CStr, value: &'static CStr) -> Result<(), Error> {
        let Some(param) = self.find(key) else { return Ok(()) };
        if param.data_type != OSSL_PARAM_UTF8_PTR || param.data.is_null() {
            return Err(wrong(key));
        }
        param.return_size = value.count_bytes();
        // SAFETY: the data of this type is a pointer, which can be written by the promise given to `new`.
        unsafe { param.data.cast::<*const c_char>().write_unaligned(value.as_ptr()) };
        Ok(())
    }

    fn find(&mut self, key: &CStr) -> Option<&mut OSSL_PARAM> {
        // SAFETY: the list has only entries with a key.
        self.0.iter_mut().find(|param| unsafe { is(param, key) })
    }
}

/// Writes a value to its place. A null place asks for the length only.
fn write(param: &mut OSSL_PARAM, key: &CStr, value: &[u8]) -> Result<(), Error> {
    param.return_size = value.len();
    if param.data.is_null() {
        return Ok(());
    }
    if param.data_size < value.len() {
        let text = format!(
            "the place of {} has {} bytes, not {}",
            key.to_string_lossy(),
            param.data_size,
            value.len()
        );
        return Err(Error::Parameter(text));
    }
    // SAFETY: the promise given to `Answers::new`; the length was compared.
    unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), param.data.cast(), value.len()) };
    Ok(())
}

/// A list of parameters to be sent. It borrows its values.
pub(crate) struct List<'a>(Vec<OSSL_PARAM>, PhantomData<&'a [u8]>);

impl<'a> List<'a> {
    pub(crate) fn new() -> List<'a> {
        List(Vec::new(), PhantomData)
    }

    pub(crate) fn octets(self, key: &'static CStr, value: &'a [u8]) -> Self {
        self.with(key, OSSL_PARAM_OCTET_STRING, value.as_ptr().cast(), value.len())
    }

    /// Passes the bytes at a place that the receiver may write: a reference to them would not allow that.
    pub(crate) fn place(self, key: &'static CStr, place: *mut c_void, len: usize) -> Self {
        self.with(key, OSSL_PARAM_OCTET_STRING, place, len)
    }

    pub(crate) fn text(self, key: &'static CStr, value: &'a CStr) -> Self {
        self.with(key, OSSL_PARAM_UTF8_STRING, value.as_ptr().cast(), value.count_bytes())
    }

    pub(crate) fn int(self, key: &'static CStr, value: &'a c_int) -> Self {
        self.with(key, OSSL_PARAM_INTEGER, std::ptr::from_ref(value).cast(), size_of::<c_int>())
    }

    pub(crate) fn uint(self, key: &'static CStr, value: &'a c_uint) -> Self {
        self.with(key, OSSL_PARAM_UNSIGNED_INTEGER, std::ptr::from_ref(value).cast(), size_of::<c_uint>())
    }

    fn with(mut self, key: &'static CStr, data_type: c_uint, data: *const c_void, len: usize) -> Self {
        self.0.push(OSSL_PARAM::pass(key, data_type, data, len));
        self
    }

    /// Ends the list. The pointer is valid as long as the result and the values.
    pub(crate) fn end(mut self) -> Ended<'a> {
        self.0.push(OSSL_PARAM::END);
        Ended(self.0, PhantomData)
    }
}

/// A list with its end.
pub(crate) struct Ended<'a>(Vec<OSSL_PARAM>, PhantomData<&'a [u8]>);

impl Ended<'_> {
    pub(crate) fn as_ptr(&self) -> *const OSSL_PARAM {
        self.0.as_ptr()
    }

    /// Calls OpenSSL with the list, and returns what it returns.
    ///
    /// # Errors
    /// If the callback is null.
    ///
    /// # Safety
    /// `callback` came from OpenSSL together with `argument`.
    pub(crate) unsafe fn send(
        &self,
        callback: Option<OSSL_CALLBACK>,
        argument: *mut c_void,
    ) -> Result<c_int, Error> {
        let callback = callback.ok_or(Error::Null)?;
        // SAFETY: the caller's promise; the list ends with a null key.
        Ok(unsafe { callback(self.as_ptr(), argument) })
    }
}

fn wrong(key: &CStr) -> Error {
    Error::Parameter(format!("the parameter {} has a wrong type", key.to_string_lossy()))
}

/// # Safety
/// The entry has a key.
unsafe fn is(param: &OSSL_PARAM, key: &CStr) -> bool {
    // SAFETY: keys are strings that end with a zero byte.
    unsafe { CStr::from_ptr(param.key) == key }
}

/// Returns the number of entries before the end.
///
/// # Safety
/// As for [`Params::new`].
unsafe fn count(first: *const OSSL_PARAM) -> usize {
    let mut len = 0;
    // SAFETY: the entries up to the one with a null key can be read.
    while !first.is_null() && unsafe { !(*first.add(len)).key.is_null() } {
        len += 1;
    }
    len
}

/// Returns the pointer, or that of an empty slice if it is null.
fn non_null(first: *const OSSL_PARAM) -> *const OSSL_PARAM {
    if first.is_null() { std::ptr::NonNull::dangling().as_ptr() } else { first }
}

/// A parameter for the answer of [`super::core::Core::setting`]: a pointer to text.
pub(crate) fn text_pointer(key: &CStr, place: &mut *const c_char) -> [OSSL_PARAM; 2] {
    let entry = OSSL_PARAM {
        key: key.as_ptr(),
        data_type: OSSL_PARAM_UTF8_PTR,
        data: std::ptr::from_mut(place).cast(),
        data_size: 0,
        return_size: 0,
    };
    debug_assert_ne!(entry.data, null_mut());
    [entry, OSSL_PARAM::END]
}
