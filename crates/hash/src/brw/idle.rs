//! Streams that do not fill four lanes, side by side all the same: one to three of them, or two runs of as many in eight lanes. Words are
//! faster for one stream; for two and three this says what lanes that idle cost.
//!
//! A vector takes four blocks from the beginning of each row. Those that belong to the next row go through every step as a stream of
//! their own would, and meet the weight zero at the end. The last rows are copied, with zeros behind them, so that nothing is read
//! after the end of the message.
use super::algorithm1::{Stack, finish};
use super::dec::DecBrw;
use super::leaf::zero;
use super::pairs::absorb;
use super::powers::{Ends, MOST};
use super::rows::{Rows, odd_offset};
use crate::field::Field;
use crate::field1271;
use crate::field1305::element::Element;
use crate::field1305::lanes26::Radix26;
use crate::field1305::lanes44::Radix44;
use crate::lane_field::LaneField;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// Lanes of a run.
const RUN: usize = 4;

/// Bytes for the last rows: of three streams at most five, three of a group, one whose vector would reach past the end, and a short
/// one; and for what the last vector takes after them. Fewer streams have at most seven rows, and shorter ones.
const ROOM: usize = (5 * (RUN - 1) + RUN) * 16;

/// Whether so many streams leave some of N lanes idle, in one run or two.
pub(crate) fn serves(n: usize, c: usize) -> bool {
    (n == RUN || n == 2 * RUN) && (1..RUN).contains(&c)
}

/// The kernel for a message that lies in memory.
pub(crate) struct Idle<'a, E: Field>(pub(crate) DecBrw<'a, E>);

impl Kernel for Idle<'_, Element> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.over(Radix26(s))
    }
}

impl IfmaKernel for Idle<'_, Element> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.over(Radix44(s))
    }
}

impl Kernel for Idle<'_, field1271::element::Element> {
    type Out = field1271::element::Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Self::Out {
        self.over(field1271::lanes26::Radix26(s))
    }
}

impl IfmaKernel for Idle<'_, field1271::element::Element> {
    type Out = field1271::element::Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Self::Out {
        self.over(field1271::lanes43::Radix43(s))
    }
}

impl<E: Field> Idle<'_, E> {
    /// Over any arithmetic of four or eight lanes, with room for as many rows as there are.
    #[inline(always)]
    pub(crate) fn over<F: LaneField<Element = E>>(self, f: F) -> E {
        let (power, entry) = (F::limbs(E::from_word(0)), zero(f));
        if self.rows() < 0x1000 {
            self.evaluate(f, &mut [power; 16], &mut [entry; 11])
        } else {
            self.evaluate(f, &mut [power; MOST], &mut [entry; MOST])
        }
    }

    /// Rows of c blocks, the last of which may be short.
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
        let powers = &mut powers[..=lg + 1];
        let squares = F::squares(tau, ready.map_or(&[], |ready| ready.squares()), powers, lg + 1);
        let mut stack = Stack { entries, top: 0 };

        // Groups of four rows of which the last vector ends within the message.
        let within = (msg.len() + stride).saturating_sub(E::BLOCK * RUN) / stride;
        let first = within.min(count) & !3;
        let rows = Rows::new(msg, stride, 0, odd_offset).range(0, first);
        absorb(f, t, powers, &mut stack, rows, 0, two_runs);
        let (mut copy, rest) = ([0; ROOM], &msg[first * stride..]);
        copy[..rest.len()].copy_from_slice(rest);
        let rows = Rows::new(&copy, stride, 0, odd_offset).range(0, count - first);
        absorb(f, t, powers, &mut stack, rows, first as u64, two_runs);
        let q = finish(f, powers, &mut stack, rows.after(rows.count() & !3), None, count as u64);

        let Some(squares) = squares else { return E::from_word(0) };
        let Ends { weights, length } = Ends::<F>::new(tau, ready, squares, (lg, RUN), bits);
        let mut own = [F::limbs(E::from_word(0)); 8];
        own[..c].copy_from_slice(&weights[RUN - c..RUN]);
        f.close(f.mul(q, &f.key(f.arrange(&own))), length)
    }
}
