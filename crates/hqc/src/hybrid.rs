//! **Draft.** Hybrids of a post-quantum KEM and X25519: the secret is safe as long as one of both is.
//!
//! They follow the frame of the CFRG's drafts (draft-irtf-cfrg-hybrid-kems and draft-irtf-cfrg-concrete-hybrid-kems), of
//! which X-Wing is an instance. Those drafts name no hybrid with HQC, and HQC has no standard: label and bytes will
//! change. Use this for tests.
//!
//! ```text
//! seed, 32 bytes                   SHAKE256(seed) = seed of the post-quantum KEM, X25519 scalar
//! encapsulation key, ciphertext    post-quantum half, 32 bytes of X25519
//! shared secret                    SHA3-256(post-quantum secret, X25519 secret, X25519 half of the ciphertext,
//!                                           X25519 public key, label)
//! ```
//!
//! ```
//! use carryless_hqc::Hqc1;
//! use carryless_hqc::hybrid::{DecapsulationKey, EncapsulationKey};
//!
//! let dk = DecapsulationKey::<Hqc1>::from_seed(&[1; 32]); // random bytes
//! let ek = EncapsulationKey::<Hqc1>::from_bytes(&dk.encapsulation_key().to_bytes())?;
//! let (ciphertext, secret) = ek.encapsulate_deterministic(&[2; 64])?; // random bytes, for one ciphertext
//! assert_eq!(*dk.decapsulate(&ciphertext)?, *secret);
//! # Ok::<(), carryless_hqc::hybrid::Error>(())
//! ```
use crate::array::Array as _;
use crate::keccak::{Function, SHA3_256, SHAKE256, Stream, run};
use crate::scheme::{Hqc1, Scheme, Sizes};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::ClmulCpu;
use carryless_lanes::cleared;
use core::fmt;
use rand_core::CryptoRng;
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// Words of the stack that X25519 and Keccak use, and more: `tests/memory.rs` looks for what is left.
const CLEARED: usize = 1024;

/// Bytes of the seed of a key.
pub const SEED_BYTES: usize = 32;
/// Bytes of a scalar, a public key and a secret of X25519.
pub const X25519_BYTES: usize = 32;

/// A shared secret. On the heap, and wiped when dropped.
pub type SharedSecret = Box<Zeroizing<[u8; 32]>>;

/// The post-quantum half of a hybrid, a KEM with implicit rejection.
///
/// It must not be possible to find a second ciphertext with the secret of a given one (C2PRI in the draft), because the
/// last hash does not take the ciphertext. HQC in profile `nr` has this: a ciphertext that is accepted follows from the
/// message and the salt, which the secret hashes, and the secret of a rejection hashes all of the ciphertext.
pub trait PostQuantum {
    /// The label of the hybrid, which no other one begins with.
    const LABEL: &'static [u8];
    /// Bytes of the seed of a key.
    const SEED: usize;
    /// Bytes of an encapsulation key.
    const ENCAPSULATION_KEY: usize;
    /// Bytes of randomness that an encapsulation takes.
    const RANDOMNESS: usize;
    /// Bytes of a ciphertext.
    const CIPHERTEXT: usize;
    /// Bytes of a shared secret.
    const SHARED_SECRET: usize;
    /// A key that wipes itself.
    type DecapsulationKey: ZeroizeOnDrop;
    /// A key that was checked.
    type EncapsulationKey: Clone;

    /// Derives a key from a seed of [`SEED`](Self::SEED) bytes.
    fn derive(seed: &[u8]) -> Self::DecapsulationKey;
    /// Returns the encapsulation key.
    fn public(key: &Self::DecapsulationKey) -> &Self::EncapsulationKey;
    /// Imports and checks an encapsulation key. Returns `None` if the bytes are none.
    fn import(bytes: &[u8]) -> Option<Self::EncapsulationKey>;
    /// Returns the bytes of a key.
    fn bytes(key: &Self::EncapsulationKey) -> &[u8];
    /// Writes a ciphertext and its secret. All lengths are right.
    fn encapsulate(key: &Self::EncapsulationKey, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]);
    /// Writes the secret of a ciphertext. All lengths are right.
    fn decapsulate(key: &Self::DecapsulationKey, ciphertext: &[u8], secret: &mut [u8]);
}

impl PostQuantum for Hqc1 {
    const LABEL: &'static [u8] = b"carryless-draft-HQC-1-X25519";
    const SEED: usize = Sizes::of::<Hqc1>().seed;
    const ENCAPSULATION_KEY: usize = Sizes::of::<Hqc1>().encapsulation_key;
    const RANDOMNESS: usize = Sizes::of::<Hqc1>().randomness;
    const CIPHERTEXT: usize = Sizes::of::<Hqc1>().ciphertext;
    const SHARED_SECRET: usize = Sizes::of::<Hqc1>().shared_secret;
    type DecapsulationKey = crate::DecapsulationKey<Hqc1>;
    type EncapsulationKey = crate::EncapsulationKey<Hqc1>;

