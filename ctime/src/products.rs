//! The cases of `carryless_gf2::poly`.
use crate::cases::Case;
use crate::secret::{publish, word};
use crate::valgrind::decodes;
use carryless_gf2::ClmulCpu;
use carryless_gf2::papers::KaratRec;
use carryless_gf2::poly::{self, Modulus, NamedKernel, Plan, Ring, Short, SmallProduct, Step, ToomWord};

/// A case for every function that takes a secret. The length is that of an operand, in words.
pub const CASES: &[Case<ClmulCpu>] = &[
    Case { functions: &["poly::mul", "poly::try_mul"], run: multiply },
    Case { functions: &["plan::Plan::mul", "plan::Plan::try_mul"], run: planned },
    Case {
        functions: &[
            "prepared::Plan::prepare",
            "prepared::Plan::try_prepare",
            "prepared::Plan::mul_prepared",
            "prepared::Plan::try_mul_prepared",
        ],
        run: prepared,
    },
    Case { functions: &["kernel::NamedKernel::mul"], run: kernels },
    Case { functions: &["karat_rec::KaratRec::mul", "karat_rec::KaratRec::try_mul"], run: levels },
    Case {
        functions: &[
            "parts::Plan::mul_add",
            "parts::Plan::try_mul_add",
            "parts::Plan::mul_low",
            "parts::Plan::try_mul_low",
            "parts::Plan::mul_high",
            "parts::Plan::try_mul_high",
        ],
        run: parts,
    },
    Case { functions: &["parts::Plan::mul_batch", "parts::Plan::try_mul_batch"], run: batch },
    Case { functions: &["fixed::mul"], run: fixed },
    Case { functions: &["fixed::Short::mul"], run: rows },
    Case { functions: &["square::square", "square::try_square", "square::square_on"], run: squares },
    Case {
        functions: &[
            "modulus::Modulus::reduce",
            "products::Plan::mul_mod",
            "products::Plan::try_mul_mod",
            "products::Plan::mul_mod_prepared",
            "products::Plan::try_mul_mod_prepared",
        ],
        run: moduli,
    },
    Case {
        functions: &[
            "products::Plan::mul_mod_xn_1",
            "products::Plan::try_mul_mod_xn_1",
            "cyclic::add_mod_xn_1",
            "cyclic::try_add_mod_xn_1",
        ],
        run: cyclic,
    },
    Case {
        functions: &["sparse::from_exponents", "sparse::Plan::mul_sparse", "sparse::Plan::try_mul_sparse"],
        run: sparse,
    },
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("parts::Plan::part_scratch_words", "sizes are public"),
    ("sparse::Plan::sparse_scratch_words", "sizes are public"),
    ("karat_rec::KaratRec::new", "sizes are public"),
    ("karat_rec::KaratRec::cpu", "names a backend"),
    ("karat_rec::KaratRec::words", "sizes are public"),
    ("karat_rec::KaratRec::clmuls", "sizes are public"),
    ("karat_rec::KaratRec::scratch_words", "sizes are public"),
    ("kernel::NamedKernel::words", "sizes are public"),
    ("kernel::NamedKernel::clmuls", "sizes are public"),
    ("chain::ToomWord::words", "sizes are public"),
    ("chain::Step::words", "sizes are public"),
    ("chain::Step::products", "sizes are public"),
    ("fixed::new", "takes nothing"),
    ("fixed::on", "takes a backend"),
    ("fixed::Short as Default", "takes nothing"),
    ("fixed::Short::new", "takes nothing"),
    ("fixed::Short::on", "takes a backend"),
    ("fixed::Short::takes", "sizes are public"),
    ("costs::MeasuredChain::new", "times are public"),
    ("costs::MeasuredChain::words", "sizes are public"),
    ("costs::MeasuredChain::picoseconds", "times are public"),
    ("costs::MeasuredChain::taking", "times are public"),
    ("measured::Costs::of_class", "takes a class of CPU"),
    ("costs::Costs::new", "times are public"),
    ("measured::Costs::of", "times are public"),
    ("plan::Plan::by_costs", "sizes are public"),
    ("plan::Plan::by_chain", "sizes are public"),
    ("plan::Plan::predicted", "sizes are public"),
    ("ring::Ring::words", "sizes are public"),
    ("ring::Ring::points", "sizes are public"),
    ("modulus::Modulus::new", "a modulus is public"),
    ("modulus::Modulus::degree", "a modulus is public"),
    ("modulus::Modulus::exponents", "a modulus is public"),
    ("modulus::Modulus::words", "a modulus is public"),
    ("poly::scratch_words", "sizes are public"),
    ("poly::try_scratch_words", "sizes are public"),
    ("bounds::Plan::scratch_bound", "sizes are public"),
    ("plan::Plan::try_new", "sizes are public"),
    ("plan::Plan::try_on", "sizes are public"),
    ("plan::Plan::try_by_costs", "sizes are public"),
    ("plan::Plan::new", "sizes are public"),
    ("plan::Plan::on", "sizes are public"),
    ("plan::Plan::forced", "sizes are public"),
    ("plan::Plan::by_transform", "sizes are public"),
    ("plan::Plan::words", "sizes are public"),
    ("plan::Plan::cpu", "sizes are public"),
    ("plan::Plan::describe", "sizes are public"),
    ("plan::Plan::levels", "sizes are public"),
    ("plan::Plan::clmuls", "sizes are public"),
    ("plan::Plan::scratch_words", "sizes are public"),
    ("prepared::Plan::prepared_words", "sizes are public"),
    ("plan::Plan::batch_scratch_words", "sizes are public"),
];

