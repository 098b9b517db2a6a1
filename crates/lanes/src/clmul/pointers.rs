//! Pointers to kernels as constants, for tables that a crate fills once and others read.
use super::backends::clmul_backends;
#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Clmul, ClmulCpu, KernelFn, SliceKernel, Soft};
use core::marker::PhantomData;

/// A kernel on the backend S.
pub(super) struct Compiled<S, P>(PhantomData<(S, P)>);

/// The pointer to a kernel on one backend. Only whoever has the backend's token may call it.
pub(super) trait Pointer {
    const POINTER: KernelFn;
}

/// A [`SliceKernel`] compiled for [the backends with one lane](ClmulCpu::with_lanes) of all CPUs.
///
/// A `static` of this type is compiled in the crate that defines it. What other crates call through it costs them no
/// compile time, and no more at run time than [`OneLane::compile`](super::OneLane::compile).
#[derive(Debug)]
pub struct KernelFns([KernelFn; INDICES]);

/// Stands for a kernel on an analysis, for which none is compiled.
#[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
fn not_on_an_analysis(_: &[u64], _: &[u64], _: &mut [u64]) {
    panic!("not on an analysis");
}

/// The pointer for a row of the table of backends.
macro_rules! pointer {
    ([$lanes:literal analysis] $Token:ty, $P:ident) => {
        KernelFn(not_on_an_analysis)
    };
    ($kind:tt $Token:ty, $P:ident) => {
        <Compiled<<$Token as Clmul>::One, $P> as Pointer>::POINTER
    };
}

/// Defines what has an entry for each row of the table of backends.
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
        /// The indices of the rows.
        enum Index {
            $($(
                #[cfg($cfg)]
                $Variant,
            )+)+
        }

        const INDICES: usize = [$($(#[cfg($cfg)] Index::$Variant),+),+].len();

        impl KernelFns {
            /// The pointers to the kernel P.
            #[must_use]
            pub const fn new<P: SliceKernel>() -> KernelFns {
                KernelFns([$($(#[cfg($cfg)] pointer!($kind $Token, P)),+),+])
            }

            /// The pointer for the backend with one lane of this CPU. For an analysis it panics when called.
            #[inline]
            #[must_use]
            pub fn on(&self, cpu: ClmulCpu) -> KernelFn {
                let index = match cpu {
                    $($(
                        #[cfg($cfg)]
                        ClmulCpu::$Variant(_) => Index::$Variant,
                    )+)+
                };
                // The token in `cpu` proves the features that the function needs.
                self.0[index as usize]
            }
        }
    };
}

clmul_backends!(define!());

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes which backend runs it.
    struct Named;

    impl SliceKernel for Named {
        fn run<S: Clmul>(_: S, _: &[u64], _: &[u64], out: &mut [u64]) {
            let name = core::any::type_name::<S>().bytes();
            out[0] = name.fold(0, |hash, byte| hash * 31 % 0xffff_fffb + u64::from(byte));
        }
    }

    /// The table has the pointers of `OneLane::compile`, each at the index of its backend.
    #[test]
    fn pointers_of_all_backends() {
        static NAMED: KernelFns = KernelFns::new::<Named>();
        for cpu in ClmulCpu::available() {
            let [mut found, mut wanted] = [[0]; 2];
            NAMED.on(cpu).call(&[], &[], &mut found);
            cpu.one_lane().compile::<Named>().call(&[], &[], &mut wanted);
            assert_eq!(found, wanted, "{}", cpu.name());
            assert_ne!(found, [0]);
        }
    }

    #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
    #[test]
    #[should_panic(expected = "not on an analysis")]
    fn no_pointer_for_an_analysis() {
        KernelFns::new::<Named>().on(ClmulCpu::bilinear(1)).call(&[], &[], &mut [0]);
    }
}
