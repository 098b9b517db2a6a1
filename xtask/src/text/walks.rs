//! Pages that list the files to touch for something new, compared with the files of an example that exists.
use std::collections::BTreeSet;

use crate::shell;

/// A page and its sections that have the list, the name of an example in the place of `NAME` in its paths, and words of
/// which every file of the example has one.
struct Walk {
    page: &'static str,
    sections: &'static [&'static str],
    name: &'static str,
    words: &'static [&'static str],
}

const WALKS: [Walk; 6] = [
    Walk { words: &["Avx512VlIfma", "avx512vlifma"], ..BACKEND },
    Walk { words: &["VpclmulYmmGfni", "vpclmul-ymm-gfni"], ..BACKEND },
    Walk { words: &["Gf193"], sections: &["A field GF(2^m)", "A curve"], ..FIELD },
    Walk { words: &["C2tnb239v1", "c2tnb239v1"], sections: &["A curve"], ..FIELD },
    Walk { words: &["1271"], sections: &["A prime for the hashes"], ..FIELD },
    Walk {
        page: "book/src/adding-a-command.md",
        sections: &["Files to touch"],
        name: "diff",
        words: &["mod diff", "Diff(", "carryless diff"],
    },
];

const BACKEND: Walk = Walk {
    page: "book/src/adding-a-backend.md",
    sections: &["Files to touch", "Checks"],
    name: "x86",
    words: &[],
};

const FIELD: Walk = Walk { page: "book/src/adding-a-field.md", sections: &[], name: "", words: &[] };

/// Files that nobody changes for something new: records, and pages, whose rules are those of `facts`.
const EXEMPT: [&str; 5] = ["book/", "bench/", "README.md", "CHANGELOG.md", "xtask/src/text/walks.rs"];

/// The files of each example that its page does not name.
pub(super) fn check(files: &[(&str, String)]) -> Vec<String> {
    let read = |path: &str| std::fs::read_to_string(shell::root().join(path)).unwrap_or_default();
    WALKS.iter().flat_map(|walk| walk.check(&read(walk.page), files)).collect()
}

impl Walk {
    fn check(&self, page: &str, files: &[(&str, String)]) -> Vec<String> {
        let page = page.replace("NAME", self.name);
        let sections = page.split("\n## ").filter(|section| self.has_section(section));
        let named: BTreeSet<&str> = sections.flat_map(|text| text.split('`').skip(1).step_by(2)).collect();
        let touched = files.iter().filter(|(path, text)| {
            !EXEMPT.iter().any(|exempt| path.starts_with(exempt))
                && self.words.iter().any(|word| has_word(text, word))
        });
        let mut touched = touched.map(|(path, _)| path).peekable();
        if touched.peek().is_none() {
            return vec![format!("{}: no file has {:?}, the example of the check", self.page, self.words)];
        }
        let missing = touched.filter(|path| !named.iter().any(|name| names(name, path)));
        missing.map(|path| format!("{}: {path} is not named, but has {}", self.page, self.words[0])).collect()
    }

    fn has_section(&self, section: &str) -> bool {
        section.lines().next().is_some_and(|heading| self.sections.contains(&heading))
    }
}

/// Whether a name in backquotes is that of a file: its path, the end of its path, or a folder above it.
fn names(name: &str, path: &str) -> bool {
    let name = name.trim_end_matches('/');
    let is_end = || path.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'));
    let is_folder = || path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    path == name || (name.contains('.') && is_end()) || is_folder()
}

/// Whether a text has a word, and not only within a longer one; a number may follow letters.
fn has_word(text: &str, word: &str) -> bool {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    let is_part = |c: char| c.is_ascii_digit() || (c.is_ascii_alphanumeric() && !is_number);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && (!after.starts_with(is_part) || word.ends_with('('))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_page_does_not_name_are_found() {
        let walk = Walk { page: "p.md", sections: &["Files"], name: "diff", words: &["Gf193"] };
        let files = |path| [(path, "type A = Gf193;".to_string())];
        let page =
            "# P\n\n## Files\n`a/src/NAME.rs`, `list.rs` in `b/src`, all of `c/tests`\n## More\n`d/src`";
        for path in ["a/src/diff.rs", "b/src/list.rs", "b/src/x/list.rs", "c/tests/a/b.rs"] {
            assert!(walk.check(page, &files(path)).is_empty(), "{path}");
        }
        for path in ["a/src/other.rs", "a/src/mylist.rs", "c/testsuite/a.rs", "d/src/a.rs"] {
            assert_eq!(walk.check(page, &files(path)).len(), 1, "{path}");
        }
        // An example that is gone checks nothing.
        assert_eq!(walk.check(page, &[("a.rs", "Gf1931 MyGf193".into())]).len(), 1);
        assert!(has_word("x.Diff(a)", "Diff(") && !has_word("MyDiff(a)", "Diff("));
        assert!(has_word("polyhash1271_on", "1271") && !has_word("0x12714", "1271"));
    }
}
