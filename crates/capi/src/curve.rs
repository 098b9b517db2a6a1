//! ECDH and ECDSA on binary curves.
use crate::memory::{Input, Output, apart};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_ec::ecdsa::{Signature, SigningKey, VerifyingKey};
use carryless_ec::{CurveId, CurveVisitor, PublicKey, SecretKey, curve};
use curve::{BinaryCurve, ElementOf, FieldElement as _};
use sha2::{Sha256, Sha384, Sha512};

/// A curve: NIST K-163 (sect163k1 of SEC 2), a Koblitz curve over GF(2^163).
pub const CARRYLESS_CURVE_K163: u32 = 1;
/// A curve: NIST B-163 (sect163r2 of SEC 2), a pseudo-random curve over GF(2^163).
pub const CARRYLESS_CURVE_B163: u32 = 2;
/// A curve: NIST K-233 (sect233k1 of SEC 2), a Koblitz curve over GF(2^233).
pub const CARRYLESS_CURVE_K233: u32 = 3;
/// A curve: NIST B-233 (sect233r1 of SEC 2), a pseudo-random curve over GF(2^233).
pub const CARRYLESS_CURVE_B233: u32 = 4;
/// A curve: NIST K-283 (sect283k1 of SEC 2), a Koblitz curve over GF(2^283).
pub const CARRYLESS_CURVE_K283: u32 = 5;
/// A curve: NIST B-283 (sect283r1 of SEC 2), a pseudo-random curve over GF(2^283).
pub const CARRYLESS_CURVE_B283: u32 = 6;
/// A curve: NIST K-409 (sect409k1 of SEC 2), a Koblitz curve over GF(2^409).
pub const CARRYLESS_CURVE_K409: u32 = 7;
/// A curve: NIST B-409 (sect409r1 of SEC 2), a pseudo-random curve over GF(2^409).
pub const CARRYLESS_CURVE_B409: u32 = 8;
/// A curve: NIST K-571 (sect571k1 of SEC 2), a Koblitz curve over GF(2^571).
pub const CARRYLESS_CURVE_K571: u32 = 9;
/// A curve: NIST B-571 (sect571r1 of SEC 2), a pseudo-random curve over GF(2^571).
pub const CARRYLESS_CURVE_B571: u32 = 10;

/// A hash function, for nonces of ECDSA: SHA-256.
pub const CARRYLESS_HASH_SHA256: u32 = 1;
/// A hash function, for nonces of ECDSA: SHA-384.
pub const CARRYLESS_HASH_SHA384: u32 = 2;
/// A hash function, for nonces of ECDSA: SHA-512.
pub const CARRYLESS_HASH_SHA512: u32 = 3;

/// Sizes of what belongs to a curve, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct carryless_curve_sizes {
    /// A secret key: a number d, 1 <= d < n, most significant byte first.
    pub secret_key: usize,
    /// A public key as functions write it: 4 and both coordinates (SEC 1).
    pub public_key: usize,
    /// A public key of one coordinate, which functions read as well.
    pub compressed_public_key: usize,
    /// A shared secret: the x coordinate, most significant byte first.
    pub shared_secret: usize,
    /// A signature: r, then s.
    pub signature: usize,
}

/// Runs a visitor on a curve that C names. Fails with `Unsupported` for numbers that name none, and for curves that this build does not have.
pub(crate) fn on<V: CurveVisitor>(curve: u32, visitor: V) -> Result<V::Output, Status> {
    let id = match curve {
        CARRYLESS_CURVE_K163 => CurveId::Sect163k1,
        CARRYLESS_CURVE_B163 => CurveId::Sect163r2,
        CARRYLESS_CURVE_K233 => CurveId::Sect233k1,
        CARRYLESS_CURVE_B233 => CurveId::Sect233r1,
        CARRYLESS_CURVE_K283 => CurveId::Sect283k1,
        CARRYLESS_CURVE_B283 => CurveId::Sect283r1,
        CARRYLESS_CURVE_K409 => CurveId::Sect409k1,
        CARRYLESS_CURVE_B409 => CurveId::Sect409r1,
        CARRYLESS_CURVE_K571 => CurveId::Sect571k1,
        CARRYLESS_CURVE_B571 => CurveId::Sect571r1,
        _ => return Err(Status::Unsupported),
    };
    id.dispatch_built(visitor).ok_or(Status::Unsupported)
}

