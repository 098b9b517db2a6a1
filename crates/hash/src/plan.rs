//! Kernels by name, for those who measure, reproduce or test. Everyone else gets the best one by length.
use crate::evaluate::Point;
use crate::field1305::element::Element;
use crate::field1305::packed::{MAX_LAMBDA, Packed};
use crate::field1305::window::{Prepare, Table, Window};
use crate::horner::{GROUPS, Horner};
use carryless_lanes::Cpu;

/// A way to evaluate the polynomial. All give the same digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Plan {
    /// 64-bit words, one block at a time (any length).
    Words,
    /// Decimated Horner in radix 2^26, a block per lane, with one carry chain for `g` rows (papers 000, 001, 003).
    /// For `g` of 1, 2, 3, 4 or 8 and messages of more blocks than the machine has lanes.
    Horner {
        /// Rows per carry chain, the papers' delayed reduction.
        g: usize,
    },
    /// The same in radix 2^44 with 52-bit multiply-add, on machines that have it ([`Cpu::has_ifma`]).
    HornerIfma {
        /// Rows per carry chain.
        g: usize,
    },
    /// The layout of papers 000 and 003: two limbs in a lane, `lambda` rows per reduction, and a first product without
    /// zeros where the first row has few blocks. For `lambda` of 1 to 3, machines that move 32-bit halves across lanes,
    /// and messages of more blocks than the machine has lanes.
    Packed {
        /// Rows per reduction.
        lambda: usize,
    },
    /// A table of powers in radix 2^26 against the message in radix 2^32. For messages of at least as many blocks as
    /// the machine has lanes.
    Window,
}

impl core::fmt::Display for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Plan::Words => f.write_str("64-bit words, block by block"),
            Plan::Horner { g } => write!(f, "decimated Horner, radix 2^26, g = {g}"),
            Plan::HornerIfma { g } => write!(f, "decimated Horner, radix 2^44, g = {g}"),
            Plan::Packed { lambda } => write!(f, "two limbs in a lane, lambda = {lambda}"),
            Plan::Window => f.write_str("window of two radices, table of key powers"),
        }
    }
}

/// The error of a plan that does not fit the message or the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanMismatch;

impl core::fmt::Display for PlanMismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this plan does not serve a message of this length on this machine")
    }
}

impl core::error::Error for PlanMismatch {}

impl Plan {
    /// Every plan that serves messages of `len` bytes on `cpu`.
    pub fn all(cpu: Cpu, len: usize) -> impl Iterator<Item = Plan> {
        let known = [
            Plan::Words,
            Plan::Horner { g: 1 },
            Plan::Horner { g: 2 },
            Plan::Horner { g: 3 },
            Plan::Horner { g: 4 },
            Plan::Horner { g: 8 },
            Plan::HornerIfma { g: 1 },
            Plan::HornerIfma { g: 2 },
            Plan::HornerIfma { g: 3 },
            Plan::HornerIfma { g: 4 },
            Plan::HornerIfma { g: 8 },
            Plan::Packed { lambda: 1 },
            Plan::Packed { lambda: 2 },
            Plan::Packed { lambda: 3 },
            Plan::Window,
        ];
        known.into_iter().filter(move |plan| plan.serves(cpu, len))
    }

    /// Whether this plan serves messages of `len` bytes on `cpu`.
    #[must_use]
    pub fn serves(self, cpu: Cpu, len: usize) -> bool {
        let (blocks, lanes) = (len.div_ceil(16), cpu.lanes());
        match self {
            Plan::Words => true,
            Plan::Horner { g } => GROUPS.contains(&g) && blocks > lanes,
            Plan::HornerIfma { g } => GROUPS.contains(&g) && blocks > lanes && cpu.has_ifma(),
            Plan::Packed { lambda } => {
                (1..=MAX_LAMBDA).contains(&lambda) && blocks > lanes && cpu.has_shuffle32()
            }
            Plan::Window => blocks >= lanes,
        }
    }

    /// The value of `msg` by this plan.
    pub(crate) fn evaluate(self, point: &Point, cpu: Cpu, msg: &[u8]) -> Result<Element, PlanMismatch> {
        if !self.serves(cpu, msg.len()) {
            return Err(PlanMismatch);
        }
        let horner = |g| Horner { point: point.base(), h: Element::ZERO, msg, g };
        Ok(match self {
            Plan::Words => point.words(Element::ZERO, msg),
            Plan::Horner { g } => cpu.call(horner(g)),
            Plan::HornerIfma { g } => cpu.call_ifma(horner(g)).ok_or(PlanMismatch)?,
            Plan::Packed { lambda } => {
                let kernel = Packed { point: point.base(), h: Element::ZERO, msg, lambda };
                cpu.call_shuffle(kernel).ok_or(PlanMismatch)?
            }
            Plan::Window => {
                let mut table = Table::EMPTY;
                cpu.call(Prepare { point: point.base(), table: &mut table });
                cpu.call(Window { table: &table, h: None, msg })
            }
        })
    }
}
