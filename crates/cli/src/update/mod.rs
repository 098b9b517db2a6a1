//! `carryless update`: accepts changes into a manifest.
mod choice;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
#[cfg(feature = "lists")]
use clap::ValueEnum as _;
use serde::Serialize;

use crate::args::{ManifestArgs, ReadArgs};
use crate::chain::{self, Oldest};
use crate::compare::{Effort, Judge, UNKNOWN, inspect};
use crate::counts::{Counts, JsonCounts};
use crate::date::Date;
use crate::excluded::LeftOut;
use crate::exit::{Exit, complain};
#[cfg(feature = "lists")]
use crate::lists::Hash;
use crate::lock::Lock;
use crate::mac::{Keys, MasterKey};
use crate::manifest::{Body, Edition, Header, Manifest, Sink, Source, Writer};
use crate::name::{escape, named};
use crate::open;
use crate::output::{NewFile, PUBLIC, check_target};
use crate::part::Part;
use crate::progress::Progress;
use crate::report::{Form, Report};
use crate::scope::Specials;
#[cfg(feature = "lists")]
use crate::scope::last_of;
#[cfg(feature = "lists")]
use crate::system::name_of;
use crate::verdict::{Class, Other, Status, Verdict};
use crate::walk::{Walked, walk};
use crate::writers;

use choice::{Change, Choice};

/// Accepts intended changes into a manifest. Everything else stays as it was recorded.
///
/// The manifest is authenticated, and all files are compared with it as by `verify`. Changes at or below the PATHs are
/// accepted, or all with --all, or those chosen with --interactive: decayed files, too, so look at the verdicts first (--dry-run).
/// Each change gets a line on standard output, with `(accepted)` if it is. A moved file may be named by its old or its new name.
///
/// The new manifest replaces the old one. It keeps the roots, filters, policies, label, algorithm and version. Accepted files
/// are recorded as they are now; unchanged ones get their present times, unless the manifest has full metadata. A file that cannot be read stays as it was recorded.
/// If the update fails, or has nothing new to record, the manifest stays as it is. Only one update of it runs at a time.
#[derive(Args)]
pub(crate) struct UpdateArgs {
    #[command(flatten)]
    pub(crate) from: ManifestArgs,
    /// Accept all changes
    #[arg(short, long, conflicts_with_all = ["interactive", "paths"])]
    pub(crate) all: bool,
    /// Ask about each change (below the PATHs, if there are any), showing old and new size and time
    #[arg(short, long)]
    pub(crate) interactive: bool,
    /// Write nothing: report what would be accepted
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Do not read files whose size, times and inode are as recorded, if they changed 3 s or more before the manifest's date. Decay, and writers that set back the clock, go unnoticed
    #[arg(long)]
    pub(crate) quick: bool,
    /// Accept that nothing is left to be recorded, which is an error otherwise
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Skip FIFOs, sockets and devices instead of refusing them
    #[arg(long)]
    pub(crate) skip_special: bool,
    /// Refuse a manifest with an earlier date or a lower serial number: after a rollback it would get a new date
    #[arg(long, value_name = "DATE|SERIAL")]
    pub(crate) not_older_than: Option<Oldest>,
    /// Print the report as lines of JSON, the last one with a summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not print the summary on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// The manifest that `tag` has written, which is replaced
    pub(crate) manifest: PathBuf,
    /// Accept changes of these files and folders, named as in the manifest
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Compares files with the manifest, and replaces it by one with the accepted changes.
pub(crate) fn run(args: &UpdateArgs) -> Result<Exit> {
    let path = named(&args.manifest).context("a manifest from standard input cannot be replaced")?;
    let part = Part::of(&args.paths)?;
    let anything = args.all || args.interactive || !args.paths.is_empty();
    ensure!(
        anything || args.dry_run,
        "nothing is accepted: give PATHs, --all or --interactive, or --dry-run to see what changed"
    );
    let choice = Choice::new(anything.then(|| part.clone()), args.interactive)?;
    check_target(path, true)?;
    // A dry run replaces nothing, so it needs no lock and disturbs no other command.
    let lock = if args.dry_run { None } else { Some(Lock::new(path)?) };
    let (key, [source]) = open::read(&args.from, [path])?;
    let (mut manifest, keys) = open_manifest(args, &source, &key.master)?;
    let header = next(&manifest)?;
    if args.skip_special {
        // After `next`: this is for the present walk, and the new manifest keeps the recorded policy.
        manifest.header.scope.specials = Specials::Skip;
    }
    let progress = Progress::new(args.read.style(args.quiet));
    let own = LeftOut::to_record(key.path.as_deref(), Some(path));
    let scope = &manifest.header.scope;
    let mut walked = walk(args.read.base(), scope, &Part::default(), &own, &progress)?;
    walked.keep_recorded(&manifest.records);
    progress.aside(|| walked.report_temporary());
    check_paths(&part, &manifest, &walked)?;
    let pool = args.read.pool()?;
    let reader = args.read.files(&pool, &progress).reader(scope, &keys.file)?;
    let effort = if args.quick { Effort::Changed } else { Effort::All };
    let judge = Judge::new(reader, &manifest.header, walked.errors.is_empty()).effort(effort);
    let mut session = Session::new(choice, &progress, Report::new(Form::of(args.json, false)));
    session.lists = lists_beside(path, &manifest);
    if !args.dry_run {
        // Created only after the walk, so that the walk does not find the temporary file.
        let sink = Sink::File(NewFile::create(path, PUBLIC, true)?);
        session.writer = Some(Writer::new(sink, &keys, &header).allow_empty(args.allow_empty));
    }
    let take = |name: &[u8], recorded: Option<&Body>, verdict| session.take(name, recorded, &verdict);
    inspect(&manifest.records, &Part::default(), walked, &judge, &pool, take)?;
    session.counts.bytes = progress.finish();
    // After all files were read, and held until the new manifest is in its place.
    let _held = lock.map(Lock::last).transpose()?;
    session.finish(args, &source.shown, header.edition.as_ref())
}

/// Opens the manifest. Fails if it is older than accepted, or has another label than the given one: accepting changes of
/// another collection would make its manifest the newest.
fn open_manifest<'s>(
    args: &UpdateArgs,
    source: &'s Source,
    master: &MasterKey,
) -> Result<(Manifest<'s>, Keys)> {
    let (manifest, keys) = source.open(master, args.read.cpu()?, None)?;
    manifest.header.check_label(args.from.label.get()).with_context(|| source.shown.clone())?;
    if let Some(oldest) = args.not_older_than {
        oldest.check(&manifest.header).with_context(|| source.shown.clone())?;
    }
    Ok((manifest, keys))
}

