//! The tables, and every figure as comma-separated values.
use super::Measured;
use super::candidates::Way;
use super::figures::{self, Line, Paper, Shares, speed_up};
use super::statistics::{Pair, average, most_and_average, shares};
use crate::clock::Clock;
use crate::csv::Csv;
use crate::output;
use crate::report::{Row, capital, cell};
use crate::table::Table;
use carryless_hash::Cpu;
use std::ops::RangeInclusive;

/// Pairs of algorithms whose speed-ups are shown: the second over the first. The first pair
/// is the papers' own comparison.
const COMPARED: [[Way; 2]; 5] = [
    [Way::GollGueron, Way::Balanced],
    [Way::GollGueron, Way::UsualFirst],
    [Way::UsualFirst, Way::Balanced],
    [Way::UsualFirst, Way::FewestFirst],
    [Way::WordTail, Way::Balanced],
];

/// The words above the tables: CPUs, and a legend of the names in the tables.
pub(super) fn introduction(paper: &Paper, measured: &Measured) -> String {
    let title =
        format!("Paper {}: {} per byte of Poly1305, key powers on the fly", paper.number, Clock::UNIT);
    let settings: Vec<(&str, &str)> =
        paper.settings.iter().map(|setting| (setting.name, setting.what)).collect();
    let backends = measured.backends.iter().map(|cpu| format!("{} ({} lanes)", cpu.name(), cpu.lanes()));
    let notes = format!(
        "Cycles of different CPUs say nothing about each other; speed-ups, in per cent, may be compared. Here `goll-gueron` is the\n\
         papers' Algorithm 1, `balanced` their Algorithm 2, `usual-first` the same without its cheaper first product, `fewest-first`\n\
         with that of the fewest multiplications, `word-tail` Algorithm 1 with a tail in 64-bit words: all over the same products and reductions, on {}. `best` is the library's own\n\
         choice. A printed speed-up that is not what its figures give is followed by what they give. Blocks are those modulo 4,\n\
         the last one whole or short.",
        backends.collect::<Vec<_>>().join(" and ")
    );
    output::introduction(&title, &settings, &measured.environment, &notes)
}

/// The paper's tables with ours beside them, and the statistics over all lengths.
pub(super) fn tables(paper: &Paper, measured: &Measured) -> Vec<Table> {
    // `chunk_by` joins neighbours only. The data files have the tables of one name next to each other.
    let beside = paper.tables.chunk_by(|a, b| a.name == b.name);
    let mut all: Vec<Table> = beside.map(|tables| lengths(paper, measured, tables)).collect();
    all.extend([every_way(measured), ranges(paper, measured), all_shares(paper, measured)]);
    all.push(by_blocks(measured));
    all
}

/// A table of single lengths: columns for each setting of the paper, then for each of our backends.
fn lengths(paper: &Paper, measured: &Measured, tables: &[figures::Table]) -> Table {
    let settings = tables.iter().map(|table| table.setting).collect::<Vec<_>>().join("; ");
    let mut columns = vec![String::from("length"), "blocks".into()];
    tables.iter().for_each(|_| columns.extend(["Goll-Gueron", "new", "%"].map(String::from)));
    for cpu in &measured.backends {
        let name = cpu.name();
        columns.extend([format!("{name}: goll-gueron"), "balanced".into(), "%".into()]);
    }
    columns.push("best".into());
    let mut table = Table::new(format!("{}: {settings}", capital(tables[0].name)), "llr", columns);
    // All tables of one name have the same lengths, so an index into the first serves the others.
    for (at, Line { length, .. }) in tables[0].lines.iter().enumerate() {
        // A run measures all lengths of the tables, a test only few of them.
        let Some((_, rows)) = measured.tables.iter().find(|(measured, _)| measured == length) else {
            continue;
        };
        let mut cells: Vec<String> = vec![];
        for of in tables {
            let line = &of.lines[at];
            cells.extend([line.original, line.modified].map(String::from));
            cells.push(match paper.erratum(of.setting, *length) {
                None => line.speed_up.into(),
                Some(erratum) => format!("{} ({})", line.speed_up, erratum.speed_up),
            });
        }
        for &cpu in &measured.backends {
            let [old, new] = COMPARED[0].map(|way| &rows[measured.place(cpu, way)]);
            cells.extend([cell(old), cell(new), gain(old, new)]);
        }
        // The library's own choice is the last candidate.
        table.row([length.to_string(), blocks(*length)], cells.into_iter().chain(rows.last().map(cell)));
    }
    table
}

/// Number of blocks modulo 4, with `, short` if the last one has fewer than 16 bytes.
fn blocks(length: usize) -> String {
    let short = if length.is_multiple_of(16) { "" } else { ", short" };
    format!("{}{short}", length.div_ceil(16) % 4)
}

