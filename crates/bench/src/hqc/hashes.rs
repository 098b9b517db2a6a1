//! The hashes of the KEM's operations, which run side by side as in the KEM. Their inputs have the right
//! lengths and arbitrary contents.
use super::case::Operation;
use carryless_gf2::ClmulCpu;
use carryless_hqc::keccak::{Advance, SHA3_256, SHA3_512, SHAKE256, Stream, run};
use carryless_hqc::{Array, ParameterSet, Scheme};

/// The last 32 bytes of each of three outputs, by which results are compared with the reference.
pub(super) type Ends = [[u8; 32]; 3];

/// Computes all hashes of an operation: of key generation, encapsulation or decapsulation.
pub(super) fn hashes<K: Scheme>(cpu: ClmulCpu, operation: Operation, seed: &[u8; 32]) -> Ends {
    match operation {
        Operation::KeygenHashes => keygen::<K>(cpu, seed),
        Operation::EncapsHashes => encaps::<K>(cpu, seed),
        _ => decaps::<K>(cpu, seed),
    }
}

/// Expands a seed by SHAKE256 into `h`, with no other hash beside it.
pub(super) fn stream(cpu: ClmulCpu, seed: &[u8; 32], h: &mut [u8]) {
    run(cpu, &mut [&mut Stream::new(SHAKE256, &[seed], h)], &mut []);
}

fn end(bytes: &[u8]) -> [u8; 32] {
    *bytes.last_chunk().expect("all have 32 bytes")
}

/// The hashes of key generation: the seed is expanded and hashed, then h and the stream of y and x.
fn keygen<K: Scheme>(cpu: ClmulCpu, seed: &[u8; 32]) -> Ends {
    let (mut seeds, mut hash) = ([0; 64], [0; 64]);
    // The output is the seed of the key pair and sigma, the secret value for rejections.
    let length = seed.len() + K::Set::K;
    run(cpu, &mut [&mut Stream::new(SHAKE256, &[seed, &[1]], &mut seeds[..length])], &mut []);
    run(cpu, &mut [&mut Stream::new(SHA3_512, &[&seeds[..32], &[2]], &mut hash)], &mut []);
    let mut h = <K::Set as ParameterSet>::RingBytes::zeroed();
    let mut key = <K::Set as ParameterSet>::KeyStream::zeroed();
    let (secret, public) = hash.split_at(32);
    run(
        cpu,
        &mut [
            // Backends permute several states at once, so independent streams run together.
            &mut Stream::new(SHAKE256, &[public, &[1]], h.as_mut()),
            &mut Stream::new(SHAKE256, &[secret, &[1]], key.as_mut()),
        ],
        &mut [],
    );
    [end(h.as_ref()), end(key.as_ref()), end(&hash)]
}

/// The hashes of encapsulation: h and the hash of the key, then those of encryption.
fn encaps<K: Scheme>(cpu: ClmulCpu, seed: &[u8; 32]) -> Ends {
    let key = encapsulation_key::<K>(seed);
    let mut h = <K::Set as ParameterSet>::RingBytes::zeroed();
    let mut key_hash = [0; 32];
    run(
        cpu,
        &mut [
            &mut Stream::new(SHAKE256, &[seed, &[1]], h.as_mut()),
            &mut Stream::new(SHA3_256, &[key.as_ref(), &[1]], &mut key_hash),
        ],
        &mut [],
    );
    [end(h.as_ref()), encrypt::<K>(cpu, &key_hash, &mut []), key_hash]
}

/// The hashes of decapsulation: those of encapsulation and the stream of y. The secret of
/// a rejection runs beside encryption.
fn decaps<K: Scheme>(cpu: ClmulCpu, seed: &[u8; 32]) -> Ends {
    let (key, ciphertext) = (encapsulation_key::<K>(seed), K::CiphertextBytes::zeroed());
    let mut h = <K::Set as ParameterSet>::RingBytes::zeroed();
    let mut stream = <K::Set as ParameterSet>::KeyStream::zeroed();
    let mut key_hash = [0; 32];
    run(
        cpu,
        &mut [
            &mut Stream::new(SHAKE256, &[seed, &[1]], h.as_mut()),
            &mut Stream::new(SHAKE256, &[seed, &[1]], stream.as_mut()),
            &mut Stream::new(SHA3_256, &[key.as_ref(), &[1]], &mut key_hash),
        ],
        &mut [],
    );
    let mut secret = [0; 32];
    let input: [&[u8]; 4] = [&key_hash, &seed[..K::Set::K], ciphertext.as_ref(), &[3]];
    let mut rejection = Stream::new(SHA3_256, &input, &mut secret);
    let errors = encrypt::<K>(cpu, &key_hash, &mut [&mut rejection]);
    // Encryption may not have advanced it to its end.
    run(cpu, &mut [&mut rejection], &mut []);
    drop(rejection);
    [end(h.as_ref()), errors, secret]
}

fn encapsulation_key<K: Scheme>(seed: &[u8; 32]) -> K::EncapsulationKeyBytes {
    // The seed stands first, as in a key. Zeros after it take as long as any bytes.
    let mut key = K::EncapsulationKeyBytes::zeroed();
    key.as_mut()[..seed.len()].copy_from_slice(seed);
    key
}

/// The hashes of encryption: that of the message, then the stream of the errors, whose end it returns.
fn encrypt<K: Scheme>(cpu: ClmulCpu, key_hash: &[u8; 32], beside: &mut [&mut dyn Advance]) -> [u8; 32] {
    let (mut hash, mut errors) = ([0; 64], <K::Set as ParameterSet>::ErrorStream::zeroed());
    // The zeros stand for a salt of 16 bytes and the domain byte 0.
    let input: [&[u8]; 3] = [key_hash, &key_hash[..K::Set::K], &[0; 17]];
    run(cpu, &mut [&mut Stream::new(SHA3_512, &input, &mut hash)], beside);
    run(cpu, &mut [&mut Stream::new(SHAKE256, &[&hash[32..], &[1]], errors.as_mut())], beside);
    end(errors.as_ref())
}
