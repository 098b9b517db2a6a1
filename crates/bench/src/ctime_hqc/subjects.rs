//! Pairs of classes of calls.
//!
//! Members of both classes are made in the same way and in advance. Before its call a member is copied to a
//! slot whose class is drawn anew for each batch, so that no address belongs to a class.
use carryless_hqc::code::{reed_muller, reed_solomon};
use carryless_hqc::keccak::{SHAKE256, Stream, permute, run};
use carryless_hqc::parts::{Parts, SeedOf};
use carryless_hqc::{Array, Ciphertext, ClmulCpu, DecapsulationKey, Message, ParameterSet, Scheme};
use std::hint::black_box;

/// Number of members of a class, from which each call draws one.
const MEMBERS: usize = 64;

/// Number of inputs of a batch of calls. The inputs of HQC-5 take 350 kB, which an L2 cache holds.
pub(super) const SLOTS: usize = 16;

/// Bytes of the salt that ends a ciphertext.
const SALT: usize = 16;

/// A call whose inputs belong to one of two classes.
pub(super) trait Subject {
    /// Copies a member of the class into the slot, outside the timing.
    fn fill(&mut self, slot: usize, class: bool, member: usize);
    /// The timed call, with the input in the slot.
    fn call(&mut self, slot: usize);
}

/// The generator splitmix64. It is predictable, which does not matter for test inputs.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(super) fn bytes<A: Array<u8>>(&mut self) -> A {
        let mut bytes = A::zeroed();
        bytes.as_mut().iter_mut().for_each(|byte| *byte = self.next() as u8);
        bytes
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Number of wrong symbols that the decoder can correct: delta.
pub(super) fn most_errors<K: Scheme>() -> usize {
    K::Set::DELTA
}

/// A random message, and its codeword with `errors` wrong symbols.
fn received<K: Scheme>(cpu: ClmulCpu, errors: usize, random: &mut Random) -> (Message<K>, Vec<u64>) {
    let message: Message<K> = random.bytes();
    let (mut symbols, mut bits) = (vec![0; K::Set::N1], vec![0; K::Set::CODE_WORDS]);
    reed_solomon::encode::<K::Set>(cpu, message.as_ref(), &mut symbols);
    // Places are drawn without repetition, so that as many symbols are wrong as asked for.
    let mut places: Vec<usize> = (0..symbols.len()).collect();
    for _ in 0..errors {
        let place = places.swap_remove(random.below(places.len()));
        // Never 0, which would leave the symbol as it is.
        symbols[place] ^= 1 + random.below(255) as u8;
    }
    reed_muller::encode(&symbols, K::Set::COPIES, &mut bits);
    (message, bits)
}

/// The members of both classes. `make` gets the class, 0 or 1.
fn classes<T>(mut make: impl FnMut(usize) -> T) -> [Vec<T>; 2] {
    [0, 1].map(|class| (0..MEMBERS).map(|_| make(class)).collect())
}

/// Calls of the decoder, from received bits to a message.
pub(super) struct Decoding<K: Scheme> {
    cpu: ClmulCpu,
    classes: [Vec<(Message<K>, Vec<u64>)>; 2],
    slots: Vec<Vec<u64>>,
    symbols: Vec<u8>,
    message: Message<K>,
}

impl<K: Scheme> Decoding<K> {
    /// Two classes of codewords, with these numbers of wrong symbols.
    pub(super) fn new(cpu: ClmulCpu, errors: [usize; 2]) -> Self {
        let mut random = Random::new(1);
        let classes = classes(|class| received::<K>(cpu, errors[class], &mut random));
        Decoding {
            cpu,
            slots: vec![classes[0][0].1.clone(); SLOTS],
            classes,
            symbols: vec![0; K::Set::N1],
            message: Array::zeroed(),
        }
    }
}

impl<K: Scheme> Subject for Decoding<K> {
    fn fill(&mut self, slot: usize, class: bool, member: usize) {
        self.slots[slot].copy_from_slice(&self.classes[usize::from(class)][member % MEMBERS].1);
    }

