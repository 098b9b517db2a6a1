//! Stands in for the module `papers` where its kernels are not compiled: no plan and no layout has one.
use crate::choose::plan::{Plan, PlanMismatch};
use crate::eval::brw::{DecBrw, Layout};
use crate::eval::horner::Horner;
use crate::eval::p1271::powers::Base;
use crate::eval::p1305::evaluate::Point;
use crate::eval::powers::Powers;
use crate::field::{p1271, p1305};
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
    _: &Point,
    _: &P,
    _: Cpu,
    _: &[u8],
) -> Result<p1305::element::Element, PlanMismatch> {
    Err(PlanMismatch)
}

/// There is no kernel in four limbs.
#[inline(always)]
pub(crate) fn in_four_limbs(_: Cpu, _: Horner<'_, Base>) -> Result<p1271::element::Element, PlanMismatch> {
    Err(PlanMismatch)
}

/// False: the kernel that lets lanes idle is part of that module.
#[inline(always)]
pub(crate) fn idles(_: Cpu, _: usize) -> bool {
    false
}

/// Gives the kernel of a BRW hash back, since no layout is one of papers.
#[inline(always)]
pub(crate) fn brw1305(
    _: Cpu,
    _: Layout,
    kernel: DecBrw<'_, p1305::element::Element>,
) -> Result<p1305::element::Element, DecBrw<'_, p1305::element::Element>> {
    Err(kernel)
}

/// [`brw1305`] over 2^127 - 1.
#[inline(always)]
pub(crate) fn brw1271(
    _: Cpu,
    _: Layout,
    kernel: DecBrw<'_, p1271::element::Element>,
) -> Result<p1271::element::Element, DecBrw<'_, p1271::element::Element>> {
    Err(kernel)
}
