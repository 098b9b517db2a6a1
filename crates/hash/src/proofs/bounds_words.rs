//! Scalar kernels never overflow, and keep their bounds over any number of blocks.
use super::{CUT26, CUT44, TOP_IN, TOP_OUT, assert_below_2p, fixpoint, join, ones, tops, upto};
use crate::field::p1305::element::{freeze, freeze_plus, limbs26, limbs44, pack26, reduce};
use crate::field::p1305::word44::{self, Multiplier};
use crate::field::p1305::word64::{self, Clamped};
use carryless_lanes::{IntervalArena, Range};

const ELEMENT: [u64; 3] = [u64::MAX, u64::MAX, TOP_IN];
const ANY: Range = Range::ANY;

#[test]
fn elements_are_cut() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    assert_eq!(tops(limbs26(s, upto(ELEMENT))), CUT26);
    assert_eq!(tops(limbs44(s, upto(ELEMENT))), CUT44);
}

/// Clamping: r0 and r1 below 2^60. From any element, over any number of blocks, the upper word stays at most 6, and the
/// step without a block makes it at most 4 again.
#[test]
fn word64_steps() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    let k = Clamped::new(s, upto([0x0fff_fffc_0fff_ffff, 0x0fff_fffc_0fff_fffc]));
    assert_eq!(k.s1.hi(), 0x13ff_fffb_13ff_fffb);
    // As in `block_by_block_clamped`: one absorb, then steps that multiply and add the next block.
    let first = word64::absorb(s, [ANY, ANY, Range::upto(TOP_OUT)], [ANY; 2], Range::upto(1));
    assert_eq!(first[2].hi(), 6);
    let step = |h| word64::step(s, h, &k, [ANY; 2], Range::upto(1));
    let h = fixpoint(first, step);
    assert_eq!(h[2].hi(), 6);
    // The last step adds no block, because its result leaves the kernel as an element.
    let zero = Range::constant(0);
    assert_eq!(word64::step(s, h, &k, [zero; 2], zero)[2].hi(), TOP_OUT);
    // The last product of a message is reduced for the next piece, or frozen for the tag.
    let last = word64::product(s, h, &k);
    assert!(last[2].hi() < 1 << 63, "{last:?}");
    assert_eq!(reduce(s, last)[2].hi(), TOP_OUT);
    freeze_plus(s, last, [ANY; 2]);
}

/// Any element as a key, and any element to start from. The bounds are those that `word44` documents.
#[test]
fn word44_steps() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    let r1 = Multiplier::new(s, limbs44(s, upto(ELEMENT)));
    let r2 = Multiplier::new(s, word44::carry_twice(s, word44::mul_wide(s, r1.r, &r1)));
    let block = word44::split(s, [ANY; 2], Range::upto(1));
    assert_eq!(tops(block), [ones(44), ones(44), ones(41)]);
    let start = limbs44(s, upto(ELEMENT));

    let one = |h| word44::step(s, h, block, &r1);
    let h = fixpoint(start, one);
    let out = one(h);
    assert!(out[0].hi() == ones(44) && out[2].hi() == ones(42));
    assert!(out[1].hi() < (1 << 44) + (1 << 8), "{:?}", out[1]);
    assert_below_2p(tops(out), 44);

    let two = |h| word44::step_two(s, h, block, block, &r1, &r2);
    // Single blocks may follow pairs, and a stream continues with pairs: both steps share one fixpoint.
    let h = fixpoint(start, |h| join(one(h), two(h)));
    for out in [one(h), two(h), r2.r] {
        assert!(out[0].hi() < (1 << 44) + (1 << 8), "{out:?}");
        assert!(out[1].hi() < (1 << 44) + (1 << 8), "{out:?}");
        assert!(out[2].hi() < (1 << 42) + (1 << 8), "{out:?}");
        // Packing is exact (`values_words`), so the element is below 2p.
        assert_below_2p(tops(out), 44);
        assert_eq!(word44::pack(s, out)[2].hi(), TOP_OUT);
    }
}

/// What `pack` asks for is what it documents.
#[test]
fn word44_pack() {
    let arena = IntervalArena::new();
    let out = word44::pack(arena.backend::<1>(), upto([ones(45), ones(45), ones(44)]));
    assert_eq!(out[2].hi(), 16);
}

/// Limbs below 2^62, as sums over lanes are.
#[test]
fn pack26_takes_62_bits() {
    let arena = IntervalArena::new();
    let out = pack26(arena.backend::<1>(), upto([ones(62); 5]));
    assert_eq!(out[2].hi(), TOP_OUT, "{out:?}");
}

/// The last reduction leaves at most 130 bits; its value is `freeze.rs`'s matter.
#[test]
fn freeze_takes_any_element() {
    let arena = IntervalArena::new();
    let out = freeze(arena.backend::<1>(), [ANY, ANY, Range::upto(TOP_OUT)]);
    assert_eq!(out[2].hi(), 3);
}
