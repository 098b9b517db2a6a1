//! The cases of `carryless-hqc`: all schemes, with secret keys, messages and ciphertexts.
//!
//! Two facts are public: the number of candidates that the sampler of y and x reads, and whether a
//! decapsulation key is valid. `ctime/public.supp` suppresses both.
mod input;
mod keys;

use crate::cases::Case;
use crate::secret::{array, message, publish, word};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::Plan;
use carryless_hqc::code::{reed_muller, reed_solomon};
use carryless_hqc::keccak::{SHA3_512, SHAKE256, Stream, permute, permute_many, run};
use carryless_hqc::{
    DecapsulationKey, EncapsulationKey, Hqc1, ParameterSet, Scheme, SchemeId, SchemeVisitor, SharedSecret,
};
use ctutils::CtEq;
use input::{Secrets, ciphertexts, key_bytes, public_key, publish_bytes, secret, secret_key};
use kem::{Decapsulate, Decapsulator, Encapsulate, Generate, KeyExport, KeyInit, TryKeyInit};
use keys::{any_keys, export, hybrids, import_files};

/// The only length for which most cases run, once: schemes have sizes of their own.
pub const SIZE: usize = 4;

/// The `run` of a case that calls a function for each scheme.
macro_rules! of_schemes {
    ($run:ident) => {
        |cpu, n| {
            struct Call(ClmulCpu);
            impl SchemeVisitor for Call {
                type Output = ();
                fn visit<K: Scheme>(self) {
                    $run::<K>(self.0);
                }
            }
            if n == SIZE {
                SchemeId::ALL.iter().for_each(|id| id.dispatch(Call(cpu)));
            }
        }
    };
}

/// The `run` of a case without lengths: it calls the function once, for [`SIZE`].
macro_rules! once {
    ($run:ident) => {
        |cpu, n| {
            if n == SIZE {
                $run(cpu);
            }
        }
    };
}

