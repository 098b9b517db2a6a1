//! Operations on one element of a field given at run time.
use super::{DynField, MAX_WORDS, Words};
use crate::bits::gather;
use crate::poly::modular::{ByTail, Product, Short, Squarings, Task, run, run_short};
use crate::poly::square_on;
use ctutils::Choice;

impl DynField {
    /// Runs a task by the kernel for an f with a T of one or two words.
    fn compute<T: Task>(&self, short: &Short, task: T, out: &mut [u64]) {
        match short.words() {
            1 => run(self.cpu, self.words, task, ByTail::<false>(short), out),
            _ => run(self.cpu, self.words, task, ByTail::<true>(short), out),
        }
    }

    /// Sets each element of `out` to the product of the elements of `a` and `b`. If `advance` is false, `b` is
    /// one element by which all are multiplied.
    pub(super) fn products(&self, a: &[u64], b: &[u64], advance: bool, out: &mut [u64]) {
        let task = if advance { Product::each(a, b) } else { Product::by_one(a, b) };
        // Three ways: one kernel that reduces by T in registers; for short elements of any f one kernel with two more
        // products; for long ones products of polynomials in memory.
        match &self.short {
            Some(short) => self.compute(short, task, out),
            None if self.words <= 2 => run_short(self.cpu, self.words, task, self.barrett.constants(), out),
            None => {
                let each = a.chunks_exact(self.words).zip(out.chunks_exact_mut(self.words)).enumerate();
                for (i, (a, out)) in each {
                    let at = if advance { i * self.words } else { 0 };
                    self.barrett.remainder(&self.barrett.product(a, &b[at..at + self.words]), out);
                }
            }
        }
    }

    #[track_caller]
    fn check(&self, slices: &[&[u64]]) {
        for slice in slices {
            assert_eq!(slice.len(), self.words, "an element has {} words", self.words);
        }
    }

