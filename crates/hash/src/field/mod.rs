//! A prime field as traits: the kernels are generic over them and serve all radices and both primes.
//!
//! [`Field`] has residues in words, as one kernel hands them to the next. [`LaneField`] has N elements at a time, in
//! lanes or, for N = 1, in words.
//!
//! Three kinds of value keep reductions in lanes explicit. `Fe` has small limbs, as a carry or a load leaves them.
//! `Sums` is a sum of products whose limbs may have grown. `Key` is a multiplier with its multiples for the reduction
//! at hand. Only [`carry`](LaneField::carry) turns a `Sums` into an `Fe`; the tests in `proofs` and proofs/bounds.md
//! say how many products one carry may serve.
//!
//! | implementation | field | backend | limbs |
//! |---|---|---|---|
//! | [`lanes26::Radix26`](crate::field::p1305::lanes26::Radix26) | 2^130 - 5 | every backend | 5 of 26 bits |
//! | [`lanes44::Radix44`](crate::field::p1305::lanes44::Radix44) | 2^130 - 5 | those with 52-bit multiply-add | 3 of 44 bits |
//! | [`words64::Words64`](crate::field::p1305::words64::Words64) | 2^130 - 5 | 64-bit words, one lane | 2 of 64 bits and a few |
//! | [`lanes26::Radix26`](crate::field::p1271::lanes26::Radix26) | 2^127 - 1 | every backend | 5 of 26 bits |
//! | [`lanes32::Radix32`](crate::papers::lanes32::Radix32) | 2^127 - 1 | every backend, for researchers | 4 of 32 bits |
//! | [`lanes43::Radix43`](crate::field::p1271::lanes43::Radix43) | 2^127 - 1 | those with 52-bit multiply-add | 3 of 43 bits |
//! | [`word64::Words64`](crate::field::p1271::word64::Words64) | 2^127 - 1 | 64-bit words, one lane | 2 of 64 bits |
pub(crate) mod five_limbs;
pub(crate) mod groups;
pub(crate) mod lane_sums;
pub(crate) mod limbs26;
pub(crate) mod limbs52;
pub(crate) mod one_lane;
pub(crate) mod p1271;
pub(crate) mod p1305;

use zeroize::Zeroize;

/// A residue in words of radix 2^64, not necessarily canonical. Every kernel of the field accepts it as input.
pub(crate) trait Field: Copy + Zeroize {
    /// Bytes of a whole block: 16 modulo 2^130 - 5, 15 modulo 2^127 - 1.
    const BLOCK: usize;
    /// Arithmetic in 64-bit words, one element at a time. It takes blocks with the fewest instructions.
    type Words: LaneField<Element = Self, Fe: Zeroize, Limbs = InWords<Self>>;
    /// The value of [`Words`](Field::Words) on the CPU's own 64-bit arithmetic.
    const WORDS: Self::Words;
    /// An element in the representation in which a chain of products is fastest, as key powers need it: three limbs
    /// of 44 bits modulo 2^130 - 5, two words modulo 2^127 - 1.
    type Loose: Copy + Zeroize;
    /// Zero in this representation. It is a constant, so that arrays of it are cleared many words at a time.
    const LOOSE_ZERO: Self::Loose;

    /// The element `x`, for any `x` below 2^64.
    fn from_word(x: u64) -> Self;
    /// The product of two residues, reduced below 2p but not canonical.
    fn product(self, other: Self) -> Self;
    /// The sum of two residues, reduced below 2p but not canonical.
    fn sum(self, other: Self) -> Self;
    /// The canonical residue modulo 2^mu, of which a digest consists. mu is 128 over 2^130 - 5 and 126 over 2^127 - 1.
    fn low_bits(self) -> u128;
    /// The canonical residue, in 0 to p - 1, as words of radix 2^64, lowest first.
    fn residue(self) -> [u64; 3];
    /// The number in these words, lowest first. Clears the bits that no residue has; the result may still be p or more.
    fn from_residue(words: [u64; 3]) -> Self;

    /// A copy of a value that was just stored, word by word. A load of 16 bytes would wait until both words have reached
    /// the cache, 15 to 50 cycles.
    fn copied(self) -> Self;

    /// Converts a residue to the representation for chains of products.
    fn loose(self) -> Self::Loose;
    /// The product in that representation; the limbs of the result are again small enough to be factors.
    fn loose_product(a: Self::Loose, b: Self::Loose) -> Self::Loose;
    /// The square in that representation, with the same bounds as a product. Costs fewer multiplications than a
    /// product modulo 2^130 - 5.
    fn loose_square(a: Self::Loose) -> Self::Loose;

    /// The square of a residue, with the bounds of [`product`](Field::product).
    #[inline(always)]
    fn square(self) -> Self {
        self.product(self)
    }
}

