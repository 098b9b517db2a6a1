//! Poly1305 of strings of bits, as paper 003 (section 2) has it.
use crate::common::{backends, pick};
use carryless_hash::{WrongBitLength, poly1305};
use carryless_reference::{Message, P1305, polyhash};

/// RFC 8439's mask of r.
const CLAMP: u128 = 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;

#[test]
fn every_number_of_bits() {
    let key: [u8; 32] = core::array::from_fn(|i| (i * 29 + 101) as u8);
    let [r, s] = [0, 16].map(|at| u128::from_le_bytes(key[at..at + 16].try_into().unwrap()));
    let bytes: Vec<u8> = (0..300).map(|i| (i * 131 + 255) as u8).collect();
    for bits in (0..8 * 300_usize).step_by(pick(1, 7, 500)) {
        let mut msg = bytes[..bits.div_ceil(8)].to_vec();
        if bits % 8 > 0 {
            *msg.last_mut().unwrap() &= (1 << (bits % 8)) - 1;
        }
        let message = Message::of_bits(&msg, bits).unwrap();
        let digest = polyhash(&P1305, &(r & CLAMP).to_le_bytes(), message).unwrap();
        let want = u128::from_le_bytes(digest).wrapping_add(s).to_le_bytes();
        for &cpu in backends() {
            let got = poly1305::mac_bits_on(cpu, &key, &msg, bits as u64).unwrap();
            assert_eq!(got.to_bytes(), want, "{bits} bits on {}", cpu.name());
        }
        if bits % 8 == 0 {
            assert_eq!(poly1305::mac(&key, &msg).to_bytes(), want);
        }
    }
    let cpu = backends()[0];
    assert_eq!(poly1305::mac_bits_on(cpu, &key, &[2], 1), Err(WrongBitLength));
    assert_eq!(poly1305::mac_bits_on(cpu, &key, &[1, 0], 8), Err(WrongBitLength));
}
