//! Runs tests of hashes by every route through the library.
use carryless_hash::decbrwhash1305::{self, Params, Streams};
use carryless_hash::poly1305::{self, Poly1305};
use carryless_hash::polyhash1305::{self, PolyHash1305, PreparedKey, Segment};
use carryless_hash::{Cpu, Tag};
use carryless_reference::P1305;

use super::case::{Case, Combine, Test};
use super::hex::Message;
use super::outcome::{Checks, Outcome};
use super::pieces::{pieces, stream_name};
use super::routes1271;

/// Runs all tests of a file on one backend, in order.
pub(super) fn on_backend(cpu: Cpu, tests: &[Test]) -> Vec<Outcome> {
    // A batch computes one message in each lane, so it is checked with all messages of the file at once.
    let batch = batch(cpu, tests);
    tests.iter().zip(batch).map(|(test, batched)| one_on_backend(cpu, &test.case, batched)).collect()
}

/// Computes the tags of all MAC tests of the file in one batch.
fn batch(cpu: Cpu, tests: &[Test]) -> Vec<Option<Tag>> {
    let macs = |test: &Test| matches!(test.case, Case::Mac { .. });
    let inputs = tests.iter().filter_map(|test| match &test.case {
        Case::Mac { key, msg, .. } => Some((*key, &msg[..])),
        _ => None,
    });
    let (keys, msgs): (Vec<[u8; 32]>, Vec<&[u8]>) = inputs.unzip();
    let mut tags = vec![Tag::from([0; 16]); keys.len()];
    poly1305::mac_batch_on(cpu, &keys, &msgs, &mut tags);
    let mut tags = tags.into_iter();
    // Tags are in the order of the MAC tests, so each of these gets the next one.
    tests.iter().map(|test| if macs(test) { tags.next() } else { None }).collect()
}

fn one_on_backend(cpu: Cpu, case: &Case, batched: Option<Tag>) -> Outcome {
    match case {
        Case::Mac { key, msg, tag, valid, .. } => mac(cpu, (key, msg), Tag::from(*tag), *valid, batched),
        Case::Hash { function, key, msg, digest, .. } => {
            match (*function.params == P1305, function.streams) {
                (true, None) => polyhash(cpu, key, msg, digest),
                (true, Some(c)) => decbrwhash(cpu, c, key, msg, digest),
                (false, None) => routes1271::polyhash(cpu, key, msg, digest),
                (false, Some(c)) => routes1271::decbrwhash(cpu, c, key, msg, digest),
            }
        }
        Case::Combine(test) if *test.params == P1305 => combine(cpu, test),
        Case::Combine(test) => routes1271::combine(cpu, test),
        Case::OnHashes(test) => test.on_backend(cpu),
        Case::Other(reason) => Outcome::Skipped(reason.clone()),
        Case::OnProducts(_) => Outcome::Skipped("only backends for carry-less products run it".to_owned()),
    }
}

fn mac(cpu: Cpu, (key, msg): (&[u8; 32], &[u8]), tag: Tag, valid: bool, batched: Option<Tag>) -> Outcome {
    let stream = |piece: usize| {
        let mut stream = Poly1305::on(cpu, key);
        msg.chunks(piece).for_each(|piece| stream.update(piece));
        stream
    };
    // r and s: a prepared key has the powers of r, and takes s with each message.
    let halves = key.as_chunks::<16>().0;
    let prepared = poly1305::PreparedKey::on(cpu, &halves[0]).mac(&halves[1], msg);
    let mut routes =
        vec![("one-shot".to_owned(), poly1305::mac_on(cpu, key, msg)), ("prepared key".to_owned(), prepared)];
    routes.extend(batched.map(|tag| ("batch".to_owned(), tag)));
    routes.extend(pieces(msg.len()).map(|piece| (stream_name(piece), stream(piece).finalize())));
    let mut checks = Checks::default();
    for (route, got) in routes {
        if valid {
            checks.bytes(route, tag.as_bytes(), got.as_bytes());
        } else {
            // A function without verification refuses a tag by computing a different one.
            checks.accepted(route, false, got == tag);
        }
    }
    checks.accepted("verify a stream", valid, stream(usize::MAX).verify(&tag).is_ok());
    // `verify` takes no backend and uses the best one.
    if cpu == Cpu::detect() {
        checks.accepted("verify", valid, poly1305::verify(key, msg, &tag).is_ok());
    }
    checks.outcome()
}

