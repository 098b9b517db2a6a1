//! polyHash1271 (paper 001, Construction 1): the polynomial hash over 2^127 - 1, with blocks of 15 bytes.
//!
//! A key is an integer below 2^126 ([`Key1271`]). A digest is the canonical residue modulo 2^127 - 1, then modulo
//! 2^126, in 16 bytes, little-endian. It is the fastest of the polynomial hashes without vectors: a product of two
//! residues takes four 64-bit multiplications.
//!
//! Almost XOR universal: for two different messages of at most l blocks and any difference, the probability over
//! the key is at most l 2^-124 ([`axu_bound`]). It is NOT a MAC: an adversary who sees a digest can compute the
//! key. Sums of a digest and a mask are modulo 2^126.
//!
//! ```
//! use carryless_hash::Key1271;
//! use carryless_hash::polyhash1271::{PolyHash1271, digest};
//!
//! let key = Key1271::new(&[7; 16])?;
//! let mut stream = PolyHash1271::new(&key);
//! stream.update(b"mess");
//! stream.update(b"age");
//! assert_eq!(stream.finalize(), digest(&key, b"message"));
//! # Ok::<(), carryless_hash::KeyOutOfRange>(())
//! ```
use crate::bits::{self, WrongBitLength};
use crate::bound::{AxuBound, Prime};
use crate::choose::{ALL_KERNELS, ROWS_1271, ROWS_1271_IFMA, WORD_BLOCKS_1271};
use crate::dispatch::{call, call_ifma, compiled_for, has};
use crate::field::Field;
use crate::field1271::element::Element;
use crate::field1271::evaluate::{BLOCK, Point};
use crate::horner::{GROUPS, Horner};
use crate::join::{InvalidSegment, JoinError, Run, SEGMENT_BYTES};
use crate::key::Sealed as _;
use crate::key1271::Key1271;
use crate::plan::PlanMismatch;
use crate::stream::Stream;
use crate::wipe::keyed;
use carryless_lanes::Cpu;
use zeroize::Zeroizing;

/// The digest of `msg` under `key`: the canonical residue modulo 2^126, 16 bytes, little-endian. Runs on the best
/// machine of this CPU, in constant time for a given length.
#[must_use]
pub fn digest(key: &Key1271, msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), key, msg)
}

/// [`digest()`] on a machine of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    Point::new(cpu, key.tau()).evaluate(Element::ZERO, msg).digest().to_le_bytes()
}

/// [`digest_on`] of the first `bits` bits of `msg`, least significant bit of each byte first.
///
/// # Errors
/// [`WrongBitLength`] if `msg` is not `bits` bits long, or an unused bit of its last byte is not zero.
pub fn digest_bits_on(cpu: Cpu, key: &Key1271, msg: &[u8], bits: u64) -> Result<[u8; 16], WrongBitLength> {
    bits::check(msg, bits)?;
    if bits.is_multiple_of(8) {
        return Ok(digest_on(cpu, key, msg));
    }
    // The last byte has an unused bit, so the pad follows the last bit within the same byte.
    let (whole, tail) = msg.split_at((msg.len() - 1) / BLOCK * BLOCK);
    let mut block = [0; 16];
    block[..tail.len()].copy_from_slice(tail);
    block[tail.len() - 1] |= 1 << (bits % 8);
    let h = Point::new(cpu, key.tau()).evaluate(Element::ZERO, whole);
    Ok(h.sum(Element::from_bytes(&block)).product(key.tau()).digest().to_le_bytes())
}

/// A kernel for the polynomial, by name: for measurements and for reproducing papers. All kernels give the same
/// digest.
///
/// Without the feature `plans` only the kernels that the library selects itself are compiled, and the others
/// [serve](Plan::serves) no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Plan {
    /// 64-bit words, with one carry for `g` blocks, 1, 2, 3, 4 or 8 (any length).
    Words {
        /// Blocks that share one carry: 1, 2, 3, 4 or 8.
        g: usize,
    },
    /// Decimated Horner in radix 2^26, a block per lane, with one carry chain for `g` rows (paper 001, section 4.3).
    /// For `g` of 1, 2, 3, 4 or 8 and messages of more blocks than the machine has lanes.
    Lanes {
        /// Rows per carry chain, the papers' delayed reduction.
        g: usize,
    },
    /// Decimated Horner in radix 2^43 with 52-bit multiply-add, on machines that have it ([`Cpu::has_ifma`]).
    LanesIfma {
        /// Rows of blocks that share one carry chain: 1, 2, 3, 4 or 8.
        g: usize,
    },
    /// `Lanes` in four limbs of radix 2^32 (paper 001, section 4.2): fewer multiplications and more of everything else,
    /// slower on every machine. To reproduce the paper's comparison.
    FourLimbs {
        /// Rows of blocks that share one carry chain: 1, 2, 3, 4 or 8.
        g: usize,
    },
}

