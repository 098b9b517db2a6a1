//! The known answers of PQClean.
use carryless_hqc::kat::{Drbg, SEED_BYTES};
use carryless_hqc::{ClmulCpu, Scheme};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::string::String;
use std::vec::Vec;

/// SHA-256 of the first response: `nistkat-sha256` in META.yml of PQClean's hqc-128, hqc-192 and hqc-256.
const HASHES: [(&str, &str); 3] = [
    ("hqc-128", "74290ad7a789c01aa92cd7f72f1b5ba5fa30a58294cdf2df52b9c76c3aafba3b"),
    ("hqc-192", "771c5e421c4eea951850d5883e2329c40783a3c0f363d8dc8e1be7c4026d1ab7"),
    ("hqc-256", "e89c520e1ac615ecf6923f211569177c536a89bf94bebf85bb263528282092c4"),
];

/// Checks the text of NIST's response 0, with the public key, secret key, ciphertext and secret that `answer` makes.
pub(crate) fn check<K: Scheme>(answer: impl FnOnce(&mut Drbg) -> [Vec<u8>; 4]) {
    let cpu = ClmulCpu::detect();
    let mut seed = [0; SEED_BYTES];
    Drbg::new::<K>(cpu, core::array::from_fn(|i| i as u8)).fill(&mut seed);
    let values = answer(&mut Drbg::new::<K>(cpu, seed));

    let mut text = String::from("count = 0\n");
    let names = ["pk", "sk", "ct", "ss"].into_iter().zip(&values).map(|(name, value)| (name, &value[..]));
    for (name, value) in [("seed", &seed[..])].into_iter().chain(names) {
        writeln!(text, "{name} = {}", hex(value).to_uppercase()).expect("a string");
    }
    let (_, hash) = HASHES.iter().find(|(name, _)| *name == K::NAME).expect("a set of PQClean");
    assert_eq!(hex(&Sha256::digest(&text)), *hash, "{}", K::NAME);
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    bytes.iter().for_each(|byte| write!(text, "{byte:02x}").expect("a string"));
    text
}
