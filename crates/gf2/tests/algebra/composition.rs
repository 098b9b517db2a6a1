use crate::common::Random;
use carryless_gf2::algebra::Poly;
use carryless_reference::gf2;

/// Horner's rule by products of the reference.
#[test]
fn compositions_are_those_by_horner() {
    let mut random = Random(71);
    for degree in [0, 1, 2, 3, 8, 31, 64, 65].into_iter().filter(|&n| !cfg!(miri) || n < 9) {
        for a in [random.poly(degree), random.sparse(degree), Poly::monomial(degree), Poly::zero()] {
            for b in [random.poly(40), random.poly(70), Poly::from(3), Poly::x(), Poly::one(), Poly::zero()] {
                let wanted = (0..=degree).rev().fold(Poly::zero(), |value, i| {
                    let product = Poly::from(gf2::mul(value.words(), b.words()));
                    if a.coefficient(i) { product + Poly::one() } else { product }
                });
                assert_eq!(a.compose_vartime(&b), wanted, "{a} at {b}");
            }
        }
    }
}

/// How often X + c divides f, by divisions of the reference.
fn multiplicity(f: &Poly, c: bool) -> usize {
    let (mut f, mut count) = (f.words().to_vec(), 0);
    loop {
        let (quotient, rest) = gf2::div_rem(&f, &[2 | u64::from(c)]);
        if rest.iter().any(|&word| word != 0) {
            return count;
        }
        (f, count) = (quotient, count + 1);
    }
}

#[test]
fn roots_are_those_by_division() {
    let mut random = Random(72);
    let small = (1..if cfg!(miri) { 64 } else { 4096 }).map(Poly::from);
    let large = [(0, 0), (1, 64), (64, 1), (63, 127), (128, 100), (0, 65)].map(|(zeros, ones)| {
        let power = (0..ones).fold(Poly::monomial(zeros), |power, _| power * Poly::from(3));
        power * random.poly(50)
    });
    for f in small.chain(large) {
        let roots = [false, true].map(|c| (c, multiplicity(&f, c)));
        let wanted = roots.into_iter().filter(|&(_, count)| count > 0).collect();
        assert_eq!(f.roots_vartime(), Some(wanted), "{f}");
    }
    assert_eq!(Poly::zero().roots_vartime(), None);
}
