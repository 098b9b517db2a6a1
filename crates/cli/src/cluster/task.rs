//! Tasks: what one call of a worker reads, as bytes, and how a listing is cut into them.
use std::ops::Range;

use anyhow::{Context as _, Result, ensure};
use carryless_aead::file_mac::PART;

/// A run has no more tasks: a scheduler takes about a millisecond for each.
pub const MOST_TASKS: u64 = 100_000;

/// A task reads no more bytes, 2^20 parts: its result has at most 96 MiB.
pub(super) const MOST_BYTES: u64 = 1 << 40;

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

impl Task {
    /// The bytes of a task, which are sealed on their way. Numbers are little-endian, of 8 bytes:
    /// index, first part, number of parts (0 and 0: whole objects), and for each object its size, the lengths of name and identity, both of these.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let parts = self.parts.clone().unwrap_or(0..0);
        let mut bytes = Vec::new();
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

    /// A task from its bytes, in memory proportional to their number. What it claims to read is bounded.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let task = Self::try_from_bytes(bytes).context("the bytes are no task")?;
        ensure!(task.bytes() <= MOST_BYTES, "a task of more than {MOST_BYTES} bytes");
        Ok(task)
    }

    fn try_from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let [index, first, count] = numbers(&mut rest)?;
        let mut objects = Vec::new();
        while !rest.is_empty() {
            let [size, name, identity] = numbers(&mut rest)?;
            let name = take(&mut rest, name)?.into();
            objects.push(Listed { name, size, identity: take(&mut rest, identity)?.into() });
        }
        let end = first.checked_add(count)?;
        let fits = match &objects[..] {
            [only] if count > 0 => end <= only.size.div_ceil(PART as u64),
            objects => end == 0 && !objects.is_empty(),
        };
        fits.then_some(Task { index, objects, parts: (count > 0).then_some(first..end) })
    }

    /// Bytes that it reads; 2^64 - 1 where they are more.
    pub(super) fn bytes(&self) -> u64 {
        match (&self.parts, &self.objects[..]) {
            (Some(parts), [only]) => {
                // The last part of an object may end at 2^64.
                let end = parts.end.saturating_mul(PART as u64).min(only.size);
                end - parts.start * PART as u64
            }
            _ => self.objects.iter().fold(0, |sum: u64, object| sum.saturating_add(object.size)),
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
            total = total.saturating_add(object.size);
        }
        let most = MOST_TASKS / 3 * MOST_BYTES;
        ensure!(total <= most, "the objects have {total} bytes together, more than the {most} of one run");
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
            let sizes: &[u64] = if parts.is_some() { &[3 << 20] } else { &[0, 1 << 39, 7] };
            let task = Task { index: 3, objects: sizes.iter().map(|n| listed(*n)).collect(), parts };
            let bytes = task.to_bytes();
            assert_eq!(Task::from_bytes(&bytes).expect("a task"), task);
            for length in 0..bytes.len() {
                assert!(Task::from_bytes(&bytes[..length]).map_or(true, |other| other != task));
            }
        }
    }

    /// What a task claims is checked before anything is reserved for it.
    #[test]
    fn claims_are_bounded() {
        let read = |sizes: &[u64], parts: [u64; 2]| {
            let mut bytes = [0, parts[0], parts[1]].map(u64::to_le_bytes).as_flattened().to_vec();
            for size in sizes {
                bytes.extend_from_slice([*size, 1, 1].map(u64::to_le_bytes).as_flattened());
                bytes.extend_from_slice(b"ai");
            }
            Task::from_bytes(&bytes)
        };
        const MIB: u64 = 1 << 20;
        let last = u64::MAX.div_ceil(MIB) - 1;
        for (sizes, parts, bytes) in [
            (&[5][..], [0, 0], 5),
            (&[0, 0], [0, 0], 0),
            (&[5 * MIB], [2, 3], 3 * MIB),
            (&[3 * MIB + 1], [3, 1], 1),
            (&[1 << 50], [7, MIB], MOST_BYTES),
            // The last part of the longest object ends at 2^64.
            (&[u64::MAX], [last, 1], MIB - 1),
            (&[u64::MAX], [last - 1, 2], 2 * MIB - 1),
            (&[MOST_BYTES - 1, 1], [0, 0], MOST_BYTES),
        ] {
            assert_eq!(read(sizes, parts).expect("a task").bytes(), bytes, "{sizes:?} {parts:?}");
        }
        for (sizes, parts) in [
            (&[1 << 50][..], [0, 1 << 30]),
            (&[1 << 50], [0, MIB + 1]),
            (&[u64::MAX], [0, last + 1]),
            (&[u64::MAX], [last, 2]),
            (&[u64::MAX], [last + 1, 1]),
            (&[u64::MAX], [u64::MAX, 1]),
            (&[u64::MAX], [1, u64::MAX]),
            (&[3 * MIB], [2, 2]),
            (&[0], [0, 1]),
            (&[5], [1, 0]),
            (&[3 * MIB, 3 * MIB], [0, 1]),
            (&[], [0, 0]),
            (&[], [0, 1]),
            (&[MOST_BYTES, 1], [0, 0]),
            (&[u64::MAX, 1], [0, 0]),
            (&[1 << 63, 1 << 63], [0, 0]),
        ] {
            assert!(read(sizes, parts).is_err(), "{sizes:?} {parts:?}");
        }
        // Lengths of names and identities beyond the bytes, and beyond 2^64 together.
        for lengths in [[3, 0], [2, 1], [1 << 40, 0], [u64::MAX, u64::MAX], [1, u64::MAX]] {
            let mut bytes =
                [0, 0, 0, 5, lengths[0], lengths[1]].map(u64::to_le_bytes).as_flattened().to_vec();
            bytes.extend_from_slice(b"ai");
            assert!(Task::from_bytes(&bytes).is_err(), "{lengths:?}");
        }
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
        assert!(
            Plan::new(&vec![listed(1 << 60); 2], 4).is_err()
                && Plan::new(&vec![listed(1 << 63); 3], 4).is_err()
        );
    }

    /// Workers take every task that a client makes, also those of the largest runs.
    #[test]
    fn the_largest_tasks_are_read_back() {
        let most = MOST_TASKS / 3 * MOST_BYTES;
        let small: Vec<_> = (0..2000).map(|_| listed(MOST_BYTES / 64)).collect();
        let large = vec![listed(most - small.iter().map(|object| object.size).sum::<u64>())];
        let objects = [large, small].concat();
        let plan = Plan::new(&objects, 1).expect("a plan");
        let tasks = (0..plan.shares.len() as u64).filter_map(|index| plan.task(&objects, index));
        let bytes: Vec<_> =
            tasks.map(|task| Task::from_bytes(&task.to_bytes()).expect("a task").bytes()).collect();
        assert_eq!((bytes.iter().sum(), bytes.iter().max()), (most, Some(&MOST_BYTES)));
    }
}
