//! Compares the steps of all calls of the statistical test, and of decapsulation in HQC, between secrets: see
//! [`trace`](crate::trace).
use crate::call::Call;
use crate::measured;
use crate::secret::{POOL, draw_from, drawn};
use crate::statistics::FIXED;
use crate::subjects::{Decapsulation, Decoding, PLANTED, Planted, Random, Subject, most_errors};
use crate::trace::{Outcome, Tracer};
use carryless_hqc::{ClmulCpu, Hqc1, Hqc3, Hqc5, Scheme};
use std::cell::RefCell;
use std::io::{Error, Result, Write};

/// Number of secrets for each call: one of fixed bytes, the others random.
const SECRETS: usize = 3;

/// Number of ciphertexts or keys for each call of HQC, half of them of either class.
const MEMBERS: usize = 4;

/// Selects calls, beside planted leaks: those whose names contain a text, or part K of N of all.
struct Selection<'a> {
    text: &'a str,
    part: Option<(usize, usize)>,
}

impl<'a> Selection<'a> {
    /// Parses `K/N` with 1 <= K <= N, or takes the argument as a text. K/N outside of that range is an error.
    fn of(text: &'a str) -> Result<Self> {
        let number = |text: &str| text.parse::<usize>().ok();
        match text.split_once('/').map(|(k, n)| (number(k), number(n))) {
            Some((Some(k), Some(n))) if (1..=n).contains(&k) => Ok(Selection { text, part: Some((k, n)) }),
            Some((Some(_), Some(_))) => Err(Error::other(format!("there is no part {text}"))),
            _ => Ok(Selection { text, part: None }),
        }
    }

    fn takes(&self, number: usize, name: &str) -> bool {
        self.part.map_or_else(|| name.contains(self.text), |(k, n)| number % n == k - 1)
    }
}

/// Numbers of calls that passed, failed, and could not be followed.
#[derive(Default)]
pub struct Tally {
    passed: usize,
    /// Calls that leak, and planted leaks that were not seen.
    pub failed: usize,
    /// Calls that could not be followed, which makes the run incomplete.
    pub lost: usize,
}

impl Tally {
    fn report(&mut self, out: &mut dyn Write, name: &str, planted: bool, outcome: Outcome) -> Result<()> {
        let (word, count) = match outcome {
            Outcome::Same(_) if !planted => ("ok", &mut self.passed),
            Outcome::Differs(..) if planted => ("ok", &mut self.passed),
            Outcome::Lost(_) if !planted => ("NOT EXERCISED", &mut self.lost),
            _ => ("FAILED", &mut self.failed),
        };
        *count += 1;
        writeln!(out, "{word} {name}: {outcome}")
    }
}

/// Compares planted leaks, and the calls whose names contain the text, or part K of N of all if the text is "K/N".
///
/// # Errors
/// If that selects no call, traps cannot be handled, or the output fails.
pub fn all(text: &str, out: &mut dyn Write) -> Result<Tally> {
    let (selection, mut tally, mut selected) = (Selection::of(text)?, Tally::default(), false);
    let takes = |number, name: &str, planted: bool| planted || selection.takes(number, name);
    let mut tracer = Tracer::new()?;
    for (number, Call { name, planted, mut run }) in measured::calls().into_iter().enumerate() {
        if takes(number, &name, planted) && takes_secrets(&mut run) {
            selected |= !planted;
            tally.report(out, &name, planted, tracer.compare(SECRETS, draw, &mut run))?;
        }
    }
    for (number, Decapsulations { name, planted, subject }) in decapsulations().into_iter().enumerate() {
        if takes(number, &name, planted) {
            selected |= !planted;
            let subject = RefCell::new(subject);
            // Members of both classes in turn, so that the first comparison is already between classes.
            let fill = |member| subject.borrow_mut().fill(0, member % 2 == 1, member / 2);
            let outcome = tracer.compare(MEMBERS, fill, &mut || subject.borrow_mut().call(0));
            tally.report(out, &name, planted, outcome)?;
        }
    }
    let Tally { passed, failed, lost } = tally;
    writeln!(out, "steps: {passed} passed, {failed} failed, {lost} not exercised")?;
    if selected {
        Ok(tally)
    } else {
        Err(Error::other(format!("no call with a secret has {text} in its name, or is in that part")))
    }
}

fn takes_secrets(run: &mut dyn FnMut()) -> bool {
    // Not followed yet: this call only shows whether it draws any secrets.
    draw(0);
    run();
    drawn() > 0
}

/// Fills the pool of secrets: number 0 is fixed bytes, others are random bytes of that seed.
fn draw(secret: usize) {
    let mut random = Random::new(secret as u64);
    let mut bytes = [FIXED; POOL];
    if secret > 0 {
        bytes.fill_with(|| random.next() as u8);
    }
    draw_from(&bytes);
}

/// A call of HQC with ciphertexts or keys of two classes.
struct Decapsulations {
    name: String,
    planted: bool,
    subject: Box<dyn Subject>,
}

/// A planted leak, HQC-1 on each backend of this CPU that has vectors, and the larger sets on the best
/// backend only, since they take minutes.
fn decapsulations() -> Vec<Decapsulations> {
    let backends = ClmulCpu::available().filter(|cpu| !cpu.name().starts_with("soft"));
    let best = ClmulCpu::detect();
    let all = backends.map(of_set::<Hqc1>).chain([of_set::<Hqc3>(best), of_set::<Hqc5>(best)]);
    let planted =
        Decapsulations { name: PLANTED.into(), planted: true, subject: Box::new(Planted::<Hqc1>::new(best)) };
    [planted].into_iter().chain(all.flatten()).collect()
}

fn of_set<K: Scheme + 'static>(cpu: ClmulCpu) -> [Decapsulations; 4] {
    // With more errors than delta the decoder fails. That must not show in its steps.
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
        let takes =
            |text, number| Selection::of(text).map(|selection| selection.takes(number, "a 1/2 call")).ok();
        for number in 0..20 {
            let parts = ["1/3", "2/3", "3/3"].map(|part| takes(part, number) == Some(true));
            assert_eq!(parts.into_iter().filter(|&takes| takes).count(), 1);
        }
        assert_eq!(["a 1", "1/2 c", "", "b"].map(|text| takes(text, 7)), [true, true, true, false].map(Some));
        assert_eq!(["4/3", "0/3", "0/0"].map(|part| takes(part, 7)), [None; 3]);
    }
}
