//! `cargo xtask release`: makes what a release publishes in one folder, with sums, and tries each thing where it
//! lands. RELEASING.md says what each is for.
//!
//! What this computer cannot make or try is a step that is not exercised, with the reason.
mod binaries;
mod checks;
mod clibrary;
mod crates;
mod distribution;
mod javascript;
mod policies;
mod proofs;
mod recipes;
mod roots;
mod tools;
mod wheels;

use crate::archive::{epoch, remove};
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell::{self, failed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Version of everything that is released: all packages have that of the workspace (`text/versions.rs`).
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What both licences of the project allow users to choose.
const LICENCE: &str = "Apache-2.0 OR MIT";

const DESCRIPTION: &str = "Fast polynomial and finite-field arithmetic for cryptography";

/// The file of the sums.
const SUMS: &str = "SHA256SUMS";

/// The last step, which signs them.
const SIGNATURE: &str = "signature";

/// Folders of a run, and what it was asked for.
struct Place {
    /// Where the artefacts are put, and nothing else.
    out: PathBuf,
    /// Builds, trees of packages, and empty places for trials.
    work: PathBuf,
    /// Whether what is made only shows that it can be made and installed: one backend, without the optimiser.
    draft: bool,
    /// The words of the command line after `release`, if it asks for everything; else nothing.
    whole: Option<String>,
}

/// Flags of drafts, which compile in a tenth of the time. Of several levels rustc takes the last.
const DRAFT: &str = "--cfg carryless_without_proofs --cfg carryless_backend=\"portable\" \
                     --cfg carryless_clmul=\"soft\" -Copt-level=0";

type Make = Box<dyn Fn(&Place) -> Result<Vec<PathBuf>, Stop>>;
type Try = Box<dyn Fn(&Place, &[PathBuf]) -> Outcome>;

/// Something that is released, of one or more files.
struct Artefact {
    /// Name in the summary, and for `--only`, which takes all whose names begin so.
    name: String,
    /// Makes the files in [`Place::out`], and returns their paths.
    make: Make,
    /// Tries them where a user has them.
    attempt: Try,
    /// Whether a second run in other folders makes the same bytes. If not, the page says why.
    reproducible: bool,
}

impl Artefact {
    fn new(
        name: impl Into<String>,
        make: impl Fn(&Place) -> Result<Vec<PathBuf>, Stop> + 'static,
        attempt: impl Fn(&Place, &[PathBuf]) -> Outcome + 'static,
    ) -> Artefact {
        Artefact { name: name.into(), make: Box::new(make), attempt: Box::new(attempt), reproducible: true }
    }

    /// Something that cannot be made on any computer that the project has.
    fn absent(name: &str, why: &'static str) -> Artefact {
        let missing = move |_: &Place| Err(Stop::NotExercised(why.into()));
        Artefact::new(name, missing, |_, _| Ok(()))
    }
}

/// Everything that is released, in the order in which it is made: recipes name the sums of what comes before them.
fn artefacts() -> Vec<Artefact> {
    let mut all = vec![crates::artefact(), crates::source()];
    all.extend(binaries::artefacts());
    all.extend(clibrary::artefacts());
    all.extend(distribution::artefacts());
    all.extend(wheels::artefacts());
    all.push(javascript::artefact());
    all.extend(recipes::artefacts());
    all.extend(proofs::artefacts());
    all
}

/// The arguments of a run.
#[derive(Default)]
struct Arguments {
    only: Vec<String>,
    out: Option<PathBuf>,
    twice: bool,
    draft: bool,
}

impl Arguments {
    fn parse(args: &[String]) -> Result<Arguments, String> {
        let mut parsed = Arguments::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().cloned().ok_or(format!("{arg} takes a value"));
            match arg.as_str() {
                "--only" => parsed.only.push(value()?),
                // Relative to the root of the checkout, in which cargo runs.
                "--out" => parsed.out = Some(shell::root().join(value()?)),
                "--twice" => parsed.twice = true,
                "--draft" => parsed.draft = true,
                _ => return Err(format!("{arg} is no argument of release")),
            }
        }
        Ok(parsed)
    }

    fn takes(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.starts_with(only.as_str()))
    }
}

