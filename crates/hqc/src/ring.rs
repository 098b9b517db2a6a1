//! The ring F2\[X\] / (X^n - 1): products of its elements, and their conversion between words and bytes.
use crate::array::Array;
use crate::secret::{SecretWords, wipe};
use crate::set::ParameterSet;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, PlanMismatch, add_mod_xn_1};
use core::marker::PhantomData;

/// Multiplication in the ring of a parameter set, by a plan for one instruction set. Products take constant time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring<S: ParameterSet> {
    plan: Plan,
    set: PhantomData<S>,
}

/// A factor prepared for products with several others, to be kept. Wiped when dropped.
pub(crate) struct Factor<S: ParameterSet> {
    words: S::Prepared,
    /// Number of words written, which are the words to wipe.
    used: usize,
}

impl<S: ParameterSet> Factor<S> {
    /// Returns an empty factor, which [`Ring::prepare`] must fill before it is multiplied.
    #[inline]
    pub(crate) fn zeroed() -> Self {
        Factor { words: S::Prepared::zeroed(), used: 0 }
    }
}

impl<S: ParameterSet> Drop for Factor<S> {
    fn drop(&mut self) {
        wipe(&mut self.words.as_mut()[..self.used]);
    }
}

/// Space for products: the product itself, one factor and scratch. Wiped when dropped.
///
/// A factor of a single operation lies here: a [`Factor`] has more room than most plans need,
/// and clearing it takes time.
pub(crate) struct Workspace<S: ParameterSet> {
    product: SecretWords<S::Product>,
    /// The prepared factor, followed by scratch.
    words: S::Scratch,
    /// Number of words that the factor occupies.
    factor: usize,
    /// Number of words that may be written, which are the words to wipe.
    used: usize,
}

impl<S: ParameterSet> Drop for Workspace<S> {
    fn drop(&mut self) {
        wipe(&mut self.words.as_mut()[..self.used]);
    }
}

impl<S: ParameterSet> Ring<S> {
    /// Multiplies by the library's own plan for this instruction set.
    pub(crate) fn on(cpu: ClmulCpu) -> Self {
        Ring { plan: Plan::on(cpu, S::WORDS, S::WORDS), set: PhantomData }
    }

    /// Uses the given plan for products.
    ///
    /// # Errors
    /// If the plan is for operands of another size, or needs more scratch than the parameter set has room for.
    pub(crate) fn by_plan(plan: Plan) -> Result<Self, PlanMismatch> {
        let ring = Ring { plan, set: PhantomData };
        // The sizes of scratch are constants of the parameter set, so that nothing is allocated.
        let fits = plan.words() == [S::WORDS; 2] && ring.workspace_words() <= size_of::<S::Scratch>() / 8;
        if fits { Ok(ring) } else { Err(PlanMismatch) }
    }

    #[cfg(feature = "internals")]
    pub(crate) fn plan(&self) -> Plan {
        self.plan
    }

    pub(crate) fn cpu(&self) -> ClmulCpu {
        self.plan.cpu()
    }

    /// Returns space for products by this plan. Its size is that of the parameter set. Of the scratch, only
    /// the words that this plan uses are wiped.
    #[inline]
    pub(crate) fn workspace(&self) -> Workspace<S> {
        Workspace {
            product: SecretWords::zeroed(),
            words: S::Scratch::zeroed(),
            factor: self.factor_words(),
            used: self.workspace_words(),
        }
    }

    /// Returns whether prepared operands of this plan fit into the arrays. Otherwise a factor is the operand itself.
    fn prepares(&self) -> bool {
        let words = self.plan.prepared_words();
        // Both arrays must have room: a kept factor, and the workspace that holds a factor with scratch. A
        // factor in its plain form has `S::WORDS` words only.
        words <= size_of::<S::Prepared>() / 8
            && words + self.plan.scratch_words() <= size_of::<S::Scratch>() / 8
    }

