//! Products of polynomials over F2, of any size.
//!
//! | task | item |
//! |---|---|
//! | a single product | [`mul`], with scratch of [`scratch_words`] |
//! | many products of the same sizes | [`Plan`] |
//! | products of 1 to 10 words by as many | [`SmallProduct`] |
//! | products of 1 to 10 words by any number | [`Short`] |
//! | many products of the same sizes at once | [`Plan::mul_batch`] |
//! | many products with one operand in common | [`Plan::prepare`], [`Plan::mul_prepared`] |
//! | a product added to a sum, or a part of one | [`Plan::mul_add`], [`Plan::mul_low`], [`Plan::mul_high`] |
//! | a product modulo X^n - 1 | [`Plan::mul_mod_xn_1`], [`add_mod_xn_1`] |
//! | scratch of constant size | [`Plan::scratch_bound`] |
//! | errors instead of panics | [`try_mul`], [`Plan::try_mul`] and others with `try_`, [`SizeError`] |
//! | a product modulo a fixed sparse polynomial | [`Plan::mul_mod`], [`Plan::mul_mod_prepared`] |
//! | a remainder modulo a fixed sparse polynomial | [`Modulus::reduce`] |
//! | a product by a secret polynomial with few coefficients | [`Plan::mul_sparse`] |
//! | a square | [`square()`] |
//! | one of paper 002's kernels or constructions | [`NamedKernel`], [`Plan::forced`] |
//! | plans for a CPU of your own (`carryless-lab tune`) | [`Plan::by_costs`], [`Costs`] |
//! | a long product by an additive Fourier transform | [`Plan`] if it is cheapest; [`Plan::by_transform`] |
//!
//! # Representation
//! Bit i of word j is the coefficient of X^(64 j + i). A lane has 128 bits, two words, and the only product of a
//! backend is word by word in every lane. Kernels make blocks of 128 bits of such products, constructions make
//! longer operands of kernels: Karatsuba's formula for 2, 3 and 5 parts, and Toom3. Products that belong to one level
//! have equal size and fill the lanes. The longer of two unequal operands is cut into pieces. Squares are bits with
//! zeros between them.
//!
//! # Evidence
//! - *For all operands, with a known probability of error.* The analysis `Bilinear` of `carryless-lanes` runs the
//!   code of plans on random elements of a field of 2^20. Sums, moves and products stay bilinear, or the run fails at
//!   their line. A wrong product passes one run with a probability below 2^-18; plans run two or three times. Squares
//!   and `from_exponents` are not covered, nor is what a backend overrides.
//! - *On a basis.* The backend itself on all pairs of monomials: with bilinearity, a proof for a kernel on it.
//! - *Tested.* Random and chosen operands against the bit-by-bit reference or another method.
mod bounds;
pub(crate) mod construct;
mod costs;
mod cyclic;
mod fft;
mod fixed;
pub(crate) mod kernel;
mod level;
mod measured;
pub(crate) mod modular;
mod modulus;
mod parts;
mod pieces;
mod plan;
mod ring;
pub(crate) mod sizes;
mod sparse;
mod square;
mod threads;

use carryless_lanes::ClmulCpu;
use zeroize::Zeroize as _;

pub(crate) use construct::{METHOD, Method as Karatsuba};
pub use construct::{Step, ToomWord};
pub use costs::{Costs, MeasuredChain, MeasuredTransform};
pub use cyclic::{add_mod_xn_1, try_add_mod_xn_1};
#[cfg(feature = "alloc")]
pub(crate) use fixed::product_by_kernel;
pub use fixed::{Short, SmallProduct};
pub use kernel::NamedKernel;
pub(crate) use kernel::leaf::{Leaf, Odd};
pub use level::{Level, Method};
pub use modulus::Modulus;
pub use plan::Plan;
pub use ring::Ring;
pub use sizes::{PlanMismatch, SizeError};
pub use sparse::from_exponents;
pub use square::{square, square_on, try_square};

/// The number of words of scratch that [`mul`] takes for operands of these sizes on this CPU.
/// [`Plan::scratch_bound`] is a constant that is enough on every CPU.
///
/// # Panics
/// As [`Plan::new`]: if the operands are too long.
#[must_use]
#[track_caller]
pub fn scratch_words(a_words: usize, b_words: usize) -> usize {
    sizes::unwrap(try_scratch_words(a_words, b_words))
}

/// [`scratch_words`], with an error instead of a panic.
///
/// # Errors
/// [`SizeError::TooLong`] for operands for which [`Plan::new`] panics.
pub fn try_scratch_words(a_words: usize, b_words: usize) -> Result<usize, SizeError> {
    Plan::try_new(a_words, b_words).map(|plan| plan.scratch_words())
}

/// `out = a b` on the best backend of this CPU, by the plan for these sizes ([`Plan::mul`]), in constant time.
/// Overwrites all of `out`, and wipes the scratch it used.
///
/// # Panics
/// If `out` has not as many words as `a` and `b` together, or `scratch` less than [`scratch_words`] of their sizes.
#[track_caller]
pub fn mul(a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
    sizes::unwrap(try_mul(a, b, out, scratch));
}

/// [`mul()`], with an error instead of a panic.
///
/// # Errors
/// [`SizeError`]; then nothing was written.
pub fn try_mul(a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) -> Result<(), SizeError> {
    let cpu = ClmulCpu::detect();
    // A fixed-size kernel is found faster than a plan is made.
    if fixed::KernelPtr::new(cpu, [a.len(), b.len()]).is_some_and(|fixed| fixed.mul(a, b, out)) {
        return Ok(());
    }
    let plan = Plan::try_on(cpu, a.len(), b.len())?;
    plan.try_mul(a, b, out, scratch)?;
    // The caller may not know that scratch holds parts of the operands.
    scratch[..plan.scratch_words()].zeroize();
    Ok(())
}
