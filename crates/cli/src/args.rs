//! The command line.
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use carryless_aead::file_mac::Algorithm;
use carryless_hash::Cpu;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, value_parser};

use crate::filters;
use crate::key::{escape_path, named};
use crate::progress::Style;
use crate::scope::{Scope, Specials, Symlinks};
use crate::threads;

/// Authenticates files and folders with a secret key, fast.
///
/// `tag` writes a manifest of files; `verify` tells which of them changed, are missing or are new.
/// Exit status: 0 all is well, 1 something does not match, 2 an error.
#[derive(Parser)]
#[command(name = "carryless", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Keygen(KeygenArgs),
    Tag(TagArgs),
    Verify(VerifyArgs),
    #[cfg(feature = "plans")]
    Hash(crate::hash::HashArgs),
    #[cfg(feature = "plans")]
    Vectors(crate::vectors::VectorsArgs),
    #[cfg(feature = "plans")]
    Info(crate::info::InfoArgs),
    Poly(crate::poly::PolyArgs),
    Field(crate::field::FieldArgs),
    Curve(crate::curve::CurveArgs),
    Kem(crate::kem::KemArgs),
    Explain(crate::explain::ExplainArgs),
    Tune(crate::tune::TuneArgs),
    #[cfg(feature = "bench")]
    Bench(Box<carryless_bench::cli::Arguments>),
}

/// Makes a new random key file that only its owner may read. An existing file is never overwritten.
#[derive(Args)]
pub(crate) struct KeygenArgs {
    /// Print one JSON object with the key's id
    #[arg(long)]
    pub(crate) json: bool,
    /// The key file to make
    pub(crate) file: PathBuf,
}

/// Where the key comes from. It is never an argument: arguments are visible to other users.
#[derive(Args)]
pub(crate) struct KeyArgs {
    /// The file that holds the key; - is standard input
    #[arg(long, value_name = "FILE", required_unless_present = "key_fd")]
    pub(crate) key_file: Option<PathBuf>,
    /// Read the key from this open file descriptor
    #[arg(long, value_name = "N", conflicts_with = "key_file")]
    pub(crate) key_fd: Option<u32>,
    /// Accept a key file that others may read, write or replace, or that belongs to another user
    #[arg(long)]
    pub(crate) insecure_key_file: bool,
}

/// The largest manifest that is read unless another limit is given.
pub(crate) const MOST_MANIFEST_MIB: u32 = 1024;

/// What binds a manifest to one tree.
#[derive(Args)]
pub(crate) struct LabelArgs {
    /// A name for this collection of files, part of the manifest: `verify` needs the same one, so that no other collection
    /// under the same key passes for it
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    label: Option<String>,
}

impl LabelArgs {
    /// The label, if there is one.
    pub(crate) fn get(&self) -> Option<&str> {
        self.label.as_deref()
    }
}

/// How files are read.
#[derive(Args)]
pub(crate) struct ReadArgs {
    /// Paths are relative to this folder instead of the current one
    #[arg(short = 'C', long = "directory", value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// Number of threads, at most 1024 [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=i64::from(threads::MOST)))]
    threads: Option<u16>,
    /// Map files of more than 1 MiB into memory instead of reading them: for files that nobody changes, as one that
    /// shrinks meanwhile ends the command with a signal
    #[arg(long)]
    pub(crate) mmap: bool,
    /// Read a file twice if no lease on it can be had, which would tell of programs that write to it, and take unequal
    /// readings for a change
    #[arg(long)]
    pub(crate) twice: bool,
    /// The machine (vector unit) to compute on, as `carryless info` names them [default: the best]
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// How to show progress on standard error; auto is a bar if that is a terminal
    #[arg(long, value_enum, value_name = "STYLE", default_value = "auto")]
    progress: Style,
    /// The same as --progress never
    #[arg(long)]
    no_progress: bool,
}

/// Writes a manifest: names, sizes and tags of all files under the PATHs, hidden ones too.
///
/// Recorded are contents, names and kinds of files, and targets of links. Not recorded are modes, owners, times, ACLs,
/// extended attributes, capabilities, empty folders, and which names are hard links of one file.
#[derive(Args)]
pub(crate) struct TagArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    /// The manifest to write; - is standard output
    #[arg(short, long, value_name = "MANIFEST")]
    pub(crate) output: PathBuf,
    /// Replace an existing manifest; nothing else is ever replaced
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Write a manifest without entries if nothing is found to be tagged; without this it is an error
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// How tags are made; `verify` finds the name in the manifest
    #[arg(long, value_name = "NAME", value_parser = algorithm_parser(), default_value = Algorithm::default().name())]
    pub(crate) algorithm: Algorithm,
    #[command(flatten)]
    pub(crate) label: LabelArgs,
    /// Symbolic links: record them with their target, follow them, or skip them
    #[arg(long, value_enum, value_name = "POLICY", default_value = "record")]
    symlinks: Symlinks,
    /// Skip FIFOs, sockets and devices instead of refusing them
    #[arg(long)]
    skip_special: bool,
    /// Only files that match this pattern (as in .gitignore; may be repeated)
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// No files or folders that match this pattern (as in .gitignore; may be repeated; wins over --include)
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Obey the .gitignore files under the PATHs
    #[arg(long)]
    gitignore: bool,
    /// Print a line of JSON for each file
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not print the summary on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Leave out folders on other file systems than the PATH above them
    #[arg(short = 'x', long)]
    one_file_system: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) paths: PathArgs,
}

