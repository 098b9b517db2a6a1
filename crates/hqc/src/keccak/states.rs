//! States side by side, and which kernel permutes them.
use super::permutation::{WORDS, permute, permute_many};
use carryless_lanes::ClmulCpu;
use zeroize::Zeroize;

/// The most states that are permuted at once.
pub(super) const MOST: usize = 8;

/// Up to [`MOST`] states in groups of `width`, as many as a kernel takes. Word i of state j of a group is word `i * width + j` of the group.
pub(super) struct States {
    words: [u64; MOST * WORDS],
    width: usize,
    /// Words that have been used, from the first.
    reach: usize,
}

impl States {
    pub(super) fn new() -> Self {
        States { words: [0; MOST * WORDS], width: 1, reach: 0 }
    }

    /// Makes room for that many states in groups of `width`, to be loaded.
    pub(super) fn arrange(&mut self, width: usize, count: usize) {
        self.width = width;
        self.reach = self.reach.max(count.next_multiple_of(width) * WORDS);
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// State `j` of all.
    #[inline]
    pub(super) fn column(&mut self, j: usize) -> Column<'_> {
        let group = &mut self.words[j / self.width * self.width * WORDS..][..self.width * WORDS];
        Column { words: &mut group[j % self.width..], width: self.width }
    }

    /// Permutes the groups which have a state in use, and returns their number.
    pub(super) fn permute(&mut self, cpu: ClmulCpu, in_use: [bool; MOST]) -> usize {
        let mut permutations = 0;
        let groups = self.words.chunks_exact_mut(self.width * WORDS).zip(in_use.chunks(self.width));
        for (group, _) in groups.filter(|(_, in_use)| in_use.contains(&true)) {
            permutations += 1;
            match <&mut [u64; WORDS]>::try_from(&mut *group) {
                Ok(one) => permute(one),
                Err(_) => permute_many(machine(cpu, self.width), group),
            }
        }
        permutations
    }
}

impl Drop for States {
    fn drop(&mut self) {
        self.words[..self.reach].zeroize();
    }
}

/// How many states are permuted at once where there are `count`: one, in words, or as many as some machine of this CPU has in a vector.
///
/// Vectors take less time than words even for one state where rotations are instructions (538 and 835 ticks on Zen 4), elsewhere for two (988 and
/// 978 ticks for four states by AVX2 and two by SSE2). Soft vectors do not.
pub(super) fn width(cpu: ClmulCpu, count: usize) -> usize {
    let narrow = cpu.with_lanes(1);
    let in_words = count == 1 && !narrow.has_rotations();
    if in_words || matches!(cpu, ClmulCpu::Soft(_)) {
        1
    } else if count <= narrow.wide_words() {
        narrow.wide_words()
    } else {
        cpu.wide_words()
    }
}

/// The machine whose vectors have so many words: this one, or that with one lane.
fn machine(cpu: ClmulCpu, width: usize) -> ClmulCpu {
    if cpu.wide_words() == width { cpu } else { cpu.with_lanes(1) }
}

/// One state among several.
pub struct Column<'a> {
    /// From its first word on.
    words: &'a mut [u64],
    /// From one of its words to the next.
    width: usize,
}

impl Column<'_> {
    pub(super) fn load(&mut self, state: &[u64; WORDS]) {
        self.words_from(0).zip(state).for_each(|(word, from)| *word = *from);
    }

    pub(super) fn save(&mut self, state: &mut [u64; WORDS]) {
        self.words_from(0).zip(state).for_each(|(word, to)| *to = *word);
    }

    /// Adds bytes to the state, from byte `position` on.
    pub(super) fn absorb(&mut self, position: usize, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(position.wrapping_neg() % 8));
        let (whole, tail) = rest.as_chunks();
        let first = (position + head.len()) / 8;
        self.absorb_part(position, head);
        for (word, bytes) in self.words_from(first).zip(whole) {
            *word ^= u64::from_le_bytes(*bytes);
        }
        self.absorb_part(8 * (first + whole.len()), tail);
    }

    /// Reads bytes of the state, from byte `position` on.
    pub(super) fn squeeze(&mut self, position: usize, bytes: &mut [u8]) {
        let (head, rest) = bytes.split_at_mut(bytes.len().min(position.wrapping_neg() % 8));
        let (whole, tail) = rest.as_chunks_mut();
        let first = (position + head.len()) / 8;
        self.squeeze_part(position, head);
        let last = 8 * (first + whole.len());
        for (word, bytes) in self.words_from(first).zip(whole) {
            *bytes = word.to_le_bytes();
        }
        self.squeeze_part(last, tail);
    }

    /// Adds bytes of one word.
    fn absorb_part(&mut self, position: usize, part: &[u8]) {
        let mut bytes = [0; 8];
        bytes[position % 8..][..part.len()].copy_from_slice(part);
        if !part.is_empty() {
            self.words[position / 8 * self.width] ^= u64::from_le_bytes(bytes);
        }
    }

    /// Reads bytes of one word.
    fn squeeze_part(&self, position: usize, part: &mut [u8]) {
        if !part.is_empty() {
            let bytes = self.words[position / 8 * self.width].to_le_bytes();
            part.copy_from_slice(&bytes[position % 8..][..part.len()]);
        }
    }

    /// The words of the state from number `first` on.
    fn words_from(&mut self, first: usize) -> impl Iterator<Item = &mut u64> {
        self.words[first * self.width..].iter_mut().step_by(self.width)
    }
}
