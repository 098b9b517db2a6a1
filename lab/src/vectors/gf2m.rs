//! Tests of binary fields GF(2^m), and of the irreducibility of polynomials.
use anyhow::{Context as _, Result, bail, ensure};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use carryless_reference::{Gf2m as Reference, gf2};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::case::{Case, Computed};
use super::gf2m_arithmetic::{Arithmetic, Words};
use super::hex::Bytes;
use super::outcome::{Checks, Outcome};

/// Member `algorithm` of these files.
pub(super) const ALGORITHM: &str = "GF(2^m)";

/// A test of a field, or of a polynomial.
enum Gf2m {
    /// The operations of a field on a, or on a and b.
    Field(Box<FieldTest>),
    /// Whether the polynomial with these exponents is irreducible.
    Irreducible { f: Vec<usize>, irreducible: bool },
}

impl Computed<ClmulCpu> for Gf2m {
    fn on_backend(&self, cpu: ClmulCpu) -> Outcome {
        on_backend(cpu, self)
    }

    fn on_reference(&self) -> Outcome {
        on_reference(self)
    }

    #[cfg(any(test, feature = "fuzzing"))]
    fn is_small(&self) -> bool {
        match self {
            Gf2m::Field(test) => test.f[0] <= MAX_DEGREE,
            Gf2m::Irreducible { f, .. } => f[0] <= MAX_DEGREE,
        }
    }
}

/// Largest degree for fuzz targets: the reference takes long for larger fields.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) const MAX_DEGREE: usize = 1 << 7;

/// A test of a field. Elements are 64-bit words, least significant first.
struct FieldTest {
    /// Exponents of f, from m down to 0.
    f: Vec<usize>,
    a: Words,
    b: Words,
    product: Words,
    square: Words,
    root: Words,
    trace: bool,
    /// The half-trace of a; `None` if m is even.
    half_trace: Option<Words>,
    /// The inverse of a; `None` if the file says that there is none.
    inverse: Option<Words>,
    k: usize,
    /// The power a^(2^k), by k squarings.
    power: Words,
}

/// The members of a test of a field, as in the file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FieldMembers {
    a: Bytes,
    b: Bytes,
    mul: Bytes,
    sqr: Bytes,
    sqrt: Bytes,
    trace: u8,
    half_trace: Option<Bytes>,
    #[serde(deserialize_with = "required")]
    inv: Option<Bytes>,
    k: usize,
    multi_sqr: Bytes,
    result: String,
}

/// Reads a member that may be null but not missing.
fn required<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Bytes>, D::Error> {
    // serde fills in a missing `Option` by itself, unless a function deserializes it.
    Option::deserialize(input)
}

#[derive(Deserialize)]
struct IrreducibleMembers {
    poly: Vec<usize>,
    irreducible: bool,
    result: String,
}

/// Returns the name of a group, from its type and polynomial. Numbers of tests start anew in each group.
pub(super) fn label(kind: &str, group: &Map<String, Value>) -> String {
    let exponents =
        // A malformed polynomial is reported when the tests of the group are read.
        group.get("poly").and_then(|poly| Vec::<usize>::deserialize(poly).ok()).unwrap_or_default();
    let exponents: Vec<String> = exponents.iter().map(usize::to_string).collect();
    if exponents.is_empty() { kind.to_owned() } else { format!("{kind} {}", exponents.join(",")) }
}

/// Reads a test in a group of this type, with these members.
pub(super) fn read(kind: &str, group: &Map<String, Value>, test: Value) -> Result<Case> {
    let test = match kind {
        "Gf2mTest" => Gf2m::Field(Box::new(field_test(group, serde_json::from_value(test)?)?)),
        "IrreducibleTest" => {
            let test: IrreducibleMembers = serde_json::from_value(test)?;
            ensure!(test.result == "valid", "unknown result {:?}", test.result);
            descending(&test.poly)?;
            Gf2m::Irreducible { f: test.poly, irreducible: test.irreducible }
        }
        other => bail!("unknown type of group {other:?}"),
    };
    Ok(Case::OnProducts(Box::new(test)))
}

fn field_test(group: &Map<String, Value>, test: FieldMembers) -> Result<FieldTest> {
    let member = |name| group.get(name).with_context(|| format!("its group has no {name}"));
    let m = usize::deserialize(member("m")?).context("m")?;
    let f = Vec::<usize>::deserialize(member("poly")?).context("poly")?;
    descending(&f)?;
    ensure!(f[0] == m, "poly has degree {}, but m is {m}", f[0]);
    // A reducible f would make every value of the group meaningless.
    DynField::from_exponents(&f).context("no field")?;
    ensure!(test.result == "valid", "unknown result {:?}", test.result);
    ensure!(test.trace <= 1, "a trace of {}", test.trace);
    // a^(2^m) = a: a larger k computes nothing new, and each step of it is a squaring.
    ensure!(test.k <= m, "k is {}; a^(2^k) has k up to m = {m}", test.k);
    match &test.half_trace {
        None => ensure!(m.is_multiple_of(2), "no halfTrace"),
        Some(_) => ensure!(!m.is_multiple_of(2), "a halfTrace, where m is even"),
    }
    let element =
        |Bytes(bytes): &Bytes, name| element(m, bytes).with_context(|| format!("{name} is no element"));
    Ok(FieldTest {
        a: element(&test.a, "a")?,
        b: element(&test.b, "b")?,
        product: element(&test.mul, "mul")?,
        square: element(&test.sqr, "sqr")?,
        root: element(&test.sqrt, "sqrt")?,
        trace: test.trace == 1,
        half_trace: test.half_trace.map(|bytes| element(&bytes, "halfTrace")).transpose()?,
        inverse: test.inv.map(|bytes| element(&bytes, "inv")).transpose()?,
        k: test.k,
        power: element(&test.multi_sqr, "multiSqr")?,
        f,
    })
}

