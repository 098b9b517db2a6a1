//! Decapsulation keys.
use crate::array::Array;
use crate::encapsulation::{EncapsulationKey, ExpandedEncapsulationKey};
use crate::error::{Defect, Error, Kind};
use crate::kem::{self, Expanded, Message, Seeds};
use crate::profile::{KeyPart, Profile};
use crate::ring::{Factor, Ring, Workspace};
use crate::scheme::Scheme;
use crate::secret::{Home, SecretBytes, home, wipe};
use crate::set::ParameterSet;
use crate::values::{Ciphertext, SharedSecret, debug};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, PlanMismatch};
use core::fmt;
use ctutils::CtEq;
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A decapsulation key: the secret one. Wiped when dropped.
///
/// With the feature `alloc` what is secret lies on the heap from the beginning, and a move leaves no copy of it. Without, a move leaves one in the old place.
pub struct DecapsulationKey<K: Scheme> {
    key: EncapsulationKey<K>,
    secrets: Home<Seeds<K>>,
}

impl<K: Scheme> DecapsulationKey<K> {
    /// A new key.
    #[must_use]
    pub fn generate_from_rng<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate_from_rng(rng);
        key
    }

    /// A new key.
    ///
    /// # Errors
    /// Those of the random number generator.
    pub fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Zeroizing::new(K::Seed::zeroed());
        rng.try_fill_bytes(seed.as_mut())?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a seed: 32 random bytes, or in profile `2023` both seeds with sigma between them.
    #[must_use]
    pub fn from_seed(seed: &K::Seed) -> Self {
        Self::from_seed_on(ClmulCpu::detect(), seed)
    }

    /// [`from_seed`](Self::from_seed), for a key that computes on a machine of one's choice.
    #[must_use]
    pub fn from_seed_on(cpu: ClmulCpu, seed: &K::Seed) -> Self {
        Self::generate(Ring::on(cpu), seed)
    }

    /// [`from_seed`](Self::from_seed), for a key whose products, and those of its encapsulation key, are computed by a plan of one's choice.
    ///
    /// # Errors
    /// If the plan is for operands of other sizes than the ring's, or with its scratch and a factor takes more than 24 times as many words (22 times for HQC-5).
    pub fn from_seed_by_plan(plan: Plan, seed: &K::Seed) -> Result<Self, PlanMismatch> {
        Ring::by_plan(plan).map(|ring| Self::generate(ring, seed))
    }

    fn generate(ring: Ring<K::Set>, seed: &K::Seed) -> Self {
        let mut secrets = home(Seeds::<K>::zeroed());
        let public = secrets.expand(ring.cpu(), seed);
        let key = EncapsulationKey { ring, bytes: secrets.encapsulation_key(&ring, &public) };
        DecapsulationKey { key, secrets }
    }

    /// A key of its bytes. It is generated anew from the seed among them and compared. (In profile `2023` sigma is a seed of its own: every value is one.)
    ///
    /// # Errors
    /// If the length is wrong, bits of s are set that belong to no coefficient, or the key is not the one that its seed gives.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(ClmulCpu::detect(), bytes)
    }

    /// [`from_bytes`](Self::from_bytes), for a key that computes on a machine of one's choice.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_on(cpu: ClmulCpu, bytes: &[u8]) -> Result<Self, Error> {
        let key = Self::from_bytes_unchecked(cpu, bytes)?;
        if key.key.has_padding() {
            return Err(Error::new::<K>(Kind::DecapsulationKey, Defect::Padding));
        }
        let mut generated = Zeroizing::new(K::DecapsulationKeyBytes::zeroed());
        Self::from_seed_on(cpu, key.as_seed()).write_bytes(generated.as_mut());
        let equal = generated.as_ref().ct_eq(bytes);
        // That a key is valid is public.
        if equal.to_bool() { Ok(key) } else { Err(Error::new::<K>(Kind::DecapsulationKey, Defect::Seed)) }
    }

    /// A key whose parts need not fit each other. It decapsulates as the reference code does, which does not look at the seed. For tests of implementations
    /// against each other.
    ///
    /// # Errors
    /// If the length is wrong.
    pub fn from_bytes_unchecked(cpu: ClmulCpu, bytes: &[u8]) -> Result<Self, Error> {
        check_length::<K>(bytes)?;
        let mut key = DecapsulationKey::<K> {
            key: EncapsulationKey { ring: Ring::on(cpu), bytes: Array::zeroed() },
            secrets: home(Seeds::zeroed()),
        };
        let mut rest = bytes;
        for part in K::Profile::RULES.key_layout {
            let field = match part {
                KeyPart::EncapsulationKey => key.key.bytes.as_mut(),
                KeyPart::KeySeed => key.secrets.secret.as_mut(),
                KeyPart::Sigma => key.secrets.sigma.as_mut(),
                KeyPart::Seed => key.secrets.seed.as_mut(),
            };
            let (bytes, others) = rest.split_at(field.len());
            field.copy_from_slice(bytes);
            rest = others;
        }
        key.collect_seed();
        Ok(key)
    }

    /// The seed, where a key holds it in parts.
    fn collect_seed(&mut self) {
        if K::Profile::RULES.key_layout.contains(&KeyPart::Seed) {
            return;
        }
        let Seeds { seed, secret, sigma }: &mut Seeds<K> = &mut self.secrets;
        let (secret, sigma) = (secret.as_ref(), sigma.as_ref());
        let (a, rest) = seed.as_mut().split_at_mut(secret.len());
        let (b, c) = rest.split_at_mut(sigma.len());
        a.copy_from_slice(secret);
        b.copy_from_slice(sigma);
        c.copy_from_slice(&self.key.bytes.as_ref()[..c.len()]);
    }

    /// Its bytes. In profiles `nr` and `v5`: the encapsulation key, the seed of y and x, sigma, the seed of everything.
    ///
    /// A move of the array leaves a copy in the old place; [`to_bytes_into`](Self::to_bytes_into) writes where the bytes stay.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<K::DecapsulationKeyBytes> {
        let mut bytes = Zeroizing::new(K::DecapsulationKeyBytes::zeroed());
        self.write_bytes(bytes.as_mut());
        bytes
    }

    /// Writes what [`to_bytes`](Self::to_bytes) returns. No other copy is left in memory.
    ///
    /// # Errors
    /// If `out` has another length; nothing is written then.
    pub fn to_bytes_into(&self, out: &mut [u8]) -> Result<(), Error> {
        check_length::<K>(out)?;
        self.write_bytes(out);
        Ok(())
    }

    fn write_bytes(&self, out: &mut [u8]) {
        let Seeds { seed, secret, sigma }: &Seeds<K> = &self.secrets;
        let mut rest = out;
        for part in K::Profile::RULES.key_layout {
            let field = match part {
                KeyPart::EncapsulationKey => self.key.bytes.as_ref(),
                KeyPart::KeySeed => secret.as_ref(),
                KeyPart::Sigma => sigma.as_ref(),
                KeyPart::Seed => seed.as_ref(),
            };
            let (bytes, others) = rest.split_at_mut(field.len());
            bytes.copy_from_slice(field);
            rest = others;
        }
    }

    /// The seed, of which [`from_seed`](Self::from_seed) makes the key.
    #[must_use]
    pub fn as_seed(&self) -> &K::Seed {
        &self.secrets.seed
    }

    /// The encapsulation key.
    #[must_use]
    pub fn encapsulation_key(&self) -> &EncapsulationKey<K> {
        &self.key
    }

    /// The shared secret of a ciphertext. One that no encapsulation has made gives a secret that nobody else knows (implicit rejection); there is
    /// no error, and the time does not tell.
    #[must_use]
    pub fn decapsulate(&self, ciphertext: &Ciphertext<K>) -> SharedSecret<K> {
        let ring = &self.key.ring;
        let (mut y, mut space) = (Factor::zeroed(), ring.workspace());
        let expanded = self.expand_parts(&mut y, &mut space);
        let key = expanded.public_key(&self.key.bytes);
        kem::decapsulate(ring, &key, &y, &self.secrets.sigma, ciphertext, &mut space)
    }

    /// h, s, the hash of the encapsulation key, and `y`.
    fn expand_parts(&self, y: &mut Factor<K::Set>, space: &mut Workspace<K::Set>) -> Expanded<K> {
        let ring = &self.key.ring;
        let mut known = SecretBytes::<<K::Set as ParameterSet>::KeyStream>::zeroed();
        let secret = self.secrets.secret.as_ref();
        let expanded = Expanded::new(ring.cpu(), &self.key.bytes, (secret, known.as_mut()));
        kem::secret_factor::<K>(ring, secret, (*known).as_ref(), y, space);
        expanded
    }

    /// The key in the form that decapsulates fastest.
    #[must_use]
    pub fn expand(&self) -> ExpandedDecapsulationKey<K> {
        let mut secrets = home(Prepared::<K> { y: Factor::zeroed(), sigma: Array::zeroed() });
        secrets.sigma.as_mut().copy_from_slice(self.secrets.sigma.as_ref());
        let mut space = self.key.ring.workspace();
        let expanded = self.expand_parts(&mut secrets.y, &mut space);
        let key = ExpandedEncapsulationKey::new(&self.key, &expanded, &mut space);
        ExpandedDecapsulationKey { key, secrets }
    }
}

