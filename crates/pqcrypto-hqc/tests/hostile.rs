//! No key and no ciphertext makes a function panic.
//!
//! `CARRYLESS_HOSTILE` is the number of inputs in a run, of all sets together. `cargo xtask drop-in` takes a million.
use carryless_pqcrypto_hqc::{hqc128, hqc192, hqc256};
use pqcrypto_traits::kem::{Ciphertext, PublicKey, SecretKey, SharedSecret};

/// Inputs of all sets in a run of the workspace's tests.
const INPUTS: usize = 30_000;

/// Random numbers of a test: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as usize % bound
    }

    /// Changes the bytes in one of five ways, which include a single bit and everything.
    fn spoil(&mut self, bytes: &mut [u8]) {
        let place = self.below(bytes.len());
        match self.below(5) {
            0 => bytes[place] ^= 1 << self.below(8),
            1 => bytes.iter_mut().for_each(|byte| *byte = !*byte),
            2 => bytes[place..].fill(0),
            3 => bytes[..place].fill(0xff),
            _ => bytes.iter_mut().for_each(|byte| *byte = self.below(256) as u8),
        }
    }
}

fn inputs() -> usize {
    let number = std::env::var("CARRYLESS_HOSTILE").map(|text| text.parse().expect("a number"));
    number.unwrap_or(INPUTS)
}

macro_rules! hostile {
    ($($name:ident, $module:ident;)*) => {$(
        #[test]
        fn $name() {
            let (pk, sk) = $module::keypair();
            let (ss, ct) = $module::encapsulate(&pk);
            let mut random = Random(0x9e37_79b9_7f4a_7c15);
            for i in 0..inputs() / 3 {
                // Most inputs that a server gets from others are ciphertexts.
                match i % 8 {
                    0 => {
                        let mut public = pk.as_bytes().to_vec();
                        random.spoil(&mut public);
                        let public = $module::PublicKey::from_bytes(&public).expect("the length");
                        let (_, sent) = $module::encapsulate(&public);
                        let _ = $module::decapsulate(&sent, &sk);
                    }
                    1 => {
                        let mut secret = sk.as_bytes().to_vec();
                        random.spoil(&mut secret);
                        let secret = $module::SecretKey::from_bytes(&secret).expect("the length");
                        let _ = $module::decapsulate(&ct, &secret);
                    }
                    _ => {
                        let mut sent = ct.as_bytes().to_vec();
                        random.spoil(&mut sent);
                        let changed = sent != ct.as_bytes();
                        let sent = $module::Ciphertext::from_bytes(&sent).expect("the length");
                        let found = $module::decapsulate(&sent, &sk);
                        let same = found.as_bytes() == ss.as_bytes();
                        assert!(same != changed, "input {i}: a changed ciphertext gave the secret");
                    }
                }
            }
        }
    )*};
}

hostile! {
    no_input_of_hqc128_panics, hqc128;
    no_input_of_hqc192_panics, hqc192;
    no_input_of_hqc256_panics, hqc256;
}

/// <https://github.com/rustpq/pqcrypto/issues/102>: the original panics in both cases.
#[test]
fn wrong_keys_and_changed_ciphertexts_give_another_secret() {
    let (pk, sk) = hqc256::keypair();
    let (ss, ct) = hqc256::encapsulate(&pk);
    assert!(hqc256::decapsulate(&ct, &hqc256::keypair().1) != ss);

    let mut changed = ct.as_bytes().to_vec();
    changed[0] ^= 0xff;
    let changed = hqc256::Ciphertext::from_bytes(&changed).expect("the length");
    let rejection = hqc256::decapsulate(&changed, &sk);
    assert!(rejection != ss);
    // The secret of a rejection depends on sigma, bytes 40 to 71 of the key, and so is the key's own.
    assert!(hqc256::decapsulate(&changed, &sk) == rejection);
    let mut other = sk.as_bytes().to_vec();
    other[40] ^= 1;
    let other = hqc256::SecretKey::from_bytes(&other).expect("the length");
    assert!(hqc256::decapsulate(&changed, &other) != rejection);
    assert_ne!(rejection.as_bytes(), [0; 64]);
}
