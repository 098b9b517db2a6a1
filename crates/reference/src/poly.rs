//! Poly1305 and polyHash, by Horner's rule.
use crate::params::{KeyOutOfRange, Message, P1305, Params, power_of_two, to_bytes};
use num_bigint::BigUint;

/// The bits of `r` that RFC 8439 section 2.5 keeps.
const CLAMP: u128 = 0x0ffffffc_0ffffffc_0ffffffc_0fffffff;

/// Computes the residue of polyHash, `tau * Poly(tau; pad1(X)) mod p`. Here
/// `Poly(x; M_1, ..., M_l) = M_1 x^(l-1) + ... + M_l` (equation 1).
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
pub fn polyhash_residue(
    params: &Params,
    key: &[u8; 16],
    message: Message<'_>,
) -> Result<BigUint, KeyOutOfRange> {
    let (p, tau) = (params.p(), params.key(key)?);
    let mut value = BigUint::ZERO;
    for block in message.pad1(params.n) {
        value = (value * &tau + block) % &p;
    }
    Ok(value * tau % p)
}

/// polyHash (Construction 1): the residue mod `2^mu`, in 16 bytes.
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
pub fn polyhash(params: &Params, key: &[u8; 16], message: Message<'_>) -> Result<[u8; 16], KeyOutOfRange> {
    Ok(params.digest(&polyhash_residue(params, key, message)?))
}

/// Computes polyHash1305 of a message of whole bytes.
pub fn polyhash1305(key: &[u8; 16], message: &[u8]) -> [u8; 16] {
    P1305.digest(&residue1305(key, message))
}

/// Returns the value of polyHash1305 before it is reduced to 128 bits: below `2^130 - 5`, in 17 bytes, little-endian.
pub fn polyhash1305_residue(key: &[u8; 16], message: &[u8]) -> [u8; 17] {
    to_bytes(&residue1305(key, message))
}

/// Poly1305 (RFC 8439 section 2.5): polyHash1305 under the clamped first half of the key, plus
/// the second half mod `2^128`.
pub fn poly1305(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let s = BigUint::from_bytes_le(&key[16..]);
    let residue = BigUint::from_bytes_le(&poly1305_residue(key, message));
    to_bytes(&((residue + s) % power_of_two(128)))
}

/// Returns the value of Poly1305 before `s` is added: below `2^130 - 5`, in 17 bytes, little-endian.
pub fn poly1305_residue(key: &[u8; 32], message: &[u8]) -> [u8; 17] {
    let r: [u8; 16] = key[..16].try_into().expect("16 of 32 bytes");
    polyhash1305_residue(&(u128::from_le_bytes(r) & CLAMP).to_le_bytes(), message)
}

/// Returns the residue of `A || B`, `tau^blocks_b * residue(A) + residue(B) mod p`. `A` must be whole blocks,
/// and `B` has `blocks_b` blocks.
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
pub fn combine(
    params: &Params,
    key: &[u8; 16],
    residue_a: &BigUint,
    residue_b: &BigUint,
    blocks_b: u64,
) -> Result<BigUint, KeyOutOfRange> {
    let (p, tau) = (params.p(), params.key(key)?);
    Ok((tau.modpow(&BigUint::from(blocks_b), &p) * residue_a + residue_b) % p)
}

/// Returns the block of `n` bits that gives `prefix || block` the wanted residue, if it exists. For a random prefix it
/// does about one time in 4 (1305) or in 128 (1271). `prefix` must be whole blocks, and the key must not be zero.
///
/// Residues close to 0 and to `p` are where a final reduction goes wrong. Random messages do not meet them.
///
/// # Errors
/// [`KeyOutOfRange`] if the key has more than `k` bits.
pub fn last_block(
    params: &Params,
    key: &[u8; 16],
    prefix: &[u8],
    residue: &BigUint,
) -> Result<Option<Vec<u8>>, KeyOutOfRange> {
    let (p, tau) = (params.p(), params.key(key)?);
    let before = polyhash_residue(params, key, prefix.into())?;
    // residue = tau (before + M), so M = residue / tau - before, and M must be 2^n + a block's value.
    // p is prime, so tau^(p - 2) is the inverse of tau.
    let inverse = tau.modpow(&(&p - 2u32), &p);
    // p is added first, since a BigUint cannot be negative.
    let m = (residue * inverse + &p - before) % &p;
    let top = power_of_two(params.n);
    if m < top || m >= &top * 2u32 {
        return Ok(None);
    }
    let mut block = (m - top).to_bytes_le();
    block.resize(params.n as usize / 8, 0);
    Ok(Some(block))
}

/// Returns all keys one of whose powers with exponent 2, 4, ..., `2^squarings` is `value` mod p.
///
/// A kernel of several lanes multiplies by such powers. If the value is close to p, their limbs
/// are as large as possible.
pub fn roots_of_power_of_two(params: &Params, value: &BigUint, squarings: u32) -> Vec<[u8; 16]> {
    let p = params.p();
    // Both primes are 3 mod 4: a^((p+1)/4) is a root of a if there is one, and one of the two roots has roots again.
    let exponent = (&p + 1u32) >> 2u32;
    let (mut keys, mut values) = (Vec::new(), vec![value % &p]);
    for _ in 0..squarings {
        let candidates = values.iter().map(|a| (a, a.modpow(&exponent, &p)));
        let roots: Vec<BigUint> =
            candidates.filter(|(a, root)| root * root % &p == **a).map(|(_, root)| root).collect();
        // Both roots, since either may be a key and may have roots itself.
        values = roots.iter().flat_map(|root| [root.clone(), &p - root]).collect();
        keys.extend(values.iter().filter(|key| **key < power_of_two(params.k)).map(to_bytes));
    }
    keys
}

fn residue1305(key: &[u8; 16], message: &[u8]) -> BigUint {
    polyhash_residue(&P1305, key, message.into()).expect("every 16-byte key is a key of polyHash1305")
}
