//! Decimated Horner in radix 2^44, for machines with 52-bit multiply-add: the twin of `horner`.
//!
//! Eight blocks take 18 multiply-adds and 9 operations to load; 19 operations to carry serve g rows. Zero blocks in
//! front, the last two rows lane by lane and the incoming value are as in `horner`.
use super::element::{Element, SCALAR};
use super::lanes26::lane_of_block;
use super::lanes44::{self, Fe44, Key44, Lanes3, Sums};
use super::powers::Base;
use crate::blocks::{BLOCK, pad_partial};
use carryless_lanes::{Ifma, IfmaKernel};

/// Rows that may share a carry chain.
pub(crate) const MAX_G: usize = 4;

/// h tau^l + C_1 tau^l + ... + C_l tau, for a message of more than `N` blocks.
#[derive(Clone, Copy)]
pub(crate) struct HornerIfma<'a> {
    /// Where to evaluate.
    pub(crate) point: &'a Base,
    /// The value so far.
    pub(crate) h: Element,
    /// The message; a short last block is padded here.
    pub(crate) msg: &'a [u8],
    /// Rows per carry chain, 1 to [`MAX_G`].
    pub(crate) g: usize,
}

impl IfmaKernel for HornerIfma<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        let low = lanes44::in_lanes(s, &self.point.row(S::N));
        let h = self.h.limbs44();
        let lanes = match self.g {
            1 => evaluate(s, &Keys::<S, 1>::new(s, low), h, self.msg),
            2 => evaluate(s, &Keys::<S, 2>::new(s, low), h, self.msg),
            3 => evaluate(s, &Keys::<S, 3>::new(s, low), h, self.msg),
            _ => evaluate(s, &Keys::<S, MAX_G>::new(s, low), h, self.msg),
        };
        Element(lanes44::fold(SCALAR, &lanes, S::N))
    }
}

/// The powers of tau that an evaluation with G rows per carry chain needs.
pub(crate) struct Keys<S: Ifma, const G: usize> {
    /// gamma^1 .. gamma^G in every lane, gamma = tau^N.
    pub(crate) gamma: [Key44<S>; G],
    /// Lane powers: `[tau^N .. tau]` and `[tau^2N .. tau^(N+1)]`.
    pub(crate) last: [Key44<S>; 2],
}

impl<S: Ifma, const G: usize> Keys<S, G> {
    /// From the lane powers tau^N .. tau: the next N by one vector multiplication, gamma^3 and gamma^4 from those.
    #[inline(always)]
    pub(crate) fn new(s: S, low: Fe44<S>) -> Self {
        // Block 0 of a row has the highest power, in lane 0.
        let gamma = Key44::broadcast_lane0(s, low);
        let next = multiply(s, low, &gamma);
        let mut powers = [gamma; G];
        if G > 1 {
            powers[1] = Key44::broadcast_lane0(s, next);
        }
        if G > 2 {
            powers[2] = Key44::broadcast_lane0(s, multiply(s, next, &gamma));
        }
        if G > 3 {
            powers[3] = Key44::broadcast_lane0(s, multiply(s, next, &powers[1]));
        }
        Keys { gamma: powers, last: [Key44::new(s, low), Key44::new(s, next)] }
    }
}

/// h r, carried.
#[inline(always)]
fn multiply<S: Ifma>(s: S, h: Fe44<S>, r: &Key44<S>) -> Fe44<S> {
    lanes44::carry(s, lanes44::mul_add(s, Sums::zero(s), h, r))
}

/// All rows; the lanes of the result are still to be summed.
#[inline(always)]
pub(crate) fn evaluate<S: Ifma, const G: usize>(s: S, keys: &Keys<S, G>, h: [u64; 3], msg: &[u8]) -> Lanes3 {
    let row = BLOCK * S::N;
    let blocks = msg.len().div_ceil(BLOCK);
    // The first row takes 1 to N blocks, so that whole rows follow.
    let first = (blocks - 1) % S::N + 1;
    let (head, rest) = msg.split_at(first * BLOCK);
    let last_start = (rest.len() - 1) / row * row;
    let (middle, last) = rest.split_at(last_start);

    let mut a = first_row(s, h, head, first);
    // Rows that do not fill a group go one by one.
    let (lead, groups) = middle.split_at(middle.len() % (G * row));
    for bytes in lead.chunks_exact(row) {
        a = group::<S, 1>(s, a, bytes, &[keys.gamma[0]]);
    }
    for rows in groups.chunks_exact(G * row) {
        a = group::<S, G>(s, a, rows, &keys.gamma);
    }
    lanes44::store(s, last_rows(s, a, last, &keys.last))
}

