//! Tasks: what one call of a worker reads, their encoding, and how a listing is cut into them.
use std::ops::Range;

use anyhow::{Context as _, Result, ensure};
use carryless_aead::file_mac::PART;

/// Most tasks of a run. A scheduler takes about a millisecond for each.
pub const MAX_TASKS: u64 = 100_000;

/// Most bytes that a task reads, 2^20 parts, so that its result has at most 96 MiB.
pub(super) const MAX_BYTES: u64 = 1 << 40;

/// Tasks for each thread. With one each, slower threads would delay the end.
const TASKS_PER_THREAD: u64 = 4;
/// Smallest and largest limit for the objects of a task, and for its bytes. Long listings exceed the largest ones.
const OBJECTS: (u64, u64) = (16, 1024);
const BYTES: (u64, u64) = (8 << 20, 1 << 30);

/// An object as it was listed by the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Bytes of the object's name in the manifest.
    pub name: Box<[u8]>,
    /// Length of the object in bytes.
    pub size: u64,
    /// Data that changes with the contents, besides the size: times of a file, an ETag.
    pub identity: Box<[u8]>,
}

/// The work of one call of a worker: whole objects, or some parts of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// Number of the task, from 0. It also stands in the result.
    pub(super) index: u64,
    pub(super) objects: Vec<Listed>,
    /// Range of parts of 2^20 bytes of the only object; `None` if objects are whole.
    pub(super) parts: Option<Range<u64>>,
}

impl Task {
    /// Encodes a task, to be sealed. All numbers have 8 bytes, little-endian.
    ///
    /// First come the index, the first part and the number of parts (0 and 0 for whole objects). For each
    /// object follow its size, the lengths of name and identity, name and identity.
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

    /// Decodes a task, in memory proportional to the length of its encoding. The number of bytes it claims to
    /// read is bounded by 2^40.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let task = Self::try_from_bytes(bytes).context("the bytes are no task")?;
        // This bounds the result as well, which has 96 bytes for each part.
        ensure!(task.bytes() <= MAX_BYTES, "a task of more than {MAX_BYTES} bytes");
        Ok(task)
    }

    fn try_from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let [index, first, count] = numbers(&mut rest)?;
        let mut objects = Vec::new();
        while !rest.is_empty() {
            // `take` refuses lengths beyond the bytes that are left, before anything is allocated.
            let [size, name, identity] = numbers(&mut rest)?;
            let name = take(&mut rest, name)?.into();
            objects.push(Listed { name, size, identity: take(&mut rest, identity)?.into() });
        }
        // Checked: even an authentic task from the network must not cause an overflow.
        let end = first.checked_add(count)?;
        // Parts belong to exactly one object and lie within it; without parts there is at least one object.
        let fits = match &objects[..] {
            [only] if count > 0 => end <= only.size.div_ceil(PART as u64),
            objects => end == 0 && !objects.is_empty(),
        };
        fits.then_some(Task { index, objects, parts: (count > 0).then_some(first..end) })
    }

    /// Returns the number of bytes that the task reads, at most 2^64 - 1.
    pub(super) fn bytes(&self) -> u64 {
        match (&self.parts, &self.objects[..]) {
            (Some(parts), [only]) => {
                // The last part of an object may end at 2^64, which does not fit.
                let end = parts.end.saturating_mul(PART as u64).min(only.size);
                // `start` lies within the object, so neither the product nor the difference overflows.
                end - parts.start * PART as u64
            }
            _ => self.objects.iter().fold(0, |sum: u64, object| sum.saturating_add(object.size)),
        }
    }
}

/// Splits `length` bytes off the beginning of `rest`. `None` if there are fewer.
fn take<'b>(rest: &mut &'b [u8], length: u64) -> Option<&'b [u8]> {
    let (now, later) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = later;
    Some(now)
}

/// Splits three numbers off the beginning of `rest`.
fn numbers(rest: &mut &[u8]) -> Option<[u64; 3]> {
    let bytes = take(rest, 24)?.as_chunks::<8>().0;
    bytes.first_chunk().map(|numbers: &[[u8; 8]; 3]| numbers.map(u64::from_le_bytes))
}

/// The objects of one task, in terms of the plan.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Some parts of the object with this number.
    Parts(usize, Range<u64>),
    /// A range of [`Plan::whole`]: objects to be read whole.
    Whole(Range<usize>),
}

/// A listing cut into tasks. Share i belongs to task i.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) shares: Vec<Share>,
    /// Numbers of the objects that are read whole, in the order of the listing.
    pub(super) whole: Vec<usize>,
}

