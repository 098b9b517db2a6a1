//! Random bytes of the system.
use crate::memory::Output;
use crate::status::{call, carryless_status, carryless_status as Status};

impl From<getrandom::Error> for Status {
    fn from(_: getrandom::Error) -> Status {
        Status::Random
    }
}

/// Fills `bytes` with random bytes of the system's source, fit for keys, nonces and seeds. CARRYLESS_STATUS_RANDOM if it gives none; bytes may be written then.
///
/// # Safety
/// `bytes` is null or leads to `bytes_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_random_generate(bytes: *mut u8, bytes_len: usize) -> carryless_status {
    call(|| {
        let bytes = Output::new(bytes, bytes_len)?;
        // SAFETY: the caller's promise.
        Ok(getrandom::fill(unsafe { bytes.slice() })?)
    })
}
