//! Runs a test by big integers, without the library.
use carryless_reference::{
    BigUint, Message, combine, decbrwhash_residue, poly1305, poly1305_residue, polyhash, polyhash_residue,
};

use super::case::{Case, Combine};
use super::outcome::{Checks, Outcome};

/// Reason why no key or message is refused here.
const READ: &str = "checked when the file was read";

/// Checks a test of hashes, including residues, which the library does not reveal.
pub(super) fn on_reference(case: &Case) -> Outcome {
    let mut checks = Checks::default();
    match case {
        Case::Mac { key, msg, tag, residue, valid } => {
            let got = poly1305(key, msg);
            if *valid {
                checks.bytes("tag", tag, &got);
            } else {
                // A forgery is refused if the definition gives a different tag.
                checks.accepted("tag", false, got == *tag);
            }
            if let Some(residue) = residue {
                checks.bytes("residue", residue, &poly1305_residue(key, msg));
            }
        }
        Case::Hash { function, key, msg, digest, residue } => {
            let msg = Message::of_bits(&msg.data, msg.bits).expect(READ);
            let got = match function.streams {
                None => polyhash_residue(function.params, key, msg),
                Some(c) => decbrwhash_residue(function.params, c, key, msg),
            };
            let got = got.expect(READ);
            checks.bytes("digest", digest, &function.params.digest(&got));
            if let Some(residue) = residue {
                checks.bytes("residue", residue, &bytes(got));
            }
        }
        Case::Combine(test) => check_combine(&mut checks, test),
        Case::OnHashes(test) => return test.on_reference(),
        Case::OnProducts(test) => return test.on_reference(),
        Case::Other(reason) => return Outcome::Skipped(reason.clone()),
    }
    checks.outcome()
}

fn check_combine(checks: &mut Checks, test: &Combine) {
    let Combine { params, key, .. } = test;
    let ab = [&test.a[..], &test.b].concat();
    let routes = ["residue of A", "residue of B", "residue of AB"];
    for ((route, msg), expected) in routes.into_iter().zip([&test.a, &test.b, &ab]).zip(&test.residues) {
        let residue = polyhash_residue(params, key, msg[..].into()).expect(READ);
        checks.bytes(route, expected, &bytes(residue));
    }
    let [a, b, expected] = &test.residues;
    // The residue of AB follows from those of A and B. Above it was computed from the bytes themselves.
    let (a, b) = (BigUint::from_bytes_le(a), BigUint::from_bytes_le(b));
    checks.bytes("combine", expected, &bytes(combine(params, key, &a, &b, test.blocks_b).expect(READ)));
    checks.bytes("digest of AB", &test.digest, &polyhash(params, key, ab[..].into()).expect(READ));
}

/// Returns a residue as files write it: 17 bytes, least significant first.
fn bytes(residue: BigUint) -> Vec<u8> {
    let mut bytes = residue.to_bytes_le();
    bytes.resize(17, 0);
    bytes
}
