//! `carryless-lab hash`: prints raw digests for researchers. It is no file MAC.
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use carryless_cli::base::{
    Exit, Guard, JsonName, KeyArgs, Kind, MAX_SECRET_BYTES, ReadError, complain, cpu, escape_path, hex, json,
    named, print_json, read_secret, source, stat_open, stdout_error, steady, unhex,
};
use carryless_hash::decbrwhash1305::Streams;
use carryless_hash::poly1305::Poly1305;
use carryless_hash::polyhash1271::PolyHash1271;
use carryless_hash::polyhash1305::PolyHash1305;
use carryless_hash::{Cpu, Key1271, decbrwhash1271, decbrwhash1305};
use clap::{Args, ValueEnum};
use serde::Serialize;
use zeroize::Zeroizing;

/// Prints raw polynomial digests. For researchers: not a file MAC.
///
/// polyHash1305 and the BRW hashes are universal hashes: whoever sees a digest of a known message learns the key.
/// Poly1305 is a one-time MAC: two digests under one key give it away. To authenticate files, use `carryless tag`.
///
/// The key file holds the raw key in hexadecimal: 64 digits for poly1305 (r, then s), 32 for the others.
/// Functions over 2^127 - 1 take keys below 2^126, little-endian: the last two digits are at most 3f.
#[derive(Args)]
pub(crate) struct HashArgs {
    #[command(flatten)]
    key: KeyArgs,
    /// The hash or MAC to compute
    #[arg(long, value_enum, value_name = "NAME", default_value = "polyhash1305")]
    function: Function,
    /// The backend (vector unit) to compute on, as `carryless-lab info` names them [default: the best]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Print a line of JSON for each file
    #[arg(long)]
    json: bool,
    /// Files; - or none is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The functions of `carryless-lab hash`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Function {
    /// The almost-XOR-universal hash over 2^130 - 5, key unclamped.
    Polyhash1305,
    /// The one-time MAC of RFC 8439, key of r and s.
    Poly1305,
    /// The hash of Bernstein, Rabin and Winograd over 2^130 - 5.
    Brwhash1305,
    /// BRWHash1305 on two streams of blocks.
    #[value(name = "2-decbrwhash1305")]
    DecBrw2,
    /// BRWHash1305 on three streams of blocks.
    #[value(name = "3-decbrwhash1305")]
    DecBrw3,
    /// BRWHash1305 on four streams of blocks.
    #[value(name = "4-decbrwhash1305")]
    DecBrw4,
    /// BRWHash1305 on eight streams of blocks.
    #[value(name = "8-decbrwhash1305")]
    DecBrw8,
    /// BRWHash1305 on sixteen streams of blocks.
    #[value(name = "16-decbrwhash1305")]
    DecBrw16,
    /// polyHash over 2^127 - 1, the key below 2^126.
    Polyhash1271,
    /// BRWHash over 2^127 - 1.
    Brwhash1271,
    /// BRWHash1271 on two streams of blocks.
    #[value(name = "2-decbrwhash1271")]
    DecBrw2Of1271,
    /// BRWHash1271 on three streams of blocks.
    #[value(name = "3-decbrwhash1271")]
    DecBrw3Of1271,
    /// BRWHash1271 on four streams of blocks.
    #[value(name = "4-decbrwhash1271")]
    DecBrw4Of1271,
    /// BRWHash1271 on eight streams of blocks.
    #[value(name = "8-decbrwhash1271")]
    DecBrw8Of1271,
    /// BRWHash1271 on sixteen streams of blocks.
    #[value(name = "16-decbrwhash1271")]
    DecBrw16Of1271,
}

/// A function, with its raw key. Keys are wiped when dropped.
enum RawKey {
    Polyhash1305(Zeroizing<[u8; 16]>),
    Poly1305(Zeroizing<[u8; 32]>),
    DecBrw1305(Streams, Zeroizing<[u8; 16]>),
    Polyhash1271(Key1271),
    DecBrw1271(Streams, Key1271),
}

/// The JSON object of a digest.
#[derive(Serialize)]
struct Digest<'a> {
    #[serde(flatten)]
    name: JsonName<'a>,
    function: &'a str,
    digest: String,
}

/// The JSON object of a file that cannot be read.
#[derive(Serialize)]
struct Undigested<'a> {
    #[serde(flatten)]
    name: JsonName<'a>,
    message: String,
}

