//! Runs over several workers give the same manifests and findings as runs in one process, in whatever order
//! the results arrive. Only results of the task at hand are accepted.
use anyhow::Result;
use carryless_aead::file_mac::Algorithm;
use carryless_cli::cluster::{Listed, PART_BYTES, Session, Worker};
use carryless_cli::tree::{self, Counters, Finding, Key, Metadata, Options, Status, Symlinks, Version};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

const KEY: [u8; 32] = [7; 32];

fn key() -> Key {
    Key::new(&KEY)
}

/// Files of many lengths. The last one is large enough to be cut into parts for several threads.
fn sandbox() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let tree = folder.path().join("t");
    fs::create_dir_all(tree.join("inner/deep")).expect("folders");
    for (i, length) in [0, 1, 4096, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES].into_iter().enumerate() {
        fs::write(tree.join(format!("inner/{i}")), vec![i as u8; length]).expect("a file");
    }
    for i in 0..100 {
        fs::write(tree.join(format!("inner/deep/{i}.x")), [i]).expect("a file");
    }
    let large: Vec<u8> = (0..19 * PART_BYTES as u64 / 2).map(|i| ((i * i) >> 16) as u8).collect();
    fs::write(tree.join("large"), large).expect("a file");
    std::os::unix::fs::symlink("inner", tree.join("link")).expect("a link");
    folder
}

fn options(base: &Path) -> Options {
    let mut options = Options::default();
    // Clusters write this version.
    (options.base, options.overwrite, options.version) = (base.into(), true, Version::V1);
    options
}

fn worker(session: &Session) -> Worker {
    Worker::new(&key(), session.algorithm(), session.run_id(), &session.scope()).expect("a scope")
}

/// The results of all tasks, in another order and with one of them twice: the client must depend on neither.
fn results(session: &mut Session, base: &Path, threads: usize) -> Vec<Vec<u8>> {
    let count = session.plan(threads).expect("a plan");
    let worker = worker(session);
    let read = |index| worker.read_files(base, &session.task(index).expect("a task")).expect("a result");
    let mut results: Vec<_> = (0..count).map(read).collect();
    results.rotate_left(count as usize / 2);
    results.reverse();
    results.extend(results.first().cloned());
    results
}

fn tag(base: &Path, manifest: &Path, options: Options, threads: usize) -> Result<usize> {
    let mut session = Session::to_tag(&[".".into()], &key(), manifest, options, true)?;
    session.list_files(&Arc::default())?;
    for result in results(&mut session, base, threads) {
        session.join(&result)?;
    }
    Ok(session.finish()?.entries)
}

fn verify(base: &Path, manifest: &Path) -> Result<Vec<Finding>> {
    let mut session = Session::to_verify(manifest, &key(), options(base))?;
    session.list_files(&Arc::default())?;
    for result in results(&mut session, base, 4) {
        session.join(&result)?;
    }
    Ok(session.finish()?.findings)
}

#[test]
fn manifests_and_findings_are_those_of_one_process() {
    let folder = sandbox();
    let base = folder.path().join("t");
    let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
    let counters = Arc::new(Counters::default());
    for (algorithm, symlinks, threads) in [
        (Algorithm::default(), Symlinks::Record, 1),
        (Algorithm::default(), Symlinks::Follow, 4),
        (Algorithm::PolyHash1305, Symlinks::Skip, 100),
    ] {
        let mut options = options(&base);
        (options.algorithm, options.symlinks) = (algorithm, symlinks);
        (options.exclude, options.label) = (vec!["7*".into()], Some("set".into()));
        let entries = tag(&base, &ours, options.clone(), threads).expect("a manifest");
        assert_eq!(tree::tag(&[".".into()], &key(), &theirs, &options, &counters).expect("one"), entries);
        assert_eq!(fs::read(&ours).expect("ours"), fs::read(&theirs).expect("theirs"));
    }
    tag(&base, &ours, options(&base), 4).expect("a manifest");
    fs::write(base.join("inner/1"), "other, of another length").expect("a file");
    fs::write(base.join("inner/2"), vec![9; 4096]).expect("a file");
    fs::remove_file(base.join("inner/3")).expect("rm");
    fs::remove_file(base.join("link")).expect("rm");
    fs::write(base.join("link"), "a file").expect("a file");
    fs::create_dir(base.join("inner/3")).expect("a folder");
    fs::write(base.join("new"), "").expect("a file");
    let found = verify(&base, &ours).expect("findings");
    assert_eq!(found, tree::verify(&ours, &key(), &[], &options(&base), &counters).expect("findings"));
    let of = |status| found.iter().filter(|finding| finding.status == status).count();
    assert_eq!([Status::Ok, Status::Changed, Status::Kind, Status::New].map(of), [104, 2, 2, 1]);
}

