//! The tables, every figure as comma-separated values, and the plot.
use super::Measured;
use super::candidates::reason;
use super::figures::{self, Paper, Powers};
use crate::clock::Clock;
use crate::csv::Csv;
use crate::output;
use crate::report::{self, Curve, Drawing, Point, Row, capital, cell, digits};
use crate::table::Table;

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

/// The words above the tables: CPUs and legend.
pub(super) fn introduction(paper: &Paper, measured: &Measured) -> String {
    let title = format!("Paper 001, Tables 5 to 10: {} per byte", Clock::UNIT);
    let missing: Vec<_> = paper.tables[0].lines.iter().filter_map(reason).collect();
    // All of them lack the same instructions, so one reason is enough.
    let missing = missing.first().map_or(String::new(), |reason| {
        format!("\n\n{} kinds of lines have none of ours: {reason}.", missing.len())
    });
    let left_out: String = measured.left_out.iter().map(|line| format!("\n\n{line}")).collect();
    let notes = format!(
        "The paper's figures and ours are cycles of different CPUs. They say nothing about each other; only ratios of two\n\
         lines of the same CPU do, and the last tables have those. Ours were verified before they were timed; our best backend is {}.\n\
         `maax` is code in 64-bit words, ours beside it is `words`; a backend with 52-bit multiply-add runs all of its lines by it.{missing}{left_out}",
        carryless_hash::Cpu::detect().name()
    );
    output::introduction(&title, &[("paper", paper.cpu)], &measured.environment, &notes)
}

/// The paper's tables with ours beside them, and ratios.
pub(super) fn tables(paper: &Paper, measured: &Measured) -> Vec<Table> {
    let settings = |table| Powers::ALL.map(|powers| one(table, measured, powers));
    paper.tables.iter().flat_map(settings).chain([ratios(paper, measured)]).collect()
}

/// A table without rows: function, whose code it is, code and parameter, then a column for each number of blocks.
pub(super) fn by_blocks(title: impl ToString, blocks: &[usize]) -> Table {
    let names = ["function", "whose", "code", "parameter"].map(String::from);
    Table::new(title, "llllr", names.into_iter().chain(blocks.iter().map(usize::to_string)))
}

/// The columns of a table that were measured: index in its lines, and number of blocks.
fn columns<'a>(table: &'a figures::Table, measured: &'a Measured) -> Vec<(usize, usize)> {
    let all = table.blocks.iter().copied().enumerate();
    all.filter(|(_, blocks)| measured.blocks.contains(blocks)).collect()
}

/// A table in one setting of the powers: function by function, the paper's lines, then ours.
fn one(of: &figures::Table, measured: &Measured, powers: Powers) -> Table {
    let (at, blocks): (Vec<_>, Vec<_>) = columns(of, measured).into_iter().unzip();
    let mut table = by_blocks(format!("{}, {}", capital(of.name), powers.name()), &blocks);
    let mut functions: Vec<&str> = of.lines.iter().map(|line| line.function).collect();
    // The paper groups its lines by function, so equal names are neighbours.
    functions.dedup();
    for function in functions {
        let lines = of.lines.iter().filter(|line| line.function == function && line.powers.contains(&powers));
        for paper in lines {
            table.row_of_some(paper.names(), at.iter().map(|&at| Some(paper.figures[at].into())));
        }
        let ours = measured.candidates.iter().enumerate();
        for (index, ours) in ours.filter(|(_, c)| c.function == function && c.powers == powers) {
            let cells = blocks.iter().map(|&blocks| measured.row(index, blocks).map(cell));
            table.row_of_some(ours.names(), cells);
        }
    }
    table
}

/// The table of the cycles of 4-decBRWHash over those of polyHash, each ratio on one CPU.
fn ratios(paper: &Paper, measured: &Measured) -> Table {
    let mut table = by_blocks("Ratios: 4-decBRWHash1305 / polyHash1305", &measured.blocks);
    let [(over, t), (under, g)] = RATIO;
    let mut row = |whose, code: &str, parameter, ratio: &dyn Fn(usize) -> Option<f64>| {
        let cells = measured.blocks.iter().map(|&blocks| ratio(blocks).map(digits));
        table.row_of_some([over, whose, code, parameter], cells);
    };
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
    table
}

/// The paper's figures and ours, one figure a line.
pub fn csv(paper: &Paper, measured: &Measured) -> String {
    let mut csv = Csv::new("table,blocks,length,function,whose,code,parameter,powers,cycles_per_byte,cpu");
    for table in &paper.tables {
        for (at, blocks) in columns(table, measured) {
            let mut add = |[function, whose, code, parameter]: [&str; 4], powers, figure: &str, cpu: &str| {
                let powers = if powers == Powers::Fly { "fly" } else { "ready" };
                csv.line(&[
                    &table.name,
                    &blocks,
                    &(16 * blocks),
                    &function,
                    &whose,
                    &code,
                    &parameter,
                    &powers,
                    &figure,
                    &cpu,
                ]);
            };
            for line in &table.lines {
                line.powers.iter().for_each(|&powers| add(line.names(), powers, line.figures[at], paper.cpu));
            }
            for (index, ours) in measured.candidates.iter().enumerate() {
                if let Some(row) = measured.row(index, blocks) {
                    let figure = format!("{:.5}", row.figure());
                    add(ours.names(), ours.powers, &figure, &measured.environment.cpu);
                }
            }
        }
    }
    csv.into_text()
}

/// The plot of cycles per byte against length, powers on the fly, for the paper's recommended parameters and our best.
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
        // The clock rate after the `@` has no room in a title.
        paper.cpu.split(" @").next().unwrap_or(paper.cpu),
        measured.environment.cpu
    );
    // Ours come first and have the first colours.
    report::plot(&title, &[ours, theirs].concat())
}