    fn derive(bytes: &[u8]) -> Self::DecapsulationKey {
        let mut seed = Zeroizing::new(<Hqc1 as Scheme>::Seed::zeroed());
        seed.copy_from_slice(bytes);
        crate::DecapsulationKey::<Hqc1>::from_seed(&seed)
    }

    fn public(key: &Self::DecapsulationKey) -> &Self::EncapsulationKey {
        key.encapsulation_key()
    }

    fn import(bytes: &[u8]) -> Option<Self::EncapsulationKey> {
        crate::EncapsulationKey::from_bytes(bytes).ok()
    }

    fn bytes(key: &Self::EncapsulationKey) -> &[u8] {
        key.as_bytes()
    }

    fn encapsulate(key: &Self::EncapsulationKey, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) {
        let (mut message, mut salt) =
            (Zeroizing::new(crate::Message::<Hqc1>::zeroed()), [0; crate::SALT_BYTES]);
        let (first, last) = random.split_at(message.len());
        message.copy_from_slice(first);
        salt.copy_from_slice(last);
        let (sent, shared) = key.encapsulate_deterministic(&message, &salt);
        ciphertext.copy_from_slice(sent.as_ref());
        secret.copy_from_slice(shared.as_ref());
    }

    fn decapsulate(key: &Self::DecapsulationKey, bytes: &[u8], secret: &mut [u8]) {
        let mut ciphertext = crate::Ciphertext::<Hqc1>(<Hqc1 as Scheme>::CiphertextBytes::zeroed());
        ciphertext.0.copy_from_slice(bytes);
        secret.copy_from_slice(key.decapsulate(&ciphertext).as_ref());
    }
}

/// The reason why bytes are no value of a hybrid. It contains none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The number of bytes is wrong.
    Length {
        /// Name of the value.
        what: &'static str,
        /// Bytes that the value has.
        expected: usize,
        /// Bytes that were passed.
        found: usize,
    },
    /// The post-quantum half is no encapsulation key.
    Key,
}

impl Error {
    fn check(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
        if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Length { what, expected, found } => {
                write!(f, "a {what} of the hybrid has {expected} bytes, not {found}")
            }
            Error::Key => f.write_str("the post-quantum half is no encapsulation key"),
        }
    }
}

impl core::error::Error for Error {}

/// An encapsulation key of the hybrid with X25519.
pub struct EncapsulationKey<P: PostQuantum> {
    post_quantum: P::EncapsulationKey,
    classical: [u8; X25519_BYTES],
}

impl<P: PostQuantum> EncapsulationKey<P> {
    /// Imports a key: the post-quantum half, then the X25519 public key.
    ///
    /// # Errors
    /// If the length is wrong, or the post-quantum half is no key. All X25519 public keys are valid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check("key", P::ENCAPSULATION_KEY + X25519_BYTES, bytes.len())?;
        let Some((first, classical)) = bytes.split_last_chunk() else { return Err(Error::Key) };
        let post_quantum = P::import(first).ok_or(Error::Key)?;
        Ok(EncapsulationKey { post_quantum, classical: *classical })
    }

    /// Exports the key: the post-quantum half, then the X25519 public key.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [P::bytes(&self.post_quantum), &self.classical].concat()
    }

    /// Draws a shared secret from `rng`. Returns the ciphertext that carries it, and the secret.
    #[must_use]
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Vec<u8>, SharedSecret) {
        let mut random = Zeroizing::new(vec![0; P::RANDOMNESS + X25519_BYTES]);
        rng.fill_bytes(&mut random);
        self.encapsulate(&random)
    }

    /// Encapsulates with the given randomness: that of the post-quantum half, then a scalar of X25519. For tests.
    ///
    /// # Errors
    /// If the length is wrong.
    pub fn encapsulate_deterministic(&self, random: &[u8]) -> Result<(Vec<u8>, SharedSecret), Error> {
        Error::check("randomness", P::RANDOMNESS + X25519_BYTES, random.len())?;
        Ok(self.encapsulate(random))
    }

    fn encapsulate(&self, random: &[u8]) -> (Vec<u8>, SharedSecret) {
        let mut ciphertext = vec![0; P::CIPHERTEXT + X25519_BYTES];
        let mut secret = Zeroizing::new(vec![0; P::SHARED_SECRET]);
        let (random, scalar) = random.split_at(P::RANDOMNESS);
        let (first, last) = ciphertext.split_at_mut(P::CIPHERTEXT);
        P::encapsulate(&self.post_quantum, random, first, &mut secret);
        let mut ephemeral = Zeroizing::new([0; X25519_BYTES]);
        ephemeral.copy_from_slice(scalar);
        last.copy_from_slice(&exchange(&ephemeral, &X25519_BASEPOINT_BYTES)[..]);
        let shared = exchange(&ephemeral, &self.classical);
        let combined = combine::<P>(&secret, &shared[..], last, &self.classical);
        (ciphertext, combined)
    }
}

