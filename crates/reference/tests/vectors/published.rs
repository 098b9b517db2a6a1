//! Results of published code, right and wrong ones: every list of the file of published defects.
use crate::file::{array, cut, function, hex, integer, parse};
use carryless_reference::{Message, Params, brw, brwhash, decbrwhash, poly1305, polyhash};
use serde_json::Value;

fn file() -> Value {
    parse(include_str!("../../../../vectors/published_code_defects_and_vectors.json"))
}

fn list(v: &Value) -> &Vec<Value> {
    v.as_array().expect("a list")
}

/// The key of a test. The file has all 128 bits of it; for p = 2^127 - 1 the two highest are cleared.
fn key(t: &Value, params: &Params) -> [u8; 16] {
    let mut key: [u8; 16] = array(&t["key"]);
    if params.k == 126 {
        key[15] &= 0x3f;
    }
    key
}

/// Digests published by the paper's authors, over both primes, for messages of whole bytes and others.
#[test]
fn published_digests() {
    let file = file();
    let mut seen = [0; 3];
    for t in ["vectors", "bit_length_vectors"].iter().flat_map(|name| list(&file[*name])) {
        let (name, params) = function(t["function"].as_str().expect("a name"));
        let bits = if t["bits"].is_null() { 8 * integer(&t["len"]) } else { integer(&t["bits"]) };
        let data = cut((0..bits.div_ceil(8)).map(|i| (i * 131 + 17) as u8).collect(), bits);
        let msg = Message::of_bits(&data, bits).expect("a message");
        let key = key(t, params);
        match name {
            "polyHash" => {
                assert_eq!(polyhash(params, &key, msg), Ok(array(&t["digest"])), "{t}");
                seen[0] += 1;
            }
            "BRWHash" => {
                // The authors' code stops before the length and the last two products.
                let tau = params.key(&key).expect("a key");
                let value = brw(params, &tau, &msg.pad2(params.n).0);
                assert_eq!(params.digest(&value), array(&t["digest"]), "{t}");
                assert_eq!(brwhash(params, &key, msg), Ok(array(&t["digest_paper_construction2"])), "{t}");
                seen[1] += 1;
            }
            "4-decBRWHash" => {
                assert_eq!(decbrwhash(params, 4, &key, msg), Ok(array(&t["digest"])), "{t}");
                seen[2] += 1;
            }
            _ => panic!("{name} is not known"),
        }
    }
    assert_eq!(seen, [2 * (15 + 11), 2 * 15, 2 * (15 + 11)]);
}

/// Inputs of 4-decBRWHash on which the authors' code loses a carry.
#[test]
fn carries_that_published_code_loses() {
    let file = file();
    let cases = list(&file["known_defect_vectors"]);
    assert_eq!(cases.len(), 10);
    for t in cases {
        let (name, params) = function(t["function"].as_str().expect("a name"));
        assert_eq!(name, "4-decBRWHash");
        let len = integer(&t["len"]);
        let data = match t["message"].as_str() {
            Some("all bytes 0xff") => vec![0xff; len],
            _ => hex(&t["message"]),
        };
        let digest = decbrwhash(params, 4, &array(&t["key"]), data[..].into()).expect("a key");
        assert_eq!(digest, array(&t["correct_digest"]), "{t}");
        for wrong in t["kn_cs_wrong_digest"].as_object().expect("digests").values() {
            assert_ne!(digest, array(wrong), "{t}");
        }
    }
}

/// Inputs of Poly1305 on which published vector code is wrong.
#[test]
fn poly1305_that_published_code_gets_wrong() {
    let file = file();
    let lists = &file["edge_poly1305_vectors_other_libs"];
    let (all_ones, random) = (list(&lists["cases"]), list(&lists["random_256B_ipsecmb_failures"]));
    assert_eq!((all_ones.len(), random.len()), (48, 3));
    for t in all_ones {
        let mut key = [0; 32];
        key[0] = integer(&t["r"]) as u8;
        let msg = vec![0xff; integer(&t["len"])];
        assert_eq!(poly1305(&key, &msg), array(&t["tag"]), "{t}");
    }
    for t in random {
        assert_eq!(poly1305(&array(&t["key"]), &hex(&t["message"])), array(&t["tag"]), "{t}");
    }
}
