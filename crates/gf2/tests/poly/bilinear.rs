//! Products for all operands at once: the code that runs on the CPU's backends, on the analysis `Bilinear`.
//!
//! A run on random elements shows that no operation leaves the bidegree (1, 1) and that the product is the right bilinear map; a
//! wrong one passes with a probability below 2^-18. Every product here is run at
//! least twice, most three times.
use crate::common::{mul, pick};
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{NamedKernel, Plan, Ring, Step, ToomWord};
use carryless_lanes::Bilinear;

const RUNS: usize = 3;

fn left(random: &mut Random, n: usize) -> Vec<u64> {
    (0..n).map(|_| Bilinear::left(random.word())).collect()
}

fn right(random: &mut Random, n: usize) -> Vec<u64> {
    (0..n).map(|_| Bilinear::right(random.word())).collect()
}

fn backends() -> [ClmulCpu; 3] {
    [1, 2, 4].map(ClmulCpu::bilinear)
}

fn holds_once(plan: &Plan, random: &mut Random) {
    let [a_words, b_words] = plan.words();
    let (a, b) = (left(random, a_words), right(random, b_words));
    let product = mul(plan, &a, &b);
    assert!(Bilinear::is_product(&a, &b, &product, random.word()), "{}", plan.describe());
}

/// The plan's product, several times.
fn holds(plan: &Plan, random: &mut Random) {
    (0..RUNS).for_each(|_| holds_once(plan, random));
}

#[test]
fn kernels() {
    let mut random = Random(41);
    for kernel in NamedKernel::ALL.iter().flat_map(|kernel| [kernel; RUNS]) {
        let (a, b) = (left(&mut random, kernel.words()), right(&mut random, kernel.words()));
        let mut out = vec![!0; 2 * kernel.words()];
        kernel.mul(ClmulCpu::bilinear(1), &a, &b, &mut out);
        assert_eq!(out, Bilinear::product(&a, &b), "{kernel:?}");
    }
}

