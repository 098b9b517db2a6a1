//! Tests of the parts of HQC: products, samplers, codes, and all intermediate values of one encapsulation.
use anyhow::{Context as _, Result, bail, ensure};
use carryless_cli::base::Parameters;
use carryless_hqc::parts::{CodeOf, KeySeeds, Parts, RingOf, SeedOf};
use carryless_hqc::{ClmulCpu, DecapsulationKey, ParameterSet as _, Scheme, SchemeId, SchemeVisitor};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::hex::{Array, Bytes};
use super::hqc_bytes::{array, of_length, sha256};
use super::outcome::Checks;

/// A test of one part. Lengths and ranges were checked when it was read.
pub(super) enum PartTest {
    Product(Product),
    Sample { test: Sample, v5: SchemeId },
    Code(Code),
    ReedMuller(ReedMuller),
    Trace(Box<Trace>),
}

/// A product: (P + floor(P / X^n)) mod X^n, where P is the product of a and b as polynomials.
#[derive(Deserialize)]
pub(super) struct Product {
    a: Bytes,
    b: Bytes,
    product: Bytes,
}

/// The samples of one seed, in all profiles.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sample {
    seed: Bytes,
    uniform_sha256: Array<32>,
    rejection: [Vec<u32>; 2],
    fixed: [Vec<u32>; 2],
    #[serde(rename = "rejectionV5")]
    rejection_v5: [Vec<u32>; 2],
    #[serde(rename = "fixedV5")]
    fixed_v5: [Vec<u32>; 2],
}

/// A message, its codeword, and a codeword with errors.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Code {
    msg: Bytes,
    codeword: Bytes,
    received: Bytes,
    errors: usize,
    concatenated_sha256: Array<32>,
}

/// Symbols, from Reed-Muller codewords with errors.
#[derive(Deserialize)]
pub(super) struct ReedMuller {
    received: Bytes,
    decoded: Bytes,
}

/// All values of one key generation and one encapsulation.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Trace {
    seed: Bytes,
    secret_seed: Bytes,
    sigma: Bytes,
    public_seed: Bytes,
    y: Vec<u32>,
    x: Vec<u32>,
    m: Bytes,
    salt: Array<16>,
    key_hash: Array<32>,
    theta: Bytes,
    r1: Vec<u32>,
    r2: Vec<u32>,
    e: Vec<u32>,
    codeword: Bytes,
    h_sha256: Array<32>,
    s_sha256: Array<32>,
    concatenated_sha256: Array<32>,
    u_sha256: Array<32>,
    v_sha256: Array<32>,
    received_sha256: Array<32>,
}

/// Reads a test in a group of this type.
pub(super) fn read(kind: &str, scheme: SchemeId, test: Value) -> Result<PartTest> {
    let result = test["result"].as_str().context("no result")?;
    ensure!(result == "valid", "unknown result {result:?}");
    let parameters = &Parameters::of(scheme);
    Ok(match kind {
        "HqcProduct" => PartTest::Product(members(test, |test: &Product| {
            lengths([("a", &test.a), ("b", &test.b), ("product", &test.product)], parameters.ring_bytes)
        })?),
        "HqcSample" => {
            // A test has the samples of profile v5 as well, for the same seed.
            let v5 = SchemeId::from_names(scheme.name(), "v5").context("no such scheme in profile v5")?;
            PartTest::Sample { test: members(test, |test: &Sample| test.check_members(parameters))?, v5 }
        }
        "HqcCode" => PartTest::Code(members(test, |test: &Code| {
            lengths([("msg", &test.msg)], parameters.k)?;
            lengths([("codeword", &test.codeword), ("received", &test.received)], parameters.n1)?;
            // Beyond delta errors the result of Reed-Solomon decoding is not defined.
            ensure!(test.errors <= parameters.delta, "{} errors are too many to be corrected", test.errors);
            Ok(())
        })?),
        "HqcReedMuller" => PartTest::ReedMuller(members(test, |test: &ReedMuller| {
            lengths([("received", &test.received)], parameters.code_bytes)?;
            lengths([("decoded", &test.decoded)], parameters.n1)
        })?),
        "HqcTrace" => {
            PartTest::Trace(Box::new(members(test, |test: &Trace| test.check_members(parameters))?))
        }
        other => bail!("unknown type of group {other:?}"),
    })
}

/// Reads the members of a test, and checks them by `check`.
fn members<T: DeserializeOwned>(test: Value, check: impl Fn(&T) -> Result<()>) -> Result<T> {
    let test = serde_json::from_value(test)?;
    check(&test)?;
    Ok(test)
}

/// Checks that all members have this length in bytes.
fn lengths<const N: usize>(members: [(&str, &Bytes); N], len: usize) -> Result<()> {
    members.into_iter().try_for_each(|(name, Bytes(bytes))| of_length(name, bytes, len))
}

