//! The KEM on plain bytes, for all sets.
use carryless_hqc::{Ciphertext, ClmulCpu, DecapsulationKey, EncapsulationKey, Scheme};
use getrandom::rand_core::UnwrapErr;

/// The system's generator. Like the original, it panics if the system has no random bytes.
pub(crate) fn system() -> UnwrapErr<getrandom::SysRng> {
    UnwrapErr(getrandom::SysRng)
}

/// Writes a new key pair.
pub(crate) fn keypair<K: Scheme>(
    rng: &mut impl getrandom::rand_core::CryptoRng,
    public: &mut [u8],
    secret: &mut [u8],
) {
    let key = DecapsulationKey::<K>::generate_from_rng(rng);
    public.copy_from_slice(key.encapsulation_key().as_bytes().as_ref());
    key.to_bytes_into(secret).expect("an array of the type's size");
}

/// Writes a new shared secret, and the ciphertext that carries it to the holder of `public`'s secret key.
pub(crate) fn encapsulate<K: Scheme>(
    rng: &mut impl getrandom::rand_core::CryptoRng,
    public: &[u8],
    shared: &mut [u8],
    ciphertext: &mut [u8],
) {
    // Unused bits take part as in PQClean, which checks nothing.
    let key = EncapsulationKey::<K>::from_bytes_unchecked(ClmulCpu::detect(), public)
        .expect("an array of the type's size");
    let (sent, secret) = key.encapsulate_with_rng(rng);
    ciphertext.copy_from_slice(sent.as_ref());
    shared.copy_from_slice(secret.as_ref());
}

/// Writes the shared secret of a ciphertext.
pub(crate) fn decapsulate<K: Scheme>(ciphertext: &[u8], secret: &[u8], shared: &mut [u8]) {
    let ciphertext = Ciphertext::<K>::from_bytes(ciphertext).expect("an array of the type's size");
    // PQClean computes with the public key in the secret one, whether it fits or not.
    let key = DecapsulationKey::<K>::from_bytes_unchecked(ClmulCpu::detect(), secret)
        .expect("an array of the type's size");
    shared.copy_from_slice(key.decapsulate(&ciphertext).as_ref());
}
