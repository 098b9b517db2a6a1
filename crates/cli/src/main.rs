//! The `carryless` command. All of its code is in the library `carryless_cli`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    carryless_cli::main(std::env::args_os())
}
