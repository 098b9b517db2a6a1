//! 4-decBRWHash1305 on two levels: the digests of the parts of a long message are hashed again, under another key.
//!
//! # Bound
//!
//! Two different messages of at most l blocks of 16 bytes have digests under H_k with a given difference modulo 2^128 with
//! probability at most eps(l) = (2l + 9) 2^-125 (paper 001, Theorem 4). One of them may be empty: its digest is 0, and the
//! polynomial of the other has the coefficient L of k, its length in bits, which is not 0.
//!
//! Two different messages X and Y of at most s parts have the same digest D with probability at most eps(2^16) + eps(s), over
//! independent k1 and k1'. There are four cases:
//!
//! 1. Both have at most 2^20 bytes. Both digests are values of H_k1 at different messages: eps(l), with l at most 2^16.
//! 2. Both are longer, of different numbers of parts. The inputs of the second level have different lengths, so they
//!    differ whatever k1 is: eps(s), over k1'.
//! 3. Both are longer, of the same number of parts. Some parts in the same place differ. Their digests are equal with
//!    probability at most eps(2^16). If they are not, the inputs of the second level differ, and D(X) = D(Y) has
//!    probability at most eps(s) over k1', which is independent of k1.
//! 4. X has at most 2^20 bytes, Y is longer. Fix k1. Then D(X) is a constant, and D(Y) = H_k1'(Z) for a fixed Z of at least
//!    32 bytes. The empty message has the digest 0, so H_k1'(Z) - H_k1'(empty) = D(X) has probability at most eps(s) over
//!    k1'. With one key for both levels this step would fail.
//!
//! If no two digests of messages and attempts collide, each new tag is a fresh output of the pseudorandom function, which is
//! guessed with probability 2^-128. Under many keys, of at most Q messages each and q in all, the bounds add up to at most
//! q Q / 2 eps + v 2^-128, since the sum of the q_i^2 is at most Q times the sum of the q_i.
use carryless_hash::Cpu;
use carryless_hash::decbrwhash1305::{DecBrwHash1305, PreparedKey, Streams};
use zeroize::{Zeroize as _, Zeroizing};

use super::{Digest, HashKey, PART};
use crate::wipe::wiped;

/// The keys of both levels, k1 and k1'.
#[derive(Clone)]
pub(super) struct Keys {
    cpu: Cpu,
    /// k1, for parts and short messages.
    pub(super) part: HashKey,
    /// k1', for the digests of the parts.
    top: HashKey,
}

wiped!(Keys { part, top; cpu });

/// The keys of both levels, and the precomputed powers of k1.
#[derive(Clone)]
pub(super) struct TwoLevel {
    pub(super) keys: Keys,
    prepared: PreparedKey,
}

wiped!(TwoLevel { keys, prepared });

impl TwoLevel {
    pub(super) fn on(cpu: Cpu, part: HashKey, top: HashKey) -> Self {
        // Powers for one part suffice: no message under k1 is longer.
        let prepared = PreparedKey::for_len(cpu, Streams::Four, &part, PART);
        Self { keys: Keys { cpu, part, top }, prepared }
    }

    /// The digest of a message in memory: on one level up to 2^20 bytes, else on two.
    pub(super) fn message(&self, msg: &[u8]) -> Digest {
        if msg.len() <= PART {
            return self.part(msg);
        }
        let mut joined = self.joined();
        // The bytes of the second level are 16 per part: 2^-16 of the message, so it costs nothing by comparison.
        msg.chunks(PART).for_each(|part| joined.push(&self.part(part)));
        joined.finish()
    }

    /// The digest of a part, or of a message of at most 2^20 bytes, under k1.
    pub(super) fn part(&self, msg: &[u8]) -> Digest {
        Zeroizing::new(self.prepared.digest(msg))
    }

    /// Starts a message whose parts are hashed separately.
    pub(super) fn joined(&self) -> Joined {
        Joined::new(&self.keys)
    }

    /// Starts a message that comes in pieces.
    pub(super) fn stream(&self) -> TwoLevelStream {
        let part = DecBrwHash1305::on(self.keys.cpu, &self.keys.part);
        TwoLevelStream { joined: self.joined(), part, filled: 0 }
    }
}

/// The digests of the parts so far, absorbed into the hash of the second level.
#[derive(Clone)]
pub(super) struct Joined {
    /// The digest of the first part, which is also that of the message if there is no other part. Zero, the digest
    /// of the empty message, if there is none.
    first: Digest,
    parts: u64,
    top: DecBrwHash1305,
}

wiped!(Joined { first, parts, top });

impl Joined {
    fn new(keys: &Keys) -> Self {
        Self { first: Digest::default(), parts: 0, top: DecBrwHash1305::on(keys.cpu, &keys.top) }
    }

    fn reset(&mut self) {
        self.first.zeroize();
        self.parts = 0;
        self.top.reset();
    }

    /// Appends the digest of the next part. The part must not be empty.
    pub(super) fn push(&mut self, part: &[u8; 16]) {
        if self.parts == 0 {
            // Kept apart from the second level: with one part the digest is under k1, not under k1'.
            *self.first = *part;
        }
        // Two levels if a second part follows: whether it does is not known yet, so both digests are kept.
        self.top.update(&part[..]);
        self.parts += 1;
    }

    /// The digest of the message that the parts so far form.
    pub(super) fn finish(&self) -> Digest {
        // One part: its digest under k1 is the result. More: the digest of the digests under k1'. The number of
        // parts is public.
        if self.parts <= 1 { self.first.clone() } else { Zeroizing::new(self.top.digest()) }
    }
}

/// The state of a message that comes in pieces.
#[derive(Clone)]
pub(super) struct TwoLevelStream {
    joined: Joined,
    /// The hash of the current part, and the number of its bytes so far, at most [`PART`].
    part: DecBrwHash1305,
    filled: usize,
}

wiped!(TwoLevelStream { joined, part, filled });

impl TwoLevelStream {
    /// Appends bytes to the message, part by part.
    pub(super) fn update(&mut self, mut msg: &[u8]) {
        while !msg.is_empty() {
            // A full part ends only when more bytes follow: a message of exactly 2^20 bytes has one part.
            if self.filled == PART {
                self.end_part();
            }
            let (now, later) = msg.split_at(msg.len().min(PART - self.filled));
            self.part.update(now);
            self.filled += now.len();
            msg = later;
        }
    }

    /// Ends the current part: appends its digest and starts the next one.
    fn end_part(&mut self) {
        self.joined.push(&Zeroizing::new(self.part.digest()));
        // Reset instead of a new stream: a new value would bring along whatever its unused room held on the stack.
        self.part.reset();
        self.filled = 0;
    }

    /// Returns to the empty message under the same keys. Wipes the digests.
    pub(super) fn reset(&mut self) {
        self.joined.reset();
        self.part.reset();
        self.filled = 0;
    }

    /// The digest of all bytes; ends the current part.
    pub(super) fn finish(&mut self) -> Digest {
        // The empty message has no part: its digest is zero.
        if self.filled > 0 {
            self.end_part();
        }
        self.joined.finish()
    }
}