impl<K: Scheme> Clone for DecapsulationKey<K> {
    fn clone(&self) -> Self {
        DecapsulationKey { key: self.key.clone(), secrets: self.secrets.copied() }
    }

    /// Overwrites the key where it stays: nothing is allocated, and no copy of either key is left.
    fn clone_from(&mut self, source: &Self) {
        self.key.clone_from(&source.key);
        self.secrets.copy_from(&source.secrets);
    }
}

impl<K: Scheme> Zeroize for DecapsulationKey<K> {
    fn zeroize(&mut self) {
        let DecapsulationKey { key: _, secrets } = self;
        secrets.zeroize();
    }
}

// Its secrets are wiped when they are dropped.
impl<K: Scheme> ZeroizeOnDrop for DecapsulationKey<K> {}

impl<K: Scheme> fmt::Debug for DecapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("DecapsulationKey", f)
    }
}

/// A decapsulation key with all that does not depend on the ciphertext: y, h and s, prepared for products, and the hash of the encapsulation key. Wiped when
/// dropped. 42 to 139 KB, of which 13 to 44 KB are secret. These lie on the heap with the feature `alloc`, and a move leaves no copy of them.
pub struct ExpandedDecapsulationKey<K: Scheme> {
    key: ExpandedEncapsulationKey<K>,
    secrets: Home<Prepared<K>>,
}