/// A case for every function that takes a secret.
pub const CASES: &[Case<ClmulCpu>] = &[
    Case {
        functions: &[
            "decapsulation::DecapsulationKey::from_seed_on",
            "decapsulation::DecapsulationKey::to_bytes",
            "decapsulation::DecapsulationKey::to_bytes_into",
            "decapsulation::DecapsulationKey::as_seed",
            "decapsulation::DecapsulationKey::encapsulation_key",
            "decapsulation::DecapsulationKey as Clone",
        ],
        run: of_schemes!(generation),
    },
    Case {
        functions: &[
            "decapsulation::DecapsulationKey::from_bytes_on",
            "decapsulation::DecapsulationKey::from_bytes_unchecked",
        ],
        run: of_schemes!(import),
    },
    Case {
        functions: &["encapsulation::EncapsulationKey::encapsulate_deterministic"],
        run: of_schemes!(encapsulation),
    },
    Case {
        functions: &["encapsulation::ExpandedEncapsulationKey::encapsulate_deterministic"],
        run: of_schemes!(expanded_encapsulation),
    },
    Case { functions: &["decapsulation::DecapsulationKey::decapsulate"], run: of_schemes!(decapsulation) },
    Case {
        functions: &[
            "decapsulation::DecapsulationKey::expand",
            "decapsulation::ExpandedDecapsulationKey::decapsulate",
        ],
        run: of_schemes!(expanded_decapsulation),
    },
    Case {
        functions: &[
            "decapsulation::DecapsulationKey::generate_from_rng",
            "decapsulation::DecapsulationKey::try_generate_from_rng",
            "decapsulation::DecapsulationKey::from_seed",
            "decapsulation::DecapsulationKey::from_seed_by_plan",
            "decapsulation::DecapsulationKey::from_bytes",
            "encapsulation::EncapsulationKey::encapsulate_with_rng",
            "encapsulation::ExpandedEncapsulationKey::encapsulate_with_rng",
        ],
        run: once!(other_entries),
    },
    Case {
        functions: &[
            "values::SharedSecret::as_bytes",
            "values::SharedSecret as AsRef",
            "values::SharedSecret as Clone",
            "values::SharedSecret as CtEq",
            "values::SharedSecret as PartialEq",
        ],
        run: once!(secrets),
    },
    Case {
        functions: &[
            "traits::DecapsulationKey as KeyInit",
            "traits::DecapsulationKey as KeyExport",
            "traits::DecapsulationKey as Generate",
            "traits::DecapsulationKey as Decapsulator",
            "traits::DecapsulationKey as Decapsulate",
            "traits::EncapsulationKey as Encapsulate",
        ],
        run: once!(traits),
    },
    Case {
        functions: &[
            "reed_muller::encode",
            "reed_muller::decode",
            "reed_solomon::encode",
            "reed_solomon::decode",
        ],
        run: of_schemes!(code),
    },
    Case {
        functions: &["stream::Stream::new", "stream::Stream::skip", "stream::Stream as Advance", "run::run"],
        run: |cpu, n| sponges(cpu, n * 40),
    },
    Case {
        functions: &[
            "any::FromSeed as SchemeVisitor",
            "any::FromBytes as SchemeVisitor",
            "any::AnyEncapsulationKey::encapsulate",
            "any::AnyDecapsulationKey as From",
            "any::AnyDecapsulationKey::encapsulation_key",
            "any::AnyDecapsulationKey::as_seed",
            "any::AnyDecapsulationKey::to_bytes_into",
            "any::AnyDecapsulationKey::expand",
            "any::AnyDecapsulationKey::decapsulate",
            "any::EncapsulationKey as Public",
            "any::ExpandedEncapsulationKey as Public",
            "any::DecapsulationKey as Secret",
        ],
        run: of_schemes!(any_keys),
    },
    Case {
        functions: &[
            "key_file::DecapsulationKey::to_pkcs8_der",
            "key_file::DecapsulationKey::to_pkcs8_pem",
            "key_file::private_to_pem",
            "any::AnyDecapsulationKey::to_pkcs8_der",
            "any::AnyDecapsulationKey::to_pkcs8_pem",
            "structure::PrivateFile::write",
        ],
        run: once!(export),
    },
    Case {
        functions: &[
            "key_file::DecapsulationKey::from_pkcs8_der",
            "key_file::DecapsulationKey::from_pkcs8_pem",
            "key_file::DecapsulationKey::from_private_file",
            "any::AnyDecapsulationKey::from_pkcs8_der",
            "any::AnyDecapsulationKey::from_pkcs8_pem",
            "structure::PrivateFile::parse",
            "structure::PrivateFile::identifier",
        ],
        run: once!(import_files),
    },
    Case {
        functions: &[
            "hybrid::DecapsulationKey::generate_from_rng",
            "hybrid::DecapsulationKey::from_seed",
            "hybrid::DecapsulationKey::as_seed",
            "hybrid::DecapsulationKey::encapsulation_key",
            "hybrid::DecapsulationKey::decapsulate",
            "hybrid::EncapsulationKey::encapsulate_with_rng",
            "hybrid::EncapsulationKey::encapsulate_deterministic",
        ],
        run: once!(hybrids),
    },
    Case { functions: &["permutation::permute", "permutation::permute_many"], run: once!(permutations) },
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("decapsulation::ExpandedDecapsulationKey::encapsulation_key", "encapsulation keys are public"),
    ("any::PublicFromBytes as SchemeVisitor", "encapsulation keys are public"),
    ("any::AnyEncapsulationKey::scheme", "names a scheme"),
    ("any::AnyEncapsulationKey::as_bytes", "encapsulation keys are public"),
    ("any::AnyEncapsulationKey::expand", "encapsulation keys are public"),
    ("any::AnyEncapsulationKey as From", "encapsulation keys are public"),
    ("any::AnyEncapsulationKey as PartialEq", "encapsulation keys are public"),
    ("any::AnyDecapsulationKey::scheme", "names a scheme"),
    ("any::AnyEncapsulationKey::from_public_key_der", "encapsulation keys are public"),
    ("any::AnyEncapsulationKey::from_public_key_pem", "encapsulation keys are public"),
    ("any::AnyEncapsulationKey::to_public_key_der", "encapsulation keys are public"),
    ("any::AnyEncapsulationKey::to_public_key_pem", "encapsulation keys are public"),
    ("hybrid::EncapsulationKey::from_bytes", "encapsulation keys are public"),
    ("hybrid::EncapsulationKey::to_bytes", "encapsulation keys are public"),
    ("hybrid::EncapsulationKey as Clone", "encapsulation keys are public"),
    ("key_file::EncapsulationKey::from_public_key_der", "encapsulation keys are public"),
    ("key_file::EncapsulationKey::from_public_key_pem", "encapsulation keys are public"),
    ("key_file::EncapsulationKey::from_public_file", "encapsulation keys are public"),
    ("key_file::EncapsulationKey::to_public_key_der", "encapsulation keys are public"),
    ("key_file::EncapsulationKey::to_public_key_pem", "encapsulation keys are public"),
    ("key_file::public_to_pem", "encapsulation keys are public"),
    ("key_file::identifier", "names a scheme"),
    ("key_file::scheme_of", "names a scheme"),
    ("key_file::KeyFileError as From", "takes an error"),
    ("structure::PublicFile::parse", "encapsulation keys are public"),
    ("structure::PublicFile::identifier", "encapsulation keys are public"),
    ("structure::PublicFile::key", "encapsulation keys are public"),
    ("structure::PublicFile::write", "encapsulation keys are public"),
    ("encapsulation::EncapsulationKey::from_bytes", "encapsulation keys are public"),
    ("encapsulation::EncapsulationKey::from_bytes_on", "encapsulation keys are public"),
    ("encapsulation::EncapsulationKey::from_bytes_unchecked", "encapsulation keys are public"),
    ("encapsulation::EncapsulationKey::as_bytes", "encapsulation keys are public"),
    ("encapsulation::EncapsulationKey::expand", "encapsulation keys are public"),
    ("encapsulation::EncapsulationKey as PartialEq", "encapsulation keys are public"),
    ("encapsulation::EncapsulationKey::backend", "names a backend"),
    ("encapsulation::ExpandedEncapsulationKey::encapsulation_key", "encapsulation keys are public"),
    ("traits::EncapsulationKey as TryKeyInit", "encapsulation keys are public"),
    ("traits::EncapsulationKey as KeyExport", "encapsulation keys are public"),
    ("values::Ciphertext::from_bytes", "ciphertexts are public"),
    ("values::Ciphertext::as_bytes", "ciphertexts are public"),
    ("values::Ciphertext as AsRef", "ciphertexts are public"),
    ("values::Ciphertext as PartialEq", "ciphertexts are public"),
    ("scheme::dispatch", "names a scheme"),
    ("scheme::name", "names a scheme"),
    ("scheme::profile", "names a scheme"),
    ("scheme::SchemeId::from_names", "names a scheme"),
    ("scheme::SchemeId::dispatch_nr", "names a scheme"),
    ("scheme::SchemeId::sizes", "sizes are public"),
    ("scheme::Sizes::of", "sizes are public"),
    ("tls::Classical::code_point", "names a curve"),
    ("tls::Classical::public_key_bytes", "sizes are public"),
    ("tls::Classical::secret_bytes", "sizes are public"),
    ("tls::Group::from_name", "names a group"),
    ("tls::Group::client_share_bytes", "sizes are public"),
    ("tls::Group::server_share_bytes", "sizes are public"),
    ("tls::Group::secret_bytes", "sizes are public"),
    ("tls::Group::split_client_share", "shares are public"),
    ("tls::Group::split_server_share", "shares are public"),
    ("profile::Nr as Profile", "names an edition"),
    ("profile::V5 as Profile", "names an edition"),
    ("profile::Legacy as Profile", "names an edition"),
    ("error::Error::scheme", "errors are public"),
    ("error::Error::profile", "errors are public"),
    ("error::Error::kind", "errors are public"),
    ("error::Error::defect", "errors are public"),
];