/// What version 2 adds does not concern a cluster, but for names that could not be read.
#[test]
fn manifests_of_version_2_are_verified() {
    let folder = sandbox();
    let (base, manifest) = (folder.path().join("t"), folder.path().join("manifest"));
    let mut options = options(&base);
    (options.version, options.metadata) = (Version::V2, Metadata::Full);
    tree::tag(&[".".into()], &key(), &manifest, &options, &Arc::default()).expect("a manifest");
    let found = verify(&base, &manifest).expect("findings");
    assert!(found.iter().all(|finding| finding.status == Status::Ok));
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let (text, _) = text.rsplit_once("mac ").expect("a last line");
    let line = text.lines().find(|line| line.ends_with(" inner/2")).expect("a record");
    let text = text.replace(line, "error inner/2");
    let mac = carryless_reference::decbrw_file_mac(&KEY, "mani", text.as_bytes());
    let digits: String = mac.iter().map(|byte: &u8| format!("{byte:02x}")).collect();
    fs::write(&manifest, format!("{text}mac {digits}\n")).expect("write");
    fs::write(base.join("inner/1"), "other, of another length").expect("a file");
    fs::rename(base.join("large"), base.join("moved")).expect("mv");
    let found = verify(&base, &manifest).expect("findings");
    let wrong: Vec<_> = found.iter().filter(|finding| finding.status != Status::Ok).collect();
    let words: Vec<_> = wrong.iter().map(|finding| (&finding.name[..], finding.status.word())).collect();
    let expected =
        [(&b"inner/1"[..], "changed"), (b"inner/2", "error"), (b"large", "missing"), (b"moved", "new")];
    assert_eq!(words, expected);
    assert_eq!(wrong[1].message.as_deref(), Some("could not be read or copied when the manifest was made"));
}

/// Objects that the caller reads in pieces give the same manifest as files, for several roots and filters.
#[test]
fn objects_are_as_files() {
    let folder = sandbox();
    let base = folder.path().join("t");
    fs::remove_file(base.join("link")).expect("rm");
    let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
    let counters = Arc::new(Counters::default());
    let list = || -> Vec<Listed> {
        let found =
            ["inner", "inner/deep", "."].map(|folder| fs::read_dir(base.join(folder)).expect("a folder"));
        let files = found.into_iter().flatten().flatten().filter(|entry| entry.path().is_file());
        files
            .map(|entry| {
                let name =
                    entry.path().strip_prefix(&base).expect("below").as_os_str().as_encoded_bytes().into();
                Listed { name, size: entry.metadata().expect("about").len(), identity: b"1"[..].into() }
            })
            .collect()
    };
    let filters: [(&[&str], &[&str]); 5] = [
        (&[], &[]),
        (&["*.x"], &["3*"]),
        (&["inner/*"], &["deep"]),
        (&[], &["/large", "inner/deep/"]),
        (&["/inner/deep/1*"], &[]),
    ];
    let all = [&["."][..], &["inner", "large"]].into_iter().flat_map(|roots| filters.map(|f| (roots, f)));
    // A root that is a file is tagged whatever the filters say. So with both roots the pattern `/large` could
    // match nothing, which is an error.
    for (roots, (include, exclude)) in all.filter(|(roots, f)| roots.len() == 1 || !f.1.contains(&"/large")) {
        let paths: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
        let mut options = options(&base);
        options.include = include.iter().map(|glob| String::from(*glob)).collect();
        options.exclude = exclude.iter().map(|glob| String::from(*glob)).collect();
        tree::tag(&paths, &key(), &theirs, &options, &counters).expect("a manifest");
        let mut session = Session::to_tag(&paths, &key(), &ours, options, false).expect("a session");
        // Listing an object twice, as roots that overlap do, changes nothing.
        session.list_objects([list(), list()].concat(), vec![]).expect("a list");
        let worker = Arc::new(worker(&session));
        for index in 0..session.plan(4).expect("a plan") {
            let mut reading = worker.begin(&session.task(index).expect("a task")).expect("a task");
            let part = reading.range();
            for Listed { name, .. } in reading.objects().to_vec() {
                let contents = fs::read(base.join(str::from_utf8(&name).expect("text"))).expect("a file");
                let (start, length) = part.map_or((0, contents.len()), |(a, b)| (a as usize, b as usize));
                for piece in contents[start..start + length].chunks(2 * PART_BYTES) {
                    reading.update(piece).expect("a piece");
                }
                reading.end(b"1").expect("an object");
            }
            session.join(&reading.seal().expect("complete")).expect("a result");
        }
        session.finish().expect("a manifest");
        let [ours, theirs] = [&ours, &theirs].map(|path| fs::read_to_string(path).expect("a manifest"));
        assert_eq!(ours, theirs, "{roots:?} {include:?} {exclude:?}");
    }
}

