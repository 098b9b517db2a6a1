//! Keys whose scheme is chosen at run time: one type of key for all parameter sets and profiles.
//!
//! Visitors of [`SchemeId`] make them: [`FromSeed`], [`FromBytes`] and [`PublicFromBytes`].
//! [`dispatch`](SchemeId::dispatch) compiles every scheme, [`dispatch_nr`](SchemeId::dispatch_nr) only those of profile `nr`.
//!
//! ```
//! use carryless_hqc::SchemeId;
//! use carryless_hqc::any::{FromSeed, PublicFromBytes};
//!
//! let scheme = SchemeId::from_names("HQC-1", "nr").expect("a scheme");
//! let dk = scheme.dispatch(FromSeed(&[1; 32]))?; // random bytes
//! let ek = scheme.dispatch(PublicFromBytes(dk.encapsulation_key().as_bytes()))?;
//!
//! let sizes = scheme.sizes();
//! let (mut ciphertext, mut sent, mut received) = (vec![0; sizes.ciphertext], [0; 32], [0; 32]);
//! ek.encapsulate(&[2; 32], &mut ciphertext, &mut sent)?; // random bytes, as many as sizes.randomness
//! dk.decapsulate(&ciphertext, &mut received)?;
//! assert_eq!(sent, received);
//! # Ok::<(), carryless_hqc::Error>(())
//! ```
use crate::array::Array as _;
use crate::decapsulation::{DecapsulationKey, ExpandedDecapsulationKey};
use crate::encapsulation::{EncapsulationKey, ExpandedEncapsulationKey, Message};
use crate::error::{Error, Kind};
use crate::scheme::{SALT_BYTES, Scheme, SchemeId, SchemeVisitor, Sizes};
use crate::values::{Ciphertext, SharedSecret};
use alloc::sync::Arc;
use core::fmt;
use zeroize::Zeroizing;

/// An encapsulation key of any scheme. Clones share it.
#[derive(Clone)]
pub struct AnyEncapsulationKey(Arc<dyn Public>);

/// A decapsulation key of any scheme, which is secret. Clones share it, and the last one that is dropped wipes it.
#[derive(Clone)]
pub struct AnyDecapsulationKey {
    public: AnyEncapsulationKey,
    secret: Arc<dyn Secret>,
}

impl AnyEncapsulationKey {
    /// Returns the parameter set and the profile.
    #[must_use]
    pub fn scheme(&self) -> SchemeId {
        self.0.scheme()
    }

    /// Returns the bytes of the key: the seed of h, then s.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Computes once what every encapsulation needs: the same key, which encapsulates fastest and takes 29 to 95 KB.
    #[must_use]
    pub fn expand(&self) -> Self {
        self.0.expand().map_or_else(|| self.clone(), AnyEncapsulationKey)
    }

    /// Writes a ciphertext and the secret that it carries. `random` is the message, then the salt: random bytes that
    /// serve once, [`Sizes::randomness`] of them.
    ///
    /// # Errors
    /// If a slice has another length than the scheme's; then nothing is written.
    pub fn encapsulate(&self, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error> {
        self.0.encapsulate(random, ciphertext, secret)
    }
}

impl AnyDecapsulationKey {
    /// Returns the parameter set and the profile.
    #[must_use]
    pub fn scheme(&self) -> SchemeId {
        self.public.scheme()
    }

    /// Returns the encapsulation key, which is public.
    #[must_use]
    pub fn encapsulation_key(&self) -> &AnyEncapsulationKey {
        &self.public
    }

    /// Returns the seed of which the key is made. Secret.
    #[must_use]
    pub fn as_seed(&self) -> &[u8] {
        self.secret.seed()
    }

    /// Writes the key in full length, secret, to `out`. Leaves no other copy in memory.
    ///
    /// # Errors
    /// If `out` has another length than [`Sizes::decapsulation_key`]; then nothing is written.
    pub fn to_bytes_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.secret.bytes_into(out)
    }

