//! `carryless tag`: writes a manifest of files.
pub(crate) mod edition;
mod listed;
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

use crate::about::Metadata;
use crate::args::{KeyArgs, LabelArgs, ReadArgs, ScopeArgs};
use crate::engine::{collect, tag_all, total};
use crate::excluded::LeftOut;
use crate::exit::{Exit, Failure, complain};
use crate::key;
use crate::lines::LineFormat;
#[cfg(feature = "lists")]
use crate::lists::Hash;
use crate::lock::Lock;
use crate::mac::Keys;
use crate::manifest::{Header, Sink, Writer};
use crate::name::{escape, named};
use crate::open_below::Tree;
use crate::output::{NewFile, PUBLIC, check_manifest};
use crate::paths::ListArgs;
use crate::progress::Progress;
use crate::read::Reader;
use crate::report::{Form, Report};
use crate::scope::Scope;
use crate::twins::Twins;
use crate::walk::{Item, Walked};

use edition::EditionArgs;
use public::Public;
use recorder::Recorder;

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
    let target = args.target();
    // Locked before the old manifest is read, because the new one continues its serial number.
    let lock = target.map(Lock::existing).transpose()?.flatten();
    let mut paths = args.list.with(&args.paths)?;
    let pool = args.read.pool()?;
    let listed = listed::check(args, &mut paths, &pool)?;
    let mut scope = args.scope.of(args.read.base(), &paths)?;
    let public = Public::of(args, &scope)?;
    let loaded = key::load(&args.key)?;
    let keys = Keys::derive(&loaded.master, args.algorithm, args.read.cpu()?);
    let (edition, why_first) =
        args.edition.edition(target, &loaded.master, args.label.get(), args.keep_going)?;
    let mut report = Report::new(args.form());
    let progress = Progress::new(args.read.style(args.quiet));
    let own = LeftOut::to_record(loaded.path.as_deref(), target);
    let Some((items, unread)) = find(args, &scope, &own, public.as_ref(), &progress, &mut report)? else {
        return Ok(Exit::Trouble);
    };
    public.iter().for_each(|public| public.add_to(&mut scope));
    let header = Header { label: args.label.get().map(Into::into), scope, edition };
    let tree = Tree::open(args.read.base(), &header.scope)?;
    let reader = Reader::new(tree, &keys.file, args.read.mmap, &progress).twice(args.read.twice);
    // Created only after the walk, so that the walk does not find the temporary file.
    let writer = Writer::new(sink(args, lock.is_some())?, &keys, &header).allow_empty(args.allow_empty);
    progress.start(items.len(), pool.install(|| total(args.read.base(), &items, &progress)));
    // Records are written while files are read, so the manifest is never held in memory.
    let mut recorder = Recorder::new(args, writer, report, &progress, listed, header.metadata());
    recorder.add_unread(unread);
    if let Some(public) = public {
        recorder.add_public(public.list(&keys, &items, &reader, &pool)?);
    }
    // The times of listed files are compared, whatever is recorded.
    let level = if recorder.has_listed() { Metadata::Full } else { header.metadata() };
    tag_all(&pool, &items, &reader, level, |item, body| recorder.take(item, body))?;
    recorder.extra_before(None)?;
    // After all files were read, and held until the new manifest is in its place.
    let _held = lock.map(Lock::last).transpose()?;
    recorder.finish(items.len(), why_first.as_deref(), &keys)
}

/// Returns where the manifest goes. A file gets a temporary name. Without `replaces`, one that appears meanwhile stays.
fn sink(args: &TagArgs, replaces: bool) -> Result<Sink> {
    Ok(match (args.target(), &args.output) {
        (Some(target), _) => Sink::File(NewFile::create(target, PUBLIC, replaces)?),
        (None, Some(_)) => Sink::Stdout(std::io::stdout()),
        (None, None) => Sink::Nothing,
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

/// What is to be recorded: items to be read, and names that cannot be, both in order and without common names.
type Found = (Vec<Item>, Vec<Vec<u8>>);

/// Returns what is to be recorded, or `None` after printing complaints.
fn find(
    args: &TagArgs,
    scope: &Scope,
    own: &LeftOut,
    public: Option<&Public>,
    progress: &Progress,
    report: &mut Report,
) -> Result<Option<Found>> {
    let mut walked = collect(args.read.base(), scope, own, progress)?;
    public.iter().for_each(|public| public.leave_out(&mut walked));
    progress.aside(|| walked.report_temporary());
    if !args.quiet {
        let mut twins = Twins::default();
        walked.items.iter().for_each(|item| twins.add_by_form(&item.name));
        progress.aside(|| twins.hint().iter().for_each(|hint| complain(hint)));
    }
    let Walked { mut items, mut errors, .. } = walked;
    for (name, reason) in &errors {
        progress.aside(|| complain(&format!("{}: {reason}", escape(name))));
        report.failure(name, reason)?;
    }
    if errors.is_empty() || args.keep_going {
        // In order for the search below, and as records must be.
        errors.sort_unstable();
        let mut unread: Vec<_> = errors.into_iter().map(|(name, _)| name).collect();
        unread.dedup();
        items.retain(|item| unread.binary_search_by(|name| name.as_slice().cmp(&item.name)).is_err());
        return Ok(Some((items, unread)));
    }
    if args.json {
        report.json(&Failure { error: "no manifest written" })?;
    }
    report.flush()?;
    Ok(None)
}

/// Returns the parser for the option `--algorithm`, which lists all names.
pub(crate) fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| Algorithm::named(&name))
}
