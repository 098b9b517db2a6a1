//! What the hashes ask of a prime field beyond its arithmetic, and the functions that are compiled in this crate.
use crate::brw::{DecBrw, Layout, Params, Prepared, Streams};
use crate::choose::{Brw, Thresholds};
use crate::field::Field;
use carryless_lanes::Cpu;

/// A prime field with the hashes over it.
pub(crate) trait Evaluate: Field {
    /// The thresholds of this field in a table of thresholds.
    fn brw(table: &Thresholds) -> &Brw;

    /// Runs the kernel in lanes, on a machine that has vectors. Panics on the portable machine.
    fn in_lanes(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self;

    /// Runs the kernel for streams that leave lanes idle.
    #[cfg(any(feature = "plans", test))]
    fn in_idle_lanes(cpu: Cpu, kernel: crate::brw::idle::Idle<'_, Self>) -> Self;

    /// [`value`](crate::brw::value), compiled in this crate. Streams and prepared keys are generic and compiled
    /// where they are used, perhaps without optimisation; this function and what it inlines are not.
    fn value(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self;

    /// [`absorb`](crate::brw::absorb), compiled in this crate for the same reason.
    fn absorb(cpu: Cpu, kernel: DecBrw<'_, Self>);

    /// [`Prepared::new`], compiled in this crate for the same reason.
    fn prepare(cpu: Cpu, streams: Streams, tau: Self, len: usize) -> Prepared<Self>;

    /// [`Prepared::digest`], compiled in this crate for the same reason.
    fn digest_prepared(key: &Prepared<Self>, params: Option<Params>, msg: &[u8]) -> [u8; 16];
}

/// The methods of [`Evaluate`] that are the same for both fields and must be compiled in this crate.
macro_rules! compiled_here {
    () => {
        #[inline(never)]
        fn value(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self {
            crate::brw::value(cpu, layout, kernel)
        }

        #[inline(never)]
        fn absorb(cpu: Cpu, kernel: DecBrw<'_, Self>) {
            crate::brw::absorb(cpu, kernel);
        }

        fn prepare(cpu: Cpu, streams: Streams, tau: Self, len: usize) -> Prepared<Self> {
            Prepared::new(cpu, streams, tau, len)
        }

        fn digest_prepared(key: &Prepared<Self>, params: Option<Params>, msg: &[u8]) -> [u8; 16] {
            key.digest(params, msg)
        }

        #[cfg(any(feature = "plans", test))]
        fn in_idle_lanes(cpu: Cpu, kernel: crate::brw::idle::Idle<'_, Self>) -> Self {
            cpu.call_eight_lanes_ifma(kernel, words_only)
        }
    };
}

pub(crate) use compiled_here;