pub(crate) fn sizes<C: BinaryCurve>() -> carryless_curve_sizes {
    let (scalar, coordinate) = (SecretKey::<C>::BYTES, ElementOf::<C>::BYTES);
    carryless_curve_sizes {
        secret_key: scalar,
        public_key: 1 + 2 * coordinate,
        compressed_public_key: 1 + coordinate,
        shared_secret: coordinate,
        signature: 2 * scalar,
    }
}

/// The sizes of keys, secrets and signatures of a curve, one of CARRYLESS_CURVE_*.
///
/// # Safety
/// `sizes` is null, or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_get_sizes(
    curve: u32,
    sizes: *mut carryless_curve_sizes,
) -> carryless_status {
    struct Of;
    impl CurveVisitor for Of {
        type Output = carryless_curve_sizes;
        fn visit<C: BinaryCurve>(self) -> carryless_curve_sizes {
            self::sizes::<C>()
        }
    }
    call(|| {
        let sizes = Output::one(sizes)?;
        // SAFETY: the caller's promise.
        unsafe { sizes.write(&[on(curve, Of)?]) }
    })
}

/// Reads a secret key. `Length` for another number of bytes, `Value` unless 1 <= d < n.
pub(crate) fn secret_key<C: BinaryCurve>(bytes: &[u8]) -> Result<SecretKey<C>, Status> {
    // Checked first, so that a wrong length is `Length` whatever the bytes are.
    if bytes.len() != SecretKey::<C>::BYTES {
        return Err(Status::Length);
    }
    SecretKey::from_bytes(bytes).map_err(|_| Status::Value)
}

/// Reads a public key in either form of SEC 1, and validates it: `Value` if it is no point of order n.
pub(crate) fn public_key<C: BinaryCurve>(bytes: &[u8]) -> Result<PublicKey<C>, Status> {
    let sizes = sizes::<C>();
    if bytes.len() != sizes.public_key && bytes.len() != sizes.compressed_public_key {
        return Err(Status::Length);
    }
    PublicKey::from_sec1(bytes).map_err(|_| Status::Value)
}

/// Copies a result into the output, which must have its length.
pub(crate) fn put(out: &mut [u8], result: &[u8]) -> Result<(), Status> {
    if out.len() != result.len() {
        return Err(Status::Length);
    }
    out.copy_from_slice(result);
    Ok(())
}

/// Makes slices of the inputs and the output of a function. `Overlap` if the output shares a byte with an
/// input.
///
/// # Safety
/// The promise of the caller in C.
pub(crate) unsafe fn buffers<'a, const N: usize>(
    inputs: [(*const u8, usize); N],
    (out, out_len): (*mut u8, usize),
) -> Result<([&'a [u8]; N], &'a mut [u8]), Status> {
    let out = Output::new(out, out_len)?;
    let mut slices: [&[u8]; N] = [&[]; N];
    for (slice, (start, len)) in slices.iter_mut().zip(inputs) {
        let input = Input::new(start, len)?;
        apart(out.region, &[input.region])?;
        // SAFETY: the caller's promise; the output is apart from it.
        *slice = unsafe { input.slice() };
    }
    // SAFETY: the caller's promise; the output is apart from the rest.
    Ok((slices, unsafe { out.slice() }))
}

/// The public key d G of a secret key: 4 and both coordinates. CARRYLESS_STATUS_VALUE if the secret key is not one, 1 <= d < n: random bytes are
/// drawn again then.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_public_key(
    curve: u32,
    secret: *const u8,
    secret_len: usize,
    public: *mut u8,
    public_len: usize,
) -> carryless_status {
    struct Run<'a>(&'a [u8], &'a mut [u8]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            let Run(secret, out) = self;
            // First, so that a wrong length costs no product and reads no secret.
            if out.len() != sizes::<C>().public_key {
                return Err(Status::Length);
            }
            put(out, secret_key::<C>(secret)?.public_key().to_sec1().as_ref())
        }
    }
    call(|| {
        // SAFETY: the caller's promise.
        let ([secret], out) = unsafe { buffers([(secret, secret_len)], (public, public_len))? };
        on(curve, Run(secret, out))?
    })
}