#[test]
fn other_results_are_refused() {
    let folder = sandbox();
    let base = folder.path().join("t");
    let new = || {
        let manifest = folder.path().join("m");
        let mut session =
            Session::to_tag(&[".".into()], &key(), &manifest, options(&base), true).expect("a session");
        session.list_files(&Arc::default()).expect("files");
        let results = results(&mut session, &base, 4);
        (session, results)
    };
    let (mut session, results) = new();
    let (_, others) = new();
    assert!(results.len() > 3);
    for (result, other) in results.iter().zip(&others) {
        let error = session.join(other).expect_err("another run").to_string();
        assert!(error.contains("not that of its task"), "{error}");
        let mut moved = result.clone();
        moved[0] = (moved[0] + 1) % 3;
        assert!(session.join(&moved).is_err(), "the result of another task");
        let last = result.len() - 1;
        for at in [8, 31, 32, last] {
            let mut edited = result.clone();
            edited[at] ^= 1;
            assert!(session.join(&edited).is_err(), "byte {at}");
        }
        assert!(session.join(&result[..last]).is_err());
    }
    assert!(session.join(b"").is_err() && session.join(&[0xff; 100]).is_err());
    assert_eq!(session.bytes(), 0);
    session.join(&results[0]).expect("a result");
    let missing = session.finish().expect_err("results are missing").to_string();
    assert!(missing.contains("results are missing"), "{missing}");
    assert!(!folder.path().join("m").exists());
}

#[test]
fn what_changes_meanwhile_is_an_error() {
    let folder = sandbox();
    let base = folder.path().join("t");
    let manifest = folder.path().join("m");
    tag(&base, &manifest, options(&base), 4).expect("a manifest");
    let change = |session: &mut Session| {
        session.list_files(&Arc::default()).expect("files");
        for name in ["large", "inner/2"] {
            let path = base.join(name);
            let mut contents = fs::read(&path).expect("a file");
            contents[0] ^= 1;
            fs::write(path, contents).expect("a file");
        }
        fs::remove_file(base.join("inner/4")).expect("rm");
        for result in results(session, &base, 4) {
            session.join(&result).expect("a result");
        }
    };
    let mut session = Session::to_verify(&manifest, &key(), options(&base)).expect("a manifest");
    change(&mut session);
    let findings = session.finish().expect("findings").findings;
    let errors: Vec<_> = findings.iter().filter(|found| found.status == Status::Error).collect();
    assert_eq!(errors.len(), 3);
    assert!(
        errors
            .iter()
            .all(|found| found.name != b"large"
                || found.message.as_deref() == Some("changed while it was read"))
    );
    fs::write(base.join("inner/4"), "again").expect("a file");
    let before = fs::read(&manifest).expect("a manifest");
    let mut session =
        Session::to_tag(&[".".into()], &key(), &manifest, options(&base), true).expect("a session");
    change(&mut session);
    let error = session.finish().expect_err("errors").to_string();
    assert!(error.starts_with("no manifest written: ") && error.ends_with("and 2 more"), "{error}");
    assert_eq!(fs::read(&manifest).expect("a manifest"), before);
}

