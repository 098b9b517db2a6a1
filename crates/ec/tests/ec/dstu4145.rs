//! DSTU 4145: signatures that a program on the definitions computed, with nonces of RFC 6979 and SHA-256, and what must be refused. The standard's example is a
//! test of the library's own, as its base point differs.
use carryless_ec::SecretKey;
use carryless_ec::curve::{self, BinaryCurve, Curve, Scalar};
use carryless_ec::dstu4145::{Signature, SignatureError, SigningKey, VerifyingKey};
use carryless_lanes::ClmulCpu;
use sha2::Sha256;
use signature::hazmat::{PrehashSigner, PrehashVerifier};

/// r and s, least significant bytes first, of the key whose bytes are 0x15 after a 0, for the hash of the bytes 0 to 63.
const SIGNATURES: &[(&str, &str, &str)] = &[
    ("dstu-m163", "5b2616f2c7950cb6cc5990030a92ccadeec18cac01", "5bf3bb24af6b4dc50383c2fbe91979b68a12aad603"),
    ("dstu-m167", "baa02048ac35de49d45148602e6fecd351e177951c", "1e513b6fed1c378cc1c5976d2909d51e26de82722e"),
    (
        "dstu-m173",
        "333b0437a09cd2ef91d4e219c7ac61d606190c49cd02",
        "152abb37b075c66411e144ab5f97c139ceb3b1689903",
    ),
    (
        "dstu-m179",
        "0eb0adb0e513cfefe3287449f7e102daa0bcef8499d301",
        "7d82362112c96fd5c49b1c883c7d42e1105cc5f08be300",
    ),
    (
        "dstu-m191",
        "b6facb177a95e9a1931b52985629d44740f0d8a9de9b2029",
        "30894db84f426acdfccdbae922c13fb62d8613e21b363905",
    ),
    (
        "dstu-m233",
        "7a8102143b4e24816ba4f888dc97015499d34b48ed76361258bb4c360900",
        "a1319575bc799ed21eb679ee1d830e8aef1ef33864a56743dbe0abefe200",
    ),
    (
        "dstu-m257",
        "8e33ca670b368499cb87e214585bab586a0138eef1406e677d02a69a79e1cb2c",
        "4ab9ed2dd0a1550453017cdfe748ee2140950e11c86c7ec3fc5aa186d6d19e2e",
    ),
    (
        "dstu-m307",
        "732498418a6333d8bca2b3139634e3f8682b2f53e5f063a1ec63bdd227850945b16e17c3cf6901",
        "77a5460a27014177ab10d5bd080942769dc3fbe0ee34874101776f011bd0346f4500c45082a203",
    ),
    (
        "dstu-m367",
        "c4572182476fdf702d7d6654d74cbdbf8b75d3799ec4e62cc68273b441496e6eabe8bff9d5cdc8a3b6c511cad007",
        "b69c8bbbe56dcd4e0392df5a493477ca265915db2f9987f1f238a33f824dedcc21f3bcf1d48b6a2d85d286047b12",
    ),
    (
        "dstu-m431",
        "f177c9dd8be0e592bed15c4cbff06e42c34d5b189bd752b655573881052147bed20d81bc102761672285486a240747dd420f6a75541f",
        "16bf4fa9aa6afd76ca35736c585ba3c5413fa2d48691fc557a87fc78a85e0c58e9b90f9ac3582dd43db7270019adef84b4caf3a96f1b",
    ),
];

fn hex(digits: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn hash() -> [u8; 64] {
    std::array::from_fn(|i| i as u8)
}

fn key<C: BinaryCurve>() -> SecretKey<C> {
    let mut bytes = vec![0x15; SecretKey::<C>::BYTES];
    bytes[0] = 0;
    SecretKey::from_bytes(&bytes).expect("a number below n")
}

fn is_valid<C: BinaryCurve>(key: &VerifyingKey<C>, hash: &[u8], signature: &Signature<C>) -> bool {
    let own = key.verify_prehash(hash, signature);
    let of_trait = PrehashVerifier::verify_prehash(key, hash, signature).is_ok();
    assert_eq!(own.is_ok(), of_trait);
    assert!(own == Ok(()) || own == Err(SignatureError::Mismatch));
    of_trait
}

fn signatures<C: BinaryCurve>() {
    let (_, r, s) = SIGNATURES.iter().find(|(name, ..)| *name == C::NAME).expect("a curve of the list");
    let expected = Signature::<C>::from_dstu_bytes(&hex(&[*r, *s].concat())).expect("in range");
    for cpu in ClmulCpu::available() {
        let signer = SigningKey::<C, Sha256>::on(Curve::on(cpu), key());
        assert_eq!(signer.sign_prehash(&hash()), expected, "{} {}", C::NAME, cpu.name());
        let of_trait = PrehashSigner::sign_prehash(&signer, &hash()).expect("a signature");
        assert_eq!(of_trait, expected);
        let verifier = signer.verifying_key();
        assert!(is_valid(&verifier, &hash(), &expected), "{} {}", C::NAME, cpu.name());
        for bit in [0, 7, 8, 160] {
            let mut other = hash();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_valid(&verifier, &other, &expected), "bit {bit} of the hash");
        }
        let (r, s, one) = (*expected.r(), *expected.s(), Scalar::one());
        for (r, s) in [(r + one, s), (r, s + one), (s, r), (-r, s), (r, -s)] {
            let changed = Signature::from_scalars(r, s).expect("not 0");
            assert!(!is_valid(&verifier, &hash(), &changed), "another signature");
        }
    }
    let signer = SigningKey::<C, Sha256>::new(key());
    // The public key is the inverse of ECDH's.
    let public = key::<C>().public_key();
    assert_eq!(*signer.verifying_key().public_key().as_point(), -*public.as_point());
    assert!(!is_valid(&VerifyingKey::new(public), &hash(), &expected));
}

macro_rules! parts {
    ($($part:literal: $($curve:ident),*;)*) => {
        #[test]
        fn signatures_are_those_of_the_definition() {
            $(
                #[cfg(carryless_fields = $part)]
                {
                    $(signatures::<curve::$curve>();)*
                }
            )*
            // This feature compiles their kernels in any case.
            #[cfg(all(feature = "dstu-curves", not(any($(carryless_fields = $part),*))))]
            {
                $($(signatures::<curve::$curve>();)*)*
            }
            #[cfg(not(any(feature = "dstu-curves", $(carryless_fields = $part),*)))]
            signatures::<curve::DstuM163>();
        }
    };
}

parts! {
    "192": DstuM163, DstuM167, DstuM173, DstuM179, DstuM191;
    "256": DstuM233;
    "320": DstuM257, DstuM307;
    "448": DstuM367, DstuM431;
}
