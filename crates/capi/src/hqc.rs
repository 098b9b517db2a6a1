//! The KEM HQC.
use crate::memory::{Input, Output, Region, apart};
use crate::status::{call, carryless_status, carryless_status as Status};
use carryless_hqc::any::{FromBytes, FromSeed, PublicFromBytes};
use carryless_hqc::{Defect, Error, SchemeId};
use zeroize::Zeroizing;

/// A scheme: HQC-1 in profile NR, which is that of liboqs 0.16.
pub const CARRYLESS_HQC_1: u32 = 1;
/// A scheme: HQC-3 in profile NR, that of liboqs 0.16. Profiles do not understand each other.
pub const CARRYLESS_HQC_3: u32 = 2;
/// A scheme: HQC-5 in profile NR, that of liboqs 0.16.
pub const CARRYLESS_HQC_5: u32 = 3;
/// A scheme: HQC-1 in profile V5, which is that of the reference code 5.0.0.
pub const CARRYLESS_HQC_1_V5: u32 = 4;
/// A scheme: HQC-3 in profile V5, that of the reference code 5.0.0.
pub const CARRYLESS_HQC_3_V5: u32 = 5;
/// A scheme: HQC-5 in profile V5, that of the reference code 5.0.0.
pub const CARRYLESS_HQC_5_V5: u32 = 6;
/// A scheme: hqc-128 of the submission of 2023, for old data. Profile 2023 is in builds with feature hqc-2023.
pub const CARRYLESS_HQC_128_2023: u32 = 7;
/// A scheme: hqc-192 of the submission of 2023, for old data.
pub const CARRYLESS_HQC_192_2023: u32 = 8;
/// A scheme: hqc-256 of the submission of 2023, for old data.
pub const CARRYLESS_HQC_256_2023: u32 = 9;

/// At least the bytes of a seed and of randomness in every scheme.
const MAX_RANDOM: usize = 112;

/// Sizes of what belongs to a scheme, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct carryless_hqc_sizes {
    /// The random bytes that a key pair is made of.
    pub seed: usize,
    /// An encapsulation key, which is public.
    pub encapsulation_key: usize,
    /// A decapsulation key, which is secret.
    pub decapsulation_key: usize,
    /// The random bytes that an encapsulation takes.
    pub randomness: usize,
    /// A ciphertext, which is public and carries a shared secret.
    pub ciphertext: usize,
    /// A shared secret, which both sides get and nobody else.
    pub shared_secret: usize,
}

pub(crate) fn scheme(number: u32) -> Result<SchemeId, Status> {
    Ok(match number {
        CARRYLESS_HQC_1 => SchemeId::Hqc1,
        CARRYLESS_HQC_3 => SchemeId::Hqc3,
        CARRYLESS_HQC_5 => SchemeId::Hqc5,
        CARRYLESS_HQC_1_V5 => SchemeId::Hqc1V5,
        CARRYLESS_HQC_3_V5 => SchemeId::Hqc3V5,
        CARRYLESS_HQC_5_V5 => SchemeId::Hqc5V5,
        #[cfg(feature = "hqc-2023")]
        CARRYLESS_HQC_128_2023 => SchemeId::Hqc128,
        #[cfg(feature = "hqc-2023")]
        CARRYLESS_HQC_192_2023 => SchemeId::Hqc192,
        #[cfg(feature = "hqc-2023")]
        CARRYLESS_HQC_256_2023 => SchemeId::Hqc256,
        _ => return Err(Status::Unsupported),
    })
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        match error.defect() {
            Defect::Length { .. } => Status::Length,
            _ => Status::Value,
        }
    }
}

/// The buffers of a function as slices: N inputs, then two outputs that are apart from all others.
pub(crate) type Buffers<'a, const N: usize> = ([&'a [u8]; N], [&'a mut [u8]; 2]);

/// Makes slices of N inputs and two outputs. `Overlap` if an output shares a byte with another buffer.
///
/// # Safety
/// The promise of the caller in C.
pub(crate) unsafe fn buffers<'a, const N: usize>(
    inputs: [(*const u8, usize); N],
    outputs: [(*mut u8, usize); 2],
) -> Result<Buffers<'a, N>, Status> {
    let [first, second] = outputs.map(|(start, len)| Output::new(start, len));
    let (first, second) = (first?, second?);
    apart(first.region, &[second.region])?;
    let mut slices: [&[u8]; N] = [&[]; N];
    for (slice, (start, len)) in slices.iter_mut().zip(inputs) {
        let input = Input::new(start, len)?;
        let others: [Region; 2] = [first.region, second.region];
        apart(input.region, &others)?;
        // SAFETY: the caller's promise; the outputs are apart from it.
        *slice = unsafe { input.slice() };
    }
    // SAFETY: the caller's promise; the outputs are apart from each other and from the rest.
    Ok((slices, unsafe { [first.slice(), second.slice()] }))
}

