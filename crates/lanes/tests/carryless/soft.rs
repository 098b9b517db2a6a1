//! `Soft`, which the other backends are compared with, by the definitions.
use super::{WORDS, inputs};
use carryless_lanes::{Clmul, Soft};

/// The definition: bit by bit.
fn product(a: u64, b: u64) -> [u64; 2] {
    let sum = (0..64).filter(|i| a >> i & 1 == 1).fold(0, |sum, i| sum ^ u128::from(b) << i);
    [sum as u64, (sum >> 64) as u64]
}

/// `load_blocks` and `store_blocks` of `Soft`, and so of every backend: block i of lane k are the words 2 i and 2 i + 1 from k times the
/// stride on, and nothing else is written.
#[test]
fn blocks_are_where_they_belong() {
    let src: [u64; WORDS] = std::array::from_fn(|i| 100 + i as u64);
    let s = Soft::<4>;
    let stride = 7;
    let blocks: [[[u64; 2]; 4]; 3] = s.load_blocks(&src, stride);
    let mut out = [0; WORDS];
    s.store_blocks(blocks, &mut out, stride + 2);
    for (i, block) in blocks.iter().enumerate() {
        for (k, lane) in block.iter().enumerate() {
            let first = 100 + (k * stride + 2 * i) as u64;
            assert_eq!(*lane, [first, first + 1]);
            let at = k * (stride + 2) + 2 * i;
            assert_eq!(out[at..at + 2], *lane);
        }
    }
    assert_eq!(out.iter().filter(|&&word| word != 0).count(), 4 * 3 * 2);
}

