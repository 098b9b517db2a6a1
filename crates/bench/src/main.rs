//! The `carryless-bench` command; `--help` says what it takes.
use std::process::ExitCode;

fn main() -> ExitCode {
    carryless_bench::cli::main(std::env::args_os())
}
