//! Look-ups of points in tables inside kernels, in constant time.
use super::lambda::LambdaAffine;
use crate::field::KernelField;
use carryless_lanes::Clmul;

/// A table of points for each lane; the tables may differ.
pub(super) trait Table<F: KernelField> {
    /// The coordinates x and lambda of an entry, in every lane. `entry` is public.
    fn load<S: Clmul>(&self, s: S, entry: usize) -> LambdaAffine<F::Vectors<S>>;
}

/// Looks up an entry by masks for the bits of its index, lowest bit first, and negates it where `negative` has ones.
///
/// All 2^BITS entries are read, in a fixed order, and combined by selections. So neither time nor
/// addresses depend on the index.
#[inline(always)]
pub(super) fn look_up<F: KernelField, S: Clmul, const BITS: usize>(
    s: S,
    table: &impl Table<F>,
    negative: S::X,
    masks: [S::X; BITS],
) -> LambdaAffine<F::Vectors<S>> {
    let zero = F::bit(s, 0);
    // A binary tree of selections. rows[i] is the choice among the last 2^(i + 1) entries of a whole subtree,
    // until its sibling is read.
    let mut rows = [[zero; 2]; BITS];
    for pair in 0..1 << (BITS - 1) {
        // Bit 0 of the index chooses within a pair. As in a binary counter, complete subtrees are merged by
        // the next bit: the ones at the low end of `pair` say which rows hold the left sibling of `chosen`.
        // All in all 2^BITS loads and 2^BITS - 1 selections of two coordinates.
        let mut chosen = select::<F, S>(s, masks[0], table.load(s, 2 * pair), table.load(s, 2 * pair + 1));
        let mut i = 0;
        while pair >> i & 1 == 1 {
            chosen = select::<F, S>(s, masks[i + 1], rows[i], chosen);
            i += 1;
        }
        rows[i] = chosen;
    }
    let [x, l] = rows[BITS - 1];
    // -P has the same x, and lambda + 1.
    [x, F::add(s, l, F::select(s, negative, zero, F::bit(s, 1)))]
}

/// Selects without branches: q where the mask has ones, p where it has zeros.
#[inline(always)]
fn select<F: KernelField, S: Clmul>(
    s: S,
    mask: S::X,
    p: LambdaAffine<F::Vectors<S>>,
    q: LambdaAffine<F::Vectors<S>>,
) -> LambdaAffine<F::Vectors<S>> {
    [F::select(s, mask, p[0], q[0]), F::select(s, mask, p[1], q[1])]
}
