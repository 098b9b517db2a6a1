//! HQC: a changed key is refused, a changed ciphertext gives the secret of implicit rejection, and no key
//! causes a panic.
#![no_main]
#![forbid(unsafe_code)]
use carryless_hqc::{Ciphertext, ClmulCpu, DecapsulationKey, EncapsulationKey, Hqc1, SharedSecret};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

type Key = DecapsulationKey<Hqc1>;
type Public = EncapsulationKey<Hqc1>;

/// A key, a ciphertext for it, and its secret.
static SENT: LazyLock<(Key, Ciphertext<Hqc1>, SharedSecret<Hqc1>)> = LazyLock::new(|| {
    let key = Key::from_seed(&[7; 32]);
    let (ciphertext, secret) = key.encapsulation_key().encapsulate_deterministic(&[1; 16], &[2; 16]);
    (key, ciphertext, secret)
});

/// Returns `bytes` with `data` XORed to them, from the place that its first two bytes give.
fn changed(bytes: &[u8], data: &[u8]) -> Vec<u8> {
    let (mut bytes, Some((place, data))) = (bytes.to_vec(), data.split_first_chunk()) else {
        return bytes.to_vec();
    };
    let place = usize::from(u16::from_le_bytes(*place)) % bytes.len();
    bytes[place..].iter_mut().zip(data).for_each(|(byte, change)| *byte ^= change);
    bytes
}

fuzz_target!(|data: &[u8]| {
    let Some((what, data)) = data.split_first() else { return };
    let (key, ciphertext, secret) = &*SENT;
    match what % 4 {
        0 => decapsulate(key, ciphertext, secret, data),
        1 => {
            let good = key.to_bytes();
            let bytes = changed(&good[..], data);
            assert_eq!(Key::from_bytes(&bytes).is_ok(), bytes == good[..]);
            // Without the check every key gives some secret, as in the reference code. Plain and expanded
            // keys must give the same.
            if let Ok(key) = Key::from_bytes_unchecked(ClmulCpu::detect(), &bytes) {
                assert_eq!(key.decapsulate(ciphertext), key.expand().decapsulate(ciphertext));
            }
        }
        2 => {
            let bytes = changed(key.encapsulation_key().as_bytes(), data);
            // 17669 mod 8 = 5 bits of the last byte belong to coefficients.
            assert_eq!(Public::from_bytes(&bytes).is_ok(), bytes[bytes.len() - 1] >> 5 == 0);
            if let Ok(key) = Public::from_bytes_unchecked(ClmulCpu::detect(), &bytes) {
                let (plain, expanded) = (
                    key.encapsulate_deterministic(&[3; 16], &[4; 16]),
                    key.expand().encapsulate_deterministic(&[3; 16], &[4; 16]),
                );
                assert!(plain == expanded);
            }
        }
        _ => {
            assert_eq!(Key::from_bytes(data).is_ok(), data == &key.to_bytes()[..]);
            assert!(data.len() == 2241 || Public::from_bytes(data).is_err());
            assert_eq!(Ciphertext::<Hqc1>::from_bytes(data).is_ok(), data.len() == 4433);
        }
    }
});

/// Only the unchanged ciphertext gives its secret, by plain and expanded keys and on the portable backend.
fn decapsulate(key: &Key, ciphertext: &Ciphertext<Hqc1>, secret: &SharedSecret<Hqc1>, data: &[u8]) {
    let bytes = changed(ciphertext.as_ref(), data);
    let other = Ciphertext::from_bytes(&bytes).expect("as long as a ciphertext");
    let found = key.decapsulate(&other);
    assert_eq!(found == *secret, other == *ciphertext);
    assert_eq!(key.expand().decapsulate(&other), found);
    let soft = ClmulCpu::named("soft").expect("every CPU has it");
    assert_eq!(Key::from_seed_on(soft, key.as_seed()).decapsulate(&other), found);
}
