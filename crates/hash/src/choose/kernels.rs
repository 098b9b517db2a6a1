//! What follows from the thresholds: the kernel of a length, and the lengths at which it changes.
use super::{Kernel, NEVER, TABLES, Thresholds, choose, thresholds};
use crate::choose::plan::Plan;
use carryless_lanes::Cpu;

/// The kernel that serves a message, and the lanes on which it runs: the result of [`kernel_for`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub(super) plan: Plan,
    pub(super) cpu: Cpu,
}

impl Choice {
    /// The kernel, as a [`Plan`] that can be forced by name.
    #[must_use]
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// The backend that runs it. For short messages it may have four lanes where the CPU has eight.
    #[must_use]
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }
}

impl core::fmt::Display for Choice {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.plan.fmt(f)?;
        if self.plan == Plan::Words { Ok(()) } else { write!(f, ", {} lanes", self.cpu.lanes()) }
    }
}

/// The kernel that hashes a message of `len` bytes under a clamped key (Poly1305) on `cpu`.
#[must_use]
pub fn kernel_for(cpu: Cpu, len: usize) -> Choice {
    match choose(thresholds(cpu), true, len) {
        Kernel::Words => Choice { plan: Plan::Words, cpu },
        Kernel::Rows { four_lanes, g } => {
            let cpu = if four_lanes { cpu.at_most_four_lanes() } else { cpu };
            Choice { plan: if cpu.has_ifma() { Plan::HornerIfma { g } } else { Plan::Horner { g } }, cpu }
        }
        Kernel::Table => Choice { plan: Plan::Window, cpu },
    }
}

/// Bytes up to which words serve every backend under a clamped key: the smallest `words_to` of all tables. Such
/// messages need no look at the CPU.
pub(crate) const WORDS_EVERYWHERE_TO: usize = words_everywhere_to(true);
/// Bytes up to which words serve every backend under any key.
pub(crate) const WORDS_EVERYWHERE_TO_ANY_KEY: usize = words_everywhere_to(false);
const _: () = assert!(WORDS_EVERYWHERE_TO_ANY_KEY <= WORDS_EVERYWHERE_TO);

/// Bytes up to which no table of key powers serves a message under a clamped key, on any backend.
pub(crate) const NO_TABLE_TO: usize = {
    let (mut first, mut i) = (NEVER, 0);
    while i < TABLES.len() {
        let from = TABLES[i].ready_table_clamped.start;
        if from < first {
            first = from;
        }
        i += 1;
    }
    first - 1
};

/// The smallest `words_to` of all tables, for clamped keys or for any key.
const fn words_everywhere_to(clamped: bool) -> usize {
    // A loop over indices, since iterators do not run in constants.
    let (mut shortest, mut i) = (NEVER, 0);
    while i < TABLES.len() {
        let words_to = TABLES[i].horner1305(clamped).words_to;
        if words_to < shortest {
            shortest = words_to;
        }
        i += 1;
    }
    shortest
}

/// Number of thresholds in one table at which [`kernel_for`] may change its answer.
const PER_TABLE: usize = 8;

/// The lengths at which `kernel_for` may change its answer by one table; some may be 0 or `NEVER`.
const fn changes(table: &Thresholds) -> [usize; PER_TABLE] {
    let [two, three, four, eight, sixteen] = table.clamped.rows_from;
    // Words still serve `words_to` itself, so the answer changes one byte later.
    let words_to = table.clamped.words_to.saturating_add(1);
    [words_to, table.clamped.eight_lanes_from, table.table_from, two, three, four, eight, sixteen]
}

const ALL_CHANGES: ([usize; PER_TABLE * TABLES.len()], usize) = {
    let (mut sorted, mut count, mut i) = ([NEVER; PER_TABLE * TABLES.len()], 0, 0);
    while i < sorted.len() {
        let len = changes(TABLES[i / PER_TABLE])[i % PER_TABLE];
        i += 1;
        // Insertion sort; each length is kept once.
        let mut at = count;
        while at > 0 && sorted[at - 1] > len {
            at -= 1;
        }
        if len == 0 || len == NEVER || (at > 0 && sorted[at - 1] == len) {
            continue;
        }
        let mut last = count;
        while last > at {
            sorted[last] = sorted[last - 1];
            last -= 1;
        }
        sorted[at] = len;
        count += 1;
    }
    (sorted, count)
};

/// The lengths in bytes at which [`kernel_for`] changes its answer on some backend,
/// in ascending order without duplicates.
pub const KERNEL_CHANGES: &[usize] = ALL_CHANGES.0.split_at(ALL_CHANGES.1).0;
