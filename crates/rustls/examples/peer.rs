//! One side of one connection in one group, well-behaved or not: `cargo xtask provider` runs it against OpenSSL.
//!
//! `peer connect ADDRESS CERTIFICATE GROUP [FAULT]` trusts the certificate, in DER. `peer accept ...` writes its own there and prints its
//! address. Both print the group after a handshake. FAULT is what the peer does wrong: `short`, `garbage`, `other-set` or `stop`.
#![forbid(unsafe_code)]

use carryless_rustls::{HQC1, HQC3, HQC5, aws_lc_rs};
use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup,
};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ClientConfig, ClientConnection, NamedGroup, RootCertStore, ServerConfig, ServerConnection};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

type Error = Box<dyn std::error::Error>;

const USAGE: &str = "usage: peer connect|accept ADDRESS CERTIFICATE GROUP [short|garbage|other-set|stop]";

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [side, address, file, name, fault @ ..] = &arguments[..] else { return Err(USAGE.into()) };
    let group = group(name)?;
    let fault = fault.first().map_or("", String::as_str);
    let group: &'static dyn SupportedKxGroup = match fault {
        "" | "stop" => group,
        "short" => faulty(group, |_, share| share[..share.len() - 1].to_vec()),
        // No encapsulation key, as unused bits are set, and no ciphertext that somebody made.
        "garbage" => faulty(group, |_, share| vec![0xff; share.len()]),
        "other-set" if name == "hqc5" => faulty(group, |is_client, _| share_of(HQC1, is_client)),
        "other-set" => faulty(group, |is_client, _| share_of(HQC5, is_client)),
        _ => return Err(USAGE.into()),
    };
    let (mut connection, mut stream) = match &side[..] {
        "connect" => connect(address, file, group)?,
        "accept" => accept(address, file, group)?,
        _ => return Err(USAGE.into()),
    };
    if fault == "stop" {
        return send_half(&mut connection, &mut stream);
    }
    connection.complete_io(&mut stream)?;
    let group = connection.negotiated_key_exchange_group().ok_or("no group")?.name();
    println!("group {}", u16::from(group));
    connection.writer().write_all(b"hello\n")?;
    connection.send_close_notify();
    connection.complete_io(&mut stream)?;
    Ok(())
}

fn group(name: &str) -> Result<&'static dyn SupportedKxGroup, Error> {
    let row = carryless_hqc::tls::Group::from_name(name).ok_or("no such group")?;
    let all = [aws_lc_rs::HYBRIDS, &[HQC1, HQC3, HQC5]].concat();
    Ok(all.into_iter().find(|group| u16::from(group.name()) == row.code_point).ok_or("not in rustls")?)
}

/// The provider with one group.
fn provider(group: &'static dyn SupportedKxGroup) -> Arc<CryptoProvider> {
    CryptoProvider { kx_groups: vec![group], ..rustls::crypto::aws_lc_rs::default_provider() }.into()
}

type Connected = (rustls::Connection, TcpStream);

fn connect(address: &str, file: &str, group: &'static dyn SupportedKxGroup) -> Result<Connected, Error> {
    let mut roots = RootCertStore::empty();
    roots.add(std::fs::read(file)?.into())?;
    let config = ClientConfig::builder_with_provider(provider(group))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connection = ClientConnection::new(Arc::new(config), "localhost".try_into()?)?;
    Ok((connection.into(), TcpStream::connect(address)?))
}

fn accept(address: &str, file: &str, group: &'static dyn SupportedKxGroup) -> Result<Connected, Error> {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    std::fs::write(file, own.cert.der())?;
    let key = PrivateKeyDer::Pkcs8(own.signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(provider(group))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)?;
    let listener = TcpListener::bind(address)?;
    println!("{}", listener.local_addr()?);
    Ok((ServerConnection::new(Arc::new(config))?.into(), listener.accept()?.0))
}

/// Sends half of the first flight, and no more.
fn send_half(connection: &mut rustls::Connection, stream: &mut TcpStream) -> Result<(), Error> {
    while !connection.wants_write() {
        connection.read_tls(stream)?;
        connection.process_new_packets()?;
    }
    let mut flight = Vec::new();
    while connection.wants_write() {
        connection.write_tls(&mut flight)?;
    }
    Ok(stream.write_all(&flight[..flight.len() / 2])?)
}

/// A right share of this group.
fn share_of(group: &dyn SupportedKxGroup, is_client: bool) -> Vec<u8> {
    let client = group.start().expect("a share").pub_key().to_vec();
    if is_client { client } else { group.start_and_complete(&client).expect("a share").pub_key }
}

/// Makes the share that is sent of the right one. The first argument says whether it is the client's.
type Spoil = fn(bool, &[u8]) -> Vec<u8>;

/// A group that sends wrong shares.
#[derive(Debug)]
struct Faulty(&'static dyn SupportedKxGroup, Spoil);

fn faulty(group: &'static dyn SupportedKxGroup, spoil: Spoil) -> &'static dyn SupportedKxGroup {
    Box::leak(Box::new(Faulty(group, spoil)))
}

impl SupportedKxGroup for Faulty {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, rustls::Error> {
        let active = self.0.start()?;
        let share = (self.1)(true, active.pub_key());
        Ok(Box::new(FaultyShare(active, share)))
    }

    fn start_and_complete(&self, peer: &[u8]) -> Result<CompletedKeyExchange, rustls::Error> {
        let done = self.0.start_and_complete(peer)?;
        Ok(CompletedKeyExchange { pub_key: (self.1)(false, &done.pub_key), ..done })
    }

    fn name(&self) -> NamedGroup {
        self.0.name()
    }
}

struct FaultyShare(Box<dyn ActiveKeyExchange>, Vec<u8>);

impl ActiveKeyExchange for FaultyShare {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, rustls::Error> {
        self.0.complete(peer)
    }

    fn pub_key(&self) -> &[u8] {
        &self.1
    }

    fn group(&self) -> NamedGroup {
        self.0.group()
    }
}
