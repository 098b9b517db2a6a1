//! Our KEM on a backend, with products by a given plan.
use super::case::{Case, Operation, words};
use super::parts::set;
use crate::algebra;
use crate::calls::repeat;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::Plan;
use carryless_hqc::{Array, Ciphertext, DecapsulationKey, ParameterSet, Scheme, SharedSecret};
use std::hint::black_box;
use std::marker::PhantomData;

/// Operations of the KEM by a plan for its products, under the name of a library.
pub(super) fn subjects<K: Scheme<Seed = [u8; 32]>>(
    library: &str,
    plan: Plan,
    operations: &[Operation],
) -> Vec<(Operation, Subject)> {
    let work = |operation| Ours::<K> { operation, plan, scheme: PhantomData };
    algebra::subjects(library, operations, plan.cpu().name(), work)
}

/// The plan that the library itself takes for products on a backend.
pub(super) fn own_plan<K: Scheme>(cpu: ClmulCpu) -> Plan {
    Plan::on(cpu, K::Set::WORDS, K::Set::WORDS)
}

struct Ours<K> {
    operation: Operation,
    plan: Plan,
    scheme: PhantomData<K>,
}

impl<K: Scheme<Seed = [u8; 32]>> Work for Ours<K> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let Case { seed, message, salt, .. } = set::<K>().case(input.fill());
        let plan = self.plan;
        // By a given plan, because the experiment of paper 002 changes nothing but the products.
        let generate = move |seed: &[u8; 32]| {
            DecapsulationKey::<K>::from_seed_by_plan(plan, seed).expect("every plan here is for this ring")
        };
        let mut m = <K::Set as ParameterSet>::Message::zeroed();
        m.as_mut().copy_from_slice(&message);
        let key = generate(&seed);
        let ciphertext = key.encapsulation_key().encapsulate_deterministic(&m, &salt).0;
        let both = |(ciphertext, secret): &(Ciphertext<K>, SharedSecret<K>)| {
            words(&[ciphertext.as_ref(), secret.as_ref()].concat())
        };
        let secret = |secret: &SharedSecret<K>| words(secret.as_ref());
        match self.operation {
            Operation::Keygen => {
                repeat(move || generate(black_box(&seed)), |key| words((*key.to_bytes()).as_ref()))
            }
            Operation::Encaps => {
                let key = key.encapsulation_key().clone();
                repeat(move || key.encapsulate_deterministic(black_box(&m), &salt), both)
            }
            Operation::EncapsExpanded => {
                // An expanded key has many kilobytes. Boxed, it is not copied with the closure.
                let key = Box::new(key.encapsulation_key().expand());
                repeat(move || key.encapsulate_deterministic(black_box(&m), &salt), both)
            }
            Operation::DecapsExpanded => {
                let key = Box::new(key.expand());
                repeat(move || key.decapsulate(black_box(&ciphertext)), secret)
            }
            // Only decapsulation by bytes is left: `subjects` gets no other operations.
            _ => repeat(move || key.decapsulate(black_box(&ciphertext)), secret),
        }
    }
}
