//! Interoperability in both directions with the command `openssl`, where it is installed.
use crate::parts::{CURVES, visit};
use crate::rng::rng;
use carryless_ec::curve::BinaryCurve;
use carryless_ec::ecdsa::{Signature, SigningKey, VerifyingKey};
use carryless_ec::{CurveVisitor, PointForm, PublicKey, SecretKey};
use sha2::Sha256;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs `openssl` in a folder and returns its standard output. `None` means that it is not installed or that
/// it failed.
fn openssl(folder: &Path, arguments: &str) -> Option<Vec<u8>> {
    let output =
        Command::new("openssl").args(arguments.split_whitespace()).current_dir(folder).output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// A temporary folder, which is removed with its files when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        // Curves and test processes may run at the same time, so the name has both.
        let path = std::env::temp_dir().join(format!("carryless-ec-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).expect("written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("read")
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    fn run(&self, arguments: &str) -> Vec<u8> {
        openssl(&self.0, arguments).unwrap_or_else(|| panic!("openssl {arguments}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct BothWays;

impl CurveVisitor for BothWays {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        let folder = Folder::new(C::NAME);
        folder.write("message", b"a message for both");
        let ours = SecretKey::<C>::generate(&mut rng(42));
        let theirs = read_theirs::<C>(&folder);
        read_ours(&folder, &ours);
        agree(&folder, &ours, &theirs);
        sign(&folder, &ours, &theirs);
    }
}

/// Lets OpenSSL make a key, reads it in each of its encodings, and returns it. Explicit parameters are
/// refused.
fn read_theirs<C: BinaryCurve>(folder: &Folder) -> SecretKey<C> {
    folder.run(&format!("ecparam -name {} -genkey -out theirs.pem", C::NAME));
    folder.run("pkcs8 -topk8 -nocrypt -in theirs.pem -out theirs8.pem");
    folder.run("ec -in theirs.pem -outform DER -out theirs.der");
    folder.run("pkey -in theirs.pem -pubout -out their-public.pem");
    folder.run("ec -in theirs.pem -pubout -conv_form compressed -out their-compressed.pem");
    folder.run("ec -in theirs.pem -param_enc explicit -out explicit.pem");
    let secret = SecretKey::<C>::from_pem(&folder.text("theirs.pem")).expect("SEC 1");
    assert_eq!(SecretKey::from_pem(&folder.text("theirs8.pem")).as_ref(), Ok(&secret));
    assert_eq!(SecretKey::from_sec1_der(&folder.read("theirs.der")).as_ref(), Ok(&secret));
    for name in ["their-public.pem", "their-compressed.pem"] {
        assert_eq!(PublicKey::from_public_key_pem(&folder.text(name)), Ok(secret.public_key()), "{name}");
    }
    let explicit = SecretKey::<C>::from_pem(&folder.text("explicit.pem"));
    assert_eq!(explicit.map(drop), Err(carryless_ec::KeyError::ExplicitParameters));
    secret
}

/// Tests that OpenSSL reads our key in each of its encodings as the same key.
fn read_ours<C: BinaryCurve>(folder: &Folder, ours: &SecretKey<C>) {
    folder.write("ours.pem", ours.to_pkcs8_pem().expect("PEM").as_bytes());
    folder.write("ours1.pem", ours.to_sec1_pem().expect("PEM").as_bytes());
    folder.write("ours.der", ours.to_pkcs8_der().expect("DER").as_bytes());
    let public = ours.public_key();
    for form in [PointForm::Uncompressed, PointForm::Compressed] {
        folder.write("our-public.pem", public.to_public_key_pem(form).expect("PEM").as_bytes());
        let normal = folder.run("ec -pubin -in our-public.pem -pubout -conv_form uncompressed -outform DER");
        assert_eq!(normal, public.to_public_key_der(PointForm::Uncompressed).expect("DER"));
    }
    for arguments in ["-in ours.pem", "-in ours1.pem", "-inform DER -in ours.der"] {
        let printed = folder.run(&format!("pkey {arguments} -check -pubout -outform DER"));
        let der = public.to_public_key_der(PointForm::Uncompressed).expect("DER");
        assert!(printed.ends_with(&der), "{arguments}");
    }
}

fn agree<C: BinaryCurve>(folder: &Folder, ours: &SecretKey<C>, theirs: &SecretKey<C>) {
    let secret = ours.diffie_hellman(&theirs.public_key()).expect("a secret");
    let derived = folder.run("pkeyutl -derive -inkey theirs.pem -peerkey our-public.pem");
    assert_eq!(derived, secret.as_bytes());
    let derived = folder.run("pkeyutl -derive -inkey ours.pem -peerkey their-public.pem");
    assert_eq!(derived, secret.as_bytes());
}

fn sign<C: BinaryCurve>(folder: &Folder, ours: &SecretKey<C>, theirs: &SecretKey<C>) {
    let message = folder.read("message");
    let der = folder.run("dgst -sha256 -sign theirs.pem message");
    let signature = Signature::<C>::from_der(&der).expect("a signature");
    let verifier = VerifyingKey::<C, Sha256>::new(theirs.public_key());
    assert_eq!(verifier.verify(&message, &signature), Ok(()));

    folder.write("signature", &SigningKey::<C, Sha256>::new(ours.clone()).sign(&message).to_der());
    folder.run("dgst -sha256 -verify our-public.pem -signature signature message");
    folder.write("message", b"another message");
    let other = openssl(&folder.0, "dgst -sha256 -verify our-public.pem -signature signature message");
    assert_eq!(other, None, "a signature of another message");
}

#[test]
fn openssl_both_ways() {
    let known = openssl(Path::new("."), "ecparam -list_curves");
    let known = known.and_then(|list| String::from_utf8(list).ok()).unwrap_or_default();
    for id in CURVES {
        if known.contains(&format!("{id} ")) || known.contains(&format!("{id}:")) {
            visit(id.name(), BothWays).expect("a curve of this run");
        } else {
            // `eprintln` is captured and discarded when a test passes; this line must always be seen.
            let _ = writeln!(
                std::io::stderr(),
                "NOT EXERCISED: {id} with OpenSSL, which is not installed or lacks it"
            );
        }
    }
}
