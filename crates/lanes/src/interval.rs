//! The analysis of ranges: a backend of sets that proves that no lane overflows, for all inputs at once.
//!
//! Operations are calls, never inlined. Kernels are straight-line code of a thousand operations, and compiling
//! their proofs took four times as long otherwise.
mod extensions;

use crate::portable::word15;
use crate::range::{Range, Reason, Wide};
use crate::tagged_words::{TaggedWords, Word, is_plain, refuse};
use crate::traits::{Lanes, Words};

/// The memory of an [`Interval`] analysis: sets of words, and the `u64` that stand for them in slices.
///
/// ```
/// use carryless_lanes::{IntervalArena, Kernel, Lanes};
///
/// struct Double<'a>(&'a mut [u64]);
/// impl Kernel for Double<'_> {
///     type Out = ();
///     #[inline(always)]
///     fn run<S: Lanes>(self, s: S) {
///         let x = s.load_words(self.0);
///         s.store(s.add(x, x), self.0);
///     }
/// }
///
/// let arena = IntervalArena::new();
/// let mut words = [0; 4].map(|_| arena.upto(1 << 26));
/// Double(&mut words).run(arena.backend::<4>());
/// assert_eq!(arena.range_of(words[3]).hi(), 1 << 27);
/// ```
///
/// The words it hands out look random. They may be copied, also as eight little-endian bytes; plain integer code
/// must not compute with them. Most attempts panic, because the result is no plain constant. A result that happens
/// to be small, such as the top bits of a word, is not noticed.
pub struct IntervalArena {
    words: TaggedWords<Range>,
}

impl Default for IntervalArena {
    fn default() -> Self {
        Self::new()
    }
}

impl IntervalArena {
    /// A memory in which no word stands for a set yet.
    pub fn new() -> Self {
        IntervalArena { words: TaggedWords::new() }
    }

    /// The backend with `N` lanes over this memory.
    pub fn backend<const N: usize>(&self) -> Interval<'_, N> {
        Interval { arena: self }
    }

    /// A new word that stands for every member of `range`. Each use of it may be another member.
    pub fn word(&self, range: Range) -> u64 {
        self.words.tag(range)
    }

    /// A new word that stands for all numbers from 0 to `hi`.
    pub fn upto(&self, hi: u64) -> u64 {
        self.word(Range::upto(hi))
    }

    /// Fills whole words of `bytes` with "any word" and clears the rest. Kernels over [`Words`] need it: they see
    /// their message through [`Words::word`], where bytes that were not filled would be constants.
    pub fn fill(&self, bytes: &mut [u8]) {
        let (words, rest) = bytes.as_chunks_mut::<8>();
        words.fill_with(|| self.word(Range::ANY).to_le_bytes());
        rest.fill(0);
    }

    /// [`fill`](Self::fill) for blocks of 15 bytes: the words of a block have 64 and 56 bits.
    /// Panics if the length is not a multiple of 15.
    pub fn fill15(&self, bytes: &mut [u8]) {
        let (blocks, rest) = bytes.as_chunks_mut::<15>();
        assert!(rest.is_empty(), "a block takes 15 bytes");
        for block in blocks {
            let (low, high) = block.split_at_mut(8);
            for (bytes, bits) in [(low, 64), (high, 56)] {
                let word = self.words.tag_of(bits, Range::upto(u64::MAX >> (64 - bits))).to_le_bytes();
                bytes.copy_from_slice(&word[..bytes.len()]);
            }
        }
    }

    /// Accepts `x` as a constant although its bits look random.
    pub fn constant(&self, x: u64) -> u64 {
        self.words.announce(x, Range::constant(x));
        x
    }

    /// The set that a word in memory stands for: the one that a kernel stored there, or the word itself. Panics if
    /// it is neither a stored word nor a plain constant.
    #[track_caller]
    pub fn range_of(&self, word: u64) -> Range {
        match self.words.find(word) {
            Word::Tagged(range) => range,
            Word::Constant(x) => Range::constant(x),
            Word::Unknown(x) => refuse(x),
        }
    }

    /// The word to write to memory for `range`. A plain constant is written as it is, so that plain
    /// code may look at it.
    fn to_memory(&self, range: Range) -> u64 {
        match range.as_constant() {
            // A constant that is not plain is tagged, too: loaded back as it is, it would be refused.
            Some(x) if is_plain(x) => x,
            _ => self.word(range),
        }
    }
}

