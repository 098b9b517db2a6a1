//! The arithmetic of binary curves, by their types on a machine and by the definitions.
use std::sync::{LazyLock, OnceLock};

use carryless_gf2::ClmulCpu;
use carryless_gf2::curve::{
    AffinePoint, BinaryCurve, Curve, CurveField, ElementOf, FieldArithmetic, FieldElement, Scalar,
};
use carryless_reference::BigUint;
use carryless_reference::curve::{Curve as Definition, Domain, Field, Point};

/// A curve. Points are bytes of SEC 1; those that are given are on the curve.
pub(super) trait Arithmetic {
    /// k G, for k < n, with both coordinates.
    fn mul_base(&self, k: &BigUint) -> Vec<u8>;
    /// k P, for k < n, with both coordinates.
    fn mul(&self, k: &BigUint, p: &[u8]) -> Vec<u8>;
    /// The point in the form with one coordinate.
    fn compressed(&self, p: &[u8]) -> Vec<u8>;
    /// Whether they are a point that can be a public key: on the curve, of order n.
    fn is_public_key(&self, q: &[u8]) -> bool;
    /// The signature of this hash with the private key d and the nonce k, both from 1 to n - 1; none if r or s is 0.
    fn sign(&self, d: &BigUint, k: &BigUint, hash: &[u8]) -> Option<[BigUint; 2]>;
    /// Whether it is a signature of this hash by the owner of the public key Q.
    fn verify(&self, q: &[u8], hash: &[u8], signature: &[BigUint; 2]) -> bool;
}

/// What is known of a curve before anything is computed.
pub(super) struct Named {
    /// The library's name.
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) oid: Option<&'static str>,
    /// The types of the library.
    pub(super) on: fn(ClmulCpu) -> Box<dyn Arithmetic>,
    make_domain: fn() -> Domain,
    domain: OnceLock<Domain>,
}

impl Named {
    /// The constants of the library, for the definitions.
    pub(super) fn domain(&self) -> &Domain {
        self.domain.get_or_init(self.make_domain)
    }
}

/// All curves.
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

/// The curve with this name or alias; files write `relic_b257` for `relic-b257`.
pub(super) fn curve(name: &str) -> Option<&'static Named> {
    CURVES
        .iter()
        .find(|curve| curve.name.replace('-', "_") == name.replace('-', "_") || curve.aliases.contains(&name))
}

/// The constants of a curve.
fn domain<C: BinaryCurve>() -> Domain {
    let field = field::<C>();
    let element = |a: &ElementOf<C>| field.from_bytes(&bytes(a)).expect("an element");
    let [x, y] = &C::GENERATOR;
    let (a, b, generator) = (element(&C::A), element(&C::B), Point::Affine(element(x), element(y)));
    let (order, cofactor) = (order::<C>(), C::COFACTOR.into());
    Domain { curve: Definition { field, a, b }, generator, order, cofactor }
}

/// The field of a curve. The exponents of f are those of z^m = z^(m - 1) z, and m.
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
    let tail = bytes(&arithmetic.mul(&monomial(m - 1), &monomial(1)));
    let exponents = (0..m).rev().filter(|i| tail[i / 8] >> (i % 8) & 1 == 1);
    let f: Vec<usize> = [m].into_iter().chain(exponents).collect();
    if extended { Field::extended(&f) } else { Field::new(&f) }
}

/// n.
fn order<C: BinaryCurve>() -> BigUint {
    number(&-Scalar::<C>::one()) + 1_u8
}

/// Least significant byte first.
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

/// k modulo n.
fn scalar<C: BinaryCurve>(k: &BigUint) -> Scalar<C> {
    let bytes = (k % order::<C>()).to_bytes_be();
    Scalar::reduce_be_bytes(&bytes)
}

/// x modulo n; none for infinity.
fn x_mod_n<C: BinaryCurve>(point: &AffinePoint<C>) -> Option<Scalar<C>> {
    point.coordinates().map(|[x, _]| scalar(&BigUint::from_bytes_le(&bytes(&x))))
}

/// The leftmost bits of a hash, as many as n has.
fn leftmost<C: BinaryCurve>(hash: &[u8]) -> Scalar<C> {
    let excess = (8 * hash.len() as u64).saturating_sub(C::ORDER_BITS.into());
    scalar(&(BigUint::from_bytes_be(hash) >> excess))
}

/// The point with these bytes, which have been read before.
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
        q.is_ok_and(|q| !q.is_infinity().to_bool() && self.is_in_prime_order_group(&q).to_bool())
    }

    fn sign(&self, d: &BigUint, k: &BigUint, hash: &[u8]) -> Option<[BigUint; 2]> {
        let (d, k) = (scalar(d), scalar(k));
        let r = x_mod_n(&self.mul_base(&k))?;
        let s = k.invert().into_option()? * (leftmost(hash) + r * d);
        let is_signature = !(r.is_zero() | s.is_zero()).to_bool();
        is_signature.then(|| [number(&r), number(&s)])
    }

    fn verify(&self, q: &[u8], hash: &[u8], signature: &[BigUint; 2]) -> bool {
        let n = order::<C>();
        if signature.iter().any(|k| k.bits() == 0 || *k >= n) {
            return false;
        }
        let [r, s] = signature.each_ref().map(scalar::<C>);
        let Some(w) = s.invert().into_option() else { return false };
        let sum = self.mul_base(&(leftmost(hash) * w)) + self.mul(&(r * w), &point(q));
        x_mod_n(&sum).is_some_and(|x| x == r)
    }
}

impl Arithmetic for Domain {
    fn mul_base(&self, k: &BigUint) -> Vec<u8> {
        self.curve.encode(&self.curve.mul(k, &self.generator), false)
    }

    fn mul(&self, k: &BigUint, p: &[u8]) -> Vec<u8> {
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
