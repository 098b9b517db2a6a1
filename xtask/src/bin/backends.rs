//! Prints which backends this processor has, one per line; `cargo xtask` reads it.
//!
//! With `CARRYLESS_REQUIRE_BACKEND=NAME[,NAME...]` it exits with 1 if one of them is missing.
#![forbid(unsafe_code)]
use carryless_lanes::{ClmulCpu, Cpu};
use std::process::ExitCode;

fn main() -> ExitCode {
    let for_products = ClmulCpu::available().map(ClmulCpu::name);
    let available: Vec<&str> = Cpu::available().map(|cpu| cpu.name()).chain(for_products).collect();
    // The missing ones are printed too: `cargo xtask` names in its summary every backend that no run
    // exercised.
    for name in Cpu::NAMES.iter().chain(ClmulCpu::NAMES) {
        println!("backend {name} {}", if available.contains(name) { "available" } else { "missing" });
    }
    // The second name is an older one of the variable.
    let required = std::env::var("CARRYLESS_REQUIRE_BACKEND");
    let required = required.unwrap_or_default();
    // Splitting an empty list gives one empty name.
    match required.split(',').find(|name| !name.is_empty() && !available.contains(name)) {
        Some(name) => {
            eprintln!("this processor has no {name}");
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    }
}
