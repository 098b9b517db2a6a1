//! Properties that hold for every file of a KEM.
use carryless_hqc::{Ciphertext, DecapsulationKey, EncapsulationKey, Scheme, SchemeVisitor};

use super::armour::{self, Kind};

/// The first input of `fuzzing::kem_file`.
#[cfg(test)]
pub(crate) fn seed() -> String {
    use carryless_hqc::SchemeId;
    let label = armour::Label { scheme: SchemeId::Hqc1, kind: Kind::Seed };
    armour::write(label, &[0x5a; 32]).to_string()
}

pub(crate) fn check(data: &[u8]) {
    let Ok((label, bytes)) = armour::read(data) else { return };
    let text = armour::write(label, &bytes);
    let read = std::str::from_utf8(data).expect("it was read as text");
    assert!(read.lines().eq(text.lines()), "{read:?} is not how {label} is written");
    label.scheme.dispatch(Import(label.kind, &bytes));
}

/// Checks that exporting an imported value gives the same bytes.
struct Import<'a>(Kind, &'a [u8]);

impl SchemeVisitor for Import<'_> {
    type Output = ();

    fn visit<K: Scheme>(self) {
        let Import(kind, bytes) = self;
        match kind {
            Kind::DecapsulationKey => {
                if let Ok(key) = DecapsulationKey::<K>::from_bytes(bytes) {
                    assert!((*key.to_bytes()).as_ref() == bytes);
                    let again = DecapsulationKey::<K>::from_seed(key.as_seed()).to_bytes();
                    assert!((*again).as_ref() == bytes);
                }
            }
            Kind::EncapsulationKey => {
                if let Ok(key) = EncapsulationKey::<K>::from_bytes(bytes) {
                    assert!(key.as_bytes().as_ref() == bytes);
                }
            }
            Kind::Ciphertext => {
                let length = size_of::<K::CiphertextBytes>();
                let ct = Ciphertext::<K>::from_bytes(bytes);
                assert_eq!(ct.is_ok_and(|ct| ct.as_ref() == bytes), bytes.len() == length);
            }
            Kind::Seed | Kind::SharedSecret => {}
        }
    }
}
