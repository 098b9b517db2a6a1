//! Compares a tree with its manifest.
use anyhow::Result;

use super::Files;
use crate::chain::History;
use crate::compare::{Effort, Judge, inspect};
use crate::excluded::LeftOut;
use crate::mac::Keys;
use crate::manifest::Manifest;
use crate::part::Part;
use crate::verdict::Verdict;
use crate::walk::walk;

/// What is verified, and how.
pub(crate) struct Verification<'a> {
    pub(crate) files: Files<'a>,
    /// What is verified of all that the manifest covers.
    pub(crate) part: &'a Part,
    /// The key file and the manifest: `tag` records neither, so without this they would be reported as new.
    pub(crate) left_out: LeftOut,
    pub(crate) effort: Effort,
    /// Earlier manifests, by which a file is found to be older.
    pub(crate) history: History,
}

/// Compares the tree with a manifest that was made with these keys. Passes names and verdicts to `take`, in the
/// order of [`inspect`]. Fails if the tree cannot be read at all, if `take` does, or if the run is stopped.
pub(crate) fn verify(
    verification: Verification<'_>,
    mut manifest: Manifest<'_>,
    keys: &Keys,
    mut take: impl FnMut(&[u8], Verdict) -> Result<()>,
) -> Result<()> {
    let Verification { files, part, left_out, effort, history } = verification;
    let Files { base, pool, progress, .. } = files;
    let walked = walk(base, &manifest.header.scope, part, &left_out, progress)?;
    // Records outside of the part are neither verified nor missing.
    manifest.records.retain(|record| part.contains(&record.name));
    let reader = files.reader(&manifest.header.scope, &keys.file)?;
    let whole = walked.errors.is_empty();
    let judge = Judge::new(reader, &manifest.header, whole).effort(effort).history(history);
    inspect(&manifest.records, part, walked, &judge, pool, |name, _, verdict| {
        progress.go_on()?;
        take(name, verdict)
    })
}
