//! The files `hqc_*.json`, on every machine.
mod common;

use carryless_hqc::{Ciphertext, ClmulCpu, DecapsulationKey, Scheme, SchemeId, SchemeVisitor};
use common::{array, bytes, machines, sha256};
use serde_json::Value;

/// A group of tests on a machine.
struct Group<'a>(&'a Value, ClmulCpu);

impl SchemeVisitor for Group<'_> {
    type Output = usize;
    fn visit<K: Scheme>(self) -> usize {
        let Group(group, cpu) = self;
        let tests = group["tests"].as_array().expect("tests");
        tests.iter().for_each(|test| check::<K>(test, cpu));
        tests.len()
    }
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
    for reject in test["reject"].as_array().expect("a list") {
        let mut changed = ct.as_ref().to_vec();
        let place = reject["byte"].as_u64().expect("a place") as usize;
        changed[place] ^= reject["xor"].as_u64().expect("a byte") as u8;
        let changed = Ciphertext::from_bytes(&changed).expect("a ciphertext");
        assert_eq!(dk.decapsulate(&changed).as_ref(), bytes(&reject["ss"]));
        assert_eq!(expanded.decapsulate(&changed).as_ref(), bytes(&reject["ss"]));
    }
}

fn run(file: &str) {
    let file: Value = serde_json::from_str(file).expect("JSON");
    for cpu in machines() {
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