fn polyhash(cpu: Cpu, key: &[u8; 16], msg: &Message, digest: &[u8; 16]) -> Outcome {
    let mut checks = Checks::default();
    let bits = polyhash1305::digest_bits_on(cpu, key, &msg.data, msg.bits as u64);
    checks.accepted("bits", true, bits.is_ok());
    checks.bytes("bits", digest, &bits.unwrap_or_default());
    if !msg.bits.is_multiple_of(8) {
        return checks.outcome();
    }
    let msg = &msg.data[..];
    let prepared = PreparedKey::on(cpu, key);
    checks.bytes("one-shot", digest, &polyhash1305::digest_on(cpu, key, msg));
    checks.bytes("prepared key", digest, &prepared.digest(msg));
    checks.bytes("segment", digest, &prepared.segment(msg).digest());
    for piece in pieces(msg.len()) {
        let mut stream = PolyHash1305::on(cpu, key);
        msg.chunks(piece).for_each(|piece| stream.update(piece));
        checks.bytes(stream_name(piece), digest, &stream.finalize());
    }
    // Segments can be joined only if the first one is of whole blocks.
    let blocks = msg.len() / 16;
    for cut in [1.min(blocks), blocks / 2, blocks].map(|blocks| 16 * blocks) {
        // A cut after one block, in the middle, and before the short last block.
        let (a, b) = msg.split_at(cut);
        join(&mut checks, &prepared, (a, b), digest);
    }
    checks.outcome()
}

fn decbrwhash(cpu: Cpu, c: usize, key: &[u8; 16], msg: &Message, digest: &[u8; 16]) -> Outcome {
    let Ok(streams) = Streams::try_from(c) else {
        return Outcome::Skipped(format!("{c} streams are not implemented"));
    };
    let mut checks = Checks::default();
    let bits = decbrwhash1305::digest_bits_on(cpu, streams, key, &msg.data, msg.bits as u64);
    checks.accepted("bits", true, bits.is_ok());
    checks.bytes("bits", digest, &bits.unwrap_or_default());
    if msg.bits.is_multiple_of(8) {
        // Parameters change the order of the computation but never its digest.
        for params in Params::all1305() {
            let got = decbrwhash1305::digest_with(cpu, params, streams, key, &msg.data);
            checks.bytes(format!("t = {}, {:?}", params.t, params.layout), digest, &got);
        }
    }
    checks.outcome()
}

/// Checks that A and B as segments, joined, have the digest of their concatenation.
fn join(checks: &mut Checks, prepared: &PreparedKey, (a, b): (&[u8], &[u8]), digest: &[u8; 16]) {
    let route = format!("segments of {} and {} bytes", a.len(), b.len());
    let joined = prepared.segment(a).join(&prepared.segment(b));
    checks.accepted(&route, true, joined.is_ok());
    let got = joined.as_ref().map(Segment::digest).unwrap_or_default();
    checks.bytes(&route, digest, &got);
}

fn combine(cpu: Cpu, test: &Combine) -> Outcome {
    let mut checks = Checks::default();
    let prepared = PreparedKey::on(cpu, &test.key);
    let [residue_a, residue_b, residue_ab] = &test.residues;
    // Residues are little-endian. A digest is the residue modulo 2^128: the first 16 bytes.
    checks.bytes("digest of A", &residue_a[..16], &prepared.digest(&test.a));
    checks.bytes("digest of B", &residue_b[..16], &prepared.digest(&test.b));
    checks.bytes("residue and tag of the file", &residue_ab[..16], &test.digest);
    checks.bytes("one-shot", &test.digest, &prepared.digest(&[&test.a[..], &test.b].concat()));
    join(&mut checks, &prepared, (&test.a, &test.b), &test.digest);
    checks.outcome()
}
