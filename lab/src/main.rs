//! The command `carryless-lab`. All of its code is in the library `carryless_lab`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    carryless_lab::main(std::env::args_os())
}
