//! Properties of the bytes that clients and workers receive: tasks, results and the parts in them.
use std::sync::{Arc, OnceLock};

use carryless_aead::file_mac::{Algorithm, FileMac, PART, Subject};
use carryless_hash::Tag;
use zeroize::Zeroizing;

use super::join::Joining;
use super::results::{Outcome, outcomes};
use super::seal::Seal;
use super::task::{Listed, MAX_BYTES, Plan, Share, Task};
use super::worker::Worker;
use crate::key::Key;
use crate::mac::MasterKey;

const KEY: [u8; 32] = [7; 32];
const RUN: [u8; 16] = [3; 16];

/// First inputs of `fuzzing::cluster_task`: two whole objects, and parts of one.
#[cfg(test)]
pub(crate) fn seeds_of_tasks() -> [Vec<u8>; 2] {
    let whole = Task { index: 1, objects: vec![listed(5), listed(0)], parts: None };
    let parts = Task { index: 2, objects: vec![listed(5 << 20)], parts: Some(1..4) };
    [whole.to_bytes(), parts.to_bytes()]
}

/// First inputs of `fuzzing::cluster_result`: a tag and a failure of whole objects, and a part.
#[cfg(test)]
pub(crate) fn seeds_of_results() -> [Vec<u8>; 2] {
    let whole = [&[0, 0][..], &[9; 16], &[1, 2, 0], b"no"].concat();
    [whole, [&[1, 0][..], &[9; 96]].concat()]
}

/// First input of `fuzzing::cluster_parts`: all results in another order, one of them twice.
#[cfg(test)]
pub(crate) const SEED_OF_PARTS: &str = "\x02\x01\x02\x00";

fn listed(size: u64) -> Listed {
    Listed { name: b"a/b"[..].into(), size, identity: b"id"[..].into() }
}

/// Checks that a worker accepts only bytes that the client sealed. Sealed tasks have one form each, their
/// claims are bounded and cost nothing, and results have an outcome for each object.
pub(crate) fn task(data: &[u8]) {
    static WORKER: OnceLock<Arc<Worker>> = OnceLock::new();
    let worker = WORKER.get_or_init(|| {
        let scope = "symlinks record\nspecials refuse\ngitignore ignore\nroot .";
        Arc::new(Worker::new(&Key::new(&KEY), Algorithm::default(), &RUN, scope).expect("a scope"))
    });
    // The fuzzer knows no key: bytes as they come must be refused, and are then sealed to get further.
    assert!(worker.begin(data).is_err(), "a forgery");
    let seal = Seal::new(&MasterKey::new(KEY), &RUN);
    let task = Task::from_bytes(data);
    let begun = worker.begin(&seal.seal_task(data).expect("random numbers"));
    assert_eq!(task.is_ok(), begun.is_ok());
    let (Ok(task), Ok(mut reading)) = (task, begun) else { return };
    assert_eq!(task.to_bytes(), data);
    assert!(task.bytes() <= MAX_BYTES);
    // A task that claims much must cost no more memory than its bytes.
    assert!(reading.reserved() <= data.len());
    let range = reading.range();
    for Listed { size, identity, .. } in &task.objects {
        let (start, length) = range.unwrap_or((0, *size));
        assert!(start.checked_add(length).is_some_and(|end| end <= *size), "{start} {length} {size}");
        // Fewer bytes than listed make a failure, which is an outcome like any other.
        let some = usize::try_from(length.min(4096)).expect("few");
        reading.update(&vec![0; some]).expect("no more than there is");
        reading.end(identity).expect("an object");
    }
    let result = reading.seal().expect("complete");
    let result = seal.open(data, &result).expect("the result of its task");
    assert_eq!(outcomes(&task, &result).expect("a result").len(), task.objects.len());
}

