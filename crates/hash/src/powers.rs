//! Chains of products: the powers tau, tau^2, .. of an element in order.
use crate::field::Field;

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
        powers[e - 1] = powers[e / 2 - 1].product(powers[e.div_ceil(2) - 1]);
    }
}
