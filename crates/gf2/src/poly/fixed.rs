//! Products of fixed size: one kernel each, without plan, scratch and checks of lengths.
use super::construct::{Chain, Halves, METHOD, Method, ONE, Partial, Rows, Single, alone};
use super::costs::Costs;
use super::kernel::Word;
use super::kernel::leaf::{Leaf, Odd};
use super::kernel::row::{ByWord, Row, blocks as part};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, KernelFn, SliceKernel};

/// Products of N words times N words, for N of 1 to 10 (64 to 640 bits), as fields and short codes need them.
///
/// For N of 4, 7 and 8 a product fills two or four lanes; others use one lane. So on two lanes 448 bits take longer than
/// 512, which fill both.
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

/// The kernel for N words times N words, `M = 2 N`.
struct Product<const N: usize, const M: usize>;

/// Multiplies operands of N blocks of 128 bits, the last of which may be half. The product has as many blocks
/// as an operand has words.
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
    // Operands of W words have a product of W blocks; one more block, if W is odd, is zero.
    while i < a.len() {
        s.store_lanes(product[i], &mut out[2 * i..], 0);
        i += 1;
    }
}

/// Implements `SmallProduct<N>` for N of `$n` and M = 2 N, and the product on a backend `S` of at most `$lanes` lanes.
macro_rules! fixed {
    ($n:literal, $m:literal, $lanes:literal, |$s:ident: $S:ident, $a:ident, $b:ident, $out:ident| $product:expr) => {
        impl SliceKernel for Product<$n, $m> {
            #[inline(always)]
            fn run<$S: Clmul>($s: $S, $a: &[u64], $b: &[u64], $out: &mut [u64]) {
                let ($a, $b, $out) = (&$a[..$n], &$b[..$n], &mut $out[..$m]);
                $product
            }
        }

        impl SmallProduct<$n> {
            /// The product on the best backend of this CPU.
            #[must_use]
            pub fn new() -> Self {
                Self::on(ClmulCpu::detect())
            }

            /// The product on the given backend, or on the one with fewer lanes that it implies.
            // Never inlined: the kernels would be compiled in the crate that calls this, perhaps without
            // optimisation.
            #[must_use]
            #[inline(never)]
            pub fn on(cpu: ClmulCpu) -> Self {
                SmallProduct(match alone::short(cpu, $n) {
                    Some(kernel) => KernelPtr { sizes: [$n; 2], cpu, kernel },
                    None => KernelPtr::to::<Product<$n, $m>>(cpu, [$n; 2], $lanes),
                })
            }

            /// `out = a b`, in constant time. Overwrites all of `out`.
            #[inline]
            pub fn mul(&self, a: &[u64; $n], b: &[u64; $n], out: &mut [u64; $m]) {
                self.0.kernel.call(a, b, out);
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
// Odd sizes: the last half block is zero, and `Odd` leaves out the products by it.
fixed!(3, 6, 1, |s: S, a, b, out| blocks::<_, _, 2, 4>(s.one(), Odd, a, b, out));
// Two lanes hold a row of two blocks; one lane takes the leaf.
fixed!(4, 8, 2, |s: S, a, b, out| match S::K {
    2 => Single::<2, 4>::product(Rows, s, a, b, out),
    _ => Single::<2, 4>::product(ONE, s, a, b, out),
});
fixed!(5, 10, 1, |s: S, a, b, out| blocks::<_, _, 3, 6>(s.one(), Odd, a, b, out));
fixed!(6, 12, 1, |s: S, a, b, out| blocks::<_, _, 3, 6>(s.one(), METHOD, a, b, out));
fixed!(7, 14, 4, |s: S, a, b, out| match S::K {
    4 => Partial::<4, 8>::partial(Rows, s, a, b, out),
    _ => blocks::<_, _, 4, 8>(s.one(), Odd, a, b, out),
});
// Four lanes hold a row of four blocks; two take a level of Karat2 over rows.
fixed!(8, 16, 4, |s: S, a, b, out| match S::K {
    4 => Single::<4, 8>::product(Rows, s, a, b, out),
    2 => Single::<4, 8>::product(Halves::<_, _, 2>(METHOD, Rows), s, a, b, out),
    _ => Single::<4, 8>::product(ONE, s, a, b, out),
});
fixed!(9, 18, 1, |s: S, a, b, out| blocks::<_, _, 5, 10>(s.one(), Odd, a, b, out));
fixed!(10, 20, 1, |s: S, a, b, out| blocks::<_, _, 5, 10>(s.one(), METHOD, a, b, out));

/// A kernel for given sizes behind a pointer, so that a call need not choose by sizes and backend again.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelPtr {
    /// The words of the first and the second operand.
    sizes: [usize; 2],
    /// The backend that the kernel is compiled for.
    cpu: ClmulCpu,
    kernel: KernelFn,
}

/// Equal sizes on equal backends have the same kernel; pointers are not compared.
impl PartialEq for KernelPtr {
    fn eq(&self, other: &KernelPtr) -> bool {
        (self.sizes, self.cpu) == (other.sizes, other.cpu)
    }
}

impl Eq for KernelPtr {}

impl KernelPtr {
    /// The kernel `P` on a backend of at most `lanes` lanes.
    fn to<P: SliceKernel>(cpu: ClmulCpu, sizes: [usize; 2], lanes: usize) -> KernelPtr {
        let cpu = cpu.with_lanes(lanes.min(cpu.lanes()));
        KernelPtr { sizes, cpu, kernel: cpu.compile::<P>() }
    }

    /// The method of a piece, as a chain.
    pub(super) fn chain(&self) -> Chain {
        let piece = self.piece_words();
        let alone = if piece > Short::MAX_WORDS { alone::chain(self.cpu.lanes(), piece) } else { None };
        alone.unwrap_or(Chain::leaf_of(piece))
    }

    /// Whether it is a row kernel: sizes are unequal, and it goes along the longer operand.
    pub(super) fn is_row(&self) -> bool {
        self.sizes[0] != self.sizes[1]
    }

    /// The words of a piece of the longer operand: whole blocks in a row, otherwise the operand.
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
        if short > Short::MAX_WORDS {
            return self.chain().clmuls();
        }
        let products = if self.is_row() {
            // By words of the shorter operand, for each piece: a row multiplies whole blocks, equal sizes leave out
            // half blocks.
            [0, 2, 3, 9, 9, 18, 18, 27, 27, 42, 42]
        } else {
            [0, 1, 3, 6, 9, 14, 18, 23, 27, 38, 42]
        };
        self.pieces() * products[short]
    }

    /// Picoseconds of a row; one instruction has the products of all lanes.
    pub(super) fn cost(&self, costs: &Costs<'_>) -> u64 {
        costs.of_products(self.clmuls().div_ceil(self.cpu.lanes()))
    }

    /// The kernel for operands of these sizes: equal ones up to 10 words, and more where the backend has a [kernel for
    /// one product](alone), or a short operand and any other. `None` for others.
    pub(super) fn new(cpu: ClmulCpu, sizes: [usize; 2]) -> Option<KernelPtr> {
        KernelPtr::short(cpu, sizes).or_else(|| match sizes {
            [n, m] if n == m => alone::kernel(cpu, n).map(|(cpu, kernel)| KernelPtr { sizes, cpu, kernel }),
            _ => None,
        })
    }

    /// The kernel for operands of which one has 1 to 10 words. `None` for others.
    fn short(cpu: ClmulCpu, sizes: [usize; 2]) -> Option<KernelPtr> {
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

    /// `out = a b`, in constant time. Returns false and writes nothing if the slices have other sizes.
    #[inline]
    pub(super) fn mul(self, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
        // Compared one by one: arrays would be compared in memory, where their numbers were just stored.
        let [a_words, b_words] = self.sizes;
        let fits = a.len() == a_words && b.len() == b_words && out.len() == a_words + b_words;
        if fits {
            self.kernel.call(a, b, out);
        }
        fits
    }
}

/// `out = a b` by a kernel, without a plan. Returns false and writes nothing if there is no kernel for these sizes, as
/// when one is empty. `out` has as many words as both together.
#[cfg(feature = "alloc")]
pub(crate) fn product_by_kernel(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
    KernelPtr::new(cpu, [a.len(), b.len()]).is_some_and(|kernel| kernel.mul(a, b, out))
}

/// The row kernel for a short operand of 1 to 10 words, which stays in registers. `None` for other sizes.
fn row(cpu: ClmulCpu, short: usize) -> Option<KernelFn> {
    // A short operand with an odd number of words takes the kernel for one word more, which loads a zero for it.
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

/// Products of which one operand has 1 to 10 words, the other at least one. Each is one kernel, without scratch.
/// Made once for a backend; a call chooses by the sizes alone.
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
    /// Kernel i multiplies two operands of i + 1 words.
    equal: [KernelFn; Short::MAX_WORDS],
    /// Kernel i multiplies a short operand of i + 1 words by a longer one.
    rows: [KernelFn; Short::MAX_WORDS],
}

impl Short {
    /// The largest number of words of the shorter operand.
    pub const MAX_WORDS: usize = 10;

    /// The kernels on the best backend of this CPU.
    #[must_use]
    pub fn new() -> Short {
        Short::on(ClmulCpu::detect())
    }

    /// The kernels on the given backend, or on the one with fewer lanes that it implies.
    #[must_use]
    pub fn on(cpu: ClmulCpu) -> Short {
        let kernel = |sizes| KernelPtr::short(cpu, sizes).expect("a kernel for every short size").kernel;
        Short {
            equal: core::array::from_fn(|i| kernel([i + 1; 2])),
            // A row kernel depends on the short size only: any longer size finds it.
            rows: core::array::from_fn(|i| kernel([i + 1, Short::MAX_WORDS + 1])),
        }
    }

    /// Whether there is a kernel for operands of these sizes, in words.
    #[must_use]
    #[inline]
    pub const fn takes(a_words: usize, b_words: usize) -> bool {
        let short = if a_words < b_words { a_words } else { b_words };
        short != 0 && short <= Short::MAX_WORDS
    }

    /// `out = a b`, in constant time: time depends on the sizes only. Overwrites all of `out`.
    ///
    /// # Panics
    /// If both operands have more than [`MAX_WORDS`](Short::MAX_WORDS) words, one has none, or `out` has not
    /// as many words as both.
    #[inline]
    pub fn mul(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        assert!(Short::takes(a.len(), b.len()), "one operand of 1 to 10 words");
        assert_eq!(out.len(), a.len() + b.len(), "a product as long as both operands");
        let kernels = if a.len() == b.len() { &self.equal } else { &self.rows };
        kernels[a.len().min(b.len()) - 1].call(a, b, out);
    }
}

impl Default for Short {
    fn default() -> Short {
        Short::new()
    }
}
