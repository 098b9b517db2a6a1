//! What a stream keeps of the rows that it absorbed: nothing at first, and not more room than so many rows take.
use super::powers::MOST;
use crate::field::Field;
use crate::wipe::wipe;
use core::mem::replace;
use zeroize::Zeroize;

/// Entries of the stack for 2^57 rows: more than 2^64 bits.
pub(crate) const ENTRIES: usize = 56;

/// Squares for messages of fewer than 2^12 rows, whose kernels take tau^(2^15).
const FEW_SQUARES: usize = 16;
/// Entries of the stack for as many rows.
const FEW_ENTRIES: usize = 11;

/// The squares of tau, and the stacks of Algorithm 1. Room is made when rows come, because it has to be cleared: all of it
/// takes longer than hashing a kilobyte.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "boxes need an allocator")]
pub(crate) enum Levels<E: Field, const C: usize> {
    /// Nothing was absorbed.
    None,
    /// Fewer than 2^12 rows.
    Few(Room<E, C, FEW_SQUARES, FEW_ENTRIES>),
    /// Any number of rows.
    All(Room<E, C, MOST, ENTRIES>),
}

#[derive(Clone)]
pub(crate) struct Room<E: Field, const C: usize, const S: usize, const N: usize> {
    /// tau^(2^j) for j < `known`.
    squares: [E::Loose; S],
    known: usize,
    /// The stacks of Algorithm 1, carried.
    entries: [[E::Loose; C]; N],
}

impl<E: Field, const C: usize, const S: usize, const N: usize> Room<E, C, S, N> {
    fn new() -> Self {
        let zero = E::from_word(0).loose();
        Room { squares: [zero; S], known: 0, entries: [[zero; C]; N] }
    }

    /// tau^(2^j) for all j up to `lg`.
    fn reach(&mut self, tau: E, lg: usize) {
        for j in self.known..=lg {
            self.squares[j] = if j == 0 { tau.loose() } else { E::loose_square(self.squares[j - 1]) };
        }
        self.known = self.known.max(lg + 1);
    }

    fn view(&mut self) -> (&[E::Loose], &mut [E::Loose]) {
        (&self.squares[..self.known], self.entries.as_flattened_mut())
    }
}

impl<E: Field, const C: usize> Levels<E, C> {
    /// tau^(2^j) for all j up to `lg`, or as many as any message asks for; and room for the entries of as many rows.
    pub(crate) fn reach(&mut self, tau: E, lg: usize) {
        let lg = lg.min(MOST - 1);
        if lg >= FEW_SQUARES && !matches!(self, Levels::All(_)) {
            self.grow();
        } else if matches!(self, Levels::None) {
            *self = Levels::Few(Room::new());
        }
        match self {
            Levels::None => {}
            Levels::Few(room) => room.reach(tau, lg),
            Levels::All(room) => room.reach(tau, lg),
        }
    }

    /// Room for any number of rows.
    fn grow(&mut self) {
        let mut before = replace(self, Levels::All(Room::new()));
        if let (Levels::Few(few), Levels::All(all)) = (&before, self) {
            all.squares[..FEW_SQUARES].copy_from_slice(&few.squares);
            all.entries[..FEW_ENTRIES].copy_from_slice(&few.entries);
            all.known = few.known;
        }
        before.zeroize();
    }

    /// The squares that are known, and the entries.
    pub(crate) fn view(&mut self) -> (&[E::Loose], &mut [E::Loose]) {
        match self {
            Levels::None => (&[], &mut []),
            Levels::Few(room) => room.view(),
            Levels::All(room) => room.view(),
        }
    }
}

impl<E: Field, const C: usize, const S: usize, const N: usize> Zeroize for Room<E, C, S, N> {
    fn zeroize(&mut self) {
        let zero = E::from_word(0).loose();
        wipe(&mut self.squares, zero);
        wipe(self.entries.as_flattened_mut(), zero);
        self.known = 0;
    }
}

impl<E: Field, const C: usize> Zeroize for Levels<E, C> {
    fn zeroize(&mut self) {
        match self {
            Levels::None => {}
            Levels::Few(room) => room.zeroize(),
            Levels::All(room) => room.zeroize(),
        }
        *self = Levels::None;
    }
}
