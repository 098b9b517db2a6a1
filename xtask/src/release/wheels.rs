//! Packages of Python.
use super::checks::{glibc, unpack};
use super::tools::{old_glibc, tools, zig};
use super::{Artefact, Place, VERSION, quickly, roots};
use crate::archive::{copy, remove};
use crate::notice::{self, LIBGCC, Library, Linked, MINGW, UNWIND, ZIG};
use crate::report::{Outcome, Stop, fail, worst};
use crate::{python, shell};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "python/Cargo.toml";

/// A wheel for a system.
pub(super) struct Wheel {
    pub(super) name: &'static str,
    pub(super) target: &'static str,
    /// What maturin takes besides: the oldest GNU C library, and features.
    arguments: &'static [&'static str],
    features: &'static [&'static str],
    /// The interpreters that take it, as the file's name has them.
    interpreters: &'static str,
    runtime: &'static [Library],
    /// The C compiler that links against an old GNU C library, with its Debian package; without one Zig links.
    compiler: Option<(&'static str, &'static str)>,
    /// The system that pip compares with its own, as the file's name has it.
    tag: &'static str,
    attempt: Trial,
}

/// CPython from 3.11 on.
const STABLE_ABI: &str = "cp311-abi3";

/// CPython 3.13 without the global lock, which has no stable ABI.
const FREE_THREADED: &str = "cp313-cp313t";

/// The interpreter for it.
const FREE_THREADED_PYTHON: &str = "3.13t";

/// Where a wheel is used, besides being unpacked.
enum Trial {
    /// The interpreter without the global lock.
    FreeThreaded,
    /// Every Python of this system, and those of Debian's roots.
    Here,
    /// Debian's Python for this architecture, under qemu.
    Emulated { architecture: &'static str, emulator: &'static str },
    /// Nowhere, for want of this.
    Without(&'static str),
}

/// Features of systems that are not Unix, without `carryless.tree`.
const NO_TREE: &[&str] = &["--no-default-features", "--features", "abi3,nist-curves,hqc"];

/// Features without the stable ABI.
const NO_ABI: &[&str] = &["--no-default-features", "--features", "nist-curves,hqc,tree"];

const MANYLINUX: &[&str] = &["--compatibility", "manylinux2014"];
const MUSLLINUX: &[&str] = &["--compatibility", "musllinux_1_2"];
const GCC: Option<(&str, &str)> = Some(("gcc", "gcc"));
const GCC_AARCH64: Option<(&str, &str)> =
    Some(("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"));
const NO_MUSL: Trial = Trial::Without("Python linked with musl");

/// On aarch64, qemu runs Debian's Python.
const DEBIAN_ARM64: Trial = Trial::Emulated { architecture: "arm64", emulator: "qemu-aarch64" };

pub(super) const WHEELS: [Wheel; 8] = [
    Wheel {
        name: "linux-x86_64",
        target: "x86_64-unknown-linux-gnu",
        arguments: MANYLINUX,
        features: &[],
        interpreters: STABLE_ABI,
        runtime: &[LIBGCC],
        compiler: GCC,
        tag: "manylinux_2_17_x86_64",
        attempt: Trial::Here,
    },
    Wheel {
        name: "linux-aarch64",
        target: "aarch64-unknown-linux-gnu",
        arguments: MANYLINUX,
        features: &[],
        interpreters: STABLE_ABI,
        runtime: &[LIBGCC],
        compiler: GCC_AARCH64,
        tag: "manylinux_2_17_aarch64",
        attempt: DEBIAN_ARM64,
    },
    Wheel {
        name: "musllinux-x86_64",
        target: "x86_64-unknown-linux-musl",
        arguments: MUSLLINUX,
        features: &[],
        interpreters: STABLE_ABI,
        runtime: &[ZIG, UNWIND],
        compiler: None,
        tag: "musllinux_1_2_x86_64",
        attempt: NO_MUSL,
    },
    Wheel {
        name: "musllinux-aarch64",
        target: "aarch64-unknown-linux-musl",
        arguments: MUSLLINUX,
        features: &[],
        interpreters: STABLE_ABI,
        runtime: &[ZIG, UNWIND],
        compiler: None,
        tag: "musllinux_1_2_aarch64",
        attempt: NO_MUSL,
    },
    Wheel {
        name: "windows-x86_64",
        target: "x86_64-pc-windows-gnu",
        arguments: &[],
        features: NO_TREE,
        interpreters: STABLE_ABI,
        runtime: &[ZIG, UNWIND, MINGW],
        compiler: None,
        tag: "win_amd64",
        attempt: Trial::Without("Python for Windows"),
    },
    Wheel {
        name: "macos-aarch64",
        target: "aarch64-apple-darwin",
        arguments: &[],
        features: &[],
        interpreters: STABLE_ABI,
        runtime: &[ZIG],
        compiler: None,
        tag: "macosx_11_0_arm64",
        attempt: NO_MACOS,
    },
    Wheel {
        name: "macos-x86_64",
        target: "x86_64-apple-darwin",
        arguments: &[],
        features: &[],
        interpreters: STABLE_ABI,
        runtime: &[ZIG],
        compiler: None,
        tag: "macosx_10_12_x86_64",
        attempt: NO_MACOS,
    },
    Wheel {
        name: "free-threaded",
        target: "x86_64-unknown-linux-gnu",
        arguments: MANYLINUX,
        features: NO_ABI,
        interpreters: FREE_THREADED,
        runtime: &[LIBGCC],
        compiler: GCC,
        tag: "manylinux_2_17_x86_64",
        attempt: Trial::FreeThreaded,
    },
];

const NO_MACOS: Trial = Trial::Without("macOS");

/// The newest GNU C library that a wheel of manylinux2014 may need.
const GLIBC: (u32, u32) = (2, 17);

pub(super) fn artefacts() -> Vec<Artefact> {
    let wheel = |wheel: &'static Wheel| {
        Artefact::new(
            format!("wheel-{}", wheel.name),
            |place| Ok(vec![wheel.build(place)?]),
            |place, files| wheel.attempt(place, &files[0]),
        )
    };
    let mut all: Vec<Artefact> = WHEELS.iter().map(wheel).collect();
    all.push(Artefact::new("sdist", |place| Ok(vec![sdist(place)?]), try_sdist));
    all
}

