//! The operations by the definitions of their instructions: what Intel's manual (VPADDQ, VPMULUDQ, VPSRLQ, ..) and Arm's (ADD, UMULL,
//! USHL, ..) say of one lane, bit by bit in plain Rust, against every backend of this CPU, `Portable` among them.
//!
//! `define` has the pseudo-code of each. The other operations are compared with `Portable` and `Soft` in operations.rs and
//! carryless.rs. Where an instruction copies bits to other places, every bit of every
//! lane by itself says where it goes, and with zero that is all there is to know. Sums and products are tested: carries through
//! all lengths, and random words.
mod common;

use carryless_lanes::{Cpu, Kernel, Lanes, Portable, Words};
use common::{Random, pick};

/// The bits of a number, low ones first.
type Bits<const N: usize> = [bool; N];

fn bits<const N: usize>(x: u128) -> Bits<N> {
    std::array::from_fn(|i| i < 128 && x >> i & 1 == 1)
}

fn number<const N: usize>(bits: Bits<N>) -> u128 {
    (0..N).fold(0, |x, i| x | u128::from(bits[i]) << i)
}

/// `DEST := SRC1 + SRC2`, and the carry out: a ripple-carry adder.
fn sum<const N: usize>(a: Bits<N>, b: Bits<N>) -> (Bits<N>, bool) {
    let mut carry = false;
    let sum = std::array::from_fn(|i| {
        let bit = a[i] ^ b[i] ^ carry;
        carry = a[i] && b[i] || carry && (a[i] || b[i]);
        bit
    });
    (sum, carry)
}

/// `DEST := SRC1 * SRC2`: the sum of the shifted multiplicands.
fn product<const N: usize>(a: Bits<N>, b: Bits<N>) -> Bits<N> {
    let shifted = |by: usize| std::array::from_fn(|i| i >= by && b[i - by]);
    (0..N).filter(|&i| a[i]).fold([false; N], |total, i| sum(total, shifted(i)).0)
}

/// `DEST := SRC >> COUNT`, zeros from above.
fn right<const N: usize>(a: Bits<N>, k: usize) -> Bits<N> {
    std::array::from_fn(|i| i + k < N && a[i + k])
}

/// `DEST := SRC << COUNT`, zeros from below.
fn left<const N: usize>(a: Bits<N>, k: usize) -> Bits<N> {
    std::array::from_fn(|i| i >= k && a[i - k])
}

/// A lane of an operation, by its instruction.
fn define(name: &str, a: u64, b: u64, k: u32) -> u64 {
    let (x, y): (Bits<64>, Bits<64>) = (bits(a.into()), bits(b.into()));
    let half = |x: Bits<64>, from: usize| std::array::from_fn(|i| i < 32 && x[from + i]);
    let out = match name {
        "add" => sum(x, y).0,
        "mul32 of low halves" => product(half(x, 0), half(y, 0)),
        "mul32 of high and low" => product(half(x, 32), half(y, 0)),
        "shr" => right(x, k as usize),
        "shl" => left(x, k as usize),
        "low_bits" => std::array::from_fn(|i| i < k as usize && x[i]),
        "select" => std::array::from_fn(|i| x[i] && k == 1),
        "concat" => std::array::from_fn(|i| x[i] || y[i]),
        "straddle" => {
            let pair: Bits<128> = std::array::from_fn(|i| if i < 64 { x[i] } else { y[i - 64] });
            std::array::from_fn(|i| i < LIMB as usize && right(pair, k as usize)[i])
        }
        other => panic!("{other} is not defined"),
    };
    number(out) as u64
}

const EVERY: [&str; 4] = ["add", "mul32 of low halves", "mul32 of high and low", "concat"];
const COUNTED: [&str; 3] = ["shr", "shl", "low_bits"];

/// Bits of a limb of [`Lanes::straddle`], by which both operands have a part in it from the count 64 - LIMB on.
const LIMB: u32 = 44;

/// One operation on all lanes.
struct One<'a>(&'a str, &'a [u64; 8], &'a [u64; 8], u32);

impl Kernel for One<'_> {
    /// The lanes, and how many.
    type Out = ([u64; 8], usize);
    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> ([u64; 8], usize) {
        let One(name, a, b, k) = self;
        let (a, b) = (s.load_words(a), s.load_words(b));
        let out = match name {
            "add" => s.add(a, b),
            "mul32 of low halves" => s.mul32(s.low32(a), s.low32(b)),
            "mul32 of high and low" => s.mul32(s.high32(a), s.low32(b)),
            "shr" => s.shr(a, k),
            "shl" => s.shl(a, k),
            "low_bits" => s.low_bits(a, k),
            "straddle" => s.straddle(a, b, k, LIMB),
            "select" => s.select(a, s.splat(u64::from(k == 1).wrapping_neg())),
            _ => s.concat(a, b),
        };
        let mut words = [0; 8];
        s.store(out, &mut words);
        (words, S::N)
    }
}