impl<P: PostQuantum> Clone for EncapsulationKey<P> {
    fn clone(&self) -> Self {
        EncapsulationKey { post_quantum: self.post_quantum.clone(), classical: self.classical }
    }
}

/// A decapsulation key of the hybrid with X25519, which is secret. Wiped when dropped.
pub struct DecapsulationKey<P: PostQuantum> {
    seed: Box<Zeroizing<[u8; SEED_BYTES]>>,
    post_quantum: P::DecapsulationKey,
    scalar: Box<Zeroizing<[u8; X25519_BYTES]>>,
    public: EncapsulationKey<P>,
}

impl<P: PostQuantum> DecapsulationKey<P> {
    /// Generates a key from a seed that `rng` draws.
    #[must_use]
    pub fn generate_from_rng<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut seed = Zeroizing::new([0; SEED_BYTES]);
        rng.fill_bytes(&mut *seed);
        Self::from_seed(&seed)
    }

    /// Derives the key of a seed, which is the form in which keys are stored.
    #[must_use]
    pub fn from_seed(seed: &[u8; SEED_BYTES]) -> Self {
        let mut expanded = Zeroizing::new(vec![0; P::SEED + X25519_BYTES]);
        hash(SHAKE256, &[seed], &mut expanded);
        let (first, last) = expanded.split_at(P::SEED);
        let post_quantum = P::derive(first);
        let mut scalar = Box::new(Zeroizing::new([0; X25519_BYTES]));
        scalar.copy_from_slice(last);
        let classical = **exchange(&scalar, &X25519_BASEPOINT_BYTES);
        let public = EncapsulationKey { post_quantum: P::public(&post_quantum).clone(), classical };
        let mut own = Box::new(Zeroizing::new([0; SEED_BYTES]));
        own.copy_from_slice(seed);
        DecapsulationKey { seed: own, post_quantum, scalar, public }
    }

    /// Returns the seed. It is secret, and the only form in which keys are stored.
    #[must_use]
    pub fn as_seed(&self) -> &[u8; SEED_BYTES] {
        &self.seed
    }

    /// Returns the encapsulation key, which is public.
    #[must_use]
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.public
    }

    /// Returns the shared secret of a ciphertext. One that was changed gives another secret, and no error.
    ///
    /// # Errors
    /// If the length is wrong.
    pub fn decapsulate(&self, ciphertext: &[u8]) -> Result<SharedSecret, Error> {
        Error::check("ciphertext", P::CIPHERTEXT + X25519_BYTES, ciphertext.len())?;
        let (first, last) = ciphertext.split_at(P::CIPHERTEXT);
        let mut secret = Zeroizing::new(vec![0; P::SHARED_SECRET]);
        P::decapsulate(&self.post_quantum, first, &mut secret);
        let mut peer = [0; X25519_BYTES];
        peer.copy_from_slice(last);
        let shared = exchange(&self.scalar, &peer);
        Ok(combine::<P>(&secret, &shared[..], last, &self.public.classical))
    }
}

// The fields wipe themselves.
impl<P: PostQuantum> ZeroizeOnDrop for DecapsulationKey<P> {}

/// X25519. The secret is on the heap: a return by value would leave a copy on the stack, which is cleared here.
fn exchange(scalar: &[u8; X25519_BYTES], point: &[u8; X25519_BYTES]) -> Box<Zeroizing<[u8; X25519_BYTES]>> {
    let mut shared = Box::new(Zeroizing::new([0; X25519_BYTES]));
    // The arithmetic of x25519-dalek wipes itself, but not its copies of the scalar.
    cleared::<CLEARED, _>(|| shared.copy_from_slice(&x25519(*scalar, *point)));
    shared
}

/// The last hash, of both secrets and of what binds that of X25519.
fn combine<P: PostQuantum>(secret: &[u8], shared: &[u8], ciphertext: &[u8], key: &[u8]) -> SharedSecret {
    let mut combined = Box::new(Zeroizing::new([0; 32]));
    hash(SHA3_256, &[secret, shared, ciphertext, key, P::LABEL], combined.as_mut_slice());
    combined
}

fn hash(function: Function, input: &[&[u8]], output: &mut [u8]) {
    cleared::<CLEARED, _>(|| {
        run(ClmulCpu::detect(), &mut [&mut Stream::new(function, input, output)], &mut []);
    });
}
