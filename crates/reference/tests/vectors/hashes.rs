//! The files of the project: every test of every file, by what the file says it holds.
use crate::file::{array, hex, integer, message, number, parse, tests};
use carryless_reference::{
    Aead, Message, P1271, P1305, Params, Streams, brw, brwhash, brwhash_residue, combine, decbrwhash,
    poly1305, poly1305_residue, polyhash, polyhash_residue, wegman_carter,
};
use serde_json::Value;

/// A test for each file, and how many tests the file has.
macro_rules! files {
    ($($test:ident $count:literal $path:literal),+ $(,)?) => {
        $(
            #[test]
            fn $test() {
                check(include_str!(concat!("../../../../vectors/", $path)), $count);
            }
        )+

        #[cfg(not(target_family = "wasm"))]
        const FILES: &[&str] = &[$($path),+];
    };
}

files!(
    poly1305_vectors 1768 "poly1305.json",
    polyhash1305_vectors 2725 "polyhash1305.json",
    polyhash1271_vectors 2820 "polyhash1271.json",
    brwhash1305_vectors 2724 "brwhash1305.json",
    brwhash1271_vectors 2818 "brwhash1271.json",
    decbrw2_1305_vectors 901 "decbrw2_1305.json",
    decbrw2_1271_vectors 899 "decbrw2_1271.json",
    decbrw3_1305_vectors 877 "decbrw3_1305.json",
    decbrw3_1271_vectors 911 "decbrw3_1271.json",
    decbrw4_1305_vectors 2503 "decbrw4_1305.json",
    decbrw4_1271_vectors 2533 "decbrw4_1271.json",
    decbrw8_1305_vectors 913 "decbrw8_1305.json",
    decbrw8_1271_vectors 910 "decbrw8_1271.json",
    decbrw16_1305_vectors 885 "decbrw16_1305.json",
    decbrw16_1271_vectors 940 "decbrw16_1271.json",
    combine_vectors 240 "combine.json",
    wegman_carter_vectors 402 "wegman_carter.json",
    xchacha20_decbrw1305_vectors 196 "xchacha20_decbrw1305.json",
);

/// Files of other tests: `published`, `curves`, `ecdsa` and `keys` here, F2\[X\] and its fields, which carryless-gf2 runs on all its kernels, and HQC, which carryless-hqc runs.
#[cfg(not(target_family = "wasm"))]
const ELSEWHERE: &[&str] = &[
    "curves.json",
    "ec.json",
    "ec_openssl.json",
    "ecdsa_rfc6979.json",
    "f2x.json",
    "gf2m.json",
    "hqc_2023.json",
    "hqc_components.json",
    "hqc_nr.json",
    "hqc_v5.json",
    "published_code_defects_and_vectors.json",
];

/// No vector file lies in the folder without being run here or where [`ELSEWHERE`] says.
#[cfg(not(target_family = "wasm"))]
#[test]
fn no_file_is_forgotten() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        if name.ends_with(".json") {
            found.push(name);
        }
    }
    let mut known = [FILES, ELSEWHERE].concat();
    found.sort();
    known.sort_unstable();
    assert_eq!(found, known);
}

/// Runs a file that should hold `count` tests.
fn check(json: &str, count: usize) {
    let file = parse(json);
    let algorithm = file["algorithm"].as_str().expect("an algorithm");
    let test: Box<dyn Fn(&Value)> = match file["schema"].as_str().expect("a schema") {
        "carryless_mac_v1" if algorithm == "POLY1305" => Box::new(check_poly1305),
        "carryless_nonce_mac_v1" => Box::new(check_wegman_carter),
        "carryless_aead_v1" => Box::new(|t| check_aead(Aead::XChaCha20DecBrw1305, t)),
        "carryless_combine_v1" => Box::new(check_combine),
        "carryless_hash_v1" => {
            let (name, params) = crate::file::function(algorithm);
            assert_eq!(file["params"]["p"], *format!("{:#x}", params.p()));
            match name.split_once('-') {
                None if name == "polyHash" => Box::new(|t| check_polyhash(params, t)),
                None if name == "BRWHash" => Box::new(|t| check_brwhash(params, t)),
                Some((c, "decBRWHash")) => {
                    let c = c.parse().expect("a number of streams");
                    assert_eq!(file["params"]["c"], c);
                    Box::new(move |t| check_decbrwhash(params, c, t))
                }
                _ => panic!("{algorithm} is not known"),
            }
        }
        schema => panic!("{schema} is not known"),
    };
    assert_eq!(integer(&file["numberOfTests"]), count);
    for t in tests(&file) {
        test(t);
    }
}

fn check_poly1305(t: &Value) {
    let (key, msg) = (array(&t["key"]), message(t));
    assert_eq!(poly1305(&key, &msg) == array(&t["tag"]), t["result"] == "valid", "test {}", t["tcId"]);
    if t["result"] == "valid" {
        assert_eq!(poly1305_residue(&key, &msg), array(&t["residue"]), "test {}", t["tcId"]);
    }
}

