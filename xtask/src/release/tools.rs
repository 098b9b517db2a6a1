//! Programs from the package index of Python: Zig, which links for other systems, and maturin.
use crate::archive::copy;
use crate::report::{Outcome, Stop};
use crate::{python, shell};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs from the package index of Python, with the versions that make the same bytes.
pub(super) const TOOLS: [&str; 4] =
    ["ziglang==0.17.1", "cargo-zigbuild==0.24.1", "maturin==1.16.0", "zopflipy==1.14"];

/// An environment with [`TOOLS`], whose programs come first.
pub(super) fn tools() -> Result<PathBuf, Stop> {
    let (folder, list) = (shell::target_dir().join("release-tools"), TOOLS.join("\n"));
    let complete = folder.join("is-complete");
    if !std::fs::read_to_string(&complete).is_ok_and(|there| there == list) {
        let python = python::newest()?;
        if python::environment(&folder, &python, &TOOLS).is_err() {
            return Err(Stop::NotExercised(format!("not made: pip cannot install {}", TOOLS.join(", "))));
        }
        shell::write(&complete, list)?;
    }
    Ok(folder)
}

/// A command of [`tools`], which finds Zig.
pub(super) fn zig(program: &str, arguments: &[&str]) -> Result<Command, Stop> {
    let programs = tools()?.join("bin");
    let mut command = shell::command(programs.join(program), arguments);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(programs).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(all).map_err(|error| Stop::Failed(error.to_string()))?;
    command.env("PATH", path);
    Ok(command)
}

/// Arguments of rustc by which a library for this target needs the GNU C library 2.17 or later: its stubs, which Zig
/// makes, and Rust's linker, since Zig does not pass on that one of several identical functions is kept.
pub(super) fn old_glibc(target: &str) -> Result<[String; 4], Stop> {
    let stubs = tools()?.join("glibc-2.17").join(target);
    if !stubs.join("libc.so").exists() {
        make_stubs(target, &stubs)?;
    }
    let host = shell::output(&mut shell::command("rustc", &["--print=target-libdir"]))?;
    let linker = PathBuf::from(host.trim()).with_file_name("bin/gcc-ld");
    let path = |flag: &str, folder: &Path| format!("-Clink-arg={flag}{}", folder.display());
    let fixed = ["-fuse-ld=lld", "-Wl,--icf=all"].map(|flag| format!("-Clink-arg={flag}"));
    let [lld, icf] = fixed;
    Ok([path("-L", &stubs), path("-B", &linker), lld, icf])
}

/// Copies the libraries that Zig makes when it links, under the names that linkers look for.
fn make_stubs(target: &str, stubs: &Path) -> Outcome {
    let cache = stubs.join("cache");
    let empty = stubs.join("empty.c");
    shell::write(&empty, "int carryless_empty;\n")?;
    let processor = target.split('-').next().unwrap_or_default();
    let mut link = zig("python", &["-m", "ziglang", "cc", "-shared", "-target"])?;
    link.arg(format!("{processor}-linux-gnu.2.17")).arg(&empty).arg("-o").arg(stubs.join("empty.so"));
    shell::run(link.env("ZIG_GLOBAL_CACHE_DIR", &cache).env("ZIG_LOCAL_CACHE_DIR", &cache))?;
    let made = shell::output(shell::command("find", &["-name", "lib*.so.*"]).current_dir(&cache))?;
    for library in made.lines().map(|line| cache.join(line)) {
        let name = library.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.split('.').next().unwrap_or_default();
        // The loader has no stub that others link with.
        if name != "libld" {
            copy(&library, &stubs.join(format!("{name}.so")))?;
        }
    }
    Ok(())
}
