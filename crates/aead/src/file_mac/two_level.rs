//! 4-decBRWHash1305 on two levels: the digests of the parts of a long message are hashed under another key.
use carryless_hash::Cpu;
use carryless_hash::decbrwhash1305::{DecBrwHash1305, PreparedKey, Streams};
use zeroize::{Zeroize as _, Zeroizing};

use super::{Digest, HashKey, PART};
use crate::wipe::wiped;

/// The keys of both levels.
#[derive(Clone)]
pub(super) struct Keys {
    cpu: Cpu,
    /// k1, for parts and short messages.
    pub(super) part: HashKey,
    /// k1', for the digests of the parts.
    top: HashKey,
}

wiped!(Keys { part, top; cpu });

/// The keys, and that of parts ready.
#[derive(Clone)]
pub(super) struct TwoLevel {
    pub(super) keys: Keys,
    prepared: PreparedKey,
}

wiped!(TwoLevel { keys, prepared });

impl TwoLevel {
    pub(super) fn on(cpu: Cpu, part: HashKey, top: HashKey) -> Self {
        let prepared = PreparedKey::for_len(cpu, Streams::Four, &part, PART);
        Self { keys: Keys { cpu, part, top }, prepared }
    }

    /// The digest of a message.
    pub(super) fn digest(&self, msg: &[u8]) -> Digest {
        if msg.len() <= PART {
            return self.part(msg);
        }
        let mut joined = self.joined();
        msg.chunks(PART).for_each(|part| joined.push(&self.part(part)));
        joined.finish()
    }

    /// The digest of a part, or of a message that is not longer than one.
    pub(super) fn part(&self, msg: &[u8]) -> Digest {
        Zeroizing::new(self.prepared.digest(msg))
    }

    /// A message of which no part has come yet.
    pub(super) fn joined(&self) -> Joined {
        Joined::new(&self.keys)
    }

    /// A message of which nothing has come yet.
    pub(super) fn stream(&self) -> TwoLevelStream {
        let part = DecBrwHash1305::on(self.keys.cpu, &self.keys.part);
        TwoLevelStream { joined: self.joined(), part, filled: 0 }
    }
}

/// The digests of the parts so far.
#[derive(Clone)]
pub(super) struct Joined {
    /// That of the first part: that of the message if there is no other. Zero, the empty message's, if there is none.
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

    /// Appends the digest of the next part, which is not empty.
    pub(super) fn push(&mut self, part: &[u8; 16]) {
        if self.parts == 0 {
            *self.first = *part;
        }
        self.top.update(&part[..]);
        self.parts += 1;
    }

    /// The digest of the message.
    pub(super) fn finish(&self) -> Digest {
        if self.parts <= 1 { self.first.clone() } else { Zeroizing::new(self.top.digest()) }
    }
}

/// A message that comes in pieces.
#[derive(Clone)]
pub(super) struct TwoLevelStream {
    joined: Joined,
    /// The part under way, and how many bytes of it are there.
    part: DecBrwHash1305,
    filled: usize,
}

wiped!(TwoLevelStream { joined, part, filled });

impl TwoLevelStream {
    /// Appends bytes.
    pub(super) fn update(&mut self, mut msg: &[u8]) {
        while !msg.is_empty() {
            if self.filled == PART {
                self.end_part();
            }
            let (now, later) = msg.split_at(msg.len().min(PART - self.filled));
            self.part.update(now);
            self.filled += now.len();
            msg = later;
        }
    }

    /// The part under way is complete; another begins.
    fn end_part(&mut self) {
        self.joined.push(&Zeroizing::new(self.part.digest()));
        // No new stream in its place: with the room that it does not use yet it would bring what the stack held.
        self.part.reset();
        self.filled = 0;
    }

    /// Back to the start, under the same keys.
    pub(super) fn reset(&mut self) {
        self.joined.reset();
        self.part.reset();
        self.filled = 0;
    }

    /// The digest of all bytes so far.
    pub(super) fn finish(&mut self) -> Digest {
        if self.filled > 0 {
            self.end_part();
        }
        self.joined.finish()
    }
}
