//! The memory of a stream for the rows it has absorbed: squares of tau and the stack. Nothing at first, and never
//! more than the number of rows needs.
use super::powers::MAX_POWERS;
use crate::base::wipe::wipe;
use crate::field::Field;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::mem::replace;
use zeroize::Zeroize;

/// Entries of the stack for 2^57 rows, which is more than 2^64 bits.
pub(crate) const ENTRIES: usize = 56;

/// lg of the number of rows up to which the small arrays suffice.
const FEW_END: usize = 12;
/// Squares of tau in the small arrays: D = tau^(2^12), and for up to sixteen streams D^16.
const FEW_SQUARES: usize = FEW_END + 5;
/// Entries of the stack in the small arrays, one for each bit in the number of groups of four.
const FEW_ENTRIES: usize = FEW_END - 2;

/// The arrays are on the heap if there is one. Inside the stream they would be copied by every `finalize`, which
/// takes the stream by value, and that costs twice as much as hashing 64 bytes.
#[cfg(feature = "alloc")]
type Place<T> = Box<T>;
#[cfg(not(feature = "alloc"))]
type Place<T> = T;

#[cfg(feature = "alloc")]
fn placed<T>(room: T) -> Place<T> {
    Box::new(room)
}
#[cfg(not(feature = "alloc"))]
fn placed<T>(room: T) -> Place<T> {
    room
}

/// The squares of tau and the stacks of Algorithm 1, in arrays of two sizes. They are allocated when rows come,
/// because clearing all of them costs more than hashing a kilobyte.
#[derive(Clone)]
#[cfg_attr(not(feature = "alloc"), allow(clippy::large_enum_variant, reason = "boxes need an allocator"))]
pub(crate) enum Levels<E: Field, const C: usize> {
    /// No row was absorbed; no memory is in use.
    None,
    /// Arrays for fewer than 2^[`FEW_END`] rows.
    Few(Place<Room<E, C, FEW_SQUARES, FEW_ENTRIES>>),
    /// Arrays for any number of rows.
    All(Place<Room<E, C, MAX_POWERS, ENTRIES>>),
}

/// Arrays for S squares and N entries of the stack.
#[derive(Clone)]
pub(crate) struct Room<E: Field, const C: usize, const S: usize, const N: usize> {
    /// tau^(2^j) for j < `known`, zero above. There are always fewer entries than squares.
    squares: [E::Loose; S],
    /// The number of squares computed. A u64 like the limbs, so that there are no padding
    /// bytes, which nothing would wipe.
    known: u64,
    /// The stacks of Algorithm 1, carried: one element per stream in each entry.
    entries: [[E::Loose; C]; N],
}

impl<E: Field, const C: usize, const S: usize, const N: usize> Room<E, C, S, N> {
    fn new(tau: E) -> Place<Self> {
        let mut squares = [E::LOOSE_ZERO; S];
        squares[0] = tau.loose();
        placed(Room { squares, known: 1, entries: [[E::LOOSE_ZERO; C]; N] })
    }

    fn parts(&mut self) -> Parts<'_, E> {
        let Room { squares, known, entries } = self;
        Parts { squares, known, entries: entries.as_flattened_mut() }
    }
}

/// The fields of a [`Room`] of either size.
struct Parts<'a, E: Field> {
    squares: &'a mut [E::Loose],
    known: &'a mut u64,
    entries: &'a mut [E::Loose],
}

impl<E: Field, const C: usize> Levels<E, C> {
    /// Computes the squares of tau for 2^lg rows and more, up to what the longest message needs. Makes room for the
    /// entries of fewer than 2^(lg + 1) rows.
    pub(crate) fn reach(&mut self, tau: E, lg: usize) {
        // Two sizes only: the stream moves to the large arrays once, at 2^12 rows, and copies what it has.
        if lg >= self.end() {
            self.grow(tau, lg);
        }
        // Always present: without arrays `end` is 0, so `grow` has made them.
        let Some(Parts { squares, known, .. }) = self.parts() else { return };
        // Up to D = tau^(2^(lg + 1)) and D^C, which joins vectors of streams.
        let last = (lg + 1 + C.ilog2() as usize).min(MAX_POWERS - 1);
        for j in *known as usize..=last {
            squares[j] = E::loose_square(squares[j - 1]);
        }
        *known = (*known).max(last as u64 + 1);
    }

    /// Returns `end` such that there is room for fewer than 2^end rows.
    fn end(&self) -> usize {
        match self {
            Levels::None => 0,
            Levels::Few(_) => FEW_END,
            Levels::All(_) => usize::MAX,
        }
    }

    #[cold]
    fn grow(&mut self, tau: E, lg: usize) {
        let more = match lg {
            0..FEW_END => Levels::Few(Room::new(tau)),
            _ => Levels::All(Room::new(tau)),
        };
        let mut before = replace(self, more);
        if let (Some(few), Some(more)) = (before.parts(), self.parts()) {
            let known = *few.known as usize;
            more.squares[..known].copy_from_slice(&few.squares[..known]);
            more.entries[..few.entries.len()].copy_from_slice(few.entries);
            *more.known = *few.known;
        }
        // The old arrays hold secrets and are wiped before they are freed.
        before.zeroize();
    }

    fn parts(&mut self) -> Option<Parts<'_, E>> {
        match self {
            Levels::None => None,
            Levels::Few(room) => Some(room.parts()),
            Levels::All(room) => Some(room.parts()),
        }
    }

    /// The squares computed so far, and the entries of the stack.
    pub(crate) fn view(&mut self) -> (&[E::Loose], &mut [E::Loose]) {
        match self.parts() {
            None => (&[], &mut []),
            Some(Parts { squares, known, entries }) => (&squares[..*known as usize], entries),
        }
    }
}

impl<E: Field, const C: usize> Zeroize for Levels<E, C> {
    fn zeroize(&mut self) {
        if let Some(Parts { squares, known, entries }) = self.parts() {
            wipe(squares, E::LOOSE_ZERO);
            // Entries beyond this were never written: there are always fewer entries than known squares.
            let used = entries.len().min(*known as usize * C);
            wipe(&mut entries[..used], E::LOOSE_ZERO);
            *known = 0;
        }
        // Frees the arrays, which hold no secret any more.
        *self = Levels::None;
    }
}
