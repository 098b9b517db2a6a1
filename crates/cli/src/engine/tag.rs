//! Tags a tree, and writes its manifest.
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;

use super::{Files, Target};
use crate::compare::unread;
use crate::excluded::LeftOut;
use crate::filters;
use crate::mac::Keys;
use crate::manifest::{Body, Header, Writer};
use crate::part::Part;
use crate::progress::Progress;
use crate::read::Reader;
use crate::read_error::ReadError;
use crate::scope::{Scope, Specials};
use crate::system;
use crate::threads::BATCH;
use crate::walk::{Item, Kind, Walked, walk};

/// What is tagged, and where its manifest goes.
pub(crate) struct Tagging<'a> {
    pub(crate) files: Files<'a>,
    pub(crate) keys: &'a Keys,
    /// The file of the key, which is left out.
    pub(crate) key_file: Option<&'a Path>,
    pub(crate) target: Target,
    pub(crate) header: Header,
    /// Whether a manifest may have no entries.
    pub(crate) allow_empty: bool,
}

/// Decides what a manifest records, and reports it. [`tag`] calls its functions in the order in which they stand.
pub(crate) trait Recorder {
    /// The result of a run.
    type Done;

    /// Returns the items that are to be tagged, in order, or the result of a run that ends here without a manifest. The
    /// scope is that of the manifest, which may be added to.
    fn choose(&mut self, walked: Walked, scope: &mut Scope) -> Result<ControlFlow<Self::Done, Vec<Item>>>;

    /// Prepares for the items, which the reader can read. Without a definition does nothing.
    fn begin(&mut self, _: &[Item], _: &Reader<'_>, _: &rayon::ThreadPool) -> Result<()> {
        Ok(())
    }

    /// Records an item with all that the system tells about it, or the reason why it has no tag.
    fn take(&mut self, writer: &mut Writer, item: &Item, body: Result<Body, ReadError>) -> Result<()>;

    /// Ends the manifest, of so many items. It must not get its name if anything failed that it needs.
    fn finish(self, writer: Writer, items: usize) -> Result<Self::Done>;
}

/// Tags a tree and writes its manifest, complete or not at all. Records are written while files are read, so the
/// manifest is never held in memory.
pub(crate) fn tag<R: Recorder>(tagging: Tagging<'_>, mut recorder: R) -> Result<R::Done> {
    let Tagging { files, keys, key_file, target, mut header, allow_empty } = tagging;
    let Files { base, pool, progress, .. } = files;
    let left_out = LeftOut::to_record(key_file, target.path());
    let walked = collect(base, &header.scope, &left_out, progress)?;
    let items = match recorder.choose(walked, &mut header.scope)? {
        ControlFlow::Continue(items) => items,
        ControlFlow::Break(done) => return Ok(done),
    };
    let reader = files.reader(&header.scope, &keys.file)?;
    let mut writer = target.writer(keys, &header)?.allow_empty(allow_empty);
    progress.start(items.len(), pool.install(|| total(base, &items, progress)));
    recorder.begin(&items, &reader, pool)?;
    tag_all(pool, &items, &reader, |item, body| recorder.take(&mut writer, item, body))?;
    // After all files were read, and held until the new manifest is in its place.
    let _held = target.last()?;
    recorder.finish(writer, items.len())
}

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

/// Tags items in parallel, and passes the results to `take` in order, until the run is stopped.
fn tag_all(
    pool: &rayon::ThreadPool,
    items: &[Item],
    reader: &Reader<'_>,
    mut take: impl FnMut(&Item, Result<Body, ReadError>) -> Result<()>,
) -> Result<()> {
    // Batches bound the memory and keep the order, as records must be sorted.
    for batch in items.chunks(BATCH) {
        let body = |item| {
            let body = body(item, reader);
            reader.progress().done();
            body
        };
        let bodies: Vec<_> = pool.install(|| batch.par_iter().map(body).collect());
        batch.iter().zip(bodies).try_for_each(|(item, body)| {
            // After a stop the reads of a batch fail one by one. The run fails with `Stopped`, not with their reasons.
            reader.progress().go_on()?;
            take(item, body)
        })?;
    }
    Ok(())
}

fn body(item: &Item, reader: &Reader<'_>) -> Result<Body, ReadError> {
    match item.kind {
        Kind::Link => reader.tree().target(&item.name).map(Body::Link),
        Kind::File => {
            let seen = reader.look(&item.name, |_| true)?;
            // All sizes are wanted, so that a tag is there; the error completes the types.
            let content = seen.content().ok_or(ReadError::Changed)?;
            Ok(Body::File(content, seen.about))
        }
        Kind::Special(_) => Err(ReadError::NotFile),
    }
}
