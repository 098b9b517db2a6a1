//! Sums of products in the coordinates of López and Dahab (1998), x = X / Z and y = Y / Z^2. The point of order
//! two is no exception there. Not constant time: branches depend on scalars and points, which are public.
pub(in crate::curve) mod naf;

use crate::field::{KernelField, MAX_WORDS};
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;
use naf::{ENTRIES, Naf};

/// The coordinates X, Y, Z with Z != 0, or `None` for infinity.
type Point<V> = Option<[V; 3]>;

/// The coefficients a and b of a curve.
type Coefficients<V> = [V; 2];

/// One product k P of the sum: x and y of odd multiples of P (`None` for infinity), and the digits of k.
pub(in crate::curve) struct Term<'a> {
    pub(in crate::curve) table: [Option<[&'a [u64]; 2]>; ENTRIES],
    pub(in crate::curve) naf: &'a Naf,
}

/// The kernel of the sum of all products, by Straus's method. It writes X, Y, Z, with Z = 0 for infinity. For one lane.
pub struct Straus<'a, F> {
    pub(in crate::curve) a: &'a [u64],
    pub(in crate::curve) b: &'a [u64],
    pub(in crate::curve) terms: &'a [Term<'a>],
    pub(in crate::curve) out: [&'a mut [u64]; 3],
    pub(in crate::curve) of: PhantomData<F>,
}

impl<F: KernelField> ClmulKernel for Straus<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let curve = [F::constant(s, self.a), F::constant(s, self.b)];
        let mut sum: Point<F::Vectors<S>> = None;
        let mut i = self.terms.iter().fold(0, |most, term| most.max(term.naf.len()));
        while i > 0 {
            // Invariant: sum = the sum of the products by the digits from i on, divided by 2^i.
            i -= 1;
            // One doubling serves all terms. Before the first digit the sum is infinity, for which it costs
            // nothing.
            sum = double::<F, S>(s, curve, sum);
            for Term { table, naf } in self.terms {
                let Some((number, negative)) = naf.digit(i) else { continue };
                let Some([x, y]) = table[number] else { continue };
                let (x, y) = (F::load(s, x), F::load(s, y));
                let y = if negative { F::add(s, x, y) } else { y };
                sum = add::<F, S>(s, curve, sum, [x, y]);
            }
        }
        store::<F, S>(s, sum, self.out);
    }
}

/// The kernel of X, Y, Z of P, 3 P, 5 P, ... If 2 P is infinity, all of these are P. For one lane.
pub struct OddMultiples<'a, F> {
    pub(in crate::curve) a: &'a [u64],
    pub(in crate::curve) b: &'a [u64],
    pub(in crate::curve) p: [&'a [u64]; 2],
    pub(in crate::curve) double: Option<[&'a [u64]; 2]>,
    pub(in crate::curve) out: [[&'a mut [u64]; 3]; ENTRIES],
    pub(in crate::curve) of: PhantomData<F>,
}

impl<F: KernelField> ClmulKernel for OddMultiples<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let curve = [F::constant(s, self.a), F::constant(s, self.b)];
        let [x, y] = self.p;
        let mut multiple = Some([F::load(s, x), F::load(s, y), F::bit(s, 1)]);
        for out in self.out {
            store::<F, S>(s, multiple, out);
            if let Some([x, y]) = self.double {
                multiple = add::<F, S>(s, curve, multiple, [F::load(s, x), F::load(s, y)]);
            }
        }
    }
}

/// The double 2 P. Costs five products (one by a, one by b) and five squares.
///
/// ```text
/// Z' = X^2 Z^2    X' = X^4 + b Z^4    Y' = b Z^4 Z' + X' (a Z' + Y^2 + b Z^4)
/// ```
#[inline(always)]
fn double<F: KernelField, S: Clmul>(
    s: S,
    [a, b]: Coefficients<F::Vectors<S>>,
    p: Point<F::Vectors<S>>,
) -> Point<F::Vectors<S>> {
    let [x, y, z] = p?;
    let (xx, zz) = (F::square(s, x), F::square(s, z));
    let (z_out, bz) = (F::mul(s, xx, zz), F::mul(s, b, F::square(s, zz)));
    let x_out = F::add(s, F::square(s, xx), bz);
    let factor = F::add(s, F::add(s, F::mul(s, a, z_out), F::square(s, y)), bz);
    let y_out = F::mul_add_mul(s, bz, z_out, x_out, factor);
    // Z' is 0 for X = 0, the point of order two, whose double is infinity.
    (!is_zero::<F, S>(s, z_out)).then_some([x_out, y_out, z_out])
}

/// The sum P + Q for an affine Q (Al-Daoud, Mahmod, Rushdan and Kilicman, 2002). Costs nine products (one
/// by a) and five squares.
///
/// ```text
/// A = Y1 + y2 Z1^2    B = X1 + x2 Z1    C = B Z1    Z' = C^2
/// X' = A^2 + C (A + B^2 + a C)          Y' = (x2 Z' + X')(A C + Z') + (x2 + y2) Z'^2
/// ```
#[inline(always)]
fn add<F: KernelField, S: Clmul>(
    s: S,
    curve: Coefficients<F::Vectors<S>>,
    p: Point<F::Vectors<S>>,
    [x2, y2]: [F::Vectors<S>; 2],
) -> Point<F::Vectors<S>> {
    let Some([x1, y1, z1]) = p else {
        return Some([x2, y2, F::bit(s, 1)]);
    };
    let dy = F::add(s, y1, F::mul(s, y2, F::square(s, z1)));
    let dx = F::add(s, x1, F::mul(s, x2, z1));
    if is_zero::<F, S>(s, dx) {
        // Equal x: P = Q is doubled, and the sum of P and -P is infinity.
        return if is_zero::<F, S>(s, dy) { double::<F, S>(s, curve, p) } else { None };
    }
    // A = Y1 + y2 Z1^2 is `dy`, B = X1 + x2 Z1 is `dx`, and neither operand is infinity. B != 0 here, so
    // Z' != 0.
    let c = F::mul(s, dx, z1);
    let z_out = F::square(s, c);
    let sum = F::add(s, F::add(s, dy, F::square(s, dx)), F::mul(s, curve[0], c));
    let x_out = F::add(s, F::square(s, dy), F::mul(s, c, sum));
    let (left, right) = (F::add(s, F::mul(s, x2, z_out), x_out), F::add(s, F::mul(s, dy, c), z_out));
    let y_out = F::mul_add_mul(s, left, right, F::add(s, x2, y2), F::square(s, z_out));
    Some([x_out, y_out, z_out])
}

/// Writes the coordinates of a point, canonical; zeros for infinity.
#[inline(always)]
fn store<F: KernelField, S: Clmul>(s: S, p: Point<F::Vectors<S>>, out: [&mut [u64]; 3]) {
    let zero = F::bit(s, 0);
    let coordinates = match p {
        Some(coordinates) => coordinates,
        None => [zero; 3],
    };
    for (out, coordinate) in out.into_iter().zip(coordinates) {
        F::store(s, coordinate, out);
    }
}

#[inline(always)]
fn is_zero<F: KernelField, S: Clmul>(s: S, a: F::Vectors<S>) -> bool {
    // A comparison that may stop early, and whose result decides branches: all of it is public.
    let mut words = [0; MAX_WORDS];
    F::store(s, a, &mut words[..F::WORDS]);
    words == [0; MAX_WORDS]
}
