//! Time stamps, and probes that say what a core is doing: how fast it runs, and whether it is shared.
//!
//! Time stamp ticks are not core cycles: the counter runs at a constant rate, and the core does not. On one
//! server the core ran at 1.24 times the counter in scalar code, and at 0.95 times under 512-bit
//! multiplications. A chain of dependent instructions of known latency shows how many ticks a core cycle
//! takes at that moment.
//!
//! Nor does a core belong to one program alone. Another hardware thread of the same core, on a rented machine
//! perhaps another virtual CPU, takes issue slots away without slowing that chain. Independent instructions
//! show it: alone, four additions take a cycle; beside a busy neighbour they take up to twice as long.
use std::time::{Duration, Instant};

/// Reads time stamps and probes the core. A clock is calibrated once for each run.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Ticks between two time stamps with nothing between them; `time` subtracts them.
    overhead: u64,
    /// Ticks of the time stamp counter in a second of wall-clock time.
    per_second: f64,
    /// Ticks of the independent additions over those of the dependent chain on a calm core,
    /// in registers and in vectors.
    calm: [f64; 2],
}

/// The state of the core at the moment of one probe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Ticks of the dependent chain, which takes [`Clock::PROBE_CYCLES`] core cycles.
    pub ticks: u64,
    /// Cycles of independent additions, as a multiple of their cycles on a calm core: about 1, and more if another
    /// hardware thread uses the core. It is the larger of two multiples, of additions in registers and in vectors.
    pub crowding: f64,
}

impl Clock {
    /// Core cycles of the dependent chain in one probe.
    pub const PROBE_CYCLES: f64 = (machine::LINKS * machine::LATENCY) as f64;

    /// The unit that this clock calls a cycle: core cycles, or nanoseconds where no chain of known latency exists.
    pub const UNIT: &str = machine::UNIT;

    /// Calibrates the clock, which takes a fifth of a second. A core that is crowded during nearly all of
    /// that time passes for calm.
    pub fn start() -> Clock {
        let empty = Clock { overhead: 0, per_second: 1.0, calm: [1.0; 2] };
        // The least: an interrupt makes an interval longer, never shorter.
        let overhead = (0..1000).map(|_| empty.time(|| ())).min().unwrap_or(0);
        let clock = Clock { overhead, ..empty };
        let (wall, mut ratios) = (Instant::now(), [Vec::new(), Vec::new()]);
        let ticks = clock.time(|| {
            // Thousands of probes fit into this time, enough for a low percentile of their ratios.
            while wall.elapsed() < Duration::from_millis(200) {
                let (_, seen) = clock.ratios();
                ratios.iter_mut().zip(seen).for_each(|(all, ratio)| all.push(ratio));
            }
        });
        let calm = ratios.map(|mut ratios| {
            ratios.sort_by(f64::total_cmp);
            // Not the least: a probe whose chain was interrupted seems calmer than calm.
            ratios[ratios.len() / 20]
        });
        Clock { per_second: ticks as f64 / wall.elapsed().as_secs_f64(), calm, ..clock }
    }

    /// The number of ticks in `seconds`.
    pub fn ticks_in(&self, seconds: f64) -> f64 {
        self.per_second * seconds
    }

    /// Runs `work` and returns its ticks, less those of an empty interval.
    // Inlined, so that no call stands between the two time stamps.
    #[inline(always)]
    pub fn time(&self, work: impl FnOnce()) -> u64 {
        // The overhead contains the two reads themselves, so an empty closure takes 0 ticks.
        let begin = machine::ticks();
        work();
        // By chance an interval may be shorter than the calibrated overhead.
        (machine::ticks() - begin).saturating_sub(self.overhead)
    }

    /// Measures the state of the core now, which takes some microseconds.
    pub fn probe(&self) -> Probe {
        let (ticks, [scalar, vector]) = self.ratios();
        Probe { ticks, crowding: (scalar / self.calm[0]).max(vector / self.calm[1]) }
    }

