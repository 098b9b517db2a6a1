//! What the tests of the provider compare with: the crate `carryless-hqc`, called directly.
//!
//! `direct known` prints the digests that `tests/evp.c` prints, `direct speed` the times that `tests/speed.c` measures.
use carryless_hqc::{Array as _, DecapsulationKey, Hqc1, Hqc3, Hqc5, Message, Scheme};
use sha2::{Digest as _, Sha256};
use std::hint::black_box;
use std::time::Instant;

/// Prints the SHA-256 of public key, ciphertext and secret of the seed 00 01 02 .. and the randomness ff fe fd ..
fn known<K: Scheme>() {
    let (mut seed, mut message) = (K::Seed::zeroed(), Message::<K>::zeroed());
    seed.as_mut().iter_mut().zip(0..).for_each(|(byte, i)| *byte = i);
    let len = message.as_ref().len() as u8;
    message.as_mut().iter_mut().zip(0..).for_each(|(byte, i)| *byte = 255 - i);
    let salt: [u8; 16] = std::array::from_fn(|i| 255 - len - i as u8);
    let key = DecapsulationKey::<K>::from_seed(&seed);
    let (ciphertext, secret) = key.encapsulation_key().encapsulate_deterministic(&message, &salt);
    let digest = Sha256::new()
        .chain_update(key.encapsulation_key().as_bytes())
        .chain_update(ciphertext.as_bytes())
        .chain_update(secret.as_bytes());
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{} {digest}", K::NAME);
}

/// Returns the time of the fastest of 60 runs of at least 5 ms, in nanoseconds a call, as `tests/speed.c` does.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    let mut run = |count: u32| {
        let start = Instant::now();
        (0..count).for_each(|_| call());
        start.elapsed().as_secs_f64()
    };
    let mut count = 1;
    while run(count) < 5e-3 {
        count *= 2;
    }
    let best = (0..60).map(|_| run(count)).fold(f64::INFINITY, f64::min);
    best / f64::from(count) * 1e9
}

/// Prints the times of key generation, encapsulation and decapsulation, with random bytes of the system.
fn speed<K: Scheme>() {
    let draw = |bytes: &mut [u8]| getrandom::fill(bytes).expect("the system has random bytes");
    let (mut seed, mut message, mut salt) = (K::Seed::zeroed(), Message::<K>::zeroed(), [0; 16]);
    draw(seed.as_mut());
    let key = DecapsulationKey::<K>::from_seed(&seed);
    let (ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&message, &salt);
    let generate = nanoseconds(|| {
        draw(seed.as_mut());
        black_box(DecapsulationKey::<K>::from_seed(&seed));
    });
    let encapsulate = nanoseconds(|| {
        draw(message.as_mut());
        draw(&mut salt);
        black_box(key.encapsulation_key().encapsulate_deterministic(&message, &salt));
    });
    let decapsulate = nanoseconds(|| {
        black_box(key.decapsulate(&ciphertext));
    });
    println!("{:<12} {generate:>10.0} {encapsulate:>10.0} {decapsulate:>10.0}", K::NAME);
}

fn main() {
    let [one, three, five] = match std::env::args().nth(1).as_deref() {
        Some("known") => [known::<Hqc1>, known::<Hqc3>, known::<Hqc5>],
        _ => [speed::<Hqc1>, speed::<Hqc3>, speed::<Hqc5>],
    };
    one();
    three();
    five();
}
