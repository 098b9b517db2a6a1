//! `soundness [--self-test]`: reads `crates/lanes/src/range.rs` and `portable.rs` and proves with z3, for words of all values, that
//! the sets of `Range` and `Wide` lose no member and that the portable backend does what the manuals say.
//!
//! With `--self-test` it breaks the source once for each fault of a list, in memory, and fails if a fault goes unnoticed.
//!
//! Kani would read all of Rust. It is not used, because it installs by downloading a compiler and CBMC from outside the
//! registries; z3 is a package of every distribution.
#![forbid(unsafe_code)]

mod backends;
mod claims;
mod faults;
mod lemmas;
mod proof;
mod reader;
mod sets;
mod smt;
mod solver;
mod source;
mod value;
mod wide;

use claims::Claim;
use faults::{FAULTS, Fault};
use proof::prove;
use solver::Solver;
use source::Source;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use value::Read;

fn main() -> ExitCode {
    let self_test = std::env::args().nth(1).as_deref() == Some("--self-test");
    let outcome = if self_test { faults_are_seen() } else { everything_holds() };
    match outcome {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn all_claims() -> Vec<Claim> {
    [lemmas::shortcuts(), claims::all(), wide::all(), backends::all()].into_iter().flatten().collect()
}

fn everything_holds() -> Read<String> {
    for (name, given, then) in lemmas::LEMMAS {
        // The theory of the reals is decidable, that of integer products is not.
        let mut solver = Solver::new(given, "qfnra")?;
        // Premises that contradict each other would prove anything, so some numbers must satisfy them.
        solver
            .possible("true")
            .and_then(|()| solver.prove(then, ""))
            .map_err(|why| format!("{name}: {why}"))?;
        println!("proved {name}");
    }
    let claims = all_claims();
    let called = Mutex::new(BTreeSet::new());
    // The trees of syn cannot be shared between threads, so each claim parses the sources again.
    let mut refuted = in_parallel(&claims, |claim| match Source::read(None).and_then(|s| prove(&s, claim)) {
        Ok(functions) => {
            println!("proved {}", claim.name);
            called.lock().unwrap_or_else(PoisonError::into_inner).extend(functions);
            Ok(())
        }
        Err(why) => Err(format!("NOT PROVED {}: {why}", claim.name)),
    });
    let called = called.into_inner().unwrap_or_else(PoisonError::into_inner);
    refuted.extend(unclaimed(&called)?);
    match refuted.len() {
        0 => Ok(format!("{} lemmas and {} claims proved", lemmas::LEMMAS.len(), claims.len())),
        _ => Err(refuted.join("\n")),
    }
}

/// Complaints about functions of `Range` and `Wide` that no claim called, so that a new one cannot be forgotten.
fn unclaimed(called: &BTreeSet<String>) -> Read<Vec<String>> {
    let source = Source::read(None)?;
    // Functions of the backend are left out: loads, stores and permutations have no claim.
    let on_sets = |name: &&String| name.starts_with("Range::") || name.starts_with("Wide::");
    let unclaimed = source.functions.keys().filter(on_sets).filter(|name| !called.contains(*name));
    Ok(unclaimed.map(|name| format!("no claim is about {name}")).collect())
}

fn faults_are_seen() -> Read<String> {
    let claims = all_claims();
    let unseen = in_parallel(FAULTS, |fault: &Fault| {
        let (file, right, wrong, name) = fault;
        let source = Source::read(Some(fault))?;
        let claim =
            claims.iter().find(|claim| claim.name == *name).ok_or(format!("there is no claim {name}"))?;
        match prove(&source, claim) {
            // Only a counterexample counts: code that the reader refuses, or a timeout, says nothing about
            // the claim.
            Err(why) if why.starts_with(solver::COUNTEREXAMPLE) => {
                println!("seen, as it must be: {file}: {wrong}");
                Ok(())
            }
            Err(why) => Err(format!("{file}: {wrong}: {why}")),
            Ok(_) => Err(format!("NOT SEEN: {file}: {wrong} in place of {right}")),
        }
    });
    if unseen.is_empty() {
        Ok(format!("{} planted faults seen", FAULTS.len()))
    } else {
        Err(unseen.join("\n"))
    }
}

/// Runs `work` on all jobs with one thread per core, and returns its errors. Their order is that of completion.
fn in_parallel<T: Sync>(jobs: &[T], work: impl Fn(&T) -> Read<()> + Sync) -> Vec<String> {
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let one = || {
        // Each job is handed out once whatever the memory order. Results go through the mutex.
        while let Some(job) = jobs.get(next.fetch_add(1, Relaxed)) {
            if let Err(why) = work(job) {
                // A panic elsewhere leaves the list intact, and reaches the caller at the end of the scope.
                complaints.lock().unwrap_or_else(PoisonError::into_inner).push(why);
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(one))));
    complaints.into_inner().unwrap_or_else(PoisonError::into_inner)
}