/// Checks that all members have this many positions, below n.
fn positions<const N: usize>(members: [(&str, &Vec<u32>); N], n: usize, weight: usize) -> Result<()> {
    members.into_iter().try_for_each(|(name, list)| {
        ensure!(list.len() == weight, "{name} has {} positions where {weight} belong", list.len());
        ensure!(
            list.iter().all(|position| (*position as usize) < n),
            "{name} has a position that is not below {n}"
        );
        Ok(())
    })
}

impl Sample {
    fn check_members(&self, p: &Parameters) -> Result<()> {
        lengths([("seed", &self.seed)], p.inner_seed)?;
        let [y, x] = &self.rejection;
        let [y5, x5] = &self.rejection_v5;
        positions([("rejection", y), ("rejection", x), ("rejectionV5", y5), ("rejectionV5", x5)], p.n, p.w)?;
        let [a, b] = &self.fixed;
        let [a5, b5] = &self.fixed_v5;
        positions([("fixed", a), ("fixed", b), ("fixedV5", a5), ("fixedV5", b5)], p.n, p.w_r)
    }

    /// Checks the samplers of one profile.
    fn check<K: Scheme>(&self, parts: &Parts<K>, checks: &mut Checks, v5: bool) {
        let seed: SeedOf<K> = array(&self.seed.0);
        // Both profiles draw from one seed, but their samplers read its stream differently.
        let (rejection, fixed) =
            if v5 { (&self.rejection_v5, &self.fixed_v5) } else { (&self.rejection, &self.fixed) };
        let name = |part: &str| format!("{part}{}", if v5 { "V5" } else { "" });
        for (expected, got) in rejection.iter().zip(&parts.key_positions(&seed)) {
            // Positions of keys may come in another order.
            checks.numbers(name("rejection"), &sorted(expected), &sorted(got.as_ref()));
        }
        let errors = parts.error_positions(&seed);
        for (expected, got) in fixed.iter().zip([&errors.r2, &errors.e]) {
            checks.numbers(name("fixed"), expected, got.as_ref());
        }
    }
}

/// Checks the samplers of profile `v5`.
struct SampleV5<'a>(&'a Sample, ClmulCpu, &'a mut Checks);

impl SchemeVisitor for SampleV5<'_> {
    type Output = ();
    fn visit<K: Scheme>(self) {
        self.0.check(&Parts::<K>::on(self.1), self.2, true);
    }
}

/// Returns the words of little-endian bytes.
fn words<A: carryless_hqc::Array<u64>>(bytes: &[u8]) -> A {
    // Words beyond the bytes stay 0.
    let mut words = A::zeroed();
    for (word, bytes) in words.as_mut().iter_mut().zip(bytes.chunks(8)) {
        *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    words
}

/// Returns the first `len` bytes of the words, little-endian.
fn bytes(words: &[u64], len: usize) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).take(len).collect()
}

fn sorted(positions: &[u32]) -> Vec<u32> {
    let mut positions = positions.to_vec();
    positions.sort_unstable();
    positions
}

impl PartTest {
    pub(super) fn check<K: Scheme>(&self, cpu: ClmulCpu, checks: &mut Checks) {
        let parts = &Parts::<K>::on(cpu);
        match self {
            PartTest::Product(test) => test.check(parts, checks),
            PartTest::Sample { test, v5 } => {
                let h = parts.uniform(&array(&test.seed.0));
                checks.bytes("SHA-256 of h", &test.uniform_sha256.0, &ring_hash::<K>(&h));
                test.check(parts, checks, false);
                // Profile v5 is a different type, so its sampler needs a dispatch of its own.
                v5.dispatch(SampleV5(test, cpu, checks));
            }
            PartTest::Code(test) => test.check(parts, checks),
            PartTest::ReedMuller(test) => {
                let symbols = parts.decode_symbols(&words(&test.received.0));
                checks.bytes("symbols", &test.decoded.0, symbols.as_ref());
            }
            PartTest::Trace(test) => test.check(parts, cpu, checks),
        }
    }
}

/// Returns the SHA-256 of a ring element.
fn ring_hash<K: Scheme>(a: &RingOf<K>) -> [u8; 32] {
    sha256(&bytes(a.as_ref(), K::Set::RING_BYTES))
}

/// Returns the SHA-256 of a codeword, in bytes.
fn code_hash<K: Scheme>(a: &CodeOf<K>) -> [u8; 32] {
    sha256(&bytes(a.as_ref(), K::Set::CODE_BYTES))
}

impl Product {
    fn check<K: Scheme>(&self, parts: &Parts<K>, checks: &mut Checks) {
        let (a, b) = (words(&self.a.0), words(&self.b.0));
        for (route, product) in
            [("product", parts.product(&a, &b)), ("operands swapped", parts.product(&b, &a))]
        {
            checks.bytes(route, &self.product.0, &bytes(product.as_ref(), self.product.0.len()));
        }
    }
}