fn generation<K: Scheme>(cpu: ClmulCpu) {
    let key = secret_key::<K>(cpu);
    publish_bytes((*key.clone().to_bytes()).as_ref());
    let mut bytes = vec![0; size_of::<K::DecapsulationKeyBytes>()];
    key.to_bytes_into(&mut bytes).expect("as many bytes");
    publish_bytes(&bytes);
    publish_bytes(key.as_seed().as_ref());
    publish_bytes(key.encapsulation_key().as_bytes().as_ref());
}

fn import<K: Scheme>(cpu: ClmulCpu) {
    let bytes = key_bytes::<K>(cpu);
    let keys = [
        DecapsulationKey::<K>::from_bytes_on(cpu, &bytes).expect("a key"),
        DecapsulationKey::<K>::from_bytes_unchecked(cpu, &bytes).expect("a key"),
    ];
    keys.iter().for_each(|key| publish_bytes(key.as_seed().as_ref()));
    // This key does not agree with its seed, so it is refused.
    let mut changed = bytes;
    *changed.last_mut().expect("a key has bytes") ^= 1;
    publish(DecapsulationKey::<K>::from_bytes_on(cpu, &changed).is_err());
}

fn encapsulation<K: Scheme>(cpu: ClmulCpu) {
    let key = public_key(&secret_key::<K>(cpu));
    let (ciphertext, secret) = key.encapsulate_deterministic(&secret(), &array());
    publish_bytes(ciphertext.as_ref());
    publish_bytes(secret.as_ref());
}

