//! The calls of the statistical test: all cases, on every backend of this CPU.
use crate::call::Call;
use crate::cases::{self, Case};
use crate::statistics::FIXED;
use crate::{curves, ec, fields, keyed, macs, million, prime1271, products, secret};
use carryless_gf2::ClmulCpu;
use carryless_hash::{Cpu, poly1305};
use std::hint::black_box;

/// Lengths of messages in bytes: some blocks, and more than most thresholds, where cases with parts have two.
const LENGTHS: [usize; 2] = [120, 1100];

/// Lengths of polynomials in words: a leaf, and levels above leaves.
const SIZES: [usize; 2] = [6, 24];

/// Words of elements, which select the fields.
const FIELDS: [usize; 2] = [2, 4];

/// All cases of `carryless-hash` and `carryless-aead`.
pub fn hashes() -> impl Iterator<Item = &'static Case<Cpu>> {
    let both_primes = keyed::CASES_1305.iter().chain(keyed::CASES_1271);
    cases::CASES.iter().chain(prime1271::CASES).chain(both_primes).chain(macs::CASES)
}

/// Planted leaks, and every case on every backend with messages of each length.
pub fn calls() -> Vec<Call<'static>> {
    // Soft backends exist for valgrind, which lacks instructions of the others.
    let backends: Vec<ClmulCpu> =
        ClmulCpu::available().filter(|cpu| !cpu.name().starts_with("soft")).collect();
    let mut all = planted();
    all.extend(measured(hashes(), &Cpu::available().collect::<Vec<_>>(), Cpu::name, &LENGTHS));
    all.extend(measured(products::CASES.iter(), &backends, ClmulCpu::name, &SIZES));
    all.extend(measured(fields::CASES.iter(), &backends, ClmulCpu::name, &FIELDS));
    all.extend(measured(curves::CASES.iter(), &backends, ClmulCpu::name, &[curves::SIZE]));
    all.extend(measured(ec::CASES.iter(), &backends, ClmulCpu::name, &[ec::SIZE]));
    all.extend(backends.iter().flat_map(|&backend| million::products(backend)));
    all
}

fn measured<'a, M: Copy + 'static>(
    cases: impl Iterator<Item = &'a Case<M>>,
    backends: &[M],
    name: fn(M) -> &'static str,
    lengths: &[usize],
) -> Vec<Call<'a>> {
    let mut all = Vec::new();
    for Case { functions, run } in cases {
        for &backend in backends {
            for &len in lengths {
                let name = format!("{:<11} {len:>5} {}", name(backend), functions.join(" "));
                all.push(Call::new(name, move || run(backend, len)));
            }
        }
    }
    all
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

fn planted() -> Vec<Call<'static>> {
    PLANTED.map(|(name, leak)| Call { planted: true, ..Call::new(name.into(), leak) }).into()
}
