//! Inputs on which published implementations are wrong, one test for each defect, and digests they get right.
use crate::common::{check, expect_poly1305, expect_polyhash1305, pick};
use crate::vectors::{array, hex};
use serde_json::Value;

fn file() -> Value {
    serde_json::from_str(include_str!("../../../../vectors/published_code_defects_and_vectors.json"))
        .expect("JSON")
}

fn list(v: &Value) -> &Vec<Value> {
    v.as_array().expect("a list")
}

/// Poly1305 code of papers 000 and 003: no complete carry and no last subtraction of p. All-ones messages under
/// r = 1, 2, 3 leave the value in [p, 2^130) or just above.
#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn missing_final_subtraction() {
    let file = file();
    let cases = list(&file["edge_poly1305_vectors_other_libs"]["cases"]);
    assert_eq!(cases.len(), 48);
    for case in cases {
        let mut key = [0; 32];
        key[0] = case["r"].as_u64().expect("r") as u8;
        let msg = vec![0xff; case["len"].as_u64().expect("a length") as usize];
        expect_poly1305(&key, &msg, array(&case["tag"]));
    }
}

/// The same code on RFC 8439 A.3 #7 to #11: values at 2^130 - 5 and around it.
#[test]
fn rfc_8439_appendix_a3() {
    let ff = [0xff; 16];
    let word = |low: u8| u128::from(low).to_le_bytes();
    let first =
        |byte: u8| u128::from_le_bytes([0xff; 16]).wrapping_sub(u128::from(0xff - byte)).to_le_bytes();
    let mut r2 = [0; 32];
    r2[0] = 2;
    let mut r1 = [0; 32];
    r1[0] = 1;
    expect_poly1305(&r2, &ff, word(3)); // #7
    let mut s_all_ones = r2;
    s_all_ones[16..].fill(0xff);
    expect_poly1305(&s_all_ones, &word(2), word(3)); // #8
    let mut f0 = [0xff; 16];
    f0[0] = 0xf0;
    let mut eleven = [0; 16];
    eleven[0] = 0x11;
    expect_poly1305(&r1, &[ff, f0, eleven].concat(), word(5)); // #9
    let mut fb = [0xfe; 16];
    fb[0] = 0xfb;
    expect_poly1305(&r1, &[ff, fb, [1; 16]].concat(), word(0)); // #10
    expect_poly1305(&r2, &first(0xfd), first(0xfa)); // #11
}

/// IPsec-MB's poly_avx512: a carried limb joined to its neighbour by OR loses a carry, for about one random message
/// of 256 bytes in 2^22.7.
#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn limbs_joined_by_or_lose_a_carry() {
    let file = file();
    let cases = list(&file["edge_poly1305_vectors_other_libs"]["random_256B_ipsecmb_failures"]);
    assert_eq!(cases.len(), 3);
    for case in cases {
        assert_ne!(case["tag"], case["ipsecmb_avx512_wrong_tag"]);
        expect_poly1305(&array(&case["key"]), &hex(&case["message"]), array(&case["tag"]));
    }
}

/// decBRWHash of paper 001's authors packs limbs in the same way. Its hash is another, but its inputs drive the
/// limbs of any hash over this prime to their ends.
#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn inputs_that_break_the_packing_of_limbs() {
    let file = file();
    let cases = list(&file["known_defect_vectors"]);
    assert_eq!(cases.len(), 10);
    for case in cases {
        let msg = match case["message"].as_str() {
            Some("all bytes 0xff") => vec![0xff; case["len"].as_u64().expect("a length") as usize],
            _ => hex(&case["message"]),
        };
        let tau: [u8; 16] = array(&case["key"]);
        check(&[tau, [0xff; 16]].concat().try_into().expect("32 bytes"), &msg);
    }
}

/// polyHash1305 of the authors of paper 001: here their digests are right, and ours are the same.
#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn published_polyhash1305_digests() {
    let file = file();
    let mut seen = 0;
    for case in list(&file["vectors"]).iter().filter(|case| case["function"] == "polyHash1305") {
        let len = case["len"].as_u64().expect("a length") as usize;
        seen += 1;
        if len > pick(usize::MAX, 5_000, 300) {
            continue;
        }
        let msg: Vec<u8> = (0..len).map(|i| (i * 131 + 17) as u8).collect();
        expect_polyhash1305(&array(&case["key"]), &msg, array(&case["digest"]));
    }
    assert_eq!(seen, 15);
}

/// The authors' polyHash writes into the caller's message and needs zeros after it and 32-byte alignment. Ours
/// takes the message by shared reference; what lies after it makes no difference.
#[test]
fn bytes_after_the_message_do_not_matter() {
    for len in 0..pick(300, 150, 40) {
        let mut buffer = vec![0x5a; len + 64];
        buffer[len..].fill(0);
        let zeros_after = carryless_hash::polyhash1305::digest(&[0x77; 16], &buffer[..len]);
        buffer[len..].fill(0xff);
        assert_eq!(
            carryless_hash::polyhash1305::digest(&[0x77; 16], &buffer[..len]),
            zeros_after,
            "{len} bytes"
        );
        assert!(buffer[..len].iter().all(|&b| b == 0x5a));
    }
}