/// Returns the header of the manifest that replaces this one.
fn next(manifest: &Manifest<'_>) -> Result<Header> {
    let mut header = manifest.header.clone();
    // A manifest of version 1 stays one: what remains as recorded has no metadata.
    if header.edition.is_some() {
        header.metadata().check()?;
        let edition = chain::after(&manifest.header, manifest.mac, header.metadata(), Date::now()?)?;
        header.edition = Some(edition);
    }
    Ok(header)
}

/// Returns the names of public lists that `tag` wrote beside the manifest, if it records them.
#[cfg(feature = "lists")]
fn lists_beside(path: &Path, manifest: &Manifest<'_>) -> Vec<Vec<u8>> {
    let lists = Hash::value_variants().iter().map(|hash| hash.list_of(path)).filter(|list| list.is_file());
    let files: Vec<_> = lists.filter_map(|list| Some(name_of(list.file_name()?).into_owned())).collect();
    let is_list = |name: &[u8]| files.iter().any(|file| last_of(name) == file);
    let names = manifest.records.iter().map(|record| record.name.as_ref());
    names.filter(|name| is_list(name)).map(<[u8]>::to_vec).collect()
}

/// Returns nothing: this build writes no public lists.
#[cfg(not(feature = "lists"))]
fn lists_beside(_: &Path, _: &Manifest<'_>) -> Vec<Vec<u8>> {
    Vec::new()
}

/// Fails if a PATH names nothing: most likely it is a mistake.
fn check_paths(part: &Part, manifest: &Manifest<'_>, walked: &Walked) -> Result<()> {
    let records = manifest.records.iter().map(|record| record.name.as_ref());
    let items = walked.items.iter().map(|item| &*item.name);
    // What cannot be examined has an error of its own.
    let errors = walked.errors.iter().map(|(name, _)| name.as_slice());
    match part.without(records.chain(items).chain(errors)).next() {
        None => Ok(()),
        Some(path) => bail!("{}: {UNKNOWN}", escape(path)),
    }
}

/// An update in progress, with its report.
struct Session<'a> {
    choice: Choice,
    progress: &'a Progress,
    report: Report,
    /// The new manifest, unless nothing is to be written.
    writer: Option<Writer>,
    counts: Counts,
    accepted: u64,
    /// Number of verdicts `error` that were not accepted: these names stay as recorded.
    errors: u64,
    /// Whether the new manifest differs from the old one.
    differs: bool,
    /// Names of recorded public lists beside the manifest, of which no new version was accepted.
    lists: Vec<Vec<u8>>,
}

/// The last line of JSON: the counts of the verification, and what was accepted.
#[derive(Serialize)]
struct Summary<'a> {
    summary: Totals<'a>,
}

