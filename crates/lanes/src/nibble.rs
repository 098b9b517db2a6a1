//! Four bits, as an index that needs no check.
use core::ops::BitXorAssign;

/// A number below 16. Sums without carries stay below 16, so an entry of sixteen is found without a comparison.
///
/// The entry's address depends on the number: it must be public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Nibble(
    /// Eight times the number: with entries of 8 to 64 bytes, x86 multiplies by the rest while it addresses.
    u8,
);

impl Nibble {
    /// The last four bits.
    #[must_use]
    #[inline(always)]
    pub const fn new(number: u16) -> Nibble {
        Nibble((number as u8 & 15) << 3)
    }

    /// The entry with this number, `size_of::<T>()` being a multiple of 8.
    #[inline(always)]
    pub fn of<T: Copy>(self, entries: &[T; 16]) -> T {
        const { assert!(size_of::<T>().is_multiple_of(8)) };
        let offset = usize::from(self.0) * (size_of::<T>() / 8);
        // SAFETY: the only constructor makes a multiple of 8 up to 8 * 15, and sums without carries of such are such,
        // so `offset` is that of an entry of `entries`.
        unsafe { entries.as_ptr().byte_add(offset).read() }
    }
}

impl BitXorAssign for Nibble {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Nibble) {
        self.0 ^= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::Nibble;

    #[test]
    fn sums_find_their_entries() {
        let entries = core::array::from_fn(|i| [i as u64, 7]);
        for i in 0..16 {
            for j in 0..16 {
                let mut sum = Nibble::new(16 * 5 + i);
                sum ^= Nibble::new(j);
                assert_eq!(sum.of(&entries), [u64::from(i ^ j), 7]);
            }
        }
    }
}
