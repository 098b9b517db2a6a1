//! The parts of the KEM as separate functions, for tests against other implementations and for measurements.
//!
//! In ring elements and codewords coefficient i is bit i mod 64 of word i / 64. Most values are secrets in
//! the KEM, but are not wiped here. The interface is not stable.
use crate::array::Array;
use crate::code::reed_muller;
use crate::encapsulation::Message;
use crate::keccak::{SHA3_256, SHA3_512, SHAKE256, Stream, run};
use crate::kem::{self, Seeds};
use crate::pke;
use crate::profile::{self, Hash, KeySampler, Part, Profile};
use crate::ring::{Factor, Ring, Workspace};
use crate::sample;
use crate::scheme::{SALT_BYTES, Scheme};
use crate::set::ParameterSet;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::Plan;

/// A ring element, in words of 64 bits.
pub type RingOf<K> = <<K as Scheme>::Set as ParameterSet>::Ring;
/// A seed that a key contains: 32 bytes, or 40 in profile `2023`.
pub type SeedOf<K> = <<K as Scheme>::Profile as Profile>::Seed;
/// A codeword of the concatenated code, in words of 64 bits.
pub type CodeOf<K> = <<K as Scheme>::Set as ParameterSet>::Code;
/// The positions of the ones of y or x.
pub type KeySupportOf<K> = <<K as Scheme>::Set as ParameterSet>::KeySupport;
/// The positions of the ones of r1, r2 or e.
pub type ErrorSupportOf<K> = <<K as Scheme>::Set as ParameterSet>::ErrorSupport;

/// The seeds derived from the seed of a key.
#[allow(missing_debug_implementations, reason = "all of it is secret")]
pub struct KeySeeds<K: Scheme> {
    /// The seed of y and x, which is secret.
    pub secret: SeedOf<K>,
    /// The secret that the rejection hashes instead of a message.
    pub sigma: Message<K>,
    /// The seed of h, which is public.
    pub public: SeedOf<K>,
}

/// The supports that an encryption samples from theta.
#[allow(missing_debug_implementations, reason = "all of it is secret")]
pub struct Errors<K: Scheme> {
    /// Positions of r1, the error of u.
    pub r1: ErrorSupportOf<K>,
    /// Positions of r2, by which h and s are multiplied.
    pub r2: ErrorSupportOf<K>,
    /// Positions of e, the error of v.
    pub e: ErrorSupportOf<K>,
}

/// A ring element prepared for several products.
#[allow(missing_debug_implementations, reason = "it may be secret")]
pub struct Prepared<K: Scheme>(Factor<K::Set>);

/// Space for products. It can be used again.
#[allow(missing_debug_implementations, reason = "it may be secret")]
pub struct Space<K: Scheme>(Workspace<K::Set>);

/// Permutations of Keccak states that each hash of the KEM needs, if computed alone.
///
/// Independent hashes share permutations of several states, so that fewer calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Permutations {
    /// Deriving the seeds in a key from its seed.
    pub seeds: usize,
    /// Expanding h from its seed.
    pub uniform: usize,
    /// Hashing the encapsulation key, H(ek).
    pub key_hash: usize,
    /// Sampling y and x, if no candidate is rejected.
    pub key_positions: usize,
    /// Hashing the message, which gives theta.
    pub message: usize,
    /// Sampling r1, r2 and e from theta.
    pub error_positions: usize,
    /// Hashing the shared secret, in profiles where it is a hash of its own.
    pub secret: usize,
    /// Hashing the secret of a rejection.
    pub rejection: usize,
}

