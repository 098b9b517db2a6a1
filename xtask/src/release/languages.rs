//! Packages of Python and JavaScript.
use super::checks::{glibc, unpack};
use super::tools::{tools, zig};
use super::{Artefact, Place, VERSION, quickly, roots};
use crate::archive::{copy, remove};
use crate::notice::{self, Linked};
use crate::report::{Outcome, Stop, fail, worst};
use crate::{npm, python, shell};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "python/Cargo.toml";

/// A wheel for a system.
pub(super) struct Wheel {
    name: &'static str,
    pub(super) target: &'static str,
    /// What maturin takes besides: the oldest GNU C library, and features.
    arguments: &'static [&'static str],
    features: &'static [&'static str],
    /// End of the file's name: the system that pip compares with its own.
    tag: &'static str,
    attempt: Trial,
}

/// Where a wheel is used, besides being unpacked.
enum Trial {
    /// Every Python of this system, and those of Debian's roots.
    Here,
    /// Debian's Python for this architecture, under qemu.
    Emulated { architecture: &'static str, emulator: &'static str },
    /// Nowhere, for want of this.
    Without(&'static str),
}

/// Features of systems that are not Unix, without `carryless.tree`.
const NO_TREE: &[&str] = &["--no-default-features", "--features", "abi3,nist-curves,hqc"];

const MANYLINUX: &[&str] = &["--compatibility", "manylinux2014"];
const MUSLLINUX: &[&str] = &["--compatibility", "musllinux_1_2"];
const NO_MUSL: Trial = Trial::Without("Python linked with musl");

/// On aarch64, qemu runs Debian's Python.
const DEBIAN_ARM64: Trial = Trial::Emulated { architecture: "arm64", emulator: "qemu-aarch64" };

pub(super) const WHEELS: [Wheel; 7] = [
    Wheel {
        name: "linux-x86_64",
        target: "x86_64-unknown-linux-gnu",
        arguments: MANYLINUX,
        features: &[],
        tag: "manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        attempt: Trial::Here,
    },
    Wheel {
        name: "linux-aarch64",
        target: "aarch64-unknown-linux-gnu",
        arguments: MANYLINUX,
        features: &[],
        tag: "manylinux_2_17_aarch64.manylinux2014_aarch64.whl",
        attempt: DEBIAN_ARM64,
    },
    Wheel {
        name: "musllinux-x86_64",
        target: "x86_64-unknown-linux-musl",
        arguments: MUSLLINUX,
        features: &[],
        tag: "musllinux_1_2_x86_64.whl",
        attempt: NO_MUSL,
    },
    Wheel {
        name: "musllinux-aarch64",
        target: "aarch64-unknown-linux-musl",
        arguments: MUSLLINUX,
        features: &[],
        tag: "musllinux_1_2_aarch64.whl",
        attempt: NO_MUSL,
    },
    Wheel {
        name: "windows-x86_64",
        target: "x86_64-pc-windows-gnu",
        arguments: &[],
        features: NO_TREE,
        tag: "win_amd64.whl",
        attempt: Trial::Without("Python for Windows"),
    },
    Wheel {
        name: "macos-aarch64",
        target: "aarch64-apple-darwin",
        arguments: &[],
        features: &[],
        tag: "macosx_11_0_arm64.whl",
        attempt: NO_MACOS,
    },
    Wheel {
        name: "macos-x86_64",
        target: "x86_64-apple-darwin",
        arguments: &[],
        features: &[],
        tag: "macosx_10_12_x86_64.whl",
        attempt: NO_MACOS,
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
    let why = "not made: no interpreter without the GIL; it needs a build without abi3";
    all.push(Artefact::absent("wheel-free-threaded", why));
    all.push(Artefact::new("sdist", |place| Ok(vec![sdist(place)?]), try_sdist));
    all.push(Artefact::new("npm", |place| Ok(vec![npm::pack(&place.out)?]), try_npm));
    all
}

/// What is linked into the wheel for Linux on x86-64.
pub(super) fn linked() -> Linked<'static> {
    WHEELS[0].linked()
}

impl Wheel {
    fn linked(&self) -> Linked<'static> {
        Linked {
            manifest: MANIFEST,
            package: "carryless-python",
            features: self.features,
            target: self.target,
            runtime: &[],
        }
    }

