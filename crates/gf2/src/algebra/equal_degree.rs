//! Equal-degree factorisation: Cantor and Zassenhaus (Mathematics of Computation 36, 1981), with traces.
//!
//! Let g be a product of r different irreducible polynomials of degree d. For random a, the trace T(a) = a + a^2 +
//! a^4 + .. + a^(2^(d-1)) modulo g is 0 or 1 modulo each factor, with equal chances and independently. So gcd(g, T(a))
//! has about half of the factors.
use super::squarefree::exact_quotient;
use super::squares::Squares;
use super::{Divisor, Poly};
use crate::random::Random;
use alloc::vec;
use alloc::vec::Vec;

/// As a generator of polynomials. Its values decide how long a factorisation takes, and not what it finds.
impl Random {
    /// The generator whose seed is a mixture of the words of f: the same f takes the same time again.
    pub(super) fn new(f: &Poly) -> Random {
        f.words.iter().fold(Random(0), |mut random, word| Random(random.word() ^ word))
    }

    /// A polynomial of a degree below n.
    pub(super) fn poly(&mut self, n: usize) -> Poly {
        Poly::random(n, || self.word())
    }
}

/// Appends the irreducible factors of g to `factors`: g is a product of different ones, of degree d each. `multiple`
/// is a multiple of g, whose squares may be faster. `proceed` is called before each square or composition of a trace.
///
/// It takes about two traces for each factor: d squares each, modulo polynomials of falling degree.
pub(super) fn equal_degree<E>(
    g: Poly,
    d: usize,
    multiple: &Poly,
    random: &mut Random,
    proceed: &mut impl FnMut() -> Result<(), E>,
    factors: &mut Vec<Poly>,
) -> Result<(), E> {
    let mut open = vec![g];
    while let Some(g) = open.pop() {
        if g.degree() <= Some(d) {
            factors.push(g);
            continue;
        }
        let squares = Squares::new(&g, multiple).expect("not zero");
        // All of the r > 1 factors give the trace the same bit with probability 2^(1 - r): two turns on average at
        // most.
        let part = loop {
            let trace = trace(&squares, random.poly(squares.f().degree()), d, proceed)?;
            let part = g.gcd_vartime(&trace);
            if !part.is_one() && part != g {
                break part;
            }
        };
        open.push(exact_quotient(&g, &part));
        open.push(part);
    }
    Ok(())
}

/// The trace a + a^2 + a^4 + .. + a^(2^(d-1)) modulo g.
fn trace<E>(
    squares: &Squares,
    a: Poly,
    d: usize,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Poly, E> {
    if squares.is_dense() && compositions_pay(squares.f().degree(), d) {
        return trace_by_compositions(squares.f(), &a, d, proceed);
    }
    let (mut power, mut sum) = (a.clone(), a);
    for _ in 1..d {
        proceed()?;
        power = squares.square(&power);
        sum += &power;
    }
    Ok(squares.f().rem(&sum))
}

/// Whether compositions modulo a polynomial of degree n take less time for the trace of d terms than squares.
///
/// A square takes two products, a composition 2 sqrt(n) products modulo g, of three products each. There are two for
/// each bit of d, and for d = n/2 they pay from about n = 30,000 on.
fn compositions_pay(n: usize, d: usize) -> bool {
    2 * d > 12 * n.isqrt() * d.ilog2() as usize
}

/// The trace of d terms by doubling, after von zur Gathen and Shoup (Computational Complexity 2, 1992). It takes up to
/// four compositions for each bit of d. `proceed` is called before each.
///
/// Let T_i = a + .. + a^(2^(i-1)) and x_i = X^(2^i). Squaring is linear, so b(x_i) = b^(2^i): T_(i+j) =
/// T_j(x_i) + T_i and x_(i+j) = x_j(x_i).
fn trace_by_compositions<E>(
    g: &Divisor,
    a: &Poly,
    d: usize,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Poly, E> {
    // Invariant: `sum` is T_i and `power` x_i, for the number i that the bits of d so far make, 1 at first.
    let (mut sum, mut power) = (g.rem(a), g.square_mod(&g.rem(&Poly::x())));
    for bit in (0..d.ilog2()).rev() {
        // The bits of d from the top: i doubles, and a square adds one.
        proceed()?;
        sum += &g.compose_mod_vartime(&sum, &power);
        proceed()?;
        power = g.compose_mod_vartime(&power, &power);
        if d >> bit & 1 == 1 {
            sum = g.square_mod(&sum) + g.rem(a);
            power = g.square_mod(&power);
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;

    #[test]
    fn traces_by_compositions_are_those_by_squares() {
        let mut random = Random(1);
        for n in [1, 2, 5, 64, 100] {
            let f = &Poly::monomial(n) + &random.poly(n);
            let squares = Squares::new(&f, &f).expect("not zero");
            for d in (1..20).chain([64, 97]) {
                let (a, mut proceed) = (random.poly(n), || Ok::<(), Infallible>(()));
                let Ok(by_squares) = trace(&squares, a.clone(), d, &mut proceed);
                let Ok(by_compositions) = trace_by_compositions(squares.f(), &a, d, &mut proceed);
                assert_eq!(by_compositions, by_squares, "{d} terms modulo {f}");
            }
        }
    }
}
