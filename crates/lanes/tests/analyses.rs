//! The analyses accept a right kernel and catch planted errors, and say where.
#![cfg(all(panic = "unwind", not(carryless_without_proofs)))] // on WebAssembly a panic ends the program
use carryless_lanes::{
    AlgebraArena, Count, Ifma, IntervalArena, Lanes, Poly, Portable, Range, Shuffle32, Tally,
};
use core::cell::Cell;

/// What can be wrong with the kernel below.
#[derive(Clone, Copy, PartialEq)]
enum Planted {
    Nothing,
    FourTimes,
    SwappedLimb,
    MissingCarry,
    MeetingBits,
}

/// `h <- (h + m) r` modulo 2^130 - 5, in five limbs of 26 bits. `r` has the limbs, then five times the limbs.
#[inline(always)]
fn step<S: Lanes>(s: S, h: [S::V; 5], r: &[u64; 9], msg: &[u8], planted: Planted) -> [S::V; 5] {
    let [m0, m1, m2, m3, m4] = blocks(s, msg, planted);
    let [h0, h1, h2, h3, h4] = h;
    let h = [s.add(h0, m0), s.add(h1, m1), s.add(h2, m2), s.add(h3, m3), s.add(h4, m4)];
    carry(s, product(s, h, r, planted), planted)
}

/// `N` blocks of 16 bytes as limbs, with bit 128 set.
#[inline(always)]
fn blocks<S: Lanes>(s: S, msg: &[u8], planted: Planted) -> [S::V; 5] {
    let (a, b) = (s.load(msg), s.load(&msg[8 * S::N..]));
    let (lo, hi) = (s.unpack_lo(a, b), s.unpack_hi(a, b));
    // Limb 2 has 12 bits of `lo`, then 14 of `hi`. The planted fault shifts `hi` by 11, so bit 11 of both
    // parts meets.
    let cut = if planted == Planted::MeetingBits { 15 } else { 14 };
    [
        s.low_bits(lo, 26),
        s.low_bits(s.shr(lo, 26), 26),
        s.concat(s.shr(lo, 52), s.shl(s.low_bits(hi, cut), if cut == 15 { 11 } else { 12 })),
        s.low_bits(s.shr(hi, 14), 26),
        s.concat(s.shr(hi, 40), s.splat(1 << 24)),
    ]
}

#[inline(always)]
fn product<S: Lanes>(s: S, h: [S::V; 5], r: &[u64; 9], planted: Planted) -> [S::V; 5] {
    macro_rules! column {
        ($h0:ident $r0:ident $(, $h:ident $r:ident)*) => {{
            let sum = s.mul32($h0, $r0);
            $(let sum = s.add(sum, s.mul32($h, $r));)*
            sum
        }};
    }
    let [h0, h1, h2, h3, h4] = h;
    let (h0, h1, h2, h3, h4) = (s.limb(h0), s.limb(h1), s.limb(h2), s.limb(h3), s.limb(h4));
    let (r0, r1, r2) = (s.limb(s.splat(r[0])), s.limb(s.splat(r[1])), s.limb(s.splat(r[2])));
    let (r3, r4) = (s.limb(s.splat(r[3])), s.limb(s.splat(r[4])));
    let (s1, s2) = (s.limb(s.splat(r[5])), s.limb(s.splat(r[6])));
    let (s3, s4) = (s.limb(s.splat(r[7])), s.limb(s.splat(r[8])));
    // s_i = 5 r_i: a product of weight 2^(130 + k) counts as five of weight 2^k.
    let (x, y) = if planted == Planted::SwappedLimb { (s3, s2) } else { (s2, s3) };
    [
        column!(h0 r0, h1 s4, h2 y, h3 x, h4 s1),
        column!(h0 r1, h1 r0, h2 s4, h3 s3, h4 s2),
        column!(h0 r2, h1 r1, h2 r0, h3 s4, h4 s3),
        column!(h0 r3, h1 r2, h2 r1, h3 r0, h4 s4),
        column!(h0 r4, h1 r3, h2 r2, h3 r1, h4 r0),
    ]
}