impl Permutations {
    /// Computes the numbers for a scheme.
    #[must_use]
    pub fn of<K: Scheme>() -> Permutations {
        let rules = &K::Profile::RULES;
        let stream =
            |output| SHAKE256.permutations(K::Profile::SEED_BYTES + rules.stream_domain.len(), output);
        let hash = |rule: &Hash, output| {
            let input: usize = rule.parts.iter().map(|part| part_bytes::<K>(*part)).sum();
            rule.function.permutations(input + rule.domain.len(), output)
        };
        let seeds = match rules.key_seeds {
            profile::KeySeeds::Derived { domain } => {
                // The output of I is two seeds: the secret one and that of h.
                let secret = K::Profile::SEED_BYTES;
                stream(secret + K::Set::K) + SHA3_512.permutations(secret + domain.len(), 2 * secret)
            }
            profile::KeySeeds::Drawn => 0,
        };
        let key = size_of::<K::EncapsulationKeyBytes>();
        // A candidate that may be rejected has 24 bits, a number that may not 32. y and x take W of them each.
        let positions = match rules.key_sampler {
            KeySampler::Rejection { .. } => 2 * sample::read_bytes::<K::Profile>(3 * K::Set::W),
            KeySampler::Fixed => 2 * sample::read_bytes::<K::Profile>(4 * K::Set::W),
        };
        Permutations {
            seeds,
            uniform: stream(K::Set::RING_BYTES),
            key_hash: rules.key_hash.map_or(0, |domain| SHA3_256.permutations(key + domain.len(), 32)),
            key_positions: stream(positions),
            message: hash(&rules.message_hash, 64),
            // Each of the three samples is a read of its own, so each length is rounded up before they are added.
            error_positions: stream(3 * sample::read_bytes::<K::Profile>(4 * K::Set::W_R)),
            secret: rules.secret_hash.map_or(0, |rule| hash(&rule, rules.secret_bytes)),
            rejection: hash(&rules.rejection_hash, rules.secret_bytes),
        }
    }

    /// Returns the permutations of key generation.
    #[must_use]
    pub const fn key_generation(&self) -> usize {
        self.seeds + self.uniform + self.key_positions
    }

    /// Returns the permutations of an encapsulation with a key that is not expanded.
    #[must_use]
    pub const fn encapsulation(&self) -> usize {
        self.uniform + self.key_hash + self.message + self.error_positions + self.secret
    }

    /// Returns the permutations of a decapsulation with a key that is not expanded.
    #[must_use]
    pub const fn decapsulation(&self) -> usize {
        // It encrypts again to compare, and computes both secrets: which of them counts is secret.
        self.encapsulation() + self.key_positions + self.rejection
    }
}

/// Returns the number of bytes of one input of a hash.
fn part_bytes<K: Scheme>(part: Part) -> usize {
    match part {
        Part::KeyHash => 32,
        Part::Key => size_of::<K::EncapsulationKeyBytes>(),
        Part::Message | Part::Sigma => K::Set::K,
        Part::Body => K::Set::RING_BYTES + K::Set::CODE_BYTES,
        Part::Salt => SALT_BYTES,
    }
}

/// The operations of a scheme on a backend.
#[derive(Clone, Copy, Debug)]
pub struct Parts<K: Scheme>(Ring<K::Set>);

impl<K: Scheme> Parts<K> {
    /// Computes on the backend `cpu`, with the plan that the KEM uses there.
    #[must_use]
    pub fn on(cpu: ClmulCpu) -> Self {
        Parts(Ring::on(cpu))
    }

    /// Returns the plan by which ring elements are multiplied.
    #[must_use]
    pub fn plan(&self) -> Plan {
        self.0.plan()
    }

    /// Returns space for products, cleared. It is large: about 170 KB for HQC-5.
    #[must_use]
    pub fn space(&self) -> Space<K> {
        Space(self.0.workspace())
    }

    /// Prepares `a` for several products. Its bits from X^n on count, as in [`mul_add`](Self::mul_add).
    #[must_use]
    pub fn prepare(&self, a: &RingOf<K>, space: &mut Space<K>) -> Prepared<K> {
        let mut factor = Factor::zeroed();
        self.0.prepare(a, &mut factor, &mut space.0);
        Prepared(factor)
    }

    /// Adds the product of `a` and `b` to `sum`, modulo X^n - 1.
    ///
    /// Bits of the operands from X^n on take part as in the reference code. If P is the product of the words
    /// as polynomials, it adds (P + floor(P / X^n)) mod X^n.
    pub fn mul_add(&self, a: &RingOf<K>, b: &Prepared<K>, sum: &mut RingOf<K>, space: &mut Space<K>) {
        self.0.mul_add(a, &b.0, sum, &mut space.0);
    }

    /// Returns the product of `a` and `b`, as [`mul_add`](Self::mul_add) computes it.
    #[must_use]
    pub fn product(&self, a: &RingOf<K>, b: &RingOf<K>) -> RingOf<K> {
        let (mut product, mut space) = (Array::zeroed(), self.space());
        self.mul_add(a, &self.prepare(b, &mut space), &mut product, &mut space);
        product
    }

    /// Derives the seeds in a key from the seed of the key.
    #[must_use]
    pub fn key_seeds(&self, seed: &K::Seed) -> KeySeeds<K> {
        let mut seeds = Seeds::<K>::zeroed();
        let public = seeds.expand(self.0.cpu(), seed);
        KeySeeds { secret: seeds.secret, sigma: seeds.sigma, public }
    }

