//! The library's trees beside the command's: the same manifests, byte for byte, and either verifies the other's.
use carryless_cli::tree::{Counters, Key, Options, Status, Symlinks, tag, verify};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn command(folder: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carryless"));
    command.current_dir(folder).args(arguments).arg("--quiet").status().is_ok_and(|status| status.success())
}

#[test]
fn manifests_are_those_of_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let tree = folder.path().join("tree");
    fs::create_dir_all(tree.join("inner")).expect("folders");
    for i in 0..10_usize {
        fs::write(tree.join(format!("inner/{i} \n")), vec![7; i << 18]).expect("a file");
    }
    std::os::unix::fs::symlink("inner", tree.join("link")).expect("a link");
    let keygen =
        Command::new(env!("CARGO_BIN_EXE_carryless")).current_dir(&folder).args(["keygen", "key"]).status();
    assert!(keygen.is_ok_and(|status| status.success()));
    let key = Key::from_file(&folder.path().join("key")).expect("a key");
    for (symlinks, word) in
        [(Symlinks::Record, "record"), (Symlinks::Follow, "follow"), (Symlinks::Skip, "skip")]
    {
        let mut options = Options::default();
        (options.base, options.symlinks, options.overwrite) = (tree.clone(), symlinks, true);
        let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
        let counters = Arc::new(Counters::default());
        let entries = tag(&[".".into()], &key, &ours, &options, &counters).expect("a manifest");
        assert_eq!(counters.of(), entries as u64);
        let arguments =
            ["tag", "--key-file", "key", "-o", "theirs", "-f", "-C", "tree", "--symlinks", word, "."];
        assert!(command(folder.path(), &arguments));
        assert_eq!(fs::read(&ours).expect("ours"), fs::read(&theirs).expect("theirs"));
        assert!(command(folder.path(), &["verify", "--key-file", "key", "-C", "tree", "ours"]));
        let findings = verify(&theirs, &key, &[], &options, &counters).expect("findings");
        assert_eq!(findings.len(), entries);
        assert!(findings.iter().all(|finding| finding.status == Status::Ok));
    }
}

#[test]
fn a_stopped_run_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a"), b"contents").expect("a file");
    let mut options = Options::default();
    options.base = folder.path().to_path_buf();
    let counters = Arc::new(Counters::default());
    counters.stop();
    let manifest = folder.path().join("manifest");
    let stopped = tag(&["a".into()], &Key::new(&[7; 32]), &manifest, &options, &counters);
    assert!(stopped.is_err_and(|error| error.to_string() == "interrupted"));
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
}
