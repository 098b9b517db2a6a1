//! Packages of Debian and RPM: the command, the C library, and libgf2x beside that of the system.
use super::binaries::{SYSTEMS, System};
use super::checks::glibc;
use super::{Artefact, DESCRIPTION, LICENCE, Place, VERSION, clibrary, quickly, roots};
use crate::archive::{copy, copy_all, epoch, remove};
use crate::capi;
use crate::notice::{self, Linked};
use crate::report::{Outcome, Stop, fail};
use crate::shell::{self, failed};
use std::path::{Path, PathBuf};

mod formats;

use formats::{Format, Package};

/// The folder of libraries in Debian, and the one of Red Hat and others.
const LIBRARIES: [&str; 2] = ["usr/lib/x86_64-linux-gnu", "usr/lib64"];

pub(super) fn artefacts() -> Vec<Artefact> {
    let mut all = Vec::new();
    for system in &SYSTEMS {
        let Some((deb, rpm)) = system.distributed else { continue };
        let make = move |format| move |place: &Place| Ok(vec![command(place, system, format)?]);
        all.push(Artefact::new(format!("deb-command-{deb}"), make(Format::Deb(deb)), move |place, files| {
            try_deb_of_command(place, deb, &files[0])
        }));
        all.push(Artefact::new(format!("rpm-command-{rpm}"), make(Format::Rpm(rpm)), move |place, files| {
            try_rpm_of_command(place, rpm, &files[0])
        }));
    }
    all.push(Artefact::new("deb-c-library", |place| c_library(place, Format::Deb("amd64")), try_deb_of_c));
    all.push(Artefact::new("rpm-c-library", |place| c_library(place, Format::Rpm("x86_64")), try_rpm_of_c));
    all.push(Artefact::new("deb-libgf2x", |place| Ok(vec![libgf2x(place)?]), try_libgf2x));
    all
}

/// Lays out licences and the changelog, as each package of Debian and RPM has them.
fn documents(tree: &Path, name: &str, notice: &str) -> Outcome {
    let folder = tree.join("usr/share/doc").join(name);
    let licence = shell::root().join("LICENSE-MIT");
    let mit = std::fs::read_to_string(&licence).map_err(failed(&licence))?;
    // Debian's name for the file with all licences. It has the text of the Apache licence elsewhere.
    let apache = "On Debian the text of Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.";
    shell::write(&folder.join("copyright"), format!("{mit}\n{apache}\n\n{notice}"))?;
    gzip(&shell::root().join("CHANGELOG.md"), &folder.join("changelog.gz"))
}

fn gzip(from: &Path, to: &Path) -> Outcome {
    let plain = to.with_extension("");
    copy(from, &plain)?;
    shell::run(shell::command("gzip", &["-9nf"]).arg(&plain))
}

fn command(place: &Place, system: &System, format: Format) -> Result<PathBuf, Stop> {
    let binary = system.binary(place)?;
    let pages = crate::pages::quickly(&place.work.join("pages"))?;
    let tree = place.empty("tree/carryless")?;
    copy(&binary, &tree.join("usr/bin/carryless"))?;
    for entry in std::fs::read_dir(pages.join("man")).map_err(failed(&pages))?.flatten() {
        let name = format!("{}.gz", entry.file_name().to_string_lossy());
        gzip(&entry.path(), &tree.join("usr/share/man/man1").join(name))?;
    }
    let zsh = if matches!(format, Format::Deb(_)) { "vendor-completions" } else { "site-functions" };
    for (from, to) in [
        ("carryless.bash", "bash-completion/completions/carryless"),
        ("carryless.fish", "fish/vendor_completions.d/carryless.fish"),
        ("_carryless", &format!("zsh/{zsh}/_carryless")),
    ] {
        copy(&pages.join("completions").join(from), &tree.join("usr/share").join(to))?;
    }
    documents(&tree, "carryless", &system.notice()?)?;
    let package = Package {
        name: "carryless",
        section: "utils",
        summary: "tags and verifies files, and computes with polynomials and fields",
        // The command is static.
        depends: String::new(),
        control: &[],
    };
    format.pack(place, &package, &tree)
}

/// What packages need that are linked with the shared library, in the format of deb-shlibs.
const SHLIBS: &str = concat!("libcarryless 0 libcarryless0 (>= ", env!("CARGO_PKG_VERSION"), ")\n");

