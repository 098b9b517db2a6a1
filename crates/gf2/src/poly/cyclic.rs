//! Remainders modulo X^n - 1 in one pass: X^n is 1, so what lies from X^n on is added at the bottom.
use super::sizes::{SizeError, lengths, unwrap};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// What becomes of the remainder, the const parameter `ADD`: it is added to the words that are there.
const ADDED: bool = true;
/// The remainder overwrites the words that are there.
const WRITTEN: bool = false;

/// The kernel for `out` = the coefficients below X^n of p + floor(p / X^n), added to the words of `out` if `ADD`. p
/// has twice the words of n bits; its coefficients from X^(2n) on are left out.
struct Fold<'a, const ADD: bool> {
    n: usize,
    product: &'a [u64],
    out: &'a mut [u64],
}

impl<const ADD: bool> ClmulKernel for Fold<'_, ADD> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Fold { n, product, out } = self;
        // One pass: two loads of the upper half and one of the lower for each vector of the result.
        let (high, shift, words) = (&product[n / 64..], n % 64, out.len());
        // If n is a multiple of 64, the vector loop would shift by 64 and read one word too many: words alone do
        // it.
        let whole = if shift == 0 { 0 } else { words - words % (2 * S::K) };
        let (vectors, rest) = out.split_at_mut(whole);
        let mut i = 0;
        for out in vectors.chunks_exact_mut(2 * S::K) {
            // A vector shifted down by `shift` bits is made of two loads, one word apart.
            let (low, next) = (s.load(&high[i..]), s.load(&high[i + 1..]));
            let shifted = s.xor(s.shr(low, shift as u32), s.shl(next, 64 - shift as u32));
            let sum = s.xor(s.load(&product[i..]), shifted);
            s.store(if ADD { s.xor(s.load(out), sum) } else { sum }, out);
            i += 2 * S::K;
        }
        for out in rest {
            // Words that fill no vector, and all if n is a multiple of 64.
            let sum = product[i] ^ word(high, i, shift);
            *out = if ADD { *out ^ sum } else { sum };
            i += 1;
        }
        if shift != 0 {
            // Coefficients from X^n on are not of the remainder.
            out[words - 1] &= !0 >> (64 - shift);
        }
    }
}

/// Word i of `words` after a shift down by less than 64 bits; zeros come in at the top.
#[inline(always)]
fn word(words: &[u64], i: usize, shift: usize) -> u64 {
    let next = words.get(i + 1).copied().unwrap_or(0);
    words[i] >> shift | if shift == 0 { 0 } else { next << (64 - shift) }
}

/// `out` = p mod X^n - 1, for n above 128 and p of twice as many words as `out`. Overwrites
/// all of `out`; constant time.
pub(super) fn remainder(cpu: ClmulCpu, n: usize, product: &[u64], out: &mut [u64]) {
    cpu.call(Fold::<WRITTEN> { n, product, out });
    // From X^(2n) on there are less than 128 bits. X^(2n) is 1 as well, and as n is above 128 they need no second
    // reduction.
    let top = &product[2 * n / 64..];
    for (i, out) in out.iter_mut().enumerate().take(top.len()) {
        *out ^= word(top, i, 2 * n % 64);
    }
}

/// `sum += (p + floor(p / X^n)) mod X^n`, where p is the product of two operands of as many words as n bits have.
/// If the operands have n bits, that adds p modulo X^n - 1. If they have more, the coefficients of p from X^(2n) on
/// are left out, as in the reference code of HQC. Constant time, one pass.
///
/// # Panics
/// If n is zero, `sum` has not the words of n bits, or `product` not twice as many.
#[track_caller]
pub fn add_mod_xn_1(cpu: ClmulCpu, n: usize, product: &[u64], sum: &mut [u64]) {
    unwrap(try_add_mod_xn_1(cpu, n, product, sum));
}

/// [`add_mod_xn_1`], with an error instead of a panic.
///
/// # Errors
/// [`SizeError`]; then `sum` is as it was.
pub fn try_add_mod_xn_1(cpu: ClmulCpu, n: usize, product: &[u64], sum: &mut [u64]) -> Result<(), SizeError> {
    if n == 0 {
        return Err(SizeError::Modulus);
    }
    lengths(&[(sum, n.div_ceil(64)), (product, 2 * n.div_ceil(64))])?;
    cpu.call(Fold::<ADDED> { n, product, out: sum });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    /// X^i modulo X^n - 1, and added to something.
    fn monomial(cpu: ClmulCpu, n: usize, i: usize, product: &mut [u64], out: &mut [u64]) {
        let words = out.len();
        product[i / 64] = 1 << (i % 64);
        out.fill(!0);
        remainder(cpu, n, product, out);
        out[i % n / 64] ^= 1 << (i % n % 64);
        assert!(out.iter().all(|&word| word == 0), "X^{i} modulo X^{n} - 1, {}", cpu.name());
        (out[0], out[words - 1]) = (5, 1);
        assert_eq!(try_add_mod_xn_1(cpu, n, product, out), Ok(()));
        if i < 2 * n {
            out[i % n / 64] ^= 1 << (i % n % 64);
        }
        out[0] ^= 5;
        out[words - 1] ^= 1;
        assert!(out.iter().all(|&word| word == 0), "X^{i} below X^{n}, {}", cpu.name());
        product[i / 64] = 0;
    }

    /// All is linear, so that this is a proof for each n of which it takes all monomials.
    #[test]
    fn every_monomial_is_folded() {
        let quick = cfg!(miri) || std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1");
        let small = (129..640).step_by(if quick { 37 } else { 1 }).map(|n| (n, 1));
        let large = [17669_usize, 35851, 57637].map(|n| (n, if quick { 997 } else { 31 }));
        for (n, step) in small.chain(large.into_iter().filter(|_| !cfg!(miri))) {
            let words = n.div_ceil(64);
            let (mut product, mut out) = (vec![0; 2 * words], vec![0; words]);
            for cpu in ClmulCpu::available() {
                for i in (0..128 * words).step_by(step) {
                    monomial(cpu, n, i, &mut product, &mut out);
                }
            }
        }
    }

    #[test]
    fn sizes_that_do_not_fit() {
        let cpu = ClmulCpu::detect();
        for (n, product, sum) in [(0, 0, 0), (200, 8, 3), (200, 7, 4), (200, 8, 5), (256, 9, 4)] {
            assert!(try_add_mod_xn_1(cpu, n, &vec![0; product], &mut vec![0; sum]).is_err());
        }
        assert_eq!(try_add_mod_xn_1(cpu, 1, &[3, 0], &mut [0]), Ok(()));
    }
}
