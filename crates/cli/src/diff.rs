//! `carryless diff`: compares two manifests.
use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use carryless_hash::Cpu;
use clap::Args;

use crate::args::ManifestArgs;
use crate::counts::Counts;
use crate::exit::{Exit, complain};
use crate::manifest::{Body, Manifest, Record};
use crate::moves::{Entry, Moves};
use crate::open;
use crate::report::{Form, Report};
use crate::scope::word;
use crate::twins::Twins;
use crate::verdict::{Class, Other, Status, Verdict, difference};

/// Compares two manifests of the same files, and tells what became of the files in between.
///
/// Both are authenticated first, and must have the same label and algorithm. Differences get a line each, with the words
/// of `verify`; no file is read. Metadata are compared as far as both record them. A file that was moved and edited counts
/// as missing and new, as manifests do not tell when files were made.
#[derive(Args)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) from: ManifestArgs,
    /// Print the report as lines of JSON, the last one with a summary
    #[arg(long, conflicts_with = "zero")]
    pub(crate) json: bool,
    /// End each line of the report with a zero byte and do not escape names. An old name may look like a verdict: programs read --json
    #[arg(short, long)]
    pub(crate) zero: bool,
    /// Do not print the summary on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// The earlier manifest; - is standard input
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The later manifest; - is standard input
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
}

/// Compares the manifests, and reports differences.
pub(crate) fn run(args: &DiffArgs) -> Result<Exit> {
    let (key, [old, new]) = open::read(&args.from, [&args.old, &args.new])?;
    let (older, _) = old.open(&key.master, Cpu::detect(), args.from.label.get())?;
    let (newer, _) = new.open(&key.master, Cpu::detect(), args.from.label.get())?;
    let (from, to) = (&older.header, &newer.header);
    ensure!(from.label == to.label, "{} and {}: the labels differ", old.shown, new.shown);
    ensure!(older.algorithm == newer.algorithm, "{} and {}: the algorithms differ", old.shown, new.shown);
    if from.scope != to.scope {
        complain(&format!("{} and {}: roots, filters or policies differ", old.shown, new.shown));
    }
    if from.metadata() != to.metadata() {
        let [level, other, least] =
            [from.metadata(), to.metadata(), from.metadata().min(to.metadata())].map(word);
        complain(&format!(
            "{} and {}: one records metadata {level}, the other {other}: compared is {least}",
            old.shown, new.shown
        ));
    }
    let (mut counts, mut report) = (Counts::default(), Report::new(Form::of(args.json, args.zero)));
    let mut twins = Twins::default();
    compare(&older, &newer, |name, verdict| {
        counts.add(verdict.status);
        twins.take(name, &verdict);
        if verdict.status == Status::Ok { Ok(()) } else { report.verdict(name, &verdict) }
    })?;
    if args.json {
        report.json(&counts.json(to.edition.as_ref()))?;
    }
    report.flush()?;
    if !args.quiet {
        complain(&format!("{} to {}: {}", old.shown, new.shown, counts.text()));
        twins.hint().iter().for_each(|hint| complain(hint));
    }
    Ok(match (counts.class(Class::Error), counts.wrong(false, false)) {
        (0, 0) => Exit::Good,
        (0, _) => Exit::Mismatch,
        _ => Exit::Trouble,
    })
}

/// A name with its records in both manifests, at least one of them.
type Pair<'a> = (Option<&'a Record<'a>>, Option<&'a Record<'a>>);

/// Merges the records of two manifests, both sorted by name.
fn pair<'a>(old: &'a [Record<'a>], new: &'a [Record<'a>]) -> Vec<Pair<'a>> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut pairs = Vec::new();
    loop {
        // Both are strictly ascending: each step takes the smaller name, or both if they are equal.
        let order = match (old.peek(), new.peek()) {
            (None, None) => return pairs,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(old), Some(new)) => old.name.cmp(&new.name),
        };
        let old = if order.is_le() { old.next() } else { None };
        pairs.push((old, if order.is_ge() { new.next() } else { None }));
    }
}

