//! The operations of [`Algebra`] on polynomials and ranges. Never inlined, as in `interval`.
use super::{Algebra, AlgebraArena, Id, Poly, Term, WideTerm};
use crate::interval::expect;
use crate::portable::word15;
use crate::range::{Range, Wide};
use crate::traits::{Lanes, Words};

/// The vector of `f` for every lane, beginning with `$first`. A loop, because the place of a panic
/// does not pass through closures.
macro_rules! each {
    ($n:ident, $first:expr, $i:ident => $f:expr) => {{
        let mut r = $first;
        for $i in 0..$n {
            r[$i] = $f;
        }
        r
    }};
}

mod extensions;

impl AlgebraArena {
    #[track_caller]
    pub(super) fn add(&self, a: Term, b: Term) -> Term {
        let range = expect(a.range.add(b.range), || (self.show(a), self.show(b)));
        // `expect` has refused sums that may wrap, so the lane holds the sum of the integers.
        let sum = self.term(range, &*self.get(a.poly) + &*self.get(b.poly));
        // A sum of parts that do not overlap can be taken apart again: remember which parts, so that later shifts
        // find them.
        if a.range.hi() != 0 && b.range.hi() != 0 {
            self.learn_join(sum, a, b);
            self.learn_join(sum, b, a);
            // Two limbs in a lane add separately if no carry leaves the low one.
            let packed = self.high_limb(a.poly).is_some() || self.high_limb(b.poly).is_some();
            if packed && a.range.halves_stay_apart(&b.range) {
                let high = &*self.get(self.floor(a.poly, 32)) + &*self.get(self.floor(b.poly, 32));
                self.learn_halves(sum.poly, self.id(high));
            }
        }
        sum
    }

    #[track_caller]
    pub(super) fn sub(&self, a: Term, b: Term) -> Term {
        let range = expect(a.range.sub(b.range), || (self.show(a), self.show(b)));
        // `expect` has refused differences that may be negative, so the lane holds the difference of the integers.
        self.term(range, &*self.get(a.poly) - &*self.get(b.poly))
    }

    /// If `low` ends below the first bit of `high`, shifting the sum by that many bits gives `high` back: remembers it.
    fn learn_join(&self, sum: Term, low: Term, high: Term) {
        let (width, depth) = (low.range.width(), high.range.depth());
        // The shift by 32 is the one by which kernels separate two limbs of a lane.
        for k in [depth, 32] {
            if width <= k && k <= depth && k < 64 {
                let (quotient, rest) = self.get(high.poly).split(k);
                if rest == Poly::default() {
                    let quotient = self.id(quotient);
                    self.learn(sum.poly, k, quotient);
                    if k == 32 {
                        self.learn_halves(sum.poly, quotient);
                    }
                }
            }
        }
    }

    #[track_caller]
    pub(super) fn concat(&self, a: Term, b: Term) -> Term {
        // The operands share no bit, so that OR is their sum, which has rules for shifts.
        expect(a.range.concat(b.range), || (self.show(a), self.show(b)));
        self.add(a, b)
    }

    #[track_caller]
    pub(super) fn shr(&self, a: Term, k: u32) -> Term {
        self.quotient(a.range.shr(k), a.poly, k)
    }

    #[track_caller]
    fn quotient(&self, range: Range, poly: Id, k: u32) -> Term {
        match range.as_constant() {
            // The range leaves one value: a symbol for it would cancel nothing.
            Some(x) => self.constant_term(x),
            None => Term { range, poly: self.floor(poly, k) },
        }
    }

    #[track_caller]
    pub(super) fn shl(&self, a: Term, k: u32) -> Term {
        let range = expect(a.range.shl(k), || (self.show(a), k));
        let shifted = self.term(range, self.get(a.poly).times_power_of_two(k));
        // Both limbs stay in their halves only if the shift moves no bit of the low one across bit 32.
        if let Some(high) = self.high_limb(a.poly).filter(|_| k > 0 && a.range.low_half_fits(k)) {
            self.learn_halves(shifted.poly, self.id(self.get(high).times_power_of_two(k)));
        }
        shifted
    }

    #[track_caller]
    pub(super) fn low_bits(&self, a: Term, k: u32) -> Term {
        let range = a.range.low_bits(k);
        // A word that has no bit from k on is its own remainder; a carry's name would only hide that.
        if a.range.hi() >> k == 0 { a } else { self.term(range, self.remainder(a.poly, k)) }
    }

    /// The remainder `poly - 2^k floor(poly / 2^k)`, an identity of integers.
    #[track_caller]
    fn remainder(&self, poly: Id, k: u32) -> Poly {
        let quotient = self.get(self.floor(poly, k)).times_power_of_two(k);
        &*self.get(poly) - quotient
    }

