//! Tables 4, 5, 6, 8, 9, 10 and 14 of paper 002 with ours beside the paper's figures.
//!
//! The paper's figures ([`figures`]) are data. Ours are measured, after every product was verified at every
//! size against the reference and the others. Cycles of different CPUs say nothing about each other; ratios
//! to gf2x on the same CPU may be compared.
mod claims;
pub mod figures;
mod kernels;
mod ratios;
pub mod tables;

use crate::effort::{Effort, Seconds};
use crate::environment::Environment;
use crate::f2x::{Operation, Products, by_plan};
use crate::families::F2X_MUL;
use crate::output::{Files, Forms};
use crate::peers::gf2x;
use crate::report::{Row, record};
use crate::run::{self, Point};
use crate::subject::{Mode, Subject};
use crate::verify;
use anyhow::{Context, Result};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, Step, ToomWord};
use figures::Paper;
pub use kernels::kernel_of;

/// Seconds for all subjects of a length of operands.
const SECONDS: Seconds = Seconds { each: "size", full: 0.5, quick: 0.1 };

/// Tables 4, 5, 6, 8, 9, 10 and 14 of paper 002, the paper's figures and ours: products of polynomials over
/// F2 of 1024 to 131072 bits by KaratRec over each kernel, Karat3, Karat5 and Toom3, and by the plan that the
/// library takes
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("seconds", |seconds| SECONDS.help(seconds)))]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) effort: Effort,
    #[command(flatten)]
    pub(crate) gf2x: gf2x::Libraries,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// The figures on this CPU.
pub struct Measured {
    /// The backends on which the paper's constructions ran: the one with the paper's AVX2
    /// instructions, and this CPU's best.
    pub backends: Vec<ClmulCpu>,
    /// Names of the subjects of gf2x: none, one, or one for each library.
    pub gf2x: Vec<String>,
    /// Names of those gf2x whose code has no carry-less product. The paper's gf2x has them, so ratios to
    /// these are not compared with the paper's.
    pub without_clmul: Vec<String>,
    /// Rows of ours and of gf2x, by length of operands, ascending.
    pub rows: Vec<Row>,
    /// CPU, commit and date at the end of the run.
    pub environment: Environment,
}

impl Measured {
    /// The row of a subject for operands of `bits` bits; `None` if it was not measured.
    pub fn row(&self, bits: usize, subject: &str) -> Option<&Row> {
        self.rows.iter().find(|row| 8 * row.length == bits && row.subject == subject)
    }
}

/// Checks every product against the reference, then measures each size of the paper's tables once.
///
/// # Errors
/// If a product is wrong, a library cannot be read, or the seconds are not positive.
pub(crate) fn forms(arguments: &Arguments) -> Result<Forms> {
    let seconds = SECONDS.of(arguments.effort)?;
    let paper = Paper::read();
    Ok(in_forms(&paper, &measure(&paper, &arguments.gf2x, seconds)?))
}

fn in_forms(paper: &Paper, measured: &Measured) -> Forms {
    let line = |row| record(&F2X_MUL, Mode::OneShot, row, &measured.environment);
    Forms {
        introduction: tables::introduction(paper, measured),
        tables: tables::tables(paper, measured),
        disturbed: measured.rows.iter().any(|row| row.disturbed),
        claims: claims::claims(paper, measured),
        jsonl: measured.rows.iter().map(line).collect(),
        csv: tables::csv(paper, measured),
        plots: vec![tables::plot(paper, measured)],
    }
}

fn measure(paper: &Paper, gf2x: &gf2x::Libraries, seconds: f64) -> Result<Measured> {
    let best = ClmulCpu::detect();
    // Where it is the best backend itself, it is measured once.
    let avx2 = ClmulCpu::named("pclmul-avx2").ok().filter(|cpu| cpu.name() != best.name());
    let backends: Vec<ClmulCpu> = avx2.into_iter().chain([best]).collect();
    let without_clmul = gf2x.without_clmul()?;
    let gf2x = gf2x.subjects(Operation::Mul)?;
    // Tables share sizes. Each size is measured once.
    let mut sizes: Vec<usize> = paper.lines().map(|line| line.bits).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let subjects: Vec<Vec<Subject>> =
        sizes.iter().map(|&bits| [gf2x.clone(), ours(paper, &backends, bits)].concat()).collect();
    let mut points = Vec::new();
    for (&bits, subjects) in sizes.iter().zip(&subjects) {
        let all: Vec<&Subject> = subjects.iter().collect();
        verify::verify(F2X_MUL.reference, &all, &[bits / 8], 1).context("nothing was timed")?;
        points.push(Point::new(bits / 8, subjects));
    }
    let rows = run::measure(&points, seconds).concat();
    let gf2x = gf2x.into_iter().map(|subject| subject.name).collect();
    Ok(Measured { backends, gf2x, without_clmul, rows, environment: Environment::read() })
}

