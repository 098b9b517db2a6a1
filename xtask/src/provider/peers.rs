//! Programs that shake hands over TCP: `openssl`, the example `peer` of `carryless-rustls`, and curl.
use super::Places;
use crate::report::{Outcome, Stop, fail};
use crate::shell;
use crate::test::{cargo_outside, outside};
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The groups, of which each test in C has a list of its own; `tls` of `carryless-hqc` is the reference.
const GROUPS: [&str; 8] =
    ["hqc1", "p256_hqc1", "x25519_hqc1", "hqc3", "p384_hqc3", "x448_hqc3", "hqc5", "p521_hqc5"];

/// The groups that rustls has with its own curves.
const OF_RUSTLS: [&str; 6] = ["hqc1", "p256_hqc1", "x25519_hqc1", "hqc3", "p384_hqc3", "hqc5"];

/// What the example `peer` can do wrong.
const FAULTS: [&str; 4] = ["short", "garbage", "other-set", "stop"];

/// A program that is stopped when it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

fn failed(what: &str) -> impl Fn(std::io::Error) -> Stop {
    move |error| Stop::Failed(format!("{what}: {error}"))
}

/// Makes the certificate of the servers, for `localhost`. Returns the files of key and certificate in PEM, and of the certificate in DER.
fn certificate(places: &Places) -> Result<[PathBuf; 3], Stop> {
    let files = ["key.pem", "cert.pem", "cert.der"].map(|name| places.target.join(name));
    let [key, pem, der] = &files;
    let mut request = places.openssl("req");
    request.args(["-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=test", "-config", "/dev/null"]);
    // rustls takes no authority's certificate for a server's.
    request.args(["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=CA:FALSE"]);
    shell::run(request.arg("-keyout").arg(key).arg("-out").arg(pem))?;
    let mut convert = places.openssl("x509");
    shell::run(convert.args(["-outform", "DER", "-in"]).arg(pem).arg("-out").arg(der))?;
    Ok(files)
}

/// Starts `openssl s_server` with one group, and waits until it listens.
fn s_server(places: &Places, group: &str, mode: &str) -> Result<Server, Stop> {
    let [key, pem, _] = certificate(places)?;
    let free = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
    let address = free.map_err(failed("no free port"))?.to_string();
    let mut command = places.openssl("s_server");
    command.args([mode, "-accept", &address, "-groups", group, "-key"]).arg(key).arg("-cert").arg(pem);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().map_err(failed("openssl"))?;
    let server = Server { child, address };
    // The server needs some time to listen. A connection that says nothing does not disturb it.
    let listening = || {
        std::thread::sleep(Duration::from_millis(50));
        TcpStream::connect(&server.address).is_ok()
    };
    if (0..200).any(|_| listening()) {
        Ok(server)
    } else {
        fail(format!("{group}: the server does not listen"))
    }
}

/// Connects `openssl s_client`. Returns its exit code and what it printed; it is an error if a signal ended it.
fn s_client(places: &Places, group: &str, address: &str) -> Result<(i32, String), Stop> {
    let mut client = places.openssl("s_client");
    client.args(["-connect", address, "-groups", group]).stdin(Stdio::null());
    let out = client.output().map_err(failed("openssl"))?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    match out.status.code() {
        Some(code) => Ok((code, text)),
        None => fail(format!("{group}: the client ended with {}", out.status)),
    }
}

/// Shakes hands in all groups as README.md of the provider tells users to.
pub(super) fn commands(places: &Places) -> Outcome {
    for group in GROUPS {
        let server = s_server(places, group, "-quiet")?;
        expect_connected(group, s_client(places, group, &server.address)?)?;
    }
    Ok(())
}

fn expect_connected(group: &str, (code, text): (i32, String)) -> Outcome {
    if code != 0 || !text.contains("New, TLSv1.3") {
        return fail(format!("{group}: the client ended with {code} and printed\n{text}"));
    }
    println!("{group}: connected");
    Ok(())
}

/// A command for one side of rustls.
fn peer(places: &Places, side: &str, address: &str, group: &str, fault: Option<&str>) -> Command {
    let mut peer = places.program(outside().join("debug/examples/peer"));
    let file = if side == "connect" { "cert.der" } else { "rustls.der" };
    peer.args([side, address]).arg(places.target.join(file)).arg(group).args(fault);
    peer
}

fn build_peer() -> Outcome {
    let mut build = cargo_outside("build", "crates/rustls/Cargo.toml");
    shell::run(build.args(["--example", "peer"]))
}

