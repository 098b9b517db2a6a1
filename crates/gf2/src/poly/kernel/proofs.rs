//! Basis proofs, degrees and counts of the kernels.
use super::layout::{Interleaved, Job};
use super::leaf::{Karat, Lanes, Mul, Products};
use super::{KARATSUBA, NamedKernel, SCHOOLBOOK, Target};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, Count, Degree, Soft, Tally};
use carryless_reference::gf2;
use core::cell::Cell;
use std::vec;
use std::vec::Vec;

/// Runs a kernel on an analysis.
struct On<S>(S);

impl<S: Clmul> Target for On<S> {
    fn run_on<K: ClmulKernel<Out = ()>>(self, kernel: K) {
        kernel.run(self.0);
    }
}

fn run(kernel: NamedKernel, target: impl Target, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![!0; 2 * kernel.words()];
    kernel.run_on(target, Job { a, b, out: &mut out, layout: [0; 3] });
    out
}

/// The monomial X^i in this many words; i is below 64 times that.
pub(crate) fn monomial(i: usize, words: usize) -> Vec<u64> {
    let mut a = vec![0; words];
    a[i / 64] = 1 << (i % 64);
    a
}

/// X^i X^j = X^(i + j) for all i and j below the kernel's size: with bilinearity, a proof for all operands.
fn holds_on_the_basis(kernel: NamedKernel, cpu: ClmulCpu) {
    let words = kernel.words();
    let basis: Vec<Vec<u64>> = (0..128 * words).map(|i| monomial(i, 2 * words)).collect();
    for i in 0..64 * words {
        for j in 0..64 * words {
            let product = run(kernel, cpu, &basis[i][..words], &basis[j][..words]);
            assert_eq!(product, basis[i + j], "{kernel:?} on {}: X^{i} X^{j}", cpu.name());
        }
    }
}

#[test]
fn kernels_hold_on_all_pairs_of_monomials() {
    for cpu in ClmulCpu::available().filter(|cpu| cpu.lanes() == 1) {
        for &kernel in NamedKernel::ALL {
            // Interpreted, a kernel of 512 bits takes hours.
            if !cfg!(miri) || kernel.words() == 1 {
                holds_on_the_basis(kernel, cpu);
            }
        }
    }
}

/// A backend of several lanes computes one product in each: every lane has its own pair of
/// monomials, all pairs in turn.
fn lanes_hold_on_the_basis<L: super::leaf::Leaf<N, M>, const N: usize, const M: usize>(
    leaf: L,
    cpu: ClmulCpu,
) {
    let (lanes, words, bits) = (cpu.lanes(), 2 * N, 128 * N);
    // Every lane has monomials of its own. Gaps between operands are ones, so that reading them would show.
    let place = |i: usize, lane: usize| (i + 37 * lane) % bits;
    let side = |i: usize, gap: usize| -> Vec<u64> {
        (0..lanes).flat_map(|lane| monomial(place(i, lane), words).into_iter().chain(vec![!0; gap])).collect()
    };
    let (left, right): (Vec<_>, Vec<_>) = (0..bits).map(|i| (side(i, 3), side(i, 1))).unzip();
    for (i, left) in left.iter().enumerate() {
        for (j, right) in right.iter().enumerate() {
            let mut out = vec![7; lanes * (2 * words + 2)];
            let layout = [words + 3, words + 1, 2 * words + 2];
            let job = Job { a: left, b: right, out: &mut out, layout };
            cpu.call(Products::<_, L, N, M>(leaf, job));
            for lane in 0..lanes {
                let product = &out[lane * (2 * words + 2)..][..2 * words + 2];
                let (top, bit) =
                    ((place(i, lane) + place(j, lane)) / 64, (place(i, lane) + place(j, lane)) % 64);
                let right = product[..2 * words].iter().enumerate();
                assert!(right.into_iter().all(|(k, &word)| word == u64::from(k == top) << bit));
                assert_eq!(product[2 * words..], [7, 7], "words between the products are not touched");
            }
        }
    }
}