fn expanded_encapsulation<K: Scheme>(cpu: ClmulCpu) {
    let key = public_key(&secret_key::<K>(cpu)).expand();
    let (ciphertext, secret) = key.encapsulate_deterministic(&secret(), &array());
    publish_bytes(ciphertext.as_ref());
    publish_bytes(secret.as_ref());
}

fn decapsulation<K: Scheme>(cpu: ClmulCpu) {
    let key = secret_key::<K>(cpu);
    for ciphertext in ciphertexts(&key) {
        publish_bytes(key.decapsulate(&ciphertext).as_ref());
    }
}

fn expanded_decapsulation<K: Scheme>(cpu: ClmulCpu) {
    let key = secret_key::<K>(cpu);
    let expanded = key.expand();
    for ciphertext in ciphertexts(&key) {
        publish_bytes(expanded.decapsulate(&ciphertext).as_ref());
    }
}

/// Checks functions that differ from the others only in the source of backend, plan or random numbers.
fn other_entries(cpu: ClmulCpu) {
    type K = Hqc1;
    let words = <K as Scheme>::Set::WORDS;
    let plan = Plan::on(cpu, words, words);
    let keys = [
        DecapsulationKey::<K>::generate_from_rng(&mut Secrets),
        DecapsulationKey::<K>::try_generate_from_rng(&mut Secrets).unwrap_or_else(|never| match never {}),
        DecapsulationKey::<K>::from_seed(&secret()),
        DecapsulationKey::<K>::from_seed_by_plan(plan, &secret()).expect("a plan for its size"),
        DecapsulationKey::<K>::from_bytes(&key_bytes::<K>(cpu)).expect("a key"),
    ];
    keys.iter().for_each(|key| publish_bytes(key.as_seed().as_ref()));
    let key = public_key(&keys[0]);
    let results = [key.encapsulate_with_rng(&mut Secrets), key.expand().encapsulate_with_rng(&mut Secrets)];
    results.iter().for_each(|(ciphertext, _)| publish_bytes(ciphertext.as_ref()));
}

