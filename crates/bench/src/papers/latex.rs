//! Markdown tables as LaTeX, for papers that cite a report. Each becomes a `tabular` that needs no package,
//! with its heading as a comment.
use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};

/// All tables of a Markdown text as LaTeX.
pub(super) fn tables(markdown: &str) -> String {
    let (mut text, mut cell, mut heading) = (String::new(), String::new(), String::new());
    let mut first = true;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::TableCell) => cell.clear(),
            Event::End(TagEnd::Heading(_)) => heading = std::mem::take(&mut cell),
            Event::Start(Tag::Table(columns)) => {
                let columns: String = columns.iter().map(column).collect();
                text += &format!("% {heading}\n\\begin{{tabular}}{{{columns}}}\n\\hline\n");
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => first = true,
            Event::End(TagEnd::TableCell) => {
                text += if std::mem::take(&mut first) { "" } else { " & " };
                text += &escaped(&cell);
            }
            Event::End(TagEnd::TableHead) => text += " \\\\\n\\hline\n",
            Event::End(TagEnd::TableRow) => text += " \\\\\n",
            Event::End(TagEnd::Table) => text += "\\hline\n\\end{tabular}\n\n",
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                cell += &part
            }
            Event::SoftBreak | Event::HardBreak => cell.push(' '),
            _ => {}
        }
    }
    text
}

fn column(alignment: &Alignment) -> char {
    match alignment {
        Alignment::Right => 'r',
        Alignment::Center => 'c',
        Alignment::Left | Alignment::None => 'l',
    }
}

/// Text with all characters escaped that LaTeX reads as commands.
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

    #[test]
    fn a_table_becomes_a_tabular() {
        let markdown = "# All\n\ntext\n\n### Table 5, _x_\n\n| a_b & c | % |\n|---|---:|\n| `X^n - 1` <~ | **~2.5** |\n| \\{ | |\n";
        assert_eq!(
            tables(markdown),
            "% Table 5, x\n\\begin{tabular}{lr}\n\\hline\na\\_b \\& c & \\% \\\\\n\\hline\n\
             X\\textasciicircum{}n - 1 $<$\\textasciitilde{} & \\textasciitilde{}2.5 \\\\\n\\{ &  \\\\\n\\hline\n\\end{tabular}\n\n"
        );
        assert_eq!(tables("no table\n"), "");
    }
}
