//! Memory of elements: words of 64 bits with an element each, or bytes with an element in 1, 2 or 4 of them.
use super::Small;
use carryless_lanes::{Bytes, BytesKernel, ClmulCpu};
use zeroize::Zeroize;

/// Units of the widest vector, of 64 bytes.
pub(super) const MOST: usize = 64;

/// What slices of elements are made of: `u64`, or `u8` for packed elements, least significant byte first.
pub(in super::super) trait Unit: Copy + Default + Zeroize {
    /// Units of a lane of 128 bits.
    const LANE: usize;
    /// Units of an element.
    fn of(field: &Small) -> usize;
    /// The first vector of `src`. Panics if `src` is shorter.
    fn load<S: Bytes>(s: S, src: &[Self]) -> S::X;
    /// Writes what [`load`](Unit::load) reads. Panics if `out` is shorter.
    fn store<S: Bytes>(s: S, x: S::X, out: &mut [Self]);
    /// Runs a job for the storage of elements of this field.
    fn run<J: Job<Self>>(field: &Small, cpu: ClmulCpu, job: J) -> J::Out;
}

/// A kernel over elements in storage of `BITS` bits.
pub(in super::super) trait Job<T: Unit> {
    type Out;
    fn run<S: Bytes, const BITS: u32, const BY_MATRIX: bool>(self, s: S) -> Self::Out;
}

/// A job for one storage, as the kernel that a backend runs.
struct On<J, T, const BITS: u32> {
    job: J,
    degree: u32,
    of: core::marker::PhantomData<T>,
}

impl<T: Unit, J: Job<T>, const BITS: u32> BytesKernel for On<J, T, BITS> {
    type Out = J::Out;
    #[inline(always)]
    fn run<S: Bytes>(self, s: S) -> J::Out {
        // The way to reduce is a constant and not a closure, which would not be inlined and so would be compiled
        // without the backend's instructions. Bit matrices are for m up to 8, never in storage of 16 or 32 bits.
        if S::AFFINE && BITS != 16 && BITS != 32 && self.degree <= 8 {
            self.job.run::<S, BITS, true>(s)
        } else {
            self.job.run::<S, BITS, false>(s)
        }
    }
}

impl<J, T, const BITS: u32> On<J, T, BITS> {
    fn new(field: &Small, job: J) -> Self {
        On { job, degree: field.degree, of: core::marker::PhantomData }
    }
}

impl Unit for u64 {
    const LANE: usize = 2;
    fn of(_: &Small) -> usize {
        1
    }
    #[inline(always)]
    fn load<S: Bytes>(s: S, src: &[u64]) -> S::X {
        s.load(src)
    }
    #[inline(always)]
    fn store<S: Bytes>(s: S, x: S::X, out: &mut [u64]) {
        s.store(x, out);
    }
    fn run<J: Job<u64>>(field: &Small, cpu: ClmulCpu, job: J) -> J::Out {
        cpu.bytes().call(On::<J, u64, 64>::new(field, job))
    }
}

impl Unit for u8 {
    const LANE: usize = 16;
    fn of(field: &Small) -> usize {
        field.packed_bits() as usize / 8
    }
    #[inline(always)]
    fn load<S: Bytes>(s: S, src: &[u8]) -> S::X {
        s.load_bytes(src)
    }
    #[inline(always)]
    fn store<S: Bytes>(s: S, x: S::X, out: &mut [u8]) {
        s.store_bytes(x, out);
    }
    fn run<J: Job<u8>>(field: &Small, cpu: ClmulCpu, job: J) -> J::Out {
        match field.packed_bits() {
            8 => cpu.bytes().call(On::<J, u8, 8>::new(field, job)),
            16 => cpu.bytes().call(On::<J, u8, 16>::new(field, job)),
            _ => cpu.bytes().call(On::<J, u8, 32>::new(field, job)),
        }
    }
}

/// The vector at a place of a slice, zeros after its end.
#[inline(always)]
pub(super) fn load_at<S: Bytes, T: Unit>(s: S, src: &[T], at: usize) -> S::X {
    let src = &src[at.min(src.len())..];
    if src.len() >= S::K * T::LANE {
        return T::load(s, src);
    }
    let mut units = [T::default(); MOST];
    units[..src.len()].copy_from_slice(src);
    T::load(s, &units)
}

/// Writes a vector at a place of a slice, up to its end. What fills no vector is wiped on its way.
#[inline(always)]
pub(super) fn store_at<S: Bytes, T: Unit>(s: S, x: S::X, out: &mut [T], at: usize) {
    let at = at.min(out.len());
    let out = &mut out[at..];
    if out.len() >= S::K * T::LANE {
        return T::store(s, x, out);
    }
    let mut units = [T::default(); MOST];
    T::store(s, x, &mut units);
    out.copy_from_slice(&units[..out.len()]);
    units.zeroize();
}

/// Whether an element has bits from z^m on, where `bits` is the OR of vectors of elements.
#[inline(always)]
pub(super) fn exceeds<S: Bytes, const BITS: u32>(s: S, field: &Small, bits: S::X) -> bool {
    let mut words = [0; 8];
    s.store(bits, &mut words);
    let mut all = words.iter().fold(0, |all, word| all | word);
    words.zeroize();
    let mut width = 32;
    while width >= BITS {
        all |= all >> width;
        width /= 2;
    }
    // Storage whose every bit is a coefficient has no others.
    field.degree < BITS && all & (u64::MAX >> (64 - BITS)) >> field.degree << field.degree != 0
}

/// The bitwise OR, by the operations that every backend has. The compiler makes one instruction of it.
#[inline(always)]
pub(super) fn or<S: Bytes>(s: S, a: S::X, b: S::X) -> S::X {
    s.xor(s.and(a, b), s.xor(a, b))
}
