//! What several test programs need.
#![allow(dead_code, reason = "not every program needs all")]

use carryless_hqc::{Array, ClmulCpu};
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use serde_json::Value;
use sha2::Digest;
use shake::{ExtendableOutput, Update, XofReader};

/// How much to do: everything; little for an emulator, with `CARRYLESS_QUICK=1`; very little for Miri.
pub(crate) fn pick(full: usize, quick: usize, miri: usize) -> usize {
    if cfg!(miri) {
        miri
    } else if std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1") {
        quick
    } else {
        full
    }
}

/// The backends of this CPU.
pub(crate) fn backends() -> impl Iterator<Item = ClmulCpu> {
    ClmulCpu::available()
}

/// The generator of NIST's tests as HQC has it: the stream SHAKE256 of a seed and a domain byte.
pub(crate) struct Drbg(shake::Shake256Reader);

impl Drbg {
    pub(crate) fn new(seed: &[u8], domain: u8) -> Drbg {
        let mut hasher = shake::Shake256::default();
        hasher.update(seed);
        hasher.update(&[domain]);
        Drbg(hasher.finalize_xof())
    }

    /// Random bytes for a test.
    pub(crate) fn array<A: Array<u8>>(&mut self) -> A {
        let mut array = A::zeroed();
        self.0.read(array.as_mut());
        array
    }

    /// A random number below a bound that is small.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bytes: [u8; 8] = self.array();
        (u64::from_le_bytes(bytes) % bound as u64) as usize
    }
}

impl TryRng for Drbg {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.array()))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.array()))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.read(out);
        Ok(())
    }
}

impl TryCryptoRng for Drbg {}

/// The bytes of a hexadecimal string.
pub(crate) fn bytes(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("a string");
    let byte = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

/// The same, of known length.
pub(crate) fn array<A: Array<u8>>(text: &Value) -> A {
    let mut array = A::zeroed();
    array.as_mut().copy_from_slice(&bytes(text));
    array
}

/// Hashes `bytes` by SHA-256, of the crate `sha2`.
pub(crate) fn sha256(bytes: &[u8]) -> Vec<u8> {
    sha2::Sha256::digest(bytes).to_vec()
}
