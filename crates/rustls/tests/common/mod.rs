//! Clients and servers in memory, with a certificate of their own.
#![allow(dead_code, reason = "not every program needs all")]

use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, Error, RootCertStore, ServerConfig, ServerConnection};
use std::sync::Arc;

/// A certificate for `localhost` and its key.
pub(crate) struct Identity {
    pub(crate) certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    pub(crate) fn new() -> Identity {
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(own.signing_key.serialize_der().into());
        Identity { certificate: own.cert.der().clone(), key }
    }
}

/// The provider with these groups alone.
pub(crate) fn only(provider: CryptoProvider, groups: &[&'static dyn SupportedKxGroup]) -> CryptoProvider {
    CryptoProvider { kx_groups: groups.to_vec(), ..provider }
}

pub(crate) fn client(identity: &Identity, provider: CryptoProvider) -> ClientConnection {
    let mut roots = RootCertStore::empty();
    roots.add(identity.certificate.clone()).expect("a certificate");
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    ClientConnection::new(Arc::new(config), name).expect("a client")
}

pub(crate) fn server(identity: &Identity, provider: CryptoProvider) -> ServerConnection {
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![identity.certificate.clone()], identity.key.clone_key())
        .expect("a key");
    ServerConnection::new(Arc::new(config)).expect("a server")
}

/// What one side has to send.
pub(crate) fn written(write: &mut dyn FnMut(&mut dyn std::io::Write) -> std::io::Result<usize>) -> Vec<u8> {
    let mut bytes = Vec::new();
    while write(&mut bytes).expect("room") > 0 {}
    bytes
}

/// Performs a handshake. Returns the first error, and whether the server had it.
pub(crate) fn handshake(
    client: &mut ClientConnection,
    server: &mut ServerConnection,
) -> Result<(), (Error, bool)> {
    while client.is_handshaking() || server.is_handshaking() {
        let sent = written(&mut |out| client.write_tls(out));
        feed(&mut |input| server.read_tls(input), &sent);
        server.process_new_packets().map_err(|error| (error, true))?;
        let sent = written(&mut |out| server.write_tls(out));
        feed(&mut |input| client.read_tls(input), &sent);
        client.process_new_packets().map_err(|error| (error, false))?;
    }
    Ok(())
}

/// Gives one side what the other has sent.
pub(crate) fn feed(read: &mut dyn FnMut(&mut dyn std::io::Read) -> std::io::Result<usize>, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        read(&mut rest).expect("bytes");
    }
}
