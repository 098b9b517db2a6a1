//! All lengths, and lengths around every multiple of a vector's stride.
use crate::common::{Rng, backends, check, pick};
use carryless_hash::{Cpu, poly1305, polyhash1305};
use carryless_reference::{self as reference, BigUint, P1305};
use std::collections::BTreeSet;

#[test]
fn all_short_lengths_by_all_routes() {
    let mut rng = Rng(1);
    for len in (0..=pick(1100, 600, 36)).step_by(pick(1, 1, 6)) {
        check(&rng.array(), &rng.bytes(len));
    }
}

/// A key of both functions on one backend, with its powers ready.
struct Subject {
    cpu: Cpu,
    tau: [u8; 16],
    key: [u8; 32],
    hash: polyhash1305::PreparedKey,
    mac: poly1305::PreparedKey,
}

impl Subject {
    fn new(cpu: Cpu, key: [u8; 32]) -> Self {
        let tau = key[..16].try_into().expect("tau");
        let (hash, mac) = (polyhash1305::PreparedKey::on(cpu, &tau), poly1305::PreparedKey::on(cpu, &tau));
        Subject { cpu, tau, key, hash, mac }
    }

    /// Both functions, one-shot and with powers ready; and streamed with a first piece, so that what is left of the
    /// message starts from a value that is not zero.
    fn check(&self, msg: &[u8], digest: u128, tag: u128) {
        let (name, len) = (self.cpu.name(), msg.len());
        let s = self.key[16..].try_into().expect("s");
        let digests = [polyhash1305::digest_on(self.cpu, &self.tau, msg), self.hash.digest(msg)];
        assert_eq!(digests.map(u128::from_le_bytes), [digest; 2], "{name}, {len} bytes");
        let tags = [poly1305::mac_on(self.cpu, &self.key, msg), self.mac.mac(s, msg)];
        assert_eq!(tags.map(|tag| u128::from_le_bytes(tag.to_bytes())), [tag; 2], "{name}, {len} bytes");
        let (head, rest) = msg.split_at(len.min(48));
        let mut stream = polyhash1305::PolyHash1305::on(self.cpu, &self.tau);
        stream.update(head);
        stream.update(rest);
        assert_eq!(u128::from_le_bytes(stream.finalize()), digest, "{name}, {len} bytes in two pieces");
    }
}

/// One message, cut at every length: the reference extends its residue block by block, so this can go far.
#[test]
#[cfg_attr(miri, ignore = "a minute for 33 bytes; the short lengths by all routes are what Miri can bear")]
fn every_length_of_a_long_message() {
    let mut rng = Rng(2);
    let msg = rng.bytes(pick(20_000, 2_200, 0));
    let key: [u8; 32] = rng.array();
    let subjects: Vec<Subject> = backends().iter().map(|&cpu| Subject::new(cpu, key)).collect();
    let (tau, s) = (subjects[0].tau, u128::from_le_bytes(key[16..].try_into().expect("s")));
    let clamped = (u128::from_le_bytes(tau) & 0x0ffffffc_0ffffffc_0ffffffc_0fffffff).to_le_bytes();
    let mut before = [BigUint::ZERO, BigUint::ZERO]; // residues of the whole blocks so far
    for start in (0..msg.len()).step_by(16) {
        for end in start + 1..=msg.len().min(start + 16) {
            let extend = |key: &[u8; 16], before: &BigUint| {
                let last = reference::polyhash_residue(&P1305, key, msg[start..end].into()).expect("a key");
                reference::combine(&P1305, key, before, &last, 1).expect("a key")
            };
            let residues = [extend(&tau, &before[0]), extend(&clamped, &before[1])];
            let [digest, h] = residues.each_ref().map(low);
            subjects.iter().for_each(|subject| subject.check(&msg[..end], digest, h.wrapping_add(s)));
            // A short block has its pad elsewhere, so only whole ones carry over.
            if end == start + 16 {
                before = residues;
            }
        }
    }
}

/// The residue mod 2^128.
fn low(residue: &BigUint) -> u128 {
    let mut bytes = residue.to_bytes_le();
    bytes.resize(16, 0);
    u128::from_le_bytes(bytes.try_into().expect("16 bytes"))
}

/// Around multiples of everything a kernel may take at a time, by all routes, with extreme blocks.
#[test]
fn boundaries() {
    let mut lengths = BTreeSet::new();
    let largest = pick(70_000, 4_200, 300);
    for stride in [64, 128, 256, 512, 1024, 4096, 8192, 16_384, 65_536] {
        for near in [stride, 2 * stride, 3 * stride, 4 * stride, 5 * stride, 7 * stride] {
            lengths.extend([
                near - 17,
                near - 16,
                near - 15,
                near - 1,
                near,
                near + 1,
                near + 15,
                near + 16,
                near + 17,
            ]);
        }
    }
    let mut rng = Rng(3);
    for len in lengths.into_iter().filter(|&len| len < largest).step_by(pick(1, 3, 9)) {
        check(&rng.array(), &rng.weird_bytes(len));
    }
}

#[test]
fn megabytes() {
    let mut rng = Rng(4);
    for len in [1 << 20, (1 << 20) + 1, 3_000_017] {
        check(&rng.array(), &rng.bytes(len / pick(1, 100, 100_000)));
    }
}
