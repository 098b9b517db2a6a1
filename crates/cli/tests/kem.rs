//! Tests of `carryless kem`.
#![cfg(feature = "kem")]

mod common;

use common::{Run, Sandbox};
use sha2::{Digest as _, Sha256};
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

const SET: [&str; 2] = ["--set", "hqc-1"];

fn kem(sandbox: &Sandbox, operation: &str, args: &[&str]) -> Run {
    of(sandbox, operation, &SET, args)
}

fn of(sandbox: &Sandbox, operation: &str, scheme: &[&str], args: &[&str]) -> Run {
    sandbox.run(&[&["kem", operation][..], scheme, args].concat())
}

fn mode(sandbox: &Sandbox, name: &str) -> u32 {
    fs::metadata(sandbox.path(name)).expect("stat").permissions().mode() & 0o777
}

/// Writes a file that only its owner may read.
fn write_secret(sandbox: &Sandbox, name: &str, contents: &[u8]) {
    sandbox.write(name, contents);
    fs::set_permissions(sandbox.path(name), Permissions::from_mode(0o600)).expect("chmod");
}

/// A sandbox with a key `dk`, its public key `ek`, a ciphertext `ct` and its secret `ss`, of a scheme.
fn sent(scheme: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    of(&sandbox, "keygen", scheme, &["dk"]).good();
    of(&sandbox, "public", scheme, &["--key-file", "dk", "-o", "ek"]).good();
    of(&sandbox, "encaps", scheme, &["-o", "ct", "--secret", "ss", "ek"]).good();
    sandbox
}

#[test]
fn both_sides_share_a_secret_in_every_scheme_and_form() {
    let schemes: [&[&str]; 9] = [
        &SET,
        &["--set", "HQC-3", "--profile", "NR"],
        &["--set", "hqc-5"],
        &["--set", "hqc-1", "--profile", "v5"],
        &["--set", "hqc-3", "--profile", "v5"],
        &["--set", "hqc-5", "--profile", "v5"],
        &["--set", "hqc-128"],
        &["--set", "hqc-192", "--profile", "2023"],
        &["--set", "hqc-256"],
    ];
    for scheme in schemes {
        for form in [&[][..], &["--raw"]] {
            let scheme = [scheme, form].concat();
            let sandbox = sent(&scheme);
            let args = ["--key-file", "dk", "-o", "-", "ct"];
            let secret = of(&sandbox, "decaps", &scheme, &args).good().out.clone();
            assert_eq!(secret, sandbox.read("ss"), "{scheme:?}");
            of(&sandbox, "keygen", &scheme, &["--seed", "seed"]).good();
            let public = of(&sandbox, "public", &scheme, &["--key-file", "seed"]).good().out.clone();
            sandbox.write("ek2", public);
            of(&sandbox, "encaps", &scheme, &["-o", "ct2", "--secret", "ss2", "ek2"]).good();
            of(&sandbox, "decaps", &scheme, &["--key-file", "seed", "-o", "ss3", "ct2"]).good();
            assert_eq!(sandbox.read("ss2"), sandbox.read("ss3"), "{scheme:?}");
            assert_ne!(sandbox.read("ss"), sandbox.read("ss2"), "{scheme:?}");
        }
    }
}

#[test]
fn files_say_what_they_are_and_secrets_are_for_their_owner_alone() {
    let sandbox = sent(&SET);
    for (name, kind, private) in [
        ("dk", "DECAPSULATION KEY", true),
        ("ek", "ENCAPSULATION KEY", false),
        ("ct", "CIPHERTEXT", false),
        ("ss", "SHARED SECRET", true),
    ] {
        let text = String::from_utf8(sandbox.read(name)).expect("text");
        assert!(text.starts_with(&format!("-----BEGIN HQC-1 NR {kind}-----\n")), "{text}");
        assert!(text.ends_with(&format!("\n-----END HQC-1 NR {kind}-----\n")), "{text}");
        assert_eq!(mode(&sandbox, name) & 0o077 == 0, private, "{name}");
        assert_eq!(mode(&sandbox, name) & 0o600, 0o600, "{name}");
    }
    kem(&sandbox, "keygen", &["--raw", "bytes"]).good();
    assert_eq!((sandbox.read("bytes").len(), mode(&sandbox, "bytes")), (2321, 0o600));
    kem(&sandbox, "keygen", &["--raw", "--seed", "seed"]).good();
    assert_eq!((sandbox.read("seed").len(), mode(&sandbox, "seed")), (32, 0o600));
}

