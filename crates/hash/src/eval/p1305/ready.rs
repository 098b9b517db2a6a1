//! The precomputed powers of a key over 2^130 - 5: a table of long groups with 52-bit multiply-add, else one of the
//! window.
use super::powers::Base;
use super::window::{Prepare, Table, Window};
use crate::base::wipe::wipe;
use crate::eval::dispatch::{call_ifma, words_only};
use crate::eval::horner::{LANE_ROWS, LongTable, fill_long, with_long_table};
use crate::eval::powers::Powers;
use crate::field::LaneField;
use crate::field::limbs52::karatsuba::{Keys, NO_KEYS};
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes44::{Lanes3, Radix44};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use carryless_lanes::{Cpu, Ifma, IfmaKernel};
use core::borrow::{Borrow, BorrowMut};
use core::mem::ManuallyDrop;
use zeroize::Zeroize;

/// The powers of a prepared key: 1.1 KiB.
pub(crate) type LongTable44 = LongTable<Keys, Lanes3>;

/// Powers of tau in the layout of one backend. As secret as the key; the owner wipes it.
#[derive(Clone)]
pub(crate) enum ReadyTable<W, L> {
    /// For backends without multiply-add: 6.2 KiB.
    Window(W),
    /// For backends with multiply-add: 1.1 KiB.
    Long(L),
}

/// A table in its owner. `ManuallyDrop`, because the owner wipes it, and dropping would do so a second time.
pub(crate) type InlineTable = ReadyTable<ManuallyDrop<Table>, LongTable44>;

/// A table on the heap, of which only the part for this backend is allocated.
#[cfg(feature = "alloc")]
pub(crate) type BoxedTable = ReadyTable<Box<ManuallyDrop<Table>>, Box<LongTable44>>;

// In all that follows W is the table of the window itself or a box of it, and so is L for long groups.
impl<W: From<ManuallyDrop<Table>>, L: From<LongTable44>> ReadyTable<W, L> {
    /// A table of zeros for this backend, to be filled on it. So no copy of the powers is left where it was made.
    pub(crate) fn empty(cpu: Cpu) -> Self {
        if cpu.has_ifma() {
            ReadyTable::Long(L::from(LongTable44::EMPTY))
        } else {
            ReadyTable::Window(W::from(ManuallyDrop::new(Table::EMPTY)))
        }
    }
}

impl<W: BorrowMut<ManuallyDrop<Table>>, L: BorrowMut<LongTable44>> ReadyTable<W, L> {
    /// Fills the table in place with the powers of `point`. `cpu` has multiply-add if the table is for it. Does
    /// nothing on the portable backend.
    pub(crate) fn fill(&mut self, cpu: Cpu, point: &Base) {
        match self {
            ReadyTable::Window(table) => {
                cpu.without_ifma().call(Prepare { point, table: table.borrow_mut() }, || ());
            }
            ReadyTable::Long(table) => {
                call_ifma(cpu, FillLong { point, table: table.borrow_mut() });
            }
        }
    }
}

impl<W: Borrow<ManuallyDrop<Table>>, L: Borrow<LongTable44>> ReadyTable<W, L> {
    /// The value of a message that is not empty, and has N blocks or more without multiply-add, on the backend of N lanes
    /// on which the table was filled. `h` is the value of the blocks absorbed before, below 2p; `None` for a new message.
    /// The result is below 2p.
    #[inline(always)]
    pub(crate) fn evaluate(&self, cpu: Cpu, h: Option<&Element>, msg: &[u8]) -> Element {
        match self {
            ReadyTable::Window(table) => {
                cpu.without_ifma().call(Window { table: table.borrow(), h, msg }, words_only)
            }
            ReadyTable::Long(table) => call_ifma(cpu, WithLong { table: table.borrow(), h, msg }),
        }
    }
}

impl<W: BorrowMut<ManuallyDrop<Table>>, L: BorrowMut<LongTable44>> Zeroize for ReadyTable<W, L> {
    fn zeroize(&mut self) {
        match self {
            ReadyTable::Window(table) => table.borrow_mut().zeroize(),
            ReadyTable::Long(table) => table.borrow_mut().zeroize(),
        }
    }
}

impl LongTable44 {
    /// A table of zeros, to be filled by [`FillLong`].
    pub(crate) const EMPTY: LongTable44 = LongTable44 { keys: NO_KEYS, last: [[[0; 8]; 3]; LANE_ROWS] };
}

impl Zeroize for LongTable44 {
    fn zeroize(&mut self) {
        wipe(self.keys.as_flattened_mut(), 0);
        wipe(self.last.as_flattened_mut().as_flattened_mut(), 0);
    }
}

/// Fills a table with the powers of long groups.
struct FillLong<'a> {
    point: &'a Base,
    table: &'a mut LongTable44,
}

impl IfmaKernel for FillLong<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) {
        fill_long(Radix44(s), self.point.lane_powers(Radix44(s)), self.table);
    }
}

/// Evaluates in long groups with the powers of a table.
struct WithLong<'a> {
    table: &'a LongTable44,
    h: Option<&'a Element>,
    msg: &'a [u8],
}

impl IfmaKernel for WithLong<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        let f = Radix44(s);
        let h = self.h.map(|&h| <Radix44<S> as LaneField>::limbs(h));
        f.fold(with_long_table(f, self.table, h, self.msg))
    }
}
