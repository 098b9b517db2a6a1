//! Every operation of every backend for carry-less products gives what `Soft` gives, and `Soft` what the words say.
//!
//! `CARRYLESS_REQUIRE_BACKEND=NAME[,NAME...]` makes the lack of a backend a failure; `CARRYLESS_QUICK=1` makes the
//! run small enough for an emulator.
mod common;
#[path = "carryless/soft.rs"]
mod soft;

use carryless_lanes::{Clmul, ClmulBackend, ClmulCpu, ClmulKernel, Count, Cpu, Degree, Soft, Tally};
use common::{Random, pick, say};
use std::cell::Cell;

/// More words than any vector has at the widest stride tried.
const WORDS: usize = 64;
/// An operation, its stride (0: none), and what it left in memory.
type Outcome = (&'static str, usize, [u64; WORDS]);

/// Does everything that [`Clmul`] has, on the words `a` and `b`.
struct Everything<'a> {
    a: &'a [u64; WORDS],
    b: &'a [u64; WORDS],
    outcomes: &'a mut Vec<Outcome>,
}

impl ClmulKernel for Everything<'_> {
    /// The number of lanes, and of the words of a wide vector.
    type Out = (usize, usize);

    #[inline(always)]
    fn run<S: Clmul>(self, s: S) -> (usize, usize) {
        macro_rules! note {
            ($name:literal, $stride:expr, $v:expr) => {
                let mut words = [!0; WORDS];
                s.store($v, &mut words);
                self.outcomes.push(($name, $stride, words));
            };
        }
        let (a, b) = (s.load(self.a), s.load(self.b));
        note!("load", 0, a);
        let mut count = 0;
        while count <= 2 * S::K {
            note!("load_part", count, s.load_part(&self.b[..count]));
            // The words beyond `count` keep their ones.
            let mut words = [!0; WORDS];
            s.store_part(a, &mut words[..count]);
            self.outcomes.push(("store_part", count, words));
            count += 1;
        }
        note!("zero", 0, s.zero());
        note!("xor", 0, s.xor(a, b));
        note!("mul_ll", 0, s.mul_ll(a, b));
        note!("mul_lh", 0, s.mul_lh(a, b));
        note!("mul_hl", 0, s.mul_hl(a, b));
        note!("mul_hh", 0, s.mul_hh(a, b));
        note!("square_l", 0, s.square_l(a));
        note!("square_h", 0, s.square_h(a));
        note!("swap", 0, s.swap(a));
        note!("straddle", 0, s.straddle(a, b));
        note!("splat", 0, s.splat([self.a[0], self.b[1]]));
        note!("and", 0, s.and(a, b));
        note!("select", 0, s.select(a, b, s.swap(a)));
        note!("shuffle", 0, s.shuffle(a, b));
        note!("affine", 0, s.affine(a, b));
        note!("zip_low", 0, s.zip_low(a, b));
        note!("zip_high", 0, s.zip_high(a, b));
        let mut bits = 0;
        while bits < 64 {
            note!("shl", bits as usize, s.shl(a, bits));
            note!("shr", bits as usize, s.shr(a, bits));
            bits += 1;
        }
        let mut bit = 0;
        while bit < 32 {
            note!("bit_masks", bit as usize, s.bit_masks(a, bit));
            bit += 1;
        }
        // One lane alone, on its own backend.
        let (one, mut lane) = (s.one(), [!0; WORDS]);
        one.store(s.first_lane(a), &mut lane);
        self.outcomes.push(("first_lane", 0, lane));
        note!("repeat_lane", 0, s.repeat_lane(one.load(&self.b[..2])));
        // All orders of all lanes.
        let mut order = 0;
        while order < S::K.pow(4) {
            let lane = |i| order / S::K.pow(i) % S::K;
            note!("permute_lanes", order, s.permute_lanes(a, [lane(0), lane(1), lane(2), lane(3)]));
            order += 1;
        }
        note!("transpose", 0, s.transpose(a));
        let mut from = 0;
        while from <= S::K {
            note!("lanes_from", from, s.lanes_from(from, a, b));
            from += 1;
        }
        let mut stride = 2;
        while stride < 18 {
            // As many words as it may read, no more.
            let reach = (S::K - 1) * stride + 2;
            note!("load_lanes", stride, s.load_lanes(&self.b[..reach], stride));
            let mut words = [!0; WORDS];
            s.store_lanes(a, &mut words[..reach], stride);
            self.outcomes.push(("store_lanes", stride, words));
            stride += 1;
        }
        blocks::<S, 1>(s, self.a, self.outcomes);
        blocks::<S, 2>(s, self.a, self.outcomes);
        blocks::<S, 3>(s, self.a, self.outcomes);
        blocks::<S, 4>(s, self.a, self.outcomes);
        blocks::<S, 5>(s, self.a, self.outcomes);
        blocks::<S, 8>(s, self.a, self.outcomes);
        wide(s, self.a, self.b, self.outcomes);
        (S::K, S::WIDE)
    }
}

