//! Which constructions follow each other.

/// One level of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Two parts, three products (paper 002, Algorithm 1).
    Karat2,
    /// Three parts, six products (Algorithm 2).
    Karat3,
    /// Five parts, fifteen products (Algorithm 3).
    Karat5,
    /// Three parts, five products of a little more than a third (appendix D).
    Toom3(ToomWord),
}

/// The word x = X^w of [`Step::Toom3`]: w bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToomWord {
    /// w = 64.
    W64,
    /// w = 128.
    W128,
    /// w = 256.
    W256,
    /// w = 512.
    W512,
}

impl ToomWord {
    /// w / 64.
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
    /// The words of an operand that this step makes of operands of `part` words.
    #[must_use]
    pub const fn words(self, part: usize) -> usize {
        match self {
            Step::Karat2 => 2 * part,
            Step::Karat3 => 3 * part,
            Step::Karat5 => 5 * part,
            Step::Toom3(word) => 3 * part - 4 * word.words(),
        }
    }

    /// The words of its parts: the inverse of [`words`](Step::words).
    pub(super) const fn part(self, words: usize) -> usize {
        match self {
            Step::Karat2 => words / 2,
            Step::Karat3 => words / 3,
            Step::Karat5 => words / 5,
            Step::Toom3(word) => (words + 4 * word.words()) / 3,
        }
    }

    /// How many products it takes.
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

/// By name: "Karat2", "Toom3<128>".
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

/// The most levels of a chain: 2^20 words and more.
pub(crate) const LEVELS: usize = 20;

/// Steps from the whole product down to a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    steps: [Step; LEVELS],
    len: usize,
    leaf: usize,
}

impl Chain {
    /// A leaf of 2, 4, 6 or 8 words.
    pub(crate) const fn leaf_of(words: usize) -> Chain {
        Chain { steps: [Step::Karat2; LEVELS], len: 0, leaf: words }
    }

    /// The chain with those steps above a leaf, if it is one: no more than 20 steps, a leaf of 2, 4, 6 or 8 words,
    /// and room for x^2 in every Toom3.
    pub(crate) fn new(steps: &[Step], leaf: usize) -> Option<Chain> {
        if !matches!(leaf, 2 | 4 | 6 | 8) {
            return None;
        }
        let mut chain = Chain::leaf_of(leaf);
        for &step in steps.iter().rev() {
            chain = chain.under(step)?;
        }
        Some(chain)
    }

    /// One more step on top.
    pub(crate) fn under(&self, step: Step) -> Option<Chain> {
        if let Step::Toom3(word) = step
            && self.words() <= 2 * word.words()
        {
            return None;
        }
        let mut chain = *self;
        chain.len += 1;
        chain.steps.get_mut(1..chain.len)?.copy_from_slice(self.steps());
        chain.steps[0] = step;
        Some(chain)
    }

    /// The top step and the chain below it; `None` for a leaf.
    pub(crate) fn below(&self) -> Option<(Step, Chain)> {
        let (&step, rest) = self.steps().split_first()?;
        Some((step, Chain::new(rest, self.leaf)?))
    }

    /// From the top.
    #[inline]
    pub(crate) const fn steps(&self) -> &[Step] {
        self.steps.split_at(self.len).0
    }

    /// The words of a leaf.
    #[inline]
    pub(crate) const fn leaf(&self) -> usize {
        self.leaf
    }

    /// The words of an operand.
    pub(crate) const fn words(&self) -> usize {
        let (mut words, mut i) = (self.leaf, self.len);
        while i > 0 {
            i -= 1;
            words = self.steps[i].words(words);
        }
        words
    }

    /// How many leaves are multiplied.
    pub(crate) const fn leaves(&self) -> usize {
        let (mut leaves, mut i) = (1, 0);
        while i < self.len {
            leaves *= self.steps[i].products();
            i += 1;
        }
        leaves
    }

    /// The number of carry-less products of words: 3, 9, 18 or 27 a leaf.
    pub(crate) const fn clmuls(&self) -> usize {
        let leaf = match self.leaf {
            2 => 3,
            4 => 9,
            6 => 18,
            _ => 27,
        };
        leaf * self.leaves()
    }
}

/// Steps by name, the leaf in bits: "Toom3<128>(Karat3(Karat2(512)))".
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
