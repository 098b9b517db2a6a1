//! The KEM: the Fujisaki-Okamoto transform with implicit rejection over the encryption scheme of `pke`.
//!
//! The hashes have the names of the specification. G hashes the message, H the encapsulation key, I the seed
//! of a key. J gives the secret of a rejection. K gives the shared secret in profile `2023`.
use crate::array::Array;
use crate::keccak::{Advance, SHA3_256, SHA3_512, SHAKE256, Stream, run};
use crate::pke::{self, Body, Public};
use crate::profile::{Hash, KeySeeds, Part, Profile};
use crate::ring::{Factor, Ring, Workspace, load, store};
use crate::sample;
use crate::scheme::{SALT_BYTES, Scheme};
use crate::secret::{Home, SecretBytes, SecretSupport, SecretWords, clear_stack, home, wipe};
use crate::set::ParameterSet;
use crate::values::{Ciphertext, SharedSecret};
use carryless_gf2::ClmulCpu;
use ctutils::{CtAssign, CtEq};
use zeroize::{Zeroize, Zeroizing};

/// The ring element of a scheme's parameter set.
pub(crate) type RingOf<K> = <<K as Scheme>::Set as ParameterSet>::Ring;
pub(crate) type Message<K> = <<K as Scheme>::Set as ParameterSet>::Message;
pub(crate) type SeedOf<K> = <<K as Scheme>::Profile as Profile>::Seed;

/// The secrets of a decapsulation key, in compact form. Wiped when dropped.
pub(crate) struct Seeds<K: Scheme> {
    /// The seed from which everything else is derived.
    pub(crate) seed: K::Seed,
    /// The seed of y and x.
    pub(crate) secret: SeedOf<K>,
    pub(crate) sigma: Message<K>,
}

impl<K: Scheme> Zeroize for Seeds<K> {
    fn zeroize(&mut self) {
        // No `..` in the pattern: a new secret does not compile until it is wiped here.
        let Seeds { seed, secret, sigma } = self;
        wipe(seed.as_mut());
        wipe(secret.as_mut());
        wipe(sigma.as_mut());
    }
}

impl<K: Scheme> Drop for Seeds<K> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<K: Scheme> Seeds<K> {
    /// Returns seeds to be filled in place: moving them later would leave a copy.
    pub(crate) fn zeroed() -> Self {
        Seeds { seed: Array::zeroed(), secret: Array::zeroed(), sigma: Array::zeroed() }
    }

    /// Returns a copy, made where it stays. `Clone` would return it by value and could leave another copy on the stack.
    pub(crate) fn copied(&self) -> Home<Self> {
        let mut copy = home(Self::zeroed());
        copy.copy_from(self);
        copy
    }