#[inline(always)]
fn carry<S: Lanes>(s: S, d: [S::V; 5], planted: Planted) -> [S::V; 5] {
    let [mut d0, mut d1, mut d2, mut d3, mut d4] = d;
    macro_rules! c {
        ($from:ident $to:ident) => {
            $to = s.add($to, s.shr($from, 26));
            $from = s.low_bits($from, 26);
        };
    }
    c!(d3 d4);
    c!(d0 d1);
    let c = s.shr(d4, 26);
    d4 = s.low_bits(d4, 26);
    d0 = s.add(d0, s.shl(c, 2));
    // 2^130 = 5: the carry comes back four times by the shift above, and once here.
    if planted != Planted::FourTimes {
        d0 = s.add(d0, c);
    }
    c!(d1 d2);
    c!(d0 d1);
    c!(d2 d3);
    if planted != Planted::MissingCarry {
        c!(d3 d4);
    }
    [d0, d1, d2, d3, d4]
}

/// The least bound of the limbs that a step preserves, found by iteration from zero.
fn fixpoint(limb: u64, planted: Planted) -> [Range; 5] {
    let arena = IntervalArena::new();
    let s = arena.backend::<4>();
    let (r, r5) = (arena.upto(limb), arena.upto(5 * limb));
    let r = [r, r, r, r, r, r5, r5, r5, r5];
    let mut h = [Range::constant(0); 5];
    for _ in 0..20 {
        let out = step(s, h.map(|limb| [limb; 4]), &r, &[0; 64], planted);
        let next = core::array::from_fn(|i| h[i].join(out[i][0]));
        // The step maps these bounds into themselves, so they hold after any number of steps.
        if next == h {
            return h;
        }
        h = next;
    }
    panic!("no fixpoint");
}

#[test]
fn interval_finds_the_loop_invariant() {
    let h = fixpoint((1 << 26) - 1, Planted::Nothing);
    assert!(h.iter().all(|limb| limb.hi() < (1 << 26) + (1 << 7)), "{h:?}");
    assert!(h[1].hi() > 1 << 26, "the bound must not be better than the truth: {h:?}");
}

#[test]
#[should_panic(expected = "the limb may exceed 32 bits")]
fn interval_finds_a_missing_carry() {
    fixpoint((1 << 26) - 1, Planted::MissingCarry);
}

#[test]
#[should_panic(expected = "the limb may exceed 32 bits")]
fn interval_finds_a_key_that_is_too_wide() {
    fixpoint(1 << 30, Planted::Nothing);
}

#[test]
fn interval_finds_a_product_that_is_too_wide() {
    let arena = IntervalArena::new();
    let s = arena.backend::<2>();
    let product = |bits: u32| s.mul52([Range::upto((1 << bits) - 1); 2], s.splat(20));
    assert_eq!(product(47)[0].hi(), 20 * ((1 << 47) - 1));
    let panic =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| product(48))).expect_err("20 2^48 > 2^52");
    assert!(
        panic.downcast_ref::<String>().is_some_and(|text| text.contains("the product may exceed 52 bits"))
    );
}

#[test]
#[should_panic(expected = "the operands may share a set bit")]
fn interval_finds_bits_that_meet() {
    fixpoint((1 << 26) - 1, Planted::MeetingBits);
}

#[test]
fn a_panic_names_the_line_of_the_kernel() {
    let place = std::sync::Arc::new(std::sync::Mutex::new((String::new(), 0)));
    let seen = place.clone();
    let before = std::panic::take_hook();
    // All threads of the test program share the hook: only the panic of this one counts.
    let here = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == here {
            let at = info.location().unwrap();
            *seen.lock().unwrap() = (at.file().to_string(), at.line());
        }
    }));
    let arena = IntervalArena::new();
    let s = Count::new(arena.backend::<2>(), Box::leak(Box::new(Cell::new(Tally::default()))));
    let line = line!() + 1;
    let overflow = || s.add(s.splat(u64::MAX), s.splat(1));
    let result = std::panic::catch_unwind(core::panic::AssertUnwindSafe(overflow));
    std::panic::set_hook(before);
    let message = *result.unwrap_err().downcast::<String>().unwrap();
    assert!(message.starts_with("the sum may exceed 64 bits"), "{message}");
    assert_eq!(*place.lock().unwrap(), (file!().to_string(), line));
}

