//! Installing the library: by cargo and copies, which is also what the archive holds, and by cargo-c.
use super::{GROUPS, HEADER, Places, failed};
use crate::report::{Outcome, Stop};
use crate::{archive, shell};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that CMake's find_package reads, relative to the root of the checkout.
const CMAKE: &str = "crates/capi/cmake";

/// Which groups of functions are built, and how.
#[derive(Clone, Copy)]
pub(super) enum Build<'a> {
    /// Every group but one curve only, with debug information and one backend for carry-less products.
    Tests,
    /// Every group, in release.
    All,
    /// These groups, comma-separated, in release.
    Groups(&'a str),
}

impl<'a> Build<'a> {
    pub(super) fn release(self) -> bool {
        !matches!(self, Build::Tests)
    }

    fn groups(self) -> Option<&'a str> {
        match self {
            Build::Tests => Some(GROUPS),
            Build::All => None,
            Build::Groups(groups) => Some(groups),
        }
    }
}

/// A cargo command for the library. It starts in the folder of the package, whose settings give symbols their version.
fn cargo(name: &str, build: Build<'_>, places: &Places) -> Command {
    let mut command = shell::cargo(&[name, "--locked", "--target-dir"]);
    command.arg(&places.target).current_dir(shell::root().join("crates/capi"));
    if let Some(groups) = build.groups() {
        command.args(["--no-default-features", "--features", groups]);
    }
    command
}

/// Installs by cargo-c as book/src/c.md says.
pub(super) fn by_cargo_c(places: &Places, build: Build<'_>) -> Outcome {
    if !shell::succeeds("cargo-cinstall", &["--version"]) {
        return Err(Stop::NotExercised("cargo-c is not installed; cargo install --locked cargo-c".into()));
    }
    clear(&places.prefix);
    // The folder is named, because the default of cargo-c differs between distributions.
    let mut command = cargo("cinstall", build, places);
    command.args(["--libdir", "lib", "--prefix"]).arg(&places.prefix);
    shell::run(if build.release() { command.arg("--release") } else { for_tests(command.arg("--debug")) })
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

/// A file that an earlier install left there could hide that this one misses it.
fn clear(prefix: &Path) {
    let _ = std::fs::remove_dir_all(prefix);
}

/// Variables of the environment of a build.
pub(crate) type Environment = [(&'static str, String)];

/// Installs by cargo and copies, stripped if it is a release.
pub(super) fn by_cargo(places: &Places, build: Build<'_>, environment: &Environment) -> Outcome {
    clear(&places.prefix);
    let mut command = cargo("build", build, places);
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    shell::run(if build.release() { command.arg("--release") } else { for_tests(&mut command) })?;
    let built = places.target.join(if build.release() { "release" } else { "debug" });
    let (lib, include) = (places.lib(), places.prefix.join("include"));
    let (pkgconfig, cmake) = (places.pkgconfig(), lib.join("cmake/carryless"));
    for folder in [&pkgconfig, &cmake, &include] {
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    let (shared, fixed) = (lib.join("libcarryless.so.0"), lib.join("libcarryless.a"));
    let mut files = vec![
        (built.join("libcarryless_capi.so"), shared.clone()),
        (built.join("libcarryless_capi.a"), fixed.clone()),
        (shell::root().join(HEADER), include.join("carryless.h")),
    ];
    for name in ["carryless-config.cmake", "carryless-config-version.cmake"] {
        files.push((shell::root().join(CMAKE).join(name), cmake.join(name)));
    }
    for (from, to) in &files {
        std::fs::copy(from, to).map_err(failed(from))?;
    }
    if build.release() {
        shell::need("strip", "binutils")?;
        shell::run(shell::command("strip", &["--strip-unneeded"]).arg(&shared))?;
        shell::run(shell::command("strip", &["--strip-debug"]).arg(&fixed))?;
    }
    #[cfg(unix)]
    // The linker looks for `libcarryless.so`; programs are bound to the soname `libcarryless.so.0`.
    std::os::unix::fs::symlink("libcarryless.so.0", lib.join("libcarryless.so")).map_err(failed(&lib))?;
    let file = pkgconfig.join("carryless.pc");
    // Paths follow from its own place, so that the tree can be moved.
    std::fs::write(&file, pkg_config("${pcfiledir}/../..", "lib")).map_err(failed(&file))
}

/// The file for pkg-config, of a library in the folder `libraries` of the prefix.
pub(crate) fn pkg_config(prefix: &str, libraries: &str) -> String {
    format!(
        // The private libraries are those that rustc prints for `--print=native-static-libs`.
        "prefix={prefix}\nlibdir=${{prefix}}/{libraries}\nincludedir=${{prefix}}/include\n\nName: carryless\n\
         Description: Fast polynomial and finite-field arithmetic for cryptography\nVersion: {}\n\
         Libs: -L${{libdir}} -lcarryless\nLibs.private: -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc\nCflags: -I${{includedir}}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Packs what [`by_cargo`] installed, with the licences, in `folder`.
pub(crate) fn pack(places: &Places, notice: &str, folder: &Path) -> Result<PathBuf, Stop> {
    let (parent, name) = (places.target.join("archive"), name()?);
    let (tree, file) = (parent.join(&name), folder.join(format!("{name}.tar.gz")));
    clear(&tree);
    copy(&places.prefix, &tree)?;
    let texts = tree.join("share/doc/carryless");
    for text in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&shell::root().join(text), &texts.join(text))?;
    }
    shell::write(&texts.join("NOTICE"), notice)?;
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    archive::tar(&parent, &name, &file)?;
    println!("written to {}", file.display());
    Ok(file)
}

/// Unpacks what [`pack`] packed into an empty folder.
pub(crate) fn unpack(file: &Path, unpacked: &Path) -> Result<Places, Stop> {
    clear(unpacked);
    std::fs::create_dir_all(unpacked).map_err(failed(unpacked))?;
    shell::run(shell::command("tar", &["-xzf"]).arg(file).arg("-C").arg(unpacked))?;
    Ok(Places { target: unpacked.into(), prefix: unpacked.join(name()?) })
}

/// Name of the archive without its ending. All packages have one version, so xtask's is that of the library.
fn name() -> Result<String, Stop> {
    Ok(format!("carryless-c-{}-{}", env!("CARGO_PKG_VERSION"), shell::host()?))
}

/// Copies a file or a folder, with links as they are.
pub(super) fn copy(from: &Path, to: &Path) -> Outcome {
    let parent = to.parent().unwrap_or(to);
    std::fs::create_dir_all(parent).map_err(failed(parent))?;
    shell::run(shell::command("cp", &["-a"]).arg(from).arg(to))
}
