//! Plans: the choice of the algorithm for given operand sizes.
mod prepared;

use super::construct::{Chain, Step};
use super::costs::{Costs, MeasuredChain};
use super::fft::Fft;
use super::fixed::KernelPtr;
use super::level::{Level, Method, chain_levels};
use super::pieces::{LINE, Pieces};
use super::ring::Ring;
use super::sizes::{PlanMismatch, SizeError, enough, lengths, unwrap};
use carryless_lanes::ClmulCpu;

/// The way to compute a product of given sizes: made once, used for any number of products. Products are constant
/// time: operations and addresses depend on the plan only.
///
/// ```
/// use carryless_gf2::poly::Plan;
///
/// let plan = Plan::new(277, 277); // 17669 bits, as in HQC
/// let (a, b) = ([3; 277], [5; 277]);
/// let (mut product, mut scratch) = ([0; 554], vec![0; plan.scratch_words()]);
/// plan.mul(&a, &b, &mut product, &mut scratch);
/// assert_eq!(product[0], 15);
/// println!("{}", plan.describe());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    cpu: ClmulCpu,
    /// The words of the first and the second operand.
    sizes: [usize; 2],
    /// The kernel for these sizes, if there is one; it takes no scratch. Then `way` is for batches.
    pub(super) direct: Option<KernelPtr>,
    way: Way,
    /// The words of scratch of one product, with those that alignment may skip.
    scratch: usize,
}

/// The algorithm of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// An operand is empty: zero.
    Zero,
    Pieces(Pieces),
    Fft(Fft),
}

impl Plan {
    /// The plan for operands of `a_words` and `b_words` on the best backend of this CPU.
    ///
    /// # Panics
    /// If an operand has more than [`MAX_WORDS`](Plan::MAX_WORDS), or if no chain of the table reaches the
    /// pieces of the longer one.
    #[must_use]
    #[track_caller]
    pub fn new(a_words: usize, b_words: usize) -> Plan {
        unwrap(Plan::try_new(a_words, b_words))
    }

    /// [`new`](Plan::new), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::TooLong`], with the words of the longer operand.
    pub fn try_new(a_words: usize, b_words: usize) -> Result<Plan, SizeError> {
        Plan::try_on(ClmulCpu::detect(), a_words, b_words)
    }

    /// The plan for operands of `a_words` and `b_words` on the given backend.
    ///
    /// # Panics
    /// As [`new`](Plan::new), by the table of costs of this backend.
    #[must_use]
    #[track_caller]
    pub fn on(cpu: ClmulCpu, a_words: usize, b_words: usize) -> Plan {
        unwrap(Plan::try_on(cpu, a_words, b_words))
    }

    /// [`on`](Plan::on), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::TooLong`], with the words of the longer operand.
    pub fn try_on(cpu: ClmulCpu, a_words: usize, b_words: usize) -> Result<Plan, SizeError> {
        Plan::try_by_costs(cpu, &Costs::of(cpu), a_words, b_words)
    }

    /// The plan for operands of `a_words` and `b_words` that is the cheapest by a given table of costs.
    ///
    /// # Panics
    /// As [`new`](Plan::new), and if no chain of 20 levels over the table is long enough.
    #[must_use]
    #[track_caller]
    pub fn by_costs(cpu: ClmulCpu, costs: &Costs<'_>, a_words: usize, b_words: usize) -> Plan {
        unwrap(Plan::try_by_costs(cpu, costs, a_words, b_words))
    }

    /// [`by_costs`](Plan::by_costs), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::TooLong`], with the words of the longer operand.
    pub fn try_by_costs(
        cpu: ClmulCpu,
        costs: &Costs<'_>,
        a_words: usize,
        b_words: usize,
    ) -> Result<Plan, SizeError> {
        let sizes = [a_words, b_words];
        if sizes.contains(&0) {
            return Ok(Plan::of(cpu, sizes, Way::Zero));
        }
        let (long, short) = (a_words.max(b_words), a_words.min(b_words));
        // The table must reach the largest piece that the longer operand may be cut into.
        if long > Plan::MAX_WORDS || !costs.reach(long.div_ceil(long / short)) {
            return Err(SizeError::TooLong { words: long });
        }
        let pieces = Pieces::new(costs, sizes);
        Ok(match KernelPtr::new(cpu, sizes) {
            // A kernel takes no scratch; its chain is for batches.
            Some(direct) => Plan { cpu, sizes, direct: Some(direct), way: Way::Pieces(pieces), scratch: 0 },
            None => {
                // A transform is taken only if it is cheaper by the table than all pieces together.
                let fft = Fft::cheaper(costs, sizes, &pieces);
                Plan::of(cpu, sizes, fft.map_or(Way::Pieces(pieces), Way::Fft))
            }
        })
    }

