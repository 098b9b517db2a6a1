//! Test vectors: Wycheproof's files, those of RFC 8439 and draft-irtf-cfrg-xchacha, and this project's own
//! file.
use crate::common::{open, quick, seal};
use carryless_hash::Cpu;
use carryless_reference::Aead as Reference;
use serde_json::Value;

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("a byte")).collect()
}

/// Runs the tests of a file on every backend. `count` is the number of tests in it, so that no file loses any
/// unseen.
fn check(aead: Reference, json: &str, count: usize) {
    let file: Value = serde_json::from_str(json).expect("a vector file");
    let groups = file["testGroups"].as_array().expect("groups");
    let tests: Vec<&Value> = groups.iter().flat_map(|g| g["tests"].as_array().expect("tests")).collect();
    assert_eq!(tests.len(), count);
    let mut accepted = 0;
    for t in tests.into_iter().step_by(if quick() { 7 } else { 1 }) {
        let [key, nonce, ad, msg, ct, tag] =
            ["key", "iv", "aad", "msg", "ct", "tag"].map(|field| hex(t[field].as_str().expect("text")));
        let valid = t["result"] == "valid";
        if nonce.len() != aead.nonce_len() {
            assert!(!valid, "test {}", t["tcId"]); // of another type here
            continue;
        }
        let (key, tag) = (key.try_into().expect("32 bytes"), tag.try_into().expect("16 bytes"));
        for cpu in Cpu::available() {
            let opened = open(aead, cpu, &key, &nonce, &ad, (&ct, &tag)).ok();
            assert_eq!(opened.as_ref(), valid.then_some(&msg), "test {}, {}", t["tcId"], cpu.name());
            if valid {
                let sealed = seal(aead, cpu, &key, &nonce, &ad, &msg);
                assert_eq!(sealed, (ct.clone(), tag), "test {}, {}", t["tcId"], cpu.name());
            }
        }
        accepted += usize::from(valid);
    }
    assert!(accepted > 10, "{accepted} valid tests");
}

#[test]
fn wycheproof_chacha20_poly1305() {
    let json = include_str!("../../../../vectors/wycheproof/chacha20_poly1305_test.json");
    check(Reference::ChaCha20Poly1305, json, 325);
}

#[test]
fn wycheproof_xchacha20_poly1305() {
    let json = include_str!("../../../../vectors/wycheproof/xchacha20_poly1305_test.json");
    check(Reference::XChaCha20Poly1305, json, 315);
}

#[test]
fn xchacha20_decbrw1305() {
    let json = include_str!("../../../../vectors/xchacha20_decbrw1305.json");
    check(Reference::XChaCha20DecBrw1305, json, 196);
}

const SUNSCREEN: &[u8] = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";

/// RFC 8439, section 2.8.2, and draft-irtf-cfrg-xchacha-03, appendix A.3.1. Both have the same message, key
/// and associated data.
#[test]
fn of_the_rfc_and_the_draft() {
    let key: [u8; 32] = std::array::from_fn(|i| 0x80 + i as u8);
    let ad = hex("50515253c0c1c2c3c4c5c6c7");
    for (aead, nonce, ct, tag) in [
        (
            Reference::ChaCha20Poly1305,
            "070000004041424344454647",
            "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b\
             1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc\
             3ff4def08e4b7a9de576d26586cec64b6116",
            "1ae10b594f09e26a7e902ecbd0600691",
        ),
        (
            Reference::XChaCha20Poly1305,
            "404142434445464748494a4b4c4d4e4f5051525354555657",
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39\
             ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9\
             21f9664c97637da9768812f615c68b13b52e",
            "c0875924c1c7987947deafd8780acf49",
        ),
    ] {
        let (nonce, ct, tag) = (hex(nonce), hex(ct), hex(tag).try_into().expect("16 bytes"));
        for cpu in Cpu::available() {
            assert_eq!(seal(aead, cpu, &key, &nonce, &ad, SUNSCREEN), (ct.clone(), tag));
            assert_eq!(open(aead, cpu, &key, &nonce, &ad, (&ct, &tag)).as_deref(), Ok(SUNSCREEN));
        }
    }
}
