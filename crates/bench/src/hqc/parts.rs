//! The parts of the KEM's operations that can be called: products, ring elements of positions, hashes, codes
//! and the comparison.
use super::case::{Case, Operation, Set, words};
use super::hashes::{hashes, stream};
use crate::algebra;
use crate::calls::{repeat, repeat_in_place};
use crate::f2x::{Operands, digest, product};
use crate::input::{Fill, Input, Tag};
use crate::subject::{Runner, Subject, Work};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Modulus, Plan, from_exponents};
use carryless_hqc::parts::{CodeOf, Parts};
use carryless_hqc::{Array, Message, ParameterSet, Scheme};
use carryless_reference::gf2;
use ctutils::CtEq;
use std::hint::black_box;
use std::marker::PhantomData;

/// The parts that are measured on the best backend.
pub(super) const PARTS: [Operation; 12] = [
    Operation::Prepare,
    Operation::Product,
    Operation::KeySupport,
    Operation::ErrorSupport,
    Operation::Stream,
    Operation::KeygenHashes,
    Operation::EncapsHashes,
    Operation::DecapsHashes,
    Operation::Encode,
    Operation::Decode,
    Operation::ReedMuller,
    Operation::Compare,
];

/// The parameter set of a scheme.
pub(super) fn set<K: Scheme>() -> Set {
    Set::new::<K>(expected::<K>)
}

/// Parts as subjects of a library, with products by a plan.
pub(super) fn subjects<K: Scheme>(
    library: &str,
    plan: Plan,
    parts: &[Operation],
) -> Vec<(Operation, Subject)> {
    let work = |operation| Part::<K> { plan, operation, scheme: PhantomData };
    algebra::subjects(library, parts, plan.cpu().name(), work)
}

struct Part<K> {
    plan: Plan,
    operation: Operation,
    scheme: PhantomData<K>,
}

impl<K: Scheme> Work for Part<K> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let (plan, cpu, case) = (self.plan, self.plan.cpu(), set::<K>().case(input.fill()));
        match self.operation {
            Operation::Prepare => prepare::<K::Set>(plan, &case),
            Operation::Product => product_prepared::<K::Set>(plan, &case),
            Operation::KeySupport => support::<K::Set>(cpu, positions(&case, K::Set::N, K::Set::W)),
            Operation::ErrorSupport => support::<K::Set>(cpu, positions(&case, K::Set::N, K::Set::W_R)),
            Operation::Encode | Operation::Decode | Operation::ReedMuller => {
                code::<K>(cpu, self.operation, &case)
            }
            Operation::Compare => compare::<K>(&case),
            Operation::Stream => {
                let (h, seed) = (vec![0; K::Set::N.div_ceil(8)], case.seed);
                repeat_in_place(h, move |h| stream(cpu, black_box(&seed), h), |h| words(h))
            }
            // What is left are the hashes of a whole operation.
            operation => {
                let seed = case.seed;
                repeat(
                    move || hashes::<K>(cpu, operation, black_box(&seed)),
                    |ends| words(ends.as_flattened()),
                )
            }
        }
    }
}

/// The digest that a part must give, by the reference or by the backend with plain integers.
fn expected<K: Scheme>(operation: Operation, case: &Case) -> Tag {
    let n = K::Set::N;
    // Hashes and codes have no slow definition here. Plain integers share no vector code with the subjects.
    let soft = ClmulCpu::named("soft").expect("every CPU has plain integers");
    digest(&match operation {
        Operation::Prepare | Operation::Product => {
            let Operands { a, b } = operands(case, n);
            gf2::mod_xn_1(&product(&a, &b), n)
        }
        Operation::KeySupport => element(&positions(case, n, K::Set::W), n),
        Operation::ErrorSupport => element(&positions(case, n, K::Set::W_R), n),
        Operation::Compare => vec![1],
        Operation::Stream => {
            let mut h = vec![0; n.div_ceil(8)];
            stream(soft, &case.seed, &mut h);
            words(&h)
        }
        Operation::Decode => words(&case.message),
        Operation::Encode => Parts::<K>::on(soft).encode(&message::<K>(case)).as_ref().to_vec(),
        Operation::ReedMuller => words(Parts::<K>::on(soft).decode_symbols(&received::<K>(case)).as_ref()),
        _ => words(hashes::<K>(soft, operation, &case.seed).as_flattened()),
    })
}

/// Two elements of the ring, made of the case's seed.
fn operands(case: &Case, n: usize) -> Operands {
    let input = Input::new(n.div_ceil(8), 1, Fill::Random(u64::from(case.seed[0])));
    Operands::new(n, &case.seed, input.message(0))
}

