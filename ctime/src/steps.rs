//! The steps of all calls that the statistical test measures, and of decapsulation in HQC, compared between secrets: see [`trace`](crate::trace).
use crate::measured::{self, Call};
use crate::secret::{POOL, draw_from, drawn};
use crate::statistics::FIXED;
use crate::subjects::{Decapsulation, Decoding, Planted, Random, Subject, most_errors};
use crate::trace::{Outcome, Tracer};
use carryless_hqc::{ClmulCpu, Hqc1, Hqc3, Hqc5, Scheme};
use std::cell::RefCell;
use std::io::{Result, Write};

/// Secrets of each call: fixed bytes, and random ones.
const SECRETS: usize = 3;

/// Ciphertexts and keys of HQC: of either class.
const MEMBERS: usize = 4;

/// Which calls are compared, beside planted leaks: those whose names contain a text, or part K of N of all.
struct Selection<'a> {
    text: &'a str,
    part: Option<(usize, usize)>,
}

impl<'a> Selection<'a> {
    /// "K/N" or a text.
    fn of(text: &'a str) -> Self {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let part = numbers.filter(|&(k, n)| (1..=n).contains(&k));
        Selection { text, part }
    }

    fn takes(&self, number: usize, name: &str) -> bool {
        self.part.map_or_else(|| name.contains(self.text), |(k, n)| number % n == k - 1)
    }
}

/// Compares the calls that are selected: whether every planted leak was seen, and no other.
///
/// # Errors
/// If traps cannot be handled, or the output fails.
pub fn all(text: &str, out: &mut dyn Write) -> Result<bool> {
    let selection = Selection::of(text);
    let (mut tracer, mut counts) = (Tracer::new()?, [0; 3]);
    let mut report = |name: &str, planted: bool, outcome: Outcome| {
        let (word, count) = match outcome {
            Outcome::Same(_) if !planted => ("ok", 0),
            Outcome::Differs(..) if planted => ("ok", 0),
            Outcome::Lost(_) if !planted => ("NOT EXERCISED", 2),
            _ => ("FAILED", 1),
        };
        counts[count] += 1;
        writeln!(out, "{word} {name}: {outcome}")
    };
    for (number, Call { name, planted, mut run }) in measured::calls().into_iter().enumerate() {
        if (planted || selection.takes(number, &name)) && takes_secrets(&mut run) {
            report(&name, planted, tracer.compare(SECRETS, draw, &mut run))?;
        }
    }
    for (number, Decapsulations { name, planted, subject }) in decapsulations().into_iter().enumerate() {
        if planted || selection.takes(number, &name) {
            let subject = RefCell::new(subject);
            let fill = |member| subject.borrow_mut().fill(0, member % 2 == 1, member / 2);
            report(&name, planted, tracer.compare(MEMBERS, fill, &mut || subject.borrow_mut().call(0)))?;
        }
    }
    let [passed, failed, lost] = counts;
    writeln!(out, "steps: {passed} passed, {failed} failed, {lost} not exercised")?;
    Ok(failed == 0)
}

fn takes_secrets(run: &mut dyn FnMut()) -> bool {
    draw(0);
    run();
    drawn() > 0
}

/// Secrets are made of this one from here on.
fn draw(secret: usize) {
    let mut random = Random::new(secret as u64);
    let mut bytes = [FIXED; POOL];
    if secret > 0 {
        bytes.fill_with(|| random.next() as u8);
    }
    draw_from(&bytes);
}

/// Calls with ciphertexts and keys of two classes.
struct Decapsulations {
    name: String,
    planted: bool,
    subject: Box<dyn Subject>,
}

/// A planted leak, HQC-1 on each machine of this CPU that has vectors, and the larger sets on the best one: they take minutes.
fn decapsulations() -> Vec<Decapsulations> {
    let machines = ClmulCpu::available().filter(|cpu| !cpu.name().starts_with("soft"));
    let best = ClmulCpu::detect();
    let all = machines.map(of_set::<Hqc1>).chain([of_set::<Hqc3>(best), of_set::<Hqc5>(best)]);
    let planted = Decapsulations {
        name: "one permutation more for a rejection".into(),
        planted: true,
        subject: Box::new(Planted::<Hqc1>::new(best)),
    };
    [planted].into_iter().chain(all.flatten()).collect()
}

fn of_set<K: Scheme + 'static>(cpu: ClmulCpu) -> [Decapsulations; 4] {
    let errors = [0, most_errors::<K>() + 3];
    let subjects: [(&str, Box<dyn Subject>); 4] = [
        ("valid and changed ciphertexts", Box::new(Decapsulation::<K>::of_validity(cpu))),
        ("two keys", Box::new(Decapsulation::<K>::of_keys(cpu))),
        ("0 and delta + 3 errors", Box::new(Decapsulation::<K>::of_errors(cpu, errors))),
        ("the decoder, 0 and delta + 3 errors", Box::new(Decoding::<K>::new(cpu, errors))),
    ];
    subjects.map(|(what, subject)| Decapsulations {
        name: format!("{:<11} {}, {what}", cpu.name(), K::NAME),
        planted: false,
        subject,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_complete() {
        for number in 0..20 {
            let parts = ["1/3", "2/3", "3/3"].map(|part| Selection::of(part).takes(number, "a call"));
            assert_eq!(parts.into_iter().filter(|&takes| takes).count(), 1);
        }
        assert!(Selection::of("a c").takes(7, "a call") && !Selection::of("4/3").takes(7, "a call"));
        assert!(Selection::of("").takes(7, "a call"));
    }
}
