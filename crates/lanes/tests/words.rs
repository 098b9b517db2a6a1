//! The analyses of scalar kernels.
use carryless_lanes::{AlgebraArena, IntervalArena, Range, Words};

/// `(x y) mod 2^127 - 1` up to one more carry, in 64-bit words.
fn mersenne<S: Words>(s: S, x: [u64; 2], y: [u64; 2]) -> [S::W; 3] {
    let ([x0, x1], [y0, y1]) = (x.map(|x| s.word(x)), y.map(|y| s.word(y)));
    let d0 = s.mul(x0, y0);
    let d1 = s.add(s.add(s.mul(x0, y1), s.mul(x1, y0)), s.widen(s.high(d0)));
    let d2 = s.add(s.mul(x1, y1), s.widen(s.high(d1)));
    // 2^128 = 2
    let (low, high) = (s.low(d2), s.high(d2));
    let e0 = s.add(s.widen(s.low(d0)), s.widen(s.shl(s.low_bits(low, 63), 1)));
    let top = s.concat(s.shr(low, 63), s.shl(high, 1));
    let e1 = s.add(s.add(s.widen(s.low(d1)), s.widen(top)), s.widen(s.high(e0)));
    [s.low(e0), s.low(e1), s.high(e1)]
}

#[test]
fn words_are_proved_too() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<2>();
    let word = |name: &str, hi| arena.symbol(name, hi);
    let x = [word("x0", u64::MAX), word("x1", u64::MAX >> 1)];
    let y = [word("y0", u64::MAX), word("y1", u64::MAX >> 1)];
    let out = mersenne(s, x, y).map(|w| arena.word_of(w));
    arena.value(&out, 64).equal_modulo(&(arena.value(&x, 64) * arena.value(&y, 64)), 127, 1).unwrap();
    assert!(arena.range_of(out[2]).hi() <= 1);
    let wrong = arena.value(&x, 64) * arena.value(&[y[1], y[0]], 64);
    assert!(arena.value(&out, 64).equal_modulo(&wrong, 127, 1).is_err());
}

#[test]
#[should_panic(expected = "the sum may exceed 128 bits")]
fn words_that_overflow_are_found() {
    let arena = IntervalArena::new();
    let any = arena.word(Range::ANY);
    mersenne(arena.backend::<2>(), [any, any], [any, any]);
}
