//! The KEM HQC beside other libraries, the parts of its operations, and the experiment of paper 002, section
//! 4: HQC with other products.
pub(crate) mod case;
mod hashes;
mod ours;
mod parts;
mod plans;
mod presentation;

use crate::algebra::{self, Candidate, OURS};
use crate::effort::{Effort, Seconds};
use crate::output::{Files, Forms};
use crate::peers::kem::{self, Libraries};
use anyhow::Result;
use carryless_gf2::ClmulCpu;
use carryless_hqc::{Hqc1, Hqc3, Hqc5, Scheme};
pub use case::{Operation, Set};

/// Seconds for all subjects of a parameter set.
const SECONDS: Seconds = Seconds { each: "set", full: 4.0, quick: 0.4 };

/// The KEM HQC in profile NR: keys, encapsulation, decapsulation, their parts, and the tables of paper 002
/// that are of HQC
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("seconds", |seconds| SECONDS.help(seconds)))]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// Sets, e.g. hqc-1,hqc-5 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "SET,..")]
    pub(crate) sets: Vec<String>,
    #[command(flatten)]
    pub(crate) libraries: Libraries,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// Measures all parameter sets, or those that are asked for.
///
/// # Errors
/// If a result is wrong, a set is not one of ours, or a library cannot be read.
pub(crate) fn forms(arguments: &Arguments) -> Result<Forms> {
    let mut candidates = candidates(&arguments.libraries)?;
    // The specification writes HQC-1, a command line hqc-1.
    let sets: Vec<String> = arguments.sets.iter().map(|name| name.to_uppercase()).collect();
    algebra::choose(&mut candidates, &sets, |set| set.name.to_owned())?;
    algebra::forms(candidates, SECONDS.of(arguments.effort)?)
}

/// Every parameter set with our subjects and those of other libraries.
fn candidates(libraries: &Libraries) -> Result<Vec<Candidate<Set>>> {
    let mut all = vec![candidate::<Hqc1>(), candidate::<Hqc3>(), candidate::<Hqc5>()];
    // Loaded once for all sets: a library stays for the rest of the program.
    let peers = libraries.load()?;
    for Candidate { structure, subjects } in &mut all {
        subjects.extend(kem::subjects(structure));
        subjects.extend(peers.iter().flat_map(|library| library.subjects(structure)));
    }
    Ok(all)
}

/// Backends without 512-bit vectors and without GFNI, which many processors lack.
const OLDER: [&str; 2] = ["pclmul-avx2", "vpclmul-ymm"];

/// Our subjects of one set: everything on the best backend, the KEM and one hash on older backends, and the experiment.
fn candidate<K: Scheme<Seed = [u8; 32]>>() -> Candidate<Set> {
    let best = ClmulCpu::detect();
    let plan = ours::own_plan::<K>(best);
    let expanded = [Operation::EncapsExpanded, Operation::DecapsExpanded];
    let mut subjects = ours::subjects::<K>(OURS, plan, &[&Operation::KEM[..], &expanded].concat());
    subjects.extend(parts::subjects::<K>(OURS, plan, &parts::PARTS));
    let older = OLDER.iter().filter_map(|name| ClmulCpu::named(name).ok());
    // On a CPU without 512-bit vectors, one of these is the best backend and already has its subjects.
    for cpu in older.filter(|cpu| cpu.name() != best.name()) {
        let (library, plan) = (format!("{OURS}/{}", cpu.name()), ours::own_plan::<K>(cpu));
        subjects.extend(ours::subjects::<K>(&library, plan, &Operation::KEM));
        subjects.extend(parts::subjects::<K>(&library, plan, &[Operation::Stream]));
    }
    // The experiment comes last, so that its libraries are the last columns and tables.
    subjects.extend(plans::subjects::<K>());
    Candidate { structure: parts::set::<K>(), subjects }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::tests::assert_shown;

    #[test]
    fn figures_stand_in_tables() {
        assert_shown(
            vec![candidate::<Hqc1>()],
            &["| HQC-1 | ", "### Expanded keys", "### Parts", "| rest | ", "### Paper 002, section 4"],
        );
    }

    #[test]
    fn a_wrong_result_is_not_timed() {
        let mut all = vec![candidate::<Hqc1>()];
        // The second subject is right for its own operation, and wrong under the name of the first.
        all[0].subjects[0].1 = all[0].subjects[1].1.clone();
        let error = algebra::measure(all, 0.01).err().expect("it is noticed");
        assert!(format!("{error:#}").starts_with("nothing was timed: HQC-1: carryless/"), "{error:#}");
    }
}
