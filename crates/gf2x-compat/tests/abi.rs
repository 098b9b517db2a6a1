//! The exported functions, called as C calls them, against the reference.
use carryless_reference::gf2;
use gf2x::{
    GF2X_ERROR_INVALID_ARGUMENTS, carryless_gf2x_version, gf2x_mul, gf2x_mul_pool_clear, gf2x_mul_pool_init,
    gf2x_mul_pool_s, gf2x_mul_r, gf2x_mul_toom, gf2x_toomspace,
};
use std::ffi::{CStr, c_ulong};
use std::ptr::{null, null_mut};

/// The generator splitmix64, for reproducible operands.
struct Random(u64);

impl Random {
    fn words(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.word()).collect()
    }
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// Words after a product. A write past its end would change them.
const GUARD: [u64; 3] = [0x1234_5678_9abc_def0; 3];

/// Places of `c`, `a` and `b` in one memory, as C has them: any may overlap any other.
struct Places {
    memory: Vec<u64>,
    c: usize,
    a: (usize, usize),
    b: (usize, usize),
}

impl Places {
    /// Multiplies in that memory, and compares with the product of the operands before. Nothing else may
    /// change.
    fn check(mut self) {
        let Places { c, a: (a, an), b: (b, bn), .. } = self;
        let mut wanted = self.memory.clone();
        wanted[c..][..an + bn].copy_from_slice(&gf2::mul(&self.memory[a..][..an], &self.memory[b..][..bn]));
        let start: *mut u64 = self.memory.as_mut_ptr();
        // SAFETY: the three places lie in the memory.
        let done = unsafe {
            let (c, a, b) = (start.add(c), start.add(a), start.add(b));
            gf2x_mul(c.cast(), a.cast(), an as c_ulong, b.cast(), bn as c_ulong)
        };
        assert_eq!(done, 0);
        assert!(self.memory == wanted, "{an} x {bn} words, c at {c}, a at {a}, b at {b}");
    }
}

/// Operands and product apart, with a guard behind the product.
fn apart(an: usize, bn: usize, random: &mut Random) -> Places {
    let memory = [random.words(2 * (an + bn)), GUARD.to_vec()].concat();
    Places { memory, c: an + bn, a: (0, an), b: (an, bn) }
}

/// The size `usual`, or the smaller one `miri` under Miri, which is slow.
const fn pick(usual: usize, miri: usize) -> usize {
    if cfg!(miri) { miri } else { usual }
}

#[test]
fn all_pairs_of_small_sizes() {
    let mut random = Random(1);
    for an in 0..=pick(40, 3) {
        for bn in 0..=pick(40, 3) {
            apart(an, bn, &mut random).check();
        }
    }
}

#[test]
fn long_products() {
    let mut random = Random(2);
    for (an, bn) in
        [(64, 64), (100, 100), (277, 277), (561, 561), (901, 900), (1024, 1024), (1000, 7), (3, 2500)]
    {
        if !cfg!(miri) {
            apart(an, bn, &mut random).check();
        }
    }
}

/// The product in the place of one operand or both, and at every distance from them.
#[test]
fn products_may_overlap_operands() {
    let mut random = Random(3);
    for (an, bn) in [(1, 1), (2, 2), (3, 5), (8, 8), (9, 9), (12, 4), (17, 30), (64, 64)] {
        if cfg!(miri) && an + bn > 4 {
            break;
        }
        let room = 3 * (an + bn);
        for c in 0..=2 * (an + bn) {
            let memory = [random.words(room), GUARD.to_vec()].concat();
            Places { memory, c, a: (an + bn, an), b: (2 * an + bn, bn) }.check();
        }
        let memory = random.words(room);
        Places { memory, c: 0, a: (0, an), b: (0, bn) }.check();
    }
}

/// A square is a product whose operands are one.
#[test]
fn operands_may_be_one() {
    let mut random = Random(4);
    for n in [1, pick(5, 2), pick(8, 3), pick(40, 9)] {
        let memory = random.words(3 * n);
        Places { memory, c: n, a: (0, n), b: (0, n) }.check();
    }
}