/// Checks that a client accepts only bytes that a worker sealed. Sealed results are refused, or have one form
/// and an outcome for each object.
///
/// The first byte chooses the task: whole objects, or that many parts.
pub(crate) fn result(data: &[u8]) {
    let Some((kind, text)) = data.split_first() else { return };
    let parts = u64::from(kind % 4);
    let task = match parts {
        0 => Task { index: 0, objects: vec![listed(5), listed(0)], parts: None },
        count => Task { index: 0, objects: vec![listed(6 << 20)], parts: Some(2..2 + count) },
    };
    let seal = Seal::new(&MasterKey::new(KEY), &RUN);
    assert!(seal.open(&task.to_bytes(), data).is_err(), "a forgery");
    let Ok(outcomes) = outcomes(&task, text) else { return };
    let bytes = outcomes.iter().flat_map(|outcome| match outcome {
        Outcome::Tag(tag) => [&[0][..], tag.as_bytes()].concat(),
        Outcome::Parts(parts) => [&[0][..], parts].concat(),
        Outcome::Failed(reason) => {
            [&[1][..], &(reason.len() as u16).to_le_bytes(), reason.as_bytes()].concat()
        }
    });
    // A reason that is not UTF-8 is converted, so it cannot be compared.
    if std::str::from_utf8(text).is_ok() {
        assert!(bytes.eq(text.iter().copied()));
    }
    assert_eq!(outcomes.len(), task.objects.len());
}

/// An object of three parts, the last of 5 bytes, each in its own task.
struct Cut {
    mac: FileMac,
    tag: Tag,
    parts: [Zeroizing<Vec<u8>>; TASKS as usize],
    objects: [Listed; 1],
    plan: Plan,
}

const TASKS: u64 = 3;

impl Cut {
    fn new() -> Self {
        let contents: Vec<u8> = (0..2 * PART + 5).map(|i| (i >> 9) as u8).collect();
        let mac = FileMac::new(Algorithm::default(), Subject::File, &KEY);
        let mut chunks = contents.chunks(PART).zip(0..);
        let parts = std::array::from_fn(|_| {
            let (part, index) = chunks.next().expect("three parts");
            Zeroizing::new(mac.part(index, part).to_secret_bytes().to_vec())
        });
        let objects = [listed(contents.len() as u64)];
        let shares = (0..TASKS).map(|i| Share::Parts(0, i..i + 1)).collect();
        Cut { tag: mac.tag(&contents), parts, objects, plan: Plan { shares, whole: vec![] }, mac }
    }
}

/// Joins parts in any order, some of them changed. Unchanged parts give the tag of the object, and too few give none.
///
/// Each byte is a task, modulo 3. If its highest bit is set, the next two bytes are a place in the
/// part and the change there.
pub(crate) fn parts(data: &[u8]) {
    static CUT: OnceLock<Cut> = OnceLock::new();
    let cut = CUT.get_or_init(Cut::new);
    let mut joining = Joining::new(&cut.plan, &cut.objects, &cut.mac);
    let mut bytes = data.iter().copied();
    let mut changed = false;
    while let Some(byte) = bytes.next() {
        let index = u64::from(byte & 0x7f) % TASKS;
        let mut part = cut.parts[index as usize].clone();
        if byte >= 0x80 {
            let (place, change) = (bytes.next().unwrap_or(0), bytes.next().unwrap_or(0));
            let place = usize::from(place) % part.len();
            part[place] ^= change;
            changed |= change != 0;
        }
        if joining.is_done(index) {
            continue;
        }
        let task = cut.plan.task(&cut.objects, index).expect("a task");
        let joined = joining.take(&cut.plan, &cut.mac, &task, vec![Outcome::Parts(part)]);
        assert!(joined.is_ok() || changed);
        if joined.is_err() {
            return;
        }
    }
    match &joining.tagged[0] {
        Some(tagged) => {
            assert_eq!(joining.left(), 0);
            assert!(changed || *tagged == Ok(cut.tag));
        }
        None => assert_ne!(joining.left(), 0),
    }
}
