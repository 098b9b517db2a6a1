//! Products of fixed size: no plan, no scratch, no length to check.
use super::construct::{Halves, METHOD, Method, ONE, Rows, Single};
use super::kernel::Word;
use super::kernel::leaf::Leaf;
use carryless_lanes::{Clmul, ClmulCpu, ClmulDoor, ClmulKernel, ClmulProduct};

/// Products of N words times N words, for N of 1 to 10 (64 to 640 bits): what fields and short codes are made of.
///
/// N of 4 and 8 take the lanes that they fill, the others one lane, where an odd N costs as much as the next even one: half of
/// the last block is empty. So 448 bits take longer than 512 where there are four lanes.
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

/// N blocks of 128 bits, of whose last one there may be half: a product has as many blocks as an operand has words.
#[inline(always)]
fn blocks<S: Clmul, const N: usize, const M: usize>(s: S, a: &[u64], b: &[u64], out: &mut [u64])
where
    Method: Leaf<N, M>,
{
    let product = METHOD.product(s, part::<S, N>(s, a), part::<S, N>(s, b));
    let mut i = 0;
    while i < a.len() {
        s.store_lanes(product[i], &mut out[2 * i..], 0);
        i += 1;
    }
}

/// The blocks of an operand.
#[inline(always)]
fn part<S: Clmul, const N: usize>(s: S, words: &[u64]) -> [S::X; N] {
    let (mut blocks, mut i) = ([s.zero(); N], 0);
    while i < N {
        let end = if 2 * i + 2 < words.len() { 2 * i + 2 } else { words.len() };
        blocks[i] = s.load_part(&words[2 * i..end]);
        i += 1;
    }
    blocks
}

/// `Fixed<N>` with M = 2 N, and what multiplies on a machine `S` of so many lanes, or fewer.
macro_rules! fixed {
    ($n:literal, $m:literal, $lanes:literal, |$s:ident: $S:ident, $a:ident, $b:ident, $out:ident| $product:expr) => {
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
                Fixed(Direct::to::<Product<$n, $m>>(cpu, $n, $lanes))
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

fixed!(1, 2, 1, |s: S, a, b, out| Word(a, b, out).run(s.one()));
fixed!(2, 4, 1, |s: S, a, b, out| Single::<1, 2>::product(ONE, s, a, b, out));
fixed!(3, 6, 1, |s: S, a, b, out| blocks::<_, 2, 4>(s.one(), a, b, out));
fixed!(4, 8, 2, |s: S, a, b, out| match S::K {
    2 => Single::<2, 4>::product(Rows, s, a, b, out),
    _ => Single::<2, 4>::product(ONE, s, a, b, out),
});
fixed!(5, 10, 1, |s: S, a, b, out| blocks::<_, 3, 6>(s.one(), a, b, out));
fixed!(6, 12, 1, |s: S, a, b, out| blocks::<_, 3, 6>(s.one(), a, b, out));
fixed!(7, 14, 1, |s: S, a, b, out| blocks::<_, 4, 8>(s.one(), a, b, out));
fixed!(8, 16, 4, |s: S, a, b, out| match S::K {
    4 => Single::<4, 8>::product(Rows, s, a, b, out),
    2 => Single::<4, 8>::product(Halves::<_, _, 2>(METHOD, Rows), s, a, b, out),
    _ => Single::<4, 8>::product(ONE, s, a, b, out),
});
fixed!(9, 18, 1, |s: S, a, b, out| blocks::<_, 5, 10>(s.one(), a, b, out));
fixed!(10, 20, 1, |s: S, a, b, out| blocks::<_, 5, 10>(s.one(), a, b, out));

/// One of them behind a pointer: a call does not look at the size and the machine once more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    /// Words of an operand.
    words: usize,
    /// On the machine that a product takes.
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
    /// On so many lanes, or on all that there are.
    fn to<P: ClmulProduct>(cpu: ClmulCpu, words: usize, lanes: usize) -> Direct {
        let cpu = cpu.narrow(lanes.min(cpu.lanes()));
        Direct { words, cpu, door: cpu.door::<P>() }
    }

    /// The number of carry-less products of words.
    pub(super) fn clmuls(&self) -> usize {
        [0, 1, 3, 9, 9, 18, 18, 27, 27, 42, 42][self.words]
    }

    /// The one for operands of so many words, if there is one.
    pub(super) fn new(cpu: ClmulCpu, sizes: [usize; 2]) -> Option<Direct> {
        macro_rules! of {
            ($($n:literal)*) => {
                match sizes {
                    $([$n, $n] => Some(Fixed::<$n>::on(cpu).0),)*
                    _ => None,
                }
            };
        }
        of!(1 2 3 4 5 6 7 8 9 10)
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