/// Operations on the words of a wide vector, all words of the operands one after the other: so they are the same on every backend.
#[inline(always)]
fn wide<S: Clmul>(s: S, a: &[u64; WORDS], b: &[u64; WORDS], outcomes: &mut Vec<Outcome>) {
    let (mut c, mut words) = (*a, [0; WORDS]);
    c.reverse();
    macro_rules! note {
        ($name:literal, $stride:expr, |$x:ident, $y:ident, $z:ident| $v:expr) => {
            let mut i = 0;
            while i < WORDS {
                let ($x, $y, $z) = (s.load_wide(&a[i..]), s.load_wide(&b[i..]), s.load_wide(&c[i..]));
                s.store_wide($v, &mut words[i..]);
                i += S::WIDE;
            }
            outcomes.push(($name, $stride, words));
        };
    }
    note!("xor_wide", 0, |x, y, _z| s.xor_wide(x, y));
    note!("and_wide", 0, |x, y, _z| s.and_wide(x, y));
    note!("or_wide", 0, |x, y, _z| s.or_wide(x, y));
    note!("splat_wide", 0, |_x, _y, _z| s.splat_wide(a[1]));
    note!("xor3_wide", 0, |x, y, z| s.xor3_wide(x, y, z));
    note!("xor_andnot_wide", 0, |x, y, z| s.xor_andnot_wide(x, y, z));
    // Different in the bits of `b`, of which some inputs have few; then in one bit of a half or in none.
    note!("equal_wide", 0, |x, y, _z| s.equal_wide(x, s.xor_wide(x, y)));
    note!("equal_wide", 1, |x, y, _z| {
        s.equal_wide(x, s.xor_wide(x, s.and_wide(y, s.splat_wide(1 << 63 | 1))))
    });
    let mut bits = 0;
    while bits < 64 {
        note!("rotl_wide", bits as usize, |x, _y, _z| s.rotl_wide(x, bits));
        bits += 1;
    }
}

/// `load_blocks` and `store_blocks` of N blocks, lanes side by side and with gaps: in exactly the words that they may touch.
#[inline(always)]
fn blocks<S: Clmul, const N: usize>(s: S, src: &[u64; WORDS], outcomes: &mut Vec<Outcome>) {
    let mut gap = 0;
    while gap < 4 {
        let stride = 2 * N + gap;
        let reach = (S::K - 1) * stride + 2 * N;
        if reach <= WORDS {
            let blocks: [S::X; N] = s.load_blocks(&src[..reach], stride);
            let mut words = [!0; WORDS];
            let mut i = 0;
            while i < N {
                s.store(blocks[i], &mut words[2 * S::K * i..]);
                i += 1;
            }
            outcomes.push(("load_blocks", stride, words));
            let mut words = [!0; WORDS];
            s.store_blocks(blocks, &mut words[..reach], stride);
            outcomes.push(("store_blocks", stride, words));
        }
        gap += 1;
    }
}

/// All backends of this CPU; says on the terminal which ones are skipped, and why.
fn backends() -> Vec<ClmulCpu> {
    let required = std::env::var("CARRYLESS_REQUIRE_BACKEND");
    let required = required.unwrap_or_default();
    for name in ClmulCpu::NAMES.iter().filter(|name| ClmulCpu::named(name).is_err()) {
        let home = if *name == "pmull" { "aarch64" } else { "x86_64" };
        let here = home == std::env::consts::ARCH;
        let why = if here { "the CPU lacks it" } else { "it belongs to another architecture" };
        say(&format!("skipped {name}: {why}\n"));
        assert!(!required.split(',').any(|r| r == *name), "{name} is required, but {why}");
    }
    // A misspelt name would otherwise require nothing. `operations.rs` reads the same variable for the names
    // of `Cpu`.
    for name in required.split(',').filter(|name| !name.is_empty()) {
        let known = ClmulCpu::NAMES.contains(&name) || Cpu::NAMES.contains(&name);
        assert!(known, "no backend is called {name}");
    }
    ClmulCpu::available().collect()
}

