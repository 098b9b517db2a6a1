//! What the runs over all backends share.
use std::io::Write;

/// How much to do: everything, little for an emulator, very little for Miri.
pub(crate) fn pick(full: usize, quick: usize, miri: usize) -> usize {
    if cfg!(miri) {
        miri
    } else if std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1") {
        quick
    } else {
        full
    }
}

/// To the terminal, past the test harness's capture.
#[allow(dead_code, reason = "not all tests that share this file print")]
pub(crate) fn say(line: &str) {
    std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
}

/// splitmix64: the same words in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
