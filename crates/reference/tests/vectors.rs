//! The reference against every vector file, and a few laws that any polynomial hash obeys.
use carryless_reference::{
    BigUint, KeyOutOfRange, Message, P1271, P1305, Params, WrongBitLength, combine, last_block, poly1305,
    poly1305_residue, polyhash, polyhash_residue, polyhash1305_residue, roots_of_power_of_two,
};
use serde_json::Value;

fn tests(json: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(json).expect("a vector file");
    let groups = file["testGroups"].as_array().expect("groups");
    let tests: Vec<Value> =
        groups.iter().flat_map(|g| g["tests"].as_array().expect("tests").clone()).collect();
    assert_eq!(Some(tests.len() as u64), file["numberOfTests"].as_u64());
    tests
}

fn hex(v: &Value) -> Vec<u8> {
    let digits = v.as_str().expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("a byte")).collect()
}

fn array<const N: usize>(v: &Value) -> [u8; N] {
    hex(v).try_into().expect("the right number of bytes")
}

fn number(v: &Value) -> BigUint {
    BigUint::from_bytes_le(&hex(v))
}

fn splitmix64(seed: u64, bytes: usize) -> Vec<u8> {
    let words = (1..=bytes.div_ceil(8) as u64).map(|i| {
        let s = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (s ^ (s >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    });
    words.flat_map(u64::to_le_bytes).take(bytes).collect()
}

/// The message of a test: its bytes, or the rule that makes them.
fn message(test: &Value) -> Vec<u8> {
    let rule = &test["msgGen"];
    if rule.is_null() {
        return hex(&test["msg"]);
    }
    let bits = rule["bits"].as_u64().expect("a length") as usize;
    let mut msg: Vec<u8> = match rule["kind"].as_str().expect("a kind") {
        "splitmix64" => {
            let seed = rule["seed"].as_str().and_then(|s| s.strip_prefix("0x")).expect("a seed");
            splitmix64(u64::from_str_radix(seed, 16).expect("64 bits"), bits.div_ceil(8))
        }
        "repeat" => hex(&rule["pattern"]).into_iter().cycle().take(bits.div_ceil(8)).collect(),
        other => panic!("unknown rule {other}"),
    };
    if !bits.is_multiple_of(8) {
        *msg.last_mut().expect("a byte") &= (1 << (bits % 8)) - 1;
    }
    msg
}

#[test]
fn poly1305_vectors() {
    for t in tests(include_str!("../../../vectors/poly1305.json")) {
        let (key, msg) = (array(&t["key"]), message(&t));
        assert_eq!(poly1305(&key, &msg) == array(&t["tag"]), t["result"] == "valid", "test {}", t["tcId"]);
        if t["result"] == "valid" {
            assert_eq!(poly1305_residue(&key, &msg), array(&t["residue"]), "test {}", t["tcId"]);
        }
    }
}

#[test]
fn polyhash1305_vectors() {
    for t in tests(include_str!("../../../vectors/polyhash1305.json")) {
        let (key, data) = (array(&t["key"]), message(&t));
        let msg = Message::of_bits(&data, t["msgBits"].as_u64().expect("bits") as usize).expect("a message");
        assert_eq!(polyhash(&P1305, &key, msg), Ok(array(&t["tag"])), "test {}", t["tcId"]);
        assert_eq!(polyhash_residue(&P1305, &key, msg), Ok(number(&t["residue"])), "test {}", t["tcId"]);
    }
}

#[test]
fn combine_vectors() {
    for t in tests(include_str!("../../../vectors/combine.json")) {
        let params: &Params = if t["prime"] == "1305" { &P1305 } else { &P1271 };
        let (key, a, b) = (array(&t["key"]), hex(&t["msgA"]), hex(&t["msgB"]));
        let residue = |msg: &[u8]| polyhash_residue(params, &key, msg.into());
        assert_eq!(residue(&a), Ok(number(&t["residueA"])), "test {}", t["tcId"]);
        assert_eq!(residue(&b), Ok(number(&t["residueB"])), "test {}", t["tcId"]);
        let blocks = t["blocksB"].as_u64().expect("blocks");
        let joined = combine(params, &key, &number(&t["residueA"]), &number(&t["residueB"]), blocks);
        assert_eq!(joined, Ok(number(&t["residueAB"])), "test {}", t["tcId"]);
        let whole = [a, b].concat();
        assert_eq!(residue(&whole), joined, "test {}", t["tcId"]);
        assert_eq!(polyhash(params, &key, whole[..].into()), Ok(array(&t["tag"])), "test {}", t["tcId"]);
    }
}

/// Digests that the paper's authors publish, both primes, whole bytes and others.
#[test]
fn published_vectors() {
    let file: Value =
        serde_json::from_str(include_str!("../../../vectors/published_code_defects_and_vectors.json"))
            .expect("JSON");
    let mut seen = 0;
    let lists = ["vectors", "bit_length_vectors"].map(|list| file[list].as_array().expect("a list"));
    for t in lists.into_iter().flatten() {
        let params = match t["function"].as_str() {
            Some("polyHash1305") => &P1305,
            Some("polyHash1271") => &P1271,
            _ => continue, // BRW hashes
        };
        let bits = t["bits"].as_u64().unwrap_or_else(|| 8 * t["len"].as_u64().expect("a length")) as usize;
        let mut data: Vec<u8> = (0..bits.div_ceil(8)).map(|i| (i * 131 + 17) as u8).collect();
        if !bits.is_multiple_of(8) {
            *data.last_mut().expect("a byte") &= (1 << (bits % 8)) - 1;
        }
        let msg = Message::of_bits(&data, bits).expect("a message");
        let mut key: [u8; 16] = array(&t["key"]);
        if params.k == 126 {
            key[15] &= 0x3f;
        }
        assert_eq!(polyhash(params, &key, msg), Ok(array(&t["digest"])), "{t}");
        seen += 1;
    }
    assert_eq!(seen, 2 * (15 + 11));
}

#[test]
fn what_is_refused() {
    assert_eq!(polyhash(&P1271, &[0xff; 16], b""[..].into()), Err(KeyOutOfRange));
    let bad: [(&[u8], usize); 5] = [(b"", 1), (b"\x02", 1), (b"\x01", 9), (b"\x01\x01", 8), (b"\x01\x02", 9)];
    for (data, bits) in bad {
        assert_eq!(Message::of_bits(data, bits).err(), Some(WrongBitLength), "{data:?} {bits}");
    }
    assert!(Message::of_bits(b"\x01\x01", 9).is_ok());
}

#[test]
fn a_wanted_residue_is_reached() {
    for (params, key) in [(&P1305, *b"random-like key "), (&P1271, *b"random-like key ")] {
        for residue in (0..7u32).map(BigUint::from).chain((1..7u32).map(|d| params.p() - d)) {
            let reached = (0..4096u16).any(|trial| {
                let mut prefix = vec![0x33; params.n as usize / 8];
                prefix[..2].copy_from_slice(&trial.to_le_bytes());
                last_block(params, &key, &prefix, &residue).expect("a key").is_some_and(|block| {
                    let msg = [prefix, block].concat();
                    assert_eq!(polyhash_residue(params, &key, msg[..].into()), Ok(residue.clone()));
                    true
                })
            });
            assert!(reached, "{}: {residue}", params.name);
        }
    }
    assert_eq!(polyhash1305_residue(&[1; 16], b""), [0; 17]);
}

#[test]
fn roots_are_roots() {
    for params in [&P1305, &P1271] {
        let p = params.p();
        let mut found = 0;
        for value in (1..7u32).map(|d| &p - d) {
            for key in roots_of_power_of_two(params, &value, 3) {
                let tau = params.key(&key).expect("a key");
                let mut powers = [2u32, 4, 8].iter().map(|e| tau.modpow(&BigUint::from(*e), &p));
                assert!(powers.any(|power| power == value));
                found += 1;
            }
        }
        assert!(found > 3, "{}: {found}", params.name);
    }
}
