//! Key files: their format, and how they are read and checked.
//!
//! A key file is one line: `carryless-key-v1:`, 64 hexadecimal digits (32 random bytes), `:`, 8 hexadecimal
//! digits of checksum. The checksum tells a damaged key from a wrong one. It reveals nothing that the key
//! beside it does not.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use zeroize::Zeroizing;

use crate::args::KeyArgs;
use crate::family;
use crate::input::ordinary_file;
use crate::mac::{self, MasterKey};
use crate::name::{escape_path, hex, named, parent, unhex_into};
use crate::system::{self, Kind};

/// Most bytes of a key file for a MAC or a curve. Longer files are refused.
pub const MAX_SECRET_BYTES: u64 = 4096;
const PREFIX: &str = "carryless-key-v1:";
/// Characters of the line: prefix, 64 digits, colon, 8 digits. The line end is not counted.
const LINE_LENGTH: usize = PREFIX.len() + 64 + 1 + 8;

/// A key: its 32 bytes, wiped when dropped, and the path of its file. That file is left out if it lies inside the tree.
#[derive(Clone)]
pub struct Key {
    pub(crate) master: MasterKey,
    pub(crate) path: Option<PathBuf>,
}

impl fmt::Debug for Key {
    /// Prints the path of the key file, but no byte of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Key {
    /// Makes a key of 32 bytes. The caller must wipe its own copy.
    #[must_use]
    pub fn new(bytes: &[u8; 32]) -> Self {
        let mut master = MasterKey::zeroed();
        // Filled in its place on the heap, so that no array on the stack keeps a copy.
        master.copy_from_slice(bytes);
        Key { master, path: None }
    }

    /// Reads a key file. Nobody but its owner may read or write it.
    ///
    /// # Errors
    /// If the path is no ordinary file, if others may read, write or replace it, or if it contains no key.
    pub fn from_file(path: &Path) -> Result<Self> {
        let key_file = Some(ordinary_file(path)?);
        load(&KeyArgs { key_file, key_fd: None, insecure_key_file: false })
    }

    /// Returns the 32 bytes, for another process that reads on behalf of this one. They are wiped when dropped.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; 32]> {
        // The copy lies in the caller's frame; a move may leave another, which nothing wipes.
        Zeroizing::new(*self.master)
    }
}

/// Reads and checks the key that the arguments name.
pub(crate) fn load(args: &KeyArgs) -> Result<Key> {
    let (text, path) = read_secret(args, MAX_SECRET_BYTES)?;
    let shown = source(args);
    let master = parse(&text).with_context(|| format!("{shown}: not a usable key"))?;
    Ok(Key { master, path })
}

/// Reads the key file, descriptor or standard input that the arguments name, and returns its path if
/// it is an ordinary file.
///
/// Fails beyond `most` bytes. Unless the user insists, it also fails if others may access the file. The
/// contents are wiped when dropped.
pub fn read_secret(args: &KeyArgs, most: u64) -> Result<(Zeroizing<Vec<u8>>, Option<PathBuf>)> {
    let shown = source(args);
    let (file, path) = open(args).with_context(|| format!("{shown}: cannot open the key"))?;
    // The open file is examined, not the path: a path could lead to another file by now.
    let about = system::stat_open(&file).with_context(|| format!("{shown}: cannot examine the key"))?;
    let is_file = about.kind == Kind::File;
    if is_file && !args.insecure_key_file {
        // The opener of a descriptor is responsible for its path: only its mode is checked.
        let path = args.key_file.as_deref().and_then(named);
        check_private(&file, path)
            .map_err(|error| wrong_kind(&file).unwrap_or(error))
            .with_context(|| shown.clone())?;
    }
    // Reserved at once: growing the buffer would leave unwiped copies in freed memory.
    let mut text = Zeroizing::new(Vec::with_capacity(most as usize + 1));
    file.take(most + 1).read_to_end(&mut text).with_context(|| format!("{shown}: cannot read the key"))?;
    ensure!(text.len() as u64 <= most, "{shown}: not a usable key: longer than {most} bytes");
    // A pipe or terminal has no path to leave out of the tree.
    Ok((text, path.filter(|_| is_file)))
}

/// Returns an error if the file is a manifest: then key and manifest were confused, and no permissions would help.
fn wrong_kind(file: &File) -> Option<anyhow::Error> {
    let mut start = Vec::new();
    file.take(family::FAMILY_LENGTH as u64).read_to_end(&mut start).ok()?;
    family::begins(&start).then(|| anyhow!("this is a manifest, not a key"))
}

