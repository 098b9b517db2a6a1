//! Tests of squares, products, inverses and greatest common divisors in F2\[X\].
use anyhow::{Context as _, Result, bail, ensure};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::{Bezout, Poly};
use carryless_gf2::poly::{Modulus, Plan, Ring, square_on};
use carryless_reference::gf2;
use serde::Deserialize;
use serde_json::Value;

use super::case::{Case, Computed, is_valid};
use super::hex::Bytes;
use super::outcome::{Checks, Outcome};

/// Member `algorithm` of these files.
pub(super) const ALGORITHM: &str = "F2[X]";

/// Largest n for products modulo X^n - 1.
const MAX_BITS: usize = 1 << 26;

/// A polynomial as 64-bit words, least significant first, at least one.
type Words = Vec<u64>;

/// A test of one operation on polynomials.
enum F2x {
    Product {
        a: Words,
        b: Words,
        product: Words,
    },
    Square {
        a: Words,
        square: Words,
    },
    /// A product modulo X^n - 1; a and b have degrees below n.
    CyclicProduct {
        n: usize,
        a: Words,
        b: Words,
        product: Words,
    },
    /// An inverse modulo X^n - 1; `None` if it does not exist.
    CyclicInverse {
        n: usize,
        a: Words,
        inverse: Option<Words>,
    },
    Gcd {
        a: Words,
        b: Words,
        gcd: Words,
    },
}

impl Computed<ClmulCpu> for F2x {
    fn on_backend(&self, cpu: ClmulCpu) -> Outcome {
        on_backend(cpu, self)
    }

    fn on_reference(&self) -> Outcome {
        on_reference(self)
    }

    /// Large n take time and exercise no other code.
    #[cfg(any(test, feature = "fuzzing"))]
    fn is_small(&self) -> bool {
        match self {
            F2x::CyclicProduct { n, .. } | F2x::CyclicInverse { n, .. } => *n <= 1 << 10,
            _ => true,
        }
    }
}

/// All members that tests of any type have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct F2xTest {
    /// Most bits of a and b, in tests of products and squares.
    size_bits: Option<usize>,
    n: Option<usize>,
    a: Bytes,
    b: Option<Bytes>,
    product: Option<Bytes>,
    square: Option<Bytes>,
    gcd: Option<Bytes>,
    inverse: Option<Bytes>,
    result: String,
}

/// Reads a test in a group of this type.
pub(super) fn read(kind: &str, test: Value) -> Result<Case> {
    let test: F2xTest = serde_json::from_value(test)?;
    // `invalid` has a meaning for inverses alone: a has none.
    let invertible = is_valid(&test.result)?;
    ensure!(invertible || kind == "F2xInvCyclic", "unknown result {:?}", test.result);
    let field = |bytes: &Option<Bytes>, name| bytes.as_ref().map(words).with_context(|| format!("no {name}"));
    let a = words(&test.a);
    // Read on demand: tests of squares and inverses have no b.
    let b = |most| field(&test.b, "b").and_then(|b| below(most, b, "b"));
    let n = || {
        let n = test.n.filter(|n| (1..=MAX_BITS).contains(n));
        n.with_context(|| format!("no n from 1 to {MAX_BITS}"))
    };
    // Tests without a size have operands of any length.
    let size = test.size_bits.unwrap_or(usize::MAX);
    let test = match kind {
        "F2xMul" => {
            F2x::Product { a: below(size, a, "a")?, b: b(size)?, product: field(&test.product, "product")? }
        }
        "F2xSquare" => F2x::Square { a: below(size, a, "a")?, square: field(&test.square, "square")? },
        "F2xMulCyclic" => F2x::CyclicProduct {
            n: n()?,
            a: below(n()?, a, "a")?,
            b: b(n()?)?,
            product: field(&test.product, "product")?,
        },
        "F2xInvCyclic" => F2x::CyclicInverse {
            n: n()?,
            a: below(n()?, a, "a")?,
            inverse: if invertible {
                Some(below(n()?, field(&test.inverse, "inverse")?, "inverse")?)
            } else {
                None
            },
        },
        "F2xGcd" => F2x::Gcd { a, b: b(usize::MAX)?, gcd: field(&test.gcd, "gcd")? },
        other => bail!("unknown type of group {other:?}"),
    };
    Ok(Case::OnProducts(Box::new(test)))
}