/// Checks the exponents of f. Larger ones than those of fields are errors, as they only take time and memory.
pub(super) fn descending(exponents: &[usize]) -> Result<()> {
    let most = *DynField::DEGREES.end();
    ensure!(!exponents.is_empty(), "poly has no exponents");
    ensure!(exponents.is_sorted_by(|a, b| a > b), "the exponents of poly do not descend");
    ensure!(exponents[0] <= most, "poly has degree {}; at most {most} is supported", exponents[0]);
    Ok(())
}

/// Returns the words of an element of GF(2^m).
fn element(m: usize, bytes: &[u8]) -> Result<Words> {
    let expected = m.div_ceil(8);
    // Files write elements with all their bytes, so a shorter one is a mistake.
    ensure!(bytes.len() == expected, "{} bytes where {expected} belong", bytes.len());
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let words: Words = bytes.chunks(8).map(word).collect();
    ensure!(gf2::degree(&words).is_none_or(|degree| degree < m), "it has more than {m} bits");
    Ok(words)
}

/// Checks a test on this backend: by `DynField`, and by the type of the field if it is compiled.
fn on_backend(cpu: ClmulCpu, test: &Gf2m) -> Outcome {
    let mut checks = Checks::default();
    match test {
        Gf2m::Field(test) => {
            let field = DynField::on(cpu, &polynomial(&test.f)).expect("checked when the file was read");
            test.check(&mut checks, "DynField: ", &field);
            #[cfg(any(test, feature = "fields"))]
            if let Some((name, field)) = super::gf2m_types::typed(cpu, &test.f) {
                test.check(&mut checks, &format!("{name}: "), field.as_ref());
            }
        }
        Gf2m::Irreducible { f, irreducible } => {
            let poly = polynomial(f);
            checks.accepted("irreducible", *irreducible, poly.is_irreducible_vartime());
            // `DynField` refuses other degrees, whether f is irreducible or not.
            if DynField::DEGREES.contains(&f[0]) {
                // A reducible f must be refused here. For an irreducible one, squares must be those of a
                // field.
                let field = DynField::on(cpu, &poly);
                checks.accepted("DynField", *irreducible, field.is_ok_and(|field| frobenius_fixes_z(&field)));
            }
        }
    }
    checks.outcome()
}

/// Checks a test by the reference, bit by bit.
fn on_reference(test: &Gf2m) -> Outcome {
    let mut checks = Checks::default();
    match test {
        Gf2m::Field(test) => test.check(&mut checks, "", &Reference::new(&test.f[..])),
        Gf2m::Irreducible { f, irreducible } => {
            checks.accepted("irreducible", *irreducible, gf2::is_irreducible(f));
        }
    }
    checks.outcome()
}

impl FieldTest {
    /// Checks all members of the test by this arithmetic.
    fn check(&self, checks: &mut Checks, by: &str, field: &dyn Arithmetic) {
        let FieldTest { a, b, .. } = self;
        let mut element = |route: &str, expected: &Words, got: &Words| {
            checks.bytes(format_args!("{by}{route}"), &self.bytes(expected), &self.bytes(got));
        };
        element("product", &self.product, &field.mul(a, b));
        element("operands swapped", &self.product, &field.mul(b, a));
        element("square", &self.square, &field.square(a));
        element("square root", &self.root, &field.sqrt(a));
        // By k squarings, as `Arithmetic` has no `frobenius`.
        element("a^(2^k)", &self.power, &(0..self.k).fold(a.clone(), |power, _| field.square(&power)));
        if let Some(half_trace) = &self.half_trace {
            element("half-trace", half_trace, &field.solve_unchecked(a));
        }
        let inverse = field.invert_or_zero(a);
        // 0 stands for no inverse: inverses are never 0.
        let inverse = inverse.iter().any(|word| *word != 0).then_some(inverse);
        if let (Some(expected), Some(got)) = (&self.inverse, &inverse) {
            element("inverse", expected, got);
        }
        checks.accepted(format_args!("{by}has an inverse"), self.inverse.is_some(), inverse.is_some());
        checks.bytes(format_args!("{by}trace"), &[u8::from(self.trace)], &[u8::from(field.trace(a))]);
    }

    /// Returns the element as bytes, as files write it.
    fn bytes(&self, words: &Words) -> Vec<u8> {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        bytes.take(self.f[0].div_ceil(8)).collect()
    }
}

fn polynomial(exponents: &[usize]) -> Poly {
    Poly::from_exponents(exponents.iter().copied())
}

/// Returns whether z^(2^m) = z, as in every field of 2^m elements. This runs on the backend, unlike Rabin's test.
fn frobenius_fixes_z(field: &DynField) -> bool {
    let mut z = vec![0; field.words()];
    // The element z: bit 1 of word 0. Degrees are 2 or more.
    z[0] = 2;
    // Not by `frobenius`, which reduces the exponent modulo m.
    let power = (0..field.degree()).fold(z.clone(), |power, _| {
        let mut square = vec![0; field.words()];
        field.square(&power, &mut square);
        square
    });
    power == z
}
