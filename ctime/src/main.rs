//! `valgrind ctime [--self-test]`: exits with 1 if memcheck saw a branch or an address that depends on a secret; with
//! `--self-test`, if it did not see the ones planted here. `ctime --statistics` measures times, without valgrind; `ctime --million` those of k P
//! and k G, a million each. With a number after it, either measures that pair for the process that started it. `ctime --steps [TEXT | K/N]`
//! compares the instructions and addresses of those calls whose names contain the text, or of part K of N; it exits with 3 if it could not follow some.
//! So do the tests of times if a planted leak was not seen: then the computer was too busy for them.
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;
use ctime::call::Call;
use ctime::cases::Case;
use ctime::leaks::{CERTAINTY, INCOMPLETE, SUSPICION, Test};
use ctime::statistics::{ROUND, Size, pair};
use ctime::steps::Tally;
use ctime::{curves, ec, fields, hqc, measured, million, products, secret, steps, valgrind};
use std::hint::black_box;
use std::io::{Error, Result};
use std::process::{Command, ExitCode};

/// Lengths of messages in bytes: all short ones, some around borders of larger chunks, and some beyond every
/// threshold of the hashes. At 10,240 bytes AVX2 begins to make a table of powers for one message.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=300).chain([511, 512, 513, 1000, 1024, 2047, 2048, 4096, 4111, 10_240, 11_000, 20_000])
}

/// Lengths of polynomials in words: leaves, levels above them, and sizes at which other constructions begin.
fn sizes() -> impl Iterator<Item = usize> {
    (0..=10).chain([12, 16, 17, 24, 32, 33, 64, 71, 130])
}

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let statistics = argument.as_deref().and_then(Statistics::of);
    let steps = argument.as_deref() == Some("--steps");
    // Outside valgrind no case could fail, and under it times are those of translated code.
    if valgrind::is_running() == (steps || statistics.is_some()) {
        eprintln!(
            "ctime means nothing outside valgrind, and times mean nothing under it; run `cargo xtask ctime` or `dudect`"
        );
        return ExitCode::FAILURE;
    }
    let second = std::env::args().nth(2);
    let code = |passed| if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    let result = match (argument.as_deref(), statistics) {
        (_, Some(statistics)) => statistics
            .run(second.as_deref())
            .map(|seen| if seen { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) }),
        (Some("--steps"), _) => single_steps(second.as_deref().unwrap_or_default()),
        (None, _) => Ok(code(all_cases())),
        (Some("--self-test"), _) => Ok(code(self_test())),
        (Some(_), _) => Ok(ExitCode::FAILURE),
    };
    result.unwrap_or_else(|error| {
        eprintln!("ctime: {error}");
        ExitCode::FAILURE
    })
}

fn single_steps(selection: &str) -> Result<ExitCode> {
    let tally = steps::all(selection, &mut std::io::stdout())?;
    Ok(match tally {
        Tally { failed: 1.., .. } => ExitCode::FAILURE,
        Tally { lost: 1.., .. } => ExitCode::from(INCOMPLETE),
        _ => ExitCode::SUCCESS,
    })
}

/// A statistical test, as its option selects it.
struct Statistics {
    option: &'static str,
    test: Test,
    calls: fn() -> Vec<Call<'static>>,
    round: Size,
}

impl Statistics {
    /// The test of a command-line option; `None` for other options.
    fn of(option: &str) -> Option<Self> {
        match option {
            "--statistics" => Some(Statistics {
                option: "--statistics",
                test: Test { bound: CERTAINTY, rounds: 3 },
                calls: measured::calls,
                round: ROUND,
            }),
            "--million" => Some(Statistics {
                option: "--million",
                test: Test { bound: SUSPICION, rounds: 1 },
                calls: million::calls,
                round: million::MILLION,
            }),
            _ => None,
        }
    }

    /// Measures all pairs, or only the one of this number, in a process that another run started. Returns
    /// whether every planted leak was seen.
    fn run(&self, number: Option<&str>) -> Result<bool> {
        let pairs = (self.calls)().into_iter().filter_map(|call| pair(call, self.round)).collect();
        let out = &mut std::io::stdout();
        match number {
            Some(number) => self.test.one(pairs, number.parse().map_err(Error::other)?, out).map(|()| true),
            None => {
                let program = std::env::current_exe()?;
                let process = |index: usize| {
                    let mut process = Command::new(&program);
                    process.args([self.option, &index.to_string()]);
                    process
                };
                self.test.all(pairs, process, out)
            }
        }
    }
}

fn all_cases() -> bool {
    let backends: Vec<Cpu> = Cpu::available().collect();
    let tally = [
        checked(measured::hashes(), &backends, Cpu::name, lengths().collect()),
        checked(
            products::CASES
                .iter()
                .chain(fields::CASES)
                .chain(curves::CASES)
                .chain(ec::CASES)
                .chain(hqc::CASES),
            &ClmulCpu::available().collect::<Vec<_>>(),
            ClmulCpu::name,
            sizes().collect(),
        ),
    ];
    let (passed, failed) = tally.iter().fold((0, 0), |sum, (good, bad)| (sum.0 + good, sum.1 + bad));
    println!("constant time: {passed} passed, {failed} failed");
    failed == 0
}

/// Runs the cases on all backends with all lengths. Returns how many passed and how many failed.
fn checked<'a, M: Copy + 'static>(
    cases: impl Iterator<Item = &'a Case<M>>,
    backends: &[M],
    name: fn(M) -> &'static str,
    lengths: Vec<usize>,
) -> (usize, usize) {
    let (mut passed, mut failed) = (0, 0);
    for Case { functions, run } in cases {
        for &backend in backends {
            // Memcheck counts for the whole process, so what a case adds is its own.
            let before = valgrind::errors();
            lengths.iter().for_each(|&len| run(backend, len));
            let clean = valgrind::errors() == before;
            println!(
                "{:<4} {:<11} {}",
                if clean { "ok" } else { "LEAK" },
                name(backend),
                functions.join(" ")
            );
            passed += usize::from(clean);
            failed += usize::from(!clean);
        }
    }
    (passed, failed)
}

/// Returns whether memcheck reports each planted leak.
fn self_test() -> bool {
    let planted: [(&str, fn()); 2] = [
        ("a branch on a secret", || {
            if black_box(secret::array::<1>())[0] == 0x5a {
                black_box(());
                // Output, so that the compiler keeps the branch.
                println!("(branch taken)");
            }
        }),
        ("an address made from a secret", || {
            let table = black_box([7_u8; 256]);
            black_box(table[usize::from(secret::array::<1>()[0])]);
        }),
    ];
    planted.iter().all(|(name, leak)| {
        let before = valgrind::errors();
        leak();
        let seen = valgrind::errors() > before;
        println!("{name}: {}", if seen { "seen, as it must be" } else { "NOT SEEN" });
        seen
    })
}
