//! Tables of points inside kernels, looked up in constant time.
use super::lambda::LambdaAffine;
use crate::field::KernelField;
use carryless_lanes::Clmul;

/// The entries of the longest table.
const MOST_ENTRIES: usize = 16;

/// A table of points. Those of different lanes may differ.
pub(super) trait Table<F: KernelField> {
    /// x and lambda of an entry.
    fn load<S: Clmul>(&self, s: S, entry: usize) -> LambdaAffine<F::Vectors<S>>;
}

/// The entry whose number has these bits, by masks for each lane, the lowest first; its negative where `negative` has ones. All 2^BITS entries are read.
#[inline(always)]
pub(super) fn look_up<F: KernelField, S: Clmul, const BITS: usize>(
    s: S,
    table: &impl Table<F>,
    negative: S::X,
    masks: [S::X; BITS],
) -> LambdaAffine<F::Vectors<S>> {
    const { assert!(1 << BITS <= MOST_ENTRIES) };
    let zero = F::bit(s, 0);
    let (mut row, mut left) = ([[zero; 2]; MOST_ENTRIES / 2], 1 << (BITS - 1));
    for (i, chosen) in row[..left].iter_mut().enumerate() {
        *chosen = select::<F, S>(s, masks[0], table.load(s, 2 * i), table.load(s, 2 * i + 1));
    }
    for mask in &masks[1..] {
        left /= 2;
        for i in 0..left {
            row[i] = select::<F, S>(s, *mask, row[2 * i], row[2 * i + 1]);
        }
    }
    let [x, l] = row[0];
    // lambda(-P) = lambda(P) + 1.
    [x, F::add(s, l, F::select(s, negative, zero, F::bit(s, 1)))]
}

/// q where the mask has ones, p where it is zero.
#[inline(always)]
fn select<F: KernelField, S: Clmul>(
    s: S,
    mask: S::X,
    p: LambdaAffine<F::Vectors<S>>,
    q: LambdaAffine<F::Vectors<S>>,
) -> LambdaAffine<F::Vectors<S>> {
    [F::select(s, mask, p[0], q[0]), F::select(s, mask, p[1], q[1])]
}
