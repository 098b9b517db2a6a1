//! Joins results to tags: of whole objects, and of objects whose parts come from several tasks.
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use anyhow::{Result, ensure};
use carryless_aead::file_mac::{FileMac, PART, Part, Parts};
use carryless_hash::Tag;
use zeroize::Zeroizing;

use super::results::Outcome;
use super::task::{Listed, Plan, Share, Task};

/// The tag of an object, or the reason why it has none.
pub(super) type Tagged = Result<Tag, String>;

/// The objects of a plan, with the results so far.
pub(super) struct Joining {
    /// For each object of the listing its tag or error, once known.
    pub(super) tagged: Vec<Option<Tagged>>,
    /// Incomplete objects that are cut into parts, by their number in the listing.
    cut: HashMap<usize, Cut>,
    /// For each task whether its result has come.
    done: Vec<bool>,
    left: usize,
    pub(super) bytes: u64,
}

/// An object of which some parts have come.
struct Cut {
    parts: Parts,
    /// Size of the object in bytes, as listed.
    size: u64,
    /// Index of the next part to join.
    next: u64,
    /// Parts that came early, by the index of the first one. They are as secret as the keys of the hash.
    early: BTreeMap<u64, Zeroizing<Vec<u8>>>,
    /// Number of tasks of this object without a result.
    left: usize,
    failed: Option<String>,
}

impl Joining {
    pub(super) fn new(plan: &Plan, objects: &[Listed], mac: &FileMac) -> Self {
        let mut cut = HashMap::new();
        for share in &plan.shares {
            if let Share::Parts(object, _) = share {
                // One count for each task of the object: the last result completes it.
                cut.entry(*object).or_insert_with(|| Cut::new(mac, objects[*object].size)).left += 1;
            }
        }
        Joining {
            tagged: vec![None; objects.len()],
            cut,
            done: vec![false; plan.shares.len()],
            left: plan.shares.len(),
            bytes: 0,
        }
    }

    /// Returns the number of tasks without a result.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Returns whether the result of this task has come.
    pub(super) fn is_done(&self, index: u64) -> bool {
        self.done[index as usize]
    }

    /// Takes the result of a task that has not come before.
    ///
    /// # Errors
    /// On a result that no honest worker makes. Nothing has changed then, so a repeated task can still succeed.
    pub(super) fn take(
        &mut self,
        plan: &Plan,
        mac: &FileMac,
        task: &Task,
        outcomes: Vec<Outcome>,
    ) -> Result<()> {
        let index = task.index as usize;
        match &plan.shares[index] {
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
                // An object leaves the map with the last of its results, and each counts once.
                if let Some(cut) = self.cut.get_mut(object) {
                    outcomes.into_iter().try_for_each(|outcome| cut.take(mac, range, outcome))?;
                    cut.left -= 1;
                    // The last result of the object: its tag can be computed now.
                    if cut.left == 0
                        && let Some(cut) = self.cut.remove(object)
                    {
                        self.tagged[*object] = Some(cut.tagged()?);
                    }
                }
            }
        }
        self.done[index] = true;
        self.left -= 1;
        self.bytes += task.bytes();
        Ok(())
    }
}

impl Cut {
    fn new(mac: &FileMac, size: u64) -> Self {
        Cut { parts: mac.parts(), size, next: 0, early: BTreeMap::new(), left: 0, failed: None }
    }

    /// Takes the parts of a task, which have the indices of `range`. Joins them and all early ones that follow.
    fn take(&mut self, mac: &FileMac, range: &Range<u64>, outcome: Outcome) -> Result<()> {
        match outcome {
            // A failed object gets no tag, so its parts are of no use.
            Outcome::Parts(_) if self.failed.is_some() => {}
            Outcome::Parts(bytes) => {
                self.check(mac, range, &bytes)?;
                self.early.insert(range.start, bytes);
            }
            Outcome::Failed(reason) => drop(self.failed.get_or_insert(reason)),
            Outcome::Tag(_) => drop(self.failed.get_or_insert("a tag where parts were asked for".into())),
        }
        // Parts that wait are as secret as keys. Dropping them wipes them.
        if self.failed.is_some() {
            self.early.clear();
        }
        // Parts must be joined in order. A result that comes early waits until those before it are there.
        while let Some(bytes) = self.early.remove(&self.next) {
            for part in bytes.as_chunks::<{ Part::SECRET_BYTES }>().0 {
                self.parts.push(&mac.part_from_secret_bytes(part)?)?;
                self.next += 1;
            }
        }
        Ok(())
    }

