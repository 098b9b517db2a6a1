//! Long streams keep powers and stacks on the heap: they are zeros when the memory goes back.
#![cfg(feature = "alloc")]
#![allow(unsafe_code)] // the only way to see memory as it is freed

use carryless_hash::decbrwhash1305::{self, BrwHash1305, Streams};
use carryless_hash::poly1305::{self, Poly1305};
use carryless_hash::polyhash1305::{self, PolyHash1305};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use zeroize::Zeroize;

/// Bytes of the buffer for small pieces, and of the room for the rows that `BrwHash1305` absorbed, which depend on the processor: fewer than 2^12 rows take some 650, any number some 2800.
const ROOMS: std::ops::Range<usize> = 500..4000;

/// Whether rooms and buffers are to be watched: while nothing else of their size is freed.
static HAS_ROOMS: AtomicBool = AtomicBool::new(false);

/// Blocks of the size of a table of powers or of a buffer, or of one of those rooms, that were freed, and those of them that were not zeros.
static FREED: AtomicUsize = AtomicUsize::new(0);
static DIRTY: AtomicUsize = AtomicUsize::new(0);

struct Watched;

// SAFETY: all is done by the system's allocator; the bytes are read while the block is still allocated.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // Nothing else in this program is aligned like a table.
        let is_table = layout.align() == 64 && layout.size() > 1000;
        if is_table || HAS_ROOMS.load(Ordering::SeqCst) && ROOMS.contains(&layout.size()) {
            // SAFETY: the block has that size, and volatile reads take what is there.
            let is_clean = (0..layout.size()).all(|i| unsafe { block.add(i).read_volatile() } == 0);
            FREED.fetch_add(1, Ordering::SeqCst);
            DIRTY.fetch_add(usize::from(!is_clean), Ordering::SeqCst);
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// One test, because others would free blocks of their own.
#[test]
fn heap_of_streams_is_wiped() {
    let msg: Vec<u8> = (0..20_000).map(|i| (i * 7) as u8).collect();
    HAS_ROOMS.store(true, Ordering::SeqCst);
    let stream = || {
        let mut stream = Poly1305::new(&[7; 32]);
        msg.chunks(1000).for_each(|piece| stream.update(piece));
        stream
    };
    assert_eq!(stream().finalize(), poly1305::mac(&[7; 32], &msg));
    let copy = stream().clone();
    assert!(copy.verify(&poly1305::mac(&[7; 32], &msg)).is_ok());
    stream().zeroize();
    let mut hash = PolyHash1305::new(&[7; 16]);
    msg.chunks(1000).for_each(|piece| hash.update(piece));
    assert_eq!(hash.finalize(), polyhash1305::digest(&[7; 16], &msg));
    let (freed, dirty) = (FREED.load(Ordering::SeqCst), DIRTY.load(Ordering::SeqCst));
    let has_table =
        matches!(carryless_hash::Cpu::detect().name(), "avx2" | "avx512" | "avx512ifma" | "neon" | "simd128");
    assert_eq!(
        (freed, dirty),
        (if has_table { 10 } else { 5 }, 0),
        "tables and buffers freed, and not wiped"
    );
    rooms_are_wiped(freed);
}

fn rooms_are_wiped(before: usize) {
    let msg: Vec<u8> = (0..70_000).map(|i| (i * 7) as u8).collect();
    HAS_ROOMS.store(true, Ordering::SeqCst);
    let mut hash = BrwHash1305::new(&[7; 16]);
    msg.chunks(10_000).for_each(|piece| hash.update(piece));
    let digest = decbrwhash1305::digest(Streams::One, &[7; 16], &msg);
    // The smaller room, the copy of the other one, and that.
    assert_eq!(hash.clone().finalize(), digest);
    hash.zeroize();
    HAS_ROOMS.store(false, Ordering::SeqCst);
    let (freed, dirty) = (FREED.load(Ordering::SeqCst), DIRTY.load(Ordering::SeqCst));
    assert_eq!((freed - before, dirty), (3, 0), "rooms freed, and not wiped");
}
