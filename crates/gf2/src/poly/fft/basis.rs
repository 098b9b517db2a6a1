//! From coefficients of powers of y to those of the basis in which the transform evaluates, and back.
//!
//! That basis (Lin, Al-Naffouri, Han, Chung 2016) has X_i = product of the s_k(y) with bit k set in i. For a Cantor
//! basis s_k has coefficients 0 and 1, and k = 2^j gives s_k(y) = y^(2^k) + y, so all steps are sums. A polynomial
//! of 2^n coefficients, c = 2^j the largest below n: write it in powers of Y = y^(2^c) + y (Taylor), change the
//! basis of every coefficient in y (2^c of them), and that of the powers of Y, as s_(c+i)(y) = s_i(Y).
use crate::poly::construct::add_to;
use carryless_lanes::ClmulCpu;

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    FromPowers,
    ToPowers,
}

/// Changes the basis of a polynomial of at most 2^`n` coefficients, `size` words each, as many as `f` has.
pub(super) fn change(cpu: ClmulCpu, way: Way, f: &mut [u64], n: u32, size: usize) {
    if n < 2 || f.len() <= size {
        return;
    }
    let c = 1 << (n - 1).ilog2();
    let inner = size << c;
    if way == Way::FromPowers {
        taylor(cpu, way, f, n, c, size);
    }
    for block in f.chunks_mut(inner) {
        change(cpu, way, block, c, size);
    }
    change(cpu, way, f, n - c, inner);
    if way == Way::ToPowers {
        taylor(cpu, way, f, n, c, size);
    }
}

/// Powers of y^(2^c) + y instead of powers of y, or back, in polynomials of 2^n coefficients.
///
/// One step cuts f at its half, h = 2^(n-1): f0 + f1 y^h = (f0 + f1 y^(h / 2^c)) + f1 (y^(2^c) + y)^(h / 2^c), a
/// division.
fn taylor(cpu: ClmulCpu, way: Way, f: &mut [u64], n: u32, c: u32, size: usize) {
    let step = |f: &mut [u64], n: u32| {
        for block in f.chunks_mut(size << n) {
            divide(cpu, way, block, size << (n - 1), size << (n - 1 - c));
        }
    };
    match way {
        Way::FromPowers => (c + 1..=n).rev().for_each(|n| step(f, n)),
        Way::ToPowers => (c + 1..=n).for_each(|n| step(f, n)),
    }
}

/// Division by y^h + y^l, h and l in words: every coefficient above y^h is added h - l below, highest first (or, to
/// undo it, lowest first). As many at once as do not meet each other.
fn divide(cpu: ClmulCpu, way: Way, f: &mut [u64], h: usize, l: usize) {
    let (shift, top) = (h - l, f.len());
    let mut add = |start: usize, end: usize| {
        let (low, high) = f.split_at_mut(start);
        add_to(cpu, &mut low[start - shift..], &high[..end - start]);
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
