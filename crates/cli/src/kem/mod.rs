//! `carryless kem`: keys and shared secrets of HQC.
mod armour;
mod files;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod operations;
mod parameters;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use carryless_hqc::SchemeId;
use clap::{Args, Subcommand};

use crate::args::KeyArgs;
use crate::exit::Exit;

pub use parameters::Parameters;

/// Keys and shared secrets of the code-based KEM HQC.
///
/// `keygen` makes a secret key, and `public` writes its public key, which anyone may have. From that, `encaps` makes a random shared secret and a ciphertext; from
/// the ciphertext and the secret key, `decaps` makes the same shared secret, 32 bytes (64 in profile 2023). Existing files are never overwritten.
///
/// Files are PEM-like text that names parameter set, profile and kind. Keys are those of `carryless kem keygen`, not of `carryless keygen`. Profiles are
/// incompatible versions of HQC, which has no final standard yet: use it for tests and short-lived data.
#[derive(Args)]
#[command(subcommand_required = true)]
pub(crate) struct KemArgs {
    #[command(subcommand)]
    operation: Operation,
}

/// Options that select a scheme of HQC: a parameter set, and a profile if the set has several.
#[derive(Args)]
pub(crate) struct SchemeArgs {
    /// The parameter set: hqc-1, hqc-3 or hqc-5 by security level, or hqc-128, hqc-192 or hqc-256 of 2023
    #[arg(long, value_name = "NAME")]
    set: String,
    #[command(flatten)]
    profile: ProfileArgs,
}

/// The option that selects a profile, a version of HQC. Values of one profile mean nothing in another.
#[derive(Args)]
pub struct ProfileArgs {
    /// The version of HQC: nr (liboqs 0.16), v5 (reference code 5.0.0) or 2023 [default: nr, or 2023 for its sets]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
}

impl ProfileArgs {
    /// Returns the scheme of a parameter set in this profile, or in the default one.
    pub fn of(&self, set: &str) -> Result<SchemeId> {
        scheme(set, self.profile.as_deref())
    }
}

impl SchemeArgs {
    /// Returns the scheme that the arguments name.
    pub(crate) fn get(&self) -> Result<SchemeId> {
        self.profile.of(&self.set)
    }
}

/// Returns the scheme of a parameter set in a profile. Without a profile it is the first one that has the set.
fn scheme(set: &str, profile: Option<&str>) -> Result<SchemeId> {
    let called = |id: &&SchemeId| id.name().eq_ignore_ascii_case(set);
    let first = SchemeId::ALL.iter().find(called).with_context(|| {
        let mut names = Vec::new();
        for name in SchemeId::ALL.iter().map(|id| id.name().to_ascii_lowercase()) {
            // A set is in the list once for each of its profiles.
            if !names.contains(&name) {
                names.push(name);
            }
        }
        format!("no parameter set is called {set:?}; there are {}", names.join(", "))
    })?;
    let Some(profile) = profile else { return Ok(*first) };
    SchemeId::from_names(set, profile).with_context(|| {
        let profiles: Vec<_> = SchemeId::ALL.iter().filter(called).map(|id| id.profile()).collect();
        format!("{} has no profile {profile:?}, only {}", first.name(), profiles.join(", "))
    })
}

/// Options about the files of an operation: their scheme, and armour or bare bytes.
#[derive(Args)]
pub(crate) struct FormArgs {
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Read and write bare bytes, which do not name set, profile and kind
    #[arg(long)]
    raw: bool,
    /// Print one JSON object about what was written
    #[arg(long)]
    json: bool,
}

/// The operations of the KEM, one subcommand each.
#[derive(Subcommand)]
enum Operation {
    /// Makes a random secret key that only its owner may read
    Keygen {
        #[command(flatten)]
        form: FormArgs,
        /// Write the short seed of the key, from which each use derives the key again
        #[arg(long)]
        seed: bool,
        /// The key file to make, with mode 0600
        file: PathBuf,
    },
    /// Writes the public (encapsulation) key of a secret (decapsulation) key
    Public {
        #[command(flatten)]
        form: FormArgs,
        #[command(flatten)]
        key: KeyArgs,
        /// The file to make; - is standard output
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        output: PathBuf,
    },
    /// Makes a random shared secret, and the ciphertext that carries it to the holder of the secret key
    Encaps {
        #[command(flatten)]
        form: FormArgs,
        /// The file to make with the ciphertext; - is standard output
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// The file to make with the shared secret, which only its owner may read; - is standard output
        #[arg(long, value_name = "FILE")]
        secret: PathBuf,
        /// The public key; - is standard input
        public: PathBuf,
    },
    /// Writes the shared secret that a ciphertext carries
    Decaps {
        #[command(flatten)]
        form: FormArgs,
        #[command(flatten)]
        key: KeyArgs,
        /// The file to make with the shared secret, which only its owner may read; - is standard output
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// The ciphertext; - is standard input
        ciphertext: PathBuf,
    },
}

impl Operation {
    fn scheme(&self) -> &SchemeArgs {
        match self {
            Operation::Keygen { form, .. }
            | Operation::Public { form, .. }
            | Operation::Encaps { form, .. }
            | Operation::Decaps { form, .. } => &form.scheme,
        }
    }
}

/// Performs the operation for the scheme that the arguments name.
pub(crate) fn run(args: &KemArgs) -> Result<Exit> {
    let scheme = args.operation.scheme().get()?;
    scheme.dispatch(operations::Run { scheme, operation: &args.operation })?;
    Ok(Exit::Good)
}
