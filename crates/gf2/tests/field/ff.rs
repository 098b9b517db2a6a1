//! `ff::Field`, used as generic code uses it.
use crate::common::random;
use crate::random::Random;
use carryless_gf2::field::{BinaryField, Element, tower::Gf254};
use ff::Field;
use rand_core::TryRng;

/// Words of a test's generator for `ff`.
struct Words(Random);

impl TryRng for Words {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.0.word() as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0.word())
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill_with(|| self.0.word() as u8);
        Ok(())
    }
}

/// What holds in every field of characteristic 2.
fn laws<E: Field>(a: E, b: E) {
    assert_eq!(E::ONE * a + E::ZERO, a);
    assert_eq!((a.double(), -a, a - b), (E::ZERO, a, a + b));
    assert_eq!(a.square(), a * a);
    assert_eq!(a.cube(), a.pow_vartime([3]));
    assert_eq!(a.pow([5]), a.square().square() * a);
    assert_eq!(Option::<E>::from(a.invert()).map(|inverse| inverse * a), Some(E::ONE));
    assert!(bool::from(E::ZERO.invert().is_none() & E::ZERO.is_zero() & !a.is_zero()));
    let (found, root) = E::sqrt_ratio(&a, &b);
    assert!(bool::from(found) && root.square() * b == a);
    let ratios = [(E::ZERO, b), (a, E::ZERO), (E::ZERO, E::ZERO)].map(|(num, div)| E::sqrt_ratio(&num, &div));
    assert_eq!(
        ratios.map(|(found, root)| (bool::from(found), root)),
        [true, false, true].map(|f| (f, E::ZERO))
    );
    assert_eq!(a.sqrt().unwrap().square(), a);
    assert_eq!(a.sqrt_alt().1.square(), a);
    assert!(bool::from(a.ct_eq(&a)) && !bool::from(a.ct_eq(&(a + E::ONE))));
    assert_eq!(E::conditional_select(&a, &b, 0.into()), a);
    assert_eq!(E::conditional_select(&a, &b, 1.into()), b);
    let all = [a, b, a * b];
    assert_eq!((all.iter().sum::<E>(), all.into_iter().sum::<E>()), (a + b + a * b, a + b + a * b));
    assert_eq!(
        (all.iter().product::<E>(), all.into_iter().product::<E>()),
        ((a * b).square(), (a * b).square())
    );
    let mut c = a;
    c += &b;
    c -= &a;
    c *= &a;
    #[allow(clippy::op_ref, reason = "the traits ask for operators with references")]
    let with_references = (a + &b, a - &b, a * &b);
    assert_eq!((c, with_references), (a * b, (a + b, a + b, c)));
}

fn of_field<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64);
    let (a, b) = (random::<F>(&mut rng), random::<F>(&mut rng));
    laws(a, b);
    // Every bit is drawn, and none above.
    let mut any = Element::<F>::zero().to_words();
    for _ in 0..64 {
        let drawn = <Element<F> as Field>::random(&mut Words(Random(rng.word()))).to_words();
        assert!(Element::<F>::from_words(drawn).is_ok());
        any.as_mut().iter_mut().zip(drawn.as_ref()).for_each(|(any, word)| *any |= word);
    }
    let bits: u32 = any.as_ref().iter().map(|word| word.count_ones()).sum();
    assert_eq!(bits as usize, F::DEGREE);
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn quadratic_extension() {
    let mut rng = Random(254);
    let mut any = [0; 4];
    for _ in 0..64 {
        let [a, b] = [(); 2].map(|()| <Gf254 as Field>::random(&mut Words(Random(rng.word()))));
        laws(a, b);
        any.iter_mut().zip(a.as_words()).for_each(|(any, word)| *any |= word);
    }
    assert_eq!(any, [!0, !0 >> 1, !0, !0 >> 1], "every bit is drawn, and none above");
}

macro_rules! each {
    ($($field:ident),*) => { $(
        #[test]
        #[cfg_attr(miri, ignore = "Miri would take hours")]
        #[allow(non_snake_case)]
        fn $field() {
            of_field::<carryless_gf2::field::$field>();
        }
    )* };
}
for_each_field! { each }