    /// The time of a product by this table, in picoseconds.
    #[must_use]
    pub fn predicted(&self, costs: &Costs<'_>) -> u64 {
        match (self.direct, self.way) {
            // Kernels of equal sizes are not measured alone: the chain of that size stands for them, in the third
            // arm.
            (Some(direct), _) if direct.is_row() => direct.cost(costs),
            (_, Way::Zero) => 0,
            (_, Way::Pieces(pieces)) => pieces.cost(costs),
            (_, Way::Fft(fft)) => fft.cost(costs),
        }
    }

    /// A plan with these steps, from the whole product down to leaves of `leaf_words` (2, 4, 6 or 8), for operands of
    /// `words` words. A chain whose size is larger multiplies operands with zeros on top.
    ///
    /// # Errors
    /// [`PlanMismatch`] if the steps do not fit each other (Toom3 needs parts of more than `2 w` bits;
    /// there are at most 20 steps) or make less than `words` words.
    pub fn forced(
        cpu: ClmulCpu,
        words: usize,
        steps: &[Step],
        leaf_words: usize,
    ) -> Result<Plan, PlanMismatch> {
        let chain = Chain::new(steps, leaf_words).ok_or(PlanMismatch)?;
        let plan = Plan::of(cpu, [words; 2], Way::Pieces(Pieces::of([words; 2], 1, chain)));
        if chain.words() < words { Err(PlanMismatch) } else { Ok(plan) }
    }

    /// The plan with this chain, for operands of its size.
    #[must_use]
    pub fn by_chain(cpu: ClmulCpu, measured: &MeasuredChain) -> Plan {
        let sizes = [measured.words(); 2];
        Plan::of(cpu, sizes, Way::Pieces(Pieces::of(sizes, 1, measured.chain())))
    }

    /// A plan with an additive Fourier transform over this ring, for operands of these sizes.
    ///
    /// # Errors
    /// [`PlanMismatch`] if the product has more coefficients than the ring has points.
    pub fn by_transform(
        cpu: ClmulCpu,
        a_words: usize,
        b_words: usize,
        ring: Ring,
    ) -> Result<Plan, PlanMismatch> {
        let fft = Fft::new(ring, [a_words, b_words]).ok_or(PlanMismatch)?;
        Ok(Plan::of(cpu, [a_words, b_words], Way::Fft(fft)))
    }

    /// The plan by this way, without a kernel. Its scratch has room to begin at a line of the cache.
    fn of(cpu: ClmulCpu, sizes: [usize; 2], way: Way) -> Plan {
        let scratch = match way {
            Way::Zero => 0,
            Way::Pieces(pieces) => pieces.scratch_words(cpu.lanes()),
            Way::Fft(fft) => fft.scratch_words(cpu.lanes()),
        };
        // `aligned` may skip up to LINE - 1 words, so that vectors begin at a line of the cache.
        let scratch = if scratch == 0 { 0 } else { scratch + LINE - 1 };
        Plan { cpu, sizes, direct: None, way, scratch }
    }

    /// The words of the first and the second operand.
    #[must_use]
    pub fn words(&self) -> [usize; 2] {
        self.sizes
    }

    /// The backend on which this plan runs.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// The plan as a text: backend, pieces, chain or transform, and number of carry-less products.
    #[must_use]
    pub fn describe(&self) -> impl core::fmt::Display {
        Description(*self)
    }

    /// The levels from whole products (one for each piece of the longer operand) down to leaves.
    ///
    /// ```
    /// use carryless_gf2::{ClmulCpu, poly::{Method, Plan, Step}};
    ///
    /// let plan = Plan::forced(ClmulCpu::detect(), 24, &[Step::Karat3], 8)?;
    /// let levels: Vec<_> = plan.levels().map(|level| (level.count, level.words, level.method)).collect();
    /// assert_eq!(levels, [(1, 24, Method::Step(Step::Karat3)), (6, 8, Method::Leaf)]);
    /// # Ok::<(), carryless_gf2::poly::PlanMismatch>(())
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = Level> {
        let words = self.sizes[0].max(self.sizes[1]);
        let (first, count, chain) = match (self.direct, self.way) {
            (Some(direct), _) => (None, direct.pieces(), direct.chain()),
            (_, Way::Zero) => (None, 0, Chain::leaf_of(words)),
            (_, Way::Pieces(pieces)) => (None, pieces.count(), pieces.chain()),
            (_, Way::Fft(fft)) => (Some(fft.ring()), fft.points(), fft.ring().chain()),
        };
        // A transform is a level above its points, each of which is a product by the chain of the ring.
        let transform = |ring| Level { method: Method::Transform(ring), count: 1, words };
        first.map(transform).into_iter().chain(chain_levels(count, chain))
    }

