//! The library writes the same manifests as the command, byte for byte, and either verifies the other's.
use carryless_cli::cluster::{Session, Worker};
use carryless_cli::tree::{
    Counters, Key, Metadata, Options, Status, Stopped, Symlinks, Version, tag, verify,
};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn command(folder: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carryless"));
    let output = command.current_dir(folder).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
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
    assert!(command(folder.path(), &["keygen", "key"]));
    let key = Key::from_file(&folder.path().join("key")).expect("a key");
    for (symlinks, word) in
        [(Symlinks::Record, "record"), (Symlinks::Follow, "follow"), (Symlinks::Skip, "skip")]
    {
        let mut options = Options::default();
        (options.base, options.symlinks, options.overwrite) = (tree.clone(), symlinks, true);
        options.version = Version::V1;
        let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
        let counters = Arc::new(Counters::default());
        let entries = tag(&[".".into()], &key, &ours, &options, &counters).expect("a manifest");
        assert_eq!(counters.of(), entries as u64);
        let arguments =
            ["tag", "--key-file", "key", "-o", "theirs", "-f", "-C", "tree", "--symlinks", word, "."];
        assert!(command(folder.path(), &[&arguments[..], &["--manifest-version", "1"]].concat()));
        assert_eq!(fs::read(&ours).expect("ours"), fs::read(&theirs).expect("theirs"));
        assert!(command(folder.path(), &["verify", "--key-file", "key", "-C", "tree", "ours"]));
        let findings = verify(&theirs, &key, &[], &options, &counters).expect("findings");
        assert_eq!(findings.len(), entries);
        assert!(findings.iter().all(|finding| finding.status == Status::Ok));

        // In version 2 the dates and so the MACs differ, and nothing else.
        (options.version, options.metadata) = (Version::V2, Metadata::Full);
        tag(&[".".into()], &key, &ours, &options, &counters).expect("a manifest");
        assert!(command(folder.path(), &[&arguments[..], &["--metadata", "full"]].concat()));
        let lines = |manifest: &Path| -> Vec<String> {
            let text = fs::read_to_string(manifest).expect("a manifest");
            let kept = |line: &&str| !["date ", "previous ", "mac "].iter().any(|key| line.starts_with(key));
            text.lines().filter(kept).map(Into::into).collect()
        };
        assert_eq!(lines(&ours), lines(&theirs));
        assert!(lines(&ours).contains(&"serial 2".into()), "both continue the chain of version 1");
        assert!(command(folder.path(), &["verify", "--key-file", "key", "-C", "tree", "ours"]));
        assert_eq!(verify(&theirs, &key, &[], &options, &counters).expect("findings").len(), entries);
    }
}

/// Anybody can write a file that looks like a temporary one.
#[test]
fn temporary_files_beside_the_manifest_are_recorded_by_none_and_reported_by_all() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).expect("a link");
    let name = ".carryless-aB3xY9";
    fs::write(folder.path().join(name), "").expect("a file");
    let (key, manifest) = (Key::new(&[7; 32]), folder.path().join("manifest"));
    let mut options = Options::default();
    (options.base, options.version) = (folder.path().to_path_buf(), Version::V1);
    let counters = Arc::new(Counters::default());
    assert_eq!(tag(&[".".into()], &key, &manifest, &options, &counters).expect("a manifest"), 1);
    let findings = verify(&manifest, &key, &[], &options, &counters).expect("findings");
    let found: Vec<_> = findings.iter().map(|finding| (&finding.name[..], finding.status)).collect();
    assert_eq!(found, [(name.as_bytes(), Status::New), (b"link", Status::Ok)]);
    let mut session = Session::to_verify(&manifest, &key, options).expect("a session");
    session.list_files(&counters).expect("a listing");
    session.plan(1).expect("a plan");
    assert_eq!(session.finish().expect("an end").findings, findings);
}

/// Without a listing nothing was compared, which must not pass for a tree without differences.
#[test]
fn a_cluster_that_lists_nothing_finds_no_result() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a"), "contents").expect("a file");
    let (key, manifest) = (Key::new(&[7; 32]), folder.path().join("manifest"));
    let mut options = Options::default();
    options.base = folder.path().to_path_buf();
    let unlisted = |mut session: Session| {
        session.plan(1).expect("a plan");
        session.finish().expect_err("nothing was listed").to_string()
    };
    let to_tag =
        || Session::to_tag(&["a".into()], &key, &manifest, options.clone(), true).expect("a session");
    assert_eq!(unlisted(to_tag()), "nothing was listed");
    tag(&["a".into()], &key, &manifest, &options, &Arc::default()).expect("a manifest");
    let to_verify = || Session::to_verify(&manifest, &key, options.clone()).expect("a session");
    assert_eq!(unlisted(to_verify()), "nothing was listed");
    let mut session = to_verify();
    session.list_files(&Arc::default()).expect("a listing");
    assert_eq!(session.list_files(&Arc::default()).expect_err("twice").to_string(), "listed already");
}

