//! Distinct-degree factorisation.
//!
//! Let h_d = X^(2^d) mod f. The irreducible factors of h_d - X are those whose degree divides d. After the factors of
//! lower degrees are removed, gcd(f, h_d - X) is the product of those of degree d. As in NTL, a product over an
//! interval of degrees is taken to one gcd, and what it finds is split.
//!
//! Squares modulo f lead from h_d to h_(d+1). The baby and giant steps of von zur Gathen and Shoup (Computational
//! Complexity 2, 1992) replace most squares by few compositions. But they take a product modulo f for every degree,
//! which costs three products. A square costs two, and the groups below share products. So over F2, squares win.
//!
//! # Products of a group
//! K degrees share one product modulo f. The 2^K sums of X, X^2, X^4, .., X^(2^(K-1)) form a space U over F2. So
//! the product L(Y) of Y - u over all u in U is a linearised polynomial: L(Y) = sum of c_i Y^(2^i), i = 0 to K. Hence
//! L(h_d) = sum of c_i h_(d+i), where c_i has at most (4^K - 1) / 3 + 1 coefficients: it takes K short products. It is
//! a multiple of h_d - X^(2^i) = (h_(d-i) - X)^(2^i) for i < K. So it has all factors of the degrees d - K + 1 to d.
//! The other u may bring factors of higher degrees. They are rare, and [`split`] leaves them in f.
use super::squarefree::exact_quotient;
use super::squares::Squares;
use super::{Divisor, Poly};
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

/// The number K of degrees in a group. With 4, the coefficients c_i have at most two words.
const GROUP: usize = 4;

/// The largest number of groups in an interval.
const MAX_GROUPS: usize = 32;

/// The degree up to which [`has_factor_of_low_degree`] looks for factors. Measured for degrees from 571 to 5000.
const LOW: usize = 80;

/// The coefficients c_0 to c_K of L, for K = [`GROUP`].
///
/// With L_0(Y) = Y and u = L_k(X^(2^k)), L_(k+1)(Y) = L_k(Y) (L_k(Y) + u) = L_k(Y)^2 + u L_k(Y).
fn group_coefficients() -> Vec<Poly> {
    let mut c = vec![Poly::one()];
    for k in 0..GROUP {
        let u: Poly =
            c.iter().enumerate().map(|(i, c)| c << (1 << (k + i))).fold(Poly::zero(), |u, term| u + term);
        let mut next: Vec<Poly> = c.iter().map(|c| c * &u).collect();
        next.push(Poly::zero());
        next[1..].iter_mut().zip(&c).for_each(|(next, c)| *next += &c.square());
        c = next;
    }
    c
}

/// The state of the search: all factors of degree up to `done` are removed from f.
struct Search<'a, P> {
    /// What is still to be factored, with its squares.
    squares: Squares,
    /// A multiple of f, for [`Squares::new`].
    multiple: &'a Poly,
    done: usize,
    /// The powers h_done to h_(done+K), or fewer at the start; modulo f or modulo its multiple.
    powers: Vec<Poly>,
    coefficients: Vec<Poly>,
    proceed: P,
}

/// The factors of f by degree: pairs of a degree and a product of irreducible factors of that degree. f is not 0 and
/// has no square factors. A degree may come twice. `proceed` is called before each square.
///
/// It takes about n/2 squares and n/8 products modulo f, and a gcd for each interval of up to 128 degrees. An interval
/// with several factors takes a square and a gcd for each of its degrees again, modulo the product of these factors.
pub(super) fn distinct_degree<E>(
    f: &Poly,
    proceed: impl FnMut() -> Result<(), E>,
) -> Result<Vec<(usize, Poly)>, E> {
    let mut parts = Vec::new();
    let Some(mut search) = Search::new(f, proceed) else { return Ok(parts) };
    while search.is_open() {
        search.interval(&mut parts)?;
    }
    let rest = search.squares.f();
    if rest.degree() > 0 {
        // Two factors of more than half the degree do not fit.
        parts.push((rest.degree(), rest.poly().clone()));
    }
    Ok(parts)
}

