//! Every operation on bytes of every backend gives what `Soft` gives, and `Soft` what the words say.
//!
//! `CARRYLESS_QUICK=1` makes the run small enough for an emulator. `carryless.rs` holds the list of backends to the required ones.
mod common;

use carryless_lanes::{Bytes, BytesKernel, Clmul, ClmulCpu, Soft};
use common::{Random, pick, say};

/// Bytes of the longest vector.
const BYTES: usize = 64;
/// An operation, a number that belongs to it, and the bytes that it gave.
type Outcome = (&'static str, usize, [u8; BYTES]);

/// A linear map that is nothing in particular.
const MATRIX: u64 = 0x0123_4567_89ab_cdef;

/// Does everything that [`Bytes`] has.
struct Everything<'a> {
    a: &'a [u8; BYTES],
    b: &'a [u8; BYTES],
    outcomes: &'a mut Vec<Outcome>,
}

impl BytesKernel for Everything<'_> {
    type Out = usize;

    #[inline(always)]
    fn run<S: Bytes>(self, s: S) -> usize {
        macro_rules! note {
            ($name:literal, $number:expr, $v:expr) => {
                let mut bytes = [0xa5; BYTES];
                s.store_bytes($v, &mut bytes[..16 * S::K]);
                self.outcomes.push(($name, $number, bytes));
            };
        }
        let (a, b) = (s.load_bytes(&self.a[..16 * S::K]), s.load_bytes(&self.b[..16 * S::K]));
        note!("load_bytes", 0, a);
        note!("splat_byte", 0, s.splat_byte(self.a[1]));
        note!("first_byte", 0, s.first_byte(a));
        note!("bytes_down", 0, s.bytes_down(a, b));
        note!("low_halves", 0, s.low_halves(a, b));
        note!("high_halves", 0, s.high_halves(a, b));
        note!("zero_bytes", 0, s.zero_bytes(s.and(a, b)));
        note!("sign_bytes", 0, s.sign_bytes(a));
        note!("add_bytes", 0, s.add_bytes(a, b));
        note!("sub_bytes", 0, s.sub_bytes(a, b));
        note!("add_words", 0, s.add_words(a, b));
        note!("sub_words", 0, s.sub_words(a, b));
        note!("max_words", 0, s.max_words(a, b));
        note!("min_words", 0, s.min_words(a, b));
        note!("mul_bytes", 0, s.mul_bytes(a, b));
        note!("inv_bytes", 0, s.inv_bytes(a));
        note!("map_bytes", 0, s.map_bytes::<MATRIX>(a));
        let mut i = 0;
        while i < 8 {
            note!("spread_bits", i, s.spread_bits(a, i));
            i += 1;
        }
        let mut bits = 0;
        while bits < 16 {
            note!("sar_words", bits as usize, s.sar_words(a, bits));
            bits += 1;
        }
        let (first, second) = (s.factor(s.splat_byte(self.a[0])), s.factor(s.splat_byte(self.b[0])));
        note!("scale", 0, s.scale(b, first));
        note!("select_factor", 0, s.scale(b, s.select_factor(s.zero(), first, second)));
        note!("select_factor", 1, s.scale(b, s.select_factor(s.splat([!0; 2]), first, second)));
        S::K
    }
}

/// All outcomes on a backend, and those of a soft backend with as many lanes.
fn compare(cpu: ClmulCpu, a: &[u8; BYTES], b: &[u8; BYTES]) -> usize {
    let (mut outcomes, mut wanted) = (Vec::new(), Vec::new());
    let lanes = cpu.bytes().call(Everything { a, b, outcomes: &mut outcomes });
    let everything = Everything { a, b, outcomes: &mut wanted };
    match lanes {
        1 => everything.run(Soft::<1>),
        2 => everything.run(Soft::<2>),
        _ => everything.run(Soft::<4>),
    };
    assert_eq!(outcomes.len(), wanted.len());
    for (outcome, want) in outcomes.iter().zip(&wanted) {
        assert_eq!(outcome, want, "{} does not agree with soft on {}", cpu.name(), want.0);
    }
    outcomes.len()
}

#[test]
fn backends_agree_with_soft() {
    for cpu in ClmulCpu::available() {
        let (mut random, mut done) = (Random(11), 0);
        for round in 0..pick(4000, 200, 3) {
            let mut bytes = || std::array::from_fn(|_| random.word() as u8);
            let (mut a, mut b): ([u8; BYTES], [u8; BYTES]) = (bytes(), bytes());
            if round % 4 == 1 {
                // Zeros, signs, and 16-bit numbers that are equal.
                for (a, b) in a.iter_mut().zip(&mut b) {
                    (*a, *b) = match *a & 7 {
                        0 => (0, 0x80),
                        1..4 => (*b, *b),
                        _ => (*a, *b),
                    };
                }
            }
            done += compare(cpu, &a, &b);
        }
        say(&format!("{}: {done} operations on bytes agree with soft\n", cpu.name()));
    }
}

/// Products, factors and inverses of all elements.
struct Field<'a> {
    /// Of byte i and byte j at place 256 i + j.
    products: &'a mut [u8],
    scaled: &'a mut [u8],
    inverses: &'a mut [u8],
}

