//! The memory of this process: `/proc/self/maps` and `/proc/self/mem`.
use crate::needles::Needles;
use std::fs::{File, read_to_string};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use zeroize::Zeroize;

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// Searches all memory that this process can write: stacks, heap, statics. Calls `found` with the address and
/// the number of the secret.
pub(crate) fn search(needles: &Needles, mut found: impl FnMut(u64, usize)) {
    let memory = File::open("/proc/self/mem").expect("/proc is mounted");
    let mut buffer = vec![0; CHUNK];
    // Each chunk is copied here, where it would be found again.
    let own = {
        let start = buffer.as_ptr().addr() as u64;
        start..start + CHUNK as u64
    };
    for map in writable() {
        let mut at = map.start;
        while at < map.end {
            let len = CHUNK.min((map.end - at) as usize);
            // The mapping may be gone since it was listed.
            let Ok(len) = memory.read_at(&mut buffer[..len], at) else { break };
            needles.search(&buffer[..len], |place, secret| {
                let address = at + place as u64;
                if !own.contains(&address) {
                    found(address, secret);
                }
            });
            // Chunks overlap by 7 bytes, so that a word across their border is found.
            at += if len == CHUNK { len as u64 - 7 } else { len.max(1) as u64 };
        }
    }
    buffer.zeroize();
}

/// Addresses of the private mappings that can be read and written.
fn writable() -> Vec<Range<u64>> {
    let maps = read_to_string("/proc/self/maps").expect("/proc is mounted");
    let ranges = maps.lines().filter_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let hex = |digits| u64::from_str_radix(digits, 16).ok();
        rest.starts_with("rw-p").then_some(hex(start)?..hex(end)?)
    });
    ranges.collect()
}
