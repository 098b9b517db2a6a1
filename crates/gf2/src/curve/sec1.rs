//! Points as bytes (SEC 1, sections 2.3.3 and 2.3.4). Coordinates have their most significant byte first.
use super::{AffinePoint, BinaryCurve, ElementOf, FieldElement, PointError};
use ctutils::Choice;

/// The number of bytes of the longest point, on curves of 571 bits.
const MAX_BYTES: usize = 1 + 2 * 72;

/// The bytes of a point in the format of SEC 1. Read them by `as_ref`.
#[derive(Clone, Copy)]
pub struct EncodedPoint {
    bytes: [u8; MAX_BYTES],
    len: usize,
}

impl AsRef<[u8]> for EncodedPoint {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl core::fmt::Debug for EncodedPoint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "EncodedPoint({} bytes)", self.len)
    }
}

impl<C: BinaryCurve> AffinePoint<C> {
    /// The number of bytes of a coordinate: ceil(m / 8).
    pub const COORDINATE_BYTES: usize = ElementOf::<C>::BYTES;

    /// The point with these bytes. The first byte is 0 for infinity, 4 before both coordinates, or 2 or 3
    /// before x; the last two give the lowest bit of y / x. The order of the point is not checked.
    ///
    /// No standard covers [`Gls254`](super::Gls254). There the bytes of a coordinate a0 + a1 u are those of
    /// a1, then those of a0.
    ///
    /// # Errors
    /// [`PointError`] with the reason. The bytes are public: the time depends on them.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, PointError> {
        let (&form, coordinates) = bytes.split_first().ok_or(PointError::Empty)?;
        let expected = match form {
            0 => 0,
            2 | 3 => Self::COORDINATE_BYTES,
            4 => 2 * Self::COORDINATE_BYTES,
            // 6 and 7, both forms at once, are in ANSI X9.62 but not in SEC 1.
            _ => return Err(PointError::Form(form)),
        };
        if coordinates.len() != expected {
            return Err(PointError::Length { expected: 1 + expected, found: bytes.len() });
        }
        match form {
            0 => Ok(Self::infinity()),
            4 => {
                let (x, y) = coordinates.split_at(Self::COORDINATE_BYTES);
                Self::from_coordinates(coordinate::<C>(x)?, coordinate::<C>(y)?)
            }
            // 2 and 3 differ in the lowest bit, which is that of y / x.
            _ => Self::decompress(coordinate::<C>(coordinates)?, Choice::from_u8_lsb(form)),
        }
    }

    /// The uncompressed form: 4, x and y; or one zero byte for infinity. Whether the point is infinity is public.
    #[must_use]
    pub fn to_sec1(&self) -> EncodedPoint {
        self.encode(|[x, y], out| {
            let (out_x, out_y) = out.split_at_mut(Self::COORDINATE_BYTES);
            write::<C>(x, out_x);
            write::<C>(y, out_y);
            (4, 2)
        })
    }

    /// The compressed form: 2 or 3, then x; or one zero byte for infinity. Whether the point is infinity
    /// is public. Costs an inversion.
    #[must_use]
    pub fn to_sec1_compressed(&self) -> EncodedPoint {
        self.encode(|[x, _], out| {
            write::<C>(x, &mut out[..Self::COORDINATE_BYTES]);
            (2 | self.sign().to_u8(), 1)
        })
    }

    /// Encodes a finite point by `write`, which writes coordinates after the first byte and returns
    /// that byte and their number.
    fn encode(&self, write: impl FnOnce([ElementOf<C>; 2], &mut [u8]) -> (u8, usize)) -> EncodedPoint {
        // One zero byte is infinity; coordinates of a finite point replace it.
        let mut encoded = EncodedPoint { bytes: [0; MAX_BYTES], len: 1 };
        if let Some(coordinates) = self.coordinates() {
            let (form, count) = write(coordinates, &mut encoded.bytes[1..=2 * Self::COORDINATE_BYTES]);
            encoded.bytes[0] = form;
            encoded.len += count * Self::COORDINATE_BYTES;
        }
        encoded
    }
}

/// The coordinate with these bytes, most significant first, of which there are as many as an element has.
fn coordinate<C: BinaryCurve>(bytes: &[u8]) -> Result<ElementOf<C>, PointError> {
    // SEC 1 has the most significant byte first, elements have the least significant one first. All bits must
    // be below z^m: a coordinate has one encoding.
    let mut reversed = [0; MAX_BYTES];
    let reversed = &mut reversed[..bytes.len()];
    reversed.copy_from_slice(bytes);
    reversed.reverse();
    ElementOf::<C>::from_le_bytes(reversed).ok_or(PointError::Coordinate)
}

/// Writes a coordinate as bytes, most significant first.
fn write<C: BinaryCurve>(coordinate: ElementOf<C>, out: &mut [u8]) {
    coordinate.write_le_bytes(out);
    out.reverse();
}