    /// Checks that these are the parts of the range, under this key. Costs a parse of 96 bytes a part, which joining
    /// repeats; in return an error leaves nothing half joined.
    fn check(&self, mac: &FileMac, range: &Range<u64>, bytes: &[u8]) -> Result<()> {
        let (parts, rest) = bytes.as_chunks::<{ Part::SECRET_BYTES }>();
        let expected = range.end - range.start;
        ensure!(rest.is_empty() && parts.len() as u64 == expected, "a malformed result of a worker");
        for (part, index) in parts.iter().zip(range.clone()) {
            // Refuses a part under another key or algorithm, or of a manifest.
            let part = mac.part_from_secret_bytes(part)?;
            let length = self.left_after(index).min(PART as u64);
            // A part with the contents of another place has an index of its own, unless it is empty.
            ensure!(part.len() == length && length > 0, "a part of another length");
            ensure!(part.index() == index, "a part of another place");
        }
        Ok(())
    }

    /// Returns the number of bytes from the part of this index on.
    fn left_after(&self, index: u64) -> u64 {
        self.size.saturating_sub(index.saturating_mul(PART as u64))
    }

    /// Returns the tag of the object, or the reason why it failed, when the results of all its tasks have come.
    fn tagged(self) -> Result<Tagged> {
        if let Some(reason) = self.failed {
            return Ok(Err(reason));
        }
        ensure!(self.left_after(self.next) == 0, "parts of an object are missing");
        Ok(Ok(self.parts.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_aead::file_mac::{Algorithm, Subject};

    /// An object of four parts, the last of 5 bytes, in tasks of two, one and one, and one that is read whole.
    struct Run {
        mac: FileMac,
        contents: Vec<u8>,
        objects: Vec<Listed>,
        plan: Plan,
    }

    impl Run {
        fn new(algorithm: Algorithm) -> Self {
            let contents: Vec<u8> = (0..3 * PART + 5).map(|i| (i >> 7) as u8).collect();
            let listed = |size| Listed { name: b"a"[..].into(), size, identity: b"i"[..].into() };
            let objects = vec![listed(contents.len() as u64), listed(3)];
            let shares =
                vec![Share::Parts(0, 0..2), Share::Parts(0, 2..3), Share::Parts(0, 3..4), Share::Whole(0..1)];
            let mac = FileMac::new(algorithm, Subject::File, &[7; 32]);
            Run { mac, contents, objects, plan: Plan { shares, whole: vec![1] } }
        }

        fn joining(&self) -> Joining {
            Joining::new(&self.plan, &self.objects, &self.mac)
        }

        /// Bytes of parts of the object, by their indices.
        fn parts(&self, indices: &[usize]) -> Outcome {
            let part = |i: usize| &self.contents[i * PART..self.contents.len().min((i + 1) * PART)];
            let bytes = indices.iter().map(|i| self.mac.part(*i as u64, part(*i)).to_secret_bytes());
            Outcome::Parts(Zeroizing::new(bytes.flat_map(|bytes| *bytes).collect()))
        }

        /// The outcome that the task should have.
        fn outcome(&self, task: u64) -> Outcome {
            match task {
                0 => self.parts(&[0, 1]),
                1 => self.parts(&[2]),
                2 => self.parts(&[3]),
                _ => Outcome::Tag(self.mac.tag(b"abc")),
            }
        }

        fn take(&self, joining: &mut Joining, task: u64, outcome: Outcome) -> Result<()> {
            let planned = self.plan.task(&self.objects, task).expect("a task");
            joining.take(&self.plan, &self.mac, &planned, vec![outcome])
        }
    }

    #[test]
    fn parts_are_joined_in_any_order() {
        for algorithm in Algorithm::ALL {
            let run = Run::new(algorithm);
            for order in [[0, 1, 2, 3], [2, 1, 0, 3], [3, 1, 2, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
                let mut joining = run.joining();
                for (come, task) in order.into_iter().enumerate() {
                    assert_eq!((joining.left(), joining.is_done(task)), (4 - come, false));
                    run.take(&mut joining, task, run.outcome(task)).expect("a result");
                    assert!(joining.is_done(task));
                }
                let tags = [run.mac.tag(&run.contents), run.mac.tag(b"abc")].map(|tag| Some(Ok(tag)));
                assert_eq!(joining.tagged, tags, "{order:?}");
                assert_eq!((joining.left(), joining.bytes), (0, run.contents.len() as u64 + 3));
            }
        }
    }

    /// Parts of other tasks, too few or too many, in another order, or of another length give no tag.
    #[test]
    fn other_parts_are_refused() {
        let run = Run::new(Algorithm::default());
        let wrong: [(u64, &[usize]); 6] =
            [(0, &[1, 0]), (0, &[0, 0]), (0, &[0, 2]), (0, &[0]), (1, &[1]), (1, &[3])];
        for (task, indices) in wrong {
            let mut joining = run.joining();
            for now in 0..3 {
                if now == task {
                    let refused = run.take(&mut joining, now, run.parts(indices));
                    assert!(refused.is_err() && !joining.is_done(now), "{indices:?} for task {task}");
                }
                assert_eq!(joining.tagged[0], None);
                // A refused result leaves nothing: the right one counts after it.
                run.take(&mut joining, now, run.outcome(now)).expect("the right result");
            }
            assert_eq!(
                joining.tagged[0],
                Some(Ok(run.mac.tag(&run.contents))),
                "{indices:?} for task {task}"
            );
        }
        for (index, bytes) in [(3, &b""[..]), (3, b"1234"), (3, b"123456"), (2, b""), (2, b"short")] {
            let mut joining = run.joining();
            run.take(&mut joining, 0, run.outcome(0)).expect("a result");
            if index == 3 {
                run.take(&mut joining, 1, run.outcome(1)).expect("a result");
            }
            let part = Zeroizing::new(run.mac.part(index, bytes).to_secret_bytes().to_vec());
            let joined = run.take(&mut joining, index - 1, Outcome::Parts(part));
            let error = joined.expect_err("another length").to_string();
            assert_eq!(error, "a part of another length", "{index} {}", bytes.len());
        }
        let other = FileMac::new(Algorithm::default(), Subject::File, &[8; 32]);
        let foreign =
            Zeroizing::new(other.part(2, &run.contents[2 * PART..3 * PART]).to_secret_bytes().to_vec());
        let mut joining = run.joining();
        run.take(&mut joining, 0, run.outcome(0)).expect("a result");
        assert!(run.take(&mut joining, 1, Outcome::Parts(foreign)).is_err());
    }

    /// An object with one failure has failed, whatever results come before or after it.
    #[test]
    fn failures_are_kept() {
        let run = Run::new(Algorithm::default());
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            for failing in 0..3 {
                let mut joining = run.joining();
                for task in order {
                    let outcome =
                        if task == failing { Outcome::Failed("lost".into()) } else { run.outcome(task) };
                    run.take(&mut joining, task, outcome).expect("a result");
                }
                assert_eq!(joining.tagged[0], Some(Err("lost".into())), "{order:?} {failing}");
            }
        }
        // Outcomes of the other kind.
        let mut joining = run.joining();
        for task in 0..4 {
            run.take(&mut joining, task, run.outcome((task + 3) % 4)).expect("a result");
        }
        assert!(joining.tagged.iter().all(|tagged| matches!(tagged, Some(Err(_)))));
    }
}
