//! The backends for carry-less products that this CPU has, and the dispatch of kernels to them.
use super::backends::{clmul_backends, if_group, names};
use super::dispatch::{any, match_backend, on_backend, without_gfni};
use super::{Clmul, ClmulBackend, ClmulKernel, KernelFn, SliceKernel, Soft};
#[cfg(target_arch = "x86_64")]
use super::{leaf7, x86};
#[cfg(target_arch = "x86_64")]
use crate::avx512::COMPILED;
use crate::backends::token;
use crate::cpu::UnknownBackend;
#[allow(unused_imports, reason = "on targets whose backends need no detection")]
use crate::detect::cpu_has;

/// The token of a row of the table of backends.
trait Token: Copy {
    /// The backend of this token, if the CPU has it; `None` for an analysis.
    fn detect() -> Option<ClmulCpu>;
    /// The variant of [`ClmulCpu`] with this token.
    fn cpu(self) -> ClmulCpu;
}

/// Defines [`ClmulCpu`] and what follows from the table alone.
macro_rules! define {
    (
        ()
        $(#[cfg($cfg:meta)] $group:ident {
            $(
                $(#[$doc:meta])+
                $name:literal $kind:tt $Variant:ident($Token:ty) $(if $detected:expr)?;
            )+
        })+
    ) => {
        /// A backend for carry-less products, chosen when the program runs: detect it once, and store it in
        /// the object that uses it.
        ///
        /// It is not a part of [`crate::Cpu`]: the instructions come and go independently of the vectors of
        /// integers (Zen 3 has VPCLMULQDQ without AVX-512, Skylake-X the reverse).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum ClmulCpu {
            $($(
                $(#[$doc])+
                #[cfg($cfg)]
                $Variant($Token),
            )+)+
        }

        $($(
            #[cfg($cfg)]
            impl Token for $Token {
                #[inline]
                fn detect() -> Option<ClmulCpu> {
                    if_group!($group analyses: None, token!($Token $(, $detected)?).map(Token::cpu))
                }
                #[inline]
                fn cpu(self) -> ClmulCpu {
                    ClmulCpu::$Variant(self)
                }
            }
        )+)+

        impl ClmulCpu {
            /// Names of all backends of the library, slowest first, also of those that this CPU lacks.
            pub const NAMES: &'static [&'static str] = names!([] $(#[cfg($cfg)] $group { $($name)+ })+);

            /// The name of the backend that `--cfg carryless_clmul` fixed when the library was built, if any.
            const FIXED: Option<&'static str> = {
                let fixed = None;
                $($(
                    // Only real backends can be fixed: a name of a test or an analysis leaves the choice open.
                    let named = if_group!($group backends: cfg!(carryless_clmul = $name), false);
                    let fixed = if named { Some($name) } else { fixed };
                )+)+
                fixed
            };

            /// The fastest backend of this CPU.
            #[inline]
            fn best() -> ClmulCpu {
                // Each row wraps the slower ones, so the fastest is asked first. Answers are cached.
                let best = || None;
                $($(
                    #[cfg($cfg)]
                    let best = || if_group!($group backends: <$Token>::detect(), None).or_else(best);
                )+)+
                best().unwrap_or(ClmulCpu::Soft(Soft))
            }

            /// The backend of that name.
            ///
            /// # Errors
            /// [`UnknownBackend`] if the CPU lacks it or no backend has that name.
            pub fn named(name: &str) -> Result<ClmulCpu, UnknownBackend> {
                $($(
                    #[cfg($cfg)]
                    if name == $name {
                        return <$Token>::detect().ok_or(UnknownBackend);
                    }
                )+)+
                Err(UnknownBackend)
            }

            /// The name by which [`ClmulCpu::named`] finds this backend.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(
                        #[cfg($cfg)]
                        ClmulCpu::$Variant(_) => $name,
                    )+)+
                }
            }
        }

        /// The names of the backends of this build, each with the name and the number of lanes of its token.
        #[cfg(test)]
        const NAMES_OF_TOKENS: &[(&str, &str, usize)] = &[
            $($(
                #[cfg($cfg)]
                ($name, <$Token as ClmulBackend>::NAME, <$Token as Clmul>::K),
            )+)+
        ];
    };
}

clmul_backends!(define!());

impl ClmulCpu {
    /// The best backend of this CPU, or the one that `--cfg carryless_clmul="NAME"` fixed at build time.
    ///
    /// A build that fixes a backend which the CPU lacks gets the soft one: a wrong flag costs
    /// speed, never an illegal instruction.
    #[must_use]
    #[inline]
    pub fn detect() -> ClmulCpu {
        match ClmulCpu::FIXED {
            // A fixed name is no proof of the features, so `named` asks the CPU here, too.
            Some(name) => ClmulCpu::named(name).unwrap_or(ClmulCpu::Soft(Soft)),
            None => ClmulCpu::best(),
        }
    }