/// What is tagged.
#[derive(Args)]
pub(crate) struct PathArgs {
    /// Read further PATHs from this file, one on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// The names in the file of --files-from end in zero bytes, as `find -print0` writes them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
    /// Files and folders
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<PathBuf>,
}

impl PathArgs {
    /// Whether a list of paths takes up standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.files_from.as_deref().is_some_and(|file| named(file).is_none())
    }

    /// All paths.
    fn all(&self) -> Result<Vec<PathBuf>> {
        let mut paths = self.paths.clone();
        if let Some(file) = &self.files_from {
            let list = match named(file) {
                Some(file) => fs::read(file),
                None => {
                    let mut bytes = Vec::new();
                    io::stdin().read_to_end(&mut bytes).map(|_| bytes)
                }
            };
            let list =
                list.with_context(|| format!("{}: cannot read the list of files", escape_path(file)))?;
            let end = if self.null { 0 } else { b'\n' };
            let names = list.strip_suffix(&[end]).unwrap_or(&list);
            if !list.is_empty() {
                let path = |name: &[u8]| PathBuf::from(OsString::from_vec(name.to_vec()));
                paths.extend(names.split(|byte| *byte == end).map(path));
            }
        }
        Ok(paths)
    }
}

/// Checks files against a manifest and reports those that are ok, changed, missing or new.
///
/// Compared are contents, names and kinds of files, and targets of links. Not compared are modes, owners, times, ACLs,
/// extended attributes, capabilities, empty folders, and which names are hard links of one file.
///
/// Exit status: 0 all is well, 1 something is changed, missing or new, 2 an error.
#[derive(Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    /// Do not report files that are ok
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Report nothing but errors, only exit with a status
    #[arg(long)]
    pub(crate) status: bool,
    /// Missing files are no mismatch and are not reported
    #[arg(long)]
    pub(crate) ignore_missing: bool,
    /// New files are no mismatch and are not reported
    #[arg(long)]
    pub(crate) ignore_new: bool,
    /// A verification of no file at all is an error
    #[arg(long)]
    pub(crate) strict: bool,
    /// Accept a manifest without entries; without this it is an error
    #[arg(long, conflicts_with = "strict")]
    pub(crate) allow_empty: bool,
    /// Skip FIFOs, sockets and devices instead of refusing them
    #[arg(long)]
    pub(crate) skip_special: bool,
    #[command(flatten)]
    pub(crate) label: LabelArgs,
    /// Refuse a manifest of more than this many MiB; it is held in memory before it is authenticated
    #[arg(long, value_name = "MIB", default_value_t = MOST_MANIFEST_MIB, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_manifest_size: u32,
    /// Report in lines of JSON
    #[arg(long, conflicts_with_all = ["zero", "status"])]
    pub(crate) json: bool,
    /// End each line of the report with a zero byte and do not escape names
    #[arg(short, long)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// The manifest
    pub(crate) manifest: PathBuf,
    /// Verify only these files and folders, named as in the manifest
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

impl KeyArgs {
    /// Whether the key takes up standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.key_fd == Some(0) || self.key_file.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }
}

impl TagArgs {
    /// What the manifest is to cover.
    pub(crate) fn scope(&self) -> Result<Scope> {
        let mut scope = Scope {
            roots: Vec::new(),
            symlinks: self.symlinks,
            specials: if self.skip_special { Specials::Skip } else { Specials::Refuse },
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            gitignore: self.gitignore,
            one_file_system: self.one_file_system,
        };
        scope.set_roots(self.read.base(), self.paths.all()?.iter().map(PathBuf::as_path))?;
        filters::check(&scope)?;
        Ok(scope)
    }
}

impl ReadArgs {
    /// The folder to which paths are relative.
    pub(crate) fn base(&self) -> &Path {
        self.directory.as_deref().unwrap_or(Path::new("."))
    }

    /// The machine to hash on.
    pub(crate) fn cpu(&self) -> Result<Cpu> {
        cpu(self.machine.as_deref())
    }

    /// How to show progress, for a command that may have to keep silent.
    pub(crate) fn style(&self, silent: bool) -> Style {
        if silent || self.no_progress { Style::Never } else { self.progress }
    }

    /// The threads that read and hash.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool> {
        threads::pool(self.threads.map(usize::from))
    }
}

/// Reads the name of an algorithm and offers all of them.
fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| Algorithm::named(&name))
}

/// The machine of this name, or the best one.
pub(crate) fn cpu(name: Option<&str>) -> Result<Cpu> {
    match name {
        None => Ok(Cpu::detect()),
        Some(name) => Cpu::named(name).map_err(|_| {
            let have: Vec<_> = Cpu::available().map(Cpu::name).collect();
            anyhow!("machine {name:?}: not here; this CPU has {}", have.join(", "))
        }),
    }
}
