//! The second half of paper 004: products of scalars and points on binary curves.
pub(crate) mod case;
mod ours;
mod presentation;
pub(crate) mod signing;

use crate::algebra::{self, Candidate};
use crate::effort::{Effort, Seconds};
use crate::output::{Files, Forms};
#[cfg(feature = "crrl")]
use crate::peers::crrl::curves as crrl;
use crate::peers::curve_shim::{CurveShim, CurveShims};
use crate::peers::ec_group;
use anyhow::Result;
use carryless_gf2::curve;
#[cfg(test)]
pub(crate) use case::parameters;
pub use case::{Operation, Parameters};
pub(crate) use signing::Signing;

/// Seconds for all subjects of a curve.
const SECONDS: Seconds = Seconds { each: "curve", full: 2.0, quick: 0.2 };

/// The second half of paper 004: k P, k G, k G + l P and batches on binary curves, beside OpenSSL
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("seconds", |seconds| SECONDS.help(seconds)))]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// Curves, e.g. sect233k1,gls254 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAME,..")]
    pub(crate) curves: Vec<String>,
    #[command(flatten)]
    pub(crate) shims: CurveShims,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// Measures all curves, or those that are asked for.
///
/// # Errors
/// If a result is wrong, a curve is not one of ours, or a library cannot be loaded.
pub(crate) fn forms(arguments: &Arguments) -> Result<Forms> {
    let mut candidates = candidates(&arguments.shims.load()?);
    algebra::choose(&mut candidates, &arguments.curves, |curve| curve.name.to_owned())?;
    algebra::forms(candidates, SECONDS.of(arguments.effort)?)
}

/// Every curve with our subjects and those of other libraries.
fn candidates(shims: &[CurveShim]) -> Vec<Candidate<Parameters>> {
    macro_rules! all {
        ($($name:ident),*) => {
            vec![$((case::parameters::<curve::$name>(), ours::subjects::<curve::$name>())),*]
        };
    }
    // A run verifies all curves before it measures. The tests take few, because each is compiled for every
    // backend.
    #[cfg(test)]
    let all = all!(Sect163k1);
    // Each curve takes long to compile, so a usual build leaves out those that are rarely used.
    #[cfg(all(not(test), not(feature = "all-curves")))]
    let all = all!(
        Sect163k1, Sect163r2, Sect233k1, Sect233r1, Sect283k1, Sect283r1, Sect409k1, Sect409r1, Sect571k1,
        Sect571r1, Curve2251, Gls254
    );
    #[cfg(all(not(test), feature = "all-curves"))]
    let all = carryless_gf2::for_each_curve!(all);
    let with_peers = |(curve, mut subjects): (Parameters, Vec<_>)| {
        // Ours come first: tables list libraries in the order of their first rows.
        subjects.extend(ec_group::subjects(&curve));
        #[cfg(feature = "crrl")]
        subjects.extend(crrl::subjects(&curve));
        subjects.extend(shims.iter().flat_map(|shim| shim.subjects(&curve)));
        Candidate { structure: curve, subjects }
    };
    all.into_iter().map(with_peers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::tests::assert_shown;

    #[test]
    fn figures_stand_in_tables() {
        assert_shown(candidates(&[]), &["| sect163k1 | "]);
    }

    #[test]
    fn a_wrong_result_is_not_timed() {
        let mut all = candidates(&[]);
        // The second subject is right for its own operation, and wrong under the name of the first.
        all[0].subjects[0].1 = all[0].subjects[1].1.clone();
        let error = algebra::measure(all, 0.01).err().expect("it is noticed");
        assert!(format!("{error:#}").starts_with("nothing was timed: sect163k1: carryless/"), "{error:#}");
    }
}