/// `Length` unless both numbers of each pair are equal: the length of a buffer, and the one it must have.
fn lengths(pairs: &[(usize, usize)]) -> Result<(), Status> {
    if pairs.iter().all(|(found, expected)| found == expected) { Ok(()) } else { Err(Status::Length) }
}

/// The sizes of what belongs to a scheme, one of CARRYLESS_HQC_*.
///
/// # Safety
/// `sizes` is null, or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_get_sizes(
    scheme: u32,
    sizes: *mut carryless_hqc_sizes,
) -> carryless_status {
    call(|| {
        let (sizes, of) = (Output::one(sizes)?, self::scheme(scheme)?.sizes());
        let found = carryless_hqc_sizes {
            seed: of.seed,
            encapsulation_key: of.encapsulation_key,
            decapsulation_key: of.decapsulation_key,
            randomness: of.randomness,
            ciphertext: of.ciphertext,
            shared_secret: of.shared_secret,
        };
        // SAFETY: the caller's promise.
        unsafe { sizes.write(&[found]) }
    })
}

/// Makes the keys of a seed.
fn key_pair(scheme: SchemeId, seed: &[u8], [public, secret]: [&mut [u8]; 2]) -> Result<(), Status> {
    let sizes = scheme.sizes();
    lengths(&[(public.len(), sizes.encapsulation_key), (secret.len(), sizes.decapsulation_key)])?;
    // The length of the seed is checked as well.
    let key = scheme.dispatch(FromSeed(seed))?;
    public.copy_from_slice(key.encapsulation_key().as_bytes());
    Ok(key.to_bytes_into(secret)?)
}

/// Makes a ciphertext and its secret, of a key and randomness.
fn encapsulate(
    scheme: SchemeId,
    [key, random]: [&[u8]; 2],
    [ciphertext, secret]: [&mut [u8]; 2],
) -> Result<(), Status> {
    let sizes = scheme.sizes();
    // The length of the key is checked with its contents.
    lengths(&[
        (random.len(), sizes.randomness),
        (ciphertext.len(), sizes.ciphertext),
        (secret.len(), sizes.shared_secret),
    ])?;
    Ok(scheme.dispatch(PublicFromBytes(key))?.encapsulate(random, ciphertext, secret)?)
}

/// Runs `work` on `len` bytes that `fill` has written. They are wiped where they were written: a move would leave a copy.
fn with_random(
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> Result<(), Status>,
    work: impl FnOnce(&[u8]) -> Result<(), Status>,
) -> Result<(), Status> {
    let mut buffer = Zeroizing::new([0; MAX_RANDOM]);
    let bytes = buffer.get_mut(..len).ok_or(Status::Internal)?;
    fill(bytes)?;
    work(bytes)
}

/// Fills a buffer with random bytes of the system.
fn of_system(bytes: &mut [u8]) -> Result<(), Status> {
    Ok(getrandom::fill(bytes)?)
}

/// A pair of keys, made of random bytes.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_key_pair(
    scheme: u32,
    seed: *const u8,
    seed_len: usize,
    encapsulation_key: *mut u8,
    encapsulation_key_len: usize,
    decapsulation_key: *mut u8,
    decapsulation_key_len: usize,
) -> carryless_status {
    call(|| {
        let outputs =
            [(encapsulation_key, encapsulation_key_len), (decapsulation_key, decapsulation_key_len)];
        // SAFETY: the caller's promise.
        let ([seed], outputs) = unsafe { buffers([(seed, seed_len)], outputs)? };
        key_pair(self::scheme(scheme)?, seed, outputs)
    })
}

/// A pair of keys, made of random bytes of the system. CARRYLESS_STATUS_RANDOM if it gives none.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_generate(
    scheme: u32,
    encapsulation_key: *mut u8,
    encapsulation_key_len: usize,
    decapsulation_key: *mut u8,
    decapsulation_key_len: usize,
) -> carryless_status {
    call(|| {
        let outputs =
            [(encapsulation_key, encapsulation_key_len), (decapsulation_key, decapsulation_key_len)];
        // SAFETY: the caller's promise.
        let ([], outputs) = unsafe { buffers([], outputs)? };
        let scheme = self::scheme(scheme)?;
        with_random(scheme.sizes().seed, of_system, |seed| key_pair(scheme, seed, outputs))
    })
}

