//! Properties that hold for every manifest.
use std::sync::LazyLock;

use carryless_hash::Cpu;

use super::*;
use crate::mac::MasterKey;

/// The first input of `fuzzing::manifest`.
#[cfg(test)]
pub(crate) const SEED: &str = "carryless-manifest-v1\nalgorithm 4-decbrwhash1305-hchacha20\nsegments two-level-1048576\n\
    key-id d27bd12377ec6434\nsymlinks record\nspecials skip\ngitignore obey\nexclude *.o\nroot t\n\n\
    file c5aef9d9c96d80d608c0cc397f9bd9a4 16 t/b\nlink t/link\t../nowhere\nfile 3cd251bbb016541cc514c6f255dd06e3 3 t/odd\\n\\\\\\xff\n";

/// Longest input in bytes. Everything printed from it fits in one batch.
const MOST_BYTES: usize = BATCH / 64;

static KEYS: LazyLock<[Keys; 2]> = LazyLock::new(|| {
    let cpu = Cpu::detect();
    // The key of the seeds, whose id they name.
    let mut key = MasterKey::zeroed();
    (0..).zip(&mut *key).for_each(|(i, byte): (u8, _)| *byte = 1 + 7 * i);
    Algorithm::ALL.map(|algorithm| Keys::derive(&key, algorithm, cpu))
});

pub(crate) fn check(data: &[u8]) {
    let data = &data[..data.len().min(MOST_BYTES)];
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
    let Ok(manifest) = Manifest::parse(text, keys) else { return };
    assert!(manifest.records.is_sorted_by(|a, b| a.name < b.name), "names in order, none twice");
    let printed = print(manifest.label.as_deref(), &manifest.scope, &manifest.records, keys);
    assert_eq!(printed.as_bytes(), text);
}

/// Checks that records with arbitrary names and targets are read back, and that no bit can be changed.
fn written(data: &[u8], keys: &Keys) {
    let records = records(data);
    let mut scope = Scope::empty();
    // The scope varies with the input, too, so that its lines are covered.
    scope.gitignore = data.len().is_multiple_of(2);
    scope.roots.extend(records.iter().map(|record| record.name.to_vec()));
    scope.exclude.extend(records.first().map(|record| String::from_utf8_lossy(&record.name).into_owned()));
    let mut text = print(None, &scope, &records, keys).into_bytes();
    let mut message = keys.manifest.stream();
    message.update(&text);
    text.extend_from_slice(format!("{MAC}{}\n", hex(message.finalize().as_bytes())).as_bytes());

    assert_eq!(open(&text, keys), Some((scope, records)));
    // Any bit of the text or of the MAC, chosen by the input.
    let at =
        data.iter().fold(data.len(), |at, byte| at.wrapping_mul(31) ^ usize::from(*byte)) % (8 * text.len());
    text[at / 8] ^= 1 << (at % 8);
    assert_eq!(open(&text, keys), None, "bit {at} changed");
}

/// Returns the contents of a manifest, if it is authentic.
fn open(text: &[u8], keys: &Keys) -> Option<(Scope, Vec<Record<'static>>)> {
    let manifest = Sealed::new(text).ok()?.open(keys).ok()?;
    let records = manifest.records.into_iter();
    let owned = |record: Record<'_>| Record { name: record.name.into_owned().into(), body: record.body };
    Some((manifest.scope, records.map(owned).collect()))
}

/// Makes a record of each part of the input between semicolons. A part with `>` is a link to what follows
/// it, any other a file.
fn records(data: &[u8]) -> Vec<Record<'static>> {
    let record = |part: &[u8]| {
        let mut parts = part.splitn(2, |byte| *byte == b'>');
        let (name, target) = (parts.next().unwrap_or_default().to_vec(), parts.next());
        let body = match target {
            Some(target) => Body::Link(target.to_vec()),
            None => Body::File(Content { size: u64::MAX >> (part.len() % 64), tag: Tag::from([0xa5; 16]) }),
        };
        Record { name: Cow::Owned(name), body }
    };
    let mut records: Vec<_> = data.split(|byte| *byte == b';').map(record).collect();
    records.sort_by(|a, b| a.name.cmp(&b.name));
    records.dedup_by(|a, b| a.name == b.name);
    records
}

/// Prints a manifest without its last line.
fn print(label: Option<&str>, scope: &Scope, records: &[Record<'_>], keys: &Keys) -> String {
    let mut writer = Writer::new(Sink::Stdout(std::io::stdout()), keys, label, scope);
    for record in records {
        writer.record(&record.name, &record.body).expect("nothing is written yet");
    }
    writer.pending
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a valid seed the fuzzer would not get beyond the header.
    #[test]
    fn the_seed_is_read() {
        let keys = KEYS.iter().find(|keys| keys.algorithm == Algorithm::DecBrwHash1305).expect("keys");
        let manifest = Manifest::parse(SEED.as_bytes(), keys).expect("a manifest");
        assert_eq!((manifest.records.len(), manifest.scope.exclude.len()), (3, 1));
    }
}
