use super::*;
use crate::choose::FEW_ROWS;
use crate::field::p1271;
use crate::field::p1305::testing::{Rng, sample};
use crate::{Key1271, decbrwhash1271, decbrwhash1305};
use carryless_reference::{P1271, P1305, Params as Prime, decbrwhash};
use std::vec::Vec;

const ALL: [Streams; 6] =
    [Streams::One, Streams::Two, Streams::Three, Streams::Four, Streams::Eight, Streams::Sixteen];

/// A prime as the tests see it: the functions of its public module, and its keys.
trait Case: HashKey {
    const PRIME: Prime;
    /// Bytes of a block: 16 over 2^130 - 5, 15 over 2^127 - 1.
    const BLOCK: usize = <Self::Element as Field>::BLOCK;

    fn digest_on(cpu: Cpu, streams: Streams, key: &Self, msg: &[u8]) -> [u8; 16];
    fn digest_with(cpu: Cpu, params: Params, streams: Streams, key: &Self, msg: &[u8]) -> [u8; 16];
    /// The key of these bytes, which are in range.
    fn key(bytes: &[u8; 16]) -> Self;
    /// A random key in range; now and then an extreme one.
    fn random(rng: &mut Rng) -> [u8; 16];
    /// The evaluations that differ over this prime.
    fn params() -> Vec<Params>;
}

macro_rules! case {
    ($Key:ty, $module:ident, $PRIME:ident, key $key:expr, random $random:expr, params $params:expr) => {
        impl Case for $Key {
            const PRIME: Prime = $PRIME;

            fn digest_on(cpu: Cpu, streams: Streams, key: &Self, msg: &[u8]) -> [u8; 16] {
                $module::digest_on(cpu, streams, key, msg)
            }
            fn digest_with(cpu: Cpu, params: Params, streams: Streams, key: &Self, msg: &[u8]) -> [u8; 16] {
                $module::digest_with(cpu, params, streams, key, msg)
            }
            fn key(bytes: &[u8; 16]) -> Self {
                $key(bytes)
            }
            fn random(rng: &mut Rng) -> [u8; 16] {
                $random(rng)
            }
            fn params() -> Vec<Params> {
                $params.collect()
            }
        }
    };
}

case!([u8; 16], decbrwhash1305, P1305, key Clone::clone, random Rng::key, params Params::all1305());
case!(
    Key1271, decbrwhash1271, P1271,
    key |bytes| Key1271::new(bytes).expect("below 2^126"),
    random p1271::testing::key,
    params Params::all()
);

/// All streams and evaluations of one message, on every backend.
fn check<K: Case>(bytes: &[u8; 16], msg: &[u8]) {
    let key = K::key(bytes);
    for streams in ALL {
        let want = decbrwhash(&K::PRIME, streams as usize, bytes, msg.into()).expect("a key in range");
        for cpu in Cpu::available() {
            let what = || std::format!("{} bytes, {streams:?}, {}", msg.len(), cpu.name());
            assert_eq!(K::digest_on(cpu, streams, &key, msg), want, "{}", what());
            for params in K::params() {
                let got = K::digest_with(cpu, params, streams, &key, msg);
                assert_eq!(got, want, "{}, {params:?}", what());
            }
        }
    }
}

/// Every c, every t, lanes and words, on every backend.
fn every_length<K: Case>(to: usize) {
    let mut rng = Rng(30);
    for len in sample(0..to) {
        let (key, msg) = (K::random(&mut rng), rng.bytes(len));
        check::<K>(&key, &msg);
    }
}

#[test]
fn every_length_over_both_primes() {
    every_length::<[u8; 16]>(1500);
    every_length::<Key1271>(720);
}

/// All numbers of rows of four streams around and below [`FEW_ROWS`], with fresh and prepared keys, on every backend.
#[test]
fn few_rows_of_four_streams() {
    let mut rng = Rng(46);
    for rows in sample(1..FEW_ROWS as usize + 4) {
        let (key, msg) = (rng.key(), rng.bytes(64 * rows - 9 * rows % 64));
        let want = decbrwhash(&P1305, 4, &key, msg[..].into()).expect("a key in range");
        for cpu in Cpu::available() {
            let what = || std::format!("{rows} rows, {}", cpu.name());
            assert_eq!(<[u8; 16]>::digest_on(cpu, Streams::Four, &key, &msg), want, "{}", what());
            assert_eq!(PreparedKey::on(cpu, Streams::Four, &key).digest(&msg), want, "{}", what());
        }
    }
}

/// More rows than the short evaluation has room for, and blocks of ones under the extreme keys.
fn longer_messages_and_extreme_values<K: Case>(keys: &[u128]) {
    let mut rng = Rng(45);
    for len in sample(0..4) {
        let (key, msg) = (K::random(&mut rng), rng.bytes(K::BLOCK * 16 * 65 + 100 * len));
        check::<K>(&key, &msg);
    }
    for tau in keys {
        for blocks in [1, 4, 16, 64, 128, 130] {
            check::<K>(&tau.to_le_bytes(), &std::vec![0xff; K::BLOCK * blocks - blocks / 130]);
        }
    }
}

