//! Streams side by side.
use super::permutation::Block;
use super::states::{MOST, States};
use super::stream::{Advance, NO_BLOCK};
use carryless_lanes::ClmulCpu;

/// Takes the streams in `wanted` to the end of their outputs, and those in `beside` through as many blocks as go with them.
///
/// What `beside` has begun goes on in another run. A block of each costs one permutation of several states on machines with AVX2 or AVX-512, and
/// one permutation for each stream elsewhere.
///
/// # Panics
/// If there are more than eight streams.
pub fn run(cpu: ClmulCpu, wanted: &mut [&mut dyn Advance], beside: &mut [&mut dyn Advance]) {
    let mut streams = Streams { wanted, beside, open: [false; MOST] };
    let count = streams.wanted.len() + streams.beside.len();
    streams.open[..count].fill(true);
    let mut states = States::new(cpu);
    while streams.pass(cpu, &mut states) {}
}

/// The streams of a run, wanted ones first.
struct Streams<'a, 'w, 'b> {
    wanted: &'a mut [&'w mut dyn Advance],
    beside: &'a mut [&'b mut dyn Advance],
    /// Which of them have more to do.
    open: [bool; MOST],
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

    /// Blocks with the same streams in the same places, as long as fewer permutations would not do. Returns whether there is more to do.
    fn pass(&mut self, cpu: ClmulCpu, states: &mut States) -> bool {
        let mut placed = 0;
        let mut places = [0; MOST];
        for i in (0..MOST).filter(|&i| self.open[i]) {
            places[placed] = i;
            placed += 1;
        }
        let places = &places[..placed];
        states.arrange(cpu, placed);
        for (j, &i) in places.iter().enumerate() {
            states.column(j).load(self.get(i).state());
        }
        let more = loop {
            let ended = self.advance(places, states);
            if !self.wanted_are_open() {
                break false;
            }
            states.permute(&self.blocks(places));
            if ended && states.is_sparse(cpu, self.open.iter().filter(|open| **open).count()) {
                break true;
            }
        };
        for (j, &i) in places.iter().enumerate() {
            if self.open[i] {
                states.column(j).save(self.get(i).state());
            }
        }
        more
    }

    /// The blocks of the streams in these places.
    fn blocks(&self, places: &[usize]) -> [&Block; MOST] {
        let mut blocks = [&NO_BLOCK; MOST];
        for (block, &i) in blocks.iter_mut().zip(places) {
            *block = match i.checked_sub(self.wanted.len()) {
                None => self.wanted[i].block(),
                Some(i) => self.beside[i].block(),
            };
        }
        blocks
    }

    /// Takes every stream to its next permutation or to its end. Wanted ones come first: if all of them end here, the others wait. Returns whether
    /// one has ended.
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
