//! The experiment of paper 002, section 4: HQC with the products of NIST's package and with the paper's. It
//! uses the KEM of today, because the packages of that time are not implemented here.
use super::case::{Operation, Set};
use super::{ours, parts};
use crate::algebra::{Figures, Measured, OURS, Operation as _};
use crate::data::lines;
use crate::paper002::figures::Paper;
use crate::paper002::forced;
use crate::report::digits;
use crate::subject::Subject;
use crate::table::Table;
use carryless_gf2::ClmulCpu;
use carryless_hqc::{ParameterSet, Scheme};

/// Data file with Tables 11 and 12 of the paper, in cycles.
const TEXT: &str = include_str!("../../data/paper002-hqc.txt");

/// The constructions of products for each set, of NIST's package and of the paper. Table 10 has them in this order.
const CONSTRUCTIONS: [(&str, [&str; 2]); 3] = [
    ("HQC-1", ["Karat3(Karat3)", "Toom3(Karat3)"]),
    ("HQC-3", ["Karat3(Karat3)", "Toom3(Karat3)"]),
    ("HQC-5", ["Toom3<256>(Karat5)", "Toom3<512>(Karat5)"]),
];

/// Names of the two constructions in subjects.
const NAMES: [&str; 2] = ["package", "paper"];

/// The backend with the paper's AVX2 instructions and this processor's best one. With each comes the table of
/// the paper that it is compared with, and its column in Table 10.
fn backends() -> Vec<(ClmulCpu, &'static str, &'static str)> {
    let best = ClmulCpu::detect();
    let older = ClmulCpu::named("pclmul-avx2").ok().filter(|cpu| cpu.name() != best.name());
    older.map(|cpu| (cpu, "11", "avx2")).into_iter().chain([(best, "12", "avx512")]).collect()
}

fn library(cpu: &ClmulCpu, name: &str) -> String {
    format!("{OURS}/{}/{name}", cpu.name())
}

/// The name of the library whose products are by its own plan.
fn own(cpu: &ClmulCpu) -> String {
    // On the best backend these subjects already exist, under our plain name.
    if cpu.name() == ClmulCpu::detect().name() { OURS.into() } else { format!("{OURS}/{}", cpu.name()) }
}

/// The product and the KEM with each of the two constructions, on each of the backends.
pub(super) fn subjects<K: Scheme<Seed = [u8; 32]>>() -> Vec<(Operation, Subject)> {
    let mut all = Vec::new();
    let constructions = CONSTRUCTIONS.iter().filter(|(set, _)| *set == K::NAME).flat_map(|(_, both)| both);
    for (construction, name) in constructions.zip(NAMES) {
        for (cpu, ..) in backends() {
            let (library, plan) = (library(&cpu, name), forced(cpu, construction, K::Set::WORDS));
            all.extend(parts::subjects::<K>(&library, plan, &[Operation::Product]));
            all.extend(ours::subjects::<K>(&library, plan, &Operation::KEM));
        }
    }
    all
}

/// Cycles that the paper prints, with the package's products and with its own; `None` if it does not.
fn printed(set: &str, operation: Operation, table: &str, column: &str) -> Option<[f64; 2]> {
    if operation == Operation::Product {
        let at = CONSTRUCTIONS.iter().position(|(name, _)| *name == set)?;
        let paper = Paper::read();
        let table = paper.tables.iter().find(|table| table.name == "table 10")?;
        // Table 10 has two lines for each set, first that of the package's construction, then the paper's.
        let [package, own] = table.lines.get(2 * at..2 * at + 2)? else { return None };
        // Table 10 has one figure of the package, which is the base of both columns.
        return Some([table.figure(package, "avx2-nist-2020")?, table.figure(own, column)?]);
    }
    let line = lines(TEXT).find(|line| line[..3] == [table, set, operation.name()])?;
    Some([line[3].parse().ok()?, line[4].parse().ok()?])
}

/// How much `to` takes less than `from`, in per cent of `from`.
fn gain(from: f64, to: f64) -> String {
    format!("{:.1}", 100.0 * (from - to) / from)
}

/// Tables 10 to 12 of the paper beside the same figures on this CPU, a table for each backend.
pub(super) fn tables(measured: &Measured<Set>) -> impl Iterator<Item = Table> {
    backends().into_iter().map(|(cpu, of_paper, column)| {
        let columns = ["set", "operation", "paper: package", "paper", "gain", "here: package", "paper's"];
        let columns = columns.into_iter().chain(["gain", "own plan", "gain"]);
        let caption = format!("Paper 002, section 4: the product's share, on {}", cpu.name());
        let mut table = Table::new(caption, "llr", columns).with_note(format!(
            "Cycles, and what is gained over the package's construction in per cent. The paper's are of Tables 10 ({column}) and {of_paper}."
        ));
        for of in &measured.all {
            for operation in [&[Operation::Product][..], &Operation::KEM].concat() {
                let printed = printed(of.structure.name, operation, of_paper, column);
                if let Some(cells) = cells(of, operation, &cpu, printed) {
                    table.row([of.structure.name, operation.name()], cells);
                }
            }
        }
        table
    })
}

/// Cycles with the package's products, with the paper's and what these gain, there and here, then cycles by
/// our own plan and their gain. `None` if the operation was not measured.
fn cells(
    of: &Figures<Set>,
    operation: Operation,
    cpu: &ClmulCpu,
    printed: Option<[f64; 2]>,
) -> Option<Vec<Option<String>>> {
    let [package, paper] = NAMES.map(|name| of.cycles(&library(cpu, name), operation));
    let (package, paper) = (package?, paper?);
    // Where the paper prints nothing, its three cells stay empty.
    let mut cells = vec![None; 3];
    if let Some([package, paper]) = printed {
        cells = [package.to_string(), paper.to_string(), gain(package, paper)].map(Some).into();
    }
    cells.extend([digits(package), digits(paper), gain(package, paper)].map(Some));
    // A product by the library's own plan is measured on the best backend only.
    let own = of.cycles(&own(cpu), operation);
    cells.extend([own.map(digits), own.map(|cycles| gain(package, cycles))]);
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_speaks_of_all_that_it_measured() {
        let count = |table, column| {
            let operations = [&[Operation::Product][..], &Operation::KEM].concat();
            let all = CONSTRUCTIONS
                .iter()
                .flat_map(|(set, _)| operations.iter().map(move |operation| (set, operation)));
            all.filter_map(|(set, operation)| printed(set, *operation, table, column)).count()
        };
        assert_eq!((count("11", "avx2"), count("12", "avx512")), (8, 12));
        assert_eq!(printed("HQC-5", Operation::Product, "12", "avx512"), Some([168_975.0, 110_568.0]));
        assert_eq!(printed("HQC-1", Operation::Encaps, "12", "avx512"), Some([172_319.0, 158_377.0]));
    }

    #[test]
    fn gains_are_of_what_was_before() {
        assert_eq!(gain(338_137.0, 298_331.0), "11.8");
        assert_eq!(gain(100.0, 101.0), "-1.0");
    }
}
