//! Schemes: combinations of a parameter set and a profile. Every key, ciphertext and secret belongs to one.
use crate::array::Array;
#[cfg(test)]
use crate::profile::Draft;
#[cfg(feature = "hqc-2023")]
use crate::profile::Legacy;
use crate::profile::{KeyPart, Nr, Profile, V5};
use crate::set::{Category1, Category3, Category5, ParameterSet};
use core::fmt::Debug;

mod sealed {
    pub trait Sealed {}
}

/// Bytes of the salt at the end of a ciphertext, in every scheme.
pub const SALT_BYTES: usize = 16;

/// A parameter set in a profile. Values of different schemes have different types, even if their sizes are
/// equal. The trait is sealed.
pub trait Scheme:
    sealed::Sealed + Copy + Debug + Default + Eq + Ord + core::hash::Hash + Send + Sync + 'static
{
    /// The scheme as a value.
    const ID: SchemeId;
    /// Name of the parameter set, such as `HQC-1`. It does not name the profile.
    const NAME: &'static str;
    /// The parameter set: ring, code and weights.
    type Set: ParameterSet;
    /// The profile: hashes, samplers and formats.
    type Profile: Profile;
    /// Bytes of an encapsulation key: the seed of h, then s.
    type EncapsulationKeyBytes: Array<u8>;
    /// Bytes of a decapsulation key in full length, which contains the encapsulation key. Secret.
    type DecapsulationKeyBytes: Array<u8>;
    /// Bytes of a ciphertext: u, v, then 16 bytes of salt.
    type CiphertextBytes: Array<u8>;
    /// Bytes of a shared secret: 32, or 64 in profile `2023`.
    type SharedSecretBytes: Array<u8>;
    /// Random bytes from which a key is derived: 32, or 96 to 112 in profile `2023`. Secret.
    type Seed: Array<u8>;
}

/// Number of bytes of an encapsulation key.
const fn ek_bytes<S: ParameterSet, P: Profile>() -> usize {
    P::SEED_BYTES + S::RING_BYTES
}

/// Number of bytes of a decapsulation key in full length.
const fn dk_bytes<S: ParameterSet, P: Profile>() -> usize {
    // A loop over indices: iterators do not run in constants, and array lengths need one.
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

/// Number of bytes of the seed of a key.
const fn seed_bytes<S: ParameterSet, P: Profile>() -> usize {
    let [seeds, sigmas] = P::RULES.key_seeds.drawn();
    seeds * P::SEED_BYTES + sigmas * S::K
}

/// Number of bytes of a ciphertext, salt included.
const fn ct_bytes<S: ParameterSet>() -> usize {
    S::RING_BYTES + S::CODE_BYTES + SALT_BYTES
}

/// Sizes of a scheme's keys, ciphertexts and secrets, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sizes {
    /// Bytes of the seed of a key.
    pub seed: usize,
    /// Bytes of an encapsulation key.
    pub encapsulation_key: usize,
    /// Bytes of a decapsulation key in full length.
    pub decapsulation_key: usize,
    /// Random bytes that an encapsulation takes: the message, then the salt.
    pub randomness: usize,
    /// Bytes of a ciphertext, salt included.
    pub ciphertext: usize,
    /// Bytes of a shared secret.
    pub shared_secret: usize,
}

impl Sizes {
    /// Returns the sizes of a scheme.
    #[must_use]
    pub const fn of<K: Scheme>() -> Sizes {
        Sizes {
            seed: size_of::<K::Seed>(),
            encapsulation_key: size_of::<K::EncapsulationKeyBytes>(),
            decapsulation_key: size_of::<K::DecapsulationKeyBytes>(),
            randomness: K::Set::K + SALT_BYTES,
            ciphertext: size_of::<K::CiphertextBytes>(),
            shared_secret: size_of::<K::SharedSecretBytes>(),
        }
    }
}

/// A generic operation on a scheme that is known only at run time: see [`SchemeId::dispatch`].
pub trait SchemeVisitor {
    /// The result of the operation.
    type Output;
    /// Performs the operation for the scheme `K`.
    fn visit<K: Scheme>(self) -> Self::Output;
}