    /// Computes once what every decapsulation needs: the same key, which decapsulates fastest and takes 42 to 139 KB.
    /// Its encapsulation key is not expanded.
    #[must_use]
    pub fn expand(&self) -> Self {
        let secret = self.secret.expand().unwrap_or_else(|| self.secret.clone());
        AnyDecapsulationKey { public: self.public.clone(), secret }
    }

    /// Writes the shared secret of a ciphertext, in constant time. A ciphertext that was not made for this key gives
    /// another secret, and no error.
    ///
    /// # Errors
    /// If a slice has another length than the scheme's; then nothing is written.
    pub fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
        self.secret.decapsulate(ciphertext, secret)
    }
}

/// Makes the key of a seed of [`Sizes::seed`] bytes. Fails if the length is wrong.
#[derive(Clone, Copy)]
pub struct FromSeed<'a>(pub &'a [u8]);

/// Imports a decapsulation key in full length, as [`DecapsulationKey::from_bytes`] does.
#[derive(Clone, Copy)]
pub struct FromBytes<'a>(pub &'a [u8]);

/// Imports an encapsulation key, as [`EncapsulationKey::from_bytes`] does.
#[derive(Clone, Copy)]
pub struct PublicFromBytes<'a>(pub &'a [u8]);

impl SchemeVisitor for FromSeed<'_> {
    type Output = Result<AnyDecapsulationKey, Error>;
    fn visit<K: Scheme>(self) -> Self::Output {
        let mut seed = Zeroizing::new(K::Seed::zeroed());
        Error::length::<K>(Kind::Seed, seed.as_ref().len(), self.0.len())?;
        seed.as_mut().copy_from_slice(self.0);
        Ok(DecapsulationKey::<K>::from_seed(&seed).into())
    }
}

impl SchemeVisitor for FromBytes<'_> {
    type Output = Result<AnyDecapsulationKey, Error>;
    fn visit<K: Scheme>(self) -> Self::Output {
        DecapsulationKey::<K>::from_bytes(self.0).map(Into::into)
    }
}

impl SchemeVisitor for PublicFromBytes<'_> {
    type Output = Result<AnyEncapsulationKey, Error>;
    fn visit<K: Scheme>(self) -> Self::Output {
        EncapsulationKey::<K>::from_bytes(self.0).map(Into::into)
    }
}

impl<K: Scheme> From<EncapsulationKey<K>> for AnyEncapsulationKey {
    fn from(key: EncapsulationKey<K>) -> Self {
        AnyEncapsulationKey(Arc::new(key))
    }
}

impl<K: Scheme> From<DecapsulationKey<K>> for AnyDecapsulationKey {
    fn from(key: DecapsulationKey<K>) -> Self {
        AnyDecapsulationKey { public: key.encapsulation_key().clone().into(), secret: Arc::new(key) }
    }
}

impl PartialEq for AnyEncapsulationKey {
    fn eq(&self, other: &Self) -> bool {
        // Equal bytes may belong to several profiles, whose keys are not the same.
        self.scheme() == other.scheme() && self.as_bytes() == other.as_bytes()
    }
}

impl Eq for AnyEncapsulationKey {}

impl fmt::Debug for AnyEncapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("AnyEncapsulationKey", self.scheme(), f)
    }
}

impl fmt::Debug for AnyDecapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("AnyDecapsulationKey", self.scheme(), f)
    }
}

fn debug(name: &str, scheme: SchemeId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{name} {{ {}, profile {}, .. }}", scheme.name(), scheme.profile())
}

/// An encapsulation key behind the type of its scheme.
trait Public: Send + Sync {
    fn scheme(&self) -> SchemeId;
    fn bytes(&self) -> &[u8];
    /// Returns `None` if the key is expanded already.
    fn expand(&self) -> Option<Arc<dyn Public>>;
    fn encapsulate(&self, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error>;
}

impl<K: Scheme> Public for EncapsulationKey<K> {
    fn scheme(&self) -> SchemeId {
        K::ID
    }

    fn bytes(&self) -> &[u8] {
        self.as_bytes().as_ref()
    }

