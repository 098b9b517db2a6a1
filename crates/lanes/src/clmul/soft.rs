//! The carry-less backend of plain integers. It runs on every target and defines the result of every operation.
use super::{Clmul, ClmulBackend, ClmulKernel, ClmulPart, Compiled, KernelFn, Pointer, SliceKernel};

/// The backend of plain integers with `K` lanes (1, 2 or 4): constant time, without tables.
///
/// Constant time needs an integer multiplication that is. It is on 64-bit processors, and not on some microcontrollers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Soft<const K: usize>;

/// The places that are 0 modulo 4, in a word: a mask with three zeros between its ones.
const FOURTH: u64 = 0x1111_1111_1111_1111;
/// The places that are 0 modulo 4, in 128 bits.
const FOURTH_WIDE: u128 = (FOURTH as u128) << 64 | FOURTH as u128;

/// Carry-less product of two words by multiplications of integers with holes: 16 of 64 x 64 bits.
///
/// Let a_i be the bits i, i + 4, i + 8, ... of a, and b_j likewise. A bit of the integer a_i b_j is the sum of all
/// terms that meet there. A sum of at most 15 stays in the four bits that begin at its place, and its lowest bit is
/// the coefficient. The places of a_i b_j are i + j modulo 4.
///
/// Only 60 bits of a go this way, hence at most 15 terms meet. The last four bits of a join one by one.
#[inline(never)]
pub(super) fn product(a: u64, b: u64) -> u128 {
    let top = 60;
    let mut out = 0;
    let mut place = 0;
    while place < 4 {
        // Four products a place: i + j is `place` modulo 4.
        let mut sum = 0;
        let mut i = 0;
        while i < 4 {
            let j = (place + 4 - i) % 4;
            // XOR of the four integer products is enough: only their lowest bits count, which the mask below keeps.
            let left = a & !(!0 << top) & FOURTH << i;
            sum ^= u128::from(left) * u128::from(b & FOURTH << j);
            i += 1;
        }
        // The other three bits of each field are left over from counting terms; the mask drops them.
        out |= sum & FOURTH_WIDE << place;
        place += 1;
    }
    let mut i = top;
    while i < 64 {
        // All ones or zero instead of a branch on a secret bit.
        let mask = (a >> i & 1).wrapping_neg();
        out ^= u128::from(b & mask) << i;
        i += 1;
    }
    out
}

/// The square of a: its bits at even places, zeros at odd ones.
#[inline]
fn spread(a: u64) -> u128 {
    u128::from(spread32(a & 0xffff_ffff)) | u128::from(spread32(a >> 32)) << 64
}

