//! Names that differ only in their Unicode form: `é` as one character (NFC), or as `e` and an accent (NFD).
//!
//! macOS and some archivers change the form. To verify, these are two names, but they look like one. Exact rules need
//! large tables; this is for a hint, and only compares what both forms leave alone.
use std::collections::BTreeMap;

use crate::name::escape;
use crate::verdict::{Class, Verdict};

/// A name with what has one form taken as it is, and all else as one placeholder for each letter.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Outline(String);

/// Stands for a letter with its accents, in either form. No name contains it.
const LETTER: char = '\0';

/// Returns the outline of a name and the number of characters behind its placeholders. `None` for a name of which all
/// characters are ASCII, or not UTF-8: it has no other form.
fn outline(name: &[u8]) -> Option<(Outline, usize)> {
    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_ascii())?;
    let (mut text, mut characters) = (String::with_capacity(name.len()), 0);
    for c in name.chars() {
        characters += 1;
        match c {
            // A mark belongs to the letter before it, whatever that is.
            '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}' => {
                text.pop();
                text.push(LETTER);
            }
            // Vowels and final consonants of a Hangul syllable, which begins with another consonant.
            '\u{1161}'..='\u{11ff}' => {}
            c if c.is_ascii() => text.push(c),
            _ => text.push(LETTER),
        }
    }
    Some((Outline(text), characters))
}

/// Collects names of two kinds, such as missing and new ones, and finds a pair that looks equal.
#[derive(Default)]
pub(crate) struct Twins {
    names: BTreeMap<(bool, Outline, usize), Vec<u8>>,
}

impl Twins {
    /// Adds a name of one of the two kinds.
    pub(crate) fn add(&mut self, name: &[u8], second: bool) {
        if let Some((outline, characters)) = outline(name) {
            self.names.entry((second, outline, characters)).or_insert_with(|| name.to_vec());
        }
    }

    /// Adds the name of a verdict, if it is a missing or a new one.
    pub(crate) fn take(&mut self, name: &[u8], verdict: &Verdict) {
        let is_new = verdict.from().is_some() || verdict.status.class() == Class::New;
        if is_new || verdict.is_elsewhere() || verdict.status.class() == Class::Missing {
            self.add(name, is_new);
        }
        // In a comparison of manifests, the old name has no verdict of its own.
        verdict.from().into_iter().for_each(|from| self.add(from, false));
    }

    /// Adds the name of one tree, where the two kinds are the two forms.
    pub(crate) fn add_by_form(&mut self, name: &[u8]) {
        let has_marks =
            outline(name).is_some_and(|(outline, characters)| outline.0.chars().count() < characters);
        self.add(name, has_marks);
    }

    /// Returns a hint if names of the first kind look like one of the second: one such pair, and the number of others.
    pub(crate) fn hint(&self) -> Option<String> {
        let firsts = self.names.range(..(true, Outline::default(), 0));
        let mut pairs = firsts.filter_map(|((_, outline, count), name)| {
            let (first, last) = ((true, outline.clone(), 0), (true, outline.clone(), usize::MAX));
            let mut others = self.names.range(first..=last);
            others.find(|((.., other), _)| other != count).map(|(_, other)| (name, other))
        });
        let (name, other) = pairs.next()?;
        let more = match pairs.count() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let (name, other) = (escape(name), escape(other));
        Some(format!(
            "{name} and {other}{more}: two names that seem to differ only in their Unicode form (NFC, NFD)"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_forms_of_a_name_are_twins() {
        for (one, other, expected) in [
            ("caf\u{e9}", "cafe\u{301}", true),
            ("\u{1ebf}", "e\u{302}\u{301}", true),
            ("\u{1ebf}", "\u{ea}\u{301}", true),
            ("\u{439}.txt", "\u{438}\u{306}.txt", true),
            ("\u{304c}", "\u{304b}\u{3099}", true),
            ("\u{d55c}\u{ae00}", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", true),
            // Other names, and equal ones.
            ("caf\u{e9}", "caf\u{e9}", false),
            ("caf\u{e9}", "caf\u{fc}", false),
            ("caf\u{e9}", "cafes\u{301}", false),
            ("caf\u{e9}1", "cafe\u{301}2", false),
            ("cafe", "cafe\u{301}", false),
        ] {
            let mut twins = Twins::default();
            twins.add(one.as_bytes(), false);
            twins.add(other.as_bytes(), true);
            assert_eq!(twins.hint().is_some(), expected, "{one} {other}");
        }
        assert!(outline(b"\xff\xc3").is_none());
    }
}
