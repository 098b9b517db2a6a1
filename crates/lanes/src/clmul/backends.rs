//! The table of the carry-less backends. The enum [`ClmulCpu`](super::ClmulCpu), its names, detection and dispatch
//! follow from it.

/// Expands to `$then! { $args TABLE }`. The table has the backends from the slowest to the fastest, in
/// groups with the same `#[cfg]`.
///
/// `--cfg carryless_fewer_backends` is for tests on a CPU with VPCLMULQDQ, which compile in half the time without
/// `soft2`, `soft4` and `pclmul`: there `vpclmul-ymm` has several lanes and `pclmul-avx2` one.
///
/// A group is `backends`, `tests` or `analyses`. Backends for tests have a name, but detection does not choose them
/// and no build is fixed to them. Analyses have no name that [`ClmulCpu::named`](super::ClmulCpu::named) finds.
///
/// A row reads `"name" [KIND] Variant(Token) if DETECTED;`, under the documentation of the variant.
///
/// - The name is the `NAME` of the token's [`ClmulBackend`](super::ClmulBackend). Backends for tests have the
///   number of lanes after it.
/// - The kind is the number of lanes, then `gfni` for a backend with GFNI, whose token has a method `without_gfni`, or
///   `analysis`.
/// - `DETECTED` is true only on CPUs with all features that the documentation of the token asks for, and only if
///   the operating system saves their registers. It caches its answers. Without it, every CPU of the target has the
///   backend, and the token is made by `Default`.
macro_rules! clmul_backends {
    ($then:ident! $args:tt) => {
        $then! {
            $args
            #[cfg(all())] backends {
                /// Plain integers on any target: one lane of 128 bits.
                "soft" [1] Soft(Soft<1>);
            }
            #[cfg(all(feature = "analysis", not(carryless_fewer_backends)))] tests {
                /// Plain integers, two lanes: for tests of kernels that fill two lanes.
                "soft2" [2] Soft2(Soft<2>);
                /// Plain integers, four lanes: for tests of kernels that fill four lanes.
                "soft4" [4] Soft4(Soft<4>);
            }
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))] analyses {
                /// The analysis [`Bilinear`](crate::Bilinear) on one lane, for tests. Only [`ClmulCpu::bilinear`]
                /// makes it: it has no CPU.
                "bilinear" [1 analysis] Bilinear(crate::Bilinear<1>);
                /// The analysis [`Bilinear`](crate::Bilinear) on two lanes.
                "bilinear" [2 analysis] Bilinear2(crate::Bilinear<2>);
                /// The analysis [`Bilinear`](crate::Bilinear) on four lanes.
                "bilinear" [4 analysis] Bilinear4(crate::Bilinear<4>);
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))] backends {
                /// PMULL, on little-endian AArch64: one lane of 128 bits.
                // PMULL of 64-bit polynomials is a part of the feature `aes`, here and in `target_feature`.
                "pmull" [1] Pmull(crate::Pmull) if cpu_has!("aes");
            }
            #[cfg(all(target_arch = "x86_64", not(carryless_fewer_backends)))] backends {
                /// PCLMULQDQ and SSSE3: one lane.
                "pclmul" [1] Pclmul(x86::Pclmul) if cpu_has!("pclmulqdq", "ssse3");
            }
            #[cfg(target_arch = "x86_64")] backends {
                /// PCLMULQDQ and AVX2: one lane.
                "pclmul-avx2" [1] PclmulAvx2(x86::PclmulAvx2) if cpu_has!("pclmulqdq", "avx2");
                /// PCLMULQDQ and AVX-512VL: one lane.
                "pclmul-avx512vl" [1] PclmulAvx512Vl(x86::PclmulAvx512Vl)
                    if COMPILED && cpu_has!("pclmulqdq", "avx2", "avx512f", "avx512vl");
                /// VPCLMULQDQ and AVX2: two lanes.
                "vpclmul-ymm" [2] VpclmulYmm(x86::VpclmulYmm)
                    // AVX2 first: `leaf7` asks a leaf that CPUs with AVX2 have.
                    if x86::PclmulAvx2::detect().is_some() && leaf7::vpclmulqdq();
                /// VPCLMULQDQ, AVX2 and GFNI: two lanes, products by bit matrices.
                "vpclmul-ymm-gfni" [2 gfni] VpclmulYmmGfni(x86::VpclmulYmmGfni)
                    if x86::VpclmulYmm::detect().is_some() && leaf7::gfni();
                /// VPCLMULQDQ and AVX-512: four lanes.
                "vpclmul-zmm" [4] VpclmulZmm(x86::VpclmulZmm)
                    if COMPILED && x86::VpclmulYmm::detect().is_some()
                        && cpu_has!("avx512f", "avx512bw", "avx512vl");
                /// VPCLMULQDQ, AVX-512 and GFNI: four lanes, products by bit matrices.
                "vpclmul-zmm-gfni" [4 gfni] VpclmulZmmGfni(x86::VpclmulZmmGfni)
                    if x86::VpclmulZmm::detect().is_some() && leaf7::gfni();
            }
        }
    };
}

/// The first expression for rows of the named group of the table, the second one for other rows.
macro_rules! if_group {
    (backends backends: $then:expr, $otherwise:expr) => {
        $then
    };
    (analyses analyses: $then:expr, $otherwise:expr) => {
        $then
    };
    ($group:ident $named:ident: $then:expr, $otherwise:expr) => {
        $otherwise
    };
}

/// The names of all backends, and those of backends for tests in builds that have them.
macro_rules! names {
    ([$($names:tt)*]) => {
        &[$($names)*]
    };
    ([$($names:tt)*] #[cfg($cfg:meta)] backends { $($name:literal)+ } $($rest:tt)*) => {
        names!([$($names)* $($name,)+] $($rest)*)
    };
    ([$($names:tt)*] #[cfg($cfg:meta)] tests { $($name:literal)+ } $($rest:tt)*) => {
        names!([$($names)* $(#[cfg($cfg)] $name,)+] $($rest)*)
    };
    ([$($names:tt)*] #[cfg($cfg:meta)] analyses { $($name:literal)+ } $($rest:tt)*) => {
        names!([$($names)*] $($rest)*)
    };
}

pub(super) use {clmul_backends, if_group, names};
