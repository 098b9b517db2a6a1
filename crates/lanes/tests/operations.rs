//! Every operation of every backend of this CPU gives what `Portable` gives.
//!
//! `CARRYLESS_REQUIRE_BACKEND=NAME[,NAME...]` makes the lack of a backend a failure; `CARRYLESS_QUICK=1` makes the
//! run small enough for an emulator.
mod common;

use carryless_lanes::{Cpu, Kernel, Lanes, Portable};
use common::{Random, pick, say};

/// An operation, its number (a shift count, mostly) and what it left in the lanes.
type Outcome = (&'static str, u32, [u64; 8]);

/// Does everything that [`Lanes`] has, on the words `a` and `b`.
struct Everything<'a> {
    a: &'a [u64; 8],
    b: &'a [u64; 8],
    shifts: &'a [u32],
    outcomes: &'a mut Vec<Outcome>,
}

impl Kernel for Everything<'_> {
    /// The number of lanes.
    type Out = usize;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> usize {
        macro_rules! note {
            ($name:literal, $k:expr, $v:expr) => {
                let mut words = [0; 8];
                s.store($v, &mut words);
                self.outcomes.push(($name, $k, words));
            };
        }
        let (a, b) = (s.load_words(self.a), s.load_words(self.b));
        note!("load_words", 0, a);
        note!("splat", 0, s.splat(self.a[0]));
        note!("add", 0, s.add(a, b));
        note!("unpack_lo", 0, s.unpack_lo(a, b));
        note!("unpack_hi", 0, s.unpack_hi(a, b));
        let (low_a, high_a, low_b, high_b) = (s.low32(a), s.high32(a), s.low32(b), s.high32(b));
        note!("mul32 of low32", 0, s.mul32(low_a, low_b));
        note!("mul32 of high32", 0, s.mul32(high_a, high_b));
        note!("mul32 of both", 0, s.mul32(low_a, high_b));
        note!("add of mul32", 0, s.add(a, s.mul32(high_a, low_b)));
        note!("mul32 of limb", 0, s.mul32(s.limb(s.low_bits(a, 32)), s.limb(s.shr(b, 33))));
        note!("settle", 0, s.settle(a));
        let mut memory = [!0; 8];
        s.store_limb(low_a, &mut memory);
        assert!(memory[S::LIMB_WORDS..].iter().all(|&word| word == !0), "store_limb writes too much");
        note!("mul32 of load_limb", 0, s.mul32(s.load_limb(&memory), low_b));
        s.store_limb(high_b, &mut memory);
        note!("mul32 of load_limb", 1, s.mul32(low_a, s.load_limb(&memory)));
        let masks = [0, !0, !0, 0, 0, 0, !0, !0];
        note!("select", 0, s.select(a, s.load_words(&masks)));
        for (i, &k) in self.shifts.iter().enumerate() {
            note!("shr", k, s.shr(a, k));
            note!("shl", k, s.shl(a, k));
            note!("low_bits", k, s.low_bits(a, k));
            note!("concat", k, s.concat(s.low_bits(a, k), s.shl(b, k)));
            if k > 0 {
                note!("straddle", k, s.straddle(a, b, k, 64 - k));
                note!("straddle", k, s.straddle(a, b, k, (64 - k).max(44)));
            }
            // At every misalignment; the byte after the last one is never read.
            let mut bytes = [0; 72];
            let at = i % 8;
            for (word, bytes) in self.a.iter().zip(bytes[at..].as_chunks_mut::<8>().0) {
                *bytes = word.to_le_bytes();
            }
            note!("load", at as u32, s.load(&bytes[at..at + 8 * S::N]));
            for (from, count) in (0..=S::N).flat_map(|from| (0..=S::N - from).map(move |count| (from, count)))
            {
                let words = &bytes[at..at + 8 * count];
                note!("load_part", (8 * from + count) as u32, s.load_part(words, from, count));
            }
            // As many bytes as it may read, no more.
            let mut bytes: Vec<u8> =
                self.a.iter().chain(self.b).flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(15 * S::N / 2);
            note!("load15", 0, s.load15(&bytes));
        }
        S::N
    }
}