/// ECDH: the secret that the owners of two keys share, without the cofactor. The public key, in either form of SEC 1, is validated in full:
/// CARRYLESS_STATUS_VALUE if it is no multiple of the generator. Derive keys from the secret by a KDF.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_ecdh(
    curve: u32,
    secret: *const u8,
    secret_len: usize,
    public: *const u8,
    public_len: usize,
    shared: *mut u8,
    shared_len: usize,
) -> carryless_status {
    struct Run<'a>([&'a [u8]; 2], &'a mut [u8]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            let Run([secret, public], out) = self;
            if out.len() != sizes::<C>().shared_secret {
                return Err(Status::Length);
            }
            let (secret, public) = (secret_key::<C>(secret)?, public_key::<C>(public)?);
            put(out, secret.diffie_hellman(&public).map_err(|_| Status::Value)?.as_bytes())
        }
    }
    call(|| {
        let inputs = [(secret, secret_len), (public, public_len)];
        // SAFETY: the caller's promise.
        let (inputs, out) = unsafe { buffers(inputs, (shared, shared_len))? };
        on(curve, Run(inputs, out))?
    })
}

/// ECDSA: signs the hash of a message, of any length, with the nonce of RFC 6979 by `hash_function`, one of CARRYLESS_HASH_*. It should be the function that
/// made the hash. The same message has always the same signature.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_ecdsa_sign(
    curve: u32,
    hash_function: u32,
    secret: *const u8,
    secret_len: usize,
    hash: *const u8,
    hash_len: usize,
    signature: *mut u8,
    signature_len: usize,
) -> carryless_status {
    struct Run<'a>(u32, [&'a [u8]; 2], &'a mut [u8]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            let Run(function, [secret, hash], out) = self;
            if out.len() != sizes::<C>().signature {
                return Err(Status::Length);
            }
            let secret = secret_key::<C>(secret)?;
            let signature = match function {
                CARRYLESS_HASH_SHA256 => SigningKey::<C, Sha256>::new(secret).sign_prehash(hash),
                CARRYLESS_HASH_SHA384 => SigningKey::<C, Sha384>::new(secret).sign_prehash(hash),
                CARRYLESS_HASH_SHA512 => SigningKey::<C, Sha512>::new(secret).sign_prehash(hash),
                _ => return Err(Status::Unsupported),
            };
            put(out, &signature.to_bytes())
        }
    }
    call(|| {
        let inputs = [(secret, secret_len), (hash, hash_len)];
        // SAFETY: the caller's promise.
        let (inputs, out) = unsafe { buffers(inputs, (signature, signature_len))? };
        on(curve, Run(hash_function, inputs, out))?
    })
}

/// ECDSA: CARRYLESS_STATUS_OK if the signature is one of this hash by the owner of the public key, CARRYLESS_STATUS_MISMATCH if not, and CARRYLESS_STATUS_VALUE
/// if the key or the signature is none. What is verified is public.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_curve_ecdsa_verify(
    curve: u32,
    public: *const u8,
    public_len: usize,
    hash: *const u8,
    hash_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> carryless_status {
    struct Run<'a>([&'a [u8]; 3]);
    impl CurveVisitor for Run<'_> {
        type Output = Result<(), Status>;
        fn visit<C: BinaryCurve>(self) -> Result<(), Status> {
            let [public, hash, signature] = self.0;
            if signature.len() != sizes::<C>().signature {
                return Err(Status::Length);
            }
            let public = public_key::<C>(public)?;
            let signature = Signature::<C>::from_bytes(signature).map_err(|_| Status::Value)?;
            // The hash function has no effect here: verification needs no nonce.
            let verifier = VerifyingKey::<C, Sha256>::new(public);
            verifier.verify_prehash(hash, &signature).map_err(|_| Status::Mismatch)
        }
    }
    call(|| {
        let inputs = [(public, public_len), (hash, hash_len), (signature, signature_len)];
        // SAFETY: the caller's promise; there is no output.
        let (inputs, _) = unsafe { buffers(inputs, (std::ptr::null_mut(), 0))? };
        on(curve, Run(inputs))?
    })
}
