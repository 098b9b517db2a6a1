//! c-decBRWHash: blocks are dealt to c BRW polynomials, whose values are the coefficients of a polynomial in
//! `tau^d`.
use crate::brw::brw;
use crate::params::{KeyOutOfRange, Message, Params};
use num_bigint::BigUint;

/// The values `Q_1(tau), ..., Q_c(tau)` of the streams of a message or of a segment of one (paper 001, Construction 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streams {
    /// `Q_1, ..., Q_c`, below p.
    pub values: Vec<BigUint>,
    /// Blocks of the message or segment, before zero blocks were appended.
    pub blocks: u64,
}

impl Streams {
    /// Deals the blocks `M_1, ..., M_l` to `c` streams of `n = ceil(l/c)` blocks; missing ones are zero.
    ///
    /// ```text
    /// Q_i = BRW(tau; M_i, M_(c+i), M_(2c+i), ...),  i = 1 .. c
    /// ```
    ///
    /// # Panics
    /// If `c` is 0, because no stream would take the blocks.
    pub fn new(params: &Params, c: usize, tau: &BigUint, mut blocks: Vec<BigUint>) -> Streams {
        let l = blocks.len();
        blocks.resize(l.next_multiple_of(c), BigUint::ZERO);
        // Neighbouring blocks go to different streams, as the lanes of a vector load them.
        let stream = |i| blocks.iter().skip(i).step_by(c).cloned().collect::<Vec<_>>();
        Streams { values: (0..c).map(|i| brw(params, tau, &stream(i))).collect(), blocks: l as u64 }
    }

    /// Returns the number of blocks of each stream, `ceil(l/c)`: the paper's fraktur n.
    pub fn rows(&self) -> u64 {
        self.blocks.div_ceil(self.values.len() as u64)
    }

    /// The polynomial over the streams: `Q_(c+1) = Q_1 tau^((c-1) d) + ... + Q_(c-1) tau^d + Q_c mod p`
    /// (equation 8), with `d` of [`outer_exponent`].
    pub fn outer(&self, params: &Params, tau: &BigUint) -> BigUint {
        let p = params.p();
        // The exponent depends on the number of rows, so it is known only when all blocks are.
        let power = tau.modpow(&BigUint::from(outer_exponent(self.rows())), &p);
        self.values.iter().fold(BigUint::ZERO, |sum, q| (sum * &power + q) % &p)
    }

    /// The residue of a message of `bits` bits with these streams: `tau (tau Q_(c+1) + L) mod p` (equation 9).
    pub fn residue(&self, params: &Params, tau: &BigUint, bits: u64) -> BigUint {
        tau * (tau * self.outer(params, tau) + bits) % params.p()
    }
}

/// `d = 2^(floor(lg n) + 1)` for streams of `n` blocks, one more than the degree of their BRW polynomials for `n >= 3`,
/// so that their coefficients do not meet in `Q_(c+1)`; 1 for the empty message.
pub fn outer_exponent(rows: u64) -> u64 {
    if rows == 0 { 1 } else { 2 << rows.ilog2() }
}

/// The residue of c-decBRWHash: `tau (tau Q_(c+1) + L) mod p` (paper 001, equation 9).
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
///
/// # Panics
/// If `c` is 0, because no stream would take the blocks.
pub fn decbrwhash_residue(
    params: &Params,
    c: usize,
    key: &[u8; 16],
    message: Message<'_>,
) -> Result<BigUint, KeyOutOfRange> {
    let tau = params.key(key)?;
    let (blocks, bits) = message.pad2(params.n);
    Ok(Streams::new(params, c, &tau, blocks).residue(params, &tau, bits))
}

/// c-decBRWHash (paper 001, Construction 3): the residue mod `2^mu`, in 16 bytes, little-endian. `c = 1` is BRWHash.
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
///
/// # Panics
/// If `c` is 0, because no stream would take the blocks.
pub fn decbrwhash(
    params: &Params,
    c: usize,
    key: &[u8; 16],
    message: Message<'_>,
) -> Result<[u8; 16], KeyOutOfRange> {
    Ok(params.digest(&decbrwhash_residue(params, c, key, message)?))
}
