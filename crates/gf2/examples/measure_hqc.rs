//! The times of what HQC asks of polynomials, on the best backend or on one by name: `cargo run --release -p carryless-gf2 --example measure_hqc -- [BACKEND]`.
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{self, Modulus, Plan};
use std::hint::black_box;
use std::time::Instant;

/// Degree of the ring, and the weights of errors and keys.
const SETS: [(usize, [usize; 2]); 3] = [(17669, [75, 66]), (35851, [114, 100]), (57637, [149, 131])];

/// The least and the median nanoseconds of 101 batches of calls.
fn measure(name: &str, calls: u32, mut call: impl FnMut()) {
    let mut times: Vec<f64> = (0..102)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed().as_nanos() as f64 / f64::from(calls)
        })
        .skip(1)
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name:40} {:9.0} {:9.0}", times[0], times[50]);
}

/// The generator splitmix64 with its state: fast and repeatable, not for keys.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn words(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.word()).collect()
    }
}

fn main() {
    let cpu = std::env::args().nth(1).map_or_else(ClmulCpu::detect, |name| match ClmulCpu::named(&name) {
        Ok(cpu) => cpu,
        Err(_) => panic!("this CPU has no backend {name}"),
    });
    println!("{}: least and median nanoseconds", cpu.name());
    let mut random = Random(1);
    for (n, weights) in SETS {
        let words = n.div_ceil(64);
        let (plan, mut out) = (Plan::on(cpu, words, words), vec![0; words]);
        println!("{}", plan.describe());
        for weight in weights {
            let exponents: Vec<u32> = (0..weight).map(|_| (random.word() % n as u64) as u32).collect();
            measure(&format!("{weight} exponents below {n}"), 50, || {
                poly::from_exponents(cpu, black_box(&exponents), black_box(&mut out));
            });
        }
        let (a, b) = (random.words(words), random.words(words));
        let (mut product, mut prepared) = (vec![0; 2 * words], vec![0; plan.prepared_words()]);
        let mut scratch = vec![0; plan.part_scratch_words()];
        measure("product", 20, || plan.mul(black_box(&a), black_box(&b), &mut product, &mut scratch));
        measure("product modulo X^n - 1", 20, || {
            plan.mul_mod_xn_1(n, black_box(&a), black_box(&b), &mut out, &mut scratch);
        });
        measure("prepare", 20, || plan.prepare(black_box(&b), &mut prepared, &mut scratch));
        let exponents = [n, 0];
        let modulus = Modulus::new(&exponents).expect("n is not zero");
        measure("product with prepared, modulo X^n - 1", 20, || {
            plan.mul_mod_prepared(modulus, black_box(&a), black_box(&prepared), &mut out, &mut scratch);
        });
    }
}
