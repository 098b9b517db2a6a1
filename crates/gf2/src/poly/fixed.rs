//! Products of fixed size: no plan, no scratch, no length to check.
use super::construct::{Halves, METHOD, ONE, Rows, Single};
use super::kernel::Word;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// Products of N words times N words, for N of 1, 2, 4 and 8 (64 to 512 bits): what fields and short codes are made of.
///
/// ```
/// use carryless_gf2::poly::Fixed;
///
/// let mut product = [0; 8];
/// Fixed::<4>::new().mul(&[3, 0, 0, 1], &[5, 0, 0, 0], &mut product);
/// assert_eq!(product, [15, 0, 0, 5, 0, 0, 0, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed<const N: usize> {
    /// With as many lanes as a product fills.
    cpu: ClmulCpu,
}

/// One product.
struct Product<'a, const N: usize, const M: usize>(&'a [u64; N], &'a [u64; N], &'a mut [u64; M]);

/// `Fixed<N>` with M = 2 N, and what multiplies on a machine `S`.
macro_rules! fixed {
    ($n:literal, $m:literal, |$s:ident: $S:ident, $a:ident, $b:ident, $out:ident| $product:expr) => {
        impl ClmulKernel for Product<'_, $n, $m> {
            type Out = ();
            #[inline(always)]
            fn run<$S: Clmul>(self, $s: $S) {
                let Product($a, $b, $out) = self;
                $product
            }
        }

        impl Fixed<$n> {
            /// `out = a b`, in constant time.
            #[inline]
            pub fn mul(&self, a: &[u64; $n], b: &[u64; $n], out: &mut [u64; $m]) {
                self.cpu.call_clmul(Product(a, b, out));
            }
        }
    };
}

fixed!(1, 2, |s: S, a, b, out| Word(a, b, out).run(s.one()));
fixed!(2, 4, |s: S, a, b, out| Single::<1, 2>::product(ONE, s, a, b, out));
fixed!(4, 8, |s: S, a, b, out| match S::K {
    2 => Single::<2, 4>::product(Rows, s, a, b, out),
    _ => Single::<2, 4>::product(ONE, s, a, b, out),
});
fixed!(8, 16, |s: S, a, b, out| match S::K {
    4 => Single::<4, 8>::product(Rows, s, a, b, out),
    2 => Single::<4, 8>::product(Halves::<_, _, 2>(METHOD, Rows), s, a, b, out),
    _ => Single::<4, 8>::product(ONE, s, a, b, out),
});

impl<const N: usize> Fixed<N> {
    /// On the best machine of this CPU.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self::on(ClmulCpu::detect())
    }

    /// On a machine of one's choice.
    #[must_use]
    #[inline]
    pub fn on(cpu: ClmulCpu) -> Self {
        Fixed { cpu: cpu.narrow((N / 2).clamp(1, cpu.lanes())) }
    }
}

impl<const N: usize> Default for Fixed<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// One of them, chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnyFixed {
    One(Fixed<1>),
    Two(Fixed<2>),
    Four(Fixed<4>),
    Eight(Fixed<8>),
}

impl AnyFixed {
    /// The one for operands of so many words, if there is one.
    pub(super) fn new(cpu: ClmulCpu, sizes: [usize; 2]) -> Option<AnyFixed> {
        match sizes {
            [1, 1] => Some(AnyFixed::One(Fixed::on(cpu))),
            [2, 2] => Some(AnyFixed::Two(Fixed::on(cpu))),
            [4, 4] => Some(AnyFixed::Four(Fixed::on(cpu))),
            [8, 8] => Some(AnyFixed::Eight(Fixed::on(cpu))),
            _ => None,
        }
    }

    /// `out = a b`; false, and nothing done, if the slices have other sizes.
    #[inline]
    pub(super) fn mul(self, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
        macro_rules! arrays {
            ($fixed:expr) => {
                match (a.try_into(), b.try_into(), out.try_into()) {
                    (Ok(a), Ok(b), Ok(out)) => $fixed.mul(a, b, out),
                    _ => return false,
                }
            };
        }
        match self {
            AnyFixed::One(fixed) => arrays!(fixed),
            AnyFixed::Two(fixed) => arrays!(fixed),
            AnyFixed::Four(fixed) => arrays!(fixed),
            AnyFixed::Eight(fixed) => arrays!(fixed),
        }
        true
    }
}