    /// Sets `out` to a + b. The sum is not reduced: it has the bits from z^m on in which the operands differ.
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn add(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        self.check(&[a, b, out]);
        for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
            *out = a ^ b;
        }
    }

    /// Sets `out` to the product a b, canonical.
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn mul(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        self.check(&[a, b, out]);
        self.products(a, b, true, out);
    }

    /// The product of two elements of one word, for fields of degree 64 at most.
    #[track_caller]
    pub(crate) fn product_of_words(&self, a: u64, b: u64) -> u64 {
        let mut out = [0];
        self.mul(&[a], &[b], &mut out);
        out[0]
    }

    /// Sets `out` to a^2, canonical.
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn square(&self, a: &[u64], out: &mut [u64]) {
        self.frobenius(a, 1, out);
    }

    /// Sets `out` to a^(2^k), canonical, by k mod m squarings, since a^(2^m) = a. k is public.
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn frobenius(&self, a: &[u64], k: usize, out: &mut [u64]) {
        self.check(&[a, out]);
        // a^(2^m) = a, so k counts modulo m.
        let task = Squarings { a, k: k % self.degree() };
        match &self.short {
            Some(short) => self.compute(short, task, out),
            None if self.words <= 2 => run_short(self.cpu, self.words, task, self.barrett.constants(), out),
            None => {
                let mut wide = [0; 2 * MAX_WORDS];
                wide[..self.words].copy_from_slice(a);
                // Also for k = 0 the result is canonical: `a` may have bits from z^m on.
                self.barrett.remainder(&wide, out);
                for _ in 0..task.k {
                    square_on(self.cpu, out, &mut wide[..2 * self.words]);
                    self.barrett.remainder(&wide, out);
                }
            }
        }
    }

    /// Sets `out` to the square root of a, canonical. Every element has exactly one: the even coefficients of
    /// a, plus sqrt(z) times the odd ones. Costs one product.
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn sqrt(&self, a: &[u64], out: &mut [u64]) {
        self.check(&[a, out]);
        let mut reduced = [0; MAX_WORDS];
        self.frobenius(a, 0, &mut reduced[..self.words]);
        // a = even(a)^2 + z odd(a)^2, so sqrt(a) = even(a) + sqrt(z) odd(a).
        let (mut even, mut odd) = ([0; MAX_WORDS], [0; MAX_WORDS]);
        for (i, word) in reduced.iter().enumerate() {
            even[i / 2] |= gather(*word) << (32 * (i % 2));
            odd[i / 2] |= gather(word >> 1) << (32 * (i % 2));
        }
        self.mul(&odd[..self.words], &self.sqrt_z[..self.words], out);
        out.iter_mut().zip(even).for_each(|(out, even)| *out ^= even);
    }

    /// The trace a + a^2 + a^4 + ... + a^(2^(m - 1)), which is 0 or 1: the parity of some
    /// coefficients of the canonical element.
    ///
    /// # Panics
    /// If `a` has another length than [`words`](DynField::words).
    #[must_use]
    #[track_caller]
    pub fn trace(&self, a: &[u64]) -> Choice {
        let mut reduced = [0; MAX_WORDS];
        self.frobenius(a, 0, &mut reduced[..self.words]);
        // The trace is linear: it is the number of powers z^i of trace 1 in a, modulo 2.
        let sum = reduced.iter().zip(&self.trace_mask).fold(0, |sum, (a, mask)| sum ^ a & mask);
        Choice::from_u64_lsb(u64::from(sum.count_ones()))
    }

    /// Sets `out` to 1 / a, or to 0 if a is 0: m - 1 squarings and up to 2 log2 m products (Itoh and Tsujii).
    ///
    /// For many inverses one by one see [`DynInverse`](super::DynInverse), for those of a slice
    /// [`batch_invert`](DynField::batch_invert).
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn invert_or_zero(&self, a: &[u64], out: &mut [u64]) {
        self.invert_by(a, out, |power, k, raised| self.frobenius(power, k, raised));
    }

    /// [`invert_or_zero`](DynField::invert_or_zero) with a function that computes power^(2^k), for the k of
    /// [`runs`](super::super::inverse::runs). The powers are canonical, but for k = 1.
    #[track_caller]
    pub(super) fn invert_by(&self, a: &[u64], out: &mut [u64], raise: impl Fn(&[u64], usize, &mut [u64])) {
        self.check(&[a, out]);
        // Invariant: power = b_k = a^(2^k - 1), where k is formed by the leading bits of m - 1.
        // b_(j + k) = b_j^(2^k) b_k.
        let (last, mut k) = (self.degree() - 1, 1);
        let (mut power, mut next) = ([0; MAX_WORDS], [0; MAX_WORDS]);
        let (power, next) = (&mut power[..self.words], &mut next[..self.words]);
        power.copy_from_slice(a);
        if last == 0 {
            // GF(2): 1 is its own inverse, and 0 stays 0.
            return self.frobenius(a, 0, out);
        }
        for bit in (0..last.ilog2()).rev() {
            raise(power, k, next);
            self.mul_to(power, next);
            k *= 2;
            if last >> bit & 1 == 1 {
                self.square(power, next);
                power.copy_from_slice(next);
                self.mul_to(power, a);
                k += 1;
            }
        }
        self.square(power, out);
    }

    /// Sets a to the product a b.
    fn mul_to(&self, a: &mut [u64], b: &[u64]) {
        let mut product = [0; MAX_WORDS];
        self.mul(a, b, &mut product[..self.words]);
        a.copy_from_slice(&product[..self.words]);
    }

    /// Sets `out` to a solution x of x^2 + x = c if Tr(c) = 0; the other solution is x + 1. If Tr(c) = 1 there
    /// is none, and the result is meaningless.
    ///
    /// For odd m it is the half-trace, by m - 1 squarings. Even m takes twice as many squarings, and m - 1 products.
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn solve_unchecked(&self, c: &[u64], out: &mut [u64]) {
        self.check(&[c, out]);
        let (mut power, mut next, m) = ([0; MAX_WORDS], [0; MAX_WORDS], self.degree());
        let (power, next) = (&mut power[..self.words], &mut next[..self.words]);
        self.frobenius(c, 0, power);
        if m % 2 == 1 {
            // The half-trace, the sum of c^(4^i) for i from 0 to (m - 1) / 2.
            out.copy_from_slice(power);
            for _ in 0..(m - 1) / 2 {
                self.frobenius(power, 2, next);
                power.copy_from_slice(next);
                add_to(out, power);
            }
            return;
        }
        out.fill(0);
        // The sum of (d + d^2 + ... + d^(2^(i - 1))) c^(2^i) for i from 1 to m - 1, with Tr(d) = 1: see
        // `field/solve.rs`.
        let mut factor = self.of_trace_one();
        let mut conjugate = factor;
        let (conjugate, factor) = (&mut conjugate[..self.words], &mut factor[..self.words]);
        for _ in 1..m {
            self.square(power, next);
            power.copy_from_slice(next);
            self.mul(power, factor, next);
            add_to(out, next);
            self.square(conjugate, next);
            conjugate.copy_from_slice(next);
            add_to(factor, conjugate);
        }
    }

    /// A power of z whose trace is 1. It depends on f only.
    fn of_trace_one(&self) -> Words {
        let mut power = [0; MAX_WORDS];
        // The lowest z^i of trace 1. There is one, because not all elements have trace 0.
        if let Some(i) = self.trace_mask.iter().position(|word| *word != 0) {
            power[i] = self.trace_mask[i] & self.trace_mask[i].wrapping_neg();
        }
        power
    }

    /// Sets `out` to a^e; 0^0 is 1. The words of e come least significant first.
    ///
    /// Takes a square for each bit of e and a product for each bit that is 1. e is public.
    ///
    /// # Panics
    /// If a slice of an element has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn pow(&self, a: &[u64], e: &[u64], out: &mut [u64]) {
        self.check(&[a, out]);
        let (mut power, mut next) = ([0; MAX_WORDS], [0; MAX_WORDS]);
        let (power, next) = (&mut power[..self.words], &mut next[..self.words]);
        // Leading zeros of e square 1, which keeps the loop simple; e is public. Invariant: power = a^(the
        // bits of e above this one).
        power[0] = 1;
        for word in e.iter().rev() {
            for bit in (0..64).rev() {
                self.square(power, next);
                power.copy_from_slice(next);
                if word >> bit & 1 == 1 {
                    self.mul_to(power, a);
                }
            }
        }
        out.copy_from_slice(power);
    }
}

/// Adds `a` to `sum`, as many words as `a` has.
fn add_to(sum: &mut [u64], a: &[u64]) {
    sum.iter_mut().zip(a).for_each(|(sum, a)| *sum ^= a);
}
