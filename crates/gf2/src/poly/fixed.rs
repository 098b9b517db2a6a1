//! Products of fixed size: no plan, no scratch, no length to check.
use super::construct::{Halves, METHOD, Method, ONE, Rows, Single};
use super::costs::Costs;
use super::kernel::Word;
use super::kernel::leaf::{Leaf, Odd};
use super::kernel::row::{ByWord, Row, blocks as part};
use carryless_lanes::{Clmul, ClmulCpu, ClmulFn, ClmulKernel, ClmulProduct};

/// Products of N words times N words, for N of 1 to 10 (64 to 640 bits): what fields and short codes are made of.
///
/// N of 4 and 8 take the lanes that they fill, the others one lane. So 448 bits take longer than 512 where there
/// are several lanes.
///
/// ```
/// use carryless_gf2::poly::SmallProduct;
///
/// let mut product = [0; 8];
/// SmallProduct::<4>::new().mul(&[3, 0, 0, 1], &[5, 0, 0, 0], &mut product);
/// assert_eq!(product, [15, 0, 0, 5, 0, 0, 0, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallProduct<const N: usize>(KernelPtr);

/// N words times N words, `M = 2 N`.
struct Product<const N: usize, const M: usize>;

/// N blocks of 128 bits, of whose last one there may be half: a product has as many blocks as an operand has words.
#[inline(always)]
fn blocks<S: Clmul, L: Leaf<N, M>, const N: usize, const M: usize>(
    s: S,
    method: L,
    a: &[u64],
    b: &[u64],
    out: &mut [u64],
) {
    let product = method.product(s, part::<S, N>(s, a), part::<S, N>(s, b));
    let mut i = 0;
    while i < a.len() {
        s.store_lanes(product[i], &mut out[2 * i..], 0);
        i += 1;
    }
}

