//! Decapsulation keys.
use crate::array::Array;
use crate::encapsulation::{EncapsulationKey, ExpandedEncapsulationKey};
use crate::error::{Defect, Error, Kind};
use crate::kem::{self, Expanded, Message, SeedOf, Seeds};
use crate::profile::{KeyPart, Profile};
use crate::ring::{Factor, Ring, Workspace};
use crate::scheme::Scheme;
use crate::secret::SecretBytes;
use crate::set::ParameterSet;
use crate::values::{Ciphertext, SharedSecret, debug};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, PlanMismatch};
use core::fmt;
use ctutils::CtEq;
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A decapsulation key: the secret one. Wiped when dropped.
#[derive(Clone)]
pub struct DecapsulationKey<K: Scheme> {
    key: EncapsulationKey<K>,
    /// Of y and x.
    secret: SeedOf<K>,
    sigma: Message<K>,
    /// Of everything.
    seed: K::Seed,
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
        let seeds = Seeds::<K>::new(ring.cpu(), seed);
        let key = EncapsulationKey { ring, bytes: seeds.encapsulation_key(&ring) };
        DecapsulationKey { key, secret: seeds.secret, sigma: seeds.sigma, seed: *seed }
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
        let generated = Self::from_seed_on(cpu, &key.seed);
        let equal = generated.to_bytes().as_ref().ct_eq(bytes);
        // That a key is valid is public.
        if equal.to_bool() { Ok(key) } else { Err(Error::new::<K>(Kind::DecapsulationKey, Defect::Seed)) }
    }

    /// A key whose parts need not fit each other. It decapsulates as the reference code does, which does not look at the seed. For tests of implementations
    /// against each other.
    ///
    /// # Errors
    /// If the length is wrong.
    pub fn from_bytes_unchecked(cpu: ClmulCpu, bytes: &[u8]) -> Result<Self, Error> {
        let array: Zeroizing<K::DecapsulationKeyBytes> =
            Zeroizing::new(Error::array::<K, _>(Kind::DecapsulationKey, bytes)?);
        let mut key = DecapsulationKey::<K> {
            key: EncapsulationKey { ring: Ring::on(cpu), bytes: Array::zeroed() },
            secret: Array::zeroed(),
            sigma: Array::zeroed(),
            seed: Array::zeroed(),
        };
        let mut rest = (*array).as_ref();
        for part in K::Profile::RULES.key_layout {
            let field = match part {
                KeyPart::EncapsulationKey => key.key.bytes.as_mut(),
                KeyPart::KeySeed => key.secret.as_mut(),
                KeyPart::Sigma => key.sigma.as_mut(),
                KeyPart::Seed => key.seed.as_mut(),
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
        let (secret, sigma) = (self.secret.as_ref(), self.sigma.as_ref());
        let (a, rest) = self.seed.as_mut().split_at_mut(secret.len());
        let (b, c) = rest.split_at_mut(sigma.len());
        a.copy_from_slice(secret);
        b.copy_from_slice(sigma);
        c.copy_from_slice(&self.key.bytes.as_ref()[..c.len()]);
    }

    /// Its bytes. In profiles `nr` and `v5`: the encapsulation key, the seed of y and x, sigma, the seed of everything.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<K::DecapsulationKeyBytes> {
        let mut bytes = Zeroizing::new(K::DecapsulationKeyBytes::zeroed());
        let mut rest = bytes.as_mut();
        for part in K::Profile::RULES.key_layout {
            let field = match part {
                KeyPart::EncapsulationKey => self.key.bytes.as_ref(),
                KeyPart::KeySeed => self.secret.as_ref(),
                KeyPart::Sigma => self.sigma.as_ref(),
                KeyPart::Seed => self.seed.as_ref(),
            };
            let (bytes, others) = rest.split_at_mut(field.len());
            bytes.copy_from_slice(field);
            rest = others;
        }
        bytes
    }

    /// The seed, of which [`from_seed`](Self::from_seed) makes the key.
    #[must_use]
    pub fn to_seed(&self) -> Zeroizing<K::Seed> {
        Zeroizing::new(self.seed)
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
        kem::decapsulate(ring, &key, &y, &self.sigma, ciphertext, &mut space)
    }

    /// h, s, the hash of the encapsulation key, and `y`.
    fn expand_parts(&self, y: &mut Factor<K::Set>, space: &mut Workspace<K::Set>) -> Expanded<K> {
        let ring = &self.key.ring;
        let mut known = SecretBytes::<<K::Set as ParameterSet>::KeyStream>::zeroed();
        let expanded = Expanded::new(ring.cpu(), &self.key.bytes, (self.secret.as_ref(), known.as_mut()));
        kem::secret_factor::<K>(ring, self.secret.as_ref(), (*known).as_ref(), y, space);
        expanded
    }

    /// The key in the form that decapsulates fastest.
    #[must_use]
    pub fn expand(&self) -> ExpandedDecapsulationKey<K> {
        let (mut y, mut space) = (Factor::zeroed(), self.key.ring.workspace());
        let expanded = self.expand_parts(&mut y, &mut space);
        let key = ExpandedEncapsulationKey::new(&self.key, &expanded, &mut space);
        ExpandedDecapsulationKey { key, y, sigma: self.sigma }
    }
}

impl<K: Scheme> Zeroize for DecapsulationKey<K> {
    fn zeroize(&mut self) {
        let DecapsulationKey { key: _, secret, sigma, seed } = self;
        secret.zeroize();
        sigma.zeroize();
        seed.zeroize();
    }
}

impl<K: Scheme> Drop for DecapsulationKey<K> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<K: Scheme> ZeroizeOnDrop for DecapsulationKey<K> {}

impl<K: Scheme> fmt::Debug for DecapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("DecapsulationKey", f)
    }
}

/// A decapsulation key with all that does not depend on the ciphertext: y, h and s, prepared for products, and the hash of the encapsulation key. Wiped when
/// dropped. 42 to 139 KB.
pub struct ExpandedDecapsulationKey<K: Scheme> {
    key: ExpandedEncapsulationKey<K>,
    y: Factor<K::Set>,
    sigma: Message<K>,
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
            &self.y,
            &self.sigma,
            ciphertext,
            &mut ring.workspace(),
        )
    }
}

impl<K: Scheme> Drop for ExpandedDecapsulationKey<K> {
    // The factor wipes itself.
    fn drop(&mut self) {
        self.sigma.zeroize();
    }
}

impl<K: Scheme> ZeroizeOnDrop for ExpandedDecapsulationKey<K> {}

impl<K: Scheme> fmt::Debug for ExpandedDecapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("ExpandedDecapsulationKey", f)
    }
}