fn check(cpu: Cpu, name: &str, a: &[u64; 8], b: &[u64; 8], k: u32) {
    let (found, lanes) = cpu.call(One(name, a, b, k));
    for i in 0..lanes {
        let wanted = define(name, a[i], b[i], k);
        assert_eq!(found[i], wanted, "{name} {k} of {:#x} and {:#x}, lane {i} on {}", a[i], b[i], cpu.name());
    }
}

/// Shifts and masks: every bit of every lane, at every count; the other lanes are zero, so nothing comes from them.
#[test]
fn every_bit_at_every_count() {
    // Where time is short, every place with some of the counts.
    let step = pick(1, 13, 61);
    for cpu in Cpu::available() {
        for k in 0..64 {
            for name in COUNTED {
                check(cpu, name, &[0; 8], &[0; 8], k);
                check(cpu, name, &[!0; 8], &[0; 8], k);
                for place in (k as usize % step..512).step_by(step) {
                    let mut a = [0; 8];
                    a[place / 64] = 1 << (place % 64);
                    check(cpu, name, &a, &[0; 8], k);
                }
            }
        }
        for place in 0..512 {
            let mut a = [0; 8];
            a[place / 64] = 1 << (place % 64);
            for k in [0, 1] {
                check(cpu, "select", &a, &[0; 8], k);
            }
            check(cpu, "concat", &a, &[0; 8], 0);
            check(cpu, "concat", &[0; 8], &a, 0);
            for k in (64 - LIMB..64).step_by(step) {
                check(cpu, "straddle", &a, &[0; 8], k);
                check(cpu, "straddle", &[0; 8], &a, k);
            }
        }
    }
}

/// Sums and products: a carry from every place to every place, limits of the halves, and random words.
#[test]
fn carries_and_random_words() {
    let mut random = Random(64);
    for cpu in Cpu::available() {
        for (i, j) in (0..64).flat_map(|i| (0..64).map(move |j| (i, j))).step_by(pick(1, 61, 411)) {
            // The low bits of a are ones. If the bit of b is among them, the carry runs to their end.
            let a = std::array::from_fn(|lane| !0 >> ((i + lane as u32) % 64));
            let b = std::array::from_fn(|lane| 1 << ((j + 5 * lane) % 64));
            EVERY.iter().for_each(|name| check(cpu, name, &a, &b, 0));
            EVERY.iter().for_each(|name| check(cpu, name, &b, &a, 0));
            EVERY.iter().for_each(|name| check(cpu, name, &a, &a, 0));
        }
        for _ in 0..pick(500, 4, 2) {
            let [a, b] = [0, 1].map(|_| std::array::from_fn(|_| random.word()));
            EVERY.iter().for_each(|name| check(cpu, name, &a, &b, 0));
        }
    }
}

/// The scalar backend, every operation of `Words`.
fn words_are_defined(a: u128, b: u128, k: u32) {
    let s = Portable::<2>;
    let (x, y): (Bits<128>, Bits<128>) = (bits(a), bits(b));
    let (low, high) = (number(std::array::from_fn::<_, 64, _>(|i| x[i])), number(right(x, 64)));
    let (low, high) = (low as u64, high as u64);
    assert_eq!((Words::low(s, a), Words::high(s, a)), (low, high));
    assert_eq!(Words::wide(s, low, high), a);
    assert_eq!(Words::widen(s, low), u128::from(low));
    let (total, carry) = sum(x, y);
    assert_eq!(Words::add(s, a, b), number(total));
    assert_eq!(Words::add_carry(s, a, b), (number(total), carry.into()));
    let (b0, a0) = (b as u64, a as u64);
    assert_eq!(Words::add_word(s, a0, b0), define("add", a0, b0, 0));
    assert_eq!(Words::mul(s, a0, b0), number(product::<128>(bits(a0.into()), bits(b0.into()))));
    assert_eq!(Words::shr(s, a0, k), define("shr", a0, 0, k));
    assert_eq!(Words::shl(s, a0, k), define("shl", a0, 0, k));
    assert_eq!(Words::low_bits(s, a0, k), define("low_bits", a0, 0, k));
    assert_eq!((Words::settle(s, a), Words::settle_word(s, a0), Words::word(s, a0)), (a, a0, a0));
    if low & high == 0 {
        assert_eq!(Words::concat(s, low, high), define("concat", low, high, 0));
    }
    // Defined where the result is one word.
    let fits = number(left(bits::<128>(u64::MAX.into()), k as usize)) | ((1 << k) - 1);
    assert_eq!(Words::shr_wide(s, a & fits, k), number(right(bits::<128>(a & fits), k as usize)) as u64);
}

#[test]
fn the_scalar_backend() {
    let mut random = Random(65);
    let mut word = || u128::from(random.word()) << 64 | u128::from(random.word());
    for k in 0..64 {
        for i in (0..128).step_by(pick(1, 3, 31)) {
            words_are_defined(1 << i, 0, k);
            words_are_defined(!0 >> i, 1 << (127 - i), k);
            words_are_defined(!0 << i, 1 << i, k);
            words_are_defined(!0 >> i, !0 << (i / 2), k);
        }
        for _ in 0..pick(50, 5, 1) {
            words_are_defined(word(), word(), k);
        }
    }
}
