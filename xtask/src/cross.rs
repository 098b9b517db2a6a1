//! `cargo xtask cross`: the tests on processors that an emulator provides.
use crate::backends::{LIST, WITHOUT_PROOFS, seen};
use crate::report::{Outcome, Report, Seen, Stop, fail};
use crate::shell;
use crate::test::RESEARCH_KERNELS;
use std::process::Command;

/// Tests for every place: backends, hashes and MACs.
const ARITHMETIC: &[&str] = &[
    "--tests",
    "-p",
    "carryless-lanes",
    "-p",
    "carryless-hash",
    "-p",
    "carryless-aead",
    "-p",
    "carryless-reference",
    "--features",
    RESEARCH_KERNELS,
];

/// Products in F2\[X\], for processors with carry-less multiplication. The soft backend is the same code
/// everywhere and is tested natively.
pub(crate) const PRODUCTS: &[&str] = &["-p", "carryless-gf2", "--test", "poly"];

/// Fields GF(2^m), which take their bytes in one order on every processor.
pub(crate) const FIELDS: &[&str] = &["-p", "carryless-gf2", "--test", "field"];

/// HQC: its codes by themselves, then keys, ciphertexts and secrets of all parameter sets in all profiles.
pub(crate) const HQC: &[&str] = &["-p", "carryless-hqc", "--test", "code", "--test", "vectors"];

/// Arrays of elements, and extensions.
pub(crate) const FIELD_ARRAYS: &[&str] =
    &["-p", "carryless-gf2", "--test", "field_arrays", "--test", "field_tower"];

/// Tests of binary curves, with the fields of the default build.
pub(crate) const CURVES: &[&str] = &["-p", "carryless-gf2", "--test", "curve"];

/// Exhaustive tests on a curve of 34 points, the least order for which all kernels run.
pub(crate) const SMALL_CURVE: &[&str] = &["-p", "carryless-gf2", "--lib", "curve::tests::e34"];

/// k P and k G on a large curve, which is in the part [`LARGE_FIELDS`]. Its other tests would take
/// an emulator half an hour.
const LARGE_CURVE: &[&str] = &["-p", "carryless-gf2", "--test", "curve", "multiples::Sect571k1"];

/// Selects the part of `crates/gf2/tests/curve/parts.rs` that has [`LARGE_CURVE`].
const LARGE_FIELDS: &str = "--cfg=carryless_fields=\"1223\"";

/// One test at a time: an emulator has a single core.
const LIBTEST: &[&str] = &["--", "--test-threads=1"];

/// A foreign processor, and how programs for it are built and run here.
pub(crate) struct Place {
    /// Name on the command line, and of the folder that it builds in.
    pub name: &'static str,
    /// Name in the summary's list of backends.
    pub title: &'static str,
    /// Target triple, passed to `cargo --target`.
    pub target: &'static str,
    /// The linker and its Debian package; `None` if rustc's own serves.
    pub linker: Option<(&'static str, &'static str)>,
    /// Command that runs a program of the target; empty if the kernel can. A word that begins with `tools/`
    /// is a path in the checkout.
    pub runner: &'static [&'static str],
    /// Debian package of the runner; empty if there is no runner.
    pub runner_package: &'static str,
    /// Flags that are added to `RUSTFLAGS`, such as target features.
    pub rustflags: &'static str,
    /// Backends, separated by commas, without which the tests must not pass.
    pub require: &'static str,
    /// Sets of tests, each as the arguments of one `cargo test`.
    pub tests: &'static [&'static [&'static str]],
}

const PLACES: &[Place] = &[
    Place {
        name: "aarch64",
        title: "aarch64 (qemu)",
        target: "aarch64-unknown-linux-gnu",
        linker: Some(("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu")),
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        runner_package: "qemu-user",
        rustflags: "",
        require: "neon,pmull",
        tests: &[ARITHMETIC, PRODUCTS, FIELDS, FIELD_ARRAYS, HQC],
    },
    Place {
        name: "s390x",
        title: "s390x, big endian (qemu)",
        target: "s390x-unknown-linux-gnu",
        linker: Some(("s390x-linux-gnu-gcc", "gcc-s390x-linux-gnu")),
        runner: &["qemu-s390x", "-L", "/usr/s390x-linux-gnu"],
        runner_package: "qemu-user",
        rustflags: "",
        require: "portable",
        tests: &[ARITHMETIC, FIELDS, FIELD_ARRAYS, HQC],
    },
    Place {
        name: "i686",
        title: "i686, 32 bits",
        target: "i686-unknown-linux-gnu",
        linker: Some(("i686-linux-gnu-gcc", "gcc-i686-linux-gnu")),
        // An x86-64 kernel runs it. Under qemu-i386 7.2 a program hangs when it starts a thread.
        runner: &[],
        runner_package: "",
        rustflags: "-Ctarget-feature=+crt-static",
        require: "portable",
        tests: &[ARITHMETIC, HQC],
    },
    Place {
        name: "wasm",
        title: "wasm32 (node)",
        target: "wasm32-wasip1",
        linker: None,
        runner: &["node", "--no-warnings", "tools/wasi.mjs"],
        runner_package: "nodejs",
        rustflags: "-Ctarget-feature=+simd128",
        require: "simd128",
        tests: &[ARITHMETIC],
    },
];

