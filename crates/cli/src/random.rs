//! Random numbers of the system.
use anyhow::{Context as _, Result};

/// Fills these bytes. Fails if the system gives no random numbers, as in a sandbox that forbids the call.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes).context("the system gives no random numbers")
}

/// Fails if the system gives no random numbers. Call this first: hash tables of the standard library panic without any.
pub(crate) fn check() -> Result<()> {
    fill(&mut [0])
}
