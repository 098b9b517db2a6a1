//! The operations of a multiplication and of a reduction modulo 2^127 - 1, as paper 001 counts them (section 4.2).
use super::radix::{R26Of1271, R32, Radix};
use crate::field::LaneField;
use carryless_lanes::{Count, Portable, Tally};
use core::cell::Cell;

type Counted<'a> = Count<'a, Portable<4>>;

/// What a product of two carried elements, one of them made a key, and its carry ask for.
fn product_and_carry<R: Radix>() -> [Tally; 2] {
    let tally = Cell::new(Tally::default());
    let s: Counted<'_> = Count::new(Portable, &tally);
    let f = R::over(s);
    let a = f.everywhere(R::CUT);
    let start = tally.get();
    let d = f.mul(a, &f.key(a));
    let multiplied = tally.get();
    f.carry(d);
    [multiplied - start, tally.get() - multiplied]
}

/// Five limbs: 25 `vpmuludq`, 20 `vpaddq`, and a shift for each of the 4 multiples by 8; six carries, of which the two chains
/// here make seven (3 -> 4 -> 0 -> 1 and 0 -> 1 -> 2 -> 3 -> 4).
#[test]
fn five_limbs() {
    let [product, carry] = product_and_carry::<R26Of1271>();
    assert_eq!((product.mul32, product.add, product.shift, product.mask), (25, 20, 4, 0));
    assert_eq!((carry.add, carry.shift, carry.mask), (7, 7, 7));
}

/// Four limbs: 16 `vpmuludq`, 16 `vpand` and 16 `vpsrlq`. Of the paper's 40 `vpaddq` and 3 `vpsllq` the product has 32 sums;
/// doublings wait for the carry, where they are 4 shifts and 4 sums for any number of products. Seven carries.
#[test]
fn four_limbs() {
    let [product, carry] = product_and_carry::<R32>();
    assert_eq!((product.mul32, product.add, product.shift, product.mask), (16, 32, 16, 16));
    assert_eq!((carry.add, carry.shift, carry.mask), (4 + 7, 4 + 7, 7));
}