    fn call(&mut self, slot: usize) {
        reed_muller::decode(self.cpu, &self.slots[slot], K::Set::COPIES, &mut self.symbols);
        reed_solomon::decode::<K::Set>(self.cpu, &self.symbols, self.message.as_mut());
        black_box(&self.message);
    }
}

/// Calls of decapsulation with a key and a ciphertext.
pub(super) struct Decapsulation<K: Scheme> {
    classes: [Vec<(DecapsulationKey<K>, Ciphertext<K>)>; 2],
    slots: Vec<(DecapsulationKey<K>, Ciphertext<K>)>,
}

impl<K: Scheme> Decapsulation<K> {
    fn new(mut make: impl FnMut(usize) -> (DecapsulationKey<K>, Ciphertext<K>)) -> Self {
        let classes = classes(&mut make);
        Decapsulation { slots: vec![classes[0][0].clone(); SLOTS], classes }
    }

    /// Two classes: valid ciphertexts, and ciphertexts with one bit changed.
    pub(super) fn of_validity(cpu: ClmulCpu) -> Self {
        let mut random = Random::new(2);
        let key = key::<K>(cpu, &mut random);
        Self::new(|class| {
            let mut bytes = *encapsulated(&key, &mut random).as_bytes();
            let place = random.below(8 * bytes.as_ref().len());
            // Both classes do the same work. That of valid ciphertexts changes its bit by 0.
            bytes.as_mut()[place / 8] ^= (class as u8) << (place % 8);
            (key.clone(), ciphertext(&bytes))
        })
    }

    /// Two classes: ciphertexts of one key and of another. The number of candidates that the sampler of y
    /// reads is public, so both keys read the same number.
    pub(super) fn of_keys(cpu: ClmulCpu) -> Self {
        let mut random = Random::new(3);
        let keys = [key::<K>(cpu, &mut random), key::<K>(cpu, &mut random)];
        Self::new(|class| (keys[class].clone(), encapsulated(&keys[class], &mut random)))
    }

    /// Two classes of ciphertexts with u = 0, so that the decoder gets v: codewords with these numbers of
    /// wrong symbols. Decapsulation rejects all of them.
    pub(super) fn of_errors(cpu: ClmulCpu, errors: [usize; 2]) -> Self {
        let mut random = Random::new(4);
        let key = key::<K>(cpu, &mut random);
        Self::new(|class| {
            let mut bytes = K::CiphertextBytes::zeroed();
            let (body, salt) = bytes.as_mut().split_at_mut(K::Set::RING_BYTES + K::Set::CODE_BYTES);
            let (_, bits) = received::<K>(cpu, errors[class], &mut random);
            for (bytes, word) in body[K::Set::RING_BYTES..].chunks_exact_mut(8).zip(bits) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            salt.copy_from_slice(&random.bytes::<[u8; SALT]>());
            (key.clone(), ciphertext(&bytes))
        })
    }
}

impl<K: Scheme> Subject for Decapsulation<K> {
    fn fill(&mut self, slot: usize, class: bool, member: usize) {
        let (key, ciphertext) = &self.classes[usize::from(class)][member % MEMBERS];
        // Both are copied to the places of the slot, so that all calls of a slot read the same addresses.
        self.slots[slot].0.clone_from(key);
        self.slots[slot].1 = *ciphertext;
    }

    fn call(&mut self, slot: usize) {
        let (key, ciphertext) = &self.slots[slot];
        black_box(key.decapsulate(black_box(ciphertext)));
    }
}

/// The name of [`Planted`] in the output.
pub(super) const PLANTED: &str = "one permutation more for a rejection";

/// Decapsulation with a planted leak: one more permutation of Keccak for ciphertexts that are rejected.
pub(super) struct Planted<K: Scheme> {
    decapsulation: Decapsulation<K>,
    rejected: [bool; SLOTS],
}

