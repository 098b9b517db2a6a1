//! Whether the time of decapsulation in HQC shows what is secret: Welch's t between classes of ciphertexts and of keys.
mod subjects;

use crate::clock::Clock;
use crate::output::print;
use crate::welch::{CROPS, Times, welch};
use anyhow::{Context, Result, ensure};
use carryless_hqc::{ClmulCpu, Scheme, SchemeId, SchemeVisitor};
use subjects::{Decapsulation, Decoding, Planted, Subject};

/// What dudect takes for a suspicion.
const BOUND: f64 = 4.5;

/// Rounds that all must exceed the bound, for the same percentile and with the same sign: a single one does by chance, or while other jobs disturb one class more
/// than the other.
const ROUNDS: usize = 3;

/// Calls of a round of `--million`.
const MILLION: usize = 1_000_000;

/// The profile whose schemes are measured. The others decode and compare by the same code.
const PROFILE: &str = "nr";

/// Whether the time of decapsulation in HQC depends on secrets: Welch's t, which must stay below 4.5
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Calls of a round
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    calls: usize,
    /// A million calls in a round
    #[arg(long, conflicts_with = "calls")]
    million: bool,
    /// Parameter sets, e.g. hqc-1,hqc-5 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "SET,..")]
    set: Vec<String>,
    /// The machine [default: the best one of this CPU]
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
}

/// Measures and prints a line for each pair of classes. Whether the planted leak is seen, and nothing else.
///
/// # Errors
/// If a set or a machine has no such name, there are too few calls, or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let calls = if arguments.million { MILLION } else { arguments.calls };
    ensure!(calls >= 100, "fewer than 100 calls tell nothing");
    let cpu = match &arguments.machine {
        Some(name) => ClmulCpu::named(name).map_err(|error| anyhow::anyhow!("{error}"))?,
        None => ClmulCpu::detect(),
    };
    let named = |name: &String| {
        SchemeId::from_names(name, PROFILE).with_context(|| format!("no parameter set {name}"))
    };
    let all = SchemeId::ALL.iter().copied().filter(|id| id.profile() == PROFILE).collect();
    let schemes: Vec<SchemeId> = match arguments.set.is_empty() {
        true => all,
        false => arguments.set.iter().map(named).collect::<Result<_>>()?,
    };
    print(&format!("{} calls a round on {}", calls, cpu.name()))?;
    let (clock, mut holds) = (Clock::start(), true);
    for id in schemes {
        for mut experiment in id.dispatch(Experiments(cpu)) {
            holds &= experiment.run(&clock, calls)?;
        }
    }
    Ok(holds)
}

/// Two classes of calls.
struct Experiment {
    name: String,
    /// Whether a leak was planted.
    planted: bool,
    subject: Box<dyn Subject>,
}

/// All experiments with a scheme on a machine.
struct Experiments(ClmulCpu);

impl SchemeVisitor for Experiments {
    type Output = Vec<Experiment>;

    fn visit<K: Scheme>(self) -> Vec<Experiment> {
        let experiment = |what: &str, subject: Box<dyn Subject>| Experiment {
            name: format!("{}, {what}", K::NAME),
            planted: false,
            subject,
        };
        let cpu = self.0;
        let (delta, beyond) = (subjects::most_errors::<K>(), subjects::most_errors::<K>() + 3);
        vec![
            Experiment {
                planted: true,
                ..experiment("one permutation more for a rejection", Box::new(Planted::<K>::new(cpu)))
            },
            experiment("valid and changed ciphertexts", Box::new(Decapsulation::<K>::of_validity(cpu))),
            experiment("two keys", Box::new(Decapsulation::<K>::of_keys(cpu))),
            experiment("0 and delta errors", Box::new(Decapsulation::<K>::of_errors(cpu, [0, delta]))),
            experiment("0 and delta + 3 errors", Box::new(Decapsulation::<K>::of_errors(cpu, [0, beyond]))),
            experiment("the decoder, 0 and delta errors", Box::new(Decoding::<K>::new(cpu, [0, delta]))),
            experiment("the decoder, 0 and delta + 3 errors", Box::new(Decoding::<K>::new(cpu, [0, beyond]))),
        ]
    }
}

impl Experiment {
    /// Measures up to [`ROUNDS`] rounds: whether a leak was seen if there is one, and none if there is none.
    fn run(&mut self, clock: &Clock, calls: usize) -> Result<bool> {
        let (mut above, mut round) = ([[true; 2]; CROPS.len()], 0);
        while round < ROUNDS && above.as_flattened().contains(&true) {
            round += 1;
            let t = welch(measure(clock, self.subject.as_mut(), calls));
            for (above, t) in above.iter_mut().zip(t) {
                above[0] &= t > BOUND;
                above[1] &= -t > BOUND;
            }
            let word = match (above.as_flattened().contains(&true), self.planted, round == ROUNDS) {
                (true, true, _) => "seen, as it must be",
                (true, false, false) => "exceeds",
                (true, false, true) => "LEAK",
                (false, true, _) => "NOT SEEN",
                (false, false, _) => "ok",
            };
            print(&format!("{word}: {}, round {round}: t = {t:.1?}", self.name))?;
        }
        Ok(above.as_flattened().contains(&true) == self.planted)
    }
}

/// The times of so many calls, whose classes are drawn at random.
fn measure(clock: &Clock, subject: &mut dyn Subject, calls: usize) -> Times {
    let mut random =
        subjects::Random::new(std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64));
    let mut times = Vec::with_capacity(calls);
    for _ in 0..calls {
        let word = random.next();
        let class = word >> 63 == 1;
        subject.prepare(class, word as u32 as usize);
        times.push((clock.time(|| subject.call()) as f64, class));
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call that takes longer for one class.
    struct Loop(bool);

    impl Subject for Loop {
        fn prepare(&mut self, class: bool, _: usize) {
            self.0 = class;
        }
        fn call(&mut self) {
            let rounds = if self.0 { 400 } else { 100 };
            (0..rounds).for_each(|i| _ = std::hint::black_box(i));
        }
    }

    #[test]
    fn a_leak_is_seen_and_must_be_planted() {
        for planted in [true, false] {
            let mut experiment =
                Experiment { name: "a loop".into(), planted, subject: Box::new(Loop(false)) };
            assert_eq!(experiment.run(&Clock::start(), 2000).expect("a line on standard output"), planted);
        }
    }

    #[test]
    fn names_are_checked() {
        let arguments = Arguments { calls: 100, million: false, set: vec!["hqc-2".into()], machine: None };
        assert_eq!(run(&arguments).unwrap_err().to_string(), "no parameter set hqc-2");
    }
}