/// The backend of sets. A lane is a [`Range`], and an operation that may go wrong for some members
/// panics at the kernel's line.
///
/// It refuses operations that may go wrong:
///
/// - an `add`, `sub`, `madd52lo` or `madd52hi` that may wrap, and a `shl` that may lose a set bit;
/// - a `limb` of 2^32 or more, and a 52-bit multiplicand of 2^52 or more;
/// - a `concat` whose operands may share a set bit;
/// - a constant `select` mask that is neither zero nor all ones;
/// - a `shr_wide` that may not fit.
///
/// So a kernel that runs through on it is free of overflow for **all** inputs inside the given sets. The
/// assumptions:
///
/// - The kernel does the same operations on every backend: it cannot branch on lanes, and lengths and public flags
///   are those of the run.
/// - The real backend's operations are those of [`crate::Portable`].
/// - Bytes reach it by [`Lanes::load`], which gives "any word" unless the bytes hold a word of the arena.
///
/// Lanes are independent: that two of them are equal, or that `x + y` depends on `x`, is forgotten, never assumed.
#[derive(Clone, Copy)]
pub struct Interval<'a, const N: usize> {
    arena: &'a IntervalArena,
}

/// The result, or a panic at the caller's line with the reason and the operands.
#[track_caller]
pub(crate) fn expect<T, A: core::fmt::Debug>(result: Result<T, Reason>, operands: impl FnOnce() -> A) -> T {
    match result {
        Ok(value) => value,
        Err(reason) => panic!("{reason}: {:?}", operands()),
    }
}

#[track_caller]
/// `f` of every pair of lanes; panics with the lane's number if it fails.
fn zip<const N: usize>(
    a: [Range; N],
    b: [Range; N],
    f: impl Fn(Range, Range) -> Result<Range, Reason>,
) -> [Range; N] {
    let mut r = a;
    for (i, (r, b)) in r.iter_mut().zip(b).enumerate() {
        *r = expect(f(*r, b), || Operands { lane: i, a: *r, b });
    }
    r
}

/// The operands of a lane, as a panic's message shows them.
#[derive(Debug)]
#[expect(dead_code, reason = "read by Debug")]
struct Operands {
    lane: usize,
    a: Range,
    b: Range,
}

