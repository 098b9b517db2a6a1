//! Bit matrices for the inversions of a curve's field, and on Koblitz curves for a power of the Frobenius map.
use crate::field::tower::{QuadraticElement, QuadraticField};
use crate::field::{BinaryField, Element, Field, LinearMap, PreparedInverse};
use alloc::boxed::Box;

/// For one machine.
pub struct Matrices<F: BinaryField> {
    inverse: PreparedInverse<F, Box<[u64]>>,
    frobenius: Option<Frobenius<F>>,
}

/// a -> a^(2^k).
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

/// Arithmetic with [`Matrices`].
pub trait WithMatrices<E> {
    /// Those of a field, or of the field below it.
    type Matrices: Send + Sync + 'static;
    /// Makes them: for inversion, and for a^(2^k).
    fn matrices(&self, frobenius: Option<usize>) -> Self::Matrices;
    /// 1 / a, and 0 for a = 0.
    fn invert_by(&self, matrices: &Self::Matrices, a: &E) -> E;
    /// a^(2^k) for their k; none without.
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
        matrices.frobenius.as_ref().map(|Frobenius { map, .. }| map.apply(a))
    }
}

impl<F: BinaryField> WithMatrices<QuadraticElement<F>> for QuadraticField<F> {
    type Matrices = Matrices<F>;

    fn matrices(&self, frobenius: Option<usize>) -> Matrices<F> {
        Matrices::new(&self.base(), frobenius)
    }
    /// The conjugate over the norm.
    fn invert_by(&self, matrices: &Matrices<F>, a: &QuadraticElement<F>) -> QuadraticElement<F> {
        self.mul_base(&a.conjugate(), &matrices.inverse.invert_or_zero(&self.norm(a)))
    }
    /// u^(2^k) is u for even k and u + 1 for odd.
    fn frobenius_by(&self, matrices: &Matrices<F>, a: &QuadraticElement<F>) -> Option<QuadraticElement<F>> {
        matrices.frobenius.as_ref().map(|Frobenius { k, map }| {
            let raised = QuadraticElement::from_coefficients(a.coefficients().map(|a| map.apply(&a)));
            if k % 2 == 0 { raised } else { raised.conjugate() }
        })
    }
}