/// Spreads 32 bits: halves move apart, then quarters, and so on, in five steps. Bits above the lowest 32 must be zero.
#[inline(always)]
fn spread32(a: u64) -> u64 {
    let a = (a | a << 16) & 0x0000_ffff_0000_ffff;
    let a = (a | a << 8) & 0x00ff_00ff_00ff_00ff;
    let a = (a | a << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let a = (a | a << 2) & 0x3333_3333_3333_3333;
    (a | a << 1) & 0x5555_5555_5555_5555
}

/// The low bit of every byte.
const BYTES: u64 = 0x0101_0101_0101_0101;

/// Eight look-ups of [`Clmul::shuffle`] in constant time: every byte of the table is visited, and kept where an
/// index asks for it. No address depends on an index.
#[inline(never)]
fn look_up(table: [u64; 2], indices: u64) -> u64 {
    let (mut out, mut i) = (0, 0);
    // All sixteen bytes, whatever the indices are: the time and the addresses depend on no secret.
    while i < 16 {
        let byte = table[i / 8] >> (8 * (i % 8)) & 0xff;
        // A byte of `other` is zero if the index asks for byte i. Adding 0x7f sets the top bit of the others
        // without a carry into the next byte.
        let other = (indices ^ (BYTES * i as u64)) & (BYTES * 0x8f);
        let same = !(((other & (BYTES * 0x7f)) + BYTES * 0x7f) | other) >> 7 & BYTES;
        // `same` has ones at the bottom of bytes only, so the product copies `byte` there without a carry.
        out |= same * byte;
        i += 1;
    }
    out
}

/// Eight bytes times a bit matrix, by the definition: bit i of a byte is the parity of its AND with byte
/// 7 - i of the matrix.
#[inline]
fn affine(x: u64, matrix: u64) -> u64 {
    let (mut out, mut i) = (0, 0);
    while i < 8 {
        // Row 7 - i, because GF2P8AFFINEQB numbers the rows downwards.
        let row = matrix >> (8 * (7 - i)) & 0xff;
        let mut common = x & (BYTES * row);
        // Folds each byte to the parity in its lowest bit; bits that come from the next byte stay above it.
        common ^= common >> 4;
        common ^= common >> 2;
        common ^= common >> 1;
        out |= (common & BYTES) << i;
        i += 1;
    }
    out
}

/// The 16 bytes of `a` and `b` in turn, as two words, low one first.
#[inline]
fn zip(a: u64, b: u64) -> [u64; 2] {
    [spread_bytes(a) | spread_bytes(b) << 8, spread_bytes(a >> 32) | spread_bytes(b >> 32) << 8]
}

/// The lower four bytes of `a` with zero bytes between them.
#[inline(always)]
fn spread_bytes(a: u64) -> u64 {
    let a = a & 0xffff_ffff;
    let a = (a | a << 16) & 0x0000_ffff_0000_ffff;
    (a | a << 8) & 0x00ff_00ff_00ff_00ff
}

/// All ones in each half (32 bits) in which two words are equal.
#[inline(always)]
fn equal_halves(a: u64, b: u64) -> u64 {
    let difference = a ^ b;
    // Of a half that is zero, subtracting 1 borrows and sets the upper 32 bits; of others they stay zero.
    let zero = |half: u64| half.wrapping_sub(1) >> 32;
    zero(difference & 0xffff_ffff) | zero(difference >> 32) << 32
}

/// Copies bit `bit` of each 32 bits to all of them.
#[inline(always)]
fn quarters(word: u64, bit: u32) -> u64 {
    // A bit at the bottom of each 32 bits, times 2^32 - 1, fills them without a carry.
    (word >> bit & 0x0000_0001_0000_0001) * 0xffff_ffff
}

/// Low and high half of 128 bits.
#[inline(always)]
fn halves(x: u128) -> [u64; 2] {
    [x as u64, (x >> 64) as u64]
}

/// Expands a statement for each of up to four lanes. A macro, because closures in kernels lose the target feature.
/// Without a loop, because kernels have thousands of operations, and as many loops take the compiler minutes.
macro_rules! lanes {
    ($k:ident, $i:ident => $do:stmt) => {
        const { assert!($k <= 4, "four lanes at most") };
        lanes!(@ $k, $i => $do; 0 1 2 3);
    };
    (@ $k:ident, $i:ident => $do:stmt; $($lane:literal)*) => {
        $(
            if const { $lane < $k } {
                let $i: usize = $lane;
                $do
            }
        )*
    };
}

pub(super) use lanes;

/// The array of `f` for every lane i.
macro_rules! each {
    ($k:ident, $i:ident => $f:expr) => {{
        let mut r = [[0u64; 2]; $k];
        lanes!($k, $i => r[$i] = $f);
        r
    }};
}

/// Defines operations that act on each lane alone. A line reads `name(vectors; numbers) => lane of the result`,
/// where the vectors' names stand for the words of one lane.
macro_rules! lane_operations {
    ($($name:ident($($x:ident),+ $(; $n:ident: $N:ty)?) => $lane:expr;)*) => { $(
        #[inline(always)]
        fn $name(self, $($x: Self::X,)+ $($n: $N)?) -> Self::X {
            each!(K, i => { $(let $x = $x[i];)+ $lane })
        }
    )* };
}

#[cfg(all(feature = "analysis", not(carryless_fewer_backends)))]
impl Soft<4> {
    /// The backend of plain integers with two lanes, as for
    /// [`ClmulCpu::two_lanes`](super::ClmulCpu::two_lanes).
    #[inline(always)]
    pub(super) fn two_lanes(self) -> Soft<2> {
        Soft
    }
}

impl<const K: usize> Clmul for Soft<K> {
    const K: usize = K;
    const CARRYLESS: bool = false;
    const COMPACT: bool = true;
    type X = [[u64; 2]; K];
    type One = Soft<1>;
    type Compact = Self;

    #[inline(always)]
    fn one(self) -> Soft<1> {
        Soft
    }
    #[inline(always)]
    fn compact(self) -> Self {
        self
    }
    #[inline(always)]
    fn call_outlined<T: ClmulKernel>(self, kernel: T) -> T::Out {
        self.call(kernel)
    }
    #[inline(never)]
    fn call_part<P: ClmulPart<Self>>(self, part: P) -> P::Out {
        part.run(self)
    }
    #[inline(always)]
    fn zero(self) -> Self::X {
        [[0; 2]; K]
    }
    #[inline(always)]
    fn load(self, src: &[u64]) -> Self::X {
        self.load_lanes(src, 2)
    }
    #[inline(always)]
    fn load_lanes(self, src: &[u64], stride: usize) -> Self::X {
        each!(K, i => [src[stride * i], src[stride * i + 1]])
    }
    #[inline(always)]
    fn store(self, x: Self::X, out: &mut [u64]) {
        self.store_lanes(x, out, 2);
    }
    #[inline(always)]
    fn store_lanes(self, x: Self::X, out: &mut [u64], stride: usize) {
        lanes!(K, i => [out[stride * i], out[stride * i + 1]] = x[i]);
    }
    lane_operations! {
        xor(a, b) => [a[0] ^ b[0], a[1] ^ b[1]];
        and(a, b) => [a[0] & b[0], a[1] & b[1]];
        mul_ll(a, b) => halves(product(a[0], b[0]));
        mul_lh(a, b) => halves(product(a[0], b[1]));
        mul_hl(a, b) => halves(product(a[1], b[0]));
        mul_hh(a, b) => halves(product(a[1], b[1]));
        square_l(a) => halves(spread(a[0]));
        square_h(a) => halves(spread(a[1]));
        swap(a) => [a[1], a[0]];
        straddle(a, b) => [a[1], b[0]];
        shl(a; bits: u32) => [a[0] << bits, a[1] << bits];
        shr(a; bits: u32) => [a[0] >> bits, a[1] >> bits];
        bit_masks(a; bit: u32) => [quarters(a[0], bit), quarters(a[1], bit)];
        shuffle(table, indices) => [look_up(table, indices[0]), look_up(table, indices[1])];
        zip_low(a, b) => zip(a[0], b[0]);
        zip_high(a, b) => zip(a[1], b[1]);
        affine(x, matrices) => [affine(x[0], matrices[0]), affine(x[1], matrices[1])];
        or_wide(a, b) => [a[0] | b[0], a[1] | b[1]];
        equal_wide(a, b) => [equal_halves(a[0], b[0]), equal_halves(a[1], b[1])];
        xor_andnot_wide(a, b, c) => [a[0] ^ (!b[0] & c[0]), a[1] ^ (!b[1] & c[1])];
        rotl_wide(a; bits: u32) => [a[0].rotate_left(bits), a[1].rotate_left(bits)];
    }
    #[inline(always)]
    fn splat(self, words: [u64; 2]) -> Self::X {
        each!(K, _i => words)
    }
    #[inline(always)]
    fn first_lane(self, a: Self::X) -> [[u64; 2]; 1] {
        [a[0]]
    }
    #[inline(always)]
    fn repeat_lane(self, [lane]: [[u64; 2]; 1]) -> Self::X {
        each!(K, _i => lane)
    }
    #[inline(always)]
    fn permute_lanes(self, a: Self::X, order: [usize; 4]) -> Self::X {
        each!(K, i => a[order[i]])
    }
    #[inline(always)]
    fn transpose(self, a: Self::X) -> Self::X {
        // With `K` = 1 a part is the whole lane, and the shift below is by 0.
        let bits = 128 / K;
        let mut out = [0_u128; K];
        for (i, out) in out.iter_mut().enumerate() {
            for (j, [low, high]) in a.into_iter().enumerate() {
                let lane = u128::from(low) | u128::from(high) << 64;
                *out |= (lane >> (bits * i) & (!0 >> (128 - bits))) << (bits * j);
            }
        }
        out.map(|lane| [lane as u64, (lane >> 64) as u64])
    }
    #[inline(always)]
    fn lanes_from(self, from: usize, low: Self::X, high: Self::X) -> Self::X {
        each!(K, i => if from + i < K { low[from + i] } else { high[from + i - K] })
    }

    const WIDE: usize = 2 * K;
    type Wide = Self::X;
    #[inline(always)]
    fn load_wide(self, src: &[u64]) -> Self::X {
        self.load(src)
    }
    #[inline(always)]
    fn store_wide(self, x: Self::X, out: &mut [u64]) {
        self.store(x, out);
    }
    #[inline(always)]
    fn xor_wide(self, a: Self::X, b: Self::X) -> Self::X {
        self.xor(a, b)
    }
    #[inline(always)]
    fn and_wide(self, a: Self::X, b: Self::X) -> Self::X {
        self.and(a, b)
    }
    #[inline(always)]
    fn splat_wide(self, word: u64) -> Self::X {
        self.splat([word; 2])
    }
}

impl<const K: usize> ClmulBackend for Soft<K> {
    const NAME: &'static str = "soft";
    #[inline(always)]
    fn call<T: ClmulKernel>(self, kernel: T) -> T::Out {
        // Not inlined where the backend is chosen: there the kernel would take registers from the other backends'
        // calls.
        #[inline(never)]
        fn run<const K: usize, T: ClmulKernel>(backend: Soft<K>, kernel: T) -> T::Out {
            kernel.run(backend)
        }
        run(self, kernel)
    }
    #[inline]
    fn compile<P: SliceKernel>(self) -> KernelFn {
        <Compiled<Soft<K>, P> as Pointer>::POINTER
    }
}

impl<const K: usize, P: SliceKernel> Pointer for Compiled<Soft<K>, P> {
    const POINTER: KernelFn = {
        fn run<const K: usize, P: SliceKernel>(a: &[u64], b: &[u64], out: &mut [u64]) {
            P::run(Soft::<K>, a, b, out)
        }
        KernelFn(run::<K, P>)
    };
}
