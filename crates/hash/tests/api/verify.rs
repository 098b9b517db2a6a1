//! The right tag is accepted, every other one is refused.
use crate::common::{Rng, backends, pick};
use carryless_hash::poly1305::{Poly1305, mac, verify};
use carryless_hash::{Tag, TagMismatch};
use ctutils::CtEq;

fn stream_verify(cpu: carryless_hash::Cpu, key: &[u8; 32], msg: &[u8], tag: &Tag) -> Result<(), TagMismatch> {
    let mut stream = Poly1305::on(cpu, key);
    stream.update(msg);
    stream.verify(tag)
}

#[test]
fn a_tag_with_one_bit_changed_is_refused() {
    let mut rng = Rng(40);
    for len in [0, 1, 16, 33, 64, 100, 257, 1000, 5000].into_iter().take(pick(9, 6, 3)) {
        let (key, msg) = (rng.array(), rng.bytes(len));
        let right = carryless_reference::poly1305(&key, &msg);
        assert_eq!(verify(&key, &msg, &Tag::from(right)), Ok(()));
        for &cpu in backends() {
            assert_eq!(stream_verify(cpu, &key, &msg, &Tag::from(right)), Ok(()), "{}", cpu.name());
        }
        for bit in (0..128).step_by(pick(1, 1, 17)) {
            let mut wrong = right;
            wrong[bit / 8] ^= 1 << (bit % 8);
            let wrong = Tag::from(wrong);
            assert_eq!(verify(&key, &msg, &wrong), Err(TagMismatch), "bit {bit}, {len} bytes");
            for &cpu in backends() {
                let result = stream_verify(cpu, &key, &msg, &wrong);
                assert_eq!(result, Err(TagMismatch), "bit {bit}, {len} bytes, {}", cpu.name());
            }
        }
    }
}

#[test]
fn a_changed_message_or_key_is_refused() {
    let mut rng = Rng(41);
    let (key, msg): ([u8; 32], _) = (rng.array(), rng.bytes(70));
    let tag = mac(&key, &msg);
    for bit in (0..8 * msg.len()).step_by(pick(1, 3, 50)) {
        let mut other = msg.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(verify(&key, &other, &tag), Err(TagMismatch), "message bit {bit}");
    }
    let clamped = |bit: usize| bit < 128 && 0x0ffffffc_0ffffffc_0ffffffc_0fffffff_u128 >> bit & 1 == 0;
    for bit in (0..256).step_by(pick(1, 3, 50)) {
        let mut other = key;
        other[bit / 8] ^= 1 << (bit % 8);
        // Clamping ignores 22 bits of r, and must ignore exactly these.
        assert_eq!(verify(&other, &msg, &tag).is_ok(), clamped(bit), "key bit {bit}");
    }
    assert_eq!(verify(&key, &msg[..69], &tag), Err(TagMismatch));
    assert_eq!(verify(&key, &[&msg[..], &[0]].concat(), &tag), Err(TagMismatch));
}

#[test]
fn tags_compare_whole() {
    let tag = Tag::from([7; 16]);
    assert_eq!(tag, Tag::from(tag.to_bytes()));
    for bit in 0..128 {
        let mut other = [7; 16];
        other[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(tag, Tag::from(other), "bit {bit}");
    }
    assert_eq!(tag.as_bytes(), &[7; 16]);
}

#[test]
fn tags_convert() {
    let bytes: [u8; 16] = std::array::from_fn(|i| (17 * i) as u8);
    let tag = Tag::from(bytes);
    assert_eq!((tag.as_ref(), <[u8; 16]>::from(tag)), (&bytes[..], bytes));
    assert_eq!(Tag::try_from(&bytes[..]).ok(), Some(tag));
    assert!(Tag::try_from(&bytes[..15]).is_err() && Tag::try_from(&[0; 17][..]).is_err());
    let hex = "00112233445566778899aabbccddeeff";
    assert_eq!((tag.to_string(), format!("{tag:x}")), (hex.into(), hex.into()));
    assert_eq!(format!("{tag:?}"), format!("Tag({hex})"));
    assert!(tag.ct_eq(&Tag::from(bytes)).to_bool() && !tag.ct_eq(&Tag::from([0; 16])).to_bool());
}

/// A key with its powers ready verifies, and its streams are those of the key.
#[test]
fn prepared_keys_verify_and_stream() {
    let mut rng = Rng(42);
    for len in [0, 5, 100, 1000, 20_000].into_iter().take(pick(5, 4, 2)) {
        let (key, msg): ([u8; 32], _) = (rng.array(), rng.bytes(len));
        let (r, s) = (key[..16].try_into().expect("r"), key[16..].try_into().expect("s"));
        let tag = Tag::from(carryless_reference::poly1305(&key, &msg));
        for &cpu in backends() {
            let prepared = carryless_hash::poly1305::PreparedKey::on(cpu, r);
            assert_eq!(prepared.verify(s, &msg, &tag), Ok(()), "{len} bytes, {}", cpu.name());
            assert_eq!(prepared.verify(s, &msg, &Tag::from([9; 16])), Err(TagMismatch));
            let mut stream = prepared.stream(s);
            msg.chunks(333).for_each(|piece| stream.update(piece));
            assert_eq!(stream.finalize(), tag, "{len} bytes, {}", cpu.name());
        }
    }
}
