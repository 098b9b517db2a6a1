//! Messages of no more blocks than lanes: one row with zeros in front, as paper 001 has it. Words are faster, so that only those who
//! repeat its tables take it.
use crate::evaluate::padded;
use crate::field::{Field, Powers, descending};
use crate::field1305::element::Element;
use crate::field1305::lanes26::Radix26;
use crate::field1305::lanes44::Radix44;
use crate::lane_field::LaneField;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// C_1 tau^l + ... + C_l tau, for 1 to `N` blocks.
pub(crate) struct OneRow<'a, P: Powers> {
    /// Where to evaluate.
    pub(crate) point: &'a P,
    /// The message.
    pub(crate) msg: &'a [u8],
}

impl<P: Powers<Element = Element>> Kernel for OneRow<'_, P> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.in_field(Radix26(s), padded)
    }
}

impl<P: Powers<Element = Element>> IfmaKernel for OneRow<'_, P> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.in_field(Radix44(s), padded)
    }
}

impl<P: Powers> OneRow<'_, P> {
    /// Over any arithmetic in lanes; `padded` makes an element of a block.
    #[inline(always)]
    pub(crate) fn in_field<F: LaneField<Element = P::Element>>(
        self,
        f: F,
        padded: impl Fn(&[u8]) -> P::Element,
    ) -> P::Element {
        let mut row = [P::Element::from_word(0); 8];
        let blocks = self.msg.chunks(P::Element::BLOCK);
        let front = F::N - blocks.len().min(F::N);
        for (element, block) in row[front..].iter_mut().zip(blocks) {
            *element = padded(block);
        }
        // Powers in front of the blocks meet zeros: they need not be made.
        let powers = match self.point.ready() {
            [] => &self.point.chain((F::N - front).next_power_of_two())[..],
            ready => ready,
        };
        let d = f.mul(f.in_lanes(&row), &f.key(descending(f, powers)));
        f.fold(f.carry(d))
    }
}