/// Defines schemes: type, name of the parameter set, parameter set and profile.
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
                const ID: SchemeId = SchemeId::$name;
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

        /// A scheme as a value, for programs that learn the scheme at run time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum SchemeId {
            $($(#[doc = $doc])* $(#[cfg($condition)])? $name,)*
        }

        impl SchemeId {
            /// All schemes in the order of their declaration. Those of profile `2023` need the feature `hqc-2023`.
            pub const ALL: &'static [SchemeId] = &[$($(#[cfg($condition)])? SchemeId::$name),*];

            /// Calls [`SchemeVisitor::visit`] with the type of this scheme.
            pub fn dispatch<V: SchemeVisitor>(self, visitor: V) -> V::Output {
                match self {
                    // One arm for each scheme, so a visitor is compiled for all of them, whichever the program
                    // meets.
                    $($(#[cfg($condition)])? SchemeId::$name => visitor.visit::<$name>(),)*
                }
            }

            /// Returns the name of the parameter set, such as `HQC-1`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(#[cfg($condition)])? SchemeId::$name => <$name as Scheme>::NAME,)*
                }
            }

            /// Returns the name of the profile, such as `nr`.
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
    /// Calls [`SchemeVisitor::visit`] as [`dispatch`](Self::dispatch) does if the scheme has profile `nr`. Returns `None`
    /// for other profiles, for which the visitor is not compiled.
    pub fn dispatch_nr<V: SchemeVisitor>(self, visitor: V) -> Option<V::Output> {
        match self {
            SchemeId::Hqc1 => Some(visitor.visit::<Hqc1>()),
            SchemeId::Hqc3 => Some(visitor.visit::<Hqc3>()),
            SchemeId::Hqc5 => Some(visitor.visit::<Hqc5>()),
            _ => None,
        }
    }

    /// Returns the sizes of this scheme's values, in bytes.
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

    /// Returns the scheme with these names of parameter set and profile, or `None`. Case does not matter.
    #[must_use]
    pub fn from_names(name: &str, profile: &str) -> Option<SchemeId> {
        // Both names are needed: schemes of different profiles share names of parameter sets.
        let called = |id: &&SchemeId| {
            id.name().eq_ignore_ascii_case(name) && id.profile().eq_ignore_ascii_case(profile)
        };
        Self::ALL.iter().find(called).copied()
    }
}

schemes! {
    /// HQC-1 in profile `nr`, security category 1. Encapsulation key 2241 bytes, ciphertext 4433, secret 32.
    Hqc1 = "HQC-1": Category1, Nr;
    /// HQC-3 in profile `nr`, security category 3. Encapsulation key 4514 bytes, ciphertext 8978, secret 32.
    Hqc3 = "HQC-3": Category3, Nr;
    /// HQC-5 in profile `nr`, security category 5. Encapsulation key 7237 bytes, ciphertext 14421, secret 32.
    Hqc5 = "HQC-5": Category5, Nr;
    /// HQC-1 in profile `v5`, with the sizes of profile `nr` but other bytes. Security category 1.
    Hqc1V5 = "HQC-1": Category1, V5;
    /// HQC-3 in profile `v5`, with the sizes of profile `nr` but other bytes. Security category 3.
    Hqc3V5 = "HQC-3": Category3, V5;
    /// HQC-5 in profile `v5`, with the sizes of profile `nr` but other bytes. Security category 5.
    Hqc5V5 = "HQC-5": Category5, V5;
    /// hqc-128 of the submission of 2023, security category 1. Encapsulation key 2249
    /// bytes, ciphertext 4433, secret 64.
    #[cfg(feature = "hqc-2023")]
    Hqc128 = "hqc-128": Category1, Legacy;
    /// hqc-192 of the submission of 2023, security category 3. Encapsulation key 4522
    /// bytes, ciphertext 8978, secret 64.
    #[cfg(feature = "hqc-2023")]
    Hqc192 = "hqc-192": Category3, Legacy;
    /// hqc-256 of the submission of 2023, security category 5. Encapsulation key 7245
    /// bytes, ciphertext 14421, secret 64.
    #[cfg(feature = "hqc-2023")]
    Hqc256 = "hqc-256": Category5, Legacy;
    /// HQC-1 in a profile of tests.
    #[cfg(test)]
    Draft1 = "HQC-1": Category1, Draft;
}
