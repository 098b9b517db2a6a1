//! The names that a comparison examines: those of the records, and those that the walk found.
use crate::manifest::Record;
use crate::walk::{Item, Kind};

/// A name with its record and with what the walk found, at least one of them.
pub(crate) struct Check<'a> {
    pub(crate) record: Option<&'a Record<'a>>,
    pub(crate) item: Option<&'a Item>,
}

/// Merges records and items, both sorted by name, into one list.
pub(crate) fn pair<'a>(records: &'a [Record<'a>], items: &'a [Item]) -> Vec<Check<'a>> {
    let mut checks = Vec::with_capacity(records.len().max(items.len()));
    let (mut records, mut items) = (records.iter().peekable(), items.iter().peekable());
    loop {
        // Both lists are strictly ascending, so each step takes the smaller name, or both if they are equal.
        let order = match (records.peek(), items.peek()) {
            (None, None) => return checks,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(record), Some(item)) => record.name.as_ref().cmp(&item.name),
        };
        checks.push(Check {
            record: if order.is_le() { records.next() } else { None },
            item: if order.is_ge() { items.next() } else { None },
        });
    }
}

impl<'a> Check<'a> {
    pub(crate) fn name(&self) -> &'a [u8] {
        match (self.record, self.item) {
            (Some(record), _) => &record.name,
            (None, Some(item)) => &item.name,
            (None, None) => b"",
        }
    }

    /// Returns the number of bytes that are probably read: those of a recorded file that is still there.
    pub(crate) fn bytes(&self) -> u64 {
        self.record.filter(|_| self.item.is_some()).and_then(Record::size).unwrap_or(0)
    }

    /// Returns the kind of a name without a record.
    pub(crate) fn new_kind(&self) -> Option<Kind> {
        self.item.filter(|_| self.record.is_none()).map(|item| item.kind)
    }
}
