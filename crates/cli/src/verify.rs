//! `carryless verify`: compares files with a manifest.
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, value_parser};
use rayon::prelude::*;
use rustix::fs::FileType;
use serde::Serialize;

use crate::args::{KeyArgs, LabelArgs, ReadArgs};
use crate::beneath::Tree;
use crate::chain::Oldest;
use crate::excluded::Excluded;
use crate::exit::{Exit, complain};
use crate::key;
use crate::mac::Keys;
use crate::manifest::{Body, Edition, MOST_MANIFEST_MIB, Manifest, Record, Sealed, read_manifest};
use crate::name::{escape, escape_input, named};
use crate::progress::{Counters, Progress};
use crate::read::Reader;
use crate::read_error::ReadError;
use crate::report::{Form, Report, Status};
use crate::scope::{Specials, normal};
use crate::tag::BATCH;
use crate::walk::{Item, Kind, Part, Walked, walk};
use crate::writers;

/// Checks files against a manifest and reports those that are ok, changed, missing or new.
///
/// The manifest is authenticated before it is used. Then each name gets a line on standard output, such as `photos/1: ok`, and standard error a summary.
/// Filters and the policy for links are those given to `tag`. No file is changed.
///
/// Compared are contents, names and kinds of files, and targets of links. Not compared are modes, owners, times, ACLs,
/// extended attributes, capabilities, empty folders, and which names are hard links of one file.
///
/// Exit status: 0 all is well, 1 something is changed, missing or new, 2 an error: a file could not be read, or the manifest is damaged or of another key
/// or label. An error outweighs a mismatch.
#[derive(Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    /// Do not report files that are ok
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print nothing but errors: the exit status tells the result
    #[arg(long)]
    pub(crate) status: bool,
    /// Missing files are no mismatch and are not reported, unless no file was found at all
    #[arg(long)]
    pub(crate) ignore_missing: bool,
    /// New files are no mismatch and are not reported
    #[arg(long)]
    pub(crate) ignore_new: bool,
    /// Fail if no file was verified at all
    #[arg(long)]
    pub(crate) strict: bool,
    /// Accept a manifest without entries, which is an error otherwise
    #[arg(long, conflicts_with = "strict")]
    pub(crate) allow_empty: bool,
    /// Skip FIFOs, sockets and devices instead of refusing them
    #[arg(long)]
    pub(crate) skip_special: bool,
    #[command(flatten)]
    pub(crate) label: LabelArgs,
    /// Refuse a manifest with an earlier date or a lower serial number, as after a rollback
    #[arg(long, value_name = "DATE|SERIAL")]
    pub(crate) not_older_than: Option<Oldest>,
    /// Refuse a manifest of more than this many MiB; it is held in memory before it is authenticated
    #[arg(long, value_name = "MIB", default_value_t = MOST_MANIFEST_MIB, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_manifest_size: u32,
    /// Print the report as lines of JSON, the last one with a summary
    #[arg(long, conflicts_with_all = ["zero", "status"])]
    pub(crate) json: bool,
    /// End each line of the report with a zero byte and do not escape names
    #[arg(short, long)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// The manifest that `tag` has written; - is standard input
    pub(crate) manifest: PathBuf,
    /// Verify only these files and folders, named as in the manifest
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Verifies the files, and reports differences.
pub(crate) fn run(args: &VerifyArgs) -> Result<Exit> {
    let twice = args.key.is_stdin() && named(&args.manifest).is_none();
    ensure!(!twice, "key and manifest cannot both come from standard input");
    let loaded = key::load(&args.key)?;
    let cpu = args.read.cpu()?;
    let shown = escape_input(&args.manifest);
    // The manifest is held in memory as a whole: it is read once, authenticated, and only then parsed.
    let bytes = read_manifest(&args.manifest, args.max_manifest_size)?;
    let sealed = Sealed::new(&bytes).with_context(|| shown.clone())?.allow_empty(args.allow_empty);
    let keys = Keys::derive(&loaded.master, sealed.algorithm, cpu);
    let opened = sealed.open_to_verify(&keys, args.label.get(), args.skip_special);
    let mut manifest = opened.with_context(|| shown.clone())?;
    if let Some(oldest) = args.not_older_than {
        oldest.check(&manifest.header).with_context(|| shown.clone())?;
    }
    // `tag` did not record them either: without this they would be reported as new.
    let own: Vec<Excluded> = [loaded.path.as_deref(), named(&args.manifest)]
        .into_iter()
        .flatten()
        .flat_map(Excluded::at)
        .collect();
    let part = Part::new(args.paths.iter().map(|path| normal(path)).collect::<Result<_>>()?);
    let walked = walk(args.read.base(), &manifest.header.scope, &part, &own, &Counters::default())?;
    // Records outside of the PATHs are neither verified nor missing.
    manifest.records.retain(|record| part.contains(&record.name));
    let progress = Progress::new(args.read.style(args.status), manifest.records.len());
    let tree = Tree::open(args.read.base(), &manifest.header.scope)?;
    let reader = Reader::new(tree, &keys.file, args.read.mmap, &progress).twice(args.read.twice);
    let mut session =
        Session { args, progress: &progress, report: Report::new(form(args)), counts: Counts::default() };
    let pool = args.read.pool()?;
    inspect(&manifest, &part, walked, reader, &pool, |name, found| session.take(name, found))?;
    session.counts.bytes = progress.finish();
    session.finish(&shown, manifest.header.edition.as_ref())
}