impl Wheel {
    pub(super) fn linked(&self) -> Linked<'static> {
        Linked {
            manifest: MANIFEST,
            package: "carryless-python",
            features: self.features,
            target: self.target,
            runtime: self.runtime,
        }
    }

    fn build(&self, place: &Place) -> Result<PathBuf, Stop> {
        shell::need_target(self.target)?;
        shell::write(&shell::root().join("python/NOTICE"), notice::text(&self.linked())?)?;
        let interpreter = match self.attempt {
            Trial::FreeThreaded => found(FREE_THREADED_PYTHON)?,
            _ => tools()?.join("bin/python"),
        };
        let wheels = place.empty("wheels")?;
        let mut build = zig("maturin", &["build", "--release", "--locked", "--target", self.target])?;
        build.args(self.arguments).args(self.features).args(["--manifest-path", MANIFEST, "--interpreter"]);
        build.arg(interpreter).arg("--out").arg(&wheels);
        build.arg("--target-dir").arg(place.work.join("build/python"));
        match self.compiler {
            Some((compiler, package)) => {
                shell::need(compiler, package)?;
                let variable = self.target.replace('-', "_").to_uppercase();
                build.env(format!("CARGO_TARGET_{variable}_LINKER"), compiler);
                build.arg("--").args(old_glibc(self.target)?);
            }
            None => {
                build.arg("--zig");
            }
        }
        // With v0 mangling similar functions lie together, and compress better.
        shell::run(build.envs(place.environment("-Csymbol-mangling-version=v0")))?;
        let name = self.file_name(&wheels)?;
        let mut smaller = zig("python", &["python/recompress.py"])?;
        shell::run(smaller.arg(wheels.join(&name)))?;
        let made = place.file(&name);
        copy(&wheels.join(&name), &made)?;
        Ok(made)
    }

    /// The name that maturin gave the wheel, which may be for more systems than [`Wheel::tag`].
    fn file_name(&self, folder: &Path) -> Result<String, Stop> {
        let entries = std::fs::read_dir(folder).map_err(shell::failed(folder))?;
        let names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let begin = format!("carryless-{VERSION}-{}-", self.interpreters);
        match &names[..] {
            [name] if name.starts_with(&begin) && name.contains(self.tag) && name.ends_with(".whl") => {
                Ok(name.clone())
            }
            _ => fail(format!("maturin made {names:?} instead of {begin}..{}", self.tag)),
        }
    }

    /// Checks size and the library of C that it needs; then installs it in an environment of every Python.
    fn attempt(&self, place: &Place, wheel: &Path) -> Outcome {
        place.within(wheel, python::MAX_BYTES)?;
        let unpacked = place.empty("wheel")?;
        shell::run(shell::command("unzip", &["-q"]).arg(wheel).arg("-d").arg(&unpacked))?;
        let listed = shell::output(shell::command("find", &["."]).current_dir(&unpacked))?;
        for file in ["/licenses/NOTICE", "/licenses/LICENSE-MIT", "/licenses/LICENSE-APACHE", "/py.typed"] {
            if !listed.lines().any(|line| line.ends_with(file)) {
                return fail(format!("the wheel has no {file}"));
            }
        }
        if self.tag.contains("linux") {
            let library = listed.lines().find(|line| line.contains("/_carryless.") && line.ends_with(".so"));
            let needed = glibc(&unpacked.join(library.unwrap_or_default()))?;
            println!("it needs the GNU C library {}.{}", needed.0, needed.1);
            // A library for musl names no version of another.
            let newest = if self.tag.contains("musl") { (0, 0) } else { GLIBC };
            if needed > newest {
                return fail(format!("it needs the GNU C library {}.{}", needed.0, needed.1));
            }
        }
        match self.attempt {
            Trial::Here => on_this_system(place, wheel),
            Trial::FreeThreaded => {
                try_in(place, &found(FREE_THREADED_PYTHON)?, &[&wheel.to_string_lossy()])?;
                let python = place.work.join("environment/bin/python");
                // An extension that is not made for it would turn the lock on.
                let line = format!("{LINE}; import sys; assert not sys._is_gil_enabled()");
                shell::run(&mut shell::command(python, &["-P", "-c", &line]))
            }
            Trial::Emulated { architecture, emulator } => emulate(place, wheel, architecture, emulator),
            Trial::Without(what) => {
                Err(Stop::NotExercised(format!("made and unpacked, but there is no {what} to run it")))
            }
        }
    }
}

