//! The key powers of decimated Horner, and the rows that share a carry chain.
//!
//! An evaluation needs gamma^1 .. gamma^g in every lane for the middle rows, and tau^2N .. tau, one power per lane,
//! for the last two rows. From tau^N .. tau the others take one vector product each and a broadcast of lane 0.
use super::{LANE_ROWS, first_rows, last_rows, lead_rows, whole_groups};
use crate::choose::rows_on;
use crate::eval::powers::descending;
use crate::field::LaneField;
use crate::field::groups::MAX_G;

/// The keys that all values of g have in common, and g. First and last rows are compiled once for all
/// values of g in `ROWS`.
pub(crate) struct SharedKeys<'a, F: LaneField, const ROWS: u64> {
    g: usize,
    /// gamma = tau^N in every lane: as it is, for long groups, and as a multiplier.
    pub(super) gamma: F::Fe,
    one: F::Key,
    /// The lane powers tau^2N .. tau^(N+1), carried. Lane 0 holds gamma^2.
    pub(super) next: F::Fe,
    pub(crate) last: [F::Key; LANE_ROWS],
    /// The precomputed powers tau, tau^2, .. if there are enough of them for g; else empty.
    ready: &'a [F::Element],
}

impl<'a, F: LaneField, const ROWS: u64> SharedKeys<'a, F, ROWS> {
    /// Builds the keys from the lane powers tau^N .. tau in `low`. Uses `ready` if it holds N max(g, 2) powers;
    /// otherwise one vector product makes the next N powers.
    #[inline(always)]
    pub(crate) fn new(f: F, g: usize, low: F::Fe, ready: &'a [F::Element]) -> Self {
        if ready.len() >= F::N * g.max(LANE_ROWS) {
            // Entries N to 2N - 1 of the table are tau^(N+1) to tau^2N.
            let next = descending(f, &ready[F::N..]);
            let gamma = f.everywhere(F::limbs(ready[F::N - 1]));
            SharedKeys { g, gamma, one: f.key(gamma), next, last: [f.key(low), f.key(next)], ready }
        } else {
            // Lane 0 of `low` holds tau^N, and tau^N [tau^N .. tau] is tau^2N .. tau^(N+1): N powers for one vector
            // product.
            let gamma = f.lane0(low);
            let one = f.key(gamma);
            let next = f.carry(f.mul(low, &one));
            SharedKeys { g, gamma, one, next, last: [f.key(low), f.key(next)], ready: &[] }
        }
    }

    /// Absorbs all rows of a message of more than N blocks. Returns lanes whose fold is the value.
    #[inline(always)]
    pub(super) fn evaluate(&self, f: F, h: Option<F::Limbs>, msg: &[u8]) -> F::Fe {
        let (a, middle, last) = first_rows(f, h, msg);
        let (a, groups) = lead_rows(f, a, middle, self.g, self.one);
        let a = match self.g {
            // `lead_rows` has absorbed all rows.
            1 if rows_on(F::N, ROWS) & 1 << 1 > 0 => a,
            3 if rows_on(F::N, ROWS) & 1 << 3 > 0 => whole_groups(f, a, groups, &self.powers::<3>(f)),
            4 if rows_on(F::N, ROWS) & 1 << 4 > 0 => whole_groups(f, a, groups, &self.powers::<4>(f)),
            MAX_G if rows_on(F::N, ROWS) & 1 << MAX_G > 0 => {
                whole_groups(f, a, groups, &self.powers::<MAX_G>(f))
            }
            _ => {
                // Every number of rows gives the same value: a choice that is not compiled would only be slow.
                debug_assert_eq!(self.g, 2, "no kernel is compiled for the chosen number of rows");
                whole_groups(f, a, groups, &self.powers::<2>(f))
            }
        };
        last_rows(f, a, last, &self.last)
    }

    /// gamma^1 .. gamma^G, each in every lane.
    #[inline(always)]
    fn powers<const G: usize>(&self, f: F) -> [F::Key; G] {
        match self.ready {
            [] => self.made_powers(f),
            ready => ready_powers(f, ready),
        }
    }

    /// gamma^1 .. gamma^G from the first two: one vector product and one carry for each further power.
    #[inline(always)]
    fn made_powers<const G: usize>(&self, f: F) -> [F::Key; G] {
        let mut powers = [self.one; G];
        if G > 1 {
            powers[1] = f.key(f.lane0(self.next));
        }
        let mut i = 2;
        while i < G {
            // Lane 0 holds gamma^2 gamma^(i-1) = gamma^(i+1). The chain has depth G / 2, since each power depends
            // on the one two before.
            powers[i] = f.key(f.lane0(f.carry(f.mul(self.next, &powers[i - 2]))));
            i += 1;
        }
        powers
    }
}

/// gamma^1 .. gamma^G from precomputed powers of tau, without a product: gamma^i is tau^(N i), entry N i - 1.
#[inline(always)]
fn ready_powers<F: LaneField, const G: usize>(f: F, ready: &[F::Element]) -> [F::Key; G] {
    // The powers are words, so every call cuts them into limbs and copies them to all lanes.
    let mut powers = [f.key(f.everywhere(F::limbs(ready[F::N - 1]))); G];
    let mut i = 1;
    while i < G {
        powers[i] = f.key(f.everywhere(F::limbs(ready[F::N * (i + 1) - 1])));
        i += 1;
    }
    powers
}

/// The key powers of an evaluation with G rows per carry chain, G fixed at compile time.
pub(crate) struct Keys<F: LaneField, const G: usize> {
    /// gamma^1 .. gamma^G, each in every lane.
    pub(crate) gamma: [F::Key; G],
    /// Lane powers: `[tau^N .. tau]` and `[tau^2N .. tau^(N+1)]`.
    pub(crate) last: [F::Key; LANE_ROWS],
}

impl<F: LaneField, const G: usize> Keys<F, G> {
    /// Computes all powers from the lane powers tau^N .. tau.
    #[inline(always)]
    pub(crate) fn new(f: F, low: F::Fe) -> Self {
        // Only `SharedKeys::evaluate` looks at its last parameter, so any value serves here.
        let shared = SharedKeys::<F, { u64::MAX }>::new(f, G, low, &[]);
        Keys { gamma: shared.made_powers(f), last: shared.last }
    }

    /// Takes all powers from `powers`, tau^1 to tau^(N max(G, 2)) in order.
    #[inline(always)]
    pub(super) fn ready(f: F, low: F::Fe, powers: &[F::Element]) -> Self {
        Keys { gamma: ready_powers(f, powers), last: [f.key(low), f.key(descending(f, &powers[F::N..]))] }
    }

    /// Absorbs all rows of a message of more than N blocks, as [`SharedKeys::evaluate`] does, with G fixed.
    #[inline(always)]
    pub(crate) fn evaluate(&self, f: F, h: Option<F::Limbs>, msg: &[u8]) -> F::Fe {
        let (a, middle, last) = first_rows(f, h, msg);
        let (a, groups) = lead_rows(f, a, middle, G, self.gamma[0]);
        last_rows(f, whole_groups(f, a, groups, &self.gamma), last, &self.last)
    }
}
