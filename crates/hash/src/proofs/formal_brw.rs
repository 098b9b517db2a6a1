//! c-decBRWHash as it is composed equals its definition, on the formal field: every loop over rows, the powers and weights,
//! ready or made, short messages, streams and their parts.
use super::for_lanes;
use super::formal::{Formal, FormalLanes};
use crate::eval::brw::ready::Ready;
use crate::eval::brw::short::{SHORT_ROWS, Short};
use crate::eval::brw::stream::State;
use crate::eval::brw::{DecBrw, Part, Size};
use crate::field::Field;
use crate::field::p1305::testing::sample;
use crate::papers::idle::Idle;
use std::vec::Vec;

/// BRW of one stream, as it is defined.
fn brw<const B: usize>(blocks: &[Formal<B>]) -> Formal<B> {
    match blocks {
        [] => Formal::ZERO,
        [m] => *m,
        [m, n] => m.times(Formal::tau_to(1)).plus(*n),
        [m1, m2, m3] => Formal::tau_to(1).plus(*m1).times(Formal::tau_to(2).plus(*m2)).plus(*m3),
        _ => {
            let h = 1 << blocks.len().ilog2();
            let (first, rest) = blocks.split_at(h);
            let (last, first) = first.split_last().expect("2^r blocks");
            brw(first).times(Formal::tau_to(h as u64).plus(*last)).plus(brw(rest))
        }
    }
}

/// tau (tau (Q_1 D^(c-1) + ... + Q_c) + L), as it is defined; 0 for the empty message.
fn definition<const B: usize>(c: usize, msg: &[u8], bits: u64) -> Formal<B> {
    let n = msg.len().div_ceil(B * c);
    if n == 0 {
        return Formal::ZERO;
    }
    let d = Formal::tau_to(2 << n.ilog2());
    let mut blocks: Vec<_> = msg.chunks(B).map(Formal::block).collect();
    // All streams have n blocks: those that the last row lacks are zero.
    blocks.resize(n * c, Formal::ZERO);
    let stream = |i: usize| brw(&blocks.iter().skip(i).step_by(c).copied().collect::<Vec<_>>());
    let q = (0..c).fold(Formal::ZERO, |sum, i| sum.times(d).plus(stream(i)));
    let length = Formal::from_word(bits);
    q.times(Formal::tau_to(2)).plus(length.times(Formal::tau_to(1)))
}

/// The same of a message in bytes.
fn of_bytes<const B: usize>(c: usize, msg: &[u8]) -> Formal<B> {
    definition(c, msg, 8 * msg.len() as u64)
}

/// A length in bits that takes all 64 bits of a word; kernels do not ask where it comes from.
const BITS: u64 = 0xfedc_ba98_7654_3210;

fn kernel<'a, const B: usize>(
    ready: Option<&'a Ready<Formal<B>>>,
    msg: &'a [u8],
    c: usize,
    t: usize,
) -> DecBrw<'a, Formal<B>> {
    DecBrw { tau: Formal::tau_to(1), ready, msg, bits: BITS, c, t, saved: None }
}

/// The value by the kernel that serves the message in N lanes.
fn by_size<const N: usize, const B: usize>(kernel: DecBrw<'_, Formal<B>>) -> Formal<B> {
    match kernel.by_size(N) {
        Size::NoGroup(kernel) => kernel.over(FormalLanes::<N, B>),
        Size::OneGroup(kernel) => kernel.over(FormalLanes::<N, B>),
        Size::Groups(kernel) => kernel.over(FormalLanes::<N, B>),
        Size::Any(kernel) => kernel.over(FormalLanes::<N, B>),
    }
}

/// `c` streams in N lanes: all leaves, rows from `rows`, the last one whole, without its last bytes, or only begun.
fn streams<const N: usize, const B: usize>(c: usize, rows: impl Iterator<Item = usize>) {
    for n in rows {
        for len in [B * c * n, B * c * n - 5, B * c * (n - 1) + 3] {
            Formal::<B>::forget();
            let msg = Formal::<B>::message(len);
            let want = definition::<B>(c, &msg, BITS);
            // The size of leaves decides where products end, and must not change the value.
            for t in 2..=5 {
                let got = by_size::<N, B>(kernel(None, &msg, c, t));
                assert_eq!(got, want, "{len} bytes, {c} streams in {N} lanes, t = {t}");
            }
            // Powers for all rows and for fewer: the rest is made.
            for lg in [n.ilog2() as usize, n.ilog2() as usize / 2] {
                let ready = Ready::new(Formal::tau_to(1), lg);
                let got = by_size::<N, B>(kernel(Some(&ready), &msg, c, 2));
                assert_eq!(got, want, "{len} bytes, {c} streams in {N} lanes, ready for 2^{lg} rows");
            }
        }
    }
}