/// A gamma^G + R_1 gamma^(G-1) + ... + R_(G-1) gamma, carried, + R_G.
#[inline(always)]
pub(crate) fn group<S: Ifma, const G: usize>(s: S, a: Fe44<S>, msg: &[u8], gamma: &[Key44<S>; G]) -> Fe44<S> {
    let row = BLOCK * S::N;
    let msg = &msg[..G * row];
    let mut d = lanes44::mul_add(s, Sums::zero(s), a, &gamma[G - 1]);
    if G > 1 {
        d = lanes44::mul_add(s, d, whole_row(s, msg), &gamma[G.saturating_sub(2)]);
    }
    if G > 2 {
        d = lanes44::mul_add(s, d, whole_row(s, &msg[row..]), &gamma[G.saturating_sub(3)]);
    }
    if G > 3 {
        d = lanes44::mul_add(s, d, whole_row(s, &msg[2 * row..]), &gamma[G.saturating_sub(4)]);
    }
    lanes44::add(s, lanes44::carry(s, d), whole_row(s, &msg[(G - 1) * row..]))
}

/// A [tau^2N .. tau^(N+1)] + R_last [tau^N .. tau].
#[inline(always)]
pub(crate) fn last_rows<S: Ifma>(s: S, a: Fe44<S>, last: &[u8], keys: &[Key44<S>; 2]) -> Fe44<S> {
    let d = lanes44::mul_add(s, Sums::zero(s), a, &keys[1]);
    lanes44::carry(s, lanes44::mul_add(s, d, last_row(s, last), &keys[0]))
}

/// N whole blocks with their pad bits.
#[inline(always)]
fn whole_row<S: Ifma>(s: S, msg: &[u8]) -> Fe44<S> {
    let [m0, m1, m2] = lanes44::blocks(s, msg);
    [m0, m1, s.concat(m2, s.splat(1 << 40))]
}

/// Zero blocks in front, then `count` whole blocks; h joins the first of them.
#[inline(always)]
pub(crate) fn first_row<S: Ifma>(s: S, h: [u64; 3], head: &[u8], count: usize) -> Fe44<S> {
    let mut buffer = [0; BLOCK * 8];
    let row = &mut buffer[..BLOCK * S::N];
    let empty = S::N - count;
    row[empty * BLOCK..].copy_from_slice(head);
    let [m0, m1, m2] = lanes44::blocks(s, row);
    let m = [m0, m1, s.concat(m2, lanes44::pads(s, empty, count))];
    lanes44::add(s, m, lanes44::in_lane(s, h, lane_of_block(S::N, empty)))
}

