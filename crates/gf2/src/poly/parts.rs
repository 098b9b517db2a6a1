//! Products that are added to something, of which a part is wanted, or of which there are many.
use super::construct::add_to;
use super::plan::Plan;

impl Plan {
    /// The words of scratch that [`mul_add`](Plan::mul_add), [`mul_low`](Plan::mul_low),
    /// [`mul_high`](Plan::mul_high) and [`mul_mod`](Plan::mul_mod) take: a product lies in them.
    #[must_use]
    pub fn part_scratch_words(&self) -> usize {
        self.scratch_words() + self.words().iter().sum::<usize>()
    }

    /// `sum += a b`. Costs a product and a pass over it.
    ///
    /// # Panics
    /// If `a` or `b` has another size than the plan's, `sum` has not as many words as both together, or `scratch` has less
    /// than [`part_scratch_words`](Plan::part_scratch_words).
    pub fn mul_add(&self, a: &[u64], b: &[u64], sum: &mut [u64], scratch: &mut [u64]) {
        assert_eq!(sum.len(), a.len() + b.len(), "a sum as long as both operands");
        add_to(self.cpu(), sum, self.product(a, b, scratch));
    }

    /// The product modulo X^(64 n), for `out` of n words. Costs as much as all of it.
    ///
    /// # Panics
    /// As [`mul_add`](Plan::mul_add), but `out` may be shorter.
    pub fn mul_low(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        assert!(out.len() <= a.len() + b.len(), "a part is no longer than the product");
        out.copy_from_slice(&self.product(a, b, scratch)[..out.len()]);
    }

    /// The last words of the product, as many as `out` has. Costs as much as all of it.
    ///
    /// # Panics
    /// As [`mul_low`](Plan::mul_low).
    pub fn mul_high(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        assert!(out.len() <= a.len() + b.len(), "a part is no longer than the product");
        let product = self.product(a, b, scratch);
        out.copy_from_slice(&product[product.len() - out.len()..]);
    }

    /// `out_i = a_i b_i` for any number of products of the plan's sizes, one after the other in all three slices. Machines
    /// with several lanes compute several at once, where the plan is a chain that fits the operands.
    ///
    /// # Panics
    /// If the slices do not hold operands and products of the plan's sizes and equal number, or `scratch` has less than
    /// [`batch_scratch_words`](Plan::batch_scratch_words).
    pub fn mul_batch(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        let [a_words, b_words] = self.words();
        let count = a.len().checked_div(a_words).unwrap_or(0);
        assert_eq!([a.len(), b.len()], [count * a_words, count * b_words], "operands of the plan's sizes");
        assert_eq!(out.len(), a.len() + b.len(), "products as long as both operands");
        assert!(scratch.len() >= self.batch_scratch_words(), "as much scratch as the plan asks for");
        if count == 0 || b_words == 0 {
            return;
        }
        if !self.lanes(a, b, out, scratch) {
            let operands = a.chunks_exact(a_words).zip(b.chunks_exact(b_words));
            for ((a, b), out) in operands.zip(out.chunks_exact_mut(a_words + b_words)) {
                self.mul(a, b, out, scratch);
            }
        }
    }

    /// The product, at the beginning of `scratch`.
    pub(super) fn product<'a>(&self, a: &[u64], b: &[u64], scratch: &'a mut [u64]) -> &'a mut [u64] {
        assert!(scratch.len() >= self.part_scratch_words(), "as much scratch as the plan asks for");
        let (product, scratch) = scratch.split_at_mut(a.len() + b.len());
        self.mul(a, b, product, scratch);
        product
    }
}
