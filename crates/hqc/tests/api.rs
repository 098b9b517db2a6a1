//! Imports, errors and rejections.
mod common;

use carryless_hqc::parts::Parts;
use carryless_hqc::{
    Array, Ciphertext, DecapsulationKey, Defect, EncapsulationKey, Kind, ParameterSet, Profile, Scheme,
    SchemeId, SchemeVisitor,
};
use common::{Drbg, pick};
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use sha3::Digest;

/// Runs a generic function for all schemes, in a test for each profile.
macro_rules! for_all_schemes {
    ($($function:ident)*) => {$(
        mod $function {
            use super::*;

            struct Visitor;
            impl SchemeVisitor for Visitor {
                type Output = ();
                fn visit<K: Scheme>(self) {
                    generic::$function::<K>(&mut Drbg::new(stringify!($function).as_bytes(), 0xff));
                }
            }

            fn of_profile(profile: &str) {
                let ids = SchemeId::ALL.iter().filter(|id| id.profile() == profile);
                assert_eq!(ids.map(|id| id.dispatch(Visitor)).count(), 3, "sets of {profile}");
            }

            #[test]
            fn nr() {
                of_profile("nr");
            }

            #[test]
            fn v5() {
                of_profile("v5");
            }

            #[test]
            fn of_2023() {
                of_profile("2023");
            }
        }
    )*};
}

for_all_schemes! {
    round_trips
    random_bytes_are_used
    names
    keys_in_all_forms
    wrong_lengths
    changed_keys
    padding
    changed_ciphertexts
    secrets_do_not_show
    parts_are_those_of_the_key
}

/// The bytes 0, 1, 2 and so on, from a number on.
struct Counter(usize);

