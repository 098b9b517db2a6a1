//! What version 2 of manifests adds: metadata of files, date, serial number and the chain.
mod common;

use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use common::{Run, Sandbox};

/// Runs `tag` at a fixed date, in seconds since 1970.
fn tag_at(sandbox: &Sandbox, date: &str, args: &[&str]) -> Run {
    let mut command = sandbox.command();
    command.env("SOURCE_DATE_EPOCH", date).args(["tag", "--key-file", "key"]).args(args);
    Run::from(command.output().expect("run"))
}

/// The value of a header line of a manifest.
fn value(sandbox: &Sandbox, manifest: &str, key: &str) -> Option<String> {
    let text = String::from_utf8(sandbox.read(manifest)).expect("UTF-8");
    text.lines().find_map(|line| line.strip_prefix(&format!("{key} ")).map(Into::into))
}

#[test]
fn metadata_are_those_of_the_system() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "hello\n");
    fs::set_permissions(sandbox.path("t/a"), Permissions::from_mode(0o4751)).expect("chmod");
    // Before 1970 the seconds are rounded down: these are 1.25 seconds before it.
    let modified = UNIX_EPOCH - Duration::from_millis(1250);
    let file = File::options().write(true).open(sandbox.path("t/a")).expect("open");
    file.set_times(FileTimes::new().set_modified(modified)).expect("set the times");
    drop(file);
    let about = fs::metadata(sandbox.path("t/a")).expect("stat");
    let tag = "e65d3d6d65a1ba5a7d6d9ea0d7ac5b1f";
    let times = format!(" -2.750000000 {}.{:09} {}", about.ctime(), about.ctime_nsec(), about.ino());
    let owner = format!(" 4751 {} {}", about.uid(), about.gid());
    for (level, fields) in
        [("none", String::new()), ("times", times.clone()), ("full", times.clone() + &owner)]
    {
        let text = sandbox.tag(&["--metadata", level, "-o", "-", "t"]).good().text();
        let line = text.lines().find(|line| line.starts_with("file ")).expect("a file");
        assert_eq!(line[5 + tag.len()..], format!(" 6{fields} t/a"));
        assert!(text.contains(&format!("\nroot t\nmetadata {level}\ndate ")), "{text}");
        sandbox.write("m", text);
        sandbox.verify(&["-q", "m"]).good().prints("");
    }
    assert_eq!(sandbox.tag(&["-o", "-", "t"]).text().matches("metadata times").count(), 1, "the default");
    let refused = sandbox.tag(&["--manifest-version", "1", "--metadata", "times", "-o", "-", "t"]);
    refused.trouble("manifests of version 1 have no metadata").prints("");
}

