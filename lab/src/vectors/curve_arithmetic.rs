//! Arithmetic of binary curves behind one trait: by the types of the library, and by the definitions.
use std::sync::{LazyLock, OnceLock};

use carryless_gf2::ClmulCpu;
use carryless_gf2::curve::{
    AffinePoint, BinaryCurve, Curve, CurveField, ElementOf, FieldArithmetic, FieldElement, Scalar,
};
use carryless_reference::BigUint;
use carryless_reference::curve::{Curve as Definition, Domain, Field, Point};

/// The arithmetic of one curve. Points are in SEC 1 encoding, and arguments are on the curve.
pub(super) trait Arithmetic {
    /// Returns k G for k < n, uncompressed.
    fn mul_base(&self, k: &BigUint) -> Vec<u8>;
    /// Returns k P for k < n, uncompressed.
    fn mul(&self, k: &BigUint, p: &[u8]) -> Vec<u8>;
    /// Returns the point in compressed form.
    fn compressed(&self, p: &[u8]) -> Vec<u8>;
    /// Returns whether the bytes can be a public key: a point of the curve, of order n.
    fn is_public_key(&self, q: &[u8]) -> bool;
    /// Signs a hash with the private key d and the nonce k, both from 1 to n - 1. `None` if r or s is 0.
    fn sign(&self, d: &BigUint, k: &BigUint, hash: &[u8]) -> Option<[BigUint; 2]>;
    /// Returns whether the signature of this hash is valid under the public key Q.
    fn verify(&self, q: &[u8], hash: &[u8], signature: &[BigUint; 2]) -> bool;
}

/// A curve with its names, and constructors of both arithmetics.
pub(super) struct Named {
    /// Name of the curve in the library.
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) oid: Option<&'static str>,
    /// Returns the arithmetic by the types of the library, on one backend.
    pub(super) on: fn(ClmulCpu) -> Box<dyn Arithmetic>,
    make_domain: fn() -> Domain,
    domain: OnceLock<Domain>,
}

impl Named {
    /// Returns the arithmetic by the definitions, with the constants of the library. It is built once.
    pub(super) fn domain(&self) -> &Domain {
        self.domain.get_or_init(self.make_domain)
    }
}

/// All curves of the library.
// Built at the first use, because most files are not of curves.
static CURVES: LazyLock<Vec<Named>> = LazyLock::new(|| {
    macro_rules! list {
        ($($curve:ident),*) => { vec![$(named::<carryless_gf2::curve::$curve>()),*] };
    }
    carryless_gf2::for_each_curve! { list }
});

fn named<C: BinaryCurve>() -> Named {
    Named {
        name: C::NAME,
        aliases: C::ALIASES,
        oid: C::OID,
        on: |cpu| Box::new(Curve::<C>::on(cpu)),
        make_domain: domain::<C>,
        domain: OnceLock::new(),
    }
}

/// Returns the curve with this name or alias. Files write `relic_b257` for `relic-b257`.
pub(super) fn curve(name: &str) -> Option<&'static Named> {
    CURVES
        .iter()
        .find(|curve| curve.name.replace('-', "_") == name.replace('-', "_") || curve.aliases.contains(&name))
}

/// Returns the constants of a curve, for the arithmetic by the definitions.
fn domain<C: BinaryCurve>() -> Domain {
    let field = field::<C>();
    let element = |a: &ElementOf<C>| field.from_bytes(&bytes(a)).expect("an element");
    let [x, y] = &C::GENERATOR;
    let (a, b, generator) = (element(&C::A), element(&C::B), Point::Affine(element(x), element(y)));
    let (order, cofactor) = (order::<C>(), C::COFACTOR.into());
    Domain { curve: Definition { field, a, b }, generator, order, cofactor }
}

/// Returns the field of a curve. The exponents of f are m and those of z^m, computed as z^(m - 1) z.
fn field<C: BinaryCurve>() -> Field {
    let bits = <C::Field as CurveField>::BITS;
    // Extensions are the fields of even degree.
    let (m, extended) = if bits.is_multiple_of(2) { (bits / 2, true) } else { (bits, false) };
    let monomial = |i: usize| {
        let mut bytes = vec![0; ElementOf::<C>::BYTES];
        bytes[i / 8] = 1 << (i % 8);
        ElementOf::<C>::from_le_bytes(&bytes).expect("i < m")
    };
    let arithmetic = <C::Field as CurveField>::Arithmetic::on(ClmulCpu::detect());
    // By a product, so that the reference gets the f by which the arithmetic reduces, not one that a
    // constant states.
    let tail = bytes(&arithmetic.mul(&monomial(m - 1), &monomial(1)));
    let exponents = (0..m).rev().filter(|i| tail[i / 8] >> (i % 8) & 1 == 1);
    let f: Vec<usize> = [m].into_iter().chain(exponents).collect();
    if extended { Field::extended(&f) } else { Field::new(&f) }
}

/// Returns the order n of the base point, as -1 plus 1.
fn order<C: BinaryCurve>() -> BigUint {
    number(&-Scalar::<C>::one()) + 1_u8
}

