//! The algorithms of the provider, and what a configuration file may change of them.
use crate::error::Error;
use carryless_hqc::SchemeId;
use carryless_hqc::key_file::identifier;
use carryless_hqc::tls::{self, Classical, Group};
use der::asn1::ObjectIdentifier;

/// The algorithms in the order of their code points. Each is a key type, a KEM and a group of TLS 1.3.
pub(crate) static GROUPS: [Group; tls::GROUPS.len()] = tls::GROUPS;

/// Returns the security category of NIST: 1, 3 or 5.
pub(crate) fn category(scheme: SchemeId) -> usize {
    match scheme {
        SchemeId::Hqc3 | SchemeId::Hqc3V5 => 3,
        SchemeId::Hqc5 | SchemeId::Hqc5V5 => 5,
        _ => 1,
    }
}

/// Returns the bits of security against classical attacks: 128, 192 or 256.
pub(crate) fn security_bits(scheme: SchemeId) -> usize {
    // The categories 1, 3 and 5 stand for a search of keys of AES-128, AES-192 and AES-256.
    96 + 32 * category(scheme)
}

/// What the standard will assign, or the configuration overrides.
pub(crate) struct Numbers {
    /// The code point in TLS.
    pub(crate) code_point: u16,
    /// The object identifier in key files. Hybrids have none, as no structure is agreed on.
    pub(crate) oid: Option<ObjectIdentifier>,
}

impl Numbers {
    /// Returns the numbers of a group. `setting` looks up `oid-hqc1` or `codepoint-x25519_hqc1` in
    /// the provider's section of the configuration.
    ///
    /// # Errors
    /// If a setting is not a number of its kind.
    pub(crate) fn of(group: &Group, setting: impl Fn(&str) -> Option<String>) -> Result<Numbers, Error> {
        let wrong =
            |name: &str, value: &str| Error::Parameter(format!("{name} = {value} in the configuration"));
        let name = format!("codepoint-{}", group.name);
        let code_point = match setting(&name) {
            None => group.code_point,
            Some(text) => text.parse().map_err(|_| wrong(&name, &text))?,
        };
        let name = format!("oid-{}", group.name);
        let oid = match (group.classical, setting(&name)) {
            (Some(_), _) => None,
            (None, None) => identifier(group.scheme),
            (None, Some(text)) => Some(ObjectIdentifier::new(&text).map_err(|_| wrong(&name, &text))?),
        };
        Ok(Numbers { code_point, oid })
    }
}

/// Returns the key type of a classical half in OpenSSL, and the name of its group for type `EC`.
pub(crate) fn openssl_names(curve: Classical) -> (&'static std::ffi::CStr, Option<&'static std::ffi::CStr>) {
    match curve {
        Classical::P256 => (c"EC", Some(c"P-256")),
        Classical::P384 => (c"EC", Some(c"P-384")),
        Classical::P521 => (c"EC", Some(c"P-521")),
        Classical::X448 => (c"X448", None),
        _ => (c"X25519", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(name: &str, settings: &[(&str, &str)]) -> Result<Numbers, Error> {
        let group = Group::from_name(name).expect("a group");
        Numbers::of(group, |key| settings.iter().find(|(k, _)| *k == key).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn the_configuration_overrides_numbers() {
        let before = numbers("hqc3", &[("oid-hqc1", "1.2.3")]).expect("valid");
        assert_eq!(before.code_point, 65078);
        assert_eq!(before.oid.expect("of HQC alone").to_string(), "2.16.840.1.101.3.4.4.5");
        let after = numbers("hqc3", &[("oid-hqc3", "1.2.3"), ("codepoint-hqc3", "4588")]).expect("valid");
        assert_eq!((after.code_point, after.oid.expect("set").to_string()), (4588, "1.2.3".into()));
        assert!(numbers("x25519_hqc1", &[]).expect("valid").oid.is_none());
        assert!(numbers("hqc1", &[("oid-hqc1", "one")]).is_err());
        assert!(numbers("hqc1", &[("codepoint-hqc1", "65536")]).is_err());
    }

    #[test]
    fn categories_are_those_of_the_sets() {
        let bits: Vec<_> = GROUPS.iter().map(|group| security_bits(group.scheme)).collect();
        assert_eq!(bits, [128, 128, 128, 192, 192, 192, 256, 256]);
    }
}
