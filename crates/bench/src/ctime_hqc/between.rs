//! The report of the [experiment](super::keys). Processes run one after the other, each with keys of its own;
//! their sums are added for the deviations.
use super::keys::{Choice, Experiment, KEYS, MESSAGES, Part, halves};
use super::subjects::Random;
use super::variance::{Analysis, Deviation, Squares};
use crate::clock::Clock;
use crate::output::print;
use anyhow::{Context, Result, ensure};
use carryless_hqc::{ClmulCpu, Scheme, SchemeVisitor};
use clap::ValueEnum;
use std::process::Command;

/// Options of the experiment that compares the times of many keys.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Options {
    /// Measure how much the time differs between keys, in cycles, instead of pairs of classes
    #[arg(long, conflicts_with_all = ["calls", "million", "pair"])]
    pub(super) between_keys: bool,
    /// The part of decapsulation to time
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

/// Runs the experiment for a scheme on a backend, or one process of it.
pub(super) struct Between<'a> {
    pub(super) cpu: ClmulCpu,
    pub(super) arguments: &'a Options,
}

impl SchemeVisitor for Between<'_> {
    type Output = Result<()>;

    fn visit<K: Scheme>(self) -> Result<()> {
        let Between { cpu, arguments } = self;
        let Options { part, keys, processes, repetitions, plant, .. } = *arguments;
        // Cells are cropped before their variance is computed, and fewer times would leave hardly any.
        ensure!(processes > 0 && repetitions >= 4, "at least one process and four repetitions are needed");
        if arguments.one {
            return one::<K>(cpu, arguments);
        }
        let program = std::env::current_exe()?;
        let one = || {
            let mut process = Command::new(&program);
            process.args(["ctime-hqc", "--backend", cpu.name(), "--set", K::NAME, "--between-keys", "--one"]);
            process.args(["--part", name(&part).as_str(), "--keys", name(&keys).as_str()]);
            process.args(["--repetitions", &repetitions.to_string(), "--plant", &plant.to_string()]);
            measured(&mut process)
        };
        let mut all = (0..processes).map(|_| one()).collect::<Result<Vec<_>>>()?;
        // The noise is read before `level`, which makes it the same for all processes.
        let noise = all.iter().map(|process| process.analysis.cell.mean().sqrt());
        let [least, most] = [f64::min, f64::max].map(|of| noise.clone().reduce(of).expect("a process"));
        level(&mut all);
        let mut found = all[0].analysis;
        all[1..].iter().for_each(|process| found.add(&process.analysis));
        print(&report(K::NAME, cpu, arguments, &found, &all))?;
        print(&format!("  residuals of the mean of a ciphertext: {least:.1} to {most:.1}, by process"))
    }
}

/// Scales the sums and means of each process so that the residuals of all have the same variance.
///
/// Other programs disturb some processes more than others. Sums of squares are added over processes, so without
/// this the noisiest would outweigh all others. With it each process weighs by the inverse of its variance. The
/// residuals have no part of the deviation between keys. A deviation that all processes have keeps its size.
fn level(all: &mut [Measured]) {
    let noise: Vec<f64> = all.iter().map(|process| process.analysis.cell.mean()).collect();
    let harmonic =
        |values: &mut dyn Iterator<Item = f64>| noise.len() as f64 / values.map(f64::recip).sum::<f64>();
    let variance = harmonic(&mut noise.iter().copied());
    let deviation = harmonic(&mut noise.iter().map(|noise| noise.sqrt()));
    for (process, noise) in all.iter_mut().zip(&noise) {
        process.analysis.scale(variance / noise);
        process.means.iter_mut().for_each(|mean| *mean *= deviation / noise.sqrt());
    }
}

/// The figures of one process, in cycles or squares of cycles.
#[derive(Debug)]
struct Measured {
    analysis: Analysis,
    /// Welch's t between the halves of the keys, even and odd.
    halves: f64,
    /// The mean time of each key with each message: [`MESSAGES`] of them for the first key, then for the next.
    means: Vec<f64>,
}

/// Measures in this process, and prints the numbers that [`measured`] reads.
fn one<K: Scheme>(cpu: ClmulCpu, arguments: &Options) -> Result<()> {
    // A clock before 1970 gives the seed 1. The keys of all processes are then the same, but still valid.
    let nanoseconds = std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64);
    let (clock, mut random) = (Clock::start(), Random::new(nanoseconds));
    let Options { part, keys, plant, repetitions, .. } = *arguments;
    let mut experiment = Experiment::<K>::new(cpu, part, keys, plant, &mut random);
    let cells = experiment.run(&clock, repetitions, &mut random);
    // One factor makes cycles of all ticks. Sums of squares take its square.
    let cycles = Clock::PROBE_CYCLES / clock.probe().ticks as f64;
    let found = Analysis::of(&cells);
    let squares = [found.row, found.column, found.cell, found.within];
    let squares = squares.map(|s| format!("{} {}", s.sum * cycles * cycles, s.degrees));
    let mean = |cell: &Vec<f64>| cell.iter().sum::<f64>() / cell.len() as f64 * cycles;
    let means: Vec<String> = cells.iter().flatten().map(|cell| mean(cell).to_string()).collect();
    print(&format!("{} {} {} {}", squares.join(" "), found.means * cycles, halves(&cells), means.join(" ")))
}

