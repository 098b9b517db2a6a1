//! The results of a task as bytes, which a worker writes and the client reads.
use anyhow::{Result, anyhow, ensure};
use carryless_aead::file_mac::Part;
use carryless_hash::Tag;
use zeroize::{Zeroize as _, Zeroizing};

use super::seal::TAG;
use super::task::Task;

/// The results of a task as bytes. Wiped when dropped, as parts are secret.
///
/// For each object they are 0 and its tag or parts, or 1, the length of a reason (2 bytes, little-endian)
/// and the reason in UTF-8.
pub(super) struct Results {
    pub(super) bytes: Zeroizing<Vec<u8>>,
    of_parts: bool,
}

const DONE: u8 = 0;
const FAILED: u8 = 1;
/// Most characters of a reason; more are cut off.
const MAX_REASON: usize = 1000;

impl Results {
    /// Creates empty results, with room for the tags of all objects. Room for parts is made as they are read,
    /// whatever number the task claims.
    pub(super) fn new(objects: usize, of_parts: bool) -> Self {
        let room = if of_parts { 0 } else { objects * (1 + TAG) };
        Results { bytes: Zeroizing::new(Vec::with_capacity(room)), of_parts }
    }

    /// Appends the tag of the next object.
    pub(super) fn tag(&mut self, tag: &Tag) {
        self.bytes.push(DONE);
        self.bytes.extend_from_slice(tag.as_bytes());
    }

    /// Appends the next part of the only object.
    pub(super) fn part(&mut self, part: &Part) {
        self.make_room(1 + Part::SECRET_BYTES);
        // All parts of the task share one status byte, as they belong to one object.
        if self.bytes.is_empty() {
            self.bytes.push(DONE);
        }
        self.bytes.extend_from_slice(&part.to_secret_bytes()[..]);
    }

    /// Makes room like `Vec::reserve`, but wipes the old memory.
    fn make_room(&mut self, more: usize) {
        if self.bytes.capacity() - self.bytes.len() < more {
            // Doubling: all copies together are less than twice as long as the result.
            let room = (2 * self.bytes.capacity()).max(self.bytes.len() + more);
            let mut larger = Zeroizing::new(Vec::with_capacity(room));
            larger.extend_from_slice(&self.bytes);
            self.bytes = larger;
        }
    }

    /// Appends the reason why the next object has no tag or parts.
    pub(super) fn failure(&mut self, reason: &str) {
        // The parts before the failure are of no use. They are wiped now, since the reason may need other memory.
        if self.of_parts {
            self.bytes.zeroize();
        }
        let reason: String = reason.chars().take(MAX_REASON).collect();
        self.bytes.push(FAILED);
        // No truncation: 1000 characters have at most 4000 bytes in UTF-8.
        self.bytes.extend_from_slice(&(reason.len() as u16).to_le_bytes());
        self.bytes.extend_from_slice(reason.as_bytes());
    }
}

/// The result of one object.
pub(super) enum Outcome {
    Tag(Tag),
    Parts(Zeroizing<Vec<u8>>),
    Failed(String),
}

/// Decodes the results of a task's objects. Fails unless there is exactly one for each.
pub(super) fn outcomes(task: &Task, result: &[u8]) -> Result<Vec<Outcome>> {
    let mut rest = result;
    let mut outcomes = Vec::with_capacity(task.objects.len());
    while !rest.is_empty() {
        // Consumes at least one byte, so the loop ends.
        let outcome = outcome(task, &mut rest).ok_or_else(|| anyhow!("a malformed result of a worker"))?;
        outcomes.push(outcome);
    }
    ensure!(
        outcomes.len() == task.objects.len(),
        "a worker's result for {} objects of {}",
        outcomes.len(),
        task.objects.len()
    );
    Ok(outcomes)
}

/// Splits the result of one object off the beginning of `rest`.
fn outcome(task: &Task, rest: &mut &[u8]) -> Option<Outcome> {
    let (first, after) = rest.split_first()?;
    let (outcome, after) = match (*first, &task.parts) {
        (FAILED, _) => {
            let (length, after) = after.split_first_chunk()?;
            let (reason, after) = after.split_at_checked(u16::from_le_bytes(*length).into())?;
            // Lossy: the client only prints a reason.
            (Outcome::Failed(String::from_utf8_lossy(reason).into_owned()), after)
        }
        (DONE, None) => {
            let (tag, after) = after.split_first_chunk::<TAG>()?;
            (Outcome::Tag(Tag::from(*tag)), after)
        }
        (DONE, Some(parts)) => {
            // Checked, although a client's own tasks are bounded.
            let length = usize::try_from(parts.end - parts.start).ok()?.checked_mul(Part::SECRET_BYTES)?;
            let (parts, after) = after.split_at_checked(length)?;
            (Outcome::Parts(Zeroizing::new(parts.to_vec())), after)
        }
        _ => return None,
    };
    *rest = after;
    Some(outcome)
}

#[cfg(test)]
mod tests {
    use super::super::task::Listed;
    use super::*;
    use carryless_aead::file_mac::{Algorithm, FileMac, Subject};

    fn task(size: u64, parts: Option<std::ops::Range<u64>>) -> Task {
        let only = Listed { name: b"a"[..].into(), size, identity: b"i"[..].into() };
        Task { index: 0, objects: vec![only], parts }
    }

    /// Parts are kept in one growing piece of memory, and are not changed by that.
    #[test]
    fn room_is_made_for_parts() {
        let mut results = Results::new(1, true);
        let part = FileMac::new(Algorithm::default(), Subject::File, &[7; 32]).part(3, b"contents");
        for count in 1..=100 {
            results.part(&part);
            assert_eq!(results.bytes.len(), 1 + count * Part::SECRET_BYTES);
            assert!(results.bytes.capacity() < 2 * results.bytes.len() + 2 * Part::SECRET_BYTES);
        }
        assert_eq!(results.bytes[0], DONE);
        assert!(
            results.bytes[1..].chunks(Part::SECRET_BYTES).all(|bytes| bytes == &part.to_secret_bytes()[..])
        );
    }

    /// Results of another form than the task's are refused.
    #[test]
    fn malformed_results_are_refused() {
        let whole = task(5, None);
        let parts = task(3 << 20, Some(0..2));
        let tag = [&[DONE][..], &[9; 16]].concat();
        let both = [&[DONE][..], &[9; 2 * Part::SECRET_BYTES]].concat();
        let failure = [FAILED, 2, 0, b'n', b'o'];
        for (task, result) in
            [(&whole, &tag), (&whole, &failure.into()), (&parts, &both), (&parts, &failure.into())]
        {
            assert_eq!(outcomes(task, result).expect("a result").len(), 1);
            for length in 0..result.len() {
                assert!(outcomes(task, &result[..length]).is_err(), "{length}");
            }
            assert!(outcomes(task, &[&result[..], &result[..]].concat()).is_err(), "a result too many");
            assert!(outcomes(task, &[&result[..], &[2]].concat()).is_err());
        }
        assert!(outcomes(&whole, &both).is_err() && outcomes(&parts, &tag).is_err());
    }
}
