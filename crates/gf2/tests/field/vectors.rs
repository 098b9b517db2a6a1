//! The vectors of `vectors/gf2m.json`, on all backends.
use crate::common::backends;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::{BinaryField, Element, Field};
use serde_json::Value;

fn file() -> Value {
    serde_json::from_str(include_str!("../../../../vectors/gf2m.json")).expect("JSON")
}

fn hex<F: BinaryField>(value: &Value) -> Element<F> {
    let text = value.as_str().expect("hex");
    let bytes: Vec<u8> =
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex")).collect();
    Element::from_bytes(&bytes).expect("an element")
}

/// Whether a group has this f.
fn is_of<F: BinaryField>(group: &Value) -> bool {
    let exponents =
        group["poly"].as_array().expect("exponents").iter().map(|e| e.as_u64().expect("a number"));
    exponents.eq([F::DEGREE].iter().chain(F::TAIL).map(|&e| e as u64))
}

/// The tests of one group, if it is of this field.
fn group<F: BinaryField>(group: &Value) -> usize {
    if !is_of::<F>(group) {
        return 0;
    }
    let tests = group["tests"].as_array().expect("tests");
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        for t in tests {
            let (a, b) = (hex::<F>(&t["a"]), hex::<F>(&t["b"]));
            assert_eq!(field.mul(&a, &b), hex(&t["mul"]));
            assert_eq!(field.square(&a), hex(&t["sqr"]));
            assert_eq!(field.sqrt(&a), hex(&t["sqrt"]));
            assert_eq!(u64::from(a.trace().to_u8()), t["trace"].as_u64().expect("a bit"));
            let inverse = if t["inv"].is_null() { Element::zero() } else { hex(&t["inv"]) };
            assert_eq!(field.invert_or_zero(&a), inverse);
            if F::DEGREE % 2 == 1 {
                assert_eq!(field.solve_unchecked(&a), hex(&t["halfTrace"]));
            }
            let mut power = a;
            for _ in 0..t["k"].as_u64().expect("a number") {
                power = field.square(&power);
            }
            assert_eq!(power, hex(&t["multiSqr"]));
        }
    }
    tests.len()
}

/// Checks which polynomials of the group are irreducible. Returns their number.
fn irreducible(group: &Value) -> usize {
    let tests = group["tests"].as_array().expect("tests");
    for t in tests {
        let exponents = t["poly"].as_array().expect("exponents").iter();
        let f = Poly::from_exponents(exponents.map(|e| e.as_u64().expect("a number") as usize));
        assert_eq!(f.is_irreducible_vartime(), t["irreducible"].as_bool().expect("a truth value"));
    }
    tests.len()
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn gf2m_file() {
    let (file, mut done) = (file(), 0);
    for g in file["testGroups"].as_array().expect("groups") {
        if g["type"] == "IrreducibleTest" {
            done += irreducible(g);
            continue;
        }
        macro_rules! each {
            ($($field:ident),*) => {
                $(done += group::<carryless_gf2::field::$field>(g);)*
            };
        }
        for_each_field! { each }
    }
    assert!(done != 0);
}

#[test]
fn every_group_is_of_a_field() {
    let file = file();
    for g in file["testGroups"].as_array().expect("groups").iter().filter(|g| g["type"] != "IrreducibleTest")
    {
        macro_rules! some {
            ($($field:ident),*) => {
                [$(is_of::<carryless_gf2::field::$field>(g)),*]
            };
        }
        let found = carryless_gf2::for_each_field! { some };
        assert_eq!(found.iter().filter(|found| **found).count(), 1, "fields with {}", g["poly"]);
    }
}
