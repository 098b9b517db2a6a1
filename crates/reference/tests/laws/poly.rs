//! Properties of every polynomial hash.
use carryless_reference::{
    BigUint, KeyOutOfRange, Message, P1271, P1305, WrongBitLength, last_block, polyhash, polyhash_residue,
    polyhash1305_residue, roots_of_power_of_two,
};

#[test]
fn what_is_refused() {
    assert_eq!(polyhash(&P1271, &[0xff; 16], b""[..].into()), Err(KeyOutOfRange));
    let bad: [(&[u8], usize); 5] = [(b"", 1), (b"\x02", 1), (b"\x01", 9), (b"\x01\x01", 8), (b"\x01\x02", 9)];
    for (data, bits) in bad {
        assert_eq!(Message::of_bits(data, bits).err(), Some(WrongBitLength), "{data:?} {bits}");
    }
    assert!(Message::of_bits(b"\x01\x01", 9).is_ok());
}

#[test]
fn a_wanted_residue_is_reached() {
    for (params, key) in [(&P1305, *b"random-like key "), (&P1271, *b"random-like key ")] {
        for residue in (0..7u32).map(BigUint::from).chain((1..7u32).map(|d| params.p() - d)) {
            let reached = (0..4096u16).any(|trial| {
                let mut prefix = vec![0x33; params.n as usize / 8];
                prefix[..2].copy_from_slice(&trial.to_le_bytes());
                last_block(params, &key, &prefix, &residue).expect("a key").is_some_and(|block| {
                    let msg = [prefix, block].concat();
                    assert_eq!(polyhash_residue(params, &key, msg[..].into()), Ok(residue.clone()));
                    true
                })
            });
            assert!(reached, "{}: {residue}", params.name);
        }
    }
    assert_eq!(polyhash1305_residue(&[1; 16], b""), [0; 17]);
}

#[test]
fn roots_are_roots() {
    for params in [&P1305, &P1271] {
        let p = params.p();
        let mut found = 0;
        for value in (1..7u32).map(|d| &p - d) {
            for key in roots_of_power_of_two(params, &value, 3) {
                let tau = params.key(&key).expect("a key");
                let mut powers = [2u32, 4, 8].iter().map(|e| tau.modpow(&BigUint::from(*e), &p));
                assert!(powers.any(|power| power == value));
                found += 1;
            }
        }
        assert!(found > 3, "{}: {found}", params.name);
    }
}
