//! Properties that hold for every list.
use super::*;

/// Checks that a list that is accepted says the same if it is printed again, with its names escaped or not.
pub(crate) fn check(data: &[u8]) {
    let Ok(files) = parse(data) else { return };
    let mut printed = Vec::new();
    for (name, Listed { digest, .. }) in &files {
        let (format, algorithm, digest) = match digest {
            Digest::Sha256(digest) => (LineFormat::Bsd, "SHA256", digest),
            Digest::Blake3(digest) => (LineFormat::Bsd, "BLAKE3", digest),
            Digest::Either(digest) => (LineFormat::Sha256sum, "", digest),
        };
        printed.extend_from_slice(&format.line(algorithm, name, digest));
    }
    let again = parse(&printed).expect("what is printed is a list");
    let without_size = |listed: Listed| Listed { size: None, ..listed };
    assert!(again.into_iter().eq(files.into_iter().map(|(name, listed)| (name, without_size(listed)))));
}

/// Inputs of all forms that are read: of sha256sum, of BSD, of hashdeep.
#[cfg(test)]
pub(crate) const SEEDS: [&str; 3] = [
    "\\ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  t/a\\nb\n\
     ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad *b\n",
    "SHA256 (a) = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n",
    "%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n# c\n\
     3,0,ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad,a\n",
];
