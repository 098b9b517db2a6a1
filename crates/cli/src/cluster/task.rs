//! Tasks: what one call of a worker reads, as bytes, and how a listing is cut into them.
use std::ops::Range;

use anyhow::{Context as _, Result, ensure};
use carryless_aead::file_mac::PART;

/// A run has no more tasks: a scheduler takes about a millisecond for each.
pub const MOST_TASKS: u64 = 100_000;

/// A task for each thread is too few where some are slower than others.
const TASKS_PER_THREAD: u64 = 4;
/// Objects of a task, and bytes, where they are enough and not too many.
const OBJECTS: (u64, u64) = (16, 1024);
const BYTES: (u64, u64) = (8 << 20, 1 << 30);

/// An object as it was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The bytes of its name in the manifest.
    pub name: Box<[u8]>,
    /// Its length in bytes.
    pub size: u64,
    /// What changes when it changes, besides its size: times of a file, an ETag.
    pub identity: Box<[u8]>,
}

/// What one call of a worker reads: whole objects, or some parts of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// Counted from 0; bound to the result.
    pub(super) index: u64,
    pub(super) objects: Vec<Listed>,
    /// Which parts of 2^20 bytes of the only object; none if objects are whole.
    pub(super) parts: Option<Range<u64>>,
}

const MAGIC: &[u8; 8] = b"cltask-1";

impl Task {
    /// The bytes of a task. Numbers are little-endian, of 8 bytes:
    /// `cltask-1`, index, first part, number of parts (0: whole objects), and for each object its size, the lengths of name and identity, both of these.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let parts = self.parts.clone().unwrap_or(0..0);
        let mut bytes = MAGIC.to_vec();
        let numbers = |bytes: &mut Vec<u8>, three: [u64; 3]| {
            bytes.extend_from_slice(three.map(u64::to_le_bytes).as_flattened());
        };
        numbers(&mut bytes, [self.index, parts.start, parts.end - parts.start]);
        for Listed { name, size, identity } in &self.objects {
            numbers(&mut bytes, [*size, name.len() as u64, identity.len() as u64]);
            bytes.extend_from_slice(name);
            bytes.extend_from_slice(identity);
        }
        bytes
    }

    /// A task from its bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::try_from_bytes(bytes).context("the bytes are no task")
    }

    fn try_from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let [index, first, count] = numbers(&mut rest)?;
        let mut objects = Vec::new();
        while !rest.is_empty() {
            let [size, name, identity] = numbers(&mut rest)?;
            let name = take(&mut rest, name)?.into();
            objects.push(Listed { name, size, identity: take(&mut rest, identity)?.into() });
        }
        let parts = (count > 0).then_some(first..first.checked_add(count)?);
        let fits = parts.as_ref().is_none_or(
            |parts| matches!(&objects[..], [only] if parts.end <= only.size.div_ceil(PART as u64)),
        );
        fits.then_some(Task { index, objects, parts })
    }

    /// Bytes that it reads.
    pub(super) fn bytes(&self) -> u64 {
        match (&self.parts, &self.objects[..]) {
            (Some(parts), [only]) => only.size.min(parts.end * PART as u64) - parts.start * PART as u64,
            _ => self.objects.iter().map(|object| object.size).sum(),
        }
    }
}

fn take<'b>(rest: &mut &'b [u8], length: u64) -> Option<&'b [u8]> {
    let (now, later) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = later;
    Some(now)
}

fn numbers(rest: &mut &[u8]) -> Option<[u64; 3]> {
    let bytes = take(rest, 24)?.as_chunks::<8>().0;
    bytes.first_chunk().map(|numbers: &[[u8; 8]; 3]| numbers.map(u64::from_le_bytes))
}

/// What a task reads, in terms of a plan.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Parts of this object.
    Parts(usize, Range<u64>),
    /// These of the objects that are read whole.
    Whole(Range<usize>),
}

/// A listing cut into tasks.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) shares: Vec<Share>,
    /// The objects that are read whole, in the order of the listing.
    pub(super) whole: Vec<usize>,
}