/// Runs one step on symbols and compares with `(h + m + 2^128) r`.
fn value(planted: Planted) -> Result<(), carryless_lanes::Difference> {
    let arena = AlgebraArena::new();
    let s = arena.backend::<4>();
    let r: [u64; 5] = core::array::from_fn(|i| arena.symbol(&format!("r{i}"), (1 << 26) - 1));
    let r5: [u64; 4] = core::array::from_fn(|i| {
        let out = &mut [0; 4];
        let five = s.mul32(s.limb(s.splat(5)), s.limb(s.splat(r[i + 1])));
        s.store(five, out);
        out[0]
    });
    let key = [r[0], r[1], r[2], r[3], r[4], r5[0], r5[1], r5[2], r5[3]];
    let mut msg = [0; 64];
    let m = arena.fill("m", &mut msg);
    let h: [[u64; 4]; 5] = core::array::from_fn(|i| {
        core::array::from_fn(|lane| arena.symbol(&format!("h{i}.{lane}"), (1 << 26) + (1 << 7)))
    });
    let out = step(s, h.map(|limb| s.load_words(&limb)), &key, &msg, planted);
    let out = out.map(|limb| {
        let mut words = [0; 4];
        s.store(limb, &mut words);
        words
    });
    for lane in 0..4 {
        // Lane 2i + j of the unpacked words has block i of the j-th half.
        let block = lane / 2 + 2 * (lane % 2);
        let of_lane = |words: [[u64; 4]; 5]| arena.value(&words.map(|limb| limb[lane]), 26);
        let m = Poly::from_limbs(&[m[2 * block].clone(), m[2 * block + 1].clone(), Poly::constant(1)], 64);
        let want = (of_lane(h) + m) * arena.value(&r, 26);
        of_lane(out).equal_modulo(&want, 130, 5)?;
    }
    Ok(())
}

#[test]
fn algebra_proves_the_value() {
    value(Planted::Nothing).unwrap();
}

#[test]
fn algebra_finds_a_wrong_factor() {
    let difference = format!("{:?}", value(Planted::FourTimes).unwrap_err());
    assert!(difference.contains("at analyses.rs:"), "the carry's line is missing: {difference}");
}

#[test]
fn algebra_finds_a_swapped_limb() {
    let difference = format!("{:?}", value(Planted::SwappedLimb).unwrap_err());
    assert!(difference.contains("h2.0") && difference.contains("r3"), "{difference}");
}

#[test]
fn algebra_panics_where_bits_meet() {
    let result = std::panic::catch_unwind(|| value(Planted::MeetingBits));
    assert!(result.is_err());
}

/// Two limbs of a lane stay two limbs through blend, permute and add.
#[test]
fn algebra_keeps_packed_limbs_apart() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<4>();
    let limb = |name| s.splat(arena.symbol(name, (1 << 27) - 1));
    let (a, b, c, d) = (limb("a"), limb("b"), limb("c"), limb("d"));
    let packed = s.add(s.blend32(a, s.shl(b, 32)), s.concat(c, s.shl(d, 32)));
    let swap = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14];
    let swapped = s.permute32(s.shl(packed, 3), &swap);
    let mut out = [[0; 4]; 2];
    s.store(s.mul32(s.low32(swapped), s.low32(packed)), &mut out[0]);
    s.store(s.mul32(s.high32(swapped), s.high32(packed)), &mut out[1]);
    let name = Poly::symbol;
    let (low, high) = (name("a") + name("c"), name("b") + name("d"));
    assert_eq!(arena.poly(out[0][1]), (&low * &high).times(8));
    assert_eq!(arena.poly(out[1][2]), (&low * &high).times(8));
}

