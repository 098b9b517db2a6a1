//! From exponents to coefficients by comparing each exponent with the place of each word.
use carryless_lanes::{Clmul, Portable, Words};
use zeroize::optimization_barrier;

/// The number of vectors of `out` for which the exponents are read once; their sums stay in registers.
const VECTORS: usize = 8;

/// The largest number of words of these vectors: 8 for each.
const WORDS: usize = 8 * VECTORS;

/// The number of words that exponents of 32 bits reach; words beyond are zero.
const REACH: usize = 1 << 26;

/// A number below 2^32 in both halves of a word, for comparisons of 32 bits.
#[inline(always)]
fn twice(x: u32) -> u64 {
    u64::from(x) << 32 | u64::from(x)
}

/// `out` = the sum of X^e over all exponents. Overwrites all of `out`; constant time.
#[inline(always)]
pub(super) fn sum<S: Clmul>(s: S, exponents: &[u32], out: &mut [u64]) {
    let (out, beyond) = out.split_at_mut(out.len().min(REACH));
    beyond.fill(0);
    let (mut place, mut buffer) = (0, [0; WORDS]);
    for words in out.chunks_mut(VECTORS * S::WIDE) {
        // The last words fill no vectors: they go through a buffer.
        if words.len() == VECTORS * S::WIDE {
            block(s, exponents, place, words);
        } else {
            block(s, exponents, place, &mut buffer);
            words.copy_from_slice(&buffer[..words.len()]);
            // The buffer held secret coefficients; the barrier keeps the compiler from leaving out the wipe.
            buffer.fill(0);
            optimization_barrier(&buffer);
        }
        place += (VECTORS * S::WIDE) as u32;
    }
}

/// Computes the words of `out` from number `first` on. Each exponent adds its bit to the word whose place is its own.
#[inline(always)]
fn block<S: Clmul>(s: S, exponents: &[u32], first: u32, out: &mut [u64]) {
    // Places of words, which are public: the same for all exponents.
    let (mut places, mut i) = ([0; WORDS], 0);
    while i < VECTORS * S::WIDE {
        places[i] = twice(first + i as u32);
        i += 1;
    }
    let mut sums = [s.splat_wide(0); VECTORS];
    for &e in exponents {
        // The bit is hidden from the compiler, which otherwise makes a branch on the secret exponent.
        let (place, bit) =
            (s.splat_wide(twice(e / 64)), s.splat_wide(Portable::<1>.settle_word(1 << (e % 64))));
        let mut i = 0;
        while i < VECTORS {
            // All ones in the one word that the exponent is in, in both of its halves: three instructions, no
            // branch.
            let here = s.equal_wide(place, s.load_wide(&places[i * S::WIDE..]));
            sums[i] = s.xor_wide(sums[i], s.and_wide(here, bit));
            i += 1;
        }
    }
    let mut i = 0;
    while i < VECTORS {
        s.store_wide(sums[i], &mut out[i * S::WIDE..]);
        i += 1;
    }
}
