//! Streams side by side.
use super::states::{MOST, States, width};
use super::stream::Advance;
use carryless_lanes::ClmulCpu;
use core::array;

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
    let mut states = States::new();
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
        states.arrange(width(cpu, placed), placed);
        for (j, &i) in places.iter().enumerate() {
            states.column(j).load(self.get(i).state());
        }
        let more = loop {
            self.advance(places, states);
            if !self.wanted_are_open() {
                break false;
            }
            let in_use = array::from_fn(|j| places.get(j).is_some_and(|&i| self.open[i]));
            let permutations = states.permute(cpu, in_use);
            let open = self.open.iter().filter(|open| **open).count();
            let width = width(cpu, open);
            if width != states.width() || permutations > open.div_ceil(width) {
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

    /// Takes every stream to its next permutation or to its end. Wanted ones come first: if all of them end here, the others wait.
    fn advance(&mut self, places: &[usize], states: &mut States) {
        for (j, &i) in places.iter().enumerate() {
            if self.open[i] && self.wanted_are_open() {
                let mut column = states.column(j);
                if !self.get(i).advance(&mut column) {
                    column.save(self.get(i).state());
                    self.open[i] = false;
                }
            }
        }
    }
}