fn agree(backend: &str, outcomes: &[Outcome], wanted: &[Outcome]) {
    assert_eq!(outcomes.len(), wanted.len());
    for (outcome, want) in outcomes.iter().zip(wanted) {
        assert_eq!(outcome, want, "{backend} does not agree with portable on {}", want.0);
    }
}

/// All backends of this CPU; says on the terminal which ones are skipped, and why.
fn backends() -> Vec<Cpu> {
    let required = std::env::var("CARRYLESS_REQUIRE_BACKEND");
    let required = required.unwrap_or_default();
    let missing: Vec<&str> = Cpu::NAMES.iter().copied().filter(|name| Cpu::named(name).is_err()).collect();
    for name in &missing {
        let why = reason(name);
        say(&format!("skipped {name}: {why}\n"));
        assert!(!required.split(',').any(|r| r == *name), "{name} is required, but {why}");
    }
    Cpu::available().collect()
}

/// Why a backend is not here.
fn reason(name: &str) -> &'static str {
    let home = match name {
        "neon" => "aarch64",
        "simd128" => "wasm32",
        _ => "x86_64",
    };
    match home == std::env::consts::ARCH {
        true if home == "wasm32" => "the build does not enable it",
        true => "the CPU lacks it",
        false => "it belongs to another architecture",
    }
}

const WEIRD: [u64; 20] = [
    0,
    1,
    2,
    (1 << 26) - 1,
    1 << 26,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    (1 << 52) - 1,
    1 << 52,
    1 << 53,
    1 << 63,
    (1 << 63) - 1,
    u64::MAX - 1,
    u64::MAX,
    0x5555_5555_5555_5555,
    0xaaaa_aaaa_aaaa_aaaa,
    0xffff_ffff_0000_0000,
];

/// All pairs of weird words in every lane, then random words.
fn inputs() -> impl Iterator<Item = ([u64; 8], [u64; 8])> {
    let n = WEIRD.len();
    let step = pick(1, 7, 57);
    let weird = (0..n * n).step_by(step).map(move |pair| {
        // Lane i shifts the two indices by i and 3 i: each lane meets all pairs, and no two lanes agree.
        let lane = |first: usize, stride: usize| std::array::from_fn(|i| WEIRD[(first + stride * i) % n]);
        (lane(pair / n, 1), lane(pair % n, 3))
    });
    let mut random = Random(26);
    let mut words = move || std::array::from_fn(|_| random.word());
    weird.chain((0..pick(400, 40, 2)).map(move |_| (words(), words())))
}

/// The shift counts to try with the `i`-th input.
fn shifts(i: usize) -> Vec<u32> {
    (0..64).filter(|k| (k + i as u32).is_multiple_of(pick(1, 8, 16) as u32)).collect()
}

/// Runs the same kernel on `Portable` with `$lanes` lanes.
macro_rules! on_portable {
    ($lanes:expr, $kernel:expr) => {
        match $lanes {
            2 => $kernel.run(Portable::<2>),
            4 => $kernel.run(Portable::<4>),
            8 => $kernel.run(Portable::<8>),
            other => panic!("no portable backend has {other} lanes"),
        }
    };
}

#[test]
fn backends_agree_with_portable() {
    for cpu in backends() {
        let mut done = 0;
        for (i, (a, b)) in inputs().enumerate() {
            let shifts = &shifts(i);
            let (mut outcomes, mut wanted) = (Vec::new(), Vec::new());
            let lanes = cpu.call(Everything { a: &a, b: &b, shifts, outcomes: &mut outcomes });
            on_portable!(lanes, Everything { a: &a, b: &b, shifts, outcomes: &mut wanted });
            agree(cpu.name(), &outcomes, &wanted);
            done += outcomes.len();
        }
        say(&format!("{}: {done} operations agree with portable\n", cpu.name()));
    }
}

