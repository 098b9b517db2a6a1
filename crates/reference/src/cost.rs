//! Costs of the papers' algorithms, as formulas (paper 001, Theorem 2 and Tables 2 to 4, with their errata).

/// Operations and storage for one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Number of multiplications without reduction modulo p.
    pub multiplications: u64,
    /// Number of reductions modulo p.
    pub reductions: u64,
    /// Number of multiplications or squarings, with reduction, that compute powers of the key.
    pub preparation: u64,
    /// Number of powers of the key that are stored, the key included.
    pub powers: u64,
}

/// `floor(lg l)`, 0 for no block.
fn lg(l: u64) -> u64 {
    l.checked_ilog2().unwrap_or(0).into()
}

/// polyHash of `l` blocks with one reduction for `g` products (Table 2).
pub fn polyhash_cost(l: u64, g: u64) -> Cost {
    // The first of the g powers is the key, which costs nothing.
    Cost { multiplications: l, reductions: l.div_ceil(g), preparation: g - 1, powers: g }
}

/// The BRW polynomial of `l` blocks by Algorithm 1, for any `t` (Theorem 2). It counts for `l >= 3`; one or
/// two blocks need no square.
pub fn brw_cost(l: u64) -> Cost {
    // BRW of three blocks needs x^2, and of l blocks x^h for every power of two h up to l.
    let squarings = if l > 2 { lg(l) } else { 0 };
    Cost { multiplications: l / 2, reductions: 1 + l / 4, preparation: squarings, powers: 1 + squarings }
}

/// BRWHash of `l >= 3` blocks (Table 2). One reduction less if the last two products share theirs,
/// `tau^2 BRW + tau L`, as the text after Construction 2 counts.
pub fn brwhash_cost(l: u64) -> Cost {
    Cost { multiplications: 2 + l / 2, reductions: 3 + l / 4, preparation: lg(l), powers: 1 + lg(l) }
}

/// c-decBRWHash of `l` blocks, `c > 1`, one stream after the other (Table 2): `n = ceil(l/c)` blocks a stream, `c - 1`
/// products for `Q_(c+1)`, two for the length. The squaring that gives `tau^d` is counted; Proposition 2 forgets it.
pub fn decbrwhash_cost(l: u64, c: u64) -> Cost {
    let n = l.div_ceil(c);
    Cost {
        multiplications: 1 + c * (1 + n / 2),
        reductions: 1 + c * (2 + n / 4),
        preparation: 1 + lg(n),
        powers: 2 + lg(n),
    }
}

/// Vector multiplications and reductions of polyHash in `lanes` lanes, with one reduction for `g` rows (Table
/// 3, there 4 lanes). Only whole rows count, without the sum of the lanes and the blocks that fill no row.
pub fn polyhash_vector_cost(l: u64, lanes: u64, g: u64) -> (u64, u64) {
    let rows = l / lanes;
    (rows, rows.saturating_sub(1).div_ceil(g))
}

/// Vector multiplications and reductions of c-decBRWHash in `c` lanes (Table 3, there `c = 4`),
/// without `Q_(c+1)` and the length.
pub fn decbrwhash_vector_cost(l: u64, c: u64) -> (u64, u64) {
    let n = l.div_ceil(c);
    (n / 2, 1 + n / 4)
}

/// Bytes of key powers for polyHash in four lanes of 5 limbs, each 64 bits wide (Table 4a): `g` powers, with
/// the multiples by 5 of four limbs, and the vector of the last row.
pub fn polyhash_key_bytes(g: u64) -> u64 {
    // Five limbs of four lanes have 160 bytes, four limbs 128.
    g * (160 + 128) + 160
}

/// Bytes of key powers for 4-decBRWHash of `l >= 1` blocks in the same layout: `tau^(2^j)`,
/// `j = 0 .. floor(lg ceil(l/4))`. Table 4b prints 160 less, although the text lists this many.
pub fn decbrwhash_key_bytes(l: u64) -> u64 {
    160 * (1 + lg(l.div_ceil(4)))
}

/// Most values that Algorithm 1 holds on its stack for `l` blocks and leaves of `2^t - 1` (Proposition 1).
pub fn stack_depth(l: u64, t: u64) -> u64 {
    (lg(l) + 1).saturating_sub(t)
}
