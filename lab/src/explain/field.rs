//! `carryless-lab explain field`: describes how a field computes, and measures its operations.
use std::hint::black_box;

use anyhow::{Result, ensure};
use carryless_cli::base::{Operand, clmul_cpu, json, names, read_operands};
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use clap::Args;
use serde::Serialize;

use super::{duration, measured, operand};

/// A binary field: its polynomial f, the words of elements, how products are reduced, carry-less products and
/// shifts of a product, and the times of operations here, on one element. The times are those of the library's
/// code for an f that is given at run time. The product is checked against division first.
#[derive(Args)]
pub(super) struct FieldArgs {
    /// The backend for carry-less products [default: the best]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// The polynomial f of the field [default: that of FIELD]
    #[arg(long, value_name = "POLY")]
    poly: Option<Operand>,
    /// Print the explanation as one JSON object
    #[arg(long)]
    json: bool,
    /// The field: its degree or its name, such as 233-sqrt
    #[arg(value_name = "FIELD", required_unless_present = "poly")]
    name: Option<String>,
}

/// The explanation of a field, as printed or as JSON.
#[derive(Serialize)]
struct Explanation<'a> {
    f: &'a [usize],
    backend: &'static str,
    words: usize,
    reduction: &'static str,
    /// Carry-less products of words for a field product, and for its reduction.
    products: [usize; 2],
    shifts: usize,
    times: Vec<Time>,
}

#[derive(Serialize)]
struct Time {
    operation: &'static str,
    min_ns: f64,
    median_ns: f64,
}

/// Returns the explanation as text or JSON.
pub(super) fn explain(args: &FieldArgs) -> Result<String> {
    // A polynomial alone defines the field, and FIELD may be missing then.
    let f = args.poly.as_ref().map(|f| read_operands([f])).transpose()?.map(|[f]| f);
    let field = names::field(clmul_cpu(args.backend.as_deref())?, args.name.as_deref(), f.as_ref())?;
    let [product, reduction, shifts] = field.counts();
    let explanation = Explanation {
        f: field.exponents(),
        backend: field.cpu().name(),
        words: field.words(),
        reduction: match field.tail_words() {
            Some(1) => "by products with one word",
            Some(_) => "by products with two words",
            None => "by two products with constants (Barrett)",
        },
        products: [product, reduction],
        shifts,
        times: times(&field)?,
    };
    if args.json {
        return Ok(json(&explanation)? + "\n");
    }
    let exponents: Vec<_> = explanation.f.iter().map(usize::to_string).collect();
    let mut text = format!("f         exponents {}\n", exponents.join(", "));
    text += &format!("backend   {}\nelements  {} words of 64 bits\n", explanation.backend, explanation.words);
    text += &format!("reduction {}\n", explanation.reduction);
    text += &format!("products  {product} of words, {reduction} for the reduction; {shifts} shifts\n\n");
    for time in &explanation.times {
        let (min, median) = (duration(time.min_ns), duration(time.median_ns));
        text += &format!("{:<9} {min} at least, {median} in the median\n", time.operation);
    }
    Ok(text)
}

/// Measures operations on fixed elements, after comparing a product with the remainder of a division.
fn times(field: &DynField) -> Result<Vec<Time>> {
    let f = Poly::from_exponents(field.exponents().iter().copied());
    let reduced = |words: Vec<u64>| {
        // A remainder is missing only for f = 0, which is no field. `Poly` drops zero words at the end;
        // elements keep them.
        let mut words = Poly::from(words).rem(&f).unwrap_or_default().into_words();
        words.resize(field.words(), 0);
        words
    };
    let a = reduced(operand(field.words()));
    // The same generator one word later: b must not equal a, or the product would be a square.
    let b = reduced(operand(field.words() + 1).split_off(1));
    let mut out = vec![0; field.words()];
    field.mul(&a, &b, &mut out);
    let expected = Poly::from_words(&a).mul_mod(&Poly::from_words(&b), &f);
    ensure!(expected == Some(Poly::from_words(&out)), "the product is not the remainder of a division");
    let mut all = Vec::new();
    let mut add = |operation, times: Vec<f64>| {
        all.push(Time { operation, min_ns: times[0], median_ns: times[times.len() / 2] });
    };
    add("product", measured(|| field.mul(black_box(&a), black_box(&b), &mut out)));
    add("square", measured(|| field.square(black_box(&a), &mut out)));
    add("root", measured(|| field.sqrt(black_box(&a), &mut out)));
    add("inverse", measured(|| field.invert_or_zero(black_box(&a), &mut out)));
    Ok(all)
}
