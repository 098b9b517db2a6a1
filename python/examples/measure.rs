//! Measures Poly1305 from Rust, in the profile of the wheel, to compare `measure.py` with it.
//!
//!     cargo run --release --example measure --manifest-path python/Cargo.toml --no-default-features --features abi3
use carryless_hash::poly1305::mac;
use std::hint::black_box;
use std::time::Instant;

/// Nanoseconds of a call on `len` bytes: the least average of `rounds` rounds of `repeat` calls.
fn nanoseconds(len: usize, rounds: usize, repeat: u32) -> f64 {
    let (key, message) = ([7; 32], vec![5; len]);
    let round = |_| {
        let start = Instant::now();
        for _ in 0..repeat {
            black_box(mac(black_box(&key), black_box(&message)));
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(repeat)
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// Prints the nanoseconds of a call on 64 bytes and of one on 1 MiB.
fn main() {
    println!("{} {}", nanoseconds(64, 50, 20_000), nanoseconds(1 << 20, 200, 1));
}
