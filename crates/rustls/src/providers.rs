//! The groups of rustls's own providers, and providers with these groups.
use alloc::vec::Vec;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};

/// Where groups stand among those of a provider. A client sends its share for the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before the others: clients propose HQC, and servers prefer it.
    First,
    /// After the others: HQC is used with peers that have nothing else in common.
    Last,
}

/// Returns the provider with `groups` before or after its own. Groups that it has already are not added again.
#[must_use]
pub fn with_groups(
    mut provider: CryptoProvider,
    groups: &[&'static dyn SupportedKxGroup],
    place: Place,
) -> CryptoProvider {
    let has = |group: &&&'static dyn SupportedKxGroup| {
        provider.kx_groups.iter().any(|own| own.name() == group.name())
    };
    let new: Vec<_> = groups.iter().filter(|group| !has(group)).copied().collect();
    let at = match place {
        Place::First => 0,
        Place::Last => provider.kx_groups.len(),
    };
    provider.kx_groups.splice(at..at, new);
    provider
}

/// Defines the groups with the curves of a provider of rustls.
#[cfg(any(feature = "aws-lc-rs", feature = "ring"))]
macro_rules! provider {
    ($feature:literal, $module:ident) => {
        #[doc = concat!("Groups with the curves of rustls's provider `", $feature, "`.")]
        #[cfg(feature = $feature)]
        pub mod $module {
            use crate::{HqcGroup, Place, with_groups};
            use carryless_hqc::tls;
            use rustls::crypto::$module::{default_provider, kx_group};
            use rustls::crypto::{CryptoProvider, SupportedKxGroup};

            /// The hybrid of X25519 and HQC-1.
            pub static X25519_HQC1: &dyn SupportedKxGroup =
                &HqcGroup::hybrid(tls::X25519_HQC1, kx_group::X25519);
            /// The hybrid of P-256 and HQC-1.
            pub static P256_HQC1: &dyn SupportedKxGroup =
                &HqcGroup::hybrid(tls::P256_HQC1, kx_group::SECP256R1);
            /// The hybrid of P-384 and HQC-3.
            pub static P384_HQC3: &dyn SupportedKxGroup =
                &HqcGroup::hybrid(tls::P384_HQC3, kx_group::SECP384R1);

            /// The hybrid groups, the fastest first.
            pub static HYBRIDS: &[&dyn SupportedKxGroup] = &[X25519_HQC1, P256_HQC1, P384_HQC3];

            /// Returns rustls's provider with [`HYBRIDS`] before or after its own groups.
            #[must_use]
            pub fn provider(place: Place) -> CryptoProvider {
                with_groups(default_provider(), HYBRIDS, place)
            }
        }
    };
}

#[cfg(any(feature = "aws-lc-rs", feature = "ring"))]
provider!("aws-lc-rs", aws_lc_rs);
#[cfg(any(feature = "aws-lc-rs", feature = "ring"))]
provider!("ring", ring);
