//! Constructions against the reference: every step above every leaf, on every backend.
use super::{Chain, Step, ToomWord, alone};
use crate::poly::fixed::KernelPtr;
use crate::poly::kernel::proofs::monomial;
use crate::random::Random;
use carryless_lanes::ClmulCpu;
use carryless_reference::gf2;
use std::vec;
use std::vec::Vec;

const STEPS: [Step; 7] = [
    Step::Karat2,
    Step::Karat3,
    Step::Karat5,
    Step::Toom3(ToomWord::W64),
    Step::Toom3(ToomWord::W128),
    Step::Toom3(ToomWord::W256),
    Step::Toom3(ToomWord::W512),
];

impl Random {
    fn words(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.word()).collect()
    }
}

/// The product in exactly the scratch that was asked for, which holds rubbish before.
fn mul(chain: &Chain, cpu: ClmulCpu, a: &[u64], b: &[u64]) -> Vec<u64> {
    // Ones, so that a word that is read before it is written shows.
    let mut scratch = vec![!0; chain.scratch_words(cpu.lanes())];
    let mut out = vec![!0; 2 * chain.words()];
    chain.mul(cpu, a, b, &mut out, &mut scratch);
    out
}

fn agrees(chain: &Chain, random: &mut Random) {
    let n = chain.words();
    let pairs =
        [(random.words(n), random.words(n)), (vec![!0; n], vec![!0; n]), (random.words(n), vec![1; n])];
    for (a, b) in &pairs {
        let wanted = gf2::mul(a, b);
        for cpu in ClmulCpu::available() {
            assert!(mul(chain, cpu, a, b) == wanted, "{chain} on {}", cpu.name());
        }
    }
}

#[test]
fn two_steps_above_every_leaf() {
    let mut random = Random(4);
    for leaf in [2, 4, 6, 8] {
        agrees(&Chain::leaf_of(leaf), &mut random);
        for first in STEPS {
            let Some(one) = Chain::new(&[first], leaf) else { continue };
            agrees(&one, &mut random);
            for second in STEPS.into_iter().filter(|_| !cfg!(miri)) {
                if let Some(two) = one.under(second) {
                    agrees(&two, &mut random);
                }
            }
        }
    }
}

/// Deep enough for four lanes to take two levels at once, with everything above and below it.
#[test]
fn long_chains() {
    use Step::{Karat2, Karat3, Karat5, Toom3};
    let mut random = Random(5);
    let chains: [&[Step]; 8] = [
        &[Karat2, Karat2, Karat2],
        &[Karat2, Karat2, Karat2, Karat2, Karat2],
        &[Karat3, Karat2, Karat2, Karat2],
        &[Karat2, Karat2, Karat3, Karat2],
        &[Karat5, Karat3, Karat2],
        &[Toom3(ToomWord::W128), Karat3, Karat2, Karat2],
        &[Karat2, Karat2, Toom3(ToomWord::W64), Karat2],
        &[Toom3(ToomWord::W64), Toom3(ToomWord::W64), Karat2, Karat2, Karat2],
    ];
    for steps in chains.into_iter().take(if cfg!(miri) { 1 } else { 8 }) {
        for leaf in [4, 6, 8] {
            agrees(&Chain::new(steps, leaf).expect("a chain"), &mut random);
        }
    }
}

/// A construction is bilinear too (its products have one factor from each side), so monomials prove it. All pairs
/// would be millions: the first factor runs through all, the second through the borders of words.
#[test]
fn monomials_through_every_step() {
    for step in STEPS {
        for leaf in [2, 4] {
            let Some(chain) = Chain::new(&[step], leaf) else { continue };
            let n = chain.words();
            let cpu = ClmulCpu::detect();
            for i in (0..64 * n).step_by(if cfg!(miri) { 397 } else { 1 }) {
                for j in (0..64 * n).filter(|j| j % 64 == 0 || j % 64 == 63) {
                    let product = mul(&chain, cpu, &monomial(i, n), &monomial(j, n));
                    assert!(product == monomial(i + j, 2 * n), "{chain}: X^{i} X^{j}");
                }
            }
        }
    }
}

