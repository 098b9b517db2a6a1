//! A TLS 1.3 client that proposes x25519_hqc1, and prints what the server answers.
//!
//! `client ADDRESS FILE` trusts the certificate in FILE, which the example `server` writes.
#![forbid(unsafe_code)]

use carryless_rustls::{Place, aws_lc_rs};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::error::Error;
use std::io::Read;
use std::net::TcpStream;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, file] = &arguments[..] else { return Err("usage: client ADDRESS FILE".into()) };
    let mut roots = RootCertStore::empty();
    roots.add(std::fs::read(file)?.into())?;
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::provider(Place::First)))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();

    let connection = ClientConnection::new(Arc::new(config), "localhost".try_into()?)?;
    let mut text = String::new();
    StreamOwned::new(connection, TcpStream::connect(address)?).read_to_string(&mut text)?;
    print!("{text}");
    Ok(())
}
