//! Linear-feedback shift registers.
use super::symbols::are_reduced;
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;

/// What both kinds of registers have: the connection polynomial without its first coefficient, and the state.
#[derive(Clone, Debug)]
struct Register {
    field: DynField,
    /// c_1 to c_n, where term i of the sequence is the sum of c_j times term i - j; c_n to c_1 in a Galois register.
    taps: Vec<u64>,
    state: Vec<u64>,
    /// Room for products, no part of the register's value.
    products: Vec<u64>,
}

impl PartialEq for Register {
    fn eq(&self, other: &Register) -> bool {
        (&self.field, &self.taps, &self.state) == (&other.field, &other.taps, &other.state)
    }
}

impl Eq for Register {}

impl Register {
    #[track_caller]
    fn new(field: &DynField, connection: &[u64], state: &[u64]) -> Register {
        assert_eq!(field.words(), 1, "a field of degree 64 at most");
        assert_eq!(connection.first(), Some(&1), "the first coefficient of a connection polynomial is 1");
        let taps = &connection[1..];
        assert!(!taps.is_empty() && state.len() == taps.len(), "a state has {} elements", taps.len());
        assert!(
            are_reduced(field, taps) && are_reduced(field, state),
            "elements are below 2^{}",
            field.degree()
        );
        let [taps, state, products] = [taps.to_vec(), state.to_vec(), vec![0; state.len()]];
        Register { field: field.clone(), taps, state, products }
    }
}

/// A Fibonacci register: its state is the next n terms of the sequence in reverse order, and each step computes a new term.
///
/// The iterator never ends. A step takes n products.
///
/// ```
/// use carryless_gf2::codes::{FibonacciLfsr, berlekamp_massey_vartime};
/// use carryless_gf2::field::DynField;
///
/// // s_i = s_(i - 1) + s_(i - 3), with the terms 0, 0, 1 first.
/// let field = DynField::from_exponents(&[1, 0])?;
/// let register = FibonacciLfsr::new(&field, &[1, 1, 0, 1], &[1, 0, 0]);
/// let terms: Vec<u64> = register.take(8).collect();
/// assert_eq!(terms, [0, 0, 1, 1, 1, 0, 1, 0]);
/// assert_eq!(berlekamp_massey_vartime(&field, &terms), [1, 1, 0, 1]);
/// # Ok::<(), carryless_gf2::field::DynFieldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FibonacciLfsr(Register);

impl FibonacciLfsr {
    /// The register of a connection polynomial 1 + c_1 x + .. + c_n x^n, the coefficient of x^0 first, with a state of n elements.
    ///
    /// # Panics
    /// If the polynomial does not begin with 1, n is 0, the state has other than n elements, one is not reduced, or the field has
    /// elements of more than one word.
    #[must_use]
    #[track_caller]
    pub fn new(field: &DynField, connection: &[u64], state: &[u64]) -> FibonacciLfsr {
        FibonacciLfsr(Register::new(field, connection, state))
    }

    /// The next n terms in reverse order: the last element is the next output.
    #[must_use]
    pub fn state(&self) -> &[u64] {
        &self.0.state
    }
}

impl Iterator for FibonacciLfsr {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let Register { field, taps, state, .. } = &mut self.0;
        let mut new = [0];
        field.dot(state, taps, &mut new);
        state.rotate_right(1);
        Some(core::mem::replace(&mut state[0], new[0]))
    }
}

/// A Galois register: its state are the coefficients of a polynomial, that of x^0 first. Each step returns the last
/// one and multiplies the polynomial by x modulo the reciprocal x^n + c_1 x^(n - 1) + .. + c_n of the connection polynomial.
///
/// Its sequences have the same recurrence as those of a [`FibonacciLfsr`]. The iterator never ends. A step takes n products.
///
/// ```
/// use carryless_gf2::codes::{GaloisLfsr, berlekamp_massey_vartime};
/// use carryless_gf2::field::DynField;
///
/// let field = DynField::from_exponents(&[1, 0])?;
/// let terms: Vec<u64> = GaloisLfsr::new(&field, &[1, 1, 0, 1], &[1, 1, 1]).take(8).collect();
/// assert_eq!(terms, [1, 0, 1, 0, 0, 1, 1, 1]);
/// assert_eq!(berlekamp_massey_vartime(&field, &terms), [1, 1, 0, 1]);
/// # Ok::<(), carryless_gf2::field::DynFieldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GaloisLfsr(Register);

impl GaloisLfsr {
    /// The register of a connection polynomial 1 + c_1 x + .. + c_n x^n, the coefficient of x^0 first, with a state of n elements.
    ///
    /// # Panics
    /// As [`FibonacciLfsr::new`].
    #[must_use]
    #[track_caller]
    pub fn new(field: &DynField, connection: &[u64], state: &[u64]) -> GaloisLfsr {
        let mut register = Register::new(field, connection, state);
        register.taps.reverse();
        GaloisLfsr(register)
    }

    /// The coefficients of the polynomial, that of x^0 first.
    #[must_use]
    pub fn state(&self) -> &[u64] {
        &self.0.state
    }
}

impl Iterator for GaloisLfsr {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let Register { field, taps, state, products } = &mut self.0;
        state.rotate_right(1);
        let out = core::mem::replace(&mut state[0], 0);
        field.scale_slice(taps, &[out], products);
        state.iter_mut().zip(products).for_each(|(element, add)| *element ^= *add);
        Some(out)
    }
}
