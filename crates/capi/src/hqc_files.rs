//! Key files of HQC: PKCS #8 and SubjectPublicKeyInfo.
use crate::hqc::{buffers, scheme};
use crate::memory::Output;
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_hqc::SchemeId;
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey, FromBytes, FromSeed, PublicFromBytes};
use carryless_hqc::key_file::{KeyFileError, PrivateForm, private_to_pem, public_to_pem};
use zeroize::Zeroizing;

/// A form of the private key in PKCS #8: the seed, which is the shortest and all that is needed.
pub const CARRYLESS_HQC_FORM_SEED: u32 = 1;
/// A form of the private key in PKCS #8: the key in full length.
pub const CARRYLESS_HQC_FORM_EXPANDED: u32 = 2;
/// A form of the private key in PKCS #8: the seed and the key in full length.
pub const CARRYLESS_HQC_FORM_BOTH: u32 = 3;

fn form(number: u32) -> Result<PrivateForm, Status> {
    Ok(match number {
        CARRYLESS_HQC_FORM_SEED => PrivateForm::Seed,
        CARRYLESS_HQC_FORM_EXPANDED => PrivateForm::Expanded,
        CARRYLESS_HQC_FORM_BOTH => PrivateForm::Both,
        _ => return Err(Status::Unsupported),
    })
}

/// An encoding of key files: DER, which is bytes.
pub const CARRYLESS_HQC_DER: u32 = 1;
/// An encoding of key files: PEM, which is text, without a zero byte at the end.
pub const CARRYLESS_HQC_PEM: u32 = 2;

/// Whether an encoding, one of CARRYLESS_HQC_DER and CARRYLESS_HQC_PEM, is the text.
fn is_pem(encoding: u32) -> Result<bool, Status> {
    match encoding {
        CARRYLESS_HQC_DER => Ok(false),
        CARRYLESS_HQC_PEM => Ok(true),
        _ => Err(Status::Unsupported),
    }
}

/// `Unsupported` for profiles that have no key files, `Value` for every other defect of a file.
impl From<KeyFileError> for Status {
    fn from(error: KeyFileError) -> Status {
        match error {
            KeyFileError::NoIdentifier(_) => Status::Unsupported,
            _ => Status::Value,
        }
    }
}

fn private_file(key: &AnyDecapsulationKey, form: u32, encoding: u32) -> Result<Zeroizing<Vec<u8>>, Status> {
    let pem = is_pem(encoding)?;
    let der = key.to_pkcs8_der(self::form(form)?)?;
    Ok(if pem { private_to_pem(&der)?.as_bytes().to_vec().into() } else { der.to_bytes() })
}

fn public_file(key: &AnyEncapsulationKey, encoding: u32) -> Result<Zeroizing<Vec<u8>>, Status> {
    let pem = is_pem(encoding)?;
    let der = key.to_public_key_der()?;
    Ok(if pem { public_to_pem(&der)?.as_bytes().to_vec().into() } else { der.to_bytes() })
}

/// Copies all of `from`. `Length` unless `to` is as long.
fn put(to: &mut [u8], from: &[u8]) -> Result<(), Status> {
    if to.len() != from.len() {
        return Err(Status::Length);
    }
    to.copy_from_slice(from);
    Ok(())
}

/// Runs a function of an input and an output that are apart.
///
/// # Safety
/// The promise of the caller in C.
unsafe fn convert(
    input: (*const u8, usize),
    output: (*mut u8, usize),
    run: impl FnOnce(&[u8], &mut [u8]) -> Result<(), Status>,
) -> Status {
    call(|| {
        // SAFETY: the promise to this function. An empty second output, since `buffers` makes two.
        let ([input], [output, _]) = unsafe { buffers([input], [output, (std::ptr::null_mut(), 0)])? };
        run(input, output)
    })
}

/// Bytes of the key files of a scheme.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct carryless_hqc_file_sizes {
    /// A file of a decapsulation key.
    pub decapsulation_key: usize,
    /// A file of an encapsulation key.
    pub encapsulation_key: usize,
}

/// The sizes of key files, for a form and an encoding. CARRYLESS_STATUS_UNSUPPORTED for profiles V5 and 2023, which have no object identifiers.
///
/// # Safety
/// `sizes` is null, or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_get_file_sizes(
    scheme: u32,
    form: u32,
    encoding: u32,
    sizes: *mut carryless_hqc_file_sizes,
) -> carryless_status {
    call(|| {
        let (sizes, scheme) = (Output::one(sizes)?, self::scheme(scheme)?);
        // All keys of a scheme have files of one size.
        let key = scheme.dispatch(FromSeed(&vec![0; scheme.sizes().seed]))?;
        let found = carryless_hqc_file_sizes {
            decapsulation_key: private_file(&key, form, encoding)?.len(),
            encapsulation_key: public_file(key.encapsulation_key(), encoding)?.len(),
        };
        // SAFETY: the caller's promise.
        unsafe { sizes.write(&[found]) }
    })
}

