//! Tests whether the time of decapsulation in HQC depends on secrets, by Welch's t between classes of
//! ciphertexts and of keys.
mod between;
mod keys;
mod subjects;
mod variance;

use crate::clock::Clock;
use crate::leaks::{Pair, SUSPICION, Test};
use crate::output::print;
use crate::welch::{Times, welch};
use anyhow::{Context, Result, ensure};
use between::Between;
use carryless_hqc::{ClmulCpu, Scheme, SchemeId, SchemeVisitor};
use std::process::Command;
use subjects::{Decapsulation, Decoding, PLANTED, Planted, SLOTS, Subject};

/// Default number of calls of a round. A planted leak never gets more, because many processes measure it.
const CALLS: usize = 20_000;

/// Number of calls of a round with `--million`.
const MILLION: usize = 1_000_000;

/// The profile whose schemes are measured. The other profiles decode and compare by the same code.
const PROFILE: &str = "nr";

/// Whether the time of decapsulation in HQC depends on secrets: Welch's t, whose suspects are those above 4.5
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Number of calls of a round, half of each class
    #[arg(long, default_value_t = CALLS, value_name = "N")]
    calls: usize,
    /// A million calls in a round
    #[arg(long, conflicts_with = "calls")]
    million: bool,
    /// Parameter sets, e.g. hqc-1,hqc-5 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "SET,..")]
    set: Vec<String>,
    /// The backend [default: the best one of this CPU]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Measure the pair of this number for another process, and print t of each percentile
    #[arg(long, hide = true)]
    pair: Option<usize>,
    #[command(flatten)]
    between: between::Options,
}

/// The error that a planted leak was not seen. The other lines of such a run say nothing.
#[derive(Debug)]
pub struct TooCoarse;

impl std::fmt::Display for TooCoarse {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("the times do not show a planted leak: repeat this on a computer that does nothing else")
    }
}

impl std::error::Error for TooCoarse {}

/// Measures and prints a line for each pair of classes.
///
/// # Errors
/// [`TooCoarse`] if a planted leak is not seen. If a set or a backend has no such name, there are too few
/// calls, or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let calls = if arguments.million { MILLION } else { arguments.calls };
    // The least crop of `welch` keeps 30 % of the calls, of which both classes need several.
    ensure!(calls >= 100, "fewer than 100 calls tell nothing");
    let cpu = match &arguments.backend {
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
    if arguments.between.between_keys {
        let between = |id: SchemeId| id.dispatch(Between { cpu, arguments: &arguments.between });
        return schemes.into_iter().try_for_each(between);
    }
    let clock = Clock::start();
    let pairs = schemes.into_iter().flat_map(|id| id.dispatch(Experiments { cpu, calls, clock: &clock }));
    let (pairs, test, out) = (pairs.collect(), Test { bound: SUSPICION, rounds: 1 }, &mut std::io::stdout());
    if let Some(index) = arguments.pair {
        return Ok(test.one(pairs, index, out)?);
    }
    print(&format!("{} calls a round on {}", calls, cpu.name()))?;
    // Other processes are this program again, because the layout of a process takes part in its times.
    let program = std::env::current_exe()?;
    let process = |index: usize| {
        let mut process = Command::new(&program);
        process.args(["ctime-hqc", "--backend", cpu.name(), "--calls", &calls.to_string()]);
        // `--pair` is an index into the pairs of the chosen sets, so each process must choose the same ones.
        if !arguments.set.is_empty() {
            process.args(["--set", &arguments.set.join(",")]);
        }
        process.args(["--pair", &index.to_string()]);
        process
    };
    let seen = test.all(pairs, process, out)?;
    if seen { Ok(()) } else { Err(TooCoarse.into()) }
}

/// Makes all pairs of classes for a scheme on a backend.
struct Experiments<'a> {
    cpu: ClmulCpu,
    calls: usize,
    clock: &'a Clock,
}

impl<'a> SchemeVisitor for Experiments<'a> {
    type Output = Vec<Pair<'a>>;

    fn visit<K: Scheme>(self) -> Vec<Pair<'a>> {
        let Experiments { cpu, calls, clock } = self;
        let pair_of = |calls, what: &str, mut subject: Box<dyn Subject>| Pair {
            name: format!("{}, {what}", K::NAME),
            planted: false,
            round: Box::new(move || welch(measure(clock, subject.as_mut(), calls))),
        };
        let pair = |what: &str, subject: Box<dyn Subject>| pair_of(calls, what, subject);
        let (delta, beyond) = (subjects::most_errors::<K>(), subjects::most_errors::<K>() + 3);
        vec![
            Pair { planted: true, ..pair_of(calls.min(CALLS), PLANTED, Box::new(Planted::<K>::new(cpu))) },
            pair("valid and changed ciphertexts", Box::new(Decapsulation::<K>::of_validity(cpu))),
            pair("two keys", Box::new(Decapsulation::<K>::of_keys(cpu))),
            pair("0 and delta errors", Box::new(Decapsulation::<K>::of_errors(cpu, [0, delta]))),
            pair("0 and delta + 3 errors", Box::new(Decapsulation::<K>::of_errors(cpu, [0, beyond]))),
            pair("the decoder, 0 and delta errors", Box::new(Decoding::<K>::new(cpu, [0, delta]))),
            pair("the decoder, 0 and delta + 3 errors", Box::new(Decoding::<K>::new(cpu, [0, beyond]))),
        ]
    }
}

/// Times at least `calls` calls, in whole batches. The class of each call is drawn at random.
fn measure(clock: &Clock, subject: &mut dyn Subject, calls: usize) -> Times {
    let mut random =
        subjects::Random::new(std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64));
    let mut times = Vec::with_capacity(calls);
    while times.len() < calls {
        // All slots are filled before the first call of the batch is timed. Their classes are new in each
        // batch, so that no address belongs to a class.
        let classes: [bool; SLOTS] = std::array::from_fn(|slot| {
            let word = random.next();
            // The class is the top bit and the member the low half, so that neither depends on the other.
            let class = word >> 63 == 1;
            subject.fill(slot, class, word as u32 as usize);
            class
        });
        for (slot, class) in classes.into_iter().enumerate() {
            times.push((clock.time(|| subject.call(slot)) as f64, class));
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A subject whose calls take longer for one class.
    struct Loop([bool; SLOTS]);

    impl Subject for Loop {
        fn fill(&mut self, slot: usize, class: bool, _: usize) {
            self.0[slot] = class;
        }
        fn call(&mut self, slot: usize) {
            let rounds = if self.0[slot] { 400 } else { 100 };
            (0..rounds).for_each(|i| _ = std::hint::black_box(i));
        }
    }

    #[test]
    fn a_leak_is_seen() {
        let (clock, mut subject) = (Clock::start(), Loop([false; SLOTS]));
        let mut seen =
            || welch(measure(&clock, &mut subject, 2000)).iter().any(|difference| difference.t > SUSPICION);
        // A busy computer may hide the difference once. Three times in a row would be a defect.
        assert!((0..3).any(|_| seen()));
    }

    #[test]
    fn names_are_checked() {
        #[derive(clap::Parser)]
        struct Program {
            #[command(flatten)]
            arguments: Arguments,
        }
        let program: Program = clap::Parser::parse_from(["ctime-hqc", "--set", "hqc-2"]);
        assert_eq!(run(&program.arguments).unwrap_err().to_string(), "no parameter set hqc-2");
    }
}
