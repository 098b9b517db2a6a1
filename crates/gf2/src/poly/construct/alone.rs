//! One product on several lanes by one kernel: which method multiplies operands of n words.
//!
//! 256 bits on two lanes and 512 on four are multiplied in rows; larger sizes have levels of Karatsuba's method above
//! them, for two parts or for three. With four lanes the kernels take sizes in between: their last vectors are loaded
//! and stored by masks. On two lanes these are padded copies.
use super::chain::Step::{Karat2, Karat3};
use super::chain::{Chain, Levels, Step};
use super::leaves::{Method, moves_take_products_port};
use super::single::{Apart, Halves, Masked, OneByOne, OneLane, Rows, Whole};
use super::streams::{Aligned, Pair, Square, Triple};
use super::thirds::Thirds;
use crate::poly::kernel::leaf::Karat;
use carryless_lanes::{ClmulCpu, KernelFn};

/// Two levels of Karatsuba's method: 256 bits in rows, 512, 1024.
type Two4 = Halves<Method, Rows, 2>;
type Two8 = Halves<Method, Two4, 4>;
/// The same above 384 bits on one lane: 768.
type Two6 = Halves<Method, OneLane<Method>, 3>;
/// A level above rows of 512 bits on four lanes, and two levels.
type Four8 = OneByOne<Rows, 4>;
type Four16 = OneByOne<Four8, 8>;

// Rows of schoolbook products on four lanes, for the CPUs where moves take the port of products.
type Stream4 = Aligned<Square, 1, 2>;
type Stream8 = Aligned<Pair, 2, 4>;
type Stream12 = Aligned<Triple, 3, 6>;
type Stream16 = OneByOne<Stream8, 8>;
type Stream24 = OneByOne<Apart<Stream12>, 12>;
type Stream32 = OneByOne<Apart<Stream16>, 16>;

