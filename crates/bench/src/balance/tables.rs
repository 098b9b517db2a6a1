//! The report in Markdown, and every figure as comma-separated values.
use super::Measured;
use super::candidates::Way;
use super::figures::{Line, Paper, Table, speed_up};
use super::statistics::{Pair, average, most_and_average, shares};
use crate::clock::Clock;
use crate::report::{Row, capital, cell, marked};
use carryless_hash::Cpu;
use std::fmt::Write;

/// Pairs of algorithms whose speed-ups are shown: the second over the first. The first pair is the papers'
/// own comparison.
const COMPARED: [[Way; 2]; 5] = [
    [Way::GollGueron, Way::Balanced],
    [Way::GollGueron, Way::UsualFirst],
    [Way::UsualFirst, Way::Balanced],
    [Way::UsualFirst, Way::FewestFirst],
    [Way::WordTail, Way::Balanced],
];

/// The report: introduction, the paper's tables with ours beside them, and the statistics over all lengths.
pub(super) fn markdown(paper: &Paper, measured: &Measured) -> String {
    let mut text = introduction(paper, measured);
    let mut names: Vec<&str> = paper.tables.iter().map(|table| table.name).collect();
    names.dedup();
    for name in names {
        let tables: Vec<&Table> = paper.tables.iter().filter(|table| table.name == name).collect();
        text += &lengths(paper, measured, name, &tables);
    }
    text += &every_way(measured);
    text += &ranges(paper, measured);
    text += &all_shares(paper, measured);
    text += &by_blocks(measured);
    if measured.disturbed() {
        text += "\n~: the machine was too busy for undisturbed samples; these figures are too high.\n";
    }
    text
}

/// Title, CPUs, and a legend of the names in the tables.
fn introduction(paper: &Paper, measured: &Measured) -> String {
    let environment = &measured.environment;
    let mut text =
        format!("Paper {}: {} per byte of Poly1305, key powers on the fly\n\n", paper.number, Clock::UNIT);
    for setting in &paper.settings {
        writeln!(text, "- {}: {}", setting.name, setting.what).expect("to a string");
    }
    text += &format!(
        "- here: {}, {}, commit {}\n\n\
         Cycles of different CPUs say nothing about each other; speed-ups, in per cent, may be compared. Here `goll-gueron` is the\n\
         papers' Algorithm 1, `balanced` their Algorithm 2, `usual-first` the same without its cheaper first product, `fewest-first`\n\
         with that of the fewest multiplications, `word-tail` Algorithm 1 with a tail in 64-bit words: all over the same products and reductions, on {}. `best` is the library's own\n\
         choice. A printed speed-up that is not what its figures give is followed by what they give. Blocks are those modulo 4,\n\
         the last one whole or short.\n",
        environment.cpu,
        environment.date,
        environment.commit,
        list(measured.machines.iter().map(|cpu| format!("{} ({} lanes)", cpu.name(), cpu.lanes())))
    );
    text
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(" and ")
}

/// A table of single lengths: columns for each setting of the paper, then for each of our machines.
fn lengths(paper: &Paper, measured: &Measured, name: &str, tables: &[&Table]) -> String {
    let settings = tables.iter().map(|table| table.setting).collect::<Vec<_>>().join("; ");
    let mut columns = vec![String::from("length"), "blocks".into()];
    tables.iter().for_each(|_| columns.extend(["Goll-Gueron", "new", "%"].map(String::from)));
    for cpu in &measured.machines {
        let name = cpu.name();
        columns.extend([format!("{name}: goll-gueron"), "balanced".into(), "%".into()]);
    }
    columns.push("best".into());
    let mut text = head(&format!("{}: {settings}", capital(name)), &columns, 2);
    for (at, Line { length, .. }) in tables[0].lines.iter().enumerate() {
        let Some((_, rows)) = measured.tables.iter().find(|(measured, _)| measured == length) else {
            continue;
        };
        let mut cells = vec![length.to_string(), blocks(*length)];
        for table in tables {
            let line = &table.lines[at];
            cells.extend([line.original, line.modified].map(String::from));
            cells.push(match paper.erratum(table.setting, *length) {
                None => line.speed_up.into(),
                Some(erratum) => format!("{} ({})", line.speed_up, erratum.speed_up),
            });
        }
        for &cpu in &measured.machines {
            let [old, new] = COMPARED[0].map(|way| &rows[measured.place(cpu, way)]);
            cells.extend([cell(old), cell(new), gain(old, new)]);
        }
        cells.extend(rows.last().map(cell));
        line(&mut text, &cells);
    }
    text
}

/// Number of blocks modulo 4, with `, short` if the last one has fewer than 16 bytes.
fn blocks(length: usize) -> String {
    let short = if length.is_multiple_of(16) { "" } else { ", short" };
    format!("{}{short}", length.div_ceil(16) % 4)
}

/// The speed-up in per cent from one row to another, with `~` if either was disturbed.
fn gain(old: &Row, new: &Row) -> String {
    let figure = format!("{:.2}", speed_up(old.figure(), new.figure()));
    if old.disturbed || new.disturbed { format!("~{figure}") } else { figure }
}

/// The table of all candidates at the lengths of the paper's tables.
fn every_way(measured: &Measured) -> String {
    let names = measured.candidates.iter().map(|c| c.subject.name.trim_start_matches("carryless/").into());
    let columns: Vec<String> = [String::from("length"), "blocks".into()].into_iter().chain(names).collect();
    let mut text = head("Here: every way", &columns, 2);
    for (length, rows) in &measured.tables {
        let cells = rows.iter().map(|row| marked(row, row.figure()));
        line(&mut text, &[length.to_string(), blocks(*length)].into_iter().chain(cells).collect::<Vec<_>>());
    }
    text
}

