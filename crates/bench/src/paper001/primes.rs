//! Section 5.4: the functions over 2^127 - 1, whose timings the paper does not print.
use super::Measured;
use super::candidates::{Candidate, Function, vectors, words};
use super::figures::Powers;
use super::tables::by_blocks;
use crate::families::{BRWHASH1271, DECBRWHASH1271, POLYHASH1271};
use crate::input::{Key, first126};
use crate::ours::one_by_one;
use crate::report::{Row, cell, digits};
use crate::table::Table;
use carryless_hash::decbrwhash1271::{self, Layout, Params, Streams};
use carryless_hash::polyhash1271::{self, Plan};
use carryless_hash::{Cpu, Key1271};

/// Functions over 2^127 - 1, each with the one over 2^130 - 5 that it is compared with.
const PAIRS: [(&str, &str); 3] = [
    ("polyHash1271", "polyHash1305"),
    ("BRWHash1271", "BRWHash1305"),
    ("4-decBRWHash1271", "4-decBRWHash1305"),
];

fn key1271(key: &Key) -> Key1271 {
    Key1271::new(&first126(key)).expect("the upper two bits are zero")
}

/// Each function on each backend and in words, by the parameters that the paper recommends, and as `best`.
/// Powers are computed on the fly.
pub(super) fn candidates() -> Vec<Candidate> {
    let mut all = vec![];
    let what: Function = (PAIRS[0].0, &POLYHASH1271);
    let lanes = |cpu: Cpu| if cpu.has_ifma() { Plan::LanesIfma { g: 4 } } else { Plan::Lanes { g: 4 } };
    let in_lanes = vectors().into_iter().map(|cpu| (cpu.name(), cpu, lanes(cpu)));
    for (code, cpu, plan) in [("words", words(), Plan::Words { g: 4 })].into_iter().chain(in_lanes) {
        let digest = move |key: &Key, message: &[u8]| {
            polyhash1271::digest_with(cpu, plan, &key1271(key), message).expect("the plan serves this length")
        };
        let mut candidate = fly(what, (code, "g = 4"), digest);
        // Plans in lanes need more blocks, of 15 bytes here, than lanes.
        if code != "words" {
            candidate.subject = candidate.subject.for_lengths(15 * cpu.lanes() + 1..=usize::MAX);
        }
        all.push(candidate);
    }
    all.push(fly(what, ("best", ""), |key, message| polyhash1271::digest(&key1271(key), message)));
    all.extend(brwhash((PAIRS[1].0, &BRWHASH1271), Streams::One, &[words()]));
    all.extend(brwhash((PAIRS[2].0, &DECBRWHASH1271), Streams::Four, &vectors()));
    all
}

fn brwhash(what: Function, streams: Streams, cpus: &[Cpu]) -> Vec<Candidate> {
    let mut all = vec![];
    for &cpu in cpus {
        let is_words = matches!(cpu, Cpu::Portable(_));
        let params = Params { t: 5, layout: if is_words { Layout::Words } else { Layout::Lanes } };
        let code = if is_words { "words" } else { cpu.name() };
        all.push(fly(what, (code, "t = 5"), move |key, message| {
            decbrwhash1271::digest_with(cpu, params, streams, &key1271(key), message)
        }));
    }
    all.push(fly(what, ("best", ""), move |key, message| {
        decbrwhash1271::digest(streams, &key1271(key), message)
    }));
    all
}

fn fly(
    what: Function,
    (code, parameter): (&'static str, &str),
    digest: impl Fn(&Key, &[u8]) -> [u8; 16] + 'static,
) -> Candidate {
    Candidate::new(what, (code, parameter.into()), Powers::Fly, one_by_one(digest))
}

/// The table of cycles per byte over 2^127 - 1, and below each line its ratio to the line over 2^130 - 5.
pub(super) fn table(measured: &Measured) -> Table {
    let title = "Section 5.4: the prime 2^127 - 1, key powers computed on the fly, messages of as many bytes";
    let mut table = by_blocks(title, &measured.blocks).with_note(
        "The paper says of its own code: with AVX2 slower than over 2^130 - 5 (ratio above 1), in 64-bit words faster (below 1).",
    );
    for (of_1271, of_1305) in PAIRS {
        let ours = measured.candidates.iter().enumerate();
        for (index, ours) in ours.filter(|(_, candidate)| candidate.function == of_1271) {
            let row = |blocks| measured.row(index, blocks);
            let blocks = || measured.blocks.iter().copied();
            table.row(ours.names(), blocks().map(|blocks| row(blocks).map(cell)));
            // The other line has this code and this parameter too, so the ratio is that of the primes.
            let names = (ours.code, ours.parameter.as_str());
            let ratio = |blocks| {
                let other = measured.figure(of_1305, names, Powers::Fly, blocks)?;
                Some(digits(row(blocks).map(Row::figure)? / other))
            };
            // The row of ratios names the divisor where other rows name the function.
            let [_, rest @ ..] = ours.names();
            let over = format!("/ {of_1305}");
            table.row([over.as_str()].into_iter().chain(rest), blocks().map(ratio));
        }
    }
    table
}