/// Examines, in parallel, everything in `part` that the manifest records or the walk found. All
/// records must lie in `part`.
///
/// Passes the results to `take`: first paths that name nothing and errors of the walk, then all others by name.
pub(crate) fn inspect(
    manifest: &Manifest<'_>,
    part: &Part,
    walked: Walked,
    reader: Reader<'_>,
    pool: &rayon::ThreadPool,
    mut take: impl FnMut(&[u8], Found) -> Result<()>,
) -> Result<()> {
    let checks = pair(&manifest.records, &walked.items);
    // Reads happen here, after the walk: each file is opened by name again, below its root only.
    let judge = Judge { reader, specials: manifest.header.scope.specials, walk_was_whole: walked.errors.is_empty() };
    // A PATH that names nothing is most likely a mistake, and must not pass as verified.
    for path in part.without(checks.iter().map(Check::name)) {
        take(path, error("neither in the manifest nor in the file system".into()))?;
    }
    for (name, reason) in walked.errors {
        take(&name, error(reason))?;
    }
    for batch in checks.chunks(BATCH) {
        // In parallel within a batch only: `take` gets the results in order, on this thread.
        let found: Vec<_> = pool.install(|| batch.par_iter().map(|check| judge.look(check)).collect());
        batch.iter().zip(found).try_for_each(|(check, found)| take(check.name(), found))?;
    }
    Ok(())
}

fn form(args: &VerifyArgs) -> Form {
    match (args.json, args.zero) {
        (true, _) => Form::Json,
        (_, true) => Form::Zero,
        _ => Form::Lines,
    }
}

/// A name with its record and with what the walk found, at least one of them.
pub(crate) struct Check<'a> {
    pub(crate) record: Option<&'a Record<'a>>,
    pub(crate) item: Option<&'a Item>,
}

/// Merges records and items, both sorted by name, into one list.
pub(crate) fn pair<'a>(records: &'a [Record<'a>], items: &'a [Item]) -> Vec<Check<'a>> {
    let mut checks = Vec::with_capacity(records.len().max(items.len()));
    let (mut records, mut items) = (records.iter().peekable(), items.iter().peekable());
    loop {
        // Both lists are strictly ascending, so each step takes the smaller name, or both if they are equal.
        let order = match (records.peek(), items.peek()) {
            (None, None) => return checks,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(record), Some(item)) => record.name.as_ref().cmp(&item.name),
        };
        checks.push(Check {
            record: if order.is_le() { records.next() } else { None },
            item: if order.is_ge() { items.next() } else { None },
        });
    }
}

/// The result of a check: a status, and for errors a message. `None` if the name is not reported.
pub(crate) type Found = Option<(Status, Option<String>)>;

impl Check<'_> {
    pub(crate) fn name(&self) -> &[u8] {
        match (self.record, self.item) {
            (Some(record), _) => &record.name,
            (None, Some(item)) => &item.name,
            (None, None) => b"",
        }
    }
}

/// Compares records with the file system.
pub(crate) struct Judge<'a> {
    pub(crate) reader: Reader<'a>,
    pub(crate) specials: Specials,
    /// Whether the walk listed every folder. If not, an unlisted file need not be missing.
    pub(crate) walk_was_whole: bool,
}