#[test]
fn no_words_need_no_pointer() {
    let mut c = [1, 2, 3, 4];
    // SAFETY: three words are there; null has none.
    unsafe {
        let b: [c_ulong; 3] = [7; 3];
        assert_eq!(gf2x_mul(null_mut(), null(), 0, null(), 0), 0);
        assert_eq!(gf2x_mul(c.as_mut_ptr(), null(), 0, b.as_ptr(), 3), 0);
    }
    assert_eq!(c, [0, 0, 0, 4]);
}

#[test]
fn impossible_sizes_are_errors() {
    for (an, bn) in [(c_ulong::MAX, 1), (1, c_ulong::MAX), (1 << 63, 1 << 63), (1 << 31, 1)] {
        // SAFETY: nothing is read or written before sizes are refused.
        let done = unsafe { gf2x_mul(null_mut(), null(), an, null(), bn) };
        assert_eq!(done, GF2X_ERROR_INVALID_ARGUMENTS);
    }
}

/// One pool for products of rising and falling size, cleared between them and used again.
#[test]
fn pools_serve_many_products() {
    let mut random = Random(5);
    let mut pool = std::mem::MaybeUninit::<gf2x_mul_pool_s>::uninit();
    let pool = pool.as_mut_ptr();
    // SAFETY: there is room for the pool.
    unsafe { gf2x_mul_pool_init(pool) };
    for round in 0..2 {
        for n in [3, 9, pick(32, 10), pick(200, 2), pick(20, 9), 1, pick(300, 11)] {
            let (a, b, mut c) = (random.words(n), random.words(n + round), vec![!0; 2 * n + round]);
            // SAFETY: the words are there, the pool is initialised and used by nobody else.
            let done = unsafe {
                let (an, bn) = (n as c_ulong, (n + round) as c_ulong);
                gf2x_mul_r(c.as_mut_ptr().cast(), a.as_ptr().cast(), an, b.as_ptr().cast(), bn, pool)
            };
            assert_eq!(done, 0);
            assert!(c == gf2::mul(&a, &b), "{n} words");
        }
        // SAFETY: the pool is initialised.
        unsafe { gf2x_mul_pool_clear(pool) };
    }
}

/// Products get exactly the scratch that they ask for, with arbitrary contents.
#[test]
fn products_in_the_callers_scratch() {
    let mut random = Random(6);
    for n in (0..pick(70, 3)).chain([pick(300, 9)]) {
        let words = usize::try_from(gf2x_toomspace(n as i64)).expect("a number of words");
        let (a, b, mut c) = (random.words(n), random.words(n), [vec![!0; 2 * n], GUARD.to_vec()].concat());
        let mut scratch = [vec![!0; words], GUARD.to_vec()].concat();
        // SAFETY: the words are there, and nothing overlaps.
        unsafe {
            let scratch = scratch.as_mut_ptr().cast();
            gf2x_mul_toom(c.as_mut_ptr().cast(), a.as_ptr().cast(), b.as_ptr().cast(), n as i64, scratch);
        }
        assert!(c == [gf2::mul(&a, &b), GUARD.to_vec()].concat(), "{n} words");
        assert_eq!(scratch[words..], GUARD);
    }
    assert_eq!((gf2x_toomspace(-1), gf2x_toomspace(i64::MAX)), (0, i64::MAX));
    assert!(gf2x_toomspace(1 << 30) > 1 << 30);
}

#[test]
fn programs_find_out_whose_library_this_is() {
    // SAFETY: a terminated text that lives as long as the program.
    let version = unsafe { CStr::from_ptr(carryless_gf2x_version()) };
    assert_eq!(version.to_str(), Ok(concat!("carryless ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(gf2x::gf2x_lib_version_code, 10300);
    assert!(CStr::from_bytes_with_nul(gf2x::gf2x_toom_gpl_status).is_ok());
}