    /// Overwrites these seeds by `other`, in place.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Seeds { seed, secret, sigma } = other;
        self.seed.as_mut().copy_from_slice(seed.as_ref());
        self.secret.as_mut().copy_from_slice(secret.as_ref());
        self.sigma.as_mut().copy_from_slice(sigma.as_ref());
    }

    /// Derives all secrets from the seed of the key. Returns the seed of h, which is public.
    pub(crate) fn expand(&mut self, cpu: ClmulCpu, seed: &K::Seed) -> SeedOf<K> {
        self.seed.as_mut().copy_from_slice(seed.as_ref());
        let mut seed_of_h = SeedOf::<K>::zeroed();
        let (secret, sigma, public) = (self.secret.as_mut(), self.sigma.as_mut(), seed_of_h.as_mut());
        match K::Profile::RULES.key_seeds {
            KeySeeds::Derived { domain } => {
                // Room for the longest output: 32 bytes of seed and 32 of sigma.
                let mut stream = Zeroizing::new([0; 64]);
                let stream = &mut stream[..secret.len() + sigma.len()];
                let input = [seed.as_ref(), K::Profile::RULES.stream_domain];
                run(cpu, &mut [&mut Stream::new(SHAKE256, &input, stream)], &mut []);
                let (inner, rest) = stream.split_at(secret.len());
                sigma.copy_from_slice(rest);
                let mut hash = Zeroizing::new([0; 64]);
                run(cpu, &mut [&mut Stream::new(SHA3_512, &[inner, domain], hash.as_mut())], &mut []);
                // I gives both seeds, so that the public seed of h tells nothing about the secret seed of y
                // and x.
                let (a, b) = hash.split_at(secret.len());
                secret.copy_from_slice(a);
                public.copy_from_slice(b);
            }
            KeySeeds::Drawn => {
                let (a, rest) = seed.as_ref().split_at(secret.len());
                let (b, c) = rest.split_at(sigma.len());
                secret.copy_from_slice(a);
                sigma.copy_from_slice(b);
                public.copy_from_slice(c);
            }
        }
        clear_stack();
        seed_of_h
    }

    /// Computes the encapsulation key, s = x + h y, where h is expanded from the seed `public`.
    pub(crate) fn encapsulation_key(
        &self,
        ring: &Ring<K::Set>,
        public: &SeedOf<K>,
    ) -> K::EncapsulationKeyBytes {
        // Two streams of SHAKE256, two supports, one product h y.
        let (mut h, mut known) = (Array::zeroed(), SecretBytes::<KeyStreamOf<K>>::zeroed());
        // Hashing h and the stream of y and x together saves permutations.
        let secret = (self.secret.as_ref(), known.as_mut());
        expand::<K>(ring.cpu(), (public.as_ref(), &mut h), secret, Default::default());
        let mut y = SecretSupport::<KeySupportOf<K>>::zeroed();
        let mut x = SecretSupport::<KeySupportOf<K>>::zeroed();
        let known = (*known).as_ref();
        sample::key::<K::Set, K::Profile>(ring.cpu(), self.secret.as_ref(), known, &mut y, Some(&mut x));

        let mut space = ring.workspace();
        let mut s = SecretWords::<RingOf<K>>::zeroed();
        // `s` holds y until y is a prepared factor; then it holds x, to which h y is added.
        pke::set_support(ring, (*y).as_ref(), &mut s);
        ring.set_factor(&s, &mut space);
        pke::set_support(ring, (*x).as_ref(), &mut s);
        ring.mul_add_factor(&h, &mut s, &mut space);
        let mut bytes = K::EncapsulationKeyBytes::zeroed();
        let (seed, rest) = bytes.as_mut().split_at_mut(K::Profile::SEED_BYTES);
        seed.copy_from_slice(public.as_ref());
        store((*s).as_ref(), rest);
        clear_stack();
        bytes
    }
}

/// The support of x or y in a scheme's parameter set.
type KeySupportOf<K> = <<K as Scheme>::Set as ParameterSet>::KeySupport;
type KeyStreamOf<K> = <<K as Scheme>::Set as ParameterSet>::KeyStream;

/// Computes up to three independent hashes, which share permutations. Empty slices stand for
/// hashes that are not wanted.
///
/// - `h` is expanded from its seed `public`.
/// - `stream` gets the stream of y and x, from their seed `secret`.
/// - `key_hash` gets H of the encapsulation key `key`, in profiles that have H.
pub(crate) fn expand<K: Scheme>(
    cpu: ClmulCpu,
    (public, h): (&[u8], &mut RingOf<K>),
    (secret, stream): (&[u8], &mut [u8]),
    (key, key_hash): (&[u8], &mut [u8]),
) {
    let rules = &K::Profile::RULES;
    let mut bytes = <K::Set as ParameterSet>::RingBytes::zeroed();
    // Without H its slices are empty. A stream without output costs no permutation.
    let (key, key_domain, key_hash) = match rules.key_hash {
        Some(domain) => (key, domain, key_hash),
        None => Default::default(),
    };
    run(
        cpu,
        &mut [
            &mut Stream::new(SHAKE256, &[public, rules.stream_domain], bytes.as_mut()),
            &mut Stream::new(SHAKE256, &[secret, rules.stream_domain], stream),
            &mut Stream::new(SHA3_256, &[key, key_domain], key_hash),
        ],
        &mut [],
    );
    let h = h.as_mut();
    load(bytes.as_ref(), h);
    // n is no multiple of 64: bits above the last coefficient are dropped, as the specification requires.
    h[h.len() - 1] &= K::Set::TOP_MASK;
}

/// The parts of an encapsulation key that encryption and the hashes need.
pub(crate) struct PublicKey<'a, K: Scheme> {
    pub(crate) factors: Public<'a, K::Set>,
    pub(crate) key_hash: &'a [u8; 32],
    /// The key in compact form, which profile `2023` hashes.
    pub(crate) bytes: &'a K::EncapsulationKeyBytes,
}

/// h, s and the hash of an encapsulation key, all public.
pub(crate) struct Expanded<K: Scheme> {
    pub(crate) h: RingOf<K>,
    pub(crate) s: RingOf<K>,
    pub(crate) key_hash: [u8; 32],
}

