//! The keys of an evaluation with one number of rows per carry chain, made as those for all numbers are.
use crate::horner::{LANE_ROWS, RowKeys, SharedKeys, lead_rows, whole_groups};
use crate::lane_field::LaneField;

pub(super) struct Keys<F: LaneField, const G: usize> {
    /// gamma^1 .. gamma^G in every lane.
    pub(super) gamma: [F::Key; G],
    /// Lane powers: `[tau^N .. tau]` and `[tau^2N .. tau^(N+1)]`.
    pub(super) last: [F::Key; LANE_ROWS],
}

impl<F: LaneField, const G: usize> Keys<F, G> {
    /// From the lane powers tau^N .. tau.
    pub(super) fn new(f: F, low: F::Fe) -> Self {
        let shared = SharedKeys::<F, { u32::MAX }>::new(f, G, low, &[]);
        Keys { gamma: shared.powers::<G>(f), last: shared.last }
    }
}

impl<F: LaneField, const G: usize> RowKeys<F> for Keys<F, G> {
    fn last(&self) -> &[F::Key; LANE_ROWS] {
        &self.last
    }

    fn middle_rows(&self, f: F, a: F::Fe, middle: &[u8]) -> F::Fe {
        let (a, groups) = lead_rows(f, a, middle, G, self.gamma[0]);
        whole_groups(f, a, groups, &self.gamma)
    }
}