/// Returns the polynomial if its degree is below `bits`, otherwise an error that names it.
fn below(bits: usize, polynomial: Words, name: &str) -> Result<Words> {
    let degree = gf2::degree(&polynomial);
    ensure!(degree.is_none_or(|degree| degree < bits), "{name} has more than {bits} bits");
    Ok(polynomial)
}

/// Returns the polynomial with these little-endian bytes, in at least one word.
fn words(Bytes(bytes): &Bytes) -> Words {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let words: Words = bytes.chunks(8).map(word).collect();
    if words.is_empty() { vec![0] } else { words }
}

/// Returns the polynomial as bytes, as files write it: without leading zeros, and 0 as one byte.
fn bytes(words: &[u64]) -> Vec<u8> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
    bytes.resize(used, 0);
    bytes
}

/// Checks a test by all routes that compute on this backend, and by `Poly`, which uses the best one.
fn on_backend(cpu: ClmulCpu, test: &F2x) -> Outcome {
    let mut checks = Checks::default();
    match test {
        F2x::Product { a, b, product } => {
            by_all_plans(&mut checks, cpu, (a, b), product);
            // A square is the same product with its operands swapped.
            if a != b {
                check(&mut checks, "operands swapped", product, &times(cpu, b, a));
            }
        }
        F2x::Square { a, square } => {
            let mut got = vec![0; 2 * a.len()];
            square_on(cpu, a, &mut got);
            check(&mut checks, "square", square, &got);
            by_all_plans(&mut checks, cpu, (a, a), square);
        }
        F2x::CyclicProduct { n, a, b, product } => {
            check(&mut checks, "modulo X^n - 1", product, &cyclic(cpu, *n, a, b));
            let mut whole = times(cpu, a, b);
            Modulus::new(&[*n, 0]).expect("n is not 0").reduce(cpu, &mut whole);
            check(&mut checks, "product, then reduced", product, &whole);
        }
        F2x::CyclicInverse { n, a, inverse } => {
            let modulus = Poly::monomial(*n) + Poly::one();
            let got = Poly::from_words(a).inverse_mod_vartime(&modulus);
            checks.accepted("has an inverse", inverse.is_some(), got.is_some());
            if let (Some(inverse), Some(got)) = (inverse, got) {
                check(&mut checks, "inverse", inverse, got.words());
                // Modulo X - 1, 1 is the only invertible element, and its product is 1 as well.
                check(&mut checks, "product with the inverse", &[1], &cyclic(cpu, *n, a, inverse));
            }
        }
        F2x::Gcd { a, b, gcd } => divisor(&mut checks, cpu, (a, b), gcd),
    }
    checks.outcome()
}

/// Checks the greatest common divisor G. It must divide A and be U A + V B, with products on this backend.
fn divisor(checks: &mut Checks, cpu: ClmulCpu, (a, b): (&[u64], &[u64]), gcd: &[u64]) {
    let (x, y, expected) = (Poly::from_words(a), Poly::from_words(b), Poly::from_words(gcd));
    check(checks, "gcd", gcd, x.gcd_vartime(&y).words());
    let Bezout { g, u, v, .. } = x.xgcd_vartime(&y);
    check(checks, "extended gcd", gcd, g.words());
    // `Poly` multiplies on the best backend. `times` does on this one.
    let sum = Poly::from(times(cpu, u.words(), a)) + Poly::from(times(cpu, v.words(), b));
    check(checks, "U A + V B", gcd, sum.words());
    for (name, words, poly) in [("A", a, &x), ("B", b, &y)] {
        // Nothing can be divided by a gcd of 0. The comparisons above decide such a test.
        if let Some((quotient, remainder)) = poly.div_rem(&expected) {
            check(checks, &format!("{name} modulo the gcd"), &[0], remainder.words());
            let product = times(cpu, quotient.words(), gcd);
            check(checks, &format!("{name} divided by the gcd, times the gcd"), words, &product);
        }
    }
}

