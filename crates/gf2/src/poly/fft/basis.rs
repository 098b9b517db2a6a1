//! The change from coefficients of powers of y to those of the basis in which the transform evaluates, and back.
//!
//! That basis (Lin, Al-Naffouri, Han, Chung 2016) has X_i = product of the s_k(y) with bit k set in i. For a Cantor
//! basis s_k has coefficients 0 and 1, and k = 2^j gives s_k(y) = y^(2^k) + y, so all steps are sums. Take a
//! polynomial of 2^n coefficients and let c = 2^j be the largest below n. Write it in powers of Y = y^(2^c) + y
//! (Taylor). Change the basis of every coefficient in y (2^c of them), and that of the powers of Y, as s_(c+i)(y) =
//! s_i(Y).
use crate::poly::threads;
use carryless_lanes::ClmulCpu;

/// The direction of a change of basis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    FromPowers,
    ToPowers,
}

/// Changes the basis of a polynomial in place, by sums only. It has at most 2^`n` coefficients of `size` words
/// each, as many as `f` has; others are zero.
pub(super) fn change(cpu: ClmulCpu, way: Way, f: &mut [u64], n: u32, size: usize) {
    // Up to two coefficients the bases agree: X_0 is 1, and X_1 is s_0(y) = y.
    if n < 2 || f.len() <= size {
        return;
    }
    // The largest power of two below n.
    let c = 1 << (n - 1).ilog2();
    let inner = size << c;
    // First to powers of Y, then both parts; the way back takes the steps in reverse.
    if way == Way::FromPowers {
        taylor(cpu, way, f, n, c, size);
    }
    // A coefficient of a power of Y is a block of 2^c coefficients in y. First inside of the blocks, then with the
    // blocks as coefficients; both problems are smaller, as c and n - c are below n.
    threads::each(f, inner, &|_, block| change(cpu, way, block, c, size));
    change(cpu, way, f, n - c, inner);
    if way == Way::ToPowers {
        taylor(cpu, way, f, n, c, size);
    }
}

/// Changes powers of y to powers of y^(2^c) + y with coefficients of degree below 2^c, or back,
/// in polynomials of 2^n coefficients.
///
/// One step cuts f at its half, h = 2^(n-1): f0 + f1 y^h = (f0 + f1 y^(h / 2^c)) + f1 (y^(2^c) +
/// y)^(h / 2^c), a division.
fn taylor(cpu: ClmulCpu, way: Way, f: &mut [u64], n: u32, c: u32, size: usize) {
    // All polynomials of 2^n coefficients at once; the last may be shorter.
    let step = |f: &mut [u64], n: u32| {
        threads::each(f, size << n, &|_, block| {
            divide(cpu, way, block, size << (n - 1), size << (n - 1 - c))
        });
    };
    match way {
        // Down to 2^(c+1) coefficients: fewer have a degree below 2^c, and nothing is left to divide.
        Way::FromPowers => (c + 1..=n).rev().for_each(|n| step(f, n)),
        Way::ToPowers => (c + 1..=n).for_each(|n| step(f, n)),
    }
}

/// Divides by y^h + y^l, h and l in words: every coefficient above y^h is added h - l below, highest first (or, to
/// undo it, lowest first). Quotient and remainder stay in place.
fn divide(cpu: ClmulCpu, way: Way, f: &mut [u64], h: usize, l: usize) {
    // Blocks of at most h - l words are added as a whole, as they do not meet each other.
    // From the top, a coefficient is final when it is added below: what lies above it has been added to it
    // before. To undo that, the lowest one comes first, as it was the last.
    let (shift, top) = (h - l, f.len());
    let mut add = |start: usize, end: usize| {
        let (low, high) = f.split_at_mut(start);
        threads::add(cpu, &mut low[start - shift..], &high[..end - start]);
    };
    match way {
        Way::FromPowers => {
            let mut end = top;
            while end > h {
                let start = end.saturating_sub(shift).max(h);
                add(start, end);
                end = start;
            }
        }
        Way::ToPowers => {
            let mut start = h;
            while start < top {
                let end = top.min(start + shift);
                add(start, end);
                start = end;
            }
        }
    }
}
