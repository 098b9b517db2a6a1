//! Curves y^2 + x y = x^3 + a x^2 + b over GF(2^m) and over GF(2^m)\[u\]/(u^2 + u + 1), by the affine definitions.
//!
//! Sources: SEC 1 version 2.0, sections 2.2.2 (points), 2.3.3 and 2.3.4 (their encoding), 3.3.1 (ECDH) and 4.1 (ECDSA).
//!
//! ```
//! use carryless_reference::{BigUint, curve::{Curve, Field, Point}};
//!
//! // y^2 + x y = x^3 + 1 over GF(2^5), a Koblitz curve with 44 points
//! let field = Field::new(&[5, 2, 0]);
//! let curve = Curve { a: field.zero(), b: field.one(), field };
//! let points = curve.points();
//! assert_eq!(points.len(), 44);
//! assert!(points.iter().all(|p| curve.mul(&BigUint::from(44_u8), p) == Point::Infinity));
//! ```
mod ecdsa;
mod field;
pub mod keys;
mod sec1;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;

pub use ecdsa::Domain;
pub use field::{Element, Field};
pub use sec1::DecodeError;

/// The curve y^2 + x y = x^3 + a x^2 + b with b not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// Field of the coordinates and of a and b.
    pub field: Field,
    /// The coefficient a, an element of the field.
    pub a: Element,
    /// The coefficient b, which is not 0.
    pub b: Element,
}

/// A point of a curve, in affine coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Point {
    /// The point at infinity, the neutral element of addition.
    Infinity,
    /// The point with coordinates x and y.
    Affine(Element, Element),
}

impl Point {
    /// Returns x, or `None` for the point at infinity.
    #[must_use]
    pub fn x(&self) -> Option<&Element> {
        match self {
            Point::Infinity => None,
            Point::Affine(x, _) => Some(x),
        }
    }
}

impl Curve {
    /// Returns whether the point is on the curve. The point at infinity is.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        let Point::Affine(x, y) = point else { return true };
        let field = &self.field;
        let left = field.add(&field.square(y), &field.mul(x, y));
        field.contains(x) && field.contains(y) && left == self.cubic(x)
    }

    /// Returns x^3 + a x^2 + b, the right side of the equation.
    fn cubic(&self, x: &Element) -> Element {
        let field = &self.field;
        field.add(&field.mul(&field.square(x), &field.add(x, &self.a)), &self.b)
    }

    /// Returns -P = (x, x + y).
    #[must_use]
    pub fn negate(&self, point: &Point) -> Point {
        match point {
            Point::Infinity => Point::Infinity,
            Point::Affine(x, y) => Point::Affine(x.clone(), self.field.add(x, y)),
        }
    }

    /// Returns 2 P by the tangent: lambda = x + y / x, x3 = lambda^2 + lambda + a, y3 = x^2 + (lambda + 1) x3.
    ///
    /// The point with x = 0 has order 2.
    #[must_use]
    pub fn double(&self, point: &Point) -> Point {
        let Point::Affine(x, y) = point else { return Point::Infinity };
        let field = &self.field;
        let Some(inverse) = field.invert(x) else { return Point::Infinity };
        let lambda = field.add(x, &field.mul(y, &inverse));
        let x3 = field.add(&field.add(&field.square(&lambda), &lambda), &self.a);
        let y3 = field.add(&field.square(x), &field.mul(&field.add(&lambda, &field.one()), &x3));
        Point::Affine(x3, y3)
    }

    /// Returns P + Q by the chord.
    ///
    /// lambda = (y1 + y2) / (x1 + x2), x3 = lambda^2 + lambda + x1 + x2 + a, y3 = lambda (x1 + x3) + x3 + y1.
    /// Points with equal x are equal or opposite.
    #[must_use]
    pub fn add(&self, p: &Point, q: &Point) -> Point {
        let (x1, y1, x2, y2) = match (p, q) {
            (Point::Infinity, other) | (other, Point::Infinity) => return other.clone(),
            (Point::Affine(x1, y1), Point::Affine(x2, y2)) => (x1, y1, x2, y2),
        };
        let field = &self.field;
        let Some(inverse) = field.invert(&field.add(x1, x2)) else {
            return if y1 == y2 { self.double(p) } else { Point::Infinity };
        };
        let lambda = field.mul(&field.add(y1, y2), &inverse);
        let sum = field.add(&field.add(x1, x2), &self.a);
        let x3 = field.add(&field.add(&field.square(&lambda), &lambda), &sum);
        let y3 = field.add(&field.add(&field.mul(&lambda, &field.add(x1, &x3)), &x3), y1);
        Point::Affine(x3, y3)
    }

    /// Returns k P, by doublings and additions from the highest bit of k down.
    #[must_use]
    pub fn mul(&self, k: &BigUint, point: &Point) -> Point {
        (0..k.bits()).rev().fold(Point::Infinity, |sum, i| {
            let twice = self.double(&sum);
            if k.bit(i) { self.add(&twice, point) } else { twice }
        })
    }

    /// Returns all points of a curve over a tiny field, by trying every pair (x, y).
    ///
    /// # Panics
    /// If the field has more than 2^16 elements or is an extension.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        let field = &self.field;
        let of_x = |x: Element| {
            let right = self.cubic(&x);
            // y^2 + x y = y (x + y).
            let is_on = move |x: &Element, y: &Element| field.mul(y, &field.add(x, y)) == right;
            field.elements().filter_map(move |y| is_on(&x, &y).then(|| Point::Affine(x.clone(), y)))
        };
        [Point::Infinity].into_iter().chain(field.elements().flat_map(of_x)).collect()
    }

    /// Returns the least k > 0 with k P = infinity, by counting.
    #[must_use]
    pub fn order(&self, point: &Point) -> u64 {
        let (mut multiple, mut k) = (point.clone(), 1);
        while multiple != Point::Infinity {
            multiple = self.add(&multiple, point);
            k += 1;
        }
        k
    }
}
