//! The operations of `carryless kem`, for one scheme.
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use carryless_hqc::{
    Array, Ciphertext, DecapsulationKey, EncapsulationKey, Message, Scheme, SchemeId, SchemeVisitor,
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::armour::Kind;
use super::files::{Form, mode, unusable, unusable_key, write_both};
use super::{FormArgs, Operation};
use crate::args::KeyArgs;
use crate::exit::print_json;
use crate::name::{escape_path, hex, named};
use crate::output::write_new;
use crate::random;
use crate::report::JsonName;

/// Performs an operation for the scheme that [`SchemeVisitor`] passes.
pub(super) struct Run<'a> {
    pub(super) scheme: SchemeId,
    pub(super) operation: &'a Operation,
}

impl SchemeVisitor for Run<'_> {
    type Output = Result<()>;

    fn visit<K: Scheme>(self) -> Result<()> {
        let files = |args| Files::<'_> { form: Form::new(self.scheme, args), args };
        match self.operation {
            Operation::Keygen { form, seed, file } => files(form).keygen::<K>(*seed, file),
            Operation::Public { form, key, output } => files(form).public::<K>(key, output),
            Operation::Encaps { form, output, secret, public } => {
                files(form).encapsulate::<K>(output, secret, public)
            }
            Operation::Decaps { form, key, output, ciphertext } => {
                files(form).decapsulate::<K>(key, output, ciphertext)
            }
        }
    }
}

/// The JSON object about the files that were written.
#[derive(Serialize)]
struct Written<'a> {
    set: &'static str,
    profile: &'static str,
    #[serde(flatten)]
    file: JsonName<'a>,
    /// SHA-256 of the encapsulation key or the ciphertext, without armour, in hexadecimal. Secrets are not hashed.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// The file with the shared secret, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<JsonName<'a>>,
}

fn sha256(bytes: &[u8]) -> Option<String> {
    Some(hex(&Sha256::digest(bytes)))
}

/// The files of an operation, with their common format.
struct Files<'a> {
    form: Form,
    args: &'a FormArgs,
}

impl Files<'_> {
    fn keygen<K: Scheme>(&self, seed: bool, file: &Path) -> Result<()> {
        ensure!(named(file).is_some(), "a key is not written to standard output: name a file");
        let key = DecapsulationKey::<K>::try_generate_from_rng(&mut getrandom::SysRng);
        let key = key.context("the system gives no random numbers")?;
        if seed {
            // Shorter, but the key is derived again whenever it is used.
            self.write(file, Kind::Seed, key.as_seed().as_ref())?;
        } else {
            self.write(file, Kind::DecapsulationKey, (*key.to_bytes()).as_ref())?;
        }
        self.report(file, sha256(key.encapsulation_key().as_bytes().as_ref()), None)
    }

    fn public<K: Scheme>(&self, key: &KeyArgs, output: &Path) -> Result<()> {
        self.check_output(output)?;
        let key = self.key::<K>(key)?;
        let bytes = key.encapsulation_key().as_bytes().as_ref();
        self.write(output, Kind::EncapsulationKey, bytes)?;
        self.report(output, sha256(bytes), None)
    }

    fn encapsulate<K: Scheme>(&self, output: &Path, secret: &Path, public: &Path) -> Result<()> {
        let [to_output, to_secret] = [output, secret].map(|path| named(path).is_none());
        ensure!(!(to_output && to_secret), "standard output cannot be both the ciphertext and the secret");
        ensure!(output != secret, "{}: cannot be both the ciphertext and the secret", escape_path(output));
        self.check_output(output)?;
        self.check_output(secret)?;
        let bytes = self.form.read_file(Kind::EncapsulationKey, public)?;
        let key = EncapsulationKey::<K>::from_bytes(&bytes).with_context(|| unusable(public))?;
        // The system's random numbers may fail, while `encapsulate_with_rng` takes a generator that cannot.
        let (mut message, mut salt) = (Zeroizing::new(Message::<K>::zeroed()), [0; 16]);
        random::fill(message.as_mut())?;
        random::fill(&mut salt)?;
        // Message and salt are random and serve this call alone: an ordinary encapsulation.
        let (ct, ss) = key.encapsulate_deterministic(&message, &salt);
        let text = self.form.text(Kind::Ciphertext, ct.as_ref());
        let secret_text = self.form.text(Kind::SharedSecret, ss.as_ref());
        // The secret first: the ciphertext must not appear without it.
        let files = [(secret, Kind::SharedSecret, &secret_text[..]), (output, Kind::Ciphertext, &text[..])];
        write_both(files)?;
        self.report(output, sha256(ct.as_ref()), Some(secret))
    }

    fn decapsulate<K: Scheme>(&self, key: &KeyArgs, output: &Path, ciphertext: &Path) -> Result<()> {
        let both = key.is_stdin() && named(ciphertext).is_none();
        ensure!(!both, "standard input cannot be both the key and the ciphertext");
        self.check_output(output)?;
        let key = self.key::<K>(key)?;
        let bytes = self.form.read_file(Kind::Ciphertext, ciphertext)?;
        let ct = Ciphertext::<K>::from_bytes(&bytes).with_context(|| unusable(ciphertext))?;
        // Every ciphertext of the right length gives a secret. A changed one gives a different secret, and no
        // error.
        self.write(output, Kind::SharedSecret, key.decapsulate(&ct).as_ref())?;
        // No SHA-256: even a digest of a secret does not belong in logs.
        self.report(output, None, None)
    }

    /// Reads the secret key that the arguments name, or its seed. Without armour their lengths tell them apart.
    fn key<K: Scheme>(&self, args: &KeyArgs) -> Result<DecapsulationKey<K>> {
        let (kind, bytes) = self.form.read_key(&[Kind::DecapsulationKey, Kind::Seed], args)?;
        let key = || -> Result<_> {
            let seed_length = size_of::<K::Seed>();
            // A key in full length is never as short as a seed.
            if kind == Kind::Seed || self.form.raw && bytes.len() == seed_length {
                ensure!(bytes.len() == seed_length, "{} bytes instead of {seed_length}", bytes.len());
                let mut seed = Zeroizing::new(K::Seed::zeroed());
                seed.as_mut().copy_from_slice(&bytes);
                return Ok(DecapsulationKey::<K>::from_seed(&seed));
            }
            Ok(DecapsulationKey::<K>::from_bytes(&bytes)?)
        };
        key().with_context(|| unusable_key(args))
    }

    /// Fails if standard output would get both JSON and a file.
    fn check_output(&self, path: &Path) -> Result<()> {
        let both = self.args.json && named(path).is_none();
        ensure!(!both, "with --json standard output is for JSON: name a file");
        Ok(())
    }

    /// Writes a value to a new file, with the mode of its type.
    fn write(&self, path: &Path, kind: Kind, bytes: &[u8]) -> Result<()> {
        write_new(path, mode(kind), &self.form.text(kind, bytes))
    }

    /// Prints the JSON object about the files, if the user wants it.
    fn report(&self, file: &Path, sha256: Option<String>, secret: Option<&Path>) -> Result<()> {
        if !self.args.json {
            return Ok(());
        }
        let (set, profile) = (self.form.scheme.name(), self.form.scheme.profile());
        let (file, secret) = (JsonName::of(file), secret.map(JsonName::of));
        print_json(&Written { set, profile, file, sha256, secret })
    }
}
