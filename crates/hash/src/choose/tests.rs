//! Every length has a kernel that serves it, and it is the one that `kernel_for` names.
use super::*;
use crate::blocks::BLOCK;
use crate::field1305::testing::{Rng, sample};
use crate::horner::GROUPS;
use crate::poly1305::{mac_on, mac_with};
use std::string::ToString;

/// Beyond every threshold.
const LENGTHS: usize = 20_000;

/// Lanes of the machines that a table is for.
fn lanes(table: &Thresholds, four_lanes: bool) -> usize {
    let eight = [&EIGHT_LANES, &IFMA, &IFMA_ZEN5].iter().any(|eight| core::ptr::eq(*eight, table));
    if eight && !four_lanes { 8 } else { 4 }
}

/// Horner needs more blocks than lanes, a table as many.
#[test]
fn every_choice_serves_its_length() {
    for (i, table) in TABLES.into_iter().enumerate() {
        for (len, clamped) in (0..LENGTHS).flat_map(|len| [(len, false), (len, true)]) {
            let (kernel, blocks) = (choose(table, clamped, len), len.div_ceil(BLOCK));
            let serves = match kernel {
                Kernel::Words => true,
                Kernel::Rows { four_lanes, g } => GROUPS.contains(&g) && blocks > lanes(table, four_lanes),
                Kernel::Table => blocks >= lanes(table, false),
            };
            assert!(serves, "table {i}, {len} bytes: {kernel:?}");
        }
        let blocks = (table.horner1271.words_to / 15).saturating_add(1);
        assert!(blocks > lanes(table, false), "table {i}, 2^127 - 1");
    }
}

/// A choice changes at these lengths and nowhere else.
#[test]
fn changes_are_complete() {
    for len in 1..LENGTHS {
        let changes = TABLES.iter().any(|table| choose(table, true, len) != choose(table, true, len - 1));
        assert_eq!(changes, KERNEL_CHANGES.contains(&len), "{len} bytes");
    }
    assert!(KERNEL_CHANGES.is_sorted() && KERNEL_CHANGES.last().is_some_and(|last| *last < LENGTHS));
}

/// For every class of CPU: the tag, and the tag by the plan that is said to be chosen.
#[test]
fn every_length_by_its_plan() {
    let mut rng = Rng(60);
    let (key, msg) = ([rng.key(), rng.key()].concat(), rng.bytes(LENGTHS));
    let key = key.first_chunk().expect("two halves");
    for cpu in Cpu::available().flat_map(|cpu| CpuClass::ALL.iter().map(move |class| cpu.with_class(*class)))
    {
        for len in sample(0..LENGTHS) {
            let (msg, choice) = (&msg[..len], kernel_for(cpu, len));
            let want = mac_with(Cpu::named("portable").expect("always there"), Plan::Words, key, msg);
            assert_eq!(mac_with(choice.cpu(), choice.plan(), key, msg), want, "{len} bytes, {choice}");
            assert_eq!(Ok(mac_on(cpu, key, msg)), want, "{len} bytes, {choice}");
        }
    }
}

/// At the lengths of docs/performance.md a Zen 5 takes the kernels that were measured there.
#[test]
fn a_zen_5_takes_the_kernels_measured_there() {
    for (len, g) in [(512, 2), (2560, 3), (16 << 10, 4), (512 << 10, 4)] {
        assert_eq!(choose(&IFMA_ZEN5, true, len), Kernel::Rows { four_lanes: false, g }, "{len} bytes");
    }
}

#[test]
fn names() {
    let cpu = Cpu::named("portable").expect("always there");
    assert_eq!(kernel_for(cpu, 100_000).to_string(), "64-bit words, block by block");
    let choice = Choice { plan: Plan::HornerIfma { g: 3 }, cpu };
    assert_eq!(choice.to_string(), "decimated Horner, radix 2^44, g = 3, 4 lanes");
}
