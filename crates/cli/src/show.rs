//! `carryless show`: prints what a manifest says about itself.
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use carryless_hash::Cpu;
use clap::Args;
use serde::Serialize;

use crate::args::ManifestArgs;
use crate::exit::{Exit, print_json, stdout_error};
use crate::manifest::{Body, Manifest};
use crate::name::hex;
use crate::open;

/// Prints the header of a manifest, and how many files, links and bytes it records.
///
/// The manifest is authenticated first. Each line is a key and a value, with names escaped as in the manifest; `mac` is
/// what the next manifest names as its `previous` one. No file is read.
#[derive(Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) from: ManifestArgs,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The manifest; - is standard input
    pub(crate) manifest: PathBuf,
}

/// Number of entries of each kind, and of bytes in files.
#[derive(Default, Serialize)]
struct Entries {
    files: u64,
    links: u64,
    errors: u64,
    bytes: u128,
}

/// A manifest for JSON: its header lines, each with a key and a value, and its entries.
#[derive(Serialize)]
struct JsonManifest<'a> {
    header: &'a [(String, String)],
    #[serde(flatten)]
    entries: &'a Entries,
    mac: &'a str,
}

impl Entries {
    fn of(manifest: &Manifest<'_>) -> Self {
        let mut entries = Self::default();
        for record in &manifest.records {
            match record.body() {
                Body::File(content, _) => {
                    entries.files += 1;
                    // The sum of sizes below 2^64 may be larger.
                    entries.bytes += u128::from(content.size);
                }
                Body::Link(_) => entries.links += 1,
                Body::Error => entries.errors += 1,
            }
        }
        entries
    }
}

/// Prints the header and the number of entries.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit> {
    let (key, [source]) = open::read(&args.from, [&args.manifest])?;
    let (manifest, keys) = source.open(&key.master, Cpu::detect(), args.from.label.get())?;
    let (entries, mac) = (Entries::of(&manifest), hex(manifest.mac.as_bytes()));
    let header = manifest.header.pairs(&keys);
    if args.json {
        print_json(&JsonManifest { header: &header, entries: &entries, mac: &mac })?;
        return Ok(Exit::Good);
    }
    let mut text = String::new();
    for (key, value) in header {
        // Writing to a string never fails.
        let _ = writeln!(text, "{key} {value}");
    }
    let Entries { files, links, errors, bytes } = entries;
    let _ = writeln!(text, "files {files}\nlinks {links}\nerrors {errors}\nbytes {bytes}\nmac {mac}");
    io::stdout().write_all(text.as_bytes()).map_err(stdout_error)?;
    Ok(Exit::Good)
}
