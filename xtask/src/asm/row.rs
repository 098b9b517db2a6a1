//! Rows of the files in `xtask/asm`, and their expansion into rules and limits.
use super::names::{Names, Target};
use super::operands::Limit;
use super::rules::{Exactly, Rule};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// A row of `[[rule]]`: one or more rules, or the common part of its `rows`. `backends.toml` explains the fields.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    on: Option<List>,
    kernel: Option<List>,
    whole: Option<BTreeMap<String, usize>>,
    loops: Option<BTreeMap<String, Vec<usize>>>,
    stack: Option<usize>,
    copies: Option<usize>,
    panics: Option<usize>,
    #[serde(default)]
    rows: Vec<Spanned<Row>>,
}

/// A row of `[[operands]]`: limits for the kernels of an operation. `operands.toml` explains the fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spills {
    on: List,
    kernel: String,
    #[serde(default)]
    spills: BTreeMap<String, usize>,
}

/// A list of strings. A single one may stand without brackets: `"a"` or `["a", "b"]`.
#[derive(Clone, Deserialize)]
// Without the text, serde says only that no variant of the enum matches.
#[serde(untagged, expecting = "expected a string or a list of strings")]
enum List {
    One(String),
    Many(Vec<String>),
}

impl List {
    fn items(&self) -> &[String] {
        match self {
            List::One(item) => std::slice::from_ref(item),
            List::Many(items) => items,
        }
    }
}

const NO_BACKEND: &str = "there is no backend: `on` is missing or empty";

/// Returns the items of a list; `None` if the list is missing or empty.
fn named(list: Option<&List>) -> Option<&[String]> {
    list.map(List::items).filter(|items| !items.is_empty())
}

/// A file, to expand its rows and to name their places.
pub(super) struct Source<'a> {
    /// Path from the root of the checkout.
    pub path: &'a str,
    /// Text of the file, which the spans of rows refer to.
    pub text: &'a str,
    /// Backends and instructions that rows may name.
    pub names: &'a Names,
}

impl Source<'_> {
    /// Expands rows that stand inside of `outer`. An error names the file and the line.
    pub(super) fn rules(&self, rows: &[Spanned<Row>], outer: &Row) -> Result<Vec<Rule>, String> {
        let mut rules = Vec::new();
        for row in rows {
            let place = self.place(row.span());
            let full = row.get_ref().inside(outer);
            if full.rows.is_empty() {
                rules.extend(full.rules(&place, self.names).map_err(|why| format!("{place}: {why}"))?);
            } else {
                rules.extend(self.rules(&full.rows, &full)?);
            }
        }
        Ok(rules)
    }

    /// Expands rows of limits. An error names the file and the line.
    pub(super) fn limits(&self, rows: &[Spanned<Spills>]) -> Result<Vec<Limit>, String> {
        let mut limits = Vec::new();
        for row in rows {
            let place = self.place(row.span());
            limits.extend(row.get_ref().limits(&place, self.names).map_err(|why| format!("{place}: {why}"))?);
        }
        Ok(limits)
    }

    /// Returns `path:line` for the start of a span; lines count from 1.
    fn place(&self, span: Range<usize>) -> String {
        format!("{}:{}", self.path, self.text[..span.start].matches('\n').count() + 1)
    }
}

impl Row {
    /// Takes the fields that are missing from the row around it, and prepends that row's parts of the kernel's name.
    fn inside(&self, outer: &Row) -> Row {
        let row = self.clone();
        Row {
            on: row.on.or_else(|| outer.on.clone()),
            kernel: match (&outer.kernel, row.kernel) {
                (Some(outer), Some(inner)) => Some(joined(outer, &inner)),
                (outer, inner) => inner.or_else(|| outer.clone()),
            },
            whole: row.whole.or_else(|| outer.whole.clone()),
            loops: row.loops.or_else(|| outer.loops.clone()),
            stack: row.stack.or(outer.stack),
            copies: row.copies.or(outer.copies),
            panics: row.panics.or(outer.panics),
            // Never those of the outer row, of which this one is part: the expansion would not end.
            rows: row.rows,
        }
    }

    /// Returns a rule for each backend and kernel of the row: at least one.
    fn rules(&self, place: &str, names: &Names) -> Result<Vec<Rule>, String> {
        let on = named(self.on.as_ref()).ok_or(NO_BACKEND)?;
        let kernels =
            named(self.kernel.as_ref()).ok_or("there is no kernel: `kernel` is missing or empty")?;
        let mut rules = Vec::new();
        for backend in on {
            let (target, word) = names.backend(backend)?;
            for kernel in kernels {
                rules.push(Rule {
                    place: place.into(),
                    target: target.triple.clone(),
                    name: words(word, kernel),
                    exactly: self.exactly(target)?,
                    // A limit that no row gives is the strictest one.
                    stack: self.stack.unwrap_or(0),
                    copies: self.copies.unwrap_or(0),
                    panics: self.panics.unwrap_or(0),
                });
            }
        }
        Ok(rules)
    }

    /// Returns the exact numbers of instructions. It is an error if `loops` has a name that `whole` lacks.
    fn exactly(&self, target: &Target) -> Result<Vec<Exactly>, String> {
        let whole = self.whole.iter().flatten();
        let loops = self.loops.clone().unwrap_or_default();
        if let Some(name) = loops.keys().find(|name| whole.clone().all(|(other, _)| other != *name)) {
            return Err(format!("`loops` has {name}, but `whole` has not"));
        }
        // A name without an entry is a mnemonic itself.
        let exactly = |(name, &whole): (&String, &usize)| Exactly {
            mnemonics: target.instructions.get(name).unwrap_or(name).clone(),
            whole,
            loops: loops.get(name).cloned().unwrap_or_default(),
        };
        Ok(whole.map(exactly).collect())
    }
}

impl Spills {
    /// Returns a limit for each backend of the row: at least one.
    fn limits(&self, place: &str, names: &Names) -> Result<Vec<Limit>, String> {
        let limit = |backend: &String| {
            let (target, word) = names.backend(backend)?;
            let mut spills: Vec<_> = self.spills.clone().into_iter().collect();
            // Every symbol contains the empty word.
            spills.push((String::new(), 0));
            let (place, target) = (place.into(), target.triple.clone());
            Ok(Limit { place, target, kernel: words(word, &self.kernel), spills })
        };
        named(Some(&self.on)).ok_or(NO_BACKEND)?.iter().map(limit).collect()
    }
}

/// Returns each outer pattern with each inner one, `*` between them.
fn joined(outer: &List, inner: &List) -> List {
    let mut both = Vec::new();
    for outer in outer.items() {
        both.extend(inner.items().iter().map(|inner| format!("{outer}*{inner}")));
    }
    List::Many(both)
}

/// Returns the substrings that a symbol must contain: that of the backend, and the parts of the kernel's
/// name between `*`. Empty ones are left out, since every symbol contains them.
fn words(backend: &str, kernel: &str) -> Vec<String> {
    let words = std::iter::once(backend).chain(kernel.split('*'));
    words.filter(|word| !word.is_empty()).map(String::from).collect()
}