fn prepare<'a, S: ParameterSet>(plan: Plan, case: &Case) -> Runner<'a> {
    let Operands { a, b } = operands(case, S::N);
    repeat_in_place(
        (vec![0; plan.prepared_words()], vec![0; plan.scratch_words()]),
        move |(prepared, scratch)| plan.prepare(black_box(&b), prepared, scratch),
        // Prepared factors have different forms on different backends; products with them do not.
        move |(prepared, _)| {
            let (mut out, mut scratch) = space::<S>(&plan);
            plan.mul_mod_prepared(cyclic::<S>(), &a, prepared, &mut out, &mut scratch);
            out
        },
    )
}

fn product_prepared<'a, S: ParameterSet>(plan: Plan, case: &Case) -> Runner<'a> {
    let Operands { a, b } = operands(case, S::N);
    let mut prepared = vec![0; plan.prepared_words()];
    plan.prepare(&b, &mut prepared, &mut space::<S>(&plan).1);
    repeat_in_place(
        space::<S>(&plan),
        move |(out, scratch)| plan.mul_mod_prepared(cyclic::<S>(), black_box(&a), &prepared, out, scratch),
        |(out, _)| out.clone(),
    )
}

/// Space for the result of a product, and its scratch, in words of 64 bits.
fn space<S: ParameterSet>(plan: &Plan) -> (Vec<u64>, Vec<u64>) {
    (vec![0; S::WORDS], vec![0; plan.part_scratch_words()])
}

/// The modulus X^n - 1 of a set's ring.
fn cyclic<S: ParameterSet>() -> Modulus<'static> {
    Modulus::new(const { &[S::N, 0] }).expect("two exponents in descending order")
}

/// `count` positions below n, all different: multiples of 12345 do not repeat modulo the prime n.
fn positions(case: &Case, n: usize, count: usize) -> Vec<u32> {
    // Two bytes of the seed, so that the two cases of a set have different positions.
    let first = usize::from(u16::from_le_bytes([case.seed[0], case.seed[1]]));
    // n is a prime.
    (0..count).map(|i| ((first + 12_345 * i) % n) as u32).collect()
}

fn element(positions: &[u32], n: usize) -> Vec<u64> {
    let mut words = vec![0; n.div_ceil(64)];
    positions.iter().for_each(|&at| words[at as usize / 64] |= 1 << (at % 64));
    words
}

fn support<'a, S: ParameterSet>(cpu: ClmulCpu, positions: Vec<u32>) -> Runner<'a> {
    repeat_in_place(
        vec![0; S::WORDS],
        move |out| from_exponents(cpu, black_box(&positions), out),
        |out| out.clone(),
    )
}

fn message<K: Scheme>(case: &Case) -> Message<K> {
    let mut message = Message::<K>::zeroed();
    message.as_mut().copy_from_slice(&case.message);
    message
}

/// A codeword with errors that the decoder corrects: one in seven bits of its first quarter.
fn received<K: Scheme>(case: &Case) -> CodeOf<K> {
    let mut code = Parts::<K>::on(ClmulCpu::detect()).encode(&message::<K>(case));
    let quarter = code.as_ref().len() / 4;
    // The set bits are the multiples of 7 from 0 to 56.
    code.as_mut()[..quarter].iter_mut().for_each(|word| *word ^= 0x0102_0408_1020_4081);
    code
}

fn code<'a, K: Scheme>(cpu: ClmulCpu, operation: Operation, case: &Case) -> Runner<'a> {
    let (parts, message, received) = (Parts::<K>::on(cpu), message::<K>(case), received::<K>(case));
    match operation {
        Operation::Encode => repeat(move || parts.encode(black_box(&message)), |code| code.as_ref().to_vec()),
        Operation::Decode => repeat(move || parts.decode(black_box(&received)), |m| words(m.as_ref())),
        _ => repeat(move || parts.decode_symbols(black_box(&received)), |symbols| words(symbols.as_ref())),
    }
}

/// The comparison of decapsulation, of u and v by words. Both sides are equal.
fn compare<'a, K: Scheme>(case: &Case) -> Runner<'a> {
    let words = K::Set::WORDS + K::Set::CODE_WORDS;
    let [a, b] = [(); 2].map(|()| vec![u64::from(case.seed[0]); words]);
    repeat(move || black_box(&a[..]).ct_eq(black_box(&b[..])), |equal| vec![u64::from(equal.to_bool())])
}
