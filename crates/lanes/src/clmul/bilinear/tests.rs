use super::word::{BITS, TAIL};
use super::*;

/// No polynomial of degree 1 to 10 divides z^20 + z^3 + 1, so it is irreducible and F is a field.
#[test]
fn the_field_is_one() {
    let modulus = 1 << BITS | TAIL;
    for divisor in 2..1_u64 << 11 {
        let mut rest = modulus;
        while rest.ilog2() >= divisor.ilog2() {
            rest ^= divisor << (rest.ilog2() - divisor.ilog2());
            if rest == 0 {
                break;
            }
        }
        assert_ne!(rest, 0, "{divisor:#b} divides it");
    }
    assert_eq!(times(1 << 19, 2), TAIL);
    // z^38 = z^18 z^20 = z^21 + z^18 = z^18 + z^4 + z
    assert_eq!(times(1 << 19, 1 << 19), 1 << 18 | 0b10010);
}

// On WebAssembly a panic ends the program.
#[cfg(panic = "unwind")]
#[test]
fn sums_and_constants() {
    let (a, b) = (Bilinear::left(0xabcde), Bilinear::right(0x12345));
    assert_eq!(sum(a, a), 0);
    assert_eq!(sum(a, Bilinear::left(1)), Bilinear::left(0xabcdf));
    let fails = |f: fn(u64, u64)| std::panic::catch_unwind(|| f(a, b)).is_err();
    assert!(fails(|a, b| _ = sum(a, b)), "different kinds");
    assert!(fails(|a, b| _ = read(a ^ b)), "the same in plain code");
    assert!(fails(|a, b| _ = sum(product(a, b)[0], b)));
    assert!(fails(|a, _| _ = sum(a, 1)), "a constant");
    assert!(fails(|a, _| _ = product(a, a)), "a square");
    assert!(fails(|a, b| _ = product(product(a, b)[1], b)));
    assert!(fails(|a, _| _ = read(a << 4)), "a shift");
    assert!((0..64).all(|i| std::panic::catch_unwind(|| read(1 << i)).is_err()), "no single bit is a word");
    assert!(std::panic::catch_unwind(|| read(!0)).is_err(), "nor are all of them");
}

#[test]
fn both_definitions_agree() {
    let a: Vec<u64> = (1..9).map(|i| Bilinear::left(i * 0x9e37_79b9)).collect();
    let b: Vec<u64> = (1..6).map(|i| Bilinear::right(i * 0x85eb_ca6b)).collect();
    let mut out = Bilinear::product(&a, &b);
    for point in [0x1234_5678_9abc_def0, 7, u64::MAX] {
        assert!(Bilinear::is_product(&a, &b, &out, point));
    }
    out[3] ^= word(Kind::Product, 1);
    assert!(!Bilinear::is_product(&a, &b, &out, 0x1234_5678_9abc_def0));
}
