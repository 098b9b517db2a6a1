//! Numbers that stand in more than one place: `xtask/facts.toml` says where each comes from and which phrases state it.
use serde::Deserialize;

/// The file with the list.
pub(super) const LIST: &str = "xtask/facts.toml";

/// What a phrase has in place of the number.
const NUMBER: &str = "{}";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    fact: Vec<Fact>,
    #[serde(default)]
    features: Vec<Features>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Features {
    manifest: String,
    page: String,
    without: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fact {
    source: String,
    value: Option<String>,
    count: Option<String>,
    /// The line before the rows that are counted; a line `}` ends them.
    block: Option<String>,
    says: Vec<String>,
}

/// Whether the phrases are looked for in a file.
pub(super) fn is_page(path: &str) -> bool {
    // The list itself has every phrase, with a placeholder for the number.
    path != LIST && (path.ends_with(".md") || path.ends_with(".toml") || path.ends_with("lib.rs"))
}

/// The complaints about pages that state another number, phrases that no page has, and sources without a number.
/// `read` gives the text of a source.
pub(super) fn check(pages: &[(&str, String)], list: &str, read: impl Fn(&str) -> String) -> Vec<String> {
    let list: Facts = match toml::from_str(list) {
        Ok(list) => list,
        Err(error) => return vec![format!("{LIST}: {error}")],
    };
    let pages: Vec<(&str, String)> = pages.iter().map(|(path, text)| (*path, flowed(text))).collect();
    let mut complaints = Vec::new();
    for Fact { source, value, count, block, says } in &list.fact {
        let text = read(source);
        let text = block.as_ref().map_or(text.as_str(), |start| {
            let rest = text.split_once(&format!("\n{start}\n")).map_or("", |(_, rest)| rest);
            rest.split_once("\n}\n").map_or(rest, |(rows, _)| rows)
        });
        let number = match (value, count) {
            (Some(phrase), None) => numbers(text, phrase).next().map(str::to_string),
            (None, Some(phrase)) => Some(numbers(text, phrase).count().to_string()),
            _ => None,
        };
        // A count of 0 means that the source changed its form, not that nothing is left.
        let Some(number) = number.filter(|number| number != "0") else {
            complaints.push(format!("{LIST}: {source} has no number {value:?} {count:?}"));
            continue;
        };
        for phrase in says {
            let found =
                || pages.iter().flat_map(|(path, text)| numbers(text, phrase).map(move |of| (path, of)));
            if found().next().is_none() {
                complaints.push(format!("{LIST}: no page says \"{phrase}\""));
            }
            let wrong = found().filter(|(_, other)| *other != number);
            complaints.extend(wrong.map(|(path, other)| {
                format!("{path}: \"{}\", but {source} gives {number}", phrase.replace(NUMBER, other))
            }));
        }
    }
    for Features { manifest, page, without } in &list.features {
        // A manifest that cannot be parsed becomes an empty table, and that has no features.
        let (package, page_text) = (read(manifest).parse::<toml::Table>().unwrap_or_default(), read(page));
        let Some(features) = package.get("features").and_then(toml::Value::as_table) else {
            complaints.push(format!("{LIST}: {manifest} has no features"));
            continue;
        };
        let named = |name: &str| name == "default" || page_text.contains(&format!("`{name}`"));
        let missing = features.keys().filter(|name| !without.contains(name) && !named(name));
        complaints.extend(missing.map(|name| format!("{page}: the feature {name} of {manifest} is missing")));
        let gone = without.iter().filter(|name| !features.contains_key(*name));
        complaints.extend(gone.map(|name| format!("{LIST}: {manifest} has no feature {name}")));
    }
    complaints
}

/// A text in one line, without the marks of comments in Rust.
fn flowed(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !["//!", "///"].contains(word));
    words.collect::<Vec<_>>().join(" ")
}

/// What stands for the number wherever a text has the phrase. If the phrase begins with the number, that is one word.
fn numbers<'a>(text: &'a str, phrase: &str) -> impl Iterator<Item = &'a str> {
    let (before, after) = phrase.split_once(NUMBER).unwrap_or((phrase, ""));
    let found: Vec<&str> = if before.is_empty() {
        // Nothing marks where the number begins, so the whole word before the rest is a candidate.
        let heads = text.match_indices(after).map(|(at, _)| &text[..at]);
        let words = heads.filter_map(|head| head.rsplit([' ', '(']).next());
        // A word such as `64-bit` begins with a number but does not state one.
        words.filter(|word| first_number(word) == *word).collect()
    } else {
        let rests = text.match_indices(before).map(|(at, _)| &text[at + before.len()..]);
        let with_after = rests.map(|rest| (first_number(rest), rest));
        with_after
            .filter(|(number, rest)| rest[number.len()..].starts_with(after))
            .map(|(number, _)| number)
            .collect()
    };
    found.into_iter().filter(|number| !number.is_empty())
}

/// The number at the start of a text, such as `1.89` or `130 to 190`; empty if there is none.
fn first_number(text: &str) -> &str {
    let is_end = |c: char| !c.is_ascii_digit() && c != '.' && c != ',';
    // A point or comma at the end belongs to the sentence, not to the number.
    let one = text[..text.find(is_end).unwrap_or(text.len())].trim_end_matches(['.', ',']);
    match text[one.len()..].strip_prefix(" to ").map(first_number) {
        Some(last) if !one.is_empty() && !last.is_empty() => &text[..one.len() + " to ".len() + last.len()],
        _ => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_is_found() {
        let list = "[[fact]]\nsource='rows.rs'\ncount=': {};'\nblock='fields! {'\nsays=['{} fields', 'all {} of them']\n\
                    [[fact]]\nsource='versions'\nvalue='oldest = \"{}\"'\nsays=['Rust {} or later']\n";
        let read = |source: &str| match source {
            "rows.rs" => "c: 3;\nfields! {\n  a: 1;\n  b: 2;\n}\nd: 4;\n".to_string(),
            _ => "oldest = \"1.89\"\n".to_string(),
        };
        let of = |text: &str| check(&[("a.md", text.to_string())], list, read);
        assert_eq!(of("2 fields, all 2 of them.\nRust\n1.89 or later, no 3 curves, GF(2^m) fields"), [""; 0]);
        assert_eq!(
            of("3 fields, all 2 of them, //! Rust 1.88 or later"),
            [
                "a.md: \"3 fields\", but rows.rs gives 2",
                "a.md: \"Rust 1.88 or later\", but versions gives 1.89"
            ]
        );
        assert_eq!(of("2 fields, Rust 1.89 or later"), ["xtask/facts.toml: no page says \"all {} of them\""]);
        let nothing = check(&[], list, |_| String::new());
        assert!(nothing.len() == 2 && nothing[0].contains("rows.rs has no number"), "{nothing:?}");
        assert_eq!(check(&[], "[[fact]]\n", read).len(), 1);
    }

    #[test]
    fn a_missing_feature_is_found() {
        let list = "fact=[]\nfeatures=[{manifest='m', page='p', without=['c', 'e']}]\n";
        let read = |source: &str| match source {
            "m" => "[features]\ndefault=[]\na=[]\nb=[]\nc=[]\n".to_string(),
            _ => "`a`".to_string(),
        };
        let wanted = ["p: the feature b of m is missing", "xtask/facts.toml: m has no feature e"];
        assert_eq!(check(&[], list, read), wanted);
        assert_eq!(check(&[], list, |_| String::new()), ["xtask/facts.toml: m has no features"]);
    }
}
