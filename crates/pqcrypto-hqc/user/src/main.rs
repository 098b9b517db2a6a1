//! A program as it was written for `pqcrypto-hqc`: nothing in it names the crate that takes its place.
#![forbid(unsafe_code)]

use pqcrypto_hqc::hqc256;
use pqcrypto_traits::kem::{Ciphertext, PublicKey, SharedSecret};

fn main() -> Result<(), pqcrypto_traits::Error> {
    let (pk, sk) = hqc256::keypair();
    let sent = pk.as_bytes().to_vec();

    let (theirs, ct) = hqc256::encapsulate(&hqc256::PublicKey::from_bytes(&sent)?);
    let received = hqc256::Ciphertext::from_bytes(ct.as_bytes())?;
    let ours = hqc256::decapsulate(&received, &sk);
    assert!(ours == theirs);
    println!("{} bytes of secret, {:?}", ours.as_bytes().len(), sk);
    Ok(())
}
