//! c-decBRWHash over 2^127 - 1: the radices of the generic kernels.
use crate::eval::brw::{DecBrw, FewRows};
use crate::field::p1271::element::Element;
use crate::field::p1271::lanes26::Radix26;
use crate::field::p1271::lanes43::Radix43;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

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
        self.over(Radix43(s))
    }
}

impl<const SIZE: u8> Kernel for FewRows<'_, Element, SIZE> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.over(Radix26(s))
    }
}

impl<const SIZE: u8> IfmaKernel for FewRows<'_, Element, SIZE> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.over(Radix43(s))
    }
}