    fn expand(&self) -> Option<Arc<dyn Public>> {
        Some(Arc::new(EncapsulationKey::expand(self)))
    }

    fn encapsulate(&self, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error> {
        encapsulate::<K>(random, ciphertext, secret, |m, salt| self.encapsulate_deterministic(m, salt))
    }
}

impl<K: Scheme> Public for ExpandedEncapsulationKey<K> {
    fn scheme(&self) -> SchemeId {
        K::ID
    }

    fn bytes(&self) -> &[u8] {
        self.encapsulation_key().bytes()
    }

    fn expand(&self) -> Option<Arc<dyn Public>> {
        None
    }

    fn encapsulate(&self, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error> {
        encapsulate::<K>(random, ciphertext, secret, |m, salt| self.encapsulate_deterministic(m, salt))
    }
}

/// Checks all lengths, then encapsulates by `run` and writes the results.
fn encapsulate<K: Scheme>(
    random: &[u8],
    ciphertext: &mut [u8],
    secret: &mut [u8],
    run: impl FnOnce(&Message<K>, &[u8; SALT_BYTES]) -> (Ciphertext<K>, SharedSecret<K>),
) -> Result<(), Error> {
    let sizes = Sizes::of::<K>();
    let wrong = || Error::length::<K>(Kind::Randomness, sizes.randomness, random.len());
    wrong()?;
    Error::length::<K>(Kind::Ciphertext, sizes.ciphertext, ciphertext.len())?;
    Error::length::<K>(Kind::SharedSecret, sizes.shared_secret, secret.len())?;
    let Some((first, salt)) = random.split_last_chunk() else { return wrong() };
    let mut message = Zeroizing::new(Message::<K>::zeroed());
    message.as_mut().copy_from_slice(first);
    let (sent, shared) = run(&message, salt);
    ciphertext.copy_from_slice(sent.as_ref());
    secret.copy_from_slice(shared.as_ref());
    Ok(())
}

/// A decapsulation key behind the type of its scheme.
trait Secret: Send + Sync {
    fn seed(&self) -> &[u8];
    fn bytes_into(&self, out: &mut [u8]) -> Result<(), Error>;
    /// Returns `None` if the key is expanded already.
    fn expand(&self) -> Option<Arc<dyn Secret>>;
    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error>;
}

impl<K: Scheme> Secret for DecapsulationKey<K> {
    fn seed(&self) -> &[u8] {
        self.as_seed().as_ref()
    }

    fn bytes_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.to_bytes_into(out)
    }

    fn expand(&self) -> Option<Arc<dyn Secret>> {
        Some(Arc::new(ExpandedSecret { key: self.clone(), expanded: DecapsulationKey::expand(self) }))
    }

    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
        decapsulate::<K>(ciphertext, secret, |ciphertext| DecapsulationKey::decapsulate(self, ciphertext))
    }
}

/// An expanded key beside the compact one, which has the seed.
struct ExpandedSecret<K: Scheme> {
    key: DecapsulationKey<K>,
    expanded: ExpandedDecapsulationKey<K>,
}

impl<K: Scheme> Secret for ExpandedSecret<K> {
    fn seed(&self) -> &[u8] {
        self.key.as_seed().as_ref()
    }

    fn bytes_into(&self, out: &mut [u8]) -> Result<(), Error> {
        self.key.to_bytes_into(out)
    }

    fn expand(&self) -> Option<Arc<dyn Secret>> {
        None
    }

    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
        decapsulate::<K>(ciphertext, secret, |ciphertext| self.expanded.decapsulate(ciphertext))
    }
}

/// Checks both lengths, then decapsulates by `run` and writes the secret.
fn decapsulate<K: Scheme>(
    ciphertext: &[u8],
    secret: &mut [u8],
    run: impl FnOnce(&Ciphertext<K>) -> SharedSecret<K>,
) -> Result<(), Error> {
    Error::length::<K>(Kind::SharedSecret, Sizes::of::<K>().shared_secret, secret.len())?;
    secret.copy_from_slice(run(&Ciphertext::from_bytes(ciphertext)?).as_ref());
    Ok(())
}
