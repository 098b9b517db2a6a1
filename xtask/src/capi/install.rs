//! Installing the library: by cargo-c, or by cargo and copies.
use super::{GROUPS, HEADER, MANIFEST, Places, failed};
use crate::report::{Outcome, Stop};
use crate::shell;
use std::process::Command;

/// Whether `cargo cinstall` can be called. Without it the library is built by plain cargo and copied into place.
fn has_cargo_c() -> bool {
    shell::succeeds("cargo-cinstall", &["--version"])
}

/// Reports the step as not exercised if cargo-c is missing, since then [`install`] took the other way.
pub(super) fn by_cargo_c_exercised() -> Outcome {
    if has_cargo_c() {
        return Ok(());
    }
    Err(Stop::NotExercised("cargo-c is not installed; cargo install --locked cargo-c".into()))
}

pub(super) fn install(places: &Places, all: bool) -> Outcome {
    // A file that an earlier install left there could hide that this one misses it.
    let _ = std::fs::remove_dir_all(&places.prefix);
    let features: &[&str] = if all { &[] } else { &["--no-default-features", "--features", GROUPS] };
    match has_cargo_c() {
        true => by_cargo_c(places, all, features),
        false => by_cargo(places, all, features),
    }
}

fn by_cargo_c(places: &Places, all: bool, features: &[&str]) -> Outcome {
    // The folder is named, because the default of cargo-c differs between distributions.
    let mut command = shell::cargo(&["cinstall", "--locked", "--manifest-path", MANIFEST, "--libdir", "lib"]);
    command.args(features).arg("--prefix").arg(&places.prefix).arg("--target-dir").arg(&places.target);
    shell::run(if all { &mut command } else { for_tests(command.arg("--debug")) })
}

/// Settings of the build for tests. Debug information is on whatever the caller's profile says, because
/// abidw reads types from it. One backend for carry-less products is compiled, in a quarter of the time;
/// other chores test the rest.
fn for_tests(command: &mut Command) -> &mut Command {
    command.env("CARGO_PROFILE_DEV_DEBUG", "2");
    if cfg!(target_arch = "x86_64") {
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        command.env("RUSTFLAGS", format!("{flags} --cfg carryless_clmul=\"pclmul\""));
    }
    command
}

/// Installs by the commands that book/src/c.md gives to users without cargo-c.
fn by_cargo(places: &Places, all: bool, features: &[&str]) -> Outcome {
    let mut command = shell::cargo(&["build", "--locked", "--manifest-path", MANIFEST]);
    command.args(features).arg("--target-dir").arg(&places.target);
    shell::run(if all { command.arg("--release") } else { for_tests(&mut command) })?;
    let built = places.target.join(if all { "release" } else { "debug" });
    let (lib, include) = (places.lib(), places.prefix.join("include"));
    let pkgconfig = lib.join("pkgconfig");
    for folder in [&pkgconfig, &include] {
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    for (from, to) in [
        (built.join("libcarryless_capi.so"), lib.join("libcarryless.so.0")),
        (built.join("libcarryless_capi.a"), lib.join("libcarryless.a")),
        (shell::root().join(HEADER), include.join("carryless.h")),
    ] {
        std::fs::copy(&from, &to).map_err(failed(&from))?;
    }
    #[cfg(unix)]
    // The linker looks for `libcarryless.so`; programs are bound to the soname `libcarryless.so.0`.
    std::os::unix::fs::symlink("libcarryless.so.0", lib.join("libcarryless.so")).map_err(failed(&lib))?;
    let file = pkgconfig.join("carryless.pc");
    std::fs::write(&file, pkg_config(places)).map_err(failed(&file))
}

fn pkg_config(places: &Places) -> String {
    format!(
        // The private libraries are those that rustc prints for `--print=native-static-libs`.
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: carryless\n\
         Description: Fast polynomial and finite-field arithmetic for cryptography\nVersion: {}\n\
         Libs: -L${{libdir}} -lcarryless\nLibs.private: -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc\nCflags: -I${{includedir}}\n",
        places.prefix.display(),
        env!("CARGO_PKG_VERSION")
    )
}
