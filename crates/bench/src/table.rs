//! Tables of results: Markdown for reports and LaTeX for papers that cite them. The page of all papers is
//! made of the Markdown.
use std::fmt::Write;

/// A table under a caption.
#[derive(Clone, Debug, Default)]
pub struct Table {
    caption: String,
    note: String,
    /// `l` or `r` for each column, as LaTeX writes alignments; the last one is also that of all further columns.
    alignment: &'static str,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows. `alignment` is `l` or `r` for each column; its last letter holds for all further columns.
    pub fn new(
        caption: impl ToString,
        alignment: &'static str,
        columns: impl IntoIterator<Item: ToString>,
    ) -> Table {
        let columns = columns.into_iter().map(|column| column.to_string()).collect();
        Table { caption: caption.to_string(), note: String::new(), alignment, columns, rows: vec![] }
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

    /// Adds a row: the cells that name it, then its figures, of which some may be missing.
    pub fn row(
        &mut self,
        names: impl IntoIterator<Item: ToString>,
        figures: impl IntoIterator<Item: Into<Option<String>>>,
    ) {
        let names = names.into_iter().map(|name| name.to_string());
        let figures = figures.into_iter().map(|figure| figure.into().unwrap_or_default());
        self.rows.push(names.chain(figures).collect());
    }

    /// Adds a row as [`Table::row`] does, unless all its figures are missing.
    pub fn row_of_some(
        &mut self,
        names: impl IntoIterator<Item: ToString>,
        figures: impl IntoIterator<Item = Option<String>>,
    ) {
        let figures: Vec<_> = figures.into_iter().collect();
        if figures.iter().any(Option::is_some) {
            self.row(names, figures);
        }
    }

    fn alignments(&self) -> impl Iterator<Item = char> {
        // Tables of many lengths name the alignment of their figures once.
        let last = self.alignment.chars().last().unwrap_or('l');
        self.alignment.chars().chain(std::iter::repeat(last)).take(self.columns.len())
    }

    /// The table as Markdown, after an empty line. It is left out if it has no rows.
    pub fn markdown(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        // An empty line ends the paragraph above, without which Markdown has no table.
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

    /// The table as a `tabular`, which needs no package, with its caption as a comment. It is left out
    /// if it has no rows.
    pub fn latex(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let line = |cells: &[String]| cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" & ");
        // A comment of LaTeX ends with its line, so a caption must not have a line break.
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

fn line(text: &mut String, cells: &[String]) {
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
        table.row(["X^n - 1 <~"], [Some("~2.5".into()), None]);
        table.row_of_some(["nothing"], [None, None]);
        table.row_of_some(["{"], [Some("7".into())]);
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
