//! The sizes that the original's module of this name has, in bytes. Its C functions are missing.
#![allow(missing_docs, reason = "the names say what they are")]
use carryless_hqc::{Hqc128, Hqc192, Hqc256, Sizes};

pub const PQCLEAN_HQC128_CLEAN_CRYPTO_SECRETKEYBYTES: usize = Sizes::of::<Hqc128>().decapsulation_key;
pub const PQCLEAN_HQC128_CLEAN_CRYPTO_PUBLICKEYBYTES: usize = Sizes::of::<Hqc128>().encapsulation_key;
pub const PQCLEAN_HQC128_CLEAN_CRYPTO_CIPHERTEXTBYTES: usize = Sizes::of::<Hqc128>().ciphertext;
pub const PQCLEAN_HQC128_CLEAN_CRYPTO_BYTES: usize = Sizes::of::<Hqc128>().shared_secret;

pub const PQCLEAN_HQC192_CLEAN_CRYPTO_SECRETKEYBYTES: usize = Sizes::of::<Hqc192>().decapsulation_key;
pub const PQCLEAN_HQC192_CLEAN_CRYPTO_PUBLICKEYBYTES: usize = Sizes::of::<Hqc192>().encapsulation_key;
pub const PQCLEAN_HQC192_CLEAN_CRYPTO_CIPHERTEXTBYTES: usize = Sizes::of::<Hqc192>().ciphertext;
pub const PQCLEAN_HQC192_CLEAN_CRYPTO_BYTES: usize = Sizes::of::<Hqc192>().shared_secret;

pub const PQCLEAN_HQC256_CLEAN_CRYPTO_SECRETKEYBYTES: usize = Sizes::of::<Hqc256>().decapsulation_key;
pub const PQCLEAN_HQC256_CLEAN_CRYPTO_PUBLICKEYBYTES: usize = Sizes::of::<Hqc256>().encapsulation_key;
pub const PQCLEAN_HQC256_CLEAN_CRYPTO_CIPHERTEXTBYTES: usize = Sizes::of::<Hqc256>().ciphertext;
pub const PQCLEAN_HQC256_CLEAN_CRYPTO_BYTES: usize = Sizes::of::<Hqc256>().shared_secret;
