//! `carryless copy`: copies a folder, reads the copy again from the disk, and writes a manifest of it.
mod check;
mod destination;
mod files;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use carryless_aead::file_mac::Algorithm;
use clap::Args;

use crate::args::{KeyArgs, LabelArgs, ReadArgs, ScopeArgs};
use crate::compare::{Effort, Judge, inspect};
use crate::engine::{Files, Target, collect, total};
use crate::excluded::LeftOut;
use crate::exit::Exit;
use crate::key;
use crate::mac::Keys;
use crate::manifest::Header;
use crate::name::{escape_path, named, parent};
use crate::output::check_manifest;
use crate::part::Part;
use crate::progress::Progress;
use crate::report::{Form, Report};
use crate::system;
use crate::tag::algorithm_parser;
use crate::tag::edition::EditionArgs;
use crate::walk::walk;

use check::Session;
use destination::Destination;
use files::Copier;

/// Copies the folder SRC to DST, verifies the copy, and writes a manifest of it, by which it can be verified again.
///
/// Each file of SRC is read once, and tagged while it is written. Then all files of DST are read again, from the disk where
/// the system lets a program drop its cache, and compared with the tags. `verify -C DST DST.carryless` does this again.
///
/// No file is overwritten or deleted, but for files `.carryless-copy-*` of an interrupted copy. What DST has already is
/// read and kept if it has the contents of SRC, and is an error otherwise: so an interrupted copy is continued by
/// running it again. A file has its name only when it is complete. Links below DST are not followed. Folders that are
/// there keep their permissions and times; others cannot enter new ones until the copy is complete, or completed by a
/// later run.
///
/// Copied are contents, permissions and times of files and folders, and links. Not copied are owners, setuid bits, ACLs,
/// extended attributes, alternate data streams, the key file, and which names are hard links of one file. The manifest
/// records the metadata of DST: with --metadata full, SRC verifies by it only if it has the same owners, modes and times.
#[derive(Args)]
pub(crate) struct CopyArgs {
    #[command(flatten)]
    key: KeyArgs,
    /// The manifest to write, outside of both folders [default: DST.carryless, beside DST]
    #[arg(short, long, value_name = "MANIFEST")]
    output: Option<PathBuf>,
    /// Replace an existing manifest; any other existing file is still an error
    #[arg(short, long)]
    force: bool,
    /// Record names that cannot be copied as errors, and all others; the exit status is 2 nevertheless
    #[arg(short, long)]
    keep_going: bool,
    /// Write a manifest without entries if there is nothing to copy, which is an error otherwise
    #[arg(long)]
    allow_empty: bool,
    /// The MAC of files and manifest; `verify` reads its name from the manifest
    #[arg(long, value_name = "NAME", value_parser = algorithm_parser(), default_value = Algorithm::default().name())]
    algorithm: Algorithm,
    #[command(flatten)]
    edition: EditionArgs,
    #[command(flatten)]
    label: LabelArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Print a line of JSON for each file on standard output, the last one with a summary
    #[arg(long)]
    json: bool,
    /// Do not print the summary on standard error
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    read: ReadArgs,
    /// The folder to copy; patterns with a slash are relative to it
    src: PathBuf,
    /// The copy: a new folder, or one to be completed
    dst: PathBuf,
}

/// The places that a copy uses.
struct Places {
    src: PathBuf,
    dst: PathBuf,
    manifest: PathBuf,
}

impl Places {
    /// Fails unless a folder can be copied to another place.
    fn of(args: &CopyArgs) -> Result<Self> {
        let [src, dst] = [&args.src, &args.dst].map(|path| args.read.base().join(path));
        let from = escape_path(&src);
        let about = fs::metadata(&src).with_context(|| from.clone())?;
        ensure!(about.is_dir(), "{from}: not a folder (for single files, copy their folder with --include)");
        let manifest = match &args.output {
            Some(path) => named(path).context("the manifest of a copy must be a file")?.to_path_buf(),
            None => beside(&dst)?,
        };
        // Compared without links: a link could hide that the copy lies in its source.
        let [real_src, real_dst, real_manifest] = [real(&src)?, real(&dst)?, real(&manifest)?];
        let to = escape_path(&dst);
        ensure!(!is_same(&real_src, &real_dst), "{to}: source and copy are the same folder");
        ensure!(!lies_in(&real_dst, &real_src), "{to}: the copy lies in its source {from}");
        ensure!(!lies_in(&real_src, &real_dst), "{from}: the source lies in its copy {to}");
        let inside = [&real_src, &real_dst].into_iter().any(|folder| lies_in(&real_manifest, folder));
        ensure!(!inside, "{}: the manifest must lie outside of source and copy", escape_path(&manifest));
        Ok(Self { src, dst, manifest })
    }

