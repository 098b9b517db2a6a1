//! The AEADs on every backend of this CPU: vectors, the big-integer reference, RustCrypto and libsodium,
//! changed inputs, STREAM, and what is left in memory.
//!
//! `CARRYLESS_QUICK=1` leaves out most lengths, for runs in emulators.
mod common;
mod faults;
mod lengths;
#[cfg(not(any(miri, target_family = "wasm")))]
mod libsodium;
mod peers;
mod states;
mod stream;
mod vectors;
