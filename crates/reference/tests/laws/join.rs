//! Where a message may be cut.
use crate::Rng;
use carryless_reference::{P1271, P1305, Streams, WrongCut, brw, brw_adds};

/// The values of A and B add exactly where `brw_adds` says so.
#[test]
fn brw_values_add_at_these_cuts_and_no_others() {
    let mut rng = Rng(6);
    for params in [&P1305, &P1271] {
        let ((x, _), blocks) = (rng.key(params), rng.blocks(params, 72));
        let mut allowed = 0;
        for (a, b) in (0..=36).flat_map(|a| (0..=36).map(move |b| (a, b))) {
            let whole = brw(params, &x, &blocks[..a + b]);
            let parts = brw(params, &x, &blocks[..a]) + brw(params, &x, &blocks[a..a + b]);
            assert_eq!(parts % params.p() == whole, brw_adds(a as u64, b as u64), "{a} and {b} blocks");
            allowed += usize::from(a > 0 && b > 0 && brw_adds(a as u64, b as u64));
        }
        // a = 4, 12, 20, 28, 36: b < 4; a = 8, 24: b < 8; a = 16: b < 16; a = 32: b < 32.
        assert_eq!(allowed, 5 * 3 + 2 * 7 + 15 + 31);
    }
}

/// Streams join where whole rows and every stream allow it; the residue is then that of the whole message.
#[test]
fn streams_join() {
    let mut rng = Rng(7);
    for params in [&P1305, &P1271] {
        let (tau, _) = rng.key(params);
        for c in [1, 2, 3, 4, 8, 16] {
            let blocks = rng.blocks(params, 21 * c);
            let part = |from: usize, to: usize| Streams::new(params, c, &tau, blocks[from..to].to_vec());
            for a in [0, c, 3 * c, 4 * c - 1, 4 * c, 8 * c, 8 * c + 1, 12 * c] {
                for b in [0, 1, c, 3 * c - 1, 3 * c, 3 * c + 1, 4 * c, 7 * c, 8 * c] {
                    let joined = part(0, a).join(params, &part(a, a + b));
                    let rows = |blocks: usize| blocks.div_ceil(c) as u64;
                    if a % c != 0 && b > 0 || !brw_adds(rows(a), rows(b)) {
                        assert_eq!(joined, Err(WrongCut), "c = {c}, {a} and {b} blocks");
                        continue;
                    }
                    let (joined, whole) = (joined.expect("a cut"), part(0, a + b));
                    assert_eq!(joined, whole, "c = {c}, {a} and {b} blocks");
                    let bits = whole.blocks * u64::from(params.n);
                    assert_eq!(joined.residue(params, &tau, bits), whole.residue(params, &tau, bits));
                }
            }
        }
    }
}
