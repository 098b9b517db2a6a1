//! One to three streams in a run of four lanes, some of which are idle; in eight lanes two runs. For one stream
//! words are faster; for two and three this measures what idle lanes cost.
//!
//! A vector takes four blocks from the beginning of each row. Those that belong to the next row go through every
//! step like a stream of their own, and their weight is zero at the end. The last rows are copied, with zeros after
//! them, so that nothing beyond the message is read.
use crate::eval::brw::DecBrw;
use crate::eval::brw::algorithm1::{Stack, finish};
use crate::eval::brw::leaf::zero;
use crate::eval::brw::pairs::absorb;
use crate::eval::brw::powers::{MAX_POWERS, length, weights};
use crate::eval::brw::rows::{Rows, odd_offset};
use crate::field::{Field, LaneField};
use crate::field::{p1271, p1305};
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// Lanes of one run of rows.
const RUN: usize = 4;

/// Bytes of the copy of the last rows and of what the last vector reads after them.
///
/// Of three streams at most five rows are copied: three of a group, one whose vector would pass the end, and a
/// short one. Fewer streams have at most seven rows, but shorter ones.
const ROOM: usize = (5 * (RUN - 1) + RUN) * 16;

/// True if `c` streams leave some of `n` lanes idle, in one run or two.
pub(crate) fn serves(n: usize, c: usize) -> bool {
    (n == RUN || n == 2 * RUN) && (1..RUN).contains(&c)
}

/// The kernel with idle lanes, for a message in memory.
pub(crate) struct Idle<'a, E: Field>(pub(crate) DecBrw<'a, E>);

impl<E: Field> Idle<'_, E> {
    /// Evaluates over any arithmetic of four or eight lanes, with arrays sized for the number of rows.
    #[inline(always)]
    pub(crate) fn over<F: LaneField<Element = E>>(self, f: F) -> E {
        let (power, entry) = (F::limbs(E::from_word(0)), zero(f));
        let (mut few, mut most);
        // One call for both lengths, because its inlined code is long.
        let (powers, entries): (&mut [F::Limbs], &mut [F::Sums]) = if self.rows() < 0x1000 {
            few = ([power; 16], [entry; 11]);
            (&mut few.0, &mut few.1)
        } else {
            most = ([power; MAX_POWERS], [entry; MAX_POWERS]);
            (&mut most.0, &mut most.1)
        };
        self.evaluate(f, powers, entries)
    }

    /// The number of rows of c blocks; the last may be short.
    fn rows(&self) -> usize {
        self.0.msg.len().div_ceil(E::BLOCK * self.0.c)
    }

    #[inline(always)]
    fn evaluate<F: LaneField<Element = E>>(
        self,
        f: F,
        powers: &mut [F::Limbs],
        entries: &mut [F::Sums],
    ) -> E {
        let count = self.rows();
        let DecBrw { tau, ready, msg, bits, c, t, .. } = self.0;
        let (lg, two_runs) = (count.ilog2() as usize, F::N == 2 * RUN);
        let (stride, odd_offset) = (E::BLOCK * c, if two_runs { 0 } else { odd_offset::<F>() });
        // Cut to what is needed: `squares` makes a power for each entry.
        let powers = &mut powers[..=lg + 1];
        let known = ready.map_or(&[][..], |ready| ready.squares());
        F::squares(tau, known, powers);
        let mut stack = Stack { entries, top: 0 };

        // In place: groups of four rows whose last vector ends within the message. The other rows are read from the
        // copy.
        let within = (msg.len() + stride).saturating_sub(E::BLOCK * RUN) / stride;
        let first = within.min(count) & !3;
        let (mut copy, rest) = ([0; ROOM], &msg[first * stride..]);
        copy[..rest.len()].copy_from_slice(rest);
        let in_place = Rows::new(msg, stride, 0, odd_offset).range(0, first);
        let rows = Rows::new(&copy, stride, 0, odd_offset).range(0, count - first);
        // The stack continues over the copy as if it followed the rows in place. A loop, because the inlined code is
        // long.
        let (parts, mut i) = ([(in_place, 0), (rows, first as u64)], 0);
        while i < parts.len() {
            let (part, done) = parts[i];
            absorb(f, t, powers, &mut stack, part, done, two_runs);
            i += 1;
        }
        let q = finish(f, powers, &mut stack, rows.after(rows.count() & !3), None, count as u64);

        // The lanes of the last c streams of a full run have the weights of these streams; the idle lanes of both runs
        // get the weight zero.
        let squares = [f.everywhere(powers[1]), f.everywhere(powers[lg + 1])];
        let weights = f.scatter(weights(f, ready, squares, (lg, RUN)));
        let mut own = [F::limbs(E::from_word(0)); 8];
        let mut b = 0;
        while b < c {
            own[b] = F::from_loose(weights[RUN - c + b]);
            b += 1;
        }
        f.close(f.mul(q, &f.key(f.arrange(&own))), length::<F>(tau, bits))
    }
}

impl Kernel for Idle<'_, p1305::element::Element> {
    type Out = p1305::element::Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> p1305::element::Element {
        self.over(p1305::lanes26::Radix26(s))
    }
}

impl IfmaKernel for Idle<'_, p1305::element::Element> {
    type Out = p1305::element::Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> p1305::element::Element {
        self.over(p1305::lanes44::Radix44(s))
    }
}

impl Kernel for Idle<'_, p1271::element::Element> {
    type Out = p1271::element::Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> p1271::element::Element {
        self.over(p1271::lanes26::Radix26(s))
    }
}

impl IfmaKernel for Idle<'_, p1271::element::Element> {
    type Out = p1271::element::Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> p1271::element::Element {
        self.over(p1271::lanes43::Radix43(s))
    }
}
