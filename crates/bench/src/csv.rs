//! Comma-separated values, quoted as RFC 4180 says.
use std::fmt::Display;

/// A text of comma-separated values below a line of names.
#[derive(Clone, Debug)]
pub(crate) struct Csv(String);

impl Csv {
    /// A text with no line yet below its names.
    pub(crate) fn new(names: &str) -> Csv {
        Csv(format!("{names}\n"))
    }

    /// Adds a line. Fields with a comma or a quote in them are quoted.
    pub(crate) fn line(&mut self, fields: &[&dyn Display]) {
        let quoted = |field: &&dyn Display| match field.to_string() {
            text if text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\"\"")),
            text => text,
        };
        self.0 += &fields.iter().map(quoted).collect::<Vec<_>>().join(",");
        self.0.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// The fields of each line of such a text, for tests of the files.
#[cfg(test)]
pub(crate) fn fields(text: &str) -> Vec<Vec<String>> {
    let line = |line: &str| {
        let mut fields = vec![String::new()];
        // What is at odd places between quotes is quoted. A doubled quote leaves an empty part.
        for (place, part) in line.split('"').enumerate() {
            let mut parts = if place % 2 == 1 { vec![part] } else { part.split(',').collect() }.into_iter();
            let last = fields.last_mut().expect("there is always one");
            last.extend(parts.next());
            fields.extend(parts.map(String::from));
        }
        fields
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        let mut csv = Csv::new("length,cpu");
        csv.line(&[&16, &"A \"B\", C"]);
        csv.line(&[&0.25, &"D E"]);
        let text = csv.into_text();
        assert_eq!(text, "length,cpu\n16,\"A \"\"B\"\", C\"\n0.25,D E\n");
        assert_eq!(fields(&text).iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2]);
    }
}