/// The last row: N blocks, of which the last may be short.
#[inline(always)]
pub(crate) fn last_row<S: Ifma>(s: S, last: &[u8]) -> Fe44<S> {
    let row = BLOCK * S::N;
    if last.len() == row {
        return whole_row(s, last);
    }
    let (whole, tail) = last.split_at(row - BLOCK);
    let mut buffer = [0; BLOCK * 8];
    let padded = &mut buffer[..row];
    padded[..row - BLOCK].copy_from_slice(whole);
    padded[row - BLOCK..].copy_from_slice(&pad_partial(tail));
    let [m0, m1, m2] = lanes44::blocks(s, padded);
    [m0, m1, s.concat(m2, lanes44::pads(s, 0, S::N - 1))]
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Rng, value, weird_element};
    use super::*;
    use carryless_lanes::{AlgebraArena, Count, IntervalArena, Lanes, Portable, Range, Tally};
    use core::cell::Cell;

    /// On the portable machines, and on IFMA where the CPU has it.
    fn check(rng: &mut Rng, len: usize, g: usize) {
        let (key, msg, h) = (rng.key(), rng.bytes(len), weird_element(rng));
        let kernel =
            HornerIfma { point: &Base { tau: Element::from_bytes(&key), clamped: false }, h, msg: &msg, g };
        let want = value(&key, h, &msg);
        if len > 16 * 2 {
            assert_eq!(Portable::<2>.call_ifma(kernel).freeze(), want, "{len} bytes, g = {g}, 2 lanes");
        }
        if len > 16 * 8 {
            assert_eq!(Portable::<8>.call_ifma(kernel).freeze(), want, "{len} bytes, g = {g}, 8 lanes");
            #[cfg(target_arch = "x86_64")]
            if let Ok(carryless_lanes::Cpu::Avx512Ifma(machine)) = carryless_lanes::Cpu::named("avx512ifma") {
                assert_eq!(machine.call_ifma(kernel).freeze(), want, "{len} bytes, g = {g}, IFMA");
            }
        }
    }

    #[test]
    fn every_length() {
        let mut rng = Rng(10);
        for len in 33..2000 {
            for g in 1..=MAX_G {
                check(&mut rng, len, g);
            }
        }
    }

    /// Sets `0..=top` in every lane.
    fn upto(tops: [u64; 3]) -> [[Range; 8]; 3] {
        tops.map(|top| [Range::upto(top); 8])
    }

    fn join(a: [[Range; 8]; 3], b: [[Range; 8]; 3]) -> [[Range; 8]; 3] {
        core::array::from_fn(|limb| core::array::from_fn(|lane| a[limb][lane].join(b[limb][lane])))
    }

    /// Joins steps to the start until nothing changes: what then holds, holds after any number of steps.
    fn fixpoint(
        mut now: [[Range; 8]; 3],
        step: impl Fn([[Range; 8]; 3]) -> [[Range; 8]; 3],
    ) -> [[Range; 8]; 3] {
        for _ in 0..20 {
            let next = join(now, step(now));
            if next == now {
                return now;
            }
            now = next;
        }
        panic!("no fixpoint");
    }

    fn tops(a: [[Range; 8]; 3]) -> [u64; 3] {
        a.map(|limb| limb.iter().map(Range::hi).max().expect("eight lanes"))
    }

    /// For all messages, keys and incoming values: nothing overflows, and limbs stay as small as `lanes44` says.
    fn bounds<const G: usize>() {
        let arena = IntervalArena::new();
        let s = arena.machine::<8>();
        let cut = [(1 << 44) - 1, (1 << 44) - 1, (1 << 43) - 1];
        let powers = fixpoint(upto(cut), |p| multiply(s, p, &Key44::new(s, p)));
        let key = Key44::new(s, powers);
        let keys = Keys::<_, G> { gamma: [key; G], last: [key; 2] };
        let h = cut.map(|top| arena.upto(top));
        let msg = [0; BLOCK * 8 * MAX_G];

        let first = first_row(s, h, &msg[..BLOCK * 5], 5);
        let a = fixpoint(first, |a| group::<_, G>(s, a, &msg[..BLOCK * 8 * G], &keys.gamma));
        assert!(tops(a).into_iter().all(|top| top < 1 << 46), "{a:?}");
        let last = last_rows(s, a, &msg[..BLOCK * 8], &keys.last);
        let [h0, h1, h2] = tops(last);
        assert!(h0 < (1 << 44) + (1 << 22) && h1 < 1 << 44 && h2 < 1 << 42, "{last:?}");
        // What leaves is below 2p, as the last reduction wants it.
        let [_, _, w2] = lanes44::fold(s, &lanes44::store(s, last), 8);
        assert!(w2.hi() <= 4, "{w2:?}");
    }

    #[test]
    fn nothing_overflows() {
        bounds::<1>();
        bounds::<2>();
        bounds::<3>();
        bounds::<4>();
    }

    /// The value of h r for all limbs within the bounds, as an identity of polynomials.
    #[test]
    fn products_are_right() {
        let arena = AlgebraArena::new();
        let s = arena.machine::<2>();
        let element = |name: &str, tops: [u64; 3]| -> ([u64; 3], _) {
            let limbs = core::array::from_fn(|i| arena.symbol(&std::format!("{name}{i}"), tops[i]));
            (limbs, arena.value(&limbs, 44))
        };
        let (h, h_value) = element("h", [(1 << 46) - 1; 3]);
        let (r, r_value) = element("r", [1 << 45, 1 << 44, 1 << 43]);
        let vectors = |limbs: [u64; 3]| limbs.map(|limb| s.splat(limb));
        let product = lanes44::store(s, multiply(s, vectors(h), &Key44::new(s, vectors(r))));
        for lane in 0..2 {
            let got = arena.value(&product.map(|limb| limb[lane]), 44);
            assert!(got.equal_modulo(&(&h_value * &r_value), 130, 5).is_ok(), "lane {lane}");
        }
    }

    /// Operations of a group of G rows.
    fn tally<const G: usize>() -> Tally {
        let counter = Cell::new(Tally::default());
        let s = Count::new(Portable::<8>, &counter);
        let (zero, msg) = ([s.splat(0); 3], [0; BLOCK * 8 * MAX_G]);
        let keys = [Key44::new(s, zero); G];
        let before = counter.get();
        let _ = group::<_, G>(s, zero, &msg[..BLOCK * 8 * G], &keys);
        counter.get() - before
    }

    /// Eighteen multiply-adds, two loads, two unpackings and seven operations to cut a row; a carry for G rows.
    #[test]
    fn operations() {
        for (g, tally) in [(1, tally::<1>()), (2, tally::<2>()), (4, tally::<4>())] {
            let cut = Tally { load: 2, unpack: 2, shift: 3, mask: 2, concat: 2, ..Tally::default() };
            let want = Tally {
                madd52: 18 * g,
                load: cut.load * g,
                unpack: cut.unpack * g,
                // h << 8 twice, 5 h << 10, two carries down and one around.
                shift: cut.shift * g + 8,
                mask: cut.mask * g + 3,
                concat: cut.concat * g,
                add: 3 + 8,
                // Zero columns, and the pad bits.
                splat: 2 + g,
                ..Tally::default()
            };
            assert_eq!(tally, want, "g = {g}");
        }
    }
}
