//! The file of vectors, on every backend of this CPU.
use crate::common::mul;
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::poly::{self, Plan};
use carryless_reference::gf2;
use serde_json::Value;

/// As many words as the hexadecimal bytes fill.
fn words(test: &Value, name: &str) -> Vec<u64> {
    let text = test[name].as_str().unwrap_or_else(|| panic!("{name} of {test}"));
    let bytes: Vec<u8> =
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex")).collect();
    let whole = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    whole.collect()
}

/// The same without zeros on top.
fn trimmed(mut a: Vec<u64>) -> Vec<u64> {
    while a.last() == Some(&0) {
        a.pop();
    }
    a
}

fn vectors() -> Vec<(String, Value)> {
    let file: Value = serde_json::from_str(include_str!("../../../../vectors/f2x.json")).expect("JSON");
    let groups = file["testGroups"].as_array().expect("groups").iter();
    let tests = groups.flat_map(|group| {
        let kind = group["type"].as_str().expect("a type").to_owned();
        group["tests"].as_array().expect("tests").iter().map(move |test| (kind.clone(), test.clone()))
    });
    let tests: Vec<_> = tests.collect();
    assert_eq!(Some(tests.len() as u64), file["numberOfTests"].as_u64());
    tests
}

/// Every product, square, product modulo X^n - 1, inverse and greatest common divisor of the file.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn vector_file() {
    let mut done = [0; 5];
    for (kind, test) in vectors() {
        let a = words(&test, "a");
        for cpu in ClmulCpu::available() {
            match kind.as_str() {
                "F2xMul" => product_vector(cpu, &test, &a),
                "F2xSquare" => square_vector(cpu, &test, &a),
                "F2xMulCyclic" => cyclic_vector(cpu, &test, &a, "product"),
                "F2xInvCyclic" => inverse_vector(cpu, &test, &a),
                "F2xGcd" => gcd_vector(&test, &a),
                other => panic!("unknown group {other}"),
            }
        }
        let kinds = ["F2xMul", "F2xSquare", "F2xMulCyclic", "F2xInvCyclic", "F2xGcd"];
        done[kinds.iter().position(|k| *k == kind).expect("known")] += 1;
    }
    assert_eq!(done, [126, 51, 33, 30, 24]);
}

fn product_vector(cpu: ClmulCpu, test: &Value, a: &[u64]) {
    let b = words(test, "b");
    let product = mul(&Plan::on(cpu, a.len(), b.len()), a, &b);
    assert_eq!(trimmed(product), trimmed(words(test, "product")), "{} on {}", test["tcId"], cpu.name());
}

fn square_vector(cpu: ClmulCpu, test: &Value, a: &[u64]) {
    let mut out = vec![0; 2 * a.len()];
    poly::square_on(cpu, a, &mut out);
    assert_eq!(trimmed(out), trimmed(words(test, "square")), "{} on {}", test["tcId"], cpu.name());
}

fn cyclic(cpu: ClmulCpu, n: usize, a: &[u64], b: &[u64]) -> Vec<u64> {
    let size = n.div_ceil(64);
    let sized = |a: &[u64]| {
        let mut a = a.to_vec();
        a.resize(size, 0);
        a
    };
    let plan = Plan::on(cpu, size, size);
    let mut out = vec![0; size];
    plan.mul_mod_xn_1(n, &sized(a), &sized(b), &mut out, &mut vec![0; plan.part_scratch_words()]);
    trimmed(out)
}

fn cyclic_vector(cpu: ClmulCpu, test: &Value, a: &[u64], wanted: &str) {
    let n = test["n"].as_u64().expect("n") as usize;
    let product = cyclic(cpu, n, a, &words(test, "b"));
    assert_eq!(product, trimmed(words(test, wanted)), "{} on {}", test["tcId"], cpu.name());
}

/// The inverse where there is one, and a a^-1 = 1 by the product on this backend.
fn inverse_vector(cpu: ClmulCpu, test: &Value, a: &[u64]) {
    let n = test["n"].as_u64().expect("n") as usize;
    let valid = test["result"] == "valid";
    let wanted = valid.then(|| Poly::from(words(test, "inverse")));
    let modulus = Poly::monomial(n) + Poly::one();
    assert!(Poly::from_words(a).inverse_mod_vartime(&modulus) == wanted, "{}", test["tcId"]);
    if let Some(inverse) = wanted {
        let product = cyclic(cpu, n, a, inverse.words());
        assert_eq!(product, [1], "{} on {}", test["tcId"], cpu.name());
    }
}

/// By `Poly` and by the reference.
fn gcd_vector(test: &Value, a: &[u64]) {
    let (b, wanted) = (words(test, "b"), Poly::from(words(test, "gcd")));
    assert!(Poly::from_words(a).gcd_vartime(&Poly::from_words(&b)) == wanted, "{}", test["tcId"]);
    assert!(Poly::from(gf2::gcd(a, &b)) == wanted, "{} by the reference", test["tcId"]);
}
