//! Constant time, checked: every public function of `carryless-hash` and `carryless-aead` that takes a secret, called with secrets that
//! valgrind's memcheck follows.
//!
//! Lengths are public; keys, messages, tags and everything computed from them are secret until a case declassifies
//! its result. `cargo xtask ctime` runs the driver.
pub mod cases;
pub mod macs;
pub mod secret;
pub mod valgrind;