/// Writes a decapsulation key as PKCS #8 in one of CARRYLESS_HQC_FORM_*, which OpenSSL reads with the provider carryless.so; in PEM with the label PRIVATE KEY.
/// carryless_hqc_get_file_sizes has the length. CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_write_decapsulation_key(
    scheme: u32,
    form: u32,
    encoding: u32,
    decapsulation_key: *const u8,
    decapsulation_key_len: usize,
    file: *mut u8,
    file_len: usize,
) -> carryless_status {
    let run = |bytes: &[u8], file: &mut [u8]| {
        let key = self::scheme(scheme)?.dispatch(FromBytes(bytes))?;
        put(file, &private_file(&key, form, encoding)?)
    };
    // SAFETY: the caller's promise.
    unsafe { convert((decapsulation_key, decapsulation_key_len), (file, file_len), run) }
}

/// Writes an encapsulation key as SubjectPublicKeyInfo; in PEM with the label PUBLIC KEY. carryless_hqc_get_file_sizes has the length.
/// CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_write_encapsulation_key(
    scheme: u32,
    encoding: u32,
    encapsulation_key: *const u8,
    encapsulation_key_len: usize,
    file: *mut u8,
    file_len: usize,
) -> carryless_status {
    let run = |bytes: &[u8], file: &mut [u8]| {
        let key = self::scheme(scheme)?.dispatch(PublicFromBytes(bytes))?;
        put(file, &public_file(&key, encoding)?)
    };
    // SAFETY: the caller's promise.
    unsafe { convert((encapsulation_key, encapsulation_key_len), (file, file_len), run) }
}

/// `Value` unless a file names the scheme that the caller expects.
fn check_scheme(expected: SchemeId, found: SchemeId) -> Result<(), Status> {
    if expected == found { Ok(()) } else { Err(Status::Value) }
}

/// `Unsupported` if no file names the scheme.
fn check_files(scheme: SchemeId) -> Result<SchemeId, Status> {
    let found = carryless_hqc::key_file::identifier(scheme);
    found.map(|_| scheme).ok_or(Status::Unsupported)
}

/// Reads a decapsulation key from PKCS #8 in any form. CARRYLESS_STATUS_VALUE if the file is malformed or encrypted, or holds no key of this scheme.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_read_decapsulation_key(
    scheme: u32,
    encoding: u32,
    file: *const u8,
    file_len: usize,
    decapsulation_key: *mut u8,
    decapsulation_key_len: usize,
) -> carryless_status {
    let run = |file: &[u8], bytes: &mut [u8]| {
        let scheme = check_files(self::scheme(scheme)?)?;
        let key = if is_pem(encoding)? {
            AnyDecapsulationKey::from_pkcs8_pem(str::from_utf8(file).map_err(|_| Status::Value)?)?
        } else {
            AnyDecapsulationKey::from_pkcs8_der(file)?
        };
        check_scheme(scheme, key.scheme())?;
        Ok(key.to_bytes_into(bytes)?)
    };
    // SAFETY: the caller's promise.
    unsafe { convert((file, file_len), (decapsulation_key, decapsulation_key_len), run) }
}

/// Reads an encapsulation key from a SubjectPublicKeyInfo. CARRYLESS_STATUS_VALUE if the file is malformed, or holds no key of this scheme.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_read_encapsulation_key(
    scheme: u32,
    encoding: u32,
    file: *const u8,
    file_len: usize,
    encapsulation_key: *mut u8,
    encapsulation_key_len: usize,
) -> carryless_status {
    let run = |file: &[u8], bytes: &mut [u8]| {
        let scheme = check_files(self::scheme(scheme)?)?;
        let key = if is_pem(encoding)? {
            AnyEncapsulationKey::from_public_key_pem(str::from_utf8(file).map_err(|_| Status::Value)?)?
        } else {
            AnyEncapsulationKey::from_public_key_der(file)?
        };
        check_scheme(scheme, key.scheme())?;
        put(bytes, key.as_bytes())
    };
    // SAFETY: the caller's promise.
    unsafe { convert((file, file_len), (encapsulation_key, encapsulation_key_len), run) }
}
