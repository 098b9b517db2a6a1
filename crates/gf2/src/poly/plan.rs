//! Which chain for which sizes.
use super::construct::{Chain, Step, add_to};
use super::kernel::Kernel;
use super::menu;
use carryless_lanes::ClmulCpu;

/// How a product of given sizes is computed: made once, used for any number of products.
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
    /// Words of the first and the second operand.
    sizes: [usize; 2],
    /// The longer operand is cut into so many pieces.
    pieces: usize,
    chain: Chain,
    /// Words of the chain's operands.
    size: usize,
    scratch: usize,
}

/// A level of a [`Plan`]: so many products of two operands of the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// What computes each of them from those of the next level; `None` for the last one, a leaf.
    pub step: Option<Step>,
    /// How many.
    pub count: usize,
    /// The words of an operand, padding included.
    pub words: usize,
}

/// The error of forcing a chain that is none, or too short for the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanMismatch;

impl core::fmt::Display for PlanMismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("these steps make no product of that size")
    }
}

impl core::error::Error for PlanMismatch {}

impl Plan {
    /// The plan for operands of `a_words` and `b_words` on the best machine of this CPU.
    #[must_use]
    pub fn new(a_words: usize, b_words: usize) -> Plan {
        Plan::on(ClmulCpu::detect(), a_words, b_words)
    }

    /// The plan for operands of `a_words` and `b_words` on a machine of one's choice.
    ///
    /// Operands of unequal size: the longer one is cut into as many pieces of the size of the shorter one as are full, or
    /// one more, whichever is cheaper.
    #[must_use]
    pub fn on(cpu: ClmulCpu, a_words: usize, b_words: usize) -> Plan {
        let (long, short) = (a_words.max(b_words), a_words.min(b_words).max(1));
        let plan = |pieces: usize| {
            let size = long.div_ceil(pieces).max(short);
            Plan::of(cpu, [a_words, b_words], pieces, menu::chain(cpu.lanes(), size))
        };
        let (few, many) = (plan((long / short).max(1)), plan(long.div_ceil(short).max(1)));
        if few.cost() <= many.cost() { few } else { many }
    }

    /// A plan with these steps, from the whole product down to leaves of `leaf_words` (2, 4, 6 or 8), for operands of
    /// `words` words. A chain whose size is larger multiplies operands with zeros on top.
    ///
    /// # Errors
    /// [`PlanMismatch`] if the steps do not fit each other (Toom3 needs parts of more than `2 w` bits; there are at most 20
    /// steps) or make less than `words` words.
    pub fn forced(
        cpu: ClmulCpu,
        words: usize,
        steps: &[Step],
        leaf_words: usize,
    ) -> Result<Plan, PlanMismatch> {
        let chain = Chain::new(steps, leaf_words).ok_or(PlanMismatch)?;
        let plan = Plan::of(cpu, [words; 2], 1, chain);
        if chain.words() < words { Err(PlanMismatch) } else { Ok(plan) }
    }

    fn of(cpu: ClmulCpu, sizes: [usize; 2], pieces: usize, chain: Chain) -> Plan {
        let size = chain.words();
        let padded = if sizes == [size; 2] { 0 } else { 4 * size };
        Plan { cpu, sizes, pieces, chain, size, scratch: padded + chain.scratch_words(cpu.lanes()) }
    }

    /// The words of the first and the second operand.
    #[must_use]
    pub fn words(&self) -> [usize; 2] {
        self.sizes
    }

    /// The machine.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// The steps in words: machine, pieces, chain, carry-less products.
    #[must_use]
    pub fn describe(&self) -> impl core::fmt::Display {
        Description(*self)
    }