/// Every comparison on every machine: its name and the pairs of all lengths.
fn comparisons(measured: &Measured) -> Vec<(String, Vec<Pair>)> {
    let on = |&cpu: &Cpu| {
        COMPARED.map(|[old, new]| {
            let name = format!("{}, {} over {}", cpu.name(), new.name(), old.name());
            (name, measured.pairs(cpu, [old, new]))
        })
    };
    measured.machines.iter().flat_map(on).collect()
}

/// The table of the greatest and the average speed-ups over the paper's ranges.
fn ranges(paper: &Paper, measured: &Measured) -> String {
    let columns = ["where", "setting", "bytes", "greatest %", "average %"].map(String::from);
    let mut text = head("Speed-ups over ranges of lengths", &columns, 3);
    let name =
        |lengths: &std::ops::RangeInclusive<usize>| format!("{} to {}", lengths.start(), lengths.end());
    for range in &paper.ranges {
        let cells = [range.place, range.setting].map(String::from).into_iter();
        let figures = range.figures.map(String::from);
        line(&mut text, &cells.chain([name(&range.lengths)]).chain(figures).collect::<Vec<_>>());
    }
    let mut spans: Vec<_> = paper.ranges.iter().map(|range| &range.lengths).collect();
    spans.sort_by_key(|span| *span.start());
    spans.dedup();
    for (setting, pairs) in comparisons(measured) {
        for span in &spans {
            if let Some(figures) = most_and_average(&pairs, span) {
                let figures = figures.map(|figure| format!("{figure:.2}"));
                let cells = [String::from("here"), setting.clone(), name(span)];
                line(&mut text, &cells.into_iter().chain(figures).collect::<Vec<_>>());
            }
        }
    }
    text
}

/// The table of the shares of all lengths that are faster, as fast, and slower.
fn all_shares(paper: &Paper, measured: &Measured) -> String {
    let columns = ["where", "setting", "faster %", "same %", "slower %"].map(String::from);
    let title = format!("Shares of lengths from 49 to 4000 bytes ({} here)", measured.all.len());
    let mut text = head(&title, &columns, 2);
    for shares in &paper.shares {
        let cells = [shares.place, shares.setting].into_iter().chain(shares.figures).map(String::from);
        line(&mut text, &cells.collect::<Vec<_>>());
    }
    for (setting, pairs) in comparisons(measured) {
        let figures = shares(&pairs).map(|figure| format!("{figure:.2}"));
        line(&mut text, &[String::from("here"), setting].into_iter().chain(figures).collect::<Vec<_>>());
    }
    text
}

/// The table of average speed-ups by the number of blocks in the first row, which they may not fill, and by
/// whether the last block is short.
fn by_blocks(measured: &Measured) -> String {
    let most = measured.machines.iter().map(|cpu| cpu.lanes()).max().unwrap_or(0);
    let mut columns = vec![String::from("setting"), "last block".into()];
    columns.extend((1..=most).map(|blocks| format!("{blocks}")));
    let mut text = head("Average speed-ups by the blocks of the first row", &columns, 2);
    for &cpu in &measured.machines {
        for ways @ [old, new] in COMPARED {
            let pairs = measured.pairs(cpu, ways);
            for short in [false, true] {
                let of = |rho: usize| {
                    let belongs = |pair: &&Pair| {
                        // Blocks of the first row: from 1 up to the number of lanes.
                        let own = (pair.length.div_ceil(16) - 1) % cpu.lanes() + 1;
                        own == rho && pair.length.is_multiple_of(16) != short
                    };
                    average(&pairs.iter().filter(belongs).map(Pair::speed_up).collect::<Vec<_>>())
                };
                let mut cells = vec![
                    format!("{}, {} over {}", cpu.name(), new.name(), old.name()),
                    String::from(if short { "short" } else { "whole" }),
                ];
                cells.extend(
                    (1..=most).map(|rho| of(rho).map_or(String::new(), |figure| format!("{figure:.2}"))),
                );
                line(&mut text, &cells);
            }
        }
    }
    text
}

/// Title and head of a table whose first `words` columns are text, aligned left.
fn head(title: &str, columns: &[String], words: usize) -> String {
    let mut text = format!("\n### {title}\n\n");
    line(&mut text, columns);
    let rule: Vec<String> =
        (0..columns.len()).map(|i| if i < words { "---".into() } else { "---:".into() }).collect();
    text += &format!("|{}|\n", rule.join("|"));
    text
}

fn line(text: &mut String, cells: &[String]) {
    writeln!(text, "| {} |", cells.join(" | ")).expect("to a string");
}

/// The paper's figures and ours at all lengths, one figure a line.
pub(super) fn csv(paper: &Paper, measured: &Measured) -> String {
    let mut text = String::from("table,whose,length,method,cycles_per_byte,setting\n");
    let mut add = |names: [&str; 2], length: usize, method: &str, figure: &str, setting: &str| {
        let setting = setting.replace('"', "\"\"");
        let [table, whose] = names;
        writeln!(text, "{table},{whose},{length},{method},{figure},\"{setting}\"").expect("to a string");
    };
    for table in &paper.tables {
        for line in &table.lines {
            add([table.name, "paper"], line.length, "goll-gueron", line.original, table.setting);
            add([table.name, "paper"], line.length, "balanced", line.modified, table.setting);
        }
    }
    for (table, lengths) in [("tables", &measured.tables), ("all lengths", &measured.all)] {
        for (length, rows) in lengths {
            for row in rows {
                let figure = format!("{:.5}", row.figure());
                add([table, "here"], *length, &row.subject, &figure, &measured.environment.cpu);
            }
        }
    }
    text
}
