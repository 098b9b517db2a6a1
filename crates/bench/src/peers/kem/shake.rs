//! RustCrypto's `shake`, one hash alone. Like `hqc-kem` it is another program when it is built with
//! `-C target-cpu=native`.
use crate::algebra::{self, Structure as _};
use crate::calls::repeat_in_place;
use crate::hqc::case::{Operation, Set, words};
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use std::hint::black_box;

/// The name in subjects. It says whether this program was compiled with AVX2.
const NAME: &str = if cfg!(target_feature = "avx2") { "shake/native" } else { "shake" };

pub(super) fn subject(set: Set) -> (Operation, Subject) {
    algebra::subject(NAME, Operation::Stream, "any", Stream(set))
}

/// The work that expands a seed to as many bytes as h of the set has.
struct Stream(Set);

impl Work for Stream {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let (seed, h) = (self.0.case(input.fill()).seed, vec![0; self.0.degree().div_ceil(8)]);
        let expand = move |h: &mut Vec<u8>| {
            let mut hasher = Shake256::default();
            // The seed alone, without a domain byte, as in `hashes::stream`.
            hasher.update(black_box(&seed));
            hasher.finalize_xof().read(h);
        };
        repeat_in_place(h, expand, |h| words(h))
    }
}
