//! Which messages a [`Plan`] serves on a backend, and the call of its kernel.
use super::evaluate::Point;
use super::horner::InLongGroups;
use super::window::{Prepare, Table, Window};
use crate::choose::plan::{FirstProduct, MAX_LAMBDA, Plan, PlanMismatch, Tail, WORD_GROUPS};
use crate::choose::{ROWS_1305, ROWS_1305_IFMA, rows_on};
use crate::eval::dispatch::{call, call_ifma, compiled_for, has};
use crate::eval::horner::{GROUPS, Horner};
use crate::eval::powers::Powers;
use crate::field::groups::LONG_G;
use crate::field::p1305::element::Element;
use crate::papers;
use carryless_lanes::{Cpu, IfmaKernel, Kernel};

impl Plan {
    /// Every plan that serves messages of `len` bytes on `cpu`.
    pub fn all(cpu: Cpu, len: usize) -> impl Iterator<Item = Plan> {
        let words = WORD_GROUPS.into_iter().map(|g| Plan::GroupedWords { g });
        let rows = GROUPS
            .into_iter()
            .flat_map(|g| [Plan::Horner { g }, Plan::HornerIfma { g }, Plan::HornerTail { g }]);
        let long = Plan::HornerIfma { g: LONG_G };
        let packed = (1..=MAX_LAMBDA).flat_map(|lambda| {
            let balanced = FirstProduct::ALL.map(|first| Plan::Packed { lambda, first });
            balanced.into_iter().chain(Tail::ALL.map(|tail| Plan::GollGueron { lambda, tail }))
        });
        // A list of names filtered by `serves`, so that both cannot disagree about what a backend runs.
        let known = [Plan::Words, Plan::Row, Plan::RowIfma, Plan::Window, long]
            .into_iter()
            .chain(words)
            .chain(rows)
            .chain(packed);
        known.filter(move |plan| plan.serves(cpu, len))
    }

    /// True if this plan serves messages of `len` bytes on `cpu`.
    #[must_use]
    pub fn serves(self, cpu: Cpu, len: usize) -> bool {
        // Everything here depends on the plan, the length and the CPU, so a mismatch says nothing about key or
        // message.
        let (blocks, lanes) = (len.div_ceil(16), cpu.lanes());
        if !matches!(self, Plan::Words | Plan::GroupedWords { .. }) && !compiled_for(cpu) {
            return false;
        }
        match self {
            Plan::Words => true,
            // More blocks than lanes: the last row is set aside, so a message of one row has none.
            Plan::Horner { g } => has(rows_on(lanes, ROWS_1305), g) && blocks > lanes,
            Plan::HornerIfma { g } => {
                has(rows_on(lanes, ROWS_1305_IFMA), g) && blocks > lanes && cpu.has_ifma()
            }
            Plan::Window => blocks >= lanes,
            Plan::GroupedWords { .. }
            | Plan::Row
            | Plan::RowIfma
            | Plan::HornerTail { .. }
            | Plan::Packed { .. }
            | Plan::GollGueron { .. } => papers::serves(self, cpu, len),
        }
    }

    /// Evaluates `msg` by this plan. The result is below 2p.
    pub(crate) fn evaluate(self, point: &Point, cpu: Cpu, msg: &[u8]) -> Result<Element, PlanMismatch> {
        if !self.serves(cpu, msg.len()) {
            return Err(PlanMismatch);
        }
        self.evaluate_at(point, point.base(), cpu, msg)
    }

    /// Evaluates `msg`, which the plan must serve, with the powers of the point taken from `powers`.
    pub(crate) fn evaluate_at<P: Powers<Element = Element>>(
        self,
        point: &Point,
        powers: &P,
        cpu: Cpu,
        msg: &[u8],
    ) -> Result<Element, PlanMismatch>
    where
        for<'a> Horner<'a, P>: Kernel<Out = Element> + IfmaKernel<Out = Element>,
    {
        let horner = |g| Horner { point: powers, h: None, msg, g };
        Ok(match self {
            Plan::Words => point.words(Element::ZERO, msg),
            Plan::Horner { g } => call(cpu, horner(g)),
            Plan::HornerIfma { g: LONG_G } => {
                call_ifma(cpu, InLongGroups(Horner { point: point.base(), h: None, msg, g: LONG_G }))
            }
            Plan::HornerIfma { g } => call_ifma(cpu, horner(g)),
            Plan::Window => {
                // A plan is measured with its precomputation, as a single message pays for it; `PlannedKey`
                // measures without.
                let mut table = Table::EMPTY;
                call(cpu, Prepare { point: point.base(), table: &mut table });
                call(cpu, Window { table: &table, h: None, msg })
            }
            Plan::GroupedWords { .. }
            | Plan::Row
            | Plan::RowIfma
            | Plan::HornerTail { .. }
            | Plan::Packed { .. }
            | Plan::GollGueron { .. } => papers::evaluate(self, point, powers, cpu, msg)?,
        })
    }
}