/// A kernel: the lanes of its backend, the least and the largest number of words of an operand, and its method as the
/// levels of a chain with the words of their leaf.
type Row = (usize, usize, usize, &'static [Step], usize);

/// All kernels, by lanes and then by size. The sizes of one number of lanes do not overlap.
const ROWS: &[Row] = &[
    (2, 4, 4, &[], 4),
    (2, 8, 8, &[], 8),
    (2, 11, 11, &[Karat3], 4),
    (2, 12, 12, &[Karat2], 6),
    (2, 16, 16, &[Karat2], 8),
    (2, 24, 24, &[Karat2, Karat2], 6),
    (2, 32, 32, &[Karat2, Karat2], 8),
    (4, 4, 4, &[], 4),
    (4, 8, 8, &[], 8),
    (4, 11, 11, &[Karat3], 4),
    (4, 12, 12, &[Karat2], 6),
    (4, 13, 16, &[Karat2], 8),
    (4, 17, 24, &[Karat3], 8),
    (4, 25, 32, &[Karat2, Karat2], 8),
    (4, 33, 48, &[Karat3, Karat2], 8),
    // Streams alone.
    (4, 49, 64, &[Karat2, Karat2, Karat2], 8),
    (4, 65, 96, &[Karat3, Karat2, Karat2], 8),
];

/// The largest number of words for which every CPU with four lanes has a kernel.
const ON_EVERY_CPU: usize = 48;

/// The row for operands of `n` words on `k` lanes; `None` if there is no kernel.
const fn row(k: usize, n: usize) -> Option<Row> {
    let mut i = 0;
    while i < ROWS.len() {
        let (lanes, least, most, ..) = ROWS[i];
        if lanes == k && least <= n && n <= most {
            return Some(ROWS[i]);
        }
        i += 1;
    }
    None
}

/// The method of the kernel that multiplies operands of `n` words on `k` lanes, as a chain; `None` if there is none.
pub(in crate::poly) fn chain(k: usize, n: usize) -> Option<Chain> {
    let (.., steps, leaf) = row(k, n)?;
    Chain::new(steps, leaf)
}

/// Whether a kernel computes a whole product of these levels, of `n` words, on every CPU with a backend of `k` lanes.
pub(super) const fn covers(levels: Levels<'_>, n: usize, k: usize) -> bool {
    n <= ON_EVERY_CPU && fits(levels, n, k)
}

/// Whether the [`kernel`] for `n` words, if there is one on this CPU, computes a whole product of these levels. Its own
/// levels may be others that take as many products of words: Karat3 above Karat2 instead of the reverse.
pub(super) const fn fits(levels: Levels<'_>, n: usize, k: usize) -> bool {
    let mut i = 0;
    while i < levels.0.len() {
        // Four lanes would be full with two levels of Karat2, but that takes 50 % more instructions.
        if !matches!(levels.0[i], Karat2 | Karat3) {
            return false;
        }
        i += 1;
    }
    // A kernel of more words would write a longer product.
    matches!(row(k, n), Some((_, _, words, ..)) if words == n)
}

/// Compiles a kernel for products of `$n` blocks.
macro_rules! compile {
    ($cpu:ident, $kind:ident<$n:literal>, $method:ty) => {
        $cpu.compile::<$kind<$method, $n, { 2 * $n }>>()
    };
}

/// The kernel by [streams](super::streams) for operands of 7 or 8 words.
fn short_streams(cpu: ClmulCpu, n: usize) -> Option<KernelFn> {
    match n {
        7 => Some(compile!(cpu, Masked<4>, Stream4)),
        8 => Some(compile!(cpu, Whole<4>, Stream4)),
        _ => None,
    }
}

/// The kernel by [streams](super::streams) for operands of 7 or 8 words, if it is the fastest on this CPU.
pub(in crate::poly) fn short(cpu: ClmulCpu, n: usize) -> Option<KernelFn> {
    if moves_take_products_port(cpu) { short_streams(cpu, n) } else { None }
}

/// The kernel by [streams](super::streams) on four lanes for operands of n words.
fn streams(cpu: ClmulCpu, n: usize) -> Option<KernelFn> {
    Some(match n {
        11..=15 => compile!(cpu, Masked<8>, Stream8),
        16 => compile!(cpu, Whole<8>, Stream8),
        17..=24 => compile!(cpu, Masked<12>, Stream12),
        25..=31 => compile!(cpu, Masked<16>, Stream16),
        32 => compile!(cpu, Whole<16>, Stream16),
        33..=48 => compile!(cpu, Masked<24>, Stream24),
        49..=63 => compile!(cpu, Masked<32>, Stream32),
        64 => compile!(cpu, Whole<32>, Stream32),
        65..=96 => compile!(cpu, Masked<48>, Thirds<Apart<Stream16>, 16, 32, 64>),
        _ => return short_streams(cpu, n),
    })
}

/// The kernel for one product of operands of `n` words on this backend, and the backend of as many lanes as the kernel
/// takes. `None` if there is no kernel.
pub(in crate::poly) fn kernel(cpu: ClmulCpu, n: usize) -> Option<(ClmulCpu, KernelFn)> {
    kernel_by(cpu, n, moves_take_products_port(cpu))
}

/// The [`kernel`] of a CPU, by streams where there is one or without.
pub(super) fn kernel_by(cpu: ClmulCpu, n: usize, by_streams: bool) -> Option<(ClmulCpu, KernelFn)> {
    if by_streams && let Some(kernel) = streams(cpu, n) {
        return Some((cpu, kernel));
    }
    let k = cpu.lanes();
    let two = cpu.with_lanes(k.min(2));
    macro_rules! of {
        ($cpu:ident, $kind:ident<$n:literal>, $method:ty) => {
            ($cpu, compile!($cpu, $kind<$n>, $method))
        };
    }
    let (_, _, most, ..) = row(k, n)?;
    Some(match (k, most) {
        // On four lanes 512 bits are four rows; above, the products of a level come one after the other.
        (4, 8) => of!(cpu, Whole<4>, Rows),
        (4, 16) if n == 16 => of!(cpu, Whole<8>, Four8),
        (4, 16) => of!(cpu, Masked<8>, Four8),
        (4, 24) => of!(cpu, Masked<12>, Thirds<Rows, 4, 8, 16>),
        (4, 32) if n == 32 => of!(cpu, Whole<16>, Four16),
        (4, 32) => of!(cpu, Masked<16>, Four16),
        (4, 48) => of!(cpu, Masked<24>, Thirds<Four8, 8, 16, 32>),
        // On two lanes the outer products of a level come at once, and the product of the sums after them.
        (_, 4) => of!(two, Whole<2>, Rows),
        (_, 8) => of!(two, Whole<4>, Two4),
        (_, 11) => of!(two, Masked<6>, Thirds<Rows, 2, 4, 8>),
        (_, 12) => of!(two, Whole<6>, Two6),
        (_, 16) => of!(two, Whole<8>, Two8),
        (_, 24) => of!(two, Whole<12>, Halves<Apart<Karat<Method, 3>>, Two6, 6>),
        (_, 32) => of!(two, Whole<16>, Halves<Apart<Karat<Method, 4>>, Two8, 8>),
        _ => return None,
    })
}