#[test]
fn nothing_is_overwritten_or_half_done() {
    let sandbox = sent(&SET);
    let names = sandbox.list(".");
    let before: Vec<_> = ["dk", "ek", "ct", "ss"].map(|name| sandbox.read(name)).into();
    kem(&sandbox, "keygen", &["dk"]).trouble("dk: exists already");
    kem(&sandbox, "keygen", &["-"]).trouble("a key is not written to standard output: name a file");
    kem(&sandbox, "public", &["--key-file", "dk", "-o", "ek"]).trouble("ek: exists already");
    for [ct, ss, why] in [
        ["ct", "new", "ct: exists already"],
        ["new", "ss", "ss: exists already"],
        ["new", "none/new", "none/new: cannot create the file"],
        ["-", "-", "standard output cannot be both the ciphertext and the secret"],
    ] {
        kem(&sandbox, "encaps", &["-o", ct, "--secret", ss, "ek"]).trouble(why).prints("");
    }
    kem(&sandbox, "encaps", &["-o", "new", "--secret", "new", "ek"])
        .trouble("new: cannot be both the ciphertext and the secret");
    kem(&sandbox, "decaps", &["--key-file", "dk", "-o", "ss", "ct"]).trouble("ss: exists already");
    let after: Vec<_> = ["dk", "ek", "ct", "ss"].map(|name| sandbox.read(name)).into();
    assert!(before == after);
    assert_eq!(sandbox.list("."), names);
}

/// `/dev/full`, where every write fails with ENOSPC; `None` on systems without it.
fn full() -> Option<fs::File> {
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    if full.is_err() {
        // `eprintln` is captured and discarded when a test passes; this line must always be seen.
        let _ = writeln!(std::io::stderr(), "NOT EXERCISED: a full standard output, without /dev/full");
    }
    full.ok()
}

/// If the ciphertext cannot be written, the secret is of no use to anybody, and no file of it may remain.
#[test]
fn no_secret_stays_behind_without_its_ciphertext() {
    let Some(full) = full() else { return };
    let sandbox = sent(&SET);
    let mut command = sandbox.command();
    command
        .args(["kem", "encaps", "--set", "hqc-1", "-o", "-", "--secret", "new", "ek"])
        .stdout(Stdio::from(full));
    Run::from(command.output().expect("run")).trouble("cannot write to standard output");
    assert!(!sandbox.path("new").exists());
}

/// Standard output is flushed: bytes without a newline could stay in its buffer, where an error goes
/// unnoticed.
#[test]
fn a_raw_secret_that_cannot_be_printed_is_an_error() {
    let Some(full) = full() else { return };
    let raw = [&SET[..], &["--raw"]].concat();
    let sent = std::iter::repeat_with(|| sent(&raw));
    let sandbox = { sent }.find(|sandbox| !sandbox.read("ss").contains(&b'\n')).expect("most are");
    let mut command = sandbox.command();
    command.args(["kem", "decaps"]).args(raw).args(["--key-file", "dk", "-o", "-", "ct"]).stdout(full);
    Run::from(command.output().expect("run")).trouble("cannot write to standard output");
}

/// The decoded bytes of an armoured file.
fn bytes(sandbox: &Sandbox, name: &str) -> Vec<u8> {
    use base64ct::{Base64, Encoding as _};
    let text = String::from_utf8(sandbox.read(name)).expect("text");
    let digits: String = text.lines().filter(|line| !line.starts_with('-')).collect();
    Base64::decode_vec(&digits).expect("base64")
}

