//! The claims of section 6: how much less time 4-decBRWHash1305 takes than polyHash1305, there and here.
use super::Measured;
use super::figures::{Paper, Powers};
use super::tables::RATIO;
use crate::claim::{Claim, Doubts, Verdict, savings, span};
use std::ops::RangeInclusive;

/// A statement of section 6: setting of the powers, numbers of blocks, and the percentage that it states.
struct Statement {
    powers: Powers,
    blocks: RangeInclusive<usize>,
    paper: &'static str,
}

const STATEMENTS: [Statement; 7] = [
    Statement { powers: Powers::Fly, blocks: 16..=16, paper: "faster from 16 blocks on" },
    Statement { powers: Powers::Fly, blocks: 50..=500, paper: "10 to 17 %" },
    Statement { powers: Powers::Fly, blocks: 1000..=5000, paper: "18 to 20 %" },
    Statement { powers: Powers::Fly, blocks: 32768..=32768, paper: "23 %" },
    Statement { powers: Powers::Ready, blocks: 200..=500, paper: "4 to 16 %" },
    Statement { powers: Powers::Ready, blocks: 1000..=5000, paper: "18 to 21 %" },
    Statement { powers: Powers::Ready, blocks: 32768..=32768, paper: "23 %" },
];

/// Two claims for each statement, with the least and the greatest saving here. The first is by the paper's parameters
/// on AVX2 and decides whether the statement holds; the second is by the functions that users call.
pub(super) fn claims(paper: &Paper, measured: &Measured) -> Vec<Claim> {
    let codes = ["avx2", "best"];
    STATEMENTS
        .iter()
        .flat_map(|statement| codes.map(|code| claim(statement, paper, measured, code)))
        .collect()
}

fn claim(statement: &Statement, paper: &Paper, measured: &Measured, code: &str) -> Claim {
    let [(over, t), (under, g)] = RATIO;
    let parameters = if code == "best" { ["", ""] } else { [t, g] };
    let compared = [(over, parameters[0]), (under, parameters[1])];
    let blocks = paper.blocks().into_iter().filter(|blocks| statement.blocks.contains(blocks));
    let (mut pairs, mut doubts) = (vec![], Doubts::default());
    for blocks in blocks {
        let rows = |powers| {
            compared.map(|(function, parameter)| measured.row_of(function, (code, parameter), powers, blocks))
        };
        // `--quick` leaves out most numbers of blocks.
        let [Some(above), Some(below)] = rows(statement.powers) else { continue };
        pairs.push([above, below]);
        // With powers ready a call does a part of the work of one on the fly, so it cannot take longer.
        let wholes = if statement.powers == Powers::Ready { rows(Powers::Fly) } else { [None; 2] };
        [above, below].into_iter().zip(wholes).for_each(|(row, whole)| doubts.add_part(row, whole));
    }
    let saved = savings(&pairs);
    let here = saved.map(|saved| span(saved.map(|saved| format!("{saved:.0}"))) + " %");
    let (from, to) = (statement.blocks.start(), statement.blocks.end());
    let lengths = if from == to { format!("{from} blocks") } else { format!("{from} to {to} blocks") };
    let setting = format!("{lengths}, {}", statement.powers.name());
    match code {
        "avx2" => Claim {
            what: format!("{over} with {t} takes less time than {under} with {g} on AVX2: {setting}"),
            paper: statement.paper.into(),
            here,
            test: "it saves time at every number of blocks measured",
            verdict: Verdict::of(saved.map(|[least, _]| least > 0.0), doubts.text()),
        },
        // The paper claims nothing of what users of this library call, so there is a figure without a test.
        _ => {
            let what =
                format!("what {over} saves of {under}'s time as this library computes them: {setting}");
            Claim::figure(what, "", here)
        }
    }
}
