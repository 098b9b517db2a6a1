//! Samplers: turn the output of SHAKE256 into the positions of the ones of sparse vectors.
//!
//! Positions are secret. The errors r1, r2 and e are drawn without rejection, in constant time: decapsulation
//! samples them again from the decrypted message, and a time that depended on it would be a
//! plaintext-checking oracle (Guo et al., eprint 2021/1485). The key's x and y are drawn by rejection in
//! profiles `nr` and `v5`. There only the number of candidates read is visible; it depends on the seed of the
//! key alone.
//!
//! No division has a secret operand, because its time varies on many processors ("Divide and Surrender",
//! USENIX Security 2024).
use crate::keccak::{SHAKE256, Stream, run};
use crate::profile::{KeySampler, Profile, Reduction};
use crate::secret::SecretBytes;
use crate::set::ParameterSet;
use crate::support::{NOWHERE, insert, remove_repeated, replace_repeated, settled};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::marker::PhantomData;

/// Returns all ones if a < b, otherwise zero. They must differ by less than 2^31. Constant time.
#[inline(always)]
fn below(a: u32, b: u32) -> u32 {
    // Hides from the compiler that the word is a mask: it would replace selects by branches.
    settled(u64::from((a.wrapping_sub(b) >> 31).wrapping_neg())) as u32
}

/// Returns x mod m without a division, given `inverse` = floor(2^32 / m). Requires 1 < m < 2^31. Constant time.
#[inline(always)]
fn remainder(x: u32, m: u32, inverse: u32) -> u32 {
    let quotient = ((u64::from(x) * u64::from(inverse)) >> 32) as u32;
    // The quotient is too small by one at most: x / m - x inverse / 2^32 = (2^32 / m - inverse) x / 2^32, a
    // product of two factors below 1. So `rest` is below 2 m, and one masked subtraction finishes.
    let rest = x.wrapping_sub(quotient.wrapping_mul(m));
    rest.wrapping_sub(m & !below(rest, m))
}

/// Returns floor(2^32 / m) for m > 1. Divides: m must be public.
const fn inverse(m: u32) -> u32 {
    ((1 << 32) / m as u64) as u32
}

/// Samples `out.len()` different positions below n without rejection, from little-endian words of 32 bits.
///
/// Position i is first i + r_i, with word i of the stream reduced to r_i in 0..n - i. Then, from the last
/// one down, a position that equals a later one becomes i. This is the fixed-weight sampler of the
/// specification, after Sendrier (eprint 2021/1631).
struct Fixed<'a> {
    n: u32,
    reduction: Reduction,
    stream: &'a [u8],
    out: &'a mut [u32],
}

impl ClmulKernel for Fixed<'_> {
    type Out = ();
    #[inline(always)]
    fn run<M: Clmul>(self, s: M) {
        let Fixed { n, reduction, stream, out } = self;
        for ((i, out), bytes) in (0..).zip(out.iter_mut()).zip(stream.as_chunks::<4>().0) {
            // `m` depends on i and n only, so that `inverse(m)` divides public numbers. Either reduction
            // gives a number below m = n - i, so the position is from i to n - 1: what `replace_repeated`
            // requires.
            let (r, m) = (u32::from_le_bytes(*bytes), n - i);
            *out = i + match reduction {
                Reduction::MultiplyShift => ((u64::from(r) * u64::from(m)) >> 32) as u32,
                Reduction::Remainder => remainder(r, m, inverse(m)),
            };
        }
        replace_repeated(s, out);
    }
}

/// Samples the support of r1, r2 or e, the positions of its ones: `out.len()` different positions below n, unsorted.
/// Constant time.
///
/// `stream` must have at least 4 bytes for each position; its further bytes do not matter.
pub(crate) fn errors<S: ParameterSet, P: Profile>(cpu: ClmulCpu, stream: &[u8], out: &mut [u32]) {
    fixed(cpu, Fixed { n: S::N as u32, reduction: P::RULES.error_reduction, stream, out });
}