impl<K: Scheme> Expanded<K> {
    /// Expands an encapsulation key. In the same permutations it writes the stream of y and x, if `secret`
    /// has their seed and a place for it.
    pub(crate) fn new(cpu: ClmulCpu, key: &K::EncapsulationKeyBytes, secret: (&[u8], &mut [u8])) -> Self {
        let mut expanded = Expanded::<K> { h: Array::zeroed(), s: Array::zeroed(), key_hash: [0; 32] };
        let (seed, s) = key.as_ref().split_at(K::Profile::SEED_BYTES);
        expand::<K>(cpu, (seed, &mut expanded.h), secret, (key.as_ref(), &mut expanded.key_hash));
        load(s, expanded.s.as_mut());
        expanded
    }

    pub(crate) fn public_key<'a>(&'a self, bytes: &'a K::EncapsulationKeyBytes) -> PublicKey<'a, K> {
        PublicKey { factors: Public::Plain { h: &self.h, s: &self.s }, key_hash: &self.key_hash, bytes }
    }
}

/// Samples the secret y and prepares it as a factor. `known` is the beginning of the stream of `seed`.
pub(crate) fn secret_factor<K: Scheme>(
    ring: &Ring<K::Set>,
    seed: &[u8],
    known: &[u8],
    factor: &mut Factor<K::Set>,
    space: &mut Workspace<K::Set>,
) {
    let mut y = SecretSupport::<KeySupportOf<K>>::zeroed();
    sample::key::<K::Set, K::Profile>(ring.cpu(), seed, known, &mut y, None);
    let mut element = SecretWords::<RingOf<K>>::zeroed();
    pke::set_support(ring, (*y).as_ref(), &mut element);
    ring.prepare(&element, factor, space);
    clear_stack();
}

/// Possible inputs of a hash. Those that a hash does not use may be empty.
#[derive(Clone, Copy, Default)]
struct Inputs<'a> {
    key_hash: &'a [u8],
    key: &'a [u8],
    message: &'a [u8],
    sigma: &'a [u8],
    body: &'a [u8],
    salt: &'a [u8],
}

impl<'a> Inputs<'a> {
    fn part(&self, part: Part) -> &'a [u8] {
        match part {
            Part::KeyHash => self.key_hash,
            Part::Key => self.key,
            Part::Message => self.message,
            Part::Sigma => self.sigma,
            Part::Body => self.body,
            Part::Salt => self.salt,
        }
    }
}

/// Returns the input of a hash: its parts in order, then the domain byte. Unused entries are empty.
fn input<'a>(rule: &Hash, inputs: &Inputs<'a>) -> [&'a [u8]; 5] {
    // The longest input is that of the rejection in `nr` and `v5`: four parts and the domain byte.
    let mut parts: [&[u8]; 5] = [&[]; 5];
    for (part, which) in parts.iter_mut().zip(rule.parts) {
        *part = inputs.part(*which);
    }
    parts[rule.parts.len()] = rule.domain;
    parts
}

/// Derives theta from the message and the salt, and encrypts the message with
/// it. Deterministic: decapsulation repeats it.
///
/// `digest` gets G(..), which contains theta and, in profiles `nr` and `v5`, the shared secret. Streams in
/// `beside` advance in the same permutations.
fn encrypt<K: Scheme>(
    ring: &Ring<K::Set>,
    key: &PublicKey<'_, K>,
    (message, salt): (&Message<K>, &[u8]),
    beside: &mut [&mut dyn Advance],
    space: &mut Workspace<K::Set>,
    body: &mut Body<K::Set>,
    digest: &mut [u8; 64],
) {
    let rules = &K::Profile::RULES;
    let inputs = Inputs {
        key_hash: key.key_hash,
        key: key.bytes.as_ref(),
        message: message.as_ref(),
        salt,
        ..Inputs::default()
    };
    let input = input(&rules.message_hash, &inputs);
    run(ring.cpu(), &mut [&mut Stream::new(rules.message_hash.function, &input, digest)], beside);
    let seed = &digest[rules.seed_at..rules.seed_at + K::Profile::SEED_BYTES];
    pke::encrypt::<K::Set, K::Profile>(ring, &key.factors, message, seed, beside, space, body);
}

/// Derives the shared secret of an accepted message. It is a part of `digest`, or in profile `2023` a hash of its own.
fn secret<K: Scheme>(cpu: ClmulCpu, digest: &[u8], message: &[u8], body: &[u8], bytes: &mut [u8]) {
    match &K::Profile::RULES.secret_hash {
        // One hash gives the secret and, behind it, theta.
        None => bytes.copy_from_slice(&digest[..bytes.len()]),
        Some(rule) => {
            let input = input(rule, &Inputs { message, body, ..Inputs::default() });
            run(cpu, &mut [&mut Stream::new(rule.function, &input, bytes)], &mut []);
        }
    }
}

