//! A fault of an emulator, which the tests know.
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// Whether this is Bochs before 2.8, whose GF2P8AFFINEQB and GF2P8AFFINEINVQB return the complement: then that is what a test wants.
pub(crate) fn gives_the_complement(cpu: ClmulCpu) -> bool {
    struct ZeroMatrix;
    impl ClmulKernel for ZeroMatrix {
        type Out = u64;
        #[inline(always)]
        fn run<S: Clmul>(self, s: S) -> u64 {
            let mut words = [0; 8];
            s.store(s.affine(s.splat([1, 2]), s.zero()), &mut words);
            words[0]
        }
    }
    let found = cpu.has_affine() && cpu.call_with_affine(ZeroMatrix) == !0;
    if found {
        crate::common::say(&format!("{}: affine is inverted, as in Bochs before 2.8\n", cpu.name()));
    }
    found
}
