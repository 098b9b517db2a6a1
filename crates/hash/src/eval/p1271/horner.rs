//! Decimated Horner over 2^127 - 1: the radices of the generic kernels.
use super::powers::Base;
use crate::choose::{ROWS_1271, ROWS_1271_IFMA, WORD_BLOCKS_1271};
use crate::eval::horner::Horner;
use crate::field::Field;
use crate::field::groups::LONG_G;
use crate::field::p1271::element::Element;
use crate::field::p1271::lanes26::Radix26;
use crate::field::p1271::lanes43::Radix43;
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

impl Kernel for Horner<'_, Base> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.in_field_each::<_, { ROWS_1271 }>(Radix26(s))
    }
}

impl IfmaKernel for Horner<'_, Base> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        if self.g == LONG_G && ROWS_1271_IFMA & 1 << LONG_G > 0 {
            return self.in_long_groups(Radix43(s));
        }
        self.in_field_each::<_, { ROWS_1271_IFMA }>(Radix43(s))
    }
}

impl Horner<'_, Base> {
    /// Evaluates in 64-bit words, one lane, for a message of more than one block.
    pub(crate) fn in_words(self) -> Element {
        self.in_field_each::<_, { WORD_BLOCKS_1271 }>(Element::WORDS)
    }
}
