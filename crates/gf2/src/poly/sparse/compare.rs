//! Exponents to coefficients by comparing each exponent with the place of each word.
use carryless_lanes::{Clmul, Portable, Words};
use zeroize::optimization_barrier;

/// Vectors of `out` for which the exponents are read once.
const VECTORS: usize = 8;

/// The most words of so many vectors.
const WORDS: usize = 8 * VECTORS;

/// Words beyond these have no exponents.
const REACH: usize = 1 << 26;

/// A number below 2^32 in both halves of a word.
#[inline(always)]
fn twice(x: u32) -> u64 {
    u64::from(x) << 32 | u64::from(x)
}

/// `out` = the sum of X^e for all e.
#[inline(always)]
pub(super) fn sum<S: Clmul>(s: S, exponents: &[u32], out: &mut [u64]) {
    let (out, beyond) = out.split_at_mut(out.len().min(REACH));
    beyond.fill(0);
    let (mut place, mut buffer) = (0, [0; WORDS]);
    for words in out.chunks_mut(VECTORS * S::WIDE) {
        if words.len() == VECTORS * S::WIDE {
            block(s, exponents, place, words);
        } else {
            block(s, exponents, place, &mut buffer);
            words.copy_from_slice(&buffer[..words.len()]);
            buffer.fill(0);
            optimization_barrier(&buffer);
        }
        place += (VECTORS * S::WIDE) as u32;
    }
}

/// The words from `first` on: of each exponent the bit where the place is its own.
#[inline(always)]
fn block<S: Clmul>(s: S, exponents: &[u32], first: u32, out: &mut [u64]) {
    let (mut places, mut i) = ([0; WORDS], 0);
    while i < VECTORS * S::WIDE {
        places[i] = twice(first + i as u32);
        i += 1;
    }
    let mut sums = [s.splat_wide(0); VECTORS];
    for &e in exponents {
        let (place, bit) =
            (s.splat_wide(twice(e / 64)), s.splat_wide(Portable::<1>.settle_word(1 << (e % 64))));
        let mut i = 0;
        while i < VECTORS {
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
