//! Leaves of the product tree: BRW values of up to 2^t - 1 rows in straight-line code. P_j is tau^(2^j).
use super::rows::Rows;
use crate::field::{Field, LaneField};

/// The BRW value of three rows, (m1 + P_0)(m2 + P_1) + m3, not carried: one product for three blocks per lane.
#[inline(always)]
pub(crate) fn three<F: LaneField>(f: F, powers: &[F::Limbs], m1: F::Fe, m2: F::Fe, m3: F::Sums) -> F::Sums {
    // The sum begins with m3. Both factors are a row plus a power: limbs small enough without a carry.
    f.mul_add(m3, f.add(m1, f.everywhere(powers[0])), &plus(f, m2, powers[1]))
}

/// The BRW value of the first `count` of up to three rows, not carried: at most one product.
#[inline(always)]
pub(crate) fn few<F: LaneField>(
    f: F,
    powers: &[F::Limbs],
    [m1, m2, m3]: [F::Fe; 3],
    count: usize,
) -> F::Sums {
    match count {
        0 => zero(f),
        1 => f.as_sums(m1),
        // The shapes of the definition for short inputs: M1, then M1 x + M2, then (x + M1)(x^2 + M2) + M3.
        2 => f.mul_add(f.as_sums(m2), m1, &f.key(f.everywhere(powers[0]))),
        _ => three(f, powers, m1, m2, f.as_sums(m3)),
    }
}

/// The BRW value of the 3 rows from `at` on, not carried: one product. The third row is only added, so it is
/// not cut into all limbs.
#[inline(always)]
pub(crate) fn leaf2<F: LaneField>(f: F, powers: &[F::Limbs], rows: Rows<'_>, at: usize) -> F::Sums {
    three(f, powers, rows.load(f, at), rows.load(f, at + 1), rows.load_sums(f, at + 2))
}

/// The BRW value of the 7 rows from `at` on, not carried: three products and one carry.
#[inline(always)]
pub(crate) fn leaf3<F: LaneField>(f: F, powers: &[F::Limbs], rows: Rows<'_>, at: usize) -> F::Sums {
    // BRW of 7 rows is BRW(M1 .. M3) (x^4 + M4) + BRW(M5 .. M7): the two halves are independent.
    let (first, second) = (leaf2(f, powers, rows, at), leaf2(f, powers, rows, at + 4));
    join(f, first, rows.load(f, at + 3), powers[2], second)
}

/// Joins two leaves and the row m between them: carry(first) (m + P) + second, not carried.
#[inline(always)]
fn join<F: LaneField>(f: F, first: F::Sums, m: F::Fe, power: F::Limbs, second: F::Sums) -> F::Sums {
    f.mul_add(second, f.carry(first), &plus(f, m, power))
}

/// The BRW value of 15 or 31 rows, t = 4 or 5, not carried. A loop over leaves of 7 rows; straight-line code would
/// fill a page of memory.
#[inline(always)]
pub(crate) fn leaf_of_many<F: LaneField>(f: F, t: usize, powers: &[F::Limbs], rows: Rows<'_>) -> F::Sums {
    let (mut count, mut leaves) = (1 << (t - 3), [zero(f); 4]);
    for (i, leaf) in leaves[..count].iter_mut().enumerate() {
        *leaf = leaf3(f, powers, rows, 8 * i);
    }
    let mut lg = 3;
    while count > 1 {
        count /= 2;
        for i in 0..count {
            let last = rows.load(f, (2 << lg) * i + (1 << lg) - 1);
            leaves[i] = join(f, leaves[2 * i], last, powers[lg], leaves[2 * i + 1]);
        }
        // Invariant: `count` leaves of 2^lg - 1 rows each; row 2^lg - 1 of every other one joins two neighbours.
        lg += 1;
    }
    leaves[0]
}

/// m + P as a multiplier, for a row m and a square P of tau. Limbs stay within what a key may have.
#[inline(always)]
pub(crate) fn plus<F: LaneField>(f: F, m: F::Fe, power: F::Limbs) -> F::Key {
    f.key(f.add(m, f.everywhere(power)))
}

/// The empty sum, zero in every lane.
#[inline(always)]
pub(crate) fn zero<F: LaneField>(f: F) -> F::Sums {
    f.as_sums(f.everywhere(F::limbs(F::Element::from_word(0))))
}