/// Monomials, all ones and patterns, different in every lane; then random words.
fn inputs() -> impl Iterator<Item = ([u64; WORDS], [u64; WORDS])> {
    let weird = |i: usize| match i % 70 {
        i @ 0..64 => 1 << i,
        64 => 0,
        65 => !0,
        66 => 0x5555_5555_5555_5555,
        67 => 0xffff_ffff_0000_0000,
        68 => 1 << 63 | 1,
        _ => !0 >> 4,
    };
    let lanes = move |first: usize, step: usize| std::array::from_fn(|i| weird(first + step * i));
    let mut random = Random(2);
    let mut words = move || std::array::from_fn(|_| random.word());
    let weird = (0..70 * 70).step_by(pick(1, 37, 1237)).map(move |i| (lanes(i / 70, 1), lanes(i % 70, 3)));
    weird.chain((0..pick(400, 40, 2)).map(move |_| (words(), words())))
}

#[test]
fn backends_of_one_lane_agree_with_soft() {
    agree_with_soft(|cpu| cpu.lanes() == 1);
}

#[test]
fn backends_of_several_lanes_agree_with_soft() {
    agree_with_soft(|cpu| cpu.lanes() > 1);
}

fn agree_with_soft(of: impl Fn(&ClmulCpu) -> bool) {
    for cpu in backends().into_iter().filter(of) {
        let mut done = 0;
        for (a, b) in inputs() {
            let (mut outcomes, mut wanted) = (Vec::new(), Vec::new());
            let everything = Everything { a: &a, b: &b, outcomes: &mut outcomes };
            // Each backend with GFNI implies one without it.
            let (lanes, wide) =
                if cpu.has_affine() { cpu.affine().call(everything) } else { cpu.call(everything) };
            let everything = Everything { a: &a, b: &b, outcomes: &mut wanted };
            match lanes {
                1 => everything.run(Soft::<1>),
                2 => everything.run(Soft::<2>),
                4 => everything.run(Soft::<4>),
                other => panic!("no soft backend has {other} lanes"),
            };
            assert_eq!((lanes, wide), (cpu.lanes(), cpu.wide_words()));
            agree(cpu, &outcomes, &wanted);
            done += outcomes.len();
        }
        say(&format!("{}: {done} operations agree with soft\n", cpu.name()));
    }
}

fn agree(cpu: ClmulCpu, outcomes: &[Outcome], wanted: &[Outcome]) {
    assert_eq!(outcomes.len(), wanted.len());
    for (outcome, want) in outcomes.iter().zip(wanted) {
        assert_eq!(outcome, want, "{} does not agree with soft on {}", cpu.name(), want.0);
    }
}

/// The backend with two lanes on which one with four runs kernels has no name.
#[test]
fn two_of_four_lanes_agree_with_soft() {
    for cpu in backends().into_iter().filter(|cpu| cpu.lanes() == 4) {
        for (a, b) in inputs() {
            let (mut outcomes, mut wanted) = (Vec::new(), Vec::new());
            let found = cpu.two_lanes().call(Everything { a: &a, b: &b, outcomes: &mut outcomes });
            assert_eq!(found.ok().map(|(lanes, _)| lanes), Some(2), "{}", cpu.name());
            Everything { a: &a, b: &b, outcomes: &mut wanted }.run(Soft::<2>);
            agree(cpu, &outcomes, &wanted);
        }
    }
}

/// The backend of fewer lanes that a backend implies has them, and is one that this CPU has.
#[test]
fn narrow_backends() {
    for cpu in ClmulCpu::available() {
        for lanes in [1, 2, 4].into_iter().filter(|&lanes| lanes <= cpu.lanes()) {
            let narrow = cpu.with_lanes(lanes);
            assert_eq!(narrow.lanes(), lanes);
            // A backend that has them by name.
            assert_eq!(
                narrow.has_rotations(),
                ["pclmul-avx512vl", "vpclmul-zmm", "vpclmul-zmm-gfni"].contains(&narrow.name())
            );
            assert!(narrow.wide_words() >= 2 * lanes && narrow.wide_words() <= cpu.wide_words());
            assert_eq!(ClmulCpu::named(narrow.name()), Ok(narrow));
        }
    }
    assert!(ClmulCpu::named("quantum").is_err());
    assert!(ClmulCpu::available().any(|cpu| cpu == ClmulCpu::detect()));
}