/// Elements of a prime field, `N` at a time.
pub(crate) trait LaneField: Copy {
    /// Number of lanes, N: 1, 2, 4 or 8 elements at a time.
    const N: usize;
    /// True on backends whose speed does not justify the code size of unrolled loops for common shapes.
    const COMPACT: bool;
    /// True with 52-bit multiply-add, where a product of vectors takes no longer than two products in words.
    const MADD52: bool = false;
    /// One residue in words, as kernels exchange it.
    type Element: Field;
    /// One residue cut into limbs of this radix, in memory.
    type Limbs: Copy;
    /// One element per lane with small limbs: carried, or a row of blocks, or the sum of one of each.
    type Fe: Copy;
    /// A sum of products per lane, not carried: limbs are wider than a factor may be.
    type Sums: Copy;
    /// One multiplier per lane: the limbs of the element, and the multiples of its upper limbs
    /// that wrap past the prime.
    type Key: Copy;

    /// Cuts a residue into limbs. Any representative that kernels exchange is accepted.
    fn limbs(element: Self::Element) -> Self::Limbs;
    /// Cuts an element in the representation for chains of products into limbs.
    fn from_loose(element: <Self::Element as Field>::Loose) -> Self::Limbs;
    /// `by` times the element, for `by` below 2^17. The limbs are not carried: they may only be added by
    /// [`close`](LaneField::close).
    fn small_multiple(element: Self::Element, by: u64) -> Self::Limbs;
    /// Writes tau^(2^j) to `powers[j]` for every j. Copies the first ones from `known` and squares for the rest.
    #[inline(always)]
    fn squares(tau: Self::Element, known: &[<Self::Element as Field>::Loose], powers: &mut [Self::Limbs]) {
        squares::<Self>(tau, known, powers);
    }
    /// One element in lane `lane`, zero in the other lanes. `lane` is public.
    fn in_lane(self, limbs: Self::Limbs, lane: usize) -> Self::Fe;
    /// One element, copied to every lane.
    fn everywhere(self, limbs: Self::Limbs) -> Self::Fe;
    /// Element b in the lane of block b, for b < N; later elements are ignored.
    fn in_lanes(self, elements: &[Self::Element; 8]) -> Self::Fe;
    /// The inverse of a store in block order: the element with limbs `limbs[b]` goes to the lane of block b, for b < N.
    fn arrange(self, limbs: &[Self::Limbs]) -> Self::Fe;
    /// The carried elements of the lanes in the order of blocks, in the representation for chains of products.
    /// Entries from N on are unspecified.
    fn scatter(self, h: Self::Fe) -> [<Self::Element as Field>::Loose; 8];
    /// Reduces `d` as far as [`fold`](LaneField::fold) needs: the limbs of N lanes add without overflow, but need not be
    /// small enough for a factor. In five limbs nothing is reduced, so `d` may hold few products: N limbs of it must
    /// add to less than 2^62.
    fn for_fold(self, d: Self::Sums) -> Self::Fe;
    /// The sum of all lanes as one residue below 2p. `h` is carried, or comes from [`for_fold`](LaneField::for_fold).
    fn fold(self, h: Self::Fe) -> Self::Element;
    /// The sum of all lanes of `d` plus `more`, as one residue below 2p.
    fn close(self, d: Self::Sums, more: Self::Limbs) -> Self::Element;

    /// Makes a multiplier of each lane. Limbs may be those of a carried element plus one row of blocks.
    fn key(self, r: Self::Fe) -> Self::Key;
    /// Copies the carried element in lane 0 to every lane.
    fn lane0(self, r: Self::Fe) -> Self::Fe;
    /// h r in every lane, not carried. Radix 2^26: 25 multiplications; radix 2^44: 18 multiply-adds.
    fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums;
    /// a^2 in every lane, not carried, for a carried `a`.
    #[inline(always)]
    fn square(self, a: Self::Fe) -> Self::Sums {
        self.mul(a, &self.key(a))
    }
    /// [`mul`](LaneField::mul) with a shorter chain of operations and more of them, where nothing else could run meanwhile.
    #[inline(always)]
    fn mul_soon(self, h: Self::Fe, r: &Self::Key) -> Self::Sums {
        self.mul(h, r)
    }
    /// d + h r in every lane, not carried. The caller bounds how many products share one carry.
    fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums;
    /// Adds limb by limb without a carry.
    fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// Converts small limbs to a sum to which products may be added.
    fn as_sums(self, a: Self::Fe) -> Self::Sums;
    /// Reduces the limbs to the bounds of a factor. The value modulo p is unchanged and not canonical.
    fn carry(self, d: Self::Sums) -> Self::Fe;
    /// a + b limb by limb, where one is carried and the other is a row of blocks or an incoming value. The result
    /// may be a factor without another carry.
    fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe;