impl Plan {
    /// Cuts a listing into tasks for this many threads, at most [`MAX_TASKS`].
    ///
    /// A task ends when it has enough objects, or before the object that would give it too many bytes. Let a
    /// task have at most `o` objects and `m` bytes. Then n objects of b bytes take at most n / o + 2 b / m +
    /// 1 tasks. That includes objects of more than `m` bytes, which are cut.
    pub(super) fn new(objects: &[Listed], threads: usize) -> Result<Self> {
        let mut total = 0_u64;
        for object in objects {
            // A saturated sum exceeds the limit below, so no overflow goes unnoticed.
            total = total.saturating_add(object.size);
        }
        let most = MAX_TASKS / 3 * MAX_BYTES;
        ensure!(total <= most, "the objects have {total} bytes together, more than the {most} of one run");
        // Each of the terms n / o and b / m is at most a third of MAX_TASKS, so that the bound above holds.
        // Aims at this number of tasks, within the limits for objects and bytes.
        let shares = TASKS_PER_THREAD * (threads as u64).clamp(1, MAX_TASKS);
        let most = |all: u64, (least, enough): (u64, u64)| {
            all.div_ceil(shares).clamp(least, enough).max(all.div_ceil(MAX_TASKS / 3))
        };
        let parts = most(total, BYTES).div_ceil(PART as u64);
        let mut plan = Plan::default();
        plan.cut(objects, parts);
        plan.gather(objects, most(objects.len() as u64, OBJECTS), parts.saturating_mul(PART as u64));
        ensure!(plan.shares.len() as u64 <= MAX_TASKS, "more than {MAX_TASKS} tasks");
        Ok(plan)
    }

    /// Cuts objects of more than `most` parts into tasks; the others are read whole. Large tasks come first,
    /// so that none is left at the end.
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

    /// Gathers the objects that are read whole into tasks.
    fn gather(&mut self, objects: &[Listed], most_objects: u64, most_bytes: u64) {
        let (mut start, mut bytes) = (0, 0_u64);
        for (at, i) in self.whole.iter().enumerate() {
            let size = objects[*i].size;
            // A task gets at least one object, however large, so that the loop always advances.
            if at > start && ((at - start) as u64 >= most_objects || bytes + size > most_bytes) {
                self.shares.push(Share::Whole(start..at));
                (start, bytes) = (at, 0);
            }
            // No overflow: `new` has bounded the sum of all sizes.
            bytes += size;
        }
        if start < self.whole.len() {
            self.shares.push(Share::Whole(start..self.whole.len()));
        }
    }

    /// Returns the task with this index, or `None`. Tasks are built when they are sent, to save memory.
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

    /// Claims of a task are checked before memory is reserved.
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
            (&[1 << 50], [7, MIB], MAX_BYTES),
            // The last part of the longest object ends at 2^64.
            (&[u64::MAX], [last, 1], MIB - 1),
            (&[u64::MAX], [last - 1, 2], 2 * MIB - 1),
            (&[MAX_BYTES - 1, 1], [0, 0], MAX_BYTES),
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
            (&[MAX_BYTES, 1], [0, 0]),
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

    /// Every byte of every object is in exactly one task, and the number of tasks is bounded.
    #[test]
    fn plans_cover_the_listing() {
        let huge = vec![listed(1 << 45); 3];
        let small = vec![listed(4096); 20_000];
        let mixed: Vec<_> = (0..5000_u64).map(|i| listed((i % 7) << (i % 28))).collect();
        let many = vec![listed(2 << 20); 4_000_000];
        for (objects, most) in [(huge, MAX_TASKS), (small, 40), (mixed, 5000), (many, 30_000), (vec![], 0)] {
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

    /// Workers accept every task that a client makes, in the largest runs too.
    #[test]
    fn the_largest_tasks_are_read_back() {
        let most = MAX_TASKS / 3 * MAX_BYTES;
        let small: Vec<_> = (0..2000).map(|_| listed(MAX_BYTES / 64)).collect();
        let large = vec![listed(most - small.iter().map(|object| object.size).sum::<u64>())];
        let objects = [large, small].concat();
        let plan = Plan::new(&objects, 1).expect("a plan");
        let tasks = (0..plan.shares.len() as u64).filter_map(|index| plan.task(&objects, index));
        let bytes: Vec<_> =
            tasks.map(|task| Task::from_bytes(&task.to_bytes()).expect("a task").bytes()).collect();
        assert_eq!((bytes.iter().sum(), bytes.iter().max()), (most, Some(&MAX_BYTES)));
    }
}
