//! Tables of points inside kernels, looked up in constant time.
use super::lambda::LambdaAffine;
use crate::field::KernelField;
use carryless_lanes::Clmul;

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
    let zero = F::bit(s, 0);
    // One of each 2^(i + 1) entries, as far as they have been read.
    let mut rows = [[zero; 2]; BITS];
    for pair in 0..1 << (BITS - 1) {
        let mut chosen = select::<F, S>(s, masks[0], table.load(s, 2 * pair), table.load(s, 2 * pair + 1));
        let mut i = 0;
        while pair >> i & 1 == 1 {
            chosen = select::<F, S>(s, masks[i + 1], rows[i], chosen);
            i += 1;
        }
        rows[i] = chosen;
    }
    let [x, l] = rows[BITS - 1];
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
