//! Stands in for the module `papers` where its kernels are not compiled: no plan and no layout has one.
use crate::brw::{DecBrw, Layout};
use crate::horner::Horner;
use crate::plan::{Plan, PlanMismatch};
use crate::powers::Powers;
use crate::{field1271, field1305};
use carryless_lanes::Cpu;

/// No message is served: without the module no plan has a kernel of papers.
#[inline(always)]
pub(crate) fn serves(_: Plan, _: Cpu, _: usize) -> bool {
    false
}

/// There is no kernel to evaluate a message over 2^130 - 5.
#[inline(always)]
pub(crate) fn evaluate<P: Powers>(
    _: Plan,
    _: &field1305::evaluate::Point,
    _: &P,
    _: Cpu,
    _: &[u8],
) -> Result<field1305::element::Element, PlanMismatch> {
    Err(PlanMismatch)
}

/// There is no kernel in four limbs.
#[inline(always)]
pub(crate) fn in_four_limbs(
    _: Cpu,
    _: Horner<'_, field1271::powers::Base>,
) -> Result<field1271::element::Element, PlanMismatch> {
    Err(PlanMismatch)
}

/// False: the kernel that lets lanes idle is part of that module.
#[inline(always)]
pub(crate) fn idles(_: Cpu, _: usize) -> bool {
    false
}

/// Runs the kernel of a BRW hash by `otherwise`, since no layout is one of papers.
#[inline(always)]
pub(crate) fn brw1305<'a>(
    _: Cpu,
    _: Layout,
    kernel: DecBrw<'a, field1305::element::Element>,
    otherwise: impl FnOnce(DecBrw<'a, field1305::element::Element>) -> field1305::element::Element,
) -> field1305::element::Element {
    otherwise(kernel)
}

/// [`brw1305`] over 2^127 - 1.
#[inline(always)]
pub(crate) fn brw1271<'a>(
    _: Cpu,
    _: Layout,
    kernel: DecBrw<'a, field1271::element::Element>,
    otherwise: impl FnOnce(DecBrw<'a, field1271::element::Element>) -> field1271::element::Element,
) -> field1271::element::Element {
    otherwise(kernel)
}