impl<const N: usize> Lanes for Interval<'_, N> {
    const N: usize = N;
    const LIMB_WORDS: usize = N;
    type V = [Range; N];
    type L = [Range; N];

    #[track_caller]
    #[inline(never)]
    fn splat(self, x: u64) -> [Range; N] {
        [self.arena.range_of(x); N]
    }
    #[inline(never)]
    fn load(self, src: &[u8]) -> [Range; N] {
        self.load_part(src, 0, N)
    }
    #[inline(never)]
    fn load_part(self, src: &[u8], from: usize, count: usize) -> [Range; N] {
        let mut r = [Range::upto(0); N];
        // Lanes without a word are zero, as in `Portable`: the range of zero alone, which `r` starts with.
        let (words, _) = src[..8 * count].as_chunks::<8>();
        for (r, word) in r[from..][..count].iter_mut().zip(words) {
            // Message bytes are any: a constant among them says nothing of other messages.
            *r = match self.arena.words.find(u64::from_le_bytes(*word)) {
                Word::Tagged(range) => range,
                Word::Constant(_) | Word::Unknown(_) => Range::ANY,
            };
        }
        r
    }
    #[inline(never)]
    fn load15(self, src: &[u8]) -> [Range; N] {
        core::array::from_fn(|i| match self.arena.words.find(word15(src, i)) {
            Word::Tagged(range) => range,
            Word::Constant(_) | Word::Unknown(_) if i % 2 == 0 => Range::ANY,
            // The second word of a block has seven bytes.
            Word::Constant(_) | Word::Unknown(_) => Range::upto((1 << 56) - 1),
        })
    }
    #[track_caller]
    #[inline(never)]
    fn load_words(self, src: &[u64]) -> [Range; N] {
        let mut r = [Range::ANY; N];
        for (r, &word) in r.iter_mut().zip(&src[..N]) {
            *r = self.arena.range_of(word);
        }
        r
    }
    #[inline(never)]
    fn store(self, v: [Range; N], out: &mut [u64]) {
        out[..N].copy_from_slice(&v.map(|range| self.arena.to_memory(range)));
    }
    #[track_caller]
    #[inline(never)]
    fn limb(self, v: [Range; N]) -> [Range; N] {
        zip(v, v, |a, _| a.limb())
    }
    #[inline(never)]
    fn low32(self, v: [Range; N]) -> [Range; N] {
        v.map(|a| a.low_bits(32))
    }
    #[inline(never)]
    fn high32(self, v: [Range; N]) -> [Range; N] {
        v.map(|a| a.shr(32))
    }
    #[inline(never)]
    fn store_limb(self, l: [Range; N], out: &mut [u64]) {
        self.store(l, out);
    }
    #[track_caller]
    #[inline(never)]
    fn load_limb(self, src: &[u64]) -> [Range; N] {
        self.limb(self.load_words(src))
    }
    #[track_caller]
    #[inline(never)]
    fn mul32(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        zip(a, b, Range::mul32)
    }
    #[track_caller]
    #[inline(never)]
    fn add(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        zip(a, b, Range::add)
    }
    #[inline(never)]
    fn shr(self, a: [Range; N], k: u32) -> [Range; N] {
        a.map(|a| a.shr(k))
    }
    #[track_caller]
    #[inline(never)]
    fn shl(self, a: [Range; N], k: u32) -> [Range; N] {
        // k as the second operand, so that a panic shows it.
        zip(a, [Range::constant(k.into()); N], |a, _| a.shl(k))
    }
    #[inline(never)]
    fn low_bits(self, a: [Range; N], k: u32) -> [Range; N] {
        a.map(|a| a.low_bits(k))
    }
    #[track_caller]
    #[inline(never)]
    fn select(self, a: [Range; N], mask: [Range; N]) -> [Range; N] {
        zip(a, mask, Range::select)
    }
    #[track_caller]
    #[inline(never)]
    fn concat(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        zip(a, b, Range::concat)
    }
    #[inline(never)]
    fn unpack_lo(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        core::array::from_fn(|i| if i % 2 == 0 { a[i] } else { b[i - 1] })
    }
    #[inline(never)]
    fn unpack_hi(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        core::array::from_fn(|i| if i % 2 == 0 { a[i + 1] } else { b[i] })
    }
}

impl<const N: usize> Words for Interval<'_, N> {
    type W = Range;
    type D = Wide;

    #[track_caller]
    #[inline(never)]
    fn word(self, x: u64) -> Range {
        self.arena.range_of(x)
    }
    #[inline(never)]
    fn to_memory(self, a: Range) -> u64 {
        self.arena.to_memory(a)
    }
    #[inline(never)]
    fn mul(self, a: Range, b: Range) -> Wide {
        Wide::product(a, b)
    }
    #[inline(never)]
    fn widen(self, a: Range) -> Wide {
        Wide::from_word(a)
    }
    #[inline(never)]
    fn wide(self, low: Range, high: Range) -> Wide {
        Wide::from_words(low, high)
    }
    #[track_caller]
    #[inline(never)]
    fn add(self, a: Wide, b: Wide) -> Wide {
        expect(a.add(b), || (a, b))
    }
    #[inline(never)]
    fn add_carry(self, a: Wide, b: Wide) -> (Wide, Range) {
        a.add_carry(b)
    }
    #[track_caller]
    #[inline(never)]
    fn add_word(self, a: Range, b: Range) -> Range {
        expect(a.add(b), || (a, b))
    }
    #[inline(never)]
    fn low(self, a: Wide) -> Range {
        a.low()
    }
    #[track_caller]
    #[inline(never)]
    fn high(self, a: Wide) -> Range {
        expect(a.shr(64), || a)
    }
    #[track_caller]
    #[inline(never)]
    fn shr_wide(self, a: Wide, k: u32) -> Range {
        expect(a.shr(k), || a)
    }
    #[inline(never)]
    fn shr(self, a: Range, k: u32) -> Range {
        a.shr(k)
    }
    #[track_caller]
    #[inline(never)]
    fn shl(self, a: Range, k: u32) -> Range {
        expect(a.shl(k), || (a, k))
    }
    #[inline(never)]
    fn low_bits(self, a: Range, k: u32) -> Range {
        a.low_bits(k)
    }
    #[track_caller]
    #[inline(never)]
    fn concat(self, a: Range, b: Range) -> Range {
        expect(a.concat(b), || (a, b))
    }
}