impl Code {
    fn check<K: Scheme>(&self, parts: &Parts<K>, checks: &mut Checks) {
        let code = parts.encode(&array(&self.msg.0));
        checks.bytes("SHA-256 of the codeword", &self.concatenated_sha256.0, &code_hash::<K>(&code));
        let symbols = parts.encode_symbols(&array(&self.codeword.0));
        checks.bytes(
            "SHA-256 of the symbols' codewords",
            &self.concatenated_sha256.0,
            &code_hash::<K>(&symbols),
        );
        // The errors are in symbols. Each symbol becomes a correct Reed-Muller codeword, so only the
        // Reed-Solomon decoder has errors to correct.
        let received = parts.encode_symbols(&array(&self.received.0));
        let route = format!("message from {} errors", self.errors);
        checks.bytes(route, &self.msg.0, parts.decode(&received).as_ref());
    }
}

impl Trace {
    fn check_members(&self, p: &Parameters) -> Result<()> {
        lengths([("seed", &self.seed)], p.sizes.seed)?;
        lengths(
            [("secretSeed", &self.secret_seed), ("publicSeed", &self.public_seed), ("theta", &self.theta)],
            p.inner_seed,
        )?;
        lengths([("sigma", &self.sigma), ("m", &self.m)], p.k)?;
        lengths([("codeword", &self.codeword)], p.n1)?;
        positions([("y", &self.y), ("x", &self.x)], p.n, p.w)?;
        positions([("r1", &self.r1), ("r2", &self.r2), ("e", &self.e)], p.n, p.w_r)
    }

    fn check<K: Scheme>(&self, parts: &Parts<K>, cpu: ClmulCpu, checks: &mut Checks) {
        let KeySeeds { secret, sigma, public } = parts.key_seeds(&array(&self.seed.0));
        checks.bytes("secretSeed", &self.secret_seed.0, secret.as_ref());
        checks.bytes("sigma", &self.sigma.0, sigma.as_ref());
        checks.bytes("publicSeed", &self.public_seed.0, public.as_ref());
        let [y, x] = parts.key_positions(&secret);
        checks.numbers("y", &sorted(&self.y), &sorted(y.as_ref()));
        checks.numbers("x", &sorted(&self.x), &sorted(x.as_ref()));
        checks.bytes("SHA-256 of h", &self.h_sha256.0, &ring_hash::<K>(&parts.uniform(&public)));

        let dk = DecapsulationKey::<K>::from_seed_on(cpu, &array(&self.seed.0));
        let ek = dk.encapsulation_key().as_bytes();
        // An encapsulation key is the public seed, then s.
        let s = &ek.as_ref()[public.as_ref().len()..];
        checks.bytes("SHA-256 of s", &self.s_sha256.0, &sha256(s));
        checks.bytes("keyHash", &self.key_hash.0, &parts.key_hash(ek));

        let errors = parts.error_positions(&array(&self.theta.0));
        for (name, expected, got) in
            [("r1", &self.r1, &errors.r1), ("r2", &self.r2, &errors.r2), ("e", &self.e, &errors.e)]
        {
            // The file has positions of errors in ascending order.
            checks.numbers(name, expected, &sorted(got.as_ref()));
        }
        let code = parts.encode(&array(&self.m.0));
        checks.bytes("SHA-256 of the codeword", &self.concatenated_sha256.0, &code_hash::<K>(&code));
        let symbols = parts.encode_symbols(&array(&self.codeword.0));
        checks.bytes(
            "SHA-256 of the symbols' codewords",
            &self.concatenated_sha256.0,
            &code_hash::<K>(&symbols),
        );
        self.check_ciphertext(parts, &dk, y.as_ref(), checks);
    }

    /// Checks u, v, and the word v - u y that decryption decodes.
    fn check_ciphertext<K: Scheme>(
        &self,
        parts: &Parts<K>,
        dk: &DecapsulationKey<K>,
        y: &[u32],
        checks: &mut Checks,
    ) {
        let message = array(&self.m.0);
        let (ct, _) = dk.encapsulation_key().encapsulate_deterministic(&message, &self.salt.0);
        // A ciphertext is u, v and 16 bytes of salt.
        let (u, rest) = ct.as_ref().split_at(K::Set::RING_BYTES);
        let v = &rest[..K::Set::CODE_BYTES];
        checks.bytes("SHA-256 of u", &self.u_sha256.0, &sha256(u));
        checks.bytes("SHA-256 of v", &self.v_sha256.0, &sha256(v));
        let product = parts.product(&words(u), &parts.vector(y));
        let mut received: CodeOf<K> = words(v);
        // v - u y, cut to the bits of the code: `zip` ends with the shorter operand.
        received.as_mut().iter_mut().zip(product.as_ref()).for_each(|(a, b)| *a ^= b);
        checks.bytes("SHA-256 of the received word", &self.received_sha256.0, &code_hash::<K>(&received));
        checks.bytes("decoded message", &self.m.0, parts.decode(&received).as_ref());
    }
}
