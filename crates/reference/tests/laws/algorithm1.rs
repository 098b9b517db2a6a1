//! Algorithm 1 of paper 001 in big integers: another way to the BRW polynomial, whose operations are counted.
use crate::Rng;
use carryless_reference::{BigUint, P1271, P1305, Params, brw, brw_cost, stack_depth};

/// An evaluation of a BRW polynomial in progress, with the counts of its operations.
struct Algorithm1<'a> {
    params: &'a Params,
    /// Powers of the key by index j: `tau^(2^j)` modulo p.
    powers: Vec<BigUint>,
    multiplications: u64,
    reductions: u64,
    /// The most values that were on the stack at one time.
    depth: u64,
}

impl Algorithm1<'_> {
    fn new<'a>(params: &'a Params, tau: &BigUint, blocks: usize) -> Algorithm1<'a> {
        let squarings = if blocks > 2 { blocks.ilog2() } else { 0 };
        let mut powers = vec![tau.clone()];
        for j in 0..squarings as usize {
            powers.push(&powers[j] * &powers[j] % params.p());
        }
        Algorithm1 { params, powers, multiplications: 0, reductions: 0, depth: 0 }
    }

    fn multiply(&mut self, a: &BigUint, b: &BigUint) -> BigUint {
        self.multiplications += 1;
        a * b
    }

    fn reduce(&mut self, a: &BigUint) -> BigUint {
        self.reductions += 1;
        a % self.params.p()
    }

    /// A leaf: the paper's unreducedBRW.
    fn leaf(&mut self, blocks: &[BigUint]) -> BigUint {
        let tau = self.powers[0].clone();
        match blocks {
            [] => BigUint::ZERO,
            [m1] => m1.clone(),
            [m1, m2] => self.multiply(m1, &tau) + m2,
            [m1, m2, m3] => self.multiply(&(tau + m1), &(self.powers[1].clone() + m2)) + m3,
            [front @ .., last] if blocks.len().is_power_of_two() => {
                let front = self.leaf(front);
                let front = self.reduce(&front);
                let power = &self.powers[blocks.len().ilog2() as usize] + last;
                self.multiply(&front, &power)
            }
            _ => {
                let (left, right) = blocks.split_at(1 << blocks.len().ilog2());
                self.leaf(left) + self.leaf(right)
            }
        }
    }

    fn run(&mut self, t: usize, blocks: &[BigUint]) -> BigUint {
        let mut stack: Vec<BigUint> = Vec::new();
        let (groups, rest) = (blocks.chunks_exact(1 << t), blocks.chunks_exact(1 << t).remainder());
        for (i, group) in (1usize..).zip(groups) {
            let (last, leaf) = group.split_last().expect("a group");
            let k = i.trailing_zeros() as usize;
            let mut sum = self.leaf(leaf);
            for _ in 0..k {
                sum += stack.pop().expect("a value");
            }
            let sum = self.reduce(&sum);
            let power = last + &self.powers[t + k];
            let product = self.multiply(&sum, &power);
            stack.push(product);
            self.depth = self.depth.max(stack.len() as u64);
        }
        let sum = stack.into_iter().fold(self.leaf(rest), |sum, value| sum + value);
        self.reduce(&sum)
    }
}

/// Every number of blocks up to 300 and about powers of two, every size of leaf: the value is that of the
/// definition, and the counts are Theorem 2's and Proposition 1's.
#[test]
fn algorithm_1_is_brw_at_the_cost_of_theorem_2() {
    let mut rng = Rng(1);
    for params in [&P1305, &P1271] {
        let (tau, _) = rng.key(params);
        for l in (0..=300).chain([511, 512, 513, 1023, 1024, 1025]) {
            let blocks = rng.blocks(params, l);
            let value = brw(params, &tau, &blocks);
            let cost = brw_cost(l as u64);
            for t in 2..=5 {
                let mut run = Algorithm1::new(params, &tau, l);
                assert_eq!(run.run(t, &blocks), value, "{}, {l} blocks, t = {t}", params.name);
                assert_eq!(run.multiplications, cost.multiplications, "{l} blocks, t = {t}");
                assert_eq!(run.reductions, cost.reductions, "{l} blocks, t = {t}");
                assert_eq!(run.powers.len() as u64, cost.powers, "{l} blocks");
                assert_eq!(cost.preparation + 1, cost.powers);
                let most = stack_depth(l as u64, t as u64);
                assert!(run.depth <= most, "{} of {most} values, {l} blocks, t = {t}", run.depth);
                // The deepest stack comes just before a power of two.
                if l + 1 == (l + 1).next_power_of_two() {
                    assert_eq!(run.depth, most, "{l} blocks, t = {t}");
                }
            }
        }
    }
}
