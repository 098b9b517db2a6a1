//! The module of a set: types and functions with the original's names.

/// Defines the module `$module` with the interface of the original's module of that name, computed by the scheme
/// `carryless_hqc::$scheme`. `$name` is the set's name in text.
macro_rules! set {
    ($module:ident, $scheme:ident, $name:literal) => {
        #[doc = concat!($name, " of 2023-04-30.")]
        ///
        /// ```
        #[doc = concat!("use carryless_pqcrypto_hqc::", stringify!($module), "::*;")]
        ///
        /// let (pk, sk) = keypair();
        /// let (ss1, ct) = encapsulate(&pk);
        /// let ss2 = decapsulate(&ct, &sk);
        /// assert!(ss1 == ss2);
        /// ```
        pub mod $module {
            use crate::kem;
            use carryless_hqc::{Sizes, $scheme as Scheme};
            use core::fmt;
            use ctutils::CtEq;
            use pqcrypto_traits::{Error, Result, kem as primitive};
            #[cfg(feature = "serialization")]
            use serde::{Deserialize, Serialize};
            #[cfg(feature = "serialization")]
            use serde_big_array::BigArray;

            const SIZES: Sizes = Sizes::of::<Scheme>();

            bytes!(PublicKey, SIZES.encapsulation_key, "A public key: the seed of h, then s.");
            bytes!(
                SecretKey,
                SIZES.decapsulation_key,
                "A secret key: the seed of x and y, sigma, then the public key. Nothing wipes it."
            );
            bytes!(Ciphertext, SIZES.ciphertext, "A ciphertext: u, v, then 16 bytes of salt.");
            bytes!(SharedSecret, SIZES.shared_secret, "A shared secret. Nothing wipes it.");

            /// Returns the number of bytes of a public key.
            #[must_use]
            pub const fn public_key_bytes() -> usize {
                SIZES.encapsulation_key
            }

            /// Returns the number of bytes of a secret key.
            #[must_use]
            pub const fn secret_key_bytes() -> usize {
                SIZES.decapsulation_key
            }

            /// Returns the number of bytes of a ciphertext.
            #[must_use]
            pub const fn ciphertext_bytes() -> usize {
                SIZES.ciphertext
            }

            /// Returns the number of bytes of a shared secret.
            #[must_use]
            pub const fn shared_secret_bytes() -> usize {
                SIZES.shared_secret
            }

            /// Generates a key pair by the system's generator.
            ///
            /// # Panics
            /// If the system has no random bytes.
            #[must_use]
            pub fn keypair() -> (PublicKey, SecretKey) {
                let (mut pk, mut sk) = (PublicKey::new(), SecretKey::new());
                kem::keypair::<Scheme>(&mut kem::system(), &mut pk.0, &mut sk.0);
                (pk, sk)
            }

            /// Returns a new shared secret, and the ciphertext that carries it to the holder of the secret key.
            ///
            /// Every array is accepted as a key; one that is no key gives a ciphertext that nobody can open.
            ///
            /// # Panics
            /// If the system has no random bytes.
            #[must_use]
            pub fn encapsulate(pk: &PublicKey) -> (SharedSecret, Ciphertext) {
                let (mut ss, mut ct) = (SharedSecret::new(), Ciphertext::new());
                kem::encapsulate::<Scheme>(&mut kem::system(), &pk.0, &mut ss.0, &mut ct.0);
                (ss, ct)
            }

            /// Returns the shared secret of a ciphertext, in constant time.
            ///
            /// A ciphertext that was not made for this key, or was changed, gives another secret (implicit
            /// rejection). Two rejected ciphertexts that differ only in the salt give the same secret.
            #[must_use]
            pub fn decapsulate(ct: &Ciphertext, sk: &SecretKey) -> SharedSecret {
                let mut ss = SharedSecret::new();
                kem::decapsulate::<Scheme>(&ct.0, &sk.0, &mut ss.0);
                ss
            }

            #[cfg(test)]
            mod tests {
                use super::*;

                // The functions above, with the generator of NIST's tests in the place of the system's.
                #[test]
                fn equals_the_known_answers_of_pqclean() {
                    crate::kat::check::<Scheme>(|rng| {
                        let (mut pk, mut sk) = (PublicKey::new(), SecretKey::new());
                        kem::keypair::<Scheme>(rng, &mut pk.0, &mut sk.0);
                        let (mut ss, mut ct) = (SharedSecret::new(), Ciphertext::new());
                        kem::encapsulate::<Scheme>(rng, &pk.0, &mut ss.0, &mut ct.0);
                        assert!(decapsulate(&ct, &sk) == ss);
                        [pk.0.to_vec(), sk.0.to_vec(), ct.0.to_vec(), ss.0.to_vec()]
                    });
                }
            }
        }
    };
}

/// Defines a type of `$size` bytes with the original's traits.
macro_rules! bytes {
    ($type:ident, $size:expr, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy)]
        #[cfg_attr(feature = "serialization", derive(Serialize, Deserialize))]
        pub struct $type(#[cfg_attr(feature = "serialization", serde(with = "BigArray"))] [u8; $size]);

        impl $type {
            fn new() -> Self {
                $type([0; $size])
            }
        }

        impl primitive::$type for $type {
            #[inline]
            fn as_bytes(&self) -> &[u8] {
                &self.0
            }

            fn from_bytes(bytes: &[u8]) -> Result<Self> {
                let (name, actual, expected) = (stringify!($type), bytes.len(), $size);
                bytes.try_into().map($type).map_err(|_| Error::BadLength { name, actual, expected })
            }
        }

        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                // The original's comparison stops at the first difference. This one takes no more trouble.
                self.0.ct_eq(&other.0).to_bool()
            }
        }

        impl fmt::Debug for $type {
            /// Prints the name and the number of bytes, but none of them.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} ({} bytes)", stringify!($type), self.0.len())
            }
        }
    };
}
