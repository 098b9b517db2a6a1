//! Measures the time that C adds to a call of 64-byte Poly1305: the function of the shared library against
//! Rust's, in turn in one process.
//!
//!     cargo xtask capi --measure
use carryless_hash::poly1305;
use std::hint::black_box;
use std::time::Instant;

type Mac = unsafe extern "C" fn(*const u8, usize, *const u8, usize, *mut u8, usize) -> i32;

/// The most nanoseconds that the C interface may add to a call; more is a failure.
const LIMIT: f64 = 5.0;
const CALLS: u32 = 100_000;
const ROUNDS: usize = 200;

/// Nanoseconds of one call, averaged over [`CALLS`] in a row.
fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: measure_call LIBRARY")?;
    // SAFETY: our library has no initialisers, and the symbol is a function of this type (src/poly1305.rs).
    let library = unsafe { libloading::Library::new(path)? };
    // SAFETY: as above.
    let mac: libloading::Symbol<'_, Mac> = unsafe { library.get(b"carryless_poly1305_mac")? };
    let (key, message, mut tag) = ([7; 32], [9; 64], [0; 16]);
    let mut by_c = || {
        let (key, message) = (black_box(&key), black_box(&message));
        // SAFETY: pointers and lengths of arrays that live here.
        let status = unsafe {
            mac(key.as_ptr(), key.len(), message.as_ptr(), message.len(), tag.as_mut_ptr(), tag.len())
        };
        assert_eq!(status, 0);
        black_box(&tag);
    };
    let by_rust = || {
        black_box(poly1305::mac(black_box(&key), black_box(&message)));
    };
    let (mut of_c, mut of_rust) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        of_rust.push(time(by_rust));
        of_c.push(time(&mut by_c));
    }
    assert_eq!(tag, poly1305::mac(&key, &message).to_bytes());
    let (c, rust) = (median(of_c.clone()), median(of_rust.clone()));
    println!("64 bytes, median of rounds:     Rust {rust:.1} ns, C {c:.1} ns");
    // Disturbances only make a round longer, so the shortest is closest to the true time.
    let [c, rust] = [of_c, of_rust].map(|times| times.into_iter().fold(f64::INFINITY, f64::min));
    println!("64 bytes, least of {ROUNDS} rounds: Rust {rust:.1} ns, C {c:.1} ns, C adds {:.1} ns", c - rust);
    if c - rust > LIMIT {
        return Err(format!("C adds more than {LIMIT} ns").into());
    }
    Ok(())
}
