//! Tables of results: Markdown for reports and LaTeX for papers that cite them. The page of all papers is
//! made of the Markdown.
use std::fmt::Write;

/// The text of one cell; empty if there is no figure.
#[derive(Clone, Debug)]
pub struct Cell(String);

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell(text.into())
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Cell {
        Cell(number.to_string())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(figure: Option<T>) -> Cell {
        figure.map_or(Cell(String::new()), Into::into)
    }
}

/// A table under a caption.
#[derive(Clone, Debug, Default)]
pub struct Table {
    caption: String,
    note: String,
    /// `l` or `r` for each column, as LaTeX writes alignments; the last one is also that of all further
    /// columns.
    alignment: &'static str,
    columns: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows. `alignment` is `l` or `r` for each column; its last letter holds for all further
    /// columns.
    pub fn new<C: Into<Cell>>(
        caption: impl Into<String>,
        alignment: &'static str,
        columns: impl IntoIterator<Item = C>,
    ) -> Table {
        let columns = columns.into_iter().map(Into::into).collect();
        Table { caption: caption.into(), note: String::new(), alignment, columns, rows: vec![] }
    }

    /// Puts a paragraph between the caption and the table.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Table {
        Table { note: note.into(), ..self }
    }

    /// The same table without its caption, for a page that has a heading above it already.
    #[must_use]
    pub fn without_caption(self) -> Table {
        Table { caption: String::new(), ..self }
    }

    /// Adds a row: the cells that name it, then its figures.
    pub fn row<N: Into<Cell>, F: Into<Cell>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
        figures: impl IntoIterator<Item = F>,
    ) {
        let names = names.into_iter().map(Into::into);
        self.rows.push(names.chain(figures.into_iter().map(Into::into)).collect());
    }

    /// Adds a row as [`Table::row`] does, unless it has no figure at all.
    pub fn row_of_some<N: Into<Cell>, F: Into<Cell>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
        figures: impl IntoIterator<Item = F>,
    ) {
        let figures: Vec<Cell> = figures.into_iter().map(Into::into).collect();
        if figures.iter().any(|cell| !cell.0.is_empty()) {
            self.row(names, figures);
        }
    }

    fn alignments(&self) -> impl Iterator<Item = char> {
        let last = self.alignment.chars().last().unwrap_or('l');
        self.alignment.chars().chain(std::iter::repeat(last)).take(self.columns.len())
    }

    /// The table as Markdown, after an empty line. It is left out if it has no rows.
    pub fn markdown(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let mut text = String::from("\n");
        if !self.caption.is_empty() {
            text += &format!("### {}\n\n", self.caption);
        }
        if !self.note.is_empty() {
            text += &format!("{}\n\n", self.note);
        }
        line(&mut text, &self.columns);
        let rules = self.alignments().map(|side| if side == 'r' { "---:|" } else { "---|" });
        text += &format!("|{}\n", rules.collect::<String>());
        self.rows.iter().for_each(|row| line(&mut text, row));
        text
    }

    /// The table as a `tabular`, which needs no package, with its caption as a comment. It is left out if it
    /// has no rows.
    pub fn latex(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let line = |cells: &[Cell]| cells.iter().map(|cell| escaped(&cell.0)).collect::<Vec<_>>().join(" & ");
        let mut text = format!(
            "% {}\n\\begin{{tabular}}{{{}}}\n\\hline\n{} \\\\\n\\hline\n",
            self.caption,
            self.alignments().collect::<String>(),
            line(&self.columns)
        );
        self.rows.iter().for_each(|row| writeln!(text, "{} \\\\", line(row)).expect("to a string"));
        text + "\\hline\n\\end{tabular}\n\n"
    }
}

fn line(text: &mut String, cells: &[Cell]) {
    let cells: Vec<&str> = cells.iter().map(|cell| cell.0.as_str()).collect();
    writeln!(text, "| {} |", cells.join(" | ")).expect("to a string");
}

/// The text of a cell with all characters escaped that LaTeX reads as commands.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '\\' => escaped += "\\textbackslash{}",
            // Outside of formulas these letters are other ones in LaTeX's default fonts.
            '<' | '>' => escaped.extend(['$', letter, '$']),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("Table 5, X", "lr", ["a_b & c", "%", "none"]);
        table.row(["X^n - 1 <~"], [Some("~2.5"), None]);
        table.row_of_some(["nothing"], [None::<&str>; 2]);
        table.row_of_some(["{"], [Some(7)]);
        table
    }

    #[test]
    fn a_table_is_markdown() {
        let rows = "| a_b & c | % | none |\n|---|---:|---:|\n| X^n - 1 <~ | ~2.5 |  |\n| { | 7 |\n";
        assert_eq!(table().markdown(), format!("\n### Table 5, X\n\n{rows}"));
        assert_eq!(table().without_caption().with_note("Few.").markdown(), format!("\nFew.\n\n{rows}"));
    }

    #[test]
    fn a_table_is_a_tabular() {
        assert_eq!(
            table().latex(),
            "% Table 5, X\n\\begin{tabular}{lrr}\n\\hline\na\\_b \\& c & \\% & none \\\\\n\\hline\n\
             X\\textasciicircum{}n - 1 $<$\\textasciitilde{} & \\textasciitilde{}2.5 &  \\\\\n\\{ & 7 \\\\\n\\hline\n\\end{tabular}\n\n"
        );
    }

    #[test]
    fn a_table_without_rows_is_left_out() {
        let table = Table::new("none", "l", ["a"]);
        assert_eq!(table.markdown() + &table.latex(), "");
    }
}
