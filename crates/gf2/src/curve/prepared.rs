//! Points that are multiplied often.
use super::comb::{Comb, ENTRIES, TABLES, TEETH, rounds};
use super::field::{FieldArithmetic, WordsMut};
use super::{AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, PointError, Scalar};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use ctutils::CtSelect;
use zeroize::Zeroize;

/// A public point with tables of its multiples: k P takes about 0.45 of the time without. 32 points, 2 kB for 233 bits.
///
/// ```
/// use carryless_gf2::curve::{AffinePoint, Curve, NistK163, PreparedPoint, Scalar};
///
/// let curve = Curve::<NistK163>::new();
/// let p = curve.mul(&Scalar::from_u64(7), &AffinePoint::generator());
/// let prepared = PreparedPoint::new(&curve, &p)?;
/// assert_eq!(prepared.mul(&curve, &Scalar::from_u64(6)), curve.mul_base(&Scalar::from_u64(42)));
/// # Ok::<(), carryless_gf2::curve::PointError>(())
/// ```
#[derive(Clone)]
pub struct PreparedPoint<C> {
    tables: Box<[u64]>,
    of: PhantomData<C>,
}

impl<C: BinaryCurve> PreparedPoint<C> {
    /// Makes the tables; takes about twenty times as long as k P.
    ///
    /// # Errors
    /// [`PointError::Infinity`], and [`PointError::Order`] if the point is not in the group of prime order. Which it is, is public.
    pub fn new(curve: &Curve<C>, p: &AffinePoint<C>) -> Result<Self, PointError> {
        if p.is_infinity().to_bool() {
            return Err(PointError::Infinity);
        }
        if !curve.is_in_prime_order_group(p).to_bool() {
            return Err(PointError::Order);
        }
        Ok(Self::of_prime_order(curve, p))
    }

    pub(super) fn of_prime_order(curve: &Curve<C>, p: &AffinePoint<C>) -> Self {
        const { assert_complete::<C>() };
        let e = rounds(C::ORDER_BITS);
        let mut tables = Vec::new();
        for v in 0..TABLES {
            let mut tooth = curve.double_many(p, v * e);
            let mut entries = [tooth; ENTRIES];
            for t in 1..TEETH {
                tooth = curve.double_many(&tooth, TABLES * e);
                let half = 1 << (t - 1);
                for i in 0..half {
                    entries[half + i] = entries[i] - tooth;
                    entries[i] += tooth;
                }
            }
            for entry in &entries {
                tables.extend_from_slice(entry.x().as_words());
                tables.extend_from_slice(curve.lambda(entry).as_words());
            }
        }
        PreparedPoint { tables: tables.into_boxed_slice(), of: PhantomData }
    }

    /// k P. Constant time.
    #[must_use]
    pub fn mul(&self, curve: &Curve<C>, k: &Scalar<C>) -> AffinePoint<C> {
        let mut product = self.mul_projective(curve, k);
        let inverse = curve.field().invert_or_zero(&product[2]);
        let affine = curve.affine(&product, &inverse);
        product.zeroize();
        affine
    }

    /// X, L, Z of k P.
    pub(super) fn mul_projective(&self, curve: &Curve<C>, k: &Scalar<C>) -> [ElementOf<C>; 3] {
        let mut words = k.odd_representative();
        let mut out = [ElementOf::<C>::default(); 3];
        curve.cpu().call_on_one_lane(Comb::<C::Field> {
            a: C::A.as_words(),
            tables: &self.tables,
            k: &words,
            bits: C::ORDER_BITS,
            out: out.each_mut().map(WordsMut::words_mut),
            of: PhantomData,
        });
        words.zeroize();
        // For an even k it is (n - k) P = -k P: lambda(-P) = lambda(P) + 1.
        let [x, l, z] = out;
        [x, l.ct_select(&(l + z), !k.is_odd()), z]
    }
}

/// The bound on n that `comb` states.
const fn assert_complete<C: BinaryCurve>() {
    let e = rounds(C::ORDER_BITS);
    let entry_bits = (TEETH - 1) * TABLES * e + (TABLES - 1) * e + 1;
    // With one round all additions are complete: small curves of tests.
    assert!(e == 1 || entry_bits + 3 < C::ORDER_BITS, "additions before the last round have no exceptions");
}

impl<C: BinaryCurve> Curve<C> {
    /// x + y / x, for an x that is not 0.
    fn lambda(&self, p: &AffinePoint<C>) -> ElementOf<C> {
        *p.x() + self.field().mul(p.y(), &self.field().invert_or_zero(p.x()))
    }

    /// 2^count P.
    fn double_many(&self, p: &AffinePoint<C>, count: u32) -> AffinePoint<C> {
        let power = (0..count).fold(Scalar::one(), |power, _| power + power);
        self.mul(&power, p)
    }

    /// The point with X, L, Z in lambda coordinates, by 1 / Z: x = X / Z, y = x (x + L / Z).
    pub(super) fn affine(&self, [x, l, z]: &[ElementOf<C>; 3], inverse: &ElementOf<C>) -> AffinePoint<C> {
        let f = self.field();
        let (x, lambda) = (f.mul(x, inverse), f.mul(l, inverse));
        let point = AffinePoint::from_coordinates_unchecked(x, f.mul(&x, &(x + lambda)));
        point.ct_select(&AffinePoint::infinity(), z.is_zero())
    }
}

impl<C: BinaryCurve> fmt::Debug for PreparedPoint<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedPoint<{}>(..)", C::NAME)
    }
}