fn check_wegman_carter(t: &Value) {
    let tag = wegman_carter(&array(&t["key"]), &array(&t["nonce"]), &message(t));
    assert_eq!(tag == array(&t["tag"]), t["result"] == "valid", "test {}", t["tcId"]);
}

/// Wycheproof's tests of AEADs: sealing gives the ciphertext, and invalid ones are refused.
#[test]
fn wycheproof_aeads() {
    for (aead, json, count) in [
        (
            Aead::ChaCha20Poly1305,
            include_str!("../../../../vectors/wycheproof/chacha20_poly1305_test.json"),
            325,
        ),
        (
            Aead::XChaCha20Poly1305,
            include_str!("../../../../vectors/wycheproof/xchacha20_poly1305_test.json"),
            315,
        ),
    ] {
        let file = parse(json);
        assert_eq!(integer(&file["numberOfTests"]), count);
        tests(&file).for_each(|t| check_aead(aead, t));
    }
}

fn check_aead(aead: Aead, t: &Value) {
    let [nonce, ad, msg, ct] = ["iv", "aad", "msg", "ct"].map(|field| hex(&t[field]));
    let valid = t["result"] == "valid";
    if nonce.len() != aead.nonce_len() {
        return assert!(!valid, "test {}", t["tcId"]);
    }
    let (key, tag) = (array(&t["key"]), array(&t["tag"]));
    let opened = aead.open(&key, &nonce, &ad, &ct, &tag);
    assert_eq!(opened.as_deref(), valid.then_some(&msg[..]), "test {}", t["tcId"]);
    if valid {
        assert_eq!(aead.seal(&key, &nonce, &ad, &msg), (ct, tag), "test {}", t["tcId"]);
    }
}

/// The bytes of a test of schema `carryless_hash_v1` as a message of its length.
fn of_bits<'a>(t: &Value, data: &'a [u8]) -> Message<'a> {
    assert_eq!(t["result"], "valid", "test {}", t["tcId"]);
    Message::of_bits(data, integer(&t["msgBits"])).expect("a message")
}

fn check_polyhash(params: &Params, t: &Value) {
    let (key, data) = (array(&t["key"]), message(t));
    let msg = of_bits(t, &data);
    assert_eq!(polyhash(params, &key, msg), Ok(array(&t["tag"])), "test {}", t["tcId"]);
    assert_eq!(polyhash_residue(params, &key, msg), Ok(number(&t["residue"])), "test {}", t["tcId"]);
}

fn check_brwhash(params: &Params, t: &Value) {
    let (key, data) = (array(&t["key"]), message(t));
    let (msg, tau) = (of_bits(t, &data), params.key(&key).expect("a key"));
    let (blocks, _) = msg.pad2(params.n);
    assert_eq!(brw(params, &tau, &blocks), number(&t["brw"]), "test {}", t["tcId"]);
    assert_eq!(brwhash_residue(params, &key, msg), Ok(number(&t["residue"])), "test {}", t["tcId"]);
    assert_eq!(brwhash(params, &key, msg), Ok(array(&t["tag"])), "test {}", t["tcId"]);
}

fn check_decbrwhash(params: &Params, c: usize, t: &Value) {
    let (key, data) = (array(&t["key"]), message(t));
    let (msg, tau) = (of_bits(t, &data), params.key(&key).expect("a key"));
    let (blocks, bits) = msg.pad2(params.n);
    let streams = Streams::new(params, c, &tau, blocks);
    assert_eq!(streams.outer(params, &tau), number(&t["qc1"]), "test {}", t["tcId"]);
    assert_eq!(streams.residue(params, &tau, bits), number(&t["residue"]), "test {}", t["tcId"]);
    assert_eq!(decbrwhash(params, c, &key, msg), Ok(array(&t["tag"])), "test {}", t["tcId"]);
}

fn check_combine(t: &Value) {
    let params: &Params = if t["prime"] == "1305" { &P1305 } else { &P1271 };
    let (key, a, b) = (array(&t["key"]), hex(&t["msgA"]), hex(&t["msgB"]));
    let residue = |msg: &[u8]| polyhash_residue(params, &key, msg.into());
    assert_eq!(residue(&a), Ok(number(&t["residueA"])), "test {}", t["tcId"]);
    assert_eq!(residue(&b), Ok(number(&t["residueB"])), "test {}", t["tcId"]);
    let blocks = integer(&t["blocksB"]) as u64;
    let joined = combine(params, &key, &number(&t["residueA"]), &number(&t["residueB"]), blocks);
    assert_eq!(joined, Ok(number(&t["residueAB"])), "test {}", t["tcId"]);
    let whole = [a, b].concat();
    assert_eq!(residue(&whole), joined, "test {}", t["tcId"]);
    assert_eq!(polyhash(params, &key, whole[..].into()), Ok(array(&t["tag"])), "test {}", t["tcId"]);
}