impl Plan {
    /// Every plan that serves messages of `len` bytes on `cpu`.
    pub fn all(cpu: Cpu, len: usize) -> impl Iterator<Item = Plan> {
        let known = |g| [Plan::Words { g }, Plan::Lanes { g }, Plan::LanesIfma { g }, Plan::FourLimbs { g }];
        GROUPS.into_iter().flat_map(known).filter(move |plan| plan.serves(cpu, len))
    }

    /// True if this plan serves messages of `len` bytes on `cpu`.
    #[must_use]
    pub fn serves(self, cpu: Cpu, len: usize) -> bool {
        let fits = len.div_ceil(BLOCK) > cpu.lanes() && compiled_for(cpu);
        match self {
            Plan::Words { g } => has(WORD_BLOCKS_1271, g),
            Plan::Lanes { g } => has(ROWS_1271, g) && fits,
            Plan::FourLimbs { g } => ALL_KERNELS && GROUPS.contains(&g) && fits,
            Plan::LanesIfma { g } => has(ROWS_1271_IFMA, g) && fits && cpu.has_ifma(),
        }
    }
}

/// [`digest_on`] with a kernel of the caller's choice.
///
/// # Errors
/// [`PlanMismatch`] if the plan does not serve this length on this machine.
pub fn digest_with(cpu: Cpu, plan: Plan, key: &Key1271, msg: &[u8]) -> Result<[u8; 16], PlanMismatch> {
    if !plan.serves(cpu, msg.len()) {
        return Err(PlanMismatch);
    }
    let point = Point::new(cpu, key.tau());
    let horner = |g| Horner { point: point.base(), h: Element::ZERO, msg, g };
    let value = match plan {
        Plan::Words { g } => point.words(Element::ZERO, msg, g),
        Plan::Lanes { g } => call(cpu, horner(g)),
        Plan::LanesIfma { g } => call_ifma(cpu, horner(g)),
        #[cfg(not(any(feature = "plans", test)))]
        Plan::FourLimbs { .. } => return Err(PlanMismatch),
        #[cfg(any(feature = "plans", test))]
        Plan::FourLimbs { g } => call(cpu, crate::field1271::research::HornerInFourLimbs(horner(g))),
    };
    Ok(value.digest().to_le_bytes())
}

/// The bound on the probability that two different messages of at most `len` bytes have a given difference of
/// digests: l 2^-124 for l blocks of 15 bytes (paper 001, Theorem 3).
#[must_use]
pub fn axu_bound(len: u64) -> AxuBound {
    Prime::P1271.polyhash(len)
}

/// polyHash1271 of a message that comes in pieces of any length. 0.7 KiB; wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct PolyHash1271 {
    stream: Stream<Point>,
}

keyed!([] PolyHash1271, "PolyHash1271", { stream });

impl PolyHash1271 {
    /// Starts on the best machine of this CPU.
    #[must_use]
    pub fn new(key: &Key1271) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Starts on a machine of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &Key1271) -> Self {
        PolyHash1271 { stream: Stream::new(Point::new(cpu, key.tau())) }
    }

    /// Appends bytes. The digest does not depend on how the message is cut into pieces. Never fails.
    pub fn update(&mut self, msg: &[u8]) {
        self.stream.update(msg);
    }

    /// Returns to the empty message under the same key. Wipes the state of the previous message; precomputed powers
    /// stay.
    pub fn reset(&mut self) {
        self.stream.reset();
    }

    /// The digest of all bytes so far: 16 bytes, little-endian, below 2^126. More may follow.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        self.stream.finish().digest().to_le_bytes()
    }

    /// The digest of all bytes, and the end of the stream.
    #[must_use]
    #[inline(always)]
    pub fn finalize(self) -> [u8; 16] {
        self.digest()
    }
}

