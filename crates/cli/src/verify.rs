//! `carryless verify`: compares files with a manifest.
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, value_parser};

use crate::args::{KeyArgs, LabelArgs, ReadArgs};
use crate::beneath::Tree;
use crate::chain::{History, Oldest};
use crate::compare::{Effort, Judge, inspect};
use crate::counts::Counts;
use crate::excluded::Excluded;
use crate::exit::{Exit, complain};
use crate::key;
use crate::mac::Keys;
use crate::manifest::{Edition, MOST_MANIFEST_MIB, Sealed, read_manifest};
use crate::name::{escape, escape_input, named};
use crate::progress::{Counters, Progress};
use crate::read::Reader;
use crate::report::{Form, Report};
use crate::scope::normal;
use crate::verdict::{Class, Verdict};
use crate::walk::{Part, walk};
use crate::writers;

/// Checks files against a manifest, and tells which are edited, decayed, moved, missing or new.
///
/// The manifest is authenticated before it is used. Then each name gets a line on standard output, such as `photos/1: ok`, and standard error a summary.
/// Filters and the policy for links are those given to `tag`. No file is changed.
///
/// Verdicts: ok; edited; decayed (other contents, but size and times as recorded); older (see --history); changed (the
/// manifest has no times); kind (a file became a link, or the like); metadata (mode, owner, group or time of modification,
/// if all were recorded); moved, moved-and-edited, copied (with the old name); missing, folder-missing; new; error.
///
/// Compared are contents, names and kinds of files, and targets of links; after `tag --metadata full` also modes, owners and
/// times of modification. Not compared are ACLs, extended attributes, capabilities, empty folders, and which names are hard
/// links of one file.
///
/// Exit status: 0 all is well, 1 something has another verdict than ok, 2 an error: a file could not be read, or the manifest is damaged or of another key
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
    /// An earlier manifest of the same chain, which tells files that have their contents of then (may be repeated)
    #[arg(long, value_name = "MANIFEST")]
    pub(crate) history: Vec<PathBuf>,
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
    let most = args.max_manifest_size;
    let history = History::read(&args.history, most, &loaded.master, &manifest)?;
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
    let effort = if args.ignore_new { Effort::WithoutCopies } else { Effort::Verify };
    let whole = walked.errors.is_empty();
    let judge = Judge::new(reader, &manifest.header, whole).effort(effort).history(history);
    let mut session = Session {
        args,
        progress: &progress,
        report: Report::new(Form::of(args.json, args.zero)),
        counts: Counts::default(),
    };
    let pool = args.read.pool()?;
    inspect(&manifest, &part, walked, &judge, &pool, |name, _, verdict| session.take(name, &verdict))?;
    session.counts.bytes = progress.finish();
    session.finish(&shown, manifest.header.edition.as_ref())
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
    fn take(&mut self, name: &[u8], verdict: &Verdict) -> Result<()> {
        // Of a file with two names only the new one is reported.
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
