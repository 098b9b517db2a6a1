//! The statistical test of all cases, on every machine of this CPU.
use crate::cases::{self, Case};
use crate::statistics::{ATTEMPTS, FIXED, Test};
use crate::{curves, ec, fields, macs, million, prime1271, products, secret};
use carryless_gf2::ClmulCpu;
use carryless_hash::{Cpu, poly1305};
use std::hint::black_box;

/// Bytes: a message of some blocks, and one beyond most thresholds, in two parts where a case makes parts.
const LENGTHS: [usize; 2] = [120, 1100];

/// Words of polynomials: a leaf, and levels above leaves.
const SIZES: [usize; 2] = [6, 24];

/// Words of the elements of fields that have cases.
const FIELDS: [usize; 2] = [2, 4];

/// A case on a machine, with messages of one length.
pub struct Measured<'a> {
    /// What the output calls it.
    pub name: String,
    /// The calls.
    pub test: Test<Box<dyn FnMut() + 'a>>,
}

/// Whether what is planted is seen, and nothing else.
pub fn all_cases() -> bool {
    let seen = planted();
    let hashes = cases::CASES.iter().chain(prime1271::CASES).chain(macs::CASES);
    // Soft machines are there for the sake of valgrind.
    let machines: Vec<ClmulCpu> =
        ClmulCpu::available().filter(|cpu| !cpu.name().starts_with("soft")).collect();
    let mut all = measured(hashes, &Cpu::available().collect::<Vec<_>>(), Cpu::name, &LENGTHS);
    all.extend(measured(products::CASES.iter(), &machines, ClmulCpu::name, &SIZES));
    all.extend(measured(fields::CASES.iter(), &machines, ClmulCpu::name, &FIELDS));
    all.extend(measured(curves::CASES.iter(), &machines, ClmulCpu::name, &[curves::SIZE]));
    all.extend(measured(ec::CASES.iter(), &machines, ClmulCpu::name, &[ec::SIZE]));
    all.extend(machines.iter().flat_map(|&machine| million::products(machine)));
    seen && no_leaks(all)
}

fn measured<'a, M: Copy + 'static>(
    cases: impl Iterator<Item = &'a Case<M>>,
    machines: &[M],
    name: fn(M) -> &'static str,
    lengths: &[usize],
) -> Vec<Measured<'a>> {
    let mut all = Vec::new();
    for Case { functions, run } in cases {
        for &machine in machines {
            for &len in lengths {
                let name = format!("{:<11} {len:>5} {}", name(machine), functions.join(" "));
                let call: Box<dyn FnMut()> = Box::new(move || run(machine, len));
                // Some cases are of few sizes.
                all.extend(Test::of(call).map(|test| Measured { name, test }));
            }
        }
    }
    all
}

/// Measures all, and those that exceed the bound again after the others.
fn no_leaks(all: Vec<Measured>) -> bool {
    let (count, mut suspects, mut greatest) = (all.len(), all, 0.0_f64);
    for attempt in 1..=ATTEMPTS {
        suspects.retain_mut(|Measured { name, test }| {
            let exceeds = test.attempt();
            if !exceeds {
                greatest = test.t.iter().fold(greatest, |greatest, t| greatest.max(t.abs()));
            }
            let word = if exceeds { "EXCEEDS" } else { "ok" };
            println!("{attempt} {word:<7} {name} t = {:.1?}", test.t);
            exceeds
        });
    }
    suspects.iter().for_each(|Measured { name, test }| println!("LEAK {name} t = {:.1?}", test.t));
    let failed = suspects.len();
    println!("statistics: {} passed, {failed} failed; greatest |t| of a round {greatest:.1}", count - failed);
    failed == 0
}

/// Leaks that the test must see.
const PLANTED: [(&str, fn()); 4] = [
    ("a comparison that ends at the first difference", || {
        let (tag, given) = (black_box([FIXED; 64]), secret::array::<64>());
        black_box(tag.iter().zip(&given).all(|(a, b)| black_box(a) == b));
    }),
    ("a branch around some work", || work_if_fixed(secret::array())),
    ("the same branch after a MAC", || {
        let key = secret::array();
        secret::publish(poly1305::mac(&key, &secret::message(1000)));
        work_if_fixed([key[0]]);
    }),
    ("an address made from a secret", || {
        static TABLE: [u8; 1 << 22] = [7; 1 << 22];
        let at = secret::word();
        for i in 0..4 {
            black_box(black_box(&TABLE)[(at >> (i * 7)) as usize % TABLE.len()]);
        }
    }),
];

fn work_if_fixed(secret: [u8; 1]) {
    if secret[0] == FIXED {
        (0..200).for_each(|i| _ = black_box(i));
    }
}

/// A busy computer can hide even these for a while; three tests of each must not all miss it.
fn planted() -> bool {
    let seen = PLANTED.map(|(name, leak)| {
        let seen = (0..3).any(|_| is_seen(name, leak));
        println!("{name}: {}", if seen { "seen, as it must be" } else { "NOT SEEN" });
        seen
    });
    !seen.contains(&false)
}

fn is_seen(name: &str, leak: fn()) -> bool {
    Test::of(leak).is_some_and(|mut test| {
        let seen = (0..ATTEMPTS).all(|_| test.attempt());
        println!("{name}: t = {:.1?}", test.t);
        seen
    })
}