/// One product by all lanes of a backend, two and four: rows, and Karatsuba's method above them in one kernel. All pairs
/// for one size of each kernel, up to 2112 bits. The second factor is at the borders of words only: for other sizes; for
/// more than 1024 bits on the soft backends, which would take minutes; and for more than 512 bits in quick runs and in
/// builds without proofs.
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn single_products_hold_on_monomials() {
    let quick =
        cfg!(carryless_without_proofs) || std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1");
    for (cpu, by_streams) in methods() {
        // The soft backends run the short kernels by streams: of those, longer ones are made.
        let soft = cpu.name().starts_with("soft");
        for n in
            (1..=50).chain([63, 64, 65, 95, 96]).filter(|&n| !soft || n <= if by_streams { 16 } else { 50 })
        {
            let Some((_, kernel)) = alone::kernel_by(cpu, n, by_streams) else { continue };
            let basis: Vec<Vec<u64>> = (0..128 * n).map(|i| monomial(i, 2 * n)).collect();
            let mut out = vec![!0; 2 * n];
            let one = matches!(n, 11 | 12 | 13 | 16 | 17 | 25 | 32 | 33) || n == 24 && cpu.lanes() == 2;
            let all = n <= 8 || !quick && one && (n <= 16 || !soft);
            for i in 0..64 * n {
                for j in (0..64 * n).filter(|j| all || j % 64 == 0 || j % 64 == 63) {
                    kernel.call(&basis[i][..n], &basis[j][..n], &mut out);
                    assert_eq!(out, basis[i + j], "X^{i} X^{j}, {n} words on {}, {by_streams}", cpu.name());
                }
            }
        }
    }
}

/// Backends of several lanes, those of four with and without streams, whatever this CPU takes.
fn methods() -> impl Iterator<Item = (ClmulCpu, bool)> {
    let several = ClmulCpu::available().filter(|cpu| cpu.lanes() > 1);
    several.flat_map(|cpu| {
        [false, true].into_iter().take(cpu.lanes() / 2).map(move |by_streams| (cpu, by_streams))
    })
}

/// Up to 3072 bits no product on four lanes needs padded copies, by streams up to 6144.
#[test]
fn sizes_between_kernels_have_one_on_four_lanes() {
    for (cpu, by_streams) in methods() {
        let sizes: Vec<usize> =
            (1..120).filter(|&n| alone::kernel_by(cpu, n, by_streams).is_some()).collect();
        match (cpu.lanes(), by_streams) {
            (2, _) => assert_eq!(sizes, [4, 8, 11, 12, 16, 24, 32]),
            (_, false) => assert_eq!(sizes, [4, 8].into_iter().chain(11..=48).collect::<Vec<_>>()),
            (_, true) => assert_eq!(sizes, [4, 7, 8].into_iter().chain(11..=96).collect::<Vec<_>>()),
        }
        for n in sizes.into_iter().filter(|&n| n != 7) {
            let words = alone::chain(cpu.lanes(), n).expect("a method").words();
            assert!((n..n + 16).contains(&words) || n > 48 && words <= 96, "{words} words for {n}");
        }
    }
}

/// Products of fixed size on all pairs of monomials: a proof, as they are bilinear.
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn fixed_products_hold_on_monomials() {
    for cpu in ClmulCpu::available() {
        for n in 1..=10 {
            let fixed = KernelPtr::new(cpu, [n; 2]).expect("a fixed size");
            let basis: Vec<Vec<u64>> = (0..128 * n).map(|i| monomial(i, 2 * n)).collect();
            let mut out = vec![!0; 2 * n];
            for i in 0..64 * n {
                for j in 0..64 * n {
                    assert!(fixed.mul(&basis[i][..n], &basis[j][..n], &mut out));
                    assert_eq!(out, basis[i + j], "X^{i} X^{j}, {n} words on {}", cpu.name());
                }
            }
            assert!(!fixed.mul(&basis[0], &basis[0][..n], &mut out), "another size");
        }
    }
}

/// Table 1 of paper 002 counts products: t^(log2 3), 6 (t/3)^(log2 3), 15 (t/5)^(log2 3) for t words.
#[test]
fn products_are_those_of_table_1() {
    let mut chain = Chain::leaf_of(8);
    for r in 4..=11 {
        chain = chain.under(Step::Karat2).expect("eleven levels at most");
        assert_eq!((chain.words(), chain.clmuls()), (1 << r, 3usize.pow(r)));
        let three = chain.under(Step::Karat3).expect("one more");
        assert_eq!((three.words(), three.clmuls()), (3 << r, 6 * 3usize.pow(r)));
        let five = chain.under(Step::Karat5).expect("one more");
        assert_eq!((five.words(), five.clmuls()), (5 << r, 15 * 3usize.pow(r)));
    }
}

/// Sizes of chains: those of paper 002, and the larger ones of the better split of Toom3.
#[test]
fn sizes() {
    let chain = |steps: &[Step], leaf| Chain::new(steps, leaf).expect("a chain");
    let e6144 = chain(&[Step::Karat3, Step::Karat2, Step::Karat2], 8);
    assert_eq!(64 * e6144.words(), 6144);
    assert_eq!(64 * e6144.under(Step::Toom3(ToomWord::W128)).expect("room").words(), 17920);
    assert_eq!(
        std::format!("{}", e6144.under(Step::Toom3(ToomWord::W128)).expect("room")),
        "Toom3<128>(Karat3(Karat2(Karat2(512))))"
    );
    assert!(Chain::new(&[], 3).is_none());
    assert!(Chain::new(&[Step::Toom3(ToomWord::W512)], 8).is_none());
    assert!(Chain::new(&[Step::Karat2; 21], 2).is_none());
}
