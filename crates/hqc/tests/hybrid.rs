//! Hybrids with X25519: the frame with a KEM of hashes, against values of another program, and HQC-1 in it.
use carryless_hqc::hybrid::{DecapsulationKey, EncapsulationKey, Error, PostQuantum};
use carryless_hqc::{Ciphertext, Hqc1};
use sha3::{Digest, Sha3_256};
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A KEM of hashes, without any security, that a few lines of another language repeat.
struct Toy;

struct ToyKey(Zeroizing<Vec<u8>>);

impl ZeroizeOnDrop for ToyKey {}

fn sha3(parts: &[&[u8]]) -> Vec<u8> {
    Sha3_256::digest(parts.concat()).to_vec()
}

impl PostQuantum for Toy {
    const LABEL: &'static [u8] = b"toy";
    const SEED: usize = 7;
    const ENCAPSULATION_KEY: usize = 32;
    const RANDOMNESS: usize = 5;
    const CIPHERTEXT: usize = 37;
    const SHARED_SECRET: usize = 32;
    type DecapsulationKey = ToyKey;
    type EncapsulationKey = Vec<u8>;

    fn derive(seed: &[u8]) -> ToyKey {
        assert_eq!(seed.len(), Self::SEED);
        ToyKey(Zeroizing::new(sha3(&[seed])))
    }

    fn public(key: &ToyKey) -> &Vec<u8> {
        &key.0
    }

    fn import(bytes: &[u8]) -> Option<Vec<u8>> {
        (bytes[0] != 0xff).then(|| bytes.to_vec())
    }

    fn bytes(key: &Vec<u8>) -> &[u8] {
        key
    }

    fn encapsulate(key: &Vec<u8>, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) {
        ciphertext[..5].copy_from_slice(random);
        ciphertext[5..].copy_from_slice(&sha3(&[key, random]));
        secret.copy_from_slice(&sha3(&[ciphertext, key]));
    }

    fn decapsulate(key: &ToyKey, ciphertext: &[u8], secret: &mut [u8]) {
        secret.copy_from_slice(&sha3(&[ciphertext, &key.0]));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The values are those of a Python program on `hashlib` and `cryptography`.
#[test]
fn the_frame_is_that_of_the_draft() {
    let dk = DecapsulationKey::<Toy>::from_seed(&core::array::from_fn(|i| i as u8));
    let random: Vec<u8> = (100..137).collect();
    let (ciphertext, secret) = dk.encapsulation_key().encapsulate_deterministic(&random).expect("37 bytes");
    assert_eq!(
        hex(&dk.encapsulation_key().to_bytes()),
        "2c1dc208b344e611cdd07dc80faf18e832b9667f059814318747a8f60e71e2fbfbec4dbd3c3890a77f96044cd8824c7c74ee6df1cacfe60e6d049024e1c57d19"
    );
    assert_eq!(
        hex(&ciphertext),
        "6465666768eab50c3eee04c039d463467bf285eec894faedec38471e866c328418d7c9e51494f1e3cd9e452da6a87434b495cb91f499fe60f62ff8f43aca4a0fc0288b1834"
    );
    assert_eq!(hex(&**secret), "b5cf770e28b27d2dc38fd4435a6f3d79b76971445b3d6b9f7ee4aec3eb58706f");
    assert_eq!(*dk.decapsulate(&ciphertext).expect("69 bytes"), *secret);
}

/// All of HQC-1 and X25519, put together again of their parts.
#[test]
fn hqc_1_is_the_first_half() {
    let seed = [5; 32];
    let mut expanded = [0; 64];
    let mut xof = Shake256::default();
    xof.update(&seed);
    xof.finalize_xof().read(&mut expanded);
    let (first, scalar) = expanded.split_at(32);
    let hqc = carryless_hqc::DecapsulationKey::<Hqc1>::from_seed(first.try_into().expect("32 bytes"));
    let x25519 = |scalar: &[u8], point| x25519_dalek::x25519(scalar.try_into().expect("32 bytes"), point);
    let public = x25519(scalar, x25519_dalek::X25519_BASEPOINT_BYTES);

    let dk = DecapsulationKey::<Hqc1>::from_seed(&seed);
    assert_eq!(*dk.as_seed(), seed);
    let bytes = [hqc.encapsulation_key().as_bytes().as_slice(), &public].concat();
    assert_eq!(dk.encapsulation_key().to_bytes(), bytes);
    let ek = EncapsulationKey::<Hqc1>::from_bytes(&bytes).expect("a key");
    let random: [u8; 64] = core::array::from_fn(|i| 3 * i as u8);
    let (ciphertext, secret) = ek.encapsulate_deterministic(&random).expect("64 bytes");
    let (sent, shared) = hqc.encapsulation_key().encapsulate_deterministic(
        random[..16].try_into().expect("16 bytes"),
        random[16..32].try_into().expect("16 bytes"),
    );
    let ephemeral = x25519(&random[32..], x25519_dalek::X25519_BASEPOINT_BYTES);
    assert_eq!(ciphertext, [sent.as_ref(), &ephemeral].concat());
    let label = b"carryless-draft-HQC-1-X25519";
    let of = |shared: &[u8], ephemeral: [u8; 32]| {
        sha3(&[shared, &x25519(scalar, ephemeral), &ephemeral, &public, label])
    };
    assert_eq!(secret.as_slice(), of(shared.as_ref(), ephemeral));
    assert_eq!(dk.decapsulate(&ciphertext).expect("the length"), secret);

    // Changes of either half give other secrets: the one of HQC's rejection, and of another point.
    let mut changed = ciphertext.clone();
    changed[0] ^= 1;
    let rejected = hqc.decapsulate(&Ciphertext::from_bytes(&changed[..4433]).expect("the length"));
    assert_ne!(rejected.as_ref(), shared.as_ref());
    let found = dk.decapsulate(&changed).expect("the length");
    assert_eq!(found.as_slice(), of(rejected.as_ref(), ephemeral));
    let mut changed = ciphertext;
    changed[4433] ^= 1;
    let point = changed[4433..].try_into().expect("32 bytes");
    assert_eq!(dk.decapsulate(&changed).expect("the length").as_slice(), of(shared.as_ref(), point));
}

#[test]
fn wrong_lengths_and_keys_are_errors() {
    let dk = DecapsulationKey::<Hqc1>::from_seed(&[1; 32]);
    let mut bytes = dk.encapsulation_key().to_bytes();
    let length = |what, expected, found| Some(Error::Length { what, expected, found });
    assert_eq!(EncapsulationKey::<Hqc1>::from_bytes(&bytes[1..]).err(), length("key", 2273, 2272));
    assert_eq!(EncapsulationKey::<Hqc1>::from_bytes(&[]).err(), length("key", 2273, 0));
    bytes[2240] |= 0x80;
    assert_eq!(EncapsulationKey::<Hqc1>::from_bytes(&bytes).err(), Some(Error::Key));
    assert_eq!(dk.decapsulate(&[0; 4466]).err(), length("ciphertext", 4465, 4466));
    let made = dk.encapsulation_key().encapsulate_deterministic(&[0; 63]);
    assert_eq!(made.err(), length("randomness", 64, 63));
}
