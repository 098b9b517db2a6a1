//! Labels bind a manifest to one collection of files.
mod common;

use std::fs;

use common::{KEY, Sandbox};

fn with_label(label: &str) -> Sandbox {
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-f", "-o", "m", "--label", label, "t"]).good();
    sandbox
}

#[test]
fn a_manifest_needs_its_own_label() {
    let sandbox = with_label("web server");
    sandbox.verify(&["-q", "--label", "web server", "m"]).good();
    sandbox.verify(&["m"]).trouble("m: made with the label 'web server': give it with --label").prints("");
    for other in ["web serve", "web server ", "Web server"] {
        let run = sandbox.verify(&["--label", other, "m"]);
        run.trouble(&format!("m: made with the label 'web server', not with '{other}'")).prints("");
    }
    sandbox.tag(&["-f", "-o", "m", "t"]).good();
    sandbox.verify(&["-q", "m"]).good();
    sandbox.verify(&["--label", "web server", "m"]).trouble("m: made without a label").prints("");
}

/// The purpose of labels: a tree and its manifest cannot be exchanged for another such pair under the same
/// key.
#[test]
fn another_pair_of_tree_and_manifest_is_refused() {
    let sandbox = with_label("production");
    sandbox.write("other/t/a", "malicious");
    let other = ["-C", "other", "-o", "other/m", "--label", "test", "t"];
    sandbox.tag(&other).good();
    fs::rename(sandbox.path("t"), sandbox.path("was")).expect("mv");
    fs::rename(sandbox.path("other/t"), sandbox.path("t")).expect("mv");
    fs::rename(sandbox.path("other/m"), sandbox.path("m")).expect("mv");
    sandbox.verify(&["-q", "--label", "test", "m"]).good();
    sandbox.verify(&["-q", "--label", "production", "m"]).trouble("made with the label 'test'");
}

#[test]
fn a_label_cannot_be_edited() {
    let sandbox = with_label("production");
    let whole = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    assert!(whole.contains("\nkey-id d27bd12377ec6434\nlabel production\nsymlinks record\n"), "{whole}");
    for (edited, label) in [
        (whole.replace("label production", "label test"), Some("test")),
        (whole.replace("label production\n", ""), None),
        (whole.replace("label production", "label production\nlabel production"), Some("production")),
    ] {
        sandbox.write("m", edited);
        let label = label.map_or(vec![], |label| vec!["--label", label]);
        sandbox.verify(&[&label[..], &["m"]].concat()).trouble("its MAC is wrong").prints("");
    }
}

#[test]
fn odd_labels_survive_and_empty_ones_are_refused() {
    for label in ["a b", " ", "-x", "line\nend", "back\\slash", "kůň", "\u{202e}"] {
        let sandbox = with_label_after_equals(label);
        sandbox.verify(&["-q", &format!("--label={label}"), "m"]).good();
        sandbox.verify(&["-q", "--label=other", "m"]).trouble("made with the label");
    }
    let sandbox = Sandbox::tagged();
    assert_eq!(sandbox.tag(&["-o", "m2", "--label", "", "t"]).status, 2);
    assert_eq!(sandbox.verify(&["--label", "", "m"]).status, 2);
}

fn with_label_after_equals(label: &str) -> Sandbox {
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-f", "-o", "m", &format!("--label={label}"), "t"]).good();
    sandbox
}

/// The line of the label has one place and occurs once, even if the MAC is right.
#[test]
fn a_label_stands_behind_the_key_id() {
    let sandbox = with_label("x");
    let digits = KEY.split(':').nth(1).expect("the key's digits");
    let byte = |i: usize| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("digits");
    let key = std::array::from_fn(byte);
    let whole = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    let (text, _) = whole.rsplit_once("mac ").expect("a last line");
    for text in [
        text.replace("label x\n", "label x\nlabel x\n"),
        text.replace("label x\n", "").replace("root t", "label x\nroot t"),
    ] {
        let mac = carryless_reference::decbrw_file_mac(&key, "mani", text.as_bytes());
        let digits: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
        sandbox.write("m", format!("{text}mac {digits}\n"));
        sandbox.verify(&["--label", "x", "m"]).trouble("unknown header line \"label\"");
    }
}

/// Labels are printed unquoted, so that they can be given as arguments again.
#[test]
fn labels_are_printed_as_they_are() {
    let sandbox = Sandbox::tagged();
    let label = r#"C:\photos "x""#;
    sandbox.tag(&["-f", "-o", "m", "--label", label, "t"]).good();
    sandbox.verify(&["m"]).trouble(r#"m: made with the label 'C:\photos "x"': give it with --label"#);
    sandbox.verify(&["-q", "--label", label, "m"]).good();
}

/// What messages quote is escaped once.
#[test]
fn messages_escape_labels_and_versions_once() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "");
    sandbox.tag(&["-o", "m", "--label", "a\\b\u{7}", "t"]).good();
    sandbox.verify(&["m"]).trouble("made with the label 'a\\b\\x07': give it with --label");
    sandbox.verify(&["--label", "c\\d\n", "m"]).trouble("not with 'c\\d\\x0a'");
    sandbox.write("m", "carryless-manifest-v\u{7}9\n");
    sandbox.verify(&["m"]).trouble("m: manifest version \"v\\x079\", this program");
}
