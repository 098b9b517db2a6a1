//! Ratios of two lines or columns on one CPU, the paper's beside ours: AVX-512 over AVX2, and Toom3 over
//! Karat3.
use super::figures::{Line, Paper, Table};
use super::{Measured, name_of};
use crate::report::Row;
use std::fmt::Write;

/// The columns of the paper's AVX-512 code: each table has one of them.
pub(super) const AVX512: [&str; 2] = ["avx512", "karat_mult_1_512_SB"];

/// Cycles of one product, from a row in cycles per byte of an operand.
pub(super) fn cycles(row: &Row) -> f64 {
    row.figure() * row.length as f64
}

impl Measured {
    /// The row of a line's construction on a machine, by index: the first is that of the paper's AVX2 code,
    /// the last this CPU's best.
    fn construction(&self, line: &Line, machine: usize) -> Option<&Row> {
        let subject = name_of(*self.machines.get(machine)?, line.construction);
        self.row(line.bits, &subject)
    }

    /// The rows of a construction on the best machine and with the paper's AVX2 instructions; `None` if they
    /// are one machine.
    pub(super) fn wide_and_avx2(&self, line: &Line) -> Option<[&Row; 2]> {
        let [_, .., last] = self.machines[..] else { return None };
        let last = self.machines.iter().position(|cpu| *cpu == last)?;
        Some([self.construction(line, last)?, self.construction(line, 0)?])
    }

    /// The rows of Toom3 and of its neighbour by Karatsuba's method, on a machine.
    pub(super) fn toom_and_karat(&self, [karat, toom]: [&Line; 2], machine: usize) -> Option<[&Row; 2]> {
        Some([self.construction(toom, machine)?, self.construction(karat, machine)?])
    }
}

/// The cycles of the first product over those of the second.
pub(super) fn quotient([above, below]: [&Row; 2]) -> f64 {
    cycles(above) / cycles(below)
}

impl Table {
    /// The cycles of the paper's AVX-512 code over those of its AVX2 code; `None` if a table lacks either.
    pub(super) fn wide_to_avx2(&self, line: &Line) -> Option<f64> {
        let wide = AVX512.into_iter().find_map(|column| self.figure(line, column))?;
        Some(wide / self.figure(line, "avx2")?)
    }

    /// Pairs of neighbouring lines: Karatsuba's method, and Toom3 for operands at most a tenth shorter.
    pub(super) fn toom_pairs(&self) -> impl Iterator<Item = [&Line; 2]> {
        let pairs = self.lines.windows(2).map(|pair| [&pair[0], &pair[1]]);
        pairs.filter(|[karat, toom]| {
            !karat.construction.starts_with("Toom3")
                && toom.construction.starts_with("Toom3")
                && (0.9..1.0).contains(&(toom.bits as f64 / karat.bits as f64))
        })
    }
}

/// The pairs of Table 9: Toom3 and Karatsuba's method for nearly the same length.
pub(super) fn toom_to_karat(paper: &Paper) -> impl Iterator<Item = (&Table, [&Line; 2])> {
    let tables = paper.tables.iter().filter(|table| table.name == "table 9");
    tables.flat_map(|table| table.toom_pairs().map(move |pair| (table, pair)))
}

/// Both tables of ratios, and the paper's instructions per cycle, which are its Figure 1.
pub(super) fn markdown(paper: &Paper, measured: &Measured) -> String {
    let cell = |ratio: Option<f64>| ratio.map_or(String::new(), |ratio| format!("{ratio:.3}"));
    let mut text = String::from(
        "\n### AVX-512 / AVX2, one construction\n\n| table | bits | construction | paper | here |\n|---|---:|---|---:|---:|\n",
    );
    let tables =
        paper.tables.iter().filter(|table| !["table 9", "table 10", "table 14"].contains(&table.name));
    for (table, line) in tables.flat_map(|table| table.lines.iter().map(move |line| (table, line))) {
        let (theirs, ours) =
            (cell(table.wide_to_avx2(line)), cell(measured.wide_and_avx2(line).map(quotient)));
        let number = table.name.trim_start_matches("table ");
        writeln!(text, "| {number} | {} | {} | {theirs} | {ours} |", line.bits, line.construction)
            .expect("to a string");
    }
    text += "\n### Toom3 / Karatsuba's method of nearly the same size\n\n| bits | constructions | paper: avx2 | paper: avx512 |";
    measured.machines.iter().for_each(|cpu| write!(text, " here: {} |", cpu.name()).expect("to a string"));
    text += &format!("\n|---:|---|{}\n", "---:|".repeat(2 + measured.machines.len()));
    for (table, pair @ [karat, toom]) in toom_to_karat(paper) {
        let theirs = ["avx2", "avx512"].map(|column| {
            cell(
                table.figure(toom, column).zip(table.figure(karat, column)).map(|(toom, karat)| toom / karat),
            )
        });
        let ours = (0..measured.machines.len())
            .map(|machine| cell(measured.toom_and_karat(pair, machine).map(quotient)));
        let cells: Vec<String> = theirs.into_iter().chain(ours).collect();
        let names = format!("{} / {}", toom.construction, karat.construction);
        writeln!(text, "| {} / {} | {names} | {} |", toom.bits, karat.bits, cells.join(" | "))
            .expect("to a string");
    }
    text + &instructions(paper)
}

/// The tables of retired instructions per cycle: Table 4, which the paper plots in Figure 1, and Table 14.
fn instructions(paper: &Paper) -> String {
    let mut text = String::from("\n### Figure 1: instructions per cycle, from the paper's counts\n");
    for table in paper.tables.iter().filter(|table| ["table 4", "table 14"].contains(&table.name)) {
        let columns = table.columns.join(" | ");
        text += &format!("\n| {} | {columns} |\n|---:|{}\n", table.name, "---:|".repeat(table.columns.len()));
        for line in &table.lines {
            let cells = table.columns.iter().map(|column| {
                let each = paper.instructions(table, line, column).zip(table.figure(line, column));
                each.map_or(String::new(), |(count, cycles)| format!("{:.2}", count / cycles))
            });
            writeln!(text, "| {} | {} |", line.bits, cells.collect::<Vec<_>>().join(" | "))
                .expect("to a string");
        }
    }
    text + "\nInstructions that ours execute are counted in an emulator: `cargo xtask bochs --instructions` (docs/benchmarks.md).\n"
}
