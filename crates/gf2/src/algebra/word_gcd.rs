//! Euclid's algorithm on the 128 highest coefficients. Its matrix holds for the whole polynomials.

/// The number of bits up to the leading one; 0 for 0.
fn len(a: u128) -> u32 {
    128 - a.leading_zeros()
}

/// Divides a by b, then b by the remainder and so on, until the lower row has at most `stop` bits. Returns the
/// matrix p, q, r, s: the rows are then p a + q b and r a + s b. Not constant time.
///
/// a has more bits than b, and `stop` is at least the bits of a less 64, so that the matrix fits in words.
pub(super) fn steps(mut a: u128, mut b: u128, stop: u32) -> [u64; 4] {
    let (mut upper, mut lower) = ([1, 0], [0, 1]);
    while len(b) > stop {
        // Long division, one bit of the quotient at a time. Invariant: `upper` and `lower` give the present a
        // and b from the first ones.
        // Entries have degree deg a0 - deg b at most, a0 being the first a. Here b has more than `stop` bits,
        // so that is below 64 and no shift loses a bit.
        while len(a) >= len(b) {
            let shift = len(a) - len(b);
            a ^= b << shift;
            upper = [upper[0] ^ lower[0] << shift, upper[1] ^ lower[1] << shift];
        }
        (a, b) = (b, a);
        (upper, lower) = (lower, upper);
    }
    [upper[0], upper[1], lower[0], lower[1]]
}
