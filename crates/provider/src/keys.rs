//! Keys of all groups: HQC alone, or hybrid. In a hybrid the classical half comes first in the public key, in the
//! ciphertext and in the secret.
use crate::error::Error;
use crate::ffi::libcrypto::{Exchange, Libcrypto};
use crate::hqc;
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey};
use carryless_hqc::key_file::PrivateFile;
use carryless_hqc::tls::{Classical, Group};
use ctutils::CtEq as _;
use std::sync::{Arc, OnceLock};
use zeroize::Zeroizing;

/// A key of a group. It is empty until its parts are set, once.
pub(crate) struct Key {
    pub(crate) group: &'static Group,
    parts: OnceLock<Parts>,
}

struct Parts {
    /// The key of the classical half, in hybrids.
    classical: Option<Exchange>,
    hqc: Half,
}

/// One key of HQC, or both.
enum Half {
    Public(AnyEncapsulationKey),
    Pair(AnyDecapsulationKey),
}

impl Half {
    fn public(&self) -> &AnyEncapsulationKey {
        match self {
            Half::Public(key) => key,
            Half::Pair(key) => key.encapsulation_key(),
        }
    }
}

/// The forms in which a private key of HQC is imported.
#[derive(Clone, Copy)]
pub(crate) enum Private<'a> {
    Seed(&'a [u8]),
    Full(&'a [u8]),
    /// The key in full length, and its seed.
    Both {
        seed: &'a [u8],
        full: &'a [u8],
    },
    /// A file of this set.
    File(&'a PrivateFile<'a>),
}

impl Key {
    /// Returns a key whose parts are not set yet.
    pub(crate) fn empty(group: &'static Group) -> Key {
        Key { group, parts: OnceLock::new() }
    }

    /// Generates a key pair, of a seed if HQC is alone and `seed` is given, otherwise of random bytes of the system.
    ///
    /// # Errors
    /// If the seed has the wrong length or cannot determine the key, or libcrypto makes no classical key.
    pub(crate) fn generate(
        group: &'static Group,
        libcrypto: Option<&Arc<Libcrypto>>,
        seed: Option<&[u8]>,
    ) -> Result<Key, Error> {
        let classical = match group.classical {
            Some(_) if seed.is_some() => {
                return Err(Error::Unsupported("a seed makes keys of HQC alone, not of hybrids"));
            }
            Some(curve) => Some(needed(libcrypto)?.generate(curve)?),
            None => None,
        };
        let pair = match seed {
            Some(seed) => hqc::from_seed(group.scheme, seed)?,
            None => hqc::from_seed(group.scheme, &hqc::random(group.scheme.sizes().seed)?)?,
        };
        let key = Key::empty(group);
        key.set(Parts { classical, hqc: Half::Pair(pair) })?;
        Ok(key)
    }

    /// Sets the public key from its bytes, as TLS sends them.
    ///
    /// # Errors
    /// If they are no key of the group, or the key is set.
    pub(crate) fn set_public(&self, libcrypto: Option<&Arc<Libcrypto>>, bytes: &[u8]) -> Result<(), Error> {
        let length = || Error::Length {
            what: "public key",
            expected: self.group.client_share_bytes(),
            found: bytes.len(),
        };
        let (first, last) = self.group.split_client_share(bytes).ok_or_else(length)?;
        let classical = match self.group.classical {
            Some(curve) => Some(needed(libcrypto)?.import(curve, first)?),
            None => None,
        };
        self.set(Parts { classical, hqc: Half::Public(hqc::public(self.group.scheme, last)?) })
    }

    /// Sets both keys of HQC alone from the private one. `public`, if given, must be its public key.
    ///
    /// # Errors
    /// If the group is a hybrid, the bytes are no key of the set, the parts are not of one key, or the key is set.
    pub(crate) fn set_private(&self, private: Private<'_>, public: Option<&[u8]>) -> Result<(), Error> {
        self.no_hybrid()?;
        let pair = match private {
            Private::Seed(seed) => hqc::from_seed(self.group.scheme, seed)?,
            Private::Full(bytes) => hqc::from_bytes(self.group.scheme, bytes)?,
            Private::Both { seed, full } => {
                let pair = hqc::from_bytes(self.group.scheme, full)?;
                // The import compared the key with the one that its own seed gives.
                if !pair.as_seed().ct_eq(seed).to_bool() {
                    return Err(Error::Mismatch);
                }
                pair
            }
            Private::File(file) => hqc::from_file(self.group.scheme, file)?,
        };
        if public.is_some_and(|public| public != pair.encapsulation_key().as_bytes()) {
            return Err(Error::Mismatch);
        }
        self.set(Parts { classical: None, hqc: Half::Pair(pair) })
    }

    /// Returns a new key with the public parts of this one.
    ///
    /// # Errors
    /// If it has none, or libcrypto does not import the classical one.
    pub(crate) fn to_public(&self, libcrypto: Option<&Arc<Libcrypto>>) -> Result<Key, Error> {
        let key = Key::empty(self.group);
        key.set_public(libcrypto, &self.public_bytes()?)?;
        Ok(key)
    }

    pub(crate) fn has_public(&self) -> bool {
        self.parts.get().is_some()
    }

    pub(crate) fn has_private(&self) -> bool {
        self.pair().is_ok()
    }

    /// Returns the public key as TLS sends it: the classical one, then that of HQC.
    ///
    /// # Errors
    /// If the key has none.
    pub(crate) fn public_bytes(&self) -> Result<Vec<u8>, Error> {
        let parts = self.parts()?;
        let classical = parts.classical.as_ref().map_or(&[][..], Exchange::public);
        Ok([classical, parts.hqc.public().as_bytes()].concat())
    }

    /// Returns the seed of the private key of HQC alone.
    ///
    /// # Errors
    /// If the group is a hybrid, or the key has no private one.
    pub(crate) fn seed(&self) -> Result<&[u8], Error> {
        self.no_hybrid()?;
        Ok(self.pair()?.as_seed())
    }

    /// Returns the private key of HQC alone in full length.
    ///
    /// # Errors
    /// If the group is a hybrid, or the key has no private one.
    pub(crate) fn private_bytes(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.no_hybrid()?;
        hqc::bytes(self.pair()?)
    }

    /// Writes a ciphertext and its secret. `random`, if given, determines both; only HQC alone takes it.
    ///
    /// # Errors
    /// If the key has no public one, a slice has the wrong length, or the classical half fails.
    pub(crate) fn encapsulate(
        &self,
        random: Option<&[u8]>,
        ciphertext: &mut [u8],
        secret: &mut [u8],
    ) -> Result<(), Error> {
        let parts = self.parts()?;
        Error::check_length("ciphertext", self.group.server_share_bytes(), ciphertext.len())?;
        Error::check_length("shared secret", self.group.secret_bytes(), secret.len())?;
        let (first, ciphertext) = ciphertext.split_at_mut(self.classical_bytes(Classical::public_key_bytes));
        let (shared, secret) = secret.split_at_mut(self.classical_bytes(Classical::secret_bytes));
        if let Some(peer) = &parts.classical {
            if random.is_some() {
                return Err(Error::Unsupported("given randomness serves HQC alone, not hybrids"));
            }
            let ephemeral = peer.generate()?;
            first.copy_from_slice(ephemeral.public());
            ephemeral.derive(peer, shared)?;
        }
        let key = parts.hqc.public();
        match random {
            Some(random) => key.encapsulate(random, ciphertext, secret)?,
            None => {
                key.encapsulate(&hqc::random(key.scheme().sizes().randomness)?, ciphertext, secret)?;
            }
        }
        Ok(())
    }

    /// Writes the secret of a ciphertext. One that was changed in HQC's part gives another secret.
    ///
    /// # Errors
    /// If the key has no private one, a slice has the wrong length, or the classical part is no public key.
    pub(crate) fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
        let (parts, pair) = (self.parts()?, self.pair()?);
        let length = || Error::Length {
            what: "ciphertext",
            expected: self.group.server_share_bytes(),
            found: ciphertext.len(),
        };
        let (first, last) = self.group.split_server_share(ciphertext).ok_or_else(length)?;
        Error::check_length("shared secret", self.group.secret_bytes(), secret.len())?;
        let (shared, secret) = secret.split_at_mut(self.classical_bytes(Classical::secret_bytes));
        if let Some(own) = &parts.classical {
            own.derive(&own.import(first)?, shared)?;
        }
        Ok(pair.decapsulate(last, secret)?)
    }

    fn set(&self, parts: Parts) -> Result<(), Error> {
        self.parts.set(parts).map_err(|_| Error::KeyIsSet)
    }

    fn parts(&self) -> Result<&Parts, Error> {
        self.parts.get().ok_or(Error::Missing("public key"))
    }

    fn pair(&self) -> Result<&AnyDecapsulationKey, Error> {
        match &self.parts()?.hqc {
            Half::Pair(pair) => Ok(pair),
            Half::Public(_) => Err(Error::Missing("private key")),
        }
    }

    fn no_hybrid(&self) -> Result<(), Error> {
        match self.group.classical {
            None => Ok(()),
            Some(_) => Err(Error::Unsupported("private keys of hybrids are neither imported nor exported")),
        }
    }

    fn classical_bytes(&self, bytes: fn(Classical) -> usize) -> usize {
        self.group.classical.map_or(0, bytes)
    }
}

