//! Interoperability in both directions with libsodium, through Python's `ctypes`, where both are installed.
use crate::common::{bytes, key_and_nonce, open, seal};
use carryless_hash::Cpu;
use carryless_reference::Aead as Reference;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Reads lines of `operation,name,key,nonce,ad,message`, the last four in hexadecimal, and answers each with
/// a line: the result in hexadecimal, or `refused` if a message does not open. Exits with 3 if there is no
/// libsodium.
const SCRIPT: &str = r#"
import ctypes, ctypes.util, sys
path = ctypes.util.find_library("sodium")
if path is None:
    sys.exit(3)
sodium = ctypes.CDLL(path)
assert sodium.sodium_init() >= 0
size = ctypes.c_ulonglong
for line in sys.stdin:
    operation, name, *fields = line.rstrip("\n").split(",")
    key, nonce, ad, msg = map(bytes.fromhex, fields)
    out, written = ctypes.create_string_buffer(len(msg) + 16), size()
    call = getattr(sodium, "crypto_aead_%s_ietf_%s" % (name, operation))
    if operation == "encrypt":
        result = call(out, ctypes.byref(written), msg, size(len(msg)), ad, size(len(ad)), None, nonce, key)
    else:
        result = call(out, ctypes.byref(written), None, msg, size(len(msg)), ad, size(len(ad)), nonce, key)
    print(out.raw[:written.value].hex() if result == 0 else "refused")
"#;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Sends the lines to libsodium and returns its answers, one for each. An error says what is not installed.
fn ask(lines: &[String]) -> Result<Vec<String>, &'static str> {
    let mut python = Command::new("python3");
    let python = python.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().map_err(|_| "python3 is not installed")?;
    let mut input = child.stdin.take().expect("a pipe");
    let text = lines.join("\n") + "\n";
    // Both pipes have limited buffers: without a thread that writes while this one reads, each side could
    // wait for the other.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    let _ = writer.join().expect("no panic"); // a script that ends early does not read it
    match output.status.code() {
        Some(0) => Ok(String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()),
        Some(3) => Err("libsodium is not installed; Debian: apt-get install libsodium23"),
        code => panic!("the script ends with {code:?}"),
    }
}

/// A message that this crate has sealed, and the fields of its lines.
struct Sample {
    aead: Reference,
    msg: Vec<u8>,
    sealed: Vec<u8>,
    /// Key, nonce and associated data in hexadecimal: the fields of a line between name and message.
    fields: String,
}

fn samples() -> Vec<Sample> {
    let aeads = [Reference::ChaCha20Poly1305, Reference::XChaCha20Poly1305];
    let lengths = (0..300).step_by(7).chain([1350, 4096, 16_384, 70_000]);
    let mut all = Vec::new();
    for (aead, len) in aeads.into_iter().flat_map(|aead| lengths.clone().map(move |len| (aead, len))) {
        let (key, nonce) = key_and_nonce(aead, len);
        let (ad, msg) = (bytes(1, len % 40), bytes(2, len));
        let (mut sealed, tag) = seal(aead, Cpu::detect(), &key, &nonce, &ad, &msg);
        sealed.extend(tag);
        let fields = [&key[..], &nonce, &ad].map(hex).join(",");
        all.push(Sample { aead, msg, sealed, fields });
    }
    all
}

#[test]
fn libsodium_both_ways() {
    let samples = samples();
    let line = |operation: &str, sample: &Sample, bytes: &[u8]| {
        let name = if sample.aead.nonce_len() == 12 { "chacha20poly1305" } else { "xchacha20poly1305" };
        format!("{operation},{name},{},{}", sample.fields, hex(bytes))
    };
    let mut lines = Vec::new();
    for sample in &samples {
        let mut changed = sample.sealed.clone();
        changed[sample.msg.len() / 2] ^= 1;
        lines.push(line("encrypt", sample, &sample.msg));
        lines.push(line("decrypt", sample, &sample.sealed));
        lines.push(line("decrypt", sample, &changed));
    }
    match ask(&lines) {
        Ok(answers) => {
            assert_eq!(answers.len(), lines.len());
            for (sample, answers) in samples.iter().zip(answers.chunks(3)) {
                let want = [&hex(&sample.sealed)[..], &hex(&sample.msg), "refused"];
                assert_eq!(answers, want, "{:?}, {} bytes", sample.aead, sample.msg.len());
            }
            reopen(&samples);
        }
        // `eprintln` is captured and discarded when a test passes; this line must always be seen.
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "NOT EXERCISED: AEADs with libsodium ({why})");
        }
    }
}

/// Opens the sealed messages with this crate. libsodium has sealed the same bytes, so this is the other
/// direction.
fn reopen(samples: &[Sample]) {
    for Sample { aead, msg, sealed, .. } in samples {
        let (key, nonce) = key_and_nonce(*aead, msg.len());
        let (ct, tag) = sealed.split_last_chunk::<16>().expect("a tag");
        let opened = open(*aead, Cpu::detect(), &key, &nonce, &bytes(1, msg.len() % 40), (ct, tag));
        assert_eq!(opened.as_ref(), Ok(msg));
    }
}