/// The package with the shared library, and the one with what compilers need.
fn c_library(place: &Place, format: Format) -> Result<Vec<PathBuf>, Stop> {
    let deb = matches!(format, Format::Deb(_));
    let (installed, notice) = (clibrary::installed(place)?, clibrary::notice()?);
    let libraries = LIBRARIES[usize::from(!deb)];
    let (tree, shared) = (place.empty("tree/libcarryless0")?, "libcarryless.so.0");
    let library = installed.lib().join(shared);
    copy(&library, &tree.join(libraries).join(shared))?;
    documents(&tree, "libcarryless0", &notice)?;
    let (major, minor) = glibc(&library)?;
    let depends = if deb { format!("libc6 (>= {major}.{minor}), libgcc-s1") } else { String::new() };
    let runtime = Package {
        name: "libcarryless0",
        section: "libs",
        summary: "shared library of polynomial and finite-field arithmetic",
        depends,
        control: &[("shlibs", SHLIBS), ("triggers", "activate-noawait ldconfig\n")],
    };
    let first = format.pack(place, &runtime, &tree)?;
    let name = if deb { "libcarryless-dev" } else { "libcarryless-devel" };
    let tree = place.empty("tree/libcarryless-dev")?;
    let folder = tree.join(libraries);
    copy(&installed.lib().join("libcarryless.a"), &folder.join("libcarryless.a"))?;
    copy_all(&installed.lib().join("cmake/carryless"), &folder.join("cmake/carryless"))?;
    copy(&installed.prefix.join("include/carryless.h"), &tree.join("usr/include/carryless.h"))?;
    let below = libraries.trim_start_matches("usr/");
    shell::write(&folder.join("pkgconfig/carryless.pc"), capi::pkg_config("/usr", below))?;
    shell::run(shell::command("ln", &["-s", shared]).arg(folder.join("libcarryless.so")))?;
    documents(&tree, name, &notice)?;
    let equal = match deb {
        true => format!("libcarryless0 (= {VERSION}), libc6-dev"),
        false => format!("libcarryless0 = {VERSION}"),
    };
    let development = Package {
        name,
        section: "libdevel",
        summary: "header and static library of polynomial and finite-field arithmetic",
        depends: equal,
        control: &[],
    };
    Ok(vec![first, format.pack(place, &development, &tree)?])
}

/// The folder of our libgf2x.so.3, which the loader searches before others while the alternative is ours.
const FOLDER: &str = "usr/lib/x86_64-linux-gnu/carryless";

/// Files of the alternatives, and what each has the loader search first: our folder, or nothing.
const CHOICES: [(&str, &str); 2] =
    [("carryless.conf", "/usr/lib/x86_64-linux-gnu/carryless\n"), ("system.conf", "")];

const INSTALL: &str = r#"#!/bin/sh
set -e
if [ "$1" = configure ]; then
    files=/usr/share/carryless-libgf2x
    for choice in "carryless 50" "system 10"; do
        set -- $choice
        update-alternatives --install /etc/ld.so.conf.d/00-libgf2x.conf libgf2x "$files/$1.conf" "$2"
    done
    ldconfig
fi
"#;

const REMOVE: &str = r#"#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = deconfigure ]; then
    for choice in carryless system; do
        update-alternatives --remove libgf2x "/usr/share/carryless-libgf2x/$choice.conf"
    done
    ldconfig
fi
"#;

fn libgf2x(place: &Place) -> Result<PathBuf, Stop> {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    const PACKAGE: &str = "carryless-gf2x-compat";
    shell::need_target(TARGET)?;
    let target = place.work.join("build");
    let mut build = shell::cargo(&["build", "--release", "--locked", "-p", PACKAGE, "--target", TARGET]);
    shell::run(build.arg("--target-dir").arg(&target).envs(place.environment("")))?;
    let tree = place.empty("tree/libgf2x")?;
    let library = tree.join(FOLDER).join("libgf2x.so.3");
    copy(&target.join(TARGET).join("release/libgf2x.so"), &library)?;
    for (name, text) in CHOICES {
        shell::write(&tree.join("usr/share/carryless-libgf2x").join(name), text)?;
    }
    let linked = Linked { package: PACKAGE, target: TARGET, ..Linked::default() };
    documents(&tree, "carryless-libgf2x", &notice::text(&linked)?)?;
    let (major, minor) = glibc(&library)?;
    let package = Package {
        name: "carryless-libgf2x",
        section: "libs",
        summary: "libgf2x.so.3 with the products of carryless, beside that of the system",
        depends: format!("libc6 (>= {major}.{minor}), libgcc-s1"),
        control: &[("postinst", INSTALL), ("prerm", REMOVE)],
    };
    Format::Deb("amd64").pack(place, &package, &tree)
}