fn needed(libcrypto: Option<&Arc<Libcrypto>>) -> Result<&Arc<Libcrypto>, Error> {
    libcrypto.ok_or(Error::Unsupported("hybrids need a libcrypto that exports its functions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str) -> &'static Group {
        crate::groups::GROUPS.iter().find(|group| group.name == name).expect("a group")
    }

    /// Encapsulates and decapsulates; returns both secrets.
    fn exchange(sender: &Key, receiver: &Key) -> ([u8; 32], [u8; 32]) {
        let (mut sent, mut received) = ([0; 32], [0; 32]);
        let mut ciphertext = vec![0; sender.group.server_share_bytes()];
        sender.encapsulate(None, &mut ciphertext, &mut sent).expect("the lengths");
        receiver.decapsulate(&ciphertext, &mut received).expect("the lengths");
        (sent, received)
    }

    #[test]
    fn keys_work_and_travel_in_every_form() {
        for name in ["hqc1", "hqc3", "hqc5"] {
            let key = Key::generate(group(name), None, None).expect("random bytes");
            let public = key.to_public(None).expect("a public key");
            assert!(public.has_public() && !public.has_private());
            let (sent, received) = exchange(&public, &key);
            assert_eq!(sent, received);
            let bytes = key.private_bytes().expect("alone");
            for private in [Private::Seed(key.seed().expect("alone")), Private::Full(&bytes)] {
                let again = Key::empty(key.group);
                again.set_private(private, Some(&key.public_bytes().expect("set"))).expect("the same key");
                let (sent, received) = exchange(&public, &again);
                assert_eq!(sent, received);
            }
        }
    }

    #[test]
    fn wrong_input_is_an_error() {
        let key = Key::generate(group("hqc1"), None, Some(&[1; 32])).expect("a seed");
        assert!(Key::generate(group("hqc1"), None, Some(&[1; 31])).is_err());
        let public = key.public_bytes().expect("set");
        assert_eq!(key.set_public(None, &public), Err(Error::KeyIsSet));
        let other = Key::empty(group("hqc3"));
        assert!(matches!(other.set_public(None, &public), Err(Error::Length { .. })));
        assert!(matches!(other.set_private(Private::Full(&public), None), Err(Error::Hqc(_))));
        assert_eq!(other.decapsulate(&[], &mut []), Err(Error::Missing("public key")));
        let mut changed = key.private_bytes().expect("alone");
        changed[2300] ^= 1;
        let fresh = Key::empty(group("hqc1"));
        assert!(matches!(fresh.set_private(Private::Full(&changed), None), Err(Error::Hqc(_))));
        assert_eq!(fresh.set_private(Private::Seed(&[2; 32]), Some(&public)), Err(Error::Mismatch));
        let full = key.private_bytes().expect("alone");
        for seed in [&[2; 32][..], &[1; 31], &[]] {
            assert_eq!(fresh.set_private(Private::Both { seed, full: &full }, None), Err(Error::Mismatch));
        }
        assert!(!fresh.has_public());
        assert!(matches!(key.decapsulate(&[0; 8978], &mut [0; 32]), Err(Error::Length { .. })));
        assert!(matches!(key.decapsulate(&[0; 4433], &mut [0; 31]), Err(Error::Length { .. })));
        let only_public = key.to_public(None).expect("a public key");
        assert_eq!(only_public.decapsulate(&[0; 4433], &mut [0; 32]), Err(Error::Missing("private key")));
        assert!(Key::generate(group("x25519_hqc1"), None, None).is_err());
    }
}
