//! The parts of the KEM against `vectors/hqc_components.json`, on every machine.
use crate::array::Array;
use crate::keccak::{SHAKE256, Stream, run};
use crate::kem::{Expanded, Seeds};
use crate::pke::{self, Body, Public};
use crate::profile::{Nr, Profile, V5};
use crate::ring::{Factor, Ring, load, store};
use crate::sample;
use crate::scheme::{Scheme, SchemeId, SchemeVisitor};
use crate::set::ParameterSet;
use carryless_gf2::ClmulCpu;
use serde_json::Value;
use sha2::Digest;
use std::vec;
use std::vec::Vec;

fn bytes(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("a string");
    let byte = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn array<A: Array<u8>>(text: &Value) -> A {
    let mut array = A::zeroed();
    array.as_mut().copy_from_slice(&bytes(text));
    array
}

fn words<A: Array<u64>>(text: &Value) -> A {
    let mut array = A::zeroed();
    load(&bytes(text), array.as_mut());
    array
}

fn numbers(list: &Value) -> Vec<u32> {
    let number = |value: &Value| value.as_u64().expect("a number") as u32;
    list.as_array().expect("a list").iter().map(number).collect()
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    sha2::Sha256::digest(bytes).to_vec()
}

/// SHA-256 of a ring element.
fn hash_of<S: ParameterSet>(element: &S::Ring) -> Vec<u8> {
    let mut bytes = S::RingBytes::zeroed();
    store(element.as_ref(), bytes.as_mut());
    sha256(bytes.as_ref())
}

fn sorted(positions: &[u32]) -> Vec<u32> {
    let mut positions = positions.to_vec();
    positions.sort_unstable();
    positions
}

/// Runs a group of tests on a machine.
struct Group<'a>(&'a Value, ClmulCpu);

impl SchemeVisitor for Group<'_> {
    type Output = usize;
    fn visit<K: Scheme>(self) -> usize {
        let Group(group, cpu) = self;
        let check = match group["type"].as_str() {
            Some("HqcProduct") => product::<K>,
            Some("HqcSample") => samples::<K>,
            Some("HqcCode") => code::<K>,
            Some("HqcReedMuller") => reed_muller::<K>,
            Some("HqcTrace") => trace::<K>,
            other => panic!("{other:?}"),
        };
        let tests = group["tests"].as_array().expect("tests");
        tests.iter().for_each(|test| check(test, &Ring::on(cpu)));
        tests.len()
    }
}

#[test]
fn parts() {
    let file: Value =
        serde_json::from_str(include_str!("../../../vectors/hqc_components.json")).expect("JSON");
    for cpu in ClmulCpu::available() {
        let count = |group: &Value| {
            let text = |name: &str| group[name].as_str().expect("a name");
            let id = SchemeId::from_names(text("scheme"), text("profile")).expect("a scheme");
            id.dispatch(Group(group, cpu))
        };
        let counts = file["testGroups"].as_array().expect("groups").iter().map(count);
        assert_eq!(Some(counts.sum::<usize>() as u64), file["numberOfTests"].as_u64());
    }
}

/// A product of operands with bits behind X^(n-1).
fn product<K: Scheme>(test: &Value, ring: &Ring<K::Set>) {
    let (a, b) = (words(&test["a"]), words(&test["b"]));
    for (a, b) in [(a, b), (b, a)] {
        let (mut sum, mut space) = (Array::zeroed(), ring.workspace());
        let mut factor = Factor::zeroed();
        ring.prepare(&b, &mut factor, &mut space);
        let b = factor;
        ring.mul_add(&a, &b, &mut sum, &mut space);
        assert_eq!(sum.as_ref(), words::<<K::Set as ParameterSet>::Ring>(&test["product"]).as_ref());
        // Once more: a sum of equal products.
        ring.mul_add(&a, &b, &mut sum, &mut space);
        assert!(sum.as_ref().iter().all(|word| *word == 0));
    }
}

fn samples<K: Scheme>(test: &Value, ring: &Ring<K::Set>) {
    let seed: [u8; 32] = array(&test["seed"]);
    let mut uniform = Array::zeroed();
    crate::kem::expand::<K>(ring.cpu(), (&seed, &mut uniform), Default::default(), Default::default());
    assert_eq!(bytes(&test["uniformSha256"]), hash_of::<K::Set>(&uniform));
    samples_of::<K::Set, Nr>(ring.cpu(), &seed, &test["rejection"], &test["fixed"]);
    samples_of::<K::Set, V5>(ring.cpu(), &seed, &test["rejectionV5"], &test["fixedV5"]);
}

fn samples_of<S: ParameterSet, P: Profile>(cpu: ClmulCpu, seed: &[u8], rejection: &Value, fixed: &Value) {
    let mut stream = vec![0; S::KEY_STREAM_BYTES.max(2 * S::SAMPLE_BYTES)];
    run(cpu, &mut [&mut Stream::new(SHAKE256, &[seed, P::RULES.stream_domain], &mut stream)], &mut []);
    // Also with less of the stream than is needed, and none at all.
    for known in [S::KEY_STREAM_BYTES, 4 * S::W, 3 * S::W, 1, 0] {
        let (mut y, mut x) = (S::KeySupport::zeroed(), S::KeySupport::zeroed());
        sample::key::<S, P>(cpu, seed, &stream[..known], &mut y, Some(&mut x));
        // The order of positions may be another one.
        assert_eq!(sorted(y.as_ref()), sorted(&numbers(&rejection[0])));
        assert_eq!(sorted(x.as_ref()), sorted(&numbers(&rejection[1])));
        let mut alone = S::KeySupport::zeroed();
        sample::key::<S, P>(cpu, seed, &stream[..known], &mut alone, None);
        assert_eq!(alone.as_ref(), y.as_ref());
    }
    for i in 0..2 {
        let mut positions = S::ErrorSupport::zeroed();
        let start = i * sample::read_bytes::<P>(4 * S::W_R);
        sample::errors::<S, P>(cpu, &stream[start..], positions.as_mut());
        assert_eq!(positions.as_ref(), numbers(&fixed[i]));
    }
}

