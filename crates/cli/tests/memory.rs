//! Tests that reading a key file leaves nothing of it in the memory of the process. Keys derived from it are
//! in values that threads move, so they are not searched for.
#![cfg(target_os = "linux")]

use carryless_aead::file_mac::Algorithm;
use carryless_cli::cluster::{Session, Worker};
use carryless_cli::tree::{Key, Options, Status, tag, verify};
use carryless_residue::{Secrets, Watched};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use zeroize::Zeroize as _;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// The secrets to search for: the hexadecimal digits of a key file, and the 32 bytes of the key.
fn secrets(file: &Path) -> Secrets {
    Secrets::new(|record| {
        let line = fs::read(file).expect("a key");
        let digits = &line[17..81];
        let value = |digit: u8| (digit as char).to_digit(16).expect("a digit") as u8;
        let bytes: Vec<u8> =
            digits.as_chunks::<2>().0.iter().map(|[a, b]| value(*a) << 4 | value(*b)).collect();
        let key: [u8; 32] = bytes.try_into().expect("32 bytes");
        record("digits", digits);
        record("key", &key);
    })
}

#[inline(never)]
fn moved<T>(value: T) -> T {
    black_box(value)
}

#[test]
fn keys_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let made = Command::new(env!("CARGO_BIN_EXE_carryless")).arg("keygen").arg(at("key")).status();
    assert!(made.is_ok_and(|status| status.success()));
    fs::create_dir(at("tree")).expect("a folder");
    (0..5).for_each(|i| fs::write(at("tree").join(i.to_string()), vec![7; i << 18]).expect("a file"));
    let mut options = Options::default();
    (options.base, options.overwrite, options.threads) = (at("tree"), true, Some(2));
    let (secrets, options) = (&secrets(&at("key")), &options);
    let key = || moved(Key::from_file(&at("key")).expect("a key"));

    secrets.assert_gone("a key from its file", || {
        let key = Box::new(moved(key().clone()));
        secrets.assert_visible("key", true);
        drop(moved(key));
    });
    secrets.assert_gone("a key of bytes", || {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&secrets.reveal("key"));
        // `black_box` keeps the bytes in memory, where they are cleared below. In registers, this test's own
        // copy would be spilled to the stack.
        drop(moved(Key::new(black_box(&bytes))));
        bytes.zeroize();
    });
    secrets.assert_gone("a tree", || {
        let (key, manifest) = (key(), at("manifest"));
        let entries = tag(&[".".into()], &key, &manifest, options, &Arc::default()).expect("a manifest");
        let findings = verify(&manifest, &key, &[], options, &Arc::default()).expect("findings");
        assert_eq!(findings.len(), entries);
        assert!(findings.iter().all(|finding| finding.status == Status::Ok));
    });
    secrets.assert_gone("a cluster", || {
        let key = key();
        let mut session =
            Session::to_tag(&[".".into()], &key, &at("manifest"), options.clone(), true).expect("a session");
        session.list_files(&Arc::default()).expect("a list");
        let tasks = session.plan(1).expect("a plan");
        let worker =
            Worker::new(&key, Algorithm::default(), session.run_id(), &session.scope()).expect("a worker");
        for index in 0..tasks {
            let result =
                worker.read_files(&at("tree"), &session.task(index).expect("a task")).expect("a result");
            session.join(&result).expect("it is of that task");
        }
        drop(moved(worker));
        session.finish().expect("a manifest");
    });
}
