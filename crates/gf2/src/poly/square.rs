//! Squares of polynomials of any size, in linear time.
use super::sizes::SizeError;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// The kernel for (sum of a_i X^i)^2 = sum of a_i X^(2i): the bits of every word with zeros between them.
struct Square<'a>(&'a [u64], &'a mut [u64]);

impl ClmulKernel for Square<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Square(a, out) = self;
        for (a, out) in a.chunks_exact(2 * S::K).zip(out.chunks_exact_mut(4 * S::K)) {
            let x = s.load(a);
            // The squares of both words of lane i go to words 4i to 4i + 3.
            s.store_lanes(s.square_l(x), out, 4);
            s.store_lanes(s.square_h(x), &mut out[2..], 4);
        }
    }
}

/// `out = a^2` on the best backend of this CPU, in constant time, linear in the size, without
/// scratch. Overwrites all of `out`.
///
/// # Panics
/// If `out` has not twice as many words as `a`.
#[track_caller]
pub fn square(a: &[u64], out: &mut [u64]) {
    square_on(ClmulCpu::detect(), a, out);
}

/// [`square()`], with an error instead of a panic.
///
/// # Errors
/// [`SizeError::Length`]; then nothing was written.
pub fn try_square(a: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
    if a.len().checked_mul(2) != Some(out.len()) {
        return Err(SizeError::Length { expected: a.len().saturating_mul(2), found: out.len() });
    }
    square_on(ClmulCpu::detect(), a, out);
    Ok(())
}

/// `out = a^2` on the given backend. Otherwise as [`square()`].
///
/// # Panics
/// If `out` has not twice as many words as `a`.
#[track_caller]
pub fn square_on(cpu: ClmulCpu, a: &[u64], out: &mut [u64]) {
    // Squaring is linear over F2, so no product of different words occurs.
    assert_eq!(out.len(), 2 * a.len(), "a square is twice as long");
    let (mut a, mut out, mut lanes) = (a, out, cpu.lanes());
    // The rest that fills no vector goes to backends of half as many lanes.
    while lanes > 0 && !a.is_empty() {
        let whole = a.len() - a.len() % (2 * lanes);
        let (squares, rest) = out.split_at_mut(2 * whole);
        if whole > 0 {
            cpu.with_lanes(lanes).call_clmul(Square(&a[..whole], squares));
        }
        (a, out, lanes) = (&a[whole..], rest, lanes / 2);
    }
    // A last word is half a lane: its square goes through a buffer.
    if let ([last], [low, high]) = (a, out) {
        let mut square = [0; 4];
        cpu.with_lanes(1).call_clmul(Square(&[*last, 0], &mut square));
        [*low, *high] = [square[0], square[1]];
    }
}
