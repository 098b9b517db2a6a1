//! Tables in Markdown. A row has function, whose code it is, code and parameter, then a figure for each
//! number of blocks.
use std::fmt::Write;

/// Title and head of a table. `columns` are an index and a number of blocks each.
pub(super) fn head(title: &str, columns: &[(usize, usize)]) -> String {
    let mut text = format!("\n### {title}\n\n| function | whose | code | parameter |");
    columns.iter().for_each(|(_, blocks)| write!(text, " {blocks} |").expect("to a string"));
    text += &format!("\n|---|---|---|---|{}\n", "---:|".repeat(columns.len()));
    text
}

/// Adds a row: the four names, then a cell for each column.
pub(super) fn line(text: &mut String, names: [&str; 4], cells: impl Iterator<Item = String>) {
    let names = names.into_iter().map(String::from);
    names.chain(cells).for_each(|cell| write!(text, "| {cell} ").expect("to a string"));
    *text += "|\n";
}