// The next two functions are not generic, so that their kernels are compiled here: generic ones would be compiled again
// in each crate that names a scheme.

/// Samples positions without rejection, on the backend `cpu`. Constant time.
fn fixed(cpu: ClmulCpu, kernel: Fixed<'_>) {
    cpu.call(kernel);
}

/// Converts the first candidates on the backend `cpu`, and returns how many became positions. Constant time.
fn first(cpu: ClmulCpu, kernel: First<'_>) -> u32 {
    cpu.call(kernel)
}

/// Returns the number of stream bytes that a read of `bytes` bytes consumes. Some profiles read whole words
/// of 64 bits and drop the rest.
pub(crate) const fn read_bytes<P: Profile>(bytes: usize) -> usize {
    bytes.next_multiple_of(P::RULES.read_multiple)
}

/// How a candidate of three bytes becomes a position below n.
#[derive(Clone, Copy)]
struct Candidates {
    n: u32,
    big_endian: bool,
}

impl Candidates {
    /// Returns the position, below n, and a mask: all ones if the candidate is accepted, otherwise zero. Constant time.
    #[inline(always)]
    fn position(self, [a, b, c]: [u8; 3]) -> (u32, u32) {
        // A branch on a constant of the profile, not on the candidate.
        let candidate = if self.big_endian { [c, b, a, 0] } else { [a, b, c, 0] };
        let value = u32::from_le_bytes(candidate);
        // Candidates from the largest multiple of n on are rejected, as they would make small positions more
        // likely. The quotient by n is computed for them too, so that both outcomes take the same time.
        let bound = (1 << 24) / self.n * self.n;
        (remainder(value, self.n, inverse(self.n)), below(value, bound))
    }
}

/// Converts the first candidates, as many as `out` has room for. Rejected ones and those equal to an earlier
/// one become [`NOWHERE`]. Constant time.
struct First<'a> {
    candidates: Candidates,
    bytes: &'a [u8],
    out: &'a mut [u32],
}

impl ClmulKernel for First<'_> {
    /// Number of places of `out` that hold a position.
    type Out = u32;
    #[inline(always)]
    fn run<M: Clmul>(self, s: M) -> u32 {
        let First { candidates, bytes, out } = self;
        for (out, &bytes) in out.iter_mut().zip(bytes.as_chunks::<3>().0) {
            let (position, accepted) = candidates.position(bytes);
            // Or with all ones: NOWHERE is the largest number.
            *out = position | (NOWHERE & !accepted);
        }
        remove_repeated(s, out)
    }
}

/// The stream SHAKE256(seed, domain) of a key's seed. Its first bytes, `known`, have been
/// computed together with other hashes.
struct KeyStream<'a, P> {
    cpu: ClmulCpu,
    seed: &'a [u8],
    known: &'a [u8],
    position: usize,
    profile: PhantomData<P>,
}

impl<P: Profile> KeyStream<'_, P> {
    /// Copies the next bytes of the stream to `out`, and skips those that a read of this profile drops after them.
    fn read(&mut self, out: &mut [u8]) {
        // Whether `known` suffices depends on the number of bytes read so far, which is public.
        match self.known.get(self.position..self.position + out.len()) {
            Some(bytes) => out.copy_from_slice(bytes),
            None => self.read_far(out),
        }
        self.position += read_bytes::<P>(out.len());
    }

    /// Reads bytes that `known` does not hold, by hashing from the beginning of the stream.
    ///
    /// With [`ParameterSet::KEY_STREAM_BYTES`] known this happens with probability below 2^-128; hence
    /// the cost does not matter.
    #[cold]
    fn read_far(&self, out: &mut [u8]) {
        let input = [self.seed, P::RULES.stream_domain];
        run(self.cpu, &mut [&mut Stream::new(SHAKE256, &input, out).skip(self.position)], &mut []);
    }
}

