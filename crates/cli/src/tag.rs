//! `carryless tag`: writes a manifest of files.
pub(crate) mod edition;
mod listed;
mod made;
#[cfg(feature = "lists")]
mod public;
#[cfg(not(feature = "lists"))]
#[path = "tag/public_none.rs"]
mod public;
mod recorder;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use carryless_aead::file_mac::Algorithm;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::args::{KeyArgs, LabelArgs, ReadArgs, ScopeArgs};
use crate::engine::{self, Tagging, Target};
use crate::exit::Exit;
use crate::key;
use crate::lines::LineFormat;
#[cfg(feature = "lists")]
use crate::lists::Hash;
use crate::mac::Keys;
use crate::manifest::Header;
use crate::name::named;
use crate::output::check_manifest;
use crate::paths::ListArgs;
use crate::progress::Progress;
use crate::report::Form;

use edition::EditionArgs;
use public::Public;
use recorder::Recording;

/// Writes a manifest: names, sizes and tags of all files under the PATHs, hidden ones too.
///
/// Recorded, and compared by `verify`: contents, names and kinds of files, targets of links; after --metadata full also
/// modes, owners, groups and times of modification. Times and inodes are recorded to tell edits from decay. Not recorded:
/// ACLs, extended attributes, capabilities, alternate data streams of NTFS, empty folders, and which names are hard links
/// of one file.
///
/// Names are relative to the current folder, or that of -C: `verify` must run there, too. The manifest is not secret, but
/// shows names, sizes, and which files are equal. The key file and the manifest are left out. If a file cannot be read or
/// keeps changing, or the command is interrupted, no manifest is written, and an older one stays (but see --keep-going).
#[derive(Args)]
pub(crate) struct TagArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    /// The manifest to write; - is standard output. Required, unless --format prints lines alone
    #[arg(short, long, value_name = "MANIFEST", required_unless_present = "format")]
    pub(crate) output: Option<PathBuf>,
    /// Print the tag of each file on standard output, in lines as of sha256sum, of BSD or of b3sum. Only holders of the key can compute these tags
    #[arg(long, value_enum, value_name = "PROGRAM", conflicts_with = "json")]
    pub(crate) format: Option<LineFormat>,
    /// Replace an existing manifest; any other existing file is still an error
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Record names that cannot be read as errors, and all others; the exit status is 2 nevertheless
    #[arg(short, long)]
    pub(crate) keep_going: bool,
    /// Write a manifest without entries if there is nothing to tag, which is an error otherwise
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// The MAC of files and manifest; `verify` reads its name from the manifest
    #[arg(long, value_name = "NAME", value_parser = algorithm_parser(), default_value = Algorithm::default().name())]
    pub(crate) algorithm: Algorithm,
    #[command(flatten)]
    pub(crate) edition: EditionArgs,
    #[command(flatten)]
    pub(crate) label: LabelArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    /// Print a line of JSON for each file on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not print the summary on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
    /// Check files against this list of sha256sum, b3sum or hashdeep before they are recorded. Without PATHs, record those in the list
    #[cfg(feature = "lists")]
    #[arg(long, value_name = "LIST")]
    pub(crate) from_list: Option<PathBuf>,
    /// Write a list of unkeyed digests beside the manifest, as MANIFEST.b3 or MANIFEST.sha256, by which anybody can check a copy; it is recorded in the manifest
    #[cfg(feature = "lists")]
    #[arg(long, value_enum, value_name = "HASH", num_args = 0..=1, require_equals = true, default_missing_value = "blake3", requires = "output")]
    pub(crate) public: Option<Hash>,
    /// The files to record, and folders with all below them; at least one, here or in --files-from
    #[arg(value_name = "PATH")]
    #[cfg_attr(feature = "lists", arg(required_unless_present_any = ["files_from", "from_list"]))]
    #[cfg_attr(not(feature = "lists"), arg(required_unless_present = "files_from"))]
    pub(crate) paths: Vec<PathBuf>,
}

impl TagArgs {
    /// Returns the file to which the manifest is written, if that is one.
    fn target(&self) -> Option<&Path> {
        self.output.as_deref().and_then(named)
    }

    /// Returns the form of what is printed for each file.
    fn form(&self) -> Form {
        self.format.map_or(Form::of(self.json, false), |format| Form::Tags(format, self.algorithm))
    }
}

/// Writes the manifest. If anything cannot be tagged, reports the errors and writes no manifest.
pub(crate) fn run(args: &TagArgs) -> Result<Exit> {
    check(args)?;
    // Locked before the old manifest is read.
    let target = target(args)?;
    let mut paths = args.list.with(&args.paths)?;
    let pool = args.read.pool()?;
    let listed = listed::check(args, &mut paths, &pool)?;
    let scope = args.scope.of(args.read.base(), &paths)?;
    let public = Public::of(args, &scope)?;
    let key = key::load(&args.key)?;
    let keys = Keys::derive(&key.master, args.algorithm, args.read.cpu()?);
    let label = args.label.get();
    let (edition, why_first) = args.edition.edition(target.path(), &key.master, label, args.keep_going)?;
    let header = Header { label: label.map(Into::into), scope, edition };
    let progress = Progress::new(args.read.style(args.quiet));
    let recorder = Recording::new(args, &keys, &progress, header.metadata(), listed, public, why_first);
    let tagging = Tagging {
        files: args.read.files(&pool, &progress),
        keys: &keys,
        key_file: key.path.as_deref(),
        target,
        header,
        allow_empty: args.allow_empty,
    };
    engine::tag(tagging, recorder)
}

/// Returns where the manifest goes.
fn target(args: &TagArgs) -> Result<Target> {
    Ok(match (args.target(), &args.output) {
        (Some(path), _) => Target::file(path)?,
        (None, Some(_)) => Target::Stdout,
        (None, None) => Target::Nothing,
    })
}

/// Fails if the options contradict each other, or the manifest cannot be written.
fn check(args: &TagArgs) -> Result<()> {
    let target = args.target();
    if let Some(target) = target {
        check_manifest(target, args.force)?;
    }
    // Whichever is read first takes all of standard input.
    let twice = args.key.is_stdin() && args.list.is_stdin();
    ensure!(!twice, "key and list of files cannot both come from standard input");
    let prints = args.json || args.format.is_some();
    let to_stdout = args.output.is_some() && target.is_none();
    ensure!(!(to_stdout && prints), "--json or --format and a manifest cannot both go to standard output");
    Ok(())
}

/// Returns the parser for the option `--algorithm`, which lists all names.
pub(crate) fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| Algorithm::named(&name))
}
