//! RustCrypto's `hqc-kem`, which is of profile NR. Built with `-C target-cpu=native` it is another program,
//! which is measured under another name.
use crate::algebra::subject;
use crate::calls::repeat;
use crate::hqc::case::{Case, Operation, Set, words};
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use hqc_kem::{Hqc128Params, Hqc192Params, Hqc256Params, HqcKem, HqcParams};
use std::hint::black_box;
use std::marker::PhantomData;

/// The name in subjects. It says whether this program was compiled with AVX2.
const NAME: &str = if cfg!(target_feature = "avx2") { "hqc-kem/native" } else { "hqc-kem" };

pub(super) fn subjects(set: &Set) -> Vec<(Operation, Subject)> {
    match set.name {
        "HQC-1" => of::<Hqc128Params>(*set),
        "HQC-3" => of::<Hqc192Params>(*set),
        _ => of::<Hqc256Params>(*set),
    }
}

fn of<P: HqcParams + 'static>(set: Set) -> Vec<(Operation, Subject)> {
    let one = |operation| subject(NAME, operation, "any", Peer::<P> { set, operation, params: PhantomData });
    Operation::KEM.map(one).into()
}

struct Peer<P> {
    set: Set,
    operation: Operation,
    params: PhantomData<P>,
}

impl<P: HqcParams> Work for Peer<P> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let Case { seed, message, salt, .. } = self.set.case(input.fill());
        let generate = |seed: &[u8; 32]| HqcKem::<P>::generate_key_deterministic(seed);
        let (public, secret) = generate(&seed);
        let encapsulate = move || {
            public.encapsulate_deterministic(black_box(&message), &salt).expect("a message of the set")
        };
        match self.operation {
            Operation::Keygen => {
                repeat(move || generate(black_box(&seed)), |(_, secret)| words(secret.as_ref()))
            }
            Operation::Encaps => repeat(encapsulate, |(ciphertext, secret)| {
                words(&[ciphertext.as_ref(), secret.as_ref()].concat())
            }),
            _ => {
                // Profile NR fixes all bytes, so this ciphertext equals the one that our subjects
                // decapsulate.
                let ciphertext = encapsulate().0;
                repeat(move || secret.decapsulate(black_box(&ciphertext)), |secret| words(secret.as_ref()))
            }
        }
    }
}
