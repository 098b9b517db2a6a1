//! Properties that hold for every manifest.
use std::sync::LazyLock;

use carryless_hash::Cpu;

use super::*;
use crate::about::{About, Metadata};
use crate::date::Date;
use crate::mac::MasterKey;
use crate::read::Content;
use crate::scope::Scope;

/// An input of `fuzzing::manifest` for each version.
#[cfg(test)]
pub(crate) const SEEDS: [&str; 2] = [SEED, SEED_V2];

#[cfg(test)]
const SEED_V2: &str = "carryless-manifest-v2\nalgorithm 4-decbrwhash1305-hchacha20\nsegments two-level-1048576\n\
    key-id d27bd12377ec6434\nsymlinks record\nspecials skip\ngitignore obey\nexclude *.o\nroot t\nmetadata full\n\
    date 2026-11-29T11:18:25Z\nserial 2\nprevious 2760acf1916c575bd5e0a3774e667b02\n\nfile c5aef9d9c96d80d608c0cc397f9bd9a4 16 \
    1.000000002 -3.400000000 5 0644 6 7 t/b\nerror t/fifo\nlink t/link\t../nowhere\n";

#[cfg(test)]
const SEED: &str = "carryless-manifest-v1\nalgorithm 4-decbrwhash1305-hchacha20\nsegments two-level-1048576\n\
    key-id d27bd12377ec6434\nsymlinks record\nspecials skip\ngitignore obey\nexclude *.o\nroot t\n\n\
    file c5aef9d9c96d80d608c0cc397f9bd9a4 16 t/b\nlink t/link\t../nowhere\nfile 3cd251bbb016541cc514c6f255dd06e3 3 t/odd\\n\\\\\\xff\n";

/// Longest input in bytes. Everything printed from it fits in one batch.
const MAX_BYTES: usize = BATCH / 64;

static KEYS: LazyLock<[Keys; 2]> = LazyLock::new(|| {
    let cpu = Cpu::detect();
    // The key of the seeds, whose id they name.
    let mut key = MasterKey::zeroed();
    (0..).zip(&mut *key).for_each(|(i, byte): (u8, _)| *byte = 1 + 7 * i);
    Algorithm::ALL.map(|algorithm| Keys::derive(&key, algorithm, cpu))
});

pub(crate) fn check(data: &[u8]) {
    let data = &data[..data.len().min(MAX_BYTES)];
    for keys in &*KEYS {
        read(data, keys);
        written(data, keys);
    }
    // A MAC is not guessed by chance.
    if let Ok(sealed) = Sealed::new(data) {
        let keys = KEYS.iter().find(|keys| keys.algorithm == sealed.algorithm);
        assert!(sealed.open(keys.expect("keys of all algorithms")).is_err(), "a forgery");
    }
}

/// Checks that what is parsed is printed as the same bytes.
fn read(text: &[u8], keys: &Keys) {
    let Ok(manifest) = Manifest::parse(text, Tag::from([0; 16]), keys) else { return };
    assert!(manifest.records.is_sorted_by(|a, b| a.name < b.name), "names in order, none twice");
    let printed = print(&manifest.header, &manifest.records, keys);
    assert_eq!(printed.as_bytes(), text);
}

/// Checks that records with arbitrary names, targets and metadata are read back, and that no bit can be changed.
fn written(data: &[u8], keys: &Keys) {
    let header = header(data);
    let records = records(data, &header);
    let mut text = print(&header, &records, keys).into_bytes();
    let mut message = keys.manifest.stream();
    message.update(&text);
    text.extend_from_slice(format!("{MAC}{}\n", hex(message.finalize().as_bytes())).as_bytes());

    assert_eq!(open(&text, keys), Some((header, records)));
    // Any bit of the text or of the MAC, chosen by the input.
    let at =
        data.iter().fold(data.len(), |at, byte| at.wrapping_mul(31) ^ usize::from(*byte)) % (8 * text.len());
    text[at / 8] ^= 1 << (at % 8);
    assert_eq!(open(&text, keys), None, "bit {at} changed");
}

/// Returns the contents of a manifest, if it is authentic.
fn open(text: &[u8], keys: &Keys) -> Option<(Header, Vec<Record<'static>>)> {
    let manifest = Sealed::new(text).ok()?.open(keys).ok()?;
    Some((manifest.header, manifest.records.into_iter().map(Record::into_owned).collect()))
}

/// Returns a number made of the last eight bytes of the input.
fn number(data: &[u8]) -> u64 {
    data.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Returns a header that varies with the input, so that all of its lines are covered.
fn header(data: &[u8]) -> Header {
    let mut scope = Scope::empty();
    scope.gitignore = data.len().is_multiple_of(2);
    let mut names: Vec<_> = data.split(|byte| matches!(byte, b';' | b'>')).map(<[u8]>::to_vec).collect();
    scope.exclude.extend(names.first().map(|name| String::from_utf8_lossy(name).into_owned()));
    names.sort_unstable();
    names.dedup();
    scope.roots = names;
    let level = [Metadata::None, Metadata::Times, Metadata::Full].into_iter().nth(data.len() % 4);
    let serial = number(data).max(1);
    let previous = (serial > 1).then(|| Tag::from([0x5a; 16]));
    let date = Date::parse("2026-11-29T11:18:25Z").expect("a date");
    // Version 1 for one length of four.
    let edition = level.map(|metadata| Edition { metadata, date, serial, previous });
    Header { label: None, scope, edition }
}

/// Makes a record of each part of the input between semicolons. A part with `>` is a link to what follows
/// it, one that begins with `!` could not be read, any other is a file.
fn records(data: &[u8], header: &Header) -> Vec<Record<'static>> {
    let record = |part: &[u8]| {
        let mut parts = part.splitn(2, |byte| *byte == b'>');
        let (name, target) = (parts.next().unwrap_or_default().to_vec(), parts.next());
        let body = match target {
            Some(target) => Body::Link(target.to_vec()),
            None if part.starts_with(b"!") && header.edition.is_some() => Body::Error,
            None => {
                let content = Content { size: u64::MAX >> (part.len() % 64), tag: Tag::from([0xa5; 16]) };
                Body::File(content, About::any(number(part)).at(header.metadata()))
            }
        };
        Record::new(name, body)
    };
    let mut records: Vec<_> = data.split(|byte| *byte == b';').map(record).collect();
    records.sort_by(|a, b| a.name.cmp(&b.name));
    records.dedup_by(|a, b| a.name == b.name);
    records
}

/// Prints a manifest without its last line.
fn print(header: &Header, records: &[Record<'_>], keys: &Keys) -> String {
    let mut writer = Writer::new(Sink::Stdout(std::io::stdout()), keys, header);
    for record in records {
        writer.record(&record.name, &record.body()).expect("nothing is written yet");
    }
    writer.pending
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without valid seeds the fuzzer would not get beyond the header.
    #[test]
    fn the_seeds_are_read() {
        let keys = KEYS.iter().find(|keys| keys.algorithm == Algorithm::DecBrwHash1305).expect("keys");
        for (seed, version) in SEEDS.into_iter().zip([Version::V1, Version::V2]) {
            let manifest = Manifest::parse(seed.as_bytes(), Tag::from([0; 16]), keys).expect("a manifest");
            let Header { scope, .. } = &manifest.header;
            assert_eq!((manifest.records.len(), scope.exclude.len()), (3, 1));
            assert_eq!(manifest.header.version(), version);
        }
    }
}
