//! Published examples. Their base points P are none of the library's generators, so points are computed here.
use super::*;
use carryless_gf2::curve::{AffinePoint, DstuM163, DstuM173, Gls254};
use std::string::String;

fn hex(digits: &str, bytes: usize) -> Vec<u8> {
    let padded = String::from("0").repeat(2 * bytes - digits.len()) + digits;
    let byte = |i: usize| u8::from_str_radix(&padded[i..i + 2], 16).expect("digits");
    (0..padded.len()).step_by(2).map(byte).collect()
}

/// Numbers in hexadecimal: x and y of the base point, the hash, d, e, r and s.
fn example<C: BinaryCurve>([x, y, hash, d, e, r, s]: [&str; 7]) {
    let element = |digits| {
        let mut bytes = hex(digits, ElementOf::<C>::BYTES);
        bytes.reverse();
        ElementOf::<C>::from_le_bytes(&bytes).expect("an element")
    };
    let scalar = |digits| Scalar::<C>::from_be_bytes(&hex(digits, Scalar::<C>::BYTES)).expect("below n");
    let base = AffinePoint::<C>::from_coordinates(element(x), element(y)).expect("a point");
    let mut hash = hex(hash, hash.len() / 2);
    hash.reverse();
    let (h, d, e) = (element_of_hash::<C>(&hash), scalar(d), scalar(e));
    let expected = Signature::from_scalars(scalar(r), scalar(s)).expect("in range");
    assert_eq!(pair(&h, (base * e).x(), &e, &d), Some(expected));
    // As a verifier computes r.
    let public = -(base * d);
    let point = base * *expected.s() + public * *expected.r();
    assert_eq!(number::<C>(&(h * *point.x())), *expected.r());
    assert_eq!(Signature::from_dstu_bytes(&expected.to_dstu_bytes()), Ok(expected));
}

/// The example of the standard, appendix B.
#[test]
fn example_of_the_standard() {
    example::<DstuM163>([
        "72d867f93a93ac27df9ff01affe74885c8c540420",
        "0224a9c3947852b97c5599d5f4ab81122adc3fd9b",
        "09c9c44277910c9aaee486883a2eb95b7180166ddf73532eeb76edaef52247ff",
        "183f60fdf7951ff47d67193f8d073790c1c9b5a3e",
        "1025e40bd97db012b7a1d79de8e12932d247f61c6",
        "274ea2c0caa014a0d80a424f59ade7a93068d08a7",
        "2100d86957331832b8e8c230f5bd6a332b3615aca",
    ]);
}

/// An example of BouncyCastle, on a curve with h = 4.
#[test]
fn example_of_bouncy_castle() {
    example::<DstuM173>([
        "be6628ec3e67a91a4e470894fba72b52c515f8aee9",
        "d9deedf655cf5412313c11ca566cdc71f4da57db45c",
        "0137187ea862117ef1484289470ecac802c5a651fda8",
        "955cd7e344303d1034e66933dc21c8044d42adb8",
        "137449348c1249971759d99c252ffe1e14d8b31f",
        "13ae89746386709cdbd237cc5ec20ca30004a82ead8",
        "3597912cdd093b3e711ccb74a79d3c4ab4c7cccdc60",
    ]);
}

#[test]
fn the_first_bits_of_a_hash_are_an_element() {
    type E = ElementOf<DstuM163>;
    let of = |hash: &[u8]| element_of_hash::<DstuM163>(hash);
    assert_eq!(of(&[]), E::one());
    assert_eq!(of(&[0; 64]), E::one());
    // Bits from z^163 on are dropped, and one that is dropped does not make the rest 0.
    assert_eq!(of(&[[0; 20].as_slice(), &[8]].concat()), E::one());
    let last = of(&[[0; 20].as_slice(), &[0xfc, 0xff]].concat());
    assert_eq!(last.as_words(), [0, 0, 4 << 32]);
    assert_eq!(of(&[2]).as_words(), [2, 0, 0]);
    // Both parts of an extension.
    let both = element_of_hash::<Gls254>(&[0xff; 40]);
    assert_eq!(both.as_words(), [u64::MAX, u64::MAX >> 1, u64::MAX, u64::MAX >> 1]);
}

#[test]
fn signatures_may_be_longer() {
    let (r, s) = (Scalar::<DstuM163>::from_u64(0x1234), Scalar::from_u64(1));
    let expected = Signature::from_scalars(r, s).expect("not 0");
    let bytes = expected.to_dstu_bytes();
    assert_eq!((bytes[0], bytes[1], bytes[21], bytes.len()), (0x34, 0x12, 1, 42));
    let longer = |last: u8| [&bytes[..21], &[0; 11], &bytes[21..], &[0; 10], &[last]].concat();
    assert_eq!(Signature::from_dstu_bytes(&longer(0)), Ok(expected));
    assert_eq!(Signature::<DstuM163>::from_dstu_bytes(&longer(1)), Err(SignatureError::S));
    assert_eq!(Signature::<DstuM163>::from_dstu_bytes(&[0xff; 42]), Err(SignatureError::R));
    for found in [0, 41, 43] {
        let error = SignatureError::Length { expected: 42, found };
        assert_eq!(Signature::<DstuM163>::from_dstu_bytes(&vec![0; found]), Err(error));
    }
}
