//! The analysis of costs: any backend, with every operation counted.
use crate::clmul::{Clmul, ClmulKernel};
use crate::traits::{Ifma, Lanes, Shuffle32, Words};
use core::cell::Cell;
use core::ops::{Add, Sub};

macro_rules! tally {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// How often each operation was done. One operation is one instruction on backends that have it;
        /// the fields name the exceptions.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Tally {
            $($(#[$doc])* pub $name: u32,)*
        }

        impl Tally {
            /// Names and numbers, in a fixed order.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u32)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }

        impl Sub for Tally {
            type Output = Tally;
            /// The operations between two readings. Panics if the right one is the later.
            fn sub(self, before: Tally) -> Tally {
                Tally { $($name: self.$name.checked_sub(before.$name).expect("readings in order"),)* }
            }
        }

        impl Add for Tally {
            type Output = Tally;
            fn add(self, other: Tally) -> Tally {
                Tally { $($name: self.$name + other.$name,)* }
            }
        }
    };
}

tally! {
    /// Calls of `load`: unaligned loads of a whole vector from bytes.
    load,
    /// `load_part`: a masked load, on AVX2 after the mask is made; elsewhere through a buffer.
    load_part,
    /// Calls of `load_words`: loads of a whole vector from words; of a backend
    /// for carry-less products `load`, `load_wide`.
    load_words,
    /// `load15`: on AVX2 a load, an insertion from memory and a shuffle; on AVX-512 with VBMI a load and a shuffle.
    load15,
    /// Calls of `load_limb`: loads of stored multiplicands.
    load_limb,
    /// Calls of `store` and `store_wide`: stores of a whole vector.
    store,
    /// Calls of `store_limb`: stores of multiplicands.
    store_limb,
    /// `splat`, `splat_wide`, `zero`, and `word` of the scalar backend: constants, mostly outside of loops.
    splat,
    /// `limb`: free on x86, `xtn` on NEON.
    limb,
    /// `low32`: free on x86, `xtn` on NEON.
    low32,
    /// `high32`: a shift on x86, a narrowing shift on NEON.
    high32,
    /// Calls of `mul32`: a 32 x 32 -> 64 bit multiplication in every lane.
    mul32,
    /// `mul` of the scalar backend: 64 x 64 -> 128 bits.
    mul,
    /// `add` and `add_word`; `add_carry` of the scalar backend, which takes an instruction more.
    add,
    /// `shr`, `shl`; of the scalar backend also `shr_wide`.
    shift,
    /// Calls of `low_bits`: an AND with a constant.
    mask,
    /// Calls of `select`: an AND with a mask.
    select,
    /// Calls of `concat`: an OR of disjoint operands.
    concat,
    /// `unpack_lo`, `unpack_hi`; of a backend for carry-less products `zip_low`, `zip_high`.
    unpack,
    /// Calls of `permute32`: a permutation of 32-bit halves.
    permute,
    /// Calls of `blend32`: a blend of 32-bit halves.
    blend,
    /// Calls of `madd52lo` and `madd52hi`: a 52-bit multiply-add in every lane.
    madd52,
    /// Calls of `sub`: a difference in every lane.
    sub,
    /// `load_lanes` of a backend for carry-less products: `K` loads of 128 bits.
    load_lanes,
    /// `store_part` of a backend for carry-less products: a masked store, elsewhere through a buffer.
    store_part,
    /// `store_lanes`: `K` stores of 128 bits.
    store_lanes,
    /// Calls of `xor` and `xor_wide`: a sum over F2 of two vectors.
    xor,
    /// `mul_ll`, `mul_lh`, `mul_hl`, `mul_hh`: one carry-less product in every lane.
    clmul,
    /// `square_l`, `square_h`: a carry-less product, or moves of bits.
    square,
    /// Calls of `swap` and `straddle`: moves of halves inside lanes.
    halves,
    /// Calls of `and` and `and_wide`: an AND of two vectors.
    and,
    /// Calls of `or_wide`: an OR of two vectors.
    or,
    /// Calls of `equal_wide`: a comparison; with zmm registers a masked move, too.
    equal,
    /// Calls of `shuffle`: a look-up of bytes in every lane.
    shuffle,
    /// Calls of `affine`: one instruction with GFNI, about 70 elsewhere.
    affine,
    /// Calls of `bit_masks`: a left shift and an arithmetic right shift.
    bit_masks,
    /// `xor3_wide`, `xor_andnot_wide`: one instruction on AVX-512, two elsewhere.
    logic3,
    /// `rotl_wide`: one instruction on AVX-512, two shifts and a sum elsewhere.
    rotate,
    /// Moves of lanes: `lanes_from`, `permute_lanes`, `transpose`, `repeat_lane`. No instructions
    /// on backends with one lane.
    lanes,
    /// `widen`, `wide`, `low`, `high` of the scalar backend, `first_lane`: names for registers, no instructions.
    rename,
}

/// A backend that passes every operation on to the backend `on` and counts it.
///
/// The counts are those of the kernel's source. The compiler may merge or add instructions;
/// only the disassembly shows these.
///
/// ```
/// use carryless_lanes::{Count, Lanes, Portable, Tally};
/// use core::cell::Cell;
///
/// let tally = Cell::new(Tally::default());
/// let s = Count::new(Portable::<4>, &tally);
/// let x = s.splat(3);
/// let _ = s.add(x, s.shr(x, 1));
/// assert_eq!(tally.get(), Tally { splat: 1, add: 1, shift: 1, ..Tally::default() });
/// ```
#[derive(Clone, Copy)]
pub struct Count<'a, S> {
    on: S,
    // Kernels copy the backend. All copies count in one cell.
    tally: &'a Cell<Tally>,
}