#[test]
fn longer_messages_and_extreme_values_over_both_primes() {
    longer_messages_and_extreme_values::<[u8; 16]>(&[0, 1, u128::MAX, u128::MAX - 1, 1 << 127]);
    longer_messages_and_extreme_values::<Key1271>(&[0, 1, (1 << 126) - 1, (1 << 126) - 2, 1 << 125]);
}

/// Cuts of a message, equal pieces and growing ones, and prepared keys, on every backend.
fn pieces<K: Case, const C: usize>(streams: Streams, most: usize) {
    let mut rng = Rng(31);
    let (key, msg) = (K::key(&K::random(&mut rng)), rng.bytes(most));
    let lengths = [17, 256, 0, 1, K::BLOCK, 16, 60, 64, 239, 255, 257, 3600, 4096, most, 4111];
    for i in sample(0..lengths.len()) {
        let (len, msg) = (lengths[i], &msg[..lengths[i]]);
        let want = K::digest_on(Cpu::Portable(carryless_lanes::Portable), streams, &key, msg);
        for cpu in Cpu::available() {
            for piece in [1, 7, 64, 1000, 1024, 5000, 20_000].into_iter().filter(|piece| len <= 1000 * piece)
            {
                let mut hash = Hasher::<K, C>::on(cpu, &key);
                let mut rest = msg;
                let mut size = piece;
                while !rest.is_empty() {
                    let (now, later) = rest.split_at(size.min(rest.len()));
                    hash.update(now);
                    rest = later;
                    size += piece / 3;
                }
                assert_eq!(hash.finalize(), want, "{len} bytes, {streams:?}, {}, {piece}", cpu.name());
            }
            for prepared_for in [0, 100, 1 << 12, usize::MAX >> 8] {
                let key = PreparedKey::for_len(cpu, streams, &key, prepared_for);
                assert_eq!(key.digest(msg), want, "{len} bytes, {streams:?}, {}", cpu.name());
                for params in K::params() {
                    let got = key.digest_with(params, msg);
                    assert_eq!(got, want, "{len} bytes, {streams:?}, {params:?}, {}", cpu.name());
                }
            }
        }
    }
}

#[test]
fn streams_and_prepared_keys() {
    pieces::<[u8; 16], 1>(Streams::One, 40_000);
    pieces::<[u8; 16], 2>(Streams::Two, 40_000);
    pieces::<[u8; 16], 3>(Streams::Three, 40_000);
    pieces::<[u8; 16], 4>(Streams::Four, 40_000);
    pieces::<[u8; 16], 8>(Streams::Eight, 40_000);
    pieces::<[u8; 16], 16>(Streams::Sixteen, 40_000);
    pieces::<Key1271, 1>(Streams::One, 20_000);
    pieces::<Key1271, 4>(Streams::Four, 20_000);
    pieces::<Key1271, 16>(Streams::Sixteen, 20_000);
}

/// Runs of rows side by side, in pairs of all sizes and places.
#[test]
fn long_messages() {
    let mut rng = Rng(32);
    let (key, msg) = (rng.key(), rng.bytes(200_000));
    let counts = [31, 32, 33, 255, 256, 257, 700, 1023, 1025, 3000, 40];
    for i in sample(0..counts.len()) {
        let rows = counts[i];
        for streams in ALL {
            let msg = &msg[..(16 * streams as usize * rows - 3).min(200_000)];
            let want = decbrwhash(&P1305, streams as usize, &key, msg.into()).expect("all keys are good");
            for cpu in Cpu::available() {
                for t in 2..=5 {
                    let params = Params { t, layout: Layout::Lanes };
                    let got = decbrwhash1305::digest_with(cpu, params, streams, &key, msg);
                    assert_eq!(got, want, "{rows} rows, {streams:?}, t = {t}, {}", cpu.name());
                }
            }
        }
    }
}

/// Numbers of streams with and without a name.
#[cfg(feature = "research-kernels")]
fn any_number_of_streams<K: Case>() {
    let mut rng = Rng(33);
    for c in sample(1..40).chain([100, 1000]) {
        let streams = core::num::NonZeroU16::new(c as u16).expect("not 0");
        for len in [0, 1, 16, 15 * c, 16 * c, 16 * c + 1, 2000] {
            let (key, msg) = (K::random(&mut rng), rng.bytes(len));
            let want = decbrwhash(&K::PRIME, c, &key, msg[..].into()).expect("a key in range");
            let got = crate::papers::digest_of_streams(streams, &K::key(&key), &msg);
            assert_eq!(got, want, "{len} bytes, {c} streams");
        }
    }
}

#[cfg(feature = "research-kernels")]
#[test]
fn any_number_of_streams_over_both_primes() {
    any_number_of_streams::<[u8; 16]>();
    any_number_of_streams::<Key1271>();
}
