//! The backends of the processor that runs the tests.
use crate::report::{Seen, Stop, fail};
use crate::shell::output;
use std::process::Command;

/// The arguments after `cargo run` that list the backends.
pub(crate) const LIST: &[&str] =
    &["--quiet", "--package", "xtask", "--features", "backends", "--bin", "backends"];

/// The flag of the compiler that leaves out the kernels of backends with AVX-512.
pub(crate) const NO_AVX512: &str = "--cfg carryless_no_avx512";

/// The compiler flag that leaves out the proofs, and with them the kernels compiled for `Bilinear`. Proofs
/// are about kernels, not about processors: [`proofs`](crate::test::proofs) runs them once.
pub(crate) const WITHOUT_PROOFS: &str = "--cfg carryless_without_proofs";

/// The compiler flag that leaves out `pclmul`, `soft2` and `soft4` if this processor has VPCLMULQDQ, and no flag
/// otherwise. They take a third of the compiler's time. The other backends then run kernels in one and two
/// lanes, and in four only with AVX-512: [`variants`](crate::test::variants) and the chores `fields`, `curves`
/// and `memory` leave out nothing.
pub(crate) fn fewer() -> &'static str {
    if has_two_lanes() { "--cfg carryless_fewer_backends" } else { "" }
}

/// The backends of this processor, for a build with the flag [`fewer`].
pub(crate) fn seen_with_fewer() -> Result<Seen, Stop> {
    let mut seen = seen(crate::shell::cargo(&["run"]).args(LIST))?;
    if has_two_lanes() {
        // The other backends that the flag leaves out exist in tests only, and are not listed.
        let left_out = seen.available.extract_if(.., |name| *name == "pclmul");
        seen.missing.extend(left_out);
    }
    Ok(seen)
}

#[cfg(target_arch = "x86_64")]
fn has_two_lanes() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("vpclmulqdq")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_two_lanes() -> bool {
    false
}

/// `RUSTFLAGS` of a build for tests on this processor: the flags of the environment, then `flags`. If the processor
/// lacks AVX-512, its kernels are left out: no test could run them, and they take half of the compiler's time.
pub(crate) fn flags_here(flags: &str) -> String {
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    let narrow = if lacks_avx512() { NO_AVX512 } else { "" };
    format!("{given} {flags} {narrow}")
}

#[cfg(target_arch = "x86_64")]
fn lacks_avx512() -> bool {
    !std::arch::is_x86_feature_detected!("avx512f")
}

#[cfg(not(target_arch = "x86_64"))]
fn lacks_avx512() -> bool {
    false
}

/// Runs a command line that ends in [`LIST`] and reads what it prints.
pub(crate) fn seen(command: &mut Command) -> Result<Seen, Stop> {
    let text = output(command)?;
    let mut seen = Seen::default();
    for line in text.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            // Other lines are skipped: a runner may print some of its own.
            ["backend", name, "available"] => seen.available.push(name.into()),
            ["backend", name, "missing"] => seen.missing.push(name.into()),
            _ => {}
        }
    }
    // Every processor has the portable backend, so an empty list means that nothing was read.
    if seen.available.is_empty() {
        return fail("no backend was listed");
    }
    println!("backends here: {}; not here: {}", seen.available.join(" "), seen.missing.join(" "));
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use crate::{bochs, cross, shell};
    use carryless_lanes::{ClmulCpu, Cpu};
    use std::collections::BTreeSet;

    /// The names of the backends for carry-less products, without those for tests that `lanes`
    /// has with its feature `analysis`.
    fn for_products() -> Vec<&'static str> {
        ClmulCpu::NAMES.iter().copied().filter(|name| !["soft2", "soft4"].contains(name)).collect()
    }

    fn read(path: &str) -> String {
        std::fs::read_to_string(shell::root().join(path)).expect("a file of the repository")
    }

    /// A build can be fixed to every backend, and the compiler warns of other names.
    #[test]
    fn values_of_cfg() {
        let manifest = read("Cargo.toml");
        for (cfg, names) in [("carryless_backend", Cpu::NAMES.to_vec()), ("carryless_clmul", for_products())]
        {
            let (_, values) = manifest.split_once(&format!("cfg({cfg}, values(")).expect("values of the cfg");
            let (values, _) = values.split_once(')').expect("the end of the values");
            // As sets: the order in the manifest has no meaning.
            let values: BTreeSet<&str> = values.split(", ").map(|value| value.trim_matches('"')).collect();
            assert_eq!(values, names.into_iter().collect(), "{cfg} in Cargo.toml");
        }
    }

    /// The book lists all backends, slowest first.
    #[test]
    fn names_in_the_book() {
        let page = read("book/src/backends.md");
        for names in [Cpu::NAMES.to_vec(), for_products()] {
            let list = format!(": `{}` |", names.join("`, `"));
            assert!(page.contains(&list), "book/src/backends.md has no list{list}");
        }
    }

    /// What an emulator must have are backends of the library.
    #[test]
    fn names_of_required_backends() {
        for list in cross::required().into_iter().chain([bochs::required()]) {
            for name in list.split(',') {
                assert!(Cpu::NAMES.contains(&name) || ClmulCpu::NAMES.contains(&name), "{name} in {list}");
            }
        }
    }
}
