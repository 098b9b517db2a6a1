//! A deterministic generator for tests, whose first outputs can be prescribed.
use rand_core::{Infallible, TryCryptoRng, TryRng};

/// Returns the strings of `first`, one for each call, and then a pseudorandom sequence. A call panics if it
/// asks for another length than that of the next string.
pub(crate) struct Bytes {
    pub(crate) first: Vec<Vec<u8>>,
    pub(crate) next: u64,
}

/// A generator without prescribed outputs. Each seed gives a sequence of its own.
pub(crate) fn rng(seed: u64) -> Bytes {
    Bytes { first: Vec::new(), next: seed }
}

impl TryRng for Bytes {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.try_next_u64()? >> 32) as u32)
    }

    /// The generator SplitMix64 of Steele, Lea and Flood: `next` is its state.
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.next = self.next.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.next ^ self.next >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ z >> 31)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        if !self.first.is_empty() {
            out.copy_from_slice(&self.first.remove(0));
            return Ok(());
        }
        for out in out {
            *out = self.try_next_u64()? as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for Bytes {}
