//! Libraries with a C interface, which writes keys, ciphertexts and secrets to buffers of the caller.
use crate::algebra::{Structure, subject};
use crate::f2x::digest;
use crate::hqc::case::{Case, Operation, Set, words};
use crate::input::{Input, Tag};
use crate::subject::{Runner, Subject, Work};
use std::hint::black_box;
use std::mem::take;
use std::rc::Rc;

/// Size of each buffer in bytes. It exceeds every key and ciphertext, so that a library with other sizes
/// does not write beyond it.
const ROOM: usize = 1 << 17;

/// A buffer, aligned for structs with vectors.
#[repr(C, align(64))]
pub(super) struct Buffer([u8; ROOM]);

/// The buffers that calls write and read, one for each argument.
pub(super) struct Buffers {
    pub(super) public: Box<Buffer>,
    pub(super) secret: Box<Buffer>,
    pub(super) ciphertext: Box<Buffer>,
    pub(super) shared: Box<Buffer>,
}

impl Buffer {
    fn new() -> Box<Buffer> {
        // 128 KiB each is much for a stack.
        Box::new(Buffer([0; ROOM]))
    }

    pub(super) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// The functions of a library. Each writes its results to the buffers and reads its operands from them.
pub(super) trait Kem {
    /// Whether the library has a parameter set, `HQC-1` for example.
    fn has(&self, set: &str) -> bool;
    /// Whether the library is of profile NR and takes the random bytes that are chosen, so that
    /// its bytes can be compared.
    fn is_nr(&self) -> bool;
    /// Chooses the random bytes of the calls that follow. Each call uses all of them, then they begin again.
    fn choose(&self, random: &[u8]);
    fn keygen(&self, set: &str, buffers: &mut Buffers);
    fn encaps(&self, set: &str, buffers: &mut Buffers);
    fn decaps(&self, set: &str, buffers: &mut Buffers);
}

/// A library that was loaded, with its name in subjects.
pub(crate) struct Library {
    name: &'static str,
    kem: Rc<dyn Kem>,
}

impl Library {
    pub(super) fn new(name: &'static str, kem: impl Kem + 'static) -> Library {
        Library { name, kem: Rc::new(kem) }
    }

    /// The library's operations of a parameter set; none if it lacks the set.
    pub(crate) fn subjects(&self, set: &Set) -> Vec<(Operation, Subject)> {
        if !self.kem.has(set.name) {
            return vec![];
        }
        let one = |operation| {
            let work = Loaded { kem: self.kem.clone(), set: *set, operation };
            subject(self.name, operation, "any", work)
        };
        Operation::KEM.map(one).into()
    }
}

struct Loaded {
    kem: Rc<dyn Kem>,
    set: Set,
    operation: Operation,
}

impl Work for Loaded {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let Case { seed, message, salt, .. } = self.set.case(input.fill());
        // HQC draws the message first, then the salt.
        let encapsulation = [&message[..], &salt].concat();
        let mut buffers = Buffers {
            public: Buffer::new(),
            secret: Buffer::new(),
            ciphertext: Buffer::new(),
            shared: Buffer::new(),
        };
        let (kem, set) = (&*self.kem, self.set.name);
        // Encapsulation reads a key and decapsulation a ciphertext, so both exist before the first timed
        // call.
        kem.choose(&seed);
        kem.keygen(set, &mut buffers);
        kem.choose(&encapsulation);
        kem.encaps(set, &mut buffers);
        let mut fresh = true;
        Box::new(move |tags, times| {
            let buffers = black_box(&mut buffers);
            if take(&mut fresh) {
                tags[0] = self.verified(input, buffers, [&seed, &encapsulation]);
            }
            match self.operation {
                Operation::Keygen => {
                    // Chosen for each sample, because the subject before may have left other bytes.
                    kem.choose(&seed);
                    (0..times).for_each(|_| kem.keygen(set, buffers));
                }
                Operation::Encaps => {
                    kem.choose(&encapsulation);
                    (0..times).for_each(|_| kem.encaps(set, buffers));
                }
                _ => (0..times).for_each(|_| kem.decaps(set, buffers)),
            }
        })
    }
}

impl Loaded {
    /// The tag of a key, an encapsulation or a decapsulation. For a library of another profile it is the
    /// expected tag if decapsulation gives the secret of encapsulation.
    fn verified(&self, input: &Input, buffers: &mut Buffers, [seed, encapsulation]: [&[u8]; 2]) -> Tag {
        let (kem, set) = (&*self.kem, self.set.name);
        kem.choose(seed);
        kem.keygen(set, buffers);
        kem.choose(encapsulation);
        kem.encaps(set, buffers);
        let encapsulated = buffers.shared.0;
        // An empty buffer, so that a decapsulation that writes nothing is noticed.
        buffers.shared = Buffer::new();
        kem.decaps(set, buffers);
        let [key, ciphertext, secret] = self.set.sizes();
        let shared = &buffers.shared.0[..secret];
        if !kem.is_nr() {
            let agreed = encapsulated == buffers.shared.0 && shared.iter().any(|byte| *byte != 0);
            return if agreed { self.set.expected(self.operation, input) } else { Tag::default() };
        }
        digest(&words(&match self.operation {
            Operation::Keygen => buffers.secret.0[..key].to_vec(),
            Operation::Encaps => [&buffers.ciphertext.0[..ciphertext], &encapsulated[..secret]].concat(),
            _ => shared.to_vec(),
        }))
    }
}
