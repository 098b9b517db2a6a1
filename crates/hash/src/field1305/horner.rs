//! Decimated Horner over 2^130 - 5: the radices of the generic kernels.
use super::element::Element;
use super::lanes26::Radix26;
use super::lanes44::Radix44;
use super::powers::Base;
use crate::choose::{ROWS_1305, ROWS_1305_IFMA};
use crate::horner::Horner;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

impl Kernel for Horner<'_, Base> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.in_field::<_, { ROWS_1305 }>(Radix26(s))
    }
}

impl IfmaKernel for Horner<'_, Base> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.in_groups::<_, { ROWS_1305_IFMA }>(Radix44(s))
    }
}
