//! The report of the [experiment](super::keys): processes one after the other, each with keys of its own, and the deviations of all together.
use super::keys::{Choice, Experiment, KEYS, MESSAGES, Part};
use super::subjects::Random;
use super::variance::{Analysis, Deviation, Squares};
use crate::clock::Clock;
use crate::output::print;
use anyhow::{Context, Result, ensure};
use carryless_hqc::{ClmulCpu, Scheme, SchemeVisitor};
use clap::ValueEnum;
use std::process::Command;

/// Options of the experiment.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Options {
    /// Measure how much the time differs between keys, in cycles, instead of pairs of classes
    #[arg(long, conflicts_with_all = ["calls", "million", "pair"])]
    pub(super) between_keys: bool,
    /// What is timed
    #[arg(long, value_enum, default_value = "decapsulation", requires = "between_keys")]
    part: Part,
    /// The keys that each process deals
    #[arg(long, value_enum, default_value = "random", requires = "between_keys")]
    keys: Choice,
    /// Processes, each with keys of its own
    #[arg(long, default_value_t = 8, value_name = "N", requires = "between_keys")]
    processes: usize,
    /// Calls for each of the 64 keys and 16 messages of a process
    #[arg(long, default_value_t = 100, value_name = "N", requires = "between_keys")]
    repetitions: usize,
    /// Plant a leak: a deviation between keys of this many multiplications, of three cycles each
    #[arg(long, default_value_t = 0, value_name = "N", requires = "between_keys")]
    plant: u64,
    /// Measure in this process, and print sums instead of a report
    #[arg(long, hide = true, requires = "between_keys")]
    one: bool,
}

/// Runs the experiment for a scheme on a machine.
pub(super) struct Between<'a> {
    pub(super) cpu: ClmulCpu,
    pub(super) arguments: &'a Options,
}

impl SchemeVisitor for Between<'_> {
    type Output = Result<()>;

    fn visit<K: Scheme>(self) -> Result<()> {
        let Between { cpu, arguments } = self;
        let Options { part, keys, processes, repetitions, plant, .. } = *arguments;
        ensure!(processes > 0 && repetitions >= 4, "at least one process and four repetitions are needed");
        if arguments.one {
            return one::<K>(cpu, arguments);
        }
        let program = std::env::current_exe()?;
        let mut all: Option<(Analysis, Vec<f64>)> = None;
        for _ in 0..processes {
            let mut process = Command::new(&program);
            process.args(["ctime-hqc", "--machine", cpu.name(), "--set", K::NAME, "--between-keys", "--one"]);
            process.args(["--part", name(&part).as_str(), "--keys", name(&keys).as_str()]);
            process.args(["--repetitions", &repetitions.to_string(), "--plant", &plant.to_string()]);
            let (analysis, halves) = parse(&mut process)?;
            match &mut all {
                None => all = Some((analysis, vec![halves])),
                Some((sum, t)) => {
                    sum.add(&analysis);
                    t.push(halves);
                }
            }
        }
        let (analysis, halves) = all.expect("there is a process");
        print(&report(K::NAME, cpu, arguments, &analysis, &halves))
    }
}

/// Measures in this process, and prints what [`parse`] reads.
fn one<K: Scheme>(cpu: ClmulCpu, arguments: &Options) -> Result<()> {
    let nanoseconds = std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64);
    let (clock, mut random) = (Clock::start(), Random::new(nanoseconds));
    let Options { part, keys, plant, repetitions, .. } = *arguments;
    let mut experiment = Experiment::<K>::new(cpu, part, keys, plant, &mut random);
    let (found, halves) = experiment.run(&clock, repetitions, &mut random);
    let cycles = Clock::PROBE_CYCLES / clock.probe().ticks as f64;
    let squares = [found.row, found.column, found.cell, found.within];
    let squares = squares.map(|s| format!("{} {}", s.sum * cycles * cycles, s.degrees));
    print(&format!("{} {} {halves}", squares.join(" "), found.means * cycles))
}

/// The sums of another process, in cycles.
fn parse(process: &mut Command) -> Result<(Analysis, f64)> {
    let output = process.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let reason = String::from_utf8_lossy(&output.stderr);
    let numbers = <[f64; 10]>::try_from(numbers).ok().filter(|_| output.status.success());
    let [a, b, c, d, e, f, g, h, means, halves] =
        numbers.with_context(|| format!("a process failed, {}: {reason}", output.status))?;
    let squares = |sum, degrees| Squares { sum, degrees };
    let analysis = Analysis {
        columns: MESSAGES as f64,
        rows: KEYS as f64,
        row: squares(a, b),
        column: squares(c, d),
        cell: squares(e, f),
        within: squares(g, h),
        means,
        tables: 1.0,
    };
    Ok((analysis, halves))
}

/// The name of a choice on the command line.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().expect("none is skipped").get_name().into()
}

fn report(scheme: &str, cpu: ClmulCpu, arguments: &Options, found: &Analysis, halves: &[f64]) -> String {
    let line = |what: &str, Deviation { estimate, below, f, significant }: Deviation| {
        let word = if significant { ", significant at 1 %" } else { "" };
        format!("  {what}: {estimate:.2}, below {below:.2} with 95 % confidence (F = {f:.3}{word})")
    };
    let mut lines = vec![
        format!(
            "{scheme} on {}, {}, keys {}, planted {}: {} processes of {KEYS} keys, {MESSAGES} messages, {} calls each; mean {:.0} {}",
            cpu.name(),
            name(&arguments.part),
            name(&arguments.keys),
            arguments.plant,
            found.tables,
            arguments.repetitions,
            found.mean(),
            Clock::UNIT
        ),
        format!("standard deviations in {}:", Clock::UNIT),
        line("between keys", found.rows()),
        line("between messages", found.columns()),
        line("between ciphertexts of a key and a message", found.cells()),
    ];
    if !matches!(arguments.keys, Choice::Random | Choice::Same) {
        lines.push(format!("  t between the halves, by process: {halves:.1?}"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn sums_of_a_process_are_read() {
        let text = "1 2 3 4 5 6 7 8 9 -1.5\n";
        let (found, halves) = parse(Command::new("printf").arg(text)).expect("ten numbers");
        assert_eq!((found.row, found.means, halves), (Squares { sum: 1.0, degrees: 2.0 }, 9.0, -1.5));
        let error = parse(Command::new("printf").arg("1 2")).unwrap_err().to_string();
        assert!(error.contains("a process failed"), "{error}");
    }
}