    /// All backends of this CPU, from the slowest (soft) to the best.
    pub fn available() -> impl Iterator<Item = ClmulCpu> {
        ClmulCpu::NAMES.iter().filter_map(|name| ClmulCpu::named(name).ok())
    }

    /// The analysis [`Bilinear`](crate::Bilinear) as a backend with that many lanes, for tests.
    ///
    /// # Panics
    /// If `lanes` is none of 1, 2 and 4.
    #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
    #[must_use]
    pub fn bilinear(lanes: usize) -> ClmulCpu {
        match lanes {
            1 => ClmulCpu::Bilinear(Default::default()),
            2 => ClmulCpu::Bilinear2(Default::default()),
            4 => ClmulCpu::Bilinear4(Default::default()),
            _ => panic!("no backend with {lanes} lanes"),
        }
    }

    /// How many 128-bit lanes this backend has.
    #[must_use]
    #[inline]
    pub fn lanes(self) -> usize {
        fn lanes<S: Clmul>(_: S) -> usize {
            S::K
        }
        on_backend!(self, any(m) => lanes(m))
    }

    /// How many words a wide vector of this backend has: [`Clmul::WIDE`].
    #[must_use]
    #[inline]
    pub fn wide_words(self) -> usize {
        fn words<S: Clmul>(_: S) -> usize {
            S::WIDE
        }
        on_backend!(self, any(m) => words(m))
    }

    /// The backend with that many lanes on the same CPU, for operands that do not fill a vector: this one if it has
    /// no more, else one whose features this one implies.
    ///
    /// # Panics
    /// If `lanes` is none of 1, 2 and 4, or exceeds [`lanes`](ClmulCpu::lanes).
    #[must_use]
    #[inline]
    pub fn with_lanes(self, lanes: usize) -> ClmulCpu {
        match (self, lanes) {
            // The type `One` of every backend has a variant, and needs no feature that the backend lacks.
            (_, 1) => on_backend!(self, any(m) => m.one().cpu()),
            #[cfg(all(feature = "analysis", not(carryless_fewer_backends)))]
            (ClmulCpu::Soft4(m), 2) => m.two_lanes().cpu(),
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            (ClmulCpu::Bilinear4(_), 2) => ClmulCpu::bilinear(2),
            #[cfg(target_arch = "x86_64")]
            // The backend without AVX-512. That with it (`two_lanes`) has no variant: only
            // `two_lanes` reaches it.
            (ClmulCpu::VpclmulZmm(m), 2) => m.ymm().cpu(),
            #[cfg(target_arch = "x86_64")]
            (ClmulCpu::VpclmulZmmGfni(m), 2) => m.without_gfni().ymm().cpu(),
            _ => {
                // What is left must already have as many lanes, or the caller asked for more than there are.
                assert_eq!(self.lanes(), lanes, "no backend has {lanes} lanes");
                self
            }
        }
    }

    /// Whether [`affine`](ClmulCpu::affine) runs kernels on a backend with bit matrices.
    #[must_use]
    #[inline]
    pub fn has_affine(self) -> bool {
        fn affine<S: Clmul>(_: S) -> bool {
            S::AFFINE
        }
        on_backend!(self, any(m) => affine(m))
    }

    /// Whether rotations of wide vectors are one instruction: [`Clmul::ROTATES`].
    #[must_use]
    #[inline]
    pub fn has_rotations(self) -> bool {
        fn rotates<S: Clmul>(_: S) -> bool {
            S::ROTATES
        }
        on_backend!(self, any(m) => rotates(m))
    }

    /// Runs a kernel on this backend. A backend with GFNI runs it as the backend without GFNI.
    #[inline]
    pub fn call<K: ClmulKernel>(self, kernel: K) -> K::Out {
        on_backend!(self, without_gfni(m) => m.call(kernel))
    }

    /// Compiles a kernel for this backend, to be run often: a call through the pointer needs no dispatch.
    #[inline]
    #[must_use]
    pub fn compile<P: SliceKernel>(self) -> KernelFn {
        on_backend!(self, without_gfni(m) => m.compile::<P>())
    }
}

#[cfg(test)]
mod tests {
    /// Tokens have a name of their own, [`ClmulBackend::NAME`](super::ClmulBackend::NAME).
    #[test]
    fn names_of_tokens() {
        for (name, name_of_token, lanes) in super::NAMES_OF_TOKENS {
            let with_lanes = std::format!("{name_of_token}{lanes}");
            assert!(name == name_of_token || *name == with_lanes, "{name}: its token is {name_of_token}");
        }
    }
}
