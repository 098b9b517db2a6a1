//! The hashes over 2^130 - 5, compiled in this crate.
use super::element::Element;
use crate::brw::{DecBrw, Layout, Params, Prepared, Streams};
use crate::choose::{Brw, Thresholds};
use crate::dispatch::words_only;
use crate::evaluate::{Evaluate, compiled_here};
use carryless_lanes::Cpu;

impl Evaluate for Element {
    compiled_here!();

    fn brw(table: &Thresholds) -> &Brw {
        &table.brw1305
    }

    fn in_lanes(cpu: Cpu, _: Layout, kernel: DecBrw<'_, Self>) -> Self {
        cpu.call_eight_lanes_ifma(kernel, words_only)
    }
}
