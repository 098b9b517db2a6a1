//! Kernels that no threshold selects: researchers ask for them by [`Plan`], [`Layout`] and number of streams, to
//! reproduce and compare the algorithms of papers 000, 001 and 003.
//!
//! They are compiled with the feature `research-kernels`. Otherwise `none.rs` stands in for this module:
//! it has the functions below which dispatch calls, and says of every kernel that there is none.
//!
//! | file | contents |
//! |---|---|
//! | `packed`, `packed_first`, `packed_one`, `packed_rows` | over 2^130 - 5, two limbs in a lane: papers 000 and 003 |
//! | `row`, `words` | one row for a whole message; many blocks for one carry in words: paper 001 |
//! | `lanes32`, `four_limbs` | over 2^127 - 1, limbs of 32 bits: paper 001, section 4.2 |
//! | `idle` | BRW hashes whose streams do not fill the lanes |
//! | `planned` | keys with the powers of one plan |
mod four_limbs;
pub(crate) mod idle;
pub(crate) mod lanes32;
pub(crate) mod packed;
pub(crate) mod packed_first;
mod packed_one;
pub(crate) mod packed_rows;
mod planned;
pub(crate) mod row;
pub(crate) mod words;

use crate::api::key::HashKey;
use crate::base::blocks::BLOCK;
use crate::choose::plan::{MAX_LAMBDA, Plan, PlanMismatch, Tail, WORD_GROUPS};
use crate::choose::{ROWS_1305, rows_on};
use crate::eval::brw::{DecBrw, Layout};
use crate::eval::dispatch::{call, call_ifma, has, words_only};
use crate::eval::horner::Horner;
use crate::eval::p1271::powers::Base;
use crate::eval::p1305::evaluate::Point;
use crate::eval::powers::Powers;
use crate::field::Field;
use crate::field::{p1271, p1305};
use carryless_lanes::{Cpu, Kernel};
use core::num::NonZeroU16;
use four_limbs::{DecBrwInFourLimbs, HornerInFourLimbs};
use idle::Idle;
use p1305::element::Element;
use packed_rows::{GollGueron, Packed, Work};
pub use planned::PlannedKey;
use row::OneRow;
use words::grouped;

/// Operation counts of all kernels, also of backends that this CPU lacks, as a page of Markdown: beside them those that the
/// papers state. Tests of this crate compare the page with what they count.
pub const OPERATION_COUNTS: &str = include_str!("../proofs/counts.md");

/// True if `plan` names a kernel of this module that serves messages of `len` bytes on `cpu`.
pub(crate) fn serves(plan: Plan, cpu: Cpu, len: usize) -> bool {
    let (blocks, lanes) = (len.div_ceil(BLOCK), cpu.lanes());
    match plan {
        Plan::GroupedWords { g } => WORD_GROUPS.contains(&g),
        Plan::Row => (1..=lanes).contains(&blocks),
        Plan::RowIfma => (1..=lanes).contains(&blocks) && cpu.has_ifma(),
        Plan::HornerTail { g } => has(rows_on(lanes, ROWS_1305), g) && len >= 2 * lanes * BLOCK,
        Plan::Packed { lambda, .. } | Plan::GollGueron { lambda, .. } => {
            (1..=MAX_LAMBDA).contains(&lambda) && len > 0 && cpu.has_shuffle32()
        }
        Plan::Words | Plan::Horner { .. } | Plan::HornerIfma { .. } | Plan::Window => false,
    }
}

