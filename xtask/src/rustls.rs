//! `cargo xtask rustls`: the key exchange groups for rustls, with both providers, and the example programs.
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use crate::test::{cargo_outside, outside};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const MANIFEST: &str = "crates/rustls/Cargo.toml";

/// What the example client prints if both sides took x25519_hqc1.
const ANSWER: &str = "group 65077\n";

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("handshakes with both providers", || {
        shell::run_tests(&mut cargo("test", &["--features", "ring"]))
    });
    for features in [&["--no-default-features"][..], &["--no-default-features", "--features", "ring"]] {
        report.step(&format!("check {}", features.join(" ")), || shell::run(&mut cargo("check", features)));
    }
    report.step("the example client and server", examples);
}

fn cargo(command: &str, arguments: &[&str]) -> Command {
    let mut cargo = cargo_outside(command, MANIFEST);
    cargo.args(arguments);
    cargo
}

/// Runs the server for one client on a free port, and compares what the client prints.
fn examples() -> Outcome {
    let folder = outside().join("debug/examples");
    shell::run(&mut cargo("build", &["--examples"]))?;
    let certificate = folder.join("certificate.der");
    let failed = |error: std::io::Error| Stop::Failed(format!("the example server: {error}"));
    let mut server = shell::command(folder.join("server"), &["127.0.0.1:0"]);
    let mut server = server.arg(&certificate).arg("1").stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut line = String::new();
    let output = server.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).map_err(failed)?;
    let Some(address) = line.trim_end().strip_prefix("listening on ") else {
        return fail(format!("the example server printed {line:?}"));
    };
    let answer = shell::output(shell::command(folder.join("client"), &[address]).arg(&certificate));
    // A client that fails may leave the server waiting.
    if answer.is_err() {
        let _ = server.kill();
    }
    let status = server.wait().map_err(failed)?;
    match answer? {
        answer if answer == ANSWER && status.success() => Ok(()),
        answer => fail(format!("the example client printed {answer:?}, the server ended with {status}")),
    }
}
