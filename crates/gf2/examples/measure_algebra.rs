//! Times of division, greatest common divisors and inverses beside a product of the same size.
//! `cargo run --release -p carryless-gf2 --example measure_algebra [BITS...]`, on a quiet machine.
use carryless_gf2::algebra::{Divisor, Poly};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A polynomial of that degree, by splitmix64.
fn random(degree: usize, seed: &mut u64) -> Poly {
    let words: Vec<u64> = (0..degree / 64 + 1)
        .map(|_| {
            *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        })
        .collect();
    let mut poly = Poly::from(words).truncate(degree);
    poly.set_coefficient(degree, true);
    poly
}

/// The least time of one call in about 0.6 s, at least two calls.
fn time<T>(mut f: impl FnMut() -> T) -> f64 {
    let (start, mut least) = (Instant::now(), f64::MAX);
    for round in 0.. {
        if round >= 2 && start.elapsed() > Duration::from_millis(600) {
            break;
        }
        let (begin, mut calls) = (Instant::now(), 0);
        while calls == 0 || begin.elapsed() < Duration::from_micros(50) {
            black_box(f());
            calls += 1;
        }
        least = least.min(begin.elapsed().as_secs_f64() / f64::from(calls));
    }
    least * 1e6
}

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).map(|bits| bits.parse().expect("a size")).collect();
    let sizes = if given.is_empty() { vec![1 << 10, 1 << 14, 1 << 17, 1 << 20] } else { given };
    println!("microseconds");
    println!("    bits    product    div_rem    mul_mod        gcd       xgcd    inverse");
    let mut seed = 1;
    for bits in sizes {
        let (a, b, f) = (random(bits - 1, &mut seed), random(bits - 1, &mut seed), random(bits, &mut seed));
        let (long, divisor) = (&a * &b, Divisor::new(&f).expect("not zero"));
        let times = [
            time(|| &a * &b),
            time(|| long.div_rem(&f)),
            time(|| divisor.mul_mod(&a, &b)),
            time(|| a.gcd_vartime(&f)),
            time(|| a.xgcd_vartime(&f)),
            time(|| a.inverse_mod_vartime(&f)),
        ];
        print!("{bits:8}");
        times.iter().for_each(|time| print!(" {time:10.1}"));
        println!();
    }
}
