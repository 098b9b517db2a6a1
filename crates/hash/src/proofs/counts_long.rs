//! Operation counts of long groups.
use super::counts::after;
use crate::eval::horner::{keys_of, long_group};
use crate::field::groups::LONG_G;
use crate::field::p1305::lanes44::Radix44;
use carryless_lanes::Tally;

pub(super) fn long_rows(g: usize) -> Tally {
    after::<8, _>(
        |s| keys_of(Radix44(s), &[[[1; 8]; 3]; 2]),
        |s, keys| {
            long_group(Radix44(s), [[1; 8]; 3], &[0; 16 * 8 * LONG_G][..16 * 8 * g], &keys);
        },
    )
}

/// Long groups: twelve multiply-adds and three sums a row, and for the group the differences, the columns and a carry.
#[test]
fn a_long_group_is_what_it_says() {
    let row =
        Tally { load: 2, unpack: 2, shift: 3, mask: 2, concat: 2, madd52: 12, add: 3, ..Tally::default() };
    // Six differences of three; five shifts and six sums join the halves; 20 x is two shifts and two sums, thrice; three
    // sums add the last row.
    let columns = Tally { sub: 12, shift: 5 + 6, add: 6 + 6 + 3, ..Tally::default() };
    let carry = Tally { shift: 3, mask: 3, add: 2, madd52: 1, ..Tally::default() };
    for g in 1..=LONG_G {
        let tally = long_rows(g);
        let want = (0..g).fold(columns + carry, |sum, _| sum + row);
        assert_eq!(tally, Tally { splat: tally.splat, ..want }, "{g} rows");
    }
}
