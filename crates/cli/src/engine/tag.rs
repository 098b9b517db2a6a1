//! Finds what is to be recorded, and tags it.
use std::fs;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;

use crate::about::Metadata;
use crate::compare::unread;
use crate::excluded::LeftOut;
use crate::filters;
use crate::manifest::Body;
use crate::part::Part;
use crate::progress::Progress;
use crate::read::Reader;
use crate::read_error::ReadError;
use crate::scope::{Scope, Specials};
use crate::system;
use crate::threads::BATCH;
use crate::walk::{Item, Kind, Walked, walk};

/// Returns the number of bytes in files, or 0 if nobody wants to know: each file costs a system call.
pub(crate) fn total(base: &Path, items: &[Item], progress: &Progress) -> u64 {
    if !progress.shows_total() {
        return 0;
    }
    let files = items.par_iter().filter(|item| item.kind == Kind::File);
    // What cannot be examined here has an error when it is read.
    let size = |item: &Item| {
        system::join(base, &item.name).and_then(|path| fs::metadata(path).ok()).map_or(0, |about| about.len())
    };
    files.map(size).sum()
}

/// Walks the scope. Returns everything to be recorded, and errors for everything that cannot be.
pub(crate) fn collect(base: &Path, scope: &Scope, own: &LeftOut, progress: &Progress) -> Result<Walked> {
    let mut walked = walk(base, scope, &Part::default(), own, progress)?;
    if walked.errors.is_empty() {
        // Errors of the walk may be the reason why a pattern matches nothing.
        filters::check_matches(base, scope, &walked)?;
    }
    let missing = std::mem::take(&mut walked.missing_roots).into_iter();
    // An error only here: when verifying, the records below a missing root are missing.
    walked.errors.extend(missing.map(|root| (root, "no such file or folder".into())));
    for item in &walked.items {
        if let (Kind::Special(what), Specials::Refuse) = (item.kind, scope.specials) {
            let reason = unread(what);
            walked.errors.push((item.name.to_vec(), reason));
        }
    }
    // Under either policy: what is refused has become an error above.
    walked.items.retain(|item| !matches!(item.kind, Kind::Special(_)));
    Ok(walked)
}

/// Tags items in parallel, and passes the results to `take` in order, with as much about files as `metadata` says.
pub(crate) fn tag_all(
    pool: &rayon::ThreadPool,
    items: &[Item],
    reader: &Reader<'_>,
    metadata: Metadata,
    mut take: impl FnMut(&Item, Result<Body, ReadError>) -> Result<()>,
) -> Result<()> {
    // Batches bound the memory and keep the order, as records must be sorted.
    for batch in items.chunks(BATCH) {
        let body = |item| {
            let body = body(item, reader, metadata);
            reader.progress().done();
            body
        };
        let bodies: Vec<_> = pool.install(|| batch.par_iter().map(body).collect());
        batch.iter().zip(bodies).try_for_each(|(item, body)| take(item, body))?;
    }
    Ok(())
}

fn body(item: &Item, reader: &Reader<'_>, metadata: Metadata) -> Result<Body, ReadError> {
    match item.kind {
        Kind::Link => reader.tree().target(&item.name).map(Body::Link),
        Kind::File => {
            let seen = reader.look(&item.name, |_| true)?;
            // All sizes are wanted, so that a tag is there; the error completes the types.
            let content = seen.content().ok_or(ReadError::Changed)?;
            Ok(Body::File(content, seen.about.at(metadata)))
        }
        Kind::Special(_) => Err(ReadError::NotFile),
    }
}
