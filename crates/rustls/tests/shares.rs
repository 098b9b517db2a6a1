//! Shares as oqs-provider has them, and shares that no peer should send.
use carryless_hqc::tls::{Group, X448_HQC3, X25519_HQC1};
use carryless_hqc::{Ciphertext, DecapsulationKey, EncapsulationKey, Hqc1};
use carryless_rustls::{HQC1, HQC3, HQC5, HqcGroup, aws_lc_rs, ring};
use rustls::crypto::SupportedKxGroup;
use rustls::crypto::ring::kx_group;
use rustls::{Error, PeerMisbehaved, ProtocolVersion};

const INVALID: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

fn groups() -> Vec<(&'static dyn SupportedKxGroup, Group)> {
    let all = [aws_lc_rs::HYBRIDS, ring::HYBRIDS, &[HQC1, HQC3, HQC5]].concat();
    let row = |group: &&'static dyn SupportedKxGroup| {
        let rows = carryless_hqc::tls::GROUPS;
        *rows.iter().find(|row| row.code_point == u16::from(group.name())).expect("a row")
    };
    all.iter().map(|group| (*group, row(group))).collect()
}

#[test]
fn shares_and_secrets_have_their_sizes_and_agree() {
    for (group, row) in groups() {
        let client = group.start().expect("a share");
        assert_eq!(client.pub_key().len(), row.client_share_bytes());
        let server = group.start_and_complete(client.pub_key()).expect("a share");
        assert_eq!(server.pub_key.len(), row.server_share_bytes());
        let secret = client.complete(&server.pub_key).expect("a secret");
        assert_eq!(secret.secret_bytes().len(), row.secret_bytes());
        assert_eq!(secret.secret_bytes(), server.secret.secret_bytes());
        assert!(!group.usable_for_version(ProtocolVersion::TLSv1_2) && !group.fips());
    }
}

/// The client's side by hand: the curve's part comes first everywhere.
#[test]
fn the_classical_part_is_the_first() {
    let curve = kx_group::X25519.start().expect("a key");
    let dk = DecapsulationKey::<Hqc1>::from_seed(&[7; 32]);
    let share = [curve.pub_key(), dk.encapsulation_key().as_bytes()].concat();
    let server = ring::X25519_HQC1.start_and_complete(&share).expect("a share");
    let (point, ciphertext) = server.pub_key.split_at(32);
    let first = curve.complete(point).expect("a secret");
    let second = dk.decapsulate(&Ciphertext::from_bytes(ciphertext).expect("a ciphertext"));
    assert_eq!(server.secret.secret_bytes(), [first.secret_bytes(), second.as_bytes()].concat());
}

/// The server's side by hand.
#[test]
fn the_clients_share_ends_with_the_encapsulation_key() {
    let client = ring::X25519_HQC1.start().expect("a share");
    let (point, key) = client.pub_key().split_at(32);
    let curve = kx_group::X25519.start_and_complete(point).expect("a secret");
    let ek = EncapsulationKey::<Hqc1>::from_bytes(key).expect("a key");
    let (ciphertext, second) = ek.encapsulate_deterministic(&[1; 16], &[2; 16]);
    let expected = [curve.secret.secret_bytes(), second.as_bytes()].concat();
    let share = [&curve.pub_key[..], ciphertext.as_bytes()].concat();
    assert_eq!(client.complete(&share).expect("a secret").secret_bytes(), expected);
}

#[test]
fn shares_of_a_wrong_length_are_refused() {
    for (group, row) in groups() {
        let right = [row.client_share_bytes(), row.server_share_bytes()];
        let lengths =
            right.into_iter().flat_map(|bytes| [0, 1, 31, 32, 65, bytes - 1, bytes, bytes + 1, 16_000]);
        let others = carryless_hqc::tls::GROUPS
            .iter()
            .flat_map(|other| [other.client_share_bytes(), other.server_share_bytes()]);
        for bytes in lengths.chain(others) {
            let share = vec![4; bytes];
            if bytes != right[0] {
                assert_eq!(group.start_and_complete(&share).err(), Some(INVALID), "{row:?}, {bytes} bytes");
            }
            if bytes != right[1] {
                let error = group.start().expect("a share").complete(&share).err();
                assert_eq!(error, Some(INVALID), "{row:?}, {bytes} bytes");
            }
        }
    }
}

#[test]
fn garbage_of_the_right_length_is_refused_or_gives_another_secret() {
    for (group, row) in groups() {
        for byte in [0, 1, 4, 0x55, 0xff] {
            let curve_refuses = row.classical.is_some() && (row.name != "x25519_hqc1" || byte == 0);
            // With 0xff, bits of the key are set that belong to no coefficient.
            let sent = group.start_and_complete(&vec![byte; row.client_share_bytes()]);
            if curve_refuses || byte == 0xff {
                assert_eq!(sent.err(), Some(INVALID), "{row:?}, {byte}");
            }
            let client = group.start().expect("a share");
            let server = group.start_and_complete(client.pub_key()).expect("a share");
            let found = client.complete(&vec![byte; row.server_share_bytes()]);
            match found {
                Err(error) => assert!(curve_refuses && error == INVALID, "{row:?}, {byte}: {error}"),
                Ok(secret) => assert_ne!(secret.secret_bytes(), server.secret.secret_bytes()),
            }
        }
    }
}

#[test]
fn groups_without_the_half_that_they_name_report_it() {
    static WRONG: HqcGroup = HqcGroup::hybrid(X448_HQC3, kx_group::X25519);
    static MISSING: HqcGroup = HqcGroup::alone(X25519_HQC1);
    let text = |error: Option<Error>| error.expect("an error").to_string();
    assert!(text(WRONG.start().err()).contains("x448_hqc3"));
    assert!(text(MISSING.start().err()).contains("x25519_hqc1"));
    let share = vec![0; X25519_HQC1.client_share_bytes()];
    assert!(text(MISSING.start_and_complete(&share).err()).contains("x25519_hqc1"));
}