#[test]
fn a_manifest_continues_the_one_that_it_replaces() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "");
    let mut previous = None;
    for serial in 1..4 {
        tag_at(&sandbox, &(serial * 86_400).to_string(), &["-f", "-o", "m", "t"]).good();
        assert_eq!(value(&sandbox, "m", "serial"), Some(serial.to_string()));
        assert_eq!(value(&sandbox, "m", "date"), Some(format!("1970-01-0{}T00:00:00Z", serial + 1)));
        assert_eq!(value(&sandbox, "m", "previous"), previous);
        previous = value(&sandbox, "m", "mac");
        let run = sandbox.verify(&["m"]);
        run.good().says(&format!("serial {serial} of 1970-01-0{}T00:00:00Z", serial + 1));
    }
    // With the same date the manifest is the same.
    let again = tag_at(&sandbox, "5", &["-o", "-", "t"]).good().text();
    assert_eq!(tag_at(&sandbox, "5", &["-o", "-", "t"]).good().text(), again);
    let json = sandbox.verify(&["--json", "m"]).good().text();
    assert!(json.contains(r#""date":"1970-01-04T00:00:00Z","serial":3"#), "{json}");
}

#[test]
fn a_manifest_of_version_1_counts_as_serial_1() {
    let sandbox = Sandbox::tagged();
    let ended = sandbox.tag(&["-f", "--manifest-version", "1", "-o", "m", "t"]);
    ended.good().says("m: not continued: serial 1 was the last, as version 1 has no serial number");
    let mac = value(&sandbox, "m", "mac");
    let again = sandbox.tag(&["-q", "-f", "--manifest-version", "1", "-o", "m", "t"]);
    assert_eq!(again.good().err, "");
    sandbox.verify(&["-q", "--not-older-than", "1", "m"]).trouble("no date or serial number: version 1");
    sandbox.tag(&["-f", "-o", "m", "t"]).good();
    assert_eq!((value(&sandbox, "m", "serial"), value(&sandbox, "m", "previous")), (Some("2".into()), mac));
}

#[test]
fn what_is_not_authentic_is_not_continued() {
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-f", "-o", "m", "t"]).good();
    let good = sandbox.read("m");
    let other = |bytes: &[u8], options: &[&str], why: &str| {
        sandbox.write("m", bytes);
        let run = sandbox.tag(&[options, &["-q", "-f", "-o", "m", "t"]].concat());
        run.good().says("m: not continued, the new manifest has serial 1: ").says(why);
        assert_eq!(
            (value(&sandbox, "m", "serial"), value(&sandbox, "m", "previous")),
            (Some("1".into()), None)
        );
    };
    other(&[&good[..300], b"!", &good[301..]].concat(), &[], "its MAC is wrong");
    other(&good[..good.len() - 1], &[], "incomplete");
    other(b"carryless-manifest-v9\n", &[], "manifest version \"v9\"");
    other(&good, &["--label", "x"], "made without a label");
    sandbox.run(&["keygen", "other"]).good();
    sandbox.write("m", &good);
    let run = sandbox.run(&["tag", "--key-file", "other", "--exclude", "key", "-f", "-o", "m", "t"]);
    run.good().says("made with another key");
    // A run that fails says nothing of it, and leaves the manifest.
    sandbox.write("m", &good[..100]);
    sandbox.tag(&["-f", "-o", "m", "none"]).trouble("none: no such file");
    assert_eq!(sandbox.read("m"), &good[..100]);
}

#[test]
fn an_older_manifest_can_be_refused() {
    let sandbox = Sandbox::tagged();
    tag_at(&sandbox, "86400", &["-f", "-o", "m", "t"]).good();
    assert_eq!(value(&sandbox, "m", "serial"), Some("2".into()));
    for bound in ["0", "1", "2", "1970-01-02", "1970-01-02T00:00:00Z", "1970-01-01"] {
        sandbox.verify(&["-q", "--not-older-than", bound, "m"]).good().prints("");
    }
    let serial = "m: too old: its serial number is 2, not 3 or more";
    sandbox.verify(&["--not-older-than", "3", "m"]).trouble(serial).prints("");
    for bound in ["1970-01-02T00:00:01Z", "1970-01-03"] {
        let run = sandbox.verify(&["--not-older-than", bound, "m"]);
        run.trouble("m: too old: its date is 1970-01-02T00:00:00Z, before 1970-01-0").prints("");
    }
    for bound in ["", "-1", "02", "yesterday", "1970-1-2", "1970-02-30"] {
        let run = sandbox.verify(&[&format!("--not-older-than={bound}"), "m"]);
        assert_eq!(run.status, 2);
        run.prints("");
    }
}

/// Without SOURCE_DATE_EPOCH, which a sandbox sets.
#[test]
fn the_date_is_that_of_the_clock() {
    let sandbox = Sandbox::tagged();
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs().to_string();
    tag_at(&sandbox, &clock(), &["-o", "before", "t"]).good();
    let mut command = sandbox.command();
    command.env_remove("SOURCE_DATE_EPOCH").args(["tag", "--key-file", "key", "-o", "now", "t"]);
    Run::from(command.output().expect("run")).good();
    tag_at(&sandbox, &clock(), &["-o", "after", "t"]).good();
    // Dates of four-digit years are ordered like their text.
    let dates = ["before", "now", "after"].map(|manifest| value(&sandbox, manifest, "date").expect("a date"));
    assert!(dates.is_sorted(), "{dates:?}");
}

#[test]
fn dates_outside_of_four_digits_are_errors() {
    let sandbox = Sandbox::tagged();
    tag_at(&sandbox, "253402300799", &["-o", "m2", "t"]).good();
    assert_eq!(value(&sandbox, "m2", "date"), Some("9999-12-31T23:59:59Z".into()));
    let outside = "the date is outside of the years 1970 to 9999";
    let number = "SOURCE_DATE_EPOCH is no number of seconds";
    for (date, message) in [
        ("253402300800", outside),
        ("18446744073709551615", outside),
        ("-1", number),
        ("", number),
        ("1 ", number),
    ] {
        tag_at(&sandbox, date, &["-o", "m3", "t"]).trouble(message);
    }
    assert!(!sandbox.path("m3").exists());
}
