//! ECDH and ECDSA (SEC 1, sections 3.3.1 and 4.1).
use super::{Curve, Point};
use num_bigint::BigUint;

/// A curve, with the subgroup of prime order in which keys are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The curve, with its field.
    pub curve: Curve,
    /// The base point G, of order n.
    pub generator: Point,
    /// The prime order n of G.
    pub order: BigUint,
    /// The cofactor: the number of points of the curve, divided by n.
    pub cofactor: BigUint,
}

impl Domain {
    /// Computes the shared secret of ECDH: x of d Q, most significant byte first. `None` if d is not from 1
    /// to n - 1, or Q is not a point of order n.
    #[must_use]
    pub fn shared_secret(&self, d: &BigUint, q: &Point) -> Option<Vec<u8>> {
        // The product exists for any d and Q, so the check may decide last.
        let is_key = self.is_scalar(d) && self.is_public_key(q);
        let shared = self.curve.mul(d, q);
        shared.x().filter(|_| is_key).map(|x| self.curve.big_endian(x))
    }

    /// Signs a hash with the private key d and the nonce k, which must be used only once. Returns (r, s), or
    /// `None` if d or k is not from 1 to n - 1, or r or s is 0.
    #[must_use]
    pub fn sign(&self, d: &BigUint, k: &BigUint, hash: &[u8]) -> Option<(BigUint, BigUint)> {
        let n = &self.order;
        // For k = 0 this ends here. Other numbers out of range are refused below, with r and s.
        let r = self.x_mod_n(&self.curve.mul(k, &self.generator))?;
        let s = self.invert_scalar(k) * (self.number(hash) + &r * d) % n;
        let all = [d, k, &r, &s].into_iter().all(|scalar| self.is_scalar(scalar));
        all.then_some((r, s))
    }

    /// Returns whether (r, s) is a signature of this hash under the public key Q.
    #[must_use]
    pub fn verify(&self, q: &Point, hash: &[u8], r: &BigUint, s: &BigUint) -> bool {
        if !(self.is_scalar(r) && self.is_scalar(s) && self.is_public_key(q)) {
            return false;
        }
        let (n, w) = (&self.order, self.invert_scalar(s));
        let (u1, u2) = (self.number(hash) * &w % n, r * &w % n);
        let sum = self.curve.add(&self.curve.mul(&u1, &self.generator), &self.curve.mul(&u2, q));
        // The sum may be infinity, which has no x and verifies nothing.
        self.x_mod_n(&sum).is_some_and(|x| x == *r)
    }

    /// Returns whether k is from 1 to n - 1.
    #[must_use]
    pub fn is_scalar(&self, k: &BigUint) -> bool {
        k.bits() != 0 && *k < self.order
    }

    /// Returns whether Q is a point of the curve other than infinity, and n Q is infinity.
    #[must_use]
    pub fn is_public_key(&self, q: &Point) -> bool {
        // A point of small order would tell the other side d modulo that order.
        *q != Point::Infinity && self.curve.contains(q) && self.curve.mul(&self.order, q) == Point::Infinity
    }

    /// Returns x as an integer modulo n. `None` for the point at infinity.
    fn x_mod_n(&self, point: &Point) -> Option<BigUint> {
        // SEC 1, section 2.3.9: the bits of the element are those of the integer.
        point.x().map(|x| BigUint::from_bytes_be(&self.curve.big_endian(x)) % &self.order)
    }

    /// Returns the leftmost bits of a hash, as many as n has, as an integer.
    fn number(&self, hash: &[u8]) -> BigUint {
        // A hash with fewer bits than n is used whole.
        let excess = (8 * hash.len() as u64).saturating_sub(self.order.bits());
        BigUint::from_bytes_be(hash) >> excess
    }

    /// Returns 1 / k modulo the prime n, as k^(n - 2).
    fn invert_scalar(&self, k: &BigUint) -> BigUint {
        k.modpow(&(&self.order - 2_u8), &self.order)
    }
}
