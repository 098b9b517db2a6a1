//! Groups: HQC alone or behind a classical key exchange of a provider.
use crate::kem::{self, INVALID_KEY_SHARE};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use carryless_hqc::any::AnyDecapsulationKey;
use carryless_hqc::tls::{self, Group};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, ProtocolVersion};
use zeroize::Zeroizing;

/// HQC-1 alone, without a classical half.
pub static HQC1: &dyn SupportedKxGroup = &HqcGroup::alone(tls::HQC1);
/// HQC-3 alone, without a classical half.
pub static HQC3: &dyn SupportedKxGroup = &HqcGroup::alone(tls::HQC3);
/// HQC-5 alone, without a classical half.
pub static HQC5: &dyn SupportedKxGroup = &HqcGroup::alone(tls::HQC5);

/// A key exchange group with HQC.
///
/// The statics of this crate are such groups. Make one for another code point, or for the curves of another provider:
///
/// ```
/// # #[cfg(feature = "ring")] {
/// use carryless_hqc::tls::{Group, X25519_HQC1};
/// use carryless_rustls::HqcGroup;
/// use rustls::crypto::ring::kx_group::X25519;
///
/// static MINE: HqcGroup = HqcGroup::hybrid(Group { code_point: 0xfe99, ..X25519_HQC1 }, X25519);
/// # }
/// ```
#[derive(Debug)]
pub struct HqcGroup {
    group: Group,
    classical: Option<&'static dyn SupportedKxGroup>,
}

impl HqcGroup {
    /// Makes a group of HQC alone. If `group` has a classical half, every key exchange returns an error.
    #[must_use]
    pub const fn alone(group: Group) -> HqcGroup {
        HqcGroup { group, classical: None }
    }

    /// Makes a hybrid group. If `classical` is not the curve that `group` names, every key exchange returns an error.
    #[must_use]
    pub const fn hybrid(group: Group, classical: &'static dyn SupportedKxGroup) -> HqcGroup {
        HqcGroup { group, classical: Some(classical) }
    }

    /// Returns name, code point and formats of the group.
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// Returns the classical half, after checking that it is the one which the group names.
    fn classical(&self) -> Result<Option<&'static dyn SupportedKxGroup>, Error> {
        let found = self.classical.map(|classical| u16::from(classical.name()));
        let named = self.group.classical.map(tls::Classical::code_point);
        if found == named {
            return Ok(self.classical);
        }
        Err(Error::General(format!(
            "the classical half of {} has the code point {found:?} instead of {named:?}",
            self.group.name
        )))
    }
}

impl SupportedKxGroup for HqcGroup {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let classical = self.classical()?.map(SupportedKxGroup::start).transpose()?;
        let key = kem::generate(self.group.scheme)?;
        let first = classical.as_deref().map_or(&[][..], ActiveKeyExchange::pub_key);
        let share = [first, key.encapsulation_key().as_bytes()].concat();
        Ok(Box::new(Active { group: self.group, classical, key, share }))
    }

    fn start_and_complete(&self, peer_share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (first, key) = self.group.split_client_share(peer_share).ok_or(INVALID_KEY_SHARE)?;
        let mut share = Vec::with_capacity(self.group.server_share_bytes());
        let mut secret = room(&self.group);
        if let Some(classical) = self.classical()? {
            let done = classical.start_and_complete(first)?;
            share.extend_from_slice(&done.pub_key);
            secret.extend_from_slice(done.secret.secret_bytes());
        }
        kem::encapsulate(self.group.scheme, key, &mut share, &mut secret)?;
        Ok(CompletedKeyExchange { group: self.name(), pub_key: share, secret: owned(secret) })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::from(self.group.code_point)
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

/// A client's key exchange that waits for the server's share.
struct Active {
    group: Group,
    classical: Option<Box<dyn ActiveKeyExchange>>,
    key: AnyDecapsulationKey,
    share: Vec<u8>,
}

impl ActiveKeyExchange for Active {
    fn complete(self: Box<Self>, peer_share: &[u8]) -> Result<SharedSecret, Error> {
        let (first, ciphertext) = self.group.split_server_share(peer_share).ok_or(INVALID_KEY_SHARE)?;
        let mut secret = room(&self.group);
        if let Some(classical) = self.classical {
            secret.extend_from_slice(classical.complete(first)?.secret_bytes());
        }
        kem::decapsulate(&self.key, ciphertext, &mut secret)?;
        Ok(owned(secret))
    }

    // A server without HQC can take the classical half at once, instead of asking for another share.
    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        self.classical.as_deref().map(|classical| (classical.group(), classical.pub_key()))
    }

    fn complete_hybrid_component(self: Box<Self>, peer_share: &[u8]) -> Result<SharedSecret, Error> {
        self.classical.ok_or(INVALID_KEY_SHARE)?.complete(peer_share)
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::from(self.group.code_point)
    }
}

/// An empty vector for the secret, wiped if an error drops it. It never grows, which would leave a copy.
fn room(group: &Group) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(Vec::with_capacity(group.secret_bytes()))
}

/// Hands the secret to rustls, whose type wipes it.
fn owned(mut secret: Zeroizing<Vec<u8>>) -> SharedSecret {
    SharedSecret::from(core::mem::take(&mut *secret))
}
