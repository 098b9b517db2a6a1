//! BRW polynomials and the hashes over them.
use crate::Rng;
use carryless_reference::{
    BigUint, KeyOutOfRange, Message, P1271, P1305, Params, brw, brwhash, brwhash_residue, decbrwhash,
    decbrwhash_residue, outer_exponent,
};

/// The recursion, multiplied out by hand for up to nine blocks.
#[test]
fn small_brw_polynomials() {
    let mut rng = Rng(2);
    for params in [&P1305, &P1271] {
        let ((x, _), m) = (rng.key(params), rng.blocks(params, 9));
        let [x2, x4, x8] = [2, 4, 8].map(|e: u32| x.modpow(&e.into(), &params.p()));
        let three = |i: usize| (&x + &m[i]) * (&x2 + &m[i + 1]) + &m[i + 2];
        let four = three(0) * (&x4 + &m[3]);
        let eight = (&four + three(4)) * (&x8 + &m[7]);
        let values = [
            BigUint::ZERO,
            m[0].clone(),
            &m[0] * &x + &m[1],
            three(0),
            four.clone(),
            &four + &m[4],
            &four + &m[4] * &x + &m[5],
            &four + three(4),
            eight.clone(),
            eight + &m[8],
        ];
        for (l, value) in values.into_iter().enumerate() {
            assert_eq!(brw(params, &x, &m[..l]), value % params.p(), "{} blocks", l);
        }
    }
}

/// Messages of all lengths, in bits and in bytes.
fn messages(rng: &mut Rng, check: impl Fn(&Params, &(BigUint, [u8; 16]), Message<'_>)) {
    for params in [&P1305, &P1271] {
        for bits in (0..400usize).chain((400..8000).step_by(61)) {
            let mut data = rng.bytes(bits.div_ceil(8));
            if !bits.is_multiple_of(8) {
                *data.last_mut().expect("a byte") &= (1 << (bits % 8)) - 1;
            }
            check(params, &rng.key(params), Message::of_bits(&data, bits).expect("a message"));
        }
    }
}

/// One stream is no decimation at all.
#[test]
fn one_stream_is_brwhash() {
    messages(&mut Rng(3), |params, (_, key), msg| {
        assert_eq!(decbrwhash_residue(params, 1, key, msg), brwhash_residue(params, key, msg));
        assert_eq!(decbrwhash(params, 1, key, msg), brwhash(params, key, msg));
    });
}

/// With at least as many streams as blocks, every stream has one block, d = 2 and Q_(c+1) is
/// `M_1 tau^(2(c-1)) + ... + M_c`.
#[test]
fn many_streams_are_a_polynomial_in_the_square() {
    messages(&mut Rng(4), |params, (tau, key), msg| {
        let (blocks, bits) = msg.pad2(params.n);
        for c in (blocks.len()..blocks.len() + 3).filter(|c| *c > 0) {
            let p = params.p();
            let outer = (0..c).fold(BigUint::ZERO, |sum, i| {
                (sum * tau * tau + blocks.get(i).unwrap_or(&BigUint::ZERO)) % &p
            });
            let residue = tau * (tau * outer + bits) % &p;
            assert_eq!(decbrwhash_residue(params, c, key, msg), Ok(residue), "{} blocks", blocks.len());
        }
    });
}

/// `d` is the first power of two above n, for n blocks a stream.
#[test]
fn outer_exponents() {
    let expected = [1, 2, 4, 4, 8, 8, 8, 8, 16];
    for (rows, d) in (0..).zip(expected) {
        assert_eq!(outer_exponent(rows), d, "{rows}");
    }
    assert_eq!(outer_exponent((1 << 40) - 1), 1 << 40);
    assert_eq!(outer_exponent(1 << 40), 1 << 41);
}

/// Zero bits at the end of a message count: its length distinguishes X from X || 0.
#[test]
fn zeros_at_the_end_count() {
    let (_, key) = Rng(5).key(&P1271);
    let zeros = [0; 100];
    for params in [&P1305, &P1271] {
        let mut digests = Vec::new();
        for bits in 0..=800 {
            let msg = Message::of_bits(&zeros[..usize::div_ceil(bits, 8)], bits).expect("a message");
            digests.push((brwhash(params, &key, msg), decbrwhash(params, 4, &key, msg)));
        }
        assert_eq!(digests[0], (Ok([0; 16]), Ok([0; 16])), "the empty message");
        let all = digests.len();
        digests.sort_by_key(|(a, _)| a.expect("a key"));
        digests.dedup_by_key(|(a, _)| *a);
        assert_eq!(digests.len(), all);
    }
}

/// A key with a bit above the allowed ones is an error in every function, whatever the message.
#[test]
fn keys_that_are_too_long() {
    for bit in 126..128 {
        let key = (1u128 << bit).to_le_bytes();
        for data in [&b""[..], b"message"] {
            assert_eq!(brwhash(&P1271, &key, data.into()), Err(KeyOutOfRange));
            assert_eq!(decbrwhash(&P1271, 4, &key, data.into()), Err(KeyOutOfRange));
            assert!(brwhash(&P1305, &key, data.into()).is_ok());
            assert!(decbrwhash(&P1305, 4, &key, data.into()).is_ok());
        }
    }
    let most = ((1u128 << 126) - 1).to_le_bytes();
    assert!(brwhash(&P1271, &most, b"message"[..].into()).is_ok());
}
