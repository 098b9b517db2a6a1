//! `carryless list`: prints the entries of a manifest.
use std::path::PathBuf;

use anyhow::Result;
use carryless_hash::Cpu;
use clap::Args;

use crate::args::ManifestArgs;
use crate::exit::Exit;
use crate::open;
use crate::report::{Form, Report};

/// Prints the entries of a manifest: kind, size, time of modification in UTC, and name.
///
/// The manifest is authenticated first. What is not recorded is `-`; the target of a link follows its name. Names are
/// escaped as in the manifest. No file is read.
#[derive(Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) from: ManifestArgs,
    /// Print a line of JSON for each entry, with all that is recorded
    #[arg(long, conflicts_with = "zero")]
    pub(crate) json: bool,
    /// Print names alone, as they are, each ended by a zero byte
    #[arg(short, long)]
    pub(crate) zero: bool,
    /// The manifest; - is standard input
    pub(crate) manifest: PathBuf,
}

/// Prints all entries, in the order of their names.
pub(crate) fn run(args: &ListArgs) -> Result<Exit> {
    let (key, [source]) = open::read(&args.from, [&args.manifest])?;
    let (manifest, _) = source.open(&key.master, Cpu::detect(), args.from.label.get())?;
    let mut report = Report::new(Form::of(args.json, args.zero));
    for record in &manifest.records {
        report.entry(&record.name, &record.body())?;
    }
    report.flush()?;
    Ok(Exit::Good)
}
