//! The operations of `carryless curve`, for one curve.
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use carryless_ec::curve::BinaryCurve;
use carryless_ec::ecdsa::{Signature, SignatureError, SigningKey, VerifyingKey};
use carryless_ec::{CurveVisitor, PointForm, PublicKey, SecretKey};
use sha2::digest::Digest;
use sha2::digest::block_api::BlockSizeUser;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::{Hash, Operation};
use crate::args::KeyArgs;
use crate::exit::{Exit, complain};
use crate::input::read_file;
use crate::key::{MAX_SECRET_BYTES, read_secret, source};
use crate::name::{escape_input, escape_path, named};
use crate::output::{PUBLIC, SECRET, write_new};

/// Most bytes of a file with a public key. Longer files are refused.
const MAX_KEY_BYTES: u64 = 1 << 16;
/// Most bytes of a signature file. The longest DER signature has fewer than 200.
const MAX_SIGNATURE_BYTES: u64 = 1 << 10;

/// Performs an operation on the curve that [`CurveVisitor`] passes.
pub(super) struct Run<'a>(pub(super) &'a Operation);

impl CurveVisitor for Run<'_> {
    type Output = Result<Exit>;

    fn visit<C: BinaryCurve>(self) -> Result<Exit> {
        match self.0 {
            Operation::Keygen { sec1, file } => keygen::<C>(*sec1, file)?,
            Operation::Public { key, compressed, output } => {
                let form = if *compressed { PointForm::Compressed } else { PointForm::Uncompressed };
                let text = secret_key::<C>(key)?.public_key().to_public_key_pem(form)?;
                write_new(output, PUBLIC, text.as_bytes())?;
            }
            Operation::Ecdh { key, output, public } => {
                let (secret, public) = (secret_key::<C>(key)?, public_key::<C>(public)?);
                // Written as it is: the bytes are no key until a KDF has processed them.
                write_new(output, SECRET, secret.diffie_hellman(&public)?.as_bytes())?;
            }
            Operation::Sign { key, hash, output, message } => {
                ensure!(
                    !(key.is_stdin() && named(message).is_none()),
                    "standard input cannot be both the key and the message"
                );
                // The key first: an unusable one is reported before a long message is hashed.
                let (secret, digest) = (secret_key::<C>(key)?, hash.of(message)?);
                let signature = hash.sign(secret, &digest);
                write_new(output, PUBLIC, &signature.to_der())?;
            }
            Operation::Verify { hash, public, signature, message } => {
                return verify::<C>(*hash, public, signature, message);
            }
        }
        Ok(Exit::Good)
    }
}

/// Generates a key and writes it to a new file that only its owner may read.
fn keygen<C: BinaryCurve>(sec1: bool, file: &Path) -> Result<()> {
    ensure!(named(file).is_some(), "a key is not written to standard output: name a file");
    let key = SecretKey::<C>::try_generate(&mut getrandom::SysRng);
    let key = key.context("the system gives no random numbers")?;
    // Both forms are wiped when dropped, and the file is created with mode 0600.
    let text = if sec1 { key.to_sec1_pem()? } else { key.to_pkcs8_pem()? };
    write_new(file, SECRET, text.as_bytes())
}

/// Verifies a signature. One that does not match gives exit status 1, any other problem an error.
fn verify<C: BinaryCurve>(hash: Hash, public: &Path, signature: &Path, message: &Path) -> Result<Exit> {
    let key = public_key::<C>(public)?;
    let read = || -> Result<Signature<C>> {
        let mut der = Vec::new();
        // A longer file is cut off, and then is no valid DER.
        File::open(signature)?.take(MAX_SIGNATURE_BYTES).read_to_end(&mut der)?;
        Ok(Signature::from_der(&der)?)
    };
    let parsed = read().with_context(|| format!("{}: not a usable signature", escape_path(signature)))?;
    // `verify_prehash` does not use the type of the hash function.
    let verified = VerifyingKey::<C, Sha256>::new(key).verify_prehash(&hash.of(message)?, &parsed);
    if verified == Err(SignatureError::Mismatch) {
        complain(&format!("{}: the signature does not match", escape_path(signature)));
        return Ok(Exit::Mismatch);
    }
    verified?;
    Ok(Exit::Good)
}

/// Reads the secret key that the arguments name, in PEM.
fn secret_key<C: BinaryCurve>(args: &KeyArgs) -> Result<SecretKey<C>> {
    let (text, _) = read_secret(args, MAX_SECRET_BYTES)?;
    let key =
        || -> Result<_> { Ok(SecretKey::from_pem(std::str::from_utf8(&text).context("not UTF-8 text")?)?) };
    key().with_context(|| format!("{}: not a usable key", source(args)))
}

/// Reads the public key in a file, in PEM, and validates it.
fn public_key<C: BinaryCurve>(path: &Path) -> Result<PublicKey<C>> {
    let key = || -> Result<_> { Ok(PublicKey::from_public_key_pem(&read_file(path, MAX_KEY_BYTES)?)?) };
    key().with_context(|| format!("{}: not a usable key", escape_path(path)))
}

impl Hash {
    /// Hashes a file, or standard input for `-`.
    fn of(self, message: &Path) -> Result<Vec<u8>> {
        let digest = match self {
            Hash::Sha224 => digest::<Sha224>(message),
            Hash::Sha256 => digest::<Sha256>(message),
            Hash::Sha384 => digest::<Sha384>(message),
            Hash::Sha512 => digest::<Sha512>(message),
        };
        digest.with_context(|| format!("{}: cannot read the message", escape_input(message)))
    }

    /// Signs a digest, with a nonce of RFC 6979 derived by the same hash function.
    fn sign<C: BinaryCurve>(self, secret: SecretKey<C>, digest: &[u8]) -> Signature<C> {
        // A function, as closures cannot be generic over the hash.
        fn sign<C: BinaryCurve, D: Digest + BlockSizeUser>(
            secret: SecretKey<C>,
            digest: &[u8],
        ) -> Signature<C> {
            SigningKey::<C, D>::new(secret).sign_prehash(digest)
        }
        match self {
            Hash::Sha224 => sign::<C, Sha224>(secret, digest),
            Hash::Sha256 => sign::<C, Sha256>(secret, digest),
            Hash::Sha384 => sign::<C, Sha384>(secret, digest),
            Hash::Sha512 => sign::<C, Sha512>(secret, digest),
        }
    }
}

/// Hashes a file in blocks, without holding it in memory.
fn digest<D: Digest>(message: &Path) -> io::Result<Vec<u8>> {
    let mut source: Box<dyn Read> = match named(message) {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    };
    // 64 KiB: few system calls, and the buffer stays in the cache.
    let (mut hash, mut buffer) = (D::new(), vec![0; 1 << 16]);
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(hash.finalize().to_vec()),
            Ok(length) => hash.update(&buffer[..length]),
            // A signal interrupted the call: read again.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