/// Degrees of products are sums of degrees, and hold for what `Soft` computes from the largest operands.
#[test]
fn degrees() {
    let s = Degree;
    let a = s.load(&[1 << 40, 0]);
    let b = s.load(&[!0, 1 << 3]);
    let mut out = [0; 2];
    s.store(s.mul_ll(a, b), &mut out);
    assert_eq!(out, [!0, u64::MAX >> 24]); // 40 + 63 = 103
    s.store(s.mul_lh(a, b), &mut out);
    assert_eq!(out, [u64::MAX >> 20, 0]);
    s.store(s.mul_hl(a, b), &mut out);
    assert_eq!(out, [0, 0]);
    s.store(s.straddle(b, s.zero()), &mut out);
    assert_eq!(out, [0b1111, 0]);
    s.store(s.xor(s.swap(a), b), &mut out);
    assert_eq!(out, [!0, u64::MAX >> 23]);
    s.store(s.square_h(b), &mut out);
    assert_eq!(out, [0x7f, 0]);
    s.store(s.affine(a, b), &mut out);
    assert_eq!(out, [u64::MAX >> 16, 0]);
    s.store(s.bit_masks(a, 9), &mut out);
    assert_eq!(out, [0xffff_ffff, 0]);
    s.store(s.bit_masks(a, 8), &mut out);
    assert_eq!(out, [!0, 0]);
    s.store_wide(s.or_wide(a, s.and_wide(b, s.splat_wide(1 << 20))), &mut out);
    assert_eq!(out, [u64::MAX >> 23, 0b1111]);
    s.store_wide(s.equal_wide(a, b), &mut out);
    assert_eq!(out, [!0; 2]);
    s.store_wide(s.rotl_wide(a, 23), &mut out);
    assert_eq!(out, [!0, 0]);
    s.store_wide(s.rotl_wide(a, 22), &mut out);
    assert_eq!(out, [u64::MAX >> 1, 0]);
    s.store_wide(s.xor_andnot_wide(a, s.splat_wide(0), b), &mut out);
    assert_eq!(out, [!0, 0b1111]);
    s.store_wide(s.xor_andnot_wide(a, b, s.zero()), &mut out);
    assert_eq!(out, [u64::MAX >> 23, 0]);
}

#[test]
fn operations_are_counted() {
    let tally = Cell::new(Tally::default());
    let (a, b, mut outcomes) = ([1; WORDS], [2; WORDS], Vec::new());
    Everything { a: &a, b: &b, outcomes: &mut outcomes }.run(Count::new(Soft::<2>, &tally));
    let wanted = Tally {
        load_part: 5,
        store_part: 5,
        // Of wide vectors: 16 of each operation.
        load_words: 3 + 3 * (8 + 64) * 16,
        // Of the blocks: 23 vectors, at four strides, there and back.
        load_lanes: 16 + 4 * 23,
        // As `one` counts too.
        store: 220 + 4 * 23 + (8 + 64) * 16 + 1,
        store_lanes: 16 + 4 * 23,
        splat: 2 + 4 * 6 + 2 * 16,
        xor: 3 + 3 * 16,
        clmul: 4,
        square: 2,
        halves: 3,
        shift: 128,
        and: 2 + 2 * 16,
        or: 16,
        equal: 2 * 16,
        shuffle: 1,
        unpack: 2,
        affine: 1,
        bit_masks: 32,
        logic3: 2 * 16,
        rotate: 64 * 16,
        rename: 1,
        lanes: 3 + 16 + 2,
        ..Tally::default()
    };
    assert_eq!(tally.get(), wanted);
}

/// On a backend named as a type, and on the best one.
#[test]
fn a_kernel_is_called_on_a_backend_by_name() {
    struct Product([u64; 2]);
    impl ClmulKernel for Product {
        type Out = [u64; 2];
        #[inline(always)]
        fn run<S: Clmul>(self, s: S) -> [u64; 2] {
            let mut words = [0; 8];
            words[..2].copy_from_slice(&self.0);
            let x = s.load(&words);
            s.store(s.mul_lh(x, x), &mut words);
            [words[0], words[1]]
        }
    }
    assert_eq!(Soft::<1>.call(Product([3, 7])), [9, 0]);
    assert_eq!(ClmulCpu::detect().call(Product([1 << 63, 6])), [0, 3]);
}
