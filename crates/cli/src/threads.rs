//! The threads that read and hash.
use std::thread::available_parallelism;

use anyhow::{Context as _, Result, ensure};

/// The largest number of threads.
pub(crate) const MOST: u16 = 1024;

/// A pool of so many threads, or of as many as there are processors.
pub(crate) fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool> {
    let most = usize::from(MOST);
    // Always a number: for 0, rayon would take any from the environment.
    let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from).min(most));
    ensure!((1..=most).contains(&threads), "from 1 to {most} threads, not {threads}");
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")
}
