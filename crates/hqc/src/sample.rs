//! Samplers: from streams to positions of ones.
use crate::keccak::{SHAKE256, Stream, run};
use crate::profile::{KeySampler, Profile, Reduction};
use crate::secret::SecretBytes;
use crate::set::ParameterSet;
use crate::support::{NOWHERE, insert, remove_repeated, replace_repeated, settled};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::marker::PhantomData;

/// All ones if a < b, otherwise zero. Both are below 2^31.
#[inline(always)]
fn below(a: u32, b: u32) -> u32 {
    // Of a mask that it knows to be one, the compiler makes a branch.
    settled(u64::from((a.wrapping_sub(b) >> 31).wrapping_neg())) as u32
}

/// x mod m. `inverse` is floor(2^32 / m), and m < 2^31.
#[inline(always)]
fn remainder(x: u32, m: u32, inverse: u32) -> u32 {
    let quotient = ((u64::from(x) * u64::from(inverse)) >> 32) as u32;
    // Below 2 m, as the quotient is at most one too small.
    let rest = x.wrapping_sub(quotient.wrapping_mul(m));
    rest.wrapping_sub(m & !below(rest, m))
}

/// floor(2^32 / m) for 1 < m.
const fn inverse(m: u32) -> u32 {
    ((1 << 32) / m as u64) as u32
}

/// Positions below n in `out`, all different, of words of 32 bits of a stream: position i is i + r_i reduced to 0..n - i, or i if that is equal
/// to a later one.
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
            let (r, m) = (u32::from_le_bytes(*bytes), n - i);
            *out = i + match reduction {
                Reduction::MultiplyShift => ((u64::from(r) * u64::from(m)) >> 32) as u32,
                Reduction::Remainder => remainder(r, m, inverse(m)),
            };
        }
        replace_repeated(s, out);
    }
}

/// `r1`, `r2` or `e`: as many positions as `out` has room for.
pub(crate) fn errors<S: ParameterSet, P: Profile>(cpu: ClmulCpu, stream: &[u8], out: &mut [u32]) {
    cpu.call_clmul(Fixed { n: S::N as u32, reduction: P::RULES.error_reduction, stream, out });
}

/// Bytes that a read of so many takes from a stream.
pub(crate) const fn read_bytes<P: Profile>(bytes: usize) -> usize {
    bytes.next_multiple_of(P::RULES.read_multiple)
}

/// How three bytes become a position.
#[derive(Clone, Copy)]
struct Candidates {
    n: u32,
    big_endian: bool,
}

impl Candidates {
    /// A position below n, and all ones if it is accepted, otherwise zero.
    #[inline(always)]
    fn position(self, [a, b, c]: [u8; 3]) -> (u32, u32) {
        let candidate = if self.big_endian { [c, b, a, 0] } else { [a, b, c, 0] };
        let value = u32::from_le_bytes(candidate);
        let bound = (1 << 24) / self.n * self.n;
        (remainder(value, self.n, inverse(self.n)), below(value, bound))
    }
}

/// The positions of as many candidates as `out` has room for, [`NOWHERE`] for those that are rejected or equal to an earlier one.
struct First<'a> {
    candidates: Candidates,
    bytes: &'a [u8],
    out: &'a mut [u32],
}

impl ClmulKernel for First<'_> {
    /// How many were accepted.
    type Out = u32;
    #[inline(always)]
    fn run<M: Clmul>(self, s: M) -> u32 {
        let First { candidates, bytes, out } = self;
        for (out, &bytes) in out.iter_mut().zip(bytes.as_chunks::<3>().0) {
            let (position, accepted) = candidates.position(bytes);
            *out = position | (NOWHERE & !accepted);
        }
        remove_repeated(s, out)
    }
}

/// The stream of a key's seed, whose first bytes are known.
struct KeyStream<'a, P> {
    cpu: ClmulCpu,
    seed: &'a [u8],
    known: &'a [u8],
    position: usize,
    profile: PhantomData<P>,
}

impl<P: Profile> KeyStream<'_, P> {
    /// The next bytes.
    fn read(&mut self, out: &mut [u8]) {
        match self.known.get(self.position..self.position + out.len()) {
            Some(bytes) => out.copy_from_slice(bytes),
            None => self.read_far(out),
        }
        self.position += read_bytes::<P>(out.len());
    }

    /// The same behind what is known, which happens with probability below 2^-128: from the beginning of the stream on.
    #[cold]
    fn read_far(&self, out: &mut [u8]) {
        let input = [self.seed, P::RULES.stream_domain];
        run(self.cpu, &mut [&mut Stream::new(SHAKE256, &input, out).skip(self.position)], &mut []);
    }
}

/// The positions of y, and of x if they are wanted, of the stream of a key's seed, of which `known` is the beginning.
///
/// The time depends on the number of candidates that were read, and on nothing else.
pub(crate) fn key<S: ParameterSet, P: Profile>(
    cpu: ClmulCpu,
    seed: &[u8],
    known: &[u8],
    y: &mut S::KeySupport,
    x: Option<&mut S::KeySupport>,
) {
    match P::RULES.key_sampler {
        KeySampler::Rejection { big_endian, blocks } => {
            let mut stream = KeyStream::<P> { cpu, seed, known, position: 0, profile: PhantomData };
            rejected::<S, P>(&mut stream, big_endian, blocks, y);
            if let Some(x) = x {
                rejected::<S, P>(&mut stream, big_endian, blocks, x);
            }
        }
        KeySampler::Fixed => {
            if let Some(x) = x {
                errors::<S, P>(cpu, known, x.as_mut());
            }
            errors::<S, P>(cpu, &known[read_bytes::<P>(4 * S::W)..], y.as_mut());
        }
    }
}

/// Whether there are fewer positions than wanted. The number of candidates that are read is public, and with it the answer; tools that follow secrets know this
/// function by its name.
#[inline(never)]
fn more_are_wanted(count: u32, wanted: usize) -> bool {
    (count as usize) < wanted
}

/// Positions by rejection.
fn rejected<S: ParameterSet, P: Profile>(
    stream: &mut KeyStream<'_, P>,
    big_endian: bool,
    blocks: bool,
    out: &mut S::KeySupport,
) {
    let (cpu, out) = (stream.cpu, out.as_mut());
    let mut block = SecretBytes::<S::KeyBlock>::zeroed();
    let block = block.as_mut();
    // So many candidates are read in any case.
    stream.read(block);
    let candidates = Candidates { n: S::N as u32, big_endian };
    let mut count = cpu.call_clmul(First { candidates, bytes: block, out });
    let mut used = block.len();
    while more_are_wanted(count, out.len()) {
        if used == block.len() || !blocks {
            used = 0;
            stream.read(if blocks { block } else { &mut block[..3] });
        }
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

    /// Numbers that repeat themselves often, of a seed.
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

    /// For each divisor of the sampler of 2023: around multiples, and at the end.
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
            let count = cpu.call_clmul(First { candidates, bytes: first, out: &mut out }) as usize;
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
                cpu.call_clmul(Fixed { n, reduction, stream: &bytes, out: &mut out });
                assert_eq!(out, expected, "{}", cpu.name());
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(expected.len(), 149);
            }
        }
    }
}