impl TryRng for Counter {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("keys and messages are bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("keys and messages are bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.iter_mut().zip(self.0..).for_each(|(out, i)| *out = i as u8);
        self.0 += out.len();
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

/// The secret of a rejection, by other code.
fn rejection<K: Scheme>(dk: &DecapsulationKey<K>, ct: &Ciphertext<K>) -> Vec<u8> {
    use shake::{ExtendableOutput, Update, XofReader};
    let (k, key) = (K::Set::K, dk.to_bytes());
    let (key, ct) = ((*key).as_ref(), ct.as_ref());
    if K::Profile::NAME == "2023" {
        let mut hash = shake::Shake256::default();
        hash.update(&key[40..40 + k]);
        hash.update(&ct[..ct.len() - 16]);
        hash.update(&[4]);
        let mut secret = vec![0; 64];
        hash.finalize_xof().read(&mut secret);
        return secret;
    }
    let ek = dk.encapsulation_key().as_bytes().as_ref();
    let key_hash = sha3::Sha3_256::new_with_prefix(ek).chain_update([1]).finalize();
    let sigma = &key[key.len() - 32 - k..key.len() - 32];
    let hash = sha3::Sha3_256::new_with_prefix(key_hash);
    hash.chain_update(sigma).chain_update(ct).chain_update([3]).finalize().to_vec()
}

mod generic {
    use super::*;

    /// s = x + h y, by the positions that the parts sample and the key of the same seed.
    pub(super) fn parts_are_those_of_the_key<K: Scheme>(rng: &mut Drbg) {
        let dk = DecapsulationKey::<K>::generate_from_rng(rng);
        let parts = Parts::<K>::on(carryless_hqc::ClmulCpu::detect());
        let seeds = parts.key_seeds(dk.as_seed());
        let [y, x] = parts.key_positions(&seeds.secret);
        assert_eq!(parts.y_positions(&seeds.secret).as_ref(), y.as_ref());
        let product = parts.product(&parts.uniform(&seeds.public), &parts.vector(y.as_ref()));
        let x = parts.vector(x.as_ref());
        let sum = product.as_ref().iter().zip(x.as_ref()).flat_map(|(a, b)| (a ^ b).to_le_bytes());
        let ek = dk.encapsulation_key().as_bytes();
        let s = &ek.as_ref()[seeds.public.as_ref().len()..];
        assert_eq!(sum.take(s.len()).collect::<Vec<u8>>(), s, "{}", K::NAME);
    }

    pub(super) fn round_trips<K: Scheme>(rng: &mut Drbg) {
        for _ in 0..pick(500, 20, 1) {
            let dk = DecapsulationKey::<K>::generate_from_rng(rng);
            let (ct, ss) = dk.encapsulation_key().encapsulate_with_rng(rng);
            assert_eq!(dk.decapsulate(&ct), ss);
            assert_eq!(ss.as_ref().len(), if K::Profile::NAME == "2023" { 64 } else { 32 });
        }
    }

    /// Keys and ciphertexts take from the generator what the deterministic functions take, in this order, and no byte more: the seed of a key; the message, then the salt.
    pub(super) fn random_bytes_are_used<K: Scheme>(_: &mut Drbg) {
        let mut rng = Counter(0);
        let dk = DecapsulationKey::<K>::generate_from_rng(&mut rng);
        let bytes = |from: usize, len: usize| (from..from + len).map(|i| i as u8).collect::<Vec<_>>();
        let seed_len = K::Seed::zeroed().as_ref().len();
        let expected = if K::Profile::NAME == "2023" { 80 + K::Set::K } else { 32 };
        assert_eq!((seed_len, rng.0), (expected, expected));
        let mut seed = K::Seed::zeroed();
        seed.as_mut().copy_from_slice(&bytes(0, seed_len));
        let same = DecapsulationKey::<K>::from_seed(&seed);
        assert_eq!((*dk.to_bytes()).as_ref(), (*same.to_bytes()).as_ref());
        // Every byte of the seed makes another key.
        for i in 0..seed_len {
            let mut other = seed;
            other.as_mut()[i] ^= 1;
            let other = DecapsulationKey::<K>::from_seed(&other).to_bytes();
            assert_ne!((*dk.to_bytes()).as_ref(), (*other).as_ref(), "byte {i}");
        }

        let mut rng = Counter(100);
        let (ct, ss) = dk.encapsulation_key().encapsulate_with_rng(&mut rng);
        let mut message = <K::Set as ParameterSet>::Message::zeroed();
        message.as_mut().copy_from_slice(&bytes(100, K::Set::K));
        let salt: [u8; 16] = bytes(100 + K::Set::K, 16).try_into().expect("16 bytes");
        assert_eq!(rng.0, 100 + K::Set::K + 16);
        let expected = dk.encapsulation_key().encapsulate_deterministic(&message, &salt);
        assert_eq!((&ct, &ss), (&expected.0, &expected.1));
        let expanded = dk.encapsulation_key().expand().encapsulate_with_rng(&mut Counter(100));
        assert_eq!(expanded, expected);
    }

    pub(super) fn names<K: Scheme>(_: &mut Drbg) {
        let id = SchemeId::from_names(&K::NAME.to_lowercase(), K::Profile::NAME).expect("a scheme");
        assert_eq!((id.name(), id.profile()), (K::NAME, K::Profile::NAME));
        assert_eq!(SchemeId::from_names(K::NAME, "fips207"), None);
    }

    pub(super) fn keys_in_all_forms<K: Scheme>(rng: &mut Drbg) {
        let seed: K::Seed = rng.array();
        let dk = DecapsulationKey::<K>::from_seed(&seed);
        assert_eq!(dk.as_seed().as_ref(), seed.as_ref());
        let again = DecapsulationKey::<K>::from_bytes((*dk.to_bytes()).as_ref()).expect("a key");
        assert_eq!((*again.to_bytes()).as_ref(), (*dk.to_bytes()).as_ref());
        assert_eq!(again.as_seed().as_ref(), seed.as_ref());
        let ek = EncapsulationKey::<K>::from_bytes(dk.encapsulation_key().as_bytes().as_ref());
        assert_eq!(ek.as_ref(), Ok(dk.encapsulation_key()));
        let (ct, ss) = ek.expect("a key").expand().encapsulate_with_rng(rng);
        assert_eq!(again.expand().decapsulate(&ct), ss);
        assert_eq!(Ciphertext::<K>::from_bytes(ct.as_ref()), Ok(ct));
    }

    pub(super) fn wrong_lengths<K: Scheme>(rng: &mut Drbg) {
        let dk = DecapsulationKey::<K>::generate_from_rng(rng);
        let (ct, _) = dk.encapsulation_key().encapsulate_with_rng(rng);
        let check = |kind, bytes: &[u8], import: fn(&[u8]) -> Result<(), carryless_hqc::Error>| {
            for found in [0, 1, bytes.len() - 1, bytes.len() + 1] {
                let error = import(&[bytes, &[0]].concat()[..found]).expect_err("a wrong length");
                assert_eq!(
                    (error.kind(), error.scheme(), error.profile()),
                    (kind, K::NAME, K::Profile::NAME)
                );
                assert_eq!(error.defect(), Defect::Length { expected: bytes.len(), found });
                let text = error.to_string();
                assert!(text.contains(K::NAME) && text.contains(K::Profile::NAME), "{text}");
            }
        };
        let ek = dk.encapsulation_key().as_bytes().as_ref();
        check(Kind::EncapsulationKey, ek, |bytes| EncapsulationKey::<K>::from_bytes(bytes).map(|_| ()));
        let key = dk.to_bytes();
        let key = (*key).as_ref();
        check(Kind::DecapsulationKey, key, |bytes| DecapsulationKey::<K>::from_bytes(bytes).map(|_| ()));
        check(Kind::Ciphertext, ct.as_ref(), |bytes| Ciphertext::<K>::from_bytes(bytes).map(|_| ()));
    }

    /// Whatever byte of a decapsulation key changes, the key is refused, unless it is one of a sigma that was drawn by itself.
    pub(super) fn changed_keys<K: Scheme>(rng: &mut Drbg) {
        let dk = DecapsulationKey::<K>::generate_from_rng(rng);
        let bytes = (*dk.to_bytes()).as_ref().to_vec();
        let ends = [0, 31, 32, 39, 40, bytes.len() - 1, bytes.len() - 32, bytes.len() - 33, bytes.len() - 64];
        let random = (0..100).map(|_| rng.below(bytes.len()));
        let places: Vec<usize> = ends.into_iter().chain(random).collect();
        for place in places {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << rng.below(8);
            let changed = DecapsulationKey::<K>::from_bytes(&changed);
            if K::Profile::NAME == "2023" && (40..40 + K::Set::K).contains(&place) {
                changed.expect("a key with another sigma");
                continue;
            }
            let error = changed.expect_err("a changed key");
            assert_eq!(error.kind(), Kind::DecapsulationKey);
            assert!(matches!(error.defect(), Defect::Seed | Defect::Padding), "{error}");
        }
    }

    pub(super) fn padding<K: Scheme>(rng: &mut Drbg) {
        let dk = DecapsulationKey::<K>::generate_from_rng(rng);
        let ek = dk.encapsulation_key().as_bytes().as_ref().to_vec();
        let key = (*dk.to_bytes()).as_ref().to_vec();
        // In a decapsulation key the last byte of s stands where the encapsulation key ends.
        let place =
            key.windows(ek.len()).position(|window| window == ek).expect("the key in it") + ek.len() - 1;
        for bit in K::Set::N % 8..8 {
            let (mut ek, mut key) = (ek.clone(), key.clone());
            *ek.last_mut().expect("bytes") |= 1 << bit;
            key[place] |= 1 << bit;
            let error = EncapsulationKey::<K>::from_bytes(&ek).expect_err("padding");
            assert_eq!((error.kind(), error.defect()), (Kind::EncapsulationKey, Defect::Padding));
            let error = DecapsulationKey::<K>::from_bytes(&key).expect_err("padding");
            assert_eq!((error.kind(), error.defect()), (Kind::DecapsulationKey, Defect::Padding));
        }
    }

    /// A changed ciphertext gives the secret of its rejection: every seventh bit of the shortest, others at random.
    pub(super) fn changed_ciphertexts<K: Scheme>(rng: &mut Drbg) {
        let dk = DecapsulationKey::<K>::generate_from_rng(rng);
        let (ct, ss) = dk.encapsulation_key().encapsulate_with_rng(rng);
        let (expanded, bits) = (dk.expand(), 8 * ct.as_ref().len());
        let flips: Vec<usize> = match K::NAME {
            "HQC-1" => (0..bits).step_by(pick(7, 499, 16_000)).collect(),
            _ => (0..pick(2000, 20, 2)).map(|_| rng.below(bits)).collect(),
        };
        for bit in flips {
            let mut changed = ct.as_ref().to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            let changed = Ciphertext::from_bytes(&changed).expect("a ciphertext");
            let secret = expanded.decapsulate(&changed);
            // The hash of 2023 does not take the salt, so that a rejection is that of the unchanged ciphertext.
            assert_eq!(secret.as_ref(), rejection(&dk, &changed), "bit {bit}");
            assert_ne!(secret, ss);
        }
        assert_eq!(expanded.decapsulate(&ct), ss);
    }

    pub(super) fn secrets_do_not_show<K: Scheme>(rng: &mut Drbg) {
        let dk = DecapsulationKey::<K>::generate_from_rng(rng);
        let (ct, ss) = dk.encapsulation_key().encapsulate_with_rng(rng);
        let expected = |name| format!("{name} {{ {}, profile {}, .. }}", K::NAME, K::Profile::NAME);
        assert_eq!(format!("{dk:?}"), expected("DecapsulationKey"));
        assert_eq!(format!("{:?}", dk.expand()), expected("ExpandedDecapsulationKey"));
        assert_eq!(format!("{ss:?}"), expected("SharedSecret"));
        assert_eq!(format!("{ct:?}"), expected("Ciphertext"));

        let (mut wiped, mut ss) = (dk.clone(), ss);
        zeroize::Zeroize::zeroize(&mut wiped);
        zeroize::Zeroize::zeroize(&mut ss);
        assert_eq!(wiped.as_seed().as_ref(), K::Seed::zeroed().as_ref());
        assert!(ss.as_ref().iter().all(|byte| *byte == 0));
        // What is left is the public part.
        let ek = dk.encapsulation_key().as_bytes().as_ref();
        let zeros = (*wiped.to_bytes()).as_ref().iter().filter(|byte| **byte == 0).count();
        assert!(zeros >= (*dk.to_bytes()).as_ref().len() - ek.len());

        wiped.clone_from(&dk);
        assert_eq!((*wiped.to_bytes()).as_ref(), (*dk.to_bytes()).as_ref());
        assert_eq!(wiped.decapsulate(&ct), dk.decapsulate(&ct));
    }
}
