//! Counts verdicts, for summaries and exit statuses.
use std::collections::BTreeMap;

use serde::Serialize;

use crate::manifest::Edition;
use crate::verdict::{Class, Status};

/// Number of names with each status, and of bytes read.
#[derive(Default)]
pub(crate) struct Counts {
    of: BTreeMap<Status, u64>,
    pub(crate) bytes: u64,
}

/// The counts in JSON: totals of each class, and details.
#[derive(Serialize)]
pub(crate) struct JsonCounts<'a> {
    ok: u64,
    changed: u64,
    moved: u64,
    missing: u64,
    new: u64,
    error: u64,
    verdicts: &'a BTreeMap<Status, u64>,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial: Option<u64>,
}

/// The last JSON object of a comparison.
#[derive(Serialize)]
pub(crate) struct Summary<'a> {
    pub(crate) summary: JsonCounts<'a>,
}

impl Counts {
    pub(crate) fn add(&mut self, status: Status) {
        *self.of.entry(status).or_default() += 1;
    }

    /// Returns the number of names with statuses of a class.
    pub(crate) fn class(&self, class: Class) -> u64 {
        self.of.iter().filter(|(status, _)| status.class() == class).map(|(_, count)| count).sum()
    }

    /// Returns the number of names that are as recorded, changed or moved: those that were found.
    pub(crate) fn found(&self) -> u64 {
        [Class::Ok, Class::Changed, Class::Moved].map(|class| self.class(class)).iter().sum()
    }

    /// Returns the number of mismatches, without those that options ignore.
    pub(crate) fn wrong(&self, ignore_missing: bool, ignore_new: bool) -> u64 {
        let unless = |ignored: bool, class| if ignored { 0 } else { self.class(class) };
        self.class(Class::Changed)
            + unless(ignore_missing && ignore_new, Class::Moved)
            + unless(ignore_missing, Class::Missing)
            + unless(ignore_new, Class::New)
    }

    /// Returns the counts as text. Verdicts that tell more than their class are counted again.
    pub(crate) fn text(&self) -> String {
        let [ok, changed, moved, missing, new, error] =
            [Class::Ok, Class::Changed, Class::Moved, Class::Missing, Class::New, Class::Error]
                .map(|class| self.class(class));
        let moved = if moved > 0 { format!("{moved} moved, ") } else { String::new() };
        let errors = if error == 1 { "error" } else { "errors" };
        let mut text =
            format!("{ok} ok, {changed} changed, {moved}{missing} missing, {new} new, {error} {errors}");
        let telling = |status: &Status| {
            !matches!(status, Status::Edited | Status::Moved) && status.word() != status.class().word()
        };
        let details = self.of.iter().filter(|(status, _)| telling(status));
        let details: Vec<_> = details.map(|(status, count)| format!("{count} {}", status.word())).collect();
        if !details.is_empty() {
            text.push_str(&format!(" (of these {})", details.join(", ")));
        }
        text
    }

    /// Returns the counts for JSON, with the edition of the manifest.
    pub(crate) fn json(&self, edition: Option<&Edition>) -> Summary<'_> {
        let summary = JsonCounts {
            ok: self.class(Class::Ok),
            changed: self.class(Class::Changed),
            moved: self.class(Class::Moved),
            missing: self.class(Class::Missing),
            new: self.class(Class::New),
            error: self.class(Class::Error),
            verdicts: &self.of,
            bytes: self.bytes,
            date: edition.map(|edition| edition.date.to_string()),
            serial: edition.map(|edition| edition.serial),
        };
        Summary { summary }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_counts_classes_and_what_tells_more() {
        let mut counts = Counts::default();
        assert_eq!(counts.text(), "0 ok, 0 changed, 0 missing, 0 new, 0 errors");
        let all = [Status::Ok, Status::Edited, Status::Missing, Status::New, Status::Error];
        all.into_iter().for_each(|status| counts.add(status));
        assert_eq!(counts.text(), "1 ok, 1 changed, 1 missing, 1 new, 1 error");
        [Status::Decayed, Status::Moved, Status::Copied].into_iter().for_each(|status| counts.add(status));
        let text = "1 ok, 2 changed, 1 moved, 1 missing, 2 new, 1 error (of these 1 decayed, 1 copied)";
        assert_eq!(counts.text(), text);
        let wrong = |missing, new| counts.wrong(missing, new);
        assert_eq!(
            [wrong(false, false), wrong(true, false), wrong(false, true), wrong(true, true)],
            [6, 5, 4, 2]
        );
        assert_eq!(counts.found(), 4);
    }
}
