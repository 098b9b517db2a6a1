//! The kernels over 2^127 - 1 in four limbs of 32 bits (paper 001, section 4.2), for researchers.
use super::lanes32::Radix32;
use crate::eval::brw::DecBrw;
use crate::eval::horner::Horner;
use crate::eval::p1271::powers::Base;
use crate::field::p1271::element::Element;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// [`Horner`] in four limbs of radix 2^32 (paper 001, section 4.2), for researchers.
#[derive(Clone, Copy)]
pub(crate) struct HornerInFourLimbs<'a>(pub(crate) Horner<'a, Base>);

impl Kernel for HornerInFourLimbs<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        // A kernel for every number of rows: no threshold selects among them.
        self.0.in_field_each::<_, { u64::MAX }>(Radix32(s))
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
