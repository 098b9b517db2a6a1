//! The choice of rows, and the tables in Markdown.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use super::records::{Figure, Item};

/// The library whose figures are ours.
const OURS: &str = "carryless";

/// The contents of `bench/report.toml`: pages, tables, and the names of CPUs on them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Selection {
    pub(super) page: PathBuf,
    pub(super) chart: Chart,
    pub(super) short: Short,
    cpus: BTreeMap<String, String>,
    table: Vec<Table>,
}

/// The picture of the first table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chart {
    pub(super) page: PathBuf,
    /// The name of the CPU, as `cpus` has it.
    #[cfg_attr(not(feature = "bench"), expect(dead_code, reason = "only the feature `bench` draws"))]
    cpu: String,
}

/// A table of a few rows of the others, for another page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Short {
    pub(super) page: PathBuf,
    row: Vec<Pick>,
}

/// A row of a table on one CPU, and what stands in the first column instead.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pick {
    table: String,
    row: String,
    cpu: String,
    name: String,
}

/// A table: a family at some lengths, or operations by their names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) title: String,
    about: String,
    /// The heading of the first column.
    column: String,
    family: Option<String>,
    #[serde(default)]
    lengths: Vec<usize>,
    /// Whether `lengths` are in bits; else they are in bytes.
    #[serde(default)]
    bits: bool,
    /// Figures are cycles per byte.
    #[serde(default)]
    per_byte: bool,
    #[serde(default)]
    items: Vec<String>,
}

impl Selection {
    /// # Errors
    /// If the file cannot be read, or a table has neither a family nor items.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let selection: Selection = toml::from_str(&text).with_context(|| path.display().to_string())?;
        ensure!(!selection.table.is_empty(), "{}: no tables", path.display());
        for table in &selection.table {
            let of_family = table.family.is_some() && !table.lengths.is_empty();
            // Exactly one of the two: both or neither would make the values differ.
            ensure!(of_family == table.items.is_empty(), "{}: a family or items", table.title);
        }
        Ok(selection)
    }

    /// The table whose picture is drawn.
    #[cfg(feature = "bench")]
    pub(super) fn first(&self) -> &Table {
        &self.table[0]
    }

    fn cpu<'a>(&'a self, cpu: &'a str) -> &'a str {
        self.cpus.get(cpu).map_or(cpu, String::as_str)
    }
}

impl Table {
    /// The rows: what stands in the first column, and what was measured.
    fn rows(&self) -> Vec<(String, Item)> {
        let bytes = |length: usize| if self.bits { length.div_ceil(8) } else { length };
        match &self.family {
            Some(family) => {
                let row = |&length| (group(length as f64), Item::Length(family.clone(), bytes(length)));
                self.lengths.iter().map(row).collect()
            }
            None => self.items.iter().map(|item| (item.clone(), Item::Operation(item.clone()))).collect(),
        }
    }

    /// A figure as the table prints it: cycles, or cycles per byte.
    fn value(&self, figure: &Figure) -> f64 {
        match figure.item {
            Item::Length(_, length) if !self.per_byte => figure.cycles * length as f64,
            _ => figure.cycles,
        }
    }
}

/// Whether a figure is ours, by what users call; other subjects of ours force a kernel.
fn is_ours(figure: &Figure) -> bool {
    let best = matches!(figure.item, Item::Operation(_)) || figure.subject == "carryless/best";
    figure.library == OURS && best
}

/// Whether a figure is of another library. Earlier versions of ours are named after their commit, and other functions
/// of ours after their family.
fn is_peer(figure: &Figure) -> bool {
    const PEERS: [&str; 14] = [
        "aws-lc",
        "openssl",
        "ipsec-mb",
        "libsodium",
        "rustcrypto",
        "ring",
        "gf2x",
        "authors",
        "ntl",
        "relic",
        "crrl",
        "hqc-kem",
        "liboqs",
        "leancrypto",
    ];
    PEERS.contains(&figure.library.as_str())
}

/// Our figure of an item and a peer's, measured together on a CPU. Of each peer the newest record counts, and of these
/// the one in which the peer does best: a strong peer is not hidden by a newer run of a weak one.
fn strongest<'a>(figures: &'a [Figure], item: &Item, cpu: &str) -> Option<(&'a Figure, &'a Figure)> {
    let here = || figures.iter().filter(|figure| figure.item == *item && figure.cpu == cpu);
    let mut newest: BTreeMap<&str, (&Figure, &Figure)> = BTreeMap::new();
    for ours in here().filter(|figure| is_ours(figure)) {
        for peer in here().filter(|figure| is_peer(figure) && figure.record == ours.record) {
            let entry = newest.entry(&peer.subject).or_insert((ours, peer));
            // Days are written year first, so they sort as text.
            if (&ours.day, ours.record) > (&entry.0.day, entry.0.record) {
                *entry = (ours, peer);
            }
        }
    }
    // The ratio is ours over the peer's, so the strongest peer has the greatest one.
    newest.into_values().max_by(|(a, p), (b, q)| (a.cycles / p.cycles).total_cmp(&(b.cycles / q.cycles)))
}