#[test]
fn wide_kernels_hold_on_all_pairs_of_monomials() {
    for cpu in ClmulCpu::available().filter(|_| !cfg!(miri)) {
        lanes_hold_on_the_basis::<_, 1, 2>(Mul::<KARATSUBA, KARATSUBA, KARATSUBA>, cpu);
        lanes_hold_on_the_basis::<_, 2, 4>(Mul::<KARATSUBA, KARATSUBA, KARATSUBA>, cpu);
        lanes_hold_on_the_basis::<_, 2, 4>(Mul::<KARATSUBA, KARATSUBA, SCHOOLBOOK>, cpu);
        lanes_hold_on_the_basis::<_, 3, 6>(Mul::<KARATSUBA, KARATSUBA, KARATSUBA>, cpu);
        lanes_hold_on_the_basis::<_, 4, 8>(Mul::<KARATSUBA, KARATSUBA, KARATSUBA>, cpu);
        lanes_hold_on_the_basis::<_, 1, 2>(Mul::<KARATSUBA, KARATSUBA, SCHOOLBOOK>, cpu);
        lanes_hold_on_the_basis::<_, 3, 6>(Mul::<KARATSUBA, KARATSUBA, SCHOOLBOOK>, cpu);
        lanes_hold_on_the_basis::<_, 4, 8>(Mul::<KARATSUBA, KARATSUBA, SCHOOLBOOK>, cpu);
    }
}

/// The polynomials interleaved: block 0 of all, then block 1 of all, and so on.
fn interleaved(lanes: usize, poly: impl Fn(usize) -> Vec<u64>) -> Vec<u64> {
    let polys: Vec<Vec<u64>> = (0..lanes).map(poly).collect();
    let blocks = polys[0].len() / 2;
    (0..blocks).flat_map(|i| polys.iter().flat_map(move |poly| poly[2 * i..][..2].to_vec())).collect()
}

/// Interleaved operands, another pair of monomials in each lane: every fifth degree and those at the borders of words.
fn interleaved_lanes_hold_on_monomials<T: Lanes<N, M>, const N: usize, const M: usize>(
    method: T,
    cpu: ClmulCpu,
) {
    let (lanes, words, bits) = (cpu.lanes(), 2 * N, 128 * N);
    let degrees = (0..bits).filter(|i| i.is_multiple_of(5) || i.is_multiple_of(64) || i % 64 == 63);
    let place = |i: usize, lane: usize| (i + 37 * lane) % bits;
    let side = |i: usize| interleaved(lanes, |lane| monomial(place(i, lane), words));
    let (mut out, sides): (Vec<u64>, Vec<_>) =
        (vec![0; 2 * words * lanes], degrees.map(|i| (i, side(i))).collect());
    for (i, a) in &sides {
        for (j, b) in &sides {
            out.fill(!0);
            cpu.call(Products(method, Job { a, b, out: &mut out, layout: [Interleaved; 3] }));
            let product = |lane| monomial(place(*i, lane) + place(*j, lane), 2 * words);
            assert_eq!(out, interleaved(lanes, product), "X^{i} X^{j}, {N} blocks on {}", cpu.name());
        }
    }
}

#[test]
fn interleaved_kernels_hold_on_monomials() {
    let leaf = Mul::<KARATSUBA, KARATSUBA, KARATSUBA>;
    let schoolbook = Mul::<KARATSUBA, KARATSUBA, SCHOOLBOOK>;
    for cpu in ClmulCpu::available().filter(|_| !cfg!(miri)) {
        interleaved_lanes_hold_on_monomials::<_, 4, 8>(leaf, cpu);
        interleaved_lanes_hold_on_monomials::<_, 6, 12>(Karat::<_, 3>(leaf), cpu);
        interleaved_lanes_hold_on_monomials::<_, 6, 12>(Karat::<_, 3>(schoolbook), cpu);
        interleaved_lanes_hold_on_monomials::<_, 8, 16>(Karat::<_, 4>(leaf), cpu);
        interleaved_lanes_hold_on_monomials::<_, 8, 16>(Karat::<_, 4>(schoolbook), cpu);
    }
}