/// A key with precomputed powers, for many messages or for the segments of a large one. 0.5 KiB; wiped by `zeroize`
/// and on drop.
#[derive(Clone)]
pub struct PreparedKey {
    point: Point,
}

keyed!([] PreparedKey, "PreparedKey", { point });

/// The hash of a segment, a run of bytes of a larger message, to be joined with its neighbours. It holds a copy of
/// the key and is as secret as the key.
#[derive(Clone)]
pub struct Segment {
    run: Run<Element>,
}

keyed!([] Segment, "Segment", { run });

impl PreparedKey {
    /// Prepares a key on the best machine of this CPU.
    #[must_use]
    pub fn new(key: &Key1271) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Prepares a key on a machine of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &Key1271) -> Self {
        let mut point = Point::new(cpu, key.tau());
        point.prepare();
        PreparedKey { point }
    }

    /// The digest of `msg` under this key: 16 bytes, little-endian, below 2^126. Equal to
    /// [`digest()`](crate::polyhash1271::digest()).
    #[must_use]
    pub fn digest(&self, msg: &[u8]) -> [u8; 16] {
        self.value(msg).digest().to_le_bytes()
    }

    fn value(&self, msg: &[u8]) -> Element {
        self.point.evaluate(Element::ZERO, msg)
    }

    /// Hashes a segment of a larger message. All segments but the last must be multiples of 15 bytes long, or they
    /// will not join.
    #[must_use]
    pub fn segment(&self, msg: &[u8]) -> Segment {
        Segment { run: Run::new(self.point.tau(), self.value(msg), msg.len()) }
    }
}

impl Segment {
    /// Joins this segment and the one that follows it: V(A || B) = V(A) tau^(blocks of B) + V(B).
    ///
    /// # Errors
    /// [`JoinError`] if they were hashed under different keys, if this one is not a multiple of 15 bytes long, or
    /// if both together have 2^64 bytes or more.
    pub fn join(&self, next: &Segment) -> Result<Segment, JoinError> {
        Ok(Segment { run: self.run.join(&next.run)? })
    }

    /// Length in bytes of a serialized segment, as [`to_secret_bytes`](Segment::to_secret_bytes) returns it.
    pub const SECRET_BYTES: usize = SEGMENT_BYTES;

    /// The first 8 bytes of a serialized segment: the name of the hash.
    const NAME: &[u8; 8] = b"clph1271";

