//! The steps of the decoder by themselves, on all backends of this CPU.
use super::*;
use std::vec::Vec;

/// Number of bytes in the longest vector.
const BYTES: usize = 64;

/// Returns whether number j has the factor -1 in F(t).
fn is_negative(t: usize, j: usize) -> bool {
    (t & j).count_ones() % 2 == 1
}

/// Computes F of 128 numbers, which are the same in all lanes.
struct Transformed<'a>(&'a [i8; 128]);

impl BytesKernel for Transformed<'_> {
    /// The values 64 F(t), at index t.
    type Out = [i16; 128];
    #[inline(always)]
    fn run<B: Bytes>(self, b: B) -> [i16; 128] {
        let mut x = [b.zero(); 8];
        for (v, x) in x.iter_mut().enumerate() {
            let mut bytes = [0; BYTES];
            for (i, byte) in bytes.iter_mut().enumerate() {
                *byte = self.0[64 * (i / 8 % 2) + 8 * v + i % 8] as u8;
            }
            *x = b.load_bytes(&bytes);
        }
        let mut f = [0; 128];
        for (v, y) in transform(b, x).into_iter().enumerate() {
            let mut bytes = [0; BYTES];
            b.store_bytes(y, &mut bytes);
            for (i, pair) in bytes[..16 * B::K].chunks(2).enumerate() {
                let place = places(v)[i / 4 % 2] >> (16 * (i % 4)) & 0xffff;
                let (t, value) = (place as usize, i16::from_le_bytes([pair[0], pair[1]]));
                f[t] = value;
            }
            // All lanes are equal.
            assert!(bytes[..16 * B::K].chunks(16).all(|lane| *lane == bytes[..16]));
        }
        f
    }
}

/// The transform consists of sums and differences. If it is right for each number alone, it is right for all
/// numbers as long as no sum overflows. The largest sums, of functions with one peak, show that none does.
#[test]
fn transform_of_a_basis() {
    for cpu in carryless_lanes::ClmulCpu::available() {
        for j in 0..128 {
            for value in [1, -2, 3] {
                let mut numbers = [0; 128];
                numbers[j] = value;
                let f = cpu.bytes().call(Transformed(&numbers));
                for (t, f) in f.into_iter().enumerate() {
                    let wanted = if is_negative(t, j) { -value } else { value };
                    assert_eq!(f, 64 * i16::from(wanted), "F({t}) of {value} at {j}, {}", cpu.name());
                }
            }
            for [plus, minus] in [[3, -2], [-2, 3], [2, -1], [-1, 2]] {
                let numbers = core::array::from_fn(|i| if is_negative(i, j) { minus } else { plus });
                let f = cpu.bytes().call(Transformed(&numbers));
                let half = 64 * 64 * i16::from(plus - minus);
                assert_eq!(f[j], if j == 0 { 128 * 64 * i16::from(plus) } else { half }, "{}", cpu.name());
            }
        }
    }
}

/// Returns the counts of the block in the first lane.
struct Counted<'a, const COPIES: usize>(&'a [u64]);

impl<const COPIES: usize> BytesKernel for Counted<'_, COPIES> {
    type Out = [i8; 128];
    #[inline(always)]
    fn run<B: Bytes>(self, b: B) -> [i8; 128] {
        let mut numbers = [0; 128];
        for (v, counts) in counts::<B, COPIES>(b, self.0).into_iter().enumerate() {
            let mut bytes = [0; BYTES];
            b.store_bytes(counts, &mut bytes);
            for (i, byte) in bytes[..16].iter().enumerate() {
                numbers[64 * (i / 8) + 8 * v + i % 8] = *byte as i8;
            }
        }
        numbers
    }
}

/// Every place has all values that the bits of its copies may have.
fn count_all<const COPIES: usize>() {
    for cpu in carryless_lanes::ClmulCpu::available() {
        for shift in 0..1 << COPIES {
            let value = |j: usize| (j + shift) % (1 << COPIES);
            let word = |i: usize| {
                let bits = (0..64).map(|j| (value(64 * (i % 2) + j) >> (i / 2) & 1) as u64);
                bits.enumerate().fold(0, |word, (j, bit)| word | bit << j)
            };
            // Other lanes hold other blocks.
            let mut received: Vec<u64> = (0..2 * COPIES).map(word).collect();
            received.resize(4 * 2 * COPIES, 0x0123_4567_89ab_cdef);
            let counts = cpu.bytes().call(Counted::<COPIES>(&received));
            for (j, count) in counts.into_iter().enumerate() {
                assert_eq!(count, value(j).count_ones() as i8 - COPIES as i8 / 2, "{}", cpu.name());
            }
        }
    }
}

#[test]
fn counts_of_all_bits() {
    count_all::<3>();
    count_all::<5>();
}
