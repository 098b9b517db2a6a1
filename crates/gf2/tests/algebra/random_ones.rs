use crate::common::Random;
use carryless_gf2::algebra::Poly;

/// Words of the generator are the coefficients, without those from X^n on.
#[test]
fn random_ones_are_the_words_of_the_generator() {
    for n in [0_usize, 1, 63, 64, 65, 128, 200] {
        let words = Random(81).words(n.div_ceil(64));
        let mut random = Random(81);
        assert_eq!(Poly::random(n, || random.word()), Poly::from(words).truncate(n), "{n}");
        let mut same = Random(81);
        same.words(n.div_ceil(64));
        assert_eq!(random.word(), same.word(), "{n} takes as many words as it needs");
    }
}

/// Every irreducible polynomial of a small degree comes, about equally often.
#[test]
fn random_irreducible_ones() {
    let mut random = Random(82);
    for n in 1..if cfg!(miri) { 3 } else { 8 } {
        let all = (1 << n..2 << n).map(Poly::from).filter(Poly::is_irreducible_vartime).collect::<Vec<_>>();
        let mut counts = vec![0; all.len()];
        for _ in 0..100 * all.len() {
            let f = Poly::random_irreducible_vartime(n, || random.word()).expect("degree above 0");
            counts[all.iter().position(|other| *other == f).expect("irreducible, of degree n")] += 1;
        }
        // Ten standard deviations from the mean of 100.
        assert!(counts.iter().all(|count| (1..200).contains(count)), "{n}: {counts:?}");
    }
    assert_eq!(Poly::random_irreducible_vartime(0, || random.word()), None);
    for n in [64, 571].into_iter().filter(|_| !cfg!(miri)) {
        let f = Poly::random_irreducible_vartime(n, || random.word()).expect("degree above 0");
        assert!(f.degree() == Some(n) && f.weight() > 9 && f.is_irreducible_vartime(), "{f}");
    }
}