/// A secret polynomial of this many words, least significant first.
fn secret(words: usize) -> Vec<u64> {
    (0..words).map(|_| word()).collect()
}

/// Makes a result public, word by word.
fn release(words: Vec<u64>) {
    words.into_iter().for_each(publish);
}

fn multiply(_: ClmulCpu, n: usize) {
    let (mut out, mut scratch) = (vec![0; 2 * n], vec![0; poly::scratch_words(n, n)]);
    poly::mul(&secret(n), &secret(n), &mut out, &mut scratch);
    release(out);
}

/// Chains that no table of thresholds chooses: Karat5, and Toom3 of all widths. The number is the words of a leaf.
const CHAINS: [(&[Step], usize); 6] = [
    (&[Step::Karat3], 6),
    (&[Step::Karat5], 6),
    (&[Step::Toom3(ToomWord::W64), Step::Karat2], 6),
    (&[Step::Toom3(ToomWord::W128), Step::Karat2], 6),
    (&[Step::Toom3(ToomWord::W256), Step::Karat2, Step::Karat2], 4),
    (&[Step::Toom3(ToomWord::W512), Step::Karat2, Step::Karat2], 8),
];

/// Operand sizes in words for which some of [`CHAINS`] have a plan, with zeros on top.
const CHAINED: [usize; 3] = [17, 32, 64];

/// Plans for the size, for one shorter operand, and what neither uses: [`CHAINS`] and all transforms.
fn plans(cpu: ClmulCpu, n: usize) -> Vec<Plan> {
    let mut all = vec![Plan::on(cpu, n, n), Plan::on(cpu, n, n / 3 + 1)];
    if CHAINED.contains(&n) {
        all.extend(CHAINS.into_iter().filter_map(|(steps, leaf)| Plan::forced(cpu, n, steps, leaf).ok()));
    }
    if n == 33 || n == 71 {
        all.extend(Ring::ALL.into_iter().filter_map(|ring| Plan::by_transform(cpu, n, n, ring).ok()));
    }
    all
}

fn planned(cpu: ClmulCpu, n: usize) {
    for plan in plans(cpu, n) {
        let [a, b] = plan.words().map(secret);
        let mut out = vec![0; a.len() + b.len()];
        plan.mul(&a, &b, &mut out, &mut vec![0; plan.scratch_words()]);
        release(out);
    }
}

fn prepared(cpu: ClmulCpu, n: usize) {
    for plan in plans(cpu, n) {
        let [a, b] = plan.words().map(secret);
        let (mut out, mut scratch) = (vec![0; a.len() + b.len()], vec![0; plan.scratch_words()]);
        let mut ready = vec![0; plan.prepared_words()];
        plan.prepare(&b, &mut ready, &mut scratch);
        plan.mul_prepared(&a, &ready, &mut out, &mut scratch);
        release(out);
    }
}

fn kernels(cpu: ClmulCpu, n: usize) {
    for kernel in NamedKernel::ALL.iter().filter(|kernel| kernel.words() == n) {
        let mut out = vec![0; 2 * n];
        kernel.mul(cpu, &secret(n), &secret(n), &mut out);
        release(out);
    }
}

/// Multiplies by one level of Karatsuba over each kernel for half of the words.
fn levels(cpu: ClmulCpu, n: usize) {
    let methods = NamedKernel::ALL.iter().filter_map(|&kernel| KaratRec::new(cpu, kernel, 1).ok());
    for method in methods.filter(|method| method.words() == n) {
        let mut out = vec![0; 2 * n];
        method.mul(&secret(n), &secret(n), &mut out, &mut vec![0; method.scratch_words()]);
        release(out);
    }
}

