//! Prints which machines this processor has, one per line; `cargo xtask` reads it.
//!
//! With `CARRYLESS_REQUIRE_MACHINE=NAME[,NAME...]` it exits with 1 if one of them is missing.
#![forbid(unsafe_code)]
use carryless_lanes::Cpu;
use std::process::ExitCode;

fn main() -> ExitCode {
    let available: Vec<&str> = Cpu::available().map(|cpu| cpu.name()).collect();
    for name in Cpu::NAMES {
        println!("machine {name} {}", if available.contains(name) { "available" } else { "missing" });
    }
    let required = std::env::var("CARRYLESS_REQUIRE_MACHINE").unwrap_or_default();
    match required.split(',').find(|name| !name.is_empty() && !available.contains(name)) {
        Some(name) => {
            eprintln!("this processor has no {name}");
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    }
}