/// Our subjects for operands of `bits` bits: the library's own plan, and the paper's constructions on all backends.
fn ours(paper: &Paper, backends: &[ClmulCpu], bits: usize) -> Vec<Subject> {
    let mut constructions: Vec<&str> =
        paper.lines().filter(|line| line.bits == bits).map(|line| line.construction).collect();
    constructions.sort_unstable();
    constructions.dedup();
    let subject = |name: String, plan: Plan| {
        Subject::new(name, plan.cpu().name(), Products(Operation::Mul, move |_| by_plan(plan)))
    };
    // All sizes of the paper are multiples of 64 bits.
    let plan = Plan::new(bits / 64, bits / 64);
    let mut all = vec![subject("carryless/best".into(), plan)];
    for construction in constructions {
        for &cpu in backends {
            all.push(subject(name_of(cpu, construction), forced(cpu, construction, bits / 64)));
        }
        if construction == "KaratRec" {
            all.extend(kernels::subjects(bits / 64, backends));
        }
    }
    all
}

/// The name of the subject of a construction on a backend.
fn name_of(cpu: ClmulCpu, construction: &str) -> String {
    format!("carryless/{}/{construction}", cpu.name())
}

/// The plan of the paper's construction, with as many levels of KaratRec over leaves of 512 bits as the length allows.
///
/// # Panics
/// If `construction` is none of the paper's.
pub(crate) fn forced(cpu: ClmulCpu, construction: &str, words: usize) -> Plan {
    let mut steps: Vec<Step> = construction.trim_end_matches(')').split('(').filter_map(step).collect();
    // 8 words are a leaf of 512 bits, as in the paper. Each step doubles the operands that the chain serves,
    // so the loop ends.
    loop {
        // An error also means that the parts are too short for Toom3. One more level of KaratRec is tried in
        // either case.
        match Plan::forced(cpu, words, &steps, 8) {
            Ok(plan) => return plan,
            Err(_) => steps.push(Step::Karat2),
        }
    }
}

/// The step of a level above KaratRec; `None` for KaratRec itself.
fn step(name: &str) -> Option<Step> {
    Some(match name {
        "KaratRec" => return None,
        "Karat3" => Step::Karat3,
        "Karat5" => Step::Karat5,
        "Toom3" => Step::Toom3(ToomWord::W64),
        "Toom3<256>" => Step::Toom3(ToomWord::W256),
        "Toom3<512>" => Step::Toom3(ToomWord::W512),
        _ => panic!("'{name}' is no construction of the paper"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(construction: &str, bits: usize) -> String {
        forced(ClmulCpu::detect(), construction, bits / 64).describe().to_string()
    }

    #[test]
    fn plans_are_the_papers_constructions() {
        for (construction, bits, want) in [
            ("KaratRec", 1024, "Karat2(512) of 1024 bits"),
            ("Karat3", 1536, "Karat3(512) of 1536 bits"),
            ("Karat5(Karat3)", 15360, "Karat5(Karat3(Karat2(512))) of 15360 bits"),
            // Of parts of e bits the paper's Toom3 makes 3 (e - 2 w), ours 3 e - 4 w.
            ("Toom3(KaratRec)", 5760, "Toom3<64>(Karat2(Karat2(512))) of 5888 bits"),
            ("Toom3<512>(Karat5)", 58368, "Toom3<512>(Karat5(Karat2(Karat2(Karat2(512))))) of 59392 bits"),
        ] {
            assert!(described(construction, bits).contains(want), "{}", described(construction, bits));
        }
    }

    /// Our chains are at most by 2 w longer than the paper's, which Toom3 gains.
    #[test]
    fn every_line_has_one_of_ours() {
        for line in Paper::read().lines() {
            let text = described(line.construction, line.bits);
            let size = text.split(" of ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a size");
            let size: usize = size.parse().expect("a number");
            assert!((line.bits..=line.bits + 1024).contains(&size), "{line:?}: {text}");
        }
    }

    /// One size, measured for a moment, in every form.
    #[test]
    fn ours_stand_beside_the_papers() {
        let mut paper = Paper::read();
        for table in &mut paper.tables {
            table.lines.retain(|line| [1024, 6144, 5760].contains(&line.bits));
        }
        let measured = measure(&paper, &gf2x::Libraries::default(), 0.01).expect("every product is right");
        let forms = in_forms(&paper, &measured);
        let text = forms.text();
        for part in [
            "### Table 5\n",
            "| 6144 | Karat3 | 6104 | 3974 | 2655 | ",
            "### Table 9\n",
            "| 5760 | Toom3(KaratRec) | 3987 | - | ",
            "different CPUs",
            "### Table 14\n",
            "| 1024 | KaratRec | 339 | 239 | 169 | 183 | 167 | 186 | ",
            "here: KaratMult1Sb512, ",
            "\n| 5 | 6144 | Karat3 | 0.668 | ",
            "\n| 5760 / 6144 | Toom3(KaratRec) / Karat3 | 0.961 |  | ",
            // 612 instructions in 183 cycles
            "\n| 1024 | 3.61 | 3.34 | 1.85 | 1.59 | 1.50 |\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("Table 8\n") && !text.contains("NaN"), "{text}");
        let claims = &forms.claims;
        assert!(claims.iter().any(|claim| claim.here.is_some()) && claims.len() == 6, "{claims:?}");
        let plot = forms.svg();
        assert!(plot.contains("<polyline") && plot.contains(">bits of an operand</text>"), "{plot}");
    }
}