fn parts(cpu: ClmulCpu, n: usize) {
    let plan = Plan::on(cpu, n, n);
    let mut scratch = vec![0; plan.part_scratch_words()];
    // What `mul_add` adds to is a secret as well.
    let (mut sum, mut part) = (secret(2 * n), vec![0; n]);
    plan.mul_add(&secret(n), &secret(n), &mut sum, &mut scratch);
    release(sum);
    plan.mul_low(&secret(n), &secret(n), &mut part, &mut scratch);
    plan.mul_high(&secret(n), &secret(n), &mut part, &mut scratch);
    release(part);
}

fn batch(cpu: ClmulCpu, n: usize) {
    let plan = Plan::on(cpu, n, n);
    let mut out = vec![0; 6 * n];
    plan.mul_batch(&secret(3 * n), &secret(3 * n), &mut out, &mut vec![0; plan.batch_scratch_words()]);
    release(out);
}

/// Calls the product of fixed size for `n` words, if there is one.
fn fixed(cpu: ClmulCpu, n: usize) {
    macro_rules! case {
        ($n:literal) => {{
            let word = || secret($n).try_into().expect("this many words");
            let (a, b): ([u64; $n], [u64; $n]) = (word(), word());
            let mut out = [0; 2 * $n];
            SmallProduct::<$n>::on(cpu).mul(&a, &b, &mut out);
            release(out.to_vec());
        }};
    }
    match n {
        1 => case!(1),
        2 => case!(2),
        3 => case!(3),
        4 => case!(4),
        5 => case!(5),
        6 => case!(6),
        7 => case!(7),
        8 => case!(8),
        9 => case!(9),
        10 => case!(10),
        _ => {}
    }
}

/// Multiplies a short operand by long ones: part of a vector, and full vectors with a rest.
fn rows(cpu: ClmulCpu, n: usize) {
    let kernels = Short::on(cpu);
    for long in [n + 1, 5 * n, 100] {
        if Short::takes(n, long) {
            let mut out = vec![0; n + long];
            kernels.mul(&secret(n), &secret(long), &mut out);
            release(out);
        }
    }
}

fn squares(cpu: ClmulCpu, n: usize) {
    let mut out = vec![0; 2 * n];
    poly::square(&secret(n), &mut out);
    poly::square_on(cpu, &secret(n), &mut out);
    release(out);
}

/// Reduces modulo polynomials whose degree lies in the last of n words, with terms far below it and close to it.
fn moduli(cpu: ClmulCpu, n: usize) {
    if n == 0 || !decodes(cpu, n) {
        return;
    }
    let (plan, mut out) = (Plan::on(cpu, n, n), vec![0; n]);
    for exponents in [[64 * n, 3, 0], [64 * n - 9, 32 * n, 1], [64 * n - 1, 64 * n - 8, 0]] {
        let modulus = Modulus::new(&exponents).expect("exponents that descend");
        let mut scratch = vec![0; plan.part_scratch_words()];
        plan.mul_mod(modulus, &secret(n), &secret(n), &mut out, &mut scratch);
        let (b, mut ready) = (secret(n), vec![0; plan.prepared_words()]);
        plan.prepare(&b, &mut ready, &mut scratch);
        plan.mul_mod_prepared(modulus, &secret(n), &ready, &mut out, &mut scratch);
        let mut c = secret(2 * n);
        modulus.reduce(cpu, &mut c);
        release(c);
    }
    release(out);
}

fn cyclic(cpu: ClmulCpu, n: usize) {
    if n == 0 || !decodes(cpu, n) {
        return;
    }
    let (plan, mut out) = (Plan::on(cpu, n, n), vec![0; n]);
    let mut scratch = vec![0; plan.part_scratch_words()];
    // No multiple of 64, so that what lies from X^n on is shifted before it is added.
    plan.mul_mod_xn_1(64 * n - 7, &secret(n), &secret(n), &mut out, &mut scratch);
    poly::add_mod_xn_1(cpu, 64 * n - 7, &secret(2 * n), &mut out);
    release(out);
}

fn sparse(cpu: ClmulCpu, n: usize) {
    // Exponents are secret. Those beyond the operand count for nothing, which must not show either.
    let exponents: Vec<u32> = secret(5).into_iter().map(|word| word as u32 % 1024).collect();
    let (plan, mut out) = (Plan::on(cpu, n, n), vec![0; 2 * n]);
    plan.mul_sparse(&exponents, &secret(n), &mut out, &mut vec![0; plan.sparse_scratch_words()]);
    release(out);
    let mut dense = vec![0; n];
    poly::from_exponents(cpu, &exponents, &mut dense);
    release(dense);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chain_fits_a_size_that_runs() {
        let cpu = ClmulCpu::detect();
        for (steps, leaf) in CHAINS {
            assert!(CHAINED.iter().any(|&n| Plan::forced(cpu, n, steps, leaf).is_ok()), "{steps:?} {leaf}");
        }
    }
}