fn code<K: Scheme>(test: &Value, ring: &Ring<K::Set>) {
    let mut code = <K::Set as ParameterSet>::Code::zeroed();
    pke::encode::<K::Set>(ring, &array(&test["msg"]), &mut code);
    let mut bytes_of_code = vec![0; K::Set::CODE_BYTES];
    store(code.as_ref(), &mut bytes_of_code);
    assert_eq!(bytes(&test["concatenatedSha256"]), sha256(&bytes_of_code));
    // Symbols with errors, each in a codeword without.
    for name in ["codeword", "received"] {
        let mut code = <K::Set as ParameterSet>::Code::zeroed();
        crate::code::reed_muller::encode(&bytes(&test[name]), K::Set::COPIES, code.as_mut());
        let message = pke::decode::<K::Set>(ring, code.as_ref());
        assert_eq!((*message).as_ref(), bytes(&test["msg"]), "{} errors", test["errors"]);
    }
}

fn reed_muller<K: Scheme>(test: &Value, ring: &Ring<K::Set>) {
    let (mut symbols, received) =
        (vec![0; K::Set::N1], words::<<K::Set as ParameterSet>::Code>(&test["received"]));
    crate::code::reed_muller::decode(ring.cpu(), received.as_ref(), K::Set::COPIES, &mut symbols);
    assert_eq!(symbols, bytes(&test["decoded"]));
}

/// One key, one encapsulation.
fn trace<K: Scheme>(test: &Value, ring: &Ring<K::Set>) {
    let cpu = ring.cpu();
    let seeds = Seeds::<K>::new(cpu, &array(&test["seed"]));
    assert_eq!(seeds.secret.as_ref(), bytes(&test["secretSeed"]));
    assert_eq!(seeds.sigma.as_ref(), bytes(&test["sigma"]));
    assert_eq!(seeds.public.as_ref(), bytes(&test["publicSeed"]));
    let (mut y, mut x) = (Array::zeroed(), <K::Set as ParameterSet>::KeySupport::zeroed());
    sample::key::<K::Set, K::Profile>(cpu, seeds.secret.as_ref(), &[], &mut y, Some(&mut x));
    assert_eq!(sorted(y.as_ref()), sorted(&numbers(&test["y"])));
    assert_eq!(sorted(x.as_ref()), sorted(&numbers(&test["x"])));

    let key = Expanded::<K>::new(cpu, &seeds.encapsulation_key(ring), Default::default());
    assert_eq!(bytes(&test["hSha256"]), hash_of::<K::Set>(&key.h));
    assert_eq!(bytes(&test["sSha256"]), hash_of::<K::Set>(&key.s));
    assert_eq!(key.key_hash[..], bytes(&test["keyHash"]));

    let theta = bytes(&test["theta"]);
    errors::<K>(cpu, &theta, test);
    let (public, mut space) = (Public::Plain { h: &key.h, s: &key.s }, ring.workspace());
    let m = array(&test["m"]);
    let mut body = Body::zeroed();
    pke::encrypt::<K::Set, K::Profile>(ring, &public, &m, &theta, &mut [], &mut space, &mut body);
    assert_eq!(bytes(&test["uSha256"]), hash_of::<K::Set>(&body.u));
    let mut v = vec![0; K::Set::CODE_BYTES];
    store(body.v.as_ref(), &mut v);
    assert_eq!(bytes(&test["vSha256"]), sha256(&v));

    let mut factor = Factor::zeroed();
    let mut element = Array::zeroed();
    pke::set_support(ring, y.as_ref(), &mut element);
    ring.prepare(&element, &mut factor, &mut space);
    let Body { u, v } = &body;
    let mut received = *v;
    pke::add_product(ring, u, &factor, received.as_mut(), &mut space);
    let mut bytes_of_code = vec![0; K::Set::CODE_BYTES];
    store(received.as_ref(), &mut bytes_of_code);
    assert_eq!(bytes(&test["receivedSha256"]), sha256(&bytes_of_code));
    assert_eq!((*pke::decode::<K::Set>(ring, received.as_ref())).as_ref(), m.as_ref());
}

fn errors<K: Scheme>(cpu: ClmulCpu, theta: &[u8], test: &Value) {
    let order = K::Profile::RULES.error_order;
    let mut stream = <K::Set as ParameterSet>::ErrorStream::zeroed();
    run(
        cpu,
        &mut [&mut Stream::new(SHAKE256, &[theta, K::Profile::RULES.stream_domain], stream.as_mut())],
        &mut [],
    );
    for (name, place) in [("r1", order.r1), ("r2", order.r2), ("e", order.e)] {
        let mut positions = <K::Set as ParameterSet>::ErrorSupport::zeroed();
        let start = place * sample::read_bytes::<K::Profile>(4 * K::Set::W_R);
        sample::errors::<K::Set, K::Profile>(cpu, &stream.as_ref()[start..], positions.as_mut());
        assert_eq!(sorted(positions.as_ref()), numbers(&test[name]));
    }
}