impl BytesKernel for Field<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Bytes>(self, s: S) {
        let all: [u8; 256] = core::array::from_fn(|i| i as u8);
        let mut at = 0;
        while at < 256 {
            let x = s.load_bytes(&all[at..]);
            s.store_bytes(s.inv_bytes(x), &mut self.inverses[at..]);
            let mut i = 0;
            while i < 256 {
                let y = s.splat_byte(i as u8);
                s.store_bytes(s.mul_bytes(y, x), &mut self.products[256 * i + at..]);
                s.store_bytes(s.scale(x, s.factor(y)), &mut self.scaled[256 * i + at..]);
                i += 1;
            }
            at += 16 * S::K;
        }
    }
}

/// The field of AES, by the definition: all products, all factors, all inverses, on every backend.
#[test]
fn the_field_is_that_of_aes() {
    // 0x11b is x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2).
    let product = |a: usize, b: usize| {
        let wide = (0..8).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i);
        (8..15).rev().fold(wide, |p, i| if p >> i & 1 == 1 { p ^ 0x11b << (i - 8) } else { p }) as u8
    };
    for cpu in ClmulCpu::available() {
        let (mut products, mut scaled, mut inverses) = (vec![0; 1 << 16], vec![0; 1 << 16], vec![0; 256]);
        cpu.bytes().call(Field { products: &mut products, scaled: &mut scaled, inverses: &mut inverses });
        for (i, &found) in products.iter().enumerate() {
            assert_eq!(found, product(i / 256, i % 256), "{} times {}, {}", i / 256, i % 256, cpu.name());
        }
        assert!(products == scaled, "{}", cpu.name());
        assert_eq!(inverses[0], 0);
        (1..256).for_each(|i| assert_eq!(product(i, inverses[i].into()), 1, "1 / {i}, {}", cpu.name()));
    }
}

/// What `Soft` itself is held to: numbers worked out by hand, and definitions byte by byte.
#[test]
fn soft_does_what_the_words_say() {
    let s = Soft::<2>;
    let bytes =
        |x: [[u64; 2]; 2]| x.map(|lane| lane.map(u64::to_le_bytes)).as_flattened().as_flattened().to_vec();
    let mut random = Random(12);
    for round in 0..pick(500, 50, 3) {
        // In every third round some bytes are 0, have only the sign, or have only bit 0.
        let mut word = || random.word() & if round % 3 == 0 { 0xff00_80ff_8001_7f00 } else { !0 };
        let (a, b) = ([[word(), word()], [word(), word()]], [[word(), word()], [word(), word()]]);
        let (x, y) = (bytes(a), bytes(b));
        let mut stored = vec![0; 32];
        s.store_bytes(s.load_bytes(&x), &mut stored);
        assert_eq!((s.load_bytes(&x), &stored), (a, &x));
        let each = |f: fn(u8, u8) -> u8| x.iter().zip(&y).map(|(&x, &y)| f(x, y)).collect::<Vec<u8>>();
        assert_eq!(bytes(s.zero_bytes(a)), each(|x, _| if x == 0 { 0xff } else { 0 }));
        assert_eq!(bytes(s.sign_bytes(a)), each(|x, _| if x >= 0x80 { 0xff } else { 0 }));
        assert_eq!(bytes(s.add_bytes(a, b)), each(u8::wrapping_add));
        assert_eq!(bytes(s.sub_bytes(a, b)), each(u8::wrapping_sub));
        let words = |f: &dyn Fn(i16, i16) -> i16| -> Vec<u8> {
            let number = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
            x.chunks(2).zip(y.chunks(2)).flat_map(|(x, y)| f(number(x), number(y)).to_le_bytes()).collect()
        };
        assert_eq!(bytes(s.add_words(a, b)), words(&i16::wrapping_add));
        assert_eq!(bytes(s.sub_words(a, b)), words(&i16::wrapping_sub));
        assert_eq!(bytes(s.max_words(a, b)), words(&|x, y| x.max(y)));
        assert_eq!(bytes(s.min_words(a, b)), words(&|x, y| x.min(y)));
        (0..16).for_each(|bits| assert_eq!(bytes(s.sar_words(a, bits)), words(&|x, _| x >> bits)));
        assert_eq!(bytes(s.bytes_down(a, b)), [&x[1..], &y[..1]].concat());
        assert_eq!(bytes(s.first_byte(a)), [x[0]; 32]);
        assert_eq!(s.low_halves(a, b), [[a[0][0], b[0][0]], [a[1][0], b[1][0]]]);
        assert_eq!(s.high_halves(a, b), [[a[0][1], b[0][1]], [a[1][1], b[1][1]]]);
        assert_eq!(s.map_bytes::<MATRIX>(a), s.affine(a, [[MATRIX; 2]; 2]));
        for i in 0..8 {
            let spread: Vec<u8> =
                (0..32).map(|j| if x[8 * (j / 8) + i] >> (j % 8) & 1 == 1 { 0xff } else { 0 }).collect();
            assert_eq!(bytes(s.spread_bits(a, i)), spread);
        }
    }
    assert_eq!(s.splat_byte(7), [[0x0707_0707_0707_0707; 2]; 2]);
}
