//! Polynomials over F2 as values (`carryless_gf2::algebra`) beside NTL: arithmetic modulo f, tests for
//! irreducibility, factors.
pub mod case;
mod ours;
mod presentation;

use crate::algebra::{self, Candidate, Structure as _};
use crate::effort::{Effort, Seconds};
use crate::output::{Files, Forms};
use crate::peers::polynomial_shim::{PolynomialShim, PolynomialShims};
use anyhow::Result;
use carryless_gf2::algebra::Poly;
use case::Modulus;
use std::rc::Rc;

/// Seconds for all subjects of a modulus.
const SECONDS: Seconds = Seconds { each: "modulus", full: 4.0, quick: 0.4 };

/// Polynomials over F2 beside NTL: products, arithmetic modulo sparse and dense polynomials, tests for
/// irreducibility, factors
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("seconds", |seconds| SECONDS.help(seconds)))]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// Moduli, e.g. sparse-571,dense-1024 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "F,..")]
    pub(crate) moduli: Vec<String>,
    #[command(flatten)]
    pub(crate) shims: PolynomialShims,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// Measures all moduli, or those that are asked for.
///
/// # Errors
/// If a result is wrong, a modulus is not one of ours, or a library cannot be loaded.
pub(crate) fn forms(arguments: &Arguments) -> Result<Forms> {
    let mut candidates = candidates(moduli(), &arguments.shims.load()?);
    algebra::choose(&mut candidates, &arguments.moduli, |modulus| modulus.name().to_owned())?;
    algebra::forms(candidates, SECONDS.of(arguments.effort)?)
}

/// Moduli with our subjects and those of other libraries.
fn candidates(moduli: Vec<Rc<Modulus>>, shims: &[PolynomialShim]) -> Vec<Candidate<Rc<Modulus>>> {
    let candidate = |modulus: Rc<Modulus>| {
        let mut subjects = ours::subjects(&modulus);
        subjects.extend(shims.iter().flat_map(|shim| shim.subjects(&modulus)));
        Candidate { structure: modulus, subjects }
    };
    moduli.into_iter().map(candidate).collect()
}

/// The polynomials of few terms are the least trinomials or pentanomials of their degrees.
fn moduli() -> Vec<Rc<Modulus>> {
    let sparse: [&[usize]; 7] = [
        &[127, 1, 0],
        &[233, 74, 0],
        &[571, 10, 5, 2, 0],
        &[1279, 216, 0],
        &[4423, 271, 0],
        &[9689, 84, 0],
        &[44497, 8575, 0],
    ];
    let dense: [&[usize]; 2] = [&[1024, 19, 6, 1, 0], &[16384, 43, 13, 6, 0]];
    let factored = [
        Modulus::factored("random-571", random(571)),
        Modulus::factored("random-4423", random(4423)),
        Modulus::factored("x9689-1", Poly::from_exponents([9689, 0])),
    ];
    sparse.map(Modulus::sparse).into_iter().chain(dense.map(Modulus::dense)).chain(factored).collect()
}

/// A random polynomial of degree n that no square divides: the reference counts a repeated factor once only.
fn random(n: usize) -> Poly {
    let mut state = 1_u64;
    // A step of any generator serves; this one is Knuth's.
    let mut word = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state ^ state >> 32
    };
    let mut all = std::iter::repeat_with(|| &Poly::monomial(n) + &Poly::random(n, &mut word));
    all.find(|f| f.gcd_vartime(&f.derivative()).is_one()).expect("every second polynomial is one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::tests::assert_shown;

    fn few() -> Vec<Rc<Modulus>> {
        let factored = Modulus::factored("x105-1", Poly::from_exponents([105, 0]));
        vec![Modulus::sparse(&[127, 1, 0]), Modulus::dense(&[128, 7, 2, 1, 0]), factored]
    }

    #[test]
    fn figures_stand_in_tables() {
        assert_shown(candidates(few(), &[]), &["| sparse-127 | ", "| dense-128 | ", "| x105-1 | "]);
    }
}
