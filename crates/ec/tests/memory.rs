//! Tests that keys, shared secrets and signatures leave no secret in the memory of the process, neither on
//! the heap nor in dead frames of the stack.
#![cfg(all(target_os = "linux", not(miri)))]

use carryless_ec::curve::{BinaryCurve, Curve, FieldElement, Scalar, Sect163k1, Sect163r2};
use carryless_ec::dstu4145;
use carryless_ec::ecdsa::SigningKey;
use carryless_ec::{KeyError, PublicKey, SecretKey};
use carryless_lanes::ClmulCpu;
use carryless_residue::{Secrets, Watched};
use der::pem::{LineEnding, encode_string};
use digest::block_api::BlockSizeUser;
use digest::{Digest, KeyInit as _};
use hmac::{Mac as _, SimpleHmac};
use rand_core::{Infallible, TryCryptoRng, TryRng};
use sha2::{Sha256, Sha384, Sha512};
use std::hint::black_box;
use zeroize::Zeroizing;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

const MESSAGE: &[u8] = b"attack at dawn";

/// A scalar that looks random, so that its bytes occur nowhere else in memory.
fn scalar<C: BinaryCurve>(i: u64) -> Scalar<C> {
    Scalar::from_u64(0x9e37_79b9_7f4a_7c15 ^ i).invert().expect("not 0")
}

fn bytes<C: BinaryCurve>(k: &Scalar<C>) -> Vec<u8> {
    let mut bytes = vec![0; Scalar::<C>::BYTES];
    k.write_be_bytes(&mut bytes);
    bytes
}

