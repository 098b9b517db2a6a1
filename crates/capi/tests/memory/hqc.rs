//! Keys of HQC.
use super::{Memory, in_both, ok};
use carryless_capi::carryless_free;
use carryless_residue::Secrets;
use std::ptr::null_mut;
use zeroize::Zeroize as _;

/// The place of secret characters in the key file of [`hqc_secrets`]. Those before are the same in all files.
const SECRET_TEXT: std::ops::Range<usize> = 60..92;

/// The secrets of a key of HQC-1, those in its file in PEM, and a ciphertext with its shared secret.
fn hqc_secrets(ciphertext: &mut Vec<u8>, pem: &mut Vec<u8>) -> Secrets {
    use carryless_hqc::key_file::PrivateForm;
    use carryless_hqc::{DecapsulationKey, Hqc1};

    Secrets::new(|record| {
        let seed = *carryless_aead::hchacha20(&[9; 32], b"a seed, 16 bytes");
        let key = DecapsulationKey::<Hqc1>::from_seed(&seed);
        let bytes = key.to_bytes();
        record("seed", &seed);
        record("secrets of the key", &bytes[key.encapsulation_key().as_bytes().len()..]);
        let text = key.to_pkcs8_pem(PrivateForm::Seed).expect("profile nr has files");
        record("file", &text.as_bytes()[SECRET_TEXT]);
        *pem = text.as_bytes().to_vec();
        pem[SECRET_TEXT].fill(0);
        let (sent, shared) = key.encapsulation_key().encapsulate_deterministic(&[5; 16], &[6; 16]);
        record("shared secret", shared.as_ref());
        *ciphertext = sent.as_ref().to_vec();
    })
}

/// A seed makes a key pair, whose bytes are the caller's, and a decapsulation key decapsulates.
#[test]
fn hqc_leaves_nothing() {
    use carryless_capi::{CARRYLESS_HQC_1, carryless_hqc_decapsulate, carryless_hqc_key_pair};

    let mut ciphertext = Vec::new();
    let secrets = &hqc_secrets(&mut ciphertext, &mut Vec::new());
    secrets.assert_gone("key pair and decapsulation", || {
        let seed = secrets.reveal("seed");
        let (mut public, mut secret, mut shared) = (vec![0; 2241], vec![0; 2321], vec![0; 32]);
        // SAFETY: the pointers lead to what their lengths say.
        unsafe {
            let (p, s, k) = (public.as_mut_ptr(), secret.as_mut_ptr(), shared.as_mut_ptr());
            ok(carryless_hqc_key_pair(
                CARRYLESS_HQC_1,
                seed.as_ptr(),
                seed.len(),
                p,
                public.len(),
                s,
                secret.len(),
            ));
            let (c, len) = (ciphertext.as_ptr(), ciphertext.len());
            ok(carryless_hqc_decapsulate(CARRYLESS_HQC_1, s, secret.len(), c, len, k, shared.len()));
        }
        secrets.assert_visible("shared secret", true);
        secret.zeroize();
        shared.zeroize();
    });
}

/// A key is read from a file, written in full length, made ready, and decapsulates. The caller wipes its own bytes.
#[test]
fn hqc_keys_and_files_leave_nothing() {
    use carryless_capi::{
        CARRYLESS_HQC_1, CARRYLESS_HQC_DER, CARRYLESS_HQC_FORM_BOTH, CARRYLESS_HQC_PEM,
        carryless_hqc_decapsulate_with, carryless_hqc_decapsulation_key_new, carryless_hqc_file_sizes,
        carryless_hqc_get_file_sizes, carryless_hqc_read_decapsulation_key,
        carryless_hqc_write_decapsulation_key,
    };

    let (mut ciphertext, mut blanked) = (Vec::new(), Vec::new());
    let secrets = &hqc_secrets(&mut ciphertext, &mut blanked);
    in_both(secrets, "key files and a key that is ready", |memory| {
        let (memory, memory_len) = Memory::of(memory);
        let (mut secret, mut shared, mut key) = (vec![0; 2321], vec![0; 32], null_mut());
        let mut sizes = carryless_hqc_file_sizes { decapsulation_key: 0, encapsulation_key: 0 };
        let mut pem = blanked.clone();
        pem[SECRET_TEXT].copy_from_slice(&secrets.reveal("file"));
        // SAFETY: the pointers lead to what their lengths say, and the key comes from this library.
        unsafe {
            let (s, k) = (secret.as_mut_ptr(), shared.as_mut_ptr());
            let (set, der, both) = (CARRYLESS_HQC_1, CARRYLESS_HQC_DER, CARRYLESS_HQC_FORM_BOTH);
            let encoding = CARRYLESS_HQC_PEM;
            ok(carryless_hqc_read_decapsulation_key(set, encoding, pem.as_ptr(), pem.len(), s, 2321));
            pem.zeroize();
            ok(carryless_hqc_get_file_sizes(set, both, der, &raw mut sizes));
            let mut file = vec![0; sizes.decapsulation_key];
            ok(carryless_hqc_write_decapsulation_key(set, both, der, s, 2321, file.as_mut_ptr(), file.len()));
            ok(carryless_hqc_decapsulation_key_new(set, s, 2321, memory, memory_len, &raw mut key));
            file.zeroize();
            secret.zeroize();
            ok(carryless_hqc_decapsulate_with(key, ciphertext.as_ptr(), ciphertext.len(), k, 32));
            secrets.assert_visible("shared secret", true);
            shared.zeroize();
            ok(carryless_free(key.cast()));
        }
    });
}
