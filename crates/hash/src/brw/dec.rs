//! c-decBRWHash of a message that lies in memory.
use super::algorithm1::{Rows, streams, zero};
use crate::field::Field;
use crate::field1271;
use crate::field1305::element::Element;
use crate::field1305::lanes26::Radix26;
use crate::field1305::lanes44::Radix44;
use crate::field1305::word44::Words44;
use crate::lane_field::LaneField;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// The most streams.
pub(crate) const MAX_C: usize = 16;

/// Messages of up to 2^7 rows need so many powers, and stack entries.
const SHORT: usize = 10;
/// Those of up to 2^57 rows: more than 2^64 bits.
const LONG: usize = 60;

/// tau (tau (Q_1 D^(c-1) + ... + Q_c) + L), for a message that is not empty.
#[derive(Clone, Copy)]
pub(crate) struct DecBrw<'a, E> {
    /// The key.
    pub(crate) tau: E,
    /// The message; its last block is padded with zeros here.
    pub(crate) msg: &'a [u8],
    /// Its length in bits, at most 8 for each byte.
    pub(crate) bits: u64,
    /// Streams, 1 to [`MAX_C`]; a multiple of the machine's lanes, or there are no lanes to use.
    pub(crate) c: usize,
    /// Leaves have 2^t - 1 rows, t = 2 to 5.
    pub(crate) t: usize,
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

impl DecBrw<'_, Element> {
    /// In 64-bit words, one stream after the other.
    pub(crate) fn in_words(self) -> Element {
        self.over(Words44)
    }
}

impl Kernel for DecBrw<'_, field1271::element::Element> {
    type Out = field1271::element::Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Self::Out {
        self.over(field1271::lanes26::Radix26(s))
    }
}

impl IfmaKernel for DecBrw<'_, field1271::element::Element> {
    type Out = field1271::element::Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Self::Out {
        self.over(field1271::lanes43::Radix43(s))
    }
}

impl DecBrw<'_, field1271::element::Element> {
    /// In 64-bit words, one stream after the other.
    pub(crate) fn in_words(self) -> field1271::element::Element {
        self.over(field1271::word64::Words64)
    }
}

impl<E: Field> DecBrw<'_, E> {
    /// Rows of c blocks.
    #[inline(always)]
    fn rows(&self) -> usize {
        self.msg.len().div_ceil(E::BLOCK * self.c)
    }

    /// Room for the powers and the stack: little for short messages, because it has to be cleared.
    #[inline(always)]
    fn over<F: LaneField<Element = E>>(self, f: F) -> E {
        let (one, none) = (F::limbs(self.tau), zero(f));
        let (mut few_powers, mut few_sums, mut many_powers, mut many_sums);
        let (powers, sums): (&mut [F::Limbs], &mut [F::Sums]) = if self.rows() < 1 << (SHORT - 2) {
            (few_powers, few_sums) = ([one; SHORT], [none; SHORT]);
            (&mut few_powers, &mut few_sums)
        } else {
            (many_powers, many_sums) = ([one; LONG], [none; LONG]);
            (&mut many_powers, &mut many_sums)
        };
        self.evaluate(f, powers, sums)
    }

    #[inline(always)]
    fn evaluate<F: LaneField<Element = E>>(self, f: F, powers: &mut [F::Limbs], sums: &mut [F::Sums]) -> E {
        let lg = self.rows().checked_ilog2().unwrap_or(0) as usize;
        // tau^(2^j) for j <= lg n + 1: the first square is tau^2, the last is D.
        let mut square = self.tau.square();
        let mut weight = square;
        powers[1] = F::limbs(square);
        for power in &mut powers[2..lg + 2] {
            square = square.square();
            *power = F::limbs(square);
        }
        // tau^2 D^(c-1) .. tau^2
        let mut weights = [weight; MAX_C];
        for place in weights[..self.c - 1].iter_mut().rev() {
            weight = weight.product(square);
            *place = weight;
        }
        let length = F::limbs(E::from_word(self.bits).product(self.tau));
        let stride = E::BLOCK * self.c;
        let (bytes, tail) = self.msg.split_at(self.msg.len() / stride * stride);
        let mut buffer = [0; 16 * MAX_C];
        buffer[..tail.len()].copy_from_slice(tail);

        let mut d = f.as_sums(f.in_lane(length, 0));
        for stream in (0..self.c).step_by(F::N) {
            let rows = Rows { bytes, stride, offset: stream * E::BLOCK };
            let last = if tail.is_empty() { None } else { Some(rows.part(&buffer)) };
            let q = streams(f, self.t, powers, sums, rows, last);
            let mut ours = [self.tau; 8];
            ours[..F::N].copy_from_slice(&weights[stream..stream + F::N]);
            d = f.mul_add(d, q, &f.key(f.in_lanes(&ours)));
        }
        f.fold(f.carry(d))
    }
}
