//! Every length has a kernel that serves it, and it is the one that `kernel_for` names.
use super::*;
use crate::api::poly1305::{mac_on, mac_with};
use crate::base::blocks::BLOCK;
use crate::choose::plan::Plan;
use crate::eval::brw::{Layout, Streams, best};
use crate::eval::horner::GROUPS;
use crate::field::groups::LONG_G;
use crate::field::p1305::element::Element;
use crate::field::p1305::testing::{Rng, sample};
use crate::{Key1271, decbrwhash1271, decbrwhash1305};
use std::format;
use std::string::ToString;

/// A length in bytes beyond every threshold.
const LENGTHS: usize = 20_000;

/// Lanes of the backends that a table is for.
fn lanes(table: &Thresholds, four_lanes: bool) -> usize {
    let eight = [&EIGHT_LANES].iter().chain(&IFMA_TABLES).any(|eight| core::ptr::eq(*eight, table));
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
                Kernel::Rows { four_lanes, g } => {
                    (GROUPS.contains(&g) || g == LONG_G) && blocks > lanes(table, four_lanes)
                }
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

/// At four measured lengths each class of CPU takes the kernels that were fastest.
#[test]
fn a_class_takes_the_kernels_measured_there() {
    let eight = |g| Kernel::Rows { four_lanes: false, g };
    let four = |g| Kernel::Rows { four_lanes: true, g };
    let measured = [
        (&IFMA_ZEN4, [four(2), four(3), eight(LONG_G), eight(LONG_G)]),
        (&IFMA_ZEN5, [four(2), eight(3), eight(LONG_G), eight(LONG_G)]),
    ];
    for (table, kernels) in measured {
        for (len, kernel) in [512, 2560, 16 << 10, 512 << 10].into_iter().zip(kernels) {
            assert_eq!(choose(table, true, len), kernel, "{len} bytes");
        }
    }
}

/// Every number of streams for every class of CPU, over both primes: the digest is that of words.
#[test]
fn streams_on_every_class() {
    let mut rng = Rng(61);
    let (key, msg) = (rng.key(), rng.bytes(3000));
    let key1271 = Key1271::new(&rng.key().map(|byte| byte & 0x3f)).expect("below 2^126");
    let words = Cpu::named("portable").expect("always there");
    let streams = [1, 2, 3, 4, 8, 16].map(|c| Streams::try_from(c).expect("one of them"));
    for cpu in Cpu::available().flat_map(|cpu| CpuClass::ALL.iter().map(move |class| cpu.with_class(*class)))
    {
        for (len, streams) in sample(0..msg.len()).flat_map(|len| streams.map(|c| (len, c))) {
            let (msg, what) = (&msg[..len], format!("{len} bytes, {streams:?}, {cpu:?}"));
            let want = decbrwhash1305::digest_on(words, streams, &key, msg);
            assert_eq!(decbrwhash1305::digest_on(cpu, streams, &key, msg), want, "{what}");
            let ready = decbrwhash1305::PreparedKey::on(cpu, streams, &key);
            assert_eq!(ready.digest(msg), want, "{what}, prepared");
            let want = decbrwhash1271::digest_on(words, streams, &key1271, msg);
            assert_eq!(decbrwhash1271::digest_on(cpu, streams, &key1271, msg), want, "{what}, 2^127 - 1");
            let ready = decbrwhash1271::PreparedKey::on(cpu, streams, &key1271);
            assert_eq!(ready.digest(msg), want, "{what}, 2^127 - 1, prepared");
        }
    }
}

/// Four streams with 52-bit multiply-add: four lanes up to the threshold of the class, and eight from there on.
#[test]
fn four_streams_with_multiply_add() {
    let lanes = |cpu, len| {
        let (cpu, params) = best::<Element>(cpu, Streams::Four, len);
        if params.layout == Layout::Words { 1 } else { cpu.lanes() }
    };
    for cpu in Cpu::available().filter(|cpu| cpu.has_ifma() && cpu.lanes() == 8) {
        let lengths = [64, 128, 1024, 2048, 16_384];
        assert_eq!(lengths.map(|len| lanes(cpu.with_class(CpuClass::Zen4), len)), [4, 4, 4, 4, 8]);
        assert_eq!(lengths.map(|len| lanes(cpu.with_class(CpuClass::Generic), len)), [1, 4, 4, 4, 8]);
    }
}

#[test]
fn names() {
    let cpu = Cpu::named("portable").expect("always there");
    assert_eq!(kernel_for(cpu, 100_000).to_string(), "64-bit words, block by block");
    let choice = Choice { plan: Plan::HornerIfma { g: 3 }, cpu };
    assert_eq!(choice.to_string(), "decimated Horner, radix 2^44, g = 3, 4 lanes");
}