/// Fails unless a key file is private to this user.
///
/// Nobody else may read or write it. If it was opened by a path, it must also belong to this user or to one that may do
/// everything, and so must its folder, in which nobody else may replace it.
fn check_private(file: &File, path: Option<&Path>) -> Result<()> {
    system::check_readers(file)?;
    let Some(path) = path else { return Ok(()) };
    // The owner could change the permissions at any time, and read or replace the key.
    system::check_holder(file)?;
    let behind = fs::canonicalize(path).context("cannot find its folder")?;
    // Two folders matter: that of a link, whose target could be changed, and that of the file itself.
    for path in [path, &behind] {
        let folder = parent(path);
        system::check_folder(folder).with_context(|| format!("its folder {}", escape_path(folder)))?;
    }
    Ok(())
}

/// Opens the key, and returns its path if it has one.
///
/// Descriptors are duplicated. Opening them again by a path below /dev fails for sockets, and for files that
/// this process may no longer open.
fn open(args: &KeyArgs) -> io::Result<(File, Option<PathBuf>)> {
    let descriptor = match (&args.key_file, args.key_fd) {
        (Some(path), _) if named(path).is_none() => 0,
        (Some(path), _) => return Ok((File::open(path)?, Some(path.clone()))),
        (None, fd) => fd.unwrap_or(0),
    };
    // The path is wanted only to leave the key file out of a tree, so the key is usable without it.
    system::given(descriptor)
}

/// Returns the name of the key's source for error messages.
pub fn source(args: &KeyArgs) -> String {
    match (&args.key_file, args.key_fd) {
        (Some(path), _) if named(path).is_none() => "standard input".into(),
        (Some(path), _) => escape_path(path),
        (None, fd) => format!("file descriptor {}", fd.unwrap_or(0)),
    }
}

/// Formats the line of a key file, with its line end. It is wiped when dropped.
pub(crate) fn to_line(master: &MasterKey) -> Zeroizing<String> {
    // `hex` reserves the whole length, so it leaves no part of the key in freed memory.
    let digits = Zeroizing::new(hex(&**master));
    // Reserved at once: growing the string would leave unwiped copies in freed memory.
    let mut line = Zeroizing::new(String::with_capacity(LINE_LENGTH + 1));
    for part in [PREFIX, &digits, ":", &hex(&mac::key_checksum(master)), "\n"] {
        line.push_str(part);
    }
    line
}

/// Parses the line of a key file. Exactly one line stands for a key, with or without its line end.
fn parse(text: &[u8]) -> Result<MasterKey> {
    ensure!(!text.is_empty(), "the key is empty");
    // The line end may be missing or converted: editors do that, and it is no damage to the key.
    let line = text.strip_suffix(b"\r\n").or_else(|| text.strip_suffix(b"\n")).unwrap_or(text);
    let Some(rest) = line.strip_prefix(PREFIX.as_bytes()) else {
        bail!("it does not begin with \"{PREFIX}\"");
    };
    ensure!(
        line.len() == LINE_LENGTH,
        "{} characters instead of {LINE_LENGTH}: truncated or of a wrong length",
        line.len()
    );
    // No panic: by the length of the line, 64 digits, a colon and 8 digits are left.
    let (digits, checksum) = rest.split_at(64);
    let mut master = MasterKey::zeroed();
    // Decoded in place, so that no copy of the key remains on the stack.
    unhex_into(digits, &mut *master).context("not 64 lower-case hexadecimal digits")?;
    // The checksum is as secret as the key beside it. Its comparison may take variable time: it detects
    // damage.
    let expected = format!(":{}", hex(&mac::key_checksum(&master)));
    ensure!(checksum == expected.as_bytes(), "the checksum does not match: the key is damaged");
    Ok(master)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Zeroizing<String> {
        let mut master = MasterKey::zeroed();
        (0..).zip(&mut *master).for_each(|(i, byte): (u8, _)| *byte = i.wrapping_mul(7));
        to_line(&master)
    }

    #[test]
    fn a_line_is_read_back_with_or_without_its_end() {
        let line = line();
        for text in [line.to_string(), line.trim_end().to_string(), line.replace('\n', "\r\n")] {
            assert_eq!(parse(text.as_bytes()).map(|k| k[1]).ok(), Some(7));
        }
        for end in ["\r", "\n\n", "\r\r\n", " "] {
            assert!(parse(line.replace('\n', end).as_bytes()).is_err(), "{end:?}");
        }
    }

    #[test]
    fn every_truncation_is_noticed() {
        let line = line();
        for length in 0..LINE_LENGTH {
            assert!(parse(&line.as_bytes()[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let line = line();
        for bit in 0..8 * LINE_LENGTH {
            let mut text = line.as_bytes().to_vec();
            text[bit / 8] ^= 1 << (bit % 8);
            assert!(parse(&text).is_err(), "{bit}");
        }
    }
}
