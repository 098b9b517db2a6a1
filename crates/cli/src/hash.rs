//! `carryless hash`: raw digests for researchers.
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use carryless_hash::Cpu;
use carryless_hash::decbrwhash1305::{Hasher, Streams};
use carryless_hash::poly1305::Poly1305;
use carryless_hash::polyhash1305::PolyHash1305;
use clap::ValueEnum as _;
use serde::Serialize;
use zeroize::Zeroizing;

use crate::args::{Function, HashArgs};
use crate::exit::{Exit, complain, print_json, stdout_error};
use crate::key::{MOST_SECRET_BYTES, escape_path, read_secret, source};
use crate::name::{hex, json, unhex};
use crate::report::JsonName;

/// A function with its raw key.
enum RawKey {
    Polyhash1305(Zeroizing<[u8; 16]>),
    Poly1305(Zeroizing<[u8; 32]>),
    DecBrw(Streams, Zeroizing<[u8; 16]>),
}

/// A line of `--json`.
#[derive(Serialize)]
struct Digest<'a> {
    #[serde(flatten)]
    name: JsonName<'a>,
    function: &'a str,
    digest: String,
}

/// A line of `--json` for a file that cannot be read.
#[derive(Serialize)]
struct Undigested<'a> {
    #[serde(flatten)]
    name: JsonName<'a>,
    message: String,
}

/// Prints a line for each file: digest, two spaces, name.
pub(crate) fn run(args: &HashArgs) -> Result<Exit> {
    let stdin = [Path::new("-").to_path_buf()];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    let twice = args.key.is_stdin() && files.iter().any(|file| file.as_os_str() == "-");
    ensure!(!twice, "key and message cannot both come from standard input");
    let (text, _) = read_secret(&args.key, MOST_SECRET_BYTES)?;
    let function = args.function.to_possible_value().map(|value| value.get_name().to_owned());
    let function = function.unwrap_or_default();
    let key = RawKey::parse(args.function, &text)
        .with_context(|| format!("{}: not a raw key of {function}", source(&args.key)))?;
    let cpu = args.cpu()?;
    let mut exit = Exit::Good;
    for file in files {
        match digest_of(file, &key, cpu) {
            Ok(digest) => {
                let digest = hex(&digest);
                let line = if args.json {
                    let name = JsonName::of(file);
                    json(&Digest { name, function: &function, digest })?
                } else {
                    format!("{digest}  {}", escape_path(file))
                };
                writeln!(io::stdout(), "{line}").map_err(stdout_error)?
            }
            Err(error) => {
                complain(&format!("{}: {error}", escape_path(file)));
                if args.json {
                    print_json(&Undigested { name: JsonName::of(file), message: error.to_string() })?;
                }
                exit = Exit::Trouble;
            }
        }
    }
    Ok(exit)
}

impl RawKey {
    fn parse(function: Function, text: &[u8]) -> Result<Self> {
        let digits = text.trim_ascii_end();
        let short = || unhex(digits).context("expected 32 lower-case hexadecimal digits").map(Zeroizing::new);
        let streams = match function {
            Function::Polyhash1305 => return Ok(Self::Polyhash1305(short()?)),
            Function::Poly1305 => {
                let long = unhex(digits).context("expected 64 lower-case hexadecimal digits")?;
                return Ok(Self::Poly1305(long.into()));
            }
            Function::Brwhash1305 => Streams::One,
            Function::DecBrw2 => Streams::Two,
            Function::DecBrw3 => Streams::Three,
            Function::DecBrw4 => Streams::Four,
            Function::DecBrw8 => Streams::Eight,
            Function::DecBrw16 => Streams::Sixteen,
        };
        Ok(Self::DecBrw(streams, short()?))
    }
}

fn digest_of(file: &Path, key: &RawKey, cpu: Cpu) -> io::Result<[u8; 16]> {
    let mut input: Box<dyn Read> =
        if file.as_os_str() == "-" { Box::new(io::stdin()) } else { Box::new(File::open(file)?) };
    match key {
        RawKey::Polyhash1305(key) => {
            let mut state = PolyHash1305::on(cpu, key);
            each_chunk(&mut input, |chunk| state.update(chunk))?;
            Ok(state.finalize())
        }
        RawKey::Poly1305(key) => {
            let mut state = Poly1305::on(cpu, key);
            each_chunk(&mut input, |chunk| state.update(chunk))?;
            Ok(state.finalize().to_bytes())
        }
        RawKey::DecBrw(Streams::One, key) => decbrw::<1>(cpu, key, &mut input),
        RawKey::DecBrw(Streams::Two, key) => decbrw::<2>(cpu, key, &mut input),
        RawKey::DecBrw(Streams::Three, key) => decbrw::<3>(cpu, key, &mut input),
        RawKey::DecBrw(Streams::Four, key) => decbrw::<4>(cpu, key, &mut input),
        RawKey::DecBrw(Streams::Eight, key) => decbrw::<8>(cpu, key, &mut input),
        RawKey::DecBrw(Streams::Sixteen, key) => decbrw::<16>(cpu, key, &mut input),
    }
}

/// On C streams.
fn decbrw<const C: usize>(cpu: Cpu, key: &[u8; 16], input: &mut impl Read) -> io::Result<[u8; 16]> {
    let mut state = Hasher::<C>::on(cpu, key);
    each_chunk(input, |chunk| state.update(chunk))?;
    Ok(state.finalize())
}

fn each_chunk(input: &mut impl Read, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut space = vec![0; 256 << 10];
    loop {
        match input.read(&mut space) {
            Ok(0) => return Ok(()),
            Ok(length) => take(&space[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
