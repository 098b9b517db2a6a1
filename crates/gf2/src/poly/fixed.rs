//! Products of fixed size: no plan, no scratch, no length to check.
use super::construct::{Halves, METHOD, ONE, Rows, Single};
use super::kernel::Word;
use carryless_lanes::{Clmul, ClmulCpu, ClmulDoor, ClmulKernel, ClmulProduct};

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
pub struct Fixed<const N: usize>(Direct);

/// N words times N words, `M = 2 N`.
struct Product<const N: usize, const M: usize>;

/// `Fixed<N>` with M = 2 N, and what multiplies on a machine `S`.
macro_rules! fixed {
    ($n:literal, $m:literal, |$s:ident: $S:ident, $a:ident, $b:ident, $out:ident| $product:expr) => {
        impl ClmulProduct for Product<$n, $m> {
            #[inline(always)]
            fn product<$S: Clmul>($s: $S, $a: &[u64], $b: &[u64], $out: &mut [u64]) {
                let ($a, $b, $out) = (&$a[..$n], &$b[..$n], &mut $out[..$m]);
                $product
            }
        }

        impl Fixed<$n> {
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
                Fixed(Direct::to::<Product<$n, $m>>(cpu, $n))
            }

            /// `out = a b`, in constant time.
            #[inline]
            pub fn mul(&self, a: &[u64; $n], b: &[u64; $n], out: &mut [u64; $m]) {
                self.0.door.product(a, b, out);
            }
        }

        impl Default for Fixed<$n> {
            fn default() -> Self {
                Self::new()
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

/// One of them behind a pointer: a call does not look at the size and the machine once more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    /// Words of an operand.
    words: usize,
    /// On a machine with as many lanes as a product fills.
    cpu: ClmulCpu,
    door: ClmulDoor,
}

/// The same size on the same machine has the same door.
impl PartialEq for Direct {
    fn eq(&self, other: &Direct) -> bool {
        (self.words, self.cpu) == (other.words, other.cpu)
    }
}

impl Eq for Direct {}

impl Direct {
    fn to<P: ClmulProduct>(cpu: ClmulCpu, words: usize) -> Direct {
        let cpu = cpu.narrow((words / 2).clamp(1, cpu.lanes()));
        Direct { words, cpu, door: cpu.door::<P>() }
    }

    /// The one for operands of so many words, if there is one.
    pub(super) fn new(cpu: ClmulCpu, sizes: [usize; 2]) -> Option<Direct> {
        match sizes {
            [1, 1] => Some(Fixed::<1>::on(cpu).0),
            [2, 2] => Some(Fixed::<2>::on(cpu).0),
            [4, 4] => Some(Fixed::<4>::on(cpu).0),
            [8, 8] => Some(Fixed::<8>::on(cpu).0),
            _ => None,
        }
    }

    /// `out = a b`; false, and nothing done, if the slices have other sizes.
    #[inline]
    pub(super) fn mul(self, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
        // One by one: as arrays they would be compared in memory, where they were just stored.
        let fits = a.len() == self.words && b.len() == self.words && out.len() == 2 * self.words;
        if fits {
            self.door.product(a, b, out);
        }
        fits
    }
}
