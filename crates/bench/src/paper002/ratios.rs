//! Ratios of two lines or columns on one CPU, the paper's beside ours: AVX-512 over AVX2, and Toom3 over
//! Karat3.
use super::figures::{self, Line, Paper};
use super::{Measured, name_of};
use crate::report::Row;
use crate::table::Table;

/// The columns of the paper's AVX-512 code: each table has one of them.
pub(super) const AVX512: [&str; 2] = ["avx512", "karat_mult_1_512_SB"];

impl Measured {
    /// The row of a line's construction on a backend, by index: the first is that of the paper's AVX2 code,
    /// the last this CPU's best.
    fn construction(&self, line: &Line, backend: usize) -> Option<&Row> {
        let subject = name_of(*self.backends.get(backend)?, line.construction);
        self.row(line.bits, &subject)
    }

    /// The rows of a construction on the best backend and with the paper's AVX2 instructions; `None`
    /// if they are one backend.
    pub(super) fn wide_and_avx2(&self, line: &Line) -> Option<[&Row; 2]> {
        // The pattern needs two backends at least: one alone has no ratio.
        let [_, .., last] = self.backends[..] else { return None };
        let last = self.backends.iter().position(|cpu| *cpu == last)?;
        Some([self.construction(line, last)?, self.construction(line, 0)?])
    }

    /// The rows of Toom3 and of its neighbour by Karatsuba's method, on a backend.
    pub(super) fn toom_and_karat(&self, [karat, toom]: [&Line; 2], backend: usize) -> Option<[&Row; 2]> {
        Some([self.construction(toom, backend)?, self.construction(karat, backend)?])
    }
}

/// The cycles of the first product over those of the second.
fn quotient([above, below]: [&Row; 2]) -> f64 {
    above.cycles() / below.cycles()
}

impl figures::Table {
    /// The cycles of the paper's AVX-512 code over those of its AVX2 code; `None` if a table lacks either.
    pub(super) fn wide_to_avx2(&self, line: &Line) -> Option<f64> {
        let wide = AVX512.into_iter().find_map(|column| self.figure(line, column))?;
        Some(wide / self.figure(line, "avx2")?)
    }

    /// Pairs of neighbouring lines: Karatsuba's method, and Toom3 for operands at most a tenth shorter.
    pub(super) fn toom_pairs(&self) -> impl Iterator<Item = [&Line; 2]> {
        // The data file keeps the paper's order, in which each Toom3 follows the size that it is compared
        // with.
        let pairs = self.lines.windows(2).map(|pair| [&pair[0], &pair[1]]);
        pairs.filter(|[karat, toom]| {
            !karat.construction.starts_with("Toom3")
                && toom.construction.starts_with("Toom3")
                && (0.9..1.0).contains(&(toom.bits as f64 / karat.bits as f64))
        })
    }
}

/// The pairs of Table 9: Toom3 and Karatsuba's method for nearly the same length.
pub(super) fn toom_to_karat(paper: &Paper) -> impl Iterator<Item = (&figures::Table, [&Line; 2])> {
    let tables = paper.tables.iter().filter(|table| table.name == "table 9");
    tables.flat_map(|table| table.toom_pairs().map(move |pair| (table, pair)))
}

/// A ratio with three digits after the point.
fn cell(ratio: f64) -> String {
    format!("{ratio:.3}")
}

/// The table of the cycles on the best backend over those with the paper's AVX2 instructions.
pub(super) fn wide(paper: &Paper, measured: &Measured) -> Table {
    let columns = ["table", "bits", "construction", "paper", "here"];
    let mut table = Table::new("AVX-512 / AVX2, one construction", "lrlr", columns);
    // Tables 9 and 10 repeat most of their lines from the others. Table 14 has no column of this AVX-512
    // code.
    let others = ["table 9", "table 10", "table 14"];
    for of in paper.tables.iter().filter(|of| !others.contains(&of.name)) {
        for line in &of.lines {
            let (theirs, ours) = (of.wide_to_avx2(line), measured.wide_and_avx2(line).map(quotient));
            let names = [of.name.trim_start_matches("table "), &line.bits.to_string(), line.construction];
            table.row(names, [theirs, ours].map(|ratio| ratio.map(cell)));
        }
    }
    table
}

/// The table of the cycles of Toom3 over those of Karatsuba's method for nearly the same length.
pub(super) fn toom(paper: &Paper, measured: &Measured) -> Table {
    let columns = ["bits", "constructions", "paper: avx2", "paper: avx512"].map(String::from).into_iter();
    let columns = columns.chain(measured.backends.iter().map(|cpu| format!("here: {}", cpu.name())));
    let mut table = Table::new("Toom3 / Karatsuba's method of nearly the same size", "rlr", columns);
    for (of, pair @ [karat, toom]) in toom_to_karat(paper) {
        let theirs =
            ["avx2", "avx512"].map(|column| Some(of.figure(toom, column)? / of.figure(karat, column)?));
        let ours =
            (0..measured.backends.len()).map(|backend| measured.toom_and_karat(pair, backend).map(quotient));
        let names = [
            format!("{} / {}", toom.bits, karat.bits),
            format!("{} / {}", toom.construction, karat.construction),
        ];
        table.row(names, theirs.into_iter().chain(ours).map(|ratio| ratio.map(cell)));
    }
    table
}

/// The tables of retired instructions per cycle: Table 4, which the paper plots in Figure 1, and Table 14.
pub(super) fn instructions(paper: &Paper) -> impl Iterator<Item = Table> {
    let tables = paper.tables.iter().filter(|of| ["table 4", "table 14"].contains(&of.name));
    tables.map(|of| {
        let caption = format!("Figure 1: instructions per cycle of {}, from the paper's counts", of.name);
        let columns = ["bits"].into_iter().chain(of.columns.iter().copied());
        let mut table = Table::new(caption, "r", columns);
        for line in &of.lines {
            let each = |column: &&str| {
                let (count, cycles) = (paper.instructions(of, line, column)?, of.figure(line, column)?);
                Some(format!("{:.2}", count / cycles))
            };
            table.row([line.bits], of.columns.iter().map(each));
        }
        table
    })
}
