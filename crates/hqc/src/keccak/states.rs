//! Keccak states in an interleaved layout, and the choice of the kernel that permutes them.
use super::permutation::{Block, WORDS, permute, permute_many};
use crate::secret::wipe;
use carryless_lanes::ClmulCpu;

/// Most states that are permuted at once: the words of the widest vector.
pub(super) const MAX_STATES: usize = 8;

/// Up to [`MAX_STATES`] states in groups of `width`, the number that the backend permutes at once. Word i of state
/// j of a group is word `i * width + j` of the group.
///
/// The states are secret and wiped when dropped.
pub(super) struct States {
    words: [u64; MAX_STATES * WORDS],
    backend: ClmulCpu,
    width: usize,
    in_use: [bool; MAX_STATES],
    /// Number of words, from the first on, that have ever been used and must be wiped.
    reach: usize,
}

impl States {
    pub(super) fn new(cpu: ClmulCpu) -> Self {
        States {
            words: [0; MAX_STATES * WORDS],
            backend: cpu,
            width: 1,
            in_use: [false; MAX_STATES],
            reach: 0,
        }
    }

    /// Chooses the layout for `count` states. The caller must load all of them afterwards.
    pub(super) fn arrange(&mut self, cpu: ClmulCpu, count: usize) {
        (self.backend, self.width) = backend(cpu, count);
        self.in_use[..count].fill(true);
        self.in_use[count..].fill(false);
        // Later layouts may be narrower: what earlier ones wrote must be wiped as well.
        self.reach = self.reach.max(count.next_multiple_of(self.width) * WORDS);
    }

    /// Marks state `j` as unused: its stream has ended.
    pub(super) fn free(&mut self, j: usize) {
        self.in_use[j] = false;
    }

    /// Returns a view of state `j`, counted over all groups.
    #[inline]
    pub(super) fn column(&mut self, j: usize) -> Column<'_> {
        // A view that begins at the first word of the state: word i is then at i times `width`.
        let group = &mut self.words[j / self.width * self.width * WORDS..][..self.width * WORDS];
        Column { words: &mut group[j % self.width..], width: self.width }
    }

    /// Adds each block to its state and permutes every group with a state in use.
    pub(super) fn permute(&mut self, blocks: &[&Block; MAX_STATES]) {
        let groups = self.words.chunks_exact_mut(self.width * WORDS).zip(blocks.chunks_exact(self.width));
        for ((group, blocks), in_use) in groups.zip(self.in_use.chunks_exact(self.width)) {
            // A group permutes whole: states that are not in use cost nothing more, and what they hold does
            // not matter.
            if in_use.contains(&true) {
                // A group of one state has exactly the words of one; larger groups are interleaved.
                match <&mut [u64; WORDS]>::try_from(&mut *group) {
                    Ok(one) => permute(one, blocks[0]),
                    Err(_) => permute_many(self.backend, group, blocks),
                }
            }
        }
    }

    /// Returns whether a new layout for the `count` states in use would take fewer or shorter permutations.
    pub(super) fn is_sparse(&self, cpu: ClmulCpu, count: usize) -> bool {
        let groups = self.in_use.chunks_exact(self.width).filter(|in_use| in_use.contains(&true)).count();
        // Whole groups are idle, or another kernel suits this number of states better.
        groups > count.div_ceil(self.width) || backend(cpu, count).1 != self.width
    }
}

impl Drop for States {
    fn drop(&mut self) {
        wipe(&mut self.words[..self.reach]);
    }
}

/// Chooses the backend for `count` states, and the number of states that it permutes at once.
///
/// One state is permuted in 64-bit words, or in vectors where rotations are instructions: 538 instead of 835
/// ticks on Zen 4. Elsewhere vectors are faster from two states on: 988 ticks for four states by AVX2, 978
/// for two by SSE2. The portable backend always computes in words.
fn backend(cpu: ClmulCpu, count: usize) -> (ClmulCpu, usize) {
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

/// One state of an interleaved group.
pub struct Column<'a> {
    /// Words of the group, beginning with the first word of this state.
    words: &'a mut [u64],
    /// Distance between two words of this state.
    width: usize,
}

impl Column<'_> {
    pub(super) fn load(&mut self, state: &[u64; WORDS]) {
        self.words_from(0).zip(state).for_each(|(word, from)| *word = *from);
    }

    pub(super) fn save(&mut self, state: &mut [u64; WORDS]) {
        self.words_from(0).zip(state).for_each(|(word, to)| *to = *word);
    }

    /// Copies bytes of the state to `bytes`, from byte `position` on. Words are little-endian, as in FIPS 202.
    pub(super) fn squeeze(&mut self, position: usize, bytes: &mut [u8]) {
        // Bytes up to the next word, whole words, and the bytes that remain.
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

    /// Copies bytes that all lie in one word of the state.
    fn squeeze_part(&self, position: usize, part: &mut [u8]) {
        if !part.is_empty() {
            // The part ends within this word, by the cuts that `squeeze` makes.
            let bytes = self.words[position / 8 * self.width].to_le_bytes();
            part.copy_from_slice(&bytes[position % 8..][..part.len()]);
        }
    }

    /// Returns an iterator over the words of this state, from word `first` on.
    fn words_from(&mut self, first: usize) -> impl Iterator<Item = &mut u64> {
        self.words[first * self.width..].iter_mut().step_by(self.width)
    }
}
