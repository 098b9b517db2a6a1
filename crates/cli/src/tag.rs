//! `carryless tag`.
use std::fs;

use anyhow::{Result, ensure};
use rayon::prelude::*;

use crate::args::TagArgs;
use crate::exit::{Exit, complain};
use crate::key::{self, escape_path};
use crate::mac::Keys;
use crate::manifest::{Body, Sink, Writer};
use crate::name::{escape, hex};
use crate::output::{NewFile, check_target};
use crate::progress::Progress;
use crate::read::{ReadError, Reader};
use crate::report::{Form, Report};
use crate::scope::{Scope, Specials, Symlinks};
use crate::walk::{Item, Kind, Own, walk};

/// Items whose results are held in memory at a time.
pub(crate) const BATCH: usize = 4096;

/// Writes the manifest, or says what stands in the way and writes none.
pub(crate) fn run(args: &TagArgs) -> Result<Exit> {
    let to_stdout = args.output.as_os_str() == "-";
    if !to_stdout {
        check_target(&args.output, args.force)?;
    }
    ensure!(!(to_stdout && args.json), "--json and a manifest cannot both go to standard output");
    let scope = args.scope()?;
    let loaded = key::load(&args.key)?;
    let over_key = loaded.path.is_some() && loaded.path == fs::canonicalize(&args.output).ok();
    ensure!(!over_key, "{}: this is the key, not overwritten", escape_path(&args.output));
    let keys = Keys::derive(&loaded.master, args.algorithm, args.read.cpu()?);
    let Some(items) = find(args, &scope, loaded.path.as_deref())? else { return Ok(Exit::Trouble) };
    let progress = Progress::new(args.read.style(args.quiet), items.len());
    let follow = scope.symlinks == Symlinks::Follow;
    let reader = Reader::new(args.read.base(), &keys.file, follow, args.read.mmap, &progress)?;
    let sink = if to_stdout {
        Sink::Stdout(std::io::stdout())
    } else {
        Sink::File(NewFile::create(&args.output, 0o666, args.force)?)
    };
    let mut writer = Writer::new(sink, &keys, &scope);
    let failures = record_all(args, &items, &reader, &progress, &mut writer)?;
    let bytes = progress.finish();
    if failures > 0 {
        complain(&format!("no manifest written: {failures} of {} files could not be tagged", items.len()));
        return Ok(Exit::Trouble);
    }
    writer.finish()?;
    if !args.quiet {
        complain(&format!("tagged {} entries, {bytes} bytes, key id {}", items.len(), hex(&keys.id.0)));
    }
    Ok(Exit::Good)
}

/// Everything to be recorded, or `None` after complaints.
fn find(args: &TagArgs, scope: &Scope, key: Option<&std::path::Path>) -> Result<Option<Vec<Item>>> {
    let own: Vec<Own> = key.into_iter().chain([args.output.as_path()]).filter_map(Own::at).collect();
    let mut walked = walk(args.read.base(), scope, &own)?;
    let missing = walked.missing_roots.into_iter().map(|root| (root, "no such file or folder".into()));
    walked.errors.extend(missing);
    for item in &walked.items {
        if let (Kind::Special(what), Specials::Refuse) = (item.kind, scope.specials) {
            let reason = format!("{what}, not read (see --skip-special)");
            walked.errors.push((item.name.to_vec(), reason));
        }
    }
    walked.items.retain(|item| !matches!(item.kind, Kind::Special(_)));
    walked.errors.iter().for_each(|(name, reason)| complain(&format!("{}: {reason}", escape(name))));
    Ok(walked.errors.is_empty().then_some(walked.items))
}

/// Tags the items and writes their records in order; returns how many failed.
fn record_all(
    args: &TagArgs,
    items: &[Item],
    reader: &Reader<'_>,
    progress: &Progress,
    writer: &mut Writer<'_>,
) -> Result<usize> {
    let pool = args.read.pool()?;
    let mut report = Report::new(if args.json { Form::Json } else { Form::Lines });
    let mut failures = 0;
    for batch in items.chunks(BATCH) {
        let bodies: Vec<_> = pool.install(|| batch.par_iter().map(|item| body(item, reader)).collect());
        for (item, body) in batch.iter().zip(bodies) {
            match body {
                Ok(body) => {
                    writer.record(&item.name, &body)?;
                    report.record(&item.name, &body)?;
                }
                Err(error) => {
                    failures += 1;
                    progress.aside(|| complain(&format!("{}: {error}", escape(&item.name))));
                }
            }
        }
    }
    report.flush()?;
    Ok(failures)
}

fn body(item: &Item, reader: &Reader<'_>) -> Result<Body, ReadError> {
    match item.kind {
        Kind::Link => reader.target(&item.name).map(Body::Link),
        Kind::File => reader.content(&item.name, None)?.map(Body::File).ok_or(ReadError::Changed),
        Kind::Special(_) => Err(ReadError::NotFile),
    }
}
