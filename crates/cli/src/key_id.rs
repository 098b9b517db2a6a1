//! `carryless key-id`: prints the id of a key.
use std::io::{self, Write as _};

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use crate::args::KeyArgs;
use crate::exit::{Exit, print_json, stdout_error};
use crate::key;
use crate::mac::KeyId;
use crate::name::hex;

/// Prints the id of a key, 16 hexadecimal digits, by which manifests name it.
///
/// It is not secret, and tells which of several keys a manifest needs: compare it with the line `key-id` of the manifest.
#[derive(Args)]
pub(crate) struct KeyIdArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct JsonId {
    key_id: String,
}

/// Prints the id on a line of its own.
pub(crate) fn run(args: &KeyIdArgs) -> Result<Exit> {
    let key_id = hex(&KeyId::of(&key::load(&args.key)?.master).0);
    if args.json {
        print_json(&JsonId { key_id })?;
    } else {
        writeln!(io::stdout(), "{key_id}").map_err(stdout_error)?;
    }
    Ok(Exit::Good)
}
