//! What the unit tests of the hashes share.
use crate::field::p1305::testing::Rng;
use carryless_reference::{BigUint, P1271, last_block, roots_of_power_of_two};
use std::vec::Vec;

/// Any key; now and then the least or the greatest ones.
pub(crate) fn key(rng: &mut Rng) -> [u8; 16] {
    match rng.next() % 8 {
        0 => ((1u128 << 126) - 1 - u128::from(rng.next() % 3)).to_le_bytes(),
        1 => u128::from(rng.next() % 4).to_le_bytes(),
        _ => {
            let mut key = rng.key();
            key[15] &= 0x3f;
            key
        }
    }
}

/// Keys and messages of polyHash1271 with residues next to 0 and to p; and blocks of ones under keys whose
/// powers are next to p.
pub(crate) fn special_messages() -> Vec<([u8; 16], Vec<u8>)> {
    let (mut rng, p) = (Rng(43), P1271.p());
    let mut found = Vec::new();
    for small in 0..3u8 {
        for residue in [BigUint::from(small), &p - small - 1u8] {
            let mut blocks = 1;
            // One prefix in 128 has such a last block; none has 0 if it is empty.
            while blocks < if cfg!(miri) { 2 } else { 12 } {
                let mut key = key(&mut rng);
                key[0] |= 2;
                let mut msg = rng.bytes(15 * blocks);
                if let Some(last) = last_block(&P1271, &key, &msg, &residue).expect("below 2^126") {
                    msg.extend(last);
                    found.push((key, msg));
                    blocks += 1;
                }
            }
        }
        for key in roots_of_power_of_two(&P1271, &(&p - small - 1u8), 4) {
            found.push((key, std::vec![0xff; 15 * 20]));
        }
    }
    found
}
