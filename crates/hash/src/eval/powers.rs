//! The powers tau, tau^2, .. of the key: as products in words, and distributed over the lanes.
use crate::field::{Field, LaneField};

/// A point tau at which polynomials are evaluated, and the source of its powers.
pub(crate) trait Powers {
    /// The field in which tau lies.
    type Element: Field;

    /// The point tau, in words and not distributed over lanes.
    fn tau(&self) -> Self::Element;

    /// The powers tau^1 to tau^n in order, for `n` of 1 to 8. Entries from `n` on are unspecified.
    #[inline(always)]
    fn chain(&self, n: usize) -> [Self::Element; 8] {
        power_chain(self.tau(), n)
    }

    /// Precomputed powers tau^1, tau^2, .. in order; empty if none were prepared. A kernel of N lanes needs at
    /// least N of them and checks how many more there are.
    #[inline(always)]
    fn ready(&self) -> &[Self::Element] {
        &[]
    }

    /// Lane powers: tau^(N - b) in the lane of block b, that is tau^N for block 0 and tau for the last block of a row.
    #[inline(always)]
    fn lane_powers<F: LaneField<Element = Self::Element>>(&self, f: F) -> F::Fe {
        match self.ready() {
            [] if F::N == 8 || F::MADD52 => of_half(f, &self.chain(F::N / 2)),
            [] => descending(f, &self.chain(F::N)),
            powers => descending(f, powers),
        }
    }
}

/// The lane powers tau^N .. tau from tau .. tau^(N/2): one vector product in place of N/2 products in words,
/// most of them in sequence.
#[inline(always)]
fn of_half<F: LaneField>(f: F, half: &[F::Element; 8]) -> F::Fe {
    // The first N/2 blocks of a row get tau^(N/2) as a factor, the others 1.
    let (mut powers, mut factor) = ([half[0]; 8], [F::Element::from_word(1); 8]);
    let mut b = 0;
    while b < F::N / 2 {
        powers[b] = half[F::N / 2 - 1 - b];
        powers[b + F::N / 2] = powers[b];
        factor[b] = half[F::N / 2 - 1];
        b += 1;
    }
    // Carried, as the powers become factors.
    f.carry(f.mul(f.in_lanes(&powers), &f.key(f.in_lanes(&factor))))
}

/// Distributes the first N of `powers`, which ascend, over the lanes: the highest goes to the lane of block 0.
#[inline(always)]
pub(crate) fn descending<F: LaneField>(f: F, powers: &[F::Element]) -> F::Fe {
    // Entries from N on keep tau; `in_lanes` ignores them.
    let mut row = [powers[0]; 8];
    let mut b = 0;
    while b < F::N {
        // Block b of a row of N is followed by N - 1 - b blocks and takes tau^(N - b).
        row[b] = powers[F::N - 1 - b];
        b += 1;
    }
    f.in_lanes(&row)
}

/// tau, tau^2, .., tau^n for n = 1, 2, 4 or 8. Each power is a product of two about half as large, so 8 powers take
/// 7 products but only 3 in sequence.
#[inline(always)]
pub(crate) fn power_chain<E: Field>(tau: E, n: usize) -> [E; 8] {
    let mut p = [tau; 8];
    if n >= 2 {
        p[1] = tau.product(tau);
    }
    // Depth 2, then 3: each new power uses powers of the group before only, so the products of a group run in
    // parallel.
    if n >= 4 {
        p[2] = p[1].product(tau);
        p[3] = p[1].product(p[1]);
    }
    if n >= 8 {
        p[4] = p[3].product(p[0]);
        p[5] = p[3].product(p[1]);
        p[6] = p[3].product(p[2]);
        p[7] = p[3].product(p[3]);
    }
    p
}

/// tau, tau^2, .., tau^K: K - 1 products, about log2 K of them in sequence.
pub(crate) fn powers_up_to<E: Field, const K: usize>(tau: E) -> [E; K] {
    let mut powers = [tau; K];
    fill_powers(&mut powers);
    powers
}

/// Fills `powers` with tau, tau^2, .. in place; the first entry must be tau.
#[inline(always)]
pub(crate) fn fill_powers<E: Field>(powers: &mut [E]) {
    for e in 2..=powers.len() {
        // The halves of e add up to e, and both powers are there already.
        powers[e - 1] = powers[e / 2 - 1].product(powers[e.div_ceil(2) - 1]);
    }
}