/// KaratRec's level in a kernel, on a basis as well: 768 and 1024 bits, the monomials of every fifth degree and their
/// neighbours at the borders of words.
#[test]
fn a_level_of_karatrec_holds_on_monomials() {
    fn check<const N: usize, const M: usize, const P: usize>(cpu: ClmulCpu)
    where
        Mul<KARATSUBA, KARATSUBA, KARATSUBA>: super::leaf::Leaf<N, M>,
    {
        let (words, lanes) = (4 * N, cpu.lanes());
        let wanted = |i: usize| i.is_multiple_of(5) || i.is_multiple_of(64) || i % 64 == 63;
        for i in (0..64 * words).filter(|&i| wanted(i)) {
            for j in (0..64 * words).filter(|&j| wanted(j)) {
                let (a, b) = (monomial(i, words).repeat(lanes), monomial(j, words).repeat(lanes));
                let mut out = vec![!0; 2 * words * lanes];
                let job = Job { a: &a, b: &b, out: &mut out, layout: [words, words, 2 * words] };
                cpu.call(Products::<_, _, M, P>(Karat::<_, N>(Mul::<KARATSUBA, KARATSUBA, KARATSUBA>), job));
                assert_eq!(out, monomial(i + j, 2 * words).repeat(lanes), "X^{i} X^{j} on {}", cpu.name());
            }
        }
    }
    for cpu in ClmulCpu::available().filter(|_| !cfg!(miri)) {
        check::<3, 6, 12>(cpu);
        check::<4, 8, 16>(cpu);
    }
}

#[test]
fn kernels_agree_with_the_reference() {
    let mut word = 1u64;
    let mut random = || {
        word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        word ^ word >> 29
    };
    for cpu in ClmulCpu::available() {
        for &kernel in NamedKernel::ALL {
            for _ in 0..if cfg!(miri) { 1 } else { 50 } {
                let a: Vec<u64> = (0..kernel.words()).map(|_| random()).collect();
                let b: Vec<u64> = (0..kernel.words()).map(|_| random()).collect();
                let mut out = vec![0; 2 * kernel.words()];
                kernel.mul(cpu, &a, &b, &mut out);
                assert_eq!(out, gf2::mul(&a, &b), "{kernel:?} on {}", cpu.name());
            }
        }
    }
}

/// Operands of degree at most n - 1 give degree at most 2n - 2, and no bound is larger than that of the definition.
#[test]
fn degrees_add_up() {
    for &kernel in NamedKernel::ALL {
        let ones = vec![!0; kernel.words()];
        let bound = run(kernel, On(Degree), &ones, &ones);
        let mut wanted = vec![!0; 2 * kernel.words()];
        // Degrees add up: a product has one bit less than both operands together.
        *wanted.last_mut().expect("two words at least") = !0 >> 1;
        assert_eq!(bound, wanted, "{kernel:?}");
    }
}

fn count(kernel: NamedKernel) -> Tally {
    let (ones, tally) = (vec![!0; kernel.words()], Cell::new(Tally::default()));
    run(kernel, On(Count::new(Soft::<1>, &tally)), &ones, &ones);
    tally.get()
}

/// Products, moves between halves, and sums of each kernel. The products are those of paper 002's Table 3, times the
/// four lanes of its vectors: 16 (SB512), 12 (karat_mult_1_512_SB), 9 (karat_mult_1_512); mul512 uses 27 of 36.
#[test]
fn operations_are_counted() {
    let wanted = [
        (NamedKernel::Mul64, 1, 0, 0),
        (NamedKernel::Sb128, 4, 2, 3),
        (NamedKernel::Karat128, 3, 4, 6),
        (NamedKernel::Sb256, 16, 4, 13),
        (NamedKernel::Karat256, 12, 8, 21),
        (NamedKernel::KaratSb256, 12, 4, 16),
        (NamedKernel::KaratKarat256, 9, 8, 25),
        (NamedKernel::Karat384, 18, 12, 58),
        (NamedKernel::Sb512, 64, 8, 57),
        (NamedKernel::KaratMult1Sb512, 48, 8, 56),
        (NamedKernel::KaratMult1At512, 36, 16, 80),
        (NamedKernel::KaratKaratSb512, 36, 8, 65),
        (NamedKernel::Mul512, 27, 16, 92),
    ];
    assert_eq!(wanted.len(), NamedKernel::ALL.len());
    for (kernel, clmul, halves, xor) in wanted {
        let tally = count(kernel);
        assert_eq!((tally.clmul as usize, tally.clmul), (kernel.clmuls(), clmul), "{kernel:?}");
        assert_eq!((tally.halves, tally.xor), (halves, xor), "{kernel:?}");
    }
}
