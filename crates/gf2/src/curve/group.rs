//! Ladders in the lanes of a backend: K independent products k P at a time.
use super::ladder::{Bits, ladder, word_mask};
use super::words::SCALAR_WORDS;
use crate::field::{self, KernelField, MAX_LANES};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::marker::PhantomData;
use zeroize::Zeroize;

/// The words of one element for each lane, and one more that loads and stores of lanes may touch.
const ROW: usize = MAX_LANES * field::MAX_WORDS + 1;

/// Operands and results of up to four ladders, one for each lane. Wiped on drop.
pub struct Group<'a> {
    b: &'a [u64],
    bits: u32,
    x: [u64; ROW],
    k: [[u64; SCALAR_WORDS]; MAX_LANES],
    /// The coordinates X and Z of k P, then X and Z of (k + 1) P, each for all lanes side by side.
    out: [[u64; ROW]; 4],
}

impl<'a> Group<'a> {
    /// A group of ladders for scalars of `bits` bits, on a curve with this b.
    pub(super) fn new(b: &'a [u64], bits: u32) -> Self {
        Group { b, bits, x: [0; ROW], k: [[0; SCALAR_WORDS]; MAX_LANES], out: [[0; ROW]; 4] }
    }

    /// Sets x and k for a lane.
    pub(super) fn set(&mut self, lane: usize, x: &[u64], k: &[u64; SCALAR_WORDS]) {
        self.x[lane * x.len()..][..x.len()].copy_from_slice(x);
        self.k[lane] = *k;
    }

    /// Runs the ladders of all lanes. Returns false, without doing anything, if the backend has one lane only.
    #[inline]
    pub(super) fn run<F: KernelField, const KOBLITZ: bool>(&mut self, cpu: ClmulCpu) -> bool {
        cpu.several_lanes().call(Ladders::<F, KOBLITZ> { group: self, of: PhantomData }).is_ok()
    }

    /// The words of a result: coordinate 0 to 3, in the order of `out`, of a lane.
    pub(super) fn result(&self, coordinate: usize, lane: usize, words: usize) -> &[u64] {
        &self.out[coordinate][lane * words..][..words]
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        self.x.zeroize();
        self.k.zeroize();
        self.out.zeroize();
    }
}

/// The bits of a different k in each lane.
struct Each<'a>(&'a [[u64; SCALAR_WORDS]; MAX_LANES]);

impl Bits for Each<'_> {
    #[inline(always)]
    fn mask<S: Clmul>(&self, s: S, i: u32) -> S::X {
        // The bits of each k select in its own lane only, so lanes may have different scalars. Unused lanes
        // have k = 0.
        let mut masks = [0; 2 * MAX_LANES];
        let mut lane = 0;
        while lane < S::K {
            masks[2 * lane] = word_mask(&self.0[lane], i);
            masks[2 * lane + 1] = masks[2 * lane];
            lane += 1;
        }
        s.load_lanes(&masks, 2)
    }
}

/// The kernel of the ladders in all lanes. `KOBLITZ` is for curves with b = 1.
struct Ladders<'a, 'b, F, const KOBLITZ: bool> {
    group: &'a mut Group<'b>,
    of: PhantomData<F>,
}

impl<F: KernelField, const KOBLITZ: bool> ClmulKernel for Ladders<'_, '_, F, KOBLITZ> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // b and the bits of n are those of all lanes; x and k differ. Results of a coordinate lie side by
        // side, W words for each lane, as `F::store` writes them.
        let Group { b, bits, x, k, out } = self.group;
        let x = F::load(s, &x[..]);
        let points = ladder::<F, KOBLITZ, S>(s, F::constant(s, b), x, *bits, &Each(k));
        for (out, coordinate) in out.iter_mut().zip(points.into_iter().flatten()) {
            F::store(s, coordinate, out);
        }
    }
}
