//! Packages of Python and JavaScript.
use super::checks::{glibc, unpack, within};
use super::tools::{tools, zig};
use super::{Artefact, Place, VERSION, quickly};
use crate::archive::{copy, remove};
use crate::notice::{self, Linked};
use crate::report::{Outcome, Stop, fail, worst};
use crate::{npm, python, shell};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "python/Cargo.toml";

/// A wheel for a system.
struct Wheel {
    name: &'static str,
    target: &'static str,
    /// What maturin takes besides: the oldest GNU C library, and features.
    arguments: &'static [&'static str],
    features: &'static [&'static str],
    /// End of the file's name: the system that pip compares with its own.
    tag: &'static str,
}

/// Features of systems that are not Unix, without `carryless.tree`.
const NO_TREE: &[&str] = &["--no-default-features", "--features", "abi3,nist-curves,hqc"];

const WHEELS: [Wheel; 4] = [
    Wheel {
        name: "linux-x86_64",
        target: "x86_64-unknown-linux-gnu",
        arguments: &["--compatibility", "manylinux2014"],
        features: &[],
        tag: "manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    },
    Wheel {
        name: "linux-aarch64",
        target: "aarch64-unknown-linux-gnu",
        arguments: &["--compatibility", "manylinux2014"],
        features: &[],
        tag: "manylinux_2_17_aarch64.manylinux2014_aarch64.whl",
    },
    Wheel {
        name: "windows-x86_64",
        target: "x86_64-pc-windows-gnu",
        arguments: &[],
        features: NO_TREE,
        tag: "win_amd64.whl",
    },
    Wheel {
        name: "macos-aarch64",
        target: "aarch64-apple-darwin",
        arguments: &[],
        features: &[],
        tag: "macosx_11_0_arm64.whl",
    },
];

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
    for (name, why) in [
        ("wheel-macos-x86_64", "not made: no Rust library for x86_64-apple-darwin"),
        ("wheel-musllinux", "not made: no Rust library for musl"),
        ("wheel-free-threaded", "not made: no interpreter without the GIL; it needs a build without abi3"),
    ] {
        all.push(Artefact::absent(name, why));
    }
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

    /// Checks size and the library of C that it needs; then installs it in an environment of every Python that is there.
    fn attempt(&self, place: &Place, wheel: &Path) -> Outcome {
        within(wheel, python::MAX_BYTES)?;
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
            if needed > GLIBC {
                return fail(format!("it needs the GNU C library {}.{}", needed.0, needed.1));
            }
        }
        if self.target != shell::host()? {
            let why = format!("made and unpacked, but there is no Python for {} here", self.name);
            return Err(Stop::NotExercised(why));
        }
        worst(python::VERSIONS.map(|version| {
            let python = python::find(version);
            let python = python.ok_or_else(|| Stop::NotExercised(format!("there is no Python {version}")))?;
            try_in(place, &python, &[&wheel.to_string_lossy()])
        }))
    }
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
    within(&gzipped(place, &module.join("pkg/mac/carryless_wasm_mac_bg.wasm"))?, MAX_BYTES_OF_MAC)?;
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
