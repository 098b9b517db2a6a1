//! Decimated Horner over 2^130 - 5: the radices of the generic kernels.
use super::powers::Base;
use crate::choose::{ROWS_1305, ROWS_1305_IFMA};
use crate::eval::horner::Horner;
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes26::Radix26;
use crate::field::p1305::lanes44::Radix44;
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
        self.in_field::<_, { ROWS_1305_IFMA }>(Radix44(s))
    }
}

/// Horner's rule in long groups: a function of its own, because within the one above it slows messages of 192 to 1024
/// bytes by up to 5 % (Zen 4).
pub(crate) struct InLongGroups<'a>(pub(crate) Horner<'a, Base>);

impl IfmaKernel for InLongGroups<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.0.in_long_groups(Radix44(s))
    }
}