/// The names of all places, which the test of the table of chores compares with its rows.
#[cfg(test)]
pub(crate) fn names() -> Vec<&'static str> {
    PLACES.iter().map(|place| place.name).collect()
}

/// The backends that must not be missing, each list as it is written.
#[cfg(test)]
pub(crate) fn required() -> Vec<&'static str> {
    PLACES.iter().map(|place| place.require).collect()
}

pub(crate) fn run(report: &mut Report, args: &[String]) {
    if let Some(unknown) = args.iter().find(|arg| PLACES.iter().all(|place| place.name != *arg)) {
        // The places that exist run all the same.
        report.step("cross", || fail(format!("there is no {unknown}")));
    }
    for place in PLACES.iter().filter(|place| args.is_empty() || args.iter().any(|arg| arg == place.name)) {
        let title = format!("cross {}", place.name);
        report.backend_step(&title, place.title, || place.test());
    }
}

/// Runs the tests of curves on the processor of that name; `None` if there is no such place.
pub(crate) fn curves(name: &str) -> Option<Outcome> {
    let place = PLACES.iter().find(|place| place.name == name)?;
    let test = |tests: &[&str]| shell::run(place.cargo("test").args(tests).args(LIBTEST));
    let tests = || test(SMALL_CURVE).and_then(|()| test(CURVES)).and_then(|()| place.test_large_curve());
    Some(place.needs().and_then(|()| tests()))
}

impl Place {
    /// Lists the backends of the place and runs the tests there. The listing comes first: it fails in seconds
    /// if a required backend is missing. Each set of tests runs in a process of its own, beside the others,
    /// because an emulator has one thread. Cargo's lock makes them compile one after the other.
    pub(crate) fn test(&self) -> Result<Seen, Stop> {
        self.needs()?;
        let seen = seen(self.cargo("run").args(LIST).env("CARRYLESS_REQUIRE_BACKEND", self.require))?;
        let test = |tests: &&[&str]| shell::run(self.cargo("test").args(*tests).args(LIBTEST));
        let outcomes = std::thread::scope(|scope| {
            let running: Vec<_> = self.tests.iter().map(|tests| scope.spawn(|| test(tests))).collect();
            running.into_iter().map(|thread| thread.join().expect("no step panics")).collect::<Vec<_>>()
        });
        // All sets have ended here. Of several failures the first is returned.
        outcomes.into_iter().collect::<Outcome>().map(|()| seen)
    }

    /// Runs [`LARGE_CURVE`] in a build of [`LARGE_FIELDS`].
    pub(crate) fn test_large_curve(&self) -> Outcome {
        let flags = format!("{} {LARGE_FIELDS}", self.flags());
        shell::run(self.cargo("test").args(LARGE_CURVE).args(LIBTEST).env("RUSTFLAGS", flags))
    }

    fn needs(&self) -> Outcome {
        shell::need_target(self.target)?;
        if let Some((linker, package)) = self.linker {
            shell::need(linker, package)?;
        }
        match self.runner.first() {
            // A runner with a slash is a script of this repository and needs no package.
            Some(program) if !program.contains('/') => shell::need(program, self.runner_package),
            _ => Ok(()),
        }
    }

    fn flags(&self) -> String {
        format!("{WITHOUT_PROOFS} {}", self.rustflags)
    }

    /// A cargo command that builds for this target, runs programs by the runner, and has a target folder of its own.
    pub(crate) fn cargo(&self, verb: &str) -> Command {
        let mut command = shell::cargo(&[verb, "--target", self.target]);
        if let Some((linker, _)) = self.linker {
            command.arg("--config").arg(format!("target.{}.linker={linker:?}", self.target));
        }
        if !self.runner.is_empty() {
            // Rust's debug format of plain strings and their lists is also TOML.
            command.arg("--config").arg(format!("target.{}.runner={:?}", self.target, self.runner_words()));
        }
        command.env("RUSTFLAGS", self.flags()).env("CARGO_TARGET_DIR", shell::target_dir().join(self.name));
        command.env("CARRYLESS_QUICK", "1").env("CARRYLESS_REQUIRE_BACKEND", self.require);
        // Portable code runs in seconds there; the optimiser would take minutes.
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("CARGO_PROFILE_TEST_OPT_LEVEL", "1");
        // Nobody debugs there, and without line tables it compiles sooner.
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_TEST_DEBUG", "0");
        // Symbols only make the files that an emulator loads larger.
        command.env("CARGO_PROFILE_TEST_STRIP", "symbols").env("CARGO_PROFILE_DEV_STRIP", "symbols");
        command
    }

    fn runner_words(&self) -> Vec<String> {
        let in_root = |word: &str| shell::root().join(word).to_string_lossy().into_owned();
        let word = |&word: &&str| if word.starts_with("tools/") { in_root(word) } else { word.to_string() };
        self.runner.iter().map(word).collect()
    }
}