/// What `Portable` itself is held to: numbers worked out by hand.
#[test]
fn portable_does_what_the_words_say() {
    let s = Portable::<4>;
    let (a, b) = ([1, 2, 3, u64::MAX], [1 << 32, (5 << 32) + 7, 9, 1]);
    assert_eq!(s.add(a, b), [(1 << 32) + 1, (5 << 32) + 9, 12, 0]);
    assert_eq!(s.mul32(s.low32(a), s.low32(b)), [0, 14, 27, 0xffff_ffff]);
    assert_eq!(s.mul32(s.high32(a), s.high32(b)), [0, 0, 0, 0]);
    assert_eq!(s.mul32(s.low32(a), s.high32(b)), [1, 10, 0, 0]);
    assert_eq!((s.shr(a, 1), s.shl(a, 63)), ([0, 1, 1, u64::MAX >> 1], [1 << 63, 0, 1 << 63, 1 << 63]));
    assert_eq!(s.low_bits(b, 3), [0, 7, 1, 1]);
    assert_eq!(s.select(a, [0, u64::MAX, 0, u64::MAX]), [0, 2, 0, u64::MAX]);
    assert_eq!(s.concat([1, 2, 4, 8], [2, 4, 8, 16]), [3, 6, 12, 24]);
    assert_eq!((s.unpack_lo(a, b), s.unpack_hi(a, b)), ([1, 1 << 32, 3, 9], [2, (5 << 32) + 7, u64::MAX, 1]));
    let bytes: [u8; 33] = core::array::from_fn(|i| i as u8);
    assert_eq!(s.load(&bytes[1..])[3], 0x201f_1e1d_1c1b_1a19);
    assert_eq!(s.load_part(&bytes[..16], 1, 2), [0, 0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908, 0]);
    assert_eq!((s.load_part(&[], 4, 0), s.load_part(&bytes[1..], 0, 4)), ([0; 4], s.load(&bytes[1..])));
    let words = [0x0807_0605_0403_0201, 0x000f_0e0d_0c0b_0a09, 0x1716_1514_1312_1110, 0x001e_1d1c_1b1a_1918];
    assert_eq!(Portable::<4>.load15(&bytes[1..31]), words);
}

/// What only some backends have.
#[cfg(target_arch = "x86_64")]
mod extensions {
    use super::*;
    use carryless_lanes::{Ifma, IfmaKernel, Shuffle32, ShuffleKernel};

