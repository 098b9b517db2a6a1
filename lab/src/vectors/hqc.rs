//! Tests of the KEM HQC: keys, ciphertexts, secrets and rejections.
use anyhow::{Context as _, Result, bail, ensure};
use carryless_cli::base::Parameters;
use carryless_hqc::{
    Ciphertext, ClmulCpu, DecapsulationKey, EncapsulationKey, Scheme, SchemeId, SchemeVisitor,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::case::{Case, Computed};
use super::hex::{Array, Bytes};
use super::hqc_bytes::{array, of_length, sha256};
use super::hqc_parts::{self, PartTest};
use super::outcome::{Checks, Outcome};
use crate::kat::{MAX_RESPONSES, responses};

/// Member `algorithm` of these files.
pub(super) const ALGORITHM: &str = "HQC";

/// A test, with its scheme.
struct Hqc {
    scheme: SchemeId,
    test: HqcTest,
}

/// The assertion of a test of HQC.
enum HqcTest {
    /// A key, a ciphertext, and the secrets that follow from them.
    Kem(Box<KemTest>),
    /// SHA-256 of the first responses to NIST's tests.
    Responses { count: usize, sha256: [u8; 32] },
    /// The result of one part of the KEM.
    Part(Box<PartTest>),
}

impl Computed<ClmulCpu> for Hqc {
    fn on_backend(&self, cpu: ClmulCpu) -> Outcome {
        self.scheme.dispatch(Run(&self.test, cpu)).outcome()
    }

    fn on_reference(&self) -> Outcome {
        Outcome::Skipped("there is no slow HQC".to_owned())
    }

    /// Returns whether the test takes only a few keys and secrets.
    #[cfg(any(test, feature = "fuzzing"))]
    fn is_small(&self) -> bool {
        match &self.test {
            HqcTest::Kem(test) => test.reject.len() <= 4,
            HqcTest::Responses { count, .. } => *count <= 1,
            HqcTest::Part(_) => true,
        }
    }
}

/// Expected bytes, in full or as their SHA-256.
pub(super) enum Expected {
    Bytes(Vec<u8>),
    Sha256([u8; 32]),
}

impl Expected {
    /// Reads one of two members of a test: the bytes or their hash, but not both.
    fn read(name: &str, bytes: Option<Bytes>, sha256: Option<Array<32>>, len: usize) -> Result<Expected> {
        match (bytes, sha256) {
            (Some(bytes), None) => Ok(Expected::Bytes(member(name, bytes, len)?)),
            (None, Some(Array(hash))) => Ok(Expected::Sha256(hash)),
            // With both, a wrong one could hide behind the other.
            _ => bail!("either {name} or {name}Sha256 must be there"),
        }
    }

    /// Compares bytes that a route gave, or their SHA-256.
    pub(super) fn check(&self, checks: &mut Checks, route: &str, got: &[u8]) {
        match self {
            Expected::Bytes(bytes) => checks.bytes(route, bytes, got),
            Expected::Sha256(hash) => checks.bytes(format_args!("SHA-256 of {route}"), hash, &sha256(got)),
        }
    }
}

/// Returns the bytes of a member, which must have this length.
fn member(name: &str, Bytes(bytes): Bytes, len: usize) -> Result<Vec<u8>> {
    of_length(name, &bytes, len)?;
    Ok(bytes)
}

/// A key, a ciphertext with its secret, and secrets of changed ciphertexts.
struct KemTest {
    seed: Vec<u8>,
    message: Vec<u8>,
    salt: [u8; 16],
    key: Expected,
    ciphertext: Expected,
    secret: Vec<u8>,
    reject: Vec<Reject>,
    unclean: Option<Unclean>,
}

/// The secret of a ciphertext with one byte changed.
#[derive(Deserialize)]
struct Reject {
    byte: usize,
    xor: u8,
    ss: Bytes,
}

/// An encapsulation to a key with bits that belong to no coefficient.
struct Unclean {
    xor: u8,
    ciphertext: Expected,
    secret: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UncleanMembers {
    xor: u8,
    ct: Option<Bytes>,
    ct_sha256: Option<Array<32>>,
    ss: Bytes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KemMembers {
    seed: Bytes,
    m: Bytes,
    salt: Array<16>,
    dk: Option<Bytes>,
    dk_sha256: Option<Array<32>>,
    ct: Option<Bytes>,
    ct_sha256: Option<Array<32>>,
    ss: Bytes,
    reject: Vec<Reject>,
    unclean: Option<UncleanMembers>,
    result: String,
}

/// Returns the scheme of a group.
fn scheme(group: &Map<String, Value>) -> Result<SchemeId> {
    let name = |member: &str| {
        group.get(member).and_then(Value::as_str).with_context(|| format!("its group has no {member}"))
    };
    let (scheme, profile) = (name("scheme")?, name("profile")?);
    SchemeId::from_names(scheme, profile)
        .with_context(|| format!("no scheme {scheme:?} in profile {profile:?}"))
}

/// Returns the name of a group, from its type and scheme. Numbers of tests start anew in each group.
pub(super) fn label(kind: &str, group: &Map<String, Value>) -> String {
    match scheme(group) {
        Ok(scheme) => format!("{kind} {} {}", scheme.name(), scheme.profile()),
        // The reader reports the unknown scheme, so the name can do without it.
        Err(_) => kind.to_owned(),
    }
}

/// Reads a test of the schema `carryless_hqc_v1`.
pub(super) fn read(kind: &str, group: &Map<String, Value>, test: Value) -> Result<Case> {
    ensure!(kind == "HqcKemTest", "unknown type of group {kind:?}");
    let scheme = scheme(group)?;
    let test = KemTest::new(&Parameters::of(scheme), serde_json::from_value(test)?)?;
    Ok(Case::OnProducts(Box::new(Hqc { scheme, test: HqcTest::Kem(Box::new(test)) })))
}

/// Reads a test of the schema `carryless_hqc_components_v1`.
pub(super) fn read_part(kind: &str, group: &Map<String, Value>, test: Value) -> Result<Case> {
    let scheme = scheme(group)?;
    let test = hqc_parts::read(kind, scheme, test)?;
    Ok(Case::OnProducts(Box::new(Hqc { scheme, test: HqcTest::Part(Box::new(test)) })))
}

/// Reads the member `responses` of a group in the schema `carryless_hqc_v1`.
pub(super) fn read_responses(group: &Map<String, Value>) -> Result<Case> {
    #[derive(Deserialize)]
    struct Members {
        count: usize,
        sha256: Array<32>,
    }
    let responses = group.get("responses").context("its group has no responses")?;
    let Members { count, sha256: Array(sha256) } = Members::deserialize(responses)?;
    ensure!(
        // Each response takes a key generation, an encapsulation and a decapsulation.
        (1..=MAX_RESPONSES as usize).contains(&count),
        "{count} responses; from 1 to {MAX_RESPONSES} are supported"
    );
    Ok(Case::OnProducts(Box::new(Hqc { scheme: scheme(group)?, test: HqcTest::Responses { count, sha256 } })))
}

impl KemTest {
    fn new(parameters: &Parameters, test: KemMembers) -> Result<KemTest> {
        let Parameters { n, k, sizes, .. } = *parameters;
        ensure!(test.result == "valid", "unknown result {:?}", test.result);
        let secret = |bytes| member("ss", bytes, sizes.shared_secret);
        for Reject { byte, xor, ss } in &test.reject {
            ensure!(*byte < sizes.ciphertext, "reject: byte {byte} of {}", sizes.ciphertext);
            // Such a test would pass with the secret of the ciphertext itself.
            ensure!(*xor != 0, "reject: byte {byte} is not changed");
            of_length("ss", &ss.0, sizes.shared_secret).context("reject")?;
        }
        let unclean = test.unclean.map(|unclean| -> Result<Unclean> {
            let UncleanMembers { xor, ct, ct_sha256, ss } = unclean;
            ensure!(
                // The n % 8 low bits of the last byte are coefficients of s.
                xor != 0 && xor.trailing_zeros() as usize >= n % 8,
                "xor {xor} changes a coefficient, or nothing"
            );
            let ciphertext = Expected::read("ct", ct, ct_sha256, sizes.ciphertext)?;
            Ok(Unclean { xor, ciphertext, secret: secret(ss)? })
        });
        Ok(KemTest {
            seed: member("seed", test.seed, sizes.seed)?,
            message: member("m", test.m, k)?,
            salt: test.salt.0,
            key: Expected::read("dk", test.dk, test.dk_sha256, sizes.decapsulation_key)?,
            ciphertext: Expected::read("ct", test.ct, test.ct_sha256, sizes.ciphertext)?,
            secret: secret(test.ss)?,
            reject: test.reject,
            unclean: unclean.transpose().context("unclean")?,
        })
    }

    /// Checks the test with the key's bytes and with the expanded key.
    fn check<K: Scheme>(&self, cpu: ClmulCpu, checks: &mut Checks) {
        let dk = DecapsulationKey::<K>::from_seed_on(cpu, &array(&self.seed));
        let bytes = dk.to_bytes();
        self.key.check(checks, "decapsulation key", (*bytes).as_ref());
        // The import derives the key from the seed in these bytes once more, and compares.
        let imported = DecapsulationKey::<K>::from_bytes_on(cpu, (*bytes).as_ref());
        checks.accepted("import of the decapsulation key", true, imported.is_ok());

        let (message, salt) = (array(&self.message), &self.salt);
        // The expanded key has code of its own, which must give equal bytes.
        let expanded = dk.expand();
        let (ct, ss) = dk.encapsulation_key().encapsulate_deterministic(&message, salt);
        self.ciphertext.check(checks, "ciphertext", ct.as_ref());
        checks.bytes("secret of encapsulation", &self.secret, ss.as_ref());
        let (other, ss) = expanded.encapsulation_key().encapsulate_deterministic(&message, salt);
        self.ciphertext.check(checks, "ciphertext by the expanded key", other.as_ref());
        checks.bytes("secret of encapsulation by the expanded key", &self.secret, ss.as_ref());

        let mut decapsulate = |route: &str, ct: &Ciphertext<K>, secret: &[u8]| {
            checks.bytes(route, secret, dk.decapsulate(ct).as_ref());
            let ss = expanded.decapsulate(ct);
            checks.bytes(format_args!("{route} by the expanded key"), secret, ss.as_ref());
        };
        decapsulate("decapsulation", &ct, &self.secret);
        for Reject { byte, xor, ss } in &self.reject {
            let mut changed = ct.as_ref().to_vec();
            changed[*byte] ^= xor;
            let changed = Ciphertext::from_bytes(&changed).expect("as long as a ciphertext");
            decapsulate(&format!("rejection with byte {byte} changed"), &changed, &ss.0);
        }
        if let Some(unclean) = &self.unclean {
            unclean.check(checks, dk.encapsulation_key(), &message, salt);
        }
    }
}

impl Unclean {
    fn check<K: Scheme>(
        &self,
        checks: &mut Checks,
        key: &EncapsulationKey<K>,
        message: &carryless_hqc::Message<K>,
        salt: &[u8; 16],
    ) {
        let cpu = key.backend();
        let mut bytes = *key.as_bytes();
        // The last byte of s has bits beyond X^(n - 1), which belong to no coefficient.
        let last = bytes.as_ref().len() - 1;
        bytes.as_mut()[last] ^= self.xor;
        let imported = EncapsulationKey::<K>::from_bytes_on(cpu, bytes.as_ref());
        checks.accepted("import of the unclean key", false, imported.is_ok());
        // The import above refuses such a key, but the reference code takes it.
        let key = EncapsulationKey::<K>::from_bytes_unchecked(cpu, bytes.as_ref()).expect("as long as a key");
        let expanded = key.expand();
        for (route, (ct, ss)) in [
            ("the unclean key", key.encapsulate_deterministic(message, salt)),
            ("the expanded unclean key", expanded.encapsulate_deterministic(message, salt)),
        ] {
            self.ciphertext.check(checks, &format!("ciphertext by {route}"), ct.as_ref());
            checks.bytes(format_args!("secret by {route}"), &self.secret, ss.as_ref());
        }
    }
}

/// Runs a test on one backend.
struct Run<'a>(&'a HqcTest, ClmulCpu);

impl SchemeVisitor for Run<'_> {
    type Output = Checks;

    fn visit<K: Scheme>(self) -> Checks {
        let (Run(test, cpu), mut checks) = (self, Checks::default());
        match test {
            HqcTest::Kem(test) => test.check::<K>(cpu, &mut checks),
            HqcTest::Part(test) => test.check::<K>(cpu, &mut checks),
            HqcTest::Responses { count, sha256 } => {
                let mut hash = Sha256::new();
                let mut agreed = true;
                for response in responses::<K>(cpu, *count) {
                    // A response is an error if the secrets of both sides differ.
                    agreed &= response.is_ok();
                    hash.update(response.unwrap_or_default());
                }
                checks.accepted("secrets of both sides agree", true, agreed);
                checks.bytes("SHA-256 of the responses", sha256, &hash.finalize());
            }
        }
        checks
    }
}