/// Objects whose bytes are too few or too many, whose identity changed, or whose name no file can have.
#[test]
fn objects_that_cannot_be_had() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = folder.path().join("m");
    let object = |name: &[u8], size| Listed { name: name.into(), size, identity: b"1"[..].into() };
    let begin = |objects: Vec<Listed>| {
        let mut session = Session::to_tag(&[".".into()], &key(), &manifest, options(folder.path()), false)
            .expect("a session");
        session.list_objects(objects, vec![]).map(|()| session)
    };
    for name in [&b""[..], b"a/", b"/a", b"a//b", b"../a", b"a/./b", b"a\0"] {
        let error = begin(vec![object(name, 1)]).err().expect("no name").to_string();
        assert!(error.contains("no name that a file can have"), "{error}");
    }
    let large = 20 * PART_BYTES as u64;
    let mut session = begin(vec![object(b"a", 3), object(b"b", 3), object(b"c", 3), object(b"large", large)])
        .expect("a list");
    let worker = Arc::new(worker(&session));
    for index in 0..session.plan(1).expect("a plan") {
        let task = session.task(index).expect("a task");
        let mut reading = worker.begin(&task).expect("a task");
        if reading.range().is_some() {
            assert!(reading.update(&vec![0; 9 * PART_BYTES]).is_err(), "more than there is to read");
            reading.update(b"a part that is not whole").expect("the last there is");
            assert!(reading.update(b"more").is_err());
            reading.end(b"1").expect("an object");
        } else {
            for (bytes, identity) in [(&b"ab"[..], b"1"), (b"abcd", b"1"), (b"abc", b"2")] {
                reading.update(bytes).expect("bytes");
                reading.end(identity).expect("an object");
            }
            assert!(
                reading.update(b"a").is_err() && reading.end(b"1").is_err() && reading.fail("x").is_err()
            );
        }
        session.join(&reading.seal().expect("complete")).expect("a result");
        assert!(worker.begin(&task).expect("a task").seal().is_err());
        assert!(worker.begin(&task[..task.len() - 1]).is_err());
    }
    let error = session.finish().expect_err("errors").to_string();
    assert_eq!(error, "no manifest written: a: changed while it was read; and 3 more");
    assert_eq!(fs::read_dir(&folder).expect("ls").count(), 0);
}

/// A worker accepts the tasks of its run and no other bytes. It opens no file that refused bytes name.
#[test]
fn other_tasks_are_refused() {
    let folder = sandbox();
    let base = folder.path().join("t");
    let new = |key: &Key| {
        let manifest = folder.path().join("m");
        let mut session =
            Session::to_tag(&[".".into()], key, &manifest, options(&base), true).expect("a session");
        session.list_files(&Arc::default()).expect("files");
        let count = session.plan(4).expect("a plan");
        let tasks: Vec<_> = (0..count).map(|index| session.task(index).expect("a task")).collect();
        (session, tasks)
    };
    let (session, tasks) = new(&key());
    let (_, of_another_run) = new(&key());
    let (_, of_another_key) = new(&Key::new(&[8; 32]));
    let worker = Arc::new(worker(&session));
    let refused = |task: &[u8], expected: &str| {
        let error = worker.read_files(&base, task).expect_err("no task of this run").to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(worker.begin(task).err().expect("no task of this run").to_string(), error);
    };
    for task in of_another_run.iter().chain(&of_another_key) {
        refused(task, "a task that is not of this run");
    }
    for task in &tasks {
        assert_eq!(&task[..8], carryless_cli::cluster::FORMAT.as_bytes());
        for at in [8, 31, 32, task.len() - 17, task.len() - 1] {
            let mut edited = task.clone();
            edited[at] ^= 1;
            refused(&edited, "a task that is not of this run");
        }
        for length in [0, 7, 8, 31, 47, task.len() - 1] {
            let expected =
                if length < 8 { "the bytes are no task" } else { "a task that is not of this run" };
            refused(&task[..length], expected);
        }
        refused(&[b"cltask-1", &task[8..]].concat(), "cltask-1, and this worker reads cltask-2");
        // A sealed result with the head of a task: both are sealed with the same key, but bound to different
        // data.
        let result = worker.read_files(&base, task).expect("a result");
        refused(&[&task[..8], &result[8..]].concat(), "a task that is not of this run");
    }
}

/// An object that could not be examined is reported as an error, and not as missing besides.
#[test]
fn objects_of_which_nothing_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = folder.path().join("m");
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join(name), "contents").expect("a file");
    }
    tree::tag(
        &["a", "b", "c"].map(PathBuf::from),
        &key(),
        &manifest,
        &options(folder.path()),
        &Arc::default(),
    )
    .expect("a manifest");
    let mut session = Session::to_verify(&manifest, &key(), options(folder.path())).expect("a manifest");
    let there = Listed { name: b"c"[..].into(), size: 8, identity: b"1"[..].into() };
    session.list_objects(vec![there], vec![(b"a".into(), "no answer".into())]).expect("a list");
    let worker = Arc::new(worker(&session));
    assert_eq!(session.plan(1).expect("a plan"), 1);
    let mut reading = worker.begin(&session.task(0).expect("a task")).expect("a task");
    reading.update(b"contents").expect("bytes");
    reading.end(b"1").expect("an object");
    session.join(&reading.seal().expect("complete")).expect("a result");
    let findings = session.finish().expect("findings").findings;
    let found: Vec<_> =
        findings.iter().map(|found| (&found.name[..], found.status, found.message.as_deref())).collect();
    let expected = [
        (&b"a"[..], Status::Error, Some("no answer")),
        (b"b", Status::Missing, None),
        (b"c", Status::Ok, None),
    ];
    assert_eq!(found, expected);
}
