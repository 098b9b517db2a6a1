//! Which machines the processor that runs the tests has.
use crate::report::{Seen, Stop, fail};
use crate::shell::output;
use std::process::Command;

/// The arguments after `cargo run` that list the machines.
pub(crate) const LIST: &[&str] =
    &["--quiet", "--package", "xtask", "--features", "machines", "--bin", "machines"];

/// The flag of the compiler that leaves out the kernels of machines with AVX-512.
pub(crate) const NO_AVX512: &str = "--cfg carryless_no_avx512";

/// The flag of the compiler that leaves out the proofs. They are about kernels, not about processors, and [`proofs`](crate::test::proofs) runs them.
pub(crate) const WITHOUT_PROOFS: &str = "--cfg carryless_without_proofs";

/// Runs a command line that ends in [`LIST`] and reads what it prints.
pub(crate) fn seen(command: &mut Command) -> Result<Seen, Stop> {
    let text = output(command)?;
    let mut seen = Seen::default();
    for line in text.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["machine", name, "available"] => seen.available.push(name.into()),
            ["machine", name, "missing"] => seen.missing.push(name.into()),
            _ => {}
        }
    }
    if seen.available.is_empty() {
        return fail("no machine was listed");
    }
    println!("machines here: {}; not here: {}", seen.available.join(" "), seen.missing.join(" "));
    Ok(seen)
}
