//! Points as bytes (SEC 1, sections 2.3.3 and 2.3.4). Coordinates are big-endian. In an extension the bytes
//! of a1 come first, then those of a0.
use super::{Curve, Element, Point};

/// The reason why bytes are no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The first byte is missing, or is not 0, 2, 3 or 4.
    Tag,
    /// The number of bytes does not fit the first one.
    Length,
    /// A coordinate has a coefficient from z^m on.
    Coordinate,
    /// No point of the curve has this x, or (x, y) is not on the curve.
    NotOnCurve,
    /// x is 0, but the bit that distinguishes y from x + y is 1.
    Sign,
}

impl Curve {
    /// Encodes a point. Uncompressed it is 4, x and y; compressed, 2 plus the constant coefficient of y / x,
    /// and x. The point at infinity is the byte 0.
    #[must_use]
    pub fn encode(&self, point: &Point, compressed: bool) -> Vec<u8> {
        let Point::Affine(x, y) = point else { return vec![0] };
        let mut bytes = if compressed { vec![2 + self.sign(x, y)] } else { vec![4] };
        bytes.extend(self.big_endian(x));
        if !compressed {
            bytes.extend(self.big_endian(y));
        }
        bytes
    }

    /// Decodes a point in any of the three forms that [`encode`](Curve::encode) writes.
    ///
    /// # Errors
    /// [`DecodeError`] with the first reason: first byte, length, coordinates, then the curve.
    pub fn decode(&self, bytes: &[u8]) -> Result<Point, DecodeError> {
        let (tag, rest) = bytes.split_first().ok_or(DecodeError::Tag)?;
        let expected = match tag {
            0 => 0,
            2 | 3 => self.field.bytes(),
            4 => 2 * self.field.bytes(),
            // 6 and 7 of ANSI X9.62, both forms at once, are not in SEC 1.
            _ => return Err(DecodeError::Tag),
        };
        if rest.len() != expected {
            return Err(DecodeError::Length);
        }
        if *tag == 0 {
            return Ok(Point::Infinity);
        }
        let (x, y) = rest.split_at(self.field.bytes());
        let x = self.coordinate(x)?;
        if *tag != 4 {
            return self.decompress(x, tag & 1);
        }
        let point = Point::Affine(x, self.coordinate(y)?);
        if self.contains(&point) { Ok(point) } else { Err(DecodeError::NotOnCurve) }
    }

    /// Returns the point with this x, whose y / x has this constant coefficient: y = x w for a solution of
    /// w^2 + w = x + a + b / x^2.
    ///
    /// For x = 0 there is one point, y = sqrt(b), whose bit is 0.
    fn decompress(&self, x: Element, sign: u8) -> Result<Point, DecodeError> {
        let field = &self.field;
        let Some(inverse) = field.invert(&x) else {
            let y = field.sqrt(&self.b);
            return if sign == 0 { Ok(Point::Affine(x, y)) } else { Err(DecodeError::Sign) };
        };
        let c = field.add(&field.add(&x, &self.a), &field.mul(&self.b, &field.square(&inverse)));
        let mut w = field.solve_quadratic(&c).ok_or(DecodeError::NotOnCurve)?;
        if w[0] as u8 & 1 != sign {
            // The other solution is that of -P, whose y is x + y.
            w = field.add(&w, &field.one());
        }
        let y = field.mul(&x, &w);
        Ok(Point::Affine(x, y))
    }

    /// Returns the constant coefficient of y / x, or 0 for x = 0.
    fn sign(&self, x: &Element, y: &Element) -> u8 {
        let field = &self.field;
        field.invert(x).map_or(0, |inverse| field.mul(y, &inverse)[0] as u8 & 1)
    }

    /// Returns a coordinate as bytes, most significant first.
    pub(super) fn big_endian(&self, a: &Element) -> Vec<u8> {
        self.field.to_bytes(a).into_iter().rev().collect()
    }

    fn coordinate(&self, bytes: &[u8]) -> Result<Element, DecodeError> {
        let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
        self.field.from_bytes(&bytes).ok_or(DecodeError::Coordinate)
    }
}
