//! Handshakes of rustls with every group, between both providers, and handshakes that fail.
mod common;

use carryless_rustls::{HQC1, HQC3, HQC5, HqcGroup, Place, aws_lc_rs, ring, with_groups};
use common::{Identity, client, feed, handshake, only, server, written};
use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup,
};
use rustls::{ClientConnection, Error, HandshakeKind, NamedGroup, PeerMisbehaved, ProtocolVersion};
use std::io::{ErrorKind, Read, Write};

const ALONE: [&dyn SupportedKxGroup; 3] = [HQC1, HQC3, HQC5];

/// Shakes hands and sends a message each way. Returns the group and the kind of handshake.
fn exchange(identity: &Identity, [ours, theirs]: [CryptoProvider; 2]) -> (NamedGroup, HandshakeKind) {
    let (mut client, mut server) = (client(identity, ours), server(identity, theirs));
    handshake(&mut client, &mut server).expect("a handshake");
    assert_eq!(client.protocol_version(), Some(ProtocolVersion::TLSv1_3));
    let group = client.negotiated_key_exchange_group().expect("a group").name();
    assert_eq!(server.negotiated_key_exchange_group().expect("a group").name(), group);

    let mut text = String::new();
    client.writer().write_all(b"question").expect("room");
    client.send_close_notify();
    feed(&mut |input| server.read_tls(input), &written(&mut |out| client.write_tls(out)));
    server.process_new_packets().expect("a message");
    server.reader().read_to_string(&mut text).expect("text");
    assert_eq!(text, "question");
    (group, client.handshake_kind().expect("a handshake"))
}

#[test]
fn every_group_shakes_hands_between_all_providers() {
    let identity = Identity::new();
    let providers =
        || [rustls::crypto::aws_lc_rs::default_provider(), rustls::crypto::ring::default_provider()];
    let groups = [[aws_lc_rs::HYBRIDS, &ALONE].concat(), [ring::HYBRIDS, &ALONE].concat()];
    let code_points = [65077, 65076, 65079, 65075, 65078, 65081];
    for (ours, provider) in groups.iter().zip(providers()) {
        for (theirs, other) in groups.iter().zip(providers()) {
            for ((mine, yours), code_point) in ours.iter().zip(theirs).zip(code_points) {
                let pair = [only(provider.clone(), &[*mine]), only(other.clone(), &[*yours])];
                let (group, kind) = exchange(&identity, pair);
                assert_eq!((u16::from(group), kind), (code_point, HandshakeKind::Full));
            }
        }
    }
}

#[test]
fn providers_propose_hqc_first_or_last() {
    let identity = Identity::new();
    let provider = aws_lc_rs::provider;
    let (group, _) = exchange(&identity, [provider(Place::First), provider(Place::First)]);
    assert_eq!(u16::from(group), 65077);
    // Both prefer what rustls prefers.
    let (group, _) = exchange(&identity, [provider(Place::Last), provider(Place::Last)]);
    assert_eq!(group, rustls::crypto::aws_lc_rs::default_provider().kx_groups[0].name());
    let twice = with_groups(provider(Place::First), aws_lc_rs::HYBRIDS, Place::Last);
    assert_eq!(twice.kx_groups.len(), provider(Place::First).kx_groups.len());
}

#[test]
fn a_server_without_hqc_takes_the_classical_half_of_the_share() {
    let theirs = only(rustls::crypto::ring::default_provider(), &[rustls::crypto::ring::kx_group::X25519]);
    let (group, kind) = exchange(&Identity::new(), [ring::provider(Place::First), theirs]);
    assert_eq!((group, kind), (NamedGroup::X25519, HandshakeKind::Full));
}

#[test]
fn a_server_with_another_group_asks_for_its_share() {
    let identity = Identity::new();
    for group in [ring::P384_HQC3, HQC5] {
        let ours = with_groups(ring::provider(Place::First), &ALONE, Place::Last);
        let theirs = only(rustls::crypto::ring::default_provider(), &[group]);
        let (found, kind) = exchange(&identity, [ours, theirs]);
        assert_eq!((found, kind), (group.name(), HandshakeKind::FullWithHelloRetryRequest));
    }
}

