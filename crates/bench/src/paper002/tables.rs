//! The tables, every figure as comma-separated values, and the plot.
use super::figures::{self, Line, Paper};
use super::{Measured, kernels, name_of, ratios};
use crate::clock::Clock;
use crate::csv::Csv;
use crate::output;
use crate::report::{Curve, Drawing, Point, Row, capital, marked, plot_of};
use crate::table::Table;

impl Measured {
    /// Our columns in a table. Each has a title, and the name of the subject that it shows for lines of `construction`.
    fn columns(&self, table: &figures::Table, construction: &str) -> Vec<(String, String)> {
        let gf2x = self.gf2x.iter().map(|name| (name.clone(), name.clone()));
        let kernels = kernels::columns(table.name, &self.backends);
        let kernels = kernels.into_iter().map(|column| (column.title, column.subject));
        let forced = self.backends.iter().map(|&cpu| (cpu.name().into(), name_of(cpu, construction)));
        gf2x.chain(kernels).chain(forced).chain([("best".into(), "carryless/best".into())]).collect()
    }

    /// The cycles of the library's plan over those of the fastest gf2x that has carry-less products, as the
    /// paper's has; `None` if there is none.
    fn ratio(&self, bits: usize) -> Option<f64> {
        let comparable = self.gf2x.iter().filter(|name| !self.without_clmul.contains(name));
        let gf2x = comparable.filter_map(|name| self.row(bits, name)).map(Row::cycles);
        Some(self.row(bits, "carryless/best")?.cycles() / gf2x.min_by(f64::total_cmp)?)
    }
}

/// The words above the tables: CPUs and legend.
pub(super) fn introduction(paper: &Paper, measured: &Measured) -> String {
    let title = format!("Paper 002, Tables 4, 5, 6, 8, 9, 10 and 14: {} per product", Clock::UNIT);
    let mut notes = String::from(
        "The paper's figures and ours are cycles of different CPUs. They say nothing about each other; only ratios on the same\n\
         CPU do: the last columns, the best code of each line against gf2x there and here. Ours were verified before they were\n\
         timed. A backend's column is the line's construction over leaves of 512 bits, `best` the library's own plan; a kernel's column is\n\
         KaratRec over that kernel. `?`: cannot be read in the copy that was typed from. Instructions that\n\
         ours execute are counted in an emulator: `cargo xtask bochs --instructions` (crates/bench/PEERS.md).",
    );
    if !measured.without_clmul.is_empty() {
        let names = measured.without_clmul.join(", ");
        notes += &format!(
            "\n\n{names} multiplies without carry-less products: no ratio to it is compared with the paper's."
        );
    }
    output::introduction(&title, &[("paper", paper.cpu)], &measured.environment, &notes)
}

/// The paper's tables with ours beside them, and ratios.
pub(super) fn tables(paper: &Paper, measured: &Measured) -> Vec<Table> {
    let ours = paper.tables.iter().map(|table| one(paper, table, measured));
    let ratios = [ratios::wide(paper, measured), ratios::toom(paper, measured)];
    ours.chain(ratios).chain(ratios::instructions(paper)).collect()
}

/// A table: the paper's columns, ours, and ratios to gf2x.
fn one(whole: &Paper, of: &figures::Table, measured: &Measured) -> Table {
    // Only the names of subjects depend on the construction, and the head needs titles alone.
    let ours = measured.columns(of, "");
    let paper = of.columns.iter().map(|name| format!("paper: {name}"));
    let here = ours.iter().map(|(title, _)| format!("here: {title}"));
    let names = ["bits", "construction"].map(String::from).into_iter().chain(paper).chain(here);
    let columns = names.chain(["paper / gf2x", "best / gf2x"].map(String::from));
    let mut table = Table::new(capital(of.name), "rlr", columns);
    for line in &of.lines {
        let paper = line.figures.iter().map(|figure| Some((*figure).to_owned()));
        let here = measured.columns(of, line.construction).into_iter();
        let here =
            here.map(|(_, subject)| measured.row(line.bits, &subject).map(|row| marked(row, row.cycles())));
        let ratios = [paper_ratio(whole, of, line), measured.ratio(line.bits)];
        let ratios = ratios.map(|ratio| ratio.map(|ratio| format!("{ratio:.2}")));
        table.row([&line.bits.to_string(), line.construction], paper.chain(here).chain(ratios));
    }
    table
}

/// The cycles of the paper's fastest code of a line over those of its gf2x, which may be in another table.
fn paper_ratio(paper: &Paper, table: &figures::Table, line: &Line) -> Option<f64> {
    Some(table.best(line)? / paper.gf2x(line.bits)?)
}

/// The paper's figures and ours, one figure a line.
pub fn csv(paper: &Paper, measured: &Measured) -> String {
    let mut csv = Csv::new("table,bits,construction,whose,code,cycles,cpu");
    for table in &paper.tables {
        for line in &table.lines {
            let mut add = |whose: &str, code: &str, cycles: &str, cpu: &str| {
                let Line { bits, construction, .. } = line;
                csv.line(&[&table.name, bits, construction, &whose, &code, &cycles, &cpu]);
            };
            for column in &table.columns {
                // `-` and `?` are no figures and have no line here.
                if let Some(figure) = table.figure(line, column) {
                    add("paper", column, &figure.to_string(), paper.cpu);
                }
            }
            for (code, subject) in measured.columns(table, line.construction) {
                if let Some(row) = measured.row(line.bits, &subject) {
                    add("here", &code, &format!("{:.1}", row.cycles()), &measured.environment.cpu);
                }
            }
        }
    }
    csv.into_text()
}

/// The plot of cycles of a product against bits of an operand, as in the paper: its best code and gf2x, there and here.
pub fn plot(paper: &Paper, measured: &Measured) -> Drawing {
    let theirs = |name: &str, figure: &dyn Fn(&figures::Table, &Line) -> Option<f64>| {
        let lines = paper.tables.iter().flat_map(|table| table.lines.iter().map(move |line| (table, line)));
        let mut points: Vec<(usize, f64)> =
            lines.filter_map(|(table, line)| Some((line.bits, figure(table, line)?))).collect();
        // Several tables may have the same length: the least figure counts.
        points.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        points.dedup_by_key(|point| point.0);
        Curve::new(
            format!("paper {name}"),
            points.into_iter().map(|(bits, cycles)| Point::printed(bits, cycles)),
        )
    };
    let ours = |name: &str| {
        let rows = measured.rows.iter().filter(|row| row.subject == name);
        let points = rows.map(|row| Point::measured(8 * row.length, row, row.length as f64));
        Curve::new(format!("here {name}"), points)
    };
    // Ours has the first colour in every plot.
    let mut curves = vec![ours("carryless/best")];
    curves.extend(measured.gf2x.iter().map(|name| ours(name)));
    curves.push(theirs("avx512", &|table, line| table.best(line)));
    curves.push(theirs("gf2x", &|table, line| table.figure(line, "gf2x")));
    let title = format!("Paper 002; paper: {}; here: {}", paper.cpu, measured.environment.cpu);
    plot_of(&title, ["bits of an operand", &format!("{} of a product", Clock::UNIT)], &curves)
}
