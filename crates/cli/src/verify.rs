//! `carryless verify`: compares files with a manifest.
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::args::{ManifestArgs, ReadArgs};
use crate::chain::{History, Oldest};
use crate::compare::Effort;
use crate::counts::Counts;
use crate::engine::{self, Verification};
use crate::excluded::LeftOut;
use crate::exit::{Exit, complain};
#[cfg(feature = "lists")]
use crate::lists::List;
use crate::manifest::{Demands, Edition};
use crate::name::{escape, named};
use crate::open;
use crate::part::Part;
use crate::paths::ListArgs;
use crate::progress::Progress;
use crate::report::{Form, Report};
use crate::twins::Twins;
use crate::verdict::{Class, Verdict};
use crate::writers;

/// Checks files against a manifest, and tells which are edited, decayed, moved, missing or new.
///
/// The manifest is authenticated before it is used. Then each name gets a line on standard output, such as `photos/1: ok`, and standard error a summary.
/// Filters and the policy for links are those that `tag` has recorded. No file is changed.
///
/// Verdicts: ok; edited; decayed (other contents, but size and times as recorded); older (see --history); changed (the
/// manifest has no times); kind (a file became a link or the like, lies behind a new link, or is left out by
/// now); metadata (mode, owner, group or time of modification, if all were recorded); moved, moved-and-edited, copied (with
/// the old name); missing, folder-missing; new; error.
///
/// Compared are contents, names and kinds of files, and targets of links; after `tag --metadata full` also modes, owners,
/// groups and times of modification. Not compared are ACLs, extended attributes, capabilities, alternate data streams
/// of NTFS, empty folders, and which names are hard links of one file.
#[derive(Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) from: ManifestArgs,
    /// Do not report files that are ok; print nothing at all if all are
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
    /// MANIFEST is a list of sha256sum, b3sum or hashdeep, which anybody can make: no key is needed, and new files are not found
    #[cfg(feature = "lists")]
    #[arg(long, conflicts_with_all = ["key_file", "key_fd", "label", "history", "not_older_than"])]
    pub(crate) list: bool,
    /// Fail if no file was verified at all
    #[arg(long)]
    pub(crate) strict: bool,
    /// Accept a manifest without entries, which is an error otherwise
    #[arg(long, conflicts_with = "strict")]
    pub(crate) allow_empty: bool,
    /// Skip FIFOs, sockets and devices instead of refusing them
    #[arg(long)]
    pub(crate) skip_special: bool,
    /// An earlier manifest of these files: those that have the contents recorded there are `older` (may be repeated)
    #[arg(long, value_name = "MANIFEST")]
    pub(crate) history: Vec<PathBuf>,
    /// Refuse a manifest with an earlier date or a lower serial number, as after a rollback; `show` prints both
    #[arg(long, value_name = "DATE|SERIAL")]
    pub(crate) not_older_than: Option<Oldest>,
    /// Print the report as lines of JSON, the last one with a summary
    #[arg(long, conflicts_with_all = ["zero", "status"])]
    pub(crate) json: bool,
    /// End each line of the report with a zero byte and do not escape names. An old name may look like a verdict: programs read --json
    #[arg(short, long)]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) only: ListArgs,
    /// The manifest that `tag` has written; - is standard input
    pub(crate) manifest: PathBuf,
    /// Verify only these files and folders, named as in the manifest
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Verifies the files, and reports differences. Fails before it reads a file if the manifest is not authentic, has another
/// label than demanded, or is too old.
pub(crate) fn run(args: &VerifyArgs) -> Result<Exit> {
    #[cfg(feature = "lists")]
    if args.list {
        return verify_list(args);
    }
    let twice = args.only.is_stdin() && (args.from.key.is_stdin() || named(&args.manifest).is_none());
    ensure!(!twice, "the list of files and the key or manifest cannot both come from standard input");
    let part = Part::of(&args.only.restricting(&args.paths)?)?;
    let (key, [source]) = open::read(&args.from, [&args.manifest])?;
    let demands = Demands {
        label: args.from.label.get(),
        allow_empty: args.allow_empty,
        skip_special: args.skip_special,
    };
    let (manifest, keys) = source.open_to_verify(&key.master, args.read.cpu()?, demands)?;
    if let Some(oldest) = args.not_older_than {
        oldest.check(&manifest.header).with_context(|| source.shown.clone())?;
    }
    let (pool, progress) = (args.read.pool()?, Progress::new(args.read.style(args.status)));
    let verification = Verification {
        files: args.read.files(&pool, &progress),
        part: &part,
        left_out: LeftOut::to_verify(key.path.as_deref(), named(&args.manifest)),
        effort: if args.ignore_new { Effort::WithoutCopies } else { Effort::Verify },
        history: History::read(&args.history, args.from.max_manifest_size, &key.master, &manifest)?,
    };
    let edition = manifest.header.edition.clone();
    let mut session = Session::new(args, &progress);
    engine::verify(verification, manifest, &keys, |name, verdict| session.take(name, &verdict))?;
    session.counts.bytes = progress.finish();
    session.finish(&source.shown, edition.as_ref())
}

