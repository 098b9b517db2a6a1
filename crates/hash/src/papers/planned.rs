//! A key with the precomputed powers that a plan uses, for measurements: paper 001's tables have every evaluation
//! both with and without precomputed powers.
use crate::base::blocks::BLOCK;
use crate::base::wipe::{keyed, wipe};
use crate::choose::plan::{Plan, PlanMismatch, WORD_GROUPS_MOST};
use crate::choose::{ROWS_1305, ROWS_1305_IFMA};
use crate::eval::dispatch::call;
use crate::eval::horner::{Horner, LANE_ROWS};
use crate::eval::p1305::evaluate::Point;
use crate::eval::p1305::window::{Prepare, Table, Window};
use crate::eval::powers::{Powers, fill_powers};
use crate::field::Field;
use crate::field::groups::MAX_G;
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes26::Radix26;
use crate::field::p1305::lanes44::Radix44;
use carryless_lanes::{Cpu, Ifma, IfmaKernel, Kernel, Lanes};
use zeroize::Zeroize;

/// Number of precomputed powers at most: enough for [`MAX_G`] rows of eight lanes.
const MAX_POWERS: usize = 8 * MAX_G;
const _: () = assert!(WORD_GROUPS_MOST <= MAX_POWERS);

/// The powers tau, tau^2, .. that a plan uses, in radix 2^64. Kernels cut them into limbs at every call.
#[derive(Clone)]
pub(crate) struct ReadyPowers {
    powers: [Element; MAX_POWERS],
    count: usize,
}

impl ReadyPowers {
    fn new(tau: Element, count: usize) -> Self {
        // Entries from `count` on stay tau: never read, and wiped with the rest.
        let mut powers = [tau; MAX_POWERS];
        fill_powers(&mut powers[..count]);
        ReadyPowers { powers, count }
    }
}

impl Zeroize for ReadyPowers {
    fn zeroize(&mut self) {
        wipe(&mut self.powers, Element::ZERO);
        self.count = 0;
    }
}

impl Powers for ReadyPowers {
    type Element = Element;

    #[inline(always)]
    fn tau(&self) -> Element {
        self.powers[0]
    }

    #[inline(always)]
    fn ready(&self) -> &[Element] {
        &self.powers[..self.count]
    }
}

impl Kernel for Horner<'_, ReadyPowers> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.in_field::<_, { ROWS_1305 }>(Radix26(s))
    }
}

impl IfmaKernel for Horner<'_, ReadyPowers> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.in_field::<_, { ROWS_1305_IFMA }>(Radix44(s))
    }
}

/// A key of polyHash1305 with the precomputed powers of one plan. 8 KiB; wiped by `zeroize` and on drop.
///
/// [`Plan::Horner`], [`Plan::HornerIfma`], [`Plan::HornerTail`], [`Plan::Row`], [`Plan::RowIfma`] and
/// [`Plan::GroupedWords`] have their powers as elements, [`Plan::Window`] as its table. [`Plan::Words`],
/// [`Plan::Packed`] and [`Plan::GollGueron`] compute theirs in every call.
///
/// ```
/// use carryless_hash::{Cpu, polyhash1305, research::{Plan, PlannedKey}};
///
/// let (cpu, key, message) = (Cpu::detect(), [7; 16], [5; 1000]);
/// let planned = PlannedKey::new(cpu, Plan::GroupedWords { g: 4 }, &key)?;
/// assert_eq!(planned.digest(&message)?, polyhash1305::digest(&key, &message));
/// # Ok::<(), carryless_hash::research::PlanMismatch>(())
/// ```
#[derive(Clone)]
pub struct PlannedKey {
    point: Point,
    powers: ReadyPowers,
    table: Table,
    plan: Plan,
    cpu: Cpu,
}

keyed!([] PlannedKey, "PlannedKey", { point, powers, table; plan, cpu });

impl PlannedKey {
    /// Precomputes the powers that the plan needs for messages of any length.
    ///
    /// # Errors
    /// [`PlanMismatch`] if the plan serves no length on this backend.
    pub fn new(cpu: Cpu, plan: Plan, key: &[u8; 16]) -> Result<Self, PlanMismatch> {
        let lanes = cpu.lanes();
        let count = match plan {
            Plan::Horner { g } | Plan::HornerIfma { g } | Plan::HornerTail { g } => lanes * g.max(LANE_ROWS),
            Plan::GroupedWords { g } => g,
            Plan::Row | Plan::RowIfma => lanes,
            _ => 1,
        };
        // Three lengths suffice to find out: N blocks for one row, N + 1 for Horner, two whole rows for a tail.
        let serves = [lanes, lanes + 1, 2 * lanes].into_iter().any(|blocks| plan.serves(cpu, BLOCK * blocks));
        if !serves || count > MAX_POWERS {
            return Err(PlanMismatch);
        }
        let point = Point::new(cpu, Element::from_bytes(key));
        let powers = ReadyPowers::new(point.tau(), count);
        let mut table = Table::EMPTY;
        // The table of any other plan stays zero and is never read.
        if plan == Plan::Window {
            call(cpu, Prepare { point: point.base(), table: &mut table });
        }
        Ok(PlannedKey { point, powers, table, plan, cpu })
    }

    /// The digest of `msg`, equal to [`polyhash1305::digest`](crate::polyhash1305::digest()).
    ///
    /// # Errors
    /// [`PlanMismatch`] if the plan does not serve this length on this backend.
    pub fn digest(&self, msg: &[u8]) -> Result<[u8; 16], PlanMismatch> {
        let PlannedKey { point, powers, table, plan, cpu } = self;
        if !plan.serves(*cpu, msg.len()) {
            return Err(PlanMismatch);
        }
        let value = match plan {
            Plan::Window => call(*cpu, Window { table, h: None, msg }),
            plan => plan.evaluate_at(point, powers, *cpu, msg)?,
        };
        Ok(value.low_bits().to_le_bytes())
    }
}