    #[track_caller]
    fn select(&self, a: Term, mask: Term) -> Term {
        let range = expect(a.range.select(mask.range), || (self.show(a), self.show(mask)));
        match mask.range.as_constant() {
            Some(0) => self.constant_term(0),
            Some(_) => Term { range, poly: a.poly },
            // Depending on the mask the lane is 0 or `a`, and no single polynomial is both.
            None => panic!("the mask is not a constant: {:?}", self.show(mask)),
        }
    }

    #[track_caller]
    fn limb(&self, a: Term) -> Term {
        // The value stays: `limb` only claims that it fits 32 bits.
        expect(a.range.limb(), || self.show(a));
        a
    }

    #[track_caller]
    pub(super) fn mul32(&self, a: Term, b: Term) -> Term {
        let range = expect(a.range.mul32(b.range), || (self.show(a), self.show(b)));
        self.term(range, self.product(a, b))
    }

    fn product(&self, a: Term, b: Term) -> Poly {
        &*self.get(a.poly) * &*self.get(b.poly)
    }

    #[track_caller]
    pub(super) fn madd52(&self, acc: Term, a: Term, b: Term, high: bool) -> Term {
        // Bounds by adding to zero; the sum with `acc` is checked at the end.
        let zero = Range::constant(0);
        let half = expect(zero.madd52(a.range, b.range, high), || (self.show(a), self.show(b)));
        let product = self.id(self.product(a, b));
        let half = if high {
            self.quotient(half, product, 52)
        } else if Wide::product(a.range, b.range).bounds().1 >> 52 == 0 {
            // The product is its own low half: its carry is 0, and a symbol for it would cancel nothing.
            Term { range: half, poly: product }
        } else {
            self.term(half, self.remainder(product, 52))
        };
        self.add(acc, half)
    }

    /// The word of the low half of `low` and the high half of `high`.
    #[track_caller]
    pub(super) fn side_by_side(&self, low: Term, high: Term) -> Term {
        let top = self.floor(high.poly, 32);
        let poly = self.low_bits(low, 32).poly;
        let r = self.term(
            low.range.with_high_of(high.range),
            &*self.get(poly) + self.get(top).times_power_of_two(32),
        );
        if high.range.hi() >> 32 != 0 {
            self.learn_halves(r.poly, top);
        }
        r
    }

    /// The range and the polynomial of a term, as a panic's message shows them.
    fn show(&self, a: Term) -> (Range, Poly) {
        (a.range, (*self.get(a.poly)).clone())
    }
}

impl<const N: usize> Lanes for Algebra<'_, N> {
    const N: usize = N;
    const LIMB_WORDS: usize = N;
    type V = [Term; N];
    type L = [Term; N];

    #[track_caller]
    #[inline(never)]
    fn splat(self, x: u64) -> [Term; N] {
        [self.arena.term_of(x); N]
    }
    #[track_caller]
    #[inline(never)]
    fn load(self, src: &[u8]) -> [Term; N] {
        let (words, _) = src[..8 * N].as_chunks::<8>();
        let zero = self.splat(0);
        each!(N, zero, i => self.arena.term_of(u64::from_le_bytes(words[i])))
    }
    #[track_caller]
    #[inline(never)]
    fn load15(self, src: &[u8]) -> [Term; N] {
        let zero = self.splat(0);
        each!(N, zero, i => self.arena.term_of(word15(src, i)))
    }
    #[track_caller]
    #[inline(never)]
    fn load_words(self, src: &[u64]) -> [Term; N] {
        let (src, zero) = (&src[..N], self.splat(0));
        each!(N, zero, i => self.arena.term_of(src[i]))
    }
    #[inline(never)]
    fn store(self, v: [Term; N], out: &mut [u64]) {
        out[..N].copy_from_slice(&v.map(|term| self.arena.word_of(term)));
    }
    #[track_caller]
    #[inline(never)]
    fn limb(self, v: [Term; N]) -> [Term; N] {
        each!(N, v, i => self.arena.limb(v[i]))
    }
    #[track_caller]
    #[inline(never)]
    fn low32(self, v: [Term; N]) -> [Term; N] {
        each!(N, v, i => self.arena.low_bits(v[i], 32))
    }
    #[track_caller]
    #[inline(never)]
    fn high32(self, v: [Term; N]) -> [Term; N] {
        each!(N, v, i => self.arena.shr(v[i], 32))
    }
    #[inline(never)]
    fn store_limb(self, l: [Term; N], out: &mut [u64]) {
        self.store(l, out);
    }
    #[track_caller]
    #[inline(never)]
    fn load_limb(self, src: &[u64]) -> [Term; N] {
        self.limb(self.load_words(src))
    }
    #[track_caller]
    #[inline(never)]
    fn mul32(self, a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, a, i => self.arena.mul32(a[i], b[i]))
    }
    #[track_caller]
    #[inline(never)]
    fn add(self, a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, a, i => self.arena.add(a[i], b[i]))
    }
    #[track_caller]
    #[inline(never)]
    fn shr(self, a: [Term; N], k: u32) -> [Term; N] {
        each!(N, a, i => self.arena.shr(a[i], k))
    }
    #[track_caller]
    #[inline(never)]
    fn shl(self, a: [Term; N], k: u32) -> [Term; N] {
        each!(N, a, i => self.arena.shl(a[i], k))
    }
    #[track_caller]
    #[inline(never)]
    fn low_bits(self, a: [Term; N], k: u32) -> [Term; N] {
        each!(N, a, i => self.arena.low_bits(a[i], k))
    }
    #[track_caller]
    #[inline(never)]
    fn select(self, a: [Term; N], mask: [Term; N]) -> [Term; N] {
        each!(N, a, i => self.arena.select(a[i], mask[i]))
    }
    #[track_caller]
    #[inline(never)]
    fn concat(self, a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, a, i => self.arena.concat(a[i], b[i]))
    }
    #[inline(never)]
    fn unpack_lo(self, a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, a, i => if i % 2 == 0 { a[i] } else { b[i - 1] })
    }
    #[inline(never)]
    fn unpack_hi(self, a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, a, i => if i % 2 == 0 { a[i + 1] } else { b[i] })
    }
}

