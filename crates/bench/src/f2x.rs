//! Products in F2\[X\] as subjects. The message is one operand; the other is made of it and the key.
//!
//! A call is one product with its plan and scratch ready, as programs have them that multiply more than once.
use crate::input::{Input, Key, Tag};
use crate::subject::{Runner, Work};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::Plan;
use carryless_reference::gf2;
use std::hint::black_box;

/// Lengths of an operand in bytes, from 256 bits to 2^20 bits.
// 2209, 4482 and 7205 bytes are the lengths of HQC's operands.
pub const LENGTHS: &str = "32,64,128,256,512,1024,2209,4482,7205,8192,16384,32768,65536,131072";

/// Lengths in bytes of the longer operand, for products by a short one. Some lie between the round sizes.
pub const LONG_LENGTHS: &str = "64,104,256,520,1024,4096,8200";

/// Lengths in bytes of HQC's three n. That of the second n is two bits longer than HQC's, as all
/// share a remainder modulo 8.
pub const CYCLIC_LENGTHS: &str = "2209,4482,7205";

/// The operation that is computed of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The product of both operands.
    Mul,
    /// The product of the first operand and at most this many words of the second.
    MulShort(usize),
    /// The square of the first operand; the second is not used.
    Square,
    /// The product modulo X^n - 1. n is the number of bits of an operand's bytes, less this number from 0 to 7.
    MulModXn1(usize),
}

impl Operation {
    /// Bits of an operand for messages of `length` bytes.
    #[must_use]
    pub fn bits(self, length: usize) -> usize {
        match self {
            Operation::MulModXn1(fewer) => 8 * length - fewer,
            _ => 8 * length,
        }
    }

    /// Words of 64 bits of the second operand, if the first has `bits` bits.
    pub(crate) fn second_words(self, bits: usize) -> usize {
        let words = bits.div_ceil(64);
        match self {
            Operation::MulShort(short) => words.min(short),
            _ => words,
        }
    }

    /// Words of 64 bits of the result, if the first operand has `bits` bits.
    fn result_words(self, bits: usize) -> usize {
        match self {
            Operation::MulModXn1(_) => bits.div_ceil(64),
            Operation::Square => 2 * bits.div_ceil(64),
            Operation::Mul | Operation::MulShort(_) => bits.div_ceil(64) + self.second_words(bits),
        }
    }

    /// The operands, the first of `bits` bits and the second cut as the operation needs it, from a key and a message.
    fn operands(self, bits: usize, key: &Key, message: &[u8]) -> Operands {
        let mut all = Operands::new(bits, key, message);
        all.b.truncate(self.second_words(bits));
        all
    }
}

/// Two operands, each below X^bits in words of 64 bits.
pub(crate) struct Operands {
    pub(crate) a: Vec<u64>,
    pub(crate) b: Vec<u64>,
}

impl Operands {
    pub(crate) fn new(bits: usize, key: &Key, message: &[u8]) -> Operands {
        let a: Vec<u64> = message.chunks(8).map(word).collect();
        let key = key.chunks(8).map(word).cycle();
        // Any cheap mix serves. The second operand must differ from the first, and from call to call with the
        // key.
        let b = a.iter().rev().zip(key).map(|(a, key)| a.rotate_left(17).wrapping_add(key)).collect();
        let cut = |mut words: Vec<u64>| {
            let unused = 64 * words.len() - bits;
            // Products modulo X^n - 1 take operands of degrees below n.
            *words.last_mut().expect("a message is not empty") &= !0 >> unused;
            words
        };
        Operands { a: cut(a), b: cut(b) }
    }
}

/// Up to eight little-endian bytes as a word.
pub(crate) fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// A digest of all words of a result, by FNV-1a with 128 bits on words. It fits the 16 bytes
/// that subjects are compared by.
pub(crate) fn digest(words: &[u64]) -> Tag {
    let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b_u128;
    // data/hqc.txt holds digests, so neither the start value nor the prime may change. The prime is FNV's
    // own, 2^88 + 0x13b. The start value is not.
    words.iter().fold(!0, |state: u128, &word| (state ^ u128::from(word)).wrapping_mul(prime)).to_le_bytes()
}

