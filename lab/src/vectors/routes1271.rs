//! Runs a test of a hash over 2^127 - 1 by every route through the library.
use carryless_hash::decbrwhash1271::{self, Params, Streams};
use carryless_hash::polyhash1271::{self, Plan, PolyHash1271, PreparedKey, Segment};
use carryless_hash::{Cpu, Key1271};

use super::case::Combine;
use super::hex::Message;
use super::outcome::{Checks, Outcome};
use super::pieces::{pieces, stream_name};

/// Returns the key. Files with keys out of range were refused when they were read.
fn key(checks: &mut Checks, bytes: &[u8; 16]) -> Option<Key1271> {
    let key = Key1271::new(bytes);
    checks.accepted("key", true, key.is_ok());
    key.ok()
}

pub(super) fn polyhash(cpu: Cpu, bytes: &[u8; 16], msg: &Message, digest: &[u8; 16]) -> Outcome {
    let mut checks = Checks::default();
    let Some(key) = key(&mut checks, bytes) else { return checks.outcome() };
    let bits = polyhash1271::digest_bits_on(cpu, &key, &msg.data, msg.bits as u64);
    checks.accepted("bits", true, bits.is_ok());
    checks.bytes("bits", digest, &bits.unwrap_or_default());
    if !msg.bits.is_multiple_of(8) {
        return checks.outcome();
    }
    let msg = &msg.data[..];
    checks.bytes("one-shot", digest, &polyhash1271::digest_on(cpu, &key, msg));
    // Plans depend on the length, because some need several rows of blocks.
    for plan in Plan::all(cpu, msg.len()) {
        let got = polyhash1271::digest_with(cpu, plan, &key, msg);
        checks.bytes(format!("{plan:?}"), digest, &got.unwrap_or_default());
    }
    let prepared = PreparedKey::on(cpu, &key);
    checks.bytes("prepared", digest, &prepared.digest(msg));
    for piece in pieces(msg.len()) {
        let mut stream = PolyHash1271::on(cpu, &key);
        msg.chunks(piece).for_each(|piece| stream.update(piece));
        checks.bytes(stream_name(piece), digest, &stream.finalize());
    }
    // Segments can be joined only if the first one is of whole blocks.
    let blocks = msg.len() / 15;
    for cut in [1.min(blocks), blocks / 2, blocks].map(|blocks| 15 * blocks) {
        join(&mut checks, &prepared, msg.split_at(cut), digest);
    }
    checks.outcome()
}

pub(super) fn decbrwhash(cpu: Cpu, c: usize, bytes: &[u8; 16], msg: &Message, digest: &[u8; 16]) -> Outcome {
    let Ok(streams) = Streams::try_from(c) else {
        return Outcome::Skipped(format!("{c} streams are not implemented"));
    };
    let mut checks = Checks::default();
    let Some(key) = key(&mut checks, bytes) else { return checks.outcome() };
    let bits = decbrwhash1271::digest_bits_on(cpu, streams, &key, &msg.data, msg.bits as u64);
    checks.accepted("bits", true, bits.is_ok());
    checks.bytes("bits", digest, &bits.unwrap_or_default());
    if msg.bits.is_multiple_of(8) {
        for params in Params::all() {
            let got = decbrwhash1271::digest_with(cpu, params, streams, &key, &msg.data);
            checks.bytes(format!("t = {}, {:?}", params.t, params.layout), digest, &got);
        }
    }
    checks.outcome()
}

/// Checks that A and B as segments, joined, have the digest of their concatenation.
fn join(checks: &mut Checks, key: &PreparedKey, (a, b): (&[u8], &[u8]), digest: &[u8; 16]) {
    let route = format!("segments of {} and {} bytes", a.len(), b.len());
    let joined = key.segment(a).join(&key.segment(b));
    checks.accepted(&route, true, joined.is_ok());
    let got = joined.as_ref().map(Segment::digest).unwrap_or_default();
    checks.bytes(&route, digest, &got);
}

/// Returns the digest of a residue: the residue modulo 2^126.
fn of_residue(residue: &[u8; 17]) -> [u8; 16] {
    let mut digest = [0; 16];
    digest.copy_from_slice(&residue[..16]);
    // Residues are little-endian, so byte 15 has the bits from 120 on.
    digest[15] &= 0x3f;
    digest
}

pub(super) fn combine(cpu: Cpu, test: &Combine) -> Outcome {
    let mut checks = Checks::default();
    let Some(key) = key(&mut checks, &test.key) else { return checks.outcome() };
    let [residue_a, residue_b, residue_ab] = test.residues.each_ref().map(of_residue);
    checks.bytes("digest of A", &residue_a, &polyhash1271::digest_on(cpu, &key, &test.a));
    checks.bytes("digest of B", &residue_b, &polyhash1271::digest_on(cpu, &key, &test.b));
    checks.bytes("residue and tag of the file", &residue_ab, &test.digest);
    let whole = [&test.a[..], &test.b].concat();
    checks.bytes("one-shot", &test.digest, &polyhash1271::digest_on(cpu, &key, &whole));
    join(&mut checks, &PreparedKey::on(cpu, &key), (&test.a, &test.b), &test.digest);
    checks.outcome()
}
