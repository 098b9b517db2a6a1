//! Schemes: a parameter set in a profile, which is what keys, ciphertexts and secrets belong to.
use crate::array::Array;
#[cfg(feature = "legacy")]
use crate::profile::Legacy;
use crate::profile::{KeyPart, Nr, Profile, V5};
use crate::set::{Category1, Category3, Category5, ParameterSet};
use core::fmt::Debug;

mod sealed {
    pub trait Sealed {}
}

/// Bytes of the salt of a ciphertext.
pub(crate) const SALT_BYTES: usize = 16;

/// A parameter set in a profile. Values of different schemes have different types, even where their sizes are equal.
pub trait Scheme:
    sealed::Sealed + Copy + Debug + Default + Eq + Ord + core::hash::Hash + Send + Sync + 'static
{
    /// The name of the parameter set.
    const NAME: &'static str;
    /// Ring, code and weights.
    type Set: ParameterSet;
    /// Hashes and samplers.
    type Profile: Profile;
    /// An encapsulation key: a seed, then s.
    type EncapsulationKeyBytes: Array<u8>;
    /// A decapsulation key.
    type DecapsulationKeyBytes: Array<u8>;
    /// A ciphertext: u, v, then 16 bytes of salt.
    type CiphertextBytes: Array<u8>;
    /// A shared secret.
    type SharedSecretBytes: Array<u8>;
    /// The random bytes that a key is made of.
    type Seed: Array<u8>;
}

/// Bytes of an encapsulation key.
const fn ek_bytes<S: ParameterSet, P: Profile>() -> usize {
    P::SEED_BYTES + S::RING_BYTES
}

/// Bytes of a decapsulation key.
const fn dk_bytes<S: ParameterSet, P: Profile>() -> usize {
    let (mut bytes, mut i) = (0, 0);
    while i < P::RULES.key_layout.len() {
        bytes += match P::RULES.key_layout[i] {
            KeyPart::EncapsulationKey => ek_bytes::<S, P>(),
            KeyPart::KeySeed => P::SEED_BYTES,
            KeyPart::Sigma => S::K,
            KeyPart::Seed => seed_bytes::<S, P>(),
        };
        i += 1;
    }
    bytes
}

/// Bytes of the seed of a key.
const fn seed_bytes<S: ParameterSet, P: Profile>() -> usize {
    let [seeds, sigmas] = P::RULES.key_seeds.drawn();
    seeds * P::SEED_BYTES + sigmas * S::K
}

/// Bytes of a ciphertext.
const fn ct_bytes<S: ParameterSet>() -> usize {
    S::RING_BYTES + S::CODE_BYTES + SALT_BYTES
}

/// The sizes of what belongs to a scheme, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sizes {
    /// The seed of a key.
    pub seed: usize,
    /// An encapsulation key.
    pub encapsulation_key: usize,
    /// A decapsulation key.
    pub decapsulation_key: usize,
    /// A ciphertext.
    pub ciphertext: usize,
    /// A shared secret.
    pub shared_secret: usize,
}

impl Sizes {
    /// Those of a scheme.
    #[must_use]
    pub const fn of<K: Scheme>() -> Sizes {
        Sizes {
            seed: size_of::<K::Seed>(),
            encapsulation_key: size_of::<K::EncapsulationKeyBytes>(),
            decapsulation_key: size_of::<K::DecapsulationKeyBytes>(),
            ciphertext: size_of::<K::CiphertextBytes>(),
            shared_secret: size_of::<K::SharedSecretBytes>(),
        }
    }
}

/// What is done with a scheme that is known when the program runs: see [`SchemeId::dispatch`].
pub trait SchemeVisitor {
    /// What it gives.
    type Output;
    /// Does it with this scheme.
    fn visit<K: Scheme>(self) -> Self::Output;
}

/// Defines schemes: a name, the set and the profile.
macro_rules! schemes {
    ($($(#[doc = $doc:literal])* $(#[cfg($condition:meta)])? $name:ident = $text:literal: $set:ty, $profile:ty;)*) => {
        $(
            $(#[doc = $doc])*
            $(#[cfg($condition)])?
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name;

            $(#[cfg($condition)])?
            impl sealed::Sealed for $name {}

            $(#[cfg($condition)])?
            impl Scheme for $name {
                const NAME: &'static str = $text;
                type Set = $set;
                type Profile = $profile;
                type EncapsulationKeyBytes = [u8; ek_bytes::<$set, $profile>()];
                type DecapsulationKeyBytes = [u8; dk_bytes::<$set, $profile>()];
                type CiphertextBytes = [u8; ct_bytes::<$set>()];
                type SharedSecretBytes = [u8; <$profile as Profile>::RULES.secret_bytes];
                type Seed = [u8; seed_bytes::<$set, $profile>()];
            }
        )*

        /// A scheme, as a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum SchemeId {
            $($(#[doc = $doc])* $(#[cfg($condition)])? $name,)*
        }

        impl SchemeId {
            /// All schemes.
            pub const ALL: &'static [SchemeId] = &[$($(#[cfg($condition)])? SchemeId::$name),*];

            /// Does something with this scheme.
            pub fn dispatch<V: SchemeVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $($(#[cfg($condition)])? SchemeId::$name => visitor.visit::<$name>(),)*
                }
            }

            /// The name of the parameter set: `HQC-1`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(#[cfg($condition)])? SchemeId::$name => <$name as Scheme>::NAME,)*
                }
            }

            /// The name of the profile: `nr`.
            #[must_use]
            pub fn profile(self) -> &'static str {
                match self {
                    $($(#[cfg($condition)])? SchemeId::$name => <$name as Scheme>::Profile::NAME,)*
                }
            }
        }
    };
}

impl SchemeId {
    /// The sizes of what belongs to it.
    #[must_use]
    pub fn sizes(self) -> Sizes {
        struct Of;
        impl SchemeVisitor for Of {
            type Output = Sizes;
            fn visit<K: Scheme>(self) -> Sizes {
                Sizes::of::<K>()
            }
        }
        self.dispatch(Of)
    }

    /// The scheme of that parameter set and that profile, in lower or upper case.
    #[must_use]
    pub fn from_names(name: &str, profile: &str) -> Option<SchemeId> {
        let called = |id: &&SchemeId| {
            id.name().eq_ignore_ascii_case(name) && id.profile().eq_ignore_ascii_case(profile)
        };
        Self::ALL.iter().find(called).copied()
    }
}

schemes! {
    /// HQC-1 in profile NR.
    Hqc1 = "HQC-1": Category1, Nr;
    /// HQC-3 in profile NR.
    Hqc3 = "HQC-3": Category3, Nr;
    /// HQC-5 in profile NR.
    Hqc5 = "HQC-5": Category5, Nr;
    /// HQC-1 in profile V5.
    Hqc1V5 = "HQC-1": Category1, V5;
    /// HQC-3 in profile V5.
    Hqc3V5 = "HQC-3": Category3, V5;
    /// HQC-5 in profile V5.
    Hqc5V5 = "HQC-5": Category5, V5;
    /// hqc-128 of 2023.
    #[cfg(feature = "legacy")]
    Hqc128 = "hqc-128": Category1, Legacy;
    /// hqc-192 of 2023.
    #[cfg(feature = "legacy")]
    Hqc192 = "hqc-192": Category3, Legacy;
    /// hqc-256 of 2023.
    #[cfg(feature = "legacy")]
    Hqc256 = "hqc-256": Category5, Legacy;
}
