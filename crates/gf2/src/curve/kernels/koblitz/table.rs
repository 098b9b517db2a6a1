//! The table of P times each digit, for one product k P.
use super::digits::DIGITS;
use crate::curve::lambda::{Lambda, add_projective, frobenius};
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// The kernel of X, L, Z of P times the digits of the classes 1, 3, 5, ..., 15, by seven additions and six
/// times tau:
///
/// ```text
/// d3 = tau^2 - 1    d5 = tau^2 + 1 = tau - 1    d7 = tau + 1           d15 = tau^4 - 1
/// d9 = tau d7 - 1                               d11 = tau d7 + 1       d13 = -tau d3 - 1
/// ```
pub struct Multiples<'a, F> {
    /// The words of the coordinates of P. x is not 0.
    pub(in crate::curve) x: &'a [u64],
    pub(in crate::curve) y: &'a [u64],
    /// Whether tau is -phi, which is so if a = 0.
    pub(in crate::curve) mu_negative: bool,
    pub(in crate::curve) out: [[&'a mut [u64]; 3]; DIGITS],
    pub(in crate::curve) of: PhantomData<F>,
}

/// One addition of P or -P. Its other operand is a stored multiple of P, or the operand of the
/// step before, times some tau.
struct Step {
    /// The place of the stored multiple, or `None` to continue with the other operand of the step before.
    from: Option<usize>,
    /// The number of multiplications by tau before the addition.
    taus: u32,
    minus: bool,
    /// The place of the resulting digit in the table.
    to: usize,
}

/// The seven additions, as data for a loop. As straight-line code they were a tenth of a program with all curves.
const STEPS: [Step; DIGITS - 1] = [
    // tau + 1 = d7, beginning with P itself.
    Step { from: None, taus: 1, minus: false, to: 3 },
    // tau^2 - 1 = d3, from tau.
    Step { from: None, taus: 1, minus: true, to: 1 },
    // tau^2 + 1 = tau - 1 = d5, as tau^2 = tau - 2.
    Step { from: None, taus: 0, minus: false, to: 2 },
    // tau^4 - 1 = d15, from tau^2.
    Step { from: None, taus: 2, minus: true, to: 7 },
    // tau d7 - 1 = d9.
    Step { from: Some(3), taus: 1, minus: true, to: 4 },
    // tau d7 + 1 = d11.
    Step { from: None, taus: 0, minus: false, to: 5 },
    // tau d3 + 1 = -d13, which is negated at the end.
    Step { from: Some(1), taus: 1, minus: false, to: MINUS_D13 },
];
const MINUS_D13: usize = 6;

impl<F: KernelField> ClmulKernel for Multiples<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        if const { F::LONG } { self.run_on(s.compact()) } else { self.run_on(s) }
    }
}

impl<F: KernelField> Multiples<'_, F> {
    /// Computes all multiples and stores them canonical, in memory and not in registers: code for one step serves all.
    #[inline(always)]
    fn run_on<S: Clmul>(mut self, s: S) {
        let (x, y) = (F::load(s, self.x), F::load(s, self.y));
        // Coordinates over Z = x need no inversion: lambda = x + y / x = (x^2 + y) / x.
        let xx = F::square(s, x);
        let p1 = [xx, F::add(s, xx, y), x];
        let minus = negative::<F, S>(s, p1);
        self.store(s, 0, p1);
        let mut augend = p1;
        // The operands depend on P alone, not on k: indices and signs are constants. The plain sum serves:
        // its operands are multiples of P by elements of Z[tau] that differ by more than the sign (see the
        // module `koblitz`).
        for Step { from, taus, minus: subtract, to } in STEPS {
            if let Some(from) = from {
                augend = self.load(s, from);
            }
            for _ in 0..taus {
                augend = self.tau(s, augend);
            }
            let sum = add_projective::<F, S>(s, augend, if subtract { minus } else { p1 });
            self.store(s, to, sum);
        }
        let d13 = negative::<F, S>(s, self.load(s, MINUS_D13));
        self.store(s, MINUS_D13, d13);
    }

    #[inline(always)]
    fn tau<S: Clmul>(&self, s: S, p: Lambda<F::Vectors<S>>) -> Lambda<F::Vectors<S>> {
        // tau = mu phi, as (x, y) -> (x^2, y^2) satisfies phi^2 + 2 = mu phi.
        let p = frobenius::<F, S>(s, p);
        if self.mu_negative { negative::<F, S>(s, p) } else { p }
    }

    #[inline(always)]
    fn load<S: Clmul>(&self, s: S, digit: usize) -> Lambda<F::Vectors<S>> {
        let [x, l, z] = &self.out[digit];
        [F::load(s, x), F::load(s, l), F::load(s, z)]
    }

    #[inline(always)]
    fn store<S: Clmul>(&mut self, s: S, digit: usize, point: Lambda<F::Vectors<S>>) {
        for (out, coordinate) in self.out[digit].iter_mut().zip(point) {
            F::store(s, coordinate, out);
        }
    }
}

/// The negative -P = (X, L + Z, Z).
#[inline(always)]
fn negative<F: KernelField, S: Clmul>(s: S, [x, l, z]: Lambda<F::Vectors<S>>) -> Lambda<F::Vectors<S>> {
    [x, F::add(s, l, z), z]
}