/// Prints a line for each file: the digest, two spaces, the name. Unreadable files give exit status 2.
pub(crate) fn run(args: &HashArgs) -> Result<Exit> {
    let stdin = [Path::new("-").to_path_buf()];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    // Standard input can be read once, by the key or by a message.
    let twice = args.key.is_stdin() && files.iter().any(|file| named(file).is_none());
    ensure!(!twice, "key and message cannot both come from standard input");
    let (text, _) = read_secret(&args.key, MAX_SECRET_BYTES)?;
    let function = args.function.to_possible_value().map(|value| value.get_name().to_owned());
    // clap skips none of the values, so each has a name.
    let function = function.unwrap_or_default();
    let key = RawKey::parse(args.function, &text)
        .with_context(|| format!("{}: not a raw key of {function}", source(&args.key)))?;
    let cpu = cpu(args.backend.as_deref())?;
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
                // println! would panic if standard output is closed.
                writeln!(io::stdout(), "{line}").map_err(stdout_error)?
            }
            Err(error) => {
                // A file that cannot be read does not stop the run.
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
        // Editors add a line end. Anything before the digits is refused.
        let digits = text.trim_ascii_end();
        // Wiped when dropped, even if the key is refused afterwards.
        let short = || unhex(digits).context("expected 32 lower-case hexadecimal digits").map(Zeroizing::new);
        let below_2_126 = || Ok::<_, anyhow::Error>(Key1271::new(&*short()?)?);
        let over_1305 = |streams| Ok(Self::DecBrw1305(streams, short()?));
        let over_1271 = |streams| Ok(Self::DecBrw1271(streams, below_2_126()?));
        match function {
            Function::Polyhash1305 => Ok(Self::Polyhash1305(short()?)),
            Function::Poly1305 => {
                let long = unhex(digits).context("expected 64 lower-case hexadecimal digits")?;
                Ok(Self::Poly1305(long.into()))
            }
            Function::Brwhash1305 => over_1305(Streams::One),
            Function::DecBrw2 => over_1305(Streams::Two),
            Function::DecBrw3 => over_1305(Streams::Three),
            Function::DecBrw4 => over_1305(Streams::Four),
            Function::DecBrw8 => over_1305(Streams::Eight),
            Function::DecBrw16 => over_1305(Streams::Sixteen),
            Function::Polyhash1271 => Ok(Self::Polyhash1271(below_2_126()?)),
            Function::Brwhash1271 => over_1271(Streams::One),
            Function::DecBrw2Of1271 => over_1271(Streams::Two),
            Function::DecBrw3Of1271 => over_1271(Streams::Three),
            Function::DecBrw4Of1271 => over_1271(Streams::Four),
            Function::DecBrw8Of1271 => over_1271(Streams::Eight),
            Function::DecBrw16Of1271 => over_1271(Streams::Sixteen),
        }
    }
}

/// Hashes `$input` by a state for `$streams` streams, whose number is a parameter of the type.
macro_rules! on_streams {
    ($module:ident, $streams:expr, $cpu:expr, $key:expr, $input:expr) => {
        match $streams {
            Streams::One => on_streams!($module, 1, $cpu, $key, $input, hash),
            Streams::Two => on_streams!($module, 2, $cpu, $key, $input, hash),
            Streams::Three => on_streams!($module, 3, $cpu, $key, $input, hash),
            Streams::Four => on_streams!($module, 4, $cpu, $key, $input, hash),
            Streams::Eight => on_streams!($module, 8, $cpu, $key, $input, hash),
            Streams::Sixteen => on_streams!($module, 16, $cpu, $key, $input, hash),
        }
    };
    ($module:ident, $c:literal, $cpu:expr, $key:expr, $input:expr, hash) => {{
        let mut state = $module::Hasher::<$c>::on($cpu, $key);
        each_chunk($input, |chunk| state.update(chunk))?;
        Ok(state.finalize())
    }};
}

/// Reads a file, and fails as soon as another process opens it for writing.
struct Guarded<'f, 'g>(&'f File, &'g Guard<'f>);

impl Read for Guarded<'_, '_> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        // Another process may open the file at any time, hence a check before each piece.
        self.1.check().map_err(io::Error::other)?;
        self.0.read(space)
    }
}

/// Computes the digest of a file. An ordinary file must not change meanwhile.
fn digest_of(file: &Path, key: &RawKey, cpu: Cpu) -> Result<[u8; 16], ReadError> {
    let Some(path) = named(file) else { return Ok(digest(io::stdin(), key, cpu)?) };
    let file = File::open(path)?;
    let about = stat_open(&file)?;
    match about.kind {
        // A pipe or device has no stable contents to guard.
        Kind::File => steady(&file, &about, |guard| Ok(digest(Guarded(&file, guard), key, cpu)?)),
        _ => Ok(digest(&file, key, cpu)?),
    }
}

fn digest(mut input: impl Read, key: &RawKey, cpu: Cpu) -> io::Result<[u8; 16]> {
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
        RawKey::Polyhash1271(key) => {
            let mut state = PolyHash1271::on(cpu, key);
            each_chunk(&mut input, |chunk| state.update(chunk))?;
            Ok(state.finalize())
        }
        RawKey::DecBrw1305(streams, key) => on_streams!(decbrwhash1305, *streams, cpu, key, &mut input),
        RawKey::DecBrw1271(streams, key) => on_streams!(decbrwhash1271, *streams, cpu, key, &mut input),
    }
}

fn each_chunk(input: &mut impl Read, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    // Files of any size are read in pieces, so that memory does not grow with them.
    let mut space = vec![0; 256 << 10];
    loop {
        match input.read(&mut space) {
            Ok(0) => return Ok(()),
            Ok(length) => take(&space[..length]),
            // A signal came before any byte was read (EINTR). That is no error: read again.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