    /// Words of a factor in the form that [`Ring::prepare`] gives it.
    fn factor_words(&self) -> usize {
        if self.prepares() { self.plan.prepared_words() } else { S::WORDS }
    }

    /// Words of a factor together with the scratch of products.
    fn workspace_words(&self) -> usize {
        self.factor_words() + self.plan.scratch_words()
    }

    /// Prepares `a` as a factor. Writes it in place, as a factor is too large to be moved.
    pub(crate) fn prepare(&self, a: &S::Ring, factor: &mut Factor<S>, space: &mut Workspace<S>) {
        // Set before the words are written: a factor that is dropped early still wipes them.
        factor.used = self.factor_words();
        self.prepare_in(
            a,
            &mut factor.words.as_mut()[..factor.used],
            &mut space.words.as_mut()[space.factor..],
        );
    }

    /// Prepares `a` as the factor of the workspace, for [`mul_add_factor`](Self::mul_add_factor).
    pub(crate) fn set_factor(&self, a: &S::Ring, space: &mut Workspace<S>) {
        let (factor, scratch) = space.words.as_mut().split_at_mut(space.factor);
        self.prepare_in(a, factor, scratch);
    }

    /// Writes `a` to `factor` in the form that [`multiply`](Self::multiply) expects.
    fn prepare_in(&self, a: &S::Ring, factor: &mut [u64], scratch: &mut [u64]) {
        if self.prepares() {
            self.plan.prepare(a.as_ref(), factor, scratch);
        } else {
            factor.copy_from_slice(a.as_ref());
        }
    }

    /// Adds a b to `sum`, in constant time.
    ///
    /// All bits of the words take part, also those from X^n on. If P is the product of the words as polynomials, this
    /// adds (P + floor(P / X^n)) mod X^n. The reference code computes the same from such operands.
    pub(crate) fn mul_add(&self, a: &S::Ring, b: &Factor<S>, sum: &mut S::Ring, space: &mut Workspace<S>) {
        // The factor of the workspace stays as it is: scratch begins after it.
        let scratch = &mut space.words.as_mut()[space.factor..];
        // A kept factor is as long as that of the workspace, because both follow from the same plan.
        self.multiply(a, &b.words.as_ref()[..space.factor], space.product.as_mut(), scratch);
        add_mod_xn_1(self.cpu(), S::N, space.product.as_ref(), sum.as_mut());
    }

    /// Adds a b to `sum`, where b is the factor of the workspace. Otherwise as [`mul_add`](Self::mul_add).
    pub(crate) fn mul_add_factor(&self, a: &S::Ring, sum: &mut S::Ring, space: &mut Workspace<S>) {
        // One product of the plan, then one pass that reduces and adds.
        let (b, scratch) = space.words.as_mut().split_at_mut(space.factor);
        self.multiply(a, b, space.product.as_mut(), scratch);
        add_mod_xn_1(self.cpu(), S::N, space.product.as_ref(), sum.as_mut());
    }

    /// Writes the product of `a` and the factor `b` to `product`, without reduction.
    fn multiply(&self, a: &S::Ring, b: &[u64], product: &mut [u64], scratch: &mut [u64]) {
        if self.prepares() {
            self.plan.mul_prepared(a.as_ref(), b, product, scratch);
        } else {
            // Only forced plans come here: all that costs select prepare factors that fit.
            self.plan.mul(a.as_ref(), b, product, scratch);
        }
    }
}

/// Loads little-endian bytes into words. Missing bytes of the last word are zero; further words keep their values.
///
/// `words` must have room for all bytes.
pub(crate) fn load(bytes: &[u8], words: &mut [u64]) {
    let (whole, rest) = bytes.as_chunks::<8>();
    for (word, bytes) in words.iter_mut().zip(whole) {
        *word = u64::from_le_bytes(*bytes);
    }
    if !rest.is_empty() {
        // Zeros first, as the bytes that are missing must not keep what the word had.
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words[whole.len()] = u64::from_le_bytes(last);
    }
}