#[test]
fn files_of_other_schemes_and_kinds_are_refused() {
    let sandbox = sent(&SET);
    let decaps = |scheme: &[&str], key: &str, ct: &str| {
        of(&sandbox, "decaps", scheme, &["--key-file", key, "-o", "new", ct])
    };
    decaps(&["--set", "hqc-3"], "dk", "ct").trouble(
        "dk: not a usable key: it is a decapsulation key of HQC-1, profile nr, not a decapsulation key of HQC-3, profile nr",
    );
    decaps(&["--set", "hqc-1", "--profile", "v5"], "dk", "ct")
        .trouble("dk: not a usable key: it is a decapsulation key of HQC-1, profile nr, not");
    write_secret(&sandbox, "private", &sandbox.read("ct"));
    decaps(&SET, "private", "ct")
        .trouble("it is a ciphertext of HQC-1, profile nr, not a decapsulation key of");
    decaps(&SET, "dk", "ek")
        .trouble("ek: not usable: it is an encapsulation key of HQC-1, profile nr, not a ciphertext");
    let encaps = |public: &str| kem(&sandbox, "encaps", &["-o", "new", "--secret", "newer", public]);
    encaps("dk").trouble("dk: not usable: it is a decapsulation key of");
    encaps("none").trouble("none: not usable: No such file");
    encaps("/dev/zero").trouble("/dev/zero: not usable: longer than 32768 bytes");
    kem(&sandbox, "public", &["--key-file", "key"])
        .trouble("key: not a usable key: it does not begin with a line");
    kem(&sandbox, "public", &["--raw", "--key-file", "dk"])
        .trouble("not a valid decapsulation key of HQC-1, profile nr: 3229 bytes instead of 2321");
    fs::set_permissions(sandbox.path("dk"), Permissions::from_mode(0o644)).expect("chmod");
    decaps(&SET, "dk", "ct").trouble("dk: others may read or write this key");
    for name in ["new", "newer"] {
        assert!(!sandbox.path(name).exists(), "{name}");
    }
    of(&sandbox, "keygen", &["--set", "hqc-2"], &["new"]).trouble(
        "no parameter set is called \"hqc-2\"; there are hqc-1, hqc-3, hqc-5, hqc-128, hqc-192, hqc-256",
    );
    of(&sandbox, "keygen", &["--set", "hqc-1", "--profile", "2023"], &["new"])
        .trouble("HQC-1 has no profile \"2023\", only nr, v5");
}

#[test]
fn damaged_files_are_refused() {
    let sandbox = sent(&SET);
    let (dk, ek, ct) = (bytes(&sandbox, "dk"), bytes(&sandbox, "ek"), bytes(&sandbox, "ct"));
    let changed = |bytes: &[u8], at: usize, xor: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= xor;
        bytes
    };
    let last = dk.len() - 1;
    for (key, why) in [
        (dk[..last].to_vec(), "2320 bytes instead of 2321"),
        ([&dk[..], &[0]].concat(), "2322 bytes instead of 2321"),
        (changed(&dk, last, 1), "the key is not the one that its seed gives"),
        (changed(&dk, ek.len(), 1), "the key is not the one that its seed gives"),
        (changed(&dk, ek.len() - 1, 0x80), "the unused bits of the last byte are not zero"),
    ] {
        write_secret(&sandbox, "bad", &key);
        kem(&sandbox, "decaps", &["--raw", "--key-file", "bad", "-o", "new", "ct"]).trouble(&format!(
            "bad: not a usable key: not a valid decapsulation key of HQC-1, profile nr: {why}"
        ));
    }
    for (key, why) in [
        (ek[1..].to_vec(), "2240 bytes instead of 2241"),
        ([&ek[..], &ek].concat(), "4482 bytes instead of 2241"),
        (changed(&ek, ek.len() - 1, 0x20), "the unused bits of the last byte are not zero"),
    ] {
        sandbox.write("bad", key);
        kem(&sandbox, "encaps", &["--raw", "-o", "new", "--secret", "newer", "bad"])
            .trouble(&format!("bad: not usable: not a valid encapsulation key of HQC-1, profile nr: {why}"));
    }
    write_secret(&sandbox, "raw-dk", &dk);
    sandbox.write("bad", &ct[1..]);
    kem(&sandbox, "decaps", &["--raw", "--key-file", "raw-dk", "-o", "new", "bad"])
        .trouble("bad: not usable: not a valid ciphertext of HQC-1, profile nr: 4432 bytes instead of 4433");
    let text = String::from_utf8(sandbox.read("ct")).expect("text");
    for (text, why) in [
        (text[..text.len() / 2].to_owned(), "truncated: no line -----END HQC-1 NR CIPHERTEXT-----"),
        (format!("{text}more\n"), "there is text behind the line -----END HQC-1 NR CIPHERTEXT-----"),
        (String::new(), "it does not begin with a line -----BEGIN"),
    ] {
        sandbox.write("bad", text);
        kem(&sandbox, "decaps", &["--key-file", "dk", "-o", "new", "bad"])
            .trouble(&format!("bad: not usable: {why}"));
    }
    assert!(!sandbox.path("new").exists() && !sandbox.path("newer").exists());
}