/// Compares the records of two manifests, and passes the verdicts to `take` by name.
fn compare<'a>(
    older: &'a Manifest<'a>,
    newer: &'a Manifest<'a>,
    mut take: impl FnMut(&[u8], Verdict) -> Result<()>,
) -> Result<()> {
    let pairs = pair(&older.records, &newer.records);
    let moves = moves(&pairs, newer);
    let level = older.header.metadata().min(newer.header.metadata());
    let unread =
        |which| Verdict::error(format!("could not be read or copied when the {which} manifest was made"));
    for (old, new) in pairs {
        match (old, new) {
            (Some(old), Some(new)) => {
                let verdict = match (&old.body(), &new.body()) {
                    (_, Body::Error) => unread("new"),
                    (Body::Error, _) => unread("old"),
                    (old, new) => Verdict::of(difference(old, new, level), None),
                };
                take(&old.name, verdict)?;
            }
            // The verdict about the new name reports a file that was moved.
            (Some(old), None) if moves.to(&old.name).is_none() => {
                let status = if is_folder(newer, &old.name) {
                    Status::Kind
                } else if has_folder(newer, &old.name) {
                    Status::Missing
                } else {
                    Status::FolderMissing
                };
                take(&old.name, Verdict::of(status, None))?;
            }
            (None, Some(new)) => {
                let verdict = match moves.from(&new.name) {
                    None if new.is_error() => unread("new"),
                    None => Verdict::of(Status::New, None),
                    Some((status, old)) => {
                        Verdict { other: Some(Other::From(old.to_vec())), ..Verdict::of(status, None) }
                    }
                };
                take(&new.name, verdict)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Finds out which new names are moved or copied files.
fn moves<'a>(pairs: &[Pair<'a>], newer: &Manifest<'_>) -> Moves<'a> {
    let recorded = |record: &'a Record<'a>| (record.name.as_ref(), record.body());
    let gone = pairs.iter().filter(|(_, new)| new.is_none()).filter_map(|pair| pair.0);
    let gone: Vec<_> = gone.filter(|old| !is_folder(newer, &old.name)).map(recorded).collect();
    let come: Vec<_> =
        pairs.iter().filter(|(old, _)| old.is_none()).filter_map(|pair| pair.1.map(recorded)).collect();
    let [gone, come] = [&gone, &come].map(|named| named.iter().map(Entry::of).collect::<Vec<_>>());
    // Renaming keeps inode and time of modification; an inode that is used again has another time.
    let modified = |entry: &Entry<'_, '_>| match entry.body {
        Some(Body::File(_, about)) => about.modified(),
        _ => None,
    };
    let same = |old: &Entry<'_, '_>, new: &Entry<'_, '_>| {
        old.body.zip(new.body).is_some_and(|(old, new)| old.same_contents(new))
            && modified(old) == modified(new)
    };
    let mut moves = Moves::find(&gone, &come, same);
    // Only these can have the contents of a new file.
    let sizes: BTreeSet<_> = come.iter().filter_map(|new| Some(new.body?.size())).collect();
    let has_size = |old: &&'a Record<'a>| old.size().is_some_and(|size| sizes.contains(&size));
    let is_file = |new: Option<&Record<'_>>| new.is_some_and(|new| new.size().is_some());
    let present = pairs.iter().filter(|pair| is_file(pair.1)).filter_map(|pair| pair.0);
    let present: Vec<_> = present.filter(has_size).map(recorded).collect();
    let now = |name: &[u8]| newer.records.binary_search_by(|record| record.name.as_ref().cmp(name));
    let has = |old: &Entry<'_, '_>| {
        let new = now(old.name).ok().map(|at| newer.records[at].body());
        old.body.zip(new).is_some_and(|(old, new)| old.same_contents(&new))
    };
    moves.add_copies(&come, present.iter().map(Entry::of), has);
    moves
}

/// Returns whether a manifest has anything in the folder of this name.
fn has_folder(manifest: &Manifest<'_>, name: &[u8]) -> bool {
    let Some(end) = name.iter().rposition(|byte| *byte == b'/') else { return true };
    has_below(manifest, &name[..=end])
}

/// Returns whether this name is a folder in a manifest that has anything in it.
fn is_folder(manifest: &Manifest<'_>, name: &[u8]) -> bool {
    has_below(manifest, &[name, b"/"].concat())
}

/// Returns whether a manifest has anything below a folder, whose name has a slash at its end.
fn has_below(manifest: &Manifest<'_>, folder: &[u8]) -> bool {
    // Names in a folder begin with its name, and are adjacent.
    let first = manifest.records.partition_point(|record| record.name.as_ref() < folder);
    manifest.records.get(first).is_some_and(|record| record.name.starts_with(folder))
}
