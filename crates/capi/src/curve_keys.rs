//! Keys of binary curves: random ones, and PEM.
use crate::curve::{buffers, on, public_key, put, secret_key, sizes};
use crate::memory::{Output, apart};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_ec::curve::BinaryCurve;
use carryless_ec::{CurveVisitor, PointForm, PublicKey, SecretKey};
use std::ffi::c_char;

/// A pair of keys, made of random bytes of the system; the public key is 4 and both coordinates. CARRYLESS_STATUS_RANDOM if it gives none.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_generate(
    curve: u32,
    secret: *mut u8,
    secret_len: usize,
    public: *mut u8,
    public_len: usize,
) -> carryless_status {
    struct Run<'a>([&'a mut [u8]; 2]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            let (Run([secret, public]), sizes) = (self, sizes::<C>());
            if secret.len() != sizes.secret_key || public.len() != sizes.public_key {
                return Err(Status::Length);
            }
            let key = SecretKey::<C>::try_generate(&mut getrandom::SysRng)?;
            put(secret, &key.to_bytes())?;
            put(public, key.public_key().to_sec1().as_ref())
        }
    }
    call(|| {
        let (secret, public) = (Output::new(secret, secret_len)?, Output::new(public, public_len)?);
        apart(secret.region, &[public.region])?;
        // SAFETY: the caller's promise; the two are apart.
        on(curve, Run(unsafe { [secret.slice(), public.slice()] }))?
    })
}

/// Bytes of the texts of keys in PEM, without a zero byte at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct carryless_curve_pem_sizes {
    /// A secret key, as carryless_curve_secret_to_pem writes it.
    pub secret_pem: usize,
    /// A public key, as carryless_curve_public_to_pem writes it.
    pub public_pem: usize,
}

/// The sizes of keys of a curve in PEM.
///
/// # Safety
/// `sizes` is null, or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_get_pem_sizes(
    curve: u32,
    sizes: *mut carryless_curve_pem_sizes,
) -> carryless_status {
    struct Of;
    impl CurveVisitor for Of {
        type Output = Result<carryless_curve_pem_sizes, Status>;
        fn visit<C: BinaryCurve>(self) -> Self::Output {
            // All keys of a curve are as long as the key 1.
            let mut one = vec![0; SecretKey::<C>::BYTES - 1];
            one.push(1);
            let key = secret_key::<C>(&one)?;
            Ok(carryless_curve_pem_sizes {
                secret_pem: key.to_pkcs8_pem().map_err(|_| Status::Unsupported)?.len(),
                public_pem: public_pem(&key.public_key())?.len(),
            })
        }
    }
    call(|| {
        let sizes = Output::one(sizes)?;
        // SAFETY: the caller's promise.
        unsafe { sizes.write(&[on(curve, Of)??]) }
    })
}

fn public_pem<C: BinaryCurve>(key: &PublicKey<C>) -> Result<String, Status> {
    key.to_public_key_pem(PointForm::Uncompressed).map_err(|_| Status::Unsupported)
}

/// A secret key in PEM: PKCS #8, as OpenSSL writes it, with the label PRIVATE KEY and no zero byte at the end. carryless_curve_get_pem_sizes has the length.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_secret_to_pem(
    curve: u32,
    secret: *const u8,
    secret_len: usize,
    pem: *mut c_char,
    pem_len: usize,
) -> carryless_status {
    struct Run<'a>(&'a [u8], &'a mut [u8]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            let key = secret_key::<C>(self.0)?;
            put(self.1, key.to_pkcs8_pem().map_err(|_| Status::Unsupported)?.as_bytes())
        }
    }
    call(|| {
        // SAFETY: the caller's promise.
        let ([secret], pem) = unsafe { buffers([(secret, secret_len)], (pem.cast(), pem_len))? };
        on(curve, Run(secret, pem))?
    })
}

/// A public key in PEM, with the label PUBLIC KEY and no zero byte at the end. carryless_curve_get_pem_sizes has the length.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_public_to_pem(
    curve: u32,
    public: *const u8,
    public_len: usize,
    pem: *mut c_char,
    pem_len: usize,
) -> carryless_status {
    struct Run<'a>(&'a [u8], &'a mut [u8]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            put(self.1, public_pem(&public_key::<C>(self.0)?)?.as_bytes())
        }
    }
    call(|| {
        // SAFETY: the caller's promise.
        let ([public], pem) = unsafe { buffers([(public, public_len)], (pem.cast(), pem_len))? };
        on(curve, Run(public, pem))?
    })
}

/// The text in a buffer, and the key that is written.
///
/// # Safety
/// The promise of the caller in C.
unsafe fn text_and_key<'a>(
    (pem, pem_len): (*const c_char, usize),
    key: (*mut u8, usize),
) -> Result<(&'a str, &'a mut [u8]), Status> {
    // SAFETY: the promise to this function.
    let ([pem], key) = unsafe { buffers([(pem.cast(), pem_len)], key)? };
    Ok((str::from_utf8(pem).map_err(|_| Status::Value)?, key))
}

/// The secret key in a text: PKCS #8 or SEC 1. CARRYLESS_STATUS_VALUE if it holds no secret key of this curve, or an encrypted one.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_secret_from_pem(
    curve: u32,
    pem: *const c_char,
    pem_len: usize,
    secret: *mut u8,
    secret_len: usize,
) -> carryless_status {
    struct Run<'a>(&'a str, &'a mut [u8]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            put(self.1, &SecretKey::<C>::from_pem(self.0).map_err(|_| Status::Value)?.to_bytes())
        }
    }
    call(|| {
        // SAFETY: the caller's promise.
        let (pem, secret) = unsafe { text_and_key((pem, pem_len), (secret, secret_len))? };
        on(curve, Run(pem, secret))?
    })
}

/// The public key in a text, as 4 and both coordinates. CARRYLESS_STATUS_VALUE if it holds no public key of this curve.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_public_from_pem(
    curve: u32,
    pem: *const c_char,
    pem_len: usize,
    public: *mut u8,
    public_len: usize,
) -> carryless_status {
    struct Run<'a>(&'a str, &'a mut [u8]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            let key = PublicKey::<C>::from_public_key_pem(self.0).map_err(|_| Status::Value)?;
            put(self.1, key.to_sec1().as_ref())
        }
    }
    call(|| {
        // SAFETY: the caller's promise.
        let (pem, public) = unsafe { text_and_key((pem, pem_len), (public, public_len))? };
        on(curve, Run(pem, public))?
    })
}
