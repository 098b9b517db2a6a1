//! Kernels over 2^130 - 5 that only researchers select: the radices of the generic ones.
use super::element::Element;
use super::evaluate::padded;
use super::lanes26::Radix26;
use super::lanes44::Radix44;
use crate::brw::idle::Idle;
use crate::field::Powers;
use crate::horner::OneRow;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

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