/// Verifies the files of a list without a key, and reports differences.
#[cfg(feature = "lists")]
fn verify_list(args: &VerifyArgs) -> Result<Exit> {
    let twice = args.only.is_stdin() && named(&args.manifest).is_none();
    ensure!(!twice, "the list and the list of files cannot both come from standard input");
    let part = Part::of(&args.only.restricting(&args.paths)?)?;
    let list = List::read(&args.manifest, args.from.max_manifest_size)?;
    let progress = Progress::new(args.read.style(args.status));
    let mut session = Session::new(args, &progress);
    let mut seen = Vec::new();
    list.examine(args.read.base(), &part, &args.read.pool()?, &progress, |name, (verdict, _)| {
        seen.push(name.to_vec());
        session.take(name, &verdict)
    })?;
    for path in part.without(seen.iter().map(Vec::as_slice)) {
        session.take(path, &Verdict::error("not in the list"))?;
    }
    session.counts.bytes = progress.finish();
    session.finish(&list.shown, None)
}

/// A verification in progress, with its report.
struct Session<'a> {
    args: &'a VerifyArgs,
    progress: &'a Progress,
    report: Report,
    counts: Counts,
    /// Missing and new names, of which two may look equal.
    twins: Twins,
}

impl<'a> Session<'a> {
    fn new(args: &'a VerifyArgs, progress: &'a Progress) -> Self {
        let report = Report::new(Form::of(args.json, args.zero));
        Self { args, progress, report, counts: Counts::default(), twins: Twins::default() }
    }

    /// Counts a result, and reports it unless an option suppresses it.
    fn take(&mut self, name: &[u8], verdict: &Verdict) -> Result<()> {
        self.twins.take(name, verdict);
        // The verdict about a moved file is that of its new name; this one is about the old name.
        if verdict.is_elsewhere() {
            return Ok(());
        }
        let wanted = match verdict.status.class() {
            Class::Ok => !self.args.quiet,
            Class::Missing => !self.args.ignore_missing,
            Class::New => !self.args.ignore_new,
            Class::Moved => !(self.args.ignore_missing && self.args.ignore_new),
            Class::Changed | Class::Error => true,
        };
        // Counted even if it is not reported, so that the summary is complete.
        self.counts.add(verdict.status);
        if let Some(message) = &verdict.message {
            self.progress.aside(|| complain(&format!("{}: {message}", escape(name))));
        }
        if wanted && !self.args.status {
            self.progress.aside(|| self.report.verdict(name, verdict))?;
        }
        Ok(())
    }

    /// Prints the summary. Returns `Trouble` if anything could not be verified, else `Mismatch` if a difference is not
    /// ignored, or if all files are missing and that is ignored, else `Good`. `shown` names the manifest in messages.
    fn finish(mut self, shown: &str, edition: Option<&Edition>) -> Result<Exit> {
        if self.args.json {
            self.report.json(&self.counts.json(edition))?;
        }
        self.report.flush()?;
        let counts = &self.counts;
        let (missing, error) = (counts.class(Class::Missing), counts.class(Class::Error));
        // What an option ignores stands in the summary, but does not change the exit status.
        let wrong = counts.wrong(self.args.ignore_missing, self.args.ignore_new);
        // A wrong folder makes every file missing. With --ignore-missing this would look like a success.
        let nothing = counts.found() == 0;
        let hint = if nothing && missing > 0 { " (is this the right folder? see -C)" } else { "" };
        ensure!(!(nothing && self.args.strict), "{shown}: no file was verified{hint}");
        if nothing && self.args.ignore_missing && missing > 0 {
            complain(&format!("{shown}: no file was verified{hint}"));
        } else if !self.args.status && (!self.args.quiet || wrong + error > 0) {
            if let Some(warning) = writers::warning(self.progress.unguarded()) {
                complain(&warning);
            }
            let age = edition.map(|edition| format!("; serial {} of {}", edition.serial, edition.date));
            let (text, age) = (counts.text(), age.unwrap_or_default());
            complain(&format!("{shown}: {text}; {} bytes read{age}{hint}", counts.bytes));
            self.twins.hint().iter().for_each(|hint| complain(hint));
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
