//! The report in Markdown, every figure as comma-separated values, and the plot.
use super::candidates::reason;
use super::figures::{Paper, Powers, Table};
use super::markdown::{head, line};
use super::{Measured, primes};
use crate::clock::Clock;
use crate::report::{self, Curve, Drawing, Point, Row, capital, cell, digits};
use std::fmt::Write;

/// The two lines whose ratio the paper states, function and parameter, numerator first.
pub(super) const RATIO: [(&str, &str); 2] = [("4-decBRWHash1305", "t = 5"), ("polyHash1305", "g = 4")];

impl Measured {
    /// The row of a candidate, by its index, for a number of blocks; `None` if it was not measured.
    pub(super) fn row(&self, index: usize, blocks: usize) -> Option<&Row> {
        self.rows.iter().find(|(i, row)| *i == index && row.length == 16 * blocks).map(|(_, row)| row)
    }

    /// The row of our candidate with these properties for a number of blocks; `None` if there is none.
    pub(super) fn row_of(
        &self,
        function: &str,
        (code, parameter): (&str, &str),
        powers: Powers,
        blocks: usize,
    ) -> Option<&Row> {
        let index = self.candidates.iter().position(|c| {
            (c.function, c.whose, c.code, c.parameter.as_str(), c.powers)
                == (function, "here", code, parameter, powers)
        })?;
        self.row(index, blocks)
    }

    /// The figure of that row, in cycles per byte.
    pub(super) fn figure(
        &self,
        function: &str,
        code: (&str, &str),
        powers: Powers,
        blocks: usize,
    ) -> Option<f64> {
        self.row_of(function, code, powers, blocks).map(Row::figure)
    }
}

/// The report: CPUs and legend, the paper's tables with ours beside them, ratios, and the prime 2^127 - 1.
pub fn markdown(paper: &Paper, measured: &Measured) -> String {
    let environment = &measured.environment;
    let mut text = format!(
        "Paper 001, Tables 5 to 10: {} per byte\n\n- paper: {}\n- here: {}, best machine {}, {}, commit {}\n\n\
         The paper's figures and ours are cycles of different CPUs. They say nothing about each other; only ratios of two\n\
         lines of the same CPU do, and the last tables have those. Ours were verified before they were timed. `maax` is code in 64-bit\n\
         words, ours beside it is `words`; a machine with 52-bit multiply-add runs all of its lines by it.\n",
        Clock::UNIT,
        paper.cpu,
        environment.cpu,
        carryless_hash::Cpu::detect().name(),
        environment.date,
        environment.commit
    );
    let missing: Vec<_> = paper.tables[0].lines.iter().filter_map(reason).collect();
    if let Some(reason) = missing.first() {
        text += &format!("\n{} kinds of lines have none of ours: {reason}.\n", missing.len());
    }
    for table in &paper.tables {
        for powers in Powers::ALL {
            text += &one(table, measured, powers);
        }
    }
    text += &ratios(paper, measured);
    text += &primes::markdown(measured);
    if measured.rows.iter().any(|(_, row)| row.disturbed) {
        text += "\n~: the machine was too busy for undisturbed samples; these figures are too high.\n";
    }
    text
}

/// The columns of a table that were measured: index in its lines, and number of blocks.
fn columns<'a>(table: &'a Table, measured: &'a Measured) -> Vec<(usize, usize)> {
    let all = table.blocks.iter().copied().enumerate();
    all.filter(|(_, blocks)| measured.blocks.contains(blocks)).collect()
}

/// A table in one setting of the powers: function by function, the paper's lines, then ours.
fn one(table: &Table, measured: &Measured, powers: Powers) -> String {
    let columns = columns(table, measured);
    if columns.is_empty() {
        return String::new();
    }
    let mut text = head(&format!("{}, {}", capital(table.name), powers.name()), &columns);
    let mut functions: Vec<&str> = table.lines.iter().map(|line| line.function).collect();
    functions.dedup();
    for function in functions {
        let of_paper =
            table.lines.iter().filter(|line| line.function == function && line.powers.contains(&powers));
        for paper in of_paper {
            let cells = columns.iter().map(|&(at, _)| paper.figures[at].into());
            line(&mut text, [function, "paper", paper.code, paper.parameter], cells);
        }
        let ours = measured.candidates.iter().enumerate();
        for (index, ours) in ours.filter(|(_, c)| c.function == function && c.powers == powers) {
            let cells =
                columns.iter().map(|&(_, blocks)| measured.row(index, blocks).map_or(String::new(), cell));
            line(&mut text, [function, ours.whose, ours.code, &ours.parameter], cells);
        }
    }
    text
}

