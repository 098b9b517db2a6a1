//! Cases of keys whose scheme is chosen when the program runs, of key files, and of the hybrid.
use super::input::{Secrets, key_bytes, public_key, publish_bytes, secret, secret_key};
use crate::secret::message;
use crate::valgrind::{declassify, poison};
use carryless_gf2::ClmulCpu;
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey, FromBytes, FromSeed, PublicFromBytes};
use carryless_hqc::key_file::PrivateForm;
use carryless_hqc::{DecapsulationKey, Hqc1, Scheme, hybrid};

pub(super) fn any_keys<K: Scheme>(cpu: ClmulCpu) {
    let seed: K::Seed = secret();
    let key = K::ID.dispatch(FromSeed(seed.as_ref())).expect("the length");
    publish_bytes(key.as_seed());
    let sizes = K::ID.sizes();
    let (mut ciphertext, mut shared) = (vec![0; sizes.ciphertext], vec![0; sizes.shared_secret]);
    let public = public_key(&secret_key::<K>(cpu));
    let public = K::ID.dispatch(PublicFromBytes(public.as_bytes().as_ref())).expect("a key");
    for public in [AnyEncapsulationKey::expand(&public), public] {
        public.encapsulate(&message(sizes.randomness), &mut ciphertext, &mut shared).expect("the lengths");
        publish_bytes(&shared);
    }
    let imported = K::ID.dispatch(FromBytes(&key_bytes::<K>(cpu))).expect("a key");
    publish_bytes(imported.encapsulation_key().as_bytes());
    for key in [AnyDecapsulationKey::expand(&imported), imported, secret_key::<K>(cpu).into()] {
        key.decapsulate(&ciphertext, &mut shared).expect("the lengths");
        publish_bytes(&shared);
        let mut bytes = vec![0; sizes.decapsulation_key];
        key.to_bytes_into(&mut bytes).expect("the length");
        publish_bytes(&bytes);
    }
}

const FORMS: [PrivateForm; 3] = [PrivateForm::Seed, PrivateForm::Expanded, PrivateForm::Both];

pub(super) fn export(cpu: ClmulCpu) {
    let key = secret_key::<Hqc1>(cpu);
    for form in FORMS {
        publish_bytes(key.to_pkcs8_pem(form).expect("an identifier").as_bytes());
        let any = AnyDecapsulationKey::from(key.clone());
        publish_bytes(any.to_pkcs8_pem(form).expect("an identifier").as_bytes());
    }
}

/// Key files of which only the secret parts of the key are poisoned.
pub(super) fn import_files(cpu: ClmulCpu) {
    let key = secret_key::<Hqc1>(cpu);
    let mut seed = *key.as_seed();
    declassify(&mut seed[..]);
    let public = public_key(&key);
    for form in FORMS {
        let mut der = key.to_pkcs8_der(form).expect("an identifier").as_bytes().to_vec();
        declassify(&mut der[..]);
        // The seed where it stands first, and the secrets behind the encapsulation key.
        let place = |part: &[u8]| der.windows(part.len()).position(|bytes| bytes == part);
        let (first, behind) = (place(&seed).expect("a seed"), place(public.as_bytes()));
        poison(&mut der[first..first + seed.len()]);
        if let Some(at) = behind {
            poison(&mut der[at + public.as_bytes().len()..]);
        }
        publish_bytes(DecapsulationKey::<Hqc1>::from_pkcs8_der(&der).expect("a key").as_seed());
        publish_bytes(AnyDecapsulationKey::from_pkcs8_der(&der).expect("a key").as_seed());
    }
    import_pem(&key, &seed);
}

/// A text of which only digits of the seed are poisoned.
fn import_pem(key: &DecapsulationKey<Hqc1>, seed: &[u8]) {
    let mut der = key.to_pkcs8_der(PrivateForm::Seed).expect("an identifier").as_bytes().to_vec();
    declassify(&mut der[..]);
    let first = der.windows(seed.len()).position(|bytes| bytes == seed).expect("a seed");
    let mut pem = key.to_pkcs8_pem(PrivateForm::Seed).expect("an identifier");
    declassify(pem.as_mut_str());
    let begin = pem.find('\n').expect("lines") + 1;
    // Groups of four digits, 16 in a line, that hold bits of the seed alone. The parser looks at the ends of lines.
    let ends_line = |group: usize| group % 16 == 15 || 3 * (group + 1) >= der.len();
    let groups = (first.div_ceil(3)..(first + seed.len()) / 3).filter(|&group| !ends_line(group));
    for at in groups.map(|group| begin + 4 * group + group / 16) {
        for digit in at..at + 4 {
            poison(&mut pem[digit..=digit]);
        }
    }
    publish_bytes(DecapsulationKey::<Hqc1>::from_pkcs8_pem(&pem).expect("a key").as_seed());
    publish_bytes(AnyDecapsulationKey::from_pkcs8_pem(&pem).expect("a key").as_seed());
}

pub(super) fn hybrids(_: ClmulCpu) {
    let key = hybrid::DecapsulationKey::<Hqc1>::from_seed(&secret());
    let other = hybrid::DecapsulationKey::<Hqc1>::generate_from_rng(&mut Secrets);
    publish_bytes(key.as_seed());
    let mut public = other.encapsulation_key().to_bytes();
    declassify(&mut public[..]);
    let public = hybrid::EncapsulationKey::<Hqc1>::from_bytes(&public).expect("a key");
    let drawn = public.encapsulate_with_rng(&mut Secrets);
    let given = public.encapsulate_deterministic(&message(64)).expect("the length");
    for (mut ciphertext, shared) in [drawn, given] {
        publish_bytes(&shared[..]);
        declassify(&mut ciphertext[..]);
        publish_bytes(&key.decapsulate(&ciphertext).expect("the length")[..]);
    }
}