/// All tables, with a heading for each.
pub(super) fn markdown(selection: &Selection, figures: &[Figure]) -> String {
    let cpus: BTreeSet<&str> = figures.iter().map(|figure| figure.cpu.as_str()).collect();
    let mut text = String::new();
    for table in &selection.table {
        let mut rows: Vec<(String, &Figure, &Figure)> = Vec::new();
        for (name, item) in table.rows() {
            let found = cpus.iter().filter_map(|cpu| strongest(figures, &item, cpu));
            rows.extend(found.map(|(ours, peer)| (name.clone(), ours, peer)));
        }
        // The newest CPU first; within it the order of the table, which a stable sort keeps.
        let newest_of = |cpu: &str| rows.iter().filter(|row| row.1.cpu == cpu).map(|row| &row.1.day).max();
        let mut keyed: Vec<_> = rows.iter().map(|row| (newest_of(&row.1.cpu), row)).collect();
        // CPUs of one day are told apart by name. Their rows would mix otherwise.
        keyed.sort_by(|(a, x), (b, y)| b.cmp(a).then_with(|| y.1.cpu.cmp(&x.1.cpu)));
        let title = &table.title;
        let head = format!("| {} | ours | strongest peer | ratio | CPU, date, commit |", table.column);
        // Writing to a string cannot fail.
        _ = write!(text, "## {title}\n\n{}\n\n{head}\n|---|---:|---:|---:|---|\n", table.about);
        let mut before = String::new();
        for (_, (name, ours, peer)) in keyed {
            text.push_str(&line(selection, table, name, (ours, peer), &mut before));
        }
        text.push('\n');
    }
    // The last table needs no empty line below it.
    text.pop();
    text
}

/// The table of the other page.
///
/// # Errors
/// If the tables have no such row, or no record has it on that CPU.
pub(super) fn short(selection: &Selection, figures: &[Figure]) -> Result<String> {
    let mut text =
        String::from("| | ours | strongest peer | ratio | CPU, date, commit |\n|---|---:|---:|---:|---|\n");
    let mut before = String::new();
    for pick in &selection.short.row {
        let table = selection.table.iter().find(|table| table.title == pick.table);
        let rows = table.into_iter().flat_map(|table| table.rows().into_iter().map(move |row| (table, row)));
        // A CPU without records gives no row, and so the error below.
        let cpu = figures.iter().map(|figure| &figure.cpu).find(|cpu| selection.cpu(cpu) == pick.cpu);
        let mut found = rows.filter(|(_, (row, _))| *row == pick.row).filter_map(|(table, (_, item))| {
            Some(line(selection, table, &pick.name, strongest(figures, &item, cpu?)?, &mut before))
        });
        text.push_str(&found.next().with_context(|| format!("no record for the row {}", pick.name))?);
    }
    Ok(text)
}

/// A line of a table. The last column is empty if it would repeat the one `before`.
fn line(
    selection: &Selection,
    table: &Table,
    name: &str,
    (ours, peer): (&Figure, &Figure),
    before: &mut String,
) -> String {
    let run = format!("{}, {}, {}", selection.cpu(&ours.cpu), ours.day, ours.commit);
    let line = format!(
        "| {name} | {} | {} {} | {:.2}{} | {} |\n",
        group(table.value(ours)),
        group(table.value(peer)),
        peer.library,
        ours.cycles / peer.cycles,
        if ours.disturbed || peer.disturbed { " ~" } else { "" },
        if run == *before { "" } else { &run },
    );
    *before = run;
    line
}

/// The figures of the first table's family in its newest record on the picture's CPU, with their lengths: ours by what users call, and the
/// fastest subject of each peer at the longest message.
#[cfg(feature = "bench")]
pub(super) fn newest_run<'a>(
    selection: &Selection,
    figures: &'a [Figure],
) -> Option<Vec<(usize, &'a Figure)>> {
    let family = selection.first().family.as_deref()?;
    let length = |figure: &Figure| match &figure.item {
        Item::Length(of, length) if of == family => Some(*length),
        _ => None,
    };
    let of_family = || {
        let of_cpu = figures.iter().filter(|figure| selection.cpu(&figure.cpu) == selection.chart.cpu);
        of_cpu.filter_map(|figure| Some((length(figure)?, figure)))
    };
    // A run of ours alone would make a picture that compares nothing.
    let with_peers = of_family().filter(|(_, figure)| is_peer(figure));
    let (_, newest) = with_peers.max_by_key(|(_, figure)| (&figure.day, figure.record))?;
    let run = || of_family().filter(|(_, figure)| figure.record == newest.record);
    let longest = run().map(|(length, _)| length).max()?;
    let mut best: BTreeMap<&str, (&str, f64)> = BTreeMap::new();
    for (_, figure) in run().filter(|(length, figure)| *length == longest && is_peer(figure)) {
        let entry = best.entry(&figure.library).or_insert((&figure.subject, figure.cycles));
        if figure.cycles < entry.1 {
            *entry = (&figure.subject, figure.cycles);
        }
    }
    let shown =
        |figure: &Figure| is_ours(figure) || best.values().any(|(subject, _)| *subject == figure.subject);
    Some(run().filter(|(_, figure)| shown(figure)).collect())
}

