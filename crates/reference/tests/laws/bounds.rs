//! The AXU bounds: their figures, the degrees they come from, and a count over all keys of small primes.
use crate::Rng;
use carryless_reference::{
    AxuBound, BigUint, Family, P1271, P1305, Params, Streams, axu_bound, brwhash, decbrwhash, polyhash,
};

#[test]
fn figures() {
    let dec = Family::DecBrwHash { c: 4 };
    for (params, n, exponent) in [(&P1305, 128, -125), (&P1271, 120, -124)] {
        let bound = |family, bits| axu_bound(params, family, bits);
        assert_eq!(bound(Family::PolyHash, 0), AxuBound { numerator: 0, exponent });
        assert_eq!(bound(Family::PolyHash, n), AxuBound { numerator: 1, exponent });
        assert_eq!(bound(Family::PolyHash, n + 1), AxuBound { numerator: 2, exponent });
        assert_eq!(bound(Family::BrwHash, 10 * n), AxuBound { numerator: 21, exponent });
        assert_eq!(bound(dec, 10 * n), AxuBound { numerator: 29, exponent });
        assert_eq!(bound(Family::DecBrwHash { c: 1 }, 10 * n), bound(Family::BrwHash, 10 * n));
        assert_eq!(bound(Family::PolyHash, 1024 * n).log2(), 10.0 + f64::from(exponent));
        assert_eq!(bound(Family::PolyHash, 0).log2(), f64::NEG_INFINITY);
        assert!((bound(dec, 8 * n).log2() - (25f64.log2() + f64::from(exponent))).abs() < 1e-9);
        // The longest message there is.
        assert_eq!(bound(dec, u64::MAX).numerator, u128::from(u64::MAX.div_ceil(n)) * 2 + 9);
    }
}

/// Small primes in the shape of the two: `2^10 - 3`, and `2^13 - 1` with fewer bits in a key than in p.
const SMALL: [Params; 2] = [
    Params { name: "1021", m: 10, delta: 3, n: 8, k: 8, mu: 8 },
    Params { name: "8191", m: 13, delta: 1, n: 8, k: 12, mu: 12 },
];

/// The degree of a polynomial mod p from its values at 0, 1, 2, ...: the number of times that differences can
/// be taken before all are zero.
fn degree(mut values: Vec<BigUint>, p: &BigUint) -> usize {
    let mut degree = 0;
    loop {
        values = values.windows(2).map(|pair| (&pair[1] + p - &pair[0]) % p).collect();
        assert!(values.len() > 1, "too few values");
        if values.iter().all(|difference| *difference == BigUint::ZERO) {
            return degree;
        }
        degree += 1;
    }
}

/// The degree in the key is what Lemma 4 says (for three blocks a stream or more), and reaches the bounds.
#[test]
fn degrees() {
    let (params, mut rng) = (&SMALL[0], Rng(8));
    let p = params.p();
    for c in [1, 2, 3, 4, 8] {
        for l in 1..=40 {
            let blocks: Vec<_> =
                rng.blocks(params, l).into_iter().map(|block| block | BigUint::from(1u32)).collect();
            let values = (0..6 * l + 6 * c + 8).map(|tau| {
                let tau = BigUint::from(tau);
                Streams::new(params, c, &tau, blocks.clone()).residue(params, &tau, 8 * l as u64)
            });
            let degree = degree(values.collect(), &p);
            let rows = l.div_ceil(c);
            let highest = c * (rows + 1).next_power_of_two() + 1;
            if rows >= 3 {
                assert_eq!(degree, highest, "c = {c}, {l} blocks");
            }
            assert!(degree <= highest && highest < 2 * l + 2 * c, "c = {c}, {l} blocks: {degree}");
            let bound = axu_bound(params, Family::DecBrwHash { c: c as u64 }, 8 * l as u64);
            assert!(degree as u128 <= bound.numerator, "c = {c}, {l} blocks: {degree}");
            if c == 1 && rows >= 3 && l.is_power_of_two() {
                assert_eq!(degree as u128, bound.numerator, "{l} blocks");
            }
        }
    }
}

/// For pairs of messages, over ALL keys and ALL differences: no difference comes more often than the bound allows.
#[test]
fn no_difference_is_too_frequent() {
    type Hash = Box<dyn Fn(&Params, &[u8; 16], &[u8]) -> [u8; 16]>;
    let mut hashes: Vec<(Family, Hash)> = vec![
        (Family::PolyHash, Box::new(|p, key, msg| polyhash(p, key, msg.into()).expect("a key"))),
        (Family::BrwHash, Box::new(|p, key, msg| brwhash(p, key, msg.into()).expect("a key"))),
    ];
    for c in [2, 4] {
        let family = Family::DecBrwHash { c: c as u64 };
        hashes.push((family, Box::new(move |p, key, msg| decbrwhash(p, c, key, msg.into()).expect("a key"))));
    }
    let mut rng = Rng(9);
    for (params, pairs) in SMALL.iter().zip([40, 2]) {
        let keys: Vec<_> = (0..1u128 << params.k).map(u128::to_le_bytes).collect();
        for (family, hash) in &hashes {
            for _ in 0..pairs {
                let len = 1 + rng.next() as usize % 6;
                let x = rng.bytes(len);
                let mut y = x.clone();
                // The same length, or a shorter one: a part of x, or its last byte changed.
                if rng.next().is_multiple_of(2) {
                    y[len - 1] ^= 1
                } else {
                    y.truncate(rng.next() as usize % len)
                }
                let mut frequency = vec![0u32; 1 << params.mu];
                for key in &keys {
                    let digest = |msg: &[u8]| u128::from_le_bytes(hash(params, key, msg));
                    let difference = digest(&x).wrapping_sub(digest(&y)) % (1 << params.mu);
                    frequency[difference as usize] += 1;
                }
                let most = frequency.into_iter().max().expect("a difference");
                let bound = axu_bound(params, *family, 8 * len as u64);
                // most / 2^k <= numerator 2^exponent
                let allowed = bound.numerator << (bound.exponent + params.k as i32);
                assert!(u128::from(most) <= allowed, "{family:?}, {x:?} and {y:?}: {most} of {allowed}");
            }
        }
    }
}