/// What `Soft` itself is held to: the definition for products, on all pairs of monomials and more (the most terms that
/// can meet in one place: all ones), and numbers worked out by hand for the moves.
#[test]
fn soft_does_what_the_words_say() {
    for (a, b) in inputs() {
        let s = Soft::<4>;
        let lanes = |x: &[u64; WORDS]| -> [[u64; 2]; 4] { std::array::from_fn(|i| [x[2 * i], x[2 * i + 1]]) };
        let (x, y) = (lanes(&a), lanes(&b));
        for i in 0..4 {
            let ([a0, a1], [b0, b1]) = (x[i], y[i]);
            assert_eq!(s.mul_ll(x, y)[i], product(a0, b0));
            assert_eq!(s.mul_lh(x, y)[i], product(a0, b1));
            assert_eq!(s.mul_hl(x, y)[i], product(a1, b0));
            assert_eq!(s.mul_hh(x, y)[i], product(a1, b1));
            assert_eq!(s.square_l(x)[i], product(a0, a0));
            assert_eq!(s.square_h(x)[i], product(a1, a1));
        }
    }
    let (s, a, b) = (Soft::<2>, [[1, 2], [3, 4]], [[5, 6], [7, 8]]);
    assert_eq!(s.xor(a, b), [[4, 4], [4, 12]]);
    assert_eq!(s.swap(a), [[2, 1], [4, 3]]);
    assert_eq!(s.straddle(a, b), [[2, 5], [4, 7]]);
    assert_eq!(s.splat([5, 6]), [[5, 6], [5, 6]]);
    assert_eq!(s.and(a, [[3, 3], [5, 5]]), [[1, 2], [1, 4]]);
    assert_eq!(s.select([[1, !0], [0, 6]], a, b), [[1, 6], [3, 0]]);
    assert_eq!((s.shl(a, 63), s.shr(b, 1)), ([[1 << 63, 0], [1 << 63, 0]], [[2, 3], [3, 4]]));
    let table =
        [[0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908], [0x1716_1514_1312_1110, 0x1f1e_1d1c_1b1a_1918]];
    // Of a byte 0x2f the low four bits count; one of 0x8f gives zero.
    assert_eq!(
        s.shuffle(table, [[0x0001_0203_0405_0607, 0x2f8f], [0x0f, 0x80ff_0000_0000_0000]]),
        [[0x0001_0203_0405_0607, 0x0f00], [0x1010_1010_1010_101f, 0x0000_1010_1010_1010]]
    );
    let (low, high) = ([[0x0123_4567_89ab_cdef, 1], [2, 3]], [[0xfedc_ba98_7654_3210, 4], [5, 6]]);
    assert_eq!(s.zip_low(low, high), [[0x7689_54ab_32cd_10ef, 0xfe01_dc23_ba45_9867], [0x0502, 0]]);
    assert_eq!(s.zip_high(low, high), [[0x0401, 0], [0x0603, 0]]);
    assert_eq!((s.first_lane(a), s.repeat_lane([[5, 6]])), ([[1, 2]], [[5, 6], [5, 6]]));
    let quarters = [[0x0000_0004_ffff_fffb, 4], [!0, 4 << 32]];
    let masks = [[0xffff_ffff_0000_0000, 0xffff_ffff], [!0, 0xffff_ffff_0000_0000]];
    assert_eq!(s.bit_masks(quarters, 2), masks);
    assert_eq!(s.permute_lanes(a, [1, 0, 9, 9]), [[3, 4], [1, 2]]);
    assert_eq!(s.transpose(a), [[1, 3], [2, 4]]);
    assert_eq!([0, 1, 2].map(|from| s.lanes_from(from, a, b)), [a, [[3, 4], [5, 6]], b]);
    assert_eq!(s.load(&[1, 2, 3, 4]), a);
    assert_eq!((s.load_part(&[1, 2, 3]), s.load_part(&[])), ([[1, 2], [3, 0]], [[0; 2]; 2]));
    assert_eq!(s.load_lanes(&[1, 2, 9, 3, 4], 3), a);
    let mut out = [0; 5];
    s.store_lanes(a, &mut out, 3);
    assert_eq!(out, [1, 2, 0, 3, 4]);
    let mut part = [9; 4];
    s.store_part(a, &mut part[..3]);
    s.store_part(a, &mut []);
    assert_eq!(part, [1, 2, 3, 9]);
    let mut wide = [0; 4];
    s.store_wide(s.xor_wide(s.load_wide(&[1, 2, 3, 4]), s.load_wide(&[5, 6, 7, 8])), &mut wide);
    assert_eq!(wide, [4, 4, 4, 12]);
    assert_eq!((s.and_wide(a, b), s.or_wide(a, b)), ([[1, 2], [3, 0]], [[5, 6], [7, 12]]));
    let same = s.equal_wide(a, [[1 << 32 | 1, 2], [3 | 1 << 31, 4 << 32]]);
    assert_eq!(same, [[0xffff_ffff, !0], [!0 << 32, 0]]);
    assert_eq!(s.splat_wide(5), [[5; 2]; 2]);
    assert_eq!(s.xor3_wide(a, b, s.splat_wide(16)), [[20, 20], [20, 28]]);
    // All eight rows of the truth table, in bits 0 to 7.
    let (x, y, z) = (s.splat_wide(0b1111_0000), s.splat_wide(0b1100_1100), s.splat_wide(0b1010_1010));
    assert_eq!(s.xor_andnot_wide(x, y, z), [[0b1101_0010; 2]; 2]);
    assert_eq!(s.rotl_wide([[1 << 63 | 2, !0], [1, 0]], 1), [[5, !0], [2, 0]]);
    assert_eq!(s.rotl_wide(a, 0), a);
}

/// `affine` of `Soft`, and what backends without GFNI do: the definition, and the matrices that every text about GF2P8AFFINEQB names.
#[test]
fn bytes_times_bit_matrices() {
    let wanted = |x: u64, matrix: u64| {
        let (x, rows) = (x.to_le_bytes(), matrix.to_be_bytes());
        let byte = |byte: u8| (0..8).fold(0, |out, i| out | ((rows[i] & byte).count_ones() as u8 & 1) << i);
        u64::from_le_bytes(x.map(byte))
    };
    for (a, b) in inputs() {
        let got = Soft::<1>.affine([[a[0], a[1]]], [[b[0], b[1]]]);
        assert_eq!(got, [[wanted(a[0], b[0]), wanted(a[1], b[1])]]);
    }
    let (one, reversed) = (0x0102_0408_1020_4080, 0x8040_2010_0804_0201);
    let x = [0x0123_4567_89ab_cdef, 0xf0e1_d2c3_b4a5_9687];
    assert_eq!(Soft::<1>.affine([x], [[one, reversed]]), [[x[0], x[1].reverse_bits().swap_bytes()]]);
}
