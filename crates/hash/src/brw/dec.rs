//! c-decBRWHash of a message that lies in memory.
use super::algorithm1::{Stack, finish, zero};
use super::pairs::absorb;
use super::ready::Ready;
use super::rows::{Rows, tail};
use super::squares::{MOST, Squares};
use super::weights::weights;
use crate::field::{Field, loose, product, square};
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

/// tau (tau (Q_1 D^(c-1) + ... + Q_c) + L), for a message that is not empty.
#[derive(Clone, Copy)]
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
}

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
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.over(Radix26(s))
    }
}

impl IfmaKernel for DecBrw<'_, Element> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.over(Radix44(s))
    }
}

impl<E: Field> DecBrw<'_, E> {
    /// In 64-bit words, one stream after the other.
    #[inline(never)]
    pub(crate) fn in_words(self) -> E {
        self.over(E::WORDS)
    }

    /// Rows of c blocks.
    #[inline(always)]
    fn rows(&self) -> u64 {
        self.msg.len().div_ceil(E::BLOCK * self.c) as u64
    }

    /// Room for the squares and the stack: little for short messages, because it has to be cleared.
    #[inline(always)]
    fn over<F: LaneField<Element = E>>(self, f: F) -> E {
        let (one, none) = (F::limbs(self.tau), zero(f));
        let (mut few_powers, mut few_sums, mut many_powers, mut many_sums);
        let (powers, entries): (&mut [F::Limbs], &mut [F::Sums]) = if self.rows() < FEW_ROWS {
            (few_powers, few_sums) = ([one; FEW_SQUARES], [none; FEW_ENTRIES]);
            (&mut few_powers, &mut few_sums)
        } else {
            (many_powers, many_sums) = ([one; MOST], [none; MOST]);
            (&mut many_powers, &mut many_sums)
        };
        let squares = self.ready.map_or(&[][..], Ready::squares);
        self.evaluate(f, Squares::new(self.tau, squares, powers), entries)
    }

    #[inline(always)]
    fn evaluate<F: LaneField<Element = E>>(
        self,
        f: F,
        mut squares: Squares<'_, F>,
        entries: &mut [F::Sums],
    ) -> E {
        let lg = self.rows().ilog2() as usize;
        let length = product::<E>(loose(E::from_word(self.bits)), loose(self.tau));
        let (stride, apart) = (E::BLOCK * self.c, apart::<F>(self.c));

        let (mut weights, mut d) = ([F::limbs(E::from_word(0)); MAX_C + 8], zero(f));
        for stream in (0..self.c).step_by(F::N) {
            let mut stack = Stack { entries: &mut *entries, top: 0 };
            let offset = stream * E::BLOCK;
            let rows = Rows::new(self.msg, stride, offset, apart);
            absorb(f, self.t, &mut squares, &mut stack, rows, 0, two_runs::<F>(self.c));
            squares.reach(lg);
            if stream == 0 {
                self.weights::<F>(lg, &mut squares, &mut weights);
            }
            let (rest, tail) = (rows.after(rows.count() & !3), tail(f, self.msg, stride, offset, apart));
            let q = finish(f, squares.limbs, &mut stack, rest, tail, self.rows());
            let ours = f.arrange(&weights[stream..]);
            d = f.mul_add(d, q, &f.key(ours));
        }
        f.close(d, F::from_loose(length))
    }

    /// The weights of the c streams, zero for lanes beyond them. Not inlined, as what makes them.
    #[inline(never)]
    fn weights<F: LaneField<Element = E>>(
        self,
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