impl Plan {
    /// Tasks for so many threads, at most [`MOST_TASKS`] of them.
    ///
    /// A task ends with as many objects as it may have, or before the object with which it had more bytes than it may: of n objects and b bytes, and at most `o`
    /// objects and `m` bytes for a task, there are at most n / o + 2 b / m + 1 tasks, objects of more than `m` bytes included, which are cut.
    pub(super) fn new(objects: &[Listed], threads: usize) -> Result<Self> {
        let mut total = 0_u64;
        for object in objects {
            total = total.checked_add(object.size).context("more than 2^64 bytes")?;
        }
        let shares = TASKS_PER_THREAD * (threads as u64).clamp(1, MOST_TASKS);
        let most = |all: u64, (least, enough): (u64, u64)| {
            all.div_ceil(shares).clamp(least, enough).max(all.div_ceil(MOST_TASKS / 3))
        };
        let parts = most(total, BYTES).div_ceil(PART as u64);
        let mut plan = Plan::default();
        plan.cut(objects, parts);
        plan.gather(objects, most(objects.len() as u64, OBJECTS), parts.saturating_mul(PART as u64));
        ensure!(plan.shares.len() as u64 <= MOST_TASKS, "more than {MOST_TASKS} tasks");
        Ok(plan)
    }

    /// Cuts objects of more than so many parts; others are read whole. Large tasks come first, so that none is left over at the end.
    fn cut(&mut self, objects: &[Listed], most: u64) {
        for (i, object) in objects.iter().enumerate() {
            let all = object.size.div_ceil(PART as u64);
            if all <= most {
                self.whole.push(i);
                continue;
            }
            let mut start = 0;
            while start < all {
                let end = all.min(start + most);
                self.shares.push(Share::Parts(i, start..end));
                start = end;
            }
        }
    }

    fn gather(&mut self, objects: &[Listed], most_objects: u64, most_bytes: u64) {
        let (mut start, mut bytes) = (0, 0_u64);
        for (at, i) in self.whole.iter().enumerate() {
            let size = objects[*i].size;
            if at > start && ((at - start) as u64 >= most_objects || bytes + size > most_bytes) {
                self.shares.push(Share::Whole(start..at));
                (start, bytes) = (at, 0);
            }
            bytes += size;
        }
        if start < self.whole.len() {
            self.shares.push(Share::Whole(start..self.whole.len()));
        }
    }

    /// The bytes of the tasks' names and numbers are made when they are sent.
    pub(super) fn task(&self, objects: &[Listed], index: u64) -> Option<Task> {
        let share = self.shares.get(usize::try_from(index).ok()?)?;
        let (parts, objects) = match share {
            Share::Parts(i, parts) => (Some(parts.clone()), vec![objects[*i].clone()]),
            Share::Whole(range) => {
                (None, self.whole[range.clone()].iter().map(|i| objects[*i].clone()).collect())
            }
        };
        Some(Task { index, objects, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(size: u64) -> Listed {
        Listed { name: size.to_string().into_bytes().into(), size, identity: b"id"[..].into() }
    }

    #[test]
    fn bytes_are_read_back() {
        for parts in [None, Some(1..3)] {
            let sizes: &[u64] = if parts.is_some() { &[3 << 20] } else { &[0, 1 << 40, 7] };
            let task = Task { index: 3, objects: sizes.iter().map(|n| listed(*n)).collect(), parts };
            let bytes = task.to_bytes();
            assert_eq!(Task::from_bytes(&bytes).expect("a task"), task);
            for length in 0..bytes.len() {
                assert!(Task::from_bytes(&bytes[..length]).map_or(true, |other| other != task));
            }
        }
        let beyond = Task { index: 0, objects: vec![listed(3 << 20)], parts: Some(2..4) };
        assert!(Task::from_bytes(&beyond.to_bytes()).is_err());
    }

    /// Every byte of every object is in one task, and there are no more tasks than there may be.
    #[test]
    fn plans_cover_the_listing() {
        let huge = vec![listed(1 << 45); 3];
        let small = vec![listed(4096); 20_000];
        let mixed: Vec<_> = (0..5000_u64).map(|i| listed((i % 7) << (i % 28))).collect();
        let many = vec![listed(2 << 20); 4_000_000];
        for (objects, most) in [(huge, MOST_TASKS), (small, 40), (mixed, 5000), (many, 30_000), (vec![], 0)] {
            let plan = Plan::new(&objects, 4).expect("a plan");
            assert!(plan.shares.len() as u64 <= most, "{}", plan.shares.len());
            let mut bytes = vec![0; objects.len()];
            for share in &plan.shares {
                match share {
                    Share::Parts(i, parts) => {
                        bytes[*i] += objects[*i].size.min(parts.end << 20) - (parts.start << 20);
                    }
                    Share::Whole(range) => {
                        plan.whole[range.clone()].iter().for_each(|i| bytes[*i] += objects[*i].size);
                    }
                }
            }
            assert!(bytes.iter().zip(&objects).all(|(bytes, object)| *bytes == object.size));
        }
    }
}
