//! `carryless tag`: writes a manifest of files.
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use carryless_aead::file_mac::Algorithm;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;

use crate::about::Metadata;
use crate::args::{KeyArgs, LabelArgs, ReadArgs};
use crate::beneath::Tree;
use crate::chain;
use crate::excluded::Excluded;
use crate::exit::{Exit, Failure, complain};
use crate::filters;
use crate::key;
use crate::mac::{Keys, MasterKey};
use crate::manifest::{Body, Edition, Header, Sink, Version, Writer};
use crate::name::{escape, escape_input, escape_path, hex, named};
use crate::output::{NewFile, PUBLIC, check_target};
use crate::progress::{Counters, Progress};
use crate::read::Reader;
use crate::read_error::ReadError;
use crate::report::{Form, Report};
use crate::scope::{Scope, Specials, Symlinks};
use crate::walk::{Item, Kind, Part, Walked, walk};
use crate::writers;

/// Number of items whose results are held in memory at a time.
pub(crate) const BATCH: usize = 4096;

/// Writes a manifest: names, sizes and tags of all files under the PATHs, hidden ones too.
///
/// Names are relative to the current folder, or that of -C: `verify` must run there, too. The manifest is not secret, but shows names, sizes, and which files are
/// equal. The key file and the manifest are left out. If a file cannot be read or changes
/// meanwhile, or the command is interrupted, no manifest is written, and an older one stays.
///
/// Recorded are contents, names and kinds of files, targets of links, and times and inodes of files (see --metadata). Not
/// recorded are ACLs, extended attributes, capabilities, empty folders, and which names are hard links of one file.
///
/// Exit status: 0 done, 2 an error.
#[derive(Args)]
pub(crate) struct TagArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    /// The manifest to write; - is standard output
    #[arg(short, long, value_name = "MANIFEST")]
    pub(crate) output: PathBuf,
    /// Replace an existing manifest; any other existing file is still an error
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Write a manifest without entries if there is nothing to tag, which is an error otherwise
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// The MAC of files and manifest; `verify` reads its name from the manifest
    #[arg(long, value_name = "NAME", value_parser = algorithm_parser(), default_value = Algorithm::default().name())]
    pub(crate) algorithm: Algorithm,
    #[command(flatten)]
    pub(crate) edition: EditionArgs,
    #[command(flatten)]
    pub(crate) label: LabelArgs,
    /// Symbolic links: record them with their target, follow them, or skip them
    #[arg(long, value_enum, value_name = "POLICY", default_value = "record")]
    symlinks: Symlinks,
    /// Skip FIFOs, sockets and devices instead of refusing them
    #[arg(long)]
    skip_special: bool,
    /// Record only files that match this pattern (as in .gitignore; may be repeated)
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave out files and folders that match this pattern (as in .gitignore; may be repeated; wins over --include)
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Leave out what .gitignore files under the PATHs ignore
    #[arg(long)]
    gitignore: bool,
    /// Print a line of JSON for each file on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not print the summary on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Leave out folders on other file systems than the PATH above them
    #[arg(short = 'x', long)]
    one_file_system: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) paths: PathArgs,
}

/// The version of the manifest, and how much it records.
#[derive(Args)]
pub(crate) struct EditionArgs {
    /// What to record of each file besides its contents: nothing, its times and inode, or also mode, owner and group [default: times]
    #[arg(long, value_enum, value_name = "LEVEL")]
    metadata: Option<Metadata>,
    /// The version of the manifest; version 1 has no metadata, date and serial number
    #[arg(long, value_enum, value_name = "N", default_value = "2")]
    manifest_version: Version,
}

impl EditionArgs {
    /// Returns what version 2 says of a manifest that replaces `target`, or `None` for version 1. The second value says
    /// why that manifest is not continued.
    fn edition(
        &self,
        target: Option<&Path>,
        master: &MasterKey,
        label: Option<&str>,
    ) -> Result<(Option<Edition>, Option<String>)> {
        if self.manifest_version == Version::V1 {
            ensure!(self.metadata.is_none(), "manifests of version 1 have no metadata: leave --metadata out");
            return Ok((None, None));
        }
        let metadata = self.metadata.unwrap_or(Metadata::Times);
        let (edition, why_first) = chain::edition(target, master, label, metadata)?;
        Ok((Some(edition), why_first))
    }
}

/// The paths to tag: those on the command line, and a list in a file.
#[derive(Args)]
pub(crate) struct PathArgs {
    /// Read more PATHs from this file, one on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// The PATHs in the file of --files-from end in zero bytes, as `find -print0` prints them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
    /// The files to record, and folders with all below them; at least one, here or in --files-from
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<PathBuf>,
}

impl PathArgs {
    /// Returns whether the list of paths is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.files_from.as_deref().is_some_and(|file| named(file).is_none())
    }

    /// Returns the paths of the command line, followed by those of the list.
    fn all(&self) -> Result<Vec<PathBuf>> {
        let mut paths = self.paths.clone();
        if let Some(file) = &self.files_from {
            let list = match named(file) {
                Some(file) => fs::read(file),
                None => {
                    let mut bytes = Vec::new();
                    io::stdin().read_to_end(&mut bytes).map(|_| bytes)
                }
            };
            let list =
                list.with_context(|| format!("{}: cannot read the list of files", escape_input(file)))?;
            let end = if self.null { 0 } else { b'\n' };
            // The last name may lack its end, but an end after it does not begin an empty name.
            let names = list.strip_suffix(&[end]).unwrap_or(&list);
            if !list.is_empty() {
                let number = names.split(|byte| *byte == end).position(<[u8]>::is_empty);
                ensure!(
                    number.is_none(),
                    "{}: name {} is empty",
                    escape_input(file),
                    number.unwrap_or(0) + 1
                );
                let path = |name: &[u8]| PathBuf::from(OsString::from_vec(name.to_vec()));
                paths.extend(names.split(|byte| *byte == end).map(path));
            }
        }
        Ok(paths)
    }
}

