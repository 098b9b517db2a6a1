//! Extreme keys, extreme messages, and residues next to 0 and next to p, which random inputs do not reach.
use crate::common::{Rng, check, pick, weird_keys};
use carryless_reference::{BigUint, P1305, last_block};

/// A 32-byte key of `tau` (for Poly1305: r before clamping) and an s that makes the last addition wrap.
fn with_mask(tau: &[u8; 16], s: u128) -> [u8; 32] {
    let mut key = [0; 32];
    key[..16].copy_from_slice(tau);
    key[16..].copy_from_slice(&s.to_le_bytes());
    key
}

fn lengths() -> Vec<usize> {
    let all = vec![
        0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 79, 80, 96, 112, 127, 128, 129, 144, 191, 192, 208,
        255, 256, 257, 272, 320, 384, 511, 512, 513, 640, 768, 1008, 1024, 1040, 2047, 2048, 2064, 4095,
        4096, 4112, 6144, 8192,
    ];
    all.into_iter().filter(|&len| len <= pick(usize::MAX, 1024, 80)).step_by(pick(1, 2, 3)).collect()
}

#[test]
fn constant_messages_under_extreme_keys() {
    for (i, tau) in weird_keys().iter().enumerate().step_by(pick(1, 4, 30)) {
        for len in lengths() {
            for byte in [0x00, 0xff] {
                check(&with_mask(tau, if i % 2 == 0 { u128::MAX } else { 0 }), &vec![byte; len]);
            }
        }
    }
}

#[test]
fn extreme_blocks_under_extreme_keys() {
    let mut rng = Rng(5);
    for tau in weird_keys().iter().step_by(pick(1, 4, 30)) {
        for len in lengths() {
            check(&with_mask(tau, rng.word().into()), &rng.weird_bytes(len));
        }
    }
}

/// Residues where a final reduction can go wrong: around 0, 2^128, 2^129 and p.
fn edge_residues() -> Vec<BigUint> {
    let p = P1305.p();
    let near = |x: BigUint| (0..7u32).flat_map(move |d| [&x + d, &x - d]);
    let one = BigUint::from(1u32);
    let mut all: Vec<BigUint> = (0..7u32).map(BigUint::from).chain((1..7u32).map(|d| &p - d)).collect();
    all.extend(near(&one << 128u32).chain(near(&one << 129u32)).step_by(3));
    all
}

/// A message of `blocks` blocks with the wanted residue: random ones but the last, which is solved for.
fn crafted(rng: &mut Rng, tau: &[u8; 16], blocks: usize, residue: &BigUint) -> Option<Vec<u8>> {
    (0..64).find_map(|_| {
        let mut msg = rng.bytes(16 * (blocks - 1));
        let last = last_block(&P1305, tau, &msg, residue).expect("a key")?;
        msg.extend(last);
        Some(msg)
    })
}

#[test]
#[cfg_attr(miri, ignore = "solving for a block takes Miri seconds")]
fn crafted_residues() {
    let mut rng = Rng(6);
    let (mut made, mut wanted) = (0, 0);
    for residue in edge_residues().iter().step_by(pick(1, 2, 8)) {
        for blocks in
            (2..=pick(36, 12, 5)).chain([64, 65, 100, 257, 385, 640].into_iter().take(pick(6, 1, 0)))
        {
            let r: u128 = u128::from_le_bytes(rng.array()) & 0x0ffffffc_0ffffffc_0ffffffc_0fffffff;
            for tau in [r.to_le_bytes(), rng.array()] {
                wanted += 1;
                let Some(msg) = crafted(&mut rng, &tau, blocks, residue) else { continue };
                made += 1;
                for s in [0, u128::MAX] {
                    check(&with_mask(&tau, s), &msg);
                }
            }
        }
    }
    assert!(made > wanted * 9 / 10, "only {made} of {wanted} residues could be made");
}

/// The definition's corners: no message, the key 0, and messages that differ by zeros at the end.
#[test]
fn corners() {
    check(&[0; 32], b"");
    check(&[0xff; 32], b"");
    assert_eq!(carryless_hash::polyhash1305::digest(&[0xff; 16], b""), [0; 16]);
    assert_eq!(carryless_hash::polyhash1305::digest(&[0; 16], b"any message"), [0; 16]);
    let s = [0xab; 16];
    assert_eq!(
        carryless_hash::poly1305::mac(&with_mask(&[0; 16], u128::from_le_bytes(s)), b"any").to_bytes(),
        s
    );
    let zeros = [0; 100];
    let digests: std::collections::HashSet<_> =
        (0..=100).map(|len| carryless_hash::polyhash1305::digest(&[3; 16], &zeros[..len])).collect();
    assert_eq!(digests.len(), 101, "padding tells a message from the message with zeros appended");
}
