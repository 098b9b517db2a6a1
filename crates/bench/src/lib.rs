//! The measuring harness of carryless.
//!
//! Time stamp ticks mislead: a core runs faster than its counter in scalar code and slower under wide
//! multiplications, and stays slow for a while after them. So the harness
//! - verifies before it times: all [subjects](subject::Subject) of a family must give the same bytes
//!   ([`verify`]);
//! - takes samples of all subjects in turn ([`sampler`]), each between two
//!   [probes of the core](clock::Clock::probe), and rejects a sample if the probes' clocks differ by more
//!   than 1.2 % or another hardware thread was busy on the core;
//! - reports core cycles per byte and ticks per byte: the least median of a batch, the median and the
//!   quartiles ([`stats::Spread`]);
//! - checks [assertions](assertion::Comparison) on the figures, so that a claim can be repeated by one
//!   command.
//!
//! Calls of a sample follow each other without waiting for each other's result, so a core may begin one
//! message while it ends another. [`Mode::Latency`](subject::Mode::Latency) makes them wait. The message is
//! in the cache.
//!
//! [`cli`] is the command, and [`families::FAMILIES`] are the functions that it measures. [`peers`] are other
//! libraries. [`papers000_003`], [`paper001`] and [`paper002`] set our figures beside the tables of papers, as
//! [tables](table) and [claims](claim) that [`output`] prints and writes.
//!
//! ```
//! use carryless_bench::{clock::Clock, families::POLY1305, sampler, subject::Mode};
//!
//! let subjects = POLY1305.ours(Mode::OneShot);
//! let setting = sampler::Setting { subjects: &[&subjects[0]], length: 1024, count: 1, chained: false };
//! let measured = sampler::measure(&Clock::start(), setting, 0.01);
//! println!("{:.3} cycles per byte", measured[0].cycles.min / 1024.0);
//! ```
#![deny(unsafe_code)]

pub mod aead;
pub mod algebra;
pub mod assertion;
mod calls;
pub mod claim;
pub mod cli;
pub mod papers000_003;
// Time stamps, and instructions whose cycles are known, need assembly.
#[allow(unsafe_code)]
pub mod clock;
mod csv;
pub mod ctime_hqc;
#[cfg(feature = "curves")]
pub mod curves;
mod data;
pub mod effort;
pub mod environment;
pub mod f2x;
pub mod families;
pub mod family;
pub mod hqc;
pub mod input;
pub mod leaks;
pub mod lengths;
pub mod ours;
pub mod output;
pub mod paper001;
pub mod paper002;
#[cfg(feature = "fields")]
pub mod paper004;
pub mod papers;
pub mod peers;
pub mod polynomials;
pub mod provenance;
pub mod report;
pub mod run;
pub mod sampler;
pub mod stats;
pub mod subject;
pub mod table;
pub mod verify;
pub mod welch;
