//! The parameters of a scheme, as numbers.
use carryless_hqc::{ParameterSet, Scheme, SchemeId, SchemeVisitor, Sizes};
use serde::Serialize;

/// Ring, code, weights and sizes of a scheme.
#[derive(Clone, Copy, Serialize)]
pub struct Parameters {
    /// Degree n of the ring F2\[X\] / (X^n - 1).
    pub n: usize,
    /// Symbols of a Reed-Solomon codeword.
    pub n1: usize,
    /// Bytes of a message, which are the message symbols of that code.
    pub k: usize,
    /// Symbol errors that the Reed-Solomon code corrects.
    pub delta: usize,
    /// Copies of each Reed-Muller codeword of 128 bits.
    pub copies: usize,
    /// Hamming weight of x and y.
    pub w: usize,
    /// Hamming weight of r1, r2 and e.
    pub w_r: usize,
    /// Bytes of u, a ring element.
    pub ring_bytes: usize,
    /// Bytes of v, a codeword of the concatenated code.
    pub code_bytes: usize,
    /// Bytes of the seeds inside keys.
    pub inner_seed: usize,
    #[serde(skip)]
    /// Bytes of keys, ciphertexts and secrets.
    pub sizes: Sizes,
}

struct Visitor;

impl SchemeVisitor for Visitor {
    type Output = Parameters;

    fn visit<K: Scheme>(self) -> Parameters {
        let sizes = Sizes::of::<K>();
        Parameters {
            n: K::Set::N,
            n1: K::Set::N1,
            k: K::Set::K,
            delta: K::Set::DELTA,
            copies: K::Set::COPIES,
            w: K::Set::W,
            w_r: K::Set::W_R,
            ring_bytes: K::Set::RING_BYTES,
            code_bytes: K::Set::CODE_BYTES,
            // An encapsulation key is a seed and one element of the ring.
            inner_seed: sizes.encapsulation_key - K::Set::RING_BYTES,
            sizes,
        }
    }
}

impl Parameters {
    /// Returns the parameters of a scheme.
    pub fn of(scheme: SchemeId) -> Parameters {
        scheme.dispatch(Visitor)
    }
}
