//! Products by a chain: operands are padded to its size, and the longer one is cut into pieces.
use super::construct::{Chain, add_to, copy, copy_both, products, products_scratch};
use super::costs::Costs;
use carryless_lanes::ClmulCpu;

/// The number of words in a line of the cache: 64 bytes.
pub(super) const LINE: usize = 8;

/// A chain, and how operands of given sizes are padded and cut for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pieces {
    /// The words of the first and the second operand.
    sizes: [usize; 2],
    /// The number of pieces of the longer operand.
    count: usize,
    chain: Chain,
    /// The words of the chain's operands: no fewer than a piece and the shorter operand have.
    size: usize,
}

impl Pieces {
    /// Chooses the pieces: as many of the shorter operand's size as are full, or one more, whichever is cheaper.
    pub(super) fn new(costs: &Costs<'_>, sizes: [usize; 2]) -> Pieces {
        let (long, short) = (sizes[0].max(sizes[1]), sizes[0].min(sizes[1]).max(1));
        // Pieces have equal size; both operands of the chain have that of the longer of piece and short operand.
        let cut = |count: usize| {
            let size = long.div_ceil(count).max(short);
            Pieces::of(sizes, count, costs.chain(size))
        };
        let few = cut((long / short).max(1));
        // Then `many` has the same number of pieces.
        if long % short == 0 {
            return few;
        }
        // Fewer pieces mean fewer products, more pieces mean shorter ones: the table decides.
        let many = cut(long.div_ceil(short));
        if few.cost(costs) <= many.cost(costs) { few } else { many }
    }

    pub(super) fn of(sizes: [usize; 2], count: usize, chain: Chain) -> Pieces {
        Pieces { sizes, count, chain, size: chain.words() }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn chain(&self) -> Chain {
        self.chain
    }

    /// The number of carry-less products of words; those with padding count.
    pub(super) fn clmuls(&self) -> usize {
        self.count * self.chain.clmuls()
    }

    /// The time in picoseconds: that of all pieces and their copies.
    pub(super) fn cost(&self, costs: &Costs<'_>) -> u64 {
        // Two operands of `size` words and a product of twice as many.
        let copies = if self.fits() { 0 } else { 4 * self.size };
        costs.of_chain(&self.chain).saturating_add(costs.of_copies(copies)).saturating_mul(self.count as u64)
    }

    /// Whether both operands have the chain's size, so that nothing is copied.
    #[inline]
    fn fits(&self) -> bool {
        self.sizes == [self.size; 2]
    }

    /// The room for a padded operand in words: whole vectors and lines of the cache.
    fn room(&self) -> usize {
        self.size.next_multiple_of(LINE)
    }

    /// The words of scratch that [`mul`](Pieces::mul) takes on `lanes` lanes.
    pub(super) fn scratch_words(&self, lanes: usize) -> usize {
        let padded = if self.fits() { 0 } else { 4 * self.room() };
        padded + self.chain.scratch_words(lanes)
    }

    /// `out = a b`, for operands of the given sizes. Overwrites all of `out`; scratch keeps secrets.
    #[inline]
    pub(super) fn mul(&self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        if self.fits() {
            self.chain.mul(cpu, a, b, out, scratch);
        } else {
            // Products commute, so the longer operand is always the one that is cut.
            let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
            self.mul_padded(cpu, long, short, out, scratch);
        }
    }

    /// The words of scratch that [`mul_batch`](Pieces::mul_batch) takes on `lanes` lanes.
    pub(super) fn batch_scratch_words(&self, lanes: usize) -> usize {
        products_scratch(&self.chain, lanes)
    }

    /// The words of a prepared second operand.
    pub(super) fn prepared_words(&self) -> usize {
        if self.count == 1 { self.chain.prepared_words() } else { self.sizes[1] }
    }

    /// Prepares a second operand as the chain does. If there are several pieces, it is stored unprepared.
    pub(super) fn prepare(&self, cpu: ClmulCpu, b: &[u64], prepared: &mut [u64], scratch: &mut [u64]) {
        if self.count > 1 {
            prepared.copy_from_slice(b);
            return;
        }
        if self.fits() {
            self.chain.prepare(cpu, b, prepared, scratch);
        } else {
            let (right, scratch) = scratch.split_at_mut(self.room());
            copy(cpu, right, b);
            self.chain.prepare(cpu, &right[..self.size], prepared, scratch);
        }
    }

    /// `out = a b` for a second operand that [`prepare`](Pieces::prepare) prepared.
    pub(super) fn mul_prepared(
        &self,
        cpu: ClmulCpu,
        a: &[u64],
        prepared: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) {
        if self.count > 1 {
            // `prepare` stored the operand as it is, because each piece would need its own.
            self.mul(cpu, a, prepared, out, scratch);
        } else if self.fits() {
            self.chain.mul_prepared(cpu, a, prepared, out, scratch);
        } else {
            let (left, scratch) = scratch.split_at_mut(self.room());
            let (product, scratch) = scratch.split_at_mut(2 * self.room());
            copy(cpu, left, a);
            // The part of `left` above a is zero, so the product has no more words than both operands, and
            // `out` cuts none.
            let (left, product) = (&left[..self.size], &mut product[..2 * self.size]);
            self.chain.mul_prepared(cpu, left, prepared, product, scratch);
            copy(cpu, out, product);
        }
    }

    /// Computes many products, one after the other in all slices. Returns false and does
    /// nothing if operands need padding.
    pub(super) fn mul_batch(
        &self,
        cpu: ClmulCpu,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> bool {
        let fits = self.fits();
        if fits {
            products(&self.chain, cpu, a, b, out, scratch);
        }
        fits
    }

    /// `out = long short`, for operands with zeros on top, piece by piece.
    fn mul_padded(&self, cpu: ClmulCpu, long: &[u64], short: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        let (left, scratch) = scratch.split_at_mut(self.room());
        let (right, scratch) = scratch.split_at_mut(self.room());
        let (product, scratch) = scratch.split_at_mut(2 * self.room());
        let product = &mut product[..2 * self.size];
        if self.count == 1 {
            copy_both(cpu, (left, long), (right, short));
            self.chain.mul(cpu, &left[..self.size], &right[..self.size], product, scratch);
            copy(cpu, out, product);
            return;
        }
        // With zeros up to the size of the chain: once, as the short operand is a factor of every product.
        copy(cpu, right, short);
        let right = &right[..self.size];
        // Products of neighbouring pieces overlap by the size of the shorter operand, so they are added. Words
        // above a piece's product are zero padding.
        out.fill(0);
        let size = long.len().div_ceil(self.count).max(1);
        for (i, piece) in long.chunks(size).enumerate() {
            copy(cpu, left, piece);
            self.chain.mul(cpu, &left[..self.size], right, product, scratch);
            add_to(cpu, &mut out[i * size..], &product[..piece.len() + short.len()]);
        }
    }
}

impl core::fmt::Display for Pieces {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.count > 1 {
            write!(f, "{} times ", self.count)?;
        }
        write!(f, "{} of {} bits", self.chain, 64 * self.size)
    }
}