impl<K: Scheme> Planted<K> {
    pub(super) fn new(cpu: ClmulCpu) -> Self {
        Planted { decapsulation: Decapsulation::of_validity(cpu), rejected: [false; SLOTS] }
    }
}

impl<K: Scheme> Subject for Planted<K> {
    fn fill(&mut self, slot: usize, class: bool, member: usize) {
        self.decapsulation.fill(slot, class, member);
        self.rejected[slot] = class;
    }

    fn call(&mut self, slot: usize) {
        self.decapsulation.call(slot);
        // A branch on the validity of a ciphertext is what the library must avoid.
        if black_box(self.rejected[slot]) {
            let mut state = [0; 25];
            // 136 bytes is the rate of SHAKE256, hence one block and one permutation.
            permute(&mut state, black_box(&[0; 136]));
            black_box(state);
        }
    }
}

fn ciphertext<K: Scheme>(bytes: &K::CiphertextBytes) -> Ciphertext<K> {
    Ciphertext::from_bytes(bytes.as_ref()).expect("it has the length of one")
}

fn encapsulated<K: Scheme>(key: &DecapsulationKey<K>, random: &mut Random) -> Ciphertext<K> {
    key.encapsulation_key().encapsulate_deterministic(&random.bytes(), &random.bytes()).0
}

/// A key whose sampler of y accepts all candidates that it reads first, as many as y has positions.
pub(super) fn key<K: Scheme>(cpu: ClmulCpu, random: &mut Random) -> DecapsulationKey<K> {
    loop {
        let seed = random.bytes();
        if candidates_suffice::<K>(cpu, &Parts::<K>::on(cpu).key_seeds(&seed).secret) {
            return DecapsulationKey::from_seed_on(cpu, &seed);
        }
    }
}

/// Whether the sampler of y accepts its first candidates, of three bytes each, for all positions. `secret`
/// is the seed of y.
pub(super) fn candidates_suffice<K: Scheme>(cpu: ClmulCpu, secret: &SeedOf<K>) -> bool {
    let mut stream = vec![0; 3 * K::Set::W];
    // The byte 1 is the specification's domain of expanded seeds.
    run(cpu, &mut [&mut Stream::new(SHAKE256, &[secret.as_ref(), &[1]], &mut stream)], &mut []);
    let candidates =
        stream.chunks_exact(3).map(|c| usize::from(c[0]) | usize::from(c[1]) << 8 | usize::from(c[2]) << 16);
    let n = K::Set::N;
    // The sampler rejects candidates from the greatest multiple of n on, which would favour small positions,
    // and positions that it has already. The set leaves out the latter.
    let accepted: std::collections::BTreeSet<usize> =
        candidates.filter(|&c| c < (1 << 24) / n * n).map(|c| c % n).collect();
    accepted.len() == K::Set::W
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_hqc::Hqc1;

    #[test]
    fn the_decoder_corrects_one_class_and_not_the_other() {
        let delta = most_errors::<Hqc1>();
        let mut subject = Decoding::<Hqc1>::new(ClmulCpu::detect(), [delta, delta + 3]);
        let members = [(false, 0), (true, 0), (false, MEMBERS + 1), (true, MEMBERS + 1)];
        for (slot, (class, member)) in members.into_iter().enumerate() {
            subject.fill(slot, class, member);
        }
        for (slot, (class, member)) in members.into_iter().enumerate() {
            subject.call(slot);
            let sent = subject.classes[usize::from(class)][member % MEMBERS].0;
            assert_eq!(subject.message == sent, !class);
        }
    }

    /// The first bytes of a stream decide whether a key is taken, so both answers occur.
    #[test]
    fn keys_with_rejected_candidates_are_not_taken() {
        let (cpu, mut random) = (ClmulCpu::detect(), Random::new(5));
        let mut suffices = || candidates_suffice::<Hqc1>(cpu, &random.bytes());
        let count = (0..100).filter(|_| suffices()).count();
        assert!((60..100).contains(&count), "{count}");
    }
}