fn secrets(cpu: ClmulCpu) {
    let key = secret_key::<Hqc1>(cpu);
    let [a, b, _] = ciphertexts(&key).map(|ciphertext| key.decapsulate(&ciphertext));
    publish([a.ct_eq(&b), a.ct_eq(&a.clone())]);
    publish(a == b);
    publish(*SharedSecret::as_bytes(&a));
}

fn traits(cpu: ClmulCpu) {
    let key = <DecapsulationKey<Hqc1> as KeyInit>::new(&array().into());
    publish_bytes(&KeyExport::to_bytes(&key));
    publish_bytes(Decapsulator::encapsulation_key(&key).as_bytes());
    let generated = <DecapsulationKey<Hqc1> as Generate>::try_generate_from_rng(&mut Secrets)
        .unwrap_or_else(|never| match never {});
    publish_bytes(&KeyExport::to_bytes(&generated));
    let public = KeyExport::to_bytes(&public_key(&secret_key::<Hqc1>(cpu)));
    let public = <EncapsulationKey<Hqc1> as TryKeyInit>::new(&public).expect("a key");
    let (ciphertext, secret) = Encapsulate::encapsulate_with_rng(&public, &mut Secrets);
    publish_bytes(&secret);
    publish_bytes(&Decapsulate::decapsulate(&key, &ciphertext));
}

/// Encodes a message, and decodes words with no errors, with as many as the code corrects, and with errors everywhere.
fn code<K: Scheme>(cpu: ClmulCpu) {
    let (mut symbols, mut bits) = (vec![0; K::Set::N1], vec![0; K::Set::CODE_WORDS]);
    reed_solomon::encode::<K::Set>(cpu, &message(K::Set::K), &mut symbols);
    reed_muller::encode(&symbols, K::Set::COPIES, &mut bits);
    for errors in [0, K::Set::DELTA, K::Set::N1] {
        let mut received = bits.clone();
        let block = 2 * K::Set::COPIES;
        // At least one bit of each of these words changes, whatever the secret is.
        received[..errors * block].iter_mut().for_each(|bits| *bits ^= word() | 1);
        reed_muller::decode(cpu, &received, K::Set::COPIES, &mut symbols);
        let mut found = vec![0; K::Set::K];
        reed_solomon::decode::<K::Set>(cpu, &symbols, &mut found);
        publish_bytes(&found);
    }
}

/// Hashes `len` bytes several times, interleaved and one after the other.
fn sponges(cpu: ClmulCpu, len: usize) {
    let input = message(len);
    let (mut a, mut b, mut c) = (vec![0; 64], vec![0; len + 1], vec![0; 9]);
    let parts: [&[u8]; 2] = [&input, &[1]];
    let mut streams = [
        Stream::new(SHA3_512, &parts, &mut a),
        Stream::new(SHAKE256, &parts, &mut b),
        Stream::new(SHAKE256, &parts, &mut c).skip(len),
    ];
    let [first, second, third] = &mut streams;
    run(cpu, &mut [first, second], &mut [third]);
    let [_, _, third] = &mut streams;
    run(cpu, &mut [third], &mut []);
    drop(streams);
    [a, b, c].iter().for_each(|bytes| publish_bytes(bytes));
}

/// Permutes one state, then as many as a wide vector has words.
fn permutations(cpu: ClmulCpu) {
    let mut state: [u64; 25] = std::array::from_fn(|_| word());
    permute(&mut state, &array());
    publish(state);
    let blocks: Vec<_> = (0..cpu.wide_words()).map(|_| array()).collect();
    let mut states: Vec<u64> = (0..25 * blocks.len()).map(|_| word()).collect();
    permute_many(cpu, &mut states, &blocks.iter().collect::<Vec<_>>());
    states.into_iter().for_each(publish);
}
