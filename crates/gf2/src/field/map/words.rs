//! The product of a bit matrix and an element whose number of words is known at run time: one kernel for all of them.
use super::kernel::gathered;
use super::layout::Layout;
use crate::poly::kernel::row::store_words;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

impl Layout {
    /// The layout of a whole matrix for elements of `words` words, on a backend with products by 8 x 8 bit matrices.
    pub(in super::super) fn of_words(cpu: ClmulCpu, words: usize) -> Layout {
        debug_assert!(cpu.has_affine(), "the kernel is compiled for these backends only");
        Layout::of_blocks(true, cpu.lanes(), 8 * words, words.div_ceil(2))
    }
}

/// Sets `out` to the image of `a` by the table of [`Layout::of_words`] for as many words, on the same backend. Constant time.
pub(in super::super) fn apply_to_words(cpu: ClmulCpu, table: &[u64], a: &[u64], out: &mut [u64]) {
    cpu.affine().call(ApplyToWords { table, a, out });
}

/// The blocks of the image one after the other, on a backend with products by 8 x 8 bit matrices.
pub(super) struct ApplyToWords<'a> {
    pub(super) table: &'a [u64],
    pub(super) a: &'a [u64],
    pub(super) out: &'a mut [u64],
}

impl ClmulKernel for ApplyToWords<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // Other backends have no tables of this layout, and need no code.
        if const { S::AFFINE } {
            match S::K {
                4 => self.blocks::<S, 2>(s),
                2 => self.blocks::<S, 4>(s),
                _ => self.blocks::<S, 8>(s),
            }
        }
    }
}

impl ApplyToWords<'_> {
    /// Each block by N = 8 / K vectors of sums.
    #[inline(always)]
    fn blocks<S: Clmul, const N: usize>(self, s: S) {
        // What the table has for a byte of the argument and a block of the image.
        let entry = 2 * S::K * N;
        let blocks = self.out.len().div_ceil(2);
        for (block, out) in self.out.chunks_mut(2).enumerate() {
            let mut sums = [s.zero(); N];
            for (word, columns) in self.a.iter().zip(self.table.chunks_exact(8 * entry * blocks)) {
                let mut rest = s.splat([*word; 2]);
                for matrices in columns.chunks_exact(entry * blocks) {
                    // Its lowest byte, throughout the vector.
                    let byte = s.shuffle(rest, s.zero());
                    let matrices = &matrices[block * entry..][..entry];
                    let mut i = 0;
                    while i < N {
                        sums[i] = s.xor(sums[i], s.affine(byte, s.load(&matrices[2 * S::K * i..])));
                        i += 1;
                    }
                    rest = s.shr(rest, 8);
                }
            }
            store_words(s.one(), [s.first_lane(gathered(s, sums))], out);
        }
    }
}