/// Every plan that the library makes: kernels of fixed size, chains, rows, pieces of a longer operand, on one, two and four lanes.
#[test]
fn plans_of_all_small_sizes() {
    let (mut random, top) = (Random(42), pick(100, 24, 5));
    for cpu in backends() {
        for a in 0..top {
            for b in (0..=a).filter(|b| a < 40 || b % 7 == a % 7 || *b < 6) {
                holds(&Plan::on(cpu, a, b), &mut random);
                holds(&Plan::on(cpu, b, a), &mut random);
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn plans_of_longer_operands() {
    let mut random = Random(43);
    let sizes = [277, 278, 301, 385, 512, 561, 640, 901, 1024, 1537, 2049];
    for cpu in backends() {
        for n in sizes.into_iter().filter(|&n| n < pick(3000, 400, 0)) {
            holds(&Plan::on(cpu, n, n), &mut random);
            holds(&Plan::on(cpu, n, n / 5), &mut random);
            holds(&Plan::on(cpu, 3, n), &mut random);
        }
    }
}

/// Two steps of any kind above every leaf, and chains that are long enough for all that is done with lanes.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn chains() {
    use Step::{Karat2, Karat3, Karat5, Toom3};
    let all = [ToomWord::W64, ToomWord::W128, ToomWord::W256, ToomWord::W512].map(Toom3);
    let all = [Karat2, Karat3, Karat5].into_iter().chain(all);
    let two = all.clone().flat_map(|first| all.clone().map(move |second| vec![first, second]));
    let long = [
        vec![Karat2; 3],
        vec![Karat2; 5],
        vec![Karat3, Karat2, Karat2, Karat2],
        vec![Karat2, Karat2, Karat3, Karat2],
        vec![Karat5, Karat3, Karat2],
        vec![Toom3(ToomWord::W128), Karat3, Karat2, Karat2],
        vec![Karat2, Karat2, Toom3(ToomWord::W64), Karat2],
        vec![Toom3(ToomWord::W64), Toom3(ToomWord::W64), Karat2, Karat2, Karat2],
    ];
    let (mut random, mut done) = (Random(44), 0);
    for steps in all.clone().map(|step| vec![step]).chain(two).chain(long) {
        for leaf in [2, 4, 6, 8] {
            let words = steps.iter().rev().fold(leaf, |words, step| match step {
                // What does not fit is no chain.
                Toom3(word) if words <= 2 * word.words() => 0,
                _ if words == 0 => 0,
                step => step.words(words),
            });
            if words == 0 || (words > pick(10_000, 60, 0)) {
                continue;
            }
            for cpu in backends() {
                holds(&Plan::forced(cpu, words, &steps, leaf).expect("a chain"), &mut random);
                done += 1;
            }
        }
    }
    assert!(done > pick(450, 20, 0), "{done} chains");
}

/// All rings: few points, many, and more than the small fields have. Of the many, two runs on the most lanes.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn transforms() {
    let mut random = Random(45);
    for ring in Ring::ALL {
        let most = pick(ring.points().min(1500), 8, 0);
        for points in (1..13).chain([15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 200, 255, 256, 700, 1500]) {
            if points > most {
                break;
            }
            let short = points.div_ceil(3);
            let sizes = [(points + 1 - short) * ring.words() - 5, short * ring.words()];
            let plan = |lanes| {
                Plan::by_transform(ClmulCpu::bilinear(lanes), sizes[0], sizes[1], ring)
                    .expect("enough points")
            };
            if points < 18 {
                [1, 2, 4].into_iter().for_each(|lanes| holds(&plan(lanes), &mut random));
            } else {
                (0..2).for_each(|_| holds_once(&plan(4), &mut random));
            }
        }
    }
    // Every element of the field's basis is a point.
    if pick(1, 0, 0) == 1 {
        let words = 10_000 * Ring::P16R256.words();
        let plan = Plan::by_transform(ClmulCpu::bilinear(4), words, words, Ring::P16R256);
        (0..2).for_each(|_| holds_once(&plan.expect("enough points"), &mut random));
    }
}

/// Prepared operands, batches, and sums: what shares the code of products but not all of it.
#[test]
fn prepared_operands_and_batches() {
    let mut random = Random(46);
    let sizes = [(1, 1), (5, 4), (8, 8), (36, 36), (48, 47), (277, 277), (300, 70), (901, 900)];
    for (a_words, b_words) in sizes.into_iter().filter(|sizes| sizes.0 < pick(1000, 60, 9)) {
        for cpu in backends().into_iter().flat_map(|cpu| [cpu; RUNS]) {
            let plan = Plan::on(cpu, a_words, b_words);
            let (a, b) = (left(&mut random, 5 * a_words), right(&mut random, 5 * b_words));
            let mut out = vec![!0; a.len() + b.len()];
            plan.mul_batch(&a, &b, &mut out, &mut vec![!0; plan.batch_scratch_words()]);
            let operands = a.chunks_exact(a_words).zip(b.chunks_exact(b_words));
            for ((a, b), out) in operands.zip(out.chunks_exact(a_words + b_words)) {
                assert!(Bilinear::is_product(a, b, out, random.word()), "{}", plan.describe());
            }
            let (a, b) = (&a[..a_words], &b[..b_words]);
            let (mut prepared, mut scratch) =
                (vec![!0; plan.prepared_words()], vec![!0; plan.part_scratch_words()]);
            plan.prepare(b, &mut prepared, &mut scratch);
            let mut product = vec![!0; a_words + b_words];
            plan.mul_prepared(a, &prepared, &mut product, &mut scratch);
            assert!(Bilinear::is_product(a, b, &product, random.word()), "{}", plan.describe());
            plan.mul_add(a, b, &mut product, &mut scratch);
            assert!(product.iter().all(|&word| word == 0), "twice the product");
        }
    }
}