#[test]
fn code_points_can_be_changed() {
    use carryless_hqc::tls::{Group, X25519_HQC1};
    static MINE: HqcGroup =
        HqcGroup::hybrid(Group { code_point: 0xfe99, ..X25519_HQC1 }, rustls::crypto::ring::kx_group::X25519);
    let provider = || only(rustls::crypto::ring::default_provider(), &[&MINE]);
    let (group, _) = exchange(&Identity::new(), [provider(), provider()]);
    assert_eq!(u16::from(group), 0xfe99);
    assert_eq!(MINE.group().name, "x25519_hqc1");
}

/// A group whose shares are cut, on both sides.
#[derive(Debug)]
struct Cut(&'static dyn SupportedKxGroup, usize);

struct ActiveCut(Box<dyn ActiveKeyExchange>, Vec<u8>);

impl SupportedKxGroup for Cut {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let active = self.0.start()?;
        let share = active.pub_key()[..active.pub_key().len() - self.1].to_vec();
        Ok(Box::new(ActiveCut(active, share)))
    }
    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let mut done = self.0.start_and_complete(peer)?;
        done.pub_key.truncate(done.pub_key.len() - self.1);
        Ok(done)
    }
    fn name(&self) -> NamedGroup {
        self.0.name()
    }
}

impl ActiveKeyExchange for ActiveCut {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        self.0.complete(peer)
    }
    fn pub_key(&self) -> &[u8] {
        &self.1
    }
    fn group(&self) -> NamedGroup {
        self.0.group()
    }
}

#[test]
fn cut_shares_end_the_handshake_with_an_error_of_the_peer() {
    static ONE: Cut = Cut(HQC1, 1);
    static MOST: Cut = Cut(HQC1, 2200);
    let (identity, provider) = (Identity::new(), rustls::crypto::ring::default_provider);
    for cut in [&ONE, &MOST] {
        for (ours, theirs, by_server) in
            [(cut as &'static dyn SupportedKxGroup, HQC1, true), (HQC1, cut, false)]
        {
            let mut client = client(&identity, only(provider(), &[ours]));
            let mut server = server(&identity, only(provider(), &[theirs]));
            let error = handshake(&mut client, &mut server).expect_err("a cut share");
            assert_eq!(error, (Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare), by_server));
        }
    }
}

/// A handshake up to the server's first flight: the client, and what the server sent.
fn first_flight(identity: &Identity) -> (ClientConnection, Vec<u8>) {
    let provider = || only(rustls::crypto::ring::default_provider(), &[ring::X25519_HQC1]);
    let (mut client, mut server) = (client(identity, provider()), server(identity, provider()));
    feed(&mut |input| server.read_tls(input), &written(&mut |out| client.write_tls(out)));
    server.process_new_packets().expect("a hello");
    let flight = written(&mut |out| server.write_tls(out));
    (client, flight)
}

#[test]
fn a_server_that_stops_leaves_the_client_waiting() {
    let identity = Identity::new();
    for part in 0..16 {
        let (mut client, flight) = first_flight(&identity);
        feed(&mut |input| client.read_tls(input), &flight[..flight.len() * part / 16]);
        client.process_new_packets().expect("no error yet");
        assert!(client.is_handshaking());
        // The end of the stream is an error of the connection's reader, which a program sees.
        let error = client.complete_io(&mut Silent).expect_err("the end");
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }
}

/// A peer that reads everything and sends nothing.
struct Silent;

impl Read for Silent {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }
}

impl Write for Silent {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_changed_ciphertext_ends_the_handshake() {
    let identity = Identity::new();
    // The server's share ends some bytes before the end of the first record.
    for place in [400, 2000, 4000] {
        let (mut client, mut flight) = first_flight(&identity);
        flight[place] ^= 1;
        feed(&mut |input| client.read_tls(input), &flight);
        assert_eq!(client.process_new_packets().expect_err("another secret"), Error::DecryptError);
    }
}
