//! `carryless-lab kat`: responses to NIST's known answer tests of HQC.
use std::io::{self, Write as _};

use anyhow::{Result, ensure};
use carryless_cli::base::{Exit, ProfileArgs, clmul_cpu, stdout_error};
use carryless_hqc::kat::Responses;
use carryless_hqc::{ClmulCpu, Scheme, SchemeVisitor};
use clap::{Args, value_parser};

/// Largest number of responses that can be requested.
pub(crate) const MAX_RESPONSES: u32 = 10_000;

/// Prints responses to NIST's known answer tests of HQC, as `kat_kem --all` of liboqs does.
#[derive(Args)]
pub(crate) struct KatArgs {
    /// The parameter set: hqc-1, hqc-3 or hqc-5 by security level, or hqc-128, hqc-192 or hqc-256 of 2023
    #[arg(long, value_name = "NAME")]
    set: String,
    #[command(flatten)]
    profile: ProfileArgs,
    /// The number of responses, from 1 to 10000
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(1..=i64::from(MAX_RESPONSES)))]
    count: u32,
    /// Print the title and the last empty line of the files PQCkemKAT_*.rsp, too
    #[arg(long)]
    official: bool,
    /// The backend for carry-less products [default: the best of this CPU; an unknown name lists all it has]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
}

/// Prints the responses of the scheme that the arguments name.
pub(crate) fn run(args: &KatArgs) -> Result<Exit> {
    args.profile.of(&args.set)?.dispatch(Print(args))?;
    Ok(Exit::Good)
}

/// Prints the responses for the scheme that [`SchemeVisitor`] passes.
struct Print<'a>(&'a KatArgs);

impl SchemeVisitor for Print<'_> {
    type Output = Result<()>;

    fn visit<K: Scheme>(self) -> Result<()> {
        let KatArgs { count, official, backend, .. } = self.0;
        let cpu = clmul_cpu(backend.as_deref())?;
        let mut out = io::stdout().lock();
        let mut print = |text: &str| out.write_all(text.as_bytes()).map_err(stdout_error);
        if *official {
            print(&format!("# {}\n\n", K::NAME))?;
        }
        for response in responses::<K>(cpu, *count as usize) {
            print(&response?)?;
        }
        if *official { print("\n") } else { Ok(()) }
    }
}

/// Returns the texts of the first `count` responses. All but the first begin with the empty line that separates them.
///
/// Fails at a response whose ciphertext does not decapsulate to its secret.
pub(crate) fn responses<K: Scheme>(cpu: ClmulCpu, count: usize) -> impl Iterator<Item = Result<String>> {
    Responses::<K>::on(cpu).take(count).map(|response| {
        let decapsulated = response.key.decapsulate(&response.ciphertext) == response.secret;
        ensure!(decapsulated, "response {}: the secrets of both sides differ", response.count);
        Ok(format!("{}{response}", if response.count == 0 { "" } else { "\n" }))
    })
}
