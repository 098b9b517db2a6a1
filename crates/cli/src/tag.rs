//! `carryless tag`.
use std::path::Path;

use anyhow::{Result, ensure};
use rayon::prelude::*;

use crate::args::TagArgs;
use crate::beneath::Tree;
use crate::exit::{Exit, Failure, complain};
use crate::filters;
use crate::key::{self, named};
use crate::mac::Keys;
use crate::manifest::{Body, Sink, Writer};
use crate::name::{escape, hex};
use crate::output::{NewFile, PUBLIC, check_target};
use crate::progress::{Counters, Progress};
use crate::read::{ReadError, Reader};
use crate::report::{Form, Report};
use crate::scope::{Scope, Specials};
use crate::walk::{Item, Kind, Own, Part, Walked, walk};
use crate::writers;

/// Items whose results are held in memory at a time.
pub(crate) const BATCH: usize = 4096;

/// Writes the manifest, or reports the errors and writes nothing.
pub(crate) fn run(args: &TagArgs) -> Result<Exit> {
    let to_stdout = args.output.as_os_str() == "-";
    if !to_stdout {
        check_target(&args.output, args.force)?;
    }
    let twice = args.key.is_stdin() && args.paths.is_stdin();
    ensure!(!twice, "key and list of files cannot both come from standard input");
    ensure!(!(to_stdout && args.json), "--json and a manifest cannot both go to standard output");
    let scope = args.scope()?;
    let loaded = key::load(&args.key)?;
    let keys = Keys::derive(&loaded.master, args.algorithm, args.read.cpu()?);
    let mut report = Report::new(if args.json { Form::Json } else { Form::Lines });
    let Some(items) = find(args, &scope, loaded.path.as_deref(), &mut report)? else {
        return Ok(Exit::Trouble);
    };
    let progress = Progress::new(args.read.style(args.quiet), items.len());
    let tree = Tree::open(args.read.base(), &scope)?;
    let reader = Reader::new(tree, &keys.file, args.read.mmap, &progress).twice(args.read.twice);
    let sink = if to_stdout {
        Sink::Stdout(std::io::stdout())
    } else {
        Sink::File(NewFile::create(&args.output, PUBLIC, args.force)?)
    };
    let mut writer = Writer::new(sink, &keys, args.label.get(), &scope).allow_empty(args.allow_empty);
    let failures = record_all(args, &items, &reader, &progress, &mut writer, &mut report)?;
    let bytes = progress.finish();
    report.flush()?;
    drop(report);
    ensure!(failures == 0, "no manifest written: {failures} of {} files could not be tagged", items.len());
    writer.finish()?;
    if let Some(warning) = writers::warning(progress.unguarded()) {
        complain(&warning);
    }
    if !args.quiet {
        let entries = counted(items.len() as u64, ["entry", "entries"]);
        let bytes = counted(bytes, ["byte", "bytes"]);
        complain(&format!("tagged {entries}, {bytes}, key id {}", hex(&keys.id.0)));
    }
    Ok(Exit::Good)
}

/// A number and its noun, in the singular for one.
fn counted(number: u64, [one, more]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Everything to be recorded, or `None` after complaints.
fn find(args: &TagArgs, scope: &Scope, key: Option<&Path>, report: &mut Report) -> Result<Option<Vec<Item>>> {
    let own: Vec<Own> = [key, named(&args.output)].into_iter().flatten().flat_map(Own::at).collect();
    let walked = collect(args.read.base(), scope, &own, &Counters::default())?;
    if walked.errors.is_empty() {
        return Ok(Some(walked.items));
    }
    for (name, reason) in &walked.errors {
        complain(&format!("{}: {reason}", escape(name)));
        report.failure(name, reason)?;
    }
    if args.json {
        report.json(&Failure { error: "no manifest written" })?;
    }
    report.flush()?;
    Ok(None)
}

/// Everything in the scope to be recorded, and what cannot be.
pub(crate) fn collect(base: &Path, scope: &Scope, own: &[Own], counters: &Counters) -> Result<Walked> {
    let mut walked = walk(base, scope, &Part::default(), own, counters)?;
    if walked.errors.is_empty() {
        filters::check_matches(base, scope, &walked)?;
    }
    let missing = std::mem::take(&mut walked.missing_roots).into_iter();
    walked.errors.extend(missing.map(|root| (root, "no such file or folder".into())));
    for item in &walked.items {
        if let (Kind::Special(what), Specials::Refuse) = (item.kind, scope.specials) {
            let reason = format!("{what}, not read (see --skip-special)");
            walked.errors.push((item.name.to_vec(), reason));
        }
    }
    walked.items.retain(|item| !matches!(item.kind, Kind::Special(_)));
    Ok(walked)
}

/// Tags the items by the threads of the pool, and hands over the results in order.
pub(crate) fn tag_all(
    pool: &rayon::ThreadPool,
    items: &[Item],
    reader: &Reader<'_>,
    mut take: impl FnMut(&Item, Result<Body, ReadError>) -> Result<()>,
) -> Result<()> {
    for batch in items.chunks(BATCH) {
        let bodies: Vec<_> = pool.install(|| batch.par_iter().map(|item| body(item, reader)).collect());
        batch.iter().zip(bodies).try_for_each(|(item, body)| take(item, body))?;
    }
    Ok(())
}

/// Tags the items and writes their records in order; returns how many failed.
fn record_all(
    args: &TagArgs,
    items: &[Item],
    reader: &Reader<'_>,
    progress: &Progress,
    writer: &mut Writer,
    report: &mut Report,
) -> Result<usize> {
    let pool = args.read.pool()?;
    let mut failures = 0;
    tag_all(&pool, items, reader, |item, body| match body {
        Ok(body) => {
            writer.record(&item.name, &body)?;
            report.record(&item.name, &body)
        }
        Err(error) => {
            failures += 1;
            progress.aside(|| complain(&format!("{}: {error}", escape(&item.name))));
            report.failure(&item.name, &error.to_string())
        }
    })?;
    Ok(failures)
}

fn body(item: &Item, reader: &Reader<'_>) -> Result<Body, ReadError> {
    match item.kind {
        Kind::Link => reader.tree().target(&item.name).map(Body::Link),
        Kind::File => reader.content(&item.name, None)?.map(Body::File).ok_or(ReadError::Changed),
        Kind::Special(_) => Err(ReadError::NotFile),
    }
}
