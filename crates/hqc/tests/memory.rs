//! What keys and secrets leave in the memory of the process: nothing, neither on the heap nor in dead frames of the stack, wherever a key was moved.
//! Without `alloc` a move leaves a copy.
#![cfg(all(feature = "alloc", target_os = "linux", not(miri)))]
mod common;

use carryless_hqc::key_file::{KeyFileError, PrivateForm};
use carryless_hqc::parts::{Parts, SeedOf};
use carryless_hqc::{
    Array, Ciphertext, ClmulCpu, DecapsulationKey, EncapsulationKey, Hqc1, Hqc1V5, Hqc5, Message, Scheme,
    hybrid,
};
use carryless_residue::{Secrets, Watched};
use common::{Drbg, backends};
use der::pem::{LineEnding, encode_string};
use shake::{ExtendableOutput as _, Shake256, Update as _, XofReader as _};
use std::hint::black_box;
use zeroize::{Zeroize, Zeroizing};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

const SALT: [u8; 16] = [3; 16];

/// A ciphertext, and the encapsulation key that it was made for.
struct Public<K: Scheme> {
    key: EncapsulationKey<K>,
    ciphertext: Ciphertext<K>,
    rejected: Ciphertext<K>,
}

/// All that is secret of a key and of an encapsulation. (Not in profile `2023`, where the seed of a key has that of h in it, which is public.)
fn secrets<K: Scheme>(cpu: ClmulCpu) -> (Secrets, Public<K>) {
    let mut public = None;
    let secrets = Secrets::new(|record| {
        let mut drbg = Drbg::new(K::NAME.as_bytes(), 9);
        let (seed, message): (K::Seed, Message<K>) = (drbg.array(), drbg.array());
        let key = DecapsulationKey::<K>::from_seed_on(cpu, &seed);
        let (ciphertext, shared) = key.encapsulation_key().encapsulate_deterministic(&message, &SALT);
        let mut changed = ciphertext.as_ref().to_vec();
        changed[0] ^= 1;
        let rejected = Ciphertext::from_bytes(&changed).expect("a ciphertext");
        let parts = Parts::<K>::on(cpu);
        let seeds = parts.key_seeds(&seed);
        record("seed", seed.as_ref());
        record("message", message.as_ref());
        record("shared secret", shared.as_ref());
        record("rejection", key.decapsulate(&rejected).as_ref());
        record("seed of y and x", seeds.secret.as_ref());
        record("sigma", seeds.sigma.as_ref());
        positions::<K>(&parts, &seeds.secret, record);
        public = Some(Public { key: key.encapsulation_key().clone(), ciphertext, rejected });
    });
    (secrets, public.expect("it was computed"))
}

/// The positions of y and x, as they are in memory.
fn positions<K: Scheme>(parts: &Parts<K>, seed: &SeedOf<K>, record: &mut dyn FnMut(&str, &[u8])) {
    for (name, positions) in ["positions of y", "positions of x"].iter().zip(parts.key_positions(seed)) {
        let bytes: Vec<u8> = positions.as_ref().iter().flat_map(|position| position.to_le_bytes()).collect();
        record(name, &bytes);
    }
}

/// A secret in an array, where it is wiped when it is dropped.
fn array<A: Array<u8>>(secrets: &Secrets, name: &str) -> Zeroizing<A> {
    let mut array = Zeroizing::new(A::zeroed());
    array.as_mut().copy_from_slice(&secrets.reveal(name));
    array
}

fn key<K: Scheme>(cpu: ClmulCpu, secrets: &Secrets) -> DecapsulationKey<K> {
    let mut seed = Zeroizing::new(K::Seed::zeroed());
    seed.as_mut().copy_from_slice(&secrets.reveal("seed"));
    DecapsulationKey::<K>::from_seed_on(cpu, &seed)
}

#[inline(never)]
fn moved<T>(value: T) -> T {
    black_box(value)
}

fn keys_leave_nothing<K: Scheme>(cpu: ClmulCpu) {
    let (secrets, public) = &secrets::<K>(cpu);
    let gone = |what: &str, operation: &(dyn Fn() + Sync)| {
        secrets
            .assert_gone(&format!("{} {}, {}, {what}", K::NAME, size_of::<K::Seed>(), cpu.name()), operation);
    };
    gone("made", &|| drop(key::<K>(cpu, secrets)));
    gone("moved", &|| drop(Box::new(moved(vec![moved(key::<K>(cpu, secrets)).clone()]))));
    gone("wiped", &|| {
        let mut key = key::<K>(cpu, secrets);
        for name in ["seed", "sigma", "seed of y and x"] {
            secrets.assert_visible(name, true);
        }
        key.zeroize();
        for name in ["seed", "sigma", "seed of y and x"] {
            secrets.assert_visible(name, false);
        }
    });
    gone("to bytes and back", &|| {
        let mut bytes = vec![0; size_of::<K::DecapsulationKeyBytes>()];
        key::<K>(cpu, secrets).to_bytes_into(&mut bytes).expect("as many bytes");
        drop(moved(DecapsulationKey::<K>::from_bytes_on(cpu, &bytes).expect("a key")));
        bytes.zeroize();
    });
    gone("decapsulation", &|| {
        let key = key::<K>(cpu, secrets);
        let secret = moved(key.decapsulate(&public.ciphertext));
        secrets.assert_visible("shared secret", true);
        drop(moved(secret.clone()));
        drop(moved(key.decapsulate(&public.rejected)));
    });
    gone("an expanded key", &|| {
        let expanded = moved(key::<K>(cpu, secrets).expand());
        secrets.assert_visible("sigma", true);
        drop(moved(expanded.decapsulate(&public.ciphertext)));
        drop(moved(expanded.decapsulate(&public.rejected)));
        drop(moved(expanded));
    });
    gone("encapsulation", &|| {
        let message = array::<Message<K>>(secrets, "message");
        drop(moved(public.key.encapsulate_deterministic(&message, &SALT)));
        drop(moved(public.key.expand().encapsulate_deterministic(&message, &SALT)));
    });
}