/// The table of the cycles of 4-decBRWHash over those of polyHash, each ratio on one CPU.
fn ratios(paper: &Paper, measured: &Measured) -> String {
    let columns: Vec<(usize, usize)> = measured.blocks.iter().copied().enumerate().collect();
    let mut text = head("Ratios: 4-decBRWHash1305 / polyHash1305", &columns);
    let mut row = |whose: &str, code: &str, parameter: &str, ratio: &dyn Fn(usize) -> Option<f64>| {
        let cells: Vec<String> =
            columns.iter().map(|&(_, blocks)| ratio(blocks).map_or(String::new(), digits)).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            line(&mut text, [RATIO[0].0, whose, code, parameter], cells.into_iter());
        }
    };
    let [(over, t), (under, g)] = RATIO;
    for powers in Powers::ALL {
        let code = format!("avx2, {}", powers.name());
        row("paper", &code, "t = 5 / g = 4", &|blocks| {
            Some(paper.figure(over, t, powers, blocks)? / paper.figure(under, g, powers, blocks)?)
        });
        for (name, [above, below]) in [("avx2", [("avx2", t), ("avx2", g)]), ("best", [("best", ""); 2])] {
            let parameter = if name == "best" { "" } else { "t = 5 / g = 4" };
            row("here", &format!("{name}, {}", powers.name()), parameter, &|blocks| {
                Some(
                    measured.figure(over, above, powers, blocks)?
                        / measured.figure(under, below, powers, blocks)?,
                )
            });
        }
    }
    text
}

/// The paper's figures and ours, one figure a line.
pub fn csv(paper: &Paper, measured: &Measured) -> String {
    let mut text =
        String::from("table,blocks,length,function,whose,code,parameter,powers,cycles_per_byte,cpu\n");
    let cpu = measured.environment.cpu.replace('"', "\"\"");
    for table in &paper.tables {
        for (at, blocks) in columns(table, measured) {
            let mut add = |names: [&str; 4], powers: Powers, figure: &str, cpu: &str| {
                let (table, length, [function, whose, code, parameter]) = (table.name, 16 * blocks, names);
                let powers = if powers == Powers::Fly { "fly" } else { "ready" };
                let line = format!(
                    "{table},{blocks},{length},{function},{whose},{code},{parameter},{powers},{figure},\"{cpu}\""
                );
                writeln!(text, "{line}").expect("to a string");
            };
            for line in &table.lines {
                for &powers in line.powers {
                    add(
                        [line.function, "paper", line.code, line.parameter],
                        powers,
                        line.figures[at],
                        paper.cpu,
                    );
                }
            }
            for (index, ours) in measured.candidates.iter().enumerate() {
                if let Some(row) = measured.row(index, blocks) {
                    let names = [ours.function, ours.whose, ours.code, &ours.parameter];
                    add(names, ours.powers, &format!("{:.5}", row.figure()), &cpu);
                }
            }
        }
    }
    text
}

/// The plot of cycles per byte against length, powers on the fly, for the paper's recommended parameters and
/// our best.
pub fn plot(paper: &Paper, measured: &Measured) -> Drawing {
    let lines = [("polyHash1305", "g = 4"), ("BRWHash1305", "t = 5"), ("4-decBRWHash1305", "t = 5")];
    // All are over the same prime, and a legend has little room.
    let short = |function: &'static str| function.trim_end_matches("1305");
    let curve = |name: String, figure: &dyn Fn(usize) -> Option<Point>| {
        Curve::new(name, measured.blocks.iter().filter_map(|&blocks| figure(blocks)))
    };
    let theirs = lines.map(|(function, parameter)| {
        curve(format!("paper {}", short(function)), &|blocks| {
            Some(Point::printed(16 * blocks, paper.figure(function, parameter, Powers::Fly, blocks)?))
        })
    });
    let ours = lines.map(|(function, _)| {
        curve(format!("here {}", short(function)), &|blocks| {
            let row = measured.row_of(function, ("best", ""), Powers::Fly, blocks)?;
            Some(Point::measured(16 * blocks, row, 1.0))
        })
    });
    let title = format!(
        "Paper 001, key powers on the fly; paper: {}; here: {}",
        paper.cpu.split(" @").next().unwrap_or(paper.cpu),
        measured.environment.cpu
    );
    report::plot(&title, &[ours, theirs].concat())
}
