//! What holds for every manifest.
use std::sync::LazyLock;

use carryless_hash::Cpu;

use super::*;
use crate::mac::MasterKey;

/// What `fuzzing::manifest` is tried with.
#[cfg(test)]
pub(crate) const SEED: &str = "carryless-manifest-v1\nalgorithm 4-decbrwhash1305-hchacha20\nsegments two-level-1048576\n\
    key-id d27bd12377ec6434\nsymlinks record\nspecials skip\ngitignore obey\nexclude *.o\nroot t\n\n\
    file c5aef9d9c96d80d608c0cc397f9bd9a4 16 t/b\nlink t/link\t../nowhere\nfile 3cd251bbb016541cc514c6f255dd06e3 3 t/odd\\n\\\\\\xff\n";

/// The longest input: what is printed of it fits in one batch.
const MOST_BYTES: usize = BATCH / 64;

static KEYS: LazyLock<[Keys; 2]> = LazyLock::new(|| {
    let cpu = Cpu::detect();
    Algorithm::ALL.map(|algorithm| Keys::derive(&MasterKey::new([7; 32]), algorithm, cpu))
});

pub(crate) fn check(data: &[u8]) {
    let data = &data[..data.len().min(MOST_BYTES)];
    for keys in &*KEYS {
        read(data, keys);
        written(data, keys);
    }
    // Nobody makes a MAC by chance.
    if let Ok(sealed) = Sealed::new(data) {
        let keys = KEYS.iter().find(|keys| keys.algorithm == sealed.algorithm);
        assert!(sealed.open(keys.expect("keys of all algorithms")).is_err(), "a forgery");
    }
}

/// What is read is printed, and read back as the same.
fn read(text: &[u8], keys: &Keys) {
    let Ok(manifest) = Manifest::parse(text, keys.algorithm) else { return };
    assert!(manifest.records.is_sorted_by(|a, b| a.name < b.name), "names in order, none twice");
    let printed = print(&manifest.scope, &manifest.records, keys);
    let again = Manifest::parse(printed.as_bytes(), keys.algorithm).expect("what was printed");
    assert_eq!((&again.scope, &again.records), (&manifest.scope, &manifest.records));
    assert_eq!(print(&again.scope, &again.records, keys), printed);
}

/// Records with names and targets of any bytes are read back, and no byte can be changed.
fn written(data: &[u8], keys: &Keys) {
    let records = records(data);
    let mut scope = Scope::empty();
    scope.gitignore = data.len().is_multiple_of(2);
    scope.roots.extend(records.iter().map(|record| record.name.to_vec()));
    scope.exclude.extend(records.first().map(|record| String::from_utf8_lossy(&record.name).into_owned()));
    let mut text = print(&scope, &records, keys).into_bytes();
    let mut message = keys.manifest.stream();
    message.update(&text);
    text.extend_from_slice(format!("{MAC}{}\n", hex(message.finalize().as_bytes())).as_bytes());

    assert_eq!(open(&text, keys), Some((scope, records)));
    let at =
        data.iter().fold(data.len(), |at, byte| at.wrapping_mul(31) ^ usize::from(*byte)) % (8 * text.len());
    text[at / 8] ^= 1 << (at % 8);
    assert_eq!(open(&text, keys), None, "bit {at} changed");
}

/// What a whole manifest holds, if it is authentic.
fn open(text: &[u8], keys: &Keys) -> Option<(Scope, Vec<Record<'static>>)> {
    let manifest = Sealed::new(text).ok()?.open(keys).ok()?;
    let records = manifest.records.into_iter();
    let owned = |record: Record<'_>| Record { name: record.name.into_owned().into(), body: record.body };
    Some((manifest.scope, records.map(owned).collect()))
}

/// A record for each part of the input between semicolons: a link from what is before a `>` to what follows, otherwise a file.
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

/// A manifest without its last line.
fn print(scope: &Scope, records: &[Record<'_>], keys: &Keys) -> String {
    let mut lines = vec![
        format!("{FAMILY}{VERSION}"),
        format!("{ALGORITHM}{}", keys.algorithm.name()),
        format!("{SEGMENTS}{}", segments(keys.algorithm)),
        format!("{KEY_ID}{}", hex(&keys.id.0)),
    ];
    lines.extend(scope.to_lines());
    let pending = lines.join("\n") + "\n\n";
    let mut writer =
        Writer { sink: Sink::Stdout(std::io::stdout()), message: keys.manifest.stream(), pending };
    for record in records {
        writer.record(&record.name, &record.body).expect("nothing is written yet");
    }
    writer.pending
}