/// Installs the command in each release of Debian, or unpacks and emulates that of another processor.
fn try_deb_of_command(place: &Place, architecture: &str, file: &Path) -> Outcome {
    if architecture != "amd64" {
        let folder = place.empty("unpacked-deb")?;
        shell::run(shell::command("dpkg-deb", &["--extract"]).arg(file).arg(&folder))?;
        return emulate(&folder);
    }
    for release in roots::RELEASES {
        let root = roots::with(place, release, &[file.into()])?;
        roots::in_root(&root, &["carryless", "--version"])?;
        roots::in_root(&root, &["dpkg", "--remove", "carryless"])?;
    }
    Ok(())
}

/// Runs the command of an unpacked package for aarch64.
fn emulate(folder: &Path) -> Outcome {
    shell::need("qemu-aarch64", "qemu-user")?;
    let binary = folder.join("usr/bin/carryless");
    shell::run(shell::command("qemu-aarch64", &[]).arg(binary).arg("--version"))
}

/// What packages of RPM may need: rpm itself, the GNU C library, libgcc, and each other.
const NEEDED: [&str; 6] =
    ["rpmlib(", "rtld(GNU_HASH)", "ld-linux-x86-64.so.2", "libc.so.6", "libgcc_s.so.1", "libcarryless"];

/// Installs packages of RPM in an empty folder. What they depend on is not there, and must be of [`NEEDED`].
fn install_rpm(place: &Place, files: &[PathBuf]) -> Result<PathBuf, Stop> {
    // rpm changes its root.
    roots::need_root()?;
    let needs = shell::output(shell::command("rpm", &["--query", "--requires", "--package"]).args(files))?;
    if let Some(other) = needs.lines().find(|line| !NEEDED.iter().any(|known| line.starts_with(known))) {
        return fail(format!("a package needs {other}"));
    }
    let root = place.empty("rpm-root")?;
    let mut install =
        shell::command("rpm", &["--install", "--nodeps", "--ignorearch", "--ignoreos", "--root"]);
    quickly(install.arg(&root).args(files))?;
    Ok(root)
}

fn try_rpm_of_command(place: &Place, architecture: &str, file: &Path) -> Outcome {
    let root = install_rpm(place, &[file.into()])?;
    match architecture {
        "x86_64" => roots::in_root(&root, &["/usr/bin/carryless", "--version"]),
        _ => emulate(&root),
    }
}

/// An example in C that the packages compile.
const EXAMPLE: &str = "examples/c/mac.c";

/// Compiles a program by what pkg-config says, in each release of Debian, and by CMake.
fn try_deb_of_c(place: &Place, files: &[PathBuf]) -> Outcome {
    for release in roots::RELEASES {
        let root = roots::with(place, release, files)?;
        copy(&shell::root().join(EXAMPLE), &root.join("mac.c"))?;
        let line = "cc /mac.c $(pkg-config --cflags --libs carryless) -o /mac && /mac";
        roots::in_root(&root, &["sh", "-c", line])?;
    }
    // The root of the release before stays, whose libraries are not newer than those here.
    let places = capi::Places { target: place.empty("cmake")?, prefix: place.work.join("root/usr") };
    capi::cmake(&places)
}

fn try_rpm_of_c(place: &Place, files: &[PathBuf]) -> Outcome {
    let root = install_rpm(place, files)?;
    let (lib, program) = (root.join(LIBRARIES[1]), root.join("mac"));
    let mut compile = shell::command("cc", &[EXAMPLE, "-I"]);
    compile.arg(root.join("usr/include")).arg("-o").arg(&program).arg("-L").arg(&lib);
    shell::run(compile.arg("-lcarryless"))?;
    shell::run(shell::command(&program, &[]).env("LD_LIBRARY_PATH", &lib))
}

/// Our library is the one that the loader finds, until the alternative is that of the system.
fn try_libgf2x(place: &Place, files: &[PathBuf]) -> Outcome {
    for release in roots::RELEASES {
        let root = roots::with(place, release, files)?;
        let first = || {
            let cache = roots::output(&root, &["ldconfig", "-p"])?;
            let line = cache.lines().find(|line| line.contains("libgf2x.so.3 "));
            Ok(line.is_some_and(|line| line.contains("/carryless/")))
        };
        if !first()? {
            return fail(format!("{release}: the loader does not find our libgf2x.so.3 first"));
        }
        let system = "update-alternatives --set libgf2x /usr/share/carryless-libgf2x/system.conf && ldconfig";
        roots::in_root(&root, &["sh", "-c", system])?;
        if first()? {
            return fail(format!("{release}: the alternative does not give the system's libgf2x.so.3 back"));
        }
        roots::in_root(&root, &["dpkg", "--remove", "carryless-libgf2x"])?;
        if root.join("etc/ld.so.conf.d/00-libgf2x.conf").symlink_metadata().is_ok() {
            return fail(format!("{release}: a removed package leaves its alternative"));
        }
    }
    Ok(())
}
