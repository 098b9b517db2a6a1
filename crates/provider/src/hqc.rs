//! HQC behind two traits, so that one type of key holds every parameter set.
use crate::error::Error;
use carryless_hqc::{
    Array as _, Ciphertext, DecapsulationKey, EncapsulationKey, Hqc1, Hqc3, Hqc5, Message, Scheme, SchemeId,
};
use zeroize::Zeroizing;

/// Bytes of the salt, which ends a ciphertext.
const SALT: usize = 16;

/// An encapsulation key of any set.
pub(crate) trait Public: Send + Sync {
    fn bytes(&self) -> &[u8];

    /// Bytes of randomness that an encapsulation takes: the message, then the salt.
    fn random_bytes(&self) -> usize;

    /// Writes the ciphertext and the shared secret of this randomness.
    ///
    /// # Errors
    /// If a slice has the wrong length.
    fn encapsulate(&self, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error>;
}

/// A decapsulation key of any set.
pub(crate) trait Secret: Send + Sync {
    fn public(&self) -> &dyn Public;

    /// The seed of which the key is made. Secret.
    fn seed(&self) -> &[u8];

    /// The key in full length. Secret.
    fn bytes(&self) -> Zeroizing<Vec<u8>>;

    /// Writes the shared secret of a ciphertext.
    ///
    /// # Errors
    /// If a slice has the wrong length. A ciphertext that was not made for this key gives another secret.
    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error>;
}

impl<K: Scheme> Public for EncapsulationKey<K> {
    fn bytes(&self) -> &[u8] {
        self.as_bytes().as_ref()
    }

    fn random_bytes(&self) -> usize {
        size_of::<Message<K>>() + SALT
    }

    fn encapsulate(&self, random: &[u8], ciphertext: &mut [u8], secret: &mut [u8]) -> Result<(), Error> {
        Error::check_length("randomness", self.random_bytes(), random.len())?;
        let Some((first, salt)) = random.split_last_chunk::<SALT>() else { return Err(Error::Random) };
        let mut message = Zeroizing::new(Message::<K>::zeroed());
        message.as_mut().copy_from_slice(first);
        let (sent, shared) = self.encapsulate_deterministic(&message, salt);
        copy("ciphertext", sent.as_ref(), ciphertext)?;
        copy("shared secret", shared.as_ref(), secret)
    }
}

impl<K: Scheme> Secret for DecapsulationKey<K> {
    fn public(&self) -> &dyn Public {
        self.encapsulation_key()
    }

    fn seed(&self) -> &[u8] {
        self.as_seed().as_ref()
    }

    fn bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(vec![0; size_of::<K::DecapsulationKeyBytes>()]);
        // The buffer has the length of a key.
        let _ = self.to_bytes_into(&mut bytes);
        bytes
    }

    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Result<(), Error> {
        let ciphertext = Ciphertext::<K>::from_bytes(ciphertext)?;
        copy("shared secret", DecapsulationKey::decapsulate(self, &ciphertext).as_ref(), secret)
    }
}

fn copy(what: &'static str, from: &[u8], to: &mut [u8]) -> Result<(), Error> {
    Error::check_length(what, from.len(), to.len())?;
    to.copy_from_slice(from);
    Ok(())
}

/// Calls a function with the type of a scheme. Only profile `nr` is compiled, that of the groups of TLS.
macro_rules! of_scheme {
    ($scheme:expr, $function:ident($($argument:expr),*)) => {
        match $scheme {
            SchemeId::Hqc1 => $function::<Hqc1>($($argument),*),
            SchemeId::Hqc3 => $function::<Hqc3>($($argument),*),
            SchemeId::Hqc5 => $function::<Hqc5>($($argument),*),
            _ => Err(Error::Unsupported("the provider has HQC of profile nr only")),
        }
    };
}

/// Imports an encapsulation key.
///
/// # Errors
/// If the bytes are no key of the set.
pub(crate) fn public(scheme: SchemeId, bytes: &[u8]) -> Result<Box<dyn Public>, Error> {
    fn of<K: Scheme>(bytes: &[u8]) -> Result<Box<dyn Public>, Error> {
        Ok(Box::new(EncapsulationKey::<K>::from_bytes(bytes)?))
    }
    of_scheme!(scheme, of(bytes))
}

/// Imports a decapsulation key in full length.
///
/// # Errors
/// If the bytes are no key of the set, or not the one that the seed in them gives.
pub(crate) fn secret(scheme: SchemeId, bytes: &[u8]) -> Result<Box<dyn Secret>, Error> {
    fn of<K: Scheme>(bytes: &[u8]) -> Result<Box<dyn Secret>, Error> {
        Ok(Box::new(DecapsulationKey::<K>::from_bytes(bytes)?))
    }
    of_scheme!(scheme, of(bytes))
}

/// Makes the key of a seed.
///
/// # Errors
/// If the seed has the wrong length.
pub(crate) fn from_seed(scheme: SchemeId, seed: &[u8]) -> Result<Box<dyn Secret>, Error> {
    fn of<K: Scheme>(bytes: &[u8]) -> Result<Box<dyn Secret>, Error> {
        let mut seed = Zeroizing::new(K::Seed::zeroed());
        Error::check_length("seed", seed.as_ref().len(), bytes.len())?;
        seed.as_mut().copy_from_slice(bytes);
        Ok(Box::new(DecapsulationKey::<K>::from_seed(&seed)))
    }
    of_scheme!(scheme, of(seed))
}

/// Returns random bytes of the system, which are wiped when dropped.
///
/// # Errors
/// If the system gives none.
pub(crate) fn random(len: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut bytes = Zeroizing::new(vec![0; len]);
    getrandom::fill(&mut bytes).map_err(|_| Error::Random)?;
    Ok(bytes)
}
