//! The hashes over 2^127 - 1, compiled in this crate.
use super::element::Element;
use crate::brw::{DecBrw, Layout, Params, Prepared, Streams};
use crate::choose::{Brw, Thresholds};
use crate::dispatch::words_only;
use crate::evaluate::{Evaluate, compiled_here};
use carryless_lanes::Cpu;

impl Evaluate for Element {
    compiled_here!();

    fn brw(table: &Thresholds) -> &Brw {
        &table.brw1271
    }

    fn in_lanes(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self {
        #[cfg(any(feature = "plans", test))]
        if layout == Layout::FourLimbs {
            return cpu.call_eight_lanes_ifma(super::research::DecBrwInFourLimbs(kernel), words_only);
        }
        let _ = layout;
        cpu.call_eight_lanes_ifma(kernel, words_only)
    }
}
