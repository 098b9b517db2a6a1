//! What every entry of OpenSSL into the provider has in common.
use super::context::Provider;
use crate::error::Error;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A value that an entry returns, with the one that means failure.
pub(crate) trait Answer {
    const FAILURE: Self;
}

impl Answer for c_int {
    const FAILURE: c_int = 0;
}

impl Answer for *mut c_void {
    const FAILURE: *mut c_void = std::ptr::null_mut();
}

/// Runs an entry. Errors and panics go to OpenSSL's queue, and the answer is failure.
///
/// A panic must not unwind into C. After one, only objects of the call may be inconsistent, and they are dropped.
pub(crate) fn guarded<T: Answer>(provider: Option<&Provider>, entry: impl FnOnce() -> Result<T, Error>) -> T {
    let result = catch_unwind(AssertUnwindSafe(entry)).unwrap_or(Err(Error::Panic));
    result.unwrap_or_else(|error| {
        if let Some(provider) = provider {
            provider.core.raise(&error);
        }
        T::FAILURE
    })
}

/// Borrows the object behind a pointer of OpenSSL. `None` if it is null.
///
/// # Safety
/// The pointer is null or came from this provider as a `T`, which lives for `'a`.
pub(crate) unsafe fn borrow<'a, T>(object: *const c_void) -> Option<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().as_ref() }
}

/// Borrows the object behind a pointer of OpenSSL to change it.
///
/// # Safety
/// As for [`borrow`], and no other thread uses the object, as OpenSSL documents for contexts of operations.
pub(crate) unsafe fn borrow_mut<'a, T>(object: *mut c_void) -> Option<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().as_mut() }
}

/// Makes a pointer for OpenSSL, which [`free`] takes back.
pub(crate) fn boxed<T>(object: T) -> *mut c_void {
    Box::into_raw(Box::new(object)).cast()
}

/// Drops what [`boxed`] made.
///
/// # Safety
/// The pointer is null or came from [`boxed`] as a `T`, and nobody uses it any more.
pub(crate) unsafe fn free<T>(object: *mut c_void) {
    if !object.is_null() {
        // SAFETY: the caller's promise. A panic in a `drop` must not reach C.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(object.cast::<T>()) })));
    }
}

/// Takes a share in the provider, for an object that may outlive the call.
///
/// # Safety
/// The pointer is null or the context that this provider gave OpenSSL.
pub(crate) unsafe fn provider(context: *const c_void) -> Option<Arc<Provider>> {
    // SAFETY: the context is a boxed `Arc`, which OpenSSL keeps until it tears the provider down.
    unsafe { borrow::<Arc<Provider>>(context) }.cloned()
}
