//! Tests of binary curves: parameters, multiples of base points, and protocols.
use anyhow::{Context as _, Result, bail, ensure};
use carryless_gf2::ClmulCpu;
use carryless_reference::BigUint;
use carryless_reference::curve::{Curve, Domain, Field, Point};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::case::{Case, Computed};
use super::curve_arithmetic::{Arithmetic, Named, curve};
use super::hex::Bytes;
use super::outcome::{Checks, Outcome};

/// Member `algorithm` of files with parameters and multiples.
pub(super) const ALGORITHM: &str = "binary curves";

/// A test of something on one curve.
pub(super) trait OnCurve {
    /// Returns the curve of the test.
    fn curve(&self) -> &'static Named;

    /// Returns the definition of the curve: the library's, or one that the test itself asserts.
    fn domain(&self) -> &Domain {
        self.curve().domain()
    }

    /// Compares the test with what this arithmetic computes.
    fn check(&self, checks: &mut Checks, arithmetic: &dyn Arithmetic);

    /// Compares the test with constants of the library, if it asserts any.
    fn check_constants(&self, _: &mut Checks) {}
}

/// Runs a test by the types of the library on one backend, and by the definitions.
impl<T: OnCurve> Computed<ClmulCpu> for T {
    fn on_backend(&self, cpu: ClmulCpu) -> Outcome {
        let mut checks = Checks::default();
        self.check(&mut checks, (self.curve().on)(cpu).as_ref());
        self.check_constants(&mut checks);
        checks.outcome()
    }

    fn on_reference(&self) -> Outcome {
        let mut checks = Checks::default();
        self.check(&mut checks, self.domain());
        checks.outcome()
    }

    #[cfg(any(test, feature = "fuzzing"))]
    fn is_small(&self) -> bool {
        self.domain().curve.field.degree() <= super::gf2m::MAX_DEGREE
    }
}

/// The parameters of a curve, as a file states them.
struct Parameters {
    curve: &'static Named,
    nist: Option<String>,
    oid: Option<String>,
    domain: Domain,
}

impl OnCurve for Parameters {
    fn curve(&self) -> &'static Named {
        self.curve
    }

    fn domain(&self) -> &Domain {
        // The reference computes with the parameters of the file, so that it notices wrong ones by itself.
        &self.domain
    }

    fn check(&self, checks: &mut Checks, arithmetic: &dyn Arithmetic) {
        check_generator(checks, &self.domain, arithmetic);
    }

    fn check_constants(&self, checks: &mut Checks) {
        check_constants(checks, &self.domain, self.curve.domain());
        let is_alias = self.nist.as_deref().is_none_or(|name| self.curve.aliases.contains(&name));
        checks.accepted("the name of NIST", true, is_alias);
        // A file and a curve that both have none agree.
        let oid = self.oid.as_deref().unwrap_or_default();
        checks.bytes("object identifier", oid.as_bytes(), self.curve.oid.unwrap_or_default().as_bytes());
    }
}

/// The product k G in SEC 1 encoding.
struct Multiple {
    curve: &'static Named,
    k: BigUint,
    product: Vec<u8>,
}

impl OnCurve for Multiple {
    fn curve(&self) -> &'static Named {
        self.curve
    }

    fn check(&self, checks: &mut Checks, arithmetic: &dyn Arithmetic) {
        check_multiple(checks, &self.k, &self.product, arithmetic);
    }
}

/// Returns the curve that a file names, or an error.
pub(super) fn named(name: &str) -> Result<&'static Named> {
    curve(name).with_context(|| format!("no curve is called {name:?}"))
}

#[derive(Deserialize)]
struct ParametersMembers {
    curve: String,
    nist: Option<String>,
    oid: Option<String>,
    m: usize,
    poly: Vec<usize>,
    #[serde(default)]
    extension: bool,
    a: Bytes,
    b: Bytes,
    x: Bytes,
    y: Bytes,
    n: Bytes,
    h: u32,
    result: String,
}

/// Reads a test of the schema `carryless_curves_v1`.
pub(super) fn read_parameters(test: Value) -> Result<Case> {
    let test: ParametersMembers = serde_json::from_value(test)?;
    ensure!(test.result == "valid", "unknown result {:?}", test.result);
    super::gf2m::descending(&test.poly)?;
    ensure!(test.poly[0] == test.m, "poly has degree {}, but m is {}", test.poly[0], test.m);
    // Modulo a reducible f some elements have no inverse, and the reference would fail in a division.
    ensure!(carryless_reference::gf2::is_irreducible(&test.poly), "poly is reducible");
    // The half-trace, by which the reference solves y^2 + y = c, needs an odd m.
    let is_odd = !test.m.is_multiple_of(2);
    ensure!(is_odd, "m is even, and no curve has such a field");
    let field = if test.extension { Field::extended(&test.poly) } else { Field::new(&test.poly) };
    let element =
        |Bytes(bytes): &Bytes, name| field.from_bytes(bytes).with_context(|| format!("{name} is no element"));
    let generator = Point::Affine(element(&test.x, "x")?, element(&test.y, "y")?);
    let (a, b) = (element(&test.a, "a")?, element(&test.b, "b")?);
    let (order, cofactor) = (BigUint::from_bytes_le(&test.n.0), test.h.into());
    // By Hasse's theorem a curve over q elements has at most q + 1 + 2 sqrt(q) points.
    ensure!(order.bits() <= 1 + field.degree() as u64, "n is larger than the number of points of any curve");
    let domain = Domain { curve: Curve { field, a, b }, generator, order, cofactor };
    let curve = named(&test.curve)?;
    Ok(Case::OnProducts(Box::new(Parameters { curve, nist: test.nist, oid: test.oid, domain })))
}

