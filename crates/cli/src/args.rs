//! Options that several commands have.
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow};
#[cfg(feature = "algebra")]
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, value_parser};

use crate::engine::Files;
use crate::filters;
use crate::manifest::MAX_MANIFEST_MIB;
use crate::name::named;
use crate::progress::{Progress, Style};
use crate::scope::{Scope, Specials, Symlinks};
use crate::threads;

/// Where the key comes from. It is never an argument: arguments are visible to other users.
#[derive(Args)]
pub struct KeyArgs {
    /// The file with the secret key; - is standard input. Required unless --key-fd is given
    #[arg(long, value_name = "FILE", required_unless_present = "key_fd")]
    pub(crate) key_file: Option<PathBuf>,
    /// Read the key from this open file descriptor
    #[arg(long, value_name = "N", conflicts_with = "key_file")]
    pub(crate) key_fd: Option<u32>,
    /// Accept a key file that others may read, write or replace, or that belongs to another user
    #[arg(long)]
    pub(crate) insecure_key_file: bool,
}

/// The option by which a manifest is bound to one collection of files.
#[derive(Args)]
pub(crate) struct LabelArgs {
    /// The name of this collection of files. `verify` and `update` need the label given to `tag`, so that no other collection under the same key passes for this one
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    label: Option<String>,
}

impl LabelArgs {
    /// Returns the label, or `None` if no option gave one.
    pub(crate) fn get(&self) -> Option<&str> {
        self.label.as_deref()
    }
}

/// Which files of a tree a new manifest covers.
#[derive(Args)]
pub(crate) struct ScopeArgs {
    /// Symbolic links: record them with their target, follow them, or skip them
    #[arg(long, value_enum, value_name = "POLICY", default_value = "record")]
    pub(crate) symlinks: Symlinks,
    /// Skip FIFOs, sockets and devices instead of refusing them
    #[arg(long)]
    pub(crate) skip_special: bool,
    /// Record only files that match this pattern (as in .gitignore; may be repeated)
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Leave out files and folders that match this pattern (as in .gitignore; may be repeated; wins over --include)
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Leave out what .gitignore files under the PATHs ignore. One that is no ordinary file, or longer than 1 MiB, is an error of its folder
    #[arg(long)]
    pub(crate) gitignore: bool,
    /// Leave out folders on other file systems than the PATH above them
    #[arg(short = 'x', long)]
    pub(crate) one_file_system: bool,
}

/// Options of the commands that read manifests: the key, the label, and the limit of size.
#[derive(Args)]
pub(crate) struct ManifestArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    #[command(flatten)]
    pub(crate) label: LabelArgs,
    /// Refuse a manifest of more than this many MiB; it is held in memory before it is authenticated
    #[arg(long, value_name = "MIB", default_value_t = MAX_MANIFEST_MIB, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_manifest_size: u32,
}

/// Options of the commands that read trees: base folder, threads, backend, and how writers are noticed.
#[derive(Args)]
pub(crate) struct ReadArgs {
    /// Take PATHs relative to this folder instead of the current one (not the files of key and manifest)
    #[arg(short = 'C', long = "directory", value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// Number of threads, at most 1024 [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=i64::from(threads::MAX_THREADS)))]
    threads: Option<u16>,
    /// Map files above 1 MiB into memory instead of reading them. If a program shortens such a file meanwhile, SIGBUS ends the command
    #[arg(long)]
    pub(crate) mmap: bool,
    /// Read a file twice if the system cannot report programs that write to it (no lease), and treat unequal readings as a change
    #[arg(long)]
    pub(crate) twice: bool,
    /// The backend, a set of vector instructions [default: the best of this CPU; an unknown name lists all it has]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// How to show progress on standard error; auto is a bar if that is a terminal
    #[arg(long, value_enum, value_name = "STYLE", default_value = "auto")]
    progress: Style,
    /// The same as --progress never
    #[arg(long)]
    no_progress: bool,
}

impl ScopeArgs {
    /// Returns the scope of these paths, which are relative to `base`.
    pub(crate) fn of(&self, base: &Path, paths: &[PathBuf]) -> Result<Scope> {
        let scope = Scope {
            symlinks: self.symlinks,
            specials: if self.skip_special { Specials::Skip } else { Specials::Refuse },
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            gitignore: self.gitignore,
            one_file_system: self.one_file_system,
            ..Scope::empty()
        };
        filters::with_roots(scope, base, paths)
    }
}

impl KeyArgs {
    /// Returns whether the key is read from standard input, so that nothing else may be.
    pub fn is_stdin(&self) -> bool {
        self.key_fd == Some(0) || self.key_file.as_deref().is_some_and(|path| named(path).is_none())
    }
}

impl ReadArgs {
    /// Returns the folder to which paths are relative: that of `-C`, or the current one.
    pub(crate) fn base(&self) -> &Path {
        self.directory.as_deref().unwrap_or(Path::new("."))
    }

    /// Returns the backend to hash on. Fails if this CPU has none of the given name.
    pub(crate) fn cpu(&self) -> Result<Cpu> {
        cpu(self.backend.as_deref())
    }

    /// Returns the style of progress. A command that must be silent shows none.
    pub(crate) fn style(&self, silent: bool) -> Style {
        if silent || self.no_progress { Style::Never } else { self.progress }
    }

    /// Returns the tree that these options name, and how its files are read.
    pub(crate) fn files<'a>(&'a self, pool: &'a rayon::ThreadPool, progress: &'a Progress) -> Files<'a> {
        Files { base: self.base(), map: self.mmap, twice: self.twice, pool, progress }
    }

    /// Starts the threads that read and hash.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool> {
        threads::pool(self.threads.map(usize::from))
    }
}

/// Returns the hashing backend of this name, or without a name the best one of this CPU.
pub fn cpu(name: Option<&str>) -> Result<Cpu> {
    let Some(name) = name else { return Ok(Cpu::detect()) };
    Cpu::named(name).map_err(|_| not_here(name, Cpu::available().map(Cpu::name)))
}

/// Returns the backend for carry-less products of this name, or without a name the best one of this CPU.
#[cfg(feature = "algebra")]
pub fn clmul_cpu(name: Option<&str>) -> Result<ClmulCpu> {
    let Some(name) = name else { return Ok(ClmulCpu::detect()) };
    ClmulCpu::named(name).map_err(|_| not_here(name, ClmulCpu::available().map(ClmulCpu::name)))
}

/// Returns the error for a backend that this CPU lacks. It lists the available ones.
fn not_here(name: &str, backends: impl Iterator<Item = &'static str>) -> Error {
    anyhow!("no backend {name:?} here; this CPU has {}", backends.collect::<Vec<_>>().join(", "))
}