/// The hybrid with X25519, whose arithmetic is another crate's.
#[test]
fn hybrids_leave_nothing() {
    let mut public = None;
    let secrets = Secrets::new(|record| {
        let mut drbg = Drbg::new(b"hybrid", 9);
        let (seed, message, ephemeral): ([u8; 32], [u8; 16], [u8; 32]) =
            (drbg.array(), drbg.array(), drbg.array());
        // The salt is a part of the ciphertext.
        let random = [&message[..], &SALT, &ephemeral].concat();
        let key = hybrid::DecapsulationKey::<Hqc1>::from_seed(&seed);
        let (ciphertext, secret) =
            key.encapsulation_key().encapsulate_deterministic(&random).expect("64 bytes");
        let mut expanded = [0; 64];
        Shake256::default().chain(seed).finalize_xof().read(&mut expanded);
        let scalar: [u8; 32] = expanded[32..].try_into().expect("32 bytes");
        let peer: [u8; 32] = ciphertext[4433..].try_into().expect("32 bytes");
        record("seed", &seed);
        record("message", &message);
        record("ephemeral scalar", &ephemeral);
        record("scalar", &scalar);
        record("secret of X25519", &x25519_dalek::x25519(scalar, peer));
        record("shared secret", &**secret);
        public = Some((key.encapsulation_key().clone(), ciphertext));
    });
    let (public, ciphertext) = public.expect("it was computed");
    let key = || hybrid::DecapsulationKey::<Hqc1>::from_seed(&array::<[u8; 32]>(&secrets, "seed"));
    secrets.assert_gone("hybrid, made", &|| drop(moved(key())));
    secrets.assert_gone("hybrid, decapsulation", &|| {
        let key = moved(key());
        secrets.assert_visible("scalar", true);
        drop(moved(key.decapsulate(&ciphertext).expect("as many bytes")));
    });
    secrets.assert_gone("hybrid, encapsulation", &|| {
        let random = Zeroizing::new(
            [&secrets.reveal("message")[..], &SALT, &secrets.reveal("ephemeral scalar")].concat(),
        );
        drop(moved(public.encapsulate_deterministic(&random).expect("64 bytes")));
    });
}

/// Files that are written and read, and those in PEM that are refused after the key was decoded.
#[test]
fn key_files_leave_nothing() {
    let cpu = ClmulCpu::detect();
    let (secrets, _) = &secrets::<Hqc1>(cpu);
    for form in [PrivateForm::Seed, PrivateForm::Expanded, PrivateForm::Both] {
        secrets.assert_gone(&format!("{form:?}, written"), || {
            drop(moved(key::<Hqc1>(cpu, secrets).to_pkcs8_der(form).expect("profile nr has files")));
        });
        secrets.assert_gone(&format!("{form:?}, read"), || {
            let pem = key::<Hqc1>(cpu, secrets).to_pkcs8_pem(form).expect("profile nr has files");
            drop(moved(DecapsulationKey::<Hqc1>::from_pkcs8_pem(&pem).expect("a key")));
        });
        secrets.assert_gone(&format!("{form:?}, a bad character"), || {
            let mut pem = key::<Hqc1>(cpu, secrets).to_pkcs8_pem(form).expect("profile nr has files");
            let mut pem = Zeroizing::new(std::mem::take(&mut *pem).into_bytes());
            // In the last block but one: all others are decoded by then.
            let end = pem.len() - "xxxxx\n-----END PRIVATE KEY-----\n".len();
            pem[end] = b'!';
            let text = std::str::from_utf8(&pem).expect("text");
            assert!(matches!(DecapsulationKey::<Hqc1>::from_pkcs8_pem(text), Err(KeyFileError::Pem(_))));
        });
        secrets.assert_gone(&format!("{form:?}, a byte after the key"), || {
            let der = key::<Hqc1>(cpu, secrets).to_pkcs8_der(form).expect("profile nr has files");
            // As long as it will be: a vector that grows leaves its old block as it is.
            let mut longer = Zeroizing::new(vec![0; der.as_bytes().len() + 1]);
            longer[..der.as_bytes().len()].copy_from_slice(der.as_bytes());
            let text = encode_string("PRIVATE KEY", LineEnding::LF, &longer).expect("PEM");
            assert!(matches!(DecapsulationKey::<Hqc1>::from_pkcs8_pem(&text), Err(KeyFileError::Der(_))));
        });
    }
}

#[test]
fn nothing_is_left_on_the_best_backend() {
    let cpu = ClmulCpu::detect();
    keys_leave_nothing::<Hqc1>(cpu);
    keys_leave_nothing::<Hqc5>(cpu);
    keys_leave_nothing::<Hqc1V5>(cpu);
}

#[test]
fn nothing_is_left_on_any_backend() {
    backends().for_each(keys_leave_nothing::<Hqc1>);
}