/// Samples the supports of y and, if wanted, of x from the stream of a key's seed. `known` is the beginning of that stream;
/// it may be empty, which costs more hashing.
///
/// Positions are different and below n; their order may differ from the reference code's. The time depends on
/// the number of candidates read, which is public, and on no other property of the seed.
pub(crate) fn key<S: ParameterSet, P: Profile>(
    cpu: ClmulCpu,
    seed: &[u8],
    known: &[u8],
    y: &mut S::KeySupport,
    x: Option<&mut S::KeySupport>,
) {
    let mut stream = KeyStream::<P> { cpu, seed, known, position: 0, profile: PhantomData };
    match P::RULES.key_sampler {
        KeySampler::Rejection { big_endian, blocks } => {
            // y is first in the stream, so that decapsulation, which needs no x, can stop here.
            rejected::<S, P>(&mut stream, big_endian, blocks, y);
            if let Some(x) = x {
                rejected::<S, P>(&mut stream, big_endian, blocks, x);
            }
        }
        KeySampler::Fixed => {
            let mut space = SecretBytes::<S::KeyStream>::zeroed();
            let sample = &mut space.as_mut()[..4 * S::W];
            // x comes first in this profile. Without rejection its length is fixed, so y is found without it:
            // decapsulation skips the bytes of x.
            match x {
                Some(x) => {
                    stream.read(sample);
                    errors::<S, P>(cpu, sample, x.as_mut());
                }
                None => stream.position = read_bytes::<P>(4 * S::W),
            }
            stream.read(sample);
            errors::<S, P>(cpu, sample, y.as_mut());
        }
    }
}

/// Returns whether positions are missing. Its result is public: it shows only the number of candidates read.
///
/// Not inlined, because the tools that track secrets exempt this function by its name.
#[inline(never)]
fn more_are_wanted(count: u32, wanted: usize) -> bool {
    (count as usize) < wanted
}

