//! The table of the integer backends. The enum [`Cpu`](crate::Cpu), its names, detection and dispatch follow from
//! it.

/// Expands to `$then! { $args TABLE }`. The table has the backends from the slowest to the fastest, in
/// groups with the same `#[cfg]`.
///
/// A row reads `"name" KIND Variant(Token) if DETECTED;`, under the documentation of the variant.
///
/// - The name is the `NAME` of the token's [`Backend`](crate::Backend).
/// - The kind is `portable` for plain integers, `vectors` for a vector unit, and `ifma` for a vector unit with
///   52-bit multiply-add.
/// - A second field of the variant is the class of the CPU.
/// - `DETECTED` is true only on CPUs with all features that the documentation of the token asks for, and only if
///   the operating system saves their registers. It caches its answers. Without it, every CPU of the target has the
///   backend, and the token is made by `Default`.
macro_rules! integer_backends {
    ($then:ident! $args:tt) => {
        $then! {
            $args
            #[cfg(all())] {
                /// Plain integers on any target: four lanes of 64 bits.
                "portable" portable Portable(crate::Portable<4>);
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
                /// WebAssembly's vectors, in builds with `simd128`: two lanes of 64 bits.
                "simd128" vectors Simd128(crate::Simd128);
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))] {
                /// NEON, on little-endian AArch64: two lanes of 64 bits.
                "neon" vectors Neon(crate::Neon);
            }
            #[cfg(target_arch = "x86_64")] {
                /// AVX2, on x86-64: four lanes of 64 bits.
                "avx2" vectors Avx2(crate::Avx2) if cpu_has!("avx2");
                /// AVX-512F, on x86-64: eight lanes of 64 bits.
                "avx512" vectors Avx512(crate::Avx512) if COMPILED && cpu_has!("avx512f");
                /// AVX-512VL with 52-bit multiply-add: four lanes.
                // Every CPU with AVX-512 IFMA has VBMI2 as well, from Ice Lake and Zen 4 on; only Cannon Lake,
                // of two cores, does not. It runs `avx512`.
                "avx512vlifma" ifma Avx512VlIfma(crate::Avx512VlIfma)
                    if COMPILED && cpu_has!("avx512f", "avx512vl", "avx512ifma", "avx512vbmi2");
                /// AVX-512F with 52-bit multiply-add: eight lanes. Which kernels are fastest depends on
                /// the class of the CPU.
                "avx512ifma" ifma Avx512Ifma(crate::Avx512Ifma, CpuClass)
                    // VL as well, which this backend does not use: `on_four_lanes` makes a token that needs
                    // it.
                    if COMPILED && cpu_has!("avx512f", "avx512vl", "avx512ifma", "avx512vbmi", "avx512vbmi2");
            }
        }
    };
}

/// Makes the token of a row of the table, if its condition holds.
macro_rules! token {
    ($Token:ty) => {
        Some(<$Token>::default())
    };
    ($Token:ty, $detected:expr) => {
        // SAFETY: the condition holds only where the CPU has the features that the token's documentation names, and
        // the operating system saves their registers.
        ($detected).then(|| unsafe { <$Token>::assume() })
    };
}

pub(crate) use {integer_backends, token};
