//! Sets of words, and the set of results of each operation on them (interval arithmetic).
use core::fmt;

/// A set of 64-bit words, described by what is known of each member `w`:
///
/// - `lo <= w <= hi`;
/// - bounds on its low and on its high 32 bits (packed kernels keep two limbs in a lane);
/// - a mask outside of which every bit of `w` is zero.
///
/// Every operation returns a set that holds the results for all members, or the reason why a result may be wrong.
/// Sets may be larger than needed, never smaller: that is what makes the analysis a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Range {
    lo: u64,
    hi: u64,
    low: (u32, u32),
    high: (u32, u32),
    bits: u64,
}

/// A set of 128-bit sums, described by bounds alone: `lo <= x <= hi`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Wide {
    pub(crate) lo: u128,
    pub(crate) hi: u128,
}

/// The reason why an operation may give a wrong result, for the panic's message.
pub(crate) type Reason = &'static str;

/// The least number `2^k - 1` that is at least `x`: all bits that a number up to `x` can have.
const fn ones(x: u64) -> u64 {
    if x == 0 { 0 } else { u64::MAX >> x.leading_zeros() }
}

/// All bits that a half up to `x` can have.
const fn ones32(x: u32) -> u64 {
    ones(x as u64)
}

const fn join_halves(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

/// Bounds of a half of which nothing is known.
const FULL: (u32, u32) = (0, u32::MAX);

impl Range {
    /// The set of all words of 64 bits.
    pub const ANY: Range = Range::of(0, u64::MAX, u64::MAX);

    /// The words from 0 to `hi`, both included.
    pub fn upto(hi: u64) -> Range {
        Range::between(0, hi)
    }

    /// The words from `lo` to `hi`, both included. Panics if there are none.
    pub fn between(lo: u64, hi: u64) -> Range {
        assert!(lo <= hi, "empty range {lo:#x}..={hi:#x}");
        Range::of(lo, hi, u64::MAX).tight()
    }

    /// The words whose low 32 bits are in `low` and whose high 32 bits are in
    /// `high`, independently (both bounds included).
    pub fn halves(low: (u32, u32), high: (u32, u32)) -> Range {
        assert!(low.0 <= low.1 && high.0 <= high.1, "empty range {low:?}, {high:?}");
        Range { low, high, ..Range::ANY }.tight()
    }

    /// The set whose only member is `x`.
    pub fn constant(x: u64) -> Range {
        Range::between(x, x)
    }

    /// A lower bound of all members.
    pub fn lo(&self) -> u64 {
        self.lo
    }

    /// An upper bound of all members.
    pub fn hi(&self) -> u64 {
        self.hi
    }

    /// Upper bounds of the low halves and of the high halves of all members.
    pub fn half_bounds(&self) -> (u32, u32) {
        (self.low.1, self.high.1)
    }

    /// The only member, if the bounds leave just one.
    pub fn as_constant(&self) -> Option<u64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether `w` is a member.
    pub fn contains(&self, w: u64) -> bool {
        let within = |(lo, hi): (u32, u32), x: u64| (lo..=hi).contains(&(x as u32));
        (self.lo..=self.hi).contains(&w)
            && within(self.low, w)
            && within(self.high, w >> 32)
            && w & !self.bits == 0
    }

    /// The least set of this shape that holds both sets: one step of the iteration to a loop's fixpoint.
    pub fn join(self, other: Range) -> Range {
        let hull = |a: (u32, u32), b: (u32, u32)| (a.0.min(b.0), a.1.max(b.1));
        Range {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            low: hull(self.low, other.low),
            high: hull(self.high, other.high),
            bits: self.bits | other.bits,
        }
    }

    const fn of(lo: u64, hi: u64, bits: u64) -> Range {
        Range { lo, hi, low: FULL, high: FULL, bits }
    }

    /// Sharpens each description by the others. No member is lost: each line is a consequence of the others.
    fn tight(mut self) -> Range {
        // A second round, as the last descriptions sharpen the first. More would gain little, and any stop is
        // sound.
        for _ in 0..2 {
            self.bits &= ones(self.hi) & (ones32(self.low.1) | ones32(self.high.1) << 32);
            self.high.0 = self.high.0.max((self.lo >> 32) as u32);
            self.high.1 = self.high.1.min((self.hi >> 32) as u32).min((self.bits >> 32) as u32);
            self.low.1 = self.low.1.min(self.bits as u32);
            self.lo = self.lo.max(join_halves(self.low.0, self.high.0));
            self.hi = self.hi.min(join_halves(self.low.1, self.high.1)).min(self.bits);
            // Equal high halves: then the order of the words is that of the low halves.
            if self.lo >> 32 == self.hi >> 32 {
                self.low = (self.low.0.max(self.lo as u32), self.low.1.min(self.hi as u32));
            }
            if self.lo == self.hi {
                self.bits = self.lo;
            }
        }
        self
    }

    /// The number of bits below which every member is zero; 64 for the set of 0.
    fn trailing_zeros(&self) -> u32 {
        self.bits.trailing_zeros()
    }

    /// Whether no member of `self` has a set bit in common with a member of `other`.
    pub(crate) fn is_disjoint(&self, other: &Range) -> bool {
        self.bits & other.bits == 0
    }

    /// Whether adding the low halves never carries into the high ones.
    pub(crate) fn halves_stay_apart(&self, other: &Range) -> bool {
        self.low.1.checked_add(other.low.1).is_some()
    }

    /// Whether a left shift by `k < 32` bits moves no bit of the low half into the high one.
    pub(crate) fn low_half_fits(&self, k: u32) -> bool {
        k < 32 && self.low.1 <= u32::MAX >> k
    }

    /// The number of bits above which every member is zero.
    pub(crate) fn width(&self) -> u32 {
        64 - self.hi.leading_zeros()
    }

    /// The number of bits below which every member is zero: 2^depth divides all of them.
    pub(crate) fn depth(&self) -> u32 {
        self.trailing_zeros()
    }

    pub(crate) fn add(self, b: Range) -> Result<Range, Reason> {
        // The largest members decide: if their sum fits, every sum does.
        let hi = self.hi.checked_add(b.hi).ok_or("the sum may exceed 64 bits")?;
        // A sum has the common zeros at the low end. Without a common bit there is no carry, and the sum is the OR.
        let zeros = self.trailing_zeros().min(b.trailing_zeros());
        let bits = if self.is_disjoint(&b) { self.bits | b.bits } else { u64::MAX << zeros.min(63) };
        let mut r = Range::of(self.lo + b.lo, hi, bits);
        // No carry passes between the halves, so they add separately. The sum of the high ones cannot wrap if the
        // whole does not.
        if self.halves_stay_apart(&b) {
            r.low = (self.low.0 + b.low.0, self.low.1 + b.low.1);
            r.high = (self.high.0 + b.high.0, self.high.1.saturating_add(b.high.1));
        }
        Ok(r.tight())
    }

    pub(crate) fn shr(self, k: u32) -> Range {
        let mut r = Range::of(self.lo >> k, self.hi >> k, self.bits >> k);
        if k == 32 {
            r.low = self.high;
        }
        r.tight()
    }

    pub(crate) fn shl(self, k: u32) -> Result<Range, Reason> {
        // An error, not a wider set: kernels rely on shifts that lose nothing.
        if self.hi > u64::MAX >> k {
            return Err("the shift may lose a set bit");
        }
        let mut r = Range::of(self.lo << k, self.hi << k, self.bits << k);
        if k == 32 {
            // Low halves become high halves and keep their bounds.
            r.high = self.low;
        } else if self.low_half_fits(k) {
            r.low = (self.low.0 << k, self.low.1 << k);
        }
        Ok(r.tight())
    }

    pub(crate) fn low_bits(self, k: u32) -> Range {
        let mask = (1 << k) - 1;
        if self.hi <= mask {
            return self;
        }
        // Words with equal bits above k keep their order when these are cut off; otherwise nothing is known of
        // them.
        let (lo, hi) =
            if self.lo >> k == self.hi >> k { (self.lo & mask, self.hi & mask) } else { (0, mask) };
        let low = if k >= 32 { self.low } else { FULL };
        Range { lo, hi, low, high: FULL, bits: self.bits & mask }.tight()
    }

    pub(crate) fn select(self, mask: Range) -> Result<Range, Reason> {
        match mask.as_constant() {
            Some(0) => Ok(Range::constant(0)),
            Some(u64::MAX) => Ok(self),
            Some(_) => Err("the mask is neither zero nor all ones"),
            // A mask that is not known keeps or clears the lane: both results are in the set.
            None => Ok(self.join(Range::constant(0))),
        }
    }

    pub(crate) fn concat(self, b: Range) -> Result<Range, Reason> {
        if !self.is_disjoint(&b) {
            return Err("the operands may share a set bit");
        }
        // Without a shared bit the OR is the sum, so the bounds of a sum hold.
        self.add(b)
    }

    pub(crate) fn mul32(self, b: Range) -> Result<Range, Reason> {
        if (self.hi | b.hi) >> 32 != 0 {
            return Err("a multiplicand may exceed 32 bits");
        }
        // Multiplicands are below 2^32, so the bounds cannot wrap.
        let zeros = self.trailing_zeros() + b.trailing_zeros();
        Ok(Range::of(self.lo * b.lo, self.hi * b.hi, u64::MAX << zeros.min(63)).tight())
    }

    pub(crate) fn limb(self) -> Result<Range, Reason> {
        if self.hi >> 32 == 0 { Ok(self) } else { Err("the limb may exceed 32 bits") }
    }

    /// The low halves of `self` beside the high halves of `high`, in all combinations.
    pub(crate) fn with_high_of(self, high: Range) -> Range {
        let bits = self.bits & 0xffff_ffff | high.bits & !0xffff_ffff;
        Range { low: self.low, high: high.high, bits, ..Range::ANY }.tight()
    }

    pub(crate) fn sub(self, b: Range) -> Result<Range, Reason> {
        // The smallest minuend and the largest subtrahend decide: if their difference is not negative, none is.
        let lo = self.lo.checked_sub(b.hi).ok_or("the difference may be negative")?;
        Ok(Range::between(lo, self.hi - b.lo))
    }

    pub(crate) fn madd52(self, a: Range, b: Range, high: bool) -> Result<Range, Reason> {
        // The instruction ignores bits from 52 on: a larger factor would give a wrong product, not an error.
        if (a.hi | b.hi) >> 52 != 0 {
            return Err("a multiplicand may exceed 52 bits");
        }
        let product = Wide::product(a, b);
        // The low 52 bits are the product itself if that has no more, otherwise any number of 52 bits.
        let half = if high {
            product.shr(52)?
        } else if product.hi >> 52 == 0 {
            Range::between(product.lo as u64, product.hi as u64)
        } else {
            Range::upto((1 << 52) - 1)
        };
        self.add(half)
    }
}

impl Wide {
    /// The sums from 0 to `hi`, both included.
    pub fn upto(hi: u128) -> Wide {
        Wide { lo: 0, hi }
    }

    /// A lower and an upper bound of all members.
    pub fn bounds(&self) -> (u128, u128) {
        (self.lo, self.hi)
    }

    pub(crate) fn product(a: Range, b: Range) -> Wide {
        Wide { lo: u128::from(a.lo) * u128::from(b.lo), hi: u128::from(a.hi) * u128::from(b.hi) }
    }

    pub(crate) fn from_word(a: Range) -> Wide {
        Wide { lo: a.lo.into(), hi: a.hi.into() }
    }

    pub(crate) fn from_words(low: Range, high: Range) -> Wide {
        let wide = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
        Wide { lo: wide(low.lo, high.lo), hi: wide(low.hi, high.hi) }
    }

    /// The sums modulo 2^128 and their carries: 0 if no sum wraps, otherwise nothing is known of either.
    pub(crate) fn add_carry(self, b: Wide) -> (Wide, Range) {
        match self.add(b) {
            Ok(sum) => (sum, Range::constant(0)),
            Err(_) => (Wide::upto(u128::MAX), Range::upto(1)),
        }
    }

    pub(crate) fn add(self, b: Wide) -> Result<Wide, Reason> {
        let hi = self.hi.checked_add(b.hi).ok_or("the sum may exceed 128 bits")?;
        Ok(Wide { lo: self.lo + b.lo, hi })
    }

    pub(crate) fn low(self) -> Range {
        // With one high word for all members, the low words have the order of the sums.
        if self.lo >> 64 == self.hi >> 64 {
            Range::between(self.lo as u64, self.hi as u64)
        } else {
            Range::ANY
        }
    }

    pub(crate) fn shr(self, k: u32) -> Result<Range, Reason> {
        // The shift keeps the order, so both bounds of the sum become bounds of the word.
        let word = |x: u128| u64::try_from(x >> k).map_err(|_| "the shifted sum may exceed 64 bits");
        Ok(Range::between(word(self.lo)?, word(self.hi)?))
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:#x}, {:#x}] ({:.4} bits)", self.lo, self.hi, (self.hi as f64 + 1.0).log2())?;
        let implied = Range::between(self.lo, self.hi);
        if (self.low, self.high) != (implied.low, implied.high) {
            write!(f, " = low {:#x?} high {:#x?}", self.low, self.high)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:#x}, {:#x}] ({:.4} bits)", self.lo, self.hi, (self.hi as f64 + 1.0).log2())
    }
}
