//! The numbers of a parameter set.
use carryless_hqc::{ParameterSet, Scheme, SchemeId, SchemeVisitor, Sizes};
use serde::Serialize;

/// Ring, code, weights and lengths of a scheme.
#[derive(Clone, Copy, Serialize)]
pub struct Parameters {
    /// Degree of the ring F2\[X\] / (X^n - 1).
    pub n: usize,
    /// Symbols of a Reed-Solomon codeword.
    pub n1: usize,
    /// Bytes of a message, which are symbols of that code.
    pub k: usize,
    /// Symbol errors that it corrects.
    pub delta: usize,
    /// Copies of each Reed-Muller codeword of 128 bits.
    pub copies: usize,
    /// Weight of x and y.
    pub w: usize,
    /// Weight of r1, r2 and e.
    pub w_r: usize,
    /// Bytes of u.
    pub ring_bytes: usize,
    /// Bytes of v.
    pub code_bytes: usize,
    /// Bytes of the seeds inside of keys.
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
            inner_seed: sizes.encapsulation_key - K::Set::RING_BYTES,
            sizes,
        }
    }
}

impl Parameters {
    /// Those of a scheme.
    pub fn of(scheme: SchemeId) -> Parameters {
        scheme.dispatch(Visitor)
    }
}
