//! Prints which machines this processor has, one per line; `cargo xtask` reads it.
//!
//! With `CARRYLESS_REQUIRE_MACHINE` set to a machine that is missing, it exits with 1.
#![forbid(unsafe_code)]
use carryless_lanes::Cpu;
use std::process::ExitCode;

fn main() -> ExitCode {
    let available: Vec<&str> = Cpu::available().map(|cpu| cpu.name()).collect();
    for name in Cpu::NAMES {
        println!("machine {name} {}", if available.contains(name) { "available" } else { "missing" });
    }
    match std::env::var("CARRYLESS_REQUIRE_MACHINE") {
        Ok(name) if !available.contains(&name.as_str()) => {
            eprintln!("this processor has no {name}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
