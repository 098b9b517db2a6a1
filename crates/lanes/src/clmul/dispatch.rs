//! The dispatch from a [`ClmulCpu`](super::ClmulCpu) to its machine.
//!
//! A kernel is compiled once for each arm that calls it, so each macro has only the arms that its kernels need.
/// Evaluates `$call` with `$m` bound to the machine, or `$analysis` for an analysis. GFNI is left out: most kernels
/// have no use for it, and so are not compiled for it.
macro_rules! on_machine {
    ($cpu:expr, $m:ident => $call:expr) => {
        on_machine!($cpu, $m => $call, analysis $m => $call)
    };
    ($cpu:expr, $m:ident => $call:expr, analysis $a:ident => $analysis:expr) => {
        match $cpu {
            ClmulCpu::Soft($m) => $call,
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft2($m) => $call,
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft4($m) => $call,
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            ClmulCpu::Bilinear($a) => $analysis,
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            ClmulCpu::Bilinear2($a) => $analysis,
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            ClmulCpu::Bilinear4($a) => $analysis,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::Pclmul($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::PclmulAvx2($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::PclmulAvx512Vl($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmm($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmm($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmmGfni(gfni) => {
                let $m = gfni.without_gfni();
                $call
            }
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmmGfni(gfni) => {
                let $m = gfni.without_gfni();
                $call
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            ClmulCpu::Pmull($m) => $call,
        }
    };
}

/// Evaluates `$call` with `$m` bound to the machine with one lane of the same CPU. Panics on an analysis.
macro_rules! on_one_lane {
    ($cpu:expr, $m:ident => $call:expr) => {
        match $cpu {
            ClmulCpu::Soft($m) => $call,
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft2(_) | ClmulCpu::Soft4(_) => {
                let $m = Soft::<1>;
                $call
            }
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            ClmulCpu::Bilinear(_) | ClmulCpu::Bilinear2(_) | ClmulCpu::Bilinear4(_) => {
                panic!("not on an analysis")
            }
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::Pclmul($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::PclmulAvx2($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::PclmulAvx512Vl($m) => $call,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmm(wide) => {
                let $m = wide.one();
                $call
            }
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmmGfni(wide) => {
                let $m = wide.one();
                $call
            }
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmm(wide) => {
                let $m = wide.one();
                $call
            }
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmmGfni(wide) => {
                let $m = wide.one();
                $call
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            ClmulCpu::Pmull($m) => $call,
        }
    };
}

/// Runs the kernel on a machine with two lanes, or on `$narrowed` if it has four (`$four`). Evaluates to `Ok` of
/// the result, or to `Err` of the kernel on other machines. Soft machines with lanes are among them, so that tests
/// run these kernels on every processor; a build for users has none.
macro_rules! on_lanes {
    ($cpu:expr, $kernel:ident, $four:ident => $narrowed:expr) => {
        match $cpu {
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft2(m) => Ok(m.call_clmul($kernel)),
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft4($four) => Ok($narrowed.call_clmul($kernel)),
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmm(m) => Ok(m.call_clmul($kernel)),
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmmGfni(m) => Ok(m.without_gfni().call_clmul($kernel)),
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmm($four) => Ok($narrowed.call_clmul($kernel)),
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmmGfni(gfni) => {
                let $four = gfni.without_gfni();
                Ok($narrowed.call_clmul($kernel))
            }
            _ => Err($kernel),
        }
    };
}

pub(super) use {on_lanes, on_machine, on_one_lane};
