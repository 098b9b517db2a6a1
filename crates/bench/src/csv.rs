//! Comma-separated values, quoted as RFC 4180 says.
use std::fmt::Display;

/// A text of comma-separated values below a line of names.
pub(crate) struct Csv {
    text: String,
    columns: usize,
}

impl Csv {
    /// A text with no line yet below its names.
    pub(crate) fn new(names: &str) -> Csv {
        Csv { text: format!("{names}\n"), columns: names.split(',').count() }
    }

    /// Adds a line. Fields with a comma or a quote in them are quoted.
    pub(crate) fn line(&mut self, fields: &[&dyn Display]) {
        // A missing field would move all later ones to the wrong column.
        debug_assert_eq!(fields.len(), self.columns, "as many fields as names");
        let quoted = |field: &&dyn Display| match field.to_string() {
            text if text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\"\"")),
            text => text,
        };
        self.text += &fields.iter().map(quoted).collect::<Vec<_>>().join(",");
        self.text.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        let mut csv = Csv::new("length,cpu");
        csv.line(&[&16, &"A \"B\", C"]);
        csv.line(&[&0.25, &"D E"]);
        assert_eq!(csv.into_text(), "length,cpu\n16,\"A \"\"B\"\", C\"\n0.25,D E\n");
    }
}
