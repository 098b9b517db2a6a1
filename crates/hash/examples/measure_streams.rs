//! How much longer a message takes as a stream, or through a trait of RustCrypto, than at once.
//!
//! ```text
//! cargo run --release -p carryless-hash --example measure_streams
//! ```
//!
//! For each function and length the two ways alternate, so that both see the same clock; a sample is the time of enough
//! calls for about 20 microseconds, and both ways must give the same digest. Printed: nanoseconds at once and as a stream,
//! the median of all samples, and the ratios of the medians and of the minima.
use carryless_hash::decbrwhash1305::{self, BrwHash1305, DecBrwHash1305, Streams};
use carryless_hash::poly1305::{self, Poly1305};
use carryless_hash::polyhash1271::{self, PolyHash1271};
use carryless_hash::polyhash1305::{self, PolyHash1305};
use carryless_hash::{Key1271, decbrwhash1271};
use digest::Mac;
use std::hint::black_box;
use std::time::Instant;
use universal_hash::UniversalHash;
use universal_hash::common::KeyInit;

const LENGTHS: [usize; 5] = [16, 64, 1024, 1000, 16 << 10];
const SAMPLES: usize = 301;

/// The time of `calls` calls, in nanoseconds for each.
fn time(calls: u32, call: &dyn Fn() -> [u8; 16]) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call());
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

fn compare(name: &str, len: usize, at_once: &dyn Fn() -> [u8; 16], streamed: &dyn Fn() -> [u8; 16]) {
    assert_eq!(at_once(), streamed(), "{name}, {len} bytes");
    let calls = (20_000.0 / time(1000, at_once)).max(1.0) as u32;
    let [mut a, mut b] = [const { Vec::<f64>::new() }; 2];
    for _ in 0..SAMPLES {
        a.push(time(calls, at_once));
        b.push(time(calls, streamed));
    }
    a.sort_unstable_by(f64::total_cmp);
    b.sort_unstable_by(f64::total_cmp);
    let (a_median, b_median) = (a[SAMPLES / 2], b[SAMPLES / 2]);
    let (of_medians, of_minima) = (b_median / a_median, b[0] / a[0]);
    println!("{name:<28} {len:>6} {a_median:>9.1} {b_median:>9.1} {of_medians:>8.2} {of_minima:>8.2}");
}

fn main() {
    println!("{:<28} {:>6} {:>9} {:>9} {:>8} {:>8}", "", "bytes", "at once", "stream", "medians", "minima");
    let (key, half) = (black_box([0x17; 32]), black_box([0x17; 16]));
    let key1271 = Key1271::new(&half).expect("below 2^126");
    for len in LENGTHS {
        let message = black_box(vec![0xa5; len]);
        let msg = &message[..];
        // Every function that is compared, by the digest at once and by that of a stream.
        macro_rules! row {
            ($name:literal, $at_once:expr, $streamed:expr) => {
                compare($name, len, &|| $at_once, &|| $streamed)
            };
        }
        let mac = || poly1305::mac(black_box(&key), black_box(msg)).to_bytes();
        row!("Poly1305", mac(), {
            let mut stream = Poly1305::new(black_box(&key));
            stream.update(black_box(msg));
            stream.finalize().to_bytes()
        });
        row!("Poly1305 as Mac", mac(), {
            let mut stream = <Poly1305 as KeyInit>::new(black_box(&key).into());
            Mac::update(&mut stream, black_box(msg));
            Mac::finalize(stream).into_bytes().0
        });
        if len.is_multiple_of(16) {
            row!("Poly1305 as UniversalHash", mac(), {
                let mut stream = <Poly1305 as KeyInit>::new(black_box(&key).into());
                stream.update_padded(black_box(msg));
                UniversalHash::finalize(stream).0
            });
        }
        row!("PolyHash1305", polyhash1305::digest(black_box(&half), black_box(msg)), {
            let mut stream = PolyHash1305::new(black_box(&half));
            stream.update(black_box(msg));
            stream.finalize()
        });
        row!("PolyHash1271", polyhash1271::digest(black_box(&key1271), black_box(msg)), {
            let mut stream = PolyHash1271::new(black_box(&key1271));
            stream.update(black_box(msg));
            stream.finalize()
        });
        row!("BrwHash1305", decbrwhash1305::digest(Streams::One, black_box(&half), black_box(msg)), {
            let mut stream = BrwHash1305::new(black_box(&half));
            stream.update(black_box(msg));
            stream.finalize()
        });
        row!("DecBrwHash1305", decbrwhash1305::digest(Streams::Four, black_box(&half), black_box(msg)), {
            let mut stream = DecBrwHash1305::new(black_box(&half));
            stream.update(black_box(msg));
            stream.finalize()
        });
        row!("DecBrwHash1271", decbrwhash1271::digest(Streams::Four, black_box(&key1271), black_box(msg)), {
            let mut stream = decbrwhash1271::DecBrwHash1271::new(black_box(&key1271));
            stream.update(black_box(msg));
            stream.finalize()
        });
    }
}
