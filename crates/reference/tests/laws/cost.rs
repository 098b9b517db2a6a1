//! Compares the papers' tables of costs with each other and with the numbers that they print.
use carryless_reference::{
    brw_cost, brwhash_cost, decbrwhash_cost, decbrwhash_key_bytes, decbrwhash_vector_cost, polyhash_cost,
    polyhash_key_bytes, polyhash_vector_cost,
};

/// Table 2 is Theorem 2 and the work after it: c - 1 products to combine the streams, and two for the length.
#[test]
fn table_2() {
    for l in 3..300 {
        let (brw, hash) = (brw_cost(l), brwhash_cost(l));
        assert_eq!((hash.multiplications, hash.reductions), (brw.multiplications + 2, brw.reductions + 2));
        assert_eq!((hash.preparation, hash.powers), (brw.preparation, brw.powers));
        for c in [2, 3, 4, 8, 16] {
            let (cost, n) = (decbrwhash_cost(l, c), l.div_ceil(c));
            let stream = brw_cost(n);
            assert_eq!(cost.multiplications, c * stream.multiplications + c - 1 + 2, "{l} {c}");
            assert_eq!(cost.reductions, c * stream.reductions + c - 1 + 2, "{l} {c}");
            if n > 2 {
                assert_eq!(cost.preparation, stream.preparation + 1, "{l} {c}");
            }
            assert_eq!(cost.powers, cost.preparation + 1);
        }
        for g in 1..=4 {
            assert_eq!((polyhash_cost(l, g).multiplications, polyhash_cost(l, 1).reductions), (l, l));
        }
    }
    let cost = decbrwhash_cost(1000, 4);
    assert_eq!((cost.multiplications, cost.reductions, cost.preparation, cost.powers), (505, 257, 8, 9));
    assert_eq!(polyhash_cost(10, 4).reductions, 3);
}

/// Table 3: the vector counts are those of one stream.
#[test]
fn table_3() {
    for l in 12..300u64 {
        let stream = brw_cost(l.div_ceil(4));
        assert_eq!(decbrwhash_vector_cost(l, 4), (stream.multiplications, stream.reductions));
        for g in 1..=4 {
            // Group by group, the first row without a product.
            let (mut rows, mut groups) = (l / 4 - 1, 0);
            while rows > 0 {
                rows -= g.min(rows);
                groups += 1;
            }
            assert_eq!(polyhash_vector_cost(l, 4, g), (l / 4, groups), "{l} {g}");
        }
    }
}

/// Table 4 as printed; 4b leaves out the vector of tau itself.
#[test]
fn table_4() {
    assert_eq!([1, 2, 3, 4].map(polyhash_key_bytes), [448, 736, 1024, 1312]);
    let printed = [
        (1..=4, 0),
        (5..=12, 160),
        (13..=28, 320),
        (29..=60, 480),
        (61..=124, 640),
        (125..=252, 800),
        (253..=508, 960),
    ];
    for (blocks, bytes) in printed {
        for l in blocks {
            assert_eq!(decbrwhash_key_bytes(l), bytes + 160, "{l} blocks");
        }
    }
}