/// Connects rustls to `openssl s_server`. After every fault the server still serves.
pub(super) fn rustls_client(places: &Places) -> Outcome {
    build_peer()?;
    for group in OF_RUSTLS {
        let server = s_server(places, group, "-quiet")?;
        let connect = |fault| {
            let out = peer(places, "connect", &server.address, group, fault).output();
            out.map_err(failed("the example peer"))
        };
        for fault in FAULTS {
            let out = connect(Some(fault))?;
            let said = String::from_utf8_lossy(&out.stderr).trim().to_owned();
            println!("{group}, {fault}: {said}");
            // The one that stops sees no answer.
            if fault != "stop" && !said.contains("AlertReceived") {
                return fail(format!("{group}, {fault}: the server sent no alert"));
            }
        }
        let out = connect(None)?;
        // The peer has this group alone.
        if !out.status.success() {
            return fail(format!("{group}: {}, {}", out.status, String::from_utf8_lossy(&out.stderr)));
        }
        println!("{group}: connected");
    }
    Ok(())
}

/// Connects `openssl s_client` to rustls, also to servers that do something wrong: the client sends an alert, and no signal ends it.
pub(super) fn rustls_server(places: &Places) -> Outcome {
    build_peer()?;
    for group in OF_RUSTLS {
        let (client, [said, _]) = to_rustls(places, group, None)?;
        expect_connected(group, client)?;
        if !said.starts_with("group ") {
            return fail(format!("{group}: rustls printed {said:?}"));
        }
        for fault in FAULTS {
            let ((code, _), [_, said]) = to_rustls(places, group, Some(fault))?;
            println!("{group}, {fault}: the client ended with {code}. {}", said.trim());
            // The one that stops sees no answer.
            if code == 0 || fault != "stop" && !said.contains("AlertReceived") {
                return fail(format!("{group}, {fault}: the client sent no alert"));
            }
        }
    }
    Ok(())
}

/// Exit code and output of the client, then what rustls printed on each stream.
type ToRustls = ((i32, String), [String; 2]);

/// Runs the server of rustls for one `openssl s_client`.
fn to_rustls(places: &Places, group: &str, fault: Option<&str>) -> Result<ToRustls, Stop> {
    let failed = failed("the example peer");
    let mut accept = peer(places, "accept", "127.0.0.1:0", group, fault);
    let child = accept.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(&failed)?;
    let mut server = Server { child, address: String::new() };
    let mut output = BufReader::new(server.child.stdout.take().expect("a pipe"));
    output.read_line(&mut server.address).map_err(&failed)?;
    let client = s_client(places, group, server.address.trim_end())?;
    let mut said = [String::new(), String::new()];
    output.read_to_string(&mut said[0]).map_err(&failed)?;
    server.child.stderr.take().expect("a pipe").read_to_string(&mut said[1]).map_err(&failed)?;
    Ok((client, said))
}

/// Fetches a page by curl with the configuration of book/src/tls.md, from a server that has the hybrid group alone.
pub(super) fn curl(places: &Places) -> Outcome {
    shell::need("curl", "curl")?;
    let version = shell::output(places.program("curl").arg("--version"))?;
    if !version.contains(" OpenSSL/3") {
        return Err(Stop::NotExercised("this curl does not use OpenSSL 3".into()));
    }
    let (server, file) = (s_server(places, "x25519_hqc1", "-www")?, places.target.join("curl.cnf"));
    let module = places.modules().join("carryless.so");
    let fetch = |groups: &str| {
        let text = format!(
            "openssl_conf = init\n[init]\nproviders = all\nssl_conf = ssl\n[all]\ndefault = standard\n\
             carryless = ours\n[standard]\nactivate = 1\n[ours]\nactivate = 1\nmodule = {}\n[ssl]\n\
             system_default = tls\n[tls]\nGroups = {groups}\n",
            module.display()
        );
        shell::write(&file, text)?;
        let mut curl = places.program("curl");
        curl.env("OPENSSL_CONF", &file).args(["--silent", "--show-error", "--cacert"]);
        curl.arg(places.target.join("cert.pem"));
        let (_, port) = server.address.rsplit_once(':').expect("a port");
        shell::output(curl.arg(format!("https://localhost:{port}/")))
    };
    if fetch("X25519").is_ok() {
        return fail("curl connected without the group of the server");
    }
    let page = fetch("x25519_hqc1:X25519")?;
    if page.contains("TLSv1.3") { Ok(()) } else { fail(format!("curl fetched\n{page}")) }
}
