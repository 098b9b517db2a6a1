//! Random properties, with extreme keys and blocks mixed in.
use crate::common::{Rng, backends, check, pick, weird_words};
use carryless_hash::polyhash1305::{PreparedKey, digest_on};
use proptest::collection::vec;
use proptest::prelude::*;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: pick(2_000, 60, 4) as u32,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A 128-bit word, extreme half of the time.
fn word() -> impl Strategy<Value = u128> {
    prop_oneof![any::<u128>(), prop::sample::select(weird_words())]
}

/// Blocks that are extreme half of the time, or one block repeated, and a few more bytes.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let blocks = pick(130, 60, 6);
    let mixed = vec(word(), 0..blocks);
    let repeated = (word(), 0..blocks).prop_map(|(block, n)| vec![block; n]);
    let tail = vec(prop_oneof![any::<u8>(), Just(0), Just(0xff)], 0..16);
    (prop_oneof![mixed, repeated], tail).prop_map(|(blocks, tail)| {
        let mut msg: Vec<u8> = blocks.into_iter().flat_map(u128::to_le_bytes).collect();
        msg.extend(tail);
        msg
    })
}

fn key() -> impl Strategy<Value = [u8; 32]> {
    (word(), word()).prop_map(|(r, s)| {
        let mut key = [0; 32];
        key[..16].copy_from_slice(&r.to_le_bytes());
        key[16..].copy_from_slice(&s.to_le_bytes());
        key
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn equals_the_reference(key in key(), msg in message()) {
        check(&key, &msg);
    }

    /// Segments of any sizes, joined in a random order.
    #[test]
    fn joins_in_any_order(tau in word(), msg in message(), seed in any::<u64>()) {
        let tau = tau.to_le_bytes();
        let mut rng = Rng(seed);
        let expected = carryless_reference::polyhash1305(&tau, &msg);
        for &cpu in backends() {
            let prepared = PreparedKey::on(cpu, &tau);
            let mut parts = Vec::new();
            let mut rest = &msg[..];
            while !rest.is_empty() {
                let (part, after) = rest.split_at(rest.len().min(16 * (1 + rng.below(40))));
                parts.push(prepared.segment(part));
                rest = after;
            }
            while parts.len() > 1 {
                let right = 1 + rng.below(parts.len() - 1);
                let after = parts.remove(right);
                parts[right - 1] = parts[right - 1].join(&after).expect("whole blocks");
            }
            let digest = parts.pop().unwrap_or_else(|| prepared.segment(b"")).digest();
            prop_assert_eq!(digest, expected, "{}", cpu.name());
        }
    }

    /// Backends agree, also where the reference would be slow.
    #[test]
    fn backends_agree_on_long_messages(tau in word(), byte in any::<u8>(), len in 0..pick(300_000, 6_000, 100)) {
        let tau = tau.to_le_bytes();
        let mut msg = Rng(len as u64).weird_bytes(len);
        msg.iter_mut().step_by(3).for_each(|b| *b ^= byte);
        let digests: Vec<_> = backends().iter().map(|&cpu| digest_on(cpu, &tau, &msg)).collect();
        prop_assert!(digests.windows(2).all(|pair| pair[0] == pair[1]), "{:02x?}", digests);
    }
}
