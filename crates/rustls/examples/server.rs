//! A TLS 1.3 server that prefers groups with HQC, and answers each client with the group that was taken.
//!
//! `server ADDRESS FILE [NUMBER]` writes its certificate for `localhost` to FILE and ends after NUMBER clients.
#![forbid(unsafe_code)]

use carryless_rustls::{Place, aws_lc_rs};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, Stream};
use std::error::Error;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, file, number @ ..] = &arguments[..] else {
        return Err("usage: server ADDRESS FILE [NUMBER]".into());
    };
    let number = number.first().map_or(Ok(usize::MAX), |text| text.parse())?;
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    std::fs::write(file, own.cert.der())?;
    let key = PrivateKeyDer::Pkcs8(own.signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::provider(Place::First)))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)?;
    let config = Arc::new(config);

    let listener = TcpListener::bind(address)?;
    println!("listening on {}", listener.local_addr()?);
    for stream in listener.incoming().take(number) {
        // A client that fails must not end the server.
        if let Err(error) = stream.map_err(Into::into).and_then(|stream| serve(&config, stream)) {
            eprintln!("{error}");
        }
    }
    Ok(())
}

fn serve(config: &Arc<ServerConfig>, mut stream: TcpStream) -> Result<(), Box<dyn Error>> {
    let mut connection = ServerConnection::new(config.clone())?;
    connection.complete_io(&mut stream)?;
    let group = connection.negotiated_key_exchange_group().ok_or("no group")?.name();
    writeln!(Stream::new(&mut connection, &mut stream), "group {}", u16::from(group))?;
    connection.send_close_notify();
    connection.complete_io(&mut stream)?;
    Ok(())
}
