//! The report in Markdown, every figure as comma-separated values, and the plot.
use super::figures::{Line, Paper, Table};
use super::ratios::cycles;
use super::{Measured, kernels, name_of, ratios};
use crate::clock::Clock;
use crate::report::{Curve, Drawing, Point, capital, marked, plot_of};
use std::fmt::Write;

impl Measured {
    /// Our columns in a table. Each has a title, and the name of the subject that it shows for lines of
    /// `construction`.
    fn columns(&self, table: &Table, construction: &str) -> Vec<(String, String)> {
        let gf2x = self.gf2x.iter().map(|name| (name.clone(), name.clone()));
        let kernels = kernels::columns(table.name, &self.machines);
        let kernels = kernels.into_iter().map(|column| (column.title, column.subject));
        let forced = self.machines.iter().map(|&cpu| (cpu.name().into(), name_of(cpu, construction)));
        gf2x.chain(kernels).chain(forced).chain([("best".into(), "carryless/best".into())]).collect()
    }

    /// The cycles of the library's plan over those of the fastest gf2x that has carry-less products, as the
    /// paper's has; `None` if there is none.
    fn ratio(&self, bits: usize) -> Option<f64> {
        let comparable = self.gf2x.iter().filter(|name| !self.without_clmul.contains(name));
        let gf2x = comparable.filter_map(|name| self.row(bits, name)).map(cycles);
        Some(cycles(self.row(bits, "carryless/best")?) / gf2x.min_by(f64::total_cmp)?)
    }
}

/// The report: CPUs and legend, the paper's tables with ours beside them, and ratios.
pub fn markdown(paper: &Paper, measured: &Measured) -> String {
    let environment = &measured.environment;
    let mut text = format!(
        "Paper 002, Tables 4, 5, 6, 8, 9, 10 and 14: {} per product\n\n- paper: {}\n- here: {}, {}, commit {}\n\n\
         The paper's figures and ours are cycles of different CPUs. They say nothing about each other; only ratios on the same\n\
         CPU do: the last columns, the best code of each line against gf2x there and here. Ours were verified before they were\n\
         timed. A machine's column is the line's construction over leaves of 512 bits, `best` the library's own plan; a kernel's column is\n\
         KaratRec over that kernel. `?`: cannot be read in the copy that was typed from.\n",
        Clock::UNIT,
        paper.cpu,
        environment.cpu,
        environment.date,
        environment.commit
    );
    if !measured.without_clmul.is_empty() {
        let names = measured.without_clmul.join(", ");
        text += &format!(
            "\n{names} multiplies without carry-less products: no ratio to it is compared with the paper's.\n"
        );
    }
    paper
        .tables
        .iter()
        .filter(|table| !table.lines.is_empty())
        .for_each(|table| text += &one(paper, table, measured));
    text += &ratios::markdown(paper, measured);
    if measured.rows.iter().any(|row| row.disturbed) {
        text += "\n~: the machine was too busy for undisturbed samples; these figures are too high.\n";
    }
    text
}

/// A table: the paper's columns, ours, and ratios to gf2x.
fn one(whole: &Paper, table: &Table, measured: &Measured) -> String {
    let ours = measured.columns(table, "");
    let paper = table.columns.iter().map(|name| format!("paper: {name}"));
    let here = ours.iter().map(|(title, _)| format!("here: {title}"));
    let ratios = ["paper / gf2x", "best / gf2x"].map(String::from);
    let names: Vec<String> = paper.chain(here).chain(ratios).collect();
    let mut text =
        format!("\n### {}\n\n| bits | construction | {} |\n", capital(table.name), names.join(" | "));
    text += &format!("|---:|---|{}\n", "---:|".repeat(names.len()));
    for line in &table.lines {
        let paper = line.figures.iter().map(|figure| (*figure).to_owned());
        let here = measured.columns(table, line.construction).into_iter().map(|(_, subject)| {
            measured.row(line.bits, &subject).map_or(String::new(), |row| marked(row, cycles(row)))
        });
        let ratio = |ratio: Option<f64>| ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let ratios = [ratio(paper_ratio(whole, table, line)), ratio(measured.ratio(line.bits))];
        let cells: Vec<String> = paper.chain(here).chain(ratios).collect();
        writeln!(text, "| {} | {} | {} |", line.bits, line.construction, cells.join(" | "))
            .expect("to a string");
    }
    text
}

/// The cycles of the paper's fastest code of a line over those of its gf2x, which may be in another table.
fn paper_ratio(paper: &Paper, table: &Table, line: &Line) -> Option<f64> {
    Some(table.best(line)? / paper.gf2x(line.bits)?)
}

/// The paper's figures and ours, one figure a line.
pub fn csv(paper: &Paper, measured: &Measured) -> String {
    let mut text = String::from("table,bits,construction,whose,code,cycles,cpu\n");
    let cpu = measured.environment.cpu.replace('"', "\"\"");
    for table in &paper.tables {
        for line in &table.lines {
            let mut add = |whose: &str, code: &str, cycles: &str, cpu: &str| {
                let Line { bits, construction, .. } = line;
                writeln!(text, "{},{bits},{construction},{whose},{code},{cycles},\"{cpu}\"", table.name)
                    .expect("to a string");
            };
            for column in &table.columns {
                if let Some(figure) = table.figure(line, column) {
                    add("paper", column, &figure.to_string(), paper.cpu);
                }
            }
            for (code, subject) in measured.columns(table, line.construction) {
                if let Some(row) = measured.row(line.bits, &subject) {
                    add("here", &code, &format!("{:.1}", cycles(row)), &cpu);
                }
            }
        }
    }
    text
}

/// The plot of cycles of a product against bits of an operand, as in the paper: its best code and gf2x, there
/// and here.
pub fn plot(paper: &Paper, measured: &Measured) -> Drawing {
    let theirs = |name: &str, figure: &dyn Fn(&Table, &Line) -> Option<f64>| {
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
    let mut curves = vec![ours("carryless/best")];
    curves.extend(measured.gf2x.iter().map(|name| ours(name)));
    curves.push(theirs("avx512", &|table, line| table.best(line)));
    curves.push(theirs("gf2x", &|table, line| table.figure(line, "gf2x")));
    let title = format!("Paper 002; paper: {}; here: {}", paper.cpu, measured.environment.cpu);
    plot_of(&title, ["bits of an operand", &format!("{} of a product", Clock::UNIT)], &curves)
}
