//! Groups of TLS 1.3 with HQC: names, code points and formats, for TLS libraries and providers.
//!
//! No registry assigns them yet. They are those of [oqs-provider](https://github.com/open-quantum-safe/oqs-provider) of 2026-07-21 with
//! liboqs 0.16, and will change with the standard. A group is a plain struct, so that a program can change its
//! code point:
//!
//! ```
//! use carryless_hqc::tls::{Group, X25519_HQC1};
//!
//! let group = Group { code_point: 0xfe99, ..X25519_HQC1 };
//! assert_eq!(group.server_share_bytes(), 32 + 4433);
//! ```
//!
//! In a hybrid group the classical part comes first, in both shares and in the secret.
use crate::scheme::SchemeId;

/// The classical half of a hybrid group: a Diffie-Hellman exchange on a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Classical {
    /// P-256, code point 23, named `secp256r1` in TLS.
    P256,
    /// P-384, code point 24, named `secp384r1` in TLS.
    P384,
    /// P-521, code point 25, named `secp521r1` in TLS.
    P521,
    /// X25519 of RFC 7748, code point 29.
    X25519,
    /// X448 of RFC 7748, code point 30.
    X448,
}

impl Classical {
    /// Returns the code point of the curve alone, as IANA registers it.
    #[must_use]
    pub const fn code_point(self) -> u16 {
        match self {
            Classical::P256 => 23,
            Classical::P384 => 24,
            Classical::P521 => 25,
            Classical::X25519 => 29,
            Classical::X448 => 30,
        }
    }

    /// Returns the number of bytes of a public key in a share. Points of the P curves are uncompressed.
    #[must_use]
    pub const fn public_key_bytes(self) -> usize {
        match self {
            Classical::P256 | Classical::P384 | Classical::P521 => 1 + 2 * self.secret_bytes(),
            Classical::X25519 | Classical::X448 => self.secret_bytes(),
        }
    }

    /// Returns the number of bytes of the shared secret: the x-coordinate of the common point.
    #[must_use]
    pub const fn secret_bytes(self) -> usize {
        match self {
            Classical::P256 | Classical::X25519 => 32,
            Classical::P384 => 48,
            Classical::P521 => 66,
            Classical::X448 => 56,
        }
    }
}

/// A group of TLS 1.3: HQC alone, or with a classical half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// The name in OpenSSL, such as `x25519_hqc1`.
    pub name: &'static str,
    /// The number of the group on the wire (`NamedGroup`).
    pub code_point: u16,
    /// The classical half, or `None` if the group is HQC alone.
    pub classical: Option<Classical>,
    /// The set and profile of HQC: profile `nr` in [`GROUPS`].
    pub scheme: SchemeId,
}

/// HQC-1 without a classical half.
pub const HQC1: Group = group("hqc1", 65075, None, SchemeId::Hqc1);
/// The hybrid of P-256 and HQC-1.
pub const P256_HQC1: Group = group("p256_hqc1", 65076, Some(Classical::P256), SchemeId::Hqc1);
/// The hybrid of X25519 and HQC-1.
pub const X25519_HQC1: Group = group("x25519_hqc1", 65077, Some(Classical::X25519), SchemeId::Hqc1);
/// HQC-3 without a classical half.
pub const HQC3: Group = group("hqc3", 65078, None, SchemeId::Hqc3);
/// The hybrid of P-384 and HQC-3.
pub const P384_HQC3: Group = group("p384_hqc3", 65079, Some(Classical::P384), SchemeId::Hqc3);
/// The hybrid of X448 and HQC-3.
pub const X448_HQC3: Group = group("x448_hqc3", 65080, Some(Classical::X448), SchemeId::Hqc3);
/// HQC-5 without a classical half.
pub const HQC5: Group = group("hqc5", 65081, None, SchemeId::Hqc5);
/// The hybrid of P-521 and HQC-5.
pub const P521_HQC5: Group = group("p521_hqc5", 65082, Some(Classical::P521), SchemeId::Hqc5);

/// All groups, in the order of their code points.
pub const GROUPS: [Group; 8] = [HQC1, P256_HQC1, X25519_HQC1, HQC3, P384_HQC3, X448_HQC3, HQC5, P521_HQC5];

