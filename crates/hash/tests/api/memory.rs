//! Messages at any address, and nothing read outside them.
use crate::common::{Rng, check, pick};

#[test]
fn any_alignment() {
    let mut rng = Rng(50);
    let buffer = rng.bytes(64 + 1500);
    // The first offset that is a multiple of 64, so that every remainder is met whatever the allocator does.
    let aligned = buffer.as_ptr().align_offset(64).min(63);
    for offset in (0..64).step_by(pick(1, 5, 40)) {
        for len in [0, 1, 16, 17, 64, 100, 128, 256, 300, 512, 1000, 1400].into_iter().take(pick(12, 10, 6)) {
            let start = (aligned + offset) % 64;
            check(&rng.array(), &buffer[start..start + len]);
        }
    }
}

/// A message that begins where a page begins, or ends where one ends, between pages that cannot be read.
#[cfg(all(unix, not(miri)))]
mod page_ends {
    use super::*;
    use crate::common::backends;
    use crate::guard::GuardedPage;
    use carryless_hash::Tag;
    use carryless_hash::poly1305::mac_batch_on;

    #[test]
    fn nothing_outside_the_message_is_read() {
        let mut rng = Rng(51);
        let mut page = GuardedPage::new();
        let page = page.bytes();
        let content = rng.bytes(page.len());
        page.copy_from_slice(&content);
        let near_the_whole = page.len() - 40..=page.len();
        for len in (0..=pick(1100, 330, 0)).chain(near_the_whole).step_by(pick(1, 2, 1)) {
            check(&rng.array(), &page[..len]);
            check(&rng.array(), &page[page.len() - len..]);
        }
    }

    #[test]
    fn nothing_outside_a_batch_is_read() {
        let mut rng = Rng(52);
        let mut page = GuardedPage::new();
        let page = page.bytes();
        let content = rng.bytes(page.len());
        page.copy_from_slice(&content);
        for len in (0..=pick(300, 140, 0)).step_by(pick(1, 3, 1)) {
            // Every message touches one end of the page; their lengths differ by lane.
            let lens = [len, len / 2, len, 0, len.saturating_sub(1), len, len / 3, len, len];
            let msgs = lens.map(|n| if n % 2 == 0 { &page[..n] } else { &page[page.len() - n..] });
            let keys: [[u8; 32]; 9] = std::array::from_fn(|_| rng.array());
            for &cpu in backends() {
                let mut tags = [Tag::from([0; 16]); 9];
                mac_batch_on(cpu, &keys, &msgs, &mut tags);
                for ((key, msg), tag) in keys.iter().zip(msgs).zip(tags) {
                    assert_eq!(tag.to_bytes(), carryless_reference::poly1305(key, msg), "{}", cpu.name());
                }
            }
        }
    }
}
