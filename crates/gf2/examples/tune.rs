//! Measures every chain of the form Toom3^t(odd(Karat2^k(leaf))) on this CPU and prints those that are worth having: the
//! lines of `src/poly/menu.rs`. `cargo run --release -p carryless-gf2 --example tune [MACHINE]`, on a quiet machine.
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, Step, ToomWord};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The longest operand that is measured.
const TOP: usize = 2400;

/// The words of Toom3 that are measured; longer ones make shorter operands.
const WORDS: [ToomWord; 2] = [ToomWord::W64, ToomWord::W128];

/// A chain: times Toom3 and its word, parts of the steps in the middle, times Karat2, words of a leaf.
#[derive(Clone, Copy)]
struct Shape {
    tooms: usize,
    word: ToomWord,
    odd: usize,
    karats: usize,
    leaf: usize,
}

impl Shape {
    fn steps(self) -> Vec<Step> {
        let middle: &[Step] = match self.odd {
            3 => &[Step::Karat3],
            5 => &[Step::Karat5],
            9 => &[Step::Karat3, Step::Karat3],
            _ => &[],
        };
        let tooms = std::iter::repeat_n(Step::Toom3(self.word), self.tooms);
        let karats = std::iter::repeat_n(Step::Karat2, self.karats);
        tooms.chain(middle.iter().copied()).chain(karats).collect()
    }

    fn words(self) -> usize {
        self.steps().iter().rev().fold(self.leaf, |words, step| step.words(words))
    }
}

fn shapes() -> Vec<Shape> {
    let mut all = Vec::new();
    for tooms in 0..4 {
        for odd in [1, 3, 5, 9] {
            for karats in 0..9 {
                for leaf in [4, 6, 8] {
                    let shape = |word| Shape { tooms, word, odd, karats, leaf };
                    // A Toom3 of short parts is not worth measuring.
                    let room = tooms == 0 || (odd * leaf) << karats >= 20;
                    let words = if tooms == 0 { &WORDS[..1] } else { &WORDS };
                    let shapes = words.iter().map(|&word| shape(word));
                    all.extend(shapes.filter(|shape| room && shape.words() <= TOP && shape.words() > 8));
                }
            }
        }
    }
    all.sort_by_key(|shape| shape.words());
    all
}

/// One product, the least of several rounds.
struct Subject {
    shape: Shape,
    plan: Plan,
    best: f64,
}

fn round(subject: &mut Subject, operand: &[u64], out: &mut [u64], scratch: &mut [u64]) {
    let n = subject.shape.words();
    let mut reps = 1;
    loop {
        let start = Instant::now();
        for _ in 0..reps {
            subject.plan.mul(black_box(&operand[..n]), &operand[..n], &mut out[..2 * n], scratch);
        }
        let elapsed = start.elapsed();
        if elapsed > Duration::from_micros(60) {
            subject.best = subject.best.min(elapsed.as_nanos() as f64 / f64::from(reps));
            return;
        }
        reps *= 2;
    }
}

fn main() {
    let name = std::env::args().nth(1);
    let cpu =
        name.map_or_else(ClmulCpu::detect, |name| ClmulCpu::named(&name).expect("a machine of this CPU"));
    let plan = |shape: Shape| Plan::forced(cpu, shape.words(), &shape.steps(), shape.leaf).expect("a chain");
    let mut subjects: Vec<Subject> =
        shapes().into_iter().map(|shape| Subject { shape, plan: plan(shape), best: f64::MAX }).collect();
    let scratch = subjects.iter().map(|s| s.plan.scratch_words()).max().expect("chains");
    let (operand, mut out, mut scratch) = (vec![!0 / 3; TOP], vec![0; 2 * TOP], vec![0; scratch]);
    for _ in 0..600 {
        for subject in &mut subjects {
            round(subject, &operand, &mut out, &mut scratch);
        }
    }
    // From the longest down: what is cheaper than everything at least as long.
    let (mut least, mut kept) = (f64::MAX, Vec::new());
    for subject in subjects.iter().rev() {
        if subject.best < least {
            least = subject.best;
            kept.pop_if(|longer: &mut &Subject| longer.shape.words() == subject.shape.words());
            kept.push(subject);
        }
    }
    println!("// {}: words, Toom3, its word in bits, odd, Karat2, leaf; nanoseconds", cpu.name());
    for Subject { shape, best, .. } in kept.iter().rev() {
        let Shape { tooms, word, odd, karats, leaf } = *shape;
        let word = if tooms == 0 { 0 } else { 64 * word.words() };
        println!("entry({}, {tooms}, {word}, {odd}, {karats}, {leaf}), // {best:.0}", shape.words());
    }
}