/// Neither a run nor a command replaces a manifest that the other has just written.
#[test]
fn a_cluster_replaces_only_the_manifest_that_it_found() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a"), "").expect("a file");
    let (key, manifest) = (Key::new(&[7; 32]), folder.path().join("manifest"));
    let mut options = Options::default();
    (options.base, options.overwrite) = (folder.path().to_path_buf(), true);
    let tagged = || tag(&["a".into()], &key, &manifest, &options, &Arc::default());
    let begun = || {
        let paths = ["a".into()];
        let mut session = Session::to_tag(&paths, &key, &manifest, options.clone(), true).expect("a session");
        session.list_files(&Arc::default()).expect("a listing");
        let task = (session.plan(1).expect("a plan") > 0).then(|| session.task(0).expect("a task"));
        let worker = Worker::new(&key, session.algorithm(), session.run_id(), &session.scope());
        let read =
            |task: Vec<u8>| worker.expect("a worker").read_files(folder.path(), &task).expect("a result");
        task.map(read).iter().for_each(|result| session.join(result).expect("its task"));
        session
    };
    // One that appears meanwhile stays.
    let session = begun();
    tagged().expect("a manifest");
    let theirs = fs::read(&manifest).expect("theirs");
    let refused = session.finish().expect_err("another manifest").to_string();
    assert!(refused.contains("exists already, not overwritten"), "{refused}");
    // One that is to be replaced is locked.
    let session = begun();
    let refused = tagged().expect_err("locked").to_string();
    assert!(refused.ends_with("another command is replacing it"), "{refused}");
    let other = folder.path().join("other");
    fs::write(&other, &theirs).expect("a copy");
    fs::rename(&other, &manifest).expect("mv");
    let refused = session.finish().expect_err("changed").to_string();
    assert!(refused.ends_with("changed meanwhile, not replaced"), "{refused}");
    assert_eq!(fs::read(&manifest).expect("theirs"), theirs);
    begun().finish().expect("a manifest");
    assert_ne!(fs::read(&manifest).expect("ours"), theirs);
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
    assert!(stopped.is_err_and(|error| error.is::<Stopped>()));
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
}

#[test]
fn unusable_arguments_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let mut options = Options::default();
    (options.base, options.overwrite) = (folder.path().to_path_buf(), true);
    assert!(command(folder.path(), &["keygen", "key"]));
    let (before, key) = (fs::read(at("key")).expect("a key"), Key::from_file(&at("key")).expect("a key"));
    let error = tag(&[".".into()], &key, &at("key"), &options, &Arc::default()).expect_err("an error");
    assert!(error.to_string().ends_with("not a carryless manifest, not overwritten"));
    assert_eq!(fs::read(at("key")).expect("a key"), before);
    let refused = |paths: &[&str], change: &dyn Fn(&mut Options)| {
        let mut options = options.clone();
        change(&mut options);
        let paths: Vec<_> = paths.iter().map(Into::into).collect();
        let error = tag(&paths, &key, &at("manifest"), &options, &Arc::default()).expect_err("an error");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1, "{error}");
        format!("{error:#}")
    };
    assert_eq!(refused(&[], &|_| ()), "no path was given");
    assert_eq!(refused(&["."], &|options| options.label = Some(String::new())), "an empty label was given");
    assert_eq!(refused(&["."], &|options| options.threads = Some(0)), "from 1 to 1024 threads, not 0");
    assert!(refused(&["."], &|options| options.include = vec!["[".into()]).contains("not a usable pattern"));
    // A device that never ends is refused, not read.
    let device = Path::new("/dev/zero");
    let error = verify(device, &key, &[], &options, &Arc::default()).expect_err("no manifest");
    assert!(error.to_string().ends_with("not an ordinary file"));
    assert!(Key::from_file(device).is_err_and(|error| error.to_string().ends_with("not an ordinary file")));
    assert!(!format!("{key:?}").contains("master"));
}
