//! 4-decBRWHash1305 on two levels: the digests of the parts of a long message are hashed under another key.
use carryless_hash::Cpu;
use carryless_hash::decbrwhash1305::{DecBrwHash1305, PreparedKey, Streams};
use zeroize::Zeroizing;

use super::{Digest, PART};

/// The keys of both levels.
pub(super) struct TwoLevel {
    cpu: Cpu,
    /// k1, for parts and short messages.
    key: Zeroizing<[u8; 16]>,
    /// The same, ready.
    prepared: PreparedKey,
    /// k1', for the digests of the parts.
    top_key: Zeroizing<[u8; 16]>,
}

impl TwoLevel {
    pub(super) fn on(cpu: Cpu, key: Zeroizing<[u8; 16]>, top_key: Zeroizing<[u8; 16]>) -> Self {
        let prepared = PreparedKey::for_len(cpu, Streams::Four, &key, PART);
        Self { cpu, key, prepared, top_key }
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
        let top = DecBrwHash1305::on(self.cpu, &self.top_key);
        Joined { first: Digest::default(), parts: 0, top }
    }

    /// A message of which nothing has come yet.
    pub(super) fn stream(&self) -> TwoLevelStream<'_> {
        TwoLevelStream { keys: self, joined: self.joined(), part: self.part_stream(), filled: 0 }
    }

    fn part_stream(&self) -> DecBrwHash1305 {
        DecBrwHash1305::on(self.cpu, &self.key)
    }
}

/// The digests of the parts so far.
pub(super) struct Joined {
    /// That of the first part: that of the message if there is no other. Zero, the empty message's, if there is none.
    first: Digest,
    parts: u64,
    top: DecBrwHash1305,
}

impl Joined {
    /// Appends the digest of the next part, which is not empty.
    pub(super) fn push(&mut self, part: &Digest) {
        if self.parts == 0 {
            self.first = part.clone();
        }
        self.top.update(&part[..]);
        self.parts += 1;
    }

    /// The digest of the message.
    pub(super) fn finish(self) -> Digest {
        if self.parts <= 1 { self.first } else { Zeroizing::new(self.top.finalize()) }
    }
}

/// A message that comes in pieces.
pub(super) struct TwoLevelStream<'k> {
    keys: &'k TwoLevel,
    joined: Joined,
    /// The part under way, and how many bytes of it are there.
    part: DecBrwHash1305,
    filled: usize,
}

impl TwoLevelStream<'_> {
    /// Appends bytes.
    pub(super) fn update(&mut self, mut msg: &[u8]) {
        while !msg.is_empty() {
            if self.filled == PART {
                let part = core::mem::replace(&mut self.part, self.keys.part_stream());
                self.joined.push(&Zeroizing::new(part.finalize()));
                self.filled = 0;
            }
            let (now, later) = msg.split_at(msg.len().min(PART - self.filled));
            self.part.update(now);
            self.filled += now.len();
            msg = later;
        }
    }

    /// The digest of all bytes so far.
    pub(super) fn finish(mut self) -> Digest {
        if self.filled > 0 {
            self.joined.push(&Zeroizing::new(self.part.finalize()));
        }
        self.joined.finish()
    }
}
