//! The powers that an evaluation by decimated Horner needs, and which rows share a carry chain.
use super::{LANE_ROWS, MAX_G, lead_rows, whole_groups};
use crate::choose::rows_on;
use crate::field::descending;
use crate::lane_field::LaneField;

/// The keys of an evaluation, for one number of rows per carry chain or for several.
pub(crate) trait RowKeys<F: LaneField> {
    /// Lane powers: `[tau^N .. tau]` and `[tau^2N .. tau^(N+1)]`.
    fn last(&self) -> &[F::Key; LANE_ROWS];
    /// The rows between the first and the last one.
    fn middle_rows(&self, f: F, a: F::Fe, middle: &[u8]) -> F::Fe;
}

/// What all numbers of rows have in common, and g, one of those in `ROWS`. First and last rows are compiled once for all g.
pub(crate) struct SharedKeys<'a, F: LaneField, const ROWS: u32> {
    g: usize,
    /// gamma in every lane.
    gamma: F::Key,
    /// tau^2N .. tau^(N+1), gamma^2 in lane 0.
    next: F::Fe,
    pub(crate) last: [F::Key; LANE_ROWS],
    /// The powers of tau, in order, if as many are ready as g takes; or none.
    ready: &'a [F::Element],
}

impl<'a, F: LaneField, const ROWS: u32> SharedKeys<'a, F, ROWS> {
    /// From the lane powers tau^N .. tau, and the powers that are ready.
    #[inline(always)]
    pub(crate) fn new(f: F, g: usize, low: F::Fe, ready: &'a [F::Element]) -> Self {
        if ready.len() >= F::N * g.max(LANE_ROWS) {
            let next = descending(f, &ready[F::N..]);
            let gamma = f.key(f.everywhere(F::limbs(ready[F::N - 1])));
            SharedKeys { g, gamma, next, last: [f.key(low), f.key(next)], ready }
        } else {
            // The next N powers by one vector multiplication.
            let gamma = f.key_of_lane0(low);
            let next = f.carry(f.mul(low, &gamma));
            SharedKeys { g, gamma, next, last: [f.key(low), f.key(next)], ready: &[] }
        }
    }

    /// gamma^1 .. gamma^G in every lane.
    #[inline(always)]
    pub(crate) fn powers<const G: usize>(&self, f: F) -> [F::Key; G] {
        match self.ready {
            [] => self.made_powers(f),
            ready => ready_powers(f, ready),
        }
    }

    /// gamma^3 and more from the first two.
    #[inline(always)]
    fn made_powers<const G: usize>(&self, f: F) -> [F::Key; G] {
        let mut powers = [self.gamma; G];
        if G > 1 {
            powers[1] = f.key_of_lane0(self.next);
        }
        let mut i = 2;
        while i < G {
            powers[i] = f.key_of_lane0(f.carry(f.mul(self.next, &powers[i - 2])));
            i += 1;
        }
        powers
    }
}

/// The same from the powers of tau, in order.
#[inline(always)]
fn ready_powers<F: LaneField, const G: usize>(f: F, ready: &[F::Element]) -> [F::Key; G] {
    let mut powers = [f.key(f.everywhere(F::limbs(ready[F::N - 1]))); G];
    let mut i = 1;
    while i < G {
        powers[i] = f.key(f.everywhere(F::limbs(ready[F::N * (i + 1) - 1])));
        i += 1;
    }
    powers
}

impl<F: LaneField, const ROWS: u32> RowKeys<F> for SharedKeys<'_, F, ROWS> {
    #[inline(always)]
    fn last(&self) -> &[F::Key; LANE_ROWS] {
        &self.last
    }

    #[inline(always)]
    fn middle_rows(&self, f: F, a: F::Fe, middle: &[u8]) -> F::Fe {
        let (a, groups) = lead_rows(f, a, middle, self.g, self.gamma);
        match self.g {
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
        }
    }
}

/// The powers of tau that an evaluation with G rows per carry chain needs.
pub(crate) struct Keys<F: LaneField, const G: usize> {
    /// gamma^1 .. gamma^G in every lane.
    pub(crate) gamma: [F::Key; G],
    /// Lane powers: `[tau^N .. tau]` and `[tau^2N .. tau^(N+1)]`.
    pub(crate) last: [F::Key; LANE_ROWS],
}

impl<F: LaneField, const G: usize> Keys<F, G> {
    /// From the lane powers tau^N .. tau.
    #[inline(always)]
    pub(crate) fn new(f: F, low: F::Fe) -> Self {
        let shared = SharedKeys::<F, { u32::MAX }>::new(f, G, low, &[]);
        Keys { gamma: shared.made_powers(f), last: shared.last }
    }

    /// The same from the powers 1 to G N, or 2 N if that is more, in order.
    #[inline(always)]
    pub(super) fn ready(f: F, low: F::Fe, powers: &[F::Element]) -> Self {
        Keys { gamma: ready_powers(f, powers), last: [f.key(low), f.key(descending(f, &powers[F::N..]))] }
    }
}

impl<F: LaneField, const G: usize> RowKeys<F> for Keys<F, G> {
    #[inline(always)]
    fn last(&self) -> &[F::Key; LANE_ROWS] {
        &self.last
    }

    #[inline(always)]
    fn middle_rows(&self, f: F, a: F::Fe, middle: &[u8]) -> F::Fe {
        let (a, groups) = lead_rows(f, a, middle, G, self.gamma[0]);
        whole_groups(f, a, groups, &self.gamma)
    }
}