    /// Serializes the segment, so that it can leave the process: the ASCII text `clph1271`, the length in 8 bytes,
    /// the key in 16 and the value in 24, little-endian. The bytes contain the key and are as secret as it.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; Segment::SECRET_BYTES]> {
        self.run.to_secret_bytes(Self::NAME)
    }

    /// Parses the bytes of [`to_secret_bytes`](Segment::to_secret_bytes). They are not authenticated: anyone who
    /// can change them decides what the digest is. The caller must know that they belong to the right message.
    ///
    /// # Errors
    /// [`InvalidSegment`] if they are not a segment of this hash.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<Segment, InvalidSegment> {
        Ok(Segment { run: Run::from_secret_bytes(Self::NAME, bytes)? })
    }

    /// The digest, if the segment is the whole message: 16 bytes, little-endian.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        self.run.digest()
    }

    /// The number of bytes of the message that the segment covers.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.run.len()
    }

    /// True if the segment covers no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field1271::testing::{key, special_messages};
    use crate::field1305::testing::{Rng, sample};
    use carryless_reference::{P1271, polyhash};

    fn want(key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
        polyhash(&P1271, key, msg.into()).expect("below 2^126")
    }

    /// Every length, every plan, with and without powers ready, on every machine.
    #[test]
    fn every_length() {
        let mut rng = Rng(40);
        for len in sample(0..900) {
            let (bytes, msg) = (key(&mut rng), rng.bytes(len));
            let (key, want) = (Key1271::new(&bytes).expect("below 2^126"), want(&bytes, &msg));
            for cpu in Cpu::available() {
                assert_eq!(digest_on(cpu, &key, &msg), want, "{len} bytes, {}", cpu.name());
                let prepared = PreparedKey::on(cpu, &key);
                assert_eq!(prepared.digest(&msg), want, "{len} bytes, prepared, {}", cpu.name());
                for plan in Plan::all(cpu, len) {
                    let got = digest_with(cpu, plan, &key, &msg);
                    assert_eq!(got, Ok(want), "{len} bytes, {plan:?}, {}", cpu.name());
                }
            }
        }
    }

    /// Lengths around those where another kernel serves, in pieces and as joined segments too.
    #[test]
    fn longer_messages_streams_and_segments() {
        let mut rng = Rng(41);
        for len in [500, 501, 601, 2999, 3000, 3001, 10_000] {
            let (bytes, msg) = (key(&mut rng), rng.bytes(len));
            let (key, want) = (Key1271::new(&bytes).expect("below 2^126"), want(&bytes, &msg));
            for cpu in Cpu::available() {
                let prepared = PreparedKey::on(cpu, &key);
                assert_eq!(digest_on(cpu, &key, &msg), want, "{len} bytes, {}", cpu.name());
                assert_eq!(prepared.digest(&msg), want, "{len} bytes, prepared, {}", cpu.name());
                for piece in [1, 7, 15, 16, 100, 1000] {
                    let mut stream = PolyHash1271::on(cpu, &key);
                    msg.chunks(piece).for_each(|piece| stream.update(piece));
                    assert_eq!(stream.finalize(), want, "{len} bytes by {piece}, {}", cpu.name());
                }
                for cut in [0, 15, 300, len / 15 * 15] {
                    let (a, b) = msg.split_at(cut);
                    let joined = prepared.segment(a).join(&prepared.segment(b));
                    let joined = joined.map(|joined| (joined.digest(), joined.len()));
                    assert_eq!(joined, Ok((want, len as u64)), "{len} bytes cut at {cut}, {}", cpu.name());
                }
            }
        }
    }

    /// Messages whose residues are next to 0 and to p, which random ones never meet.
    #[test]
    fn residues_at_the_border() {
        for (bytes, msg) in special_messages() {
            let (key, want) = (Key1271::new(&bytes).expect("below 2^126"), want(&bytes, &msg));
            for cpu in Cpu::available() {
                assert_eq!(digest_on(cpu, &key, &msg), want, "{}", cpu.name());
                assert_eq!(PreparedKey::on(cpu, &key).digest(&msg), want, "prepared, {}", cpu.name());
                for plan in Plan::all(cpu, msg.len()) {
                    assert_eq!(digest_with(cpu, plan, &key, &msg), Ok(want), "{plan:?}, {}", cpu.name());
                }
            }
        }
    }

    #[test]
    fn refuses() {
        let key = Key1271::new(&[1; 16]).expect("below 2^126");
        let cpu = Cpu::detect();
        assert_eq!(digest_with(cpu, Plan::Words { g: 5 }, &key, &[]), Err(PlanMismatch));
        assert_eq!(digest_with(cpu, Plan::Lanes { g: 1 }, &key, &[0; 30]), Err(PlanMismatch));
        let prepared = PreparedKey::on(cpu, &key);
        assert!(prepared.segment(&[0; 16]).join(&prepared.segment(&[])).is_err());
        for bytes in [(1u128 << 126).to_le_bytes(), (1u128 << 127).to_le_bytes(), [0xff; 16]] {
            assert!(Key1271::new(&bytes).is_err());
        }
        assert!(Key1271::new(&((1u128 << 126) - 1).to_le_bytes()).is_ok());
    }

    #[test]
    fn bits_are_padded_after_the_last_one() {
        let mut rng = Rng(42);
        for bits in 0..500u64 {
            let (bytes, mut msg) = (key(&mut rng), rng.bytes(bits as usize / 8 + 1));
            msg.truncate(bits.div_ceil(8) as usize);
            if let Some(last) = msg.last_mut().filter(|_| bits % 8 > 0) {
                *last &= (1 << (bits % 8)) - 1;
            }
            let of_bits = carryless_reference::Message::of_bits(&msg, bits as usize).expect("cut to length");
            let want = polyhash(&P1271, &bytes, of_bits).expect("below 2^126");
            let key = Key1271::new(&bytes).expect("below 2^126");
            assert_eq!(digest_bits_on(Cpu::detect(), &key, &msg, bits), Ok(want), "{bits} bits");
        }
    }
}
