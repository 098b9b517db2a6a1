//! Runs several streams in parallel, so that they share permutations.
use super::permutation::Block;
use super::states::{MAX_STATES, States};
use super::stream::{Advance, NO_BLOCK};
use carryless_lanes::ClmulCpu;

/// Runs the streams in `wanted` to the end of their outputs. Streams in `beside` advance in the
/// same permutations, without causing any.
///
/// A stream in `beside` that has not finished continues in a later run. On backends with AVX2 or AVX-512 a
/// block of each stream costs one permutation of several states. Elsewhere each stream costs its own.
pub fn run(cpu: ClmulCpu, wanted: &mut [&mut dyn Advance], beside: &mut [&mut dyn Advance]) {
    let mut streams = Streams { wanted, beside, open: [false; MAX_STATES] };
    let count = streams.wanted.len() + streams.beside.len();
    // Panics if there are more than `MAX_STATES` streams. The KEM has three at most.
    streams.open[..count].fill(true);
    let mut states = States::new(cpu);
    while streams.pass(cpu, &mut states) {}
}

/// The streams of a run, wanted ones first. A number below `wanted.len() + beside.len()` denotes one.
struct Streams<'a, 'w, 'b> {
    wanted: &'a mut [&'w mut dyn Advance],
    beside: &'a mut [&'b mut dyn Advance],
    /// Entry i tells whether stream i has input to absorb or output to write.
    open: [bool; MAX_STATES],
}

impl Streams<'_, '_, '_> {
    fn get(&mut self, i: usize) -> &mut dyn Advance {
        match i.checked_sub(self.wanted.len()) {
            None => self.wanted[i],
            Some(i) => self.beside[i],
        }
    }

    fn wanted_are_open(&self) -> bool {
        self.open[..self.wanted.len()].contains(&true)
    }

    /// Advances streams while their layout stays efficient. Returns whether wanted streams remain, for which
    /// the caller starts another pass with a new layout.
    fn pass(&mut self, cpu: ClmulCpu, states: &mut States) -> bool {
        let mut placed = 0;
        let mut places = [0; MAX_STATES];
        // Only open streams get a state. Wanted ones have the lower numbers and thus the first states. Which
        // streams are open follows from lengths, which are public.
        for i in (0..MAX_STATES).filter(|&i| self.open[i]) {
            places[placed] = i;
            placed += 1;
        }
        let places = &places[..placed];
        // Streams that have ended leave gaps; the others move together.
        states.arrange(cpu, placed);
        for (j, &i) in places.iter().enumerate() {
            states.column(j).load(self.get(i).state());
        }
        let more = loop {
            let ended = self.advance(places, states);
            if !self.wanted_are_open() {
                break false;
            }
            // Every open stream has prepared a block, so this permutation serves all of them.
            states.permute(&self.blocks(places));
            if ended && states.is_sparse(cpu, self.open.iter().filter(|open| **open).count()) {
                break true;
            }
        };
        // Streams in `beside` keep their states for the next run; those of streams that ended are not needed.
        for (j, &i) in places.iter().enumerate() {
            if self.open[i] {
                states.column(j).save(self.get(i).state());
            }
        }
        more
    }

    /// Returns the block of each stream in `places`, in order, and zeros for the unused states.
    fn blocks(&self, places: &[usize]) -> [&Block; MAX_STATES] {
        let mut blocks = [&NO_BLOCK; MAX_STATES];
        for (block, &i) in blocks.iter_mut().zip(places) {
            *block = match i.checked_sub(self.wanted.len()) {
                None => self.wanted[i].block(),
                Some(i) => self.beside[i].block(),
            };
        }
        blocks
    }

    /// Advances every stream to its next permutation or to its end. Returns whether a stream has ended.
    ///
    /// If the last wanted stream ends here, the streams in `beside` do not advance. No permutation follows
    /// then, and a block they had prepared would be lost.
    fn advance(&mut self, places: &[usize], states: &mut States) -> bool {
        let mut ended = false;
        for (j, &i) in places.iter().enumerate() {
            if self.open[i] && (i < self.wanted.len() || self.wanted_are_open()) {
                let mut column = states.column(j);
                if !self.get(i).advance(&mut column) {
                    self.open[i] = false;
                    states.free(j);
                    ended = true;
                }
            }
        }
        ended
    }
}
