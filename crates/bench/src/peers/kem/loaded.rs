//! Libraries with an interface in C: keys, ciphertexts and secrets are written where the caller says.
use crate::algebra::{Structure, subject};
use crate::f2x::digest;
use crate::hqc::case::{Case, Operation, Set, words};
use crate::input::{Input, Tag};
use crate::subject::{Runner, Subject, Work};
use std::hint::black_box;
use std::mem::take;
use std::rc::Rc;

/// Bytes of each buffer: more than any key or ciphertext has, so that a library of other sizes writes nowhere else.
const ROOM: usize = 1 << 17;

/// A buffer, aligned for structs with vectors.
#[repr(C, align(64))]
pub(super) struct Buffer([u8; ROOM]);

/// What a call writes and reads.
pub(super) struct Buffers {
    pub(super) public: Box<Buffer>,
    pub(super) secret: Box<Buffer>,
    pub(super) ciphertext: Box<Buffer>,
    pub(super) shared: Box<Buffer>,
}

impl Buffer {
    fn new() -> Box<Buffer> {
        Box::new(Buffer([0; ROOM]))
    }

    pub(super) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// What is called of a library.
pub(super) trait Kem {
    /// Whether it has a set.
    fn has(&self, set: &str) -> bool;
    /// Whether its random bytes can be chosen and its bytes are those of profile NR.
    fn is_nr(&self) -> bool;
    /// The random bytes of the calls that follow: each takes all of them.
    fn choose(&self, random: &[u8]);
    fn keygen(&self, set: &str, buffers: &mut Buffers);
    fn encaps(&self, set: &str, buffers: &mut Buffers);
    fn decaps(&self, set: &str, buffers: &mut Buffers);
}

/// A library that was loaded.
pub(crate) struct Library {
    name: &'static str,
    kem: Rc<dyn Kem>,
}

impl Library {
    pub(super) fn new(name: &'static str, kem: impl Kem + 'static) -> Library {
        Library { name, kem: Rc::new(kem) }
    }

    /// Its operations of a set, if it has that.
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
        let encapsulation = [&message[..], &salt].concat();
        let mut buffers = Buffers {
            public: Buffer::new(),
            secret: Buffer::new(),
            ciphertext: Buffer::new(),
            shared: Buffer::new(),
        };
        let (kem, set) = (&*self.kem, self.set.name);
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
    /// The tag of a key, an encapsulation or a decapsulation. Of a library with another profile it is the expected one if decapsulation gives the secret of
    /// encapsulation.
    fn verified(&self, input: &Input, buffers: &mut Buffers, [seed, encapsulation]: [&[u8]; 2]) -> Tag {
        let (kem, set) = (&*self.kem, self.set.name);
        kem.choose(seed);
        kem.keygen(set, buffers);
        kem.choose(encapsulation);
        kem.encaps(set, buffers);
        let encapsulated = buffers.shared.0;
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
