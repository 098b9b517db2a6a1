//! BRW polynomials (Bernstein, Rabin, Winograd) and BRWHash.
use crate::params::{KeyOutOfRange, Message, Params};
use num_bigint::BigUint;

/// The BRW polynomial (Bernstein, Rabin, Winograd) of the blocks `M_1, ..., M_l` at `x`, mod p (paper 001, section 2):
///
/// ```text
/// BRW(x; )           = 0
/// BRW(x; M1)         = M1
/// BRW(x; M1, M2)     = M1 x + M2
/// BRW(x; M1, M2, M3) = (x + M1)(x^2 + M2) + M3
/// BRW(x; M1, .., Ml) = BRW(x; M1, .., M(h-1)) (x^h + Mh) + BRW(x; M(h+1), .., Ml)
/// ```
///
/// where `h` is the largest power of two up to `l`, `l >= 4`. For `l >= 3` it is monic, of degree `2h - 1`.
pub fn brw(params: &Params, x: &BigUint, blocks: &[BigUint]) -> BigUint {
    let p = params.p();
    match blocks {
        [] => BigUint::ZERO,
        // Blocks are below p, but callers may pass any number.
        [m1] => m1 % p,
        [m1, m2] => (m1 * x + m2) % p,
        [m1, m2, m3] => ((x + m1) * (x * x + m2) + m3) % p,
        _ => {
            let lg = blocks.len().ilog2();
            let (left, right) = blocks.split_at(1 << lg);
            let (middle, left) = left.split_last().expect("four blocks or more");
            // x^h by h = 2^lg: squared lg times.
            let power = (0..lg).fold(x.clone(), |power, _| &power * &power % &p);
            // The recursion of the definition, not Algorithm 1 of the paper, which the library implements.
            (brw(params, x, left) * (power + middle) + brw(params, x, right)) % p
        }
    }
}

/// The residue of BRWHash: `tau (tau BRW(tau; M_1, ..., M_l) + L) mod p`, with the blocks and the length `L` in bits
/// of `pad2(X)` (paper 001, equation 5).
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
pub fn brwhash_residue(
    params: &Params,
    key: &[u8; 16],
    message: Message<'_>,
) -> Result<BigUint, KeyOutOfRange> {
    let tau = params.key(key)?;
    let (blocks, bits) = message.pad2(params.n);
    Ok(&tau * (&tau * brw(params, &tau, &blocks) + bits) % params.p())
}

/// BRWHash (paper 001, Construction 2): the residue mod `2^mu`, in 16 bytes, little-endian.
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
pub fn brwhash(params: &Params, key: &[u8; 16], message: Message<'_>) -> Result<[u8; 16], KeyOutOfRange> {
    Ok(params.digest(&brwhash_residue(params, key, message)?))
}
