//! The first half of paper 004: operations in its 16 fields, with both polynomials f if there are two.
//!
//! The slides' plots are lost in our copy. Their statements in words are printed with the same ratio here.
pub mod operation;
mod ours;
mod presentation;
mod tower;

use crate::algebra::{self, Candidate};
use crate::effort::{Effort, Seconds};
use crate::output::{Files, Forms};
use crate::peers::bn_gf2m;
#[cfg(feature = "crrl")]
use crate::peers::crrl::fields as crrl;
use crate::peers::field_shim::{FieldShim, FieldShims};
use anyhow::Result;
use carryless_gf2::field;
use operation::Parameters;

/// Seconds for all subjects of a field.
const SECONDS: Seconds = Seconds { each: "field", full: 1.0, quick: 0.1 };

/// The first half of paper 004: products, squares, roots, traces, solutions of x^2 + x = c and inverses in
/// its 16 fields from 113 to 1223 bits, beside OpenSSL, crrl, NTL and RELIC
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("seconds", |seconds| SECONDS.help(seconds)))]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// Degrees, e.g. 233,571 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "M,..")]
    pub(crate) degrees: Vec<usize>,
    #[command(flatten)]
    pub(crate) shims: FieldShims,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// Measures all fields, or those that are asked for.
///
/// # Errors
/// If a result is wrong, a degree is not one of the fields', or a library cannot be loaded.
pub(crate) fn forms(arguments: &Arguments) -> Result<Forms> {
    let mut candidates = candidates(&arguments.shims.load()?);
    algebra::choose(&mut candidates, &arguments.degrees, |field| field.degree)?;
    algebra::forms(candidates, SECONDS.of(arguments.effort)?)
}

/// Every field with our subjects and those of other libraries.
fn candidates(shims: &[FieldShim]) -> Vec<Candidate<Parameters>> {
    macro_rules! all {
        ($($name:ident),*) => {
            vec![$((ours::parameters::<field::$name>(), ours::subjects::<field::$name>())),*]
        };
    }
    // A run checks all fields before it measures. The tests take few, because each is compiled for every
    // backend.
    #[cfg(test)]
    let all = all!(Gf113, Gf233, Gf233Sqrt);
    #[cfg(not(test))]
    let all = all!(
        Gf113, Gf127, Gf163, Gf163Sqrt, Gf193, Gf233, Gf233Sqrt, Gf239, Gf239Sqrt, Gf251, Gf251Sqrt, Gf257,
        Gf271, Gf283, Gf283Sqrt, Gf353, Gf367, Gf409, Gf439, Gf571, Gf571Sqrt, Gf1223
    );
    let with_peers = |(field, mut subjects): (Parameters, Vec<_>)| {
        subjects.extend(bn_gf2m::subjects(field));
        #[cfg(feature = "crrl")]
        subjects.extend(crrl::subjects(field));
        subjects.extend(shims.iter().flat_map(|shim| shim.subjects(field)));
        Candidate { structure: field, subjects }
    };
    // GF(2^254) is a tower and not a `BinaryField`, so the macro cannot list it.
    all.into_iter().chain([(tower::GF254, tower::subjects())]).map(with_peers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::tests::assert_shown;
    use operation::Operation;

    /// The results in the fields are right. One field is measured for a moment, in every form of output.
    #[test]
    fn figures_stand_in_tables() {
        let mut all = candidates(&[]);
        for candidate in &mut all {
            assert!(candidate.verify().expect("every result is right").is_empty());
        }
        all.retain(|candidate| candidate.structure.degree == 113);
        assert_shown(
            all,
            &["### carryless\n", "| Gf113 | ", "| I / M: inverse by bit matrices, over product | 25 "],
        );
    }

    #[test]
    fn squares_by_bit_matrices_are_of_backends_that_have_them() {
        let has = field::Field::<field::Gf113>::new().cpu().has_affine();
        let subjects = ours::subjects::<field::Gf113>();
        assert_eq!(subjects.iter().any(|(operation, _)| *operation == Operation::SquareByAffine), has);
    }

    #[test]
    fn a_wrong_result_is_not_timed() {
        let mut all = candidates(&[]);
        // One field is enough, and is verified fast.
        all.truncate(1);
        let of = |operation| {
            all[0].subjects.iter().position(|(known, _)| *known == operation).expect("it is there")
        };
        let (square, root) = (of(Operation::Square), of(Operation::Sqrt));
        all[0].subjects[root].1 = all[0].subjects[square].1.clone();
        let error = algebra::measure(all, 0.01).err().expect("it is noticed");
        assert_eq!(
            format!("{error:#}"),
            "nothing was timed: Gf113: carryless/square is not what the reference has"
        );
    }
}
