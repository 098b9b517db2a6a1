//! The keys of the hashes as a sealed trait: the type of a key names the prime.
use crate::eval::evaluate::Evaluate;

/// A key of [`polyhash1305`](crate::polyhash1305), [`decbrwhash1305`](crate::decbrwhash1305) and their counterparts
/// over 2^127 - 1. Its type determines the prime, so the types of [`polyhash`](crate::polyhash) and
/// [`decbrwhash`](crate::decbrwhash) are generic over it.
///
/// | key | prime | range | bytes of a block | bits of a digest |
/// |---|---|---|---|---|
/// | `[u8; 16]` | 2^130 - 5 | every 16 bytes | 16 | 128 |
/// | [`Key1271`](crate::Key1271) | 2^127 - 1 | integers below 2^126 | 15 | 126 |
///
/// The trait is sealed: no other type implements it.
#[expect(private_bounds, reason = "the trait is sealed, and its methods are internals of the kernels")]
pub trait HashKey: Sealed {}

/// What the hashes need of a [`HashKey`]; private, so that no other crate implements it.
pub(crate) trait Sealed: Clone {
    /// The field of the prime.
    type Element: Evaluate;

    /// The point tau at which polynomials are evaluated: the key as an element of the field.
    fn tau(&self) -> Self::Element;
}
