//! The AEADs on every machine of this CPU: vectors, the big-integer reference, RustCrypto's and libsodium's, faults, STREAM, and what they
//! leave in memory.
//!
//! `CARRYLESS_QUICK=1` leaves out most lengths, for emulators.
mod common;
mod faults;
mod lengths;
#[cfg(not(any(miri, target_family = "wasm")))]
mod libsodium;
mod peers;
mod states;
mod stream;
mod vectors;
