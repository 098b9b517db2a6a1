//! Reads and writes files of keys, ciphertexts and secrets, with or without armour.
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use carryless_hqc::SchemeId;
use zeroize::Zeroizing;

use super::FormArgs;
use super::armour::{self, Kind, Label};
use crate::args::KeyArgs;
use crate::key::{read_secret, source};
use crate::name::{escape_input, named};
use crate::output::{NewFile, PUBLIC, SECRET, write_new};

/// Most bytes of a file. The longest valid one, a ciphertext of HQC-5 in armour, has 19.6 KB.
pub(super) const MAX_BYTES: u64 = 1 << 15;

/// The format that all files of a command share.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) scheme: SchemeId,
    pub(super) raw: bool,
}

impl Form {
    pub(super) fn new(scheme: SchemeId, args: &FormArgs) -> Form {
        Form { scheme, raw: args.raw }
    }

    /// Extracts the value from a file's contents, and tells which of `kinds` it is. Without armour it is
    /// taken for the first kind.
    pub(super) fn read(self, kinds: &[Kind], text: Zeroizing<Vec<u8>>) -> Result<(Kind, Zeroizing<Vec<u8>>)> {
        let wanted = Label { scheme: self.scheme, kind: kinds[0] };
        if self.raw {
            return Ok((wanted.kind, text));
        }
        let (label, bytes) = armour::read(&text)?;
        ensure!(
            // A label of another scheme or type is an error: the bytes could have the right length by chance.
            label.scheme == self.scheme && kinds.contains(&label.kind),
            "it is {label}, not {wanted}"
        );
        Ok((label.kind, bytes))
    }

    /// Reads the key that the arguments name.
    pub(super) fn read_key(self, kinds: &[Kind], args: &KeyArgs) -> Result<(Kind, Zeroizing<Vec<u8>>)> {
        let (text, _) = read_secret(args, MAX_BYTES)?;
        self.read(kinds, text).with_context(|| unusable_key(args))
    }

    /// Reads the value in a file that is not secret, or on standard input for `-`.
    pub(super) fn read_file(self, kind: Kind, path: &Path) -> Result<Zeroizing<Vec<u8>>> {
        let read = || -> Result<_> {
            let source: Box<dyn Read> = match named(path) {
                Some(path) => Box::new(File::open(path)?),
                None => Box::new(io::stdin()),
            };
            // Public values only, so copies in freed memory do no harm.
            let mut text = Zeroizing::new(Vec::new());
            // One byte more than the limit shows that there is more.
            source.take(MAX_BYTES + 1).read_to_end(&mut text)?;
            ensure!(text.len() as u64 <= MAX_BYTES, "longer than {MAX_BYTES} bytes");
            Ok(self.read(&[kind], text)?.1)
        };
        read().with_context(|| unusable(path))
    }

    /// Formats a value as the contents of a file. They are wiped when dropped.
    pub(super) fn text(self, kind: Kind, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
        if self.raw {
            return Zeroizing::new(bytes.to_vec());
        }
        let text = armour::write(Label { scheme: self.scheme, kind }, bytes);
        Zeroizing::new(text.as_bytes().to_vec())
    }
}

/// Returns the beginning of messages about an unusable key.
pub(super) fn unusable_key(args: &KeyArgs) -> String {
    format!("{}: not a usable key", source(args))
}

/// Returns the beginning of messages about another unusable file.
pub(super) fn unusable(path: &Path) -> String {
    format!("{}: not usable", escape_input(path))
}

/// Returns the mode of a new file with this type of value.
pub(super) fn mode(kind: Kind) -> u32 {
    match kind {
        Kind::EncapsulationKey | Kind::Ciphertext => PUBLIC,
        Kind::DecapsulationKey | Kind::Seed | Kind::SharedSecret => SECRET,
    }
}

/// Writes two new files, both or neither. One of them may be standard output, which is written last.
pub(super) fn write_both(files: [(&Path, Kind, &[u8]); 2]) -> Result<()> {
    // Both files are complete under temporary names before either gets its final name.
    let mut begun = Vec::new();
    for (path, kind, text) in files {
        if named(path).is_some() {
            let mut file = NewFile::create(path, mode(kind), false)?;
            file.write(text)?;
            begun.push((path, file));
        }
    }
    let mut done = Vec::new();
    let finish = || -> Result<()> {
        for (path, file) in begun {
            // If the second file fails here, the first one is removed below.
            done.push((path, file.place()?));
        }
        let printed = files.into_iter().filter(|(path, ..)| named(path).is_none());
        printed.into_iter().try_for_each(|(path, kind, text)| write_new(path, mode(kind), text))
    };
    if let Err(error) = finish() {
        for (path, _) in done {
            // If this fails too, the file stays, but it is complete.
            let _ = fs::remove_file(path);
        }
        return Err(error);
    }
    // Both have their names: if a folder cannot be synchronised, both stay.
    done.into_iter().try_for_each(|(_, placed)| placed.synchronise())
}