/// Encapsulates a message: returns the ciphertext, and the shared secret that it carries. Constant time.
pub(crate) fn encapsulate<K: Scheme>(
    ring: &Ring<K::Set>,
    key: &PublicKey<'_, K>,
    message: &Message<K>,
    salt: &[u8; SALT_BYTES],
) -> (Ciphertext<K>, SharedSecret<K>) {
    let (mut body, mut digest) = (Body::zeroed(), Zeroizing::new([0; 64]));
    encrypt(ring, key, (message, salt), &mut [], &mut ring.workspace(), &mut body, &mut digest);
    let mut ciphertext = Ciphertext::<K>(K::CiphertextBytes::zeroed());
    let bytes = ciphertext.0.as_mut();
    let (u, rest) = bytes.split_at_mut(K::Set::RING_BYTES);
    let (v, end) = rest.split_at_mut(K::Set::CODE_BYTES);
    store(body.u.as_ref(), u);
    store(body.v.as_ref(), v);
    end.copy_from_slice(salt);
    let mut shared = SharedSecret::<K>::zeroed();
    // Profile `2023` hashes the bytes of u and v, so they are stored before the secret is derived.
    let body = &bytes[..bytes.len() - SALT_BYTES];
    secret::<K>(ring.cpu(), digest.as_ref(), message.as_ref(), body, shared.bytes_mut());
    clear_stack();
    (ciphertext, shared)
}

/// Returns the shared secret of a ciphertext, in constant time.
///
/// It decrypts, encrypts the result again, and compares. If the ciphertext differs, the secret is that of the
/// rejection, which depends on sigma. Without this check, changed ciphertexts would be an oracle for the secret key.
pub(crate) fn decapsulate<K: Scheme>(
    ring: &Ring<K::Set>,
    key: &PublicKey<'_, K>,
    y: &Factor<K::Set>,
    sigma: &Message<K>,
    ciphertext: &Ciphertext<K>,
    space: &mut Workspace<K::Set>,
) -> SharedSecret<K> {
    let bytes = ciphertext.as_ref();
    let (body, salt) = bytes.split_at(bytes.len() - SALT_BYTES);
    let mut received = Body::<K::Set>::zeroed();
    // Unused bits of u are loaded too: a ciphertext with such bits must be rejected, as no encapsulation
    // makes it.
    load(&body[..K::Set::RING_BYTES], received.u.as_mut());
    load(&body[K::Set::RING_BYTES..], received.v.as_mut());

    // The secret of a rejection is always computed, as whether it is needed is secret. It depends on none of
    // what follows, so that it shares permutations with the hashes below.
    let mut chosen = SharedSecret::<K>::zeroed();
    let inputs = Inputs { key_hash: key.key_hash, sigma: sigma.as_ref(), body, salt, ..Inputs::default() };
    let rule = &K::Profile::RULES.rejection_hash;
    let input = input(rule, &inputs);
    let mut rejection = Stream::new(rule.function, &input, chosen.bytes_mut());

    let mut message = SecretBytes::<Message<K>>::zeroed();
    // The result is secret even if decryption failed: the positions sampled from it must not show in the
    // time. Three products of ring elements: u y here, and h r2 and s r2 in the second encryption.
    pke::decrypt(ring, y, &received, space, &mut message);
    let (mut encrypted, mut digest) = (Body::zeroed(), Zeroizing::new([0; 64]));
    encrypt(ring, key, (&message, salt), &mut [&mut rejection], space, &mut encrypted, &mut digest);
    // Both comparisons run to their end, and u and v are combined without a branch. Bits above the last
    // coefficient of u take part: those of the second encryption are zero.
    let equal =
        received.u.as_ref().ct_eq(encrypted.u.as_ref()) & received.v.as_ref().ct_eq(encrypted.v.as_ref());

    let mut accepted = SecretBytes::<K::SharedSecretBytes>::zeroed();
    secret::<K>(ring.cpu(), digest.as_ref(), (*message).as_ref(), body, accepted.as_mut());
    run(ring.cpu(), &mut [&mut rejection], &mut []);
    // Wipes the state of the hash of sigma before the stack is cleared.
    drop(rejection);
    // A select by masks. No branch, no error and no time tells which of both secrets was chosen. Both were
    // computed in every case.
    chosen.bytes_mut().ct_assign((*accepted).as_ref(), equal);
    clear_stack();
    chosen
}
