//! Kernels over 2^127 - 1 that only researchers select: four limbs of 32 bits, and idle lanes.
use super::element::Element;
use super::lanes26::Radix26;
use super::lanes32::Radix32;
use super::lanes43::Radix43;
use super::powers::Base;
use crate::brw::DecBrw;
use crate::brw::idle::Idle;
use crate::horner::Horner;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// [`Horner`] in four limbs of radix 2^32 (paper 001, section 4.2), for researchers.
#[derive(Clone, Copy)]
pub(crate) struct HornerInFourLimbs<'a>(pub(crate) Horner<'a, Base>);

impl Kernel for HornerInFourLimbs<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.0.in_field_each::<_, { u32::MAX }>(Radix32(s))
    }
}

/// [`DecBrw`] in the paper's four limbs of 32 bits, for researchers.
pub(crate) struct DecBrwInFourLimbs<'a>(pub(crate) DecBrw<'a, Element>);

impl Kernel for DecBrwInFourLimbs<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.0.over(Radix32(s))
    }
}

impl IfmaKernel for DecBrwInFourLimbs<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        Kernel::run(self, s)
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
        self.over(Radix43(s))
    }
}