    /// Ticks of the dependent chain, and ticks of the independent additions over those, in registers and in vectors.
    fn ratios(&self) -> (u64, [f64; 2]) {
        let scalar = self.time(|| machine::wide(machine::LINKS));
        let vector = self.time(|| machine::vectors(machine::LINKS));
        // A coarse counter may not advance during the chain, and the ratios divide by its ticks.
        let ticks = self.time(|| machine::chain(machine::LINKS)).max(1);
        (ticks, [scalar, vector].map(|wide| wide as f64 / ticks as f64))
    }

    /// Marks the upper halves of the vector registers as empty, on CPUs that have such halves.
    #[inline]
    pub fn clear_upper_halves(&self) {
        machine::clear_upper_halves();
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod machine {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::{_mm_lfence, _rdtsc};
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::{_mm_lfence, _rdtsc};

    pub(super) const UNIT: &str = "core cycles";

    /// Multiplications of the dependent chain.
    pub(super) const LINKS: u64 = 4096;

    /// Latency of a register multiplication in cycles, the same on every x86 core since 2008.
    pub(super) const LATENCY: u64 = 3;

    #[inline(always)]
    pub(super) fn ticks() -> u64 {
        // SAFETY: both instructions are part of SSE2, which the target has; they read a counter and order
        // instructions, no memory is touched.
        unsafe {
            // Without the fences the CPU could read the counter before the work has ended, or after it has
            // begun.
            _mm_lfence();
            let now = _rdtsc();
            _mm_lfence();
            now
        }
    }

    #[inline(never)]
    pub(super) fn chain(links: u64) {
        // `usize` fills a register on 32-bit targets too. The squares of an odd number never become 0.
        let mut x: usize = 3;
        // Sixteen links for each pass, so that the loop's own instructions hardly count.
        for _ in 0..links / 16 {
            // SAFETY: sixteen multiplications of a register by itself; nothing else is touched but the flags.
            unsafe {
                core::arch::asm!(
                    ".rept 16", "imul {x}, {x}", ".endr",
                    x = inout(reg) x, options(pure, nomem, nostack),
                );
            }
        }
        // `pure` permits the compiler to drop the loop if nobody uses `x`.
        std::hint::black_box(x);
    }

    /// Four independent additions for each of `links` links: one cycle a link on a core that is not shared.
    #[inline(never)]
    pub(super) fn wide(links: u64) {
        for _ in 0..links / 16 {
            // SAFETY: sixty-four additions in four registers, whatever these hold; nothing else is touched
            // but the flags.
            unsafe {
                // No `pure` here: the outputs are unused, and the compiler would drop the additions.
                core::arch::asm!(
                    ".rept 16", "add {a}, {a}", "add {b}, {b}", "add {c}, {c}", "add {d}, {d}", ".endr",
                    a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
                    options(nomem, nostack),
                );
            }
        }
    }

    /// Two independent additions of vectors for each of `links` links. They show a neighbour that uses the vector
    /// ports, which additions in registers do not. Vectors have 128 bits, which no core has to power up.
    #[inline(never)]
    pub(super) fn vectors(links: u64) {
        // Dirty upper halves would slow down these additions, which have no VEX prefix.
        clear_upper_halves();
        for _ in 0..links / 16 {
            // SAFETY: thirty-two additions in eight registers, whatever these hold; nothing else is touched.
            unsafe {
                core::arch::asm!(
                    ".rept 4",
                    "paddd {a}, {a}", "paddd {b}, {b}", "paddd {c}, {c}", "paddd {d}, {d}",
                    "paddd {e}, {e}", "paddd {f}, {f}", "paddd {g}, {g}", "paddd {h}, {h}",
                    ".endr",
                    a = out(xmm_reg) _, b = out(xmm_reg) _, c = out(xmm_reg) _, d = out(xmm_reg) _,
                    e = out(xmm_reg) _, f = out(xmm_reg) _, g = out(xmm_reg) _, h = out(xmm_reg) _,
                    options(nomem, nostack, preserves_flags),
                );
            }
        }
    }

    #[inline]
    pub(super) fn clear_upper_halves() {
        if is_x86_feature_detected!("avx") {
            // SAFETY: the CPU has AVX. The upper halves hold nothing here: vectors of 256 bits do not live
            // across calls.
            unsafe { core::arch::asm!("vzeroupper", options(nomem, nostack, preserves_flags), out("xmm0") _) }
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    pub(super) const UNIT: &str = "core cycles";

    /// Additions of the dependent chain: more than on x86, because the counter is coarse.
    pub(super) const LINKS: u64 = 1 << 17;

    /// Latency of a register addition in cycles.
    pub(super) const LATENCY: u64 = 1;

    /// Nanoseconds: the architecture's own counter advances too slowly for a probe.
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

    /// Four independent additions for each of `links` links.
    #[inline(never)]
    pub(super) fn wide(links: u64) {
        for _ in 0..links / 16 {
            // SAFETY: sixty-four additions in four registers, whatever these hold; nothing else is touched.
            unsafe {
                core::arch::asm!(
                    ".rept 16", "add {a}, {a}, {a}", "add {b}, {b}, {b}", "add {c}, {c}, {c}", "add {d}, {d}, {d}", ".endr",
                    a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
                    options(nomem, nostack, preserves_flags),
                );
            }
        }
    }

    /// Two independent additions of vectors for each of `links` links.
    #[inline(never)]
    pub(super) fn vectors(links: u64) {
        for _ in 0..links / 16 {
            // SAFETY: thirty-two additions in eight registers, whatever these hold; nothing else is touched.
            unsafe {
                core::arch::asm!(
                    ".rept 4",
                    "add {a:v}.4s, {a:v}.4s, {a:v}.4s", "add {b:v}.4s, {b:v}.4s, {b:v}.4s",
                    "add {c:v}.4s, {c:v}.4s, {c:v}.4s", "add {d:v}.4s, {d:v}.4s, {d:v}.4s",
                    "add {e:v}.4s, {e:v}.4s, {e:v}.4s", "add {f:v}.4s, {f:v}.4s, {f:v}.4s",
                    "add {g:v}.4s, {g:v}.4s, {g:v}.4s", "add {h:v}.4s, {h:v}.4s, {h:v}.4s",
                    ".endr",
                    a = out(vreg) _, b = out(vreg) _, c = out(vreg) _, d = out(vreg) _,
                    e = out(vreg) _, f = out(vreg) _, g = out(vreg) _, h = out(vreg) _,
                    options(nomem, nostack, preserves_flags),
                );
            }
        }
    }

    /// Does nothing: vector registers have no upper halves of their own here.
    #[inline]
    pub(super) fn clear_upper_halves() {}
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    pub(super) const UNIT: &str = "nanoseconds";
    pub(super) const LINKS: u64 = 4096;
    pub(super) const LATENCY: u64 = 1;

    #[inline(always)]
    pub(super) fn ticks() -> u64 {
        super::nanoseconds()
    }

    /// Waits as many nanoseconds as there are links, so that a cycle is a nanosecond. No chain of
    /// known latency is at hand.
    pub(super) fn chain(links: u64) {
        let begin = ticks();
        while ticks() - begin < links {
            std::hint::spin_loop();
        }
    }

    /// Takes as long as the chain, so that the core never seems crowded: nothing is known of it.
    pub(super) fn wide(links: u64) {
        chain(links);
    }

    /// No more is known of vector ports than of the core: as [`wide`], which takes as long as the chain.
    pub(super) fn vectors(links: u64) {
        chain(links);
    }

    /// Does nothing: nothing is known of vector registers.
    pub(super) fn clear_upper_halves() {}
}

/// Nanoseconds since the first call of this function in the process.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn nanoseconds() -> u64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
