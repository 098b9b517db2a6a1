//! The command for each system, as an archive with man pages, completions and documentation.
use super::checks::unpack;
use super::roots::in_root;
use super::tools::zig;
use super::{Artefact, Place, VERSION};
use crate::notice::{self, LIBGCC, Library, Linked, MINGW, MUSL, UNWIND, ZIG};
use crate::report::{Outcome, Stop, fail};
use crate::shell::{self, failed};
use crate::{archive, dist, pages, windows};
use std::path::{Path, PathBuf};

/// The most bytes of the command.
const MAX_BYTES: u64 = 6_000_000;

const PACKAGE: &str = "carryless-cli";

/// A system that the command is built for.
pub(super) struct System {
    pub(super) name: &'static str,
    pub(super) target: &'static str,
    /// Flags of rustc for the program alone.
    link: &'static [&'static str],
    linker: Linker,
    runtime: &'static [Library],
    /// The packages that distributions make of it name the processor so: Debian's name and that of RPM.
    pub(super) distributed: Option<(&'static str, &'static str)>,
    attempt: fn(&Place, &Path) -> Outcome,
}

enum Linker {
    /// The one that comes with Rust, whose libraries for musl are complete; and a compiler of C for BLAKE3, whose
    /// objects need no library of its own, with its Debian package.
    Lld(&'static str, &'static str),
    /// A cross compiler and its Debian package.
    Of(&'static str, &'static str),
    /// Zig, from the package index of Python.
    Zig,
}

/// Keeps one of several identical functions, since Rust does not promise that functions differ in their address, and
/// packs relocations, which takes a hundredth of their place.
const SMALL: &[&str] = &["-Clink-arg=--icf=all", "-Clink-arg=--pack-dyn-relocs=relr"];

pub(super) const SYSTEMS: [System; 5] = [
    System {
        name: "linux-x86_64",
        target: "x86_64-unknown-linux-musl",
        link: SMALL,
        linker: Linker::Lld("gcc", "gcc"),
        runtime: &[MUSL, UNWIND],
        distributed: Some(("amd64", "x86_64")),
        attempt: in_empty_root,
    },
    System {
        name: "linux-aarch64",
        target: "aarch64-unknown-linux-musl",
        link: SMALL,
        linker: Linker::Lld("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"),
        runtime: &[MUSL, UNWIND],
        distributed: Some(("arm64", "aarch64")),
        attempt: under_qemu,
    },
    System {
        name: "windows-x86_64",
        target: "x86_64-pc-windows-gnu",
        link: &[],
        linker: Linker::Of("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
        runtime: &[MINGW, LIBGCC],
        distributed: None,
        attempt: |_, binary| windows::version(binary),
    },
    System {
        name: "macos-aarch64",
        target: "aarch64-apple-darwin",
        link: &[],
        linker: Linker::Zig,
        runtime: &[ZIG],
        distributed: None,
        attempt: header_of_macos,
    },
    System {
        name: "macos-x86_64",
        target: "x86_64-apple-darwin",
        link: &[],
        linker: Linker::Zig,
        runtime: &[ZIG],
        distributed: None,
        attempt: header_of_macos,
    },
];

pub(super) fn artefacts() -> Vec<Artefact> {
    let artefact = |system: &'static System| {
        Artefact::new(
            format!("command-{}", system.name),
            |place| Ok(vec![system.archive(place)?]),
            |place, files| {
                let unpacked = place.empty("unpacked")?;
                unpack(&files[0], &unpacked)?;
                let binary = unpacked.join(system.title()).join("bin").join(system.file_name());
                place.within(&binary, MAX_BYTES)?;
                (system.attempt)(place, &binary)
            },
        )
    };
    SYSTEMS.iter().map(artefact).collect()
}

impl System {
    /// Name of the archive without its ending, and of the folder in it.
    fn title(&self) -> String {
        format!("carryless-{VERSION}-{}", self.name)
    }

    fn file_name(&self) -> &'static str {
        if self.target.contains("windows") { "carryless.exe" } else { "carryless" }
    }

    /// The command, stripped.
    pub(super) fn binary(&self, place: &Place) -> Result<PathBuf, Stop> {
        shell::need_target(self.target)?;
        let package = ["--release", "--locked", "-p", PACKAGE, "--bin", "carryless"];
        let mut command = match self.linker {
            Linker::Zig => zig("cargo-zigbuild", &["rustc"])?,
            _ => shell::cargo(&["rustc"]),
        };
        let linker = match self.linker {
            Linker::Lld(compiler, package) => {
                shell::need(compiler, package)?;
                let variable = self.target.replace('-', "_");
                command.env(format!("CC_{variable}"), compiler);
                // Some distributions check bounds by functions of their own library.
                command.env(format!("CFLAGS_{variable}"), "-U_FORTIFY_SOURCE");
                Some("rust-lld")
            }
            Linker::Of(linker, package) => shell::need(linker, package).map(|()| Some(linker))?,
            Linker::Zig => None,
        };
        if let Some(linker) = linker {
            command.arg("--config").arg(format!("target.{}.linker={linker:?}", self.target));
        }
        let target = place.work.join("build");
        command.args(package).args(["--target", self.target, "--target-dir"]).arg(&target);
        command.arg("--").args(self.link);
        shell::run(command.envs(place.environment("")))?;
        Ok(target.join(self.target).join("release").join(self.file_name()))
    }

    pub(super) fn notice(&self) -> Result<String, Stop> {
        notice::text(&self.linked())
    }

    pub(super) fn linked(&self) -> Linked<'static> {
        Linked { package: PACKAGE, target: self.target, runtime: self.runtime, ..Linked::default() }
    }

    fn archive(&self, place: &Place) -> Result<PathBuf, Stop> {
        let binary = self.binary(place)?;
        let pages = pages::quickly(&place.work.join("pages"))?;
        let (parent, title) = (place.empty("archive")?, self.title());
        dist::lay_out(&binary, &pages, &self.notice()?, &parent.join(&title))?;
        let zip = self.target.contains("windows");
        let file = place.file(format!("{title}{}", if zip { ".zip" } else { ".tar.gz" }));
        let pack = if zip { archive::zip } else { archive::tar };
        pack(&parent, &title, &file).map(|()| file)
    }
}

/// Runs the command where there is no other file: no loader, no library, no device.
fn in_empty_root(place: &Place, binary: &Path) -> Outcome {
    let root = place.empty("empty-root")?;
    archive::copy(binary, &root.join("carryless"))?;
    in_root(&root, &["/carryless", "--version"])?;
    // It reads random bytes, writes a file, and computes.
    in_root(&root, &["/carryless", "keygen", "/key"])?;
    in_root(&root, &["/carryless", "tag", "--key-file", "/key", "-o", "/manifest", "/carryless"])?;
    in_root(&root, &["/carryless", "verify", "--key-file", "/key", "/manifest"])
}

fn under_qemu(_: &Place, binary: &Path) -> Outcome {
    shell::need("qemu-aarch64", "qemu-user")?;
    // Without a folder of libraries: it is static.
    shell::run(shell::command("qemu-aarch64", &[]).arg(binary).arg("--version"))
}

/// Checks that it is a program for the processor, as far as bytes tell.
fn header_of_macos(_: &Place, binary: &Path) -> Outcome {
    let bytes = std::fs::read(binary).map_err(failed(binary))?;
    // Magic of a program with 64 bits, little endian.
    if !bytes.starts_with(&[0xcf, 0xfa, 0xed, 0xfe]) {
        return fail("it is no program for macOS");
    }
    Err(Stop::NotExercised("made, and of the right format, but there is no macOS to run it".into()))
}
