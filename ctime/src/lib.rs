//! Constant time, checked: every public function of `carryless-hash`, `carryless-aead`, `carryless-ec`, `carryless-hqc`, `carryless_gf2::poly`, `field` and `curve` that takes a
//! secret, called with secrets that valgrind's memcheck follows.
//!
//! Lengths are public; keys, messages, polynomials, tags and everything computed from them are secret until a case declassifies
//! its result. `cargo xtask ctime` runs the driver. `cargo xtask dudect` measures the same calls.
mod arena;
pub mod call;
pub mod cases;
pub mod curves;
pub mod ec;
pub mod fields;
pub mod hqc;
mod instructions;
pub mod keyed;
#[path = "../../crates/bench/src/leaks.rs"]
pub mod leaks;
pub mod macs;
pub mod measured;
pub mod million;
pub mod prime1271;
pub mod products;
mod saved;
pub mod secret;
pub mod statistics;
pub mod steps;
#[path = "../../crates/bench/src/ctime_hqc/subjects.rs"]
mod subjects;
pub mod trace;
pub mod valgrind;
#[path = "../../crates/bench/src/welch.rs"]
pub mod welch;