    struct Madd52<'a>([&'a [u64; 8]; 3], &'a mut Vec<Outcome>);

    impl IfmaKernel for Madd52<'_> {
        type Out = ();
        #[inline(always)]
        fn run<S: Ifma>(self, s: S) {
            let [acc, a, b] = self.0;
            let (acc, a, b) = (s.load_words(acc), s.load_words(a), s.load_words(b));
            let mut words = [0; 8];
            s.store(s.madd52lo(acc, a, b), &mut words);
            self.1.push(("madd52lo", 0, words));
            s.store(s.madd52hi(acc, a, b), &mut words);
            self.1.push(("madd52hi", 0, words));
            s.store(s.sub(a, b), &mut words);
            self.1.push(("sub", 0, words));
        }
    }

    struct Halves<'a>([&'a [u64; 8]; 2], &'a [[u32; 16]], &'a mut Vec<Outcome>);

    impl ShuffleKernel for Halves<'_> {
        type Out = ();
        #[inline(always)]
        fn run<S: Shuffle32>(self, s: S) {
            let [a, b] = self.0;
            let (a, b) = (s.load_words(a), s.load_words(b));
            let mut words = [0; 8];
            s.store(s.blend32(a, b), &mut words);
            self.2.push(("blend32", 0, words));
            for (i, index) in self.1.iter().enumerate() {
                s.store(s.permute32(a, index), &mut words);
                self.2.push(("permute32", i as u32, words));
            }
        }
    }

    /// What the manual says: the product of the low 52 bits of both, 104 bits, half of which is added.
    fn define(acc: u64, a: u64, b: u64) -> [u64; 2] {
        let low = |x: u64| u128::from(x % (1 << 52));
        let product = low(a) * low(b);
        [product % (1 << 52), product >> 52].map(|half| acc.wrapping_add(half as u64))
    }

    /// `Portable` on every CPU, and the backends where they are: where not, [`backends`] says so.
    #[test]
    fn madd52_is_what_the_manual_says() {
        let backends: Vec<Cpu> =
            backends().into_iter().filter(|cpu| cpu.has_ifma() && !matches!(cpu, Cpu::Portable(_))).collect();
        let mut random = Random(52);
        for (a, b) in inputs() {
            let acc = std::array::from_fn(|_| random.word());
            let mut wanted = Vec::new();
            Portable::<8>.call_ifma(Madd52([&acc, &a, &b], &mut wanted));
            for i in 0..8 {
                assert_eq!([wanted[0].2[i], wanted[1].2[i]], define(acc[i], a[i], b[i]));
                assert_eq!(wanted[2].2[i], a[i].wrapping_sub(b[i]));
            }
            for cpu in &backends {
                let mut outcomes = Vec::new();
                cpu.ifma().call(Madd52([&acc, &a, &b], &mut outcomes), || panic!("it multiplies and adds"));
                let mut wanted = wanted.clone();
                // `store` leaves the words beyond the lanes of the backend at zero.
                for (_, _, words) in &mut wanted {
                    words[cpu.lanes()..].fill(0);
                }
                agree(cpu.name(), &outcomes, &wanted);
            }
        }
    }

    #[test]
    fn shuffles_agree_with_portable() {
        for cpu in backends().into_iter().filter(|cpu| cpu.has_shuffle32()) {
            let (mut random, halves) = (Random(32), 2 * cpu.lanes() as u32);
            for (a, b) in inputs() {
                // In order, the last half everywhere, any.
                let index = [
                    std::array::from_fn(|i| i as u32 % halves),
                    [halves - 1; 16],
                    std::array::from_fn(|_| random.word() as u32 % halves),
                ];
                let (mut outcomes, mut wanted) = (Vec::new(), Vec::new());
                cpu.shuffles().call(Halves([&a, &b], &index, &mut outcomes)).expect("it moves halves");
                match cpu.lanes() {
                    4 => Portable::<4>.call_shuffle(Halves([&a, &b], &index, &mut wanted)),
                    8 => Portable::<8>.call_shuffle(Halves([&a, &b], &index, &mut wanted)),
                    other => panic!("no portable backend has {other} lanes"),
                }
                agree(cpu.name(), &outcomes, &wanted);
            }
        }
    }

    #[test]
    fn portable_extensions_by_hand() {
        let (s, m) = (Portable::<2>, (1 << 52) - 1);
        assert_eq!(s.madd52lo([1, 0], [m, 1 << 60], [m, 3]), [2, 0]);
        assert_eq!(s.madd52hi([1, 0], [m, 1 << 51], [m, 6]), [m, 3]);
        let (s, x) = (Portable::<4>, [0x1_0000_0000, 0x3_0000_0002, 0x5_0000_0004, 0x7_0000_0006]);
        let reversed = [0x6_0000_0007, 0x4_0000_0005, 0x2_0000_0003, 1];
        assert_eq!(s.permute32(x, &[7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), reversed);
        let wide = Portable::<8>.permute32([0, 1, 2, 3, 4, 5, 6, 9 << 32 | 7], &[15; 16]);
        assert_eq!(wide, [9 << 32 | 9; 8]);
        assert_eq!(s.blend32(x, reversed), [0x6_0000_0000, 0x4_0000_0002, 0x2_0000_0004, 6]);
    }
}
