//! Tests of `carryless curve`: keys, key agreement and signatures, also with the command `openssl`.
#![cfg(feature = "algebra")]
mod common;

use common::Sandbox;

#[cfg(not(feature = "curves"))]
#[test]
fn the_missing_feature_is_named() {
    let sandbox = Sandbox::new();
    let missing = "built without c2tnb191v1; in a checkout, this builds all curves: \
                   cargo install --locked --path crates/cli --features curves";
    sandbox.run(&["curve", "c2tnb191v1", "keygen", "secret.pem"]).trouble(missing);
    assert_eq!(sandbox.list("."), ["key", "t"]);
}

#[cfg(any(feature = "curves", feature = "curve-163"))]
mod operations {
    use super::*;
    use common::Run;
    use std::fs::{self, Permissions};
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    const CURVE: &str = "k-163";

    /// A sandbox with a key, its public key, a message and its signature.
    fn signed() -> Sandbox {
        let sandbox = Sandbox::new();
        sandbox.write("message", "attack at dawn");
        curve(&sandbox, &["keygen", "secret.pem"]).good();
        curve(&sandbox, &["public", "--key-file", "secret.pem", "-o", "public.pem"]).good();
        curve(&sandbox, &["sign", "--key-file", "secret.pem", "-o", "signature", "message"]).good();
        sandbox
    }

    fn curve(sandbox: &Sandbox, args: &[&str]) -> Run {
        sandbox.run(&[&["curve", CURVE][..], args].concat())
    }

    fn mode(sandbox: &Sandbox, name: &str) -> u32 {
        fs::metadata(sandbox.path(name)).expect("stat").permissions().mode() & 0o777
    }

    #[test]
    fn keys_are_private_files_that_are_not_overwritten() {
        let sandbox = signed();
        assert_eq!(mode(&sandbox, "secret.pem"), 0o600);
        let before = sandbox.read("secret.pem");
        curve(&sandbox, &["keygen", "secret.pem"]).trouble("secret.pem: exists already");
        assert_eq!(sandbox.read("secret.pem"), before);
        curve(&sandbox, &["keygen", "-"]).trouble("name a file");
        curve(&sandbox, &["keygen", "--sec1", "sec1.pem"]).good();
        assert!(sandbox.read("sec1.pem").starts_with(b"-----BEGIN EC PRIVATE KEY-----\n"));
        let public = curve(&sandbox, &["public", "--key-file", "sec1.pem", "--compressed"]);
        assert!(public.good().text().starts_with("-----BEGIN PUBLIC KEY-----\n"));
        #[cfg(feature = "curves")]
        sandbox.run(&["curve", "curve2251", "keygen", "none.pem"]).trouble("has no object identifier");
        fs::set_permissions(sandbox.path("secret.pem"), Permissions::from_mode(0o644)).expect("chmod");
        curve(&sandbox, &["public", "--key-file", "secret.pem"]).trouble("others may read");
        assert_eq!(
            sandbox.list("."),
            ["key", "message", "public.pem", "sec1.pem", "secret.pem", "signature", "t"]
        );
    }

    #[test]
    fn signatures_verify_and_others_do_not() {
        let sandbox = signed();
        let verify = |args: &[&str]| curve(&sandbox, &[&["verify"][..], args].concat());
        verify(&["public.pem", "signature", "message"]).good();
        verify(&["--hash", "sha512", "public.pem", "signature", "message"]).mismatch().says("does not match");
        sandbox.write("other", "attack at noon");
        verify(&["public.pem", "signature", "other"]).mismatch();
        let signature = sandbox.read("signature");
        sandbox.write("cut", &signature[..signature.len() - 1]);
        verify(&["public.pem", "cut", "message"])
            .trouble("cut: not a usable signature: the signature is not in DER");
        sandbox.write("zero", b"\x30\x06\x02\x01\x00\x02\x01\x01");
        verify(&["public.pem", "zero", "message"]).trouble("r of the signature is 0");
        verify(&["public.pem", "signature", "none"]).trouble("none: cannot read the message");
        verify(&["secret.pem", "signature", "message"]).trouble("does not hold a public key");
        sandbox
            .run(&["curve", "B-163", "verify", "public.pem", "signature", "message"])
            .trouble("public.pem: not a usable key: the key is on sect163k1, not on sect163r2");
    }

    #[test]
    fn both_sides_share_a_secret() {
        let sandbox = signed();
        curve(&sandbox, &["keygen", "other.pem"]).good();
        curve(&sandbox, &["public", "--key-file", "other.pem", "-o", "other-public.pem"]).good();
        curve(&sandbox, &["ecdh", "--key-file", "secret.pem", "-o", "one", "other-public.pem"]).good();
        let other = curve(&sandbox, &["ecdh", "--key-file", "other.pem", "-o", "-", "public.pem"]);
        assert_eq!(other.good().out, sandbox.read("one"));
        assert_eq!((other.out.len(), mode(&sandbox, "one")), (21, 0o600));
        curve(&sandbox, &["ecdh", "--key-file", "public.pem", "-o", "two", "public.pem"])
            .trouble("public.pem");
        let args = ["ecdh", "--key-file", "other.pem", "-o", "two", "message"];
        curve(&sandbox, &args).trouble("message: not a usable key: the key is not in PEM");
        assert!(!sandbox.path("two").exists());
    }

    #[test]
    fn openssl_reads_the_files() {
        let sandbox = signed();
        let openssl = |arguments: &str| {
            let mut command = Command::new("openssl");
            command.args(arguments.split(' ')).current_dir(sandbox.path(".")).output()
        };
        if openssl("ecparam -name sect163k1 -noout").is_ok_and(|output| output.status.success()) {
            for arguments in [
                "dgst -sha256 -verify public.pem -signature signature message",
                "pkey -in secret.pem -check -noout",
            ] {
                let output = openssl(arguments).expect("it runs");
                assert!(output.status.success(), "{arguments}: {output:?}");
            }
        } else {
            // `eprintln` is captured and discarded when a test passes; this line must always be seen.
            let _ =
                writeln!(std::io::stderr(), "NOT EXERCISED: OpenSSL is not installed, or lacks the curve");
        }
    }
}
