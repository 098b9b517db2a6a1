//! The kernel of c-decBRWHash: a message that lies in memory, or the next rows of one that comes in pieces.
use super::algorithm1::{Stack, finish, zero};
use super::pairs::absorb;
use super::ready::Ready;
use super::rows::{Rows, tail};
use super::squares::{MOST, Squares};
use super::weights::weights;
use crate::field::{Field, Loose, loose, product, square};
use crate::field1271;
use crate::field1305::element::Element;
use crate::field1305::lanes26::Radix26;
use crate::field1305::lanes44::Radix44;
use crate::lane_field::LaneField;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// The most streams.
pub(crate) const MAX_C: usize = 16;

/// From this length on leaves of 7 rows are faster than leaves of 3: fewer entries of the stack.
pub(crate) const LONG: usize = 4096;

/// Messages of fewer rows need few squares of tau and entries of the stack.
pub(crate) const FEW_ROWS: u64 = 1 << 7;
/// So many squares.
pub(crate) const FEW_SQUARES: usize = 9;
/// So many entries.
pub(crate) const FEW_ENTRIES: usize = 6;

/// What is known of the rows that went before, and is to be known of all.
pub(crate) struct Before<'a, E: Field> {
    /// The stacks of Algorithm 1, carried: c elements for each level.
    pub(crate) entries: &'a mut [Loose<E>],
    /// Their height.
    pub(crate) top: usize,
    /// Rows that went before, a multiple of 4.
    pub(crate) rows: u64,
    /// tau^(2^j), as far as it is known.
    pub(crate) squares: &'a [Loose<E>],
}

/// tau (tau (Q_1 D^(c-1) + ... + Q_c) + L), for a message that is not empty. Or, with `before`, whole groups of four rows
/// are absorbed, and the value is not yet known.
pub(crate) struct DecBrw<'a, E: Field> {
    /// The key.
    pub(crate) tau: E,
    /// Its powers, if it is prepared.
    pub(crate) ready: Option<&'a Ready<E>>,
    /// The message; its last block is padded with zeros here.
    pub(crate) msg: &'a [u8],
    /// Its length in bits, at most 8 for each byte.
    pub(crate) bits: u64,
    /// Streams, 1 to [`MAX_C`]; [`serves`] the machine's lanes.
    pub(crate) c: usize,
    /// Leaves have 2^t - 1 rows, t = 2 to 5.
    pub(crate) t: usize,
    /// The state of a stream.
    pub(crate) before: Option<Before<'a, E>>,
}

/// The value of a whole message, and the height of the stacks of a stream.
pub(crate) type Out<E> = (E, usize);

/// Whether N lanes are full with c streams: several vectors of them, or two runs of rows side by side.
pub(crate) fn serves(n: usize, c: usize) -> bool {
    c.is_multiple_of(n) || n == 2 * c
}

/// Whether c streams take two runs of rows.
#[inline(always)]
pub(crate) fn two_runs<F: LaneField>(c: usize) -> bool {
    F::N > 1 && F::N == 2 * c
}

/// From the blocks of the even lanes to those of the odd ones in a row, in bytes.
#[inline(always)]
pub(crate) fn apart<F: LaneField>(c: usize) -> usize {
    if F::N == 1 || two_runs::<F>(c) { 0 } else { F::Element::BLOCK * F::N / 2 }
}

impl Kernel for DecBrw<'_, Element> {
    type Out = Out<Element>;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Out<Element> {
        self.over(Radix26(s))
    }
}

impl IfmaKernel for DecBrw<'_, Element> {
    type Out = Out<Element>;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Out<Element> {
        self.over(Radix44(s))
    }
}

impl Kernel for DecBrw<'_, field1271::element::Element> {
    type Out = Out<field1271::element::Element>;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Self::Out {
        self.over(field1271::lanes26::Radix26(s))
    }
}

impl IfmaKernel for DecBrw<'_, field1271::element::Element> {
    type Out = Out<field1271::element::Element>;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Self::Out {
        self.over(field1271::lanes43::Radix43(s))
    }
}