/// Numbers of rows at which leaves, pairs of chunks and groups begin and end.
const ROWS: [usize; 12] = [48, 49, 63, 64, 65, 68, 96, 127, 128, 131, 132, 144];

/// One vector of streams, several, and two runs of rows side by side.
fn all_streams<const N: usize>() {
    for c in [N / 2, N, 2 * N] {
        streams::<N, 16>(c, sample(1..[40, 33, 17][N.ilog2() as usize - 1] + 1));
        streams::<N, 15>(c, [1, 3, 4, 9, 13].into_iter());
    }
    if N == 2 {
        streams::<N, 16>(1, ROWS.into_iter());
        streams::<N, 16>(2, ROWS.into_iter());
    }
}

/// Streams that leave lanes idle: of four lanes, or of two runs of four.
fn idle_lanes<const N: usize, const B: usize>(rows: impl Iterator<Item = usize>) {
    for (n, c) in rows.flat_map(|n| [(n, 1), (n, 2), (n, 3)]) {
        for len in [B * c * n, B * c * n - 5, B * c * (n - 1) + 3] {
            Formal::<B>::forget();
            let msg = Formal::<B>::message(len);
            let want = definition::<B>(c, &msg, BITS);
            let ready = Ready::new(Formal::tau_to(1), n.ilog2() as usize / 2);
            for (t, ready) in [(2, None), (3, Some(&ready)), (4, None), (5, None)] {
                let got = Idle(kernel(ready, &msg, c, t)).over(FormalLanes::<N, B>);
                assert_eq!(got, want, "{len} bytes, {c} streams in {N} lanes, t = {t}");
            }
        }
    }
}

#[test]
fn in_idle_lanes() {
    idle_lanes::<4, 16>(sample(1..38));
    idle_lanes::<8, 16>(sample(1..38).chain([63, 64, 68, 69]));
    idle_lanes::<4, 15>([1, 3, 4, 5, 9, 13].into_iter());
    idle_lanes::<8, 15>([1, 3, 4, 5, 9, 13].into_iter());
}

#[test]
fn in_words() {
    for c in [1, 2, 3, 4] {
        streams::<1, 16>(c, sample(1..41));
        streams::<1, 15>(c, [1, 3, 4, 9, 13].into_iter());
    }
    streams::<1, 16>(1, ROWS.into_iter().chain([512, 516]));
}

/// Leaves of three and of seven rows run to the end of large tables of rows: one, two and four streams in two lanes.
fn large_tables<const B: usize>() {
    for (c, n) in [(2, 512), (2, 516), (2, 523), (1, 512), (1, 520), (4, 512)] {
        for t in [2, 3] {
            Formal::<B>::forget();
            let msg = Formal::<B>::message(B * c * n - 1);
            let got = kernel(None, &msg, c, t).over(FormalLanes::<2, B>);
            assert_eq!(got, definition::<B>(c, &msg, BITS), "{n} rows of {c} streams, t = {t}");
        }
    }
}

#[test]
fn large_tables_of_rows() {
    large_tables::<16>();
}

/// The straight-line kernels, with and without powers: every length in whole blocks and between them.
fn short_messages<const C: usize, const B: usize>() {
    for len in (1..=SHORT_ROWS * C * B).filter(|len| len % B == 0 || len % B == 7) {
        Formal::<B>::forget();
        let (tau, msg) = (Formal::tau_to(1), Formal::<B>::message(len));
        let (bits, want) = (BITS, definition::<B>(C, &msg, BITS));
        let made = Short::<Formal<B>, C> { tau, ready: None, msg: &msg, bits };
        assert_eq!(made.value(), want, "{len} bytes, {C} streams");
        for lg in 0..=3 {
            let ready = Ready::new(tau, lg);
            let ready = Short::<Formal<B>, C> { tau, ready: Some(&ready), msg: &msg, bits };
            assert_eq!(ready.value(), want, "{len} bytes, {C} streams, ready for 2^{lg} rows");
        }
    }
}

