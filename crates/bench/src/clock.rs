//! Time stamps, and a chain of dependent instructions whose latency is known.
//!
//! Time stamp ticks are not core cycles: the counter runs at a constant rate, the core does not (on one
//! server of ours 1.24 times the counter in scalar code, 0.95 times under 512-bit multiplications). The
//! [`probe`](Clock::probe) times a chain of dependent instructions of known latency, which says how many
//! ticks a core cycle takes at that very moment.

/// Links of the dependent chain that one probe runs.
const LINKS: u64 = 4096;

/// Reads time stamps and measures core cycles against them.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Ticks that an empty interval takes.
    overhead: u64,
    /// Ticks in a second.
    per_second: f64,
}

impl Clock {
    /// Core cycles that one probe takes.
    pub const PROBE_CYCLES: f64 = (LINKS * machine::LATENCY) as f64;

    /// What one "cycle" of this clock is: core cycles, or nanoseconds where no chain of known latency exists.
    pub const UNIT: &str = machine::UNIT;

    /// Calibrates the clock; takes about 20 ms.
    pub fn start() -> Clock {
        let mut overhead = u64::MAX;
        for _ in 0..1000 {
            let begin = machine::ticks();
            overhead = overhead.min(machine::ticks() - begin);
        }
        let (wall, begin) = (std::time::Instant::now(), machine::ticks());
        while wall.elapsed().as_millis() < 20 {
            std::hint::spin_loop();
        }
        let per_second = (machine::ticks() - begin) as f64 / wall.elapsed().as_secs_f64();
        Clock { overhead, per_second }
    }

    /// Ticks that `seconds` take.
    pub fn ticks_in(&self, seconds: f64) -> f64 {
        self.per_second * seconds
    }

    /// Ticks that `work` takes.
    #[inline(always)]
    pub fn time(&self, work: impl FnOnce()) -> u64 {
        let begin = machine::ticks();
        work();
        (machine::ticks() - begin).saturating_sub(self.overhead)
    }

    /// Ticks that [`PROBE_CYCLES`](Self::PROBE_CYCLES) core cycles take now.
    pub fn probe(&self) -> u64 {
        self.time(|| machine::chain(LINKS)).max(1)
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod machine {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::{_mm_lfence, _rdtsc};
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::{_mm_lfence, _rdtsc};

    pub(super) const UNIT: &str = "core cycles";

    /// Cycles of a register multiplication, the same on every x86 core since 2008.
    pub(super) const LATENCY: u64 = 3;

    #[inline(always)]
    pub(super) fn ticks() -> u64 {
        // SAFETY: both instructions are part of SSE2, which the target has; they read a counter and order
        // instructions, no memory is touched.
        unsafe {
            _mm_lfence();
            let now = _rdtsc();
            _mm_lfence();
            now
        }
    }

    #[inline(never)]
    pub(super) fn chain(links: u64) {
        let mut x: usize = 3;
        for _ in 0..links / 16 {
            // SAFETY: sixteen multiplications of a register by itself; nothing else is touched but the flags.
            unsafe {
                core::arch::asm!(
                    ".rept 16", "imul {x}, {x}", ".endr",
                    x = inout(reg) x, options(pure, nomem, nostack),
                );
            }
        }
        std::hint::black_box(x);
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    pub(super) const UNIT: &str = "core cycles";

    /// Cycles of a register addition.
    pub(super) const LATENCY: u64 = 1;

    /// Nanoseconds: the architecture's own counter ticks too slowly for a probe.
    #[inline(always)]
    pub(super) fn ticks() -> u64 {
        super::nanoseconds()
    }

    #[inline(never)]
    pub(super) fn chain(links: u64) {
        let mut x: u64 = 3;
        for _ in 0..links / 16 {
            // SAFETY: sixteen additions of a register to itself; nothing else is touched.
            unsafe {
                core::arch::asm!(
                    ".rept 16", "add {x}, {x}, {x}", ".endr",
                    x = inout(reg) x, options(pure, nomem, nostack, preserves_flags),
                );
            }
        }
        std::hint::black_box(x);
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    pub(super) const UNIT: &str = "nanoseconds";
    pub(super) const LATENCY: u64 = 1;

    #[inline(always)]
    pub(super) fn ticks() -> u64 {
        super::nanoseconds()
    }

    /// No chain of known latency: waits as many nanoseconds as there are links, so that a cycle is a nanosecond.
    pub(super) fn chain(links: u64) {
        let begin = ticks();
        while ticks() - begin < links {
            std::hint::spin_loop();
        }
    }
}

/// Nanoseconds since the first call.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn nanoseconds() -> u64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
