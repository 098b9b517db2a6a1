//! Decapsulation keys: generation, import and export, expansion, and decapsulation.
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

/// A decapsulation key, which is secret. Wiped when dropped.
///
/// With the feature `alloc` the secrets lie on the heap from the beginning, and a move leaves no copy of
/// them. Without it, a move leaves a copy in the old place.
pub struct DecapsulationKey<K: Scheme> {
    key: EncapsulationKey<K>,
    secrets: Home<Seeds<K>>,
}

impl<K: Scheme> DecapsulationKey<K> {
    /// Generates a key from a seed that `rng` draws. The seed is wiped.
    #[must_use]
    pub fn generate_from_rng<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate_from_rng(rng);
        key
    }

    /// Generates a key from a seed that `rng` draws. The seed is wiped.
    ///
    /// # Errors
    /// Returns the error of the random number generator.
    pub fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Zeroizing::new(K::Seed::zeroed());
        rng.try_fill_bytes(seed.as_mut())?;
        Ok(Self::from_seed(&seed))
    }

    /// Derives the key of a seed: 32 uniformly random bytes. In profile `2023` the seed consists of the seed
    /// of x and y (40 bytes), sigma, and the seed of h (40 bytes).
    ///
    /// The time depends on the number of candidates for x and y that are read, and on nothing else of the seed.
    #[must_use]
    pub fn from_seed(seed: &K::Seed) -> Self {
        Self::from_seed_on(ClmulCpu::detect(), seed)
    }

    /// Derives the key of a seed as [`from_seed`](Self::from_seed) does, for computation on the backend `cpu`.
    #[must_use]
    pub fn from_seed_on(cpu: ClmulCpu, seed: &K::Seed) -> Self {
        Self::generate(Ring::on(cpu), seed)
    }

    /// Derives the key of a seed as [`from_seed`](Self::from_seed) does. The key and its encapsulation key
    /// multiply by the given plan.
    ///
    /// # Errors
    /// If the plan is for operands of another size than the ring's. Also if a factor and the scratch of the
    /// plan take more than 24 times as many words as an operand (22 times for HQC-5).
    pub fn from_seed_by_plan(plan: Plan, seed: &K::Seed) -> Result<Self, PlanMismatch> {
        Ring::by_plan(plan).map(|ring| Self::generate(ring, seed))
    }

    fn generate(ring: Ring<K::Set>, seed: &K::Seed) -> Self {
        // Seeds are placed before they are filled: moving them later would leave a copy.
        let mut secrets = home(Seeds::<K>::zeroed());
        let public = secrets.expand(ring.cpu(), seed);
        let key = EncapsulationKey { ring, bytes: secrets.encapsulation_key(&ring, &public) };
        DecapsulationKey { key, secrets }
    }

    /// Imports a key from its bytes, and checks it: the key is derived again from the seed in it,
    /// and compared in constant time.
    ///
    /// In profile `2023` sigma is part of the seed, so that every value of sigma is valid.
    ///
    /// # Errors
    /// If the length is wrong, if bits of s are set that belong to no coefficient, or if the key differs from
    /// the one that its seed gives.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(ClmulCpu::detect(), bytes)
    }

    /// Imports a key as [`from_bytes`](Self::from_bytes) does, for computation on the backend `cpu`.
    ///
    /// # Errors
    /// If the length is wrong, if bits of s are set that belong to no coefficient, or if the key differs from
    /// the one that its seed gives.
    pub fn from_bytes_on(cpu: ClmulCpu, bytes: &[u8]) -> Result<Self, Error> {
        let key = Self::from_bytes_unchecked(cpu, bytes)?;
        if key.key.has_padding() {
            return Err(Error::new::<K>(Kind::DecapsulationKey, Defect::Padding));
        }
        // Without this check a key with a changed seed would decapsulate, and become another key when stored
        // as its seed.
        let mut generated = Zeroizing::new(K::DecapsulationKeyBytes::zeroed());
        Self::from_seed_on(cpu, key.as_seed()).write_bytes(generated.as_mut());
        let equal = generated.as_ref().ct_eq(bytes);
        // The comparison is constant time, as the bytes are secret. Its result, that a key is valid, is
        // public.
        if equal.to_bool() { Ok(key) } else { Err(Error::new::<K>(Kind::DecapsulationKey, Defect::Seed)) }
    }

    /// Imports a key without checking that its parts fit each other. For tests of implementations against each other.
    ///
    /// It decapsulates as the reference code does, which ignores the seed.
    ///
    /// # Errors
    /// If the length is wrong.
    pub fn from_bytes_unchecked(cpu: ClmulCpu, bytes: &[u8]) -> Result<Self, Error> {
        // First the length: the fields below add up to it, so no `split_at` panics.
        check_length::<K>(bytes)?;
        let mut key = DecapsulationKey::<K> {
            key: EncapsulationKey { ring: Ring::on(cpu), bytes: Array::zeroed() },
            secrets: home(Seeds::zeroed()),
        };
        // Fields follow each other without separators, in the order of the profile.
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

    /// Collects the seed from its parts, in profiles whose keys hold no seed as such (`2023`).
    fn collect_seed(&mut self) {
        if K::Profile::RULES.key_layout.contains(&KeyPart::Seed) {
            return;
        }
        // Profile `2023`: the seed of x and y, sigma, and the seed of h, with which the encapsulation key
        // begins.
        let Seeds { seed, secret, sigma }: &mut Seeds<K> = &mut self.secrets;
        let (secret, sigma) = (secret.as_ref(), sigma.as_ref());
        let (a, rest) = seed.as_mut().split_at_mut(secret.len());
        let (b, c) = rest.split_at_mut(sigma.len());
        a.copy_from_slice(secret);
        b.copy_from_slice(sigma);
        c.copy_from_slice(&self.key.bytes.as_ref()[..c.len()]);
    }

    /// Exports the key. In profiles `nr` and `v5`: the encapsulation key, the seed of y and x, sigma, and the
    /// seed of the key. In profile `2023`: the seed of x and y, sigma, and the encapsulation key.
    ///
    /// The array is wiped when dropped, but moving it leaves a copy in the old place.
    /// [`to_bytes_into`](Self::to_bytes_into) writes to where the bytes stay.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<K::DecapsulationKeyBytes> {
        let mut bytes = Zeroizing::new(K::DecapsulationKeyBytes::zeroed());
        self.write_bytes(bytes.as_mut());
        bytes
    }

    /// Writes the bytes that [`to_bytes`](Self::to_bytes) returns to `out`. Leaves no other copy in memory.
    ///
    /// # Errors
    /// If `out` has another length; then nothing is written.
    pub fn to_bytes_into(&self, out: &mut [u8]) -> Result<(), Error> {
        check_length::<K>(out)?;
        self.write_bytes(out);
        Ok(())
    }

    /// Writes the fields of the key to `out` in the profile's order. `out` has the length of a key.
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

    /// Returns the seed from which [`from_seed`](Self::from_seed) derives this key. It is secret, and the
    /// shortest form of the key.
    #[must_use]
    pub fn as_seed(&self) -> &K::Seed {
        &self.secrets.seed
    }

    /// Returns the encapsulation key, which is public and a part of this key.
    #[must_use]
    pub fn encapsulation_key(&self) -> &EncapsulationKey<K> {
        &self.key
    }

    /// Returns the shared secret of a ciphertext, in constant time.
    ///
    /// A ciphertext that no encapsulation to this key has made gives a pseudorandom secret (implicit
    /// rejection). There is no error, and the time does not differ.
    #[must_use]
    pub fn decapsulate(&self, ciphertext: &Ciphertext<K>) -> SharedSecret<K> {
        let ring = &self.key.ring;
        // Both are filled where they lie and wiped when dropped, so the call leaves no copy of y.
        let (mut y, mut space) = (Factor::zeroed(), ring.workspace());
        let expanded = self.expand_parts(&mut y, &mut space);
        let key = expanded.public_key(&self.key.bytes);
        kem::decapsulate(ring, &key, &y, &self.secrets.sigma, ciphertext, &mut space)
    }

    /// Computes h, s and the hash of the encapsulation key, and prepares the secret y as a factor.
    fn expand_parts(&self, y: &mut Factor<K::Set>, space: &mut Workspace<K::Set>) -> Expanded<K> {
        let ring = &self.key.ring;
        let mut known = SecretBytes::<<K::Set as ParameterSet>::KeyStream>::zeroed();
        let secret = self.secrets.secret.as_ref();
        // The stream of y is hashed together with h and H(ek): the Keccak states share permutations.
        let expanded = Expanded::new(ring.cpu(), &self.key.bytes, (secret, known.as_mut()));
        kem::secret_factor::<K>(ring, secret, (*known).as_ref(), y, space);
        expanded
    }

    /// Computes once what every decapsulation needs. The result decapsulates fastest, and takes 42 to 139 KB.
    #[must_use]
    pub fn expand(&self) -> ExpandedDecapsulationKey<K> {
        // Placed before they are secret, so that no copy of y or sigma remains on the stack.
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

// The fields wipe their secrets when dropped.
impl<K: Scheme> ZeroizeOnDrop for DecapsulationKey<K> {}

impl<K: Scheme> fmt::Debug for DecapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("DecapsulationKey", f)
    }
}

