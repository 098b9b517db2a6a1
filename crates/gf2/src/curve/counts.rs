//! The costs of products of points, for `carryless-lab explain curve`.
use super::{BinaryCurve, Curve, CurveField, comb, gls, koblitz};

/// Numbers of operations in the field. The halves or segments of a product are counted one by one, whether they
/// run in lanes or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The number of products of two elements.
    pub products: u32,
    /// The number of single squares, without those of powers and inversions.
    pub squares: u32,
    /// The number of powers a^(2^k) for a long k: products by a bit matrix, or k squares.
    pub powers: u32,
    /// The number of inversions, each counted as one operation.
    pub inversions: u32,
}

impl Counts {
    /// Counts of products and squares, with no powers and inversions.
    pub(super) const fn new(products: u32, squares: u32) -> Self {
        Counts { products, squares, powers: 0, inversions: 0 }
    }
    const fn times(self, n: u32) -> Self {
        let Counts { products, squares, powers, inversions } = self;
        Counts {
            products: n * products,
            squares: n * squares,
            powers: n * powers,
            inversions: n * inversions,
        }
    }
    const fn plus(self, other: Self) -> Self {
        Counts {
            products: self.products + other.products,
            squares: self.squares + other.squares,
            powers: self.powers + other.powers,
            inversions: self.inversions + other.inversions,
        }
    }
}

/// The costs of the functions of `lambda`, and of the conversion to affine coordinates.
const DOUBLE: Counts = Counts::new(5, 4);
const ADD: Counts = Counts::new(8, 2);
const ADD_PROJECTIVE: Counts = Counts::new(11, 2);
const ADD_COMPLETE: Counts = ADD_PROJECTIVE.plus(DOUBLE);
const FROBENIUS: Counts = Counts::new(0, 3);
const TO_AFFINE: Counts = Counts { products: 3, squares: 0, powers: 0, inversions: 1 };

impl<C: BinaryCurve> Curve<C> {
    /// The method by which [`mul`](Curve::mul) computes k P, in a few words.
    pub const MUL: &'static str = if koblitz::serves::<C>() {
        "digits to the base tau"
    } else if gls::serves::<C>() {
        "halves of k by an endomorphism"
    } else {
        "ladder of Lopez and Dahab"
    };

    /// The cost of one [`mul`](Curve::mul), including the inversions.
    pub const MUL_COUNTS: Counts = if koblitz::serves::<C>() {
        let additions = koblitz::additions(C::Field::DEGREE as u32);
        let steps = ADD.plus(FROBENIUS.times(koblitz::STEP)).times(additions);
        // Seven additions, six times tau (three squares each), and a square. Eight elements are inverted
        // together, with three products each; two more make each entry affine.
        let table = ADD_PROJECTIVE.times(7).plus(FROBENIUS.times(6)).plus(Counts::new(3 * 8 + 2 * 8, 1));
        let once = Counts { powers: 3, inversions: 1, ..table };
        steps.plus(once).plus(ADD_COMPLETE).plus(TO_AFFINE)
    } else if gls::serves::<C>() {
        let digits = gls::count(C::Field::DEGREE as u32);
        let steps = gls::DOUBLE.times(gls::WIDTH).plus(gls::BEFORE_DOUBLE).plus(gls::ADD).times(digits - 1);
        let terms = gls::ADD_AFFINE.times(digits);
        // Three doublings and seven additions. Eight elements are inverted together, with three products each;
        // two products and a square more make each entry affine.
        let doubles = gls::DOUBLE.plus(gls::BEFORE_DOUBLE).times(3);
        let table = doubles.plus(gls::ADD.times(7)).plus(Counts::new(3 * 8 + 2 * 8, 8));
        let ends = Counts::new(3, 1).plus(Counts::new(4, 2));
        Counts { inversions: 2, ..steps.plus(terms).plus(table).plus(ends) }
    } else {
        // Recovering y takes eleven products and a square.
        let step = Counts::new(if C::KOBLITZ { 5 } else { 6 }, 4).times(C::ORDER_BITS);
        step.plus(Counts { inversions: 1, ..Counts::new(11, 1) })
    };

    /// The cost of [`mul_base`](Curve::mul_base) in halves, without making the tables.
    pub const MUL_BASE_COUNTS: Counts = {
        let rounds = comb::rounds(C::ORDER_BITS);
        // The first entry is not added but loaded, which saves an addition and a doubling in each half.
        let half = DOUBLE.times(rounds - 1).plus(ADD.times(comb::TABLES / comb::HALVES * rounds - 1));
        half.times(comb::HALVES).plus(ADD_COMPLETE).plus(TO_AFFINE)
    };
}