/// Evaluates `msg` by a plan that [`serves`] it, with the powers of the point taken from `powers`.
pub(crate) fn evaluate<P: Powers<Element = Element>>(
    plan: Plan,
    point: &Point,
    powers: &P,
    cpu: Cpu,
    msg: &[u8],
) -> Result<Element, PlanMismatch>
where
    for<'a> Horner<'a, P>: Kernel<Out = Element>,
{
    let work = |lambda| Work { point: point.base(), h: Element::ZERO, msg, lambda };
    Ok(match plan {
        Plan::GroupedWords { g } => {
            grouped(Element::WORDS, (point.tau(), powers.ready()), Element::ZERO, msg, g)
        }
        Plan::Row => call(cpu, OneRow { point: powers, msg }),
        Plan::RowIfma => call_ifma(cpu, OneRow { point: powers, msg }),
        Plan::HornerTail { g } => {
            // `serves` demands two whole rows, because `Horner` sets the last one aside.
            let (rows, tail) = whole_rows(cpu, msg);
            point.words(call(cpu, Horner { point: powers, h: None, msg: rows, g }), tail)
        }
        Plan::Packed { lambda, first } => {
            cpu.shuffles().call(Packed(work(lambda), first)).ok_or(PlanMismatch)?
        }
        Plan::GollGueron { lambda, tail: Tail::Lanes } => {
            cpu.shuffles().call(GollGueron(work(lambda))).ok_or(PlanMismatch)?
        }
        Plan::GollGueron { lambda, tail: Tail::Words } => {
            let (rows, tail) = whole_rows(cpu, msg);
            let kernel = GollGueron(Work { msg: rows, ..work(lambda) });
            point.words(cpu.shuffles().call(kernel).ok_or(PlanMismatch)?, tail)
        }
        Plan::Words | Plan::Horner { .. } | Plan::HornerIfma { .. } | Plan::Window => {
            return Err(PlanMismatch);
        }
    })
}

/// Splits a message into whole rows and the rest.
fn whole_rows(cpu: Cpu, msg: &[u8]) -> (&[u8], &[u8]) {
    msg.split_at(msg.len() - msg.len() % (cpu.lanes() * BLOCK))
}

/// Evaluates over 2^127 - 1 in four limbs of 32 bits.
pub(crate) fn in_four_limbs(
    cpu: Cpu,
    horner: Horner<'_, Base>,
) -> Result<p1271::element::Element, PlanMismatch> {
    Ok(call(cpu, HornerInFourLimbs(horner)))
}

/// True if the backend has vectors and a kernel for `c` streams of a BRW hash that leave some lanes idle.
pub(crate) fn idles(cpu: Cpu, c: usize) -> bool {
    !matches!(cpu, Cpu::Portable(_)) && idle::serves(cpu.lanes(), c)
}

/// Runs the kernel of a BRW hash over 2^130 - 5 in the layout that is asked for.
///
/// # Errors
/// The kernel itself, if the layout is not one of papers.
pub(crate) fn brw1305(
    cpu: Cpu,
    layout: Layout,
    kernel: DecBrw<'_, Element>,
) -> Result<Element, DecBrw<'_, Element>> {
    if layout == Layout::IdleLanes && idles(cpu, kernel.c) {
        Ok(cpu.eight_lane_ifma().call(Idle(kernel), words_only))
    } else {
        Err(kernel)
    }
}

/// [`brw1305`] over 2^127 - 1.
pub(crate) fn brw1271(
    cpu: Cpu,
    layout: Layout,
    kernel: DecBrw<'_, p1271::element::Element>,
) -> Result<p1271::element::Element, DecBrw<'_, p1271::element::Element>> {
    match layout {
        Layout::FourLimbs => Ok(cpu.eight_lane_ifma().call(DecBrwInFourLimbs(kernel), words_only)),
        Layout::IdleLanes if idles(cpu, kernel.c) => Ok(cpu.eight_lane_ifma().call(Idle(kernel), words_only)),
        _ => Err(kernel),
    }
}

/// The digest of c-decBRWHash with any number of streams, in 64-bit words.
pub(crate) fn digest_of_streams<K: HashKey>(streams: NonZeroU16, key: &K, msg: &[u8]) -> [u8; 16] {
    // The kernel needs at least one block; the value of none is 0.
    if msg.is_empty() {
        return [0; 16];
    }
    let (c, bits) = (usize::from(streams.get()), 8 * msg.len() as u64);
    let kernel = DecBrw { tau: key.tau(), ready: None, msg, bits, c, t: 2, saved: None };
    kernel.in_words().low_bits().to_le_bytes()
}