    /// Fails if the copy is one of these folders of the source: paths do not show that where a folder is mounted twice.
    fn check_folders(&self, folders: &[Vec<u8>]) -> Result<()> {
        let Ok(copy) = system::stat(&self.dst) else { return Ok(()) };
        let is_copy = |name: &Vec<u8>| {
            let path = system::join(&self.src, name);
            path.is_some_and(|path| system::stat(&path).is_ok_and(|found| found.identity == copy.identity))
        };
        let [from, to] = [&self.src, &self.dst].map(|path| escape_path(path));
        ensure!(!folders.iter().any(is_copy), "{to}: the copy lies in its source {from}");
        Ok(())
    }
}

/// Returns whether two paths lead to the same folder, also if it is mounted twice.
fn is_same(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(|path| system::stat(path).map(|found| found.identity));
    one.is_ok_and(|one| other.is_ok_and(|other| one == other))
}

/// Returns whether a path is that of the folder, or of something below it.
fn lies_in(path: &Path, folder: &Path) -> bool {
    // Paths show nothing of a folder that is mounted twice, but its device and inode are the same.
    path.starts_with(folder) || path.ancestors().any(|above| is_same(above, folder))
}

/// Returns the default name of the manifest.
fn beside(dst: &Path) -> Result<PathBuf> {
    let name = dst.file_name();
    let name = name.with_context(|| format!("{}: has no name for the manifest: use -o", escape_path(dst)))?;
    let mut name = name.to_owned();
    name.push(".carryless");
    Ok(dst.with_file_name(name))
}

/// Returns a path without links. Its last component need not exist, its folder must.
fn real(path: &Path) -> Result<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Ok(real);
    }
    let folder = fs::canonicalize(parent(path)).with_context(|| escape_path(parent(path)))?;
    Ok(folder.join(path.file_name().unwrap_or_default()))
}

/// Copies the files, verifies the copy, and writes the manifest.
pub(crate) fn run(args: &CopyArgs) -> Result<Exit> {
    let places = Places::of(args)?;
    let Places { src, dst, manifest } = &places;
    check_manifest(manifest, args.force)?;
    // Locked to the end, so that no other command replaces the manifest while files are copied.
    let target = Target::file(manifest)?;
    let pool = args.read.pool()?;
    let scope = args.scope.of(src, &[".".into()])?;
    let key = key::load(&args.key)?;
    let keys = Keys::derive(&key.master, args.algorithm, args.read.cpu()?);
    let label = args.label.get();
    let (edition, why_first) = args.edition.edition(Some(manifest), &key.master, label, args.keep_going)?;
    let header = Header { label: label.map(Into::into), scope, edition };
    // The manifest lies outside of both folders, and so do its temporary files.
    let own = LeftOut::to_verify(key.path.as_deref(), Some(manifest));
    let progress = Progress::new(args.read.style(args.quiet));
    let mut session = Session::new(args.keep_going, Report::new(Form::of(args.json, false)), args.json);
    let walked = collect(src, &header.scope, &own, &progress)?;
    if !walked.errors.is_empty() && !args.keep_going {
        return session.stop(walked.errors);
    }
    places.check_folders(&walked.folders)?;
    let is_empty = walked.items.is_empty() && walked.errors.is_empty();
    ensure!(
        !is_empty || args.allow_empty,
        "nothing copied: no file was found, or filters left out all (see --allow-empty)"
    );
    // Both before anything is copied: what cannot be written is known at once.
    let destination = Destination::open(src, dst)?;
    let writer = target.writer(&keys, &header)?.allow_empty(args.allow_empty);
    // Not mapped: a copy is written from the buffer.
    let files = Files { base: src, map: false, ..args.read.files(&pool, &progress) };
    let reader = files.reader(&header.scope, &keys.file)?;
    progress.start(walked.items.len(), pool.install(|| total(src, &walked.items, &progress)));
    let mut copied = Copier { reader: &reader, destination: &destination, pool: &pool }.copy(walked)?;
    let bytes = progress.finish();
    let unguarded = progress.unguarded();
    session.report_failed(&copied.failed)?;

    let progress = Progress::new(args.read.style(args.quiet));
    // A walk of its own: what the copy has counts, not what was to be copied.
    let walked = walk(dst, &header.scope, &Part::default(), &own, &progress)?;
    let files = Files { base: dst, ..args.read.files(&pool, &progress) };
    // The cache still has what was written, whatever is on the disk.
    let reader = files.reader(&header.scope, &keys.file)?.past_cache();
    let judge = Judge::new(reader, &header, walked.errors.is_empty()).effort(Effort::All);
    inspect(&copied.records, &Part::default(), walked, &judge, &pool, |name, _, verdict| {
        session.take(&copied, name, verdict, &progress)
    })?;
    for (name, reason) in destination.finish()? {
        session.fail(&mut copied, name, reason)?;
    }
    session.counts.bytes = bytes + progress.finish();
    session.unguarded = unguarded + progress.unguarded();
    let _held = target.last()?;
    session.finish(args.quiet, &copied, writer, &header, why_first.as_deref(), &keys)
}
