//! Results put together: tags of whole objects, and of those whose parts came from several tasks.
use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, ensure};
use carryless_aead::file_mac::{FileMac, Part, Parts};
use carryless_hash::Tag;
use zeroize::Zeroizing;

use super::task::{Plan, Share, Task};
use super::worker::Outcome;

/// What became of an object: its tag, or why it has none.
pub(super) type Tagged = Result<Tag, String>;

/// The objects of a plan, as far as they have come.
pub(super) struct Joining {
    /// For each object of the listing.
    pub(super) tagged: Vec<Option<Tagged>>,
    /// Objects that are cut and not complete.
    cut: HashMap<usize, Cut>,
    /// Tasks whose results have come.
    done: Vec<bool>,
    left: usize,
    pub(super) bytes: u64,
}

/// An object of which some parts have come.
struct Cut {
    parts: Parts,
    /// Index of the part that comes next.
    next: u64,
    /// What came early, by the index of its first part: bytes of parts, which are secret.
    early: BTreeMap<u64, Zeroizing<Vec<u8>>>,
    /// Tasks that have not come.
    left: usize,
    failed: Option<String>,
}

impl Joining {
    pub(super) fn new(plan: &Plan, objects: usize, mac: &FileMac) -> Self {
        let new = || Cut { parts: mac.parts(), next: 0, early: BTreeMap::new(), left: 0, failed: None };
        let mut cut = HashMap::new();
        for share in &plan.shares {
            if let Share::Parts(object, _) = share {
                cut.entry(*object).or_insert_with(new).left += 1;
            }
        }
        Joining {
            tagged: vec![None; objects],
            cut,
            done: vec![false; plan.shares.len()],
            left: plan.shares.len(),
            bytes: 0,
        }
    }

    /// Tasks that have not come.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Whether this task's result is the first to come.
    pub(super) fn is_first(&mut self, index: usize) -> bool {
        let first = !std::mem::replace(&mut self.done[index], true);
        self.left -= usize::from(first);
        first
    }

    /// The outcomes of a task.
    pub(super) fn take(
        &mut self,
        plan: &Plan,
        mac: &FileMac,
        task: &Task,
        outcomes: Vec<Outcome>,
    ) -> Result<()> {
        self.bytes += task.bytes();
        match &plan.shares[task.index as usize] {
            Share::Whole(range) => {
                for (object, outcome) in plan.whole[range.clone()].iter().zip(outcomes) {
                    let tagged = match outcome {
                        Outcome::Tag(tag) => Ok(tag),
                        Outcome::Failed(reason) => Err(reason),
                        Outcome::Parts(_) => Err("parts where a tag was asked for".into()),
                    };
                    self.tagged[*object] = Some(tagged);
                }
            }
            Share::Parts(object, range) => {
                let Some(cut) = self.cut.get_mut(object) else { return Ok(()) };
                outcomes.into_iter().try_for_each(|outcome| cut.take(mac, range.start, outcome))?;
                cut.left -= 1;
                if cut.left == 0
                    && let Some(cut) = self.cut.remove(object)
                {
                    self.tagged[*object] = Some(cut.failed.map_or_else(|| Ok(cut.parts.finalize()), Err));
                }
            }
        }
        Ok(())
    }
}

impl Cut {
    /// Takes parts from this index on, and all that waited for them.
    fn take(&mut self, mac: &FileMac, first: u64, outcome: Outcome) -> Result<()> {
        match outcome {
            Outcome::Parts(bytes) => drop(self.early.insert(first, bytes)),
            Outcome::Failed(reason) => drop(self.failed.get_or_insert(reason)),
            Outcome::Tag(_) => drop(self.failed.get_or_insert("a tag where parts were asked for".into())),
        }
        if self.failed.is_some() {
            self.early.clear();
        }
        while let Some(bytes) = self.early.remove(&self.next) {
            let (parts, rest) = bytes.as_chunks::<{ Part::SECRET_BYTES }>();
            ensure!(rest.is_empty(), "a malformed result of a worker");
            for part in parts {
                self.parts.push(&mac.part_from_secret_bytes(part)?)?;
                self.next += 1;
            }
        }
        Ok(())
    }
}