    /// Copies each even lane 2i of a to lane 2i, and that of b to lane 2i + 1. One lane takes a.
    fn alternate(self, a: Self::Fe, b: Self::Fe) -> Self::Fe;
    /// Copies each even lane 2i to lanes 2i and 2i + 1.
    #[inline(always)]
    fn evens(self, a: Self::Fe) -> Self::Fe {
        self.alternate(a, a)
    }
    /// Copies each odd lane 2i + 1 to lanes 2i and 2i + 1.
    fn odds(self, a: Self::Fe) -> Self::Fe;

    /// Keeps `a` in the lanes where `kept` has all ones, and puts the number `others`, 0 or 1, into the other lanes.
    fn mixed(self, a: Self::Fe, kept: &[u64; 8], others: &[u64; 8]) -> Self::Fe;

    /// Loads N whole blocks as numbers, without pads: N / 2 from the front of `bytes` to the even lanes, N / 2 from
    /// byte `odd_offset` on to the odd lanes. One lane loads one block. May panic if `bytes` is shorter.
    fn row(self, bytes: &[u8], odd_offset: usize) -> Self::Fe;
    /// [`row`](LaneField::row) as a sum. It costs less where a sum may have limbs of 52 bits,
    /// because fewer cuts are needed.
    #[inline(always)]
    fn row_sums(self, bytes: &[u8], odd_offset: usize) -> Self::Sums {
        self.as_sums(self.row(bytes, odd_offset))
    }
    /// [`row`](LaneField::row) at the end of a message: zeros replace bytes past the end of `rest`, and
    /// nothing beyond it is read.
    fn short_row(self, rest: &[u8], odd_offset: usize) -> Self::Fe;
    /// Loads a row of N whole blocks, each with its pad bit 2^(8 BLOCK).
    fn whole_row(self, row: &[u8]) -> Self::Fe;
    /// Loads a row whose last blocks are the whole ones of `head`, fewer than N, each with its pad bit. The blocks
    /// in front are the field's zero, without a pad.
    fn first_row(self, head: &[u8]) -> Self::Fe;
    /// Loads a row of N blocks, of which the last has 1 to BLOCK - 1 bytes. Its pad bit follows its last byte.
    fn last_row(self, last: &[u8]) -> Self::Fe;
}

/// An element in the representation of [`Field::Words`], the scalar kernels' own.
pub(crate) type InWords<E> = <<E as Field>::Words as LaneField>::Fe;

/// Converts a residue to the representation of the scalar kernels. Both have the same words, so it costs nothing.
#[inline(always)]
pub(crate) fn in_words<E: Field>(a: E) -> InWords<E> {
    <E::Words as LaneField>::limbs(a)
}

/// `base^exponent` by square and multiply, about two products for each bit of the exponent. Time depends on the
/// exponent, which is public (a number of blocks or rows), and not on `base`.
pub(crate) fn power_vartime<E: Field>(base: E, mut exponent: u64) -> E {
    let (mut square, mut result) = (base, E::from_word(1));
    // Invariant: result * square^exponent is the value asked for. The branch is on the public exponent only.
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.product(square);
        }
        square = square.square();
        exponent >>= 1;
    }
    result
}

/// Writes tau^(2^j) to `powers[j]` for every j, copying the first ones from `known`. One square, 6 multiplications or 4,
/// for each new power, in sequence.
#[inline(always)]
pub(crate) fn squares<F: LaneField>(
    tau: F::Element,
    known: &[<F::Element as Field>::Loose],
    powers: &mut [F::Limbs],
) {
    // A known power restarts the chain, so only powers after the known ones cost a square.
    let mut last = tau.loose();
    for (j, limbs) in powers.iter_mut().enumerate() {
        last = match known.get(j) {
            Some(known) => *known,
            None if j == 0 => last,
            None => F::Element::loose_square(last),
        };
        *limbs = F::from_loose(last);
    }
}

/// [`squares`] for one lane, in the words that also take blocks. The chain is longer than in limbs, but takes fewer
/// instructions, because nothing is cut.
#[inline(always)]
pub(crate) fn squares_in_words<E: Field>(tau: E, known: &[E::Loose], powers: &mut [InWords<E>]) {
    // A square in words is carried, so its limbs stay small over any length of the chain.
    let (w, mut last) = (E::WORDS, in_words(tau));
    for (j, power) in powers.iter_mut().enumerate() {
        last = match known.get(j) {
            Some(known) => <E::Words as LaneField>::from_loose(*known),
            None if j == 0 => last,
            None => w.carry(w.square(last)),
        };
        *power = last;
    }
}
