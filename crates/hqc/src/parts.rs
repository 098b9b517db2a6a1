//! The parts of the KEM one by one, for tests against other implementations and for measurements.
//!
//! Ring elements and codewords are words: coefficient i is bit i mod 64 of word i / 64. What the functions take and return is secret in the KEM, and is not
//! wiped here. Not a stable interface.
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

/// A ring element.
pub type RingOf<K> = <<K as Scheme>::Set as ParameterSet>::Ring;
/// A seed inside of a key.
pub type SeedOf<K> = <<K as Scheme>::Profile as Profile>::Seed;
/// The codeword of the concatenated code.
pub type CodeOf<K> = <<K as Scheme>::Set as ParameterSet>::Code;
/// Positions of y or x.
pub type KeySupportOf<K> = <<K as Scheme>::Set as ParameterSet>::KeySupport;
/// Positions of r1, r2 or e.
pub type ErrorSupportOf<K> = <<K as Scheme>::Set as ParameterSet>::ErrorSupport;

/// What the seed of a key is expanded to.
#[allow(missing_debug_implementations, reason = "all of it is secret")]
pub struct KeySeeds<K: Scheme> {
    /// Of y and x.
    pub secret: SeedOf<K>,
    /// What is hashed in place of the message for the secret of a rejection.
    pub sigma: Message<K>,
    /// Of h.
    pub public: SeedOf<K>,
}

/// The positions of an encryption.
#[allow(missing_debug_implementations, reason = "all of it is secret")]
pub struct Errors<K: Scheme> {
    /// Of r1.
    pub r1: ErrorSupportOf<K>,
    /// Of r2.
    pub r2: ErrorSupportOf<K>,
    /// Of e.
    pub e: ErrorSupportOf<K>,
}

/// A factor of several products, in the form in which they take it.
#[allow(missing_debug_implementations, reason = "it may be secret")]
pub struct Prepared<K: Scheme>(Factor<K::Set>);

/// The space that products take.
#[allow(missing_debug_implementations, reason = "it may be secret")]
pub struct Space<K: Scheme>(Workspace<K::Set>);

/// Permutations of one Keccak state that hashes take. Hashes that do not wait for each other share permutations of several states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Permutations {
    /// The seeds in a key, of its seed.
    pub seeds: usize,
    /// h of its seed.
    pub uniform: usize,
    /// The hash of the encapsulation key.
    pub key_hash: usize,
    /// The positions of y and x, if no candidate is rejected.
    pub key_positions: usize,
    /// theta, of the message.
    pub message: usize,
    /// The positions of r1, r2 and e.
    pub error_positions: usize,
    /// The secret, where it is a hash of its own.
    pub secret: usize,
    /// The secret of a rejection.
    pub rejection: usize,
}

impl Permutations {
    /// Those of a scheme.
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
                let secret = K::Profile::SEED_BYTES;
                stream(secret + K::Set::K) + SHA3_512.permutations(secret + domain.len(), 2 * secret)
            }
            profile::KeySeeds::Drawn => 0,
        };
        let key = size_of::<K::EncapsulationKeyBytes>();
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
            error_positions: stream(3 * sample::read_bytes::<K::Profile>(4 * K::Set::W_R)),
            secret: rules.secret_hash.map_or(0, |rule| hash(&rule, rules.secret_bytes)),
            rejection: hash(&rules.rejection_hash, rules.secret_bytes),
        }
    }

    /// Of key generation.
    #[must_use]
    pub const fn key_generation(&self) -> usize {
        self.seeds + self.uniform + self.key_positions
    }

    /// Of encapsulation.
    #[must_use]
    pub const fn encapsulation(&self) -> usize {
        self.uniform + self.key_hash + self.message + self.error_positions + self.secret
    }

    /// Of decapsulation.
    #[must_use]
    pub const fn decapsulation(&self) -> usize {
        self.encapsulation() + self.key_positions + self.rejection
    }
}

/// Bytes of a part of a hash.
fn part_bytes<K: Scheme>(part: Part) -> usize {
    match part {
        Part::KeyHash => 32,
        Part::Key => size_of::<K::EncapsulationKeyBytes>(),
        Part::Message | Part::Sigma => K::Set::K,
        Part::Body => K::Set::RING_BYTES + K::Set::CODE_BYTES,
        Part::Salt => SALT_BYTES,
    }
}

/// The parts of a scheme on a machine.
#[derive(Clone, Copy, Debug)]
pub struct Parts<K: Scheme>(Ring<K::Set>);

impl<K: Scheme> Parts<K> {
    /// On this machine.
    #[must_use]
    pub fn on(cpu: ClmulCpu) -> Self {
        Parts(Ring::on(cpu))
    }

    /// How products are computed.
    #[must_use]
    pub fn plan(&self) -> Plan {
        self.0.plan()
    }

    /// Space for products.
    #[must_use]
    pub fn space(&self) -> Space<K> {
        Space(self.0.workspace())
    }

    /// Prepares a factor.
    #[must_use]
    pub fn prepare(&self, a: &RingOf<K>, space: &mut Space<K>) -> Prepared<K> {
        let mut factor = Factor::zeroed();
        self.0.prepare(a, &mut factor, &mut space.0);
        Prepared(factor)
    }