/// Stores words as little-endian bytes, as many as `bytes` has room for.
pub(crate) fn store(words: &[u64], bytes: &mut [u8]) {
    let (whole, rest) = bytes.as_chunks_mut::<8>();
    for (bytes, word) in whole.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    // If `bytes` ends with a whole word, `rest` is empty and a further word is not copied.
    if let Some(last) = words.get(whole.len()) {
        rest.copy_from_slice(&last.to_le_bytes()[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{Category1, Category3, Category5};
    use carryless_gf2::CpuClass;
    use carryless_gf2::poly::{Costs, Step};

    /// Tests that search memory for secrets cannot find a prepared factor, as it is about as sparse as y.
    /// Instead, this test checks that dropping one leaves zeros.
    #[cfg(not(miri))]
    #[test]
    fn factors_leave_zeros() {
        let ring = Ring::<Category1>::on(ClmulCpu::detect());
        let (mut factor, mut element) = (Factor::zeroed(), <Category1 as ParameterSet>::Ring::zeroed());
        (0..).zip(element.as_mut()).for_each(|(i, word): (u32, _)| *word = 1 << (i % 64));
        ring.prepare(&element, &mut factor, &mut ring.workspace());
        assert!(factor.words.as_ref().iter().filter(|word| **word != 0).count() > 100);
        // The number of words is not secret.
        let left = carryless_residue::bytes_after_drop(factor);
        assert!(left.iter().filter(|byte| **byte != 0).count() <= size_of::<usize>());
    }

    fn plans_fit<S: ParameterSet>() {
        for cpu in ClmulCpu::available() {
            for class in CpuClass::ALL {
                let plan = Plan::by_costs(cpu, &Costs::of_class(cpu, *class), S::WORDS, S::WORDS);
                assert!(Ring::<S>::by_plan(plan).is_ok(), "{}", plan.describe());
                assert!(Ring::<S> { plan, set: PhantomData }.prepares(), "{}", plan.describe());
            }
        }
    }

    #[test]
    fn all_plans_have_room() {
        plans_fit::<Category1>();
        plans_fit::<Category3>();
        plans_fit::<Category5>();
    }

    #[test]
    fn plans_for_other_sizes_or_with_too_much_scratch_are_refused() {
        const WORDS: usize = Category1::WORDS;
        let cpu = ClmulCpu::detect();
        let refused = |plan| Ring::<Category1>::by_plan(plan).is_err();
        for sizes in [[WORDS + 1, WORDS], [WORDS, WORDS - 1], [WORDS - 1, WORDS - 1]] {
            assert!(refused(Plan::on(cpu, sizes[0], sizes[1])), "{sizes:?}");
        }
        let padded = Plan::forced(cpu, WORDS, &[Step::Karat2; 12], 8).expect("a plan");
        assert_eq!(padded.words(), [WORDS; 2]);
        assert!(padded.scratch_words() > size_of::<<Category1 as ParameterSet>::Scratch>() / 8);
        assert!(refused(padded));
    }

    /// The constructions of paper 002 and of the packages before it.
    #[test]
    fn constructions_of_the_paper_have_room() {
        use Step::{Karat2, Karat3, Karat5, Toom3};
        use carryless_gf2::poly::ToomWord::{W128, W256, W512};
        for cpu in ClmulCpu::available() {
            let plan = |words, steps: &[Step]| Plan::forced(cpu, words, steps, 8).expect("a plan");
            for steps in [[Karat3, Karat3, Karat2, Karat2], [Toom3(W128), Karat3, Karat2, Karat2]] {
                assert!(Ring::<Category1>::by_plan(plan(Category1::WORDS, &steps)).is_ok());
            }
            for steps in
                [[Toom3(W256), Karat5, Karat2, Karat2, Karat2], [Toom3(W512), Karat5, Karat2, Karat2, Karat2]]
            {
                assert!(Ring::<Category5>::by_plan(plan(Category5::WORDS, &steps)).is_ok());
            }
        }
    }
}