/// Returns an element as bytes, least significant first.
fn bytes<E: FieldElement>(element: &E) -> Vec<u8> {
    let mut bytes = vec![0; E::BYTES];
    element.write_le_bytes(&mut bytes);
    bytes
}

fn number<C: BinaryCurve>(scalar: &Scalar<C>) -> BigUint {
    let mut bytes = vec![0; Scalar::<C>::BYTES];
    scalar.write_be_bytes(&mut bytes);
    BigUint::from_bytes_be(&bytes)
}

/// Returns k modulo n as a scalar.
fn scalar<C: BinaryCurve>(k: &BigUint) -> Scalar<C> {
    let bytes = (k % order::<C>()).to_bytes_be();
    Scalar::reduce_be_bytes(&bytes)
}

/// Returns the x coordinate modulo n, or `None` for infinity.
fn x_mod_n<C: BinaryCurve>(point: &AffinePoint<C>) -> Option<Scalar<C>> {
    point.coordinates().map(|[x, _]| scalar(&BigUint::from_bytes_le(&bytes(&x))))
}

/// Returns the leftmost bits of a hash, as many as n has.
fn leftmost<C: BinaryCurve>(hash: &[u8]) -> Scalar<C> {
    // A hash shorter than n counts as it is.
    let excess = (8 * hash.len() as u64).saturating_sub(C::ORDER_BITS.into());
    scalar(&(BigUint::from_bytes_be(hash) >> excess))
}

/// Returns the point with these bytes, which were checked before; infinity if they are no point.
fn point<C: BinaryCurve>(bytes: &[u8]) -> AffinePoint<C> {
    AffinePoint::from_sec1(bytes).unwrap_or_default()
}

impl<C: BinaryCurve> Arithmetic for Curve<C> {
    fn mul_base(&self, k: &BigUint) -> Vec<u8> {
        self.mul_base(&scalar(k)).to_sec1().as_ref().to_vec()
    }

    fn mul(&self, k: &BigUint, p: &[u8]) -> Vec<u8> {
        self.mul(&scalar(k), &point(p)).to_sec1().as_ref().to_vec()
    }

    fn compressed(&self, p: &[u8]) -> Vec<u8> {
        point::<C>(p).to_sec1_compressed().as_ref().to_vec()
    }

    fn is_public_key(&self, q: &[u8]) -> bool {
        let q = AffinePoint::from_sec1(q);
        // The curves have cofactors, so that a point of the curve need not have order n.
        q.is_ok_and(|q| !q.is_infinity().to_bool() && self.is_in_prime_order_group(&q).to_bool())
    }

    fn sign(&self, d: &BigUint, k: &BigUint, hash: &[u8]) -> Option<[BigUint; 2]> {
        let (d, k) = (scalar(d), scalar(k));
        let r = x_mod_n(&self.mul_base(&k))?;
        // SEC 1, section 4.1.3: s = (e + r d) / k.
        let s = k.invert().into_option()? * (leftmost(hash) + r * d);
        let is_signature = !(r.is_zero() | s.is_zero()).to_bool();
        is_signature.then(|| [number(&r), number(&s)])
    }

    fn verify(&self, q: &[u8], hash: &[u8], signature: &[BigUint; 2]) -> bool {
        let n = order::<C>();
        // SEC 1, section 4.1.4, step 1: r and s are from 1 to n - 1.
        if signature.iter().any(|k| k.bits() == 0 || *k >= n) {
            return false;
        }
        let [r, s] = signature.each_ref().map(scalar::<C>);
        let Some(w) = s.invert().into_option() else { return false };
        // SEC 1, section 4.1.4: x of (e / s) G + (r / s) Q must be r modulo n.
        let sum = self.mul_base(&(leftmost(hash) * w)) + self.mul(&(r * w), &point(q));
        x_mod_n(&sum).is_some_and(|x| x == r)
    }
}

impl Arithmetic for Domain {
    fn mul_base(&self, k: &BigUint) -> Vec<u8> {
        self.curve.encode(&self.curve.mul(k, &self.generator), false)
    }

    fn mul(&self, k: &BigUint, p: &[u8]) -> Vec<u8> {
        // Infinity for bytes that are no point, as `point` has it: both arithmetics must agree on bad input.
        let p = self.curve.decode(p).unwrap_or(Point::Infinity);
        self.curve.encode(&self.curve.mul(k, &p), false)
    }

    fn compressed(&self, p: &[u8]) -> Vec<u8> {
        let p = self.curve.decode(p).unwrap_or(Point::Infinity);
        self.curve.encode(&p, true)
    }

    fn is_public_key(&self, q: &[u8]) -> bool {
        self.curve.decode(q).is_ok_and(|q| self.is_public_key(&q))
    }

    fn sign(&self, d: &BigUint, k: &BigUint, hash: &[u8]) -> Option<[BigUint; 2]> {
        self.sign(d, k, hash).map(|(r, s)| [r, s])
    }

    fn verify(&self, q: &[u8], hash: &[u8], [r, s]: &[BigUint; 2]) -> bool {
        self.curve.decode(q).is_ok_and(|q| self.verify(&q, hash, r, s))
    }
}
