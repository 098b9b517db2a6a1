//! `carryless keygen`: makes a key file.
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use serde::Serialize;

use crate::exit::{Exit, complain};
use crate::key::to_line;
use crate::mac::{KeyId, MasterKey};
use crate::name::{escape_path, hex, named};
use crate::output::{NewFile, SECRET};
use crate::random;
use crate::report::{Form, JsonName, Report};

/// Makes a new random key file for `tag` and `verify` that only its owner may read.
///
/// The file is one line of text with 32 bytes of the system's random generator. Standard error gets the id of the key, which is not secret: manifests name their
/// key by it. An existing file is never overwritten. Make a copy of the key: without it nobody can verify.
#[derive(Args)]
pub(crate) struct KeygenArgs {
    /// Print the id as a JSON object on standard output instead
    #[arg(long)]
    pub(crate) json: bool,
    /// The key file to make, in a folder to which nobody else may write (not /tmp)
    pub(crate) file: PathBuf,
}

/// Generates a key from the system's random numbers, writes it to a new file, and prints its id.
pub(crate) fn run(args: &KeygenArgs) -> Result<Exit> {
    ensure!(named(&args.file).is_some(), "a key is not written to standard output: name a file");
    let mut master = MasterKey::zeroed();
    random::fill(&mut *master)?;
    // Created with mode 0600 from the start, so that nobody can open it before its mode is set.
    let mut file = NewFile::create(&args.file, SECRET, false)?;
    file.write(to_line(&master).as_bytes())?;
    file.commit()?;
    // After the commit: an id that is printed belongs to a key that is in its file.
    let id = hex(&KeyId::of(&master).0);
    if args.json {
        let mut report = Report::new(Form::Json);
        report.json(&NewKey { name: JsonName::of(&args.file), key_id: id })?;
        report.flush()?;
    } else {
        complain(&format!("{}: new key, id {id}", escape_path(&args.file)));
    }
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct NewKey<'a> {
    #[serde(flatten)]
    name: JsonName<'a>,
    key_id: String,
}