const fn group(name: &'static str, code_point: u16, classical: Option<Classical>, scheme: SchemeId) -> Group {
    Group { name, code_point, classical, scheme }
}

impl Group {
    /// Returns the group of [`GROUPS`] with this name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Group> {
        GROUPS.iter().find(|group| group.name == name)
    }

    /// Returns the number of bytes of a client's share: the classical public key, then the encapsulation key.
    #[must_use]
    pub fn client_share_bytes(&self) -> usize {
        self.classical_share_bytes() + self.scheme.sizes().encapsulation_key
    }

    /// Returns the number of bytes of a server's share: the classical public key, then the ciphertext.
    #[must_use]
    pub fn server_share_bytes(&self) -> usize {
        self.classical_share_bytes() + self.scheme.sizes().ciphertext
    }

    /// Returns the number of bytes of the secret: the classical one, then that of HQC.
    #[must_use]
    pub fn secret_bytes(&self) -> usize {
        self.classical.map_or(0, Classical::secret_bytes) + self.scheme.sizes().shared_secret
    }

    /// Splits a client's share into the classical public key, empty if there is none, and the encapsulation key.
    /// Returns `None` if the length is wrong.
    #[must_use]
    pub fn split_client_share<'a>(&self, share: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        self.split(share, self.client_share_bytes())
    }

    /// Splits a server's share into the classical public key, empty if there is none, and the ciphertext.
    /// Returns `None` if the length is wrong.
    #[must_use]
    pub fn split_server_share<'a>(&self, share: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        self.split(share, self.server_share_bytes())
    }

    fn split<'a>(&self, share: &'a [u8], bytes: usize) -> Option<(&'a [u8], &'a [u8])> {
        // The shorter part is the first, so the split is inside whenever the whole length is right.
        (share.len() == bytes).then(|| share.split_at(self.classical_share_bytes()))
    }

    fn classical_share_bytes(&self) -> usize {
        self.classical.map_or(0, Classical::public_key_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, code point, and bytes of the client's share, the server's share and the secret.
    const SIZES: [(&str, u16, [usize; 3]); 8] = [
        ("hqc1", 0xfe33, [2241, 4433, 32]),
        ("p256_hqc1", 0xfe34, [2306, 4498, 64]),
        ("x25519_hqc1", 0xfe35, [2273, 4465, 64]),
        ("hqc3", 0xfe36, [4514, 8978, 32]),
        ("p384_hqc3", 0xfe37, [4611, 9075, 80]),
        ("x448_hqc3", 0xfe38, [4570, 9034, 88]),
        ("hqc5", 0xfe39, [7237, 14421, 32]),
        ("p521_hqc5", 0xfe3a, [7370, 14554, 98]),
    ];

    #[test]
    fn groups_have_the_names_code_points_and_sizes_of_oqs_provider() {
        for (group, (name, code_point, sizes)) in GROUPS.iter().zip(SIZES) {
            assert_eq!((group.name, group.code_point), (name, code_point));
            assert_eq!(
                [group.client_share_bytes(), group.server_share_bytes(), group.secret_bytes()],
                sizes,
                "{name}"
            );
            assert_eq!(group.scheme.profile(), "nr");
            assert_eq!(Group::from_name(name), Some(group));
        }
        assert_eq!(Group::from_name("x25519_hqc5"), None);
    }

    #[test]
    fn shares_split_after_the_classical_part() {
        for group in GROUPS {
            let first = group.classical.map_or(0, Classical::public_key_bytes);
            let share = [0; 15_000];
            let (curve, key) =
                group.split_client_share(&share[..group.client_share_bytes()]).expect("the length");
            assert_eq!((curve.len(), key.len()), (first, group.scheme.sizes().encapsulation_key));
            let (curve, ciphertext) =
                group.split_server_share(&share[..group.server_share_bytes()]).expect("the length");
            assert_eq!((curve.len(), ciphertext.len()), (first, group.scheme.sizes().ciphertext));
            for bytes in [0, first, group.client_share_bytes() - 1, group.client_share_bytes() + 1] {
                assert_eq!(group.split_client_share(&share[..bytes]), None);
            }
            assert_eq!(group.split_server_share(&share[..group.client_share_bytes()]), None);
        }
    }
}