/// The digest of the result by the definition. Long products are split by Karatsuba's method until
/// the definition is fast enough.
pub fn reference(operation: Operation, key: &Key, message: &[u8]) -> Tag {
    let bits = operation.bits(message.len());
    let Operands { a, b } = operation.operands(bits, key, message);
    digest(&match operation {
        Operation::Mul => product(&a, &b),
        // Karatsuba's method splits operands of equal length, which these are not.
        Operation::MulShort(_) => gf2::mul(&a, &b),
        Operation::Square => gf2::square(&a),
        Operation::MulModXn1(_) => gf2::mod_xn_1(&product(&a, &b), bits),
    })
}

/// A product by Karatsuba's method, R0 + (R0 + R1 + R2) X^h + R1 X^(2h), where the definition bit
/// by bit would take minutes.
pub(crate) fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    if a.len() <= 32 {
        return gf2::mul(a, b);
    }
    let h = a.len().div_ceil(2);
    let sum = |a: &[u64]| -> Vec<u64> {
        // If the length is odd, the upper half lacks a word.
        let upper = a[h..].iter().copied().chain(std::iter::repeat(0));
        a[..h].iter().zip(upper).map(|(low, high)| low ^ high).collect()
    };
    let (r0, r1, r2) = (product(&a[..h], &b[..h]), product(&a[h..], &b[h..]), product(&sum(a), &sum(b)));
    let mut out = [r0.clone(), r1.clone()].concat();
    for part in [&r0, &r1, &r2] {
        out[h..].iter_mut().zip(part).for_each(|(out, word)| *out ^= word);
    }
    out
}

/// An operation as a subject. The second field makes the call for a number of bits, with its plan and scratch.
pub struct Products<P>(pub Operation, pub P);

impl<C, P> Work for Products<P>
where
    C: FnMut(&[u64], &[u64], &mut [u64]) + 'static,
    P: Fn(usize) -> C,
{
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let bits = self.0.bits(input.length());
        let mut call = (self.1)(bits);
        let all = input.keys().iter().zip(input.messages());
        let all: Vec<Operands> = all.map(|(key, message)| self.0.operands(bits, key, message)).collect();
        let mut out = vec![0; self.0.result_words(bits)];
        // black_box on operands and result, so that no call is hoisted out of the loop or left out.
        // A digest may take as long as a square: it is taken of the first call of each, which nobody times.
        let mut fresh = true;
        Box::new(move |tags, times| {
            if std::mem::take(&mut fresh) {
                for (tag, Operands { a, b }) in tags.iter_mut().zip(&all) {
                    call(a, b, &mut out);
                    *tag = digest(&out);
                }
            }
            for _ in 0..times {
                for Operands { a, b } in &all {
                    call(black_box(a), black_box(b), black_box(&mut out));
                }
            }
        })
    }
}

/// The call that multiplies by a plan. It owns the scratch.
pub(crate) fn by_plan(plan: Plan) -> impl FnMut(&[u64], &[u64], &mut [u64]) + 'static {
    let mut scratch = vec![0; plan.scratch_words()];
    move |a: &[u64], b: &[u64], out: &mut [u64]| plan.mul(a, b, out, &mut scratch)
}

/// The backends that are measured. Plain integers, which are some fifty times slower, are left out unless
/// there is nothing else. So are backends with GFNI, whose products are those of the backend without it.
pub(crate) fn backends() -> impl Iterator<Item = ClmulCpu> {
    let is_soft = |cpu: &ClmulCpu| matches!(cpu, ClmulCpu::Soft(_));
    ClmulCpu::available()
        .filter(move |cpu| !cpu.has_affine() && (!is_soft(cpu) || is_soft(&ClmulCpu::detect())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference's own shortcut by Karatsuba's method gives the products of the definition.
    #[test]
    fn long_reference_products_are_products() {
        for n in [33, 64, 65, 100, 131] {
            let words = |seed: u64| -> Vec<u64> {
                (1..=n as u64).map(|i| (i * seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
            };
            let (a, b) = (words(3), words(5));
            assert_eq!(product(&a, &b), gf2::mul(&a, &b), "{n} words");
        }
    }

    #[test]
    fn operands_have_the_bits_asked_for() {
        let message = [0xff; 2209];
        let Operands { a, b } = Operands::new(17669, &[1; 32], &message);
        assert_eq!((a.len(), b.len()), (277, 277));
        assert_eq!((a[276], b[276] >> 5), (31, 0));
        assert_ne!(a[..276], b[..276]);
    }

    #[test]
    fn a_digest_sees_every_word() {
        let words: Vec<u64> = (0..40).collect();
        for i in 0..40 {
            let mut other = words.clone();
            other[i] ^= 1 << 63;
            assert_ne!(digest(&words), digest(&other));
        }
    }
}