/// The speed-up in per cent from one row to another, with `~` if either was disturbed.
fn gain(old: &Row, new: &Row) -> String {
    let figure = per_cent(speed_up(old.figure(), new.figure()));
    if old.disturbed || new.disturbed { format!("~{figure}") } else { figure }
}

/// A figure in per cent, with as many digits as the papers print.
pub(super) fn per_cent(figure: f64) -> String {
    format!("{figure:.2}")
}

/// The table of all candidates at the lengths of the paper's tables.
fn every_way(measured: &Measured) -> Table {
    // All of them are ours, so the first part of the name says nothing.
    let ways = measured.candidates.iter().map(|c| c.subject.name.trim_start_matches("carryless/"));
    let mut table = Table::new("Here: every way", "llr", ["length", "blocks"].into_iter().chain(ways));
    for (length, rows) in &measured.tables {
        table.row([length.to_string(), blocks(*length)], rows.iter().map(cell));
    }
    table
}

/// Every comparison on every backend: the backend, its name and the pairs of all lengths.
fn comparisons(measured: &Measured) -> impl Iterator<Item = (Cpu, String, Vec<Pair>)> {
    let all = measured.backends.iter().flat_map(|&cpu| COMPARED.map(|ways| (cpu, ways)));
    all.map(|(cpu, ways @ [old, new])| {
        (cpu, format!("{}, {} over {}", cpu.name(), new.name(), old.name()), measured.pairs(cpu, ways))
    })
}

/// The table of the greatest and the average speed-ups over the paper's ranges.
fn ranges(paper: &Paper, measured: &Measured) -> Table {
    let columns = ["where", "setting", "bytes", "greatest %", "average %"];
    let mut table = Table::new("Speed-ups over ranges of lengths", "lllr", columns);
    let name = |lengths: &RangeInclusive<usize>| format!("{} to {}", lengths.start(), lengths.end());
    for range in &paper.ranges {
        table.row([range.place, range.setting, &name(&range.lengths)], range.figures.map(String::from));
    }
    for (_, setting, pairs) in comparisons(measured) {
        for span in paper.spans() {
            if let Some(figures) = most_and_average(&pairs, span) {
                table.row(["here", &setting, &name(span)], figures.map(per_cent));
            }
        }
    }
    table
}

/// The table of the shares of all lengths that are faster, as fast, and slower.
fn all_shares(paper: &Paper, measured: &Measured) -> Table {
    let title = format!("Shares of lengths from 49 to 4000 bytes ({} here)", measured.all.len());
    let mut table = Table::new(title, "llr", ["where", "setting", "faster %", "same %", "slower %"]);
    for Shares { place, setting, figures } in &paper.shares {
        table.row([place, setting], figures.map(String::from));
    }
    for (_, setting, pairs) in comparisons(measured) {
        table.row(["here", &setting], shares(&pairs).map(per_cent));
    }
    table
}

/// The table of average speed-ups by the number of blocks in the first row, which they may not fill, and by
/// whether the last block is short.
fn by_blocks(measured: &Measured) -> Table {
    let most = measured.backends.iter().map(|cpu| cpu.lanes()).max().unwrap_or(0);
    let columns = ["setting", "last block"].map(String::from).into_iter();
    let columns = columns.chain((1..=most).map(|blocks| blocks.to_string()));
    let mut table = Table::new("Average speed-ups by the blocks of the first row", "llr", columns);
    for (cpu, setting, pairs) in comparisons(measured) {
        for (short, name) in [(false, "whole"), (true, "short")] {
            let of = |rho: usize| {
                let belongs = |pair: &&Pair| {
                    // Blocks of the first row: from 1 up to the number of lanes.
                    let own = (pair.length.div_ceil(16) - 1) % cpu.lanes() + 1;
                    own == rho && pair.length.is_multiple_of(16) != short
                };
                average(&pairs.iter().filter(belongs).map(Pair::speed_up).collect::<Vec<_>>())
            };
            // A backend with fewer lanes has no such first row, and its cells stay empty.
            table.row([setting.as_str(), name], (1..=most).map(|rho| of(rho).map(per_cent)));
        }
    }
    table
}

/// The paper's figures and ours at all lengths, one figure a line.
pub(super) fn csv(paper: &Paper, measured: &Measured) -> String {
    let mut csv = Csv::new("table,whose,length,method,cycles_per_byte,setting");
    for table in &paper.tables {
        for line in &table.lines {
            for (method, figure) in [("goll-gueron", line.original), ("balanced", line.modified)] {
                csv.line(&[&table.name, &"paper", &line.length, &method, &figure, &table.setting]);
            }
        }
    }
    for (table, lengths) in [("tables", &measured.tables), ("all lengths", &measured.all)] {
        for (length, rows) in lengths {
            for row in rows {
                let figure = format!("{:.5}", row.figure());
                csv.line(&[&table, &"here", length, &row.subject, &figure, &measured.environment.cpu]);
            }
        }
    }
    csv.into_text()
}
