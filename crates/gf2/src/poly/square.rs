//! Squares.
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// (sum of a_i X^i)^2 = sum of a_i X^(2i): the bits of every word with zeros between them.
struct Square<'a>(&'a [u64], &'a mut [u64]);

impl ClmulKernel for Square<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Square(a, out) = self;
        for (a, out) in a.chunks_exact(2 * S::K).zip(out.chunks_exact_mut(4 * S::K)) {
            let x = s.load(a);
            s.store_lanes(s.square_l(x), out, 4);
            s.store_lanes(s.square_h(x), &mut out[2..], 4);
        }
    }
}

/// `out = a^2` on the best machine of this CPU. Linear in the size, without scratch.
///
/// # Panics
/// If `out` has not twice as many words as `a`.
pub fn square(a: &[u64], out: &mut [u64]) {
    square_on(ClmulCpu::detect(), a, out);
}

/// The same on a machine of one's choice.
///
/// # Panics
/// If `out` has not twice as many words as `a`.
pub fn square_on(cpu: ClmulCpu, a: &[u64], out: &mut [u64]) {
    assert_eq!(out.len(), 2 * a.len(), "a square is twice as long");
    let whole = a.len() - a.len() % (2 * cpu.lanes());
    cpu.call_clmul(Square(&a[..whole], &mut out[..2 * whole]));
    // What does not fill a vector, and the word that does not fill a lane.
    for (a, out) in a[whole..].chunks(2).zip(out[2 * whole..].chunks_mut(4)) {
        let (mut last, mut square) = ([0; 2], [0; 4]);
        last[..a.len()].copy_from_slice(a);
        cpu.narrow(1).call_clmul(Square(&last, &mut square));
        out.copy_from_slice(&square[..2 * a.len()]);
    }
}
