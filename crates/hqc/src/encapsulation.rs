//! Encapsulation keys: import and export, expansion, and encapsulation.
use crate::array::Array;
use crate::error::{Defect, Error, Kind};
use crate::kem::{self, Expanded, PublicKey};
use crate::pke::Public;
use crate::ring::{Factor, Ring, Workspace};
use crate::scheme::{SALT_BYTES, Scheme};
use crate::set::ParameterSet;
use crate::values::{Ciphertext, SharedSecret, debug};
use carryless_gf2::ClmulCpu;
use core::fmt;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// The message of an encapsulation: 16, 24 or 32 uniformly random bytes, which are secret.
pub type Message<K> = <<K as Scheme>::Set as ParameterSet>::Message;

/// An encapsulation key, which is public.
#[derive(Clone)]
pub struct EncapsulationKey<K: Scheme> {
    pub(crate) ring: Ring<K::Set>,
    pub(crate) bytes: K::EncapsulationKeyBytes,
}

impl<K: Scheme> EncapsulationKey<K> {
    /// Imports a key from its bytes: the seed of h, then s.
    ///
    /// # Errors
    /// If the length is wrong, or if bits of the last byte are set that belong to no coefficient of s.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(ClmulCpu::detect(), bytes)
    }

    /// Imports a key as [`from_bytes`](Self::from_bytes) does, for computation on the backend `cpu`.
    ///
    /// # Errors
    /// If the length is wrong, or if bits of the last byte are set that belong to no coefficient of s.
    pub fn from_bytes_on(cpu: ClmulCpu, bytes: &[u8]) -> Result<Self, Error> {
        let key = Self::from_bytes_unchecked(cpu, bytes)?;
        // Every string is a seed of h; only s can be invalid, by its unused bits.
        if key.has_padding() {
            return Err(Error::new::<K>(Kind::EncapsulationKey, Defect::Padding));
        }
        Ok(key)
    }

    /// Imports a key whose unused bits may be set. For tests of implementations against each other.
    ///
    /// It encapsulates as the reference code does: the unused bits take part in the hash of the key and in
    /// the product s r2, whose terms from X^(2n) on are dropped.
    ///
    /// # Errors
    /// If the length is wrong.
    pub fn from_bytes_unchecked(cpu: ClmulCpu, bytes: &[u8]) -> Result<Self, Error> {
        let bytes = Error::array::<K, _>(Kind::EncapsulationKey, bytes)?;
        Ok(EncapsulationKey { ring: Ring::on(cpu), bytes })
    }

    /// Returns whether bits above the last coefficient of s are set.
    pub(crate) fn has_padding(&self) -> bool {
        // N is odd for all sets, so that the last byte of s has unused bits.
        let used = K::Set::N % 8;
        self.bytes.as_ref().last().is_some_and(|last| last >> used != 0)
    }

    /// Returns the backend on which operations of this key compute.
    #[must_use]
    pub fn backend(&self) -> ClmulCpu {
        self.ring.cpu()
    }

    /// Returns the bytes of the key: the seed of h, then s.
    #[must_use]
    pub fn as_bytes(&self) -> &K::EncapsulationKeyBytes {
        &self.bytes
    }

    /// Draws a shared secret from `rng`. Returns it with the ciphertext that carries it to the
    /// holder of the decapsulation key.
    #[must_use]
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> (Ciphertext<K>, SharedSecret<K>) {
        // The message is secret and wiped; the salt is public, as it is part of the ciphertext.
        let (mut message, mut salt) = (Zeroizing::new(Message::<K>::zeroed()), [0; SALT_BYTES]);
        draw::<K, R>(rng, &mut message, &mut salt);
        self.encapsulate_deterministic(&message, &salt)
    }

    /// Encapsulates the given message with the given salt, as
    /// [`encapsulate_with_rng`](Self::encapsulate_with_rng) does with random ones. For tests.
    ///
    /// The shared secret is only as unpredictable as the message, which therefore must be uniformly random.
    #[must_use]
    pub fn encapsulate_deterministic(
        &self,
        message: &Message<K>,
        salt: &[u8; SALT_BYTES],
    ) -> (Ciphertext<K>, SharedSecret<K>) {
        let expanded = Expanded::<K>::new(self.ring.cpu(), &self.bytes, Default::default());
        // h and H(ek) were computed for this call alone. An expanded key keeps them, and h and s as factors.
        kem::encapsulate(&self.ring, &expanded.public_key(&self.bytes), message, salt)
    }

    /// Computes once what every encapsulation needs. The result encapsulates fastest, and takes 29 to 95 KB.
    #[must_use]
    pub fn expand(&self) -> ExpandedEncapsulationKey<K> {
        let expanded = Expanded::<K>::new(self.ring.cpu(), &self.bytes, Default::default());
        ExpandedEncapsulationKey::new(self, &expanded, &mut self.ring.workspace())
    }
}