    /// The number of carry-less products of words; those with padding count.
    #[must_use]
    pub fn clmuls(&self) -> usize {
        match (self.direct, self.way) {
            (Some(direct), _) => direct.clmuls(),
            (_, Way::Zero) => 0,
            (_, Way::Pieces(pieces)) => pieces.clmuls(),
            (_, Way::Fft(fft)) => fft.clmuls(),
        }
    }

    /// The words of scratch that [`mul`](Plan::mul), [`prepare`](Plan::prepare) and
    /// [`mul_prepared`](Plan::mul_prepared) take. None where one kernel makes the whole product: for an operand of up to 10
    /// words, and for some equal sizes above. Plans by given steps or transforms have no kernel.
    /// [`Plan::scratch_bound`] needs no plan.
    #[must_use]
    pub fn scratch_words(&self) -> usize {
        self.scratch
    }

    /// The part of `scratch` from the next line of the cache on. A vector that lies in two lines takes two
    /// accesses, which is up to a tenth of a long product.
    fn aligned<'a>(&self, scratch: &'a mut [u64]) -> Result<&'a mut [u64], SizeError> {
        enough(scratch, self.scratch)?;
        // `align_offset` may fail, as on Miri, and then returns `usize::MAX`. Any offset up to seven words gives the same
        // result.
        let before =
            if self.scratch == 0 { 0 } else { scratch.as_ptr().align_offset(8 * LINE).min(LINE - 1) };
        Ok(&mut scratch[before..])
    }

    /// The number of words of scratch that [`mul_batch`](Plan::mul_batch) takes.
    #[must_use]
    pub fn batch_scratch_words(&self) -> usize {
        match self.way {
            // The larger of both, because operands that need padding are multiplied one after the other.
            Way::Pieces(pieces) => self.scratch.max(pieces.batch_scratch_words(self.cpu.lanes())),
            _ => self.scratch,
        }
    }

    /// Computes many products, several at once in lanes: operands lie side by side, as do products. Returns false and
    /// writes nothing if this plan has no such way.
    pub(super) fn mul_in_lanes(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) -> bool {
        match &self.way {
            Way::Pieces(pieces) => pieces.mul_batch(self.cpu, a, b, out, scratch),
            _ => false,
        }
    }

    /// `out = a b`, in constant time. Overwrites all of `out`. Scratch may hold anything before. Afterwards it
    /// holds sums and products of parts of the operands: wipe it if they are secret.
    ///
    /// # Panics
    /// If `a` or `b` has another size than the plan's, `out` has not as many words as both together, or
    /// `scratch` has less than [`scratch_words`](Plan::scratch_words).
    #[inline]
    #[track_caller]
    pub fn mul(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        // A kernel only tells that some size is wrong. `mul_any` finds out which, and makes the error.
        if self.direct.is_none_or(|direct| !direct.mul(a, b, out)) {
            unwrap(self.mul_any(a, b, out, scratch));
        }
    }

    /// [`mul`](Plan::mul), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    #[inline]
    pub fn try_mul(
        &self,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        match self.direct {
            Some(direct) if direct.mul(a, b, out) => Ok(()),
            _ => self.mul_any(a, b, out, scratch),
        }
    }

    /// Computes a product of any size. Apart, so that short products do not wait for its frame.
    #[inline(never)]
    fn mul_any(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) -> Result<(), SizeError> {
        let [a_words, b_words] = self.sizes;
        lengths(&[(a, a_words), (b, b_words), (out, a_words + b_words)])?;
        let scratch = self.aligned(scratch)?;
        match &self.way {
            Way::Zero => out.fill(0),
            Way::Pieces(pieces) => pieces.mul(self.cpu, a, b, out, scratch),
            Way::Fft(fft) => fft.mul(self.cpu, a, b, out, scratch),
        }
        Ok(())
    }
}

/// The text of a plan, for [`Plan::describe`].
struct Description(Plan);

impl core::fmt::Display for Description {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Plan { cpu, sizes: [a, b], direct, way, .. } = self.0;
        write!(f, "{}: {} x {} bits, ", cpu.name(), 64 * a, 64 * b)?;
        match (direct, way) {
            (_, Way::Zero) => f.write_str("zero")?,
            (Some(direct), _) if direct.is_row() => f.write_str("one kernel along the longer operand")?,
            (Some(_), _) => f.write_str("one kernel")?,
            (_, Way::Pieces(pieces)) => pieces.fmt(f)?,
            (_, Way::Fft(fft)) => fft.fmt(f)?,
        }
        write!(f, ", {} carry-less products", self.0.clmuls())
    }
}