    fn build(&self, place: &Place) -> Result<PathBuf, Stop> {
        shell::need_target(self.target)?;
        shell::write(&shell::root().join("python/NOTICE"), notice::text(&self.linked())?)?;
        let interpreter = tools()?.join("bin/python");
        let wheels = place.empty("wheels")?;
        let mut build =
            zig("maturin", &["build", "--release", "--locked", "--zig", "--target", self.target])?;
        build.args(self.arguments).args(self.features).args(["--manifest-path", MANIFEST, "--interpreter"]);
        build.arg(interpreter).arg("--out").arg(&wheels);
        build.arg("--target-dir").arg(place.work.join("build/python"));
        // With v0 mangling similar functions lie together, and compress better.
        shell::run(build.envs(place.environment("-Csymbol-mangling-version=v0")))?;
        let wheel = wheels.join(self.file_name());
        if !wheel.exists() {
            return fail(format!("maturin made no {}", self.file_name()));
        }
        let mut smaller = zig("python", &["python/recompress.py"])?;
        shell::run(smaller.arg(&wheel))?;
        let made = place.file(self.file_name());
        copy(&wheel, &made)?;
        Ok(made)
    }

    fn file_name(&self) -> String {
        format!("carryless-{VERSION}-cp311-abi3-{}", self.tag)
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
            let needed = glibc(&unpacked.join("carryless/_carryless.abi3.so"))?;
            println!("it needs the GNU C library {}.{}", needed.0, needed.1);
            // A library for musl names no version of another.
            let newest = if self.tag.contains("musl") { (0, 0) } else { GLIBC };
            if needed > newest {
                return fail(format!("it needs the GNU C library {}.{}", needed.0, needed.1));
            }
        }
        match self.attempt {
            Trial::Here => on_this_system(place, wheel),
            Trial::Emulated { architecture, emulator } => emulate(place, wheel, architecture, emulator),
            Trial::Without(what) => {
                Err(Stop::NotExercised(format!("made and unpacked, but there is no {what} to run it")))
            }
        }
    }
}

fn on_this_system(place: &Place, wheel: &Path) -> Outcome {
    worst(python::VERSIONS.map(|version| {
        let python = python::find(version);
        let python = python.ok_or_else(|| Stop::NotExercised(format!("there is no Python {version}")))?;
        try_in(place, &python, &[&wheel.to_string_lossy()])
    }))?;
    roots::RELEASES.into_iter().try_for_each(|release| in_debian(place, wheel, release))
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

/// Installs the package without a network, and imports it by both kinds of modules.
fn try_npm(place: &Place, files: &[PathBuf]) -> Outcome {
    let folder = place.empty("user-of-npm")?;
    shell::write(&folder.join("package.json"), "{ \"private\": true }\n")?;
    let mut install = shell::command("npm", &["install", "--offline", "--no-audit", "--no-fund"]);
    quickly(install.arg(&files[0]).current_dir(&folder))?;
    let module = folder.join("node_modules/carryless");
    place.within(&gzipped(place, &module.join("pkg/mac/carryless_wasm_mac_bg.wasm"))?, MAX_BYTES_OF_MAC)?;
    let common = "console.log(Object.keys(require('carryless')).length)";
    let node = |line: &str| quickly(shell::command("node", &["--eval", line]).current_dir(&folder));
    node(common)?;
    node("import('carryless').then(m => console.log(Object.keys(m).length))")
}

/// The most bytes of the module of MACs after gzip.
const MAX_BYTES_OF_MAC: u64 = 60_000;

fn gzipped(place: &Place, file: &Path) -> Result<PathBuf, Stop> {
    let copied = place.work.join("mac.wasm");
    copy(file, &copied)?;
    shell::run(shell::command("gzip", &["-9nf"]).arg(&copied))?;
    Ok(copied.with_extension("wasm.gz"))
}
