//! The thread pool for reading and hashing.
use std::thread::available_parallelism;

use anyhow::{Context as _, Result, ensure};

/// Number of items whose results are held in memory at a time.
pub(crate) const BATCH: usize = 4096;

/// Largest number of threads that is accepted.
pub(crate) const MAX_THREADS: u16 = 1024;

/// Starts a pool of this many threads, or of one for each processor. Fails outside of 1 to [`MAX_THREADS`].
pub(crate) fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool> {
    let most = usize::from(MAX_THREADS);
    // Never 0: rayon would then take a number from the environment, without this limit.
    let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from).min(most));
    ensure!((1..=most).contains(&threads), "from 1 to {most} threads, not {threads}");
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")
}