/// Draws the random bytes of an encapsulation: the message first, then the salt, as the reference code does.
fn draw<K: Scheme, R: CryptoRng + ?Sized>(
    rng: &mut R,
    message: &mut Message<K>,
    salt: &mut [u8; SALT_BYTES],
) {
    rng.fill_bytes(message.as_mut());
    rng.fill_bytes(salt);
}

impl<K: Scheme> PartialEq for EncapsulationKey<K> {
    fn eq(&self, other: &Self) -> bool {
        // Keys are public: the comparison may stop at the first difference.
        self.bytes.as_ref() == other.bytes.as_ref()
    }
}

impl<K: Scheme> Eq for EncapsulationKey<K> {}

impl<K: Scheme> fmt::Debug for EncapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("EncapsulationKey", f)
    }
}

/// An encapsulation key with everything that does not depend on the message: h and s, prepared for products,
/// and the hash of the key. It takes 29 to 95 KB.
pub struct ExpandedEncapsulationKey<K: Scheme> {
    key: EncapsulationKey<K>,
    h: Factor<K::Set>,
    s: Factor<K::Set>,
    key_hash: [u8; 32],
}

impl<K: Scheme> ExpandedEncapsulationKey<K> {
    pub(crate) fn new(
        key: &EncapsulationKey<K>,
        expanded: &Expanded<K>,
        space: &mut Workspace<K::Set>,
    ) -> Self {
        let ring = &key.ring;
        let mut expanded_key = ExpandedEncapsulationKey {
            // Prepared in place, as a factor has up to 43 KB.
            key: key.clone(),
            h: Factor::zeroed(),
            s: Factor::zeroed(),
            key_hash: expanded.key_hash,
        };
        ring.prepare(&expanded.h, &mut expanded_key.h, space);
        ring.prepare(&expanded.s, &mut expanded_key.s, space);
        expanded_key
    }

    /// Returns the key in its compact form.
    #[must_use]
    pub fn encapsulation_key(&self) -> &EncapsulationKey<K> {
        &self.key
    }

    pub(crate) fn public_key(&self) -> PublicKey<'_, K> {
        let factors = Public::Prepared { h: &self.h, s: &self.s };
        PublicKey { factors, key_hash: &self.key_hash, bytes: &self.key.bytes }
    }

    /// Draws a shared secret, as [`EncapsulationKey::encapsulate_with_rng`] does, but without expanding the key.
    #[must_use]
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> (Ciphertext<K>, SharedSecret<K>) {
        let (mut message, mut salt) = (Zeroizing::new(Message::<K>::zeroed()), [0; SALT_BYTES]);
        draw::<K, R>(rng, &mut message, &mut salt);
        self.encapsulate_deterministic(&message, &salt)
    }

    /// Encapsulates the given message, as [`EncapsulationKey::encapsulate_deterministic`] does. For tests.
    #[must_use]
    pub fn encapsulate_deterministic(
        &self,
        message: &Message<K>,
        salt: &[u8; SALT_BYTES],
    ) -> (Ciphertext<K>, SharedSecret<K>) {
        kem::encapsulate(&self.key.ring, &self.public_key(), message, salt)
    }
}

impl<K: Scheme> fmt::Debug for ExpandedEncapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("ExpandedEncapsulationKey", f)
    }
}