#[derive(Deserialize)]
struct MultipleMembers {
    k: Bytes,
    // The attribute makes a missing member an error. Without it `Option` would accept one as null.
    #[serde(deserialize_with = "Option::deserialize")]
    x: Option<Bytes>,
    #[serde(deserialize_with = "Option::deserialize")]
    y: Option<Bytes>,
    result: String,
}

/// Reads a test of the schema `carryless_ec_v1`. The curve is a member of its group.
pub(super) fn read_multiple(group: &Map<String, Value>, test: Value) -> Result<Case> {
    let test: MultipleMembers = serde_json::from_value(test)?;
    ensure!(test.result == "valid", "unknown result {:?}", test.result);
    let name = group.get("curve").and_then(Value::as_str).context("its group has no curve")?;
    let coordinates = match (test.x, test.y) {
        (Some(Bytes(x)), Some(Bytes(y))) => Some([x, y]),
        (None, None) => None,
        _ => bail!("one coordinate is null, the other is not"),
    };
    multiple(named(name)?, BigUint::from_bytes_le(&test.k.0), coordinates)
}

/// Makes the test that k G has these coordinates, least significant byte first, or is infinity if there are none.
pub(super) fn multiple(curve: &'static Named, k: BigUint, coordinates: Option<[Vec<u8>; 2]>) -> Result<Case> {
    let Domain { curve: definition, order, .. } = curve.domain();
    ensure!(k < *order, "k is not below the order of the base point");
    // SEC 1 encodes infinity as a single zero byte.
    let mut product = vec![0];
    if let Some(coordinates) = coordinates {
        let expected = definition.field.bytes();
        for coordinate in &coordinates {
            ensure!(coordinate.len() == expected, "{} bytes where {expected} belong", coordinate.len());
        }
        // SEC 1, section 2.3.3: 4, x, y, most significant byte first. Files have the opposite order of
        // bytes.
        product = [4].into_iter().chain(coordinates.into_iter().flat_map(|c| c.into_iter().rev())).collect();
    }
    Ok(Case::OnProducts(Box::new(Multiple { curve, k, product })))
}

/// Compares the parameters in a file with the constants of the library.
fn check_constants(checks: &mut Checks, file: &Domain, ours: &Domain) {
    checks.accepted("field", true, file.curve.field == ours.curve.field);
    let big_endian = |domain: &Domain| domain.curve.encode(&domain.generator, false);
    checks.bytes("base point", &big_endian(file), &big_endian(ours));
    for (name, expected, got) in [("a", &file.curve.a, &ours.curve.a), ("b", &file.curve.b, &ours.curve.b)] {
        checks.bytes(name, &file.curve.field.to_bytes(expected), &ours.curve.field.to_bytes(got));
    }
    checks.bytes("n", &file.order.to_bytes_le(), &ours.order.to_bytes_le());
    checks.bytes("h", &file.cofactor.to_bytes_le(), &ours.cofactor.to_bytes_le());
}

/// Checks that G is on the curve and has order n: (n - 1) G must be -G.
fn check_generator(checks: &mut Checks, file: &Domain, arithmetic: &dyn Arithmetic) {
    let encoded = file.curve.encode(&file.generator, false);
    checks.accepted("base point as a public key", true, arithmetic.is_public_key(&encoded));
    // n = 0 has no n - 1. `check_constants` reports such a file.
    if file.order.bits() != 0 {
        let opposite = file.curve.encode(&file.curve.negate(&file.generator), false);
        checks.bytes("(n - 1) G", &opposite, &arithmetic.mul_base(&(&file.order - 1_u8)));
    }
}

fn check_multiple(checks: &mut Checks, k: &BigUint, product: &[u8], arithmetic: &dyn Arithmetic) {
    checks.bytes("k G", product, &arithmetic.mul_base(k));
    // The same product by the method for any point, which is other code than that for G.
    let generator = arithmetic.mul_base(&BigUint::from(1_u8));
    checks.bytes("k P for P = G", product, &arithmetic.mul(k, &generator));
    let compressed = arithmetic.compressed(product);
    // Points are decompressed as operands only, and 1 P gives the point back.
    let one = BigUint::from(1_u8);
    checks.bytes("compressed and decompressed", product, &arithmetic.mul(&one, &compressed));
}