fn on_this_system(place: &Place, wheel: &Path) -> Outcome {
    let here = python::VERSIONS.map(|version| try_in(place, &found(version)?, &[&wheel.to_string_lossy()]));
    let there =
        roots::RELEASES.into_iter().chain([roots::NEXT]).map(|release| in_debian(place, wheel, release));
    // All are tried: a Python that is missing here says nothing of Debian's.
    worst(here.into_iter().chain(there))
}

fn found(version: &str) -> Result<PathBuf, Stop> {
    python::find(version).ok_or_else(|| Stop::NotExercised(format!("there is no Python {version}")))
}

/// Installs the wheel in an environment in a root of Debian, whose pip installs nothing outside of one.
fn in_debian(place: &Place, wheel: &Path, release: &str) -> Outcome {
    let root = roots::with(place, release, &[])?;
    let version = "import sys; print('%d.%d' % sys.version_info[:2])";
    let version = roots::output(&root, &["python3", "-c", version])?;
    // What it depends on comes from here: pip in the root has neither certificates nor names of hosts.
    let mut download = shell::command(python::newest()?, &["-m", "pip", "download", "--quiet", "--dest"]);
    download.arg(root.join("wheels")).args(platform("x86_64", version.trim()));
    shell::run(download.arg(wheel))?;
    roots::output(&root, &["python3", "-m", "venv", "/e"])?;
    let install = "/e/bin/pip install --isolated --quiet --no-index --find-links /wheels carryless";
    roots::in_root(&root, &["sh", "-c", &format!("{install} && /e/bin/python -c \"{LINE}\"")])
}

/// Arguments by which pip takes packages for another Python than its own.
fn platform(processor: &str, version: &str) -> Vec<String> {
    let fixed = ["--only-binary=:all:", "--python-version", version].map(String::from);
    let systems =
        ["manylinux2014", "manylinux_2_28"].map(|system| format!("--platform={system}_{processor}"));
    fixed.into_iter().chain(systems).collect()
}

/// Has pip install a wheel for a processor that this one is not, and uses it in an emulated Python.
fn emulate(place: &Place, wheel: &Path, architecture: &str, emulator: &str) -> Outcome {
    shell::need(emulator, "qemu-user")?;
    let (root, packages) = (roots::foreign(architecture)?, place.empty("packages")?);
    let mut install = shell::command(python::newest()?, &["-m", "pip", "install", "--quiet", "--target"]);
    install.arg(&packages).args(platform("aarch64", roots::FOREIGN_PYTHON));
    shell::run(install.arg(wheel))?;
    let interpreter = root.join("usr/bin").join(format!("python{}", roots::FOREIGN_PYTHON));
    let mut run = shell::command(emulator, &["-L"]);
    shell::run(run.arg(&root).arg(interpreter).args(["-c", LINE]).env("PYTHONPATH", &packages))
}

/// A line that uses the package.
const LINE: &str = "import carryless; print(carryless.poly1305_digest(bytes(32), b'message').hex())";

/// Installs a package in an empty environment, and uses it.
fn try_in(place: &Place, python: &Path, packages: &[&str]) -> Outcome {
    let folder = place.empty("environment")?;
    python::environment(&folder, python, &[])?;
    let pip = ["-m", "pip", "install", "--quiet"];
    shell::run(shell::command(folder.join("bin/python"), &pip).args(packages))?;
    quickly(shell::command(folder.join("bin/python"), &["-P", "-c", LINE]).current_dir(&folder))
}

fn sdist(place: &Place) -> Result<PathBuf, Stop> {
    // It has no compiled code, so nobody else's licence.
    remove(&shell::root().join("python/NOTICE"))?;
    let folder = place.empty("sdist")?;
    let mut build = zig("maturin", &["sdist", "--manifest-path", MANIFEST, "--out"])?;
    shell::run(build.arg(&folder).envs(place.environment("")))?;
    // maturin gives it the name that the source archive has here.
    let file = place.file(format!("python-sdist-{VERSION}.tar.gz"));
    copy(&folder.join(format!("carryless-{VERSION}.tar.gz")), &file)?;
    Ok(file)
}

/// Builds what is unpacked where no repository is, with few features.
fn try_sdist(place: &Place, files: &[PathBuf]) -> Outcome {
    let folder = place.empty("unpacked-sdist")?;
    unpack(&files[0], &folder)?;
    let source = folder.join(format!("carryless-{VERSION}"));
    let few = "--config-settings=build-args=--profile dev --no-default-features --features abi3,hqc";
    try_in(place, &python::newest()?, &[&source.to_string_lossy(), few])
}