/// A number of three digits, or all of its digits in groups of three.
fn group(value: f64) -> String {
    // Lengths are whole and keep all digits, while a figure below 100 is shown with three.
    if value < 100.0 && value.fract() != 0.0 {
        let places = if value < 10.0 { 2 } else { 1 };
        return format!("{value:.places$}");
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(library: &str, cycles: f64, day: &str, record: usize) -> Figure {
        Figure {
            item: Item::Length("poly1305".into(), 64),
            library: library.into(),
            subject: format!("{library}/best"),
            cycles,
            quartiles: None,
            disturbed: false,
            cpu: "C".into(),
            commit: format!("c{record}"),
            day: day.into(),
            record,
        }
    }

    fn selection() -> Selection {
        let text = "page='p'\n[chart]\npage='c'\ncpu='Zen 9'\n[short]\npage='s'\nrow=[{table='T',row='64',cpu='Zen 9',name='N'}]\n[cpus]\nC='Zen 9'\n[[table]]\ntitle='T'\nabout='A.'\ncolumn='bytes'\n\
                    family='poly1305'\nlengths=[64, 65]\nper_byte=true\n";
        toml::from_str(text).expect("a selection")
    }

    /// The newest record of each peer counts, and of these the one in which the peer does best.
    #[test]
    fn the_strongest_peer_of_the_newest_runs() {
        // Record 0 has the worst ratio, but every peer in it has a newer record. Record 2 lacks ipsec-mb,
        // whose newest is thus record 1. `a350994fe2` is an earlier version of ours.
        let figures = [
            figure("carryless", 9.0, "2026-11-21", 0),
            figure("openssl", 1.0, "2026-11-21", 0),
            figure("carryless", 1.0, "2026-11-22", 1),
            figure("openssl", 4.0, "2026-11-22", 1),
            figure("ipsec-mb", 2.0, "2026-11-22", 1),
            figure("a350994fe2", 0.5, "2026-11-22", 1),
            figure("carryless", 0.5, "2026-11-23", 2),
            figure("openssl", 4.0, "2026-11-23", 2),
        ];
        let wanted = "## T\n\nA.\n\n| bytes | ours | strongest peer | ratio | CPU, date, commit |\n|---|---:|---:|---:|---|\n\
                      | 64 | 1 | 2 ipsec-mb | 0.50 | Zen 9, 2026-11-22, c1 |\n";
        assert_eq!(markdown(&selection(), &figures), wanted);

        let wanted = "| | ours | strongest peer | ratio | CPU, date, commit |\n|---|---:|---:|---:|---|\n\
                      | N | 1 | 2 ipsec-mb | 0.50 | Zen 9, 2026-11-22, c1 |\n";
        assert_eq!(short(&selection(), &figures).expect("a table"), wanted);
        assert!(short(&selection(), &figures[..1]).is_err(), "without a peer");
        let mut other = selection();
        other.short.row[0].row = "65".into();
        assert!(short(&other, &figures).is_err(), "without a figure");
    }

    /// The picture shows one CPU, whichever was measured last.
    #[cfg(feature = "bench")]
    #[test]
    fn the_picture_is_of_its_cpu() {
        let other = |library, record| {
            let figure = figure(library, 1.0, "2026-11-23", record);
            Figure { cpu: "Other".into(), ..figure }
        };
        let figures = [
            figure("carryless", 1.0, "2026-11-22", 0),
            figure("openssl", 4.0, "2026-11-22", 0),
            other("carryless", 1),
            other("openssl", 1),
        ];
        let run = newest_run(&selection(), &figures).expect("a run");
        assert!(run.len() == 2 && run.iter().all(|(_, figure)| figure.cpu == "C"));
    }

    #[test]
    fn numbers_are_grouped() {
        for (value, text) in
            [(0.123, "0.12"), (12.34, "12.3"), (64.0, "64"), (345.6, "346"), (1_234_567.0, "1,234,567")]
        {
            assert_eq!(group(value), text);
        }
    }

    #[test]
    fn a_table_has_a_family_or_items() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.toml");
        let with = |rest: &str| {
            let text = format!(
                "page='p'\n[chart]\npage='c'\ncpu='C'\n[short]\npage='s'\nrow=[]\n[cpus]\n[[table]]\ntitle='T'\nabout='A'\ncolumn='c'\n{rest}"
            );
            fs::write(&path, text).expect("a file");
            Selection::read(&path).is_ok()
        };
        assert!(with("family='f'\nlengths=[1]\n") && with("items=['a b']\n"));
        assert!(!with("") && !with("family='f'\nlengths=[1]\nitems=['a b']\n") && !with("item=['a']\n"));
    }
}
