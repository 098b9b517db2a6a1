//! Decimated Horner for long messages, on backends with 52-bit multiply-add: groups of 16 rows, whose products take a
//! third fewer multiply-adds and a longer carry ([`karatsuba`](crate::field::limbs52::karatsuba)).
//!
//! All 16 powers of gamma are lanes of a few vectors, so they take a handful of vector products. They are kept in
//! words: a row loads the words of its power into every lane.
use super::keys::SharedKeys;
use super::{Horner, LANE_ROWS, first_rows, last_rows, sizes};
use crate::base::block_rows;
use crate::eval::powers::Powers;
use crate::field::LaneField;
use crate::field::groups::{LONG_G, LongGroups, OneRow};

impl<P: Powers> Horner<'_, P> {
    /// Evaluates in long groups, compiled whole.
    #[inline(always)]
    pub(crate) fn in_long_groups<F: LongGroups<Element = P::Element>>(self, f: F) -> P::Element {
        // No powers in words: `long_powers` makes all 16 in lanes.
        let keys = SharedKeys::<F, 0>::new(f, LONG_G, self.point.lane_powers(f), &[]);
        let (a, middle, last) = first_rows(f, self.h.map(|&h| F::limbs(h)), self.msg);
        let a = long_groups(f, a, middle, &keys_of(f, &long_powers(f, keys.gamma)));
        f.fold(last_rows(f, a, last, &keys.last))
    }
}

/// The multipliers whose powers are in the lanes of `powers`.
#[inline(always)]
pub(crate) fn keys_of<F: LongGroups>(f: F, powers: &[F::Fe]) -> F::LongKeys {
    let mut keys = F::NO_KEYS;
    f.long_keys(powers, &mut keys);
    keys
}

/// The powers of a prepared key: the multipliers of long groups, and lane powers for the last two rows.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct LongTable<K, R> {
    pub(crate) keys: K,
    /// The lane powers `[tau^N .. tau]` and `[tau^2N .. tau^(N+1)]`.
    pub(crate) last: [R; LANE_ROWS],
}

/// Fills a table from the lane powers tau^N .. tau in `low`.
#[inline(always)]
pub(crate) fn fill_long<F: LongGroups>(f: F, low: F::Fe, table: &mut LongTable<F::LongKeys, F::Stored>) {
    let keys = SharedKeys::<F, 0>::new(f, LONG_G, low, &[]);
    table.last = [f.stored(low), f.stored(keys.next)];
    f.long_keys(&long_powers(f, keys.gamma), &mut table.keys);
}

/// Evaluates a message that is not empty with the powers of a table that was filled in as many lanes. `h` is the value of
/// the blocks absorbed before. Returns lanes whose fold is the value.
#[inline(always)]
pub(crate) fn with_long_table<F: LongGroups + OneRow>(
    f: F,
    table: &LongTable<F::LongKeys, F::Stored>,
    h: Option<F::Limbs>,
    msg: &[u8],
) -> F::Fe {
    let (block, row) = sizes::<F>();
    if msg.len() <= row {
        let first = block_rows::lane_of_block(F::N, F::N - msg.len().div_ceil(block));
        let only = f.only_row(msg);
        let only = if let Some(h) = h { f.add(only, f.in_lane(h, first)) } else { only };
        return f.for_fold(f.mul(only, &f.key(f.load(&table.last[0]))));
    }
    let (a, middle, last) = first_rows(f, h, msg);
    let a = long_groups(f, a, middle, &table.keys);
    let [low, next] = &table.last;
    last_rows(f, a, last, &[f.key(f.load(low)), f.key(f.load(next))])
}

/// The lanes in whose number a bit is set, and the number one in the others: for bits 0, 1 and 2.
const MASKS: [([u64; 8], [u64; 8]); 3] = {
    let (mut masks, mut bit) = ([([0; 8], [1; 8]); 3], 0);
    while bit < 3 {
        let mut lane = 0;
        while lane < 8 {
            if lane >> bit & 1 == 1 {
                masks[bit].0[lane] = u64::MAX;
                masks[bit].1[lane] = 0;
            }
            lane += 1;
        }
        bit += 1;
    }
    masks
};

/// gamma, gamma^2, .., gamma^16 in the lanes of 16 / N vectors, from gamma in every lane. The other vectors are
/// unspecified. lg N products and squares, then one product for each further vector.
#[inline(always)]
pub(crate) fn long_powers<F: LaneField>(f: F, gamma: F::Fe) -> [F::Fe; LONG_G / 2] {
    let (mut all, mut power, mut bit) = (gamma, gamma, 0);
    while 1 << bit < F::N {
        // Lane i of `all` holds gamma^(1 + the low bits of i).
        let (kept, others) = &MASKS[bit];
        all = f.carry(f.mul(all, &f.key(f.mixed(power, kept, others))));
        power = f.carry(f.square(power));
        bit += 1;
    }
    let (mut powers, mut known) = ([all; LONG_G / 2], 1);
    while known * F::N < LONG_G {
        // Invariant: `known` vectors hold gamma to gamma^(known N), and `power` is gamma^(known N) in every lane.
        let step = f.key(power);
        let mut i = 0;
        while i < known {
            powers[known + i] = f.carry(f.mul(powers[i], &step));
            i += 1;
        }
        power = f.carry(f.square(power));
        known *= 2;
    }
    powers
}

/// Absorbs any number of rows, with one carry chain for each group of 16. The first group may be shorter.
#[inline(always)]
pub(crate) fn long_groups<F: LongGroups>(f: F, mut a: F::Fe, rows: &[u8], keys: &F::LongKeys) -> F::Fe {
    let group = LONG_G * sizes::<F>().1;
    let (first, groups) = rows.split_at(rows.len() % group);
    if !first.is_empty() {
        a = long_group(f, a, first, keys);
    }
    for rows in groups.chunks_exact(group) {
        a = long_group(f, a, rows, keys);
    }
    a
}

/// Absorbs a group of g rows, 1 to 16: A gamma^g + R_1 gamma^(g-1) + ... + R_(g-1) gamma + R_g, carried.
#[inline(always)]
pub(crate) fn long_group<F: LongGroups>(f: F, a: F::Fe, msg: &[u8], keys: &F::LongKeys) -> F::Fe {
    let (_, row) = sizes::<F>();
    let (rows, last) = msg.split_at(msg.len() - row);
    let g = msg.len() / row;
    let (mut d, mut power) = (f.as_long(f.whole_row(last)), g);
    for bytes in rows.chunks_exact(row) {
        power -= 1;
        d = f.long_add(d, f.whole_row(bytes), keys, power);
    }
    // A is multiplied last, so that all other products can run before the previous group's carry chain ends.
    f.long_carry(f.long_add(d, a, keys, g))
}
