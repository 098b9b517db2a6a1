//! A table index of four bits, which needs no bounds check.
use core::ops::BitXorAssign;

/// A number below 16, as an index of a table of sixteen entries. XOR keeps it below 16, so no look-up checks a bound.
///
/// Not constant time: the address of the entry depends on the number, which must be public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Nibble(
    /// Eight times the number. An entry has 8 to 64 bytes, so x86 addressing supplies the other factor
    /// (1 to 8) for free.
    u8,
);

impl Nibble {
    /// The low four bits of `number`; the others are ignored.
    #[must_use]
    #[inline(always)]
    pub const fn new(number: u16) -> Nibble {
        Nibble((number as u8 & 15) << 3)
    }

    /// The entry at this index. It does not compile unless the size of `T` is a multiple of 8 bytes.
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