/// A changed ciphertext is no error. It gives a secret that depends only on the key and on it (implicit
/// rejection).
#[test]
fn changed_ciphertexts_give_other_secrets() {
    let sandbox = sent(&["--set", "hqc-1", "--raw"]);
    let mut secrets = vec![sandbox.read("ss")];
    for at in [0, 2208, 2209, 4416, 4417, 4432] {
        let mut ct = sandbox.read("ct");
        ct[at] ^= 0x80;
        sandbox.write("bad", ct);
        let args = ["--raw", "--key-file", "dk", "-o", "-", "bad"];
        let secret = kem(&sandbox, "decaps", &args).good().out.clone();
        assert_eq!(kem(&sandbox, "decaps", &args).good().out, secret);
        assert!(!secrets.contains(&secret), "byte {at}");
        secrets.push(secret);
    }
}

#[test]
fn json_names_scheme_files_and_hashes() {
    let sandbox = Sandbox::new();
    let json = |operation: &str, args: &[&str]| -> serde_json::Value {
        let run = kem(&sandbox, operation, &[&["--json"], args].concat());
        serde_json::from_slice(&run.good().out).expect("JSON")
    };
    let made = json("keygen", &["dk"]);
    let public = json("public", &["--key-file", "dk", "-o", "ek"]);
    let hash: String =
        Sha256::digest(bytes(&sandbox, "ek")).iter().map(|byte| format!("{byte:02x}")).collect();
    for (object, path) in [(&made, "dk"), (&public, "ek")] {
        let expected = serde_json::json!({"set": "HQC-1", "profile": "nr", "path": path, "sha256": hash});
        assert_eq!(*object, expected);
    }
    let sent = json("encaps", &["-o", "ct", "--secret", "ss", "ek"]);
    assert_eq!(sent["secret"]["path"], "ss");
    let received = json("decaps", &["--key-file", "dk", "-o", "ss2", "ct"]);
    assert_eq!(received, serde_json::json!({"set": "HQC-1", "profile": "nr", "path": "ss2"}));
    assert_eq!(sandbox.read("ss"), sandbox.read("ss2"));
    let run = kem(&sandbox, "public", &["--json", "--key-file", "dk"]);
    run.trouble("with --json standard output is for JSON: name a file");
    let error: serde_json::Value = serde_json::from_slice(&run.out).expect("JSON");
    assert_eq!(error["error"], "with --json standard output is for JSON: name a file");
}

#[test]
fn keys_come_from_standard_input_too() {
    let sandbox = sent(&SET);
    let piped = |args: &[&str], file: &str| {
        let mut command = sandbox.command();
        command.args(["kem"]).args(args).stdin(fs::File::open(sandbox.path(file)).expect("open"));
        Run::from(command.output().expect("run"))
    };
    let run = piped(&["public", "--set", "hqc-1", "--key-file", "-"], "dk");
    assert_eq!(run.good().out, sandbox.read("ek"));
    piped(&["encaps", "--set", "hqc-1", "-o", "ct2", "--secret", "ss2", "-"], "ek").good();
    let run = piped(&["decaps", "--set", "hqc-1", "--key-file", "dk", "-o", "-", "-"], "ct2");
    assert_eq!(run.good().out, sandbox.read("ss2"));
    piped(&["decaps", "--set", "hqc-1", "--key-file", "-", "-o", "-", "-"], "ct2")
        .trouble("standard input cannot be both the key and the ciphertext");
}