/// What is secret of an expanded key. Wiped when dropped.
struct Prepared<K: Scheme> {
    /// It wipes itself.
    y: Factor<K::Set>,
    sigma: Message<K>,
}

impl<K: Scheme> Drop for Prepared<K> {
    fn drop(&mut self) {
        wipe(self.sigma.as_mut());
    }
}

impl<K: Scheme> ExpandedDecapsulationKey<K> {
    /// The encapsulation key.
    #[must_use]
    pub fn encapsulation_key(&self) -> &ExpandedEncapsulationKey<K> {
        &self.key
    }

    /// As [`DecapsulationKey::decapsulate`].
    #[must_use]
    pub fn decapsulate(&self, ciphertext: &Ciphertext<K>) -> SharedSecret<K> {
        let ring = &self.key.encapsulation_key().ring;
        kem::decapsulate(
            ring,
            &self.key.public_key(),
            &self.secrets.y,
            &self.secrets.sigma,
            ciphertext,
            &mut ring.workspace(),
        )
    }
}

// Its secrets are wiped when they are dropped.
impl<K: Scheme> ZeroizeOnDrop for ExpandedDecapsulationKey<K> {}

impl<K: Scheme> fmt::Debug for ExpandedDecapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("ExpandedDecapsulationKey", f)
    }
}

/// An error unless there are as many bytes as a key has.
fn check_length<K: Scheme>(bytes: &[u8]) -> Result<(), Error> {
    let expected = size_of::<K::DecapsulationKeyBytes>();
    if bytes.len() == expected {
        return Ok(());
    }
    Err(Error::new::<K>(Kind::DecapsulationKey, Defect::Length { expected, found: bytes.len() }))
}