impl<E: Field> DecBrw<'_, E> {
    /// In 64-bit words, one stream after the other.
    #[inline(never)]
    pub(crate) fn in_words(self) -> Out<E> {
        self.over(E::WORDS)
    }

    /// Rows of c blocks up to the end.
    #[inline(always)]
    fn rows(&self) -> u64 {
        let before = if let Some(before) = &self.before { before.rows } else { 0 };
        before + self.msg.len().div_ceil(E::BLOCK * self.c) as u64
    }

    /// Room for the squares and the stack: little for short messages, because it has to be cleared.
    #[inline(always)]
    fn over<F: LaneField<Element = E>>(self, f: F) -> Out<E> {
        let (one, none) = (F::limbs(self.tau), zero(f));
        let (mut few_powers, mut few_sums, mut many_powers, mut many_sums);
        let (powers, entries): (&mut [F::Limbs], &mut [F::Sums]) = if self.rows() < FEW_ROWS {
            (few_powers, few_sums) = ([one; FEW_SQUARES], [none; FEW_ENTRIES]);
            (&mut few_powers, &mut few_sums)
        } else {
            (many_powers, many_sums) = ([one; MOST], [none; MOST]);
            (&mut many_powers, &mut many_sums)
        };
        let ready = match (&self.before, self.ready) {
            (Some(before), _) => before.squares,
            (None, Some(ready)) => ready.squares(),
            (None, None) => &[],
        };
        let squares = Squares::new(self.tau, ready, powers);
        self.evaluate(f, squares, entries)
    }

    #[inline(always)]
    fn evaluate<F: LaneField<Element = E>>(
        mut self,
        f: F,
        mut squares: Squares<'_, F>,
        entries: &mut [F::Sums],
    ) -> Out<E> {
        let (rows_in_all, lg) = (self.rows(), self.rows().ilog2() as usize);
        let length = product::<E>(loose(E::from_word(self.bits)), loose(self.tau));
        let (stride, apart) = (E::BLOCK * self.c, apart::<F>(self.c));

        let (mut weights, mut d) = ([F::limbs(E::from_word(0)); MAX_C + 8], zero(f));
        let mut top = 0;
        for stream in (0..self.c).step_by(F::N) {
            let mut stack = Stack { entries: &mut *entries, top: 0 };
            let mut done = 0;
            if let Some(before) = &self.before {
                before.restore(f, self.c, stream, &mut stack);
                done = before.rows;
            }
            let offset = stream * E::BLOCK;
            let rows = Rows::new(self.msg, stride, offset, apart);
            absorb(f, self.t, &mut squares, &mut stack, rows, done, two_runs::<F>(self.c));
            if let Some(before) = &mut self.before {
                top = stack.top;
                before.keep(f, self.c, stream, &stack);
                continue;
            }
            squares.reach(lg);
            if stream == 0 {
                self.weights::<F>(lg, &mut squares, &mut weights);
            }
            let (rest, tail) = (rows.after(rows.count() & !3), tail(f, self.msg, stride, offset, apart));
            let q = finish(f, squares.limbs, &mut stack, rest, tail, rows_in_all);
            let ours = f.arrange(&weights[stream..]);
            d = f.mul_add(d, q, &f.key(ours));
        }
        (f.close(d, F::from_loose(length)), top)
    }

    /// The weights of the c streams, zero for lanes beyond them. Not inlined, as what makes them.
    #[inline(never)]
    fn weights<F: LaneField<Element = E>>(
        &self,
        lg: usize,
        squares: &mut Squares<'_, F>,
        all: &mut [F::Limbs],
    ) {
        let made;
        let weights = match self.ready.and_then(|ready| ready.weights(lg, self.c)) {
            Some(ready) => ready,
            None => {
                made = weights::<E>(square::<E>(loose(self.tau)), squares.reach(lg + 1), self.c);
                &made[..self.c]
            }
        };
        for (limbs, weight) in all.iter_mut().zip(weights) {
            *limbs = F::from_loose(*weight);
        }
    }
}

impl<E: Field> Before<'_, E> {
    /// The stack of the streams from number `stream` on; in both lanes of a stream if there are two runs.
    #[inline(always)]
    fn restore<F: LaneField<Element = E>>(&self, f: F, c: usize, stream: usize, stack: &mut Stack<'_, F>) {
        for (entry, kept) in stack.entries.iter_mut().zip(self.entries.chunks_exact(c)).take(self.top) {
            let mut limbs = [F::limbs(E::from_word(0)); 8];
            for (limbs, element) in limbs[..F::N].iter_mut().zip(kept[stream..].iter().cycle()) {
                *limbs = F::from_loose(*element);
            }
            *entry = f.as_sums(f.arrange(&limbs));
        }
        stack.top = self.top;
    }

    /// Carries the stack of these streams and keeps it.
    #[inline(always)]
    fn keep<F: LaneField<Element = E>>(&mut self, f: F, c: usize, stream: usize, stack: &Stack<'_, F>) {
        for (entry, kept) in stack.entries.iter().zip(self.entries.chunks_exact_mut(c)).take(stack.top) {
            let lanes = f.scatter(f.carry(*entry));
            for (kept, lane) in kept[stream..].iter_mut().zip(&lanes[..F::N]) {
                *kept = *lane;
            }
        }
    }
}
