//! `valgrind ctime [--self-test]`: exits with 1 if memcheck saw a branch or an address that depends on a secret; with
//! `--self-test`, if it did not see the ones planted here.
use carryless_hash::Cpu;
use ctime::cases::{self, Case};
use ctime::{macs, secret, valgrind};
use std::hint::black_box;
use std::process::ExitCode;

/// All short lengths, and some around the borders of larger chunks.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=300).chain([511, 512, 513, 1000, 1024, 2047, 2048, 4096, 4111])
}

fn main() -> ExitCode {
    if !valgrind::is_running() {
        eprintln!("ctime means nothing outside valgrind; run `cargo xtask ctime`");
        return ExitCode::FAILURE;
    }
    let passed = match std::env::args().nth(1).as_deref() {
        None => all_cases(),
        Some("--self-test") => self_test(),
        Some(_) => false,
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn all_cases() -> bool {
    let machines: Vec<Cpu> = Cpu::available().collect();
    let (mut calls, mut leaks) = (0, 0);
    for Case { functions, run } in cases::CASES.iter().chain(macs::CASES) {
        for &cpu in &machines {
            let before = valgrind::errors();
            lengths().for_each(|len| run(cpu, len));
            let found = valgrind::errors() - before;
            let verdict = if found == 0 { "ok" } else { "LEAK" };
            println!("{verdict:<4} {:<9} {}", cpu.name(), functions.join(" "));
            calls += 1;
            leaks += usize::from(found > 0);
        }
    }
    println!("constant time: {} passed, {leaks} failed", calls - leaks);
    leaks == 0
}

/// Each planted leak must be seen.
fn self_test() -> bool {
    let planted: [(&str, fn()); 2] = [
        ("a branch on a secret", || {
            if black_box(secret::array::<1>())[0] == 0x5a {
                black_box(());
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
