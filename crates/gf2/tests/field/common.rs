//! Fields by the definition, one bit at a time.
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Element, FieldWords, Shape};
use carryless_reference::gf2;

/// The backends of this CPU, and the soft ones with several lanes.
pub(crate) fn backends() -> Vec<ClmulCpu> {
    let required = std::env::var("CARRYLESS_REQUIRE_BACKEND");
    let required = required.unwrap_or_default();
    for name in required.split(',').filter(|name| ClmulCpu::NAMES.contains(name)) {
        assert!(ClmulCpu::named(name).is_ok(), "{name} is required, but the CPU lacks it");
    }
    ClmulCpu::available().collect()
}

/// The polynomial f as words, least significant first.
pub(crate) fn modulus<F: BinaryField>() -> Vec<u64> {
    let mut f = vec![0; F::DEGREE / 64 + 1];
    for e in F::TAIL.iter().chain([&F::DEGREE]) {
        f[e / 64] ^= 1 << (e % 64);
    }
    f
}

/// The canonical element a mod f, by long division.
pub(crate) fn reduced<F: BinaryField>(a: &[u64]) -> FieldWords<F> {
    let (_, rest) = gf2::div_rem(a, &modulus::<F>());
    words::<F>(&rest)
}

/// The words of an element: those in `some`, and zeros above them.
pub(crate) fn words<F: BinaryField>(some: &[u64]) -> FieldWords<F> {
    let mut all = FieldWords::<F>::default();
    for (i, word) in some.iter().enumerate().filter(|(_, word)| **word != 0) {
        all.as_mut()[i] = *word;
    }
    all
}

/// z^k mod f for k below `count`, by shifts and sums.
pub(crate) fn powers<F: BinaryField>(count: usize) -> Vec<FieldWords<F>> {
    let f = modulus::<F>();
    let mut power = vec![0; F::DEGREE / 64 + 1];
    power[0] = 1;
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(words::<F>(&power));
        for i in (0..power.len()).rev() {
            power[i] = power[i] << 1 | if i > 0 { power[i - 1] >> 63 } else { 0 };
        }
        if power[F::DEGREE / 64] >> (F::DEGREE % 64) & 1 == 1 {
            power.iter_mut().zip(&f).for_each(|(power, f)| *power ^= f);
        }
    }
    all
}

/// An element drawn by `rng`.
pub(crate) fn random<F: BinaryField>(rng: &mut Random) -> Element<F> {
    let words: Vec<u64> = (0..F::DEGREE.div_ceil(64)).map(|_| rng.word()).collect();
    Element::from_words(reduced::<F>(&words)).expect("reduced")
}

/// The polynomial with the one term z^i, of up to 64 W bits.
pub(crate) fn monomial<F: BinaryField>(i: usize) -> FieldWords<F> {
    let mut one = FieldWords::<F>::default();
    one.as_mut()[i / 64] = 1 << (i % 64);
    one
}

/// The number of bits of W whole words, 64 W.
pub(crate) fn bits<F: BinaryField>() -> usize {
    64 * <F::Shape as Shape>::WORDS
}

/// Whether the run is to be short: an emulator, or Miri.
pub(crate) fn quick() -> bool {
    cfg!(miri) || std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1")
}

/// The sum of polynomials, word by word, without a reduction.
pub(crate) fn sum<F: BinaryField>(terms: impl Iterator<Item = FieldWords<F>>) -> FieldWords<F> {
    terms.fold(FieldWords::<F>::default(), |mut sum, term| {
        sum.as_mut().iter_mut().zip(term.as_ref()).for_each(|(sum, term)| *sum ^= term);
        sum
    })
}

/// All polynomials whose terms are among z^(4 j) to z^(4 j + 3), with the places of their terms.
pub(crate) fn fours<F: BinaryField>() -> Vec<(FieldWords<F>, Vec<usize>)> {
    let step = if quick() { 7 } else { 1 };
    (0..bits::<F>() / 4)
        .step_by(step)
        .flat_map(|j| (0..16).map(move |u| (0..4).filter(|i| u >> i & 1 == 1).map(|i| 4 * j + i).collect()))
        .map(|terms: Vec<usize>| (sum::<F>(terms.iter().map(|&i| monomial::<F>(i))), terms))
        .collect()
}