#[test]
fn short() {
    short_messages::<1, 16>();
    short_messages::<4, 16>();
    short_messages::<1, 15>();
    short_messages::<4, 15>();
}

/// The state after `pieces` of a message, absorbed in N lanes.
fn state<const N: usize, const C: usize, const B: usize>(msg: &[u8], piece: usize) -> State<Formal<B>, C> {
    let mut state = State::new(Formal::tau_to(1));
    for piece in msg.chunks(piece.max(1)) {
        state.update(piece, |kernel| {
            kernel.over(FormalLanes::<N, B>);
        });
    }
    state
}

/// Messages in pieces: the stack is kept between them and restored.
fn pieces<const N: usize, const C: usize, const B: usize>() {
    let row = B * C;
    for len in sample(1..60).map(|n| n * row - n % 3) {
        // Below and above a group of four rows and the buffer of sixteen, with ends inside of blocks.
        for piece in [row, 5 * row + 1, 12 * row, 23 * row - 1, len] {
            Formal::<B>::forget();
            let msg = Formal::<B>::message(len);
            let got = state::<N, C, B>(&msg, piece).value(|kernel| kernel.over(FormalLanes::<N, B>));
            assert_eq!(got, of_bytes::<B>(C, &msg), "{len} bytes by {piece}, {C} streams in {N} lanes");
        }
    }
}

#[test]
fn in_pieces() {
    pieces::<1, 1, 16>();
    pieces::<1, 4, 15>();
    pieces::<2, 1, 16>();
    pieces::<2, 2, 16>();
    pieces::<4, 4, 16>();
    pieces::<2, 4, 15>();
}

/// The part of a message's bytes, in words.
fn part<const C: usize, const B: usize>(msg: &[u8]) -> Part<Formal<B>, C> {
    Part::of(&mut state::<1, C, B>(msg, msg.len()), |kernel| {
        kernel.over(FormalLanes::<1, B>);
    })
}

/// Parts of a message that are hashed apart and joined: every pair of up to 20 and 17 rows that joins.
fn pairs_of_parts<const C: usize, const B: usize>() {
    let row = B * C;
    let mut joined = 0;
    // Powers of two join with most others. They are tried wherever `sample` has few numbers.
    for a in [4, 8, 16].into_iter().chain(sample(1..21)).map(|n| n * row) {
        for b in (1..=17).flat_map(|n| [n * row, n * row - 1]) {
            Formal::<B>::forget();
            let msg = Formal::<B>::message(a + b);
            let part = |msg| part::<C, B>(msg);
            if let Ok(both) = part(&msg[..a]).join(&part(&msg[a..])) {
                assert_eq!(both.value(), of_bytes::<B>(C, &msg), "{a} + {b} bytes, {C} streams");
                joined += 1;
            }
        }
    }
    // Without a pair that joins, the loop would show nothing.
    assert!(joined > 10, "{joined} pairs join");
}

/// Equal parts and a last one that is shorter.
fn equal_parts<const C: usize, const B: usize>() {
    let row = B * C;
    for size in [4, 8, 16] {
        for n in [1, 4, 15, 16, 31, 48, 50] {
            Formal::<B>::forget();
            let msg = Formal::<B>::message(n * row - 2);
            let parts = msg.chunks(size * row).map(part::<C, B>);
            let all = Part::join_all(parts).expect("equal parts join");
            assert_eq!(all.value(), of_bytes::<B>(C, &msg), "{n} rows by {size}, {C} streams");
        }
    }
}

#[test]
fn parts() {
    pairs_of_parts::<1, 16>();
    pairs_of_parts::<2, 15>();
    equal_parts::<1, 16>();
    equal_parts::<3, 15>();
}

/// The formal field sees a block in the place of another, and a power too many.
#[test]
fn other_messages_are_noticed() {
    let msg = Formal::<16>::message(16 * 9);
    let mut other = msg.clone();
    other.copy_within(16..32, 0);
    let got = kernel::<16>(None, &msg, 1, 2).in_words();
    assert_eq!(got, definition::<16>(1, &msg, BITS));
    assert_ne!(got, definition::<16>(1, &other, BITS));
    assert_ne!(got.times(Formal::tau_to(1)), got);
}

for_lanes! {
    in_lanes = all_streams;
}
