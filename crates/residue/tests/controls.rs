//! Secrets that are left on purpose are found, and wiped ones are not.
#![cfg(target_os = "linux")]

use carryless_residue::{Secrets, Watched};
use std::hint::black_box;
use zeroize::{Zeroize, Zeroizing};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

fn secrets(name: &str) -> Secrets {
    let seed =
        name.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(0x5851_f42d_4c95_7f2d) + u64::from(byte));
    Secrets::new(move |record| {
        let bytes: Vec<u8> = (1..=40).map(|i| (seed.wrapping_mul(i * i * i + 77) >> 32) as u8).collect();
        record(name, &bytes);
    })
}

fn array(bytes: &[u8]) -> [u8; 40] {
    bytes.try_into().expect("40 bytes")
}

#[inline(never)]
fn deep(work: &dyn Fn()) {
    let mut frame = [0x55_u8; 100_000];
    black_box(&mut frame);
    work();
    black_box(&mut frame);
}

#[test]
fn left_on_the_stack() {
    let secrets = secrets("stack");
    let leave = || {
        black_box(&mut array(&secrets.reveal("stack")));
    };
    let found = secrets.left_after(leave);
    assert!(found.iter().any(|found| found.place.contains("below the stack pointer")), "{found:?}");
    assert!(!secrets.left_after(|| deep(&leave)).is_empty());
    secrets.assert_gone("wiped", || {
        let mut bytes = Zeroizing::new([0; 40]);
        bytes.copy_from_slice(&secrets.reveal("stack"));
        black_box(&bytes);
    });
}

#[test]
fn left_on_the_heap() {
    let secrets = secrets("heap");
    let found = secrets.left_after(|| drop(black_box(secrets.reveal("heap").to_vec())));
    assert!(found.iter().any(|found| found.place.contains("freed block")), "{found:?}");
    secrets.assert_gone("wiped", || drop(black_box(Zeroizing::new(secrets.reveal("heap").to_vec()))));
}

#[test]
fn leaked_and_in_use() {
    let secrets = secrets("leaked");
    let mut leaked = Vec::new();
    let found = secrets.left_after(|| leaked = secrets.reveal("leaked").iter().rev().copied().collect());
    assert!(found.iter().any(|found| found.place.contains("not on the stack")), "{found:?}");
    leaked.zeroize();
    secrets.assert_gone("wiped in use", || {
        let mut bytes = secrets.reveal("leaked").to_vec();
        secrets.assert_visible("leaked", true);
        bytes.zeroize();
        secrets.assert_visible("leaked", false);
    });
}