/// Checks a product by the library's plan, with a prepared operand, and by every transform with enough room.
fn by_all_plans(checks: &mut Checks, cpu: ClmulCpu, (a, b): (&[u64], &[u64]), product: &[u64]) {
    check(checks, "product", product, &times(cpu, a, b));
    let plan = Plan::on(cpu, a.len(), b.len());
    let (mut prepared, mut scratch) = (vec![0; plan.prepared_words()], vec![0; plan.scratch_words()]);
    let mut got = vec![0; a.len() + b.len()];
    plan.prepare(b, &mut prepared, &mut scratch);
    plan.mul_prepared(a, &prepared, &mut got, &mut scratch);
    check(checks, "prepared operand", product, &got);
    for ring in Ring::ALL {
        // An error says that the product is longer than the ring, and that is no failure.
        if let Ok(plan) = Plan::by_transform(cpu, a.len(), b.len(), ring) {
            let mut got = vec![0; a.len() + b.len()];
            plan.mul(a, b, &mut got, &mut vec![0; plan.scratch_words()]);
            check(checks, &format!("transform over {ring:?}"), product, &got);
        }
    }
}

/// Returns the product on this backend. The polynomial 0 may have no words.
fn times(cpu: ClmulCpu, a: &[u64], b: &[u64]) -> Words {
    if a.is_empty() || b.is_empty() {
        return vec![0];
    }
    let plan = Plan::on(cpu, a.len(), b.len());
    let mut product = vec![0; a.len() + b.len()];
    plan.mul(a, b, &mut product, &mut vec![0; plan.scratch_words()]);
    product
}

/// Returns the product modulo X^n - 1, computed on this backend.
fn cyclic(cpu: ClmulCpu, n: usize, a: &[u64], b: &[u64]) -> Words {
    let size = n.div_ceil(64);
    // Operands in files may have fewer words than n, or more that are zero.
    let sized = |a: &[u64]| -> Words { a.iter().copied().chain(std::iter::repeat(0)).take(size).collect() };
    let plan = Plan::on(cpu, size, size);
    let mut product = vec![0; size];
    plan.mul_mod_xn_1(n, &sized(a), &sized(b), &mut product, &mut vec![0; plan.part_scratch_words()]);
    product
}

/// Checks a test by the reference, bit by bit.
fn on_reference(test: &F2x) -> Outcome {
    let mut checks = Checks::default();
    match test {
        F2x::Product { a, b, product } => check(&mut checks, "product", product, &gf2::mul(a, b)),
        F2x::Square { a, square } => check(&mut checks, "square", square, &gf2::square(a)),
        F2x::CyclicProduct { n, a, b, product } => {
            check(&mut checks, "modulo X^n - 1", product, &gf2::mod_xn_1(&gf2::mul(a, b), *n));
        }
        // Inverses are unique, so the product decides without a second algorithm.
        F2x::CyclicInverse { n, a, inverse: Some(inverse) } => {
            let product = gf2::mod_xn_1(&gf2::mul(a, inverse), *n);
            check(&mut checks, "product with the inverse", &[1], &product);
        }
        // An element has an inverse if and only if its gcd with X^n - 1 is 1.
        F2x::CyclicInverse { n, a, inverse: None } => {
            let modulus = Poly::monomial(*n) + Poly::one();
            let coprime = gf2::degree(&gf2::gcd(a, modulus.words())) == Some(0);
            checks.accepted("has an inverse", false, coprime);
        }
        F2x::Gcd { a, b, gcd } => check(&mut checks, "gcd", gcd, &gf2::gcd(a, b)),
    }
    checks.outcome()
}

/// Checks that a route gave this polynomial. Leading zeros do not count.
fn check(checks: &mut Checks, route: &str, expected: &[u64], got: &[u64]) {
    checks.bytes(route, &bytes(expected), &bytes(got));
}