impl<'a, S: Copy> Count<'a, S> {
    /// Counts the operations of `on` in `tally`.
    pub fn new(on: S, tally: &'a Cell<Tally>) -> Self {
        Count { on, tally }
    }
}

macro_rules! counted {
    ($($name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? => $field:ident;)*) => { $(
        // Passed on, so that a panic of an analysis below still names the kernel's line.
        #[track_caller]
        fn $name(self, $($arg: $type),*) $(-> $out)? {
            let mut tally = self.tally.get();
            tally.$field += 1;
            self.tally.set(tally);
            self.on.$name($($arg),*)
        }
    )* };
}

impl<S: Lanes> Lanes for Count<'_, S> {
    const N: usize = S::N;
    const LIMB_WORDS: usize = S::LIMB_WORDS;
    const COMPACT: bool = S::COMPACT;
    type V = S::V;
    type L = S::L;

    counted! {
        splat(x: u64) -> S::V => splat;
        load(src: &[u8]) -> S::V => load;
        load_part(src: &[u8], from: usize, count: usize) -> S::V => load_part;
        load_words(src: &[u64]) -> S::V => load_words;
        load15(src: &[u8]) -> S::V => load15;
        store(v: S::V, out: &mut [u64]) => store;
        limb(v: S::V) -> S::L => limb;
        low32(v: S::V) -> S::L => low32;
        high32(v: S::V) -> S::L => high32;
        store_limb(l: S::L, out: &mut [u64]) => store_limb;
        load_limb(src: &[u64]) -> S::L => load_limb;
        mul32(a: S::L, b: S::L) -> S::V => mul32;
        add(a: S::V, b: S::V) -> S::V => add;
        shr(a: S::V, k: u32) -> S::V => shift;
        shl(a: S::V, k: u32) -> S::V => shift;
        low_bits(a: S::V, k: u32) -> S::V => mask;
        select(a: S::V, mask: S::V) -> S::V => select;
        concat(a: S::V, b: S::V) -> S::V => concat;
        unpack_lo(a: S::V, b: S::V) -> S::V => unpack;
        unpack_hi(a: S::V, b: S::V) -> S::V => unpack;
    }
}

impl<S: Ifma> Ifma for Count<'_, S> {
    counted! {
        madd52lo(acc: S::V, a: S::V, b: S::V) -> S::V => madd52;
        madd52hi(acc: S::V, a: S::V, b: S::V) -> S::V => madd52;
        sub(a: S::V, b: S::V) -> S::V => sub;
    }
}

impl<S: Shuffle32> Shuffle32 for Count<'_, S> {
    counted! {
        permute32(a: S::V, index: &[u32; 16]) -> S::V => permute;
        blend32(a: S::V, b: S::V) -> S::V => blend;
    }
}

