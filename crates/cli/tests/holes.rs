//! Sparse files: holes are not read, and count as the zeros that they are.
mod common;

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::thread;
use std::time::{Duration, Instant};

use common::Sandbox;

const MIB: u64 = 1 << 20;

/// Waits until the system is believed about holes: 15 seconds after the last change, which no program can set.
fn settle() {
    thread::sleep(Duration::from_secs(17));
}

/// The tags of the records, in order.
fn tags(sandbox: &Sandbox, manifest: &str) -> Vec<String> {
    let text = String::from_utf8(sandbox.read(manifest)).expect("UTF-8");
    let records = text.lines().filter_map(|line| line.strip_prefix("file "));
    records.map(|record| record.split(' ').next().expect("a tag").into()).collect()
}

#[test]
fn a_sparse_file_has_the_tag_of_its_bytes() {
    let sandbox = Sandbox::new();
    // Data in the middle of parts, at their ends, over two of them, and none; files that end with a hole or with data.
    for (i, (size, data)) in [
        (9 * MIB, &[(3 * MIB + 77, 5)][..]),
        (9 * MIB, &[(4 * MIB - 3, 3), (6 * MIB, 1)]),
        (9 * MIB + 1, &[(MIB - 2, 4), (9 * MIB, 1)]),
        (5 * MIB + 12345, &[]),
        (2 * MIB, &[(0, 1)]),
    ]
    .into_iter()
    .enumerate()
    {
        let (sparse, dense) = (format!("t/{i} sparse"), format!("t/{i} dense"));
        let mut bytes = vec![0; usize::try_from(size).expect("small")];
        let file = File::create(sandbox.path(&sparse)).expect("create");
        file.set_len(size).expect("set_len");
        for (at, length) in data {
            let text = vec![b'x'; *length];
            file.write_all_at(&text, *at).expect("write");
            let at = usize::try_from(*at).expect("small");
            bytes[at..at + length].copy_from_slice(&text);
        }
        drop(file);
        sandbox.write(&dense, &bytes);
    }
    settle();
    for algorithm in ["4-decbrwhash1305-hchacha20", "polyhash1305-hchacha20"] {
        sandbox.tag(&["-f", "--algorithm", algorithm, "-o", "m", "t"]).good();
        for pair in tags(&sandbox, "m").chunks(2) {
            assert_eq!(pair[0], pair[1], "{algorithm}");
        }
        sandbox.verify(&["-q", "m"]).good();
    }
    // A byte in a hole is noticed.
    let file = File::options().write(true).open(sandbox.path("t/3 sparse")).expect("open");
    file.write_all_at(b"x", 2 * MIB).expect("write");
    drop(file);
    settle();
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/3 sparse: edited\n");
}

/// Read as zeros, these would take minutes.
#[test]
fn holes_take_no_time() {
    let sandbox = Sandbox::new();
    let file = File::create(sandbox.path("t/image")).expect("create");
    file.set_len(256 << 30).expect("set_len");
    file.write_all_at(b"x", 100 << 30).expect("write");
    drop(file);
    settle();
    let start = Instant::now();
    sandbox.tag(&["-o", "m", "t"]).good();
    sandbox.verify(&["-q", "m"]).good();
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    fs::remove_file(sandbox.path("t/image")).expect("rm");
}