/// A shared secret, and the ciphertext that carries it to the holder of the decapsulation key, made of random bytes that serve once.
/// CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_encapsulate(
    scheme: u32,
    encapsulation_key: *const u8,
    encapsulation_key_len: usize,
    randomness: *const u8,
    randomness_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: usize,
    shared_secret: *mut u8,
    shared_secret_len: usize,
) -> carryless_status {
    call(|| {
        let inputs = [(encapsulation_key, encapsulation_key_len), (randomness, randomness_len)];
        let outputs = [(ciphertext, ciphertext_len), (shared_secret, shared_secret_len)];
        // SAFETY: the caller's promise.
        let (inputs, outputs) = unsafe { buffers(inputs, outputs)? };
        encapsulate(self::scheme(scheme)?, inputs, outputs)
    })
}

/// carryless_hqc_encapsulate with random bytes of the system. CARRYLESS_STATUS_RANDOM if it gives none.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_encapsulate_random(
    scheme: u32,
    encapsulation_key: *const u8,
    encapsulation_key_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: usize,
    shared_secret: *mut u8,
    shared_secret_len: usize,
) -> carryless_status {
    call(|| {
        let outputs = [(ciphertext, ciphertext_len), (shared_secret, shared_secret_len)];
        // SAFETY: the caller's promise.
        let ([key], outputs) = unsafe { buffers([(encapsulation_key, encapsulation_key_len)], outputs)? };
        let scheme = self::scheme(scheme)?;
        with_random(scheme.sizes().randomness, of_system, |random| {
            encapsulate(scheme, [key, random], outputs)
        })
    })
}

/// The shared secret of a ciphertext. One that encapsulation did not make gives another secret, not an error. CARRYLESS_STATUS_VALUE if the bytes
/// are no key: it is made anew from its seed and compared.
///
/// # Safety
/// Pointers are null, or lead to what their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carryless_hqc_decapsulate(
    scheme: u32,
    decapsulation_key: *const u8,
    decapsulation_key_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    shared_secret: *mut u8,
    shared_secret_len: usize,
) -> carryless_status {
    call(|| {
        let inputs = [(decapsulation_key, decapsulation_key_len), (ciphertext, ciphertext_len)];
        // An empty second output, since `buffers` makes two.
        let outputs = [(shared_secret, shared_secret_len), (std::ptr::null_mut(), 0)];
        // SAFETY: the caller's promise.
        let (inputs, [secret, _]) = unsafe { buffers(inputs, outputs)? };
        let ([key, ciphertext], scheme) = (inputs, self::scheme(scheme)?);
        let sizes = scheme.sizes();
        lengths(&[(ciphertext.len(), sizes.ciphertext), (secret.len(), sizes.shared_secret)])?;
        Ok(scheme.dispatch(FromBytes(key))?.decapsulate(ciphertext, secret)?)
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use carryless_residue::Secrets;
    use zeroize::Zeroize as _;

    /// Random bytes leave nothing but the outputs, of which the caller wipes the secret ones.
    #[test]
    fn random_bytes_leave_nothing() {
        let (scheme, sizes) = (SchemeId::Hqc1, SchemeId::Hqc1.sizes());
        let secrets = &Secrets::new(|record| {
            let bytes: [u8; MAX_RANDOM] = std::array::from_fn(|i| (i * i * 7 + i * 101 + 13) as u8);
            record("seed", &bytes[..sizes.seed]);
            // The salt follows the message. It is public, a part of the ciphertext.
            record("message", &bytes[48..64]);
        });
        let fill = |name: &'static str| {
            move |bytes: &mut [u8]| {
                let secret = secrets.reveal(name);
                bytes[..secret.len()].copy_from_slice(&secret);
                Ok::<(), Status>(())
            }
        };
        let (mut public, mut secret) = (vec![0; sizes.encapsulation_key], vec![0; sizes.decapsulation_key]);
        secrets.assert_gone("generated key", || {
            let outputs = [&mut public[..], &mut secret[..]];
            with_random(sizes.seed, fill("seed"), |seed| key_pair(scheme, seed, outputs)).expect("a key");
            secret.zeroize();
        });
        secrets.assert_gone("encapsulation", || {
            let (mut ciphertext, mut shared) = (vec![0; sizes.ciphertext], vec![0; sizes.shared_secret]);
            let outputs = [&mut ciphertext[..], &mut shared[..]];
            let run = |random: &[u8]| encapsulate(scheme, [&public, random], outputs);
            with_random(sizes.randomness, fill("message"), run).expect("a ciphertext");
            shared.zeroize();
        });
    }
}
