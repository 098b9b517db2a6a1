//! Responses to NIST's known answer tests: keys, ciphertexts and secrets made with the random numbers of the
//! reference code.
//!
//! D is the stream SHAKE256(0, 1, .. 47, d), where the byte d is 0, or 1 in profile `2023`. Each 48 bytes of
//! D are the seed of a response. SHAKE256(seed, d) gives the random bytes of its key and its ciphertext.
use crate::array::Array;
use crate::decapsulation::DecapsulationKey;
use crate::keccak::{SHAKE256, Stream, run};
use crate::profile::Profile;
use crate::scheme::Scheme;
use crate::values::{Ciphertext, SharedSecret};
use carryless_gf2::ClmulCpu;
use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use rand_core::{TryCryptoRng, TryRng};

/// Bytes of the seed of a response, as in the files of NIST.
pub const SEED_BYTES: usize = 48;

/// The random number generator of the tests: SHAKE256 of a known seed. Its output is predictable and must
/// not become a real key.
#[derive(Clone, Debug)]
pub struct Drbg {
    cpu: ClmulCpu,
    seed: [u8; SEED_BYTES],
    domain: &'static [u8],
    /// Number of bytes drawn so far.
    position: usize,
}

impl Drbg {
    /// Creates the generator of a scheme's responses from a seed.
    #[must_use]
    pub fn new<K: Scheme>(cpu: ClmulCpu, seed: [u8; SEED_BYTES]) -> Drbg {
        Drbg { cpu, seed, domain: K::Profile::RULES.response_domain, position: 0 }
    }

    /// Fills `out` with the next bytes. Hashes from the beginning each time, so that the cost grows
    /// with what was drawn before.
    pub fn fill(&mut self, out: &mut [u8]) {
        let drawn = out.len();
        let input = [&self.seed[..], self.domain];
        // Each call makes the stream again from its beginning, so that no state of Keccak is kept between calls.
        run(self.cpu, &mut [&mut Stream::new(SHAKE256, &input, out).skip(self.position)], &mut []);
        self.position += drawn;
    }

    fn array<A: Array<u8>>(&mut self) -> A {
        let mut array = A::zeroed();
        self.fill(array.as_mut());
        array
    }
}

impl TryRng for Drbg {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.array()))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.array()))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.fill(out);
        Ok(())
    }
}

impl TryCryptoRng for Drbg {}

/// One response. Its `Display` form is six lines in the format of NIST's files, secret key included.
pub struct Response<K: Scheme> {
    /// Number of the response, from 0.
    pub count: usize,
    /// Seed of the random numbers of this response.
    pub seed: [u8; SEED_BYTES],
    /// The key pair, made from the first random bytes.
    pub key: DecapsulationKey<K>,
    /// A ciphertext for this key, made from the random bytes that follow.
    pub ciphertext: Ciphertext<K>,
    /// The shared secret that encapsulation returned with the ciphertext.
    pub secret: SharedSecret<K>,
}

impl<K: Scheme> fmt::Debug for Response<K> {
    /// Prints the number and the scheme, but no secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Response {{ count: {}, {}, profile {}, .. }}", self.count, K::NAME, K::Profile::NAME)
    }
}

impl<K: Scheme> fmt::Display for Response<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ek, dk) = (self.key.encapsulation_key().as_bytes(), self.key.to_bytes());
        writeln!(f, "count = {}", self.count)?;
        let lines: [(&str, &[u8]); 5] = [
            ("seed", &self.seed),
            ("pk", ek.as_ref()),
            ("sk", (*dk).as_ref()),
            ("ct", self.ciphertext.as_ref()),
            ("ss", self.secret.as_ref()),
        ];
        for (name, bytes) in lines {
            write!(f, "{name} = ")?;
            bytes.iter().try_for_each(|byte| write!(f, "{byte:02X}"))?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// Iterator over the responses of a scheme, without end. NIST's files have the first 100.
#[derive(Debug)]
pub struct Responses<K: Scheme> {
    seeds: Drbg,
    count: usize,
    scheme: PhantomData<K>,
}

impl<K: Scheme> Responses<K> {
    /// Starts at response 0, computed on the backend `cpu`.
    #[must_use]
    pub fn on(cpu: ClmulCpu) -> Self {
        // The entropy of NIST's tests: the bytes 0 to 47.
        let entropy = core::array::from_fn(|i| i as u8);
        Responses { seeds: Drbg::new::<K>(cpu, entropy), count: 0, scheme: PhantomData }
    }
}

impl<K: Scheme> Iterator for Responses<K> {
    type Item = Response<K>;

    fn next(&mut self) -> Option<Response<K>> {
        let (cpu, seed) = (self.seeds.cpu, self.seeds.array());
        let mut rng = Drbg::new::<K>(cpu, seed);
        // The reference code draws in this order: the seed of the key, the message, the salt.
        let key = DecapsulationKey::from_seed_on(cpu, &rng.array());
        let (ciphertext, secret) = key.encapsulation_key().encapsulate_with_rng(&mut rng);
        let count = self.count;
        self.count += 1;
        Some(Response { count, seed, key, ciphertext, secret })
    }
}
