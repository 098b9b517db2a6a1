//! Instances of kernels of some fields for `cargo xtask asm`, which inspects their machine code. Generic
//! functions are compiled where they are called, so the library itself would contain none.
use super::{BinaryField, Element, Field, FieldWords, LinearMap};
use super::{Gf127, Gf163, Gf193, Gf233, Gf251, Gf283, Gf409, Gf571};
use carryless_lanes::ClmulCpu;

/// Calls products, squares and square roots of one element, products of many, and squares by bit matrices.
fn all<F: BinaryField>(cpu: ClmulCpu, words: &mut [u64]) {
    let field = Field::<F>::on(cpu);
    let mut own = FieldWords::<F>::default();
    own.as_mut().copy_from_slice(&words[..F::BYTES.div_ceil(8)]);
    let mut out = [own; 9];
    field.mul_slices(&[own; 9], &[own; 9], &mut out);
    let products = out;
    field.square_by_affine_slice(&products, &mut out);
    let a = Element::<F>::from_words(out[8]).unwrap_or_default();
    words[..F::BYTES.div_ceil(8)].copy_from_slice(field.sqrt(&field.square(&field.mul(&a, &a))).as_words());
}

/// Calls a map x -> x^(2^k), and a linear map given by its images.
fn map<F: BinaryField>(cpu: ClmulCpu, words: &mut [u64]) {
    let (field, mut table, z) = (Field::<F>::on(cpu), [0; 1024], Element::z());
    let square = LinearMap::<F, _>::frobenius_in(&field, table.as_mut_slice(), 1).apply(&z);
    let image = LinearMap::<F, _>::from_images_in(&field, table.as_mut_slice(), |_| z).apply(&square);
    words[..F::BYTES.div_ceil(8)].copy_from_slice(image.as_words());
}

/// Calls all kernels that `cargo xtask asm` inspects, so that the compiler emits them. Not for users:
/// it exists under `cfg(carryless_asm)` only.
#[doc(hidden)]
pub fn asm_probes(cpu: ClmulCpu, words: &mut [u64; 9]) {
    map::<Gf233>(cpu, words);
    all::<Gf127>(cpu, words);
    all::<Gf163>(cpu, words);
    all::<Gf193>(cpu, words);
    all::<Gf233>(cpu, words);
    all::<Gf251>(cpu, words);
    all::<Gf283>(cpu, words);
    all::<Gf409>(cpu, words);
    all::<Gf571>(cpu, words);
}