fn hmac<D: Digest + BlockSizeUser>(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = SimpleHmac::<D>::new_from_slice(key).expect("keys of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}

/// The states K and V of RFC 6979, section 3.2, after each candidate for the nonce and after each update that
/// follows. The last candidate is k.
fn states<C: BinaryCurve, D: Digest + BlockSizeUser>(
    d: &Scalar<C>,
    e: &Scalar<C>,
    k: &Scalar<C>,
) -> Vec<[Vec<u8>; 2]> {
    let (d, e, k) = (bytes(d), bytes(e), bytes(k));
    let len = <D as Digest>::output_size();
    let (mut key, mut value, mut states) = (vec![0; len], vec![1; len], Vec::new());
    for byte in 0..2 {
        key = hmac::<D>(&key, &[&value, &[byte], &d, &e]);
        value = hmac::<D>(&key, &[&value]);
    }
    let shift = 8 * k.len() as u32 - C::ORDER_BITS;
    loop {
        value = hmac::<D>(&key, &[&value]);
        let above = |i: usize| i.checked_sub(1).map_or(0, |i| value[i]);
        let candidate: Vec<u8> =
            (0..k.len()).map(|i| (u16::from_be_bytes([above(i), value[i]]) >> shift) as u8).collect();
        states.push([key.clone(), value.clone()]);
        key = hmac::<D>(&key, &[&value, &[0]]);
        value = hmac::<D>(&key, &[&value]);
        states.push([key.clone(), value.clone()]);
        if candidate == k {
            return states;
        }
    }
}

/// The secrets to search for: d, the product with the public key, and each intermediate value of a signature.
/// The public key is returned, too.
fn secrets<C: BinaryCurve, D: Digest + BlockSizeUser>() -> (Secrets, PublicKey<C>) {
    let other = SecretKey::<C>::from_scalar(scalar(2)).expect("not 0").public_key();
    let secrets = Secrets::new(|record| {
        let d = scalar::<C>(1);
        record("d", &bytes(&d));
        let [x, y] = (*other.as_point() * d).coordinates().expect("not infinity");
        for (name, coordinate) in [("shared secret", x), ("y of the product", y)] {
            let bytes: Vec<u8> = coordinate.as_words().iter().flat_map(|word| word.to_le_bytes()).collect();
            record(name, &bytes);
        }
        let key = SecretKey::from_scalar(d).expect("not 0");
        let signature = SigningKey::<C, D>::new(key).sign(MESSAGE);
        let hash = D::digest(MESSAGE);
        // e is the first bits of the hash, as many as n has: shift right by the others.
        let shift = 8 * Scalar::<C>::BYTES as u32 - C::ORDER_BITS;
        let above = |i: usize| i.checked_sub(1).map_or(0, |i| hash[i]);
        let first: Vec<u8> = (0..Scalar::<C>::BYTES)
            .map(|i| (u16::from_be_bytes([above(i), hash[i]]) >> shift) as u8)
            .collect();
        let e = Scalar::<C>::reduce_be_bytes(&first);
        let sum = e + *signature.r() * d;
        // The nonce is not public. It follows from the signature and d: k = (e + r d) / s.
        let k = sum * signature.s().invert().expect("not 0");
        record("k", &bytes(&k));
        record("1 / k", &bytes(&k.invert().expect("not 0")));
        record("e + r d", &bytes(&sum));
        let key = SecretKey::from_scalar(d).expect("not 0");
        let signature = dstu4145::SigningKey::<C, D>::new(key).sign_prehash(&hash);
        let product = *signature.r() * d;
        record("r d of DSTU 4145", &bytes(&product));
        record("e of DSTU 4145", &bytes(&(*signature.s() - product)));
        for (i, [key, value]) in states::<C, D>(&d, &e, &k).iter().enumerate() {
            record(&format!("K {i}"), key);
            record(&format!("V {i}"), value);
        }
    });
    (secrets, other)
}

/// A generator whose output is d, so that a generated key is one of the secrets to search for.
struct Given<'a>(&'a Secrets);

impl TryRng for Given<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("keys are bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("keys are bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.copy_from_slice(&self.0.reveal("d"));
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

#[inline(never)]
fn moved<T>(value: T) -> T {
    black_box(value)
}

fn keys_leave_nothing<C: BinaryCurve>() {
    let (secrets, other) = &secrets::<C, Sha256>();
    let key = || SecretKey::<C>::from_bytes(&secrets.reveal("d")).expect("a key");
    let gone = |what: &str, operation: &(dyn Fn() + Sync)| {
        secrets.assert_gone(&format!("{}, {what}", C::NAME), operation);
    };
    gone("made", &|| drop(key()));
    gone("moved", &|| {
        let key = Box::new(moved(vec![moved(key()).clone()]));
        // The search must find a key that is alive; otherwise finding none afterwards would prove nothing.
        secrets.assert_visible("d", true);
        drop(moved(key));
    });
    gone("generated", &|| drop(moved(SecretKey::<C>::generate(&mut Given(secrets)))));
    gone("to bytes and back", &|| {
        drop(moved(SecretKey::<C>::from_bytes(&moved(moved(key()).to_bytes())).expect("a key")));
    });
    gone("to DER and back", &|| {
        let key = key();
        let pkcs8 = key.to_pkcs8_der().expect("it has an identifier");
        drop(moved(SecretKey::<C>::from_pkcs8_der(pkcs8.as_bytes()).expect("a key")));
        let sec1 = key.to_sec1_der().expect("it has an identifier");
        drop(moved(SecretKey::<C>::from_sec1_der(sec1.as_bytes()).expect("a key")));
    });
    gone("to PEM and back", &|| {
        let pem = key().to_pkcs8_pem().expect("it has an identifier");
        drop(moved(SecretKey::<C>::from_pem(&pem).expect("a key")));
    });
    gone("PEM with a bad character", &|| {
        let mut pem = Zeroizing::new(std::mem::take(&mut *key().to_pkcs8_pem().expect("PEM")).into_bytes());
        // In the last block but one: all others are decoded by then.
        let end = pem.len() - "xxxxx\n-----END PRIVATE KEY-----\n".len();
        pem[end] = b'!';
        let text = std::str::from_utf8(&pem).expect("text");
        assert!(matches!(SecretKey::<C>::from_pem(text), Err(KeyError::Pem(_))));
    });
    gone("PEM with a byte after the key", &|| {
        let der = key().to_pkcs8_der().expect("it has an identifier");
        // As long as it will be: a vector that grows leaves its old block as it is.
        let mut longer = Zeroizing::new(vec![0; der.as_bytes().len() + 1]);
        longer[..der.as_bytes().len()].copy_from_slice(der.as_bytes());
        let text = encode_string("PRIVATE KEY", LineEnding::LF, &longer).expect("PEM");
        assert!(matches!(SecretKey::<C>::from_pem(&text), Err(KeyError::Der(_))));
    });
    gone("public key", &|| {
        black_box(key().public_key());
    });
    gone("shared secret", &|| {
        let secret = moved(key().diffie_hellman(other).expect("not infinity"));
        secrets.assert_visible("shared secret", true);
        drop(moved(secret.clone()));
    });
    for cpu in ClmulCpu::available() {
        gone(&format!("shared secret, {}", cpu.name()), &|| {
            drop(moved(
                key().diffie_hellman_unvalidated(&Curve::on(cpu), other.as_point()).expect("not infinity"),
            ));
        });
        gone(&format!("signature, {}", cpu.name()), &|| {
            let key = SigningKey::<C, Sha256>::on(Curve::on(cpu), key());
            black_box(moved(key.clone()).sign(MESSAGE));
        });
        gone(&format!("signature of DSTU 4145, {}", cpu.name()), &|| {
            let key = dstu4145::SigningKey::<C, Sha256>::on(Curve::on(cpu), key());
            black_box(moved(key.clone()).sign_prehash(&Sha256::digest(MESSAGE)));
        });
    }
}

#[test]
fn keys_leave_nothing_on_a_koblitz_curve() {
    keys_leave_nothing::<Sect163k1>();
}

#[test]
fn keys_leave_nothing_on_a_random_curve() {
    keys_leave_nothing::<Sect163r2>();
}

/// The nonces of longer hashes, whose states need more of the stack.
fn signatures_leave_nothing<C: BinaryCurve, D: Digest + BlockSizeUser>() {
    let (secrets, _) = &secrets::<C, D>();
    secrets.assert_gone(&format!("{}, hash of {} bytes", C::NAME, <D as Digest>::output_size()), || {
        let key = SecretKey::<C>::from_bytes(&secrets.reveal("d")).expect("a key");
        black_box(SigningKey::<C, D>::new(key).sign(MESSAGE));
    });
}

#[test]
fn signatures_leave_nothing_of_longer_hashes() {
    signatures_leave_nothing::<Sect163k1, Sha384>();
    signatures_leave_nothing::<Sect163k1, Sha512>();
    signatures_leave_nothing::<Sect163r2, Sha512>();
}