impl<const N: usize> Words for Algebra<'_, N> {
    type W = Term;
    type D = WideTerm;

    #[track_caller]
    #[inline(never)]
    fn word(self, x: u64) -> Term {
        self.arena.term_of(x)
    }
    #[inline(never)]
    fn to_memory(self, a: Term) -> u64 {
        self.arena.word_of(a)
    }
    #[inline(never)]
    fn mul(self, a: Term, b: Term) -> WideTerm {
        WideTerm { range: Wide::product(a.range, b.range), poly: self.arena.id(self.arena.product(a, b)) }
    }
    #[inline(never)]
    fn widen(self, a: Term) -> WideTerm {
        WideTerm { range: Wide::from_word(a.range), poly: a.poly }
    }
    #[inline(never)]
    fn wide(self, low: Term, high: Term) -> WideTerm {
        let poly = &*self.arena.get(low.poly) + self.arena.get(high.poly).times_power_of_two(64);
        WideTerm { range: Wide::from_words(low.range, high.range), poly: self.arena.id(poly) }
    }
    #[track_caller]
    #[inline(never)]
    fn add_carry(self, a: WideTerm, b: WideTerm) -> (WideTerm, Term) {
        // The carry is floor(sum / 2^128): a new symbol, or 0 if the ranges exclude it.
        let (range, carry) = a.range.add_carry(b.range);
        let sum = self.arena.id(&*self.arena.get(a.poly) + &*self.arena.get(b.poly));
        let carry = self.arena.quotient(carry, sum, 128);
        let poly = &*self.arena.get(sum) - self.arena.get(carry.poly).times_power_of_two(128);
        (WideTerm { range, poly: self.arena.id(poly) }, carry)
    }
    #[track_caller]
    #[inline(never)]
    fn add(self, a: WideTerm, b: WideTerm) -> WideTerm {
        let (p, q) = (self.arena.get(a.poly), self.arena.get(b.poly));
        let range = expect(a.range.add(b.range), || ((a.range, &p), (b.range, &q)));
        WideTerm { range, poly: self.arena.id(&*p + &*q) }
    }
    #[track_caller]
    #[inline(never)]
    fn add_word(self, a: Term, b: Term) -> Term {
        self.arena.add(a, b)
    }
    #[track_caller]
    #[inline(never)]
    fn low(self, a: WideTerm) -> Term {
        let range = a.range.low();
        if a.range.bounds().1 >> 64 == 0 {
            Term { range, poly: a.poly }
        } else {
            self.arena.term(range, self.arena.remainder(a.poly, 64))
        }
    }
    #[track_caller]
    #[inline(never)]
    fn high(self, a: WideTerm) -> Term {
        self.shr_wide(a, 64)
    }
    #[track_caller]
    #[inline(never)]
    fn shr_wide(self, a: WideTerm, k: u32) -> Term {
        let range = expect(a.range.shr(k), || (a.range, self.arena.get(a.poly)));
        self.arena.quotient(range, a.poly, k)
    }
    #[track_caller]
    #[inline(never)]
    fn shr(self, a: Term, k: u32) -> Term {
        self.arena.shr(a, k)
    }
    #[track_caller]
    #[inline(never)]
    fn shl(self, a: Term, k: u32) -> Term {
        self.arena.shl(a, k)
    }
    #[track_caller]
    #[inline(never)]
    fn low_bits(self, a: Term, k: u32) -> Term {
        self.arena.low_bits(a, k)
    }
    #[track_caller]
    #[inline(never)]
    fn concat(self, a: Term, b: Term) -> Term {
        self.arena.concat(a, b)
    }
}
