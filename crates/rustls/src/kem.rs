//! HQC for a scheme that is known only at run time.
use alloc::boxed::Box;
use alloc::vec::Vec;
use carryless_hqc::{
    Array, Ciphertext, DecapsulationKey, EncapsulationKey, Message, Scheme, SchemeId, SchemeVisitor,
};
use getrandom::SysRng;
use rustls::crypto::GetRandomFailed;
use rustls::{Error, PeerMisbehaved};
use zeroize::Zeroizing;

/// Bytes of the salt of an encapsulation.
const SALT_BYTES: usize = 16;

/// A decapsulation key of some scheme. Wiped when dropped.
pub(crate) trait Key: Send + Sync {
    /// The encapsulation key, for the client's share.
    fn public(&self) -> &[u8];

    /// Appends the shared secret of the server's ciphertext to `secret`, which has room for it.
    fn decapsulate(&self, ciphertext: &[u8], secret: &mut Vec<u8>) -> Result<(), Error>;
}

impl<K: Scheme> Key for DecapsulationKey<K> {
    fn public(&self) -> &[u8] {
        self.encapsulation_key().as_bytes().as_ref()
    }

    fn decapsulate(&self, ciphertext: &[u8], secret: &mut Vec<u8>) -> Result<(), Error> {
        let ciphertext = Ciphertext::from_bytes(ciphertext).map_err(|_| INVALID_KEY_SHARE)?;
        secret.extend_from_slice(self.decapsulate(&ciphertext).as_ref());
        Ok(())
    }
}

pub(crate) const INVALID_KEY_SHARE: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

/// Generates a key by the system's generator.
pub(crate) fn generate(scheme: SchemeId) -> Result<Box<dyn Key>, Error> {
    struct Generate;
    impl SchemeVisitor for Generate {
        type Output = Result<Box<dyn Key>, Error>;
        fn visit<K: Scheme>(self) -> Self::Output {
            let key = DecapsulationKey::<K>::try_generate_from_rng(&mut SysRng);
            Ok(Box::new(key.map_err(|_| GetRandomFailed)?))
        }
    }
    scheme.dispatch(Generate)
}

/// Appends a new shared secret to `secret`, and the ciphertext that carries it to `share`. Both have room for it.
pub(crate) fn encapsulate(
    scheme: SchemeId,
    key: &[u8],
    share: &mut Vec<u8>,
    secret: &mut Vec<u8>,
) -> Result<(), Error> {
    struct Encapsulate<'a>(&'a [u8], &'a mut Vec<u8>, &'a mut Vec<u8>);
    impl SchemeVisitor for Encapsulate<'_> {
        type Output = Result<(), Error>;
        fn visit<K: Scheme>(self) -> Self::Output {
            let Encapsulate(key, share, secret) = self;
            let key = EncapsulationKey::<K>::from_bytes(key).map_err(|_| INVALID_KEY_SHARE)?;
            let (mut message, mut salt) = (Zeroizing::new(Message::<K>::zeroed()), [0; SALT_BYTES]);
            // `encapsulate_with_rng` takes generators that never fail, and the system's may.
            getrandom::fill(message.as_mut()).map_err(|_| GetRandomFailed)?;
            getrandom::fill(&mut salt).map_err(|_| GetRandomFailed)?;
            let (ciphertext, shared) = key.encapsulate_deterministic(&message, &salt);
            share.extend_from_slice(ciphertext.as_ref());
            secret.extend_from_slice(shared.as_ref());
            Ok(())
        }
    }
    scheme.dispatch(Encapsulate(key, share, secret))
}