/// `SmallProduct<N>` with M = 2 N, and what multiplies on a machine `S` of so many lanes, or fewer.
macro_rules! fixed {
    ($n:literal, $m:literal, $lanes:literal, |$s:ident: $S:ident, $a:ident, $b:ident, $out:ident| $product:expr) => {
        impl ClmulProduct for Product<$n, $m> {
            #[inline(always)]
            fn product<$S: Clmul>($s: $S, $a: &[u64], $b: &[u64], $out: &mut [u64]) {
                let ($a, $b, $out) = (&$a[..$n], &$b[..$n], &mut $out[..$m]);
                $product
            }
        }

        impl SmallProduct<$n> {
            /// On the best machine of this CPU.
            #[must_use]
            pub fn new() -> Self {
                Self::on(ClmulCpu::detect())
            }

            /// On a machine of one's choice.
            // Never inlined: the kernels would be compiled where this is called, perhaps without optimisation.
            #[must_use]
            #[inline(never)]
            pub fn on(cpu: ClmulCpu) -> Self {
                SmallProduct(KernelPtr::to::<Product<$n, $m>>(cpu, [$n; 2], $lanes))
            }

            /// `out = a b`, in constant time.
            #[inline]
            pub fn mul(&self, a: &[u64; $n], b: &[u64; $n], out: &mut [u64; $m]) {
                self.0.kernel.product(a, b, out);
            }
        }

        impl Default for SmallProduct<$n> {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

fixed!(1, 2, 1, |s: S, a, b, out| Word(a, b, out).run(s.one()));
fixed!(2, 4, 1, |s: S, a, b, out| Single::<1, 2>::product(ONE, s, a, b, out));
fixed!(3, 6, 1, |s: S, a, b, out| blocks::<_, _, 2, 4>(s.one(), Odd, a, b, out));
fixed!(4, 8, 2, |s: S, a, b, out| match S::K {
    2 => Single::<2, 4>::product(Rows, s, a, b, out),
    _ => Single::<2, 4>::product(ONE, s, a, b, out),
});
fixed!(5, 10, 1, |s: S, a, b, out| blocks::<_, _, 3, 6>(s.one(), Odd, a, b, out));
fixed!(6, 12, 1, |s: S, a, b, out| blocks::<_, _, 3, 6>(s.one(), METHOD, a, b, out));
fixed!(7, 14, 1, |s: S, a, b, out| blocks::<_, _, 4, 8>(s.one(), Odd, a, b, out));
fixed!(8, 16, 4, |s: S, a, b, out| match S::K {
    4 => Single::<4, 8>::product(Rows, s, a, b, out),
    2 => Single::<4, 8>::product(Halves::<_, _, 2>(METHOD, Rows), s, a, b, out),
    _ => Single::<4, 8>::product(ONE, s, a, b, out),
});
fixed!(9, 18, 1, |s: S, a, b, out| blocks::<_, _, 5, 10>(s.one(), Odd, a, b, out));
fixed!(10, 20, 1, |s: S, a, b, out| blocks::<_, _, 5, 10>(s.one(), METHOD, a, b, out));

/// A kernel behind a pointer: a call does not look at the sizes and the machine once more.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelPtr {
    /// Words of the operands.
    sizes: [usize; 2],
    /// On the machine that a product takes.
    cpu: ClmulCpu,
    kernel: ClmulFn,
}

/// The same sizes on the same machine have the same kernel.
impl PartialEq for KernelPtr {
    fn eq(&self, other: &KernelPtr) -> bool {
        (self.sizes, self.cpu) == (other.sizes, other.cpu)
    }
}

impl Eq for KernelPtr {}

impl KernelPtr {
    /// On so many lanes, or on all that there are.
    fn to<P: ClmulProduct>(cpu: ClmulCpu, sizes: [usize; 2], lanes: usize) -> KernelPtr {
        let cpu = cpu.with_lanes(lanes.min(cpu.lanes()));
        KernelPtr { sizes, cpu, kernel: cpu.compile::<P>() }
    }

    /// Whether it goes along the longer operand.
    pub(super) fn is_row(&self) -> bool {
        self.sizes[0] != self.sizes[1]
    }

    /// The words of a piece of the longer operand.
    pub(super) fn piece_words(&self) -> usize {
        let short = self.sizes[0].min(self.sizes[1]);
        if self.is_row() { short.next_multiple_of(2) } else { short }
    }

    /// The number of pieces of the longer operand.
    pub(super) fn pieces(&self) -> usize {
        self.sizes[0].max(self.sizes[1]).div_ceil(self.piece_words())
    }

    /// The number of carry-less products of words.
    pub(super) fn clmuls(&self) -> usize {
        let short = self.sizes[0].min(self.sizes[1]);
        let products = if self.is_row() {
            [0, 2, 3, 9, 9, 18, 18, 27, 27, 42, 42]
        } else {
            [0, 1, 3, 6, 9, 14, 18, 23, 27, 38, 42]
        };
        self.pieces() * products[short]
    }

    /// Picoseconds of a row: one instruction has products of all lanes.
    pub(super) fn cost(&self, costs: &Costs<'_>) -> u64 {
        costs.of_products(self.clmuls().div_ceil(self.cpu.lanes()))
    }

    /// The kernel for operands of these sizes, if there is one: equal sizes, or a short operand and any other.
    pub(super) fn new(cpu: ClmulCpu, sizes: [usize; 2]) -> Option<KernelPtr> {
        macro_rules! of {
            ($($n:literal)*) => {
                match sizes {
                    $([$n, $n] => Some(SmallProduct::<$n>::on(cpu).0),)*
                    [a, b] => Some(KernelPtr { sizes, cpu, kernel: row(cpu, a.min(b))? }),
                }
            };
        }
        of!(1 2 3 4 5 6 7 8 9 10)
    }

    /// `out = a b`; false, and nothing done, if the slices have other sizes.
    #[inline]
    pub(super) fn mul(self, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
        // One by one: as arrays they would be compared in memory, where they were just stored.
        let [a_words, b_words] = self.sizes;
        let fits = a.len() == a_words && b.len() == b_words && out.len() == a_words + b_words;
        if fits {
            self.kernel.product(a, b, out);
        }
        fits
    }
}

/// The row kernel for a short operand of this size, if it fits the registers.
fn row(cpu: ClmulCpu, short: usize) -> Option<ClmulFn> {
    Some(match short {
        1 => cpu.compile::<Row<ByWord, 1, 2>>(),
        2 => cpu.compile::<Row<Method, 1, 2>>(),
        3 | 4 => cpu.compile::<Row<Method, 2, 4>>(),
        5 | 6 => cpu.compile::<Row<Method, 3, 6>>(),
        7 | 8 => cpu.compile::<Row<Method, 4, 8>>(),
        9 | 10 => cpu.compile::<Row<Method, 5, 10>>(),
        _ => return None,
    })
}

/// Products of which one operand has 1 to 10 words, the other at least one: each is one kernel, without scratch.
/// Made once for a machine; a call looks at the sizes and at nothing else.
///
/// ```
/// use carryless_gf2::poly::Short;
///
/// let mut product = [0; 5];
/// Short::new().mul(&[1, 2, 3, 4], &[1 << 63], &mut product);
/// assert_eq!(product, [1 << 63, 0, 1 | 1 << 63, 1, 2]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Short {
    /// For two operands of one more word than the place says.
    equal: [ClmulFn; Short::MOST],
    /// For a short operand of one more word than the place says.
    rows: [ClmulFn; Short::MOST],
}

impl Short {
    /// The most words of the shorter operand.
    pub const MOST: usize = 10;

    /// On the best machine of this CPU.
    #[must_use]
    pub fn new() -> Short {
        Short::on(ClmulCpu::detect())
    }

    /// On a machine of one's choice.
    #[must_use]
    pub fn on(cpu: ClmulCpu) -> Short {
        let kernel = |sizes| KernelPtr::new(cpu, sizes).expect("a kernel for every short size").kernel;
        Short {
            equal: core::array::from_fn(|i| kernel([i + 1; 2])),
            rows: core::array::from_fn(|i| kernel([i + 1, Short::MOST + 1])),
        }
    }

    /// Whether there is a kernel for operands of these sizes.
    #[must_use]
    #[inline]
    pub const fn takes(a_words: usize, b_words: usize) -> bool {
        let short = if a_words < b_words { a_words } else { b_words };
        short != 0 && short <= Short::MOST
    }

    /// `out = a b`, in constant time.
    ///
    /// # Panics If both operands have more than [`MOST`](Short::MOST) words, one has none, or `out` has not as many
    /// words as both.
    #[inline]
    pub fn mul(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        assert!(Short::takes(a.len(), b.len()), "one operand of 1 to 10 words");
        assert_eq!(out.len(), a.len() + b.len(), "a product as long as both operands");
        let kernels = if a.len() == b.len() { &self.equal } else { &self.rows };
        kernels[a.len().min(b.len()) - 1].product(a, b, out);
    }
}

impl Default for Short {
    fn default() -> Short {
        Short::new()
    }
}
