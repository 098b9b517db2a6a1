//! Which chain for which sizes.
use super::construct::{Chain, Step, ToomWord, add_to};
use super::kernel::Kernel;
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
            Plan { cpu, sizes: [a_words, b_words], pieces, chain: choose(cpu.lanes(), size) }
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
        let plan = Plan { cpu, sizes: [words; 2], pieces: 1, chain };
        if chain.words() < words { Err(PlanMismatch) } else { Ok(plan) }
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

    /// The number of carry-less products of words, those with padding included.
    #[must_use]
    pub fn clmuls(&self) -> usize {
        if self.is_word() { 1 } else { self.pieces * self.chain.clmuls() }
    }

    /// What is compared between plans, in hundredths of a carry-less product.
    fn cost(&self) -> usize {
        self.pieces * (cost(&self.chain, self.cpu.lanes()) + 200 * self.chain.words())
    }

    /// One word times one word.
    fn is_word(&self) -> bool {
        self.sizes == [1, 1]
    }

    /// True if the operands fit the chain as they are.
    fn fits(&self) -> bool {
        self.sizes == [self.chain.words(); 2]
    }

    /// The words of scratch that [`mul`](Plan::mul) takes.
    #[must_use]
    pub fn scratch_words(&self) -> usize {
        let padded = if self.fits() { 0 } else { 4 * self.chain.words() };
        padded + self.chain.scratch_words(self.cpu.lanes())
    }

    /// `out = a b`. Scratch may hold anything; afterwards it holds sums and products of parts of the operands, so whoever
    /// multiplies secrets wipes it.
    ///
    /// # Panics
    /// If `a` or `b` has another size than the plan's, `out` has not as many words as both together, or `scratch` has
    /// less than [`scratch_words`](Plan::scratch_words).
    pub fn mul(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        assert_eq!([a.len(), b.len()], self.sizes, "operands of the plan's sizes");
        assert_eq!(out.len(), a.len() + b.len(), "a product as long as both operands");
        assert!(scratch.len() >= self.scratch_words(), "as much scratch as the plan asks for");
        if self.is_word() {
            Kernel::Mul64.mul(self.cpu, a, b, out);
        } else if self.fits() {
            self.chain.mul(self.cpu, a, b, out, scratch);
        } else {
            let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
            self.mul_padded(long, short, out, scratch);
        }
    }

    /// The same with zeros on top, piece by piece.
    fn mul_padded(&self, long: &[u64], short: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        let n = self.chain.words();
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
        let Plan { cpu, sizes: [a, b], pieces, chain } = self.0;
        write!(f, "{}: {} x {} bits, ", cpu.name(), 64 * a, 64 * b)?;
        if pieces > 1 {
            write!(f, "{pieces} times ")?;
        }
        if self.0.is_word() {
            f.write_str("one word")?;
        } else {
            write!(f, "{chain} of {} bits", 64 * chain.words())?;
        }
        write!(f, ", {} carry-less products", self.0.clmuls())
    }
}

/// The cheapest chain for operands of `n` words on a machine of `k` lanes.
///
/// Candidates: Toom3 with x = X^128, up to five times, over Karat3 or Karat5 or both or none, over KaratRec, over a leaf of 2 to 8 words.
fn choose(k: usize, n: usize) -> Chain {
    if n <= 8 {
        return Chain::leaf_of(n.next_multiple_of(2).max(2));
    }
    let mut best: Option<(usize, Chain)> = None;
    for tooms in 0..=n.ilog2() / 2 {
        for odd in [&[] as &[Step], &[Step::Karat3], &[Step::Karat5], &[Step::Karat3, Step::Karat3]] {
            for leaf in [4, 6, 8] {
                let Some(chain) = candidate(n, tooms, odd, leaf) else { continue };
                let cost = cost(&chain, k);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, chain));
                }
            }
        }
    }
    best.map(|(_, chain)| chain).expect("KaratRec alone has any size")
}

/// So many times Toom3 over the `odd` steps over as much of KaratRec as `n` words need.
fn candidate(n: usize, tooms: u32, odd: &[Step], leaf: usize) -> Option<Chain> {
    const TOOM: Step = Step::Toom3(ToomWord::W128);
    let mut part = n;
    for _ in 0..tooms {
        part = (part + 8).div_ceil(3);
    }
    for step in odd {
        part = part.div_ceil(step.words(1));
    }
    let mut chain = Chain::leaf_of(leaf);
    while chain.words() < part {
        chain = chain.under(Step::Karat2)?;
    }
    for &step in odd.iter().rev() {
        chain = chain.under(step)?;
    }
    for _ in 0..tooms {
        chain = chain.under(TOOM)?;
    }
    (chain.words() >= n).then_some(chain)
}

/// The cost of a chain in hundredths of a carry-less product on one lane: products, and passes over words.
fn cost(chain: &Chain, k: usize) -> usize {
    let mut words = chain.leaf();
    let mut cost = 100 * Chain::leaf_of(words).clmuls() / k + 10 * words;
    for (i, step) in chain.steps().iter().rev().enumerate() {
        words = step.words(words);
        let pass = match step {
            // The level above a leaf is part of the kernel.
            Step::Karat2 if i == 0 => 20,
            Step::Karat2 => 45,
            Step::Karat3 => 100,
            Step::Karat5 => 200,
            Step::Toom3(_) => 300,
        };
        cost = step.products() * cost + pass * words + 500;
    }
    cost
}
