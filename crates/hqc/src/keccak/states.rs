//! States side by side, and which kernel permutes them.
use super::permutation::{Block, WORDS, permute, permute_many};
use crate::secret::wipe;
use carryless_lanes::ClmulCpu;

/// The most states that are permuted at once.
pub(super) const MOST: usize = 8;

/// Up to [`MOST`] states in groups of `width`, as many as the machine permutes at once. Word i of state j of a group is word `i * width + j` of
/// the group.
pub(super) struct States {
    words: [u64; MOST * WORDS],
    machine: ClmulCpu,
    width: usize,
    in_use: [bool; MOST],
    /// Words that have ever been used, from the first.
    reach: usize,
}

impl States {
    pub(super) fn new(cpu: ClmulCpu) -> Self {
        States { words: [0; MOST * WORDS], machine: cpu, width: 1, in_use: [false; MOST], reach: 0 }
    }

    /// Makes room for that many states, which are to be loaded.
    pub(super) fn arrange(&mut self, cpu: ClmulCpu, count: usize) {
        (self.machine, self.width) = machine(cpu, count);
        self.in_use[..count].fill(true);
        self.in_use[count..].fill(false);
        self.reach = self.reach.max(count.next_multiple_of(self.width) * WORDS);
    }

    /// State `j` is used no more.
    pub(super) fn free(&mut self, j: usize) {
        self.in_use[j] = false;
    }

    /// State `j` of all.
    #[inline]
    pub(super) fn column(&mut self, j: usize) -> Column<'_> {
        let group = &mut self.words[j / self.width * self.width * WORDS..][..self.width * WORDS];
        Column { words: &mut group[j % self.width..], width: self.width }
    }

    /// Adds the blocks to their states and permutes the groups which have a state in use.
    pub(super) fn permute(&mut self, blocks: &[&Block; MOST]) {
        let groups = self.words.chunks_exact_mut(self.width * WORDS).zip(blocks.chunks_exact(self.width));
        for ((group, blocks), in_use) in groups.zip(self.in_use.chunks_exact(self.width)) {
            if in_use.contains(&true) {
                match <&mut [u64; WORDS]>::try_from(&mut *group) {
                    Ok(one) => permute(one, blocks[0]),
                    Err(_) => permute_many(self.machine, group, blocks),
                }
            }
        }
    }

    /// Whether those in use, `count`, would take fewer or shorter permutations if they were arranged anew.
    pub(super) fn is_sparse(&self, cpu: ClmulCpu, count: usize) -> bool {
        let groups = self.in_use.chunks_exact(self.width).filter(|in_use| in_use.contains(&true)).count();
        groups > count.div_ceil(self.width) || machine(cpu, count).1 != self.width
    }
}

impl Drop for States {
    fn drop(&mut self) {
        wipe(&mut self.words[..self.reach]);
    }
}

/// The machine for `count` states, and how many it permutes at once: one, in words, or as many as its vectors have words.
///
/// Vectors take less time than words even for one state where rotations are instructions (538 and 835 ticks on Zen 4), elsewhere for two (988 and
/// 978 ticks for four states by AVX2 and two by SSE2). Soft vectors do not.
fn machine(cpu: ClmulCpu, count: usize) -> (ClmulCpu, usize) {
    let narrow = cpu.with_lanes(1);
    let in_words = count == 1 && !narrow.has_rotations();
    if in_words || matches!(cpu, ClmulCpu::Soft(_)) {
        (cpu, 1)
    } else if count <= narrow.wide_words() {
        (narrow, narrow.wide_words())
    } else {
        (cpu, cpu.wide_words())
    }
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
