//! Bounds that hold for all plans: on the size of operands, and on the scratch for them.
use super::plan::Plan;

impl Plan {
    /// The largest number of words of an operand: 2^32 on processors of 64 bits, 2^20 on smaller ones. No count or
    /// size of a plan overflows.
    pub const MAX_WORDS: usize = if usize::BITS >= 64 { 1 << (usize::BITS / 2) } else { 1 << 20 };

    /// An upper bound on the [scratch](Plan::scratch_words) of plans that [`Plan::new`] and [`Plan::on`] make for
    /// operands of these sizes, on any backend. It is for buffers whose size is known at compile time. The bound is
    /// 15 words for each word of the operands, and 64; a plan may need much less.
    ///
    /// ```
    /// use carryless_gf2::poly::Plan;
    ///
    /// const WORDS: usize = 277; // 17669 bits, as in HQC
    /// let mut scratch = [0; Plan::scratch_bound(WORDS, WORDS)];
    /// let (a, b, mut product) = ([3; WORDS], [5; WORDS], [0; 2 * WORDS]);
    /// Plan::new(WORDS, WORDS).mul(&a, &b, &mut product, &mut scratch);
    /// assert_eq!(product[0], 15);
    /// ```
    ///
    /// # Panics
    /// If an operand has more than [`MAX_WORDS`](Plan::MAX_WORDS); in a constant, that does not compile.
    #[must_use]
    pub const fn scratch_bound(a_words: usize, b_words: usize) -> usize {
        assert!(a_words <= Plan::MAX_WORDS && b_words <= Plan::MAX_WORDS, "operands are too long");
        let (long, short) = if a_words < b_words { (b_words, a_words) } else { (a_words, b_words) };
        // These plans are zero or one kernel, without scratch.
        if short == 0 || (long <= 10 && long == short) {
            return 0;
        }
        15 * (long + short) + 64
    }
}
