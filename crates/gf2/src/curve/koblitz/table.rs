//! P times the digits.
use super::super::lambda::{Lambda, add_projective, frobenius};
use super::digits::DIGITS;
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// X, L, Z of P times the digits of the classes 1, 3, 5, ..., 15, by seven additions:
///
/// ```text
/// d3 = tau^2 - 1    d5 = tau^2 + 1 = tau - 1    d7 = tau + 1           d15 = tau^4 - 1
/// d9 = tau d7 - 1                               d11 = tau d7 + 1       d13 = -tau d3 - 1
/// ```
pub(super) struct Multiples<'a, F> {
    /// The coordinates of P, x not 0.
    pub(super) x: &'a [u64],
    pub(super) y: &'a [u64],
    /// Whether tau is -phi.
    pub(super) mu_negative: bool,
    pub(super) out: [[&'a mut [u64]; 3]; DIGITS],
    pub(super) of: PhantomData<F>,
}

impl<F: KernelField> ClmulKernel for Multiples<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let (x, y) = (F::load(s, self.x), F::load(s, self.y));
        // Over Z = x: lambda = x + y / x = (x^2 + y) / x.
        let xx = F::square(s, x);
        let p1 = [xx, F::add(s, xx, y), x];
        let minus = negative::<F, S>(s, p1);
        let tau = self.tau(s, p1);
        let tau2 = self.tau(s, tau);
        let tau4 = self.tau(s, self.tau(s, tau2));
        let p3 = add_projective::<F, S>(s, tau2, minus);
        let p5 = add_projective::<F, S>(s, tau2, p1);
        let p7 = add_projective::<F, S>(s, tau, p1);
        let p15 = add_projective::<F, S>(s, tau4, minus);
        let tau7 = self.tau(s, p7);
        let p9 = add_projective::<F, S>(s, tau7, minus);
        let p11 = add_projective::<F, S>(s, tau7, p1);
        let p13 = negative::<F, S>(s, add_projective::<F, S>(s, self.tau(s, p3), p1));
        for (out, point) in self.out.into_iter().zip([p1, p3, p5, p7, p9, p11, p13, p15]) {
            for (out, coordinate) in out.into_iter().zip(point) {
                F::store(s, coordinate, out);
            }
        }
    }
}

impl<F: KernelField> Multiples<'_, F> {
    #[inline(always)]
    fn tau<S: Clmul>(&self, s: S, p: Lambda<F::Vectors<S>>) -> Lambda<F::Vectors<S>> {
        let p = frobenius::<F, S>(s, p);
        if self.mu_negative { negative::<F, S>(s, p) } else { p }
    }
}

/// -P.
#[inline(always)]
fn negative<F: KernelField, S: Clmul>(s: S, [x, l, z]: Lambda<F::Vectors<S>>) -> Lambda<F::Vectors<S>> {
    [x, F::add(s, l, z), z]
}