/// Samples the support `out` by rejection: `S::W` different positions below n.
///
/// With `blocks`, candidates are read S::W at a time and the rest of the last block is dropped (profile
/// `v5`); otherwise one by one (profile `nr`).
fn rejected<S: ParameterSet, P: Profile>(
    stream: &mut KeyStream<'_, P>,
    big_endian: bool,
    blocks: bool,
    out: &mut S::KeySupport,
) {
    let (cpu, out) = (stream.cpu, out.as_mut());
    let mut block = SecretBytes::<S::KeyBlock>::zeroed();
    let block = block.as_mut();
    // At least S::W candidates are read in any case, so they are converted together, in vectors. Profile `nr` reads
    // them one by one, but drops no bytes between reads.
    stream.read(block);
    let candidates = Candidates { n: S::N as u32, big_endian };
    let mut count = first(cpu, First { candidates, bytes: block, out });
    let mut used = block.len();
    while more_are_wanted(count, out.len()) {
        // Single candidates are read each time, blocks when their last candidate has been used.
        if used == block.len() || !blocks {
            used = 0;
            stream.read(if blocks { block } else { &mut block[..3] });
        }
        // Few positions are missing now: a candidate is rejected or repeated with probability below 1 %.
        // `insert` still visits every place, so that neither the position nor its place shows.
        // Invariant: `count` places of `out` hold different positions, the others NOWHERE.
        let (position, accepted) = candidates.position([block[used], block[used + 1], block[used + 2]]);
        count += insert(out, position, accepted) & 1;
        used += 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{Category1, Category3, Category5};
    use std::vec;
    use std::vec::Vec;

    const DEGREES: [u32; 3] = [Category1::N as u32, Category3::N as u32, Category5::N as u32];

    /// Returns `len` bytes of SHAKE256 of one byte.
    fn bytes(seed: u8, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        run(ClmulCpu::detect(), &mut [&mut Stream::new(SHAKE256, &[&[seed]], &mut bytes)], &mut []);
        bytes
    }

    #[test]
    fn every_candidate_is_reduced() {
        let step = if cfg!(miri) { 4099 } else { 1 };
        for n in DEGREES {
            let inverse = inverse(n);
            for value in (0..1 << 24).step_by(step) {
                assert_eq!(remainder(value, n, inverse), value % n);
            }
        }
    }

    /// Tests every divisor of the sampler of profile `2023`: around multiples, and at the largest word.
    #[test]
    fn words_are_reduced() {
        for m in DEGREES.into_iter().flat_map(|n| n - 149..=n) {
            let multiples = (0..100).map(|i| u32::MAX / m / 99 * i * m).chain([u32::MAX / m * m]);
            for value in multiples.flat_map(|x| [x.wrapping_sub(1), x, x + 1]).chain([u32::MAX]) {
                assert_eq!(remainder(value, m, inverse(m)), value % m, "{value} mod {m}");
            }
        }
    }

    #[test]
    fn candidates_that_come_again_or_are_too_large() {
        for (cpu, seed) in ClmulCpu::available().zip(0..) {
            // About a third of the candidates are of no use.
            let (n, bytes) = (200, bytes(seed, 3 * 150));
            let mut expected = Vec::new();
            let bound = (1 << 24) / n * n;
            let mut bytes_seen = Vec::new();
            for candidate in bytes.as_chunks::<3>().0 {
                // Some are below the bound, 0xfffff0, at it, and above.
                let candidate = match candidate[0] {
                    0..7 => [0xef, 0xff, 0xff],
                    7..14 => [0xf0, 0xff, 0xff],
                    14..20 => [0xf8, 0xff, 0xff],
                    _ => *candidate,
                };
                bytes_seen.extend(candidate);
                let value = u32::from_le_bytes([candidate[0], candidate[1], candidate[2], 0]);
                if value < bound && !expected.contains(&(value % n)) {
                    expected.push(value % n);
                }
            }
            let candidates = Candidates { n, big_endian: false };
            let mut out = vec![0; 120];
            let (first, others) = bytes_seen.split_at(3 * 120);
            let count = cpu.call(First { candidates, bytes: first, out: &mut out }) as usize;
            let places: Vec<u32> = out.iter().copied().filter(|place| *place != NOWHERE).collect();
            assert_eq!(places, expected[..count], "{}", cpu.name());
            for candidate in others.as_chunks::<3>().0 {
                let (position, accepted) = candidates.position(*candidate);
                insert(&mut out, position, accepted);
            }
            assert!((80..120).contains(&expected.len()));
            out.sort_unstable();
            expected.sort_unstable();
            assert_eq!(out[..expected.len()], expected, "{}", cpu.name());
            assert!(out[expected.len()..].iter().all(|place| *place == NOWHERE));
        }
    }

    #[test]
    fn positions_that_come_again() {
        for (cpu, seed) in ClmulCpu::available().zip(0..) {
            for reduction in [Reduction::MultiplyShift, Reduction::Remainder] {
                let (n, bytes) = (160, bytes(seed, 4 * 149));
                let reduce = |(i, bytes): (u32, &[u8; 4])| {
                    let (r, m) = (u32::from_le_bytes(*bytes), n - i);
                    i + if reduction == Reduction::Remainder {
                        r % m
                    } else {
                        ((u64::from(r) * u64::from(m)) >> 32) as u32
                    }
                };
                let mut expected: Vec<u32> = (0..).zip(bytes.as_chunks::<4>().0).map(reduce).collect();
                for i in (0..expected.len()).rev() {
                    if expected[i + 1..].contains(&expected[i]) {
                        expected[i] = i as u32;
                    }
                }
                let mut out = vec![0; 149];
                cpu.call(Fixed { n, reduction, stream: &bytes, out: &mut out });
                assert_eq!(out, expected, "{}", cpu.name());
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(expected.len(), 149);
            }
        }
    }
}
