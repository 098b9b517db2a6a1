//! The project's own subjects, one for each machine that this CPU has.
use crate::input::{Key, Tag};
use crate::subject::{Family, Mode, OneByOne, Prepared, Subject, Together};
use carryless_hash::{Cpu, Tag as OurTag, poly1305, polyhash1305};

/// `carryless/MACHINE` for each machine, `carryless/best` for what a user gets who names none, and in the modes
/// other than one-shot the one-shot call to compare with.
pub fn subjects(family: Family, mode: Mode) -> Vec<Subject> {
    let mut all = vec![best(family, mode)];
    all.extend(Cpu::available().map(|cpu| on(family, mode, cpu)));
    match mode {
        Mode::OneShot => {}
        Mode::Prepared => all.push(best(family, Mode::OneShot).named("carryless/one-shot")),
        Mode::Batch => all.push(best(family, Mode::OneShot).named("carryless/one-by-one")),
    }
    all
}

/// The first 16 bytes of a key: `r` of Poly1305, the key of polyHash1305.
fn first(key: &Key) -> &[u8; 16] {
    key.first_chunk().expect("a key has 32 bytes")
}

/// The last 16 bytes of a key: `s` of Poly1305.
fn last(key: &Key) -> &[u8; 16] {
    key.last_chunk().expect("a key has 32 bytes")
}

fn best(family: Family, mode: Mode) -> Subject {
    let (name, machine) = ("carryless/best", Cpu::detect().name());
    match (family, mode) {
        (Family::Poly1305, Mode::OneShot) => {
            let mac =
                |key: &Key, message: &[u8], tag: &mut Tag| *tag = poly1305::mac(key, message).to_bytes();
            Subject::new(name, machine, OneByOne(mac))
        }
        (Family::Poly1305, Mode::Prepared) => {
            let prepare = |key: &Key| poly1305::PreparedKey::new(first(key));
            Subject::new(name, machine, Prepared(prepare, prepared_mac))
        }
        (Family::Poly1305, Mode::Batch) => {
            let batch = |keys: &[Key], messages: &[&[u8]], tags: &mut [OurTag]| {
                poly1305::mac_batch(keys, messages, tags);
            };
            Subject::new(name, machine, Together(OurTag::from, OurTag::to_bytes, batch))
        }
        (Family::PolyHash1305, Mode::Prepared) => {
            let prepare = |key: &Key| polyhash1305::PreparedKey::new(first(key));
            Subject::new(name, machine, Prepared(prepare, prepared_digest))
        }
        (Family::PolyHash1305, Mode::OneShot | Mode::Batch) => {
            let digest =
                |key: &Key, message: &[u8], tag: &mut Tag| *tag = polyhash1305::digest(first(key), message);
            Subject::new(name, machine, OneByOne(digest))
        }
    }
}

fn on(family: Family, mode: Mode, cpu: Cpu) -> Subject {
    let (name, machine) = (format!("carryless/{}", cpu.name()), cpu.name());
    match (family, mode) {
        (Family::Poly1305, Mode::OneShot) => {
            let mac = move |key: &Key, message: &[u8], tag: &mut Tag| {
                *tag = poly1305::mac_on(cpu, key, message).to_bytes()
            };
            Subject::new(name, machine, OneByOne(mac))
        }
        (Family::Poly1305, Mode::Prepared) => {
            let prepare = move |key: &Key| poly1305::PreparedKey::on(cpu, first(key));
            Subject::new(name, machine, Prepared(prepare, prepared_mac))
        }
        (Family::Poly1305, Mode::Batch) => {
            let batch = move |keys: &[Key], messages: &[&[u8]], tags: &mut [OurTag]| {
                poly1305::mac_batch_on(cpu, keys, messages, tags);
            };
            Subject::new(name, machine, Together(OurTag::from, OurTag::to_bytes, batch))
        }
        (Family::PolyHash1305, Mode::Prepared) => {
            let prepare = move |key: &Key| polyhash1305::PreparedKey::on(cpu, first(key));
            Subject::new(name, machine, Prepared(prepare, prepared_digest))
        }
        (Family::PolyHash1305, Mode::OneShot | Mode::Batch) => {
            let digest = move |key: &Key, message: &[u8], tag: &mut Tag| {
                *tag = polyhash1305::digest_on(cpu, first(key), message)
            };
            Subject::new(name, machine, OneByOne(digest))
        }
    }
}

fn prepared_mac(ready: &poly1305::PreparedKey, key: &Key, message: &[u8], tag: &mut Tag) {
    *tag = ready.mac(last(key), message).to_bytes();
}

fn prepared_digest(ready: &polyhash1305::PreparedKey, _: &Key, message: &[u8], tag: &mut Tag) {
    *tag = ready.digest(message);
}
