//! The cases of `carryless-aead`.
use crate::cases::{Case, pieces};
use crate::secret::{array, message, publish};
use crate::valgrind::{declassify, unreported};
use carryless_aead::aead::{
    self, AeadInOut, ChaCha20Poly1305, KeyInit, XChaCha20DecBrw1305, XChaCha20Poly1305,
};
use carryless_aead::file_mac::{Algorithm, FileMac, PART, Subject};
use carryless_aead::hchacha20;
use carryless_aead::wegman_carter::{Nonce, WegmanCarter};
use carryless_hash::{Cpu, Tag};

/// A case for every function that takes a secret. The length is that of a message, in bytes.
pub const CASES: &[Case<Cpu>] = &[
    Case { functions: &["prf::hchacha20"], run: |_, _| publish(*hchacha20(&array(), &array())) },
    Case { functions: &["file_mac::FileMac::new", "file_mac::FileMac::tag"], run: file_tag },
    Case { functions: &["file_mac::FileMac::on", "file_mac::FileMac::verify"], run: file_verify },
    Case {
        functions: &[
            "file_mac::FileMac::stream",
            "stream::Stream::update",
            "stream::Stream::reset",
            "stream::Stream::tag",
            "stream::Stream::finalize",
            "stream::Stream::verify",
        ],
        run: file_stream,
    },
    Case {
        functions: &[
            "file_mac::FileMac::part",
            "file_mac::FileMac::part_from_secret_bytes",
            "parts::Part::to_secret_bytes",
            "parts::Part::with_index",
            "file_mac::FileMac::parts",
            "parts::Parts::push",
            "parts::Parts::tag",
            "parts::Parts::finalize",
        ],
        run: file_parts,
    },
    Case {
        functions: &["wegman_carter::WegmanCarter::new", "wegman_carter::WegmanCarter::tag"],
        run: |_, len| publish(WegmanCarter::new(&array()).tag(&nonce(len), &message(len))),
    },
    Case {
        functions: &["wegman_carter::WegmanCarter::on", "wegman_carter::WegmanCarter::verify"],
        run: |cpu, len| {
            let mac = WegmanCarter::on(cpu, &array());
            publish(mac.verify(&nonce(len), &message(len), &Tag::from(array())));
        },
    },
    Case {
        functions: &[
            "wegman_carter::WegmanCarter::stream",
            "wegman_carter::Stream::update",
            "wegman_carter::Stream::finalize",
            "wegman_carter::Stream::verify",
        ],
        run: nonce_stream,
    },
    Case {
        functions: &["aead::ChaChaAead as KeyInit"],
        run: |_, len| seal_and_open(&XChaCha20Poly1305::new(&array::<32>().into()), len),
    },
    Case { functions: &["aead::ChaChaAead::on", "aead::ChaChaAead as AeadInOut"], run: aeads },
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("parts::WrongPart as From", "errors are public"),
    ("parts::Part::index", "indices are public"),
    ("parts::Part::len", "lengths are public"),
    ("parts::Part::is_empty", "lengths are public"),
    ("file_mac::Algorithm::name", "names are public"),
    ("file_mac::Algorithm::segments", "names are public"),
    ("file_mac::Algorithm::named", "names are public"),
    ("wegman_carter::Nonce::from_bytes", "nonces are public"),
    ("wegman_carter::Nonce::as_bytes", "nonces are public"),
];

fn nonce(len: usize) -> Nonce {
    Nonce::from_bytes((len as u128).to_le_bytes())
}

/// A secret message of `len` bytes, or one part longer for one length in a hundred, to reach the second level.
fn longer(len: usize) -> Vec<u8> {
    message(if len % 100 == 1 { PART + len } else { len })
}

fn file_tag(_: Cpu, len: usize) {
    for algorithm in Algorithm::ALL {
        publish(FileMac::new(algorithm, Subject::File, &array()).tag(&longer(len)));
    }
}

fn file_verify(cpu: Cpu, len: usize) {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::on(cpu, algorithm, Subject::Manifest, &array());
        publish(mac.verify(&message(len), &Tag::from(array())));
    }
}

fn file_stream(cpu: Cpu, len: usize) {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::on(cpu, algorithm, Subject::File, &array());
        let (mut stream, mut verified) = (mac.stream(), mac.stream());
        for piece in pieces(&longer(len)) {
            stream.update(piece);
            verified.update(piece);
        }
        publish(stream.tag());
        stream.reset();
        stream.update(&message(len));
        publish(stream.finalize());
        publish(verified.verify(&Tag::from(array())));
    }
}

fn file_parts(cpu: Cpu, len: usize) {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::on(cpu, algorithm, Subject::File, &array());
        let mut parts = mac.parts();
        for (index, part) in (0..).zip(longer(len).chunks(PART)) {
            let bytes = mac.part(index ^ 1, part).with_index(index).to_secret_bytes();
            // The header, the outcome, and whether the keys are equal are public.
            let part = unreported(|| mac.part_from_secret_bytes(&*bytes)).expect("a part");
            publish(unreported(|| parts.push(&part)));
        }
        publish(parts.tag());
        publish(parts.finalize());
    }
}

fn nonce_stream(cpu: Cpu, len: usize) {
    let mac = WegmanCarter::on(cpu, &array());
    let (mut stream, mut verified) = (mac.stream(&nonce(len)), mac.stream(&nonce(len)));
    for piece in pieces(&message(len)) {
        stream.update(piece);
        verified.update(piece);
    }
    publish(stream.finalize());
    publish(verified.verify(&Tag::from(array())));
}

fn aeads(cpu: Cpu, len: usize) {
    seal_and_open(&ChaCha20Poly1305::on(cpu, &array()), len);
    seal_and_open(&XChaCha20Poly1305::on(cpu, &array()), len);
    seal_and_open(&XChaCha20DecBrw1305::on(cpu, &array()), len);
}

/// Encrypts a secret message and decrypts it. Ciphertext, tag, and whether the tag is right are public (`public.supp`).
fn seal_and_open<A: AeadInOut>(cipher: &A, len: usize) {
    let (nonce, mut buffer) = (aead::Nonce::<A>::default(), message(len));
    let Ok(mut tag) = cipher.encrypt_inout_detached(&nonce, b"header", (&mut buffer[..]).into()) else {
        unreachable!("short enough");
    };
    declassify(&mut buffer[..]);
    declassify(&mut tag[..]);
    publish(cipher.decrypt_inout_detached(&nonce, b"header", (&mut buffer[..]).into(), &tag));
    publish(buffer);
}
