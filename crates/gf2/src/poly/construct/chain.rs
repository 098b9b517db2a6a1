//! Chains: which constructions follow each other from a product down to its leaves.

/// One level of a product: how it is made of products of shorter operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Two parts, three products (paper 002, Algorithm 1).
    Karat2,
    /// Three parts, six products (Algorithm 2).
    Karat3,
    /// Five parts, fifteen products (Algorithm 3).
    Karat5,
    /// Three parts, five products of operands that are 4/3 w longer than a third (appendix D).
    Toom3(ToomWord),
}

/// The steps below the current level, top first, and the words of a leaf.
pub(super) type Levels<'a> = (&'a [Step], usize);

/// The size w in bits of the word x = X^w of [`Step::Toom3`]: points are 0, 1, x, x + 1 and infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToomWord {
    /// w = 64 bits: x is one word.
    W64,
    /// w = 128 bits: x is two words.
    W128,
    /// w = 256 bits: x is four words.
    W256,
    /// w = 512 bits: x is eight words.
    W512,
}

impl ToomWord {
    /// The size w of x in words of 64 bits: 1, 2, 4 or 8.
    #[must_use]
    pub const fn words(self) -> usize {
        match self {
            ToomWord::W64 => 1,
            ToomWord::W128 => 2,
            ToomWord::W256 => 4,
            ToomWord::W512 => 8,
        }
    }
}

impl Step {
    /// The words of the operands of this step, if those of its products have `part` words. With Toom3, whose x has w
    /// words, the three parts have w, w and 2 w words less: `part` must be more than 2 w.
    #[must_use]
    pub const fn words(self, part: usize) -> usize {
        match self {
            Step::Karat2 => 2 * part,
            Step::Karat3 => 3 * part,
            Step::Karat5 => 5 * part,
            Step::Toom3(word) => 3 * part - 4 * word.words(),
        }
    }

    /// The words of the operands of the products, for operands of `words` words: the inverse of [`words`](Step::words).
    pub(super) const fn part(self, words: usize) -> usize {
        match self {
            Step::Karat2 => words / 2,
            Step::Karat3 => words / 3,
            Step::Karat5 => words / 5,
            // The division leaves no rest: operands have the words that a chain gave them.
            Step::Toom3(word) => (words + 4 * word.words()) / 3,
        }
    }

    /// The number of products of parts that this step takes.
    #[must_use]
    pub const fn products(self) -> usize {
        match self {
            Step::Karat2 => 3,
            Step::Karat3 => 6,
            Step::Karat5 => 15,
            Step::Toom3(_) => 5,
        }
    }
}

/// Writes the name of the step, with w for Toom3: "Karat2", "Toom3<128>".
impl core::fmt::Display for Step {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Step::Karat2 => f.write_str("Karat2"),
            Step::Karat3 => f.write_str("Karat3"),
            Step::Karat5 => f.write_str("Karat5"),
            Step::Toom3(word) => write!(f, "Toom3<{}>", 64 * word.words()),
        }
    }
}

/// The largest number of levels of a chain. It reaches 2^20 words and more.
pub(crate) const LEVELS: usize = 20;

/// The steps from the whole product down to a leaf, and the leaf's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    steps: [Step; LEVELS],
    len: usize,
    leaf: usize,
}

impl Chain {
    /// The chain without steps: a leaf of 2, 4, 6 or 8 words.
    pub(crate) const fn leaf_of(words: usize) -> Chain {
        Chain { steps: [Step::Karat2; LEVELS], len: 0, leaf: words }
    }

    /// The chain with these steps, top first, above a leaf of 2, 4, 6 or 8 words. `None` for another leaf, for more
    /// than 20 steps, or if a Toom3 has no room for x^2.
    pub(crate) fn new(steps: &[Step], leaf: usize) -> Option<Chain> {
        if !matches!(leaf, 2 | 4 | 6 | 8) {
            return None;
        }
        let mut chain = Chain::leaf_of(leaf);
        // From the leaf up: only the size of the chain below tells whether a Toom3 has room.
        for &step in steps.iter().rev() {
            chain = chain.under(step)?;
        }
        Some(chain)
    }

    /// The chain with one more step on top. `None` if it is too long, or a Toom3 has no room for x^2.
    pub(crate) fn under(&self, step: Step) -> Option<Chain> {
        if let Step::Toom3(word) = step
            // Its top part has the words of this chain less 2w, and must not be empty.
            && self.words() <= 2 * word.words()
        {
            return None;
        }
        let mut chain = *self;
        chain.len += 1;
        // Steps are stored from the top, so the others move down by one place.
        chain.steps.get_mut(1..chain.len)?.copy_from_slice(self.steps());
        chain.steps[0] = step;
        Some(chain)
    }

    /// The top step and the chain below it; `None` for a leaf.
    pub(crate) fn below(&self) -> Option<(Step, Chain)> {
        let (&step, rest) = self.steps().split_first()?;
        // A chain without its top step is one again, so `?` returns for no chain that has a step.
        Some((step, Chain::new(rest, self.leaf)?))
    }

    /// The steps, top first; none for a leaf.
    #[inline]
    pub(crate) const fn steps(&self) -> &[Step] {
        self.steps.split_at(self.len).0
    }

    /// The words of an operand of a leaf: 2, 4, 6 or 8.
    #[inline]
    pub(crate) const fn leaf(&self) -> usize {
        self.leaf
    }

    /// The words of an operand of the whole chain.
    pub(crate) const fn words(&self) -> usize {
        // From the leaf up, as the size of a step follows from that of its parts. With indices, because iterators
        // do not run at compile time.
        let (mut words, mut i) = (self.leaf, self.len);
        while i > 0 {
            i -= 1;
            words = self.steps[i].words(words);
        }
        words
    }

    /// The number of leaf products in one product.
    pub(crate) const fn leaves(&self) -> usize {
        let (mut leaves, mut i) = (1, 0);
        while i < self.len {
            leaves *= self.steps[i].products();
            i += 1;
        }
        leaves
    }

    /// The number of carry-less products of words in one product: 3, 9, 18 or 27 for each leaf.
    pub(crate) const fn clmuls(&self) -> usize {
        // Karatsuba's method at all levels: three times as many for twice the words, six times as many for three
        // times the words.
        let leaf = match self.leaf {
            2 => 3,
            4 => 9,
            6 => 18,
            _ => 27,
        };
        leaf * self.leaves()
    }
}

/// Writes the steps by name, and the leaf in bits: "Toom3<128>(Karat3(Karat2(512)))".
impl core::fmt::Display for Chain {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for step in self.steps() {
            write!(f, "{step}(")?;
        }
        write!(f, "{}", 64 * self.leaf)?;
        for _ in self.steps() {
            f.write_str(")")?;
        }
        Ok(())
    }
}