/// Runs a process and reads the numbers that [`one`] prints there: ten of the analysis, then the means.
fn measured(process: &mut Command) -> Result<Measured> {
    // One process at a time: two would disturb each other's times.
    let output = process.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    // The list ends at the first word that is not a number. A message in place of a figure thus fails the
    // counts below.
    let numbers: Vec<f64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let reason = String::from_utf8_lossy(&output.stderr);
    let (sums, means) = numbers.split_at_checked(10).unwrap_or_default();
    let sums = <[f64; 10]>::try_from(sums).ok().filter(|_| output.status.success());
    let [a, b, c, d, e, f, g, h, mean, halves] =
        sums.with_context(|| format!("a process failed, {}: {reason}", output.status))?;
    ensure!(means.len() == KEYS * MESSAGES, "a process gave {} means", means.len());
    let squares = |sum, degrees| Squares { sum, degrees };
    let analysis = Analysis {
        columns: MESSAGES as f64,
        rows: KEYS as f64,
        row: squares(a, b),
        column: squares(c, d),
        cell: squares(e, f),
        within: squares(g, h),
        means: mean,
        tables: 1.0,
    };
    Ok(Measured { analysis, halves, means: means.to_vec() })
}

/// The analysis of keys that are the same in all processes. The table has a row for each key and a column for
/// each process; a cell has the means of the key's messages.
fn in_all_processes(all: &[Measured]) -> Analysis {
    let cell = |key: usize, process: &Measured| process.means[key * MESSAGES..][..MESSAGES].to_vec();
    let cells: Vec<Vec<Vec<f64>>> =
        (0..KEYS).map(|key| all.iter().map(|process| cell(key, process)).collect()).collect();
    Analysis::of(&cells)
}

/// The name of an option's value on the command line.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().expect("none is skipped").get_name().into()
}

fn report(scheme: &str, cpu: ClmulCpu, arguments: &Options, found: &Analysis, all: &[Measured]) -> String {
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
    match arguments.keys {
        Choice::Random | Choice::Same => {}
        // A table with one column has no residuals, so one process cannot tell what all have in common.
        Choice::Fixed if all.len() > 1 => {
            let found = in_all_processes(all);
            lines.push(line("between keys, in all processes", found.rows()));
            lines.push(line("between keys, in a process beyond that", found.cells()));
        }
        Choice::Fixed => {}
        Choice::ZeroLines | Choice::Pairs => {
            let halves: Vec<f64> = all.iter().map(|process| process.halves).collect();
            lines.push(format!("  t between the halves, by process: {halves:.1?}"));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn figures_of_a_process_are_read() {
        let means: Vec<String> = (0..KEYS * MESSAGES).map(|i| i.to_string()).collect();
        let text = format!("1 2 3 4 5 6 7 8 9 -1.5 {}\n", means.join(" "));
        let found = measured(Command::new("printf").arg(text)).expect("all numbers");
        assert_eq!((found.analysis.row, found.analysis.means), (Squares { sum: 1.0, degrees: 2.0 }, 9.0));
        assert_eq!((found.halves, found.means[17]), (-1.5, 17.0));
        for bad in ["1 2", "1 2 3 4 5 6 7 8 9 10", "1 2 3 4 5 6 7 8 9 10 11"] {
            assert!(measured(Command::new("printf").arg(bad)).unwrap_err().to_string().contains("a process"));
        }
    }

    /// A noisy process does not hide a deviation that quiet ones show, and does not change its estimate.
    #[test]
    fn a_noisy_process_does_not_outweigh_the_others() {
        let mut random = Random::new(5);
        // 53 bits are the precision of a double.
        let mut uniform = || (random.next() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        // Uniform deviations of width 12^0.5 d have the standard deviation d.
        let own: Vec<f64> = (0..KEYS).map(|_| 12_f64.sqrt() * 3.0 * uniform()).collect();
        let mut process = |noise: f64| {
            let mut time = |key: usize| 1000.0 + own[key] + noise * uniform();
            let cells: Vec<Vec<Vec<f64>>> = (0..KEYS)
                .map(|key| (0..MESSAGES).map(|_| (0..4).map(|_| time(key)).collect()).collect())
                .collect();
            let means = cells.iter().flatten().map(|cell| cell.iter().sum::<f64>() / 4.0).collect();
            Measured { analysis: Analysis::of(&cells), halves: 0.0, means }
        };
        let mut all = vec![process(10.0), process(10.0), process(3000.0)];
        let pooled = |all: &[Measured]| {
            let mut found = all[0].analysis;
            all[1..].iter().for_each(|process| found.add(&process.analysis));
            [found.rows(), in_all_processes(all).rows()]
        };
        assert!(pooled(&all).iter().all(|found| !found.significant));
        level(&mut all);
        for found in pooled(&all) {
            assert!(found.significant && (2.4..3.6).contains(&found.estimate), "{found:?}");
        }
    }

    /// Keys that are slower in all processes, and keys that are slower in one, are told apart.
    #[test]
    fn what_a_key_has_in_all_processes_is_told_from_the_rest() {
        let mut random = Random::new(9);
        let mut uniform = || (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
        let own: Vec<f64> = (0..KEYS).map(|_| 20.0 * uniform()).collect();
        for in_all in [true, false] {
            let process = |uniform: &mut dyn FnMut() -> f64| {
                let mut of_key = |key: usize| if in_all { own[key] } else { 20.0 * uniform() };
                let rows: Vec<f64> = (0..KEYS).map(&mut of_key).collect();
                let means = (0..KEYS * MESSAGES).map(|i| 1000.0 + rows[i / MESSAGES] + uniform()).collect();
                Measured { analysis: Analysis::default(), halves: 0.0, means }
            };
            let all: Vec<Measured> = (0..4).map(|_| process(&mut uniform)).collect();
            let found = in_all_processes(&all);
            assert_eq!(found.rows().significant, in_all);
            assert_eq!(found.cells().significant, !in_all);
        }
    }
}
