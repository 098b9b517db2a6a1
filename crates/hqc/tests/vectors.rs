//! The files `hqc_*.json`, on every backend.
//!
//! `CARRYLESS_QUICK=1` makes the run small enough for an emulator.
mod common;

use carryless_hqc::kat::Responses;
use carryless_hqc::{
    Ciphertext, ClmulCpu, DecapsulationKey, EncapsulationKey, Scheme, SchemeId, SchemeVisitor,
};
use common::{array, backends, bytes, pick, sha256};
use serde_json::Value;
use std::fmt::Write as _;

/// A group of tests on a backend.
struct Group<'a>(&'a Value, ClmulCpu);

impl SchemeVisitor for Group<'_> {
    type Output = usize;
    fn visit<K: Scheme>(self) -> usize {
        let Group(group, cpu) = self;
        if cpu == ClmulCpu::detect() && pick(1, 0, 0) == 1 {
            check_responses::<K>(&group["responses"]);
        }
        let tests = group["tests"].as_array().expect("tests");
        tests.iter().step_by(pick(1, 6, 6)).for_each(|test| check::<K>(test, cpu));
        tests.len()
    }
}

/// The responses to NIST's tests: a key and a ciphertext of each seed.
fn check_responses<K: Scheme>(responses: &Value) {
    let (mut text, count) = (String::new(), responses["count"].as_u64().expect("a number"));
    for response in Responses::<K>::on(ClmulCpu::detect()).take(count as usize) {
        assert_eq!(response.key.decapsulate(&response.ciphertext), response.secret);
        let separator = if response.count == 0 { "" } else { "\n" };
        write!(text, "{separator}{response}").expect("room");
    }
    assert_eq!(bytes(&responses["sha256"]), sha256(text.as_bytes()), "{}", K::NAME);
}

/// The bytes under a name, or their hash under the name with `Sha256`.
fn check_bytes(test: &Value, name: &str, found: &[u8]) {
    let hash = &test[format!("{name}Sha256")];
    if hash.is_null() {
        assert_eq!(bytes(&test[name]), found, "{name} of {}", test["comment"]);
    } else {
        assert_eq!(bytes(hash), sha256(found), "{name} of {}", test["comment"]);
    }
}

fn check<K: Scheme>(test: &Value, cpu: ClmulCpu) {
    let dk = DecapsulationKey::<K>::from_seed_on(cpu, &array(&test["seed"]));
    check_bytes(test, "dk", dk.to_bytes().as_ref());
    let salt = array(&test["salt"]);
    let (ct, ss) = dk.encapsulation_key().encapsulate_deterministic(&array(&test["m"]), &salt);
    check_bytes(test, "ct", ct.as_ref());
    assert_eq!(bytes(&test["ss"]), ss.as_ref());
    let expanded = dk.expand();
    let again = expanded.encapsulation_key().encapsulate_deterministic(&array(&test["m"]), &salt);
    assert_eq!(again, (ct, ss.clone()));
    assert_eq!(dk.decapsulate(&ct), ss);
    assert_eq!(expanded.decapsulate(&ct), ss);
    if let Some(unclean) = test.get("unclean") {
        check_unclean::<K>(test, unclean, &dk);
    }
    for reject in test["reject"].as_array().expect("a list").iter().step_by(pick(1, 3, 7)) {
        let mut changed = ct.as_ref().to_vec();
        let place = reject["byte"].as_u64().expect("a place") as usize;
        changed[place] ^= reject["xor"].as_u64().expect("a byte") as u8;
        let changed = Ciphertext::from_bytes(&changed).expect("a ciphertext");
        assert_eq!(dk.decapsulate(&changed).as_ref(), bytes(&reject["ss"]));
        assert_eq!(expanded.decapsulate(&changed).as_ref(), bytes(&reject["ss"]));
    }
}

/// An encapsulation key with bits behind the last coefficient of s, which take part as in the reference code.
fn check_unclean<K: Scheme>(test: &Value, unclean: &Value, dk: &DecapsulationKey<K>) {
    let cpu = dk.encapsulation_key().backend();
    let mut key = dk.encapsulation_key().as_bytes().as_ref().to_vec();
    *key.last_mut().expect("bytes") ^= unclean["xor"].as_u64().expect("a byte") as u8;
    assert!(EncapsulationKey::<K>::from_bytes_on(cpu, &key).is_err());
    let key = EncapsulationKey::<K>::from_bytes_unchecked(cpu, &key).expect("the length of a key");
    let (ct, ss) = key.encapsulate_deterministic(&array(&test["m"]), &array(&test["salt"]));
    assert_eq!(
        key.expand().encapsulate_deterministic(&array(&test["m"]), &array(&test["salt"])),
        (ct, ss.clone())
    );
    assert_eq!(bytes(&unclean["ss"]), ss.as_ref());
    check_bytes(unclean, "ct", ct.as_ref());
}

fn run(file: &str) {
    let file: Value = serde_json::from_str(file).expect("JSON");
    for cpu in backends() {
        let mut count = 0;
        for group in file["testGroups"].as_array().expect("groups") {
            let text = |name: &str| group[name].as_str().expect("a name");
            let id = SchemeId::from_names(text("scheme"), text("profile")).expect("a scheme");
            count += id.dispatch(Group(group, cpu));
        }
        assert_eq!(Some(count as u64), file["numberOfTests"].as_u64());
    }
}

#[test]
fn profile_nr() {
    run(include_str!("../../../vectors/hqc_nr.json"));
}

#[test]
fn profile_v5() {
    run(include_str!("../../../vectors/hqc_v5.json"));
}

#[test]
fn profile_2023() {
    run(include_str!("../../../vectors/hqc_2023.json"));
}
