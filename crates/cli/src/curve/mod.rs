//! `carryless curve`: keys, key agreement and signatures on binary curves.
mod operations;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use carryless_ec::CurveId;
use clap::{Args, Subcommand, ValueEnum};

use crate::args::KeyArgs;
use crate::exit::Exit;

/// Keys, ECDH and ECDSA on a binary curve, in the formats of OpenSSL.
///
/// NAME is a curve of NIST (K-163, B-233), SECG (sect233r1) or X9.62 (c2tnb191v1), in lower or upper case; an unknown
/// name lists all. Each is compiled in by a Cargo feature (`curve-163` to `curve-571`, `nist-curves`, `curves` for
/// all), and a default build has none. NIST SP 800-186 deprecates its binary curves for new designs.
///
/// Keys are those of `carryless curve NAME keygen` or of OpenSSL, not of `carryless keygen`. Public keys are validated. Existing files are never overwritten.
#[derive(Args)]
#[command(subcommand_required = true)]
pub(crate) struct CurveArgs {
    /// The curve, such as B-233
    #[arg(value_name = "NAME", value_parser = named)]
    curve: CurveId,
    #[command(subcommand)]
    operation: Operation,
}

/// The operations on a curve, one subcommand each.
#[derive(Subcommand)]
enum Operation {
    /// Makes a random secret key (PKCS #8 in PEM) that only its owner may read
    Keygen {
        /// Write the key in the form of SEC 1 (EC PRIVATE KEY)
        #[arg(long)]
        sec1: bool,
        /// The key file to make, with mode 0600
        file: PathBuf,
    },
    /// Writes the public key of a secret key (PUBLIC KEY in PEM)
    Public {
        #[command(flatten)]
        key: KeyArgs,
        /// Write the point in compressed form
        #[arg(long)]
        compressed: bool,
        /// The file to make; - is standard output
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        output: PathBuf,
    },
    /// Writes the secret shared with the owner of a public key: the x coordinate in bytes, most significant first, as input of a KDF
    Ecdh {
        #[command(flatten)]
        key: KeyArgs,
        /// The file to make, which only its owner may read; - is standard output
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// The public key of the other side, in PEM
        public: PathBuf,
    },
    /// Signs a message: ECDSA in DER, with the deterministic nonce of RFC 6979
    Sign {
        #[command(flatten)]
        key: KeyArgs,
        /// The hash function for the message and the nonce
        #[arg(long, value_enum, value_name = "NAME", default_value = "sha256")]
        hash: Hash,
        /// The file to make; - is standard output
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// The message; - is standard input
        message: PathBuf,
    },
    /// Verifies the signature of a message; prints nothing if it matches
    Verify {
        /// The hash function of the signer, which the signature does not name
        #[arg(long, value_enum, value_name = "NAME", default_value = "sha256")]
        hash: Hash,
        /// The public key, in PEM
        public: PathBuf,
        /// The file with the signature, in DER
        signature: PathBuf,
        /// The message; - is standard input
        message: PathBuf,
    },
}

/// Hash functions for signatures, all of the SHA-2 family. A verifier must be told the signer's: the
/// file does not name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Hash {
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

/// Returns the curve of this name or alias. Fails with a list of all names.
pub fn named(name: &str) -> Result<CurveId> {
    CurveId::from_name(name).with_context(|| {
        let names: Vec<_> = CurveId::ALL.iter().map(|id| id.name()).collect();
        format!("no curve is called {name:?}; there are {}, and the names of NIST", names.join(", "))
    })
}

/// Performs the operation on the curve that the arguments name. Fails if this build does not have its arithmetic.
pub(crate) fn run(args: &CurveArgs) -> Result<Exit> {
    // The parser accepts the names of all curves, so that a build with few of them can say what is missing.
    let done = args.curve.dispatch_built(operations::Run(&args.operation));
    done.unwrap_or_else(|| {
        bail!(
            "this command was built without {}; in a checkout, this builds all curves: \
             cargo install --locked --path crates/cli --features curves",
            args.curve
        )
    })
}