impl TagArgs {
    /// Returns the scope that the manifest is to cover.
    pub(crate) fn scope(&self) -> Result<Scope> {
        let scope = Scope {
            symlinks: self.symlinks,
            specials: if self.skip_special { Specials::Skip } else { Specials::Refuse },
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            gitignore: self.gitignore,
            one_file_system: self.one_file_system,
            ..Scope::empty()
        };
        filters::with_roots(scope, self.read.base(), &self.paths.all()?)
    }
}

/// Writes the manifest. If anything cannot be tagged, reports the errors and writes no manifest.
pub(crate) fn run(args: &TagArgs) -> Result<Exit> {
    let to_stdout = named(&args.output).is_none();
    // Before hours of reading, not after them.
    if !to_stdout {
        let exists = !args.force && fs::symlink_metadata(&args.output).is_ok();
        ensure!(
            !exists,
            "{}: exists already, not overwritten (--force replaces a manifest)",
            escape_path(&args.output)
        );
        check_target(&args.output, args.force)?;
    }
    let twice = args.key.is_stdin() && args.paths.is_stdin();
    ensure!(!twice, "key and list of files cannot both come from standard input");
    ensure!(!(to_stdout && args.json), "--json and a manifest cannot both go to standard output");
    let scope = args.scope()?;
    let loaded = key::load(&args.key)?;
    let keys = Keys::derive(&loaded.master, args.algorithm, args.read.cpu()?);
    let (target, label) = (named(&args.output), args.label.get());
    let (edition, why_first) = args.edition.edition(target, &loaded.master, label)?;
    let mut report = Report::new(if args.json { Form::Json } else { Form::Lines });
    let Some(items) = find(args, &scope, loaded.path.as_deref(), &mut report)? else {
        return Ok(Exit::Trouble);
    };
    let progress = Progress::new(args.read.style(args.quiet), items.len());
    let header = Header { label: label.map(Into::into), scope, edition };
    let tree = Tree::open(args.read.base(), &header.scope)?;
    let reader = Reader::new(tree, &keys.file, args.read.mmap, &progress).twice(args.read.twice);
    // Created only after the walk, so that the walk does not find the temporary file.
    let sink = if to_stdout {
        Sink::Stdout(std::io::stdout())
    } else {
        Sink::File(NewFile::create(&args.output, PUBLIC, args.force)?)
    };
    let mut writer = Writer::new(sink, &keys, &header).allow_empty(args.allow_empty);
    // Records are written while files are read, so the manifest is never held in memory.
    let mut failures = 0;
    tag_all(&args.read.pool()?, &items, &reader, header.metadata(), |item, body| match body {
        Ok(body) => {
            writer.record(&item.name, &body)?;
            report.record(&item.name, &body)
        }
        Err(error) => {
            // The others are read all the same, so that one run reports every failure.
            failures += 1;
            progress.aside(|| complain(&format!("{}: {error}", escape(&item.name))));
            report.failure(&item.name, &error.to_string())
        }
    })?;
    let bytes = progress.finish();
    report.flush()?;
    drop(report);
    ensure!(failures == 0, "no manifest written: {failures} of {} files could not be tagged", items.len());
    // The manifest gets its name last: its existence means that everything succeeded.
    writer.finish()?;
    why_first.iter().for_each(|why| complain(why));
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

/// Formats a number with its noun, in the singular for 1.
fn counted(number: u64, [one, more]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Returns everything to be recorded, or `None` after printing complaints.
fn find(args: &TagArgs, scope: &Scope, key: Option<&Path>, report: &mut Report) -> Result<Option<Vec<Item>>> {
    // The key must not be recorded, and an older manifest in the tree is about to change.
    let own: Vec<Excluded> =
        [key, named(&args.output)].into_iter().flatten().flat_map(Excluded::at).collect();
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

/// Walks the scope. Returns everything to be recorded, and errors for everything that cannot be.
pub(crate) fn collect(base: &Path, scope: &Scope, own: &[Excluded], counters: &Counters) -> Result<Walked> {
    let mut walked = walk(base, scope, &Part::default(), own, counters)?;
    if walked.errors.is_empty() {
        // Errors of the walk may be the reason why a pattern matches nothing.
        filters::check_matches(base, scope, &walked)?;
    }
    let missing = std::mem::take(&mut walked.missing_roots).into_iter();
    // An error only here: when verifying, the records below a missing root are missing.
    walked.errors.extend(missing.map(|root| (root, "no such file or folder".into())));
    for item in &walked.items {
        if let (Kind::Special(what), Specials::Refuse) = (item.kind, scope.specials) {
            let reason = format!("{what}, not read (see --skip-special)");
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
        let body = |item| body(item, reader, metadata);
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

/// Returns the parser for the option `--algorithm`, which lists all names.
fn algorithm_parser() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| Algorithm::named(&name))
}
