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
        // Lengths are public.
        match a.len() {
            0 => {}
            1 => s.one().store_lanes(s.one().square_l(s.one().load_part(a)), out, 4),
            // Less than a vector of this backend, but at least one of one lane, which has two words.
            n if n < 2 * S::K => vectors(s.one(), a, out),
            _ => vectors(s, a, out),
        }
    }
}

/// Squares at least one vector of words. The last vector may overlap the one before: the square of a word depends
/// on no other word, so words that are squared twice get the same result.
#[inline(always)]
fn vectors<S: Clmul>(s: S, a: &[u64], out: &mut [u64]) {
    let step = 2 * S::K;
    for (a, out) in a.chunks_exact(step).zip(out.chunks_exact_mut(2 * step)) {
        vector(s, a, out);
    }
    if !a.len().is_multiple_of(step) {
        let last = a.len() - step;
        vector(s, &a[last..], &mut out[2 * last..]);
    }
}

/// Squares the words of one vector. The squares of both words of lane i go to words 4i to 4i + 3.
#[inline(always)]
fn vector<S: Clmul>(s: S, a: &[u64], out: &mut [u64]) {
    let x = s.load(a);
    s.store_lanes(s.square_l(x), out, 4);
    s.store_lanes(s.square_h(x), &mut out[2..], 4);
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
    cpu.call(Square(a, out));
}