impl Judge<'_> {
    /// Compares one name, reading its file if needed.
    pub(crate) fn look(&self, check: &Check<'_>) -> Found {
        let compared = match (check.record, check.item.map(|item| item.kind)) {
            (None, Some(Kind::Special(what))) => match self.specials {
                Specials::Skip => return None,
                Specials::Refuse => return error(format!("{what}, not read (see --skip-special)")),
            },
            (None, _) => return Some((Status::New, None)),
            // The walk did not find the name. It may be gone, be a folder now, or lie in an unlisted folder.
            (Some(record), None) => match self.reader.tree().kind(&record.name) {
                // The walk does not report folders: a folder has replaced the file.
                Ok(Some(FileType::Directory)) => Ok(false),
                // The name exists but was not found by the walk, so a link has appeared in its path.
                Ok(found) if found.is_none() || self.walk_was_whole => return Some((Status::Missing, None)),
                Ok(_) => return error("there, but its folder cannot be listed".into()),
                Err(failure) => Err(failure),
            },
            (Some(record), Some(kind)) => self.same(record, kind),
        };
        match compared {
            Ok(true) => Some((Status::Ok, None)),
            Ok(false) => Some((Status::Changed, None)),
            Err(failure) => error(failure.to_string()),
        }
    }

    /// Returns whether the name has the recorded contents. A file of another size is not read.
    fn same(&self, record: &Record<'_>, kind: Kind) -> Result<bool, ReadError> {
        match (&record.body, kind) {
            (Body::File(content, _), Kind::File) => {
                // The size is compared first: a changed size saves reading the file.
                let seen = self.reader.look(&record.name, |size| size == content.size)?;
                Ok(seen.content() == Some(*content))
            }
            (Body::Link(target), Kind::Link) => Ok(self.reader.tree().target(&record.name)? == *target),
            (Body::Error, _) => Err(ReadError::NotRecorded),
            // Another kind than the recorded one, such as a link in the place of a file.
            _ => Ok(false),
        }
    }
}

pub(crate) fn error(message: String) -> Found {
    Some((Status::Error, Some(message)))
}

/// Number of names with each status, and of bytes read.
#[derive(Default, Serialize)]
struct Counts {
    ok: u64,
    changed: u64,
    missing: u64,
    new: u64,
    error: u64,
    bytes: u64,
}

/// The counts of a verification, and which manifest it used.
#[derive(Serialize)]
struct Totals<'a> {
    #[serde(flatten)]
    counts: &'a Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<u64>,
}

#[derive(Serialize)]
struct Summary<'a> {
    summary: Totals<'a>,
}

/// A verification in progress, with its report.
struct Session<'a> {
    args: &'a VerifyArgs,
    progress: &'a Progress,
    report: Report,
    counts: Counts,
}

impl Session<'_> {
    /// Counts a result, and reports it unless an option suppresses it.
    fn take(&mut self, name: &[u8], found: Found) -> Result<()> {
        let Some((status, message)) = found else { return Ok(()) };
        let (count, wanted) = match status {
            Status::Ok => (&mut self.counts.ok, !self.args.quiet),
            Status::Changed => (&mut self.counts.changed, true),
            Status::Missing => (&mut self.counts.missing, !self.args.ignore_missing),
            Status::New => (&mut self.counts.new, !self.args.ignore_new),
            Status::Error => (&mut self.counts.error, true),
        };
        // Counted even if it is not reported, so that the summary is complete.
        *count += 1;
        if let Some(message) = &message {
            self.progress.aside(|| complain(&format!("{}: {message}", escape(name))));
        }
        if wanted && !self.args.status {
            self.progress.aside(|| self.report.status(name, status, message.as_deref()))?;
        }
        Ok(())
    }

    fn finish(mut self, shown: &str, edition: Option<&Edition>) -> Result<Exit> {
        let (date, serial) = (edition.map(|edition| edition.date.to_string()), edition.map(|edition| edition.serial));
        if self.args.json {
            let summary = Totals { counts: &self.counts, date: date.as_deref(), serial };
            self.report.json(&Summary { summary })?;
        }
        self.report.flush()?;
        let Counts { ok, changed, missing, new, error, bytes } = self.counts;
        // What an option ignores stands in the summary, but does not change the exit status.
        let wrong = changed
            + if self.args.ignore_missing { 0 } else { missing }
            + if self.args.ignore_new { 0 } else { new };
        // A wrong folder makes every file missing. With --ignore-missing this would look like a success.
        let nothing = ok + changed == 0;
        let hint = if nothing && missing > 0 { " (is this the right folder? see -C)" } else { "" };
        ensure!(!(nothing && self.args.strict), "{shown}: no file was verified{hint}");
        if nothing && self.args.ignore_missing && missing > 0 {
            complain(&format!("{shown}: no file was verified{hint}"));
        } else if !self.args.status && (!self.args.quiet || wrong + error > 0) {
            if let Some(warning) = writers::warning(self.progress.unguarded()) {
                complain(&warning);
            }
            let age = edition.map(|edition| format!("; serial {} of {}", edition.serial, edition.date));
            complain(&format!(
                "{shown}: {ok} ok, {changed} changed, {missing} missing, {new} new, {error} errors; {bytes} bytes read{}{hint}",
                age.unwrap_or_default()
            ));
        }
        // Errors outweigh mismatches: an incomplete verification must not look like a complete one.
        Ok(match (error, wrong) {
            (0, 0) if nothing && self.args.ignore_missing && missing > 0 => Exit::Mismatch,
            (0, 0) => Exit::Good,
            (0, _) => Exit::Mismatch,
            _ => Exit::Trouble,
        })
    }
}