    /// The levels from whole products (one for each piece of the longer operand) down to leaves.
    ///
    /// ```
    /// use carryless_gf2::{ClmulCpu, poly::{Plan, Step}};
    ///
    /// let plan = Plan::forced(ClmulCpu::detect(), 24, &[Step::Karat3], 8)?;
    /// let levels: Vec<_> = plan.levels().map(|level| (level.count, level.words, level.step)).collect();
    /// assert_eq!(levels, [(1, 24, Some(Step::Karat3)), (6, 8, None)]);
    /// # Ok::<(), carryless_gf2::poly::PlanMismatch>(())
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = Level> {
        let Plan { pieces, chain, .. } = *self;
        let (steps, word) = (chain.steps().len(), self.is_word());
        (0..=steps).map(move |depth| {
            let (above, below) = chain.steps().split_at(depth);
            let count = above.iter().fold(pieces, |count, step| count * step.products());
            let words = below.iter().rev().fold(chain.leaf(), |words, step| step.words(words));
            Level { step: below.first().copied(), count, words: if word { 1 } else { words } }
        })
    }

    /// The number of carry-less products of words, those with padding included.
    #[must_use]
    pub fn clmuls(&self) -> usize {
        if self.is_word() { 1 } else { self.pieces * self.chain.clmuls() }
    }

    /// What is compared between plans of one product: pieces, each with its copies.
    fn cost(&self) -> usize {
        self.pieces * (menu::cost(&self.chain) + 4 * self.size)
    }

    /// One word times one word.
    fn is_word(&self) -> bool {
        self.sizes == [1, 1]
    }

    /// True if the operands fit the chain as they are.
    fn fits(&self) -> bool {
        self.sizes == [self.size; 2]
    }

    /// The words of scratch that [`mul`](Plan::mul) takes.
    #[must_use]
    pub fn scratch_words(&self) -> usize {
        self.scratch
    }

    /// `out = a b`. Scratch may hold anything; afterwards it holds sums and products of parts of the operands, so whoever
    /// multiplies secrets wipes it.
    ///
    /// # Panics
    /// If `a` or `b` has another size than the plan's, `out` has not as many words as both together, or `scratch` has
    /// less than [`scratch_words`](Plan::scratch_words).
    #[inline]
    pub fn mul(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        assert_eq!([a.len(), b.len()], self.sizes, "operands of the plan's sizes");
        assert_eq!(out.len(), a.len() + b.len(), "a product as long as both operands");
        assert!(scratch.len() >= self.scratch_words(), "as much scratch as the plan asks for");
        if self.is_word() {
            Kernel::Mul64.mul(self.cpu, a, b, out);
        } else if self.fits() && self.chain.steps().is_empty() {
            self.chain.mul_leaf(self.cpu, a, b, out);
        } else if self.fits() {
            self.chain.mul(self.cpu, a, b, out, scratch);
        } else {
            let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
            self.mul_padded(long, short, out, scratch);
        }
    }

    /// The same with zeros on top, piece by piece.
    fn mul_padded(&self, long: &[u64], short: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        let n = self.size;
        let (left, scratch) = scratch.split_at_mut(n);
        let (right, scratch) = scratch.split_at_mut(n);
        let (product, scratch) = scratch.split_at_mut(2 * n);
        pad(right, short);
        out.fill(0);
        let size = long.len().div_ceil(self.pieces).max(1);
        for (i, piece) in long.chunks(size).enumerate() {
            pad(left, piece);
            self.chain.mul(self.cpu, left, right, product, scratch);
            add_to(self.cpu, &mut out[i * size..], &product[..piece.len() + short.len()]);
        }
    }
}

/// `out = a`, zeros after it.
fn pad(out: &mut [u64], a: &[u64]) {
    let (words, zeros) = out.split_at_mut(a.len());
    words.copy_from_slice(a);
    zeros.fill(0);
}

/// The text of a plan.
struct Description(Plan);

impl core::fmt::Display for Description {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Plan { cpu, sizes: [a, b], pieces, chain, .. } = self.0;
        write!(f, "{}: {} x {} bits, ", cpu.name(), 64 * a, 64 * b)?;
        if pieces > 1 {
            write!(f, "{pieces} times ")?;
        }
        if self.0.is_word() {
            f.write_str("one word")?;
        } else {
            write!(f, "{chain} of {} bits", 64 * self.0.size)?;
        }
        write!(f, ", {} carry-less products", self.0.clmuls())
    }
}