/// A decapsulation key with everything that does not depend on the ciphertext: y, h and s, prepared for
/// products, and the hash of the encapsulation key. Wiped when dropped.
///
/// It takes 42 to 139 KB, of which 13 to 44 KB are secret. With the feature `alloc` the secrets lie on the
/// heap, and a move leaves no copy of them.
pub struct ExpandedDecapsulationKey<K: Scheme> {
    key: ExpandedEncapsulationKey<K>,
    secrets: Home<Prepared<K>>,
}

/// The secrets of an expanded key. Wiped when dropped.
struct Prepared<K: Scheme> {
    /// The secret y, prepared for products. Wipes itself when dropped.
    y: Factor<K::Set>,
    sigma: Message<K>,
}

impl<K: Scheme> Drop for Prepared<K> {
    fn drop(&mut self) {
        // y wipes itself. Sigma is a plain array, which does not.
        wipe(self.sigma.as_mut());
    }
}

impl<K: Scheme> ExpandedDecapsulationKey<K> {
    /// Returns the encapsulation key, which is expanded too.
    #[must_use]
    pub fn encapsulation_key(&self) -> &ExpandedEncapsulationKey<K> {
        &self.key
    }

    /// Returns the shared secret of a ciphertext, as [`DecapsulationKey::decapsulate`] does, but without
    /// expanding the key. Constant time.
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

// The fields wipe their secrets when dropped.
impl<K: Scheme> ZeroizeOnDrop for ExpandedDecapsulationKey<K> {}

impl<K: Scheme> fmt::Debug for ExpandedDecapsulationKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::<K>("ExpandedDecapsulationKey", f)
    }
}

/// Returns an error unless `bytes` has the length of a decapsulation key.
fn check_length<K: Scheme>(bytes: &[u8]) -> Result<(), Error> {
    let expected = size_of::<K::DecapsulationKeyBytes>();
    if bytes.len() == expected {
        return Ok(());
    }
    Err(Error::new::<K>(Kind::DecapsulationKey, Defect::Length { expected, found: bytes.len() }))
}