/// Bits 52.. and the low 52 bits of a product come together again.
#[test]
fn ifma_halves_telescope() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<8>();
    let (a, b) = (s.splat(arena.symbol("a", (1 << 52) - 1)), s.splat(arena.symbol("b", (1 << 45) - 1)));
    let mut out = [[0; 8]; 2];
    let three = s.splat(3);
    s.store(s.madd52lo(three, a, b), &mut out[0]);
    s.store(s.madd52hi(s.splat(0), a, b), &mut out[1]);
    let value = arena.value(&[out[0][7], out[1][7]], 52);
    assert_eq!(value, Poly::symbol("a") * Poly::symbol("b") + Poly::constant(3));
    assert!(arena.range_of(out[1][0]).hi() < 1 << 45);
}

#[test]
fn ifma_operands_are_checked() {
    let refused = |a, b| {
        let arena = IntervalArena::new();
        let s = arena.backend::<8>();
        let (zero, a, b) = (s.splat(0), s.splat(arena.upto(a)), s.splat(arena.upto(b)));
        let multiply = || (s.madd52lo(zero, a, b), s.madd52hi(zero, a, b));
        std::panic::catch_unwind(core::panic::AssertUnwindSafe(multiply)).is_err()
    };
    let limit = 1 << 52;
    assert!(!refused(limit - 1, limit - 1));
    assert!(refused(limit, 1) && refused(1, limit));
}

#[test]
fn differences_are_never_negative() {
    let refused = |(from, to), b| {
        let arena = IntervalArena::new();
        let s = arena.backend::<8>();
        let (a, b) = (s.splat(arena.word(Range::between(from, to))), s.splat(arena.upto(b)));
        std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| s.sub(a, b))).map_err(drop)
    };
    let difference = refused((10, 20), 10).expect("every minuend is large enough");
    assert_eq!((difference[3].lo(), difference[3].hi()), (0, 20));
    assert!(refused((10, 20), 11).is_err());
    let arena = AlgebraArena::new();
    let s = arena.backend::<4>();
    let (a, b) = (arena.symbol("a", 9), arena.symbol("b", 1 << 20));
    let biased = s.add(s.splat(a), s.splat(1 << 20));
    let mut out = [0; 8];
    s.store(s.sub(biased, s.splat(b)), &mut out);
    let want = Poly::symbol("a") + Poly::constant(1 << 20) - &Poly::symbol("b");
    assert_eq!(arena.value(&out[..1], 64), want);
}

#[test]
fn plain_arithmetic_on_tagged_words_is_noticed() {
    let noticed = |f: &dyn Fn(u64) -> u64| {
        let arena = IntervalArena::new();
        let word = f(arena.upto(1 << 26));
        std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| arena.range_of(word))).is_err()
    };
    assert!(!noticed(&|w| w));
    assert!(noticed(&|w| w.wrapping_mul(5)));
    assert!(noticed(&|w| w >> 12));
    assert!(noticed(&|w| w & ((1 << 44) - 1)));
    assert!(noticed(&|w| w.rotate_left(8)));
}

#[test]
fn counts() {
    let tally = Cell::new(Tally::default());
    let s = Count::new(Portable::<4>, &tally);
    step(s, [s.splat(0); 5], &[1; 9], &[0; 64], Planted::Nothing);
    let want = Tally {
        load: 2,
        unpack: 2,
        // Nine of the key, the pad bit, and the caller's zero.
        splat: 11,
        limb: 14,
        mul32: 25,
        // Those of the block, of the product, of the carry chain.
        add: 5 + 20 + 8,
        shift: 5 + 8,
        mask: 4 + 7,
        concat: 2,
        ..Tally::default()
    };
    assert_eq!(tally.get(), want);
    let before = tally.get();
    let shuffled = s.blend32(s.splat(1), s.permute32(s.splat(2), &[0; 16]));
    let _ = (s.madd52lo(shuffled, shuffled, shuffled), carryless_lanes::Words::mul(s, 1, 2));
    let want = Tally { splat: 2, blend: 1, permute: 1, madd52: 1, mul: 1, ..Tally::default() };
    assert_eq!(tally.get() - before, want);
}