impl<S: Words> Words for Count<'_, S> {
    type W = S::W;
    type D = S::D;

    counted! {
        word(x: u64) -> S::W => splat;
        to_memory(a: S::W) -> u64 => store;
        mul(a: S::W, b: S::W) -> S::D => mul;
        widen(a: S::W) -> S::D => rename;
        wide(low: S::W, high: S::W) -> S::D => rename;
        add_carry(a: S::D, b: S::D) -> (S::D, S::W) => add;
        add(a: S::D, b: S::D) -> S::D => add;
        add_word(a: S::W, b: S::W) -> S::W => add;
        low(a: S::D) -> S::W => rename;
        high(a: S::D) -> S::W => rename;
        shr_wide(a: S::D, k: u32) -> S::W => shift;
        shr(a: S::W, k: u32) -> S::W => shift;
        shl(a: S::W, k: u32) -> S::W => shift;
        low_bits(a: S::W, k: u32) -> S::W => mask;
        concat(a: S::W, b: S::W) -> S::W => concat;
    }
}

impl<'a, S: Clmul> Clmul for Count<'a, S> {
    const K: usize = S::K;
    /// Kernels that have a method for bit matrices use it, also where `on` has no such instruction. So
    /// it can be run everywhere.
    const AFFINE: bool = true;
    const ROTATES: bool = S::ROTATES;
    type X = S::X;
    type One = Count<'a, S::One>;
    type Compact = Self;

    fn one(self) -> Self::One {
        Count { on: self.on.one(), tally: self.tally }
    }
    fn compact(self) -> Self {
        self
    }
    fn call_outlined<K: ClmulKernel>(self, kernel: K) -> K::Out {
        // Not `call_outlined` of `on`: there the kernel would run uncounted.
        kernel.run(self)
    }

    counted! {
        zero() -> S::X => splat;
        load(src: &[u64]) -> S::X => load_words;
        load_part(src: &[u64]) -> S::X => load_part;
        load_lanes(src: &[u64], stride: usize) -> S::X => load_lanes;
        store(x: S::X, out: &mut [u64]) => store;
        store_part(x: S::X, out: &mut [u64]) => store_part;
        store_lanes(x: S::X, out: &mut [u64], stride: usize) => store_lanes;
        xor(a: S::X, b: S::X) -> S::X => xor;
        mul_ll(a: S::X, b: S::X) -> S::X => clmul;
        mul_lh(a: S::X, b: S::X) -> S::X => clmul;
        mul_hl(a: S::X, b: S::X) -> S::X => clmul;
        mul_hh(a: S::X, b: S::X) -> S::X => clmul;
        square_l(a: S::X) -> S::X => square;
        square_h(a: S::X) -> S::X => square;
        swap(a: S::X) -> S::X => halves;
        straddle(a: S::X, b: S::X) -> S::X => halves;
        splat(words: [u64; 2]) -> S::X => splat;
        and(a: S::X, b: S::X) -> S::X => and;
        shl(a: S::X, bits: u32) -> S::X => shift;
        shr(a: S::X, bits: u32) -> S::X => shift;
        shuffle(table: S::X, indices: S::X) -> S::X => shuffle;
        zip_low(a: S::X, b: S::X) -> S::X => unpack;
        zip_high(a: S::X, b: S::X) -> S::X => unpack;
        affine(x: S::X, matrices: S::X) -> S::X => affine;
        bit_masks(a: S::X, bit: u32) -> S::X => bit_masks;
        first_lane(a: S::X) -> <S::One as Clmul>::X => rename;
        repeat_lane(a: <S::One as Clmul>::X) -> S::X => lanes;
        permute_lanes(a: S::X, order: [usize; 4]) -> S::X => lanes;
        transpose(a: S::X) -> S::X => lanes;
        lanes_from(from: usize, low: S::X, high: S::X) -> S::X => lanes;
    }

    const WIDE: usize = S::WIDE;
    type Wide = S::Wide;

    counted! {
        load_wide(src: &[u64]) -> S::Wide => load_words;
        store_wide(x: S::Wide, out: &mut [u64]) => store;
        xor_wide(a: S::Wide, b: S::Wide) -> S::Wide => xor;
        and_wide(a: S::Wide, b: S::Wide) -> S::Wide => and;
        or_wide(a: S::Wide, b: S::Wide) -> S::Wide => or;
        equal_wide(a: S::Wide, b: S::Wide) -> S::Wide => equal;
        splat_wide(word: u64) -> S::Wide => splat;
        xor3_wide(a: S::Wide, b: S::Wide, c: S::Wide) -> S::Wide => logic3;
        xor_andnot_wide(a: S::Wide, b: S::Wide, c: S::Wide) -> S::Wide => logic3;
        rotl_wide(a: S::Wide, bits: u32) -> S::Wide => rotate;
    }
}
