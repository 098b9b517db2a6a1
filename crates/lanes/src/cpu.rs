//! The integer backends of this CPU, and the dispatch of kernels to them.
#[cfg(target_arch = "x86_64")]
use crate::avx512::COMPILED;
use crate::backends::{integer_backends, token};
use crate::class::CpuClass;
#[allow(unused_imports, reason = "on targets whose backends need no detection")]
use crate::detect::cpu_has;
use crate::dispatch::{any, match_backend, on_backend, with_ifma};
use crate::kernel::{Backend, Kernel, ShuffleKernel};
use crate::portable::Portable;
use crate::traits::{Lanes, Shuffle32};
#[cfg(target_arch = "x86_64")]
use crate::x86::Avx2;

/// The token of a row of the table of backends.
trait Token {
    /// The backend of this token, if the CPU has it.
    fn detect() -> Option<Cpu>;
}

/// Defines [`Cpu`] and what follows from the table alone.
macro_rules! define {
    (
        ()
        $(#[cfg($cfg:meta)] {
            $(
                $(#[$doc:meta])+
                $name:literal $kind:ident $Variant:ident($Token:ty $(, $Class:ty)?) $(if $detected:expr)?;
            )+
        })+
    ) => {
        /// A backend chosen when the program runs: detect it once, and store it in the object that uses it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Cpu {
            $($(
                $(#[$doc])+
                #[cfg($cfg)]
                $Variant($Token $(, $Class)?),
            )+)+
        }

        $($(
            #[cfg($cfg)]
            impl Token for $Token {
                #[inline]
                fn detect() -> Option<Cpu> {
                    token!($Token $(, $detected)?).map(|token| Cpu::$Variant(token $(, <$Class>::detect())?))
                }
            }
        )+)+

        impl Cpu {
            /// Names of all backends of the library, slowest first, also of those that this CPU lacks.
            pub const NAMES: &'static [&'static str] = &[$($($name,)+)+];

            /// The name of the backend that `--cfg carryless_backend` fixed when the library was built, if any.
            const FIXED: Option<&'static str> = {
                let fixed = None;
                // Each row shadows the one before it, so of several names the last one counts.
                $($(let fixed = if cfg!(carryless_backend = $name) { Some($name) } else { fixed };)+)+
                fixed
            };

            /// The fastest backend of this CPU.
            #[inline]
            fn best() -> Cpu {
                // Each row wraps the slower ones, so the fastest is asked first. Answers are cached.
                let best = || None;
                $($(
                    #[cfg($cfg)]
                    let best = || <$Token>::detect().or_else(best);
                )+)+
                best().unwrap_or(Cpu::Portable(Portable))
            }

            /// The backend of that name.
            ///
            /// # Errors
            /// [`UnknownBackend`] if the CPU lacks it or no backend has that name.
            pub fn named(name: &str) -> Result<Cpu, UnknownBackend> {
                let found = match name {
                    $($(
                        #[cfg($cfg)]
                        $name => <$Token>::detect(),
                    )+)+
                    _ => None,
                };
                found.ok_or(UnknownBackend)
            }

            /// The name by which [`Cpu::named`] finds this backend.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(
                        #[cfg($cfg)]
                        Cpu::$Variant(..) => $name,
                    )+)+
                }
            }
        }

        /// The names of the backends of this build, each with the name that its token has.
        #[cfg(test)]
        const NAMES_OF_TOKENS: &[(&str, &str)] = &[
            $($(
                #[cfg($cfg)]
                ($name, <$Token as Backend>::NAME),
            )+)+
        ];
    };
}

integer_backends!(define!());

/// The error of asking for a backend by a name that this CPU (or this build) does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownBackend;

impl core::fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this CPU has no backend of that name")
    }
}

impl core::error::Error for UnknownBackend {}

impl Cpu {
    /// The best backend of this CPU, or the one that `--cfg carryless_backend="NAME"` fixed at build time.
    ///
    /// A build that fixes a backend which the CPU lacks gets the portable one: a wrong flag costs
    /// speed, never an illegal instruction.
    #[must_use]
    #[inline]
    pub fn detect() -> Cpu {
        match Cpu::FIXED {
            // `named` asks the CPU even here: a fixed name is a choice, not a proof of the feature.
            Some(name) => Cpu::named(name).unwrap_or(Cpu::Portable(Portable)),
            None => Cpu::best(),
        }
    }

    /// All backends of this CPU, from the slowest (portable) to the best.
    pub fn available() -> impl Iterator<Item = Cpu> {
        Cpu::NAMES.iter().filter_map(|name| Cpu::named(name).ok())
    }

    /// How many 64-bit lanes this backend has.
    #[must_use]
    #[inline]
    pub fn lanes(self) -> usize {
        // A generic function names the type of the backend; the arms of the match know its value only.
        fn lanes<S: Lanes>(_: S) -> usize {
            S::N
        }
        on_backend!(self, any(m) => lanes(m))
    }

    /// The class of CPU for which kernels are chosen, where the backend alone does not decide it.
    #[must_use]
    #[inline]
    pub fn class(self) -> CpuClass {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(_, class) => class,
            _ => CpuClass::Generic,
        }
    }

    /// This backend with kernels chosen as for another class of CPU, to measure and test those choices; backends
    /// whose choice is the same everywhere stay as they are. Values do not depend on it.
    #[must_use]
    #[inline]
    #[allow(unused_variables, reason = "where no backend has a choice")]
    pub fn with_class(self, class: CpuClass) -> Cpu {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(backend, _) => Cpu::Avx512Ifma(backend, class),
            other => other,
        }
    }

    /// Runs a kernel on this backend, compiled with the backend's CPU features.
    #[inline]
    pub fn call<K: Kernel>(self, kernel: K) -> K::Out {
        on_backend!(self, any(m) => m.call(kernel))
    }

    /// This backend, or one of four lanes if this one has eight. With four lanes, set-up and the last rows cost
    /// less, which counts for short messages. It has 52-bit multiply-add if this one has.
    #[must_use]
    #[inline]
    pub fn at_most_four_lanes(self) -> Cpu {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => Cpu::Avx512VlIfma(m.on_four_lanes()),
            // SAFETY: every CPU with AVX-512F has AVX2.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(_) => Cpu::Avx2(unsafe { Avx2::assume() }),
            other => other,
        }
    }

    /// Whether this backend has 52-bit multiply-add. The portable backend does, by plain integers.
    #[must_use]
    #[inline]
    pub fn has_ifma(self) -> bool {
        matches!(self, Cpu::Portable(_)) || on_backend!(self, with_ifma(_m) => true, else false)
    }

    /// Whether this backend moves 32-bit halves across lanes ([`Shuffle32`](crate::Shuffle32)).
    #[must_use]
    #[inline]
    pub fn has_shuffle32(self) -> bool {
        // The answer is whether an empty kernel runs, so it cannot disagree with `Shuffles::call`.
        struct Nothing;
        impl ShuffleKernel for Nothing {
            type Out = ();
            #[inline(always)]
            fn run<S: Shuffle32>(self, _: S) {}
        }
        self.shuffles().call(Nothing).is_some()
    }
}

#[cfg(test)]
mod tests {
    /// Tokens have a name of their own, [`Backend::NAME`](super::Backend::NAME).
    #[test]
    fn names_of_tokens() {
        for (name, name_of_token) in super::NAMES_OF_TOKENS {
            assert_eq!(name, name_of_token);
        }
    }
}