#[derive(Serialize)]
struct Totals<'a> {
    #[serde(flatten)]
    counts: JsonCounts<'a>,
    accepted: u64,
    written: bool,
}

impl<'a> Session<'a> {
    /// Begins with nothing accepted, and nothing to be written.
    fn new(choice: Choice, progress: &'a Progress, report: Report) -> Self {
        let counts = Counts::default();
        let (accepted, errors, differs, lists) = (0, 0, false, Vec::new());
        Self { choice, progress, report, writer: None, counts, accepted, errors, differs, lists }
    }

    /// Decides about a verdict, reports it, and records what follows from it.
    fn take(&mut self, name: &[u8], recorded: Option<&Body>, verdict: &Verdict) -> Result<()> {
        let (status, now) = (verdict.status, verdict.now.as_ref());
        if status == Status::Ok {
            self.counts.add(status);
            // The contents were verified, so that new times and inodes belong to them.
            return self.record(name, recorded, now.or(recorded));
        }
        let accepted = self.accepts(name, recorded, verdict)?;
        let after = if accepted { now } else { recorded };
        // This verdict is about the old name of a moved file. That about its new name counts and reports the move.
        if verdict.is_elsewhere() {
            return self.record(name, recorded, if accepted { None } else { recorded });
        }
        self.counts.add(status);
        self.accepted += u64::from(accepted);
        self.lists.retain(|list| !accepted || list != name);
        self.errors += u64::from(status == Status::Error && !accepted);
        if let Some(message) = verdict.message.as_ref().filter(|_| !accepted) {
            self.progress.aside(|| complain(&format!("{}: {message}", escape(name))));
        }
        self.progress.aside(|| self.report.decision(name, verdict, accepted))?;
        self.record(name, recorded, after)
    }

    /// Returns whether a change is accepted. An error can be only if the manifest recorded it and the name is readable now.
    fn accepts(&mut self, name: &[u8], recorded: Option<&Body>, verdict: &Verdict) -> Result<bool> {
        let (status, now) = (verdict.status, verdict.now.as_ref());
        if status == Status::Error && !verdict.was_unread {
            return Ok(false);
        }
        let change = match &verdict.other {
            Some(Other::To(new)) => Change { name: new, from: Some(name), status, recorded, now },
            _ => Change { name, from: verdict.from(), status, recorded, now },
        };
        let (choice, progress) = (&mut self.choice, self.progress);
        progress.aside(|| choice.accepts(&change))
    }

    /// Records what a name has from now on; `None` leaves it out. `before` is what the old manifest recorded.
    fn record(&mut self, name: &[u8], before: Option<&Body>, after: Option<&Body>) -> Result<()> {
        self.differs |= match (before, after) {
            (Some(before), Some(after)) => before.differs(after),
            (before, after) => before.is_some() != after.is_some(),
        };
        match (&mut self.writer, after) {
            (Some(writer), Some(after)) => writer.record(name, after),
            _ => Ok(()),
        }
    }

    /// Writes the manifest if it differs. Returns `Trouble` if an error is left, else `Mismatch` if a change was not
    /// accepted, else `Good`.
    fn finish(mut self, args: &UpdateArgs, shown: &str, edition: Option<&Edition>) -> Result<Exit> {
        let found = self.counts.wrong(false, false) + self.counts.class(Class::Error);
        let (accepted, left) = (self.accepted, found - self.accepted);
        // Before the manifest is replaced: whoever cannot be told what changed accepts nothing.
        let written = self.differs && self.writer.is_some();
        if args.json {
            let counts = self.counts.json(edition.filter(|_| written)).summary;
            self.report.json(&Summary { summary: Totals { counts, accepted, written } })?;
        }
        self.report.flush()?;
        if let Some(writer) = self.writer.take().filter(|_| written) {
            writer.finish()?;
        }
        for list in self.lists.iter().filter(|_| written && accepted > 0) {
            let how = "it has the digests of before (tag --force --public writes a new one)";
            complain(&format!("{}: not renewed: {how}", escape(list)));
        }
        if !args.quiet {
            if let Some(warning) = writers::warning(self.progress.unguarded()) {
                complain(&warning);
            }
            let stays = if written { String::new() } else { ", the manifest stays as it is".into() };
            let age = edition.filter(|_| written);
            let age = age.map(|edition| format!("; serial {} of {}", edition.serial, edition.date));
            let (text, age) = (self.counts.text(), age.unwrap_or_default());
            complain(&format!("{shown}: {text}; {accepted} accepted, {left} left as recorded{stays}{age}"));
        }
        Ok(match (self.errors, left) {
            (0, 0) => Exit::Good,
            (0, _) => Exit::Mismatch,
            _ => Exit::Trouble,
        })
    }
}