pub(crate) fn run(report: &mut Report, args: &[String]) {
    let arguments = match Arguments::parse(args) {
        Ok(arguments) => arguments,
        Err(why) => return report.step("release", || fail(why)),
    };
    let artefacts = artefacts();
    for only in &arguments.only {
        let policies = policies::ALL.map(|(name, _)| name);
        let names: Vec<&str> = artefacts.iter().map(|artefact| artefact.name.as_str()).collect();
        let names = [&names[..], &policies, &[SIGNATURE]].concat();
        if !names.iter().any(|name| name.starts_with(only.as_str())) {
            return report
                .step("release", || fail(format!("no name begins with {only}: {}", names.join(", "))));
        }
    }
    let work = shell::target_dir().join(if arguments.draft { "drafts" } else { "artefacts" });
    let out = arguments.out.clone().unwrap_or_else(|| work.join("out"));
    let whole = arguments.only.is_empty().then(|| args.join(" "));
    let place = Place { out, work, draft: arguments.draft, whole };
    if place.whole.is_some() {
        let mut clear = false;
        report.step("no files of earlier runs", || place.clear().inspect(|()| clear = true));
        if !clear {
            return;
        }
    }
    policies::run(report, |name| arguments.takes(name));
    let mut made_any = false;
    for artefact in artefacts.iter().filter(|artefact| arguments.takes(&artefact.name)) {
        let mut made = None;
        report.step(&format!("make {}", artefact.name), || {
            made = Some(place.make(artefact)?);
            Ok(())
        });
        let Some(files) = made else { continue };
        made_any = true;
        report.step(&format!("try {}", artefact.name), || (artefact.attempt)(&place, &files));
        if arguments.twice && artefact.reproducible {
            report.step(&format!("{} again", artefact.name), || again(artefact, &files, arguments.draft));
        }
    }
    if made_any {
        report.step("SHA256SUMS", || place.sums());
    }
    if arguments.takes(SIGNATURE) {
        report.step(SIGNATURE, || proofs::sign(&place));
    }
}

/// Makes an artefact in other folders, from nothing, and compares the bytes.
fn again(artefact: &Artefact, first: &[PathBuf], draft: bool) -> Outcome {
    let folder = shell::target_dir().join("again");
    let place = Place { out: folder.join("out"), work: folder.join("artefacts"), draft, whole: None };
    remove(&folder)?;
    let second = place.make(artefact)?;
    for (first, second) in first.iter().zip(&second) {
        shell::run(shell::command("cmp", &[]).arg(first).arg(second))?;
    }
    match first.len() == second.len() {
        true => Ok(()),
        false => fail(format!("{} files, then {}", first.len(), second.len())),
    }
}

impl Place {
    /// Removes what the sums of an earlier run list, so that all files are of this one. Fails if others are there.
    fn clear(&self) -> Outcome {
        std::fs::create_dir_all(&self.out).map_err(failed(&self.out))?;
        let sums = std::fs::read_to_string(self.file(SUMS)).unwrap_or_default();
        let listed = sums.lines().filter_map(|line| line.split_once("  ")).map(|(_, name)| name);
        // A name with a slash would be a file elsewhere.
        for name in listed.filter(|name| !name.contains('/')).chain([SUMS, proofs::SIGNED]) {
            remove(&self.file(name))?;
        }
        match self.files()?.first() {
            None => Ok(()),
            Some(file) => fail(format!("{} is not of an earlier run that ended: remove it", file.display())),
        }
    }

    /// Makes an artefact, and prints its sizes.
    fn make(&self, artefact: &Artefact) -> Result<Vec<PathBuf>, Stop> {
        std::fs::create_dir_all(&self.out).map_err(failed(&self.out))?;
        let files = (artefact.make)(self)?;
        for file in &files {
            let size = file.metadata().map_err(failed(file))?.len();
            println!("made {} of {size} bytes", file.display());
        }
        Ok(files)
    }

    /// The file of this name among the artefacts.
    fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.out.join(name)
    }

    /// A new empty folder for work.
    fn empty(&self, name: &str) -> Result<PathBuf, Stop> {
        let folder = self.work.join(name);
        remove(&folder)?;
        std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
        Ok(folder)
    }

    /// The environment that makes compiled bytes independent of folders and of the time.
    fn environment(&self, flags: &str) -> [(&'static str, String); 3] {
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
        let above = self.work.parent().unwrap_or(&self.work);
        let folders = [(shell::root(), "/carryless"), (&home, "/cargo"), (above, "/target")];
        let remap = folders.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
        let draft = if self.draft { DRAFT } else { "" };
        let flags = format!("{} {flags} {draft}", remap.join(" "));
        // As the manifests say, but for drafts.
        let lto = ("CARGO_PROFILE_RELEASE_LTO", if self.draft { "off" } else { "thin" }.into());
        [("RUSTFLAGS", flags.trim().into()), ("SOURCE_DATE_EPOCH", epoch()), lto]
    }

    /// Fails if a file is larger than it may be. Drafts may be.
    fn within(&self, file: &Path, most: u64) -> Outcome {
        let size = file.metadata().map_err(failed(file))?.len();
        println!("{}: {size} bytes of at most {most}", file.display());
        let too_large = size > most && !self.draft;
        if too_large { fail(format!("{} is larger than {most} bytes", file.display())) } else { Ok(()) }
    }

    /// The files among the artefacts, sorted by name.
    fn files(&self) -> Result<Vec<PathBuf>, Stop> {
        let entries = std::fs::read_dir(&self.out).map_err(failed(&self.out))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        Ok(files)
    }

    /// Writes [`SUMS`], which `sha256sum -c` checks, and checks it.
    fn sums(&self) -> Outcome {
        let sums = self.file(SUMS);
        remove(&sums)?;
        let names = self.files()?.into_iter().filter_map(|path| Some(path.file_name()?.to_owned()));
        let mut sum = shell::command("sha256sum", &["--"]);
        let text = shell::output(sum.args(names).current_dir(&self.out))?;
        shell::write(&sums, text)?;
        let check = ["--check", "--quiet", "--strict", SUMS];
        shell::run(shell::command("sha256sum", &check).current_dir(&self.out))
    }
}