/// Whether f has a factor of a degree up to about [`LOW`], other than f. It takes about a square for each of these
/// degrees, a product for every fourth, and a gcd for each interval, of which the first are short.
pub(super) fn has_factor_of_low_degree(f: &Poly) -> bool {
    let Some(mut search) = Search::new(f, || Ok::<(), Infallible>(())) else { return false };
    let mut parts = Vec::new();
    while parts.is_empty() && search.done < LOW && search.is_open() {
        let Ok(()) = search.interval(&mut parts);
    }
    // A search that begins with an irreducible f finds f.
    parts.iter().any(|&(degree, _)| Some(degree) < f.degree())
}

impl<'a, P> Search<'a, P> {
    /// The search at its start; `None` for f = 0.
    fn new(f: &'a Poly, proceed: P) -> Option<Search<'a, P>> {
        Some(Search {
            squares: Squares::new(f, f)?,
            multiple: f,
            done: 0,
            powers: vec![Poly::x()],
            coefficients: group_coefficients(),
            proceed,
        })
    }

    /// Whether two factors may be left: each has a degree above `done`.
    fn is_open(&self) -> bool {
        2 * (self.done + 1) <= self.squares.f().degree()
    }

    /// Removes the factors of the next degrees.
    fn interval<E>(&mut self, parts: &mut Vec<(usize, Poly)>) -> Result<(), E>
    where
        P: FnMut() -> Result<(), E>,
    {
        let (start, first) = (self.done, self.powers[0].clone());
        let last = self.squares.f().degree() / 2;
        // At low degrees most factors are found, so that gcds come early.
        let groups = (1 + start / (2 * GROUP)).min(MAX_GROUPS).min((last - start).div_ceil(GROUP));
        let mut product = Poly::one();
        for _ in 0..groups {
            let value = self.group()?;
            let f = self.squares.f();
            product = f.mul_mod(&product, &f.rem(&value));
        }
        let common = product.gcd_vartime(self.squares.f().poly());
        let found = split(common, &first, start, self.done, &mut self.proceed)?;
        self.remove(&found);
        parts.extend(found);
        Ok(())
    }

    /// The value L(h_d) for the next d, `done` + K, which becomes `done`.
    fn group<E>(&mut self) -> Result<Poly, E>
    where
        P: FnMut() -> Result<(), E>,
    {
        // Up to h_(done + 2 K): K powers are dropped below, and the sum takes the K + 1 after them.
        for _ in self.powers.len()..=2 * GROUP {
            (self.proceed)()?;
            let last = self.powers.last().expect("h_done at least");
            self.powers.push(self.squares.square(last));
        }
        self.powers.drain(..GROUP);
        self.done += GROUP;
        let terms = self.coefficients.iter().zip(&self.powers).map(|(c, power)| c * power);
        Ok(terms.fold(Poly::zero(), |sum, term| sum + term))
    }

    /// Divides f by the factors that were found.
    fn remove(&mut self, found: &[(usize, Poly)]) {
        if found.is_empty() {
            return;
        }
        let product: Poly = found.iter().map(|(_, part)| part).product();
        let rest = exact_quotient(self.squares.f().poly(), &product);
        // A multiple of the first f is one of each of its divisors, so that squares may stay sparse.
        self.squares = Squares::new(&rest, self.multiple).expect("a divisor of what is not zero");
        self.powers.iter_mut().for_each(|power| *power = self.squares.reduce(power));
    }
}

/// The products of factors of g by degree, in pairs with the degree, for the degrees from `done` + 1 to `last`; maybe
/// one of a higher degree. All factors of g have degrees above `done`, and `power` is h_done modulo a multiple of g.
fn split<E>(
    mut g: Poly,
    power: &Poly,
    mut done: usize,
    last: usize,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<(usize, Poly)>, E> {
    let (mut parts, mut power, mut divisor) = (Vec::new(), power.clone(), None);
    while done < last && Some(2 * (done + 1)) <= g.degree() {
        let modulus = divisor.get_or_insert_with(|| Divisor::new(&g).expect("not zero"));
        proceed()?;
        power = modulus.square_mod(&modulus.rem(&power));
        done += 1;
        let part = g.gcd_vartime(&(&power + &Poly::x()));
        if !part.is_one() {
            g = exact_quotient(&g, &part);
            // g is another polynomial from here on; its divisor is made if there is a next degree.
            divisor = None;
            parts.push((done, part));
        }
    }
    // Without factors up to `done`, less than twice of that is irreducible. If it is more, its degrees are not those
    // wanted.
    if let Some(degree) = g.degree().filter(|&degree| degree > 0 && degree < 2 * (done + 1)) {
        parts.push((degree, g));
    }
    Ok(parts)
}
