//! Bit matrices for inversions in a curve's field, and on Koblitz curves for a power of the Frobenius map.
use crate::field::tower::{QuadraticElement, QuadraticField};
use crate::field::{BinaryField, Element, Field, LinearMap, PreparedInverse};
use alloc::boxed::Box;

/// The matrices for one backend, in a field or in the base field of an extension.
pub struct Matrices<F: BinaryField> {
    inverse: PreparedInverse<F, Box<[u64]>>,
    frobenius: Option<Frobenius<F>>,
}

/// The map a -> a^(2^k) as a bit matrix.
struct Frobenius<F: BinaryField> {
    k: usize,
    map: LinearMap<F, Box<[u64]>>,
}

impl<F: BinaryField> Matrices<F> {
    fn new(field: &Field<F>, frobenius: Option<usize>) -> Self {
        let frobenius = frobenius.map(|k| Frobenius { k, map: LinearMap::frobenius(field, k) });
        Matrices { inverse: PreparedInverse::new(field), frobenius }
    }
}

/// Arithmetic of a field that can use precomputed [`Matrices`].
pub trait WithMatrices<E> {
    /// The type of matrices: of the field itself, or of the base field of an extension.
    type Matrices: Send + Sync + 'static;
    /// Computes the matrices for inversion, and those for a^(2^k) if `frobenius` is k.
    fn matrices(&self, frobenius: Option<usize>) -> Self::Matrices;
    /// The inverse 1 / a, and 0 for a = 0, by the matrices.
    fn invert_by(&self, matrices: &Self::Matrices, a: &E) -> E;
    /// The power a^(2^k) for the k of the matrices, or `None` if they have no k.
    fn frobenius_by(&self, matrices: &Self::Matrices, a: &E) -> Option<E>;
}

impl<F: BinaryField> WithMatrices<Element<F>> for Field<F> {
    type Matrices = Matrices<F>;

    fn matrices(&self, frobenius: Option<usize>) -> Matrices<F> {
        Matrices::new(self, frobenius)
    }
    fn invert_by(&self, matrices: &Matrices<F>, a: &Element<F>) -> Element<F> {
        matrices.inverse.invert_or_zero(a)
    }
    fn frobenius_by(&self, matrices: &Matrices<F>, a: &Element<F>) -> Option<Element<F>> {
        matrices.frobenius.as_ref().map(|Frobenius { map, .. }| map.apply_power(a))
    }
}

impl<F: BinaryField> WithMatrices<QuadraticElement<F>> for QuadraticField<F> {
    type Matrices = Matrices<F>;

    fn matrices(&self, frobenius: Option<usize>) -> Matrices<F> {
        Matrices::new(&self.base(), frobenius)
    }
    /// The conjugate over the norm: one inversion in the base field.
    fn invert_by(&self, matrices: &Matrices<F>, a: &QuadraticElement<F>) -> QuadraticElement<F> {
        // 1 / a = a' / (a a') for the conjugate a'. The norm a a' lies in the base field, where inversion is
        // much cheaper.
        self.mul_base(&a.conjugate(), &matrices.inverse.invert_or_zero(&self.norm(a)))
    }
    /// Coefficient by coefficient, where u^(2^k) is u for even k and u + 1 for odd k.
    fn frobenius_by(&self, matrices: &Matrices<F>, a: &QuadraticElement<F>) -> Option<QuadraticElement<F>> {
        matrices.frobenius.as_ref().map(|Frobenius { k, map }| {
            let raised = QuadraticElement::from_coefficients(a.coefficients().map(|a| map.apply_power(&a)));
            // u^(2^k) is u for even k, and u + 1 for odd k.
            if k % 2 == 0 { raised } else { raised.conjugate() }
        })
    }
}
