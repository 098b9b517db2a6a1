//! `carryless-lab explain curve`: describes a curve, and counts the field operations that its own operations
//! take.
use anyhow::Result;
use carryless_cli::base::json;
use carryless_ec::curve::{BinaryCurve, Counts, Curve, CurveField, ElementOf, FieldElement};
use carryless_ec::{CurveId, CurveVisitor};
use clap::Args;
use serde::Serialize;

/// A binary curve: its equation, field, order and cofactor, and the products, squares and inversions in the
/// field that a multiple of a point takes.
#[derive(Args)]
pub(super) struct CurveArgs {
    /// Print the explanation as one JSON object
    #[arg(long)]
    json: bool,
    /// The curve, such as K-283, sect283r1 or c2tnb191v1
    #[arg(value_name = "NAME", value_parser = carryless_cli::base::curve_named)]
    curve: CurveId,
}

/// The explanation of a curve, as printed or as JSON.
#[derive(Serialize)]
struct Explanation {
    name: &'static str,
    aliases: &'static [&'static str],
    oid: Option<String>,
    equation: String,
    field: String,
    a: String,
    b: String,
    order_bits: u32,
    cofactor: u32,
    /// Bytes of a secret key, a shared secret, an uncompressed and a compressed point.
    bytes: [usize; 4],
    mul: Costs,
    mul_base: Costs,
}

/// Number of field operations of a multiplication by a scalar.
#[derive(Serialize)]
struct Costs {
    method: &'static str,
    products: u32,
    squares: u32,
    /// Number of powers a^(2^k) for a large k, which take one step each.
    powers: u32,
    inversions: u32,
}

impl Costs {
    fn new(method: &'static str, counts: Counts) -> Costs {
        let Counts { products, squares, powers, inversions, .. } = counts;
        Costs { method, products, squares, powers, inversions }
    }

    fn text(&self) -> String {
        let Costs { method, products, squares, powers, inversions } = self;
        let powers = if *powers == 0 { String::new() } else { format!(", {powers} powers a^(2^k)") };
        let plural = if *inversions == 1 { "" } else { "s" };
        format!("{method}: {products} products, {squares} squares{powers}, {inversions} inversion{plural}")
    }
}

struct Explain;

impl CurveVisitor for Explain {
    type Output = Explanation;

    fn visit<C: BinaryCurve>(self) -> Explanation {
        let (a, b) = (digits(C::A), digits(C::B));
        let term = |coefficient: &str, name, power: &str| match coefficient {
            "0x0" => String::new(),
            "0x1" => format!(" + {}", if power.is_empty() { "1" } else { power }),
            _ => format!(" + {name}{}{power}", if power.is_empty() { "" } else { " " }),
        };
        // An encoded point begins with a byte for its form (SEC 1).
        let bytes = ElementOf::<C>::BYTES;
        Explanation {
            name: C::NAME,
            aliases: C::ALIASES,
            oid: C::OID.map(str::to_owned),
            equation: format!("y^2 + x y = x^3{}{}", term(&a, "a", "x^2"), term(&b, "b", "")),
            field: field::<C::Field>(),
            a,
            b,
            order_bits: C::ORDER_BITS,
            cofactor: C::COFACTOR,
            bytes: [C::ORDER_BITS.div_ceil(8) as usize, bytes, 1 + 2 * bytes, 1 + bytes],
            mul: Costs::new(Curve::<C>::MUL, Curve::<C>::MUL_COUNTS),
            mul_base: Costs::new("comb in two halves", Curve::<C>::MUL_BASE_COUNTS),
        }
    }
}

/// Describes the field of a curve by its polynomial f.
fn field<F: CurveField>() -> String {
    let term = |exponent: &usize| match exponent {
        0 => "1".to_owned(),
        1 => "z".to_owned(),
        exponent => format!("z^{exponent}"),
    };
    let f: Vec<_> = [F::DEGREE].iter().chain(F::TAIL).map(term).collect();
    // `DEGREE` is that of f, also for the quadratic extension, whose elements have twice as many bits.
    let extension = if F::BITS == F::DEGREE { "" } else { ", and u^2 = u + 1" };
    format!("GF(2^{}), f = {}{extension}", F::BITS, f.join(" + "))
}

/// Formats an element in hexadecimal, most significant digit first. In an extension the coefficient of u comes first.
fn digits<E: FieldElement>(element: E) -> String {
    let mut bytes = vec![0; E::BYTES];
    element.write_le_bytes(&mut bytes);
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    // The element 0 loses all of its digits here.
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

pub(super) fn explain(args: &CurveArgs) -> Result<String> {
    // Constants only, so that curves without arithmetic in this build are explained, too.
    let explanation = args.curve.dispatch(Explain);
    if args.json {
        return Ok(json(&explanation)? + "\n");
    }
    let Explanation { name, aliases, oid, equation, field, a, b, order_bits, cofactor, bytes, mul, mul_base } =
        &explanation;
    let mut text = format!("curve     {name}");
    for alias in *aliases {
        text += &format!(", {alias}");
    }
    text += &format!("\noid       {}\n", oid.as_deref().unwrap_or("none: its keys cannot be written"));
    text += &format!("equation  {equation}\nfield     {field}\na         {a}\nb         {b}\n");
    text += &format!(
        "order     n of {order_bits} bits, cofactor {cofactor}: the curve has {cofactor} n points\n"
    );
    let [secret, shared, point, compressed] = bytes;
    text += &format!(
        "bytes     secret key {secret}, shared secret {shared}, point {point}, compressed {compressed}\n"
    );
    text += &format!("k P       {}\nk G       {}\n", mul.text(), mul_base.text());
    Ok(text)
}