    /// `sum` += (P + floor(P / X^n)) mod X^n, P being the product of a and b. Bits of a and b from X^n on take part, as in the reference code.
    pub fn mul_add(&self, a: &RingOf<K>, b: &Prepared<K>, sum: &mut RingOf<K>, space: &mut Space<K>) {
        self.0.mul_add(a, &b.0, sum, &mut space.0);
    }

    /// [`mul_add`](Self::mul_add) of two factors to zero.
    #[must_use]
    pub fn product(&self, a: &RingOf<K>, b: &RingOf<K>) -> RingOf<K> {
        let (mut product, mut space) = (Array::zeroed(), self.space());
        self.mul_add(a, &self.prepare(b, &mut space), &mut product, &mut space);
        product
    }

    /// The seeds in a key with this seed.
    #[must_use]
    pub fn key_seeds(&self, seed: &K::Seed) -> KeySeeds<K> {
        let mut seeds = Seeds::<K>::zeroed();
        let public = seeds.expand(self.0.cpu(), seed);
        KeySeeds { secret: seeds.secret, sigma: seeds.sigma, public }
    }

    /// h of its seed.
    #[must_use]
    pub fn uniform(&self, seed: &SeedOf<K>) -> RingOf<K> {
        let mut h = Array::zeroed();
        kem::expand::<K>(self.0.cpu(), (seed.as_ref(), &mut h), Default::default(), Default::default());
        h
    }

    /// The hash of an encapsulation key, H(ek); zero in profile `2023`, which has none.
    #[must_use]
    pub fn key_hash(&self, key: &K::EncapsulationKeyBytes) -> [u8; 32] {
        kem::Expanded::<K>::new(self.0.cpu(), key, Default::default()).key_hash
    }

    /// The positions of y and of x, of their seed.
    #[must_use]
    pub fn key_positions(&self, seed: &SeedOf<K>) -> [KeySupportOf<K>; 2] {
        let (mut y, mut x) = (Array::zeroed(), KeySupportOf::<K>::zeroed());
        sample::key::<K::Set, K::Profile>(self.0.cpu(), seed.as_ref(), &[], &mut y, Some(&mut x));
        [y, x]
    }

    /// The positions of y alone, which is all that decapsulation samples of the seed.
    #[must_use]
    pub fn y_positions(&self, seed: &SeedOf<K>) -> KeySupportOf<K> {
        let mut y = Array::zeroed();
        sample::key::<K::Set, K::Profile>(self.0.cpu(), seed.as_ref(), &[], &mut y, None);
        y
    }

    /// The positions of r1, r2 and e, of theta. In profiles `nr` and `v5` r2 is the first in the stream and e the second.
    #[must_use]
    pub fn error_positions(&self, theta: &SeedOf<K>) -> Errors<K> {
        let mut stream = <K::Set as ParameterSet>::ErrorStream::zeroed();
        let input = [theta.as_ref(), K::Profile::RULES.stream_domain];
        run(self.0.cpu(), &mut [&mut Stream::new(SHAKE256, &input, stream.as_mut())], &mut []);
        let positions = |place| {
            let mut positions = ErrorSupportOf::<K>::zeroed();
            let start = place * sample::read_bytes::<K::Profile>(4 * K::Set::W_R);
            let stream = &stream.as_ref()[start..];
            sample::errors::<K::Set, K::Profile>(self.0.cpu(), stream, positions.as_mut());
            positions
        };
        let order = K::Profile::RULES.error_order;
        Errors { r1: positions(order.r1), r2: positions(order.r2), e: positions(order.e) }
    }

    /// The ring element with ones at these positions.
    #[must_use]
    pub fn vector(&self, positions: &[u32]) -> RingOf<K> {
        let mut element = Array::zeroed();
        pke::set_support(&self.0, positions, &mut element);
        element
    }

    /// The codeword of a message.
    #[must_use]
    pub fn encode(&self, message: &Message<K>) -> CodeOf<K> {
        let mut code = Array::zeroed();
        pke::encode::<K::Set>(&self.0, message, &mut code);
        code
    }

    /// The message whose codeword is next to this.
    #[must_use]
    pub fn decode(&self, received: &CodeOf<K>) -> Message<K> {
        let mut message = Array::zeroed();
        pke::decode::<K::Set>(&self.0, received.as_ref(), &mut message);
        message
    }

    /// Symbols as codewords of the inner code.
    #[must_use]
    pub fn encode_symbols(&self, symbols: &<K::Set as ParameterSet>::Symbols) -> CodeOf<K> {
        let mut code = CodeOf::<K>::zeroed();
        reed_muller::encode(symbols.as_ref(), K::Set::COPIES, code.as_mut());
        code
    }

    /// The symbols whose codewords of the inner code are next to these.
    #[must_use]
    pub fn decode_symbols(&self, received: &CodeOf<K>) -> <K::Set as ParameterSet>::Symbols {
        let mut symbols = <K::Set as ParameterSet>::Symbols::zeroed();
        reed_muller::decode(self.0.cpu(), received.as_ref(), K::Set::COPIES, symbols.as_mut());
        symbols
    }
}
