//! The operations of `carryless_gf2::algebra`.
use super::case::{Case, Modulus, Operation};
use crate::algebra::{OURS, subjects as named};
use crate::calls::repeat;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::{Divisor, Poly};
use std::hint::black_box;
use std::rc::Rc;

/// All operations with a modulus.
pub(super) fn subjects(modulus: &Rc<Modulus>) -> Vec<(Operation, Subject)> {
    let divisor = Rc::new(Divisor::new(&modulus.f).expect("f is not 0"));
    named(OURS, modulus.operations, ClmulCpu::detect().name(), |operation| Ours {
        modulus: modulus.clone(),
        divisor: divisor.clone(),
        operation,
    })
}

struct Ours {
    modulus: Rc<Modulus>,
    divisor: Rc<Divisor>,
    operation: Operation,
}

impl Work for Ours {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Rc::new(Case::new(self.operation, &self.modulus, input));
        let (own, f, divisor) = (case.clone(), &self.modulus.f, &*self.divisor);
        let poly = |call: Box<dyn Fn(&Case) -> Poly + 'a>| {
            let words =
                move |result: &Poly| own.normal(self.operation, &self.modulus, result.words().to_vec());
            let case = case.clone();
            repeat(move || call(black_box(&case)), words)
        };
        match self.operation {
            Operation::Product | Operation::Unequal => poly(Box::new(|case| &case.a * &case.b)),
            Operation::Square => poly(Box::new(|case| case.a.square())),
            Operation::MulMod => poly(Box::new(|case| divisor.mul_mod(&case.a, &case.b))),
            Operation::SquareMod => poly(Box::new(|case| divisor.square_mod(&case.a))),
            Operation::PowMod => poly(Box::new(|case| divisor.pow_mod_vartime(&case.a, &[case.exponent]))),
            Operation::Invert => {
                // Without an inverse the result is 0, whose product is not 1.
                poly(Box::new(|case| case.a.inverse_mod_vartime(f).unwrap_or_default()))
            }
            Operation::Irreducible => repeat(
                move || black_box(&case).a.is_irreducible_vartime(),
                |is_irreducible| if *is_irreducible { vec![1] } else { vec![] },
            ),
            Operation::Factor => {
                let own = case.clone();
                repeat(
                    move || black_box(&case).a.factor_vartime().unwrap_or_default(),
                    move |factors| own.normal(self.operation, &self.modulus, list(factors)),
                )
            }
        }
    }
}

/// Factors as shims write them.
fn list(factors: &[(Poly, usize)]) -> Vec<u64> {
    let one = |(factor, multiplicity): &(Poly, usize)| {
        [&[*multiplicity as u64, factor.words().len() as u64], factor.words()].concat()
    };
    factors.iter().flat_map(one).collect()
}