    /// Expands h, a uniformly random ring element, from its seed.
    #[must_use]
    pub fn uniform(&self, seed: &SeedOf<K>) -> RingOf<K> {
        let mut h = Array::zeroed();
        kem::expand::<K>(self.0.cpu(), (seed.as_ref(), &mut h), Default::default(), Default::default());
        h
    }

    /// Returns H(ek), the hash of an encapsulation key. It is zero in profile `2023`, which has no H.
    #[must_use]
    pub fn key_hash(&self, key: &K::EncapsulationKeyBytes) -> [u8; 32] {
        kem::Expanded::<K>::new(self.0.cpu(), key, Default::default()).key_hash
    }

    /// Samples the positions of y and of x, in this order, from their seed. The positions of each
    /// are in no particular order.
    #[must_use]
    pub fn key_positions(&self, seed: &SeedOf<K>) -> [KeySupportOf<K>; 2] {
        let (mut y, mut x) = (Array::zeroed(), KeySupportOf::<K>::zeroed());
        sample::key::<K::Set, K::Profile>(self.0.cpu(), seed.as_ref(), &[], &mut y, Some(&mut x));
        [y, x]
    }

    /// Samples the positions of y alone, as decapsulation does.
    #[must_use]
    pub fn y_positions(&self, seed: &SeedOf<K>) -> KeySupportOf<K> {
        let mut y = Array::zeroed();
        sample::key::<K::Set, K::Profile>(self.0.cpu(), seed.as_ref(), &[], &mut y, None);
        y
    }

    /// Samples the positions of r1, r2 and e from theta.
    ///
    /// In profiles `nr` and `v5` the stream holds r2, e and r1 in this order; in profile `2023` it holds r1, r2 and e.
    #[must_use]
    pub fn error_positions(&self, theta: &SeedOf<K>) -> Errors<K> {
        let mut stream = <K::Set as ParameterSet>::ErrorStream::zeroed();
        let input = [theta.as_ref(), K::Profile::RULES.stream_domain];
        run(self.0.cpu(), &mut [&mut Stream::new(SHAKE256, &input, stream.as_mut())], &mut []);
        let positions = |place| {
            let mut positions = ErrorSupportOf::<K>::zeroed();
            // All three samples have the same length, so the place in the stream follows from the order
            // alone.
            let start = place * sample::read_bytes::<K::Profile>(4 * K::Set::W_R);
            let stream = &stream.as_ref()[start..];
            sample::errors::<K::Set, K::Profile>(self.0.cpu(), stream, positions.as_mut());
            positions
        };
        let order = K::Profile::RULES.error_order;
        Errors { r1: positions(order.r1), r2: positions(order.r2), e: positions(order.e) }
    }

    /// Returns the ring element with ones at these positions. A position that occurs twice cancels.
    #[must_use]
    pub fn vector(&self, positions: &[u32]) -> RingOf<K> {
        let mut element = Array::zeroed();
        pke::set_support(&self.0, positions, &mut element);
        element
    }

    /// Encodes a message by the concatenated code.
    #[must_use]
    pub fn encode(&self, message: &Message<K>) -> CodeOf<K> {
        let mut code = Array::zeroed();
        pke::encode::<K::Set>(&self.0, message, &mut code);
        code
    }

    /// Decodes a word of the concatenated code to a message. With too many errors the message is arbitrary.
    #[must_use]
    pub fn decode(&self, received: &CodeOf<K>) -> Message<K> {
        let mut message = Array::zeroed();
        pke::decode::<K::Set>(&self.0, received.as_ref(), &mut message);
        message
    }

    /// Encodes Reed-Solomon symbols by the inner code, the duplicated Reed-Muller code.
    #[must_use]
    pub fn encode_symbols(&self, symbols: &<K::Set as ParameterSet>::Symbols) -> CodeOf<K> {
        let mut code = CodeOf::<K>::zeroed();
        reed_muller::encode(symbols.as_ref(), K::Set::COPIES, code.as_mut());
        code
    }

    /// Decodes each block of the inner code to the nearest symbol.
    #[must_use]
    pub fn decode_symbols(&self, received: &CodeOf<K>) -> <K::Set as ParameterSet>::Symbols {
        let mut symbols = <K::Set as ParameterSet>::Symbols::zeroed();
        reed_muller::decode(self.0.cpu(), received.as_ref(), K::Set::COPIES, symbols.as_mut());
        symbols
    }
}