/// SHA-256 of a file, in hexadecimal.
fn sha256(file: &Path) -> Result<String, Stop> {
    let text = shell::output(shell::command("sha256sum", &["--"]).arg(file))?;
    Ok(text.split(' ').next().unwrap_or_default().to_string())
}

/// Runs it, and fails if it takes longer than a user waits: ten seconds.
fn quickly(command: &mut Command) -> Outcome {
    let begin = std::time::Instant::now();
    shell::run(command)?;
    let seconds = begin.elapsed().as_secs_f64();
    println!("{seconds:.1} s");
    if seconds > 10.0 { fail(format!("{seconds:.1} s instead of at most ten")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_names_and_a_folder() {
        let parse =
            |args: &[&str]| Arguments::parse(&args.iter().map(|arg| arg.to_string()).collect::<Vec<_>>());
        let parsed = parse(&["--only", "wheel", "--twice", "--draft", "--out", "a"]).expect("arguments");
        assert!(
            parsed.takes("wheel-linux-x86_64") && !parsed.takes("crates") && parsed.twice && parsed.draft
        );
        assert!(parse(&[]).expect("none").takes("crates"));
        assert!(["--only", "--out", "--three"].iter().all(|arg| parse(&[arg]).is_err()));
    }

    /// `--only` takes beginnings, so a name that is the beginning of another could not be chosen alone.
    #[test]
    fn names_differ() {
        let names: Vec<String> = artefacts().into_iter().map(|artefact| artefact.name).collect();
        for (i, a) in names.iter().enumerate() {
            assert!(names.iter().enumerate().all(|(j, b)| i == j || !b.starts_with(a.as_str())), "{a}");
        }
    }

    /// Files that an earlier run left would be signed as if this one had made them.
    #[test]
    fn a_whole_run_begins_with_an_empty_folder() {
        let out = std::env::temp_dir().join(format!("carryless-release-{}", std::process::id()));
        std::fs::create_dir_all(&out).expect("a folder");
        let place = Place { work: out.clone(), out, draft: false, whole: None };
        let write = |name: &str, text: &str| std::fs::write(place.file(name), text).expect("a file");
        write("a", "");
        write(SUMS, "0  a\n0  ../b\n");
        write(proofs::SIGNED, "");
        assert!(place.clear().is_ok() && place.files().is_ok_and(|files| files.is_empty()));
        write("other", "");
        assert!(matches!(place.clear(), Err(Stop::Failed(why)) if why.contains("other")));
        std::fs::remove_dir_all(&place.out).expect("the folder");
    }

    #[test]
    fn the_workflow_installs_what_artefacts_need() {
        let file = shell::root().join(".github/workflows/release.yml");
        let text = std::fs::read_to_string(file).expect("the workflow");
        let targets = text.lines().find(|line| line.contains("rustup target add ")).expect("targets");
        let systems = binaries::SYSTEMS.iter().map(|system| system.target);
        // Its compiler is the one that the page has a person use.
        let rust = text.split_once("RUSTUP_TOOLCHAIN: ").and_then(|(_, rest)| rest.lines().next());
        let page = std::fs::read_to_string(shell::root().join("RELEASING.md")).expect("the page");
        assert!(page.contains(&format!("cargo +{} xtask release", rust.expect("a compiler"))), "{rust:?}");
        let all = systems.chain(wheels::WHEELS.iter().map(|wheel| wheel.target));
        // The workflow runs on this one, whose library comes with the compiler.
        for target in all.filter(|target| *target != "x86_64-unknown-linux-gnu") {
            assert!(targets.split(' ').any(|word| word == target), "{target}");
        }
        let oldest = concat!("rustup toolchain install ", env!("CARGO_PKG_RUST_VERSION"), " ");
        assert!(text.contains(oldest), "{oldest}");
    }

    #[test]
    fn the_page_names_every_artefact() {
        let page = std::fs::read_to_string(shell::root().join("RELEASING.md")).expect("the page");
        let names = artefacts().into_iter().map(|artefact| artefact.name);
        for name in names.chain(policies::ALL.map(|(name, _)| name.to_string())) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
}
